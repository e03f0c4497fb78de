//! No row is lost without a word: headers, logs, line ends, records that do not fit, and JSON that is hard to read.

use rread_testkit::sandbox::Sandbox;

/// The rows of `SELECT * FROM t`, in CSV, and the notes.
#[track_caller]
fn rows(name: &str, text: &str, more: &[&str]) -> (String, String) {
    let sandbox = Sandbox::with(name, text);
    let run = sandbox.run(["select", name, "SELECT * FROM t", "--raw"].iter().chain(more)).ok();
    (run.text().to_owned(), run.stderr)
}

#[test]
fn a_first_record_like_the_others_is_a_row() {
    let cases = [
        ("1,2\n3,4\n", "_1,_2\n1,2\n3,4\n"),
        ("1,2\n", "_1,_2\n1,2\n"),
        ("Ada;36\nGrace;85\n", "_1,_2\nAda,36\nGrace,85\n"),
        ("2026-01-01\n2026-01-02\n", "_1\n2026-01-01\n2026-01-02\n"),
        ("a\n1\n", "a\n1\n"),
    ];
    for (text, expected) in cases {
        assert_eq!(rows("t.csv", text, &[]), (expected.to_owned(), String::new()), "{text:?}");
    }
    assert_eq!(rows("t.csv", "1,2\n3,4\n", &["--header"]).0, "1,2\n3,4\n");
    assert_eq!(rows("t.csv", "a\n1\n", &["--no-header"]).0, "_1\na\n1\n");
    let sandbox = Sandbox::with("t.csv", "x,2024\na,1\n");
    let run = sandbox.run(["select", "t.csv", "SELECT x FROM t"]).refused(2);
    assert!(run.stderr.contains("--header, if the first record holds the names"), "{run}");
}

#[test]
fn a_header_that_nothing_proves_comes_with_a_notice() {
    let sandbox = Sandbox::with("t.csv", "Ada,London\nGrace,Paris\n");
    let notices = |sql: &str, more: &[&str]| {
        let answer = sandbox.run(["select", "t.csv", sql, "--json"].iter().chain(more)).ok().json();
        (answer["metadata"]["notices"].clone(), answer["metadata"]["header_hint"].clone())
    };
    let assumed = (serde_json::json!(["header_assumed"]), serde_json::json!("--no-header"));
    let silent = (serde_json::Value::Null, serde_json::Value::Null);
    assert_eq!(notices("SELECT * FROM t", &[]), assumed);
    assert_eq!(notices("SELECT count(*) FROM t", &[]), assumed);
    // A query that uses a name, and an option, decide.
    assert_eq!(notices("SELECT london FROM t", &[]), silent);
    assert_eq!(notices("SELECT * FROM t", &["--header"]), silent);
    assert_eq!(notices("SELECT * FROM t", &["--no-header"]), silent);
    let run = sandbox.run(["select", "t.csv", "SELECT count(*) FROM t", "--raw"]);
    assert!(run.code == 0 && run.stderr.contains("--no-header"), "{run}");
}

/// Records whose other lines are most of them.
const LARAVEL: &str = "[2026-11-23 06:00:00] production.ERROR: no $x {\"exception\":\"[object] (E(code: 0): no $x at /x.php:3)\n\
    [stacktrace]\n#0 /x.php(3): foo()\n#1 {main}\n\"}\n[2026-11-23 06:00:01] production.INFO: ok, fine\n";
const JAVA: &str = "Nov 23, 2026 6:26:04 AM a.Main main\nINFO: started, ok\nNov 23, 2026 6:26:05 AM a.Main main\n\
    SEVERE: failed\njava.lang.RuntimeException: x\n\tat a.Main.main(Main.java:5)\n";

