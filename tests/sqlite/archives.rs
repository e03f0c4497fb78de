//! Archives made by the sqlite3 program: every file reads back, and every other entry is reported.

use std::fs;
use std::path::Path;
use std::process::Command;

use miniz_oxide::deflate::compress_to_vec_zlib;
use predicates::str::contains;
use rread_source::read_full;
use rread_testkit::rng::Rng;
use rread_testkit::sandbox::{Sandbox, numbered};

use super::database::{SQLAR, all, archive, insert, make, source};

/// Text of about `size` bytes, deterministic by seed, which compresses by about half.
fn prose(seed: u64, size: usize) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let mut text = Vec::new();
    while text.len() < size {
        let word = rng.below(5000);
        text.extend(format!("{word:x}").bytes());
        text.push(if rng.below(9) == 0 { b'\n' } else { b' ' });
    }
    text
}

#[test]
fn files_of_the_sqlite3_program_come_back() {
    let sandbox = Sandbox::new();
    for folder in ["tree", "tree/sub dir"] {
        fs::create_dir(sandbox.path(folder)).unwrap();
    }
    let files: &[(&str, Vec<u8>)] = &[
        ("tree/numbers", numbered(5000).into_bytes()),
        ("tree/empty", vec![]),
        ("tree/one", b"1".to_vec()),
        ("tree/sub dir/q?table=x&key=1 %41#'\";:5", b"odd name\n".to_vec()),
        ("tree/prose", prose(3, 300_000)),
    ];
    for (name, bytes) in files {
        sandbox.file(name, bytes);
    }
    let mut sqlite3 = Command::new("sqlite3");
    let status = sqlite3.current_dir(sandbox.path("")).args(["a.sqlar", "-Ac", "tree"]).status();
    if !status.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: there is no sqlite3 program that makes archives");
        return;
    }
    for (name, bytes) in files {
        let run = sandbox.run(["bytes", "--raw", &format!("sqlite:a.sqlar/{name}")]).ok();
        assert!(run.stdout == *bytes, "{name}");
    }
    let run = sandbox.line("lines sqlite:a.sqlar/tree/numbers 4000:+2").ok();
    let document = run.document();
    assert_eq!(document.content, "line 4000\nline 4001\n");
    assert_eq!(document.fact("compression"), "zlib");
    assert_eq!(document.fact("total"), numbered(5000).len().to_string());
    sandbox.line("lines sqlite:a.sqlar/tree").refused(3).says(contains("directory"));
}

#[test]
fn any_part_of_a_compressed_file_is_right() {
    let sandbox = Sandbox::new();
    let path = sandbox.path("a.sqlar");
    let text = prose(1, 6_000_000);
    let connection = make(&path, SQLAR);
    archive(&connection, "big", &text);
    drop(connection);
    let source = source(&path, "/big").unwrap();
    assert_eq!(source.size(), Some(text.len() as u64));
    let mut rng = Rng::new(9);
    for _ in 0..60 {
        let at = rng.below(text.len());
        let mut buffer = vec![0; 1 + rng.below(5000)];
        let got = read_full(&*source, &mut buffer, at as u64).unwrap();
        assert_eq!(got, buffer.len().min(text.len() - at));
        assert!(buffer[..got] == text[at..at + got], "at {at}");
    }
    assert!(
        source.info().decoding.unwrap().checkpoint_stats().checkpoints > 2,
        "it is decoded from the front each time"
    );
}

#[test]
fn a_compressed_file_in_an_archive_is_text() {
    let sandbox = Sandbox::new();
    let connection = make(&sandbox.path("a.sqlar"), SQLAR);
    let gzip = rread_testkit::sandbox::fixture_bytes("service.log.gz");
    insert(&connection, "stored.gz", gzip.len() as u64, &gzip);
    insert(&connection, "twice.gz", gzip.len() as u64, &compress_to_vec_zlib(&gzip, 0));
    drop(connection);
    let text = rread_testkit::sandbox::fixture_bytes("service.log");
    for name in ["stored.gz", "twice.gz"] {
        let run = sandbox.run(["bytes", "--raw", &format!("sqlite:a.sqlar/{name}")]).ok();
        assert!(run.stdout == text, "{name}");
        let run =
            sandbox.line(&format!("bytes --no-decompress --encode base64 --json sqlite:a.sqlar/{name}"));
        assert!(run.ok().json()["metadata"]["file_size"].as_u64().unwrap() >= gzip.len() as u64);
    }
}

