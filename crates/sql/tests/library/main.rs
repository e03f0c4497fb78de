//! The dialect of SQL, and tables in text.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

mod dialect;
mod text;
