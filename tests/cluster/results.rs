//! The tests of `select` once more through two workers, and tables of every kind in several files.

use std::fs;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rread_testkit::home::WORKERS;
use rread_testkit::sandbox::{Run, Sandbox};

use super::workers::{Worker, proxy};
use crate::select::tables::{Row, all_kinds, rows};

/// The tests of `select` that are not the same through workers, each with the reason.
const OTHERS: [(&str, &str); 0] = [];

/// Runs the tests of `select` in a process whose queries go to two workers.
#[test]
fn the_tests_of_select_pass_through_workers() {
    let sandbox = Sandbox::new();
    let [one, two] = [(); 2].map(|()| Worker::start(&sandbox, &["--root", "/"]));
    let plans = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&plans);
    let two = proxy(&two.address, move || {
        seen.fetch_add(1, Ordering::Relaxed);
        false
    });
    let mut tests = Command::new(std::env::current_exe().unwrap());
    tests
        .args(["select::", "--skip", "mcp::", "--skip", "cloud::"])
        .env(WORKERS, format!("{},{two}", one.address));
    for (test, _) in OTHERS {
        tests.args(["--skip", test]);
    }
    let run = tests.output().unwrap();
    let [out, err] = [&run.stdout, &run.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(run.status.success(), "{out}{err}");
    assert!(plans.load(Ordering::Relaxed) > 0, "no query went to the workers: {out}");
}

/// The others would be skipped for nothing, if they had another name.
#[test]
fn the_tests_that_are_left_out_exist() {
    let list = Command::new(std::env::current_exe().unwrap()).args(["select::", "--list"]).output().unwrap();
    let list = String::from_utf8(list.stdout).unwrap();
    for (test, _) in OTHERS {
        assert_eq!(list.lines().filter(|line| line.contains(test)).count(), 1, "{test}");
    }
}

const PARTS: usize = 3;

/// A folder for each kind of table, with the rows in several files.
fn folders(sandbox: &Sandbox, rows: &[Row]) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    for (part, rows) in rows.chunks(rows.len().div_ceil(PARTS)).enumerate() {
        let made = Sandbox::new();
        kinds = all_kinds(&made, rows);
        for kind in &kinds {
            fs::create_dir_all(sandbox.path(kind)).unwrap();
            fs::rename(made.path(kind), sandbox.path(&format!("{kind}/{part} {kind}"))).unwrap();
        }
    }
    kinds
}

/// Queries of each way to cut a plan, all with an order.
const QUERIES: [&str; 12] = [
    "SELECT Id, Name, Price, \"In stock\" FROM t",
    "SELECT id, name FROM t WHERE name LIKE '%,%' OR price > 2000",
    "SELECT id FROM t WHERE price IS NULL AND id > 250",
    "SELECT id, name FROM t WHERE name LIKE '%,%' ORDER BY id DESC LIMIT 3",
    "SELECT price, id FROM t ORDER BY price NULLS FIRST, id LIMIT 50 OFFSET 20",
    "SELECT \"In stock\", count(*) AS n, sum(price) AS total, min(name) AS low FROM t GROUP BY 1 ORDER BY 1",
    "SELECT count(*) AS n, count(name) AS names, min(id) AS low, max(price) AS high FROM t WHERE price > 100",
    "SELECT id % 5 AS k, count(DISTINCT name) AS n FROM t GROUP BY k HAVING count(*) > 1 ORDER BY k",
    "SELECT a.id, b.name FROM t a JOIN t b ON a.id = b.id + 1 WHERE b.name IS NULL ORDER BY 1",
    "SELECT id FROM t WHERE id IN (SELECT max(id) FROM t GROUP BY id % 10) ORDER BY id",
    "SELECT id, sum(id) OVER (ORDER BY id ROWS 2 PRECEDING) AS s FROM t ORDER BY id",
    "SELECT id FROM t WHERE id < 3 UNION ALL SELECT id FROM t WHERE id > 318 ORDER BY id",
];

#[test]
fn every_kind_of_table_is_the_same_in_several_files() {
    let sandbox = Sandbox::new();
    let folders = folders(&sandbox, &rows(321));
    let [one, two] = [(); 2].map(|()| Worker::start(&sandbox, &["--root", "."]));
    let workers = format!("{},{}", one.address, two.address);
    let answer = |folder: &str, sql: &str, workers: &str| {
        let mut command = sandbox.command();
        command.args(["select", &format!("{folder}/*"), sql, "--json"]);
        command.env("RREAD_WORKERS", workers).env("RREAD_WORKERS_MIN", "1");
        Run::of(&mut command).ok().json()
    };
    for folder in folders {
        for sql in QUERIES {
            let (alone, sent) = (answer(folder, sql, ""), answer(folder, sql, &workers));
            let what = format!("{folder}: {sql}");
            assert_eq!(sent["content"], alone["content"], "{what}");
            assert_eq!(sent["metadata"]["workers"], 2, "{what}");
            for key in ["columns", "rows_returned", "files_read", "files_empty", "truncated"] {
                assert_eq!(sent["metadata"][key], alone["metadata"][key], "{what}: {key}");
            }
        }
    }
}