/// The size in the row is validated before the last byte is returned.
#[test]
fn a_size_or_checksum_that_is_wrong_is_an_error() {
    let sandbox = Sandbox::new();
    let path = sandbox.path("a.sqlar");
    let connection = make(&path, SQLAR);
    for size in [1, 100, 70_000, 1_500_000] {
        let text = prose(7, size);
        let packed = compress_to_vec_zlib(&text, 6);
        let mut wrong_sum = packed.clone();
        *wrong_sum.last_mut().unwrap() ^= 1;
        let cases: &[(&str, u64, &[u8])] = &[
            ("shorter", text.len() as u64 - 1, &packed),
            ("longer", text.len() as u64 + 1, &packed),
            ("far longer", 1 << 50, &packed),
            ("sum", text.len() as u64, &wrong_sum),
            ("cut", text.len() as u64, &packed[..packed.len() - 5]),
            ("no zlib", text.len() as u64 + 9, &text),
        ];
        for (name, claimed, data) in cases {
            if *claimed == data.len() as u64 {
                continue;
            }
            insert(&connection, &format!("{name}{size}"), *claimed, data);
            let source = source(&path, &format!("/{name}{size}"));
            // The first bytes may be the whole file, so opening may report the damage.
            let Ok(source) = source else { continue };
            let cause = all(&*source).expect_err(&format!("{name} {size}"));
            assert!(cause.to_string().contains("zlib"), "{cause}");
            let mut end = vec![0; 10];
            let got = read_full(&*source, &mut end, claimed.saturating_sub(5));
            assert!(got.is_err() || got.unwrap() < 5, "{name} {size}");
        }
    }
}

#[test]
fn invalid_rows_are_reported() {
    let sandbox = Sandbox::new();
    let connection = make(&sandbox.path("a.sqlar"), SQLAR);
    let rows = "INSERT INTO sqlar VALUES('minus', 33188, 0, -7, x'00'), ('text', 33188, 0, 'many', x'00'),
         ('null', 33188, 0, 5, NULL), ('number', 33188, 0, 5, 12345), ('none', 33188, 0, NULL, NULL),
         ('dir', 16877, 0, 0, NULL), ('dir/file', 33188, 0, 0, NULL), ('link', 41471, 0, -1, 'dir/file'),
         ('out', 41471, 0, -1, '/etc/passwd'), ('implied/x/y', 33188, 0, 1, 'a');";
    connection.execute_batch(rows).unwrap();
    drop(connection);
    let ask = |name: &str| sandbox.line(&format!("lines --raw sqlite:a.sqlar/{name}"));
    for name in ["minus", "text", "null"] {
        ask(name).refused(3).says(contains("damaged"));
    }
    ask("number").refused(2).says(contains("integer"));
    assert_eq!(ask("none").ok().text(), "");
    for name in ["dir", "dir/"] {
        ask(name)
            .refused(3)
            .says(contains("is a directory"))
            .says(contains("hint: rread stat sqlite:a.sqlar/dir/file"));
    }
    ask("implied/x").refused(3).says(contains("is a directory")).says(contains("implied/x/y"));
    ask("link").refused(3).says(contains("hint: rread stat sqlite:a.sqlar/dir/file"));
    ask("out").refused(3).says(contains("/etc/passwd"));
    ask("dir/flie").refused(3).says(contains("did you mean sqlite:a.sqlar/dir/file?"));
    ask("").refused(2).says(contains("10 entries"));
    sandbox.line("lines sqlite:a.sqlar").refused(2).says(contains("rread stat sqlite:a.sqlar/dir/file"));
    let kind = sandbox.line("lines --json sqlite:a.sqlar/nothing-like-it").refused_json(3);
    assert_eq!(kind["kind"], "not_found");
}

#[test]
fn a_missing_or_foreign_database_is_reported() {
    let sandbox = Sandbox::with("notes.txt", "SQLite is not in here\n");
    sandbox.file("empty.db", "");
    drop(make(&sandbox.path("data.db"), "CREATE TABLE notes(id INTEGER PRIMARY KEY, body TEXT);"));
    fs::create_dir(sandbox.path("folder")).unwrap();
    let ask = |name: &str| sandbox.line(&format!("lines --json sqlite:{name}"));
    assert_eq!(ask("date.db/x").refused_json(3)["hint"], "did you mean sqlite:data.db?");
    assert_eq!(ask("folder/none.db/x").refused_json(3)["kind"], "not_found");
    assert_eq!(ask("folder").refused_json(3)["kind"], "not_found");
    assert_eq!(ask("notes.txt/x").refused_json(2)["kind"], "usage");
    assert_eq!(ask("empty.db/x").refused_json(3)["kind"], "not_found");
    let error = ask("data.db/x").refused_json(3);
    assert!(error["error"].as_str().unwrap().contains("1 table: notes"), "{error}");
    assert_eq!(ask("").refused_json(2)["kind"], "usage");
}

