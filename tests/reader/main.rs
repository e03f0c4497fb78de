//! Tests of the reader as a library: against a naive oracle, over every kind of source, under faults.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod conformance;
mod content;
mod costs;
mod faults;
mod first;
mod naive;
mod oracle;
mod pages;
mod ranges;
#[path = "../shared/sample.rs"]
mod sample;
mod sources;
mod streams;
mod suite;
mod text;
mod timed;
#[path = "../shared/tokens.rs"]
mod tokens;
