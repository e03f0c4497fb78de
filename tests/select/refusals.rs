//! Queries, files and tables that are refused, and the messages.

use predicates::str::contains;
use rread_testkit::sandbox::Sandbox;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with("people.csv", "Name,Age\nAda,36\nGrace,85\n");
    sandbox.file("other.csv", "secret\n1\n");
    sandbox
}

#[test]
fn only_queries_run() {
    let sandbox = sandbox();
    for sql in [
        "INSERT INTO t VALUES ('x', 1)",
        "COPY t TO 'out.csv'",
        "COPY (SELECT * FROM t) TO 'out.parquet' STORED AS PARQUET",
        "CREATE EXTERNAL TABLE o STORED AS CSV LOCATION 'other.csv'",
        "CREATE TABLE x AS SELECT * FROM t",
        "CREATE VIEW x AS SELECT * FROM t",
        "DROP TABLE t",
        "DELETE FROM t",
        "UPDATE t SET age = 1",
        "SET datafusion.execution.batch_size = 1",
        "SELECT 1; SELECT 2",
        "PREPARE p AS SELECT 1",
        "",
        "   ",
        "-- nothing",
    ] {
        sandbox.run(["select", "people.csv", sql]).refused(2);
    }
    // The home has the token of workers, if queries go to some.
    let names = std::fs::read_dir(sandbox.path("")).unwrap().map(|entry| entry.unwrap().file_name());
    let files = names.filter(|name| name != ".home").count();
    assert_eq!(files, 2, "something was written");
}

#[test]
fn only_the_file_is_a_table() {
    let sandbox = sandbox();
    for sql in [
        "SELECT * FROM other",
        "SELECT * FROM 'other.csv'",
        "SELECT * FROM \"other.csv\"",
        "SELECT * FROM read_csv('other.csv')",
        "SELECT * FROM t JOIN 'other.csv' o ON true",
        "SELECT * FROM information_schema.tables",
        "SELECT * FROM '/etc/passwd'",
    ] {
        let run = sandbox.run(["select", "people.csv", sql]).refused(2);
        assert!(!run.stderr.contains("root:"), "{run}");
    }
}

#[test]
fn an_error_in_a_query_has_its_position() {
    let sandbox = sandbox();
    let wrong = |sql: &str| sandbox.run(["select", "people.csv", sql]).refused(2);
    wrong("SELECT * FORM t").says(contains("line 1, column"));
    wrong("SELECT agee FROM t").says(contains("agee")).says(contains("Age"));
    wrong("SELECT nam\nFROM t").says(contains("Name"));
    wrong("SELECT * FROM people2").says(contains("people2")).says(contains("people"));
    wrong("SELECT lowerr(name) FROM t").says(contains("lowerr"));
    wrong("SELECT _3 FROM t").says(contains("2 columns"));
    wrong("SELECT sum(name) FROM t").says(contains("sum"));
}

