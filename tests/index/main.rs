//! Tests of the line index: whatever becomes of the file, of the index or of the cache, no answer is wrong.
//!
//! What tells one state of a file from another are inodes and their times, so these tests are for Unix.
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
