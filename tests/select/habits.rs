//! What users of other tools type first: values that are true, queries that work, and errors that name what does.

use rread_testkit::sandbox::Sandbox;

/// The rows in CSV without the header, the exit code and the notes.
fn ask(name: &str, text: &str, sql: &str, more: &[&str]) -> (i32, String, String) {
    let sandbox = Sandbox::with(name, text);
    let run = sandbox.run(["select", name, sql, "--raw"].iter().chain(more));
    let rows = run.text().lines().skip(1).collect::<Vec<_>>().join(" ");
    (run.code, rows, run.stderr)
}

#[track_caller]
fn rows(name: &str, text: &str, sql: &str, more: &[&str], expected: &str) {
    let (code, found, notes) = ask(name, text, sql, more);
    assert_eq!((code, found.as_str()), (0, expected), "{text:?} {sql}: {notes}");
}

#[track_caller]
fn refused(name: &str, text: &str, sql: &str, words: &[&str]) {
    let (code, _, notes) = ask(name, text, sql, &[]);
    assert_ne!(code, 0, "{sql}");
    words.iter().for_each(|word| assert!(notes.contains(word), "{sql}: {word}: {notes}"));
    for word in ["Utf8", "BinaryOp", "outer_ref", "Accumulator", "failed to match"] {
        assert!(!notes.contains(word), "{sql}: {notes}");
    }
}

#[test]
fn a_join_by_position_is_not_an_alias() {
    let join = "SELECT * FROM t positional JOIN t u";
    refused("p.csv", "a\n1\n2\n", join, &["POSITIONAL JOIN is not supported", "row_number() OVER ()"]);
    let alias = "SELECT count(*) FROM t AS positional, t AS u";
    rows("p.csv", "a\n1\n2\n", alias, &[], "4");
}

#[test]
fn times_in_json_are_times() {
    let time = |seconds: &str, n: u32| {
        format!(
            "{{\"at\":{{\"t\":\"2026-11-19T09:30:{seconds}Z\"}},\"time\":\"2026-11-19T09:30:{seconds}Z\",\"n\":{n}}}\n"
        )
    };
    let text = time("00.120", 1) + &time("01.500", 2) + &time("01", 3);
    let after = "SELECT n FROM t WHERE time >= '2026-11-19T09:30:00Z' ORDER BY time";
    rows("e.jsonl", &text, after, &[], "1 3 2");
    rows("e.jsonl", &text, "SELECT n FROM t WHERE t.at.t > '2026-11-19 09:30:01' ORDER BY n", &[], "2");
    rows(
        "e.json",
        "[{\"d\":\"2026-01-31\"},{\"d\":\"2026-02-01\"}]",
        "SELECT max(d) - min(d) FROM t",
        &[],
        "1",
    );
    // Texts that look like numbers stay texts.
    rows("e.jsonl", "{\"v\":\"10\"}\n{\"v\":\"9\"}\n", "SELECT max(v) FROM t", &[], "9");
}

#[test]
fn json_of_python_and_javascript_is_read() {
    let name = "{\"id\":1,\"\\ud842\\udfb7\":\"\\ud842\\udfb7\\u91ce\",\"l\":[\"\\udbff\\udfff\"]}\n";
    rows("a.jsonl", name, "SELECT id FROM t WHERE \"𠮷\" = '𠮷野'", &[], "1");
    rows("a.jsonl", name, "SELECT l[1] FROM t", &[], "\u{10FFFF}");
    rows(
        "n.jsonl",
        "{\"v\":0.5,\"NaN\":\"NaN, Infinity\"}\n{\"v\":NaN}\n{\"v\":-Infinity}\n",
        "SELECT v FROM t",
        &[],
        "0.5 NaN -inf",
    );
    let (code, found, notes) = ask("h.jsonl", "{\"t\":\"cut \\ud83d\"}\n", "SELECT t FROM t", &[]);
    assert!(code == 0 && found == "cut \u{FFFD}" && notes.contains("1 invalid sequence"), "{found} {notes}");
    let mut late: String = (0..60_000).map(|n| format!("{{\"id\":{n},\"price\":{n}.5}}\n")).collect();
    late += "{\"id\":-1,\"price\":\"\"}\n";
    refused(
        "late.jsonl",
        &late,
        "SELECT count(price) FROM t",
        &["line 60001", "column price is not float64"],
    );
}

