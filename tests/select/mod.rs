//! Tests of `rread select` and its modules.

// Each feature's tests use only some of the helpers.
#![allow(dead_code)]

mod advice;
pub mod duckdb;
mod dialects;
mod envelope;
mod exact;
mod files;
pub mod kinds;
mod limits;
mod logs;
mod lost_rows;
mod meaning;
mod program;
mod refusals;
mod schema;
#[cfg(feature = "documents")]
mod sheets;
pub mod tables;
