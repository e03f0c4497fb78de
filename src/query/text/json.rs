//! Parses chunks of JSON values into record batches.

use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch, RecordBatchOptions, UInt64Array};
use datafusion::arrow::compute::{CastOptions, cast_with_options, take};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::json::ReaderBuilder;
use memchr::memchr_iter;
use serde::de::IgnoredAny;

use super::arrays::Arrays;
use super::chunks::Chunk;
use super::columns::{Values, column};
use super::csv::text_of;
use super::ledger::{Ledger, Parsed, ROWS, internal, not_of_type, shown, without};
use super::members::{Known, Unknown};
use super::schema::TextSchema;
use crate::error::Result;

/// Parses chunks of JSON values.
///
/// Decodes scalars as text and converts them like delimited values: Arrow's decoder would cut decimals off a
/// number in a column of integers.
pub(super) struct JsonParser {
    schema: SchemaRef,
    /// The same columns, with text for every scalar.
    decoded: SchemaRef,
    /// Converts arrays to objects, if records are arrays.
    arrays: Option<Arrays>,
    header: bool,
    skip_bad: bool,
    /// The known members; others are counted, if records are objects.
    known: Known,
}

fn as_text(data_type: &DataType) -> DataType {
    let inner = |field: &FieldRef| Arc::new(Field::new(field.name(), as_text(field.data_type()), true));
    match data_type {
        DataType::List(item) => DataType::List(inner(item)),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(inner).collect()),
        _ => DataType::Utf8View,
    }
}

