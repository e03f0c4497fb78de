//! Queries on real workers: processes on this machine.

mod examples;
mod failures;
#[cfg(feature = "cloud")]
mod objects;
mod security;
mod workers;
