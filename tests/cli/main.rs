//! End-to-end tests of the command line: the built program, real files, exit codes and exact output.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

#[path = "../shared/sample.rs"]
mod sample;
mod support;

mod budgets;
mod bytes;
mod changed;
mod combinations;
mod content;
mod errors;
mod expect;
mod files;
mod from;
mod habits;
mod hexdump;
mod lines;
#[path = "../shared/tokens.rs"]
mod naive_tokens;
mod next;
mod output;
mod page;
mod ranges;
mod several;
mod special;
#[cfg(unix)]
mod standard_input;
mod stat;
#[cfg(unix)]
mod streams;
#[cfg(unix)]
mod terminal;
mod tokens;
