//! The same table gives the same rows, whatever its format and wherever it comes from.

use serde_json::Value;

use super::tables::{self, Row};
use rread_testkit::sandbox::{Run, Sandbox};
#[track_caller]
fn answer(sandbox: &Sandbox, file: &str, sql: &str, more: &[&str]) -> Value {
    let args = ["select", file, sql, "--output", "json", "--raw"];
    let run = sandbox.run(args.iter().chain(more)).ok();
    serde_json::from_slice(&run.stdout).unwrap_or_else(|cause| panic!("{cause}: {run}"))
}

fn expected(rows: &[Row]) -> Value {
    let row = |(id, name, price, stock): &Row| serde_json::json!({"Id": id, "Name": name, "Price": price, "In stock": stock});
    rows.iter().map(row).collect()
}

pub const QUERIES: &[&str] = &[
    "SELECT \"In stock\", count(*) AS n, sum(price) AS total FROM t GROUP BY 1 ORDER BY 1",
    "SELECT id, name FROM t WHERE name LIKE '%,%' ORDER BY id DESC LIMIT 3",
    "SELECT count(*) AS n, count(name) AS names, min(id) AS low, max(price) AS high FROM s3object s WHERE s.price > 100",
    "SELECT id FROM t WHERE price IS NULL AND id > 250",
    "SELECT a.id FROM t a JOIN t b ON a.id = b.id + 1 WHERE b.name IS NULL ORDER BY 1",
];

#[test]
fn every_kind_of_table_gives_the_same_rows() {
    let sandbox = Sandbox::new();
    let rows = tables::rows(321);
    let files = tables::all_kinds(&sandbox, &rows);
    let whole = "SELECT Id, Name, Price, \"In stock\" FROM t";
    let answers: Vec<Value> =
        QUERIES.iter().map(|sql| answer(&sandbox, "groups.parquet", sql, &[])).collect();
    for file in files {
        assert_eq!(answer(&sandbox, file, whole, &[]), expected(&rows), "{file}");
        for (sql, right) in QUERIES.iter().zip(&answers) {
            assert_eq!(&answer(&sandbox, file, sql, &[]), right, "{file}: {sql}");
        }
    }
}

#[test]
fn streams_and_captures_are_tables_too() {
    let sandbox = Sandbox::new();
    let rows = tables::rows(321);
    let text = tables::csv(&rows, ',', "\n");
    tables::parquet(&sandbox.path("t.parquet"), &rows, 50);
    let sql = "SELECT sum(price) AS total, count(*) AS n FROM t";
    let right = answer(&sandbox, "t.parquet", sql, &[]);
    for bytes in [text.into_bytes(), std::fs::read(sandbox.path("t.parquet")).unwrap()] {
        let mut command = sandbox.command();
        command.args(["select", "-", sql, "--output", "json", "--raw"]).write_stdin(bytes);
        assert_eq!(serde_json::from_slice::<Value>(&Run::of(&mut command).ok().stdout).unwrap(), right);
    }
}

#[test]
fn a_join_reads_a_stream_twice() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command();
    let sql = "SELECT count(*) AS n FROM t a JOIN t b ON a.id = b.id";
    command.args(["select", "-", sql, "--raw"]).write_stdin(tables::csv(&tables::rows(5000), ',', "\n"));
    assert_eq!(Run::of(&mut command).ok().text(), "n\n5000\n");
}

#[test]
fn a_table_in_an_evident_encoding_is_read_in_it_and_the_answer_says_so() {
    let words = "\u{e9}l\u{e8}ve,No\u{eb}l\nfatigu\u{e9},fran\u{e7}ais\nth\u{e9}\u{e2}tre,coll\u{e8}ge\n";
    let bytes: Vec<u8> = words.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let sandbox = Sandbox::with("t.csv", [&b"a,b\n"[..], &bytes].concat());
    let sql = "SELECT b FROM t WHERE a LIKE '%\u{e9}%\u{e2}%'";
    let document = sandbox.run(["select", "t.csv", sql]).ok().document();
    assert_eq!(document.content, "b\ncoll\u{e8}ge\n");
    assert_eq!((document.fact("encoding"), document.fact("encoding_source")), ("windows-1252", "guess"));
    let run = sandbox.run(["select", "t.csv", sql, "--raw"]);
    assert!(run.code == 0 && run.stderr.contains("read as windows-1252, a guess"), "{run}");
    // Several files, and a table beside another.
    sandbox.file("u.csv", "a,b\nx,y\n");
    let several =
        sandbox.run(["select", "u.csv", "t.csv", "SELECT count(*) FROM t WHERE a LIKE '%\u{e9}%'"]).ok();
    assert!(several.text().contains("\n- encoding_guessed\n"), "{several}");
    assert!(several.text().ends_with("\n3\n"), "{several}");
    let run = sandbox.run(["select", "u.csv", "t.csv", "SELECT b FROM t", "--raw"]);
    assert!(run.stderr.contains("t.csv: note: read as windows-1252, a guess"), "{run}");
    let run = sandbox.run(["select", "u.csv", "SELECT v.b FROM v", "--table", "v=t.csv"]).ok();
    assert!(run.text().contains("\n- encoding_guessed\n"), "{run}");
    let run = sandbox.run(["select", "u.csv", "t.csv", "SELECT b FROM t", "-E", "windows-1252"]).ok();
    assert!(!run.text().contains("guess"), "{run}");
    let run = sandbox.run(["select", "t.csv", "SELECT b FROM t", "--raw", "-E", "windows-1252"]);
    assert!(!run.stderr.contains("guess"), "{run}");
}
