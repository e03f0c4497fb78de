//! Options that few use and scripts for rg have: the answers are those of rg, where it is installed, and of a naive search.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

use super::colors::on_terminal;
use rread_testkit::sandbox::{AtHome, Sandbox, binary};

/// All texts of at most `most` of `parts`.
fn texts(parts: &[&str], most: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..most {
        last = last.iter().flat_map(|text| parts.iter().map(move |part| format!("{text}{part}"))).collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// What rg prints; `None` if it is not installed.
fn rg(sandbox: &Sandbox, args: &[&str]) -> Option<String> {
    let mut command = Command::new("rg");
    command.arg("--no-config").args(args).current_dir(sandbox.path(".")).at_home(&sandbox.home());
    let output = command.output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_search_stops_at_the_first_line_without_a_match() {
    let sandbox = Sandbox::new();
    for text in texts(&["a\n", "b\n"], 5) {
        sandbox.file("t", &text);
        for (wanted, options) in [('a', &["--raw"][..]), ('b', &["--raw", "-v"])] {
            let lines = text.lines().map(|line| line.starts_with(wanted));
            let before = lines.clone().take_while(|matches| !matches).count();
            let count = lines.skip(before).take_while(|matches| *matches).count();
            let run = sandbox.run(["search", "--stop-on-nonmatch", "a", "t"].iter().chain(options));
            assert_eq!(run.text(), format!("{wanted}\n").repeat(count), "{text:?} {options:?}");
            assert_eq!(run.code, i32::from(count == 0), "{text:?} {options:?}");
        }
    }
    sandbox.file("t", "x\na1\na2\nb\na3\n");
    let run = sandbox.line("search --stop-on-nonmatch a t -A1 -f text");
    assert_eq!(run.text(), "2:a1\n3:a2\n4-b\n");
    // What follows along `next` stops there too.
    let run = sandbox.line("search --stop-on-nonmatch a t -m1");
    assert_eq!(run.document().fact("next"), "search --stop-on-nonmatch -m 1 a t --in b5:8", "{run}");
}

#[test]
fn a_stream_need_not_end_after_the_first_line_without_a_match() {
    let sandbox = Sandbox::new();
    let mut command = Command::new(binary());
    command.args(["search", "--stop-on-nonmatch", "a", "--raw"]).at_home(&sandbox.home());
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut running = command.spawn().unwrap();
    let mut input = running.stdin.take().unwrap();
    input.write_all(b"x\na1\nb\n").unwrap();
    let mut shown = String::new();
    running.stdout.take().unwrap().read_to_string(&mut shown).unwrap();
    assert_eq!(shown, "a1\n");
    assert!(running.wait().unwrap().success());
    drop(input);
}

#[test]
fn lines_may_end_with_a_nul() {
    let sandbox = Sandbox::new();
    for text in texts(&["a", "\n", "\0"], 4) {
        sandbox.file("t", &text);
        for (pattern, matches) in [
            ("a", (|record| record.contains('a')) as fn(&str) -> bool),
            ("^a?$", |record| record == "a" || record.is_empty()),
            ("a\\na", |record| record.contains("a\na")),
            ("^.$", |record| record.chars().count() == 1),
            (r"a\s", |record| record.contains("a\n")),
            (r"a[\s,]", |record| record.contains("a\n")),
            (r"a[[:space:]]a", |record| record.contains("a\na")),
            (r"a\S", |record| record.contains("aa")),
            (r"[\x00-\x1f]a", |record| record.contains("\na")),
            (r"\x00", |_| false),
            (r"a[^\x00]", |record| {
                record.chars().position(|c| c == 'a').is_some_and(|at| at + 1 < record.len())
            }),
        ] {
            let records: Vec<&str> = text.split_terminator('\0').filter(|record| matches(record)).collect();
            let expected: String = records.iter().map(|record| format!("{record}\0")).collect();
            let run = sandbox.run(["search", "--null-data", "--raw", pattern, "t"]);
            assert_eq!(run.text(), expected, "{pattern} {text:?}");
            assert_eq!(run.code, i32::from(records.is_empty()), "{pattern} {text:?}");
        }
    }
    sandbox.file("t", "one\0two\nthree\0four\0");
    for (pattern, options, expected) in [
        ("two", "-H", "t:2:two\nthree\0"),
        ("o", "-c", "3\0"),
        ("o\\nth", "-o", "2:o\nth\0"),
        ("one", "-r x\ny", "1:x\ny\0"),
        ("three", "-C1", "1-one\x002:two\nthree\x003-four\x00"),
        ("one", "-l", "t\0"),
    ] {
        let args = ["search", "--null-data", "-f", "text", pattern, "t"];
        let run = sandbox.run(args.into_iter().chain(options.splitn(2, ' ')));
        assert_eq!(run.text(), expected, "{pattern} {options}");
        let Some(theirs) = rg(&sandbox, &["-n", "--null-data", pattern, "t", options]) else { continue };
        if !options.starts_with("-r") {
            assert_eq!(run.text(), theirs, "{pattern} {options}");
        }
    }
    // For people, each line has a line of its own.
    if let Some(shown) = on_terminal(&sandbox, &["search", "--null-data", "-f", "text", "o", "t"], &[]) {
        let shown = shown.replace("\x1b[0m", "").replace("\x1b[32m", "").replace("\x1b[1m\x1b[31m", "");
        assert!(shown.starts_with("1:one\n2:two\\nthree\n3:four\n"), "{shown:?}");
    }
    let refused = sandbox.line("search --null-data one t --json").refused_json(2).to_string();
    assert!(refused.contains("rread search --null-data one t --raw"), "{refused}");
    let refused = sandbox.line("search --null-data one t").refused(2);
    assert!(refused.snapshot().contains("--null-data writes NULs in the formats raw and text"), "{refused}");
}

#[test]
fn marks_are_no_marks_without_an_encoding() {
    let sandbox = Sandbox::with("t", b"\xFF\xFE\x00b");
    assert_eq!(sandbox.line("search -E none -a \\x00 t --raw").ok().stdout, b"\xFF\xFE\x00b\n");
    assert_eq!(sandbox.line("search -a \\x00 t").code, 1);
}

#[test]
fn lines_that_rread_ends_may_end_as_on_windows() {
    let sandbox = Sandbox::with("t", "one two\r\nthree");
    for options in ["--crlf -o", "--crlf", "--crlf --no-crlf -o", "--crlf -o -v"] {
        let words = options.split(' ').chain(["two|three", "t"]).collect::<Vec<_>>();
        let run = sandbox.run(["search", "-f", "text"].iter().chain(&words));
        let Some(theirs) = rg(&sandbox, &[&["-n"], &words[..]].concat()) else { continue };
        assert_eq!(run.text(), theirs, "{options}");
    }
    let run = sandbox.line("search --crlf -o two|three t --raw").ok();
    assert_eq!(run.text(), "two\r\nthree\r\n");
}

#[test]
fn colors_and_separators_are_those_of_rg() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("d")).unwrap();
    sandbox.file("d/t", "one two\nthree\n");
    for options in [
        "--path-separator Z",
        "--path-separator = -l",
        "--path-separator ' -c",
        "--color always --colors match:none",
        "--color always --colors line:none --colors path:none",
        "--color always --colors match:fg:blue --colors match:style:underline --colors match:style:nobold",
        "--color always --colors path:bg:0x7f --colors line:fg:255,0,10 --colors column:fg:cyan --column",
        "--color always --colors match:fg:green --colors match:style:intense -o",
    ] {
        let words = options.split(' ').chain(["two|three", "d", "-A1"]).collect::<Vec<_>>();
        let run = sandbox.run(["search", "-f", "text"].iter().chain(&words)).ok();
        let Some(theirs) = rg(&sandbox, &[&["-n"], &words[..]].concat()) else { continue };
        assert_eq!(run.text(), theirs, "{options}");
    }
    assert_eq!(sandbox.line("search --files --path-separator Z d --raw").ok().text(), "dZt\n");
    let run = sandbox.line("search --path-separator Z two d -f text").ok();
    assert_eq!(run.text(), "dZt:1:one two\n");
    let run = sandbox.line("search --color always --colors match:fg:blue two d/t -f text").ok();
    assert_eq!(run.text(), "\x1b[0m\x1b[32m1\x1b[0m:one \x1b[0m\x1b[1m\x1b[34mtwo\x1b[0m\n");
    for (spec, said) in [
        ("match:style:", "unrecognized style"),
        ("word:fg:red", "unrecognized output type"),
        ("match:fg", ""),
    ] {
        let refused = sandbox.run(["search", "--colors", spec, "two", "d/t"]).refused(2);
        assert!(refused.snapshot().contains(said), "{refused}");
    }
}
