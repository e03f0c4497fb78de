//! A value of a database as a source: parses its address, and reads it whole by one statement.

use std::path::PathBuf;
use std::{fs, io};

use rusqlite::Connection;
use xxhash_rust::xxh3::Xxh3;

use super::snapshot::{Snapshot, error_of, percent_encode};
use super::table::{Cell, Filter, SqlColumn, SqlTable, identifier};
use crate::member_address::prefixes;
use crate::spelling::{near_miss, nearest};
use crate::version::{FileVersion, Stamp, Version};
use crate::{MemorySource, Source};
use rread_text::sentence::file;
use rread_text::{Call, Error, Kind, Result, Sentence, call, counted, did_you_mean, quoted_word, shell};

/// The longest value, in bytes, that is read.
const MAX_VALUE: u64 = 64 << 20;

/// A value that was read.
pub(super) struct ValueSource {
    bytes: MemorySource,
    version: Version,
}

impl ValueSource {
    pub(super) fn open(address: &DatabaseAddress) -> Result<Self> {
        let snapshot = Snapshot::open(&address.database)?;
        let (bytes, identity) = Search { connection: &snapshot.connection, address }.find()?;
        if !snapshot.is_valid().map_err(|cause| Error::read("cannot read the database", &cause))? {
            let message = "the database was changed while it was read";
            return Err(Error::new(Kind::Io, message).hint("run the same command again"));
        }
        let version = version(&snapshot, bytes.len() as u64, &identity);
        Ok(ValueSource { bytes: MemorySource::new(bytes), version })
    }
}

impl Source for ValueSource {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.bytes.read_at(buffer, offset)
    }

    fn inner(&self) -> Option<&dyn Source> {
        Some(&self.bytes)
    }

    fn version(&self) -> io::Result<Option<Version>> {
        Ok(Some(self.version.clone()))
    }
}

/// Any change in the database changes the version.
fn version(snapshot: &Snapshot, size: u64, identity: &[u8]) -> Version {
    let mut hash = Xxh3::new();
    hash.update(&snapshot.state.to_le_bytes());
    hash.update(identity);
    let digest = hash.digest128();
    // The digest replaces time and sample.
    let stamp = Stamp { size, modified: i128::try_from(digest >> 64).unwrap_or(0), ..snapshot.stamp };
    #[allow(clippy::cast_possible_truncation)]
    let sample = digest as u64;
    Version::File(FileVersion::new(&stamp, sample))
}

/// A search in one database.
struct Search<'a> {
    connection: &'a Connection,
    address: &'a DatabaseAddress,
}

