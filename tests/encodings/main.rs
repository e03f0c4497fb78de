//! Tests of texts in every encoding: against naive decoders of the whole file, the library and the program.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    missing_docs,
    dead_code
)]

mod guesses;
mod labels;
mod library;
mod naive;
mod program;
mod raw;
#[path = "../shared/sample.rs"]
mod sample;
#[path = "../reader/sources.rs"]
mod sources;
#[path = "../reader/text.rs"]
mod text;
#[path = "../shared/tokens.rs"]
mod tokens;
