//! Counts bad records and unknown members, and words the first of each.

use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, BooleanArray, Int64Array, RecordBatch, RecordBatchOptions};
use datafusion::arrow::compute::filter_record_batch;
use datafusion::arrow::datatypes::{Field, Schema, SchemaRef};
use datafusion::arrow::error::ArrowError;
use serde::{Deserialize, Serialize};

use super::boundaries::line_ends;
use super::chunks::Chunk;
use super::members::Unknown;
use super::types::{RowPlace, quoted, type_name};
use rread_text::{Csv, Error, Kind, Result, Sentence, Units, counted, setting};

/// The last batch of a chunk has fewer rows.
pub(crate) const ROWS: usize = 8192;

const SHOWN: usize = 40;

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Noted {
    pub count: u64,
    /// A message about the first one.
    pub first: Option<Error>,
    /// The line of the first one, where a receipt has it apart.
    pub line: Option<u64>,
}

impl Noted {
    pub(crate) fn add(&mut self, other: Noted) {
        self.count += other.count;
        if self.first.is_none() {
            (self.first, self.line) = (other.first, other.line);
        }
    }
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct LeftOut {
    pub records: Noted,
    /// Members of JSON objects that are not columns.
    pub members: Noted,
    /// Members that a JSON object has again; the last one counts.
    pub repeated: Noted,
    /// Records that do not have the form of `--parse`, whose values are NULL.
    pub unparsed: Noted,
    /// Records that contradict the layout in which they are read.
    pub contradicted: Noted,
    /// Characters in the place of halves of pairs of surrogates.
    pub replaced: u64,
}

impl LeftOut {
    fn all(&mut self) -> [&mut Noted; 5] {
        let LeftOut { records, members, repeated, unparsed, contradicted, .. } = self;
        [records, members, repeated, unparsed, contradicted]
    }

    pub fn add(&mut self, mut other: LeftOut) {
        for (own, other) in self.all().into_iter().zip(other.all()) {
            own.add(std::mem::take(other));
        }
        self.replaced += other.replaced;
    }

    pub(crate) fn keep_larger(&mut self, mut other: LeftOut) {
        for (own, other) in self.all().into_iter().zip(other.all()) {
            if other.count > own.count {
                *own = std::mem::take(other);
            }
        }
        self.replaced = self.replaced.max(other.replaced);
    }
}

#[derive(Debug)]
pub struct Parsed {
    pub batches: Vec<RecordBatch>,
    pub left_out: LeftOut,
}

/// The lines in which records are, for messages.
#[derive(Clone, Copy)]
enum Lines {
    /// They end with this byte.
    Byte(u8),
    Units(Units),
}

pub(crate) struct Ledger<'a> {
    bytes: &'a [u8],
    /// The number of the first line.
    line: u64,
    lines: Lines,
    /// Whether every record is one line.
    pub(super) are_lines: bool,
    pub(super) skip: bool,
    pub left_out: LeftOut,
    /// The start of the first bad record.
    first_start: usize,
    /// The numbers of the lines, if they do not follow one another.
    numbers: &'a [u64],
    /// The place of the first byte in the file, if it is known.
    at: Option<u64>,
    /// Columns after those of the table.
    places: &'a [RowPlace],
}

impl<'a> Ledger<'a> {
    pub(super) fn new(chunk: &'a Chunk, skip: bool, places: &'a [RowPlace]) -> Self {
        let (lines, numbers) = (Lines::Byte(chunk.newline), &chunk.numbers[..]);
        Ledger {
            are_lines: chunk.ends.is_empty(),
            numbers,
            at: chunk.at,
            places,
            ..Ledger::of(&chunk.bytes, chunk.line, lines, skip)
        }
    }

    /// Of bytes whose first line has the number `line`, and whose lines end with a newline of `units`.
    pub fn of_lines(bytes: &'a [u8], line: u64, units: Units, skip: bool) -> Self {
        Ledger::of(bytes, line, Lines::Units(units), skip)
    }

    fn of(bytes: &'a [u8], line: u64, lines: Lines, skip: bool) -> Self {
        let (are_lines, first_start, numbers, at, places) = (true, 0, &[][..], None, &[][..]);
        let left_out = LeftOut::default();
        Ledger { bytes, line, lines, are_lines, skip, left_out, first_start, numbers, at, places }
    }

