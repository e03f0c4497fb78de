//! `rread search` end to end: against grep and ripgrep, in every kind of file, within budgets.

#![cfg(unix)]

mod answers;
mod budgets;
mod colors;
mod directories;
mod kinds;
mod long_lines;
mod names;
mod options;
mod peers;
mod together;

use rread_testkit::sandbox::Document;

fn number(document: &Document, key: &str) -> u64 {
    document.fact(key).parse().unwrap()
}
