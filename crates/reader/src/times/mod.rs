//! Records in a window of time: found by interpolation over the offsets of any reader, without an index.
//!
//! [`Log::open`] finds the format, the first and the last record. [`Log::find`] then finds the bytes of a window.
//! [`Glimpse::take`] looks at both ends alone. [`Passing`] reads lines that come.

#![allow(missing_docs)]

mod bisect;
mod find;
mod glimpse;
mod lines;
mod log;
mod passing;

pub use find::Found;
pub use glimpse::Glimpse;
pub use lines::Record;
pub use log::{Log, TimeOptions, Window, no_times};
pub use passing::{Passed, Passing};
