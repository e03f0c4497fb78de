//! Queries on real workers: processes on this machine.

mod examples;
mod failures;
#[cfg(feature = "cloud")]
mod objects;
#[cfg(unix)]
mod progress;
mod security;
mod workers;
