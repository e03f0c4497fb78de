//! Lists the members of an SQLite archive, the table `sqlar`, in constant memory.

use std::path::Path;

use rusqlite::Row;
use rusqlite::types::ValueRef;

use super::address::{DatabaseAddress, Target};
use super::archive::{recorded_from, table};
use super::search::Search;
use super::snapshot::Snapshot;
use crate::member_metadata::{EntryKind, Listed};
use rread_text::error::Result;

/// The file types in a mode, and their mask.
const TYPE: i64 = 0o170_000;
const DIRECTORY: i64 = 0o040_000;
const SYMBOLIC_LINK: i64 = 0o120_000;
const REGULAR: i64 = 0o100_000;

/// Calls `each` with every member, until it returns false. Returns whether the database `path` is an archive.
pub fn list(path: &Path, each: &mut dyn FnMut(Listed) -> Result<bool>) -> Result<bool> {
    let snapshot = Snapshot::open(path)?;
    let address = DatabaseAddress { database: path.to_owned(), target: Target::Nothing };
    let search = Search { connection: &snapshot.connection, address: &address };
    let Some(table) = table(&search)? else { return Ok(false) };
    let sql = format!(
        "SELECT name, mode, mtime, sz, CASE sz WHEN -1 THEN substr(data, 1, 4096) END FROM sqlar ORDER BY {}",
        table.rowid.unwrap_or("name")
    );
    let mut statement = search.check(search.connection.prepare(&sql))?;
    let mut rows = search.check(statement.query([]))?;
    while let Some(row) = search.check(rows.next())? {
        if !each(search.check(list_row(row))?)? {
            break;
        }
    }
    Ok(true)
}

fn list_row(row: &Row<'_>) -> rusqlite::Result<Listed> {
    let number = |column| row.get_ref(column).map(|value| value.as_i64().ok());
    let bytes = |column| {
        row.get_ref(column).map(|value| match value {
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(bytes.to_owned()),
            _ => None,
        })
    };
    let (mode, size) = (number(1)?, number(3)?);
    let kind = match (size, mode.map(|mode| mode & TYPE)) {
        (Some(-1), _) | (_, Some(SYMBOLIC_LINK)) => EntryKind::SymbolicLink(bytes(4)?),
        (_, Some(DIRECTORY)) => EntryKind::Directory,
        (_, None | Some(0 | REGULAR)) => EntryKind::File,
        _ => EntryKind::Other,
    };
    Ok(Listed {
        name: bytes(0)?.unwrap_or_default(),
        other_name: None,
        kind,
        size: size.and_then(|size| u64::try_from(size).ok()).unwrap_or(0),
        recorded: recorded_from(mode, number(2)?),
        is_encrypted: false,
    })
}
