//! Queries of every kind within `--memory`, and the memory of queries of tools and of databases.

use std::process::Command;

use rread_testkit::sample::cases;
use rread_testkit::sandbox::{AtHome, Sandbox, binary};

use super::limits::{measured, shuffled};

/// A text of about a kilobyte, in place of LONG.
const LONG: &str = "repeat(word, 40)";

/// Texts of half a kilobyte to two.
const VALUES: [&str; 32] = [
    "LONG",
    "repeat(word, 90)",
    "lpad(word, 2000, 'x')",
    "rpad(word, 400, 'é')",
    "replace(repeat(word, 9), 'w', word)",
    "concat(LONG, LONG)",
    "concat_ws(LONG, word, word)",
    "LONG || word || LONG",
    "regexp_replace(repeat(word, 9), '[a-f]', word, 'g')",
    "translate(word, 'wo', 'éé') || LONG",
    "to_hex(key) || repeat(to_hex(key), 90)",
    "encode(cast(LONG AS bytea), 'hex')",
    "upper(LONG)",
    "reverse(LONG)",
    "initcap(LONG)",
    "overlay(LONG placing LONG from 2)",
    "array_to_string(array_repeat(word, 40), ',')",
    "array_to_string(string_to_array(repeat(word, 9), ''), '--')",
    "array_to_string(generate_series(1, 300), ',')",
    "array_to_string(array_concat(array_repeat(word, 20), array_repeat(word, 20)), '')",
    "array_to_string(array_resize(make_array(word), 40, word), '')",
    "array_to_string(flatten(array_repeat(array_repeat(word, 6), 6)), '')",
    "named_struct('a', LONG, 'b', array_repeat(word, 20))['a'] || word",
    "array_to_string(map_values(map(make_array('a', 'b'), make_array(LONG, word))), '')",
    "cast(array_repeat(array_repeat(word, 6), 6) AS varchar)",
    "array_to_string(array_append(array_repeat(word, 20), LONG), '')",
    "array_to_string(regexp_match(repeat(word, 9), '((((.*))))'), '')",
    "repeat(substr(word, 1, 3), 400)",
    "coalesce(nullif(LONG, ''), 'x')",
    "CASE WHEN key > 7 THEN repeat(word, 30) ELSE lpad(word, 900) END",
    "array_to_string(array_sort(array_repeat(repeat(word, 9), 9)), '')",
    "to_char(date '2024-01-01', repeat('%Y', 400)) || word",
];

/// Queries of a value, in place of VALUE.
const QUERIES: [&str; 10] = [
    "SELECT max(octet_length(VALUE)) FROM t",
    "SELECT VALUE AS x FROM t ORDER BY x LIMIT 3",
    "SELECT count(*) FROM (SELECT VALUE AS x FROM t ORDER BY x, key)",
    "SELECT count(*) FROM (SELECT VALUE AS x, count(*) FROM t GROUP BY x)",
    "SELECT count(DISTINCT VALUE) FROM t",
    "SELECT length(string_agg(VALUE, ',')) FROM t",
    "SELECT array_length(array_agg(VALUE)) FROM t",
    "SELECT max(octet_length(x)) FROM (SELECT lag(VALUE, 9) OVER (ORDER BY key) AS x FROM t)",
    "SELECT count(*) FROM (SELECT VALUE AS x FROM t) a JOIN (SELECT VALUE AS x FROM t) b ON a.x = b.x",
    "SELECT max(octet_length(repeat(VALUE, 900))) FROM t",
];