#[test]
fn decimals_are_exact_or_refused_and_quotients_rounded() {
    let average = "SELECT avg(b), sum(b)/count(*) FROM t";
    rows("v.csv", "b\n2.00\n3.00\n3.00\n", average, &["--schema", "b:decimal(10,2)"], "2.666667,2.666667");
    rows(
        "v.csv",
        "b\n-2.00\n-3.00\n-3.00\n",
        average,
        &["--schema", "b:decimal(10,2)"],
        "-2.666667,-2.666667",
    );
    let (code, _, notes) =
        ask("d.csv", "a\n1234567890.1234567890\n", "SELECT a*a FROM t", &["--schema", "a:decimal(20,10)"]);
    assert!(
        code == 2 && notes.contains("does not fit") && notes.contains("CAST(column AS DOUBLE)"),
        "{notes}"
    );
    let sum = format!("v\n8{0}\n8{0}\n", "0".repeat(37));
    refused(
        "s.csv",
        &sum,
        "SELECT sum(v) FROM t",
        &[&format!("16{}", "0".repeat(37)), "CAST(column AS DOUBLE)"],
    );
}

#[test]
fn forms_of_numbers_and_dates_are_types() {
    for (text, sql, more, expected) in [
        ("d,v\n2026/03/09,1\n2026/11/23,2\n", "SELECT max(d) - min(d) FROM t", &[][..], "259"),
        ("d,v\n9/3/2026,1\n23/11/2026,2\n", "SELECT v FROM t ORDER BY d", &[], "1 2"),
        ("d,v\n11.23.2026,1\n09.03.2026,2\n", "SELECT min(d) FROM t", &[], "2026-09-03"),
        ("d\n1/2/2026\n3/4/2026\n", "SELECT max(d) FROM t", &[], "3/4/2026"),
        ("d\n1/2/2026\n3/4/2026\n", "SELECT max(d) FROM t", &["--date-order", "dmy"], "2026-04-03"),
        ("t\n2026-01-31 23:59\n2026-02-01 08:05\n", "SELECT max(t) FROM t", &[], "2026-02-01T08:05:00"),
        ("a;p\nx;0,35\ny;12,40\n", "SELECT sum(p) FROM t WHERE p > 0", &[], "12.75"),
        ("a;p\nx;0,35\ny;12,40\n", "SELECT max(p) FROM t", &["--decimal", "."], "\"12,40\""),
        ("k\tv\na\t1,5\nb\t2,25\n", "SELECT sum(v) FROM t", &["--decimal", ","], "3.75"),
        ("k,v\na,\"1,250\"\nb,\"3,400\"\n", "SELECT sum(v) FROM t", &["--thousands", ","], "4650"),
        ("k;v\na;1.250,5\nb;-3.400,25\n", "SELECT sum(v) FROM t", &[], "-2149.75"),
    ] {
        rows("n.csv", text, sql, more, expected);
    }
}

