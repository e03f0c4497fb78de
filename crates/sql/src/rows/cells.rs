//! The text of single values, and of rows as lines of JSON.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::datatypes::{
    DataType, Field, FieldRef, Float16Type, Float32Type, Float64Type, Schema,
};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::json::WriterBuilder;
use datafusion::arrow::json::writer::{
    Encoder, EncoderFactory, EncoderOptions, LineDelimited, NullableEncoder,
};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};

use rread_text::error::{Error, Kind};

type Result<T, E = Error> = std::result::Result<T, E>;

/// A value without a text is an error, not a placeholder.
const OPTIONS: FormatOptions<'static> = FormatOptions::new().with_display_error(false);

pub(crate) struct Cells<'a> {
    columns: Vec<(Option<NullBuffer>, CellColumn<'a>)>,
}

enum CellColumn<'a> {
    Plain(ArrayFormatter<'a>),
    Nested(Vec<String>),
}

impl<'a> Cells<'a> {
    pub fn new(batch: &'a RecordBatch) -> Result<Self> {
        let column = |array: &'a ArrayRef| {
            let column = if array.data_type().is_nested() {
                CellColumn::Nested(nested(array)?)
            } else {
                let formatter = ArrayFormatter::try_new(array, &OPTIONS);
                CellColumn::Plain(formatter.map_err(unwritable)?)
            };
            // A column of type null has only logical nulls.
            Ok((array.logical_nulls(), column))
        };
        Ok(Cells { columns: batch.columns().iter().map(column).collect::<Result<_>>()? })
    }

    pub fn text(&self, column: usize, row: usize) -> Result<Option<String>> {
        let (nulls, column) = &self.columns[column];
        if nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            return Ok(None);
        }
        match column {
            CellColumn::Nested(lines) => Ok(lines.get(row).cloned()),
            CellColumn::Plain(formatter) => {
                formatter.value(row).try_to_string().map(Some).map_err(unwritable)
            }
        }
    }

    pub fn shown(&self, column: usize, row: usize) -> Result<String> {
        let text = self.text(column, row)?;
        Ok(text.map_or_else(|| "NULL".to_owned(), |text| text.replace('\r', "\\r").replace('\n', "\\n")))
    }
}

fn nested(array: &ArrayRef) -> Result<Vec<String>> {
    let schema = Arc::new(Schema::new(vec![Field::new("v", array.data_type().clone(), true)]));
    let batch = RecordBatch::try_new(schema, vec![Arc::clone(array)]).map_err(unwritable)?;
    let text = json_lines(&batch)?;
    let value = |line: &str| {
        let inner = line.strip_prefix("{\"v\":").and_then(|rest| rest.strip_suffix('}'));
        inner.unwrap_or(line).to_owned()
    };
    Ok(String::from_utf8_lossy(&text).lines().map(value).collect())
}

pub(super) fn json_lines(batch: &RecordBatch) -> Result<Vec<u8>> {
    batch.columns().iter().try_for_each(check)?;
    let mut text = Vec::new();
    let mut writer = WriterBuilder::new()
        .with_explicit_nulls(true)
        .with_encoder_factory(Arc::new(Floats))
        .build::<_, LineDelimited>(&mut text);
    writer.write(batch).and_then(|()| writer.finish()).map_err(unwritable)?;
    drop(writer);
    Ok(text)
}

/// Writes floats that JSON has no number for as strings, with the words of CSV: `"NaN"`, `"inf"` and `"-inf"`. The
/// engine would write null, which means that there is no value.
#[derive(Debug)]
struct Floats;

impl EncoderFactory for Floats {
    fn make_default_encoder<'a>(
        &self,
        _: &'a FieldRef,
        array: &'a dyn Array,
        _: &'a EncoderOptions,
    ) -> Result<Option<NullableEncoder<'a>>, ArrowError> {
        let is_special = match array.data_type() {
            DataType::Float64 => array.as_primitive::<Float64Type>().iter().flatten().any(|x| !x.is_finite()),
            DataType::Float32 => array.as_primitive::<Float32Type>().iter().flatten().any(|x| !x.is_finite()),
            DataType::Float16 => array.as_primitive::<Float16Type>().iter().flatten().any(|x| !x.is_finite()),
            _ => false,
        };
        if !is_special {
            return Ok(None);
        }
        let encoder = SpecialFloats(ArrayFormatter::try_new(array, &OPTIONS)?);
        Ok(Some(NullableEncoder::new(Box::new(encoder), array.nulls().cloned())))
    }
}

struct SpecialFloats<'a>(ArrayFormatter<'a>);

impl Encoder for SpecialFloats<'_> {
    fn encode(&mut self, row: usize, out: &mut Vec<u8>) {
        let text = self.0.value(row).to_string();
        let is_number = text.bytes().any(|byte| byte.is_ascii_digit());
        let quote = if is_number { "" } else { "\"" };
        out.extend_from_slice(format!("{quote}{text}{quote}").as_bytes());
    }
}

fn unwritable(cause: ArrowError) -> Error {
    Error::new(Kind::InvalidText, format!("a value of the result cannot be written: {cause}"))
        .hint("CAST(column AS BIGINT) gives the underlying number")
}

/// Refuses timestamps beyond the calendar: the JSON writer would write an error text instead.
fn check(array: &ArrayRef) -> Result<()> {
    match array.data_type() {
        kind if kind.is_temporal() => {
            let formatter = ArrayFormatter::try_new(array, &OPTIONS).map_err(unwritable)?;
            let write = |row| formatter.value(row).try_to_string().map_err(unwritable);
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
