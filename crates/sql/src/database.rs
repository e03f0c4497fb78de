//! Queries that an SQLite database runs: their rows as batches of the engine, in which each value keeps its own type.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, BinaryBuilder, Float64Builder, Int64Builder, NullArray, RecordBatch, StringBuilder,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema};

use super::dialect::{self, Listing};
use super::request::QueryRequest;
use super::run::{QuerySummary, Rows, distinct};
use super::sheet_table::refuse_options_of_text;
use super::summary::summarized;
use super::text::LeftOut;
use rread_source::sqlite::{Database, SqliteValue};
use rread_text::error::{Error, Kind, Result};
use rread_text::layout::Input;
use rread_text::sentence::{Sentence, setting};

/// Rows and bytes of values after which a batch is passed on.
const ROWS: usize = 1024;
const BYTES: usize = 1 << 20;

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
        return Err(Error::usage(setting(option).then(format!(" is for text; {HAS}")))
            .hint(Sentence::from("leave ").then(setting(option)).then(" out")));
    }
    if summarized(&request.sql).is_some() {
        return Err(Error::usage("SQLite has no SUMMARIZE").hint(
            "SELECT count(*), count(c), count(DISTINCT c), min(c), max(c), avg(c) FROM t; c is a column",
        ));
    }
    let sql = match dialect::listing(&request.sql) {
        None => with_table(database, &request.sql)?,
        Some(listing) => listed(database, listing)?,
    };
    let sql = if request.heads_only { without_rows(&sql) } else { sql };
    // Both closures write to it.
    let result = RefCell::new(Pending::new(rows));
    database.query(
        &sql,
        request.timeout,
        request.watch.as_deref(),
        &mut |names| {
            result.borrow_mut().columns(names);
            Ok(())
        },
        &mut |values| result.borrow_mut().row(values),
    )?;
    let mut result = result.into_inner();
    // Nobody waits for more rows.
    let _ = result.flush()?;
    if !database.is_unchanged() {
        return Err(
            Error::new(Kind::Changed, "was written to while it was read").hint("run the same command again")
        );
    }
    Ok(QuerySummary {
        work: None,
        input: Input::Sqlite,
        time: None,
        columns: if request.heads_only { untyped(result.described()) } else { result.described() },
        scanned: 0,
        invalid: Some((result.invalid, None)).filter(|(count, _)| *count > 0),
        left_out: LeftOut::default(),
        is_header_assumed: false,
        dialect: None,
        spilled: 0,
        files: None,
        workbook: None,
        is_sheet_named: false,
    })
}

/// Columns whose values were not looked at.
fn untyped(columns: Vec<(String, String)>) -> Vec<(String, String)> {
    columns.into_iter().map(|(name, _)| (name, "any".to_owned())).collect()
}

/// The query without its rows. SQLite lists no columns of an EXPLAIN in another query.
fn without_rows(sql: &str) -> String {
    let query = sql.trim_end_matches(|c: char| c == ';' || c.is_whitespace());
    let is_explain = query.trim_start().get(..7).is_some_and(|verb| verb.eq_ignore_ascii_case("EXPLAIN"));
    if is_explain { sql.to_owned() } else { format!("SELECT * FROM (\n{query}\n) LIMIT 0") }
}

