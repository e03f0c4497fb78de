//! Ranges of several files in one answer, with one budget for all of them.

use std::fs;

use predicates::str::contains;
use rread_testkit::sandbox::{Sandbox, lines_of, numbered};
use serde_json::json;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with("a.log", numbered(100));
    sandbox.file("b.log", numbered(50).replace("line", "other"));
    sandbox
}

#[test]
fn every_way_to_name_files_and_ranges_is_understood() {
    let sandbox = sandbox();
    let a = |from, to| lines_of(&numbered(100), from, to);
    let b = |from, to| lines_of(&numbered(50), from, to).replace("line", "other");
    for (line, expected) in [
        ("ranges a.log:1-3 b.log:-2:", a(1, 3) + &b(49, 50)),
        ("ranges a.log 1:3 b.log -2:", a(1, 3) + &b(49, 50)),
        ("ranges a.log 1:3 9 b.log:4 a.log 7,8", a(1, 3) + &a(9, 9) + &b(4, 4) + &a(7, 8)),
        ("ranges ./a.log:2 ./b.log b0:5", a(2, 2) + "other"),
    ] {
        assert_eq!(sandbox.line(&format!("{line} --raw")).ok().text(), expected, "{line}");
        let joined: String = sandbox.line(line).ok().documents().iter().map(|d| d.content.clone()).collect();
        assert_eq!(joined, expected, "{line}");
    }
    let json = sandbox.line("ranges a.log:1 b.log:2 --json").ok().json();
    assert_eq!(json["segments"][1]["metadata"]["path"], "b.log");
    assert_eq!(json["metadata"]["files"][0]["total_lines"], 100);
    let standard = sandbox.piped("ranges a.log:1 - 2 --raw", "x\ny\n").ok();
    assert_eq!(standard.text(), "line 1\ny\n");
}

/// The output of `grep -rn` names its files; the answer has each once, in the order of first mention.
#[test]
fn a_search_names_its_files() {
    let sandbox = sandbox();
    fs::create_dir(sandbox.path("dir")).unwrap();
    sandbox.file("dir/2026-01-31.log", numbered(9).replace("line", "dated"));
    let found = "b.log:4:other 4\n./a.log:7:line 7\nbinary file x matches\nb.log:2:x:9:y\n--\ndir/2026-01-31.log:3:d\n./a.log:8:line 8\n";
    let expected = "other 4\nother 2\nline 7\nline 8\ndated 3\n";
    assert_eq!(sandbox.piped("ranges --from - --raw", found).ok().text(), expected);
    let json = sandbox.piped("ranges --from - --json", found).ok().json();
    let names: Vec<_> =
        json["metadata"]["files"].as_array().unwrap().iter().map(|file| file["path"].clone()).collect();
    assert_eq!(names, ["b.log", "./a.log", "dir/2026-01-31.log"]);
    sandbox.file("found", found);
    let cut = sandbox.line("ranges --from found --max-lines 3 --json").ok().json();
    let contents: Vec<_> = cut["segments"].as_array().unwrap().iter().map(|s| s["content"].clone()).collect();
    assert_eq!(contents, ["other 4\n", "other 2\n", "line 7\n", "", ""]);
    assert_eq!(cut["metadata"]["truncated"], true);
    let around = sandbox.piped("ranges --from - -C 1 --raw", "a.log:5:line 5\n").ok();
    assert_eq!(around.text(), "line 4\nline 5\nline 6\n");
    let gone = sandbox.piped("ranges --from - --raw", "a.log:1:x\ngone.log:2:y\nb.log:1:z\n");
    assert_eq!((gone.code, gone.text()), (3, "line 1\nother 1\n"));
    for nothing in ["", "5\n", "12:text\n", "[{\"start\": 1}]", "words\n"] {
        sandbox.piped("ranges --from -", nothing).refused(2).says(contains("its lines have no file name"));
    }
    sandbox.piped("ranges --from -", "-:1:x\n").refused(2).says(contains("cannot be both"));
    sandbox.line("ranges").refused(2).says(contains("FILE"));
}

