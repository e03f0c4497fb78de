//! Members of tar and ZIP archives that real programs made, and archives that lie.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

#[allow(dead_code)]
#[path = "../cli/support.rs"]
mod support;
#[allow(dead_code)]
#[path = "../reader/text.rs"]
mod text;

mod hostile;
mod listed;
mod members;
mod names;
mod packed;
