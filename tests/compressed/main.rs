//! Tests of compressed files: every format, made here and by the real tools, compared with the plain text.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

#[allow(dead_code)]
#[path = "../index/ask.rs"]
mod ask;
#[allow(dead_code)]
#[path = "../reader/naive.rs"]
mod naive;
#[path = "../shared/sample.rs"]
mod sample;
#[allow(dead_code)]
#[path = "../reader/sources.rs"]
mod sources;
#[allow(dead_code)]
#[path = "../index/support.rs"]
mod support;
#[allow(dead_code)]
#[path = "../reader/text.rs"]
mod text;

mod pack;

mod checkpoints;
mod damage;
mod edges;
mod faults;
mod heads;
#[cfg(unix)]
mod index;
mod oracle;
mod program;
mod salvage;
mod tables;
mod tools;
mod unsupported;
