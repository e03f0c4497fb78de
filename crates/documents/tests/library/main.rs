//! Documents that other programs write, as text: what each kind of part becomes.
#![cfg(feature = "decoders")]
#![allow(clippy::unwrap_used)]

mod books;
mod fixtures;
mod glyphs;
mod mail;
mod notebooks;
mod opendocument;
mod pages;
mod rtf;
mod slides;
mod web;
mod word;
mod workbook;
