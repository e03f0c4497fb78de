//! One state for a whole answer: writers, locks, logs, and the version that detects them.

use std::path::Path;
use std::time::Duration;

use predicates::str::contains;
use rread_source::rusqlite::{Connection, params};
use rread_source::{Source, open};
use rread_testkit::home::AtHome;
use rread_testkit::sandbox::{Sandbox, binary};

use super::database::{all, beside, make, source};

const TABLE: &str = "CREATE TABLE t(id INTEGER PRIMARY KEY, v BLOB);";

/// A database whose row 1 repeats the byte.
fn filled(sandbox: &Sandbox, before: &str, byte: u8) -> Connection {
    let connection = make(&sandbox.path("data.db"), &format!("{before} {TABLE}"));
    fill(&connection, "INSERT INTO t VALUES(1, ?1)", byte).unwrap();
    connection.busy_timeout(Duration::from_millis(50)).unwrap();
    connection
}

fn fill(connection: &Connection, sql: &str, byte: u8) -> rread_source::rusqlite::Result<usize> {
    connection.execute(sql, params![vec![byte; 300_000]])
}

const UPDATE: &str = "UPDATE t SET v = ?1 WHERE id = 1";
const ROW: &str = "?table=t&key=1";

/// The text of the whole database, which is held open.
fn document(path: &Path) -> Box<dyn Source> {
    open::open(path).unwrap()
}

fn holds(source: &dyn Source, byte: u8) -> bool {
    all(source).unwrap() == [b"id,v\n1,", &[byte; 300_000][..], b"\n"].concat()
}

#[test]
fn a_writer_changes_no_value_that_was_read() {
    for before in ["", "PRAGMA journal_mode = WAL;"] {
        let sandbox = Sandbox::new();
        let path = sandbox.path("data.db");
        let writer = filled(&sandbox, before, b'a');
        let old = source(&path, ROW).unwrap();
        let mut first = [0; 10];
        old.read_at(&mut first, 0).unwrap();
        fill(&writer, UPDATE, b'b').unwrap();
        assert!(all(&*old).unwrap() == [b'a'; 300_000]);
        assert_eq!(old.changed().unwrap(), None);
        let new = source(&path, ROW).unwrap();
        assert!(all(&*new).unwrap() == [b'b'; 300_000]);
        assert_ne!(old.version().unwrap(), new.version().unwrap());
    }
}

#[test]
fn a_writer_without_a_log_waits_for_the_reader() {
    let sandbox = Sandbox::new();
    let path = sandbox.path("data.db");
    let writer = filled(&sandbox, "", b'a');
    let old = document(&path);
    assert!(fill(&writer, UPDATE, b'b').is_err(), "the reader had no lock");
    assert!(holds(&*old, b'a'));
    drop(old);
    fill(&writer, UPDATE, b'b').unwrap();
    assert!(holds(&*document(&path), b'b'));
}

/// Reading leaves no files behind, takes no lock, and still detects a writer.
#[test]
fn a_database_with_a_log_that_nobody_has_open_is_left_as_it_is() {
    let sandbox = Sandbox::new();
    let path = sandbox.path("data.db");
    drop(filled(&sandbox, "PRAGMA journal_mode = WAL;", b'a'));
    assert_eq!(beside(&path), ["data.db"]);
    let before = std::fs::read(&path).unwrap();
    assert!(all(&*source(&path, ROW).unwrap()).unwrap() == [b'a'; 300_000]);
    let old = document(&path);
    assert!(holds(&*old, b'a'));
    assert_eq!(beside(&path), ["data.db"]);
    assert!(std::fs::read(&path).unwrap() == before);
    let writer = Connection::open(&path).unwrap();
    fill(&writer, UPDATE, b'b').unwrap();
    // The change is only in the log.
    assert!(holds(&*old, b'a'));
    drop(writer);
    assert!(old.read_at(&mut [0; 10], 200_000).is_err());
    assert!(all(&*source(&path, ROW).unwrap()).unwrap() == [b'b'; 300_000]);
}

#[test]
fn reading_writes_nothing_beside_a_database_without_a_log() {
    let sandbox = Sandbox::new();
    let path = sandbox.path("data.db");
    drop(filled(&sandbox, "", b'a'));
    let before = std::fs::read(&path).unwrap();
    sandbox.line("lines --raw sqlite:data.db?table=t&key=1").ok();
    assert_eq!(beside(&path), ["data.db"]);
    assert!(std::fs::read(&path).unwrap() == before);
}