#[test]
fn a_log_is_a_table_of_records_and_other_text_of_lines() {
    let logs = [
        ("a.log", "2026-01-01 06:00:00 INFO x\n2026-01-02 06:00:00 INFO y\n", 2),
        (
            "b.log",
            "2026-11-23 06:00:00 INFO a1, x\n2026-11-23 06:00:02 ERROR a2\njava.io.IOException: x\n",
            2,
        ),
        ("c.txt", "2026-11-23 06:00:00,123 INFO a\n2026-11-23 06:00:01,456 INFO b\n", 2),
        ("d", "Nov 23 06:00:00 host app[1]: one\nNov 23 06:00:01 host app[1]: two\n", 2),
        ("f", "[Sun Dec 04 04:47:44 2005] [notice] a\n[Sun Dec 04 04:47:45 2005] [error] b\n\tat b\n", 2),
        ("g", "[10.30 16:49:06] a.exe - b\n[10.30 16:49:07] a.exe - c\n", 2),
        ("i.log", "2026-11-23 06:00:00 INFO a\n", 1),
        ("j.log", LARAVEL, 2),
        ("k.txt", JAVA, 2),
        ("l.log", JAVA, 2),
    ];
    let sql = "SELECT count(*) AS n FROM t";
    for (name, text, records) in logs {
        let sandbox = Sandbox::with(name, text);
        let run = sandbox.run(["select", name, sql]).ok();
        assert!(run.text().ends_with(&format!("n\n{records}\n")), "{name}: {run}");
        assert_eq!(run.document().fact("input"), "log", "{run}");
        let run = sandbox.run(["select", name, sql, "--raw", "--input", "lines"]).ok();
        assert_eq!(run.text(), format!("n\n{}\n", text.lines().count()), "{name}");
    }
    for (name, text) in [("e.log", "starting\nready, waiting\n"), ("h.log", "2026-01-01 INFO x\n")] {
        let sandbox = Sandbox::with(name, text);
        let run = sandbox.run(["select", name, sql, "--raw"]).refused(6);
        // Too few lines have a time, so rows of records would be refused, too.
        assert!(run.stderr.contains("is text, not a table"), "{run}");
        assert!(!run.stderr.contains("--input log") && run.stderr.contains("--input lines"), "{run}");
    }
    // A title is above a table.
    let table = "A report\n2026-01-01 10:00:00,1\n2026-01-01 10:00:01,2\n2026-01-01 10:00:02,3\n";
    let sandbox = Sandbox::with("r.txt", table);
    let run = sandbox.run(["select", "r.txt", sql, "--raw"]).refused(6);
    assert!(run.stderr.contains("--skip-lines 1"), "{run}");
    // Times beside other values are a table.
    let table = "2026-01-01 10:00:00,1\n2026-01-01 10:00:01,2\n";
    assert_eq!(rows("t.log", table, &[]).0.lines().count(), 3);
}

#[test]
fn carriage_returns_alone_end_lines() {
    for (name, text) in [
        ("t.csv", "a;b\r1;2\r3;4\r"),
        ("t.csv", "a,b\r1,2\r3,4"),
        ("t.csv", "a\tb\r\r1\t2\r3\t4\r"),
        ("t.jsonl", "{\"a\":1,\"b\":2}\r{\"a\":3,\"b\":4}\r"),
    ] {
        assert_eq!(rows(name, text, &[]), ("a,b\n1,2\n3,4\n".to_owned(), String::new()), "{text:?}");
    }
    let sandbox = Sandbox::with("t.csv", "a,b\r1,2\r3\r");
    sandbox.run(["select", "t.csv", "SELECT * FROM t"]).refused(6).says(predicates::str::contains("line 3"));
}