/// The query, in which `t` is the table of a database that has only one.
fn with_table(database: &Database, sql: &str) -> Result<String> {
    let tables = database.tables()?;
    let [(name, _)] = &tables[..] else { return Ok(sql.to_owned()) };
    if !database.lacks("t", sql) {
        return Ok(sql.to_owned());
    }
    let table = format!("t AS (SELECT * FROM {})", quoted(name));
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

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The query whose rows are what a statement lists.
fn listed(database: &Database, listing: Listing) -> Result<String> {
    let tables = database.tables()?;
    let name = match listing {
        Listing::Tables => {
            let rows: Vec<(String, String)> = tables;
            return Ok(values(["table_name", "table_type"], &rows));
        }
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
        true => Ok(format!("SELECT * FROM {}", quoted(&name))),
        false => Ok(values(["column_name", "data_type"], &columns)),
    }
}

fn values(columns: [&str; 2], rows: &[(String, String)]) -> String {
    let text = |value: &str| format!("'{}'", value.replace('\'', "''"));
    let rows: Vec<String> = rows.iter().map(|(one, two)| format!("({}, {})", text(one), text(two))).collect();
    let [first, second] = columns;
    match rows.is_empty() {
        true => format!("SELECT NULL AS {first}, NULL AS {second} WHERE false"),
        false => format!("SELECT column1 AS {first}, column2 AS {second} FROM (VALUES {})", rows.join(", ")),
    }
}

/// The type of the values of a column so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kinds {
    None,
    One(&'static str),
    /// Values of several types, each written as what it is.
    Any,
}

/// A column of a batch, in which all values have one type.
enum Column {
    /// So many NULLs.
    Nulls(usize),
    Integers(Int64Builder),
    Reals(Float64Builder),
    Texts(StringBuilder),
    Blobs(BinaryBuilder),
}

impl Column {
    /// Adds `value`; false if it is of another type.
    fn push(&mut self, value: SqliteValue<'_>) -> bool {
        if let Column::Nulls(count) = *self
            && value != SqliteValue::Null
        {
            *self = Column::after_nulls(value, count);
        }
        match (&mut *self, value) {
            (Column::Nulls(count), SqliteValue::Null) => *count += 1,
            (Column::Integers(column), SqliteValue::Integer(number)) => column.append_value(number),
            (Column::Integers(column), SqliteValue::Null) => column.append_null(),
            (Column::Reals(column), SqliteValue::Real(number)) => column.append_value(number),
            (Column::Reals(column), SqliteValue::Null) => column.append_null(),
            (Column::Texts(column), SqliteValue::Text(text)) => {
                column.append_value(String::from_utf8_lossy(text))
            }
            (Column::Texts(column), SqliteValue::Null) => column.append_null(),
            (Column::Blobs(column), SqliteValue::Blob(bytes)) => column.append_value(bytes),
            (Column::Blobs(column), SqliteValue::Null) => column.append_null(),
            _ => return false,
        }
        true
    }

    /// Whether [`Column::push`] takes `value`.
    fn takes(&self, value: SqliteValue<'_>) -> bool {
        matches!(
            (self, value),
            (Column::Nulls(_), _)
                | (_, SqliteValue::Null)
                | (Column::Integers(_), SqliteValue::Integer(_))
                | (Column::Reals(_), SqliteValue::Real(_))
                | (Column::Texts(_), SqliteValue::Text(_))
                | (Column::Blobs(_), SqliteValue::Blob(_))
        )
    }

    fn after_nulls(value: SqliteValue<'_>, nulls: usize) -> Self {
        let mut column = match value {
            SqliteValue::Null => return Column::Nulls(nulls),
            SqliteValue::Integer(_) => Column::Integers(Int64Builder::new()),
            SqliteValue::Real(_) => Column::Reals(Float64Builder::new()),
            SqliteValue::Text(_) => Column::Texts(StringBuilder::new()),
            SqliteValue::Blob(_) => Column::Blobs(BinaryBuilder::new()),
        };
        for _ in 0..nulls {
            column.push(SqliteValue::Null);
        }
        column
    }

    fn finish(self) -> ArrayRef {
        match self {
            Column::Nulls(count) => Arc::new(NullArray::new(count)),
            Column::Integers(mut column) => Arc::new(column.finish()),
            Column::Reals(mut column) => Arc::new(column.finish()),
            Column::Texts(mut column) => Arc::new(column.finish()),
            Column::Blobs(mut column) => Arc::new(column.finish()),
        }
    }
}

/// The rows that are not passed on yet. A value of another type than those before begins a new batch, so that each value is
/// written with its own type.
struct Pending<'t> {
    to: &'t mut dyn Rows,
    names: Vec<String>,
    is_begun: bool,
    batch: Vec<Column>,
    rows: usize,
    bytes: usize,
    kinds: Vec<Kinds>,
    /// Texts that are not valid UTF-8.
    invalid: u64,
}

