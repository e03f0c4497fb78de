//! Records in a window of time: found by interpolation over the offsets of any reader, without an index.
//!
//! [`Log::open`] finds the format, the first and the last record. [`Log::find`] then finds the bytes of a window.
//! [`Glimpse::take`] looks at both ends alone. [`Passing`] reads lines that come, and [`LineTimes`] lines that are in
//! memory. [`merge`] puts the records of several files in the order of time.

#![allow(missing_docs)]

mod base;
mod bisect;
mod clock;
mod ends;
mod find;
mod line_times;
mod lines;
mod log;
pub mod merge;
mod others;
mod samples;
mod streaming;
mod years;

pub use ends::Glimpse;
pub use find::Found;
pub use line_times::LineTimes;
pub use lines::Record;
pub use log::{Log, TimeOptions, TypedTimes, Window, no_times};
pub use streaming::{Passed, Passing};
