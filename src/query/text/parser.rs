//! From chunks to record batches.

use datafusion::arrow::array::{BooleanArray, RecordBatch};
use datafusion::arrow::compute::filter_record_batch;
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::error::ArrowError;

use super::csv::CsvParser;
use super::json::JsonParser;
use super::members::Unknown;
use super::types::type_name;
use super::{Chunk, Table};
use crate::error::{Error, Kind, Result, counted};
use crate::newline;
use crate::query::layout::Layout;

/// Rows in a batch, but for the last of a chunk.
pub(super) const ROWS: usize = 8192;

/// The longest piece of a value that a message shows, in characters.
const SHOWN: usize = 40;

/// What was noted and is no error.
#[derive(Clone, Debug, Default)]
pub struct Noted {
    /// How often.
    pub count: u64,
    /// What is to be said of the first time.
    pub first: Option<Error>,
}

impl Noted {
    /// Adds what was noted after this.
    fn add(&mut self, other: Noted) {
        self.count += other.count;
        if self.first.is_none() {
            self.first = other.first;
        }
    }

    /// Becomes `other`, if that is more.
    fn most(&mut self, other: &Noted) {
        if other.count > self.count {
            self.clone_from(other);
        }
    }
}

/// What is in the text and not in the rows.
#[derive(Clone, Debug, Default)]
pub struct LeftOut {
    /// Bad records, if they are to be left out.
    pub records: Noted,
    /// Members of JSON objects that are no columns.
    pub members: Noted,
}

impl LeftOut {
    /// Adds what was left out after this.
    pub fn add(&mut self, other: LeftOut) {
        self.records.add(other.records);
        self.members.add(other.members);
    }

    /// Becomes what was left out here or in `other`, whichever is more.
    pub fn most(&mut self, other: &LeftOut) {
        self.records.most(&other.records);
        self.members.most(&other.members);
    }
}

/// The rows of a chunk.
#[derive(Debug)]
pub struct Parsed {
    /// The rows in their order, some 8192 in each.
    pub batches: Vec<RecordBatch>,
    /// What is not in them.
    pub left_out: LeftOut,
}

/// Parses chunks of one table, on several threads at once.
pub struct Parser(Layouts);

enum Layouts {
    Csv(CsvParser),
    Json(JsonParser),
}

impl Parser {
    /// Reads the columns of `table` that `projection` numbers, in its order; all, without one. A record that is none of the
    /// table is an error, or is left out and counted if `skip_bad` says so.
    #[must_use]
    pub fn new(table: &Table, layout: &Layout, projection: Option<&[usize]>, skip_bad: bool) -> Self {
        let all: Vec<usize>;
        let projection = match projection {
            Some(projection) => projection,
            None => {
                all = (0..table.schema.fields().len()).collect();
                &all
            }
        };
        Parser(match layout {
            Layout::Csv(csv) => Layouts::Csv(CsvParser::new(table, csv, projection, skip_bad)),
            Layout::Json { header } | Layout::Jsonl { header } => {
                Layouts::Json(JsonParser::new(table, *header, projection, skip_bad))
            }
        })
    }

    /// The rows of `chunk`.
    ///
    /// A record of delimited values has as many values as the table has columns, and of those that are read each is of its
    /// column's type or NULL. JSON values are objects, where a column whose name is no key of one is NULL there, or
    /// they are arrays, of as many values as the table has columns.
    ///
    /// # Errors
    /// [`Kind::InvalidText`] with the number of its line, for the first record that is bad.
    pub fn parse(&self, chunk: &Chunk) -> Result<Parsed> {
        match &self.0 {
            Layouts::Csv(parser) => parser.parse(chunk),
            Layouts::Json(parser) => parser.parse(chunk),
        }
    }
}

/// What is to be done about bad records of one chunk.
pub(super) struct Ledger<'a> {
    chunk: &'a Chunk,
    skip: bool,
    count: u64,
    /// The first of them by place, and what is wrong with it.
    first: Option<(usize, Error)>,
    members: Noted,
}

