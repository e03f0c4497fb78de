//! Queries that an SQLite database runs: their rows as batches of the engine, in which each value keeps its own type.

use std::cell::RefCell;
use std::iter::repeat;
use std::ops::ControlFlow;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::common::ScalarValue;
use datafusion::error::Result as EngineResult;

use super::dialect::{self, Listing, in_quotes};
use super::request::{QueryRequest, refused_option};
use super::run::{QuerySummary, Rows, distinct};
use super::table::refuse_options_of_text;
use rread_source::sqlite::{Database, SqliteValue};
use rread_text::{Error, Input, Kind, Result};

/// Rows and bytes of values after which a batch is passed on.
const ROWS: usize = 1024;
const BYTES: usize = 1 << 20;

/// The type of a column without a value.
const NULL: &str = "null";

/// In place of text.
const HAS: &str = "a database has values with types";

/// Runs the query of `request` on `database`. The types of columns are those of their values.
pub fn query(database: &Database, request: &QueryRequest, rows: &mut dyn Rows) -> Result<QuerySummary> {
    refuse_options_of_text(request, HAS)?;
    let options = [
        ("header", request.header.is_some()),
        ("skip-lines", request.csv.skip_lines > 0),
        ("null", !request.csv.nulls.is_empty()),
        ("schema", request.types.is_some()),
        ("skip-bad", request.skip_bad),
        ("parse", request.parse.is_some()),
        ("since", request.time.is_given),
    ];
    if let Some((option, _)) = options.iter().find(|(_, is_given)| *is_given) {
        return Err(refused_option(option, format!(" is for text; {HAS}")));
    }
    let sql = match dialect::listing(&request.sql) {
        None => with_table(database, &request.sql)?,
        Some(listing) => listed(database, listing)?,
    };
    // SQLite lists no columns of an EXPLAIN in another query.
    let query = sql.trim_end_matches(|c: char| c == ';' || c.is_whitespace());
    let is_explain = query.trim_start().get(..7).is_some_and(|verb| verb.eq_ignore_ascii_case("EXPLAIN"));
    let has_rows = is_explain || !request.heads_only;
    let sql = if has_rows { sql } else { format!("SELECT * FROM (\n{query}\n) LIMIT 0") };
    // Both closures write to it.
    let result = RefCell::new(Pending::new(rows));
    database.query(
        &sql,
        request.memory,
        request.timeout,
        request.watch.as_deref(),
        &mut |names| {
            result.borrow_mut().columns(names);
            Ok(())
        },
        &mut |values| result.borrow_mut().row(values),
    )?;
    let mut result = result.into_inner();
    if request.heads_only {
        result.kinds.fill("any");
    }
    // Nobody waits for more rows.
    let _ = result.flush()?;
    if !database.is_unchanged() {
        return Err(
            Error::new(Kind::Changed, "was written to while it was read").hint("run the same command again")
        );
    }
    Ok(QuerySummary {
        input: Input::Sqlite,
        columns: result.described(),
        invalid: Some((result.invalid, None)).filter(|(count, _)| *count > 0),
        ..QuerySummary::default()
    })
}

/// The query, in which `t` is the table of a database that has only one.
fn with_table(database: &Database, sql: &str) -> Result<String> {
    let tables = database.tables()?;
    let [(name, _)] = &tables[..] else { return Ok(sql.to_owned()) };
    if !database.lacks("t", sql) {
        return Ok(sql.to_owned());
    }
    let table = format!("t AS (SELECT * FROM {})", in_quotes(name));
    let rest = sql.trim_start();
    let after = |text: &'_ str, first: &str| {
        let begins = text.get(..first.len()).is_some_and(|head| head.eq_ignore_ascii_case(first));
        let rest = text.get(first.len()..).filter(|rest| begins && rest.starts_with(char::is_whitespace));
        rest.map(|rest| rest.trim_start().to_owned())
    };
    let Some(others) = after(rest, "WITH") else { return Ok(format!("WITH {table} {sql}")) };
    Ok(match after(&others, "RECURSIVE") {
        Some(others) => format!("WITH RECURSIVE {table}, {others}"),
        None => format!("WITH {table}, {others}"),
    })
}

/// The query whose rows are what a statement lists.
fn listed(database: &Database, listing: Listing) -> Result<String> {
    let tables = database.tables()?;
    let name = match listing {
        Listing::Tables => return Ok(dialect::listed(["table_name", "table_type"], &tables)),
        Listing::Columns(Some(name)) => name,
        Listing::Columns(None) => "t".to_owned(),
    };
    let name = match &tables[..] {
        [(only, _)] if name == "t" => only.clone(),
        _ => name,
    };
    let columns = database.columns(&name)?;
    match columns.is_empty() {
        // SQLite says which tables there are.
        true => Ok(format!("SELECT * FROM {}", in_quotes(&name))),
        false => Ok(dialect::listed(["column_name", "data_type"], &columns)),
    }
}

