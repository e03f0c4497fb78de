//! `--since` and `--until`: against a filter that looks at every record, in files of any kind and size.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

#[allow(dead_code)]
#[path = "../compressed/pack.rs"]
mod pack;
#[path = "../shared/sample.rs"]
mod sample;
#[allow(dead_code)]
#[path = "../cli/support.rs"]
mod support;

mod commands;
mod costs;
mod kinds;
mod naive;
mod stat;
mod windows;
