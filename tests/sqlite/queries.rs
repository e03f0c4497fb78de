//! `rread select` on a database: SQLite runs the query, read-only, and each value keeps its type.

use std::fs;

use rread_testkit::sandbox::{Run, Sandbox};
use serde_json::json;

use super::database::make;

const TABLES: &str = "
    CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT, age, photo BLOB);
    INSERT INTO users VALUES(1, 'Bob', 3, x'00FF'), (2, 'Zoë', 4.5, NULL), (3, NULL, 'old', x'');
    CREATE TABLE \"order items\"(user INTEGER, n INTEGER);
    INSERT INTO \"order items\" VALUES(1, 2), (1, 3), (2, 5);
    CREATE VIEW named AS SELECT name FROM users WHERE name IS NOT NULL;";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    drop(make(&sandbox.path("app.db"), TABLES));
    sandbox
}

fn select(sandbox: &Sandbox, sql: &str, options: &[&str]) -> Run {
    sandbox.run([&["select", "app.db", sql], options].concat())
}

#[test]
fn stat_has_a_line_for_each_table_and_view() {
    let facts = sandbox().run(["stat", "app.db", "--json"]).ok().json();
    let users = "users: id int64 (1), name utf8 (Bob), age int64 (3), photo binary (00ff)";
    assert_eq!(
        facts["tables"],
        json!([users, "order items: user int64 (1), n int64 (2)", "named: name utf8 (Bob)"])
    );
}

#[test]
fn every_value_is_written_with_its_own_type() {
    let sandbox = sandbox();
    let rows = select(&sandbox, "SELECT * FROM users", &["--output", "jsonl", "--raw"]).ok();
    assert_eq!(
        rows.text(),
        "{\"id\":1,\"name\":\"Bob\",\"age\":3,\"photo\":\"00ff\"}\n{\"id\":2,\"name\":\"Zoë\",\"age\":4.5,\"photo\":null}\n\
         {\"id\":3,\"name\":null,\"age\":\"old\",\"photo\":\"\"}\n"
    );
    let csv = select(&sandbox, "SELECT * FROM users", &["--raw"]).ok();
    assert_eq!(csv.text(), "id,name,age,photo\n1,Bob,3,00ff\n2,Zoë,4.5,\n3,,old,\"\"\n");
    let facts = select(&sandbox, "SELECT id, age, photo, NULL AS none FROM users", &["--json"]).ok().json();
    let facts = &facts["metadata"];
    let types: Vec<&str> =
        facts["columns"].as_array().unwrap().iter().map(|column| column["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["int64", "any", "binary", "null"]);
    assert_eq!((&facts["input"], &facts["rows_returned"]), (&json!("sqlite"), &json!(3)));
    let version = sandbox.line("stat app.db --json").ok().json()["version"].clone();
    assert_eq!(facts["version"], version);
}

#[test]
fn a_long_result_is_that_of_sqlite() {
    let sandbox = Sandbox::new();
    let connection = make(&sandbox.path("app.db"), "CREATE TABLE n(x)");
    // Types change within batches, and at their edges.
    let sql = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 5000) \
        INSERT INTO n SELECT CASE WHEN i % 1024 IN (0, 1, 5) THEN 'text ' || i WHEN i % 7 = 0 THEN NULL ELSE i END FROM c";
    connection.execute_batch(sql).unwrap();
    let rows = sandbox.run(["select", "app.db", "SELECT x FROM t", "--output", "jsonl", "--raw"]).ok();
    let expected = (1..=5000).map(|i| match i {
        i if [0, 1, 5].contains(&(i % 1024)) => format!("{{\"x\":\"text {i}\"}}\n"),
        i if i % 7 == 0 => "{\"x\":null}\n".to_owned(),
        i => format!("{{\"x\":{i}}}\n"),
    });
    assert_eq!(rows.text(), expected.collect::<String>());
    // Pages of rows join.
    let page = |offset: &str| {
        let options = ["--max-rows", "1700", "--offset", offset, "--raw", "--output", "jsonl"];
        let run = sandbox.run([&["select", "app.db", "SELECT x FROM n"], &options[..]].concat());
        run.text().to_owned()
    };
    assert_eq!(page("0") + &page("1700") + &page("3400"), rows.text());
}

#[test]
fn t_is_the_only_table_and_statements_list() {
    let sandbox = Sandbox::new();
    drop(make(
        &sandbox.path("one.db"),
        "CREATE TABLE \"odd name\"(a INT, b); INSERT INTO \"odd name\" VALUES(1, 2)",
    ));
    for (sql, rows) in [
        ("SELECT b FROM t", "b\n2\n"),
        ("with x AS (SELECT a FROM t) SELECT * FROM x", "a\n1\n"),
        (
            "WITH recursive x(n) AS (SELECT a FROM t UNION SELECT n + 1 FROM x WHERE n < 2) SELECT * FROM x",
            "n\n1\n2\n",
        ),
        ("SHOW TABLES", "table_name,table_type\nodd name,table\n"),
        ("DESCRIBE t", "column_name,data_type\na,INT\nb,any\n"),
        ("SELECT 1 AS a, 2 AS a, 3 AS a_2", "a,a_3,a_2\n1,2,3\n"),
    ] {
        assert_eq!(sandbox.run(["select", "one.db", sql, "--raw"]).ok().text(), rows, "{sql}");
    }
}

#[test]
fn what_is_no_query_is_refused_and_nothing_is_written() {
    let sandbox = sandbox();
    let before = fs::read(sandbox.path("app.db")).unwrap();
    for (sql, message) in [
        ("DELETE FROM users", "only queries are run"),
        ("WITH x AS (SELECT 1) DELETE FROM users", "only queries are run"),
        ("/* x */ ATTACH 'other.db' AS o", "only queries are run"),
        ("-- x\nPRAGMA journal_mode = WAL", "only queries are run"),
        ("VACUUM INTO 'other.db'", "only queries are run"),
        ("SELECT 1; DROP TABLE users", "several statements"),
        ("SELECT * FROM t", "there is no table t; the database has users, order items and named"),
        ("SELECT * FROM user", "there is no table user"),
        ("SELECT nam FROM users", "no such column: nam; users has name"),
        ("SELECT id,", "incomplete input"),
        ("SELECT load_extension('x')", "SQLite refuses the query"),
    ] {
        let refused = select(&sandbox, sql, &[]).refused(2);
        assert!(refused.stderr.contains(message), "{sql}: {}", refused.stderr);
        let hint = refused.stderr.lines().find_map(|line| line.strip_prefix("hint: ")).unwrap().to_owned();
        let run = sandbox.run(shell_words(&hint).iter().skip(1));
        assert_eq!(run.code, 0, "{sql}: {hint}: {run}");
    }
    assert_eq!(fs::read(sandbox.path("app.db")).unwrap(), before);
    assert!(!sandbox.path("other.db").exists());
}

/// The words of a command with single quotes.
fn shell_words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    parts
        .flat_map(|(number, part)| match number % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
            _ => vec![part.to_owned()],
        })
        .collect()
}

