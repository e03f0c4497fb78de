//! `rread capture` with real processes.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

mod ansi;
mod commands;
mod ended;
mod hints;
mod limits;
mod managed;
mod marks;
mod names;
mod sessions;
mod support;