    pub fn note(&mut self, count: u64, start: usize, reason: impl FnOnce() -> (String, Sentence)) {
        self.left_out.records.count += count;
        if self.left_out.records.first.is_none() || start < self.first_start {
            let (message, hint) = reason();
            self.first_start = start;
            self.left_out.records.first = Some(self.error_at(start, &message).hint(hint));
        }
    }

    /// The number of the line that begins at `start`.
    pub fn line_at(&self, start: usize) -> u64 {
        let before = self.bytes.get(..start).unwrap_or(self.bytes);
        let ends = self.ends(before);
        let number = usize::try_from(ends).ok().and_then(|nth| self.numbers.get(nth));
        number.copied().unwrap_or(self.line + ends)
    }

    fn ends(&self, bytes: &[u8]) -> u64 {
        match self.lines {
            Lines::Byte(newline) => line_ends(bytes, newline),
            Lines::Units(units) => units.count(bytes),
        }
    }

    /// The places of some rows.
    fn placed(&self, place: RowPlace, rows: impl Iterator<Item = Range<usize>>) -> Result<ArrayRef> {
        let unknown = || {
            let message = format!("{} is known only in text that is valid UTF-8", place.name());
            Error::new(Kind::InvalidText, message).hint(setting("input").then(" lines has it in any text"))
        };
        let at = match place {
            RowPlace::Line => self.line,
            RowPlace::Start | RowPlace::End => self.at.ok_or_else(unknown)?,
        };
        let (mut ends, mut seen) = (0, 0);
        let numbers = rows.map(|row| match place {
            RowPlace::Line => {
                ends += self.ends(self.bytes.get(seen..row.start).unwrap_or_default());
                seen = row.start;
                at + ends
            }
            RowPlace::Start => at + row.start as u64,
            RowPlace::End => {
                let has_end = self.are_lines && self.bytes.get(row.end) == Some(&b'\n');
                let is_ended = row.end > row.start && self.bytes.get(row.end - 1) == Some(&b'\n');
                at + row.end as u64 + u64::from(has_end && !is_ended)
            }
        });
        Ok(Arc::new(Int64Array::from_iter_values(numbers.map(u64::cast_signed))))
    }

    fn error_at(&self, start: usize, message: &str) -> Error {
        Error::new(Kind::InvalidText, format!("line {}: {message}", self.line_at(start)))
    }

    /// Notes a record whose values are NULL because it has another form.
    pub fn unparsed(&mut self, start: usize, message: impl FnOnce() -> String) {
        self.left_out.unparsed.count += 1;
        if self.left_out.unparsed.first.is_none() {
            self.left_out.unparsed.first = Some(self.error_at(start, &message()));
        }
    }

    /// Notes a quoted value at `start` whose quotes do not surround it.
    pub(super) fn contradicted(&mut self, start: usize, csv: &Csv) {
        self.left_out.contradicted.count += 1;
        if self.left_out.contradicted.first.is_none() {
            let rest = self.bytes.get(start..).unwrap_or_default();
            let end = rest.iter().position(|byte| *byte == csv.newline).unwrap_or(rest.len());
            let value = String::from_utf8_lossy(rest.get(..end).unwrap_or_default());
            let error =
                self.error_at(start, &format!("a quote is inside the value {}", shown(value.trim_end())));
            let bare = setting("quote").then(" ''");
            let is_escaped = value.contains('\\') && csv.escape.is_none();
            let hint = if is_escaped { setting("escape").then(" '\\' or ").then(bare) } else { bare };
            self.left_out.contradicted.line = Some(self.line_at(start));
            self.left_out.contradicted.first = Some(error.hint(hint.then(" reads it otherwise")));
        }
    }

    /// Notes members that are not columns, of which `name` is the first.
    pub fn unknown(&mut self, name: &str, count: u64, start: usize) {
        self.members(Unknown { count, first: Some(name.to_owned()), start, ..Unknown::default() });
    }

    /// Adds what was left out elsewhere.
    pub fn adopt(&mut self, other: LeftOut) {
        self.left_out.add(other);
    }

    pub(super) fn members(&mut self, unknown: Unknown) {
        if let Some(name) = &unknown.first_repeated {
            self.left_out.repeated.count += unknown.repeated;
            if self.left_out.repeated.first.is_none() {
                let message = format!("the object has the member {} again; the last one counts", shown(name));
                self.left_out.repeated.first = Some(self.error_at(unknown.start_repeated, &message));
            }
        }
        let Some(name) = unknown.first else { return };
        self.left_out.members.count += unknown.count;
        if self.left_out.members.first.is_none() {
            let error = self.error_at(unknown.start, &format!("the member {} is not a column", shown(&name)));
            // A member inside a column cannot be named in --schema.
            self.left_out.members.first = Some(if unknown.is_inside {
                error
            } else {
                error.hint(setting("schema").then(format!(" '{}:TYPE' makes it one", quoted(&name))))
            });
        }
    }

