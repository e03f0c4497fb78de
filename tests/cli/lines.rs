//! `rread lines`: what a line is, slices and their receipts, ranges that look like flags, FILE:RANGES. `crates/text/tests/library/ranges.rs` has every form of range.

use predicates::str::contains;
use rread_testkit::sandbox::{Sandbox, fixture, fixture_bytes, lines_of, numbered};
use serde_json::json;

fn sandbox() -> Sandbox {
    Sandbox::with("f", numbered(412))
}

#[test]
fn a_range_gives_the_lines_it_names() {
    let sandbox = sandbox();
    let text = numbered(412);
    for (range, from, to) in [("100-120", 100, 120), ("7", 7, 7), ("-20:", 393, 412), ("-20:400", 393, 400)] {
        let run = sandbox.run(["lines", "f", range]).ok();
        let document = run.document();
        assert_eq!(document.content, lines_of(&text, from, to), "{range}");
        assert_eq!(document.fact("lines"), format!("{from}-{to}"), "{range}");
        let start = lines_of(&text, 1, from - 1).len();
        assert_eq!(document.fact("range"), format!("{start}-{}", start + document.content.len()), "{range}");
        assert_eq!(document.fact("eof"), if to == 412 { "true" } else { "" }, "{range}");
        assert!(!document.has("requested"), "{range} was delivered as asked, so that needs no telling");
    }
}

#[test]
fn no_range_is_the_whole_file() {
    for name in
        ["service.log", "crlf.txt", "no-final-newline.txt", "only-newlines.txt", "frontmatter-lookalike.md"]
    {
        let path = fixture(name);
        let sandbox = Sandbox::new();
        let raw = sandbox.run(["lines".as_ref(), path.as_os_str(), "--raw".as_ref()]).ok();
        assert_eq!(raw.stdout, fixture_bytes(name), "{name}");
        let json = sandbox.run(["lines".as_ref(), path.as_os_str(), "--json".as_ref()]).ok().json();
        assert_eq!(json["content"].as_str().unwrap().as_bytes(), fixture_bytes(name), "{name}");
        let metadata = &json["metadata"];
        assert_eq!((&metadata["is_partial"], &metadata["eof"]), (&json!(false), &json!(true)), "{name}");
        assert!(metadata.get("next").is_none(), "{name}");
    }
}

#[test]
fn ends_past_the_end_and_starts_before_the_start_are_clamped() {
    let sandbox = sandbox();
    let text = numbered(412);
    for (range, from, to) in [("400:900", 400, 412), ("-900:+4", 1, 4)] {
        let document = sandbox.run(["lines", "f", range]).ok().document();
        assert_eq!(document.content, lines_of(&text, from, to), "{range}");
        assert_eq!(document.fact("lines"), format!("{from}-{to}"), "{range}");
        assert_eq!(document.fact("requested"), format!("lines {range}"), "what was asked differs: {range}");
        let metadata = sandbox.run(["lines", "f", range, "--json"]).ok().json()["metadata"].take();
        assert_eq!(metadata["actual_range"]["start_line"], json!(from), "{range}");
        assert_eq!(metadata["actual_range"]["end_line"], json!(to), "{range}");
    }
}

#[test]
fn an_empty_slice_is_a_success() {
    let sandbox = sandbox();
    // The range, and whether it reaches the end of the file.
    for (range, eof) in [("413:", true), ("413:+5", true), ("408:-10", false), ("-5:+0", false)] {
        let document = sandbox.run(["lines", "f", range]).ok().document();
        assert_eq!((document.fact("content_bytes"), document.content.as_str()), ("0", ""), "{range}");
        assert_eq!(document.fact("eof"), if eof { "true" } else { "" }, "{range}");
        assert!(!document.has("lines"), "no line was delivered: {range}");
        let metadata = sandbox.run(["lines", "f", range, "--json"]).ok().json()["metadata"].take();
        assert_eq!(metadata["eof"], json!(eof), "{range}");
        if eof {
            assert!(metadata.get("next").is_none(), "{range}");
        }
    }
}

#[test]
fn lines_that_are_not_there_are_out_of_range() {
    let sandbox = sandbox();
    for (range, line) in [("413", 413), ("414:", 414)] {
        let told = format!("rread: f: line {line} is beyond the end of the file (412 lines)\n");
        sandbox.run(["lines", "f", range]).refused(5).says(predicates::str::starts_with(told));
        let error = sandbox.run(["lines", "f", range, "--json"]).refused_json(5);
        assert_eq!(error["error"], json!(format!("line {line} is beyond the end of the file (412 lines)")));
        assert_eq!((&error["kind"], &error["path"]), (&json!("out_of_range"), &json!("f")));
    }
    sandbox.file("one", "only\n");
    sandbox.line("lines one 5").refused(5).says(contains("(1 line)"));
    sandbox.line("lines one 18446744073709551615").refused(5).says(contains("line 18446744073709551615 is"));
}

