//! The columns of a table in text, and the text itself.

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
