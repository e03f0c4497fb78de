//! Tables in text: from bytes to record batches, in order, in constant memory.
//!
//! [`Chunks`] cuts text between records, which one thread after the other does; a [`Parser`] turns chunks into record
//! batches, on as many threads as there are. What the columns are is [`infer`]red before, from the beginning.

mod arrays;
mod brackets;
mod chunks;
mod columns;
mod csv;
mod finder;
mod infer;
mod json;
mod members;
mod parser;
mod quotes;
mod records;
mod shape;
mod types;
mod values;

pub use chunks::{Chunk, Chunks};
pub use infer::{has_record, infer};
pub use parser::{LeftOut, Noted, Parsed, Parser};
pub use types::{parse_schema, type_name};

use datafusion::arrow::datatypes::SchemaRef;

use crate::error::Result;

/// Text that is read from front to back.
pub trait Text: Send {
    /// Appends what comes next to `buffer`: whole characters of UTF-8, without a byte order mark, some 256 KiB of them
    /// where there is so much. Returns false, and appends nothing, at the end.
    ///
    /// # Errors
    /// Those of reading.
    fn read(&mut self, buffer: &mut Vec<u8>) -> Result<bool>;
}

/// A table as its text is read: the columns, which may all be NULL.
#[derive(Clone, Debug)]
pub struct Table {
    /// Names and types of the columns, in the order of the text.
    pub schema: SchemaRef,
    /// Whether records are JSON arrays, whose values are those of the columns by their place.
    pub arrays: bool,
}
