//! Counts bad records and unknown members, and words the first of each.

use datafusion::arrow::array::{BooleanArray, RecordBatch};
use datafusion::arrow::compute::filter_record_batch;
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::error::ArrowError;

use super::chunks::Chunk;
use super::members::Unknown;
use super::types::type_name;
use crate::error::{Error, Kind, Result, counted};
use crate::newline;

/// Rows per batch; the last batch of a chunk has fewer.
pub(super) const ROWS: usize = 8192;

/// The keep_larger characters of a value that a message shows.
const SHOWN: usize = 40;

/// Something that was counted without failing.
#[derive(Clone, Debug, Default)]
pub struct Noted {
    /// How often it occurred.
    pub count: u64,
    /// A message about the first occurrence.
    pub first: Option<Error>,
}

impl Noted {
    fn add(&mut self, other: Noted) {
        self.count += other.count;
        if self.first.is_none() {
            self.first = other.first;
        }
    }

    fn keep_larger(&mut self, other: &Noted) {
        if other.count > self.count {
            self.clone_from(other);
        }
    }
}

/// The parts of the text that are not in the rows.
#[derive(Clone, Debug, Default)]
pub struct LeftOut {
    /// Bad records that were skipped.
    pub records: Noted,
    /// Members of JSON objects that are not columns.
    pub members: Noted,
}

impl LeftOut {
    /// Adds what a later chunk left out.
    pub fn add(&mut self, other: LeftOut) {
        self.records.add(other.records);
        self.members.add(other.members);
    }

    /// Keeps the larger counts of `self` and `other`.
    pub fn keep_larger(&mut self, other: &LeftOut) {
        self.records.keep_larger(&other.records);
        self.members.keep_larger(&other.members);
    }
}

/// The rows of a chunk.
#[derive(Debug)]
pub struct Parsed {
    /// The rows in order, about 8192 per batch.
    pub batches: Vec<RecordBatch>,
    /// The parts of the chunk that are not in the rows.
    pub left_out: LeftOut,
}

pub(super) struct Ledger<'a> {
    chunk: &'a Chunk,
    skip: bool,
    count: u64,
    /// The first bad record by position, and its error.
    first: Option<(usize, Error)>,
    members: Noted,
}

impl<'a> Ledger<'a> {
    pub fn new(chunk: &'a Chunk, skip: bool) -> Self {
        Ledger { chunk, skip, count: 0, first: None, members: Noted::default() }
    }

    pub fn skips(&self) -> bool {
        self.skip
    }

    pub fn lines(&self) -> bool {
        self.chunk.ends.is_empty()
    }

    /// Notes `count` bad records. The first begins at offset `start` of the chunk, and `reason` describes it.
    pub fn note(&mut self, count: u64, start: usize, reason: impl FnOnce() -> (String, String)) {
        self.count += count;
        if self.first.as_ref().is_none_or(|(first, _)| start < *first) {
            let (message, hint) = reason();
            self.first = Some((start, self.error_at(start, &message).hint(hint)));
        }
    }

    /// An error with the line number of the byte at offset `start` of the chunk.
    fn error_at(&self, start: usize, message: &str) -> Error {
        let before = self.chunk.bytes.get(..start).unwrap_or(&self.chunk.bytes);
        let line = self.chunk.line + newline::count(before);
        Error::new(Kind::InvalidText, format!("line {line}: {message}"))
    }

    /// Notes `unknown` members in the records from offset `start` of the chunk on.
    pub fn unknown(&mut self, unknown: Unknown, start: usize) {
        let Some(name) = unknown.first else { return };
        self.members.count += unknown.count;
        if self.members.first.is_none() {
            let error = self.error_at(start, &format!("the member {} is not a column", shown(&name)));
            // A member inside a column cannot be named in --schema.
            self.members.first = Some(if unknown.is_inside {
                error
            } else {
                error.hint(format!("--schema '{}:TYPE' makes it one", quoted(&name)))
            });
        }
    }

    /// Fails if there is a bad record and bad records are not skipped.
    pub fn check(&self) -> Result<()> {
        match &self.first {
            Some((_, error)) if !self.skip => Err(error.clone()),
            _ => Ok(()),
        }
    }

    pub fn left_out(self) -> LeftOut {
        let records = Noted { count: self.count, first: self.first.map(|(_, error)| error) };
        LeftOut { records, members: self.members }
    }
}

pub(super) fn without(batch: &RecordBatch, bad: &[usize]) -> Result<RecordBatch> {
    let mut good = vec![true; batch.num_rows()];
    for row in bad {
        if let Some(good) = good.get_mut(*row) {
            *good = false;
        }
    }
    filter_record_batch(batch, &BooleanArray::from(good)).map_err(|cause| internal(&cause))
}

/// An Arrow error about mismatched columns, which does not happen.
pub(super) fn internal(cause: &ArrowError) -> Error {
    Error::new(Kind::InvalidText, format!("rows cannot be put together: {cause}"))
}

/// The message and the hint for `value` in column `name`.
pub(super) fn not_of_type(value: &str, name: &str, data_type: &DataType) -> (String, String) {
    let quoted = quoted(name);
    (
        format!("'{}' in column {name} is not {}", shown(value), type_name(data_type)),
        format!("--schema '{quoted}:utf8', or --skip-bad to leave such records out"),
    )
}

/// The name of a column in the syntax of --schema.
fn quoted(name: &str) -> String {
    if name.contains([':', ',', '"']) || name != name.trim() || name.is_empty() {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

pub(super) fn ragged(values: usize, columns: usize) -> (String, String) {
    let (values, columns) = (counted(values as u64, "value"), counted(columns as u64, "column"));
    (
        format!("the record has {values}, the table has {columns}"),
        "--skip-bad leaves such records out".to_owned(),
    )
}

pub(super) fn shown(value: &str) -> String {
    match value.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}...", &value[..cut]),
        None => value.to_owned(),
    }
}
