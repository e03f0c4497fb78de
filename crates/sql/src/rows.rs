//! Writes rows as text, within a budget, and buffers them until the query ends.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch, RecordBatchOptions};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{
    DataType, Field, FieldRef, Float16Type, Float32Type, Float64Type, Schema, SchemaRef,
};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::json::WriterBuilder;
use datafusion::arrow::json::writer::{
    Encoder, EncoderFactory, EncoderOptions, LineDelimited, NullableEncoder,
};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use tempfile::SpooledTempFile;

use crate::run::Rows;
use rread_source::memory::Buffer;
use rread_text::layout::RowStyle;
use rread_text::{Error, Kind, Result, setting};

const STEP: usize = 1024;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowBudget {
    pub offset: u64,
    pub rows: Option<u64>,
    pub bytes: Option<u64>,
}

rread_text::words! { name,
    /// The budget that left out rows.
    pub enum Cut {
        Rows = "max_rows",
        Bytes = "max_bytes",
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    pub passed: u64,
    pub rows: u64,
    pub bytes: u64,
    pub cut: Option<Cut>,
}

pub struct RowWriter<'a> {
    style: StyledRows,
    budget: RowBudget,
    written: Written,
    out: &'a mut dyn FnMut(&[u8]) -> Result<()>,
}

impl<'a> RowWriter<'a> {
    pub fn new(style: RowStyle, budget: RowBudget, out: &'a mut dyn FnMut(&[u8]) -> Result<()>) -> Self {
        RowWriter { style: StyledRows::new(style), budget, written: Written::default(), out }
    }

    pub fn finish(mut self) -> Result<Written> {
        let end = self.style.end();
        self.put(&end)?;
        Ok(self.written)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.written.bytes += bytes.len() as u64;
        (self.out)(bytes)
    }

    /// Writes as many of the rows `text[..ends[0]]`, `text[ends[0]..ends[1]]`, … as fit.
    fn rows(&mut self, text: &[u8], ends: &[usize]) -> Result<ControlFlow<()>> {
        let around = self.written.bytes + self.style.end().len() as u64;
        let most = self.budget.bytes.unwrap_or(u64::MAX);
        let fitting = ends.partition_point(|end| around + *end as u64 <= most);
        if fitting == 0 && self.written.rows == 0 && !ends.is_empty() {
            let needed = around + ends[0] as u64;
            return Err(Error::usage(format!(
                "the first row needs {needed} bytes with header and footer; the limit is {most}"
            ))
            .hint(setting("max-bytes").then(format!(" {needed}"))));
        }
        if let Some(last) = fitting.checked_sub(1) {
            self.put(&text[..ends[last]])?;
            self.written.rows += fitting as u64;
        }
        if fitting < ends.len() {
            self.written.cut = Some(Cut::Bytes);
            return Ok(ControlFlow::Break(()));
        }
        Ok(ControlFlow::Continue(()))
    }
}

impl Rows for RowWriter<'_> {
    fn begin(&mut self, schema: &SchemaRef) -> Result<()> {
        let start = self.style.begin(schema)?;
        self.put(&start)
    }

    fn take(&mut self, batch: &RecordBatch) -> Result<ControlFlow<()>> {
        let size = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let mut at = size(self.budget.offset - self.written.passed).min(batch.num_rows());
        self.written.passed += at as u64;
        while at < batch.num_rows() {
            let left = self.budget.rows.map_or(u64::MAX, |most| most - self.written.rows);
            if left == 0 {
                self.written.cut = Some(Cut::Rows);
                return Ok(ControlFlow::Break(()));
            }
            let count = size(left).min(STEP).min(batch.num_rows() - at);
            let (text, ends) = self.style.rows(&batch.slice(at, count))?;
            if self.rows(&text, &ends)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            at += count;
        }
        Ok(ControlFlow::Continue(()))
    }
}

const MAX_MEMORY: usize = 4 << 20;

const BLOCK: usize = 64 << 10;

pub struct RowBuffer(SpooledTempFile);

impl Default for RowBuffer {
    fn default() -> Self {
        RowBuffer(SpooledTempFile::new(MAX_MEMORY))
    }
}

