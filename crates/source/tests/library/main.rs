//! The contract of sources, and compressed sources against the plain text.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

mod compressed;
mod conformance;
mod packages;
mod tars;
mod timed;
mod zips;
