//! Damaged databases give what SQLite itself reads, or an error.

use std::fs;
use std::path::Path;

use rread_source::rusqlite::{Connection, OpenFlags, params};
use rread_testkit::rng::Rng;
use rread_testkit::sandbox::numbered;

use super::database::{all, make, source};

const TABLE: &str = "CREATE TABLE t(name TEXT PRIMARY KEY, data BLOB);";

fn insert(connection: &Connection, name: &str, data: &[u8]) {
    connection.execute("INSERT INTO t VALUES(?1, ?2)", params![name, data]).unwrap();
}

/// The data of the row, as SQLite reads it.
fn oracle(path: &Path, name: &str) -> Option<Vec<u8>> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).ok()?;
    let sql = "SELECT CAST(data AS BLOB) FROM t WHERE name = ?1";
    connection.query_row(sql, [name], |row| row.get(0)).ok()
}

/// The data that rread returns, or `None`.
fn ours(path: &Path, name: &str) -> Option<Vec<u8>> {
    all(&*source(path, &format!("?table=t&key={name}")).ok()?).ok()
}

#[test]
fn flipped_bytes_give_what_is_there_or_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let text = numbered(4000).into_bytes();
    let connection = make(&path, &format!("PRAGMA page_size = 512; {TABLE}"));
    insert(&connection, "stored", &text);
    for n in 0..30 {
        insert(&connection, &format!("other{n}"), b"abc");
    }
    drop(connection);
    let good = fs::read(&path).unwrap();
    let mut rng = Rng::new(11);
    let (mut right, mut refused) = (0, 0);
    for round in 0..400 {
        let mut bad = good.clone();
        for _ in 0..=rng.below(3) {
            // Every second round damages the schema.
            let at = if round % 2 == 0 { rng.below(1500) } else { rng.below(bad.len()) };
            bad[at] ^= 1 << rng.below(8);
        }
        fs::write(&path, &bad).unwrap();
        match ours(&path, "stored") {
            // Content has no checksum.
            Some(bytes) => {
                assert_eq!(Some(bytes), oracle(&path, "stored"), "round {round}");
                right += 1;
            }
            None => refused += 1,
        }
    }
    assert!(right > 20 && refused > 20, "{right} {refused}");
}

#[test]
fn a_database_that_was_cut_off_is_an_error_or_right() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let text = numbered(4000).into_bytes();
    let connection = make(&path, &format!("PRAGMA page_size = 1024; {TABLE}"));
    insert(&connection, "stored", &text);
    drop(connection);
    let good = fs::read(&path).unwrap();
    for cut in (0..good.len()).step_by(511).chain([1, 15, 16, 99, 100, 1023, 1024, good.len() - 1]) {
        fs::write(&path, &good[..cut]).unwrap();
        assert!(ours(&path, "stored").is_none_or(|bytes| bytes == text), "cut at {cut}");
    }
    fs::write(&path, [&good[..100], &[0; 5000]].concat()).unwrap();
    assert_eq!(ours(&path, "stored"), None);
}
