//! Many files as one table: their order, names, types and partitions, and which of them are opened.

use std::fs;
use std::process::Command;

use rread_testkit::sandbox::{Run, Sandbox};

fn select(sandbox: &Sandbox, files: &[&str], sql: &str, more: &[&str]) -> Run {
    sandbox.run(["select"].iter().chain(files).chain(&[sql]).chain(more))
}

#[track_caller]
fn rows(sandbox: &Sandbox, files: &[&str], sql: &str, more: &[&str]) -> String {
    let more: Vec<&str> = more.iter().chain(&["--raw"]).copied().collect();
    select(sandbox, files, sql, &more).ok().text().to_owned()
}

/// Files that differ in the order of their columns, in their delimiter, and in having rows.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    for (name, text) in [
        ("a.csv", "foo,bar\nx,2025-05-12\n"),
        ("b.csv", "foo,bar\ny,\n"),
        ("c.csv", "foo\nz\n"),
        ("d.csv", "bar,foo\n2025-01-01,w\n"),
        ("e.csv", ""),
        ("h.csv", "foo,bar\n"),
        ("n.csv", "foo,bar\nq,n/a\n"),
        ("s.csv", "foo;bar\nr;2024-01-01\n"),
    ] {
        sandbox.file(name, text);
    }
    sandbox
}

#[test]
fn files_are_one_table_whatever_their_order() {
    let sandbox = sandbox();
    let all = ["a.csv", "b.csv", "d.csv", "e.csv", "h.csv", "s.csv"];
    let expected = "foo,bar\nx,2025-05-12\ny,\nw,2025-01-01\nr,2024-01-01\n";
    assert_eq!(rows(&sandbox, &all, "SELECT foo, bar FROM t", &[]), expected);
    // Types and rows are the same from wherever the list begins.
    for first in 0..all.len() {
        let turned: Vec<&str> = all[first..].iter().chain(&all[..first]).copied().collect();
        let answer =
            select(&sandbox, &turned, "SELECT foo, bar FROM t ORDER BY foo", &["--json"]).ok().json();
        let facts = &answer["metadata"];
        let types = [&facts["columns"][0]["type"], &facts["columns"][1]["type"]];
        assert_eq!(types, ["utf8", "date"], "{turned:?}");
        assert_eq!(answer["content"], "foo,bar\nr,2024-01-01\nw,2025-01-01\nx,2025-05-12\ny,\n");
        let counts = [&facts["files"], &facts["files_empty"], &facts["files_read"]];
        assert_eq!(counts, [6, 1, 5], "{turned:?}");
    }
    // A file that has another type of values widens it, wherever it is.
    for files in [["a.csv", "n.csv"], ["n.csv", "a.csv"]] {
        let found = rows(&sandbox, &files, "SELECT bar FROM t ORDER BY bar", &[]);
        assert_eq!(found, "bar\n2025-05-12\nn/a\n");
    }
}

#[test]
fn names_are_compared_before_the_first_row() {
    let sandbox = sandbox();
    for (files, said) in [
        (["a.csv", "c.csv"], "c.csv has no column bar, which a.csv has"),
        (["c.csv", "a.csv"], "a.csv has the column bar, which c.csv lacks"),
    ] {
        let run = select(&sandbox, &files, "SELECT foo FROM t", &["--raw"]).refused(2);
        assert!(run.stderr.contains(said) && run.stderr.contains("--union"), "{run}");
        let found = rows(&sandbox, &files, "SELECT foo, bar FROM t ORDER BY foo", &["--union"]);
        assert_eq!(found, "foo,bar\nx,2025-05-12\nz,\n");
    }
    sandbox.file("j.jsonl", "{\"foo\":1}\n");
    let run = select(&sandbox, &["a.csv", "j.jsonl"], "SELECT foo FROM t", &[]).refused(2);
    assert!(run.stderr.contains("a.csv is csv, and j.jsonl is jsonl"), "{run}");
    assert!(run.stderr.ends_with("hint: rread select '*.csv' 'SELECT foo FROM t'\n"), "{run}");
    sandbox.file("k.jsonl", "{\"foo\":2.5,\"more\":\"x\"}\n");
    assert_eq!(rows(&sandbox, &["*.jsonl"], "SELECT * FROM t", &[]), "foo,more\n1.0,\n2.5,x\n");
}

