//! From chunks of JSON values to record batches.

use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch, RecordBatchOptions, UInt64Array};
use datafusion::arrow::compute::{CastOptions, cast_with_options, take};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::json::ReaderBuilder;
use memchr::memchr_iter;

use super::columns::{Values, column};
use super::csv::text_of;
use super::parser::{Ledger, Parsed, ROWS, internal, not_of_type, shown, without};
use super::{Chunk, Table};
use crate::error::Result;

/// Parses chunks of JSON values.
///
/// Scalars are decoded as text and become their type by the same rules as delimited values: Arrow's decoder would cut the
/// decimals off a number in a column of integers.
pub(super) struct JsonParser {
    /// The columns that are read.
    schema: SchemaRef,
    /// The same with text for every scalar.
    decoded: SchemaRef,
    skip_bad: bool,
}

/// `data_type` with text for every scalar in it.
fn as_text(data_type: &DataType) -> DataType {
    let inner = |field: &FieldRef| Arc::new(Field::new(field.name(), as_text(field.data_type()), true));
    match data_type {
        DataType::List(item) => DataType::List(inner(item)),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(inner).collect()),
        _ => DataType::Utf8View,
    }
}

/// Where the values of `chunk` are, without white space before them.
pub(super) fn values_of(chunk: &Chunk) -> Vec<Range<usize>> {
    let lines = || memchr_iter(b'\n', &chunk.bytes).chain([chunk.bytes.len()]).collect();
    // Without ends, they are lines, or there is none.
    let ends: Vec<usize> = if chunk.ends.is_empty() { lines() } else { chunk.ends.clone() };
    let mut from = 0;
    let mut values = Vec::with_capacity(ends.len());
    for end in ends {
        let value = chunk.bytes.get(from..end).unwrap_or_default();
        if let Some(blank) = value.iter().position(|byte| !byte.is_ascii_whitespace()) {
            values.push(from + blank..end);
        }
        from = end;
    }
    values
}

impl JsonParser {
    pub fn new(table: &Table, projection: &[usize], skip_bad: bool) -> Self {
        let fields = table.schema.fields();
        let fields: Vec<FieldRef> =
            projection.iter().filter_map(|column| fields.get(*column).cloned()).collect();
        let decoded = fields.iter().map(|field| Field::new(field.name(), as_text(field.data_type()), true));
        let decoded = Arc::new(Schema::new(decoded.collect::<Vec<_>>()));
        JsonParser { schema: Arc::new(Schema::new(fields)), decoded, skip_bad }
    }

    pub fn parse(&self, chunk: &Chunk) -> Result<Parsed> {
        text_of(&chunk.bytes)?;
        let mut ledger = Ledger::new(chunk, self.skip_bad);
        let mut batches = Vec::new();
        for values in values_of(chunk).chunks(ROWS) {
            batches.extend(self.batch(&chunk.bytes, values, &mut ledger)?);
            ledger.check()?;
        }
        Ok(Parsed { batches, skipped: ledger.skipped() })
    }

