//! Tests of the line index: no change of the file, the index or the cache makes an answer wrong.
//!
//! Inodes and their times distinguish states of a file, so these tests are for Unix.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

#[allow(dead_code)]
#[path = "../reader/naive.rs"]
mod naive;
#[path = "../shared/sample.rs"]
mod sample;
#[allow(dead_code)]
#[path = "../reader/text.rs"]
mod text;

mod ask;
mod support;

mod calls;
mod damage;
mod histories;
mod identity;
mod kept;
mod objects;
mod oracle;
mod pages;
mod store;
mod together;
mod truth;
mod watched;
mod world;