#[test]
fn a_layout_that_does_not_fit_is_refused_with_an_option_that_does() {
    let cases = [
        ("Extract of 2025\nid,owner\n1,A\n2,B\n", "--skip-lines 1", "id,owner\n1,A\n2,B\n"),
        ("Extract of 2025\nid;owner\n1;A\n2;B\n", "--skip-lines 1", "id,owner\n1,A\n2,B\n"),
        ("# made by x\n# 2026, y\na,b\n1,2\n", "--comment #", "a,b\n1,2\n"),
    ];
    for (text, option, expected) in cases {
        let sandbox = Sandbox::with("t.csv", text);
        for more in [&[][..], &["--skip-bad"]] {
            let run = sandbox.run(["select", "t.csv", "SELECT * FROM t"].iter().chain(more)).refused(6);
            let hint = run.stderr.split("hint: ").nth(1).unwrap().replace('\'', "");
            assert!(hint.starts_with(option), "{run}");
        }
        let options: Vec<&str> = option.split(' ').collect();
        assert_eq!(rows("t.csv", text, &options), (expected.to_owned(), String::new()), "{text:?}");
    }
    // A delimiter at the end of each record adds nothing.
    assert_eq!(rows("t.csv", "a,b\n1,2,\n3,4,\n", &[]).0, "a,b\n1,2\n3,4\n");
    assert_eq!(rows("t.csv", "a , \"b\"\n1,2\n", &[]).0, "a,b\n1,2\n");
}

#[test]
fn json_that_mixes_kinds_of_values_keeps_them_all() {
    let cases = [
        ("{\"a\":1}\n{\"a\":[1, 2]}\n", "a\n1\n\"[1, 2]\"\n"),
        ("{\"a\":{\"b\":1}}\n{\"a\":\"x\"}\n", "a\n\"{\"\"b\"\":1}\"\nx\n"),
        ("{\"a\":[[1],2]}\n", "a\n\"[\"\"[1]\"\",\"\"2\"\"]\"\n"),
        // Whole numbers keep their digits.
        (
            "{\"a\":9007199254740993}\n{\"a\":18446744073709551616}\n",
            "a\n9007199254740993\n18446744073709551616\n",
        ),
        ("{\"a\":-9223372036854775809}\n", "a\n-9223372036854775809\n"),
        ("{\"a\":9007199254740993}\n{\"a\":0.5}\n", "a\n9007199254740993\n0.5\n"),
        ("{\"a\":{\"b\":[99999999999999999999]}}\n", "a\n\"{\"\"b\"\":[99999999999999999999]}\"\n"),
    ];
    for (text, expected) in cases {
        assert_eq!(rows("t.jsonl", text, &[]), (expected.to_owned(), String::new()), "{text:?}");
        let all = rows("t.jsonl", text, &["--schema", "a:utf8"]);
        assert_eq!(all.0.lines().count(), expected.lines().count(), "{text:?}");
    }
    let sandbox = Sandbox::with("t.jsonl", "{\"a\":1}\n{\"a\":\"\\ud83d\"}\n");
    // Half a pair of surrogates is counted.
    let run = sandbox.run(["select", "t.jsonl", "SELECT * FROM t", "--raw"]);
    assert_eq!((run.code, run.text()), (0, "a\n1\n\u{FFFD}\n"), "{run}");
    assert!(run.stderr.contains("1 invalid sequence replaced"), "{run}");
    let late = "{\"a\":{\"b\":1}}\n".repeat(80_000) + "{\"a\":7}\n";
    let sandbox = Sandbox::with("t.jsonl", late);
    let run = sandbox.run(["select", "t.jsonl", "SELECT a FROM t"]).refused(6);
    assert!(run.stderr.contains("line 80001: '7' in column a is not struct(b:int64)"), "{run}");
    assert!(run.stderr.contains("--schema 'a:utf8'"), "{run}");
}

#[test]
fn a_member_that_comes_twice_is_counted() {
    let sandbox = Sandbox::with("t.jsonl", "{\"a\":1,\"a\":2}\n{\"a\":3}\n{\"b\":{\"c\":1,\"c\":2}}\n");
    let answer = sandbox.run(["select", "t.jsonl", "SELECT a FROM t", "--json"]).ok().json();
    assert_eq!(answer["content"], "a\n2\n3\n\n");
    assert_eq!(answer["metadata"]["repeated_members"], 2);
    let first = answer["metadata"]["first_repeated"].as_str().unwrap();
    assert!(first.starts_with("line 1: the object has the member a again"), "{first}");
    let run = sandbox.run(["select", "t.jsonl", "SELECT count(*) FROM t", "--raw"]);
    assert!(run.code == 0 && run.stderr.contains("2 repeated members"), "{run}");
}

