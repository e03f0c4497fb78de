//! Queries on real workers: processes on this machine.

mod examples;
mod failures;
#[cfg(all(target_os = "linux", feature = "cloud"))]
mod hosts;
#[cfg(feature = "cloud")]
mod objects;
#[cfg(unix)]
mod progress;
mod results;
mod security;
mod workers;