/// A column of a batch, in which all values have one type.
struct Column {
    kind: &'static str,
    values: Vec<ScalarValue>,
}

impl Column {
    fn takes(&self, kind: &str) -> bool {
        self.kind == kind || [self.kind, kind].contains(&NULL)
    }

    fn push(&mut self, kind: &'static str, value: ScalarValue) {
        self.kind = if self.kind == NULL { kind } else { self.kind };
        self.values.push(value);
    }

    fn finish(self) -> EngineResult<ArrayRef> {
        let typed = self.values.iter().find(|value| !value.is_null()).map(ScalarValue::data_type);
        let null = ScalarValue::try_from(typed.unwrap_or(DataType::Null))?;
        let value = |value: ScalarValue| if value.is_null() { null.clone() } else { value };
        ScalarValue::iter_to_array(self.values.into_iter().map(value))
    }
}

/// The rows that are not passed on yet. A value of another type than those before begins a new batch, so that each value is
/// written with its own type.
struct Pending<'t> {
    to: &'t mut dyn Rows,
    names: Vec<String>,
    /// The type of the values of each column so far; `any` of several types, each written as what it is.
    kinds: Vec<&'static str>,
    is_begun: bool,
    batch: Vec<Column>,
    rows: usize,
    bytes: usize,
    /// Texts that are not valid UTF-8.
    invalid: u64,
}

impl<'t> Pending<'t> {
    fn new(to: &'t mut dyn Rows) -> Self {
        let (names, batch, kinds) = (Vec::new(), Vec::new(), Vec::new());
        Pending { to, names, kinds, is_begun: false, batch, rows: 0, bytes: 0, invalid: 0 }
    }

    fn columns(&mut self, names: Vec<String>) {
        self.kinds = vec![NULL; names.len()];
        self.names = distinct(names);
    }

    fn row(&mut self, values: &[SqliteValue<'_>]) -> Result<ControlFlow<()>> {
        let fits = self.batch.iter().zip(values).all(|(column, value)| column.takes(kind_of(*value).0));
        if (!fits || self.rows == ROWS || self.bytes >= BYTES) && self.flush()?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        if self.batch.is_empty() {
            self.batch.extend(values.iter().map(|_| Column { kind: NULL, values: Vec::new() }));
        }
        for ((column, known), value) in self.batch.iter_mut().zip(&mut self.kinds).zip(values) {
            if let SqliteValue::Text(text) = value {
                self.invalid += text.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count() as u64;
            }
            let (kind, size, value) = kind_of(*value);
            self.bytes += size;
            *known = match *known {
                known if kind == NULL || known == kind => known,
                NULL => kind,
                _ => "any",
            };
            column.push(kind, value);
        }
        self.rows += 1;
        Ok(ControlFlow::Continue(()))
    }

    fn flush(&mut self) -> Result<ControlFlow<()>> {
        let broken = |cause| Error::new(Kind::Io, format!("cannot arrange the rows: {cause}"));
        let arrays = self.batch.drain(..).map(Column::finish).collect::<EngineResult<Vec<_>>>();
        let arrays = arrays.map_err(broken)?;
        let types = arrays.iter().map(|array| array.data_type().clone()).chain(repeat(DataType::Null));
        let fields = self.names.iter().zip(types).map(|(name, of)| Field::new(name, of, true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        if !std::mem::replace(&mut self.is_begun, true) {
            self.to.begin(&schema)?;
        }
        (self.rows, self.bytes) = (0, 0);
        if arrays.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        let batch = RecordBatch::try_new(schema, arrays);
        self.to.take(&batch.map_err(|cause| broken(cause.into()))?)
    }

    fn described(&self) -> Vec<(String, String)> {
        self.names.iter().cloned().zip(self.kinds.iter().map(|kind| (*kind).to_owned())).collect()
    }
}

/// The name of the type of a value, its bytes, and the value for the engine.
fn kind_of(value: SqliteValue<'_>) -> (&'static str, usize, ScalarValue) {
    match value {
        SqliteValue::Null => (NULL, 1, ScalarValue::Null),
        SqliteValue::Integer(number) => ("int64", 8, ScalarValue::Int64(Some(number))),
        SqliteValue::Real(number) => ("float64", 8, ScalarValue::Float64(Some(number))),
        SqliteValue::Text(text) => {
            ("utf8", text.len(), ScalarValue::Utf8(Some(String::from_utf8_lossy(text).into_owned())))
        }
        SqliteValue::Blob(bytes) => ("binary", bytes.len(), ScalarValue::Binary(Some(bytes.to_vec()))),
    }
}