#[test]
fn text_in_the_place_of_numbers_is_named_with_what_reads_it() {
    for (text, sql, words) in [
        (
            "a\n\"1,5\"\n",
            "SELECT sum(a) FROM t",
            &["column a", "'1,5'", "replace(a, ',', '.')::double", "--decimal ','"][..],
        ),
        ("a\n1\n$3\n", "SELECT sum(a) FROM t", &["'$3'", "replace(a, '$', '')::double"]),
        ("a\n9%\n", "SELECT avg(a) FROM t", &["'9%'", "replace(a, '%', '')::double"]),
        // Digits alone would be another number.
        ("a;b\n1.234,50 €;x\n10,00 €;y\n", "SELECT sum(a) FROM t", &["TRY_CAST(a AS DOUBLE)"]),
        ("a\n(12.50)\n10.00\n", "SELECT sum(a) FROM t", &["TRY_CAST(a AS DOUBLE)"]),
        ("a\n1.5G\n200M\n", "SELECT sum(a) FROM t", &["TRY_CAST(a AS DOUBLE)"]),
        ("a\n1/2\n3/4\n", "SELECT sum(a) FROM t", &["TRY_CAST(a AS DOUBLE)"]),
        ("a\n\u{2212}5\n6\n", "SELECT sum(a) FROM t", &["TRY_CAST(a AS DOUBLE)"]),
        ("id,a\n1,4\n2,NA\n", "SELECT sum(a) FROM t", &["'NA'", "--null NA"]),
        ("d\n31/01/2026\nx\n", "SELECT d::date FROM t", &["to_date(d, '%d/%m/%Y')", "--date-order dmy"]),
        ("d\n12.31.2026\nx\n", "SELECT CAST(d AS date) FROM t", &["to_date(d, '%m.%d.%Y')"]),
        ("d\n01/02/2026\n", "SELECT date_trunc('month', d) FROM t", &["--date-order dmy or mdy"]),
        ("a\nAda\n", "SELECT a + 1 FROM t", &["'Ada'", "|| joins them"]),
        (
            "a;b\n12,5;1.500\n2,5;2.750\n",
            "SELECT sum(b) FROM t",
            &["'1.500'", "--thousands . reads it as 1500"],
        ),
        ("flag,id\ntrue,1\n", "SELECT sum(flag) FROM t", &["flag is boolean", "flag::int"]),
        ("flag,id\ntrue,1\n", "SELECT upper(id) FROM t", &["id is int64", "id::text"]),
        (
            "flag,id\ntrue,1\n",
            "SELECT id FROM t WHERE id = 'x'",
            &["'x' does not fit", "CAST(column AS TEXT)"],
        ),
        ("d\n2026-01-31\n", "SELECT d FROM t WHERE d > 'soon'", &["'soon' does not fit", "'2026-01-31'"]),
        ("d\n2026-01-31 10:00\n", "SELECT d + 1 FROM t", &["d is timestamp", "INTERVAL '1 day'"]),
        ("id::name\n1::Ada\n", "SELECT name FROM t", &["--delimiter '::'"]),
    ] {
        refused("c.csv", text, sql, words);
    }
}

#[test]
fn the_expression_of_a_hint_reads_the_values() {
    for (value, of, expected) in [
        ("$3", "double", "3.0"),
        ("3 kg", "double", "3.0"),
        ("\"1,250\"", "double", "1250.0"),
        ("\"1.234,56\"", "double", "1234.56"),
        ("31 Jan 2026", "date", "2026-01-31"),
        ("31-Jan-2026", "date", "2026-01-31"),
        ("\"January 31, 2026\"", "date", "2026-01-31"),
        ("31.01.26", "date", "2026-01-31"),
        ("1/31/2026 10:05 PM", "timestamp", "2026-01-31T22:05:00"),
    ] {
        let text = format!("a\n{value}\nx\n");
        let (code, _, notes) = ask("h.csv", &text, &format!("SELECT a::{of} FROM t"), &[]);
        let hint = notes.split_once("hint: ").unwrap().1.trim_end();
        let expression = hint.split(", or --").next().unwrap().rsplit(", or ").next().unwrap();
        assert_eq!(code, 2, "{notes}");
        let sql = format!("SELECT {expression} FROM t WHERE a <> 'x'");
        let (code, found, notes) = ask("h.csv", &text, &sql, &[]);
        assert_eq!((code, found.as_str()), (0, expected), "{sql}: {notes}");
    }
}

