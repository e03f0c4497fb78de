//! The text of single values.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};

use super::style::{json_lines, unwritable};
use crate::error::Result;

/// Formats values; a value without a text is an error, not a placeholder.
const OPTIONS: FormatOptions<'static> = FormatOptions::new().with_display_error(false);

/// The values of a batch.
pub(crate) struct Cells<'a> {
    columns: Vec<(Option<NullBuffer>, Column<'a>)>,
}

enum Column<'a> {
    Plain(ArrayFormatter<'a>),
    /// Lists and structs, as JSON.
    Nested(Vec<String>),
}

impl<'a> Cells<'a> {
    pub fn new(batch: &'a RecordBatch) -> Result<Self> {
        let column = |array: &'a ArrayRef| {
            let column = if array.data_type().is_nested() {
                Column::Nested(nested(array)?)
            } else {
                let formatter = ArrayFormatter::try_new(array, &OPTIONS);
                Column::Plain(formatter.map_err(|cause| unwritable(&cause))?)
            };
            // A column of type null has only logical nulls.
            Ok((array.logical_nulls(), column))
        };
        Ok(Cells { columns: batch.columns().iter().map(column).collect::<Result<_>>()? })
    }

    /// The value of `column` in `row`; `None` for NULL.
    pub fn text(&self, column: usize, row: usize) -> Result<Option<String>> {
        let (nulls, column) = &self.columns[column];
        if nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            return Ok(None);
        }
        match column {
            Column::Nested(lines) => Ok(lines.get(row).cloned()),
            Column::Plain(formatter) => {
                formatter.value(row).try_to_string().map(Some).map_err(|cause| unwritable(&cause))
            }
        }
    }

    /// The value for people: on one line, and NULL spelled out.
    pub fn shown(&self, column: usize, row: usize) -> Result<String> {
        let text = self.text(column, row)?;
        Ok(text.map_or_else(|| "NULL".to_owned(), |text| text.replace('\r', "\\r").replace('\n', "\\n")))
    }
}

fn nested(array: &ArrayRef) -> Result<Vec<String>> {
    let schema = Arc::new(Schema::new(vec![Field::new("v", array.data_type().clone(), true)]));
    let batch = RecordBatch::try_new(schema, vec![Arc::clone(array)]).map_err(|cause| unwritable(&cause))?;
    let text = json_lines(&batch)?;
    let value = |line: &str| {
        let inner = line.strip_prefix("{\"v\":").and_then(|rest| rest.strip_suffix('}'));
        inner.unwrap_or(line).to_owned()
    };
    Ok(String::from_utf8_lossy(&text).lines().map(value).collect())
}

/// Whether values of a type are aligned to the right.
pub fn is_number(kind: &DataType) -> bool {
    kind.is_numeric()
}

/// Refuses timestamps beyond the calendar: the JSON writer would put an error text in their place.
pub(super) fn check(array: &ArrayRef) -> Result<()> {
    match array.data_type() {
        kind if kind.is_temporal() => {
            let formatter = ArrayFormatter::try_new(array, &OPTIONS).map_err(|cause| unwritable(&cause))?;
            let write = |row| formatter.value(row).try_to_string().map_err(|cause| unwritable(&cause));
            (0..array.len()).filter(|row| !array.is_null(*row)).try_for_each(|row| write(row).map(drop))
        }
        DataType::Struct(_) => array.as_struct().columns().iter().try_for_each(check),
        DataType::List(_) => check(array.as_list::<i32>().values()),
        DataType::LargeList(_) => check(array.as_list::<i64>().values()),
        DataType::FixedSizeList(..) => check(array.as_fixed_size_list().values()),
        DataType::Map(..) => array.as_map().entries().columns().iter().try_for_each(check),
        _ => Ok(()),
    }
}
