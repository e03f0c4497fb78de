//! Rows of a table as CSV: a header with the names of its columns, and a line for each row.

use std::borrow::Cow;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Result, Row};

use super::table::{SqlColumn, SqlTable, identifier};
use rread_text::sniff::{Content, SAMPLE, mime};

/// The longest value, in bytes, that is read: a longer one is named.
const LONGEST: u64 = 8 << 20;

/// The most columns with a query for their lengths: SQLite has at most 2,000 results.
const MOST_MEASURED: usize = 900;

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
        let is_measured = names.len() <= MOST_MEASURED;
        let result = |name: &String| {
            let name = identifier(name);
            if !is_measured {
                return name;
            }
            // SQLite knows the length of a value without reading it.
            let is_long = format!("typeof({name}) IN ('text', 'blob') AND octet_length({name}) > {LONGEST}");
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

    /// The query for the rows after `rowid`, or for all.
    pub(super) fn query(&self, after: Option<i64>) -> String {
        let Some(rowid) = self.rowid else { return format!("SELECT {}", self.results) };
        let from = after.map(|after| format!(" WHERE {rowid} > {after}")).unwrap_or_default();
        format!("SELECT {}{from} ORDER BY {rowid}", self.results)
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
                    named(&String::from_utf8_lossy(kind), u64::try_from(length).unwrap_or(0))
                }
                (value, _) => shown(value),
            };
            text.extend(value.as_bytes());
        }
        text.push(b'\n');
        Ok(rowid)
    }
}

/// A value as a field of CSV. NULL is empty, and an empty text is `""`.
fn shown(value: ValueRef<'_>) -> Cow<'_, str> {
    match value {
        ValueRef::Null => Cow::from(""),
        ValueRef::Integer(number) => number.to_string().into(),
        ValueRef::Real(number) => format!("{number:?}").into(),
        ValueRef::Text(bytes) => text(bytes),
        ValueRef::Blob(bytes) => match std::str::from_utf8(bytes) {
            Ok(_) if !bytes.is_empty() && !bytes.iter().any(is_control) => text(bytes),
            _ => {
                let kind = mime(&bytes[..bytes.len().min(SAMPLE)], Content::Binary);
                named(if kind == UNNAMED { "blob" } else { kind }, bytes.len() as u64)
            }
        },
    }
}

fn is_control(byte: &u8) -> bool {
    byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r')
}

/// A value by its type and its length.
fn named(kind: &str, length: u64) -> Cow<'static, str> {
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
            assert_eq!(shown(value), field, "{value:?}");
        }
    }
}
