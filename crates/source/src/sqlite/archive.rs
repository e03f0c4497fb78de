//! SQLite archives: files in the table `sqlar` (SQLite, "SQLite Archive Files").

use rusqlite::types::Value;
use rusqlite::{OptionalExtension, params_from_iter};

use super::search::{FoundValue, Search, Storage, join_names};
use super::table::{Filter, SqlTable};
use crate::member_metadata::{Modified, Recorded};
use crate::near_miss::nearest;
use rread_text::error::{Error, Kind, Result, counted};
use rread_text::sentence::{Sentence, did_you_mean};

/// The most bytes of empty zlib data: header 2, stored block 5, checksum 4 (RFC 1950, 1951).
const NOTHING: u64 = 11;

const COLUMNS: [&str; 5] = ["name", "mode", "mtime", "sz", "data"];

/// The file type of a directory, and the mask of the file type in a mode.
const DIRECTORY: i64 = 0o040_000;
const TYPE: i64 = 0o170_000;

const MOST_COMPARED: u32 = 10_000;

pub(super) fn find(search: &Search, name: &[u8]) -> Result<FoundValue> {
    let Some(table) = table(search)? else { return Err(no_archive(search)?) };
    let filter = Filter::of_text("name", name);
    let cells = search.check(table.cells(search.connection, &filter, "data"))?;
    let Some(cell) = cells.first() else { return Err(no_member(search, name)?) };
    let sql = format!("SELECT mode, mtime, sz FROM sqlar WHERE {} LIMIT 1", filter.condition);
    let (mode, modified, claimed): (Option<i64>, Option<i64>, Value) =
        search.check(search.connection.query_row(&sql, params_from_iter(&filter.values), |row| {
            let number = |column| row.get_ref(column).map(|value| value.as_i64().ok());
            Ok((number(0)?, number(1)?, row.get(2)?))
        }))?;
    if mode.is_some_and(|mode| mode & TYPE == DIRECTORY) {
        return Err(directory(inside(search, name)?));
    }
    let identity = [&b"sqlar\0data\0"[..], name].concat();
    let text_size = match claimed {
        Value::Integer(-1) => return Err(link(search, &table, &filter, name)?),
        Value::Integer(size) => u64::try_from(size).ok(),
        Value::Null if cell.kind == "null" => Some(0),
        _ => None,
    };
    let damaged = |what: String| Error::new(Kind::Io, format!("the archive is damaged: {what}"));
    let Some(text_size) = text_size else {
        return Err(damaged("the column sz is not a valid size".to_owned()));
    };
    let recorded = Some(recorded_from(mode, modified));
    if cell.kind == "null" {
        return match text_size {
            0 => Ok(FoundValue {
                storage: Storage::Memory(Vec::new()),
                size: 0,
                zlib_size: None,
                recorded,
                name: identity,
            }),
            _ => Err(damaged(format!("the file has no data, but should have {text_size} bytes"))),
        };
    }
    let (storage, size) = search.storage(&table, &filter, "data", cell)?;
    // Compressed empty data has a few bytes, but not more than these.
    if text_size == 0 && size > NOTHING {
        return Err(damaged(format!("the file should be empty, but has {}", counted(size, "byte"))));
    }
    let zlib_size = (size != text_size).then_some(text_size);
    Ok(FoundValue { storage, size, zlib_size, recorded, name: identity })
}

/// `None` if the database is not an archive.
pub(super) fn contents(search: &Search) -> Result<Option<Error>> {
    if table(search)?.is_none() {
        return Ok(None);
    }
    let sql = "SELECT count(*) FROM sqlar";
    let count: i64 = search.check(search.connection.query_row(sql, [], |row| row.get(0)))?;
    let count = counted(u64::try_from(count).unwrap_or(0), "entry").replace("entrys", "entries");
    let error = Error::usage(format!("is an archive of {count}; name a file in it"));
    Ok(Some(Error { hint: example(search, "")?, ..error }))
}

