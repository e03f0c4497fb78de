//! What a file is as tables, in a line for each: the columns as a query sees them, with an example.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{Array, RecordBatch};
use datafusion::arrow::datatypes::SchemaRef;

use super::dialect::in_quotes;
use super::files::TableFiles;
use super::files::reads::FilesProgress;
use super::request::QueryRequest;
use super::rows::text_of;
use super::run::{Rows, run};
use super::text::type_name;
use super::{database, table};
use rread_reader::Reader;
use rread_source::sqlite::Database;
use rread_text::{Error, Kind, Result};

/// Rows in which an example is looked for.
const EXAMPLES: usize = 100;

/// Columns that a line shows.
const MAX_COLUMNS: usize = 60;

/// Characters of an example that a line shows.
const MAX_EXAMPLE: usize = 30;

/// The columns of a result, and the first value of each.
#[derive(Default)]
struct FirstValues {
    columns: Vec<(String, String, Option<String>)>,
}

impl Rows for FirstValues {
    fn begin(&mut self, schema: &SchemaRef) -> Result<()> {
        let column = |field: &Arc<datafusion::arrow::datatypes::Field>| {
            (field.name().clone(), type_name(field.data_type()), None)
        };
        self.columns = schema.fields().iter().map(column).collect();
        Ok(())
    }

    fn take(&mut self, batch: &RecordBatch) -> Result<ControlFlow<()>> {
        for (nth, (_, _, example)) in self.columns.iter_mut().enumerate().take(MAX_COLUMNS) {
            let column = batch.column(nth);
            let row = (0..batch.num_rows().min(EXAMPLES)).find(|row| column.is_valid(*row));
            if let (None, Some(row)) = (&example, row) {
                *example = text_of(batch, nth, row)?;
            }
        }
        Ok(ControlFlow::Break(()))
    }
}

impl FirstValues {
    fn line(&self, table: &str) -> String {
        let column = |(name, kind, example): &(String, String, Option<String>)| match example {
            Some(example) => {
                let text: String = example.chars().take(MAX_EXAMPLE).collect();
                let end = if text.len() < example.len() { "..." } else { "" };
                format!("{name} {kind} ({}{end})", text.replace(['\n', '\r', '\t'], " "))
            }
            None => format!("{name} {kind}"),
        };
        let mut words: Vec<String> = self.columns.iter().take(MAX_COLUMNS).map(column).collect();
        let more = self.columns.len().saturating_sub(MAX_COLUMNS);
        words.extend((more > 0).then(|| format!("and {more} more columns")));
        format!("{table}: {}", words.join(", "))
    }
}

/// A line for each table in a file: `t: id int64 (1), name utf8 (Ada)`; of a workbook, for each visible sheet with values.
///
/// # Errors
///
/// The file has no table.
pub fn tables(reader: &Arc<Reader>, path: &Path) -> Result<Vec<String>> {
    let files = TableFiles {
        paths: vec![path.to_owned()],
        listed: Vec::new(),
        excluded: Vec::new(),
        open: Arc::new(|_, _| Err(Error::new(Kind::Io, "is read already"))),
        only: Some(Arc::clone(reader)),
        union: false,
        partitions: false,
        skip_unreadable: false,
        expected: None,
        progress: FilesProgress::default(),
    };
    let line = |table: &str| {
        let sql = format!("SELECT * FROM {} LIMIT {EXAMPLES}", in_quotes(table));
        let mut first = FirstValues::default();
        run(&files, &[], &request(sql), &mut first).map(|_| first.line(table))
    };
    match table::workbook(reader) {
        Some(workbook) => {
            let sheets = workbook.sheets.iter().filter(|sheet| sheet.has_values && !sheet.is_hidden);
            sheets.map(|sheet| line(&sheet.name)).collect()
        }
        None => Ok(vec![line("t")?]),
    }
}

/// A line for each table and view of a database.
///
/// # Errors
///
/// The table cannot be read.
pub fn tables_of_database(database: &Database) -> Result<Vec<String>> {
    let names = database.tables()?;
    let line = |(name, _): &(String, String)| {
        let sql = format!("SELECT * FROM {} LIMIT {EXAMPLES}", in_quotes(name));
        let mut first = FirstValues::default();
        database::query(database, &request(sql), &mut first).map(|_| first.line(name))
    };
    names.iter().map(line).collect()
}

fn request(sql: String) -> QueryRequest {
    /// As much as `select`: SQLite never raises the limit of a process again.
    const MEMORY: usize = 512 << 20;
    QueryRequest { sql, memory: MEMORY, repeatable: true, ..QueryRequest::default() }
}