impl RowBuffer {
    pub fn append(&mut self, rows: &[u8]) -> Result<()> {
        self.0.write_all(rows).map_err(|cause| {
            let folder = std::env::temp_dir();
            Error::new(Kind::Io, format!("cannot keep the rows in {}: {cause}", folder.display()))
                .hint("export TMPDIR=DIR")
        })
    }

    /// No piece splits a character.
    pub fn pieces(&mut self, append: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        let failed = |cause: io::Error| Error::read("cannot read back the rows", &cause);
        self.0.seek(SeekFrom::Start(0)).map_err(failed)?;
        let (mut block, mut kept) = (Buffer::new(BLOCK), 0);
        loop {
            let got = self.0.read(&mut block[kept..]).map_err(failed)?;
            let there = kept + got;
            let text = match std::str::from_utf8(&block[..there]) {
                Ok(text) => text,
                Err(cut) => std::str::from_utf8(&block[..cut.valid_up_to()]).unwrap_or_default(),
            };
            append(text)?;
            let used = text.len();
            block.copy_within(used..there, 0);
            kept = there - used;
            if got == 0 {
                return Ok(());
            }
        }
    }
}

/// The first rows determine the widths of columns; longer values that come later stick out.
const MEASURED: usize = 1000;

pub(crate) struct StyledRows {
    style: RowStyle,
    has_rows: bool,
    names: Vec<String>,
    /// Whether each column has numbers, which are aligned to the right.
    numbers: Vec<bool>,
    /// Characters per column; empty before the first rows.
    widths: Vec<usize>,
}

impl StyledRows {
    pub fn new(style: RowStyle) -> Self {
        StyledRows { style, has_rows: false, names: Vec::new(), numbers: Vec::new(), widths: Vec::new() }
    }

    pub fn begin(&mut self, schema: &SchemaRef) -> Result<Vec<u8>> {
        self.names = schema.fields().iter().map(|field| field.name().clone()).collect();
        self.numbers = schema.fields().iter().map(|field| field.data_type().is_numeric()).collect();
        Ok(match self.style {
            RowStyle::Csv => {
                let mut line = Vec::new();
                for (column, name) in self.names.iter().enumerate() {
                    csv_cell(&mut line, column, Some(name));
                }
                line.push(b'\n');
                line
            }
            RowStyle::Json => b"[".to_vec(),
            RowStyle::Jsonl | RowStyle::Table => Vec::new(),
        })
    }

    pub fn end(&self) -> Vec<u8> {
        match self.style {
            RowStyle::Json if self.has_rows => b"\n]\n".to_vec(),
            RowStyle::Json => b"]\n".to_vec(),
            RowStyle::Table if !self.has_rows => self.head(),
            RowStyle::Csv | RowStyle::Jsonl | RowStyle::Table => Vec::new(),
        }
    }

