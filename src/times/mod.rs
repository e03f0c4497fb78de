//! Records in a window of time: found by interpolation over the offsets of any reader, without an index.
//!
//! [`Log::open`] finds the format, the first and the last record. [`Log::find`] then finds the bytes of a window.

#![allow(missing_docs)]

mod bisect;
mod find;
mod lines;
mod log;

pub use find::Found;
pub use lines::Record;
pub use log::{Log, TimeOptions, Window, no_times};
