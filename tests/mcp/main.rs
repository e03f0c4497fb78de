//! Tests of `rread mcp`: raw JSON-RPC against the real program, hostile trees, races, and real clients.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

#[path = "../shared/home.rs"]
mod home;
#[path = "../shared/sample.rs"]
mod sample;

mod captures;
mod client;
mod clients;
#[cfg(unix)]
mod confinement;
#[cfg(target_os = "linux")]
mod life;
#[cfg(target_os = "linux")]
mod race;
mod read;
mod remote;
mod search;
mod tools;