/// The time of thousands of files does not grow with their square.
#[test]
fn many_files_are_read_in_turn() {
    let sandbox = sandbox();
    fs::create_dir(sandbox.path("many")).unwrap();
    let mut found = String::new();
    for n in 0..4_000 {
        sandbox.file(&format!("many/{n}"), format!("text {n}\n"));
        found.push_str(&format!("many/{n}:1:text\n"));
    }
    let expected: String = (0..4_000).map(|n| format!("text {n}\n")).collect();
    assert_eq!(sandbox.piped("ranges --from - --raw", found).ok().text(), expected);
}

#[test]
fn one_budget_holds_for_all_and_what_fell_off_is_named() {
    let sandbox = sandbox();
    let json = sandbox.line("ranges a.log:1-3 b.log:1-4,9 --max-lines 5 --json").ok().json();
    assert_eq!(json["metadata"]["truncated"], true);
    let told: Vec<_> = json["segments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| {
            (
                s["content"].as_str().unwrap(),
                s["metadata"]["truncated"].clone(),
                s["metadata"]["next"].clone(),
            )
        })
        .collect();
    let next = |range: &str| json!({"command": "lines", "range": range});
    assert_eq!(told[0], ("line 1\nline 2\nline 3\n", json!(false), next("4:+3")));
    assert_eq!(told[1], ("other 1\nother 2\n", json!(true), next("3:+4")));
    assert_eq!(told[2], ("", json!(true), next("9:+1")));
    // No more than the budget, wherever it cuts.
    for bytes in [4, 7, 20, 21, 22, 29, 1000] {
        let run = sandbox.line(&format!("ranges a.log:1-3 b.log:1-4 --max-bytes {bytes}")).ok();
        let sum: usize = run.documents().iter().map(|d| d.content.len()).sum();
        assert!(sum <= bytes, "{sum} of {bytes}");
    }
    let raw = sandbox.line("ranges a.log:1-3 b.log:1-4 --max-lines 3 --raw");
    assert_eq!(raw.stderr, "rread: b.log: note: cut by --max-lines; next: lines 1:+4\n");
}

#[test]
fn a_file_that_cannot_be_read_is_reported_in_order() {
    let sandbox = sandbox();
    let run = sandbox.line("ranges a.log:1 ./missing.log:3,4 b.log:2,99 --json");
    assert_eq!(run.code, 3, "{run}");
    let segments = run.json()["segments"].clone();
    let kinds: Vec<_> =
        segments.as_array().unwrap().iter().map(|s| s["kind"].as_str().unwrap_or("")).collect();
    assert_eq!(kinds, ["", "not_found", "not_found", "", "out_of_range"]);
    assert_eq!(segments[3]["content"], "other 2\n");
    assert!(run.stderr.contains("\"path\":\"./missing.log\""), "{run}");
    // Without a receipt, standard error has every failure.
    let raw = sandbox.line("ranges a.log:1 ./missing.log:3 b.log:99 --raw");
    assert_eq!((raw.code, raw.text()), (3, "line 1\n"));
    assert!(
        raw.stderr.contains("rread: ./missing.log: cannot open") && raw.stderr.contains("line 99 is beyond"),
        "{raw}"
    );
}

#[test]
fn nonsense_is_refused_before_any_answer() {
    let sandbox = sandbox();
    sandbox.line("ranges a.log b.log:3").refused(2).says(contains("a.log: no range was given"));
    sandbox.line("ranges a.log 3 b.log").refused(2).says(contains("b.log: no range was given"));
    sandbox.line("ranges a.log:3 4").refused(2).says(contains("FILE:RANGES"));
    sandbox.line("ranges a.log 0:5").refused(2).says(contains("line 0 does not exist"));
    sandbox.line("ranges a.log 12O").refused(2).says(contains("'12O'"));
    sandbox.line("ranges - 1 - 2").refused(2).says(contains("standard input is given twice"));
    sandbox
        .line("ranges a.log:1 b.log:1 --expect dNJkAAAAAAAAAAAA")
        .refused(2)
        .says(contains("--expect takes"));
    sandbox.line("ranges a.log b.log --from -").refused(2).says(contains("--from"));
}

