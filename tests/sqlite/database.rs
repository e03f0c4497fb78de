//! Databases made by SQLite itself.

use std::path::{Path, PathBuf};

use rread_source::rusqlite::Connection;
use rread_source::{Source, open, read_full};
use rread_text::error::Error;

/// Creates the database at `path` and runs `sql` in it.
pub fn make(path: &Path, sql: &str) -> Connection {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch("PRAGMA synchronous = OFF").unwrap();
    connection.execute_batch(sql).unwrap();
    connection
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
