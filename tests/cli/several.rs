//! Several FILEs with `lines`, `bytes`, `page` and `stat`, and ranges after them.

use predicates::str::contains;
use rread_testkit::sandbox::{Sandbox, lines_of, numbered};
use serde_json::json;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with("a.log", numbered(100));
    sandbox.file("b.log", numbered(50).replace("line", "other"));
    sandbox
}

#[test]
fn ranges_after_the_files_hold_for_every_file() {
    let sandbox = sandbox();
    let a = |from, to| lines_of(&numbered(100), from, to);
    let b = |from, to| lines_of(&numbered(50), from, to).replace("line", "other");
    for (line, expected) in [
        ("lines a.log b.log -5:", a(96, 100) + &b(46, 50)),
        ("lines a.log b.log", a(1, 100) + &b(1, 50)),
        ("lines a.log:3 b.log:-2:", a(3, 3) + &b(49, 50)),
        ("lines a.log:3 b.log", a(3, 3) + &b(1, 50)),
        ("lines a.log b.log --offset 3 --limit 2", a(3, 4) + &b(3, 4)),
        ("lines --limit 1 a.log b.log a.log", a(1, 1) + &b(1, 1) + &a(1, 1)),
        ("lines a.log a.log 2", a(2, 2) + &a(2, 2)),
        ("bytes a.log b.log 0:4", "lineothe".to_owned()),
        ("bytes a.log b.log -3:", "00\n50\n".to_owned()),
        ("bytes a.log b.log --end-byte 4", "lineothe".to_owned()),
        ("page a.log b.log", a(1, 100) + &b(1, 50)),
        ("ranges a.log b.log -2:", a(99, 100) + &b(49, 50)),
        ("ranges a.log b.log 1 b0:2 b.log 5", a(1, 1) + "li" + &b(1, 1) + "ot" + &b(5, 5)),
    ] {
        let run = sandbox.line(&format!("{line} --raw")).ok();
        assert_eq!(run.text(), expected, "{line}");
        let documents = sandbox.line(line).ok().documents();
        let joined: String = documents.iter().map(|d| d.content.as_str()).collect();
        assert_eq!(joined, run.text(), "{line}");
        assert!(documents.iter().any(|d| d.fact("path") == "b.log") || !line.contains("b.log"), "{line}");
    }
}

#[test]
fn a_page_number_holds_for_every_file() {
    let sandbox = sandbox();
    for number in ["1", "2", "-1"] {
        let page =
            |file: &str| sandbox.line(&format!("page {file} {number} --page-size 100 --raw")).ok().stdout;
        let both = [page("a.log"), page("b.log")].concat();
        assert_eq!(page("a.log b.log"), both, "{number}");
    }
    let all = sandbox.line("page a.log b.log --all --page-size 100 --raw").ok();
    assert_eq!(all.text(), numbered(100) + &numbered(50).replace("line", "other"));
}

#[test]
fn the_answer_has_the_form_that_ranges_has() {
    let sandbox = sandbox();
    let lines = sandbox.line("lines a.log b.log -5: --json").ok().json();
    let ranges = sandbox.line("ranges a.log -5: b.log -5: --json").ok().json();
    assert_eq!(lines["segments"], ranges["segments"]);
    assert_eq!(lines["metadata"]["files"][1]["path"], "b.log");
    let pages = sandbox.line("page a.log b.log --json").ok().json();
    assert_eq!(pages["segments"][1]["metadata"]["page"], 1);
    let xml = sandbox.line("page a.log b.log --xml").ok();
    assert_eq!(xml.text().matches("<file_content ").count(), 2);
    assert!(xml.text().starts_with("<file_contents>"), "{xml}");
    // One file keeps the form for one file.
    assert!(sandbox.line("lines a.log -5: --json").ok().json().get("segments").is_none());
}

