//! Text or binary: the rule on samples and on a corpus of real files, and the refusals of binary files.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

mod corpus;
mod details;
#[allow(dead_code)]
mod formats;
#[path = "../shared/home.rs"]
mod home;
mod named;
mod nuls;
mod samples;
mod wide;
