//! Lines of text and records of logs as tables.

use std::fmt::Write;

use rread_testkit::sandbox::{Run, Sandbox};

fn select(sandbox: &Sandbox, file: &str, sql: &str, more: &[&str]) -> Run {
    sandbox.run(["select", file, sql].iter().chain(more))
}

#[track_caller]
fn rows(sandbox: &Sandbox, file: &str, sql: &str, more: &[&str]) -> String {
    let more: Vec<&str> = more.iter().chain(&["--raw"]).copied().collect();
    select(sandbox, file, sql, &more).ok().text().to_owned()
}

const LINES: &[&str] = &["--input", "lines"];
const LOG: &[&str] = &["--input", "log", "--tz", "UTC"];

fn utf16(text: &str) -> Vec<u8> {
    [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect()
}

#[test]
fn every_line_of_any_text_is_a_row() {
    let sandbox = Sandbox::new();
    let csv = |lines: &[&str]| {
        let mut text = "_line,line\n".to_owned();
        for (nth, line) in lines.iter().enumerate() {
            let quoted = if line.is_empty() || line.contains([',', '"']) {
                format!("\"{}\"", line.replace('"', "\"\""))
            } else {
                (*line).to_owned()
            };
            writeln!(text, "{},{quoted}", nth + 1).unwrap();
        }
        text
    };
    for (text, lines) in [
        ("a\nb\n", &["a", "b"][..]),
        ("a\nb", &["a", "b"]),
        ("a\r\nb\r\n", &["a", "b"]),
        ("\n\n", &["", ""]),
        ("a,\"b\n\"c", &["a,\"b", "\"c"]),
        ("{\"a\":1}\n[1\n", &["{\"a\":1}", "[1"]),
        ("\u{FEFF}a\nż\n", &["a", "ż"]),
    ] {
        sandbox.file("t", text);
        assert_eq!(rows(&sandbox, "t", "SELECT * FROM t", LINES), csv(lines), "{text:?}");
        sandbox.file("wide", utf16(text.trim_start_matches('\u{FEFF}')));
        assert_eq!(rows(&sandbox, "wide", "SELECT * FROM t", LINES), csv(lines), "{text:?}");
        let mut piped = sandbox.command();
        piped.args(["select", "-", "SELECT * FROM t", "--input", "lines", "--raw"]).write_stdin(text);
        assert_eq!(Run::of(&mut piped).ok().text(), csv(lines), "{text:?}");
    }
    sandbox.file("t", "");
    assert_eq!(rows(&sandbox, "t", "SELECT count(*) AS n FROM t", LINES), "n\n0\n");
    sandbox.file("t", b"a\xFFb\nc\n");
    let answer = select(&sandbox, "t", "SELECT line FROM t", &["--input", "lines", "--json"]).ok().json();
    assert_eq!(answer["content"], "line\na\u{FFFD}b\nc\n");
    assert_eq!(answer["metadata"]["invalid_utf8"], serde_json::json!({"count": 1, "first_byte": 1}));
    assert_eq!(answer["metadata"]["input"], "lines");
}

#[test]
fn a_row_says_where_it_is() {
    let sandbox = Sandbox::with("t.log", "one\ntwo\r\n2026-11-23T06:00:00Z ERROR x\n\tat y\n");
    let sql = "SELECT _line, _start_byte, _end_byte FROM t";
    assert_eq!(
        rows(&sandbox, "t.log", sql, LINES),
        "_line,_start_byte,_end_byte\n1,0,4\n2,4,9\n3,9,38\n4,38,44\n"
    );
    assert_eq!(rows(&sandbox, "t.log", sql, LOG), "_line,_start_byte,_end_byte\n1,0,9\n3,9,44\n");
    let record =
        "_line,_time,_level,line\n3,2026-11-23T06:00:00Z,error,\"2026-11-23T06:00:00Z ERROR x\n\tat y\"\n";
    assert_eq!(rows(&sandbox, "t.log", "SELECT * FROM t WHERE _time IS NOT NULL", LOG), record);
    let both = "SELECT _file, _line FROM t WHERE line LIKE '%at y%'";
    assert_eq!(rows(&sandbox, "t.log", both, LOG), "_file,_line\nt.log,3\n");
    assert_eq!(rows(&sandbox, "t.log", both, LINES), "_file,_line\nt.log,4\n");
}

#[test]
fn a_window_of_time_is_read_alone() {
    let mut text = String::new();
    for minute in 0..20_000u32 {
        writeln!(
            text,
            "2026-11-{:02}T{:02}:{:02}:00Z INFO n={minute} {}",
            1 + minute / 1440,
            minute / 60 % 24,
            minute % 60,
            "x".repeat(40)
        )
        .unwrap();
    }
    let sandbox = Sandbox::with("a.log", &text);
    let sql = "SELECT count(*) AS n, min(_line) AS a FROM t";
    let window = ["--since", "2026-11-05T06:00", "--until", "+10m", "--tz", "UTC", "--json"];
    let answer = select(&sandbox, "a.log", sql, &window).ok().json();
    assert_eq!(answer["content"], "n,a\n10,6121\n");
    let facts = &answer["metadata"];
    assert_eq!(facts["time"]["since"], "2026-11-05T06:00:00+00:00");
    assert_eq!(facts["time"]["until"], "2026-11-05T06:10:00+00:00");
    assert!(facts["bytes_scanned"].as_u64().unwrap() < 2000, "{facts}");
    // The same with a condition, which reads everything and says so.
    let condition = format!("{sql} WHERE _time >= '2026-11-05T06:00:00Z' AND _time < '2026-11-05T06:10:00Z'");
    let answer = select(&sandbox, "a.log", &condition, &["--json"]).ok().json();
    assert_eq!(answer["content"], "n,a\n10,6121\n");
    assert!(answer["metadata"]["time"]["hint"].as_str().unwrap().contains("--since"), "{answer}");
    assert!(answer["metadata"]["bytes_scanned"].as_u64().unwrap() >= text.len() as u64);
    let all = select(&sandbox, "a.log", sql, &["--json"]).ok().json();
    assert!(all["metadata"]["time"]["hint"].is_null(), "{all}");
    // The same as lines reports.
    let lines = sandbox.run(["lines", "a.log", "--raw"].iter().chain(&window[..6])).ok();
    assert_eq!(lines.text().lines().count(), 10);
    // A table that is no log has no window.
    sandbox.file("t.csv", "a,b\n1,2\n");
    let run = select(&sandbox, "t.csv", "SELECT a FROM t", &["--since", "06:00"]).refused(2);
    assert!(run.stderr.contains("--input log"), "{run}");
    let lines = ["--input", "lines", "--since", "06:00"];
    let run = select(&sandbox, "a.log", "SELECT 1 FROM t", &lines).refused(2);
    assert!(run.stderr.contains("--input log"), "{run}");
    let run = select(&sandbox, "a.log", "SELECT 1 FROM t", &["--schema", "line:int64"]).refused(2);
    assert!(run.stderr.contains("--parse"), "{run}");
    let run = select(&sandbox, "a.log", "SELECT 1 FROM t", &["--scan"]).refused(2);
    assert!(run.stderr.contains("--since"), "{run}");
}

#[test]
fn many_logs_are_one_table() {
    let sandbox = Sandbox::new();
    for (name, hour) in [("a.log", 6), ("b.log", 7)] {
        let line = |minute: u32| format!("2026-11-23T{hour:02}:{minute:02}:00Z INFO {name}\n\tmore\n");
        sandbox.file(name, (0..30).map(line).collect::<String>());
    }
    sandbox.file("c.log", "");
    // Too short to show that it is a log.
    sandbox.file("d.log", "2026-11-23T08:00:00Z INFO d.log\n\tmore\n");
    let sql = "SELECT _file, count(*) AS n, min(_line) AS a FROM t GROUP BY _file ORDER BY _file";
    let all = rows(&sandbox, "*.log", sql, &[]);
    assert_eq!(all, "_file,n,a\na.log,30,1\nb.log,30,1\nd.log,1,1\n");
    let window = ["--since", "2026-11-23T06:50", "--until", "2026-11-23T07:10", "--tz", "UTC"];
    assert_eq!(rows(&sandbox, "*.log", sql, &window), "_file,n,a\nb.log,10,1\n");
    let lines = rows(&sandbox, "*.log", "SELECT count(*) AS n FROM t WHERE line LIKE '%more%'", LINES);
    assert_eq!(lines, "n\n61\n");
    let time =
        select(&sandbox, "*.log", sql, &["--tz", "UTC", "--json"]).ok().json()["metadata"]["time"].clone();
    assert_eq!(time["first"], "2026-11-23T06:00:00+00:00");
    assert_eq!(time["last"], "2026-11-23T08:00:00+00:00");
}

#[test]
fn a_text_in_a_condition_finds_the_lines_that_search_finds() {
    let sandbox = Sandbox::new();
    // Lines around the edges of blocks of 1 MiB.
    let mut text = String::new();
    let mut state = 1u32;
    while text.len() < (5 << 19) {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let word = ["needle", "need", "NEEDLE", "ne edle", ""][(state >> 20) as usize % 5];
        write!(
            text,
            "{}{word}{}",
            "x".repeat((state >> 24) as usize),
            if state & 0x100 == 0 { "\r\n" } else { "\n" }
        )
        .unwrap();
    }
    text += "the last needle";
    sandbox.file("t.txt", &text);
    sandbox.file("wide.txt", utf16(&text));
    for file in ["t.txt", "wide.txt"] {
        let count =
            sandbox.run(["search", "-c", "-F", "needle", file, "--raw"]).ok().text().trim().to_owned();
        for condition in [
            "line LIKE '%needle%'",
            "contains(line, 'needle')",
            "strpos(line, 'needle') > 0",
            "line ~ 'need+le'",
            "line LIKE '%needle%' AND line NOT LIKE '%absent%'",
            "line LIKE '%needle%' OR line LIKE '%absent%'",
        ] {
            let sql = format!("SELECT count(*) FROM t WHERE {condition}");
            let found = rows(&sandbox, file, &sql, LINES);
            assert_eq!(found, format!("count(*)\n{count}\n"), "{file}: {condition}");
        }
    }
}

#[test]
fn pattern_is_what_lines_of_one_kind_have_in_common() {
    let line = |n: u32| format!("2026-11-23T06:00:{n:02}Z INFO user={n} took {n}ms\n\tat {n}\n");
    let text: String = (10..20).map(line).collect();
    let sandbox = Sandbox::with("t.log", text + "2026-11-23T06:01:00Z WARN other\n");
    let sql = "SELECT pattern(line) AS p, count(*) AS n FROM t GROUP BY 1 ORDER BY n DESC";
    let found = rows(&sandbox, "t.log", sql, LOG);
    let kinds: Vec<&str> = found.lines().skip(1).collect();
    assert!(kinds.len() == 2 && kinds[0].ends_with(",10") && kinds[0].contains("<n>"), "{found}");
    assert!(!kinds[0].contains("at "), "{found}");
    assert_eq!(rows(&sandbox, "t.log", "SELECT pattern(NULL) AS p FROM t LIMIT 1", LOG), "p\n\n");
}

/// The names and types of the columns of an answer.
fn types(answer: &serde_json::Value) -> String {
    let column =
        |column: &serde_json::Value| format!("{}:{}", column["name"], column["type"]).replace('"', "");
    let columns = answer["metadata"]["columns"].as_array().unwrap().iter().map(column);
    columns.collect::<Vec<_>>().join(" ")
}

#[test]
fn parse_makes_columns_of_the_values_in_records() {
    let access = "10.0.0.1 - ann [23/Nov/2026:06:26:04 +0000] \"GET /a HTTP/1.1\" 200 12\n\
        10.0.0.2 - - [23/Nov/2026:06:26:05 +0000] \"POST /b HTTP/1.1\" 500 -\n\
        not a request\n\
        10.0.0.3 - - [23/Nov/2026:06:26:06 +0000] \"x\" 400 0\n";
    let logfmt = "2026-11-23T06:00:00Z level=info n=1 msg=\"a b\"\n2026-11-23T06:00:01Z started\n\
        2026-11-23T06:00:02Z level=error n=2.5 at=2026-11-23\n";
    let json = "2026-11-23T06:00:00Z app: {\"a\":1,\"line\":{\"b\":\"x\"}}\n2026-11-23T06:00:01Z plain\n\
        2026-11-23T06:00:02Z app: {\n  \"a\": 2\n}\n";
    let text = "2026-11-23T06:00:00Z [main] INFO user=ann took 5ms\n2026-11-23T06:00:01Z [io] WARN x\n";
    for (file, form, sql, expected, kinds, unparsed) in [
        (
            "access",
            "clf",
            "SELECT client, path, status, bytes FROM t",
            "10.0.0.1,/a,200,12\n10.0.0.2,/b,500,\n10.0.0.3,x,400,0\n",
            "client:utf8 path:utf8 status:int64 bytes:int64",
            0,
        ),
        (
            "logfmt",
            "logfmt",
            "SELECT _level, level, n, msg, at FROM t",
            "info,info,1.0,a b,\n,,,,\nerror,error,2.5,,2026-11-23\n",
            "_level:utf8 level:utf8 n:float64 msg:utf8 at:date",
            1,
        ),
        (
            "json",
            "json",
            "SELECT _line, a, line_2 FROM t",
            "1,1,\"{\"\"b\"\":\"\"x\"\"}\"\n2,,\n3,2,\n",
            "_line:int64 a:int64 line_2:struct(b:utf8)",
            1,
        ),
        (
            "text",
            "<_> [<thread>] <lvl> user=<user> took <ms>ms",
            "SELECT thread, lvl, user, ms FROM t",
            "main,INFO,ann,5\n,,,\n",
            "thread:utf8 lvl:utf8 user:utf8 ms:int64",
            1,
        ),
        (
            "text",
            "\\[(?<thread>\\w+)\\] (?<lvl>\\w+)",
            "SELECT thread, lvl FROM t",
            "main,INFO\nio,WARN\n",
            "thread:utf8 lvl:utf8",
            0,
        ),
    ] {
        let sandbox = Sandbox::new();
        for (name, text) in [("access", access), ("logfmt", logfmt), ("json", json), ("text", text)] {
            sandbox.file(name, text);
        }
        let answer = select(&sandbox, file, sql, &["--parse", form, "--json"]).ok().json();
        let content = answer["content"].as_str().unwrap().split_once('\n').unwrap().1;
        assert_eq!(content, expected, "{form}");
        assert_eq!(types(&answer), kinds, "{form}");
        assert_eq!(answer["metadata"]["input"], "log", "{form}");
        let count = answer["metadata"]["unparsed"].as_u64().unwrap_or(0);
        assert_eq!(count, unparsed, "{form}: {answer}");
        // Nothing else loses a row, and --skip-bad exactly those of another form.
        let all = rows(&sandbox, file, "SELECT count(*) AS n FROM t", &["--parse", form]);
        assert_eq!(all, format!("n\n{}\n", expected.lines().count()), "{form}");
        let skip = ["--parse", form, "--skip-bad", "--json"];
        let good = expected.lines().count() as u64 - unparsed;
        let answer = select(&sandbox, file, "SELECT count(*) AS n FROM t", &skip).ok().json();
        assert_eq!(answer["content"], format!("n\n{good}\n"), "{form}");
        assert_eq!(answer["metadata"]["skipped_rows"].as_u64().unwrap_or(0), unparsed, "{form}");
        let left = select(&sandbox, file, sql, &skip).ok().json();
        assert_eq!(left["content"].as_str().unwrap().lines().count() as u64, 1 + good, "{form}");
    }
}

#[test]
fn values_of_parse_have_types_as_those_of_csv() {
    let sandbox = Sandbox::with("t.log", "2026-11-23T06:00:00Z n=1\n2026-11-23T06:00:01Z n=-\n");
    sandbox.file(
        "late.log",
        "2026-11-23T06:00:00Z n=1\n".repeat(60_000) + "2026-11-23T06:00:01Z n=x new=1\n\tmore\n",
    );
    let sql = "SELECT sum(n) AS n FROM t";
    let parse = ["--parse", "logfmt"];
    assert_eq!(rows(&sandbox, "t.log", sql, &["--parse", "logfmt", "--null", "-"]), "n\n1\n");
    assert_eq!(rows(&sandbox, "t.log", "SELECT n FROM t", &parse), "n\n1\n-\n");
    let run = select(&sandbox, "late.log", sql, &parse).refused(6);
    assert!(run.stderr.contains("line 60001: 'x' in column n is not int64"), "{run}");
    let answer =
        select(&sandbox, "late.log", sql, &["--parse", "logfmt", "--skip-bad", "--json"]).ok().json();
    assert_eq!(answer["content"], "n\n60000\n");
    assert_eq!(answer["metadata"]["skipped_rows"], 1);
    assert_eq!(answer["metadata"]["unknown_members"], 1);
    let typed = ["--parse", "logfmt", "--schema", "n:utf8,new:int64"];
    let found = rows(&sandbox, "late.log", "SELECT n, new, _line FROM t WHERE new = 1", &typed);
    assert_eq!(found, "n,new,_line\nx,1,60001\n");
    // A pattern has its names, a misspelt one is an error, and grok a hint.
    for (form, said) in [("%{SYSLOG}", "<level>"), ("xml", "logfmt"), ("(?<a", "not a regular expression")] {
        let run = select(&sandbox, "t.log", sql, &["--parse", form]).refused(2);
        assert!(run.stderr.contains(said), "{form}: {run}");
    }
    sandbox.file("t.csv", "a,b\n1,2\n");
    let lines = rows(&sandbox, "t.csv", "SELECT one, two FROM t", &["--parse", "<one>,<two>"]);
    assert_eq!(lines, "one,two\na,b\n1,2\n");
    // One of many files may have more values than the others.
    sandbox.file("u.log", "2026-11-23T06:00:00Z m=2\n2026-11-23T06:00:00Z m=3\n");
    let both = sandbox
        .run(["select", "t.log", "u.log", "SELECT n, m FROM t ORDER BY m, n", "--parse", "logfmt", "--raw"])
        .ok();
    assert_eq!(both.text(), "n,m\n,2\n,3\n-,\n1,\n");
}

#[test]
fn a_record_of_a_table_says_where_it_is() {
    let sandbox = Sandbox::new();
    let sql = "SELECT _line, _start_byte, _end_byte, a FROM t";
    for (name, text, expected) in [
        ("t.csv", "a,b\n1,\"x\ny\"\n\n2,z", "2,4,12,1\n5,13,16,2\n"),
        ("t.csv", "\u{FEFF}a,b\r\n1,x\r\n2,y\r\n", "2,8,13,1\n3,13,18,2\n"),
        ("t.jsonl", "{\"a\":1}\n\n {\"a\":2}", "1,0,8,1\n3,10,17,2\n"),
        ("t.jsonl", "{\"a\":1,\"b\":{\"c\":1}}\n{\"a\":2}\n", "1,0,20,1\n2,20,28,2\n"),
        ("t.json", "[\n{\"a\":1},\n{\"a\":\n2}]", "2,2,9,1\n3,11,19,2\n"),
        ("t.jsonl", "[\"a\"]\n[1]\n[2]\n", "2,6,10,1\n3,10,14,2\n"),
    ] {
        sandbox.file(name, text);
        let found = rows(&sandbox, name, sql, &[]);
        assert_eq!(found, format!("_line,_start_byte,_end_byte,a\n{expected}"), "{text:?}");
        let (_, second) = expected.split_once('\n').unwrap();
        let line = second.split(',').next().unwrap();
        let last = rows(&sandbox, name, "SELECT a, _line FROM t WHERE _line > 1 AND a = 2", &[]);
        assert_eq!(last, format!("a,_line\n2,{line}\n"), "{text:?}");
        assert!(!rows(&sandbox, name, "SELECT * FROM t", &[]).contains("_line"), "{text:?}");
        assert_eq!(rows(&sandbox, name, "SELECT count(_line) AS n FROM t", &[]), "n\n2\n", "{text:?}");
    }
    // Records that are left out do not move the others.
    sandbox.file("t.csv", "a,b\n1,x\n2\n3,y\nz,z\n4,w\n");
    let options = ["--skip-bad", "--schema", "a:int64", "--json"];
    let answer = select(&sandbox, "t.csv", "SELECT b, _line, a FROM t", &options).ok().json();
    assert_eq!(answer["content"], "b,_line,a\nx,2,1\ny,4,3\nw,6,4\n");
    // A column of the file comes first; many files have their own lines.
    sandbox.file("own.csv", "_line,a\n7,1\n");
    assert_eq!(rows(&sandbox, "own.csv", "SELECT _line FROM t", &[]), "_line\n7\n");
    sandbox.file("u.csv", "b,a\nq,9\n");
    let both = sandbox.run([
        "select",
        "t.csv",
        "u.csv",
        "SELECT _file, _line, a FROM t WHERE b IN ('w', 'q')",
        "--skip-bad",
        "--json",
    ]);
    assert_eq!(both.ok().json()["content"], "_file,_line,a\nt.csv,6,4\nu.csv,2,9\n");
    // The bytes of other encodings are not those of the text.
    sandbox.file("wide.csv", utf16("a,b\n1,x\n2,y\n"));
    assert_eq!(rows(&sandbox, "wide.csv", "SELECT _line, a FROM t", &[]), "_line,a\n2,1\n3,2\n");
    let run = select(&sandbox, "wide.csv", "SELECT _start_byte FROM t", &[]).refused(6);
    assert!(run.stderr.contains("--input lines"), "{run}");
}

#[test]
fn empty_values_are_null_and_the_first_record_of_another_form_names_its_file() {
    let sandbox = Sandbox::new();
    sandbox.file("l.txt", "k= j=1\nk=\"\" j=2\nk=x j=3\n");
    let sql = "SELECT k IS NULL AS n, count(*) AS c FROM t GROUP BY 1 ORDER BY 2";
    assert_eq!(rows(&sandbox, "l.txt", sql, &["--parse", "logfmt"]), "n,c\nfalse,1\ntrue,2\n");
    sandbox.file("a.txt", "x=1\n");
    sandbox.file("b.txt", "plain\nx=2\n");
    let answer = sandbox.run(["select", "a.txt", "b.txt", "SELECT x FROM t", "--parse", "logfmt", "--json"]);
    let first = answer.ok().json()["metadata"]["first_unparsed"].to_string();
    assert!(first.contains("b.txt: line 1"), "{first}");
}

#[test]
fn conditions_on_the_number_of_a_line() {
    let sandbox = Sandbox::new();
    let text: String = (1..=3000).map(|n| format!("line {n}\n")).collect();
    sandbox.file("t.txt", &text);
    sandbox.file("u.txt", utf16(&text));
    let conditions = [
        ("_line BETWEEN 1200 AND 1202", (1200, 1202)),
        ("_line = 3000", (3000, 3000)),
        ("_line > 2998", (2999, 3000)),
        ("_line <= 2", (1, 2)),
        ("3 > _line AND _line >= 2", (2, 2)),
        ("_line < 1", (1, 0)),
        ("_line > 3000", (1, 0)),
        ("_line BETWEEN 7 AND 5", (1, 0)),
        ("_line >= -5 AND _line < 2", (1, 1)),
        ("_line > 2990 AND line LIKE '%95%'", (2995, 2995)),
    ];
    for (condition, numbers) in conditions {
        let expected: String = (numbers.0..=numbers.1).map(|n| format!("{n},line {n}\n")).collect();
        let sql = format!("SELECT _line, line FROM t WHERE {condition}");
        for file in ["t.txt", "u.txt"] {
            let run = sandbox.run(["select", file, &sql, "--input", "lines", "--raw"]);
            assert_eq!(run.text(), format!("_line,line\n{expected}"), "{file}: {condition}");
        }
    }
}