#[test]
fn one_budget_holds_for_every_file() {
    let sandbox = sandbox();
    assert_eq!(
        sandbox.line("lines a.log b.log --limit 3 --max-lines 5").ok().documents()[1].fact("cut_by"),
        "max_lines"
    );
    for line in ["page a.log b.log --all --page-size 100", "bytes a.log b.log", "lines a.log b.log"] {
        let documents = sandbox.line(&format!("{line} --max-bytes 1000")).ok().documents();
        let sum: usize = documents.iter().map(|d| d.content.len()).sum();
        assert!((900..=1000).contains(&sum), "{line}: {sum}");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_reported_in_order() {
    let sandbox = sandbox();
    std::fs::create_dir(sandbox.path("logs")).unwrap();
    for (line, kind, code) in [
        ("lines a.log nope.log b.log -1", "not_found", 3),
        ("lines a.log nope.log:5 b.log:-1", "not_found", 3),
        ("lines a.log nope b.log -1", "not_found", 3),
        ("lines a.log logs b.log -1", "is_directory", 3),
        ("bytes a.log nope b.log -9:", "not_found", 3),
        ("page a.log nope.log b.log", "not_found", 3),
        ("page b.log a.log b.log 9 --page-size 100", "out_of_range", 5),
        ("lines a.log b.log a.log 77", "out_of_range", 5),
        ("ranges a.log:1 nope:1 b.log:-1", "not_found", 3),
        ("ranges a.log 1 nope.log 1 b.log 1", "not_found", 3),
        ("ranges a.log nope.log b.log -1", "not_found", 3),
    ] {
        let run = sandbox.line(&format!("{line} --json"));
        assert_eq!(run.code, code, "{run}");
        let json = run.json();
        let segments = json["segments"].as_array().unwrap();
        let failed: Vec<&str> = segments.iter().filter_map(|s| s["kind"].as_str()).collect();
        assert_eq!(segments.len(), 3, "{line}: {json}");
        assert!(failed.contains(&kind), "{line}: {json}");
        assert_eq!(sandbox.line(line).code, code, "{line}");
        let raw = sandbox.line(&format!("{line} --raw"));
        assert_eq!((raw.code, raw.text().is_empty()), (code, line.starts_with("page b.log")), "{raw}");
    }
    // The error names the missing page.
    let run = sandbox.line("page a.log nope.log 2 --page-size 100 --json");
    let asked = run.json()["segments"][1]["metadata"]["requested_range"].clone();
    assert_eq!(asked, json!({"page": 2, "page_size": 100}), "{run}");
    let run = sandbox.line("page a.log nope.log 2 --page-size 100");
    assert_eq!(run.documents()[1].fact("requested"), "page 2", "{run}");
}

#[cfg(unix)]
#[test]
fn a_literal_name_wins() {
    let sandbox = sandbox();
    for name in ["10-20", "-5:", "lines", "a:b", "7", "b.log:3"] {
        sandbox.file(name, format!("I am {name}\n"));
    }
    let b = numbered(50).replace("line", "other");
    for (args, expected) in [
        (vec!["lines", "b.log", "10-20"], b.clone() + "I am 10-20\n"),
        (vec!["lines", "b.log", "-5:"], b.clone() + "I am -5:\n"),
        (vec!["lines", "b.log", "7"], b.clone() + "I am 7\n"),
        (vec!["page", "b.log", "7"], b.clone() + "I am 7\n"),
        (vec!["lines", "10-20", "1"], "I am 10-20\n".to_owned()),
        (vec!["lines", "a:b", "lines", "1"], "I am a:b\nI am lines\n".to_owned()),
        (vec!["lines", "a:b:1"], "I am a:b\n".to_owned()),
        (vec!["lines", "b.log:3", "a:b"], "I am b.log:3\nI am a:b\n".to_owned()),
        (vec!["ranges", "b.log", "10-20", "1"], "other 1\nI am 10-20\n".to_owned()),
        (vec!["lines", "b.log", "--", "-5:"], b.clone() + "I am -5:\n"),
    ] {
        let run = sandbox.run(args.iter().copied().chain(["--raw"]).filter(|_| !args.contains(&"--")));
        let run =
            if args.contains(&"--") { sandbox.run([&["lines", "--raw"], &args[1..]].concat()) } else { run };
        assert_eq!(run.ok().text(), expected, "{args:?}");
    }
    // A directory cannot be read, so its name does not hide a range.
    std::fs::create_dir(sandbox.path("8")).unwrap();
    assert_eq!(sandbox.line("lines b.log 8 --raw").ok().text(), "other 8\n");
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf8_are_files() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let sandbox = sandbox();
    let name = OsStr::from_bytes(b"caf\xe9.txt");
    if std::fs::write(sandbox.path(".").join(name), "x\n").is_err() {
        eprintln!("skipped: this file system takes no names that are not UTF-8");
        return;
    }
    let word = OsStr::new;
    for line in [
        vec![word("lines"), word("a.log"), name, word("1")],
        vec![word("lines"), name, word("a.log"), word("1")],
        vec![word("ranges"), word("a.log"), name, word("1")],
        vec![word("lines"), word("a.log:1"), OsStr::from_bytes(b"caf\xe9.txt:1")],
        vec![OsStr::from_bytes(b"caf\xe9.txt:1:5"), word("a.log:1")],
    ] {
        let run = sandbox.run([&line[..], &[word("--raw")]].concat()).ok();
        assert!(run.text().contains("x\n") && run.text().contains("line 1\n"), "{run}");
    }
    let both = sandbox.run([word("lines"), word("a.log"), name, word("--json")]).ok().json();
    assert_eq!(both["metadata"]["files"][1]["path_base64"], data_encoding::BASE64.encode(name.as_bytes()));
}

#[test]
fn nonsense_is_refused_before_any_answer() {
    let sandbox = sandbox();
    for (line, words) in [
        ("lines a.log:3 b.log 5", "FILE:RANGES"),
        ("lines a.log b.log 5 --offset 3", "--offset and --limit"),
        ("ranges a.log b.log --from -", "--from takes one FILE, or none"),
        ("ranges a.log 5 --from -", "RANGES and as --from"),
        ("lines a.log:3 --offset 3", "--offset and --limit"),
        ("bytes a.log 0:5 --start-byte 3", "--start-byte and --end-byte"),
        ("page a.log 2 --all", "--all"),
        ("lines - a.log - 3", "standard input is given twice"),
        ("stat - a.log -", "standard input is given twice"),
        ("page - -", "standard input is given twice"),
        ("lines a.log b.log --expect dNJkAAAAAAAAAAAA", "--expect takes"),
        ("lines a.log 5 b.log", "'5' is a range"),
        ("lines a.log 5 b.log 7", "'5' is a range"),
        ("lines -5: a.log", "FILE comes first"),
        ("page 2 a.log", "FILE comes first"),
    ] {
        sandbox.line(line).refused(2).says(contains(words));
        assert_eq!(sandbox.line(&format!("{line} --json")).refused_json(2)["kind"], json!("usage"), "{line}");
    }
    for (line, words) in [
        ("lines a.log b.log 10..20", "'10..20'"),
        ("lines a.log 9:3 b.log", "start_line (9)"),
        ("lines a.log b.log nope", "'nope'"),
        ("bytes a.log b.log 7", "'7' alone"),
    ] {
        sandbox.line(line).refused(2).says(contains(words));
    }
}

#[test]
fn a_thousand_files_are_read_in_turn() {
    let sandbox = Sandbox::new();
    let names: Vec<String> = (0..1000).map(|n| format!("{n}.txt")).collect();
    for name in &names {
        sandbox.file(name, format!("first\n{name}\n"));
    }
    let expected: String = names.iter().map(|name| format!("{name}\n")).collect();
    let words = |command| [command].into_iter().chain(names.iter().map(String::as_str));
    assert_eq!(sandbox.run(words("lines").chain(["-1:", "--raw"])).ok().text(), expected);
    let stat = sandbox.run(words("stat").chain(["--json"])).ok().json();
    assert_eq!(stat["files"].as_array().unwrap().len(), 1000);
    let page = sandbox.run(words("page").chain(["--json"])).ok().json();
    assert_eq!(page["segments"].as_array().unwrap().len(), 1000);
}

#[test]
fn after_three_notes_about_cut_slices_one_counts_the_others() {
    let sandbox = sandbox();
    for (count, last) in [
        (3, ""),
        (4, "rread: note: 1 more slice was cut; --json lists it\n"),
        (1000, "rread: note: 997 more slices were cut; --json lists them\n"),
    ] {
        let words = ["lines"].into_iter().chain(vec!["a.log"; count]).chain(["1:5", "--max-lines", "2"]);
        let run = sandbox.run(words.chain(["--raw"]));
        assert_eq!((run.code, run.text()), (0, "line 1\nline 2\n"), "{count}");
        let note = |next| format!("rread: a.log: note: cut by --max-lines; next: lines {next}\n");
        assert_eq!(run.stderr, note("3:+5") + &note("1:+5").repeat(2) + last, "{count}");
    }
}

#[test]
fn text_shows_where_each_file_begins_and_raw_does_not() {
    let sandbox = Sandbox::with("a.log", "one\ntwo\n");
    sandbox.file("b.log", "three");
    sandbox.file("c.log", "four\n");
    let text = |line: &str| sandbox.line(line).ok().text().to_owned();
    assert_eq!(
        text("lines a.log b.log c.log -f text"),
        "==> a.log <==\none\ntwo\n\n==> b.log <==\nthree\n==> c.log <==\nfour\n"
    );
    assert_eq!(text("lines a.log c.log 1 -f text"), "==> a.log <==\none\n\n==> c.log <==\nfour\n");
    assert_eq!(text("bytes a.log c.log 0:2 -f text"), "==> a.log <==\non\n==> c.log <==\nfo");
    assert_eq!(text("lines a.log b.log c.log --raw"), "one\ntwo\nthreefour\n");
    assert_eq!(text("lines a.log -f text"), "one\ntwo\n");
    // A heading is one line, and acts on no terminal.
    if cfg!(unix) {
        sandbox.file("\x1b[2Jx\ny", "odd\n");
        let run = sandbox.run(["lines", "a.log", "\x1b[2Jx\ny", "-", "1", "-f", "text"]);
        assert!(run.text().contains("\n==> \\u{1b}[2Jx\\ny <==\nodd\n"), "{run}");
    }
    let run = sandbox.piped("lines a.log - 1 -f text", "in\n").ok();
    assert!(run.text().ends_with("\n==> standard input <==\nin\n"), "{run}");
    // A file that cannot be read has no text.
    let run = sandbox.line("lines a.log none.log c.log -f text");
    assert_eq!((run.code, run.text()), (3, "==> a.log <==\none\ntwo\n\n==> c.log <==\nfour\n"), "{run}");
}

#[test]
fn a_wrong_name_before_the_others_is_reported_in_its_place_like_one_after_them() {
    let sandbox = sandbox();
    for wrong in ["tar:a.log/x", "fd:none", "s3://"] {
        for line in [format!("lines {wrong} a.log 1"), format!("lines a.log {wrong} 1")] {
            let run = sandbox.line(&format!("{line} --raw"));
            assert!(run.code > 0 && run.text() == "line 1\n", "{run}");
        }
        for line in [format!("search -c 7$ {wrong} a.log"), format!("search -c 7$ a.log {wrong}")] {
            let run = sandbox.line(&format!("{line} -f text"));
            assert!(run.code > 1 && run.text() == "a.log:10\n", "{run}");
        }
    }
}
