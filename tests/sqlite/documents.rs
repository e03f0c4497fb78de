//! A database as a document: tables are pages, rows are CSV, from any offset, and nothing is made beside it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use predicates::str::contains;
use rread_source::{Source, open, read_full};
use rread_testkit::home::AtHome;
use rread_testkit::pack;
use rread_testkit::rng::Rng;
use rread_testkit::sandbox::{Sandbox, binary};
use serde_json::json;

use super::database::make;

const TABLES: &str = "
    CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT, data BLOB);
    INSERT INTO users VALUES(1, 'canary, \"q\"', x'89504E470D0A1A0A0000000D49484452'), (2, NULL, 'text in a blob'),
        (7, 'two' || char(10) || 'lines', x'00FF'), (-3, '', x'');
    CREATE TABLE \"odd \"\"name,\"(\"a,b\", r REAL);
    INSERT INTO \"odd \"\"name,\" VALUES(1, 0.1), (-9223372036854775808, 1e300);
    CREATE TABLE empty(x, y);
    CREATE VIEW names AS SELECT name FROM users;
    CREATE TABLE keyed(k TEXT PRIMARY KEY, v) WITHOUT ROWID;
    INSERT INTO keyed VALUES('b', 2), ('a', x'63616E617279');
    CREATE TABLE made(a, computed AS (a || '!'), stored AS (a * 2) STORED);
    INSERT INTO made(a) VALUES(21);
    CREATE VIRTUAL TABLE found USING fts5(body);
    INSERT INTO found VALUES('all of the canary');";

const TEXT: &str = "# users\nid,name,data\n-3,\"\",<blob 0 bytes>\n1,\"canary, \"\"q\"\"\",<image/png 16 bytes>\n\
    2,,text in a blob\n7,\"two\nlines\",<blob 2 bytes>\n\n\
    # odd \"name,\n\"a,b\",r\n1,0.1\n-9223372036854775808,1e300\n\n# empty\nx,y\n\n\
    # keyed\nk,v\na,canary\nb,2\n\n# made\na,stored\n21,42\n\n# found_content\nid,c0\n1,all of the canary\n";

/// A sandbox with the database, whatever its name is.
fn sandbox(name: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    drop(make(&sandbox.path(name), TABLES));
    sandbox
}

fn names(folder: &Path) -> BTreeSet<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn tables_are_pages_and_rows_are_csv() {
    let sandbox = sandbox("data");
    let text = sandbox.line("lines data -f text").ok();
    assert_eq!(text.text(), TEXT);
    let pages: String =
        (1..=6).map(|page| sandbox.line(&format!("page data {page} --raw")).ok().text().to_owned()).collect();
    assert_eq!(pages, TEXT);
    let last = sandbox.line("page data -1").ok().document();
    assert_eq!((last.fact("page"), last.fact("pages"), last.fact("decoded")), ("6", "6", "sqlite"));
    sandbox.line("page data 7").refused(5);
    let stat = sandbox.line("stat data --count --json").ok().json();
    let facts = ["kind", "mime", "pages", "decoded", "lines"].map(|key| stat[key].clone());
    assert_eq!(json!(facts), json!(["text", "application/vnd.sqlite3", 6, "sqlite", TEXT.lines().count()]));
    let found = sandbox.line("search -f text canary data").ok();
    assert_eq!(found.text().lines().count(), 3);
    sandbox.line("lines data --no-decompress").refused(4).says(contains("hint: rread lines data 1:20\n"));
    let row = sandbox.line("lines data 19").ok().document();
    assert_eq!((row.fact("sheet"), row.fact("header_row")), ("keyed", "k,v"), "{row:?}");
    // One table alone is plain CSV.
    drop(make(&sandbox.path("one"), "CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 'x')"));
    assert_eq!(sandbox.line("lines one -f text").ok().text(), "a,b\n1,x\n");
    let row = sandbox.line("lines one 2").ok().document();
    assert_eq!((row.has("sheet"), row.fact("header_row")), (false, "a,b"), "{row:?}");
    drop(make(&sandbox.path("none"), "CREATE TABLE t(a); DROP TABLE t"));
    assert_eq!(sandbox.line("lines none -f text").ok().text(), "");
}

#[test]
fn a_database_is_read_wherever_it_is() {
    let sandbox = sandbox("app.db");
    let bytes = fs::read(sandbox.path("app.db")).unwrap();
    sandbox.file("app.db.gz", pack::gzip(&bytes, 6));
    fs::create_dir(sandbox.path("folder")).unwrap();
    sandbox.file("folder/any", &bytes);
    assert_eq!(sandbox.line("lines app.db.gz -f text").ok().text(), TEXT);
    assert_eq!(sandbox.piped("lines - -f text", bytes).ok().text(), TEXT);
    assert_eq!(sandbox.line("search -c canary folder -f text").ok().text(), "folder/any:3\n");
    let tar = Command::new("tar").args(["cf", "a.tar", "app.db"]).current_dir(sandbox.path("")).status();
    if tar.is_ok_and(|status| status.success()) {
        assert_eq!(sandbox.line("lines tar:a.tar/app.db -f text").ok().text(), TEXT);
        assert_eq!(sandbox.line("search -c canary a.tar -f text").ok().text(), "tar:a.tar/app.db:3\n");
    }
}

