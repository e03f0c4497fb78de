//! Queries that mean in the engine something else than in the SQL standard.

use predicates::str::contains;
use rread_testkit::sandbox::Sandbox;

/// The rows of a query on `t`, with `r` and `s` beside it, without the names of columns.
fn rows(sandbox: &Sandbox, sql: &str) -> String {
    let run = sandbox.run(["select", "t.csv", sql, "--table", "r=r.csv", "--table", "s=s.csv", "--raw"]);
    let (_, rows) = run.text().split_once('\n').unwrap_or_else(|| panic!("{sql}: {run}"));
    rows.trim_end().replace('\n', " / ")
}

fn tables() -> Sandbox {
    let sandbox = Sandbox::with("t.csv", "k,a\n1,10\n2,20\n");
    sandbox.file("r.csv", "k,b\n1,x\n4,z\n");
    sandbox.file("s.csv", "k,c\n4,q\n2,w\n");
    sandbox
}

#[test]
fn a_column_of_using_is_one() {
    let sandbox = tables();
    for (sql, expected) in [
        ("SELECT * FROM t LEFT JOIN r USING (k) ORDER BY k", "1,10,x / 2,20,"),
        ("SELECT K, b FROM t LEFT JOIN r USING (k) ORDER BY k DESC", "2, / 1,x"),
        ("SELECT a FROM t JOIN r USING (k) WHERE k = 1", "10"),
        (
            "SELECT k, count(*) FROM t LEFT JOIN r USING (k) GROUP BY k HAVING k > 0 ORDER BY k DESC",
            "2,1 / 1,1",
        ),
        ("SELECT t.*, r.k FROM t LEFT JOIN r USING (k) ORDER BY t.k", "1,10,1 / 2,20,"),
        ("SELECT * FROM t JOIN (SELECT k, b FROM r) USING (k)", "1,10,x"),
        ("SELECT DISTINCT k FROM t LEFT JOIN r USING (k) ORDER BY k", "1 / 2"),
        ("SELECT DISTINCT k AS j FROM t LEFT JOIN r USING (k) ORDER BY k DESC", "2 / 1"),
        ("SELECT DISTINCT * FROM t LEFT JOIN r USING (k) ORDER BY k DESC", "2,20, / 1,10,x"),
        ("SELECT * FROM (SELECT k AS a, -a AS k FROM t LEFT JOIN r USING (k) ORDER BY k LIMIT 1) q", "2,-20"),
        ("SELECT x.a FROM t x JOIN t y USING (k, a) ORDER BY k", "10 / 20"),
        ("SELECT * FROM t LEFT ANTI JOIN r USING (k)", "2,20"),
        ("SELECT (SELECT max(b) FROM r WHERE r.k = k) FROM (SELECT k FROM t) q LIMIT 1", "z"),
    ] {
        assert_eq!(rows(&sandbox, sql), expected, "{sql}");
    }
    for (sql, sentence) in [
        ("SELECT * FROM t x JOIN t y USING (nope)", "`nope` is not a column of both sides"),
        ("SELECT k FROM t x JOIN t y USING (k), t z", "USING is supported for one join of two tables"),
        ("SELECT * FROM t x JOIN t y USING (k) JOIN t z USING (k)", "ON a.id = b.id"),
        ("SELECT * FROM t x NATURAL JOIN t y", "USING (id)"),
        ("SELECT * EXCLUDE (a) FROM t x LEFT JOIN t y USING (k)", "not supported beside USING"),
        ("SELECT k FROM t x FULL JOIN t y USING (k)", "coalesce(a.id, b.id)"),
        ("SELECT k FROM t x RIGHT JOIN t y USING (k)", "not supported in RIGHT and FULL joins"),
    ] {
        sandbox.run(["select", "t.csv", sql]).refused(2).says(contains(sentence));
    }
}

