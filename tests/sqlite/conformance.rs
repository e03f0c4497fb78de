//! Database values pass the conformance suite of all sources.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use rread_source::Source;
use rread_source::rusqlite::params;
use rread_testkit::suite::conforms;
use tempfile::TempDir;

use super::database::{make, source};

/// A folder in which each database gets its own name.
struct Folder(TempDir, Cell<u32>);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap(), Cell::new(0))
    }

    fn path(&self) -> PathBuf {
        self.1.set(self.1.get() + 1);
        self.0.path().join(format!("{}.db", self.1.get()))
    }
}

fn value(path: &Path, sql: &str, bytes: &[u8]) -> Box<dyn Source> {
    let connection = make(path, sql);
    connection.execute("INSERT INTO t VALUES(7, ?1)", params![bytes]).unwrap();
    drop(connection);
    source(path, "?table=t&key=7&column=v").unwrap()
}

#[test]
fn a_blob_conforms_whatever_the_size_of_pages() {
    let folder = Folder::new();
    for size in [512, 4096, 65536] {
        let sql = format!("PRAGMA page_size = {size}; CREATE TABLE t(id INTEGER PRIMARY KEY, v BLOB);");
        conforms(&|bytes| value(&folder.path(), &sql, bytes));
    }
}

#[test]
fn a_blob_conforms_in_a_database_with_a_log() {
    let folder = Folder::new();
    let sql = "PRAGMA journal_mode = WAL; CREATE TABLE t(id INTEGER PRIMARY KEY, v BLOB);";
    conforms(&|bytes| value(&folder.path(), sql, bytes));
}

#[test]
fn a_blob_of_a_table_without_rowid_conforms() {
    let folder = Folder::new();
    let sql = "CREATE TABLE t(id INTEGER PRIMARY KEY, v BLOB) WITHOUT ROWID;";
    conforms(&|bytes| value(&folder.path(), sql, bytes));
}
