//! The schema of a table, one value of a row, and rows as CSV.

use std::borrow::Cow;

use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, OptionalExtension, Result, Row, params_from_iter};

use rread_text::sniff::{Content, SAMPLE, mime};

/// Names of the row number, unless a column has the same name (SQLite, "ROWIDs and the INTEGER PRIMARY KEY").
const ROWIDS: [&str; 3] = ["rowid", "_rowid_", "oid"];

/// The value of `hidden` of a generated column that is not stored.
const VIRTUAL: u32 = 2;

const MAX_NAMES: u32 = 1000;

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
    /// Whether its values are not stored.
    pub(super) is_computed: bool,
}

pub(super) struct Cell {
    /// `null`, `integer`, `real`, `text` or `blob`.
    pub(super) kind: String,
    pub(super) size: u64,
    /// The bytes of a text or a blob that is not too long; text is UTF-8, whatever the storage.
    pub(super) bytes: Option<Vec<u8>>,
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
        connection.prepare(sql)?.query_map([MAX_NAMES], |row| row.get(0))?.collect()
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

    /// The cells of `column` in the rows of `filter`, at most two; each with its bytes, if it has at most `limit`.
    pub(super) fn cells(
        &self,
        connection: &Connection,
        filter: &Filter,
        column: &str,
        limit: u64,
    ) -> Result<Vec<Cell>> {
        let column = identifier(column);
        let sql = format!(
            "SELECT typeof({column}), octet_length({column}), \
             CASE WHEN octet_length({column}) <= {limit} THEN {column} END FROM {} WHERE {} LIMIT 2",
            identifier(&self.name),
            filter.condition
        );
        let mut statement = connection.prepare(&sql)?;
        let cells = statement.query_map(params_from_iter(&filter.values), |row| {
            let size = row.get::<_, Option<i64>>(1)?.unwrap_or(0);
            let bytes = match row.get_ref(2)? {
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(bytes.to_vec()),
                _ => None,
            };
            Ok(Cell { kind: row.get(0)?, size: u64::try_from(size).unwrap_or(0), bytes })
        })?;
        cells.collect()
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
}

/// `name` as an SQL identifier, with quotes.
pub(super) fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The longest value, in bytes, that is read: a longer one is named.
const MAX_VALUE: u64 = 8 << 20;

/// The most columns with a query for their lengths: SQLite has at most 2,000 results.
const MAX_MEASURED: usize = 900;

/// The media type of bytes without one.
const UNNAMED: &str = "application/octet-stream";

/// A table and the query for its rows.
pub(super) struct TableText {
    pub(super) name: String,
    names: Vec<String>,
    rowid: Option<&'static str>,
    is_measured: bool,
    /// The results of the query for the columns, and the table.
    results: String,
}

impl TableText {
    fn new(table: &SqlTable) -> Self {
        let columns: Vec<&SqlColumn> = table.columns.iter().filter(|column| !column.is_computed).collect();
        let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        let is_measured = names.len() <= MAX_MEASURED;
        let result = |name: &String| {
            let name = identifier(name);
            if !is_measured {
                return name;
            }
            // SQLite knows the length of a value without reading it.
            let is_long =
                format!("typeof({name}) IN ('text', 'blob') AND octet_length({name}) > {MAX_VALUE}");
            format!(
                "CASE WHEN {is_long} THEN typeof({name}) ELSE {name} END, \
                 CASE WHEN {is_long} THEN octet_length({name}) END"
            )
        };
        let results: Vec<String> = names.iter().map(result).collect();
        let rowid = table.rowid.map(|rowid| format!("{rowid}, ")).unwrap_or_default();
        let results = if results.is_empty() { "NULL".to_owned() } else { results.join(", ") };
        let results = format!("{rowid}{results} FROM {}", identifier(&table.name));
        TableText { name: table.name.clone(), names, rowid: table.rowid, is_measured, results }
    }

    /// The tables whose rows are text, in the order in which they were created: no views, and of virtual tables only the
    /// rows that a table of full text keeps.
    pub(super) fn all(connection: &Connection) -> Result<Vec<Self>> {
        let sql = "SELECT schema.name FROM sqlite_schema AS schema JOIN pragma_table_list AS list \
             ON list.name = schema.name AND list.schema = 'main' \
             WHERE schema.type = 'table' AND schema.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
             AND (list.type = 'table' OR list.type = 'shadow' AND schema.name LIKE '%\\_content' ESCAPE '\\') \
             ORDER BY schema.rowid";
        let mut statement = connection.prepare(sql)?;
        let names = statement.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>>>()?;
        let tables = names.iter().filter_map(|name| SqlTable::find(connection, name).transpose());
        tables.map(|table| table.map(|table| TableText::new(&table))).collect()
    }