/// The spans of the values of `chunk`, without leading white space.
pub(super) fn values_of(chunk: &Chunk) -> Vec<Range<usize>> {
    let lines = || memchr_iter(b'\n', &chunk.bytes).chain([chunk.bytes.len()]).collect();
    // Without ends, each line is a value.
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

/// Checks that `text` is one JSON value, surrounded only by white space. Arrow's decoder accepts missing and
/// extra commas, and ignores errors in columns that are not read.
pub(super) fn well_formed(text: &[u8]) -> std::result::Result<(), String> {
    serde_json::from_slice::<IgnoredAny>(text).map(drop).map_err(|cause| reason(&cause))
}

fn reason(cause: &serde_json::Error) -> String {
    if cause.is_eof() {
        return "it is not closed".to_owned();
    }
    // The line number counts within the value; drop it.
    let message = cause.to_string();
    message.split(" at line ").next().unwrap_or_default().to_owned()
}

/// Rows, and the unknown members met in them.
struct DecodedRows {
    rows: Option<RecordBatch>,
    /// The unknown members, and the index of the first value that has some.
    unknown: Unknown,
    first: usize,
}

impl JsonParser {
    /// With `header`, the first record of a table of arrays is not a row.
    pub fn new(table: &TextSchema, header: bool, projection: &[usize], skip_bad: bool) -> Self {
        let fields = table.schema.fields();
        let fields: Vec<FieldRef> =
            projection.iter().filter_map(|column| fields.get(*column).cloned()).collect();
        let arrays =
            table.arrays.then(|| Arrays { width: table.schema.fields().len(), places: projection.to_vec() });
        let decoded = fields.iter().enumerate().map(|(nth, field)| {
            let key = if table.arrays { Arrays::key(nth) } else { field.name().clone() };
            Field::new(key, as_text(field.data_type()), true)
        });
        let decoded = Arc::new(Schema::new(decoded.collect::<Vec<_>>()));
        let header = table.arrays && header;
        let known = Known::of(table.schema.fields());
        JsonParser { schema: Arc::new(Schema::new(fields)), decoded, arrays, header, skip_bad, known }
    }

    pub fn parse(&self, chunk: &Chunk) -> Result<Parsed> {
        text_of(&chunk.bytes)?;
        let mut ledger = Ledger::new(chunk, self.skip_bad);
        let mut batches = Vec::new();
        let values = values_of(chunk);
        let header = usize::from(chunk.first && self.header);
        for values in values.get(header..).unwrap_or_default().chunks(ROWS) {
            batches.extend(self.batch(&chunk.bytes, values, &mut ledger)?);
            ledger.check()?;
        }
        Ok(Parsed { batches, left_out: ledger.left_out() })
    }

    fn decode<'a>(&self, values: impl Iterator<Item = &'a [u8]>) -> std::result::Result<DecodedRows, String> {
        let undecoded = |cause| match cause {
            ArrowError::JsonError(message) => message,
            other => other.to_string(),
        };
        let builder =
            ReaderBuilder::new(Arc::clone(&self.decoded)).with_batch_size(ROWS).with_coerce_primitive(true);
        let mut decoder = builder.build_decoder().map_err(undecoded)?;
        let mut room = Vec::new();
        let (mut unknown, mut first) = (Unknown::default(), 0);
        for (before, value) in values.enumerate() {
            let object = match &self.arrays {
                None => {
                    let here = self.members(value)?;
                    let count = unknown.count + here.count;
                    if unknown.first.is_none() {
                        (unknown, first) = (here, before);
                    }
                    unknown.count = count;
                    value
                }
                Some(arrays) => {
                    row(arrays, value, &mut room)?;
                    &room
                }
            };
            let read = decoder.decode(object).map_err(undecoded)?;
            if read != object.len() || decoder.len() != before + 1 || decoder.has_partial_record() {
                return Err("it cannot be decoded".to_owned());
            }
        }
        Ok(DecodedRows { rows: decoder.flush().map_err(undecoded)?, unknown, first })
    }

    /// The unknown members of the object in `value`; fails if it is not an object.
    fn members(&self, value: &[u8]) -> std::result::Result<Unknown, String> {
        if value.first() != Some(&b'{') {
            well_formed(value)?;
            return Err("it is not an object".to_owned());
        }
        self.known.check(value).map_err(|cause| reason(&cause))
    }

    /// The rows of `values`; notes the invalid ones.
    fn batch(
        &self,
        bytes: &[u8],
        values: &[Range<usize>],
        ledger: &mut Ledger<'_>,
    ) -> Result<Option<RecordBatch>> {
        let slice = |range: &Range<usize>| bytes.get(range.clone()).unwrap_or_default();
        let mut good = Vec::new();
        let (values, decoded) = match self.decode(values.iter().map(slice)) {
            Ok(decoded) => (values, decoded),
            Err(_) => {
                self.sift(bytes, values, &mut good, ledger);
                let decoded = self.decode(good.iter().map(slice));
                (&*good, decoded.map_err(|cause| internal(&ArrowError::JsonError(cause)))?)
            }
        };
        ledger.unknown(decoded.unknown, values.get(decoded.first).map_or(0, |range| range.start));
        decoded.rows.map(|rows| self.typed(&rows, values, ledger)).transpose()
    }

    /// Adds the valid records of `values` to `good` and notes the others; stops at the first bad one, unless
    /// bad records are skipped.
    ///
    /// Splits in halves and decodes each as a whole, because a decoder per value would take many times as
    /// long.
    fn sift(
        &self,
        bytes: &[u8],
        values: &[Range<usize>],
        good: &mut Vec<Range<usize>>,
        ledger: &mut Ledger<'_>,
    ) {
        let slice = |range: &Range<usize>| bytes.get(range.clone()).unwrap_or_default();
        let Err(reason) = self.decode(values.iter().map(slice)) else {
            good.extend_from_slice(values);
            return;
        };
        let [value] = values else {
            let (left, right) = values.split_at(values.len() / 2);
            let before = good.len() + left.len();
            self.sift(bytes, left, good, ledger);
            if ledger.skips() || good.len() == before {
                self.sift(bytes, right, good, ledger);
            }
            return;
        };
        // A line may be only part of a value that spans several lines.
        let hint = match ledger.lines() {
            true => "--input json, if values go over several lines; or --skip-bad to leave such records out",
            false => "--skip-bad leaves such records out",
        };
        ledger.note(1, value.start, || {
            let value = String::from_utf8_lossy(slice(value));
            let value = shown(value.trim_end());
            (format!("the JSON value '{value}' is not a record: {reason}"), hint.to_owned())
        });
    }

    /// Converts `decoded` to the types of the columns; `values` are the spans of its rows.
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

/// Converts the array in `value` to an object in `object`, or fails with a reason.
fn row(arrays: &Arrays, value: &[u8], object: &mut Vec<u8>) -> std::result::Result<(), String> {
    well_formed(value)?;
    match value.first() {
        Some(b'[') => arrays.object(value, object),
        _ => Err("it is not an array, but the first record is".to_owned()),
    }
}

/// Converts lists or objects of text to `data_type`. A row with a value of another type becomes NULL, and
/// `bad` receives it.
fn nested(text: &ArrayRef, data_type: &DataType, mut bad: impl FnMut(usize)) -> Result<ArrayRef> {
    let strict = CastOptions { safe: false, ..CastOptions::default() };
    if let Ok(column) = cast_with_options(text, data_type, &strict) {
        return Ok(column);
    }
    for row in 0..text.len() {
        // `take` copies one row; a slice would still hold the items of all rows.
        let index = UInt64Array::from(vec![row as u64]);
        let one = take(text, &index, None).map_err(|cause| internal(&cause))?;
        if cast_with_options(&one, data_type, &strict).is_err() {
            bad(row);
        }
    }
    let lenient = CastOptions { safe: true, ..CastOptions::default() };
    cast_with_options(text, data_type, &lenient).map_err(|cause| internal(&cause))
}