#[test]
fn what_follows_distinct_from_is_not_a_part_of_it() {
    let sandbox = tables();
    for (sql, expected) in [
        ("SELECT k FROM t WHERE a IS DISTINCT FROM 10 AND k = 1", ""),
        ("SELECT k FROM t WHERE a IS DISTINCT FROM 10 OR k = 1 ORDER BY k", "1 / 2"),
        ("SELECT k FROM t WHERE a IS NOT DISTINCT FROM 10 AND k = 1", "1"),
        ("SELECT k FROM t WHERE k = 2 AND a IS DISTINCT FROM 20 OR k = 1", "1"),
        ("SELECT k FROM t WHERE NOT a IS DISTINCT FROM 10 AND k = 1", "1"),
        ("SELECT k IS DISTINCT FROM NULL FROM t LIMIT 1", "true"),
    ] {
        let run = sandbox.run(["select", "t.csv", sql, "--raw"]);
        let rows = run.text().split_once('\n').map_or("", |(_, rows)| rows).trim_end().replace('\n', " / ");
        assert_eq!(rows, expected, "{sql}");
    }
}

#[test]
fn a_value_that_is_never_null_can_be_grouped() {
    let sandbox = Sandbox::with("t.csv", "k,b\n1,true\n2,false\n");
    let sql = "SELECT DISTINCT coalesce((t.b IS NOT TRUE OR t.k IS NULL), false) AS v FROM t LEFT JOIN t u ON u.k = t.k \
        WHERE coalesce(t.b, false)";
    assert_eq!(sandbox.run(["select", "t.csv", sql, "--raw"]).ok().text(), "v\nfalse\n");
}