#[test]
fn statements_of_other_databases_have_a_sentence_of_sql() {
    let text = "id,name,at\n1,Ada,2026-01-31 10:00:00\n";
    for (sql, words) in [
        ("SELECT 2**3", &["power(2, 3)"][..]),
        ("SELECT 2^3", &["power(a, b)"]),
        ("SELECT 5 // 2", &["whole number"]),
        ("SELECT id DIV 2 FROM t", &["`DIV` is not an operator"]),
        ("SELECT id FROM t WHERE name MATCH 'A'", &["`MATCH` is not an operator"]),
        ("SELECT * FROM t a ASOF JOIN t b ON a.id >= b.id", &["ASOF JOIN is not supported"]),
        ("SELECT list_filter([1], x -> x > 1)", &["unnest(list)"]),
        ("SELECT id FROM t WHERE row_number() OVER () = 1", &["WHERE n = 1"]),
        ("SELECT substr(name) FROM t", &["substr(column, 1, 2)"]),
        ("SELECT id, count(*) FROM t", &["must be in GROUP BY"]),
        ("SELECT id FROM t WHERE count(*) > 1", &["HAVING count(*) > 1"]),
        ("SELECT id FROM t WHERE id", &["column <> 0"]),
        ("SELECT count(*) FROM t WHERE name = @name", &["no parameters"]),
        ("SELECT table_name FROM information_schema.tables", &["SHOW TABLES"]),
        ("SELECT * FROM sqlite_master", &["DESCRIBE t"]),
        ("SELECT * FROM read_csv('u.csv')", &["one of several FILEs"]),
        (
            "SELECT id, (SELECT count(*) FROM t u WHERE u.id < t.id OR t.id = 5) FROM t",
            &["LEFT JOIN t b ON b.id < a.id"],
        ),
        (
            "SELECT id, (SELECT count(*) FROM (SELECT id FROM t u WHERE u.id < t.id) v) FROM t",
            &["LEFT JOIN t b"],
        ),
        // The values from outside would not be the same again.
        (
            "SELECT (SELECT count(*) FROM t u WHERE u.id > q.r) FROM (SELECT random() AS r FROM t) q",
            &["LEFT JOIN"],
        ),
        (
            "SELECT (SELECT count(*) FROM t u WHERE u.id > q.id) FROM (SELECT id FROM t LIMIT 1) q",
            &["LEFT JOIN"],
        ),
        (
            "SELECT (SELECT count(*) FROM t u WHERE u.id > q.s) FROM (SELECT sum(id + 0.5e0) AS s FROM t) q",
            &["LEFT JOIN"],
        ),
        (
            "SELECT (SELECT count(*) FROM t u WHERE u.id < (SELECT max(x.id) FROM t x WHERE x.id < t.id)) FROM t",
            &["LEFT JOIN"],
        ),
        ("SELECT id, (SELECT name FROM t u WHERE u.id < t.id) FROM t", &["(SELECT max(u.b)"]),
        ("SELECT id FROM t ORDER BY (SELECT count(*) FROM t u WHERE u.id > t.id)", &["not supported here"]),
        ("SELECT CAST(id AS HUGEINT) FROM t", &["DECIMAL(38, 2)"]),
        ("SELECT count(*) OVER (w ORDER BY id) FROM t WINDOW w AS (PARTITION BY name)", &["PARTITION BY a"]),
        (
            "SELECT count(*) OVER v FROM t WINDOW w AS (ORDER BY id), v AS (w ROWS 1 PRECEDING)",
            &["window `w`"],
        ),
        ("SELECT * REPLACE (5 AS nope) FROM t", &["there is no column `nope`"]),
        ("SELECT t.* REPLACE (5 AS \"NAME\") FROM t", &["there is no column `NAME`"]),
        ("SELECT * RENAME (id AS x) FROM t", &["EXCLUDE (a), a AS b"]),
        ("SELECT id FROM t LIMIT 1 OFFSET (SELECT 1)", &["OFFSET takes a number"]),
        ("SELECT id FROM t WHERE id = 1 AND id", &["take conditions"]),
        ("SELECT id FROM t WHERE name LIKE ANY ('A%', 'B%')", &["LIKE 'a%' OR"]),
        ("SELECT id FROM t DISTRIBUTE BY id", &["DISTRIBUTE BY is not supported"]),
        ("SELECT id, id + 1 AS id FROM t", &["column AS other"]),
        ("SELECT id + 1 AS x, name AS x FROM t", &["names of columns are unique", "column AS other"]),
        ("SELECT id FROM t LIMIT (SELECT 1)", &["LIMIT takes a number"]),
        ("SELECT avg(NULL) FROM t", &["avg(column)"]),
        ("SELECT string_agg(name) FROM t", &["string_agg(column, ',')"]),
        ("SELECT count(*) FROM t GROUP BY ()", &["GROUP BY takes columns"]),
        ("SELECT id FROM t WHERE id = 1,5", &["numbers have a point"]),
        ("SHOW DATABASES", &["SHOW TABLES"]),
        ("PRAGMA table_info(t)", &["DESCRIBE t"]),
    ] {
        refused("s.csv", text, sql, words);
        let notes = ask("s.csv", text, sql, &[]).2;
        for word in ["Word(", "{ ", "int64(", "Physical", "Ident", "Aggregate", "Window", "planner"] {
            assert!(!notes.contains(word), "{sql}: {notes}");
        }
    }
    rows("s.csv", text, "SELECT * REPLACE (x + 1 AS x) FROM (SELECT id AS x FROM t) q", &[], "2");
    rows("s.csv", text, "SELECT * REPLACE (7 AS x) FROM t AS q(x, y, z)", &[], "7,Ada,2026-01-31T10:00:00");
    rows("seq.json", "\u{1e}{\"a\":1}\n\u{1e}{\"a\":2}\n", "SELECT sum(a) FROM t", &[], "3");
    let scalars = "1\n2\n3\n";
    refused("sc.jsonl", scalars, "SELECT * FROM t", &["--input csv --no-header"]);
    rows("sc.jsonl", scalars, "SELECT sum(_1) FROM t", &["--input", "csv", "--no-header"], "6");
}

