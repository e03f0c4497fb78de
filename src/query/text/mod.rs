//! Tables in text: from bytes to record batches, in order, in constant memory.
//!
//! [`Chunks`] cuts text between records, sequentially; a [`Parser`] turns chunks into record batches, in
//! parallel. Before that, [`infer`] finds the columns from the beginning of the text.

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
pub use parser::{LeftOut, Noted, Parser};
pub use types::{parse_schema, type_name};

use datafusion::arrow::datatypes::SchemaRef;

use crate::error::Result;

/// A decoded stream of text, from front to back.
pub trait Text: Send {
    /// Appends the next text to `buffer`: whole UTF-8 characters without a byte order mark, about 256 KiB if
    /// there is that much. Returns false at the end, and then appends nothing.
    fn read(&mut self, buffer: &mut Vec<u8>) -> Result<bool>;
}

/// The columns of a table in text. All of them may be NULL.
#[derive(Clone, Debug)]
pub struct Table {
    /// Names and types of the columns, in the order of the text.
    pub schema: SchemaRef,
    /// Whether records are JSON arrays, whose values belong to columns by position.
    pub arrays: bool,
}
