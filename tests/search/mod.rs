//! `rread search` end to end: against grep and ripgrep, in every kind of file, within budgets.

mod answers;
mod as_in_rg;
mod brief;
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
mod units;

use rread_testkit::sandbox::{Document, Run};

fn number(document: &Document, key: &str) -> u64 {
    document.fact(key).parse().unwrap()
}

/// What it printed, with `/` between the parts of names.
fn slashed(run: &Run) -> String {
    if cfg!(windows) { run.text().replace('\\', "/") } else { run.text().to_owned() }
}
