//! Documents that other programs write, as text: what each kind of part becomes.
#![cfg(feature = "decoders")]
#![allow(clippy::unwrap_used)]

mod books;
mod fixtures;
mod glyphs;
mod notebooks;
mod opendocument;
mod pages;
mod web;
mod word;
mod workbook;
