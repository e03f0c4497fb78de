//! Tests of files inside SQLite databases: real databases, the conformance suite, an oracle, writers and
//! damage.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

#[allow(dead_code)]
#[path = "../reader/naive.rs"]
mod naive;
#[allow(dead_code)]
#[path = "../reader/suite.rs"]
mod suite;
#[allow(dead_code)]
#[path = "../cli/support.rs"]
mod support;
#[allow(dead_code)]
#[path = "../reader/text.rs"]
mod text;

mod archives;
mod conformance;
mod damage;
mod database;
mod snapshots;
mod values;