#[test]
fn patterns_directories_and_lists_mean_files_by_name() {
    let sandbox = Sandbox::new();
    for day in ["a", "b"] {
        fs::create_dir(sandbox.path(day)).unwrap();
        for n in [1, 2, 10] {
            sandbox.file(&format!("{day}/x{n}.csv"), format!("v\n{day}{n}\n"));
        }
    }
    sandbox.file("a/_SUCCESS", "");
    sandbox.file("a/.x.csv.crc", "\0");
    sandbox.file("list", "b/x2.csv\na/x1.csv\n");
    let all = "v\na1\na10\na2\nb1\nb10\nb2\n";
    let several = ["a/x*.csv", "b/x*.csv", "a/x1.csv"];
    for files in [&["*/*.csv"][..], &["**/*.csv"], &["."], &["a", "b/"], &several] {
        assert_eq!(rows(&sandbox, files, "SELECT v FROM t", &[]), all, "{files:?}");
    }
    assert_eq!(rows(&sandbox, &["@list"], "SELECT v FROM t", &[]), "v\nb2\na1\n");
    // The names come from a list of any length; a name that is a pattern is a name.
    let mut command = sandbox.command();
    let run = Run::of(command.args(["select", "@-", "SELECT v FROM t", "--raw"]).write_stdin("a/x2.csv\n"));
    assert_eq!(run.ok().text(), "v\na2\n");
    sandbox.file("[a].csv", "v\nbrackets\n");
    assert_eq!(rows(&sandbox, &["[a].csv"], "SELECT v FROM t", &[]), "v\nbrackets\n");
    for (files, said) in [
        ("no*.csv", "no file matches this pattern"),
        ("@nolist", "cannot read the list of files"),
        ("missing/", "is not a directory"),
    ] {
        assert!(select(&sandbox, &[files], "SELECT 1", &[]).refused(3).stderr.contains(said), "{files}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_of_several_names_is_read_once() {
    let sandbox = sandbox();
    let absolute = sandbox.path("a.csv").display().to_string();
    fs::create_dir(sandbox.path("d")).unwrap();
    std::os::unix::fs::symlink("a.csv", sandbox.path("link.csv")).unwrap();
    std::os::unix::fs::symlink(".", sandbox.path("d/loop")).unwrap();
    let names = ["a.csv", "./a.csv", "d/../a.csv", "link.csv", &absolute];
    for first in names {
        let files: Vec<&str> = [first].into_iter().chain(names).collect();
        let found = rows(&sandbox, &files, "SELECT _file, foo FROM t", &[]);
        assert_eq!(found, format!("_file,foo\n{first},x\n"));
    }
    sandbox.file("d/x.csv", "foo\n1\n");
    assert_eq!(rows(&sandbox, &["d"], "SELECT _file FROM t", &[]), "_file\nd/x.csv\n");
}

#[test]
fn members_of_an_archive_are_files() {
    let sandbox = Sandbox::new();
    let program = "import io, tarfile, zipfile
members = {'x/day=1/a.csv': 'v\\n1\\n', 'x/day=2/a.csv': 'v\\n2\\n', 'b.csv': 'v\\n3\\n', 'x/README': 'none\\n'}
with zipfile.ZipFile('m.zip', 'w') as z:
  for name, text in members.items(): z.writestr(name, text)
with tarfile.open('m.tar.gz', 'w:gz') as t:
  for name, text in members.items():
    i = tarfile.TarInfo(name); i.size = len(text); t.addfile(i, io.BytesIO(text.encode()))
";
    sandbox.file("make.py", program);
    let made = Command::new("python3").arg("make.py").current_dir(sandbox.path(".")).status();
    if !made.is_ok_and(|status| status.success()) {
        return;
    }
    for archive in ["zip:m.zip", "tar:m.tar.gz"] {
        for (pattern, expected) in [
            ("/b.csv", "v\n3\n"),
            ("", "v\n3\n1\n2\n"),
            ("/**/*.csv", "v\n3\n1\n2\n"),
            ("/x/*/a.csv", "v\n1\n2\n"),
            ("/x/day={2,3}/a.csv", "v\n2\n"),
        ] {
            let file = format!("{archive}{pattern}");
            assert_eq!(rows(&sandbox, &[&file], "SELECT v FROM t", &[]), expected, "{file}");
        }
        let file = format!("{archive}/x/*/*.csv");
        let query = "SELECT _file, day, v FROM t WHERE day > 1";
        let expected = format!("_file,day,v\n{archive}/x/day=2/a.csv,2,2\n");
        assert_eq!(rows(&sandbox, &[&file], query, &[]), expected);
        let again = format!("{archive}/./x/day=1/a.csv");
        assert_eq!(rows(&sandbox, &[&file, &again], "SELECT count(*) AS n FROM t", &[]), "n\n2\n");
        let names = sandbox.run(["select", &file, "--files", "--raw"]).ok();
        assert_eq!(names.text(), format!("{archive}/x/day=1/a.csv\n{archive}/x/day=2/a.csv\n"));
        let file = format!("{archive}/y/*.csv");
        let run = select(&sandbox, &[&file], "SELECT 1", &[]).refused(3);
        let list = format!("rread stat {} --list", &archive[4..]);
        assert!(run.stderr.contains("no file in the archive matches 'y/*.csv'"), "{run}");
        assert!(run.stderr.contains(&list), "{run}");
    }
}

#[test]
fn a_condition_on_the_file_or_a_partition_spares_the_others() {
    let sandbox = Sandbox::new();
    for (day, v) in [("2026-11-01", 1), ("2026-11-02", 2), ("__HIVE_DEFAULT_PARTITION__", 3)] {
        fs::create_dir_all(sandbox.path(&format!("p/day={day}"))).unwrap();
        sandbox.file(&format!("p/day={day}/x.csv"), format!("v\n{v}\n"));
    }
    // A file that cannot be read ends a query that opens it.
    sandbox.file("p/day=2026-11-01/bad.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    assert_eq!(select(&sandbox, &["p"], "SELECT v FROM t", &["--raw"]).code, 4);
    for (sql, expected, skipped) in [
        ("SELECT v, day FROM t WHERE day = DATE '2026-11-02'", "v,day\n2,2026-11-02\n", 3),
        ("SELECT v, day FROM t WHERE day > '2026-11-01' AND v > 0", "v,day\n2,2026-11-02\n", 3),
        ("SELECT v FROM t WHERE day IS NULL", "v\n3\n", 3),
        ("SELECT v FROM t WHERE day LIKE '2026-11-_2'", "v\n2\n", 3),
        ("SELECT v, v LIKE '2%' AS two FROM t x WHERE x.day LIKE '%-02'", "v,two\n2,true\n", 3),
        ("SELECT v FROM t WHERE _file NOT LIKE '%bad%' ORDER BY v DESC", "v\n3\n2\n1\n", 1),
        ("SELECT v FROM t WHERE _file LIKE '%x.csv' AND day < '2026-11-02'", "v\n1\n", 3),
    ] {
        let answer = select(&sandbox, &["p"], sql, &["--json"]).ok().json();
        assert_eq!(answer["content"], expected, "{sql}");
        assert_eq!(answer["metadata"]["files_skipped"], skipped, "{sql}");
    }
    fs::remove_file(sandbox.path("p/day=2026-11-01/bad.csv")).unwrap();
    let none = "SELECT count(*) AS n FROM t x WHERE x._file = 'nothing'";
    assert_eq!(rows(&sandbox, &["p"], none, &[]), "n\n0\n");
    let all = rows(&sandbox, &["p"], "SELECT * FROM t ORDER BY v", &[]);
    assert_eq!(all, "v,day\n1,2026-11-01\n2,2026-11-02\n3,\n");
    assert_eq!(rows(&sandbox, &["p"], "SELECT * FROM t ORDER BY v LIMIT 1", &["--no-partitions"]), "v\n1\n");
}

/// A pipe without a writer would keep the query waiting.
#[test]
fn an_excluded_pipe_is_not_opened() {
    let sandbox = sandbox();
    let pipe = sandbox.path("pipe.csv");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let files = ["a.csv", "pipe.csv", "s.csv"];
    let more = ["--stream", "--timeout", "20s"];
    let found = rows(&sandbox, &files, "SELECT foo FROM t WHERE _file <> 'pipe.csv'", &more);
    assert_eq!(found, "foo\nx\nr\n");
    let mut command = sandbox.command();
    let run =
        Run::of(command.args(["select", "a.csv", "-", "SELECT foo FROM t"]).write_stdin("foo,bar\n1,2\n"));
    assert!(run.refused(2).stderr.contains("can be read only once"));
}

#[test]
fn the_file_of_a_row_is_a_column_that_only_its_name_shows() {
    let sandbox = sandbox();
    let files = ["a.csv", "d.csv"];
    for (sql, expected) in [
        ("SELECT * FROM t WHERE _file = 'd.csv'", "bar,foo\n2025-01-01,w\n"),
        ("SELECT foo, _file FROM t", "foo,_file\nx,a.csv\nw,d.csv\n"),
        ("SELECT * EXCLUDE (bar) FROM t WHERE _file > 'b'", "foo\nw\n"),
        ("SELECT * FROM (SELECT _file, foo FROM t)", "_file,foo\na.csv,x\nd.csv,w\n"),
        ("SELECT _file, count(*) AS n FROM t GROUP BY 1 ORDER BY 1", "_file,n\na.csv,1\nd.csv,1\n"),
    ] {
        assert_eq!(rows(&sandbox, &files, sql, &[]), expected, "{sql}");
    }
    assert_eq!(rows(&sandbox, &["a.csv"], "SELECT _file, foo FROM t", &[]), "_file,foo\na.csv,x\n");
    sandbox.file("own.csv", "_file\nmine\n");
    assert_eq!(rows(&sandbox, &["own.csv"], "SELECT _file FROM t", &[]), "_file\nmine\n");
}

#[test]
fn a_file_that_cannot_be_read_ends_the_query_or_is_counted() {
    let sandbox = sandbox();
    let files = ["a.csv", "missing.csv"];
    let run = select(&sandbox, &files, "SELECT foo FROM t", &["--raw"]).refused(3);
    assert!(run.stderr.contains("missing.csv") && run.stderr.contains("--skip-unreadable"), "{run}");
    let answer = select(&sandbox, &files, "SELECT foo FROM t", &["--json", "--skip-unreadable"]).ok().json();
    assert_eq!(answer["content"], "foo\nx\n");
    assert_eq!(answer["metadata"]["files_unreadable"], 1);
    assert!(answer["metadata"]["first_unreadable"].as_str().unwrap().starts_with("missing.csv: "));
    // A value that fits no more names its file, and the one that the type is from.
    for n in 0..70 {
        let text = if n == 35 { "k\nnone\n".to_owned() } else { format!("k\n{n}\n") };
        sandbox.file(&format!("k{n:02}.csv"), text);
    }
    let run = select(&sandbox, &["k*.csv"], "SELECT sum(k) FROM t", &["--raw"]).refused(6);
    let said = "k35.csv: line 2: 'none' in column k is not int64, as those of k00.csv are";
    assert!(run.stderr.contains(said), "{run}");
    let more = ["--json", "--skip-bad"];
    let answer = select(&sandbox, &["k*.csv"], "SELECT sum(k) AS s FROM t", &more).ok().json();
    assert_eq!((&answer["content"], &answer["metadata"]["skipped_rows"]), (&"s\n2380\n".into(), &1.into()));
    assert!(
        answer["metadata"]["first_skipped"].as_str().unwrap().starts_with("k35.csv: line 2: "),
        "{answer}"
    );
}

/// Files are their concatenation, however the rows are divided.
#[test]
fn many_files_have_the_rows_of_one() {
    let sandbox = Sandbox::new();
    let record = |n: u32| format!("{n},{},\"a \"\"b\"\"\n{}\",{}\n", n % 7, n * 3, f64::from(n) / 4.0);
    let all: String = (0..3000).map(record).collect();
    sandbox.file("all.csv", format!("id,k,text,f\n{all}"));
    let mut from = 0;
    for (place, size) in [0, 1, 2, 700, 41, 1500, 756].into_iter().enumerate() {
        let part: String = (from..from + size).map(record).collect();
        from += size;
        sandbox.file(&format!("parts{place}.csv"), format!("id,k,text,f\n{part}"));
    }
    for sql in [
        "SELECT * FROM t",
        "SELECT k, count(*) AS n, sum(f) AS s, min(text) AS m FROM t GROUP BY k ORDER BY k",
        "SELECT id FROM t WHERE text LIKE '%99%'",
        "SELECT id, text FROM t ORDER BY id DESC LIMIT 3",
        "SELECT count(*) AS n FROM t",
        "SELECT id FROM t LIMIT 5 OFFSET 1000",
    ] {
        let one = rows(&sandbox, &["all.csv"], sql, &[]);
        assert_eq!(rows(&sandbox, &["parts*.csv"], sql, &[]), one, "{sql}");
    }
    let page = ["--offset", "2990", "--max-rows", "5", "--json"];
    let page = |files| select(&sandbox, &[files], "SELECT id FROM t", &page).ok().json()["content"].clone();
    assert_eq!(page("parts*.csv"), page("all.csv"));
}

#[test]
fn tables_and_columns_are_listed() {
    let sandbox = sandbox();
    let columns = "column_name,data_type\nfoo,utf8\nbar,date\n";
    for sql in ["DESCRIBE t", "desc a", "DESCRIBE", "SHOW COLUMNS FROM t;", "describe table T"] {
        assert_eq!(rows(&sandbox, &["a.csv"], sql, &[]), columns, "{sql}");
    }
    assert_eq!(rows(&sandbox, &["a.csv", "d.csv"], "DESCRIBE t", &[]), columns);
    let tables = "table_name,table_type\nt,table\ns3object,table\na,table\n";
    assert_eq!(rows(&sandbox, &["a.csv"], "SHOW TABLES", &[]), tables);
    let run = select(&sandbox, &["a.csv"], "DESCRIBE nothing", &[]).refused(2);
    assert!(run.stderr.contains("nothing"), "{run}");
}

/// A query whose files have no rows has no rows.
#[test]
fn files_that_are_left_may_all_be_empty() {
    let sandbox = sandbox();
    let files = ["e.csv", "a.csv"];
    let sql = "SELECT count(*) AS n FROM t WHERE _file = 'e.csv'";
    assert_eq!(rows(&sandbox, &files, sql, &[]), "n\n0\n");
    assert!(
        select(&sandbox, &["e.csv", "e.csv", "e*.csv"], "SELECT 1", &[]).refused(6).stderr.contains("empty")
    );
}

#[test]
fn options_may_stand_anywhere() {
    let sandbox = sandbox();
    let expected = "foo\nx\n";
    for words in [
        &["select", "a.csv", "--raw", "SELECT foo FROM t"][..],
        &["select", "--raw", "a.csv", "SELECT foo FROM t"],
        &["select", "a.csv", "h.csv", "--raw", "SELECT foo FROM t"],
        &["select", "a.csv", "--raw", "h.csv", "--delimiter", ",", "SELECT foo FROM t"],
    ] {
        assert_eq!(sandbox.run(words).ok().text(), expected, "{words:?}");
    }
}

#[test]
fn a_whole_number_keeps_its_digits_beside_floats() {
    let sandbox = Sandbox::with("i.csv", "d\n9007199254740993\n");
    sandbox.file("j.csv", "d\n0.5\n");
    for files in [["i.csv", "j.csv"], ["j.csv", "i.csv"]] {
        let run = select(&sandbox, &files, "SELECT d FROM t", &["--raw"]);
        assert_eq!(run.code, 6, "{run}");
        assert!(run.stderr.contains("i.csv: line 2: '9007199254740993' in column d is not float64"), "{run}");
        let text = rows(&sandbox, &files, "SELECT d FROM t ORDER BY d", &["--schema", "d:utf8"]);
        assert_eq!(text, "d\n0.5\n9007199254740993\n");
    }
}

#[cfg(unix)]
#[test]
fn a_directory_that_cannot_be_read_is_not_passed_over() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.path("p/no")).unwrap();
    sandbox.file("p/a.csv", "a\n1\n");
    sandbox.file("p/no/b.csv", "a\n2\n");
    let close = |mode| fs::set_permissions(sandbox.path("p/no"), fs::Permissions::from_mode(mode)).unwrap();
    close(0o000);
    // Whoever may read everything cannot see the fault.
    let is_closed = fs::read_dir(sandbox.path("p/no")).is_err();
    for files in ["p", "p/**/*.csv", "p/*/*.csv"].into_iter().filter(|_| is_closed) {
        let run = select(&sandbox, &[files], "SELECT a FROM t", &["--raw"]).refused(3);
        assert!(run.stderr.contains("p/no: cannot list the directory"), "{run}");
    }
    close(0o755);
}

#[test]
fn a_query_that_is_not_last_has_the_right_command() {
    let sandbox = sandbox();
    for (words, hint) in [
        (&["select", "SELECT foo FROM t", "a.csv"][..], "rread select a.csv 'SELECT foo FROM t'"),
        (&["select", "a.csv", "SELECT * FROM t", "d.csv"], "rread select a.csv d.csv 'SELECT * FROM t'"),
        (&["select", "a.csv", "select foo from t", "d.csv"], "rread select a.csv d.csv 'select foo from t'"),
    ] {
        let run = sandbox.run(words).refused(2);
        assert!(run.stderr.contains("comes after all FILEs") && run.stderr.contains(hint), "{run}");
    }
    // Any other name that is missing is one.
    sandbox.run(["select", "select.csv", "SELECT foo FROM t"]).refused(3);
}

#[test]
fn tables_of_other_names_are_joined() {
    let sandbox = Sandbox::new();
    for (name, text) in [
        ("users.csv", "id,name\n1,Ann\n2,Bob\n"),
        ("o1.jsonl", "{\"user\":1,\"n\":5}\n{\"user\":1,\"n\":7}\n"),
        ("o2.jsonl", "{\"user\":2,\"n\":9}\n"),
    ] {
        sandbox.file(name, text);
    }
    let sums = "SELECT name, sum(n) AS n FROM t JOIN o ON o.user = t.id GROUP BY 1 ORDER BY 1";
    assert_eq!(rows(&sandbox, &["users.csv"], sums, &["--table", "o=o1.jsonl"]), "name,n\nAnn,12\n");
    let all = "name,n\nAnn,12\nBob,9\n";
    assert_eq!(rows(&sandbox, &["users.csv"], sums, &["--table", "o=o*.jsonl"]), all);
    assert_eq!(
        rows(&sandbox, &["users.csv"], sums, &["--table", "o=o1.jsonl", "--table", "O=o2.jsonl"]),
        all
    );
    let facts = select(&sandbox, &["users.csv"], sums, &["--table", "o=o*.jsonl", "--json"]).ok().json();
    assert_eq!(facts["metadata"]["tables"], serde_json::json!(["o=o*.jsonl"]));
    assert_eq!(
        rows(&sandbox, &["users.csv"], "SHOW TABLES", &["--table", "o=o1.jsonl"]),
        "table_name,table_type\nt,table\ns3object,table\no,table\nusers,table\n"
    );
    for (option, code, message) in [
        ("t=o1.jsonl", 2, "t is the table of FILE; --table needs another name"),
        ("o1.jsonl", 2, "'o1.jsonl' is not NAME=FILE"),
        ("o=", 2, "'o=' is not NAME=FILE"),
        ("o=nosuch.csv", 3, "nosuch.csv: "),
        ("o=x*.csv", 3, "x*.csv"),
    ] {
        let refused = select(&sandbox, &["users.csv"], sums, &["--table", option]).refused(code);
        assert!(refused.stderr.contains(message), "{option}: {}", refused.stderr);
    }
    let refused = sandbox.run(["select", "SELECT 1 FROM t"]).refused(2);
    assert!(refused.stderr.contains("FILE is missing, which is the table t"), "{refused}");
    assert!(refused.stderr.ends_with(" 'SELECT 1 FROM t'\n"), "{refused}");
    let refused = sandbox.run(["select", "SELECT 1 FROM u", "--table", "u=users.csv"]).refused(2);
    let hint = "hint: rread select users.csv 'SELECT 1 FROM u' --table u=users.csv\n";
    assert!(refused.stderr.ends_with(hint), "{refused}");
}

#[test]
fn of_several_tables_only_t_has_hidden_columns_and_each_error_names_its_file() {
    let sandbox = Sandbox::new();
    let long: String = (0..2000).map(|n| format!("{n},1\n")).collect();
    for (name, text) in [
        ("u.csv", "id,name\n1,Ada\n2,Bob\n"),
        ("d.csv", "a,b\n1,x\n1,x\n"),
        ("late.csv", &("a,b\n".to_owned() + &long.repeat(100) + "1,x\n")),
    ] {
        sandbox.file(name, text);
    }
    let distinct = "SELECT count(*) n FROM (SELECT DISTINCT o.* FROM t JOIN o ON true WHERE t._line = 2)";
    assert_eq!(rows(&sandbox, &["u.csv"], distinct, &["--table", "o=d.csv"]), "n\n1\n");
    let using = "SELECT count(*) n FROM t JOIN o USING (id, name) WHERE t._line > 0";
    assert_eq!(rows(&sandbox, &["u.csv"], using, &["--table", "o=u.csv"]), "n\n2\n");
    // A hidden column that the query names does not come with a star.
    for (sql, expected) in [
        ("SELECT DISTINCT t.* FROM t JOIN (SELECT max(_line) m FROM t) x ON true", "a,b\n1,x\n"),
        ("SELECT *, _line FROM t a CROSS JOIN (SELECT 1 one) LIMIT 1", "a,b,one,_line\n1,x,1,2\n"),
        ("SELECT *, _file FROM t a CROSS JOIN (SELECT 1 one) LIMIT 1", "a,b,one,_file\n1,x,1,d.csv\n"),
    ] {
        assert_eq!(rows(&sandbox, &["d.csv"], sql, &[]), expected, "{sql}");
    }
    // The other table has notices, too.
    sandbox.file("words.csv", "name,city\nAda,London\n");
    sandbox.file("bad.csv", b"a,b\n1,\xFF\n");
    let facts = |sql: &str, file: &str| {
        let table = format!("o={file}");
        let answer = select(&sandbox, &["u.csv"], sql, &["--table", &table, "--json"]).ok().json();
        answer["metadata"].clone()
    };
    assert_eq!(
        facts("SELECT count(*) FROM t, o", "words.csv")["notices"],
        serde_json::json!(["header_assumed"])
    );
    assert_eq!(facts("SELECT b FROM t, o", "bad.csv")["invalid_utf8"]["count"], serde_json::json!(1));
    let both = rows(
        &sandbox,
        &["u.csv"],
        "SELECT t.*, o.* FROM t, o LIMIT 1",
        &["--table", "o=u.csv", "--output", "jsonl"],
    );
    assert!(both.contains("\"id_2\":") && both.contains("\"name_2\":"), "{both}");
    let wrong =
        select(&sandbox, &["u.csv"], "SELECT sum(o.b) FROM t, o", &["--table", "o=late.csv"]).refused(6);
    assert!(wrong.stderr.contains("late.csv: "), "{wrong}");
    let twice = select(&sandbox, &["-"], "SELECT 1 FROM t, o", &["--table", "o=-"]).refused(2);
    assert!(twice.stderr.contains("standard input can be read once"), "{twice}");
    sandbox.file("plain.log", "no time here\n");
    let plain = select(&sandbox, &["plain.log"], "SELECT 1", &[]).refused(6);
    assert!(
        plain.stderr.contains("is text, not a table") && plain.stderr.contains("--input lines"),
        "{plain}"
    );
}

#[test]
fn files_are_listed_without_opening_them() {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.path("p/day=1")).unwrap();
    fs::create_dir_all(sandbox.path("p/day=2")).unwrap();
    // Not one of them can be read.
    for name in ["p/day=1/a.csv", "p/day=2/b.csv", "p/day=2/c d.csv"] {
        sandbox.file(name, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    }
    for (words, expected) in [
        (&["p", "--files"][..], "p/day=1/a.csv\np/day=2/b.csv\np/day=2/c d.csv\n"),
        (&["p/day=2/b.csv", "p/*/*.csv", "--files"], "p/day=2/b.csv\np/day=1/a.csv\np/day=2/c d.csv\n"),
        (&["p", "SELECT a FROM t WHERE day = 2 AND a = 1", "--files"], "p/day=2/b.csv\np/day=2/c d.csv\n"),
        (&["--files", "p", "select 1 from t where _file like '%b.csv'"], "p/day=2/b.csv\n"),
        (&["p", "SELECT * FROM t WHERE day = 3", "--files"], ""),
        (&["p", "--files", "-0"], "p/day=1/a.csv\0p/day=2/b.csv\0p/day=2/c d.csv\0"),
        (&["p", "-0", "--files", "SELECT * FROM t WHERE day = 1"], "p/day=1/a.csv\0"),
        (&["p", "--files", "--max-rows", "2", "--offset", "1"], "p/day=2/b.csv\np/day=2/c d.csv\n"),
    ] {
        let run = sandbox.run(["select"].iter().chain(words).chain(&["--raw"])).ok();
        assert_eq!(run.text(), expected, "{words:?}");
    }
    let answer = sandbox.line("select p --files --max-rows 2 --json").ok().json();
    let facts = &answer["metadata"];
    assert_eq!([&facts["files"], &facts["listed"], &facts["next_offset"]], [3, 2, 2], "{answer}");
    for (words, code, said) in [
        (&["p", "missing.csv", "--files"][..], 3, "missing.csv: does not exist"),
        (&["p", "--files", "-0"], 2, "-0 separates names in the formats raw and text"),
        (&["p", "--files", "--expect", "y1-0"], 2, "--files opens none"),
        (&["p"], 2, "SQL"),
        (&["p", "--print0", "SELECT 1"], 2, "--files"),
        (&["p", "-0", "SELECT 1"], 2, "only --files lists them"),
    ] {
        let run = sandbox.run(["select"].iter().chain(words)).refused(code);
        assert!(run.stderr.contains(said), "{words:?}: {run}");
    }
}

#[test]
fn files_of_another_state_are_refused() {
    let sandbox = sandbox();
    let sql = "SELECT count(*) AS n FROM t";
    let version = |words: &[&str]| {
        let facts = select(&sandbox, words, sql, &["--json"]).ok().json()["metadata"].clone();
        facts["version"].as_str().unwrap().to_owned()
    };
    let (one, both) = (version(&["a.csv"]), version(&["a.csv", "b.csv", "h.csv"]));
    let expecting =
        |files: &[&str], version: &str| select(&sandbox, files, sql, &["--raw", "--expect", version]);
    expecting(&["a.csv"], &one).ok();
    expecting(&["h.csv", "b.csv", "a.csv"], &both).ok();
    for (files, said) in [
        (&["a.csv", "b.csv", "h.csv", "d.csv"][..], "now 4 files, then 3"),
        (&["a.csv", "b.csv"], "now 2 files, then 3"),
        (&["a.csv", "b.csv", "d.csv"], "of 3 files, some changed or are other ones"),
    ] {
        let run = expecting(files, &both);
        assert!(run.code == 7 && run.stderr.contains(said), "{run}");
    }
    sandbox.file("b.csv", "foo,bar\nchanged,\n");
    let run = expecting(&["a.csv", "b.csv", "h.csv"], &both);
    assert!(run.code == 7 && run.stderr.contains("of 3 files, some changed"), "{run}");
    sandbox.file("a.csv", "foo,bar\nchanged,\n");
    let run = expecting(&["a.csv"], &one);
    assert!(run.code == 7 && run.stderr.contains("is not the expected version"), "{run}");
    assert_eq!(expecting(&["a.csv", "b.csv"], "other").code, 2);
}

#[test]
fn metadata_alone_reads_no_rows() {
    let sandbox = sandbox();
    sandbox.file("late.csv", format!("foo,bar\n{}x\n", "x,2026-01-01\n".repeat(200_000)));
    // The damaged record is after the first MiB.
    assert_eq!(select(&sandbox, &["late.csv"], "SELECT foo FROM t", &["--json"]).code, 6);
    for files in [&["late.csv"][..], &["late.csv", "a.csv"]] {
        let answer =
            select(&sandbox, files, "SELECT bar, foo || 'x' AS k FROM t", &["--metadata-only", "--json"]);
        let answer = answer.ok().json();
        let facts = &answer["metadata"];
        assert_eq!(facts["columns"][0], serde_json::json!({"name": "bar", "type": "date"}), "{answer}");
        assert_eq!(facts["columns"][1], serde_json::json!({"name": "k", "type": "utf8"}), "{answer}");
        assert_eq!((&facts["rows_returned"], &facts["bytes_scanned"]), (&serde_json::Value::Null, &0.into()));
    }
    assert_eq!(select(&sandbox, &["a.csv"], "SELECT no FROM t", &["--metadata-only"]).code, 2);
    let brief = select(&sandbox, &["a.csv"], "SELECT foo FROM t", &["--metadata-only", "--brief"]).ok();
    assert!(brief.text().contains("foo utf8"), "{brief}");
}

#[test]
fn a_late_value_is_bad_if_it_would_have_made_another_type() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("f")).unwrap();
    for n in 10..60 {
        sandbox.file(&format!("f/{n}.csv"), "v,k\n90210,1\n");
    }
    for odd in ["02139", "+15551234567", "-0", "1.5"] {
        sandbox.file("f/11.csv", format!("v,k\n{odd},2\n"));
        let select = |more: &[&str]| {
            let args = ["select", "f/*.csv", "SELECT count(*) AS n, count(v) AS v FROM t", "--raw"];
            sandbox.run(args.iter().chain(more))
        };
        let run = select(&[]).refused(6);
        assert!(run.stderr.contains("11.csv: line 2") && run.stderr.contains(odd), "{run}");
        assert_eq!(select(&["--skip-bad"]).text(), "n,v\n49,49\n", "{odd}");
        assert_eq!(select(&["--schema", "v:utf8"]).ok().text(), "n,v\n50,50\n", "{odd}");
    }
}

