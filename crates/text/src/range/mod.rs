//! Ranges: how the user writes them, which two points each one means, and the slice that a file has for it.

mod parse;
mod resolve;

pub use parse::{parse_count, parse_list, parse_mixed, parse_place, parse_size};
pub use parse::{pasted_place, without_mark};
pub use resolve::{Boundary, Context, Form, Place, Point, Range, RangeBoundaries, Slice, Unit};
