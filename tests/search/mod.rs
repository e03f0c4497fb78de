//! `rread search` end to end: against grep and ripgrep, in every kind of file, within budgets.

mod answers;
mod budgets;
#[cfg(unix)]
mod colors;
mod directories;
mod kinds;
mod long_lines;
#[cfg(unix)]
mod names;
mod options;
#[cfg(unix)]
mod peers;
#[cfg(unix)]
mod together;

use rread_testkit::sandbox::Document;

fn number(document: &Document, key: &str) -> u64 {
    document.fact(key).parse().unwrap()
}