/// The engine takes an unknown answer for false where it is not.
#[test]
fn in_and_exists_with_nulls_are_right_or_refused() {
    let sandbox = Sandbox::with("t.csv", "a\n1\n2\n");
    sandbox.file("r.csv", "c,d\n5,1\n,2\n");
    sandbox.file("s.csv", "e\n1\n");
    let query = |condition: &str| {
        let sql = format!("SELECT a FROM t WHERE {condition} ORDER BY a");
        sandbox.run(["select", "t.csv", &sql, "--table", "r=r.csv", "--table", "s=s.csv", "--raw"])
    };
    for refused in [
        "a NOT IN (SELECT c FROM r WHERE c IS NULL AND r.d > t.a)",
        "a NOT IN (SELECT c FROM r WHERE r.d > t.a) OR a = 1",
        "NOT (a IN (SELECT c FROM r WHERE c IS NULL AND r.d > t.a))",
        "NOT a = ANY (SELECT c FROM r WHERE c IS NULL AND r.d > t.a)",
        "(a IN (SELECT c FROM r WHERE r.d = t.a)) IS NULL",
    ] {
        query(refused).refused(2).says(contains("NOT EXISTS"));
    }
    for (right, expected) in [
        ("a NOT IN (SELECT c FROM r)", "a\n"),
        ("3 NOT IN (SELECT c FROM r)", "a\n"),
        ("1 + 2 NOT IN (SELECT c FROM r)", "a\n"),
        ("3 <> ALL (SELECT c FROM r)", "a\n"),
        ("3 NOT IN (SELECT e FROM s)", "a\n1\n2\n"),
        ("3 NOT IN (SELECT c FROM r WHERE d > 5)", "a\n1\n2\n"),
        ("NULL NOT IN (SELECT c FROM r WHERE d > 5)", "a\n1\n2\n"),
        ("NULL NOT IN (SELECT e FROM s)", "a\n"),
        ("(SELECT max(d) FROM r) NOT IN (SELECT c FROM r)", "a\n"),
        ("a + 1 NOT IN (SELECT e + 1 FROM s)", "a\n2\n"),
        ("a NOT IN (SELECT c FROM r) OR a = 1", "a\n1\n"),
        ("NOT (a IN (SELECT e FROM s)) OR a = 1", "a\n1\n2\n"),
        ("CASE WHEN a NOT IN (SELECT c FROM r) THEN false ELSE true END", "a\n1\n2\n"),
        ("a NOT IN (SELECT c FROM r WHERE c > 0) AND a > 1", "a\n2\n"),
        ("NOT (a IN (SELECT e FROM s))", "a\n2\n"),
        ("a <> ALL (SELECT e FROM s)", "a\n2\n"),
        ("a IN (SELECT d FROM r) OR a = 7", "a\n1\n2\n"),
        ("CASE WHEN a IN (SELECT e FROM s) THEN true ELSE false END", "a\n1\n"),
        ("EXISTS (SELECT 1 FROM r WHERE r.d = t.a AND r.c NOT IN (SELECT e FROM s))", "a\n1\n"),
        ("(a IN (SELECT c FROM r)) IS NULL", "a\n1\n2\n"),
        ("NOT (a IN (SELECT c FROM r) AND a > 0)", "a\n"),
        ("NOT (a IN (SELECT e FROM s) AND a > 0)", "a\n2\n"),
        ("coalesce(a IN (SELECT c FROM r), true)", "a\n1\n2\n"),
        ("(a IN (SELECT c FROM r)) IN (SELECT true)", "a\n"),
        ("(a IN (SELECT e FROM s)) IN (SELECT true)", "a\n1\n"),
        ("(SELECT count(*) FROM r WHERE d < t.a) > 0", "a\n2\n"),
        ("(SELECT count(c) FROM r WHERE d <> t.a) = 0", "a\n1\n"),
    ] {
        assert_eq!(query(right).text(), expected, "{right}");
    }
    for (value, expected) in [
        ("a IN (SELECT c FROM r)", "1, / 2,"),
        ("a IN (SELECT e FROM s)", "1,true / 2,false"),
        ("a = ANY (SELECT e FROM s)", "1,true / 2,false"),
        ("a NOT IN (SELECT e FROM s)", "1,false / 2,true"),
        ("a NOT IN (SELECT c FROM r)", "1, / 2,"),
        ("a IN (SELECT c FROM r WHERE d = 1)", "1,false / 2,false"),
        ("NULL IN (SELECT e FROM s)", "1, / 2,"),
        ("NULL IN (SELECT e FROM s WHERE e > 7)", "1,false / 2,false"),
        ("EXISTS (SELECT 1 FROM r WHERE r.d > t.a)", "1,true / 2,false"),
        ("NOT EXISTS (SELECT 1 FROM s WHERE e = t.a)", "1,false / 2,true"),
        ("EXISTS (SELECT 1 FROM s) AND NOT EXISTS (SELECT 1 FROM s WHERE e > 7)", "1,true / 2,true"),
        (
            "CASE WHEN EXISTS (SELECT 1 FROM r WHERE c IN (SELECT e + 4 FROM s) AND d = a) THEN a ELSE 0 END",
            "1,1 / 2,0",
        ),
        (
            "(SELECT count(*) FROM s WHERE e = t.a) + CAST(EXISTS (SELECT 1 FROM r WHERE d = t.a) AS INT)",
            "1,2 / 2,1",
        ),
        ("(SELECT count(*) FROM r WHERE d > t.a)", "1,1 / 2,0"),
        ("(SELECT max(d) FROM r WHERE d <= t.a AND d = t.a)", "1,1 / 2,2"),
        ("(SELECT count(*) FROM r WHERE NOT d > t.a)", "1,1 / 2,2"),
        ("(SELECT count(*) + 1 FROM r, s WHERE d BETWEEN e AND t.a)", "1,2 / 2,3"),
        ("CASE WHEN (SELECT count(*) FROM r WHERE d < t.a) > 0 THEN t.a ELSE 0 END", "1,0 / 2,2"),
        ("sum(CASE WHEN EXISTS (SELECT 1 FROM s WHERE e = t.a) THEN 1 ELSE 0 END) OVER ()", "1,1 / 2,1"),
        ("count(*) FILTER (WHERE a IN (SELECT e FROM s))", "1,1 / 2,0"),
    ] {
        let group = if value.starts_with("count") { "GROUP BY a" } else { "" };
        let sql = format!("SELECT a, {value} AS v FROM t {group} ORDER BY a");
        let run =
            sandbox.run(["select", "t.csv", &sql, "--table", "r=r.csv", "--table", "s=s.csv", "--raw"]).ok();
        assert_eq!(run.text().lines().skip(1).collect::<Vec<_>>().join(" / "), expected, "{value}");
    }
}