#[test]
fn starts_after_ends_are_invalid() {
    let sandbox = sandbox();
    for (range, start, end) in [("9-3", "9", "3"), ("-3:-9", "-3", "-9")] {
        let sentence =
            format!("Invalid range specified: start_line ({start}) is greater than end_line ({end}).");
        sandbox.run(["lines", "f", range]).refused(2).says(contains(sentence.as_str()));
        let error = sandbox.run(["lines", "f", range, "--json"]).refused_json(2);
        assert_eq!((&error["error"], &error["kind"]), (&json!(sentence), &json!("invalid_range")), "{range}");
    }
    // Only the size of the file shows that start and end are swapped.
    sandbox.line("lines f -10:5").refused(2).says(contains("is greater than"));
}

#[test]
fn an_empty_file_is_empty_for_every_range_that_starts_at_the_beginning() {
    let sandbox = Sandbox::with("f", "");
    for range in [":", "1", "-5:+2"] {
        let document = sandbox.run(["lines", "f", range]).ok().document();
        assert_eq!((document.content.as_str(), document.fact("eof")), ("", "true"), "{range}");
        assert!(!document.has("next"), "{range}");
        let json = sandbox.run(["lines", "f", range, "--json"]).ok().json();
        assert_eq!((&json["content"], &json["metadata"]["total_lines"]), (&json!(""), &json!(0)), "{range}");
        assert_eq!(sandbox.run(["lines", "f", range, "--raw"]).ok().stdout, b"", "{range}");
    }
    sandbox.line("lines f 2").refused(5).says(contains("line 2 is beyond the end of the file (0 lines)"));
    sandbox.line("lines f 2:").refused(5);
}

#[test]
fn only_a_newline_ends_a_line() {
    let sandbox = Sandbox::new();
    for (name, total, line, expected) in [
        ("no-final-newline.txt", 3, "3", "last, without a newline"),
        ("no-final-newline.txt", 3, "-1", "last, without a newline"),
        ("no-final-newline.txt", 3, "-2", "second\n"),
        ("crlf.txt", 4, "3", "\r\n"),
        ("crlf.txt", 4, "-1", "fourth\r\n"),
        ("only-newlines.txt", 4, "4", "\n"),
        ("only-newlines.txt", 4, "-4", "\n"),
        ("one-newline.txt", 1, "1", "\n"),
        ("mixed-newlines.txt", 4, "3", "old mac\rstill the same line\n"),
        ("not-line-ends.txt", 4, "2", "line\u{2028}separator\n"),
        ("not-line-ends.txt", 4, "1", "form\u{c}feed\n"),
        ("bom.txt", 2, "2", "second line\n"),
        ("long-line.txt", 3, "3", "short after\n"),
    ] {
        let path = fixture(name);
        let json =
            sandbox.run(["lines".as_ref(), path.as_os_str(), line.as_ref(), "--json".as_ref()]).ok().json();
        assert_eq!(json["content"], json!(expected), "{name} {line}");
        assert_eq!(json["metadata"]["total_lines"], json!(total), "{name}");
        let past = (total + 1).to_string();
        sandbox.run(["lines".as_ref(), path.as_os_str(), past.as_ref()]).refused(5);
    }
}

#[test]
fn every_line_of_a_log_is_found_from_both_ends() {
    let sandbox = Sandbox::new();
    let bytes = fixture_bytes("service.log");
    let text = String::from_utf8(bytes).unwrap();
    let forward: Vec<String> = (1..=500).map(|n| n.to_string()).collect();
    let backward: Vec<String> = (1..=500).rev().map(|n| format!("-{n}")).collect();
    for list in [forward.join(","), backward.join(",")] {
        let path = fixture("service.log");
        let run = sandbox.run(["lines".as_ref(), path.as_os_str(), list.as_ref()]).ok();
        let documents = run.documents();
        assert_eq!(documents.len(), 500);
        for ((document, line), number) in documents.iter().zip(text.split_inclusive('\n')).zip(1..) {
            assert_eq!(
                (document.content.as_str(), document.fact("lines")),
                (line, &*format!("{number}-{number}"))
            );
        }
    }
}

