//! Tests of `rread select` and of what it is made of.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]
// Helpers offer more than the tests of one feature use.
#![allow(dead_code)]

mod dialect;
mod duckdb;
mod envelope;
mod exact;
mod kinds;
mod limits;
mod refusals;
mod schema;
#[path = "../cli/support.rs"]
mod support;
mod tables;
mod text;
