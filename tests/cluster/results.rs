//! The tests of `select` once more through two workers, and tables of every kind in several files.

use std::fs;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rread_testkit::home::{TOKEN, WORKERS};
use rread_testkit::sandbox::{Run, Sandbox};

use super::workers::{Worker, proxy};
use crate::select::tables::{Row, all_kinds, rows};
use crate::select::{duckdb, kinds};

/// Runs the tests of `select` in a process whose queries go to two workers. None of them sees a difference, not even one
/// that docs/cluster.md allows: the last digits of floats, approximations, and counts of queries with `LIMIT`.
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
        .env(WORKERS, format!("{},{two}", one.address))
        .env(TOKEN, one.token.as_ref().unwrap());
    let run = tests.output().unwrap();
    let [out, err] = [&run.stdout, &run.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(run.status.success(), "{out}{err}");
    let plans = plans.load(Ordering::Relaxed);
    eprintln!("{plans} queries of several files were sent");
    assert!(plans > 50, "only {plans} queries went to the workers: {out}");
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

/// Ways to cut a plan, for every kind of table; those that few kinds have, for some.
const QUERIES: [&str; 5] = [
    "SELECT Id, Name, Price, \"In stock\" FROM t",
    "SELECT id, name FROM t WHERE name LIKE '%,%' OR price > 2000",
    "SELECT price, id FROM t ORDER BY price NULLS FIRST, id LIMIT 50 OFFSET 20",
    "SELECT \"In stock\", count(*) AS n, sum(price) AS total, min(name) AS low FROM t GROUP BY 1 ORDER BY 1",
    "SELECT a.id, b.name FROM t a JOIN t b ON a.id = b.id + 1 WHERE b.name IS NULL ORDER BY 1",
];
const SOME: [&str; 3] = ["comma.csv", "lines.jsonl", "groups.parquet"];

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
        let more =
            if SOME.contains(&folder) { [kinds::QUERIES, duckdb::QUERIES].concat() } else { Vec::new() };
        for sql in QUERIES.iter().chain(&more) {
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