const OTHERS: [&str; 15] = [
    "SELECT length(string_agg(repeat('x', 1000000), '')) FROM t",
    "SELECT max(length(s)) FROM (SELECT repeat('x', 1000000) || word AS s FROM t)",
    "SELECT length(x), word FROM (SELECT repeat('x', 1000000) AS x, word FROM t) ORDER BY x, word LIMIT 3",
    "WITH RECURSIVE r AS (SELECT 'x' AS s, 1 AS n UNION ALL SELECT s || s, n + 1 FROM r WHERE n < 40) SELECT max(length(s)) FROM r",
    "SELECT count(*) FROM (SELECT unnest(generate_series(1, 9000)) FROM t)",
    "SELECT array_length(array_agg(x)) FROM (SELECT unnest(generate_series(1, 90000)) AS x FROM t)",
    "SELECT count(*) FROM (SELECT unnest(string_to_array(repeat(word, 9000), '')) FROM t)",
    "SELECT a.key, repeat(a.word, 40) FROM t a CROSS JOIN t b ORDER BY 2 LIMIT 5",
    "SELECT median(length(repeat(word, 9000))) FROM t",
    "SELECT first_value(LONG ORDER BY key) FROM t GROUP BY word",
    "SELECT nth_value(LONG, 3) OVER (ORDER BY word) FROM t",
    "SELECT LONG AS x FROM t UNION SELECT LONG || 'a' FROM t ORDER BY x",
    "SELECT LONG AS x FROM t INTERSECT SELECT LONG FROM t",
    "SELECT max(length(replace(replace(replace(replace(LONG, 'o', 'oo'), 'o', 'oo'), 'o', 'oo'), 'o', 'oo'))) FROM t",
    "SELECT max(length(x || x || x || x)) FROM (SELECT y || y || y || y AS x FROM (SELECT LONG || LONG AS y FROM t))",
];

/// The engine counts a part of the memory; the rest shows only in that of the process.
#[cfg(target_os = "linux")]
#[test]
fn queries_of_every_kind_keep_to_the_memory() {
    let sandbox = Sandbox::with("t.csv", shuffled(20_000));
    let of_values = VALUES.iter().flat_map(|value| QUERIES.iter().map(|sql| sql.replace("VALUE", value)));
    let all = OTHERS.iter().map(|sql| (*sql).to_owned()).chain(of_values);
    for sql in all.step_by(cases(1, 27)).map(|sql| sql.replace("LONG", LONG)) {
        let mut command = Command::new(binary());
        command.current_dir(sandbox.path("")).at_home(&sandbox.home());
        command.args(["select", "t.csv", &sql, "--memory", "64MiB", "--timeout", "20s", "--raw"]);
        let (code, said, peak) = measured(command);
        assert!(peak <= 256, "{peak} MiB: {sql}: {said}");
        let is_refused = code == 3 && (said.contains("--memory") || said.contains("within 20s"));
        assert!(code == 0 || is_refused, "{code}: {sql}: {said}");
    }
}

/// SQLite runs the queries of its databases itself.
#[cfg(all(target_os = "linux", feature = "sqlite"))]
#[test]
fn a_query_of_a_database_keeps_to_the_memory() {
    let sandbox = Sandbox::new();
    let database = rread_source::rusqlite::Connection::open(sandbox.path("t.db")).unwrap();
    database.execute_batch("CREATE TABLE t (n); INSERT INTO t VALUES (1), (2)").unwrap();
    drop(database);
    let rows = "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 900000)";
    for sql in [
        "SELECT length(hex(zeroblob(300000000))) FROM t".to_owned(),
        "SELECT length(printf('%.*c', 500000000, 'x')) FROM t".to_owned(),
        "SELECT length(replace(hex(zeroblob(9000000)), '0', '0000000000')) FROM t".to_owned(),
        format!("{rows} SELECT length(group_concat(printf('%.*c', 900, 'x'))) FROM r"),
        format!("{rows} SELECT length(json_group_array(printf('%.*c', 900, 'x'))) FROM r"),
    ] {
        for options in [&["--raw"][..], &["--raw", "--timeout", "60s"]] {
            let mut command = Command::new(binary());
            command.current_dir(sandbox.path("")).at_home(&sandbox.home());
            command.args(["select", "t.db", &sql, "--memory", "64MiB"]).args(options);
            let (code, said, peak) = measured(command);
            assert!(
                peak <= 256 && code == 3 && said.contains("--memory"),
                "{code} {peak} MiB: {sql}: {said}"
            );
        }
    }
    let run = sandbox.run(["select", "t.db", "SELECT max(n) FROM t", "--memory", "64MiB", "--raw"]).ok();
    assert!(run.text().contains('2'), "{run}");
}