impl Search<'_> {
    /// The bytes of the value, and what identifies it among all values of the database.
    fn find(&self) -> Result<(Vec<u8>, Vec<u8>)> {
        let query = &self.address.key;
        let Some(name) = &query.table else { return Err(self.no_value_error()?) };
        let Some(table) = self.check(SqlTable::find(self.connection, name))? else {
            return Err(self.no_table(name)?);
        };
        self.refuse_others(&table)?;
        let filter = self.row(&table, query)?;
        let column = self.column(&table, query)?;
        let mut cells = self.check(table.cells(self.connection, &filter, &column.name, MAX_VALUE))?;
        let (Some(cell), true) = (cells.pop(), cells.is_empty()) else {
            return Err(match cells.len() {
                0 => {
                    let keys: Vec<_> = query.keys.iter().map(|key| String::from_utf8_lossy(key)).collect();
                    let message = format!("table {} has no row with the key {}", table.name, keys.join(", "));
                    Error::new(Kind::NotFound, message).hint(self.select(&table))
                }
                _ => Error::usage("the key matches more than one row: as a text, and as a number or a blob"),
            });
        };
        let names = [table.name.as_bytes(), column.name.as_bytes()];
        let identity: Vec<&[u8]> = names.into_iter().chain(query.keys.iter().map(Vec::as_slice)).collect();
        Ok((self.bytes(&table, &column.name, cell)?, identity.join(&0)))
    }

    fn bytes(&self, table: &SqlTable, column: &str, cell: Cell) -> Result<Vec<u8>> {
        let what = format!("column {column} of table {}", table.name);
        let error = match (cell.kind.as_str(), cell.bytes) {
            ("text" | "blob", Some(bytes)) => return Ok(bytes),
            ("text" | "blob", None) => Error::new(
                Kind::Io,
                format!("{what} has {} bytes in that row; rread reads at most {MAX_VALUE} bytes", cell.size),
            ),
            ("null", _) => Error::new(Kind::NotFound, format!("{what} is NULL in that row")),
            (kind, _) => {
                let a = if kind == "integer" { "an" } else { "a" };
                Error::usage(format!("{what} is {a} {kind} in that row; rread reads only texts and blobs"))
            }
        };
        Err(error.hint(self.select(table)))
    }

    /// Refuses views and virtual tables: only tables have rows with a key.
    fn refuse_others(&self, table: &SqlTable) -> Result<()> {
        let what = match table.kind.as_str() {
            "view" => "a view",
            "virtual" => "a virtual table",
            _ => return Ok(()),
        };
        Err(Error::usage(format!("{} is {what}; rread reads only rows of tables", table.name))
            .hint(self.select(table)))
    }

    fn row(&self, table: &SqlTable, query: &ValueKey) -> Result<Filter> {
        let key: Vec<&str> = table.key().into_iter().map(|column| column.name.as_str()).collect();
        let key = if key.is_empty() { table.rowid.into_iter().collect() } else { key };
        if query.keys.len() == key.len() && !key.is_empty() {
            return Ok(Filter::of_keys(key.into_iter(), &query.keys));
        }
        let columns: Vec<String> = key.iter().map(|name| format!("key=({name})")).collect();
        let message = format!(
            "the primary key of table {} is {}, but {} given",
            table.name,
            key.join(", "),
            match query.keys.len() {
                0 => "no key is".to_owned(),
                1 => "1 key is".to_owned(),
                several => format!("{several} keys are"),
            }
        );
        let table = percent_encode(table.name.as_bytes());
        Err(Error::usage(message).hint(self.address.call(&format!("?table={table}&{}", columns.join("&")))))
    }

    fn column<'t>(&self, table: &'t SqlTable, query: &ValueKey) -> Result<&'t SqlColumn> {
        let names = || table.columns.iter().map(|column| column.name.clone());
        let Some(name) = &query.column else {
            return table.only_content().ok_or_else(|| {
                let first = names().find(|name| table.key().iter().all(|key| key.name != *name));
                let columns = names().collect::<Vec<_>>().join(", ");
                let message = format!("table {} has several columns ({columns}): name one", table.name);
                let name = first.unwrap_or_else(|| "COLUMN".to_owned());
                Error::usage(message).hint(call("stat").file(self.with_column(query, &name)))
            });
        };
        table.column(name).ok_or_else(|| {
            let columns = names().collect::<Vec<_>>().join(", ");
            let message = format!("table {} has no column {name}: it has {columns}", table.name);
            let near = nearest(name, names());
            let hint = near.map(|near| did_you_mean(self.with_column(query, &near)));
            Error { hint, ..Error::new(Kind::NotFound, message) }
        })
    }

    fn with_column(&self, query: &ValueKey, column: &str) -> String {
        let keys: String = query.keys.iter().map(|key| format!("&key={}", percent_encode(key))).collect();
        let table = percent_encode(query.table.as_deref().unwrap_or_default().as_bytes());
        self.address.path(&format!("?table={table}{keys}&column={}", percent_encode(column.as_bytes())))
    }

    fn no_table(&self, name: &str) -> Result<Error> {
        let names = self.check(SqlTable::names(self.connection))?;
        let error = Error::new(Kind::NotFound, format!("there is no table {name}: {}", join_names(&names)));
        let hint = nearest(name, names.into_iter()).map(|near| {
            let query = format!("?table={}&key=KEY", percent_encode(near.as_bytes()));
            did_you_mean(self.address.path(&query))
        });
        Ok(Error { hint, ..error })
    }

    /// The error for an address that names only a database.
    fn no_value_error(&self) -> Result<Error> {
        let names = self.check(SqlTable::names(self.connection))?;
        let error = Error::usage(format!("is a database; name a value in it: {}", join_names(&names)));
        Ok(error.hint(self.example(&names)))
    }

    fn check<T>(&self, result: rusqlite::Result<T>) -> Result<T> {
        result.map_err(|cause| error_of(&cause, &self.address.database))
    }

    /// A hint with the address of a value in one of the tables.
    fn example(&self, names: &[String]) -> Call {
        let table = names.first().map_or_else(|| "TABLE".to_owned(), |name| percent_encode(name.as_bytes()));
        self.address.call(&format!("?table={table}&key=KEY&column=COLUMN"))
    }

    fn select(&self, table: &SqlTable) -> Sentence {
        let sql = format!("SELECT * FROM {} LIMIT 10", identifier(&table.name));
        shell("sqlite3 ").then(file(&self.address.database)).then(shell(format!(" {}", quoted_word(&sql))))
    }
}

fn join_names(names: &[String]) -> String {
    if names.is_empty() {
        return "it has no tables".to_owned();
    }
    let more = if names.len() > 10 { ", …" } else { "" };
    let first = names[..names.len().min(10)].join(", ");
    format!("it has {}: {first}{more}", counted(names.len() as u64, "table"))
}

const FORM: &str = "sqlite:DATABASE?table=TABLE&key=KEY&column=COLUMN";

#[derive(Debug)]
pub(super) struct DatabaseAddress {
    pub(super) database: PathBuf,
    pub(super) key: ValueKey,
}