#[test]
fn files_in_from_and_unnest_beside_a_table_work() {
    let sandbox = Sandbox::with("o.csv", "id,u\n1,10\n");
    sandbox.file("u.csv", "u,n\n10,Ada\n");
    for (files, sql) in [
        (&["o.csv", "u.csv"][..], "SELECT n FROM o JOIN u ON o.u = u.u"),
        (&["o.csv", "u.csv"], "SELECT n FROM t JOIN 'u.csv' u ON t.u = u.u"),
        (&["o.csv", "u.csv"], "SELECT n FROM 'o.csv' JOIN 'u.csv' ON o.u = u.u"),
    ] {
        let run = sandbox.run(["select"].iter().chain(files).chain(&[sql, "--raw"])).ok();
        assert_eq!(run.text(), "n\nAda\n", "{sql}");
    }
    for sql in ["SELECT n FROM t JOIN u ON t.u = u.u", "SELECT n FROM t JOIN 'u.csv' u ON t.u = u.u"] {
        let run = sandbox.run(["select", "o.csv", sql, "--raw"]).refused(2);
        assert!(run.stderr.contains("--table u") && run.stderr.contains("=u.csv"), "{run}");
    }
    let run = sandbox.run(["select", "o.csv", "u.csv", "SELECT * FROM t", "--raw"]).refused(2);
    assert!(run.stderr.contains("--table NAME=FILE"), "{run}");
    let lists = "{\"id\":1,\"items\":[{\"sku\":\"a\"},{\"sku\":\"b\"}]}\n{\"id\":2,\"items\":[]}\n";
    for from in [
        "t CROSS JOIN UNNEST(t.items) AS i",
        "t, unnest(t.items) AS i",
        "t x JOIN UNNEST(x.items) AS i ON true",
    ] {
        rows("n.jsonl", lists, &format!("SELECT id, i.sku FROM {from} ORDER BY 2"), &[], "1,a 1,b");
    }
    let left = "SELECT id, i.sku FROM t LEFT JOIN UNNEST(t.items) AS i ON true ORDER BY 1, 2";
    rows("n.jsonl", &format!("{lists}{{\"id\":3}}\n"), left, &[], "1,a 1,b 2, 3,");
}

#[test]
fn words_of_other_databases_work_or_lead_on() {
    let flags = "flag,id\ntrue,1\nfalse,2\n";
    for condition in ["flag = 'true'", "flag = 1", "flag = 'TRUE'", "flag <> 0", "1 = flag"] {
        rows("f.csv", flags, &format!("SELECT id FROM t WHERE {condition}"), &[], "1");
    }
    rows("f.csv", flags, "DESCRIBE SELECT id, flag AS f FROM t", &[], "id,int64 f,boolean");
    refused("n.csv", "name,id\nn1,1\n", "SELECT id FROM t WHERE name = \"n1\"", &["'n1' in single quotes"]);
    refused("f.csv", flags, "SELECT * FROM t a SEMI JOIN t b ON a.id = b.id", &["LEFT SEMI JOIN"]);
    rows("dos.csv", "id,v\r\n1,10\r\n2,20\r\n\u{1a}", "SELECT sum(v) FROM t", &[], "30");
    refused("s.csv", "a,b,c\n1,2\n3,4\n", "SELECT * FROM t", &["--pad"]);
    refused("k.csv", "# made by x, y\n# on z\nid,name\n1,a\n", "SELECT * FROM t", &["--comment '#'"]);
    let sandbox = Sandbox::with("a1.csv", "id,v\n1,10\n2,20\n");
    sandbox.file("a2.csv", "ID,V\n3,30\n");
    for more in [&[][..], &["--union"]] {
        let run = sandbox
            .run(["select", "a1.csv", "a2.csv", "SELECT sum(v) FROM t", "--raw"].iter().chain(more))
            .ok();
        assert_eq!(run.text(), "sum(v)\n60\n", "{run}");
    }
}

