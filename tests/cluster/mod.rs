//! Queries on real workers: processes on this machine.

mod examples;
mod failures;
#[cfg(all(target_os = "linux", feature = "cloud"))]
mod hosts;
#[cfg(feature = "cloud")]
mod objects;
mod results;
mod security;
mod workers;
