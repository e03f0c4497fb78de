//! Times in logs: their formats, their position in a line, and the words of `--since` and `--until`.
//!
//! [`detect`] finds the format and the position from the first lines. [`Detected::time_of`] then reads the time of any
//! single line, in any order. The module opens no file except those of the time zone database.

mod context;
mod custom;
mod detect;
mod formats;
pub mod json;
mod pattern;
mod position;
mod words;

pub use context::{Context, resolve_year, zone};
pub use custom::Custom;
pub use detect::{Detected, detect, detect_custom, detect_in_most};
pub use formats::{FORMATS, Format};
pub use position::{HEAD, TimePosition};
pub use words::Words;

pub use jiff::Timestamp;