#[test]
fn a_page_of_names_has_a_name() {
    let sandbox = Sandbox::new();
    for name in ["a.csv", "b.csv", "c.csv"] {
        sandbox.file(name, "v\n1\n");
    }
    let list = |more: &[&str]| sandbox.run(["select", "*.csv", "--files", "--raw"].iter().chain(more));
    // Otherwise `next_offset` would lead to the same page again.
    let run = list(&["--max-bytes", "5"]).refused(2);
    assert!(run.stderr.contains("the first name needs 6 bytes; the limit is 5"), "{run}");
    assert!(run.stderr.contains("hint: --max-bytes 6"), "{run}");
    let mut names = String::new();
    for offset in ["0", "1", "2"] {
        names += list(&["--max-bytes", "6", "--offset", offset]).text();
    }
    assert_eq!(names, "a.csv\nb.csv\nc.csv\n");
    // A condition that excludes a file is why the version is another.
    let version =
        |sql: &str| sandbox.run(["select", "*.csv", sql]).ok().document().fact("version").to_owned();
    let all = version("SELECT count(*) FROM t");
    let run =
        sandbox.run(["select", "*.csv", "SELECT count(*) FROM t WHERE _file <> 'a.csv'", "--expect", &all]);
    assert!(run.stderr.contains("the query excludes 1 file; now 2 files, then 3"), "{run}");
}

#[test]
fn a_delimiter_may_be_a_control_character() {
    let sandbox = Sandbox::with("a.csv", "a\x01b\n1\x012\n");
    sandbox.file("u.csv", "a\x1Fb\n1\x1F2\n");
    for (file, delimiter) in [("a.csv", "^A"), ("a.csv", "\x01"), ("u.csv", "^_")] {
        assert_eq!(
            rows(&sandbox, &[file], "SELECT b FROM t", &["--delimiter", delimiter]),
            "b\n2\n",
            "{delimiter}"
        );
    }
}
