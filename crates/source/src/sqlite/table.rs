//! The schema of a table, and one value of a row.

use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, OptionalExtension, Result, params, params_from_iter};

/// Names of the row number, unless a column has the same name (SQLite, "ROWIDs and the INTEGER PRIMARY KEY").
const ROWIDS: [&str; 3] = ["rowid", "_rowid_", "oid"];

/// The value of `hidden` of a generated column that is not stored.
const VIRTUAL: u32 = 2;

const MOST_NAMES: u32 = 1000;

pub(super) struct SqlTable {
    pub(super) name: String,
    /// `table`, `view`, `virtual` or `shadow`.
    pub(super) kind: String,
    pub(super) columns: Vec<SqlColumn>,
    pub(super) rowid: Option<&'static str>,
}

pub(super) struct SqlColumn {
    pub(super) name: String,
    declared: String,
    /// Its position in the primary key, from 1; 0 if it is not in the key.
    key: u32,
    is_generated: bool,
    /// Whether its values are not stored.
    pub(super) is_computed: bool,
}

pub(super) struct Cell {
    pub(super) rowid: Option<i64>,
    /// `null`, `integer`, `real`, `text` or `blob`.
    pub(super) kind: String,
    pub(super) size: u64,
}

pub(super) struct Filter {
    pub(super) condition: String,
    pub(super) values: Vec<Value>,
}

impl SqlTable {
    pub(super) fn find(connection: &Connection, name: &str) -> Result<Option<Self>> {
        let sql = "SELECT name, type, wr FROM pragma_table_list \
                   WHERE schema = 'main' AND name = ?1 COLLATE NOCASE";
        let found = connection
            .query_row(sql, [name], |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, bool>(2)?)))
            .optional()?;
        let Some((name, kind, is_without_rowid)): Option<(String, String, bool)> = found else {
            return Ok(None);
        };
        let mut statement =
            connection.prepare("SELECT name, type, pk, hidden FROM pragma_table_xinfo(?1, 'main')")?;
        let columns = statement.query_map([&name], |row| {
            Ok(SqlColumn {
                name: row.get(0)?,
                declared: row.get(1)?,
                key: row.get(2)?,
                is_generated: row.get::<_, u32>(3)? > 0,
                is_computed: row.get::<_, u32>(3)? == VIRTUAL,
            })
        })?;
        let columns = columns.collect::<Result<Vec<_>>>()?;
        let is_free = |rowid: &&str| columns.iter().all(|column| !column.name.eq_ignore_ascii_case(rowid));
        let rowid = ROWIDS.into_iter().find(is_free).filter(|_| !is_without_rowid);
        Ok(Some(SqlTable { name, kind, columns, rowid }))
    }

    pub(super) fn names(connection: &Connection) -> Result<Vec<String>> {
        let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
                   ORDER BY rowid LIMIT ?1";
        connection.prepare(sql)?.query_map([MOST_NAMES], |row| row.get(0))?.collect()
    }

    pub(super) fn column(&self, name: &str) -> Option<&SqlColumn> {
        self.columns.iter().find(|column| column.name.eq_ignore_ascii_case(name))
    }

    pub(super) fn key(&self) -> Vec<&SqlColumn> {
        let mut key: Vec<&SqlColumn> = self.columns.iter().filter(|column| column.key > 0).collect();
        key.sort_by_key(|column| column.key);
        key
    }

    /// The only column for text or blobs outside the primary key.
    pub(super) fn only_content(&self) -> Option<&SqlColumn> {
        let mut contents = self.columns.iter().filter(|column| column.key == 0 && column.is_for_content());
        contents.next().filter(|_| contents.next().is_none())
    }

    /// Whether SQLite can read its values in pieces.
    pub(super) fn has_pieces(&self) -> bool {
        self.rowid.is_some() && self.kind != "view" && !self.columns.iter().any(|column| column.is_generated)
    }

    /// The cells of `column` in the rows of `filter`, at most two.
    pub(super) fn cells(&self, connection: &Connection, filter: &Filter, column: &str) -> Result<Vec<Cell>> {
        let column = identifier(column);
        let sql = format!(
            "SELECT {}, typeof({column}), octet_length({column}) FROM {} WHERE {} LIMIT 2",
            self.rowid.unwrap_or("NULL"),
            identifier(&self.name),
            filter.condition
        );
        let mut statement = connection.prepare(&sql)?;
        let cells = statement.query_map(params_from_iter(&filter.values), |row| {
            let size = row.get::<_, Option<i64>>(2)?.unwrap_or(0);
            Ok(Cell { rowid: row.get(0)?, kind: row.get(1)?, size: u64::try_from(size).unwrap_or(0) })
        })?;
        cells.collect()
    }

    /// The bytes of `expression` in the row of `filter`; text comes as UTF-8, whatever the storage.
    pub(super) fn bytes(
        &self,
        connection: &Connection,
        filter: &Filter,
        expression: &str,
    ) -> Result<Vec<u8>> {
        let table = identifier(&self.name);
        let sql = format!("SELECT {expression} FROM {table} WHERE {} LIMIT 1", filter.condition);
        connection.query_row(&sql, params_from_iter(&filter.values), |row| {
            Ok(match row.get_ref(0)? {
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.to_vec(),
                _ => Vec::new(),
            })
        })
    }
}

impl SqlColumn {
    /// Whether its declared type is for text or blobs (SQLite, "Datatypes", section 3.1).
    fn is_for_content(&self) -> bool {
        let declared = self.declared.to_ascii_uppercase();
        let is = |word: &str| declared.contains(word);
        !is("INT") && (declared.is_empty() || is("BLOB") || is("CHAR") || is("CLOB") || is("TEXT"))
    }
}

impl Filter {
    /// The row with these values of the primary key: texts, integers or blobs.
    pub(super) fn of_keys<'a>(names: impl Iterator<Item = &'a str>, keys: &[Vec<u8>]) -> Self {
        let (mut conditions, mut values) = (Vec::new(), Vec::new());
        for (name, key) in names.zip(keys) {
            let before = values.len();
            if let Ok(text) = std::str::from_utf8(key) {
                values.push(Value::Text(text.to_owned()));
                values.extend(text.parse().ok().map(Value::Integer));
            }
            values.push(Value::Blob(key.clone()));
            let marks: Vec<String> = (before + 1..=values.len()).map(|n| format!("?{n}")).collect();
            conditions.push(format!("{} IN ({})", identifier(name), marks.join(", ")));
        }
        Filter { condition: conditions.join(" AND "), values }
    }

    /// The row whose column `name` equals this text, UTF-8 or not.
    pub(super) fn of_text(name: &str, text: &[u8]) -> Self {
        let value = match std::str::from_utf8(text) {
            Ok(text) => Value::Text(text.to_owned()),
            Err(_) => Value::Blob(text.to_owned()),
        };
        // The cast affects only blobs.
        Filter { condition: format!("{} = CAST(?1 AS TEXT)", identifier(name)), values: vec![value] }
    }
}

pub(super) fn is_utf16(connection: &Connection) -> Result<bool> {
    let name: String = connection.query_row("PRAGMA encoding", params![], |row| row.get(0))?;
    Ok(name.starts_with("UTF-16"))
}

/// `name` as an SQL identifier, with quotes.
pub(super) fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