#[test]
fn a_query_ends_at_its_time_and_options_of_text_are_refused() {
    let sandbox = sandbox();
    let endless = "WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x) SELECT count(*) FROM x";
    let refused = select(&sandbox, endless, &["--timeout", "200ms"]).refused(3);
    assert!(refused.stderr.contains("did not finish within 200ms"), "{refused}");
    for option in [
        &["--delimiter", ";"][..],
        &["--no-header"],
        &["--schema", "a:utf8"],
        &["--skip-bad"],
        &["--null", "x"],
    ] {
        let refused = select(&sandbox, "SELECT 1", option).refused(2);
        assert!(refused.stderr.contains("is for text; a database has values with types"), "{refused}");
    }
    for option in [&["--since", "06:00"][..], &["--parse", "clf"], &["--union"], &["--skip-unreadable"]] {
        select(&sandbox, "SELECT 1", option).refused(2);
    }
    let none = select(&sandbox, "SELECT * FROM users WHERE id > 5", &["--raw"]);
    assert_eq!((none.code, none.text()), (1, "id,name,age,photo\n"));
}

#[test]
fn a_log_out_of_reach_and_broken_text_are_reported() {
    let sandbox = Sandbox::new();
    let path = sandbox.path("wal.db");
    let connection = make(&path, "PRAGMA journal_mode = WAL; CREATE TABLE n(x); INSERT INTO n VALUES(1)");
    connection
        .execute_batch("PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO n VALUES(CAST(x'FF41FF' AS TEXT))")
        .unwrap();
    let stored = fs::read(&path).unwrap();
    sandbox.file("copy.bin", &stored);
    let own = sandbox.run(["select", "wal.db", "SELECT x FROM n", "--json"]).ok().json();
    assert_eq!(own["metadata"]["rows_returned"], json!(2));
    assert_eq!(own["metadata"]["invalid_utf8"]["count"], json!(2));
    assert!(
        own["metadata"].get("notices").is_none_or(|notices| !notices.to_string().contains("left_out")),
        "{own}"
    );
    // The log is not in the stream.
    for line in ["select - SELECT\u{a0}1 --json", "lines - --json", "search 1 - --json"] {
        let words = line.split(' ').map(|word| word.replace('\u{a0}', " "));
        let run = Run::of(sandbox.command().args(words).write_stdin(stored.clone()));
        assert!(run.code == 0 && run.text().contains("\"left_out\""), "{run}");
    }
    let raw = Run::of(sandbox.command().args(["select", "-", "SELECT 1", "--raw"]).write_stdin(stored));
    assert!(raw.stderr.contains("the log of the database (-wal) is left out"), "{raw}");
    // A file without a log beside it is complete.
    drop(connection);
    let alone = sandbox.run(["select", "copy.bin", "SELECT 1", "--json"]).ok();
    assert!(!alone.text().contains("left_out"), "{alone}");
}