#[test]
fn several_characters_or_blanks_divide_values() {
    rows("n.dat", "id::name\n1::Ada\n2::Bob\n", "SELECT name FROM t", &["--delimiter", "::"], "Ada Bob");
    rows("q.dat", "1::\"a::b\"::2\n", "SELECT _2 FROM t", &["--delimiter", "::", "--no-header"], "a::b");
    let spanning = "1::\"a::\n\"\"b::c\"::5\n2::x::6\n";
    rows("q.dat", spanning, "SELECT sum(_3) FROM t", &["--delimiter", "::", "--no-header"], "11");
    rows("q.txt", "1 \"a  b\" 3\n", "SELECT _2 FROM t", &["--delimiter", "blanks", "--no-header"], "a  b");
    let ps = "PID CMD    MEM\n  1 init   120\n482 nginx 3400\n";
    rows("ps.txt", ps, "SELECT sum(mem) FROM t", &["--delimiter", "blanks"], "3520");
    refused("ps.txt", ps, "SELECT sum(mem) FROM t", &["--delimiter blanks"]);
    let escaped = "id||name\n1||\"A\\\"||da\"\n2||Bob\n";
    let quoted = "\"A\"\"||da\" Bob";
    rows("n.dat", escaped, "SELECT name FROM t", &["--delimiter", "||", "--escape", "\\"], quoted);
    rows("n.dat", escaped, "SELECT name FROM t", &["--delimiter", "||"], quoted);
    let comment = "# \"not closed\nid name\n1 Ada\n";
    rows("c.txt", comment, "SELECT name FROM t", &["--delimiter", "blanks", "--comment", "#"], "Ada");
    // Quotes are counted once, however many dividers are between them.
    let long = format!("1||\"{}\"||2\n", "a||".repeat(300_000));
    let sql = "SELECT _3, length(_2) FROM t";
    rows("l.dat", &long, sql, &["--delimiter", "||", "--no-header", "--timeout", "60s"], "2,900000");
    let large: String = (0..200_000).map(|n| format!("{n}||a,b||{n}.5\n")).collect();
    rows(
        "l.txt",
        &large,
        "SELECT count(*), sum(_1), max(_2) FROM t",
        &["--delimiter", "||"],
        "200000,19999900000,\"a,b\"",
    );
}

#[test]
fn a_large_offset_sorts_and_keeps_no_heap() {
    let text: String = std::iter::once("id,k\n".to_owned())
        .chain((0..30_000).map(|id| format!("{id},{}\n", (id * 7919) % 30_011)))
        .collect();
    let all =
        ask("b.csv", &text, "SELECT id FROM t ORDER BY k, id", &["--offset", "25000", "--max-rows", "3"]).1;
    rows("b.csv", &text, "SELECT id FROM t ORDER BY k, id LIMIT 3 OFFSET 25000", &[], &all);
}

#[test]
fn stat_shows_tables_as_select_sees_them() {
    let sandbox = Sandbox::with("a.csv", "id;name;price\n1;Ada;0,35\n2;;12,40\n");
    sandbox.file("a.txt", "id;name\n1;Ada\n");
    let of = |name: &str| sandbox.run(["stat", name, "--json"]).ok().json()["tables"].clone();
    assert_eq!(of("a.csv"), serde_json::json!(["t: id int64 (1), name utf8 (Ada), price float64 (0.35)"]));
    assert_eq!(of("a.txt"), serde_json::Value::Null);
}
