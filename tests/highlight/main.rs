//! Syntax colours: those of bat, from any line on, on terminals alone, and nothing but colours.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

#[path = "../cli/support.rs"]
#[allow(dead_code)]
mod support;

mod bat;
mod choice;
#[cfg(unix)]
mod licences;
mod paint;
mod safety;
mod slices;
#[cfg(unix)]
mod terminal;
