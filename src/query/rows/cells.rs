//! The text of single values.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, RecordBatch};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::datatypes::{Field, Schema};
use datafusion::arrow::util::display::ArrayFormatter;

use super::json::{OPTIONS, json_lines, unwritable};
use crate::error::Result;

pub(crate) struct Cells<'a> {
    columns: Vec<(Option<NullBuffer>, CellColumn<'a>)>,
}

enum CellColumn<'a> {
    Plain(ArrayFormatter<'a>),
    /// Lists and structs, as JSON.
    Nested(Vec<String>),
}

impl<'a> Cells<'a> {
    pub fn new(batch: &'a RecordBatch) -> Result<Self> {
        let column = |array: &'a ArrayRef| {
            let column = if array.data_type().is_nested() {
                CellColumn::Nested(nested(array)?)
            } else {
                let formatter = ArrayFormatter::try_new(array, &OPTIONS);
                CellColumn::Plain(formatter.map_err(|cause| unwritable(&cause))?)
            };
            // A column of type null has only logical nulls.
            Ok((array.logical_nulls(), column))
        };
        Ok(Cells { columns: batch.columns().iter().map(column).collect::<Result<_>>()? })
    }

    /// `None` for NULL.
    pub fn text(&self, column: usize, row: usize) -> Result<Option<String>> {
        let (nulls, column) = &self.columns[column];
        if nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            return Ok(None);
        }
        match column {
            CellColumn::Nested(lines) => Ok(lines.get(row).cloned()),
            CellColumn::Plain(formatter) => {
                formatter.value(row).try_to_string().map(Some).map_err(|cause| unwritable(&cause))
            }
        }
    }

    /// One line, with NULL spelled out, for people.
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