#[test]
fn a_whole_number_that_left_a_moving_frame_leaves_nothing_behind() {
    let sandbox = Sandbox::with("t.csv", "i,x,f\n1,9223372036854775807,1e20\n2,-9,1\n3,2,2\n4,3,3\n5,3,4\n");
    let frame = "OVER (ORDER BY i ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)";
    for (function, expected) in [
        ("sum(x)", "9223372036854775807 / 9223372036854775798 / -7 / 5 / 6"),
        ("sum(CAST(f AS DECIMAL(38, 0)))", "100000000000000000000 / 100000000000000000001 / 3 / 5 / 7"),
    ] {
        let sql = format!("SELECT {function} {frame} AS v FROM t ORDER BY i");
        let run = sandbox.run(["select", "t.csv", &sql, "--raw"]).ok();
        let rows: Vec<&str> = run.text().lines().skip(1).collect();
        assert_eq!(rows.join(" / "), expected, "{sql}");
    }
    for function in ["sum(DISTINCT x)", "avg(DISTINCT f)"] {
        let sql = format!("SELECT {function} {frame} FROM t");
        sandbox
            .run(["select", "t.csv", &sql])
            .refused(2)
            .says(contains("of a frame that moves is not supported"));
    }
}

#[test]
fn a_sum_keeps_its_name_its_type_and_its_place() {
    let sandbox = Sandbox::with("t.csv", "g,x,d\na,9223372036854775807,1.25\na,-9,2.5\nb,3,3\nb,,\n");
    for (sql, expected) in [
        (
            "SELECT g, sum(x), sum(x) AS s, count(x) FROM t GROUP BY g ORDER BY s",
            "b,3,3,1 / a,9223372036854775798,9223372036854775798,2",
        ),
        ("SELECT sum(x) - 1 AS v FROM t GROUP BY g HAVING sum(x) > 3", "9223372036854775797"),
        ("SELECT sum(DISTINCT x) OVER (ORDER BY x) AS v FROM t WHERE x < 9 ORDER BY x", "-9 / -6"),
        ("SELECT avg(CAST(d AS DECIMAL(4,2))) FILTER (WHERE g = 'a') FROM t", "1.875000"),
        ("SELECT max(s) FROM (SELECT sum(x) AS s FROM t GROUP BY g)", "9223372036854775798"),
        ("SELECT arrow_typeof(sum(x)), arrow_typeof(avg(x)) FROM t WHERE x < 9", "Int64,Float64"),
        ("SELECT g FROM t GROUP BY g ORDER BY sum(x) DESC", "a / b"),
        ("SELECT (SELECT sum(u.x) FROM t u WHERE u.g = t.g) AS v FROM t WHERE d = 3", "3"),
        ("SELECT sum(x) FROM t WHERE false", ""),
    ] {
        let run = sandbox.run(["select", "t.csv", sql, "--raw"]).ok();
        let rows: Vec<&str> = run.text().lines().skip(1).collect();
        assert_eq!(rows.join(" / "), expected, "{sql}");
    }
    sandbox
        .run(["select", "t.csv", "SELECT sum(x) FROM (SELECT x FROM t UNION ALL SELECT x FROM t)"])
        .refused(2)
        .says(contains("the sum 18446744073709551602 does not fit in int64"));
}

#[test]
fn an_overflow_in_a_window_is_one_sentence() {
    let sandbox = Sandbox::with("t.csv", "i,x\n1,1\n2,2\n3,9223372036854775807\n4,1\n");
    for frame in ["UNBOUNDED PRECEDING", "BETWEEN 1 PRECEDING AND CURRENT ROW"] {
        let sql = format!("SELECT sum(x) OVER (ORDER BY i ROWS {frame}) FROM t");
        sandbox.run(["select", "t.csv", &sql]).refused(2).says(contains("does not fit in int64"));
    }
}
