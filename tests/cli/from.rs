//! `rread ranges --from`: ranges from a list, from JSON, and from what grep and compilers print.

use predicates::str::contains;
use rread_testkit::sandbox::{Sandbox, fixture_bytes, lines_of, numbered};
use serde_json::json;

fn parts(sandbox: &Sandbox, input: &str) -> Vec<String> {
    let piped = sandbox.piped("ranges f --from -", input).ok();
    let from_pipe: Vec<String> = piped
        .documents()
        .iter()
        .map(|d| if d.has("lines") { d.fact("lines").to_owned() } else { format!("b{}", d.fact("range")) })
        .collect();
    sandbox.file("wanted", input);
    assert_eq!(
        sandbox.line("ranges f --from wanted").ok().stdout,
        piped.stdout,
        "a file is as good as a pipe"
    );
    from_pipe
}

#[test]
fn every_form_is_understood() {
    let sandbox = Sandbox::with("f", numbered(412));
    for (input, expected) in [
        ("5\n", &["5-5"][..]),
        ("5", &["5-5"]),
        ("5\n100:120\n\nb0:512\n-3:\n", &["5-5", "100-120", "b0-512", "410-412"]),
        ("5\r\n7\r\n", &["5-5", "7-7"]),
        ("1:2,9\nb0:4,3\n", &["1-2", "9-9", "b0-4", "3-3"]),
        ("10-12\n", &["10-12"]),
        (r#"[{"start": 10, "end": 20}]"#, &["10-20"]),
        ("[\n {\"start\": 10, \"end\": 20},\n {\"start\": 400}\n]\n", &["10-20", "400-412"]),
        (r#"[{"start_line": 3, "end_line": 4}, {"start_byte": 0, "end_byte": 9}]"#, &["3-4", "b0-9"]),
        (r#"[{"start": -2, "end": null}]"#, &["411-412"]),
        ("3:some text\n17:more: text\n", &["3-3", "17-17"]),
        ("2-before\n3:match\n4-after\n--\n17:other\n", &["2-2", "3-3", "4-4", "17-17"]),
        ("f:12:text\nf:13:\n./f:14:7:text with a column\n", &["12-12", "13-13", "14-14"]),
        ("f:12:5: error: expected `;`\nother.rs:3:1: error: nothing of f\n", &["12-12"]),
        ("\tfrom f:12:in `g'\nthread 'main' panicked at f:13:5:\n", &["12-12", "13-13"]),
        (
            "   at A.g() in f:line 12\n    at async f:13:5\n#1 0x1 in main f:14\n",
            &["12-12", "13-13", "14-14"],
        ),
        ("12:5:1\n13:8:x = 5\n14:y\n", &["12-12", "13-13", "14-14"]),
    ] {
        assert_eq!(parts(&sandbox, input), expected, "{input:?}");
    }
}

#[test]
fn empty_matched_lines_do_not_make_a_list() {
    // `3:` may be an empty line 3 or everything from line 3 on; `18:x` can only be what grep prints.
    let sandbox = Sandbox::with("f", numbered(412));
    assert_eq!(parts(&sandbox, "3:\n17:\n18:x\n"), ["3-3", "17-17", "18-18"]);
}

#[test]
fn a_name_that_begins_with_a_date_is_not_a_line_of_context() {
    let sandbox = Sandbox::with("f", numbered(3000));
    sandbox.file("2026-01-31.log", numbered(50));
    let found = "2026-01-31.log:12:text\n2026-01-31.log:14:text\n";
    let run = sandbox.piped("ranges 2026-01-31.log --from - --raw", found).ok();
    assert_eq!(run.text(), "line 12\nline 14\n");
    sandbox.piped("ranges f --from -", found).refused(2).says(contains("names lines of 2026-01-31.log"));
    // If there is no such file, it is a range.
    assert_eq!(parts(&sandbox, "12:match\n13-at 10:42:07\n"), ["12-12", "13-13"]);
}

#[test]
fn a_range_the_wrong_way_round_is_not_taken_for_a_match() {
    let sandbox = Sandbox::with("f", numbered(412));
    for input in ["9:3\n", "1:2\n9:3\n"] {
        sandbox.piped("ranges f --from -", input).refused(2).says(contains("start_line (9) is greater"));
    }
}

#[test]
fn nothing_in_json_is_dropped() {
    let sandbox = Sandbox::with("f", numbered(412));
    assert_eq!(parts(&sandbox, r#"[3, "4", "b0:5"]"#), ["3-3", "4-4", "b0-5"]);
    // A list inside a string is taken whole or refused, never only its first range.
    let run = sandbox.piped("ranges f --from -", r#"["1,3"]"#);
    assert!(run.code == 2 || run.documents().len() == 2, "{run}");
}

#[test]
fn a_search_is_a_list_of_ranges() {
    let text = String::from_utf8(fixture_bytes("service.log")).unwrap();
    let sandbox = Sandbox::with("app.log", &text);
    let hits: Vec<(usize, &str)> =
        text.lines().enumerate().filter(|(_, l)| l.contains(" ERROR ")).map(|(i, l)| (i + 1, l)).collect();
    assert!(hits.len() > 5);
    let found: String = hits.iter().map(|(n, line)| format!("{n}:{line}\n")).collect();
    let named: String = hits.iter().map(|(n, line)| format!("app.log:{n}:{line}\n")).collect();
    for input in [found, named] {
        let documents = sandbox.piped("ranges app.log --from - -C 3", input.as_str()).ok().documents();
        assert_eq!(documents.len(), hits.len());
        for (document, (number, _)) in documents.iter().zip(&hits) {
            let (from, to) = (number.saturating_sub(3).max(1), (number + 3).min(500));
            assert_eq!(document.content, lines_of(&text, from, to), "line {number}");
        }
    }
}

#[test]
fn what_cannot_be_understood_is_refused_and_named() {
    let sandbox = Sandbox::with("f", numbered(412));
    for (input, words) in [
        ("", "no ranges"),
        ("\n\n", "no ranges"),
        ("[]", "no ranges"),
        ("words and nothing else\n", "words and nothing else"),
        ("5:10\n20:30\n100:12O\n", "100:12O"),
        ("5\n0\n", "line 0"),
        ("other.rs:3:x\n", "other.rs"),
        ("[{\"begin\": 1}]", "begin"),
        ("[{\"start\": 9, \"end\": 3}]", "start_line (9)"),
        ("[{\"start\": 0}]", "line 0"),
        ("[{\"start\": 1.5}]", "1.5"),
        ("[{\"start\": 1", "JSON"),
        ("[true]", "true"),
    ] {
        sandbox.piped("ranges f --from -", input).refused(2).says(contains(words));
        sandbox.file("wanted", input);
        sandbox.line("ranges f --from wanted").refused(2).says(contains("rread: wanted: "));
    }
    let error = sandbox.line("ranges f --from missing --json").refused_json(3);
    assert_eq!((&error["kind"], &error["path"]), (&json!("not_found"), &json!("missing")));
}

#[test]
fn a_range_past_the_end_is_one_entry_among_the_others() {
    let sandbox = Sandbox::with("f", numbered(5));
    let run = sandbox.piped("ranges f --from - --json", "2:x\n9:y\n4:z\n");
    assert_eq!(run.code, 5, "{run}");
    let json = run.json();
    let contents: Vec<&str> =
        json["segments"].as_array().unwrap().iter().map(|s| s["content"].as_str().unwrap_or("")).collect();
    assert_eq!(contents, ["line 2\n", "", "line 4\n"]);
}

#[cfg(unix)]
#[test]
fn a_name_with_colons_and_numbers_is_that_of_the_file_that_exists() {
    let sandbox = Sandbox::with("x:1:y", "a:5:b\nc\n");
    sandbox.file("list", "x:1:y:1:a:5:b\n");
    assert_eq!(sandbox.line("ranges --from list -f text").ok().text(), "a:5:b\n");
    assert_eq!(sandbox.line("ranges x:1:y --from list -f text").ok().text(), "a:5:b\n");
}