    pub fn check(&self) -> Result<()> {
        match &self.left_out.records.first {
            Some(error) if !self.skip => Err(error.clone()),
            _ => Ok(()),
        }
    }

    /// Joins the columns of `schema` to a batch of `rows`, without its bad rows. `column` makes the column at a
    /// position and reports its bad rows, `value` words a bad value, and `place` is the range of a row.
    pub fn batch(
        &mut self,
        schema: &SchemaRef,
        rows: usize,
        column: impl Fn(usize, &mut dyn FnMut(usize)) -> Result<ArrayRef>,
        value: impl Fn(usize, usize) -> String,
        place: impl Fn(usize) -> Range<usize>,
    ) -> Result<RecordBatch> {
        let mut bad = Vec::new();
        let columns = 0..schema.fields().len();
        let mut columns =
            columns.map(|nth| column(nth, &mut |row| bad.push((row, nth)))).collect::<Result<Vec<_>>>()?;
        for wanted in self.places {
            columns.push(self.placed(*wanted, (0..rows).map(&place))?);
        }
        let placed = || {
            let own = schema.fields().iter().map(Arc::clone);
            Schema::new(
                own.chain(self.places.iter().map(|place| Arc::new(place.field()))).collect::<Vec<_>>(),
            )
        };
        let whole = if self.places.is_empty() { Arc::clone(schema) } else { Arc::new(placed()) };
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let batch = RecordBatch::try_new_with_options(whole, columns, &options).map_err(internal)?;
        bad.sort_unstable();
        bad.dedup_by_key(|(row, _)| *row);
        let Some(&(row, nth)) = bad.first() else { return Ok(batch) };
        self.note(bad.len() as u64, place(row).start, || not_of_type(&value(nth, row), schema.field(nth)));
        let mut good = vec![true; rows];
        for (row, _) in bad {
            good[row] = false;
        }
        filter_record_batch(&batch, &BooleanArray::from(good)).map_err(internal)
    }
}

pub(super) fn text_of(bytes: &[u8]) -> Result<&str> {
    if u32::try_from(bytes.len()).is_err() {
        let message = format!("{} bytes of text are too many at once", bytes.len());
        return Err(Error::new(Kind::InvalidText, message));
    }
    simdutf8::basic::from_utf8(bytes)
        .map_err(|_| Error::new(Kind::InvalidText, "the text is not valid UTF-8"))
}

/// Columns always match, so this does not happen.
pub(super) fn internal(cause: ArrowError) -> Error {
    Error::new(Kind::InvalidText, format!("cannot build a batch of rows: {cause}"))
}

pub(super) fn not_of_type(value: &str, field: &Field) -> (String, Sentence) {
    let (name, data_type) = (field.name(), type_name(field.data_type()));
    let is_decimal = field.data_type().is_integer() && value.contains('.') && value.parse::<f64>().is_ok();
    let other = if is_decimal { "float64" } else { "utf8" };
    (
        format!("'{}' in column {name} is not {}", shown(value), shortened(data_type)),
        setting("schema")
            .then(format!(" '{}:{other}', or ", quoted(name)))
            .then(setting("skip-bad"))
            .then(" to leave such records out"),
    )
}

/// A type of many members by its first word.
fn shortened(data_type: String) -> String {
    match data_type.split_once('(') {
        Some((kind, _)) if data_type.len() > SHOWN => format!("{kind}(...)"),
        _ => data_type,
    }
}

pub(super) fn ragged(values: usize, columns: usize) -> (String, Sentence) {
    let is_short = values < columns;
    let (values, columns) = (counted(values as u64, "value"), counted(columns as u64, "column"));
    let hint = setting("pad").then(" makes the missing values NULL, ").then(leave_out());
    (format!("the record has {values}, the table has {columns}"), if is_short { hint } else { leave_out() })
}

pub(super) fn leave_out() -> Sentence {
    setting("skip-bad").then(" leaves such records out")
}

/// As much of a value as messages show.
pub(crate) fn shown(value: &str) -> String {
    match value.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}...", &value[..cut]),
        None => value.to_owned(),
    }
}