#[cfg(unix)]
#[test]
fn one_stream_under_two_names_is_refused() {
    let sandbox = sandbox();
    // Each name would get a part of the stream and take it for the whole.
    for line in [
        "ranges - 1 /dev/stdin 1",
        "ranges /dev/stdin 1 a.log 1 /dev/fd/0 2",
        "ranges /dev/stdin 1 /dev/stdin 2",
    ] {
        sandbox
            .piped(line, numbered(100_000))
            .refused(2)
            .says(contains("the same stream, which can be read only once"));
    }
    for line in ["ranges /dev/stdin --from -", "ranges - --from /dev/stdin", "verify /dev/stdin --from -"] {
        sandbox
            .piped(line, "1#000000\n")
            .refused(2)
            .says(contains("the same stream, which can be read only once"));
    }
    assert_eq!(sandbox.piped("ranges a.log --from /dev/stdin --raw", "2\n").ok().text(), "line 2\n");
}

#[test]
fn a_name_in_another_spelling_opens_the_one_file_that_it_means() {
    let sandbox = Sandbox::with("Re\u{301}sume\u{301} nai\u{308}ve.txt", "one\n");
    sandbox.file("Shot 3.04\u{202f}PM.txt", "two\n");
    sandbox.file("a\u{a0}b", "three\n");
    sandbox.file("a\u{2009}b", "four\n");
    sandbox.file("100%41.txt", "five\n");
    let url = |name: &str| {
        let path = sandbox.path(name).display().to_string().replace('\\', "/");
        format!("file:///{}", path.trim_start_matches('/'))
    };
    for (typed, expected) in [
        ("Résumé naïve.txt".to_owned(), "one\n"),
        ("Résumé naïve.txt:1".to_owned(), "one\n"),
        ("Shot 3.04 PM.txt".to_owned(), "two\n"),
        (url("Shot%203.04%E2%80%AFPM.txt"), "two\n"),
        (url("Shot%203.04 PM.txt"), "two\n"),
        ("file:100%2541.txt".to_owned(), "five\n"),
    ] {
        let run = sandbox.run(["lines", &typed, "--raw"]).ok();
        assert_eq!(run.text(), expected, "{typed}");
    }
    let found = sandbox.run(["search", "o", "Résumé naïve.txt", "Shot 3.04 PM.txt", "-c", "--raw"]).ok();
    assert_eq!(found.text(), "Re\u{301}sume\u{301} nai\u{308}ve.txt:1\nShot 3.04\u{202f}PM.txt:1\n");
    // Either of two files may be meant, and a file that has the name is meant.
    let run = sandbox.run(["lines", "a b"]).refused(3);
    // The hint shows the bytes of the blank, because two blanks look alike.
    assert!(
        cfg!(windows)
            || run.stderr.contains(r"(printf 'a\302\240b')")
            || run.stderr.contains(r"(printf 'a\342\200\211b')"),
        "{run}"
    );
    sandbox.file("a b", "six\n");
    assert_eq!(sandbox.run(["lines", "a b", "--raw"]).ok().text(), "six\n");
}

#[test]
fn a_pattern_that_no_shell_expanded_has_its_files_in_the_hint() {
    let sandbox = Sandbox::with("b.txt", "two\n");
    sandbox.file("a.txt", "one\n");
    sandbox.file(".c.txt", "hidden\n");
    sandbox.file("-d.txt", "dash\n");
    std::fs::create_dir(sandbox.path("logs")).unwrap();
    sandbox.file("logs/x1.log", "x\n");
    sandbox.file("logs/x22.log", "x\n");
    for (pattern, files, hint) in [
        ("[ab].txt", "2 files", "rread lines a.txt b.txt 1"),
        ("*.txt", "3 files", "rread lines ./-d.txt a.txt b.txt 1"),
        ("logs/x?.log", "1 file", "rread lines logs/x1.log 1"),
    ] {
        if cfg!(windows) && pattern.contains('/') {
            continue;
        }
        let run = sandbox.run(["lines", pattern, "1"]).refused(3);
        let said = format!(
            "rread: {pattern}: is a pattern that no shell expanded; it means {files}\nhint: {hint}\n"
        );
        assert_eq!(run.stderr, said, "{run}");
        sandbox.line(&hint[6..]).ok();
    }
    for pattern in ["*.nothing", "lo*/x1.log"] {
        let run = sandbox.run(["lines", pattern, "1"]).refused(3);
        assert!(cfg!(windows) || run.stderr.contains("No such file"), "{run}");
    }
    // A file of this name is meant by it.
    sandbox.file("[ab].txt", "brackets\n");
    assert_eq!(sandbox.run(["lines", "[ab].txt", "--raw"]).ok().text(), "brackets\n");
}