    /// The rows of `batch` and where each one ends; a header belongs to the first row.
    pub fn rows(&mut self, batch: &RecordBatch) -> Result<(Vec<u8>, Vec<usize>)> {
        let batch = &writable(batch)?;
        let mut text = Vec::new();
        let mut ends = Vec::with_capacity(batch.num_rows());
        match self.style {
            RowStyle::Csv => {
                let cells = Cells::new(batch)?;
                for row in 0..batch.num_rows() {
                    for column in 0..batch.num_columns() {
                        csv_cell(&mut text, column, cells.text(column, row)?.as_deref());
                    }
                    text.push(b'\n');
                    ends.push(text.len());
                }
            }
            RowStyle::Jsonl => {
                text = json_lines(batch)?;
                ends.extend(memchr::memchr_iter(b'\n', &text).map(|end| end + 1));
            }
            RowStyle::Json => {
                for line in json_lines(batch)?.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                    text.extend_from_slice(if self.has_rows { b",\n " } else { b"\n " });
                    text.extend_from_slice(line);
                    ends.push(text.len());
                    self.has_rows = true;
                }
            }
            RowStyle::Table => {
                let cells = Cells::new(batch)?;
                if self.widths.is_empty() {
                    self.measure(&cells, batch)?;
                    text = self.head();
                }
                for row in 0..batch.num_rows() {
                    let line = (0..batch.num_columns()).map(|column| cells.shown(column, row));
                    self.line(&mut text, &line.collect::<Result<Vec<_>>>()?);
                    ends.push(text.len());
                }
            }
        }
        self.has_rows |= batch.num_rows() > 0;
        Ok((text, ends))
    }

    fn measure(&mut self, cells: &Cells, batch: &RecordBatch) -> Result<()> {
        self.widths = self.names.iter().map(|name| name.chars().count()).collect();
        for row in 0..batch.num_rows().min(MEASURED) {
            for (column, width) in self.widths.iter_mut().enumerate() {
                *width = (*width).max(cells.shown(column, row)?.chars().count());
            }
        }
        Ok(())
    }

    fn head(&self) -> Vec<u8> {
        let mut text = Vec::new();
        self.line(&mut text, &self.names);
        let rule = |(column, name): (usize, &String)| "-".repeat(self.width(column, name) + 2);
        let rules: Vec<String> = self.names.iter().enumerate().map(rule).collect();
        text.extend_from_slice(rules.join("+").as_bytes());
        text.push(b'\n');
        text
    }

    fn width(&self, column: usize, name: &str) -> usize {
        self.widths.get(column).copied().unwrap_or_else(|| name.chars().count())
    }

    fn line(&self, text: &mut Vec<u8>, cells: &[String]) {
        let mut line = String::new();
        for (column, cell) in cells.iter().enumerate() {
            let width = self.width(column, cell);
            line.push_str(if column > 0 { " | " } else { " " });
            match self.numbers.get(column) {
                Some(true) => line.push_str(&format!("{cell:>width$}")),
                _ => line.push_str(&format!("{cell:<width$}")),
            }
        }
        text.extend_from_slice(line.trim_end().as_bytes());
        text.push(b'\n');
    }
}

fn csv_cell(text: &mut Vec<u8>, column: usize, value: Option<&str>) {
    if column > 0 {
        text.push(b',');
    }
    let Some(value) = value else { return };
    if value.is_empty() || value.bytes().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        text.extend_from_slice(format!("\"{}\"", value.replace('"', "\"\"")).as_bytes());
    } else {
        text.extend_from_slice(value.as_bytes());
    }
}

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

/// The text of one value of a batch; `None` if it is NULL.
pub(crate) fn text_of(batch: &RecordBatch, column: usize, row: usize) -> Result<Option<String>> {
    Cells::new(&writable(batch)?)?.text(column, row)
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
    ) -> std::result::Result<Option<NullableEncoder<'a>>, ArrowError> {
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

/// The batch with text for the keys of maps: JSON has no other keys.
fn writable(batch: &RecordBatch) -> Result<RecordBatch> {
    let schema = batch.schema();
    let columns = batch.columns().iter().zip(schema.fields());
    let columns = columns.map(|(column, field)| match with_text_keys(field.data_type()) {
        same if *field.data_type() == same => Ok(Arc::clone(column)),
        other => cast(column, &other).map_err(unwritable),
    });
    let columns = columns.collect::<Result<Vec<_>>>()?;
    let fields = schema.fields().iter().zip(&columns);
    let fields = fields.map(|(field, column)| Field::new(field.name(), column.data_type().clone(), true));
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    RecordBatch::try_new_with_options(schema, columns, &options).map_err(unwritable)
}

/// The type in which the keys of all maps are text.
fn with_text_keys(data_type: &DataType) -> DataType {
    let inner =
        |field: &FieldRef| Arc::new(Field::clone(field).with_data_type(with_text_keys(field.data_type())));
    match data_type {
        DataType::Map(entries, sorted) => {
            let DataType::Struct(fields) = entries.data_type() else { return data_type.clone() };
            let fields = fields.iter().enumerate().map(|(nth, field)| {
                let is_text =
                    matches!(field.data_type(), DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
                match nth {
                    0 if is_text => Arc::clone(field),
                    0 => Arc::new(Field::clone(field).with_data_type(DataType::Utf8)),
                    _ => inner(field),
                }
            });
            let entries = Field::clone(entries).with_data_type(DataType::Struct(fields.collect()));
            DataType::Map(Arc::new(entries), *sorted)
        }
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(inner).collect()),
        DataType::List(item) => DataType::List(inner(item)),
        other => other.clone(),
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
