//! Rows as lines of JSON.

use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::json::WriterBuilder;
use datafusion::arrow::json::writer::LineDelimited;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};

use crate::error::{Error, Kind, Result};

/// A value without a text is an error, not a placeholder.
pub(super) const OPTIONS: FormatOptions<'static> = FormatOptions::new().with_display_error(false);

/// Writes one JSON object per line, with explicit nulls.
pub(super) fn json_lines(batch: &RecordBatch) -> Result<Vec<u8>> {
    batch.columns().iter().try_for_each(check)?;
    let mut text = Vec::new();
    let mut writer = WriterBuilder::new().with_explicit_nulls(true).build::<_, LineDelimited>(&mut text);
    writer.write(batch).and_then(|()| writer.finish()).map_err(|cause| unwritable(&cause))?;
    drop(writer);
    Ok(text)
}

pub(super) fn unwritable(cause: &ArrowError) -> Error {
    Error::new(Kind::InvalidText, format!("a value of the result cannot be written: {cause}"))
        .hint("CAST(column AS BIGINT) gives the underlying number")
}

/// Refuses timestamps beyond the calendar: the JSON writer would write an error text instead.
fn check(array: &ArrayRef) -> Result<()> {
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
