//! Queries of objects fetch only the needed parts of a Parquet file.

use rread_testkit::sandbox::{Run, Sandbox};
use serde_json::Value;

use super::servers::{self, Object};
use crate::select::tables;

#[test]
fn queries_fetch_what_they_need() {
    let sandbox = Sandbox::new();
    let rows = tables::rows(300_000);
    tables::parquet(&sandbox.path("t.parquet"), &rows, 30_000);
    let parquet = std::fs::read(sandbox.path("t.parquet")).unwrap();
    let text = tables::csv(&rows, ',', "\n");
    sandbox.file("t.csv", &text);
    let packed = zstd::encode_all(text.as_bytes(), 1).unwrap();
    let size = parquet.len() as u64;
    for store in servers::all() {
        let prefix = format!("select{}", store.name().len());
        for (name, bytes) in [("t.parquet", &parquet[..]), ("t.csv", text.as_bytes()), ("t.csv.zst", &packed)]
        {
            store.put(&Object::new(&format!("{prefix}/{name}"), bytes));
        }
        // Query, file, and the largest share of the object that may be fetched.
        for (sql, name, share) in [
            ("SELECT count(*) AS n FROM t", "t.parquet", 0.1),
            ("SELECT max(id) AS high FROM t", "t.parquet", 0.1),
            ("SELECT sum(price) AS total FROM t", "t.parquet", 0.5),
            ("SELECT name FROM t WHERE id = 123456", "t.parquet", 0.35),
            ("SELECT sum(price) AS total, count(name) AS n FROM t", "t.csv", 1.2),
            ("SELECT sum(price) AS total, count(name) AS n FROM t", "t.csv.zst", 1.2),
            // Read-ahead while the first rows are parsed has a limit, but a large one.
            ("SELECT id, name FROM t LIMIT 3", "t.csv", 1.2),
        ] {
            let local = name.trim_end_matches(".zst");
            let args = |file: &str| ["select", file, sql, "--json"].map(str::to_owned);
            let right = sandbox.run(args(local)).ok().json();
            let (target, proxy) = servers::counted(store, &format!("{prefix}/{name}"));
            let mut command = sandbox.command();
            command.args(args(&target.url)).envs(target.env.iter().map(|(name, value)| (name, value)));
            let run = Run::of(&mut command).ok();
            let answer = run.json();
            assert_eq!(answer["content"], right["content"], "{}: {run}", store.name());
            let (requests, received) = proxy.take();
            eprintln!("{}: {name}: {sql}: {requests} requests, {received} bytes of {size}", store.name());
            let whole = match name {
                "t.parquet" => size,
                "t.csv" => text.len() as u64,
                _ => packed.len() as u64,
            };
            assert!(
                received as f64 <= whole as f64 * share + 70_000.0,
                "{}: {received} of {whole}: {run}",
                store.name()
            );
            let metadata = &answer["metadata"];
            // Read-ahead may still be running.
            assert!(
                (1..=requests as u64).contains(&metadata["requests"].as_u64().unwrap()),
                "{}: {run}",
                store.name()
            );
            assert!(metadata["bytes_fetched"].as_u64().unwrap() > 0, "{run}");
        }
    }
}

#[test]
fn an_object_that_changes_under_a_query_is_an_error() {
    use super::faulty::Faulty;
    let server = Faulty::start();
    let sandbox = Sandbox::new();
    let url = server.url("changes412", 60_000_000);
    let run =
        sandbox.run(["select", &url, "SELECT count(*) FROM t", "--input", "csv", "--json", "--retries", "1"]);
    let error: Value = serde_json::from_str(&run.stderr).unwrap_or_default();
    assert!(run.code == 7 && error["kind"] == "changed", "{run}");
}
