//! Ranges: how the user writes them, which two points each one means, and the slice that a file has for it.

mod parse;
mod resolve;
mod types;

pub use parse::{parse_count, parse_list, parse_mixed, parse_place, parse_size};
pub use resolve::RangeBoundaries;
pub use resolve::{Boundary, Slice};
pub use types::{Context, Form, Place, Point, Range, Unit};
