//! Ranges, times in logs, text or binary, and guesses of encodings.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    missing_docs
)]

mod guesses;
mod ranges;
mod sniff;
mod timestamp;
