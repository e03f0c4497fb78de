//! The sources of a query: the table of FILE, those of `--table`, or a database.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::{SelectArgs, SetArgs};
use crate::args::file::existing;
use rread_documents::sheets::Sheet;
use rread_reader::reader::Reader;
use rread_source::access::Access;
use rread_source::named_files::{Meaning, meaning};
use rread_source::sqlite::Database;
use rread_sql::files::{FILE, TableFiles};
use rread_sql::{NamedTable, TableSource, dialect};
use rread_text::error::{Error, Result};

/// Endings of the tables in a directory.
const ENDINGS: [&str; 9] = ["csv", "tsv", "tab", "psv", "json", "jsonl", "ndjson", "parquet", "parq"];

/// Names that FILE has.
const NAMES: [&str; 2] = ["t", "s3object"];

/// The engine that answers the query.
pub(super) enum Queried {
    /// The engine, which reads tables.
    Engine { t: TableSource, others: Vec<NamedTable> },
    /// The database itself.
    Database { database: Box<Database>, reader: Arc<Reader> },
}

/// Finds the files of every table.
pub(super) fn of(args: &SelectArgs, sql: &str) -> Result<Queried> {
    let others = named(args)?;
    let t = table(args, sql, &args.files)?;
    if args.table.sheet.is_none()
        && let TableSource::One { reader, path } = &t
        && let Some(database) = Database::of(reader.source(), path, &access(args))?
    {
        if let Some((name, _)) = others.first() {
            let message =
                format!("an SQLite database has tables of its own, and none beside them: --table {name}");
            return Err(Error::usage(message).at(path).hint("leave --table out"));
        }
        let SetArgs { union, no_partitions, skip_unreadable, .. } = args.set;
        let of_sets =
            [(union, "--union"), (no_partitions, "--no-partitions"), (skip_unreadable, "--skip-unreadable")];
        if let Some((_, option)) = of_sets.into_iter().find(|(is_given, _)| *is_given) {
            let message = format!("{option} is for many files, and a database is one");
            return Err(Error::usage(message).at(path).hint(format!("leave {option} out")));
        }
        return Ok(Queried::Database { database: Box::new(database), reader: Arc::clone(reader) });
    }
    let inputs = args.files.iter().chain(others.iter().flat_map(|(_, words)| words));
    if inputs.filter(|word| word.as_os_str() == "-").count() > 1 {
        return Err(Error::usage("standard input can be read once, so it is one table").hint("rread capture"));
    }
    let others = others.into_iter().map(|(name, words)| {
        // As one of many, each error names its file.
        let source = match table(args, sql, &words)? {
            TableSource::One { path, .. } if path != Path::new("-") => many(args, vec![path]),
            source => source,
        };
        Ok(NamedTable { name, source })
    });
    Ok(Queried::Engine { t, others: others.collect::<Result<_>>()? })
}

/// The tables of `--table`, with the words of their files.
fn named(args: &SelectArgs) -> Result<Vec<(String, Vec<PathBuf>)>> {
    let mut tables: Vec<(String, Vec<PathBuf>)> = Vec::new();
    for text in &args.set.table {
        let (name, file) = divided(text).ok_or_else(|| {
            let text = text.to_string_lossy();
            Error::usage(format!("'{text}' is not NAME=FILE")).hint("--table users=users.csv")
        })?;
        if NAMES.iter().any(|own| own.eq_ignore_ascii_case(&name)) {
            let message = format!("{name} is the table of FILE; --table needs another name");
            return Err(Error::usage(message).hint(format!("--table {name}2={}", file.display())));
        }
        match tables.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(&name)) {
            Some((_, words)) => words.push(file),
            None => tables.push((name, vec![file])),
        }
    }
    Ok(tables)
}

fn divided(text: &OsString) -> Option<(String, PathBuf)> {
    let bytes = text.as_encoded_bytes();
    let equals = bytes.iter().position(|byte| *byte == b'=')?;
    let name = std::str::from_utf8(&bytes[..equals]).ok().filter(|name| !name.is_empty())?;
    // The words before and after a character of ASCII are words, whatever the system's encoding is.
    let file = match text.to_str() {
        Some(text) => OsString::from(&text[equals + 1..]),
        None => from_bytes(&bytes[equals + 1..])?,
    };
    (!file.is_empty()).then(|| (name.to_owned(), existing(&file)))
}

#[cfg(unix)]
fn from_bytes(bytes: &[u8]) -> Option<OsString> {
    use std::os::unix::ffi::OsStringExt;
    Some(OsString::from_vec(bytes.to_owned()))
}

#[cfg(not(unix))]
fn from_bytes(_: &[u8]) -> Option<OsString> {
    None
}

/// The table of `words`: one file, which is open, or many.
fn table(args: &SelectArgs, sql: &str, words: &[PathBuf]) -> Result<TableSource> {
    // The files of a client of MCP have names of their own.
    let meant = match words {
        [file] if args.source.opener.is_some() => Meaning::One(file.clone()),
        words => meaning(words, &ENDINGS)?,
    };
    let open = opener(args);
    let paths = match meant {
        Meaning::One(path) if !names_file(args, sql, &path) => {
            let reader = Arc::new(open(&path).map_err(|error| error.about(&path))?);
            return Ok(TableSource::One { reader, path });
        }
        Meaning::One(path) => vec![path],
        Meaning::Many(paths) => paths,
    };
    Ok(many(args, paths))
}

fn opener(args: &SelectArgs) -> impl Fn(&Path) -> Result<Reader> + Send + Sync + use<> {
    let (encoding, access, captured) = (args.encoding.clone(), access(args), args.source.captured);
    move |path: &Path| encoding.open(path, &access, captured)
}

fn many(args: &SelectArgs, paths: Vec<PathBuf>) -> TableSource {
    let SetArgs { union, no_partitions, skip_unreadable, .. } = args.set;
    let (open, partitions) = (Arc::new(opener(args)), !no_partitions);
    TableSource::Many(TableFiles { paths, open, union, partitions, skip_unreadable })
}

/// As a table, a workbook is one sheet.
fn access(args: &SelectArgs) -> Access {
    let sheet = args.table.sheet.clone().map_or(Sheet::First, Sheet::Named);
    Access { sheet: Some(sheet), ..args.source.access() }
}

/// Whether the query asks for the name of the file at `path`.
fn names_file(args: &SelectArgs, sql: &str, path: &Path) -> bool {
    let column = (FILE.to_owned(), String::new());
    path != Path::new("-") && args.source.opener.is_none() && dialect::names_any(sql, &[column])
}
