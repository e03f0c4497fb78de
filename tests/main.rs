//! The tests of the program, a module a topic, in one test program: `cargo test --test all TOPIC::`.
//!
//! Tests that name one crate alone and start nothing are in `crates/*/tests`; what both share is in `tests/support`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

mod agents;
mod archives;
mod binary;
mod capture;
mod cli;
#[cfg(feature = "cloud")]
mod cloud;
#[cfg(all(unix, feature = "cluster"))]
mod cluster;
mod compressed;
mod differential;
#[cfg(feature = "documents")]
mod documents;
mod encodings;
mod faults;
mod follow;
mod frozen;
mod hash;
#[cfg(feature = "highlight")]
mod highlight;
mod image;
mod index;
#[cfg(feature = "mcp")]
mod mcp;
mod reader;
mod readme;
mod repository;
mod schema;
mod search;
#[cfg(feature = "sql")]
mod select;
#[cfg(feature = "sqlite")]
mod sqlite;
mod times;
#[cfg(feature = "view")]
mod view;
