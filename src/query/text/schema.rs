//! The columns of a table in text.

use datafusion::arrow::datatypes::SchemaRef;

/// The columns of a table in text. All of them may be NULL.
#[derive(Clone, Debug)]
pub struct TextSchema {
    /// The columns in the order of the text.
    pub schema: SchemaRef,
    /// Whether records are JSON arrays, with values by position.
    pub arrays: bool,
}