#[test]
fn a_log_that_was_left_is_read() {
    let sandbox = Sandbox::new();
    let (path, copy) = (sandbox.path("data.db"), sandbox.path("copy.db"));
    let writer = filled(&sandbox, "PRAGMA journal_mode = WAL;", b'a');
    writer.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    fill(&writer, UPDATE, b'b').unwrap();
    // As after a crash: the change is in the log, and the log has no index.
    for suffix in ["", "-wal"] {
        let name = |path: &std::path::Path| format!("{}{suffix}", path.display());
        std::fs::copy(name(&path), name(&copy)).unwrap();
    }
    assert!(all(&*source(&copy, ROW).unwrap()).unwrap() == [b'b'; 300_000]);
}

#[test]
fn a_locked_database_is_reported() {
    let sandbox = Sandbox::new();
    let writer = filled(&sandbox, "", b'a');
    writer.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let error = sandbox.line("lines --json sqlite:data.db?table=t&key=1").refused_json(3);
    assert_eq!(error["kind"], "locked");
    writer.execute_batch("COMMIT").unwrap();
    sandbox.line("lines --raw sqlite:data.db?table=t&key=1").ok();
}

/// An immediate change of the same size, in the middle: only SQLite's own counters detect it.
#[test]
fn every_transaction_changes_the_version() {
    for before in ["", "PRAGMA journal_mode = WAL;"] {
        let sandbox = Sandbox::new();
        let writer = filled(&sandbox, before, b'a');
        let line = "lines --metadata-only --json sqlite:data.db?table=t&key=1";
        let version = || sandbox.line(line).ok().json()["metadata"]["version"].as_str().unwrap().to_owned();
        let mut last = version();
        for byte in b'b'..b'f' {
            assert_eq!(version(), last, "nothing was changed");
            let expecting = format!("lines --raw sqlite:data.db?table=t&key=1 --expect {last}");
            assert_eq!(sandbox.line(&expecting).ok().stdout[0], byte - 1);
            fill(&writer, UPDATE, byte).unwrap();
            sandbox.line(&expecting).refused(7).says(contains("rewritten"));
            let now = version();
            assert_ne!(now, last);
            last = now;
        }
        writer.execute("INSERT INTO t VALUES(2, ?1)", params![vec![b'e'; 300_000]]).unwrap();
        let other = sandbox.line(&line.replace("key=1", "key=2")).ok().json();
        assert_ne!(other["metadata"]["version"].as_str().unwrap(), version(), "another row is another file");
    }
}

/// Reading one value must not release the lock of a database (POSIX locks belong to a process).
#[test]
fn a_value_that_is_read_leaves_the_lock_of_the_database() {
    for before in ["", "PRAGMA journal_mode = WAL;"] {
        let sandbox = Sandbox::new();
        let path = sandbox.path("data.db");
        let writer = filled(&sandbox, before, b'a');
        let old = document(&path);
        drop(source(&path, ROW).unwrap());
        let sql = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], timeout=0.05); \
                   c.execute(\"UPDATE t SET v = zeroblob(300000)\"); c.commit(); \
                   c.execute(\"PRAGMA wal_checkpoint(RESTART)\"); c.execute(\"UPDATE t SET v = zeroblob(9)\"); c.commit()";
        let status = std::process::Command::new("python3").args(["-c", sql]).arg(&path).output();
        if status.is_err() {
            eprintln!("SKIPPED: there is no python3 to write from another process");
        }
        assert!(holds(&*old, b'a'), "{before}");
        assert_eq!(old.changed().unwrap(), None);
        drop(writer);
    }
}

#[test]
#[cfg(all(unix, feature = "sql"))]
fn a_signal_leaves_no_copy() {
    let endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r, t";
    let sandbox = Sandbox::new();
    filled(&sandbox, "", b'a');
    let folder = sandbox.path("tmp");
    std::fs::create_dir(&folder).unwrap();
    let count = || std::fs::read_dir(&folder).unwrap().count();
    let mut command = std::process::Command::new(binary());
    command.args(["select", "-", endless]).env("TMPDIR", &folder).at_home(&sandbox.path("."));
    command.stdin(std::fs::File::open(sandbox.path("data.db")).unwrap());
    let mut child = command.spawn().unwrap();
    while count() == 0 {
        assert_eq!(child.try_wait().unwrap(), None);
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(200));
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::TERM)
        .unwrap();
    child.wait().unwrap();
    assert_eq!(count(), 0);
}