/// A file with the literal name wins, and so does the longest path that is a file.
#[test]
fn literal_names_win() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("sqlite:a.sqlar")).unwrap();
    sandbox.file("sqlite:a.sqlar/x", "a file\n");
    let connection = make(&sandbox.path("a.sqlar"), SQLAR);
    archive(&connection, "x", b"in the archive\n");
    archive(&connection, "y", b"another\n");
    drop(make(&sandbox.path("a.sqlar?table=y"), SQLAR));
    let ask = |name: &str| sandbox.line(&format!("lines --raw {name}"));
    assert_eq!(ask("sqlite:a.sqlar/x").ok().text(), "a file\n");
    assert_eq!(ask("sqlite:a.sqlar/y").ok().text(), "another\n");
    ask("sqlite:a.sqlar?table=y").refused(2).says(contains("0 entries"));
    ask("sqlite:a.sqlar?table=y/x").refused(3).says(contains("there is no x in the archive"));
    let below = Path::new("./sqlite:a.sqlar/y");
    sandbox.run([Path::new("lines"), below]).refused(3);
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf8_are_found() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let sandbox = Sandbox::new();
    let connection = make(&sandbox.path("a.sqlar"), SQLAR);
    let sql = "INSERT INTO sqlar VALUES(CAST(x'ff62' AS TEXT), 33188, 0, 3, 'yes')";
    connection.execute_batch(sql).unwrap();
    let name = OsStr::from_bytes(b"sqlite:a.sqlar/\xFFb");
    assert_eq!(sandbox.run([OsStr::new("lines"), OsStr::new("--raw"), name]).ok().text(), "yes");
}

/// The list has the members of the table with their facts, and `stat` of a member has the same.
#[test]
fn archives_are_listed() {
    let sandbox = Sandbox::new();
    let connection = make(&sandbox.path("a.sqlar"), SQLAR);
    let rows = "INSERT INTO sqlar VALUES('dir', 16877, 5, 0, NULL), ('dir/file', 33152, 981173106, 4, 'text'), \
                ('link', 41471, 6, -1, 'dir/file'), ('odd', NULL, NULL, 2, 'ab')";
    connection.execute_batch(rows).unwrap();
    let listed = sandbox.line("stat a.sqlar --list --json").ok().json();
    let expected = serde_json::json!([
        {"name": "dir", "kind": "directory", "size": 0, "modified": "1970-01-01T00:00:05Z", "mode": "0755"},
        {"name": "dir/file", "kind": "file", "size": 4, "modified": "2001-02-03T04:05:06Z", "mode": "0600"},
        {"name": "link", "kind": "symlink", "size": 0, "modified": "1970-01-01T00:00:06Z", "mode": "0777",
         "target": "dir/file"},
        {"name": "odd", "kind": "file", "size": 2},
    ]);
    assert_eq!(listed["members"], expected);
    let facts = &listed["metadata"];
    assert_eq!((&facts["archive"], &facts["listed"]), (&"sqlar".into(), &4.into()), "{facts}");
    let hint = facts["hint"].as_str().unwrap();
    assert_eq!(hint, "rread lines sqlite:a.sqlar/dir/file 1:20");
    sandbox.line(hint.strip_prefix("rread ").unwrap()).ok();
    let stat = sandbox.line("stat sqlite:a.sqlar/dir/file --json").ok().json();
    assert_eq!((&stat["modified"], &stat["mode"]), (&"2001-02-03T04:05:06Z".into(), &"0600".into()));
    let part = sandbox.line("stat a.sqlar --list --offset 2 --max-lines 1 --json").ok().json();
    assert_eq!(part["members"], serde_json::json!([expected[1]]));
    assert_eq!(part["metadata"]["next_offset"], 3);
    make(&sandbox.path("other.db"), "CREATE TABLE t(a); INSERT INTO t VALUES(1)");
    sandbox.line("stat other.db --list").refused(2).says(contains("has sheets or tables and no members"));
}
