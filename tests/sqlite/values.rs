//! Values by their keys: every kind of key and table, any name, and every command.

use predicates::str::contains;
use rread_source::read_full;
use rread_source::rusqlite::params;
use rread_testkit::rng::Rng;
use rread_testkit::sandbox::{Sandbox, numbered};

use super::database::{make, source};

fn ask(sandbox: &Sandbox, query: &str) -> rread_testkit::sandbox::Run {
    sandbox.run(["lines", "--raw", &format!("sqlite:data.db?{query}")])
}

#[test]
fn rows_are_found_by_every_kind_of_key() {
    let sandbox = Sandbox::new();
    let sql = "CREATE TABLE number(id INTEGER PRIMARY KEY, body TEXT);
         INSERT INTO number VALUES(-3, 'minus'), (12, 'twelve');
         CREATE TABLE word(name TEXT PRIMARY KEY, size INT, body TEXT);
         INSERT INTO word VALUES('a b&c=%', 1, 'word'), ('12', 1, 'word 12'), ('', 1, 'no word');
         CREATE TABLE hash(sum BLOB PRIMARY KEY, body BLOB) WITHOUT ROWID;
         INSERT INTO hash VALUES(x'00ff', 'hash');
         CREATE TABLE pair(b TEXT, a INT, body TEXT, PRIMARY KEY(a, b));
         INSERT INTO pair VALUES('x', 1, 'pair');
         CREATE TABLE none(body TEXT); INSERT INTO none VALUES('first'), ('second');
         CREATE TABLE taken(rowid TEXT, _rowid_ TEXT, oid TEXT PRIMARY KEY, body TEXT);
         INSERT INTO taken VALUES('a', 'b', 'c', 'taken');
         CREATE TABLE half(rowid TEXT PRIMARY KEY, body TEXT); INSERT INTO half VALUES('r', 'half');
         CREATE TABLE made(id INTEGER PRIMARY KEY, x TEXT, y TEXT AS (x || '!'));
         INSERT INTO made(id, x) VALUES(1, 'made');
         CREATE TABLE any(k PRIMARY KEY, body TEXT); INSERT INTO any VALUES(5, 'five'), ('6', 'six');
         CREATE TABLE both(k PRIMARY KEY, body TEXT); INSERT INTO both VALUES(5, 'a'), ('5', 'b');";
    drop(make(&sandbox.path("data.db"), sql));
    for (query, expected) in [
        ("table=number&key=12", "twelve"),
        ("table=NUMBER&key=-3&column=BODY", "minus"),
        ("column=body&key=012&table=number", "twelve"),
        ("table=word&key=a%20b%26c%3d%25", "word"),
        ("table=word&key=a b%26c=%25", "word"),
        ("table=word&key=12", "word 12"),
        ("table=word&key=", "no word"),
        ("table=hash&key=%00%FF", "hash"),
        ("table=pair&key=1&key=x", "pair"),
        ("table=none&key=2", "second"),
        ("table=taken&key=c&column=body", "taken"),
        ("table=half&key=r&column=body", "half"),
        ("table=made&key=1&column=y", "made!"),
        ("table=made&key=1&column=x", "made"),
        ("table=any&key=5&column=body", "five"),
        ("table=any&key=6&column=body", "six"),
    ] {
        assert_eq!(ask(&sandbox, query).ok().text(), expected, "{query}");
    }
    ask(&sandbox, "table=both&key=5").refused(2).says(contains("more than one row"));
    ask(&sandbox, "table=pair&key=1").refused(2).says(contains("primary key of table pair is a, b"));
    ask(&sandbox, "table=pair").refused(2).says(contains("no key is given"));
    ask(&sandbox, "table=number&key=13").refused(3).says(contains("no row with the key 13"));
    ask(&sandbox, "table=number&key=twelve").refused(3).says(contains("no row"));
    ask(&sandbox, "table=numbre&key=1")
        .refused(3)
        .says(contains("did you mean 'sqlite:data.db?table=number&key=KEY'?"));
    ask(&sandbox, "table=number&key=12&column=bdoy").refused(3).says(contains("column=body"));
    ask(&sandbox, "table=taken&key=c").refused(2).says(contains("name one"));
    ask(&sandbox, "").refused(2).says(contains("is a database"));
    ask(&sandbox, "table=number&key=12&colum=body").refused(2);
}

#[test]
fn a_value_that_is_not_text_or_blob_is_refused() {
    let sandbox = Sandbox::new();
    let sql = "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(1, NULL), (2, 7), (3, 1.5), (4, x'');
         CREATE VIEW seen AS SELECT * FROM t; CREATE VIRTUAL TABLE words USING fts5(body);
         INSERT INTO words VALUES('found');";
    drop(make(&sandbox.path("data.db"), sql));
    ask(&sandbox, "table=t&key=1").refused(3).says(contains("is NULL"));
    ask(&sandbox, "table=t&key=2").refused(2).says(contains("an integer"));
    ask(&sandbox, "table=t&key=3").refused(2).says(contains("a real"));
    assert_eq!(ask(&sandbox, "table=t&key=4").ok().text(), "");
    ask(&sandbox, "table=seen&key=1&column=v").refused(2).says(contains("a view"));
    ask(&sandbox, "table=words&key=1&column=body").refused(2).says(contains("a virtual table"));
}

