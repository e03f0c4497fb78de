//! `rread search` end to end: against grep and ripgrep, in every kind of file, within budgets.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

#[path = "../shared/sample.rs"]
mod sample;
#[allow(dead_code)]
#[path = "../cli/support.rs"]
mod support;

mod answers;
mod budgets;
mod colors;
mod directories;
mod kinds;
mod long_lines;
mod peers;
mod together;

fn number(document: &support::Document, key: &str) -> u64 {
    document.fact(key).parse().unwrap()
}