/// One value of a table; parts may be missing.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ValueKey {
    pub(super) table: Option<String>,
    /// The values of the primary key, one per column, in order.
    pub(super) keys: Vec<Vec<u8>>,
    pub(super) column: Option<String>,
}

impl DatabaseAddress {
    /// Parses `rest`, the address after `sqlite:`. The database is the longest prefix that is a regular file.
    pub(super) fn parse(rest: &[u8]) -> Result<Self> {
        let found = prefixes(rest, b"?")
            .rev()
            .find_map(|(database, rest)| database.is_file().then(|| (database.to_owned(), rest)));
        match found {
            Some((database, rest)) => Ok(DatabaseAddress { database, key: ValueKey::parse(rest)? }),
            None => Err(no_database(rest)),
        }
    }

    pub(super) fn call(&self, rest: &str) -> Call {
        call("stat").file(self.path(rest))
    }

    pub(super) fn path(&self, rest: &str) -> String {
        format!("sqlite:{}{rest}", self.database.display())
    }
}

impl ValueKey {
    /// Parses the part of an address after the database: nothing without a `?`.
    fn parse(rest: &[u8]) -> Result<Self> {
        let mut query = ValueKey::default();
        let [b'?', text @ ..] = rest else { return Ok(query) };
        for part in text.split(|byte| *byte == b'&').filter(|part| !part.is_empty()) {
            let equals = part.iter().position(|byte| *byte == b'=').unwrap_or(part.len());
            let value = percent_decode(part.get(equals + 1..).unwrap_or_default())?;
            let name = || String::from_utf8_lossy(&value).into_owned();
            let given_before = match &part[..equals] {
                b"table" => query.table.replace(name()).is_some(),
                b"column" => query.column.replace(name()).is_some(),
                b"key" => {
                    query.keys.push(value);
                    false
                }
                other => {
                    let other = String::from_utf8_lossy(other);
                    let message = format!(
                        "'{other}' is not a parameter of an address; the parameters are table, key and column"
                    );
                    return Err(Error::usage(message).hint(FORM));
                }
            };
            if given_before {
                let name = String::from_utf8_lossy(&part[..equals]);
                return Err(Error::usage(format!("{name} is given twice")).hint(FORM));
            }
        }
        Ok(query)
    }
}

/// `text` without percent-encoding (RFC 3986, section 2.1). A `+` stays a `+`.
fn percent_decode(text: &[u8]) -> Result<Vec<u8>> {
    let is_byte = |code: &[u8]| code.len() == 3 && code[1..].iter().all(u8::is_ascii_hexdigit);
    let mut codes = memchr::memchr_iter(b'%', text).map(|at| &text[at..text.len().min(at + 3)]);
    if let Some(wrong) = codes.find(|code| !is_byte(code)) {
        let start = String::from_utf8_lossy(wrong);
        return Err(Error::usage(format!("'{start}' is not a percent-encoded byte"))
            .hint("write %25 for %, %26 for &, %20 for a space"));
    }
    Ok(percent_encoding::percent_decode(text).collect())
}

fn no_database(rest: &[u8]) -> Error {
    if rest.is_empty() {
        return Error::usage("does not name a database").hint(call("lines").file(FORM));
    }
    for (database, _) in prefixes(rest, b"?") {
        if let Err(cause) = fs::metadata(database) {
            let error = Error::read(&format!("cannot open the database {}", database.display()), &cause);
            let hint = near_miss(database).map(|near| did_you_mean(format!("sqlite:{}", near.display())));
            return Error { hint, ..error };
        }
    }
    let path = String::from_utf8_lossy(rest);
    Error::new(Kind::NotFound, format!("does not name a database: {path} is not a regular file"))
        .hint(shell("ls -l ").then(file(&*path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(text: &str) -> ValueKey {
        ValueKey::parse(format!("?{text}").as_bytes()).unwrap()
    }

    #[test]
    fn addresses_are_parsed() {
        assert_eq!(ValueKey::parse(b"").unwrap(), ValueKey::default());
        assert_eq!(ValueKey::parse(b"/a?table=x%20").unwrap(), ValueKey::default());
        let found = query("table=a%20%26b&key=%FFk=+&column=%25");
        assert_eq!((found.table.as_deref(), found.column.as_deref()), (Some("a &b"), Some("%")));
        assert_eq!(found.keys, [b"\xFFk=+".to_vec()]);
        assert_eq!(
            query("key=1&key=&key"),
            ValueKey { keys: vec![b"1".to_vec(), vec![], vec![]], ..query("") }
        );
    }

    #[test]
    fn invalid_parameters_are_refused() {
        for text in ["tables=x", "table=a&table=b", "key=%", "key=%4", "key=%zz", "column=a&column=a", "x"] {
            assert!(ValueKey::parse(format!("?{text}").as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn encoding_round_trips() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(percent_decode(percent_encode(&all).as_bytes()).unwrap(), all);
    }
}