impl<'t> Pending<'t> {
    fn new(to: &'t mut dyn Rows) -> Self {
        let (names, batch, kinds) = (Vec::new(), Vec::new(), Vec::new());
        Pending { to, names, is_begun: false, batch, rows: 0, bytes: 0, kinds, invalid: 0 }
    }

    fn columns(&mut self, names: Vec<String>) {
        self.kinds = vec![Kinds::None; names.len()];
        self.names = distinct(names);
    }

    fn row(&mut self, values: &[SqliteValue<'_>]) -> Result<ControlFlow<()>> {
        let fits = self.batch.iter().zip(values).all(|(column, value)| column.takes(*value));
        if (!fits || self.rows == ROWS || self.bytes >= BYTES) && self.flush()?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        if self.batch.is_empty() {
            self.batch.extend(values.iter().map(|_| Column::Nulls(0)));
        }
        for ((column, kinds), value) in self.batch.iter_mut().zip(&mut self.kinds).zip(values) {
            column.push(*value);
            if let SqliteValue::Text(text) = value {
                self.invalid += text.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count() as u64;
            }
            let (kind, size) = kind_of(*value);
            self.bytes += size;
            *kinds = match (*kinds, kind) {
                (kinds, None) => kinds,
                (Kinds::None, Some(kind)) => Kinds::One(kind),
                (Kinds::One(known), Some(kind)) if known == kind => Kinds::One(kind),
                _ => Kinds::Any,
            };
        }
        self.rows += 1;
        Ok(ControlFlow::Continue(()))
    }

    fn flush(&mut self) -> Result<ControlFlow<()>> {
        let arrays: Vec<ArrayRef> = self.batch.drain(..).map(Column::finish).collect();
        let field = |(name, array): (&String, &ArrayRef)| Field::new(name, array.data_type().clone(), true);
        let is_empty = arrays.is_empty();
        let fields: Vec<Field> = match is_empty {
            true => self.names.iter().map(|name| Field::new(name, DataType::Null, true)).collect(),
            false => self.names.iter().zip(&arrays).map(field).collect(),
        };
        let schema = Arc::new(Schema::new(fields));
        if !self.is_begun {
            self.is_begun = true;
            self.to.begin(&schema)?;
        }
        (self.rows, self.bytes) = (0, 0);
        if is_empty {
            return Ok(ControlFlow::Continue(()));
        }
        let broken = |cause| Error::new(Kind::Io, format!("cannot arrange the rows: {cause}"));
        self.to.take(&RecordBatch::try_new(schema, arrays).map_err(broken)?)
    }

    fn described(&self) -> Vec<(String, String)> {
        let word = |kinds: &Kinds| match kinds {
            Kinds::None => "null",
            Kinds::One(kind) => kind,
            Kinds::Any => "any",
        };
        self.names
            .iter()
            .zip(&self.kinds)
            .map(|(name, kinds)| (name.clone(), word(kinds).to_owned()))
            .collect()
    }
}

/// The name of the type of a value, and its bytes.
fn kind_of(value: SqliteValue<'_>) -> (Option<&'static str>, usize) {
    match value {
        SqliteValue::Null => (None, 1),
        SqliteValue::Integer(_) => (Some("int64"), 8),
        SqliteValue::Real(_) => (Some("float64"), 8),
        SqliteValue::Text(text) => (Some("utf8"), text.len()),
        SqliteValue::Blob(bytes) => (Some("binary"), bytes.len()),
    }
}