    /// The query for the rows after the first `rows`, the last of which has the rowid `after`.
    pub(super) fn query(&self, rows: u64, after: Option<i64>) -> String {
        let results = &self.results;
        match (self.rowid, after) {
            (Some(rowid), Some(after)) => {
                format!("SELECT {results} WHERE {rowid} > {after} ORDER BY {rowid}")
            }
            (Some(rowid), None) => format!("SELECT {results} ORDER BY {rowid}"),
            (None, _) => format!("SELECT {results} LIMIT -1 OFFSET {rows}"),
        }
    }

    /// The bytes of text to make at once: without rowids, SQLite steps over all rows before a block.
    pub(super) fn block_size(&self) -> usize {
        if self.rowid.is_some() { 256 << 10 } else { 16 << 20 }
    }

    /// The line of the header.
    pub(super) fn header(&self) -> String {
        let names: Vec<Cow<'_, str>> =
            self.names.iter().map(|name| field(Cow::from(name.as_str()))).collect();
        names.join(",") + "\n"
    }

    /// Adds the line of `row` to `text`; returns its rowid, if the table has them.
    pub(super) fn write(&self, row: &Row<'_>, text: &mut Vec<u8>) -> Result<Option<i64>> {
        let rowid = self.rowid.map(|_| row.get::<_, i64>(0)).transpose()?;
        let first = usize::from(rowid.is_some());
        let step = if self.is_measured { 2 } else { 1 };
        for at in 0..self.names.len() {
            if at > 0 {
                text.push(b',');
            }
            let place = first + at * step;
            let length = if self.is_measured { row.get::<_, Option<i64>>(place + 1)? } else { None };
            let value = match (row.get_ref(place)?, length) {
                (ValueRef::Text(kind), Some(length)) => {
                    describe(&String::from_utf8_lossy(kind), u64::try_from(length).unwrap_or(0))
                }
                (value, _) => field_of(value),
            };
            text.extend(value.as_bytes());
        }
        text.push(b'\n');
        Ok(rowid)
    }
}

/// A value as a field of CSV. NULL is empty, and an empty text is `""`.
fn field_of(value: ValueRef<'_>) -> Cow<'_, str> {
    match value {
        ValueRef::Null => Cow::from(""),
        ValueRef::Integer(number) => number.to_string().into(),
        ValueRef::Real(number) => format!("{number:?}").into(),
        ValueRef::Text(bytes) => text(bytes),
        ValueRef::Blob(bytes) => match std::str::from_utf8(bytes) {
            Ok(_) if !bytes.is_empty() && !bytes.iter().any(is_control) => text(bytes),
            _ => {
                let kind = mime(&bytes[..bytes.len().min(SAMPLE)], Content::Binary);
                describe(if kind == UNNAMED { "blob" } else { kind }, bytes.len() as u64)
            }
        },
    }
}

fn is_control(byte: &u8) -> bool {
    byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r')
}

/// A value by its type and its length.
fn describe(kind: &str, length: u64) -> Cow<'static, str> {
    let s = if length == 1 { "" } else { "s" };
    format!("<{kind} {length} byte{s}>").into()
}

fn text(bytes: &[u8]) -> Cow<'_, str> {
    if bytes.is_empty() {
        return Cow::from("\"\"");
    }
    let text = String::from_utf8_lossy(bytes);
    // A NUL would make the text binary.
    field(if text.contains('\0') { text.replace('\0', "\u{FFFD}").into() } else { text })
}

/// `text` with quotes, if it needs them.
fn field(text: Cow<'_, str>) -> Cow<'_, str> {
    let needs_quotes = text.contains([',', '"', '\n', '\r']) || text.starts_with(' ') || text.ends_with(' ');
    if needs_quotes { format!("\"{}\"", text.replace('"', "\"\"")).into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_fields() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
        for (value, field) in [
            (ValueRef::Null, ""),
            (ValueRef::Integer(-5), "-5"),
            (ValueRef::Integer(i64::MIN), "-9223372036854775808"),
            (ValueRef::Real(1.0), "1.0"),
            (ValueRef::Real(0.1), "0.1"),
            (ValueRef::Real(1e300), "1e300"),
            (ValueRef::Text(b""), "\"\""),
            (ValueRef::Text(b"a b"), "a b"),
            (ValueRef::Text(b" a"), "\" a\""),
            (ValueRef::Text(b"a,b"), "\"a,b\""),
            (ValueRef::Text(b"say \"x\"\n"), "\"say \"\"x\"\"\n\""),
            (ValueRef::Text(b"caf\xE9\0"), "caf\u{FFFD}\u{FFFD}"),
            (ValueRef::Blob(b""), "<blob 0 bytes>"),
            (ValueRef::Blob(b"\0"), "<blob 1 byte>"),
            (ValueRef::Blob(b"\xFF\xFEab"), "<blob 4 bytes>"),
            (ValueRef::Blob(b"text, in a blob\n"), "\"text, in a blob\n\""),
            (ValueRef::Blob("größe".as_bytes()), "größe"),
            (ValueRef::Blob(b"a\x1b[0m"), "<blob 5 bytes>"),
            (ValueRef::Blob(png), "<image/png 16 bytes>"),
        ] {
            assert_eq!(field_of(value), field, "{value:?}");
        }
    }
}
