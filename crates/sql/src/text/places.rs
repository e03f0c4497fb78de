//! Hidden columns: where a row is in its file.

use datafusion::arrow::datatypes::{DataType, Field};

/// The place of a row in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowPlace {
    /// The number of its first line.
    Line,
    /// Its first byte.
    Start,
    /// Past its last byte.
    End,
}

impl RowPlace {
    pub const ALL: [RowPlace; 3] = [RowPlace::Line, RowPlace::Start, RowPlace::End];

    /// The name of the column.
    pub const fn name(self) -> &'static str {
        match self {
            RowPlace::Line => "_line",
            RowPlace::Start => "_start_byte",
            RowPlace::End => "_end_byte",
        }
    }

    pub fn field(self) -> Field {
        Field::new(self.name(), DataType::Int64, true)
    }
}
