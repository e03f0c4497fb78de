//! `rread follow`: against `tail -F` in the same run, across rotation, with its ends, and at rest.

#![cfg(unix)]

mod ends;
mod formats;
mod idle;
mod merge;
mod random;
mod rotation;
mod streams;
mod support;
#[cfg(unix)]
mod terminal;
mod volume;
mod windows;
mod writer;