/// The text is made anew from checkpoints: it must be the same from every offset.
#[test]
fn any_offset_has_the_same_text() {
    let sandbox = Sandbox::new();
    let path = sandbox.path("a.db");
    let connection = make(
        &path,
        "CREATE TABLE rows(a, b); CREATE TABLE keyed(k PRIMARY KEY, v) WITHOUT ROWID; CREATE TABLE last(z);
         WITH RECURSIVE n(i) AS (SELECT -20000 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
         INSERT INTO rows(rowid, a, b) SELECT i * 3, i, hex(randomblob(abs(i) % 90)) FROM n WHERE i % 7;
         INSERT INTO keyed SELECT 'k' || rowid, b FROM rows WHERE rowid % 4 = 0;
         INSERT INTO last SELECT b FROM rows WHERE a > 15000;
         INSERT INTO last VALUES(hex(zeroblob(3000000)));",
    );
    drop(connection);
    let read = |source: &dyn Source, offset: usize, length: usize| {
        let mut text = vec![0; length];
        let got = read_full(source, &mut text, offset as u64).unwrap();
        text.truncate(got);
        text
    };
    let whole = read(&*open(&path).unwrap(), 0, 64 << 20);
    assert!(whole.len() > 8 << 20 && std::str::from_utf8(&whole).is_ok(), "{}", whole.len());
    let source = open(&path).unwrap();
    let mut rng = Rng::new(11);
    for _ in 0..60 {
        let offset = rng.below(whole.len() + 1000);
        let length = 1 + rng.below(300_000);
        let from = offset.min(whole.len());
        let expected = &whole[from..(from + length).min(whole.len())];
        assert!(read(&*source, offset, length) == expected, "{length} bytes at {offset}");
    }
    assert!(read(&*source, whole.len(), 1).is_empty());
    assert_eq!(source.size(), Some(whole.len() as u64));
}

#[test]
fn nothing_is_made_beside_a_database() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path("d");
    fs::create_dir(&folder).unwrap();
    let write = "PRAGMA journal_mode = WAL; CREATE TABLE t(a); INSERT INTO t VALUES('canary')";
    let check = |name: &str| {
        let before = names(&folder);
        assert_eq!(sandbox.line(&format!("lines d/{name} -f text")).ok().text(), "a\ncanary\n", "{name}");
        assert_eq!(names(&folder), before, "{name}");
    };
    drop(make(&folder.join("plain.db"), "CREATE TABLE t(a); INSERT INTO t VALUES('canary')"));
    check("plain.db");
    let connection = make(&folder.join("live.db"), write);
    // The transaction is in the log alone.
    check("live.db");
    for suffix in ["", "-wal"] {
        fs::copy(folder.join(format!("live.db{suffix}")), folder.join(format!("left.db{suffix}"))).unwrap();
    }
    check("left.db");
    drop(connection);
    check("live.db");
    fs::copy(folder.join("live.db"), folder.join("rest.db")).unwrap();
    check("rest.db");
}

#[test]
fn a_transaction_changes_the_version() {
    let sandbox = sandbox("app.db");
    let version = || sandbox.line("stat app.db --json").ok().json()["version"].as_str().unwrap().to_owned();
    let before = version();
    assert_eq!(version(), before);
    sandbox.line(&format!("lines app.db 1 --expect {before}")).ok();
    drop(make(&sandbox.path("app.db"), "UPDATE users SET name = 'canary' WHERE id = 2"));
    sandbox.line(&format!("lines app.db 1 --expect {before}")).refused(7);
}

#[test]
fn damage_ends_the_text_with_one_sentence() {
    let sandbox = Sandbox::new();
    let path = sandbox.path("a.db");
    let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
        INSERT INTO t SELECT i, printf('canary %d', i) FROM n";
    drop(make(&path, &format!("CREATE TABLE t(a, b); {rows}")));
    let text = sandbox.line("lines a.db -f text").ok().text().to_owned();
    let mut bytes = fs::read(&path).unwrap();
    let page = 4096 * (bytes.len() / 4096 / 2);
    bytes[page..page + 4096].fill(0xAA);
    sandbox.file("damaged.db", &bytes);
    let run = sandbox.line("lines damaged.db -f text");
    assert_eq!(run.code, 3, "{run}");
    assert!(text.starts_with(run.text()) && run.text().len() > 10_000, "{}", run.text().len());
    run.says(contains("the SQLite data is damaged"));
    sandbox.line("lines damaged.db 5 --raw").ok();
    let salvaged = sandbox.line("lines damaged.db -1 --salvage -f text").ok();
    assert!(text.contains(salvaged.text()), "{salvaged}");
    fs::remove_file(sandbox.path("damaged.db")).unwrap();
    bytes.truncate(page);
    sandbox.file("cut.db", &bytes);
    sandbox.file("zeros.db", [&b"SQLite format 3\0"[..], &[0; 8000]].concat());
    for name in ["cut.db", "zeros.db"] {
        sandbox.line(&format!("lines {name}")).refused(3).says(contains("damaged"));
        // Other files of a directory are searched all the same, and the exit code says that one was not.
        let run = sandbox.line("search -c canary . -f text");
        assert!(run.code == 3 && run.text().contains("./a.db:30000\n"), "{run}");
        run.says(contains("cut.db: the database is damaged"));
    }
}

/// Each database has several descriptors while it is read, and none afterwards.
#[test]
fn many_databases_do_not_run_out_of_descriptors() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("d")).unwrap();
    drop(make(&sandbox.path("d/0.db"), "CREATE TABLE t(a); INSERT INTO t VALUES('canary')"));
    for n in 1..100 {
        fs::copy(sandbox.path("d/0.db"), sandbox.path(&format!("d/{n}.db"))).unwrap();
    }
    let mut command = Command::new("sh");
    command.at_home(&sandbox.home()).current_dir(sandbox.path(""));
    let program = binary().display().to_string();
    let output =
        command.args(["-c", "ulimit -n 48 && exec \"$0\" search -c canary d -f text", &program]).output();
    let output = output.unwrap();
    let lines = String::from_utf8_lossy(&output.stdout).lines().count();
    assert_eq!(lines, 100, "{}", String::from_utf8_lossy(&output.stderr));
}