impl<'a> Ledger<'a> {
    pub fn new(chunk: &'a Chunk, skip: bool) -> Self {
        Ledger { chunk, skip, count: 0, first: None, members: Noted::default() }
    }

    /// Whether bad records are left out.
    pub fn skips(&self) -> bool {
        self.skip
    }

    /// Whether records are lines.
    pub fn lines(&self) -> bool {
        self.chunk.ends.is_empty()
    }

    /// Notes `count` bad records, of which `reason` tells about the first, which begins at `start` of the chunk.
    pub fn note(&mut self, count: u64, start: usize, reason: impl FnOnce() -> (String, String)) {
        self.count += count;
        if self.first.as_ref().is_none_or(|(first, _)| start < *first) {
            let (message, hint) = reason();
            self.first = Some((start, self.said(start, &message).hint(hint)));
        }
    }

    /// What there is to say, with the number of the line that has the byte at `start` of the chunk.
    fn said(&self, start: usize, message: &str) -> Error {
        let before = self.chunk.bytes.get(..start).unwrap_or(&self.chunk.bytes);
        let line = self.chunk.line + newline::count(before);
        Error::new(Kind::InvalidText, format!("line {line}: {message}"))
    }

    /// Notes that there are `unknown` members in records that begin at `start` of the chunk and behind it.
    pub fn unknown(&mut self, unknown: Unknown, start: usize) {
        let Some(name) = unknown.first else { return };
        self.members.count += unknown.count;
        if self.members.first.is_none() {
            let error = self.said(start, &format!("the member {} is no column", shown(&name)));
            // The fields of a column cannot be named.
            self.members.first = Some(if unknown.is_inside {
                error
            } else {
                error.hint(format!("--schema '{}:TYPE' makes it one", quoted(&name)))
            });
        }
    }

    /// The error that there is, if bad records are not left out.
    pub fn check(&self) -> Result<()> {
        match &self.first {
            Some((_, error)) if !self.skip => Err(error.clone()),
            _ => Ok(()),
        }
    }

    /// What was left out.
    pub fn left_out(self) -> LeftOut {
        let records = Noted { count: self.count, first: self.first.map(|(_, error)| error) };
        LeftOut { records, members: self.members }
    }
}

/// `batch` without the rows in `bad`.
pub(super) fn without(batch: &RecordBatch, bad: &[usize]) -> Result<RecordBatch> {
    let mut good = vec![true; batch.num_rows()];
    for row in bad {
        if let Some(good) = good.get_mut(*row) {
            *good = false;
        }
    }
    filter_record_batch(batch, &BooleanArray::from(good)).map_err(|cause| internal(&cause))
}

/// What Arrow says of columns that do not fit together, which does not happen.
pub(super) fn internal(cause: &ArrowError) -> Error {
    Error::new(Kind::InvalidText, format!("rows cannot be put together: {cause}"))
}

/// What is wrong with `value` in the column `name`, and what can be done.
pub(super) fn not_of_type(value: &str, name: &str, data_type: &DataType) -> (String, String) {
    let quoted = quoted(name);
    (
        format!("'{}' in column {name} is not {}", shown(value), type_name(data_type)),
        format!("--schema '{quoted}:utf8', or --skip-bad to leave such records out"),
    )
}

/// The name of a column as --schema takes it.
fn quoted(name: &str) -> String {
    if name.contains([':', ',', '"']) || name != name.trim() || name.is_empty() {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

/// What is wrong with a record of so many `values`.
pub(super) fn ragged(values: usize, columns: usize) -> (String, String) {
    let (values, columns) = (counted(values as u64, "value"), counted(columns as u64, "column"));
    (
        format!("the record has {values}, the table has {columns}"),
        "--skip-bad leaves such records out".to_owned(),
    )
}

/// The beginning of a value.
pub(super) fn shown(value: &str) -> String {
    match value.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}...", &value[..cut]),
        None => value.to_owned(),
    }
}