    /// Decodes values, all of them or none.
    fn decode<'a>(
        &self,
        values: impl Iterator<Item = &'a [u8]>,
    ) -> std::result::Result<Option<RecordBatch>, String> {
        let reason = |cause| match cause {
            ArrowError::JsonError(message) => message,
            other => other.to_string(),
        };
        let builder =
            ReaderBuilder::new(Arc::clone(&self.decoded)).with_batch_size(ROWS).with_coerce_primitive(true);
        let mut decoder = builder.build_decoder().map_err(reason)?;
        for (before, value) in values.enumerate() {
            if value.first() != Some(&b'{') {
                return Err("it is no object".to_owned());
            }
            let read = decoder.decode(value).map_err(reason)?;
            if decoder.has_partial_record() {
                return Err("it is not closed".to_owned());
            }
            if decoder.len() != before + 1 || read != value.len() {
                return Err("more follows on its line".to_owned());
            }
        }
        decoder.flush().map_err(reason)
    }

    /// The rows that `values` are; notes those that are none.
    fn batch(
        &self,
        bytes: &[u8],
        values: &[Range<usize>],
        ledger: &mut Ledger<'_>,
    ) -> Result<Option<RecordBatch>> {
        let slice = |range: &Range<usize>| bytes.get(range.clone()).unwrap_or_default();
        if let Ok(decoded) = self.decode(values.iter().map(slice)) {
            let Some(decoded) = decoded else { return Ok(None) };
            return self.typed(&decoded, values, ledger).map(Some);
        }
        let mut good = Vec::with_capacity(values.len());
        for range in values {
            match self.decode(std::iter::once(slice(range))) {
                Ok(_) => good.push(range.clone()),
                Err(reason) => {
                    // Lines have no ends of their own, and may be what a value was cut at.
                    let hint = match ledger.lines() {
                        true => {
                            "--input json, if values go over several lines; or --skip-bad to leave such records out"
                        }
                        false => "--skip-bad leaves such records out",
                    };
                    ledger.note(1, range.start, || {
                        let value = String::from_utf8_lossy(slice(range));
                        let value = shown(value.trim_end());
                        (format!("the JSON value '{value}' is no record: {reason}"), hint.to_owned())
                    });
                    if !ledger.skips() {
                        break;
                    }
                }
            }
        }
        match self.decode(good.iter().map(slice)) {
            Ok(Some(decoded)) => self.typed(&decoded, &good, ledger).map(Some),
            Ok(None) => Ok(None),
            Err(cause) => Err(internal(&ArrowError::JsonError(cause))),
        }
    }

    /// `decoded` with the types of the columns; `values` are where its rows come from.
    fn typed(
        &self,
        decoded: &RecordBatch,
        values: &[Range<usize>],
        ledger: &mut Ledger<'_>,
    ) -> Result<RecordBatch> {
        let mut columns = Vec::with_capacity(decoded.num_columns());
        let (mut bad, mut first) = (Vec::new(), None);
        for (text, field) in decoded.columns().iter().zip(self.schema.fields()) {
            let mut least = None;
            let note = |row| {
                least = least.or(Some(row));
                bad.push(row);
            };
            columns.push(match text.as_string_view_opt() {
                Some(text) => column(text, field.data_type(), note)?,
                None => nested(text, field.data_type(), note)?,
            });
            if let Some(row) = least
                && first.as_ref().is_none_or(|(first, _)| row < *first)
            {
                let value = text.as_string_view_opt().and_then(|text| Values::at(text, row));
                let value = value.unwrap_or_else(|| "a nested value".to_owned());
                first = Some((row, not_of_type(&value, field.name(), field.data_type())));
            }
        }
        let options = RecordBatchOptions::new().with_row_count(Some(decoded.num_rows()));
        let batch = RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options)
            .map_err(|cause| internal(&cause))?;
        let Some((row, reason)) = first else { return Ok(batch) };
        bad.sort_unstable();
        bad.dedup();
        ledger.note(bad.len() as u64, values.get(row).map_or(0, |range| range.start), || reason);
        without(&batch, &bad)
    }
}

/// The lists or objects of text in `text` as those of `data_type`; a row that has a value of another type is NULL, and handed
/// to `bad`.
fn nested(text: &ArrayRef, data_type: &DataType, mut bad: impl FnMut(usize)) -> Result<ArrayRef> {
    let strict = CastOptions { safe: false, ..CastOptions::default() };
    if let Ok(column) = cast_with_options(text, data_type, &strict) {
        return Ok(column);
    }
    for row in 0..text.len() {
        // A slice of one row would still have the items of all.
        let index = UInt64Array::from(vec![row as u64]);
        let one = take(text, &index, None).map_err(|cause| internal(&cause))?;
        if cast_with_options(&one, data_type, &strict).is_err() {
            bad(row);
        }
    }
    let lenient = CastOptions { safe: true, ..CastOptions::default() };
    cast_with_options(text, data_type, &lenient).map_err(|cause| internal(&cause))
}
