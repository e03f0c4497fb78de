//! Databases made by SQLite itself.

use std::path::{Path, PathBuf};

use miniz_oxide::deflate::compress_to_vec_zlib;
use rread_source::rusqlite::{Connection, params};
use rread_source::{Source, open, read_full};
use rread_text::error::Error;

/// Creates the database at `path` and runs `sql` in it.
pub fn make(path: &Path, sql: &str) -> Connection {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch("PRAGMA synchronous = OFF").unwrap();
    connection.execute_batch(sql).unwrap();
    connection
}

/// The table of an archive.
pub const SQLAR: &str = "CREATE TABLE sqlar(name TEXT PRIMARY KEY, mode INT, mtime INT, sz INT, data BLOB);";

/// Adds a file to an archive, compressed if that makes it shorter.
pub fn archive(connection: &Connection, name: &str, bytes: &[u8]) {
    let packed = compress_to_vec_zlib(bytes, 6);
    let data = if packed.len() < bytes.len() { &packed[..] } else { bytes };
    insert(connection, name, bytes.len() as u64, data);
}

/// Adds a file to an archive with the given row.
pub fn insert(connection: &Connection, name: &str, size: u64, data: &[u8]) {
    let size = i64::try_from(size).unwrap();
    let row = params![name, 0o100_644, 0, size, data];
    connection.execute("INSERT INTO sqlar VALUES(?1, ?2, ?3, ?4, ?5)", row).unwrap();
}

/// The address of `rest` in a database.
pub fn address(database: &Path, rest: &str) -> PathBuf {
    PathBuf::from(format!("sqlite:{}{rest}", database.display()))
}

pub fn source(database: &Path, rest: &str) -> Result<Box<dyn Source>, Error> {
    open::open(&address(database, rest))
}

/// All bytes of `source`, or the error.
pub fn all(source: &dyn Source) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut piece = vec![0; 70_000];
    loop {
        match read_full(source, &mut piece, bytes.len() as u64)? {
            0 => return Ok(bytes),
            got => bytes.extend(&piece[..got]),
        }
    }
}

/// The names in the folder of `database`.
pub fn beside(database: &Path) -> Vec<String> {
    let entries = database.parent().unwrap().read_dir().unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
