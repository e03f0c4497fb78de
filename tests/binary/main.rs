//! Text or binary: the rule on made-up samples and on a corpus of real files, and what is said of binary ones.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

mod corpus;
#[path = "../shared/home.rs"]
mod home;
mod named;
mod nuls;
mod samples;
mod wide;