#[test]
fn a_file_without_a_table_is_refused() {
    let sandbox = sandbox();
    sandbox.file("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    sandbox.file("cut.parquet", b"PAR1 and nothing else");
    sandbox.file("empty.csv", "");
    sandbox.file("bad.jsonl", "{\"a\": 1}\n{\"a\": \n");
    sandbox.run(["select", "picture.png", "SELECT * FROM t"]).refused(4).says(contains("image/png"));
    sandbox.run(["select", "cut.parquet", "SELECT * FROM t"]).refused(6).says(contains("Parquet"));
    sandbox.run(["select", "empty.csv", "SELECT * FROM t"]).refused(6);
    sandbox.run(["select", "bad.jsonl", "SELECT * FROM t"]).refused(6).says(contains("line 2"));
    sandbox.run(["select", "missing.csv", "SELECT * FROM t"]).refused(3).says(contains("missing.csv"));
    sandbox.run(["select", ".", "SELECT * FROM t"]).refused(6).says(contains("--skip-unreadable"));
}

#[test]
fn bad_records_are_reported_with_their_line_or_skipped_and_counted() {
    let sandbox = Sandbox::with("t.csv", "a,b\n1,x\n\"two\nlines\",y\n3\n4,z\n");
    let run = sandbox.run(["select", "t.csv", "SELECT * FROM t"]).refused(6).says(contains("line 5"));
    assert!(run.stderr.contains("1 value"), "{run}");
    let typed = ["select", "t.csv", "SELECT a, b FROM t", "--schema", "a:int64"];
    sandbox.run(typed).refused(6).says(contains("line 3"));
    let answer = sandbox.run(typed.iter().chain(&["--skip-bad", "--json"])).ok().json();
    assert_eq!(answer["content"], "a,b\n1,x\n4,z\n");
    assert_eq!(answer["metadata"]["skipped_rows"], 2);
    assert!(answer["metadata"]["first_skipped"].as_str().unwrap().contains("line 3"), "{answer}");
    let raw = sandbox.run(typed.iter().chain(&["--skip-bad", "--raw"]));
    assert_eq!((raw.code, raw.text()), (0, "a,b\n1,x\n4,z\n"));
    assert!(raw.stderr.contains("2 records left out"), "{raw}");
}

#[test]
fn a_type_missing_from_the_sample_is_an_error_with_a_hint() {
    let mut text = "n\n".to_owned() + &"12345678\n".repeat(200_000);
    text += "n/a\n";
    let sandbox = Sandbox::with("t.csv", text);
    let run =
        sandbox.run(["select", "t.csv", "SELECT sum(n) FROM t"]).refused(6).says(contains("line 200002"));
    assert!(run.stderr.contains("hint: ") && run.stderr.contains("--schema"), "{run}");
    sandbox.run(["select", "t.csv", "SELECT sum(n) FROM t", "--null", "n/a"]).ok();
    sandbox.run(["select", "t.csv", "SELECT max(n) FROM t", "--schema", "n:utf8"]).ok();
}

#[test]
fn options_that_do_not_fit_the_table_are_refused() {
    let sandbox = sandbox();
    for more in [
        &["--schema", "age:nonsense"][..],
        &["--schema", "agee:int64"],
        &["--delimiter", ""],
        &["--delimiter", "\""],
        &["--max-rows", "0"],
        &["--memory", "lots"],
        &["--output", "yaml"],
        &["--metadata-only", "--raw"],
    ] {
        sandbox.run(["select", "people.csv", "SELECT * FROM t"].iter().chain(more)).refused(2);
    }
}

#[test]
fn options_of_a_csv_are_refused_where_nothing_is_divided() {
    let sandbox = sandbox();
    let rows = super::tables::rows(3);
    sandbox.file("t.jsonl", super::tables::objects(&rows).join("\n"));
    super::tables::parquet(&sandbox.path("t.parquet"), &rows, 2);
    sandbox.file("t.txt", "2026-01-01 10:00:00 a\n2026-01-01 10:00:01 b\n");
    let inputs = [("t.jsonl", "jsonl"), ("t.parquet", "parquet"), ("t.txt", "lines"), ("t.txt", "log")];
    let options: [&[&str]; 7] = [
        &["--delimiter", ";"],
        &["--quote", "|"],
        &["--escape", "\\"],
        &["--comment", "#"],
        &["--skip-lines", "1"],
        &["--pad"],
        &["--null", "x"],
    ];
    let sql = "SELECT count(*) AS n FROM t";
    for option in options {
        for (file, input) in inputs {
            // Of lines and logs, it is a value of --parse.
            if file == "t.txt" && option[0] == "--null" {
                continue;
            }
            let args = ["select", file, sql, "--input", input, "--raw"];
            let run = sandbox.run(args.iter().chain(option)).refused(2);
            let hint = format!("leave {} out", option[0]);
            assert!(run.stderr.contains(option[0]) && run.stderr.contains(&hint), "{file}: {run}");
        }
        // Another table may be a CSV.
        let joined = ["select", "t.jsonl", sql, "--table", "o=people.csv", "--raw"];
        let run = sandbox.run(joined.iter().chain(option));
        assert_eq!((run.text(), run.stderr.contains("is for CSV")), ("n\n3\n", false), "{run}");
    }
}