#[test]
fn a_float_that_is_not_a_number_is_not_null_in_json() {
    let sandbox = Sandbox::with("t.csv", "f\n1.5\nNaN\ninf\n-inf\n\n\"\"\n");
    let sql = "SELECT f, make_array(f) AS l FROM t";
    let more = ["--schema", "f:float64", "--output", "jsonl", "--raw"];
    let run = sandbox.run(["select", "t.csv", sql].iter().chain(&more)).ok();
    let expected = "{\"f\":1.5,\"l\":[1.5]}\n{\"f\":\"NaN\",\"l\":[\"NaN\"]}\n{\"f\":\"inf\",\"l\":[\"inf\"]}\n{\"f\":\"-inf\",\"l\":[\"-inf\"]}\n{\"f\":null,\"l\":[null]}\n";
    assert_eq!(run.text(), expected);
}

#[test]
fn short_records_are_padded_if_they_may_be() {
    let sandbox = Sandbox::new();
    sandbox.file("t.csv", "a,b,c\n1,2,3\n4\n5,6\n7,8,9\n");
    let run = sandbox.run(["select", "t.csv", "SELECT * FROM t", "--raw"]).refused(6);
    assert!(run.stderr.contains("line 3: the record has 1 value, the table has 3 columns"), "{run}");
    assert!(run.stderr.contains("--pad"), "{run}");
    let padded = |sql: &str| sandbox.run(["select", "t.csv", sql, "--pad", "--raw"]).ok().text().to_owned();
    assert_eq!(padded("SELECT * FROM t"), "a,b,c\n1,2,3\n4,,\n5,6,\n7,8,9\n");
    assert_eq!(padded("SELECT c FROM t"), "c\n3\n\n\n9\n");
    assert_eq!(padded("SELECT count(*) AS n, count(b) AS b, sum(c) AS c FROM t"), "n,b,c\n4,3,12\n");
    // Nothing says which of too many values are those of the columns.
    sandbox.file("t.csv", "a,b\n1,2\n3\n4,5,6\n");
    let run = sandbox.run(["select", "t.csv", "SELECT * FROM t", "--pad", "--raw"]).refused(6);
    assert!(run.stderr.contains("line 4: the record has 3 values") && !run.stderr.contains("--pad"), "{run}");
    let run = sandbox.run(["select", "t.csv", "SELECT * FROM t", "--input", "lines", "--pad"]).refused(2);
    assert!(run.stderr.contains("--pad"), "{run}");
}

#[test]
fn one_line_may_have_several_json_values() {
    let sandbox = Sandbox::new();
    let sum = |more: &[&str]| {
        let args = ["select", "t.jsonl", "SELECT sum(a) AS n FROM t", "--raw"];
        sandbox.run(args.iter().chain(more))
    };
    for text in ["{\"a\":1}{\"a\":2}\n{\"a\":3} {\"a\":4}\n", "{\"a\":1} {\"a\":9}"] {
        sandbox.file("t.jsonl", text);
        assert_eq!(sum(&[]).ok().text(), "n\n10\n", "{text}");
    }
    // The first line decides; a later one has the option that reads it.
    sandbox.file("t.jsonl", "{\"a\":1}\n{\"a\":2} {\"a\":7}\n");
    let run = sum(&[]).refused(6);
    assert!(
        run.stderr.contains("line 2:") && run.stderr.contains("--input json, if a line has several values"),
        "{run}"
    );
    assert_eq!(sum(&["--input", "json"]).ok().text(), "n\n10\n");
}
