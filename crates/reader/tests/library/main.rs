//! The reader against a naive oracle, over every kind of source, with and without an index.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

mod costs;
mod first;
mod index;
mod oracle;
mod pages;
mod ranges;
mod times;
