//! Queries of a database, which runs them itself: read-only, in one state of the database.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

pub use rusqlite::types::ValueRef as SqliteValue;
use rusqlite::{Connection, ErrorCode, Statement};

use super::snapshot::{DatabaseFile, Snapshot, error_of, words};
use crate::Source;
use crate::access::{Access, Watch};
use crate::member_address::is_database;
use crate::spelling::nearest;
use crate::version::Version;
use rread_text::{Error, Kind, Result, Sentence, call, listed, setting};

/// How often a query that runs is asked whether it is late or unwanted.
const CHECK: Duration = Duration::from_millis(20);

/// The words that a query begins with. Statements that are no queries can read other files, such as ATTACH.
const QUERIES: [&str; 4] = ["SELECT", "WITH", "VALUES", "EXPLAIN"];

/// Tables that an error names.
const NAMED: usize = 20;

/// A database, which stays in one state.
pub struct Database {
    snapshot: Snapshot,
    file: DatabaseFile,
    /// The name that hints have.
    path: PathBuf,
}

impl Database {
    /// Opens `input`, the file `path` as `access` opens it; `None` if it is no database.
    pub fn of(input: &dyn Source, path: &Path, access: &Access) -> Result<Option<Self>> {
        if !is_database(input) {
            return Ok(None);
        }
        let file = DatabaseFile::of(input, path, access)?;
        let snapshot = Snapshot::open(&file.path)?;
        Ok(Some(Database { snapshot, file, path: path.to_owned() }))
    }

    /// The state of the database; none if it is a copy of a stream.
    pub fn version(&self) -> Option<Version> {
        match &self.file.copy {
            Some(_) => self.file.version.clone(),
            None => Some(self.snapshot.version()),
        }
    }

    /// Whether the log with its last changes may be missing: the database is not a file of its own.
    pub fn lacks_log(&self) -> bool {
        self.file.lacks_log
    }

    /// Whether nobody wrote to the database since it was opened.
    pub fn is_unchanged(&self) -> bool {
        self.snapshot.is_valid().unwrap_or(false)
    }

    /// The names of its tables and views, with `table` or `view`, in the order in which they were created.
    pub fn tables(&self) -> Result<Vec<(String, String)>> {
        let sql = "SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view') \
            AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid";
        let rows = |connection: &Connection| -> rusqlite::Result<Vec<(String, String)>> {
            connection.prepare(sql)?.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        };
        rows(&self.snapshot.connection).map_err(|cause| error_of(&cause, &self.path))
    }