#[test]
fn flags_and_ranges_come_in_any_order() {
    let sandbox = sandbox();
    let expected = sandbox.line("lines f -20: --json").ok().json()["content"].take();
    assert_eq!(expected, json!(lines_of(&numbered(412), 393, 412)));
    for line in [
        "lines --json f -20:",
        "lines f --json -20:",
        "lines -f json f -20:",
        "lines f -20: -f json",
        "lines f -20: --format=json",
        "lines -fjson f -20:",
        "lines --color never f --json -20:",
        "lines --json -- f -20:",
        "lines --json f -- -20:",
        "lines --json --offset -20 f",
        "lines --offset=-20 f --json",
        "lines f:-20: --json",
    ] {
        assert_eq!(sandbox.line(line).ok().json()["content"], expected, "{line}");
    }
}

#[test]
fn ranges_can_be_flags() {
    let sandbox = sandbox();
    for (flags, range) in [
        ("--offset 100 --limit 21", "100:+21"),
        ("--limit 5 --offset 3", "3:+5"),
        ("--offset 400", "400:"),
        ("--limit 7", "1:+7"),
        ("--offset -20", "-20:"),
        ("--offset -20 --limit 5", "-20:+5"),
        ("--offset 413", "413:"),
        ("--limit 0", "1:+0"),
        ("--offset 1_00 --limit 1_0", "100:+10"),
    ] {
        let by_flags = sandbox.line(&format!("lines f {flags}")).ok();
        let by_range = sandbox.line(&format!("lines f {range}")).ok();
        assert_eq!(by_flags.text(), by_range.text(), "{flags}");
    }
    for line in
        ["lines f 5 --offset 3", "lines f --limit 3 5:7", "lines f:5 --offset 3", "lines f:5 --limit 3"]
    {
        assert_eq!(sandbox.line(&format!("{line} --json")).refused_json(2)["kind"], json!("usage"), "{line}");
    }
    sandbox.line("lines f --offset 900").refused(5).says(contains("line 900 is beyond"));
    for line in [
        "--offset 0",
        "--offset +3",
        "--limit -3",
        "--limit 1K",
        "--offset x",
        "--limit 18446744073709551616",
    ] {
        sandbox.line(&format!("lines f {line}")).refused(2);
    }
    sandbox.run(["lines", "f", "--offset", ""]).refused(2);
}

#[test]
fn a_file_and_its_ranges_can_be_one_word() {
    let sandbox = sandbox();
    let text = numbered(412);
    for (word, from, to) in [
        ("f:7", 7, 7),
        ("f:570", 0, 0),
        ("f:100-120", 100, 120),
        ("f:100:120", 100, 100),
        ("f:20:10", 20, 20),
        ("f:20:10:", 20, 20),
        ("f:-3:", 410, 412),
        ("./f:9:+2", 9, 10),
    ] {
        let run = sandbox.run(["lines", word]);
        if from == 0 {
            run.refused(5).says(contains("rread: f: line 570"));
            continue;
        }
        let document = run.ok().document();
        assert_eq!(document.content, lines_of(&text, from, to), "{word}");
        assert_eq!(document.fact("path"), if word.starts_with('.') { "./f" } else { "f" });
    }
    let documents = sandbox.line("lines f:1:2,-1").ok().documents();
    assert_eq!((documents.len(), documents[1].content.as_str()), (2, "line 412\n"));
    sandbox.line("lines f:3 5").refused(2);
    sandbox.line("lines f:seven").refused(2).says(contains("'seven'"));
    sandbox.line("lines g:7").refused(3).says(contains("rread: g:"));
    #[cfg(unix)]
    {
        sandbox.file("f:7", "a file of that name wins\n");
        assert_eq!(sandbox.line("lines f:7").ok().document().content, "a file of that name wins\n");
    }
}

#[cfg(unix)]
#[test]
fn literal_names_win_over_ranges_and_flags() {
    let sandbox = Sandbox::new();
    for name in ["-20", "-20:", "fd:1", "--json", "5", "b0:5", "-"] {
        sandbox.file(name, format!("I am {name}\n"));
        let expected = format!("I am {name}\n");
        let dotted = sandbox.run(["lines", &format!("./{name}"), "--raw"]).ok();
        assert_eq!(dotted.text(), expected);
        if name != "-" {
            let dashed = sandbox.run(["lines", "--raw", "--", name]).ok();
            assert_eq!(dashed.text(), expected);
        }
    }
    assert_eq!(sandbox.line("lines fd:1 --raw").ok().text(), "I am fd:1\n");
}

#[cfg(unix)]
#[test]
fn a_file_may_have_the_name_of_a_range() {
    let sandbox = Sandbox::with("-20", "I am -20\n");
    sandbox.line("lines -77").refused(3).says(contains("rread: -77: "));
    assert_eq!(sandbox.line("lines -20 --raw").ok().text(), "I am -20\n");
    assert_eq!(sandbox.line("lines -20 -1 --raw").ok().text(), "I am -20\n");
    assert_eq!(sandbox.line("stat -20 --json").ok().json()["path"], json!("-20"));
}
