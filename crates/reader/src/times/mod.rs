//! Records in a window of time: found by interpolation over the offsets of any reader, without an index.
//!
//! [`Log::open`] finds the format, the first and the last record. [`Log::find`] then finds the bytes of a window.
//! [`glimpse`] looks at both ends alone. [`Passing`] reads lines that come, and [`LineTimes`] lines that are in
//! memory. [`merge`] puts the records of several files in the order of time.

#![allow(missing_docs)]

mod ends;
mod find;
mod lines;
mod log;
pub mod merge;
mod samples;
mod streaming;
mod years;

pub use ends::{LineTimes, RecordEdges, glimpse};
pub use find::Found;
pub use lines::{ANY_ZONE, LogRecord, ShownTimes, TimeOptions};
pub use log::{Log, TypedTimes, Window, no_times};
pub use streaming::{Passed, Passing};