/// What the columns `mode` and `mtime` record.
pub(super) fn recorded_from(mode: Option<i64>, modified: Option<i64>) -> Recorded {
    Recorded {
        modified: modified.map_or(Modified::Unknown, |seconds| Modified::Utc(seconds, 0)),
        mode: mode.and_then(|mode| u32::try_from(mode & 0o7777).ok()),
    }
}

pub(super) fn table(search: &Search) -> Result<Option<SqlTable>> {
    let table = search.check(SqlTable::find(search.connection, "sqlar"))?;
    Ok(table
        .filter(|table| table.kind == "table" && COLUMNS.iter().all(|column| table.column(column).is_some())))
}

fn no_archive(search: &Search) -> Result<Error> {
    let names = search.check(SqlTable::names(search.connection))?;
    let message =
        format!("the database is not an archive (an archive has a table sqlar): {}", join_names(&names));
    Ok(Error::new(Kind::NotFound, message).hint(search.example(&names)))
}

/// The command that shows the first file whose name begins with `prefix`.
fn example(search: &Search, prefix: &str) -> Result<Option<Sentence>> {
    let sql = "SELECT name FROM sqlar WHERE substr(name, 1, length(?1)) = ?1 AND sz >= 0 AND mode & 61440 <> 16384 \
               ORDER BY name LIMIT 1";
    let name = search.connection.query_row(sql, [prefix], |row| row.get::<_, String>(0)).optional();
    Ok(search.check(name)?.map(|name| search.address.call(&format!("/{name}")).into()))
}

fn directory(hint: Option<Sentence>) -> Error {
    Error { hint, ..Error::new(Kind::IsDirectory, "is a directory of the archive") }
}

/// The command that shows the first file of the directory `name`.
fn inside(search: &Search, name: &[u8]) -> Result<Option<Sentence>> {
    example(search, &format!("{}/", String::from_utf8_lossy(name).trim_end_matches('/')))
}

/// The error for a link. Links are not followed: they may lead out of the archive.
fn link(search: &Search, table: &SqlTable, filter: &Filter, name: &[u8]) -> Result<Error> {
    let target = search.check(table.bytes(search.connection, filter, "substr(data, 1, 4096)"))?;
    let target = String::from_utf8_lossy(&target).into_owned();
    let error =
        Error::new(Kind::SpecialFile, format!("is a symbolic link to {target}, which is not followed"));
    let resolved = resolve(&String::from_utf8_lossy(name), &target);
    let Some(name) = resolved else { return Ok(error) };
    let filter = Filter::of_text("name", name.as_bytes());
    let is_there = !search.check(table.cells(search.connection, &filter, "sz"))?.is_empty();
    Ok(Error { hint: is_there.then(|| search.address.call(&format!("/{name}")).into()), ..error })
}

/// The target of the link `name`, unless it lies outside the archive.
fn resolve(name: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = name.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    (!target.starts_with('/')).then(|| parts.join("/"))
}

fn no_member(search: &Search, name: &[u8]) -> Result<Error> {
    let text = String::from_utf8_lossy(name);
    if let Some(hint) = inside(search, name)? {
        return Ok(directory(Some(hint)));
    }
    let names = || -> rusqlite::Result<Vec<String>> {
        let mut statement = search.connection.prepare("SELECT name FROM sqlar LIMIT ?1")?;
        // A name that is not UTF-8 cannot be a misspelling of `text`.
        let names = statement.query_map([MOST_COMPARED], |row| Ok(row.get::<_, String>(0).ok()))?;
        names.filter_map(rusqlite::Result::transpose).collect()
    };
    let hint = match nearest(&text, search.check(names())?.into_iter()) {
        Some(near) => Some(did_you_mean(search.address.path(&format!("/{near}")))),
        None => example(search, "")?,
    };
    Ok(Error { hint, ..Error::new(Kind::NotFound, format!("there is no {text} in the archive")) })
}
