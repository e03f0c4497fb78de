//! Tests of `rread select` and its modules.

// Each feature's tests use only some of the helpers.
#![allow(dead_code)]

mod advice;
mod dialects;
pub mod duckdb;
mod envelope;
mod exact;
mod files;
mod habits;
pub mod kinds;
mod limits;
mod literals;
mod logs;
mod lost_rows;
mod meaning;
#[cfg(target_os = "linux")]
mod memory;
mod program;
mod refusals;
mod schema;
#[cfg(feature = "documents")]
mod sheets;
pub mod tables;
