//! Hashlines end to end: print, change, verify.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

#[allow(dead_code)]
#[path = "../cli/support.rs"]
mod support;

mod changes;
mod history;
mod naive;
mod printed;