/// Names may contain SQL, which is never run.
#[test]
fn names_with_quotes_and_statements_in_them_are_names() {
    let names =
        ["a\"b", "x'; DROP TABLE keep; --", "[q]", "`t`", "a;b", "ü 漢", "%41", "select", "a\"\"\"", "#?/&="];
    for name in names {
        let sandbox = Sandbox::new();
        let quoted = format!("\"{}\"", name.replace('"', "\"\""));
        let sql = format!(
            "CREATE TABLE keep(x); CREATE TABLE {quoted}({quoted} TEXT PRIMARY KEY, \"c{n}\" TEXT);
             INSERT INTO {quoted} VALUES('it', 'right');",
            n = name.replace('"', "\"\"")
        );
        drop(make(&sandbox.path("data.db"), &sql));
        let encoded: String = name.bytes().map(|byte| format!("%{byte:02x}")).collect();
        for column in ["", &format!("&column=c{encoded}")] {
            let query = format!("table={encoded}&key=it{column}");
            assert_eq!(ask(&sandbox, &query).ok().text(), "right", "{name}");
        }
        for query in [format!("table=keep&key={encoded}"), format!("table=keep&key=1&column={encoded}")] {
            assert_ne!(ask(&sandbox, &query).code, 0, "{name}");
        }
        assert_eq!(ask(&sandbox, "table=sqlite_schema&key=1&column=name").ok().text(), "keep");
    }
}

/// UTF-16 is SQLite's storage format; the user's text is UTF-8.
#[test]
fn text_of_a_database_in_utf16_is_text() {
    for encoding in ["UTF-16le", "UTF-16be"] {
        let sandbox = Sandbox::new();
        let sql = format!(
            "PRAGMA encoding = '{encoding}'; CREATE TABLE t(k TEXT PRIMARY KEY, v);
             INSERT INTO t VALUES('é', '漢字 🦀\n'), ('b', x'00410a');"
        );
        drop(make(&sandbox.path("data.db"), &sql));
        assert_eq!(ask(&sandbox, "table=t&key=é").ok().text(), "漢字 🦀\n");
        let run = sandbox.line("bytes --encode hex --raw sqlite:data.db?table=t&key=b");
        assert_eq!(run.ok().text().trim(), "00410a");
    }
}

#[test]
fn any_part_of_a_blob_is_right() {
    let sandbox = Sandbox::new();
    let path = sandbox.path("data.db");
    let connection = make(&path, "PRAGMA page_size = 512; CREATE TABLE t(id INTEGER PRIMARY KEY, v BLOB);");
    let mut rng = Rng::new(4);
    for id in 1..40 {
        // Sizes around one page, and around the edges of overflow pages.
        let size = if id < 20 { 460 + id } else { 508 * (id - 19) + rng.below(9) };
        let bytes: Vec<u8> = (0..size).map(|_| rng.next().to_le_bytes()[0]).collect();
        let row = params![i64::try_from(id).unwrap(), bytes];
        connection.execute("INSERT INTO t VALUES(?1, ?2)", row).unwrap();
        let source = source(&path, &format!("?table=t&key={id}")).unwrap();
        for _ in 0..40 {
            let at = rng.below(size + 3);
            let mut buffer = vec![0; rng.below(1500)];
            let got = read_full(&*source, &mut buffer, at as u64).unwrap();
            let expected = bytes.get(at..).unwrap_or_default();
            assert_eq!(buffer[..got], expected[..expected.len().min(buffer.len())], "{id} at {at}");
        }
    }
}

