//! Hashlines end to end: what is printed can be verified, and what changed is told with all that a further try needs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

#[allow(dead_code)]
#[path = "../cli/support.rs"]
mod support;

mod changes;
mod history;
mod naive;
mod printed;
