//! Tests of `rread select` and its modules.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]
// Each feature's tests use only some of the helpers.
#![allow(dead_code)]

#[cfg(feature = "documents")]
#[path = "../documents/archive.rs"]
mod archive;
#[cfg(feature = "documents")]
#[path = "../documents/books.rs"]
mod books;
mod duckdb;
mod envelope;
mod exact;
mod kinds;
mod limits;
mod refusals;
mod schema;
#[cfg(feature = "documents")]
mod sheets;
#[path = "../cli/support.rs"]
mod support;
mod tables;