#[test]
fn every_command_reads_values() {
    let sandbox = Sandbox::new();
    let connection = make(&sandbox.path("data.db"), "CREATE TABLE t(k TEXT PRIMARY KEY, v BLOB);");
    let text = numbered(3000);
    let png = rread_testkit::sandbox::fixture_bytes("service.log");
    let mut insert = connection.prepare("INSERT INTO t VALUES(?1, ?2)").unwrap();
    insert.execute(params!["a", text.as_bytes()]).unwrap();
    insert.execute(params!["12:30", "colon\n"]).unwrap();
    insert.execute(params!["log", png]).unwrap();
    let name = "sqlite:data.db?table=t&key=a";
    assert_eq!(sandbox.line(&format!("lines {name} 100:+1 --raw")).ok().text(), "line 100\n");
    assert_eq!(sandbox.line(&format!("lines {name} -1 --raw")).ok().text(), "line 3000\n");
    assert_eq!(sandbox.line(&format!("bytes {name} 5:6 --raw")).ok().text(), "1");
    let run = sandbox.line(&format!("ranges {name} 2:2 b0:4 sqlite:data.db?table=t&key=log 1:1 --json"));
    assert_eq!(run.code, 0, "{run}");
    assert!(sandbox.line(&format!("page {name} 2 --raw")).ok().text().starts_with("line "));
    let run = sandbox.line(&format!("lines {name} 7 --hash --raw")).ok();
    let anchor = run.text().split('|').next().unwrap().to_owned();
    sandbox.line(&format!("verify {name} {anchor}")).ok();
    sandbox.line(&format!("where {name} --line 9")).ok();
    let stat = sandbox.line(&format!("stat {name} --count --json")).ok().json();
    assert_eq!((stat["lines"].as_u64(), stat["total"].as_u64()), (Some(3000), Some(text.len() as u64)));
    assert_eq!(stat["index"], "none");
    sandbox.line(&format!("image {name}")).refused(2);
    // A colon in a name does not begin a range.
    assert_eq!(sandbox.line("lines --raw sqlite:data.db?table=t&key=12:30").ok().text(), "colon\n");
    let run = sandbox.line(&format!("lines {name} 9000:")).refused(5);
    run.says(contains("3000 lines"));
}

#[test]
fn a_value_that_is_too_long_is_refused() {
    let sandbox = Sandbox::new();
    let sql = "CREATE TABLE t(id INTEGER PRIMARY KEY, v BLOB);
         INSERT INTO t VALUES(1, zeroblob(67108864)), (2, zeroblob(67108865));";
    drop(make(&sandbox.path("data.db"), sql));
    let run = sandbox.line("bytes --encode hex --raw sqlite:data.db?table=t&key=1 -2:");
    assert_eq!(run.ok().text().trim(), "0000");
    ask(&sandbox, "table=t&key=2")
        .refused(3)
        .says(contains("67108865 bytes"))
        .says(contains("at most 67108864"));
}

#[test]
fn a_compressed_value_is_text() {
    let sandbox = Sandbox::new();
    let connection = make(&sandbox.path("data.db"), "CREATE TABLE t(id INTEGER PRIMARY KEY, v BLOB);");
    let gzip = rread_testkit::sandbox::fixture_bytes("service.log.gz");
    connection.execute("INSERT INTO t VALUES(1, ?1)", params![gzip]).unwrap();
    drop(connection);
    let run = sandbox.line("bytes --raw sqlite:data.db?table=t&key=1").ok();
    assert!(run.stdout == rread_testkit::sandbox::fixture_bytes("service.log"));
    let run = sandbox.line("bytes --no-decompress --encode base64 --json sqlite:data.db?table=t&key=1");
    assert_eq!(run.ok().json()["metadata"]["file_size"].as_u64().unwrap(), gzip.len() as u64);
}

#[test]
fn a_missing_or_foreign_database_is_reported() {
    let sandbox = Sandbox::with("notes.txt", "SQLite is not in here\n");
    sandbox.file("empty.db", "");
    drop(make(&sandbox.path("data.db"), "CREATE TABLE notes(id INTEGER PRIMARY KEY, body TEXT);"));
    std::fs::create_dir(sandbox.path("folder")).unwrap();
    let ask = |name: &str| sandbox.line(&format!("lines --json sqlite:{name}"));
    assert_eq!(ask("date.db/x").refused_json(3)["hint"], "did you mean sqlite:data.db?");
    assert_eq!(ask("folder/none.db/x").refused_json(3)["kind"], "not_found");
    assert_eq!(ask("folder").refused_json(3)["kind"], "not_found");
    assert_eq!(ask("notes.txt/x").refused_json(2)["kind"], "usage");
    assert_eq!(ask("empty.db?table=t&key=1").refused_json(3)["kind"], "not_found");
    let error = ask("data.db").refused_json(2);
    assert!(error["error"].as_str().unwrap().contains("1 table: notes"), "{error}");
    assert_eq!(ask("").refused_json(2)["kind"], "usage");
    sandbox.line("stat data.db --list").refused(2).says(contains("has sheets or tables and no members"));
}

/// A file with the literal name wins, and so does the longest path that is a file.
#[test]
fn literal_names_win() {
    let sandbox = Sandbox::new();
    let sql = "CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES(1, 'a value\n');";
    drop(make(&sandbox.path("data.db"), sql));
    drop(make(&sandbox.path("data.db?table=x"), "CREATE TABLE other(id INTEGER PRIMARY KEY, v TEXT);"));
    sandbox.file("sqlite:data.db?table=t&key=2", "a file\n");
    assert_eq!(ask(&sandbox, "table=t&key=1").ok().text(), "a value\n");
    assert_eq!(ask(&sandbox, "table=t&key=2").ok().text(), "a file\n");
    ask(&sandbox, "table=x").refused(2).says(contains("1 table: other"));
    sandbox.run(["lines", "./sqlite:data.db?table=t&key=1"]).refused(3);
}
