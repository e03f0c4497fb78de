//! Errors in queries and command lines: the words are ours, and the hint is what to type.

use rread_testkit::sandbox::Sandbox;

const ENGINE: [&str; 9] =
    ["Exact(", "utf8view", "utf8View", "Utf8", "topk", "whilst", "fair(", "pool", "datafusion"];

fn sandbox() -> Sandbox {
    let sandbox =
        Sandbox::with("t.csv", "name,n,at\nAda,1,2026-01-31 10:00:00\nGrace,2,2026-02-01 00:00:00\n");
    sandbox.file("u.csv", "name,n,at\nEve,3,2026-03-01 00:00:00\n");
    sandbox.file("list.jsonl", "{\"l\":[\"x\"],\"o\":{\"c\":\"y\"}}\n");
    sandbox
}

#[test]
fn no_word_of_the_engine_is_shown() {
    let sandbox = sandbox();
    for (file, sql) in [
        ("t.csv", "SELECT name + n FROM t"),
        ("t.csv", "SELECT sum(name) FROM t"),
        ("t.csv", "SELECT CAST(name AS INT) FROM t"),
        ("t.csv", "SELECT name FROM t WHERE at = true"),
        ("list.jsonl", "SELECT * FROM t"),
        ("list.jsonl", "SELECT l + 1 FROM t"),
        ("list.jsonl", "SELECT o.d FROM t"),
        ("list.jsonl", "SELECT sum(l) FROM t"),
        ("t.csv", "SELECT to_char(n, '%Y') FROM t"),
        ("t.csv", "SELECT starts_with(n, at) FROM t"),
    ] {
        let run = sandbox.run(["select", file, sql, "--json"]);
        let shown = format!("{}{}", run.text(), run.stderr);
        for word in ENGINE {
            assert!(!shown.contains(word), "{word}: {sql}\n{run}");
        }
    }
    for (sql, word) in [
        ("SELECT name COLLATE nocase FROM t", "COLLATE"),
        ("SELECT name RLIKE 'x' FROM t", "RLIKE"),
        ("SELECT * FROM t a, LATERAL (SELECT a.n) b", "columns of those beside it"),
        ("SELECT name->>'x' FROM t", "->>"),
        ("SELECT TOP 1 name FROM t", "TOP"),
        ("SELECT name FROM t SORT BY n", "SORT BY"),
        ("SELECT name FROM t FETCH FIRST 1 ROW ONLY", "FETCH"),
        ("SELECT name FROM t WHERE n = $1", "$1"),
        (
            "SELECT sum(n) OVER (ORDER BY at RANGE BETWEEN INTERVAL 10 DAY PRECEDING AND CURRENT ROW) FROM t",
            "INTERVAL '10 days'",
        ),
    ] {
        let run = sandbox.run(["select", "t.csv", sql]).refused(2);
        assert!(run.stderr.contains(word) && run.stderr.lines().count() <= 2, "{run}");
        assert!(
            !["sqltorel", "Span", "Ident", "plan"].iter().any(|inner| run.stderr.contains(inner)),
            "{run}"
        );
    }
    let answer = sandbox.run(["select", "list.jsonl", "SELECT * FROM t", "--json"]).ok().json();
    assert_eq!(answer["metadata"]["columns"][0]["type"], "list(utf8)");
    assert_eq!(answer["metadata"]["columns"][1]["type"], "struct(c:utf8)");
    // The types of a receipt can be typed.
    let schema = "l:list(utf8),o:struct(c:utf8)";
    sandbox.run(["select", "list.jsonl", "SELECT * FROM t", "--schema", schema]).ok();
}

#[test]
fn statements_of_other_programs_name_the_query_with_the_answer() {
    let sandbox = sandbox();
    for (sql, hint) in [
        ("DESCRIBE t a", "DESCRIBE t"),
        ("SUMMARIZE t", "SELECT count(*), count(c)"),
        ("SHOW CREATE TABLE t", "SHOW COLUMNS FROM t"),
        ("SHOW TABLES LIKE 'x'", "SHOW TABLES"),
        ("EXPLAIN ANALYZE SELECT * FROM t", "EXPLAIN SELECT"),
    ] {
        let run = sandbox.run(["select", "t.csv", sql]).refused(2);
        assert!(run.stderr.contains("is not a query") && run.stderr.contains(hint), "{run}");
    }
    let sql = "SELECT count(*), count(_1), count(DISTINCT _1), min(_1), max(_1) FROM t";
    sandbox.run(["select", "t.csv", sql]).ok();
    sandbox.run(["select", "t.csv", "SELECT * FROM t LIMIT 1", "--metadata-only"]).ok();
}

#[test]
fn a_shift_that_loses_bits_is_an_error() {
    let sandbox = sandbox();
    for sql in ["1 << 64", "1 << 63", "n << 63", "1 << -1", "1 >> -1", "-1 << 64"] {
        let sql = format!("SELECT {sql} FROM t WHERE n = 1");
        let run = sandbox.run(["select", "t.csv", &sql]).refused(2);
        assert!(run.stderr.contains("does not fit"), "{run}");
    }
    let sql = "SELECT 1 << 62 AS a, -1 << 63 AS b, 5 >> 64 AS c, -5 >> 70 AS d, 12 >> 2 AS e, 0 << 99 AS f FROM t WHERE n = 1";
    let run = sandbox.run(["select", "t.csv", sql, "--raw"]).ok();
    assert_eq!(run.text(), "a,b,c,d,e,f\n4611686018427387904,-9223372036854775808,0,-1,3,0\n");
}

#[test]
fn names_that_look_the_same_are_found() {
    let sandbox = Sandbox::with("t.csv", "a\u{A0}b,cafe\u{301}\n1,2\n");
    for sql in ["SELECT \"a b\" FROM t", "SELECT caf\u{E9} FROM t", "SELECT CAF\u{C9} FROM t"] {
        sandbox.run(["select", "t.csv", sql]).ok();
    }
}

#[test]
fn a_hint_about_memory_is_enough() {
    let text: String = (0..60_000).map(|n| format!("{},word {n}\n", n % 30_011)).collect();
    let sandbox = Sandbox::with("t.csv", format!("key,word\n{text}"));
    for sql in [
        "SELECT count(*) FROM t a JOIN t b ON a.word = b.word",
        "SELECT word, count(*) FROM t GROUP BY word ORDER BY word LIMIT 3",
    ] {
        let run = sandbox.run(["select", "t.csv", sql, "--memory", "200KiB"]);
        if run.code == 0 {
            continue;
        }
        assert!(run.stderr.contains("the query needs more memory than --memory allows"), "{run}");
        let memory = run.stderr.split("--memory ").last().unwrap().split([',', ' ']).next().unwrap();
        sandbox.run(["select", "t.csv", sql, "--memory", memory]).ok();
    }
}
