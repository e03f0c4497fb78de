//! `rread follow`: against `tail -F` in the same run, across rotation, with its ends, and at rest.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

mod ends;
mod formats;
mod idle;
mod random;
mod rotation;
#[path = "../shared/sample.rs"]
mod sample;
mod streams;
mod support;
mod volume;
mod windows;
mod writer;