    /// The names of the columns of a table, with their declared types; none if there is no such table.
    pub fn columns(&self, table: &str) -> Result<Vec<(String, String)>> {
        let sql = "SELECT name, CASE type WHEN '' THEN 'any' ELSE type END FROM pragma_table_xinfo(?1)";
        let rows = |connection: &Connection| -> rusqlite::Result<Vec<(String, String)>> {
            connection.prepare(sql)?.query_map([table], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        };
        rows(&self.snapshot.connection).map_err(|cause| error_of(&cause, &self.path))
    }

    /// Whether `sql` is refused because there is no such table.
    pub fn lacks(&self, table: &str, sql: &str) -> bool {
        let refused = self.snapshot.connection.prepare(sql).err();
        refused.is_some_and(|cause| words(&cause) == format!("no such table: {table}"))
    }

    /// Runs `sql`, one query: passes the names of its columns to `begin`, and each row to `take` until that wants no more.
    /// SQLite may take `memory` bytes. After `timeout`, and once `watch` says so, the query is interrupted.
    pub fn query(
        &self,
        sql: &str,
        memory: usize,
        timeout: Option<Duration>,
        watch: Option<&dyn Watch>,
        begin: &mut dyn FnMut(Vec<String>) -> Result<()>,
        take: &mut dyn FnMut(&[SqliteValue<'_>]) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let connection = &self.snapshot.connection;
        if !is_query(sql) {
            return Err(self.no_query());
        }
        let limited =
            connection.pragma_update(None, "hard_heap_limit", i64::try_from(memory).unwrap_or(i64::MAX));
        limited.map_err(|cause| error_of(&cause, &self.path))?;
        let mut statement = connection.prepare(sql).map_err(|cause| self.query_error(&cause))?;
        if !statement.readonly() {
            return Err(self.no_query());
        }
        begin(statement.column_names().map(str::to_owned).collect())?;
        if timeout.is_none() && watch.is_none() {
            return self.rows(&mut statement, take);
        }
        let end = timeout.and_then(|limit| Instant::now().checked_add(limit));
        let handle = connection.get_interrupt_handle();
        let (done, ended) = channel::<()>();
        let stopped = OnceLock::new();
        thread::scope(|scope| {
            let stopped = &stopped;
            let until = move || loop {
                if ended.recv_timeout(CHECK) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
                let unwanted = watch.and_then(|watch| watch.check().err());
                let error = unwanted.map(|cause| Error::read("", &cause));
                let is_late = end.is_some_and(|end| Instant::now() >= end);
                if let Some(error) = error.or_else(|| timeout.filter(|_| is_late).map(too_long)) {
                    let _ = stopped.set(error);
                    return handle.interrupt();
                }
            };
            let watching = thread::Builder::new().spawn_scoped(scope, until);
            watching.map_err(|cause| Error::read("cannot start a thread", &cause))?;
            let rows = self.rows(&mut statement, take);
            drop(done);
            rows.map_err(|error| stopped.get().cloned().unwrap_or(error))
        })
    }

    fn rows(
        &self,
        statement: &mut Statement<'_>,
        take: &mut dyn FnMut(&[SqliteValue<'_>]) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let columns = statement.column_count();
        let failed = |cause: rusqlite::Error| self.query_error(&cause);
        let mut rows = statement.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let values = (0..columns).map(|column| row.get_ref(column));
            let values = values.collect::<rusqlite::Result<Vec<_>>>().map_err(failed)?;
            if take(&values)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// SQLite's complaint about the query, with the names of tables and columns of the database.
    fn query_error(&self, cause: &rusqlite::Error) -> Error {
        if let rusqlite::Error::MultipleStatement = cause {
            return Error::usage("there are several statements; a call runs one query")
                .hint(self.first_rows());
        }
        match cause.sqlite_error_code() {
            None | Some(ErrorCode::Unknown | ErrorCode::TooBig) => {}
            Some(ErrorCode::OutOfMemory) => {
                let message = Sentence::from("the query needs more memory than ").then(setting("memory"));
                let hint = setting("memory").then(" with more, or a query with smaller values");
                return Error::new(Kind::Io, message.then(" allows")).hint(hint);
            }
            Some(_) => return error_of(cause, &self.path),
        }
        let words = words(cause);
        let tables = self.tables().unwrap_or_default();
        if let Some(name) = words.strip_prefix("no such table: ") {
            return self.no_table(name, &tables);
        }
        if let Some(name) = words.strip_prefix("no such column: ") {
            return self.no_column(name, &tables);
        }
        Error::usage(format!("SQLite refuses the query: {words}")).hint(self.first_rows())
    }

    fn no_table(&self, name: &str, tables: &[(String, String)]) -> Error {
        let names: Vec<String> = tables.iter().map(|(name, _)| name.clone()).collect();
        let shown = &names[..names.len().min(NAMED)];
        let more = names.len() - shown.len();
        let others = if more > 0 { format!(" and {more} others") } else { String::new() };
        let there = if names.is_empty() { "no tables".to_owned() } else { listed(shown, "and") + &others };
        // One letter is near to every other.
        let near = nearest(name, names.into_iter()).filter(|_| name.len() > 1);
        Error::usage(format!("there is no table {name}; the database has {there}"))
            .hint(near.map_or_else(|| self.first_rows(), |near| self.rows_of(&near)))
    }

    fn no_column(&self, name: &str, tables: &[(String, String)]) -> Error {
        let message = format!("SQLite refuses the query: no such column: {name}");
        let name = name.rsplit('.').next().unwrap_or(name);
        let columns =
            |table: &String| self.columns(table).unwrap_or_default().into_iter().map(|(name, _)| name);
        let all: BTreeSet<String> = tables.iter().flat_map(|(table, _)| columns(table)).collect();
        let near = nearest(name, all.into_iter());
        let owner = tables.iter().find(|(table, _)| columns(table).any(|column| Some(column) == near));
        let Some((table, _)) = owner.or(tables.first()) else { return Error::usage(message) };
        let there = near.map_or(String::new(), |near| format!("; {table} has {near}"));
        Error::usage(message + &there).hint(self.hint_with(&format!("DESCRIBE {}", identifier(table))))
    }

    fn no_query(&self) -> Error {
        Error::usage("only queries are run: SELECT, WITH, VALUES and EXPLAIN").hint(self.first_rows())
    }

    /// A hint that shows the first rows of the first table.
    fn first_rows(&self) -> Sentence {
        match self.tables().unwrap_or_default().first() {
            Some((table, _)) => self.rows_of(table),
            None => self.hint_with("SHOW TABLES"),
        }
    }

    fn rows_of(&self, table: &str) -> Sentence {
        self.hint_with(&format!("SELECT * FROM {} LIMIT 10", identifier(table)))
    }

    fn hint_with(&self, sql: &str) -> Sentence {
        call("select").file(&*self.path).word(sql).into()
    }
}

/// A name in quotes, unless it is a plain word.
fn identifier(name: &str) -> String {
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !name.starts_with(|first: char| first.is_ascii_digit());
    if is_plain && !name.is_empty() { name.to_owned() } else { super::table::identifier(name) }
}

fn is_query(sql: &str) -> bool {
    let word: String = without_comments(sql).chars().take_while(char::is_ascii_alphabetic).collect();
    QUERIES.contains(&&*word.to_ascii_uppercase())
}

/// `sql` from its first word on.
fn without_comments(sql: &str) -> &str {
    let mut rest = sql.trim_start();
    loop {
        let after = if let Some(comment) = rest.strip_prefix("--") {
            comment.split_once('\n').map(|(_, after)| after)
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/").map(|(_, after)| after)
        } else {
            return rest.trim_start_matches('(').trim_start();
        };
        rest = after.unwrap_or_default().trim_start();
    }
}

fn too_long(limit: Duration) -> Error {
    let waited = humantime::format_duration(limit);
    Error::new(Kind::Io, format!("the query did not finish within {waited}"))
        .hint(Sentence::from("raise ").then(setting("timeout")).then(", or query less data"))
}
