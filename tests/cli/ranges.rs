//! Ranges that are refused and repeated, and `rread ranges`: many ranges of either kind in one answer.

use insta::assert_snapshot;
use predicates::str::contains;
use rread_testkit::sandbox::{Sandbox, numbered};
use serde_json::{Value, json};

fn sandbox() -> Sandbox {
    Sandbox::with("f", numbered(412))
}

#[test]
fn a_wrong_range_is_refused_with_its_reason() {
    let sandbox = sandbox();
    for (command, range, reason) in
        [("lines", "", "empty"), ("lines", "4K", "plain decimals"), ("bytes", "1QiB:", "unknown size suffix")]
    {
        sandbox.run([command, "f", range]).refused(2).says(contains(reason));
        let error = sandbox.run([command, "f", range, "--json"]).refused_json(2);
        assert_eq!((&error["kind"], &error["path"]), (&json!("invalid_range"), &json!("f")), "{range}");
        assert!(error["error"].as_str().unwrap().contains(reason), "{error}");
    }
}

#[test]
fn a_single_number_in_bytes_names_its_two_meanings() {
    let sandbox = sandbox();
    let refused = |line: &str| sandbox.line(line).refused(2).snapshot();
    assert_snapshot!(refused("bytes f 100"), @r"
    rread: f: '100' alone is not a byte range: '100:' is everything from there, '100:+1' is one byte
    hint: rread bytes f 100:+1
    exit code 2
    ");
    assert_snapshot!(refused("bytes f -5"), @r"
    rread: f: '-5' alone is not a byte range: '-5:' is everything from there, '-5:+1' is one byte
    hint: rread bytes f -5:+1
    exit code 2
    ");
    assert_snapshot!(refused("bytes f 100-200"), @r"
    rread: f: '100-200' is ambiguous in bytes: 100:200 leaves byte 200 out and bytes=100-200 takes it in
    hint: write 100:200 or bytes=100-200
    exit code 2
    ");
    assert_snapshot!(refused("ranges f b5"), @r"
    rread: f: 'b5' alone is not a byte range: 'b5:' is everything from there, 'b5:+1' is one byte
    hint: rread ranges f b5:+1
    exit code 2
    ");
    assert_snapshot!(refused("ranges f 1,b-5"), @r"
    rread: f: 'b-5' alone is not a byte range: 'b-5:' is everything from there, 'b-5:+1' is one byte
    hint: rread ranges f 1,b-5:+1
    exit code 2
    ");
    assert_snapshot!(refused("ranges f b5-7"), @r"
    rread: f: 'b5-7' is ambiguous in bytes: b5:7 leaves byte 7 out and bytes=5-7 takes it in
    hint: write b5:7 or bytes=5-7
    exit code 2
    ");
}

#[test]
fn the_receipt_repeats_the_request() {
    let sandbox = sandbox();
    for (command, range, start, end) in [
        ("lines", "5:+3", json!(5), json!(7)),
        ("lines", ":-5", Value::Null, json!(-5)),
        ("bytes", "1K:2K", json!(1024), json!(2048)),
        ("bytes", "bytes=5-", json!(5), Value::Null),
    ] {
        let (first, last) =
            if command == "lines" { ("start_line", "end_line") } else { ("start_byte", "end_byte") };
        let metadata = sandbox.run([command, "f", range, "--json"]).ok().json()["metadata"].take();
        assert_eq!(metadata["requested_range"], json!({first: start, last: end}), "{range}");
    }
}

#[test]
fn a_list_is_answered_in_the_order_given() {
    let sandbox = sandbox();
    let asked = "40:45,1:5,3,3,-2:,1:2";
    let expected = ["40-45", "1-5", "3-3", "3-3", "411-412", "1-2"];
    let documents = sandbox.run(["lines", "f", asked]).ok().documents();
    assert_eq!(documents.iter().map(|d| d.fact("lines")).collect::<Vec<_>>(), expected);
    assert_eq!(documents[2].content, "line 3\n");
    let json = sandbox.run(["lines", "f", asked, "--json"]).ok().json();
    let segments = json["segments"].as_array().unwrap();
    for (segment, document) in segments.iter().zip(&documents) {
        assert_eq!(segment["content"], json!(document.content));
    }
    assert_eq!(segments.len(), expected.len());
    assert_eq!(json["metadata"]["path"], json!("f"));
    assert_eq!(json["metadata"]["file_size"], json!(numbered(412).len()));
    let joined: String = documents.iter().map(|d| d.content.as_str()).collect();
    assert_eq!(sandbox.run(["lines", "f", asked, "--raw"]).ok().text(), joined);
    assert_eq!(sandbox.run(["lines", "f", "1:2, 5 , -1"]).ok().documents().len(), 3, "blanks do no harm");
}

#[test]
fn ranges_take_lines_and_bytes() {
    let sandbox = sandbox();
    let text = numbered(412);
    let run = sandbox.line("ranges f 5,100:102 b0:12 l7 -1 b-5: b4:+3,8").ok();
    let expected = [
        ("line 5\n", "5-5"),
        ("line 100\nline 101\nline 102\n", "100-102"),
        ("line 1\nline ", ""),
        ("line 7\n", "7-7"),
        ("line 412\n", "412-412"),
        (&text[text.len() - 5..], ""),
        (&text[4..7], ""),
        ("line 8\n", "8-8"),
    ];
    let documents = run.documents();
    assert_eq!(documents.len(), expected.len());
    for (document, (content, lines)) in documents.iter().zip(expected) {
        assert_eq!((document.content.as_str(), document.fact("lines")), (content, lines));
    }
    let json = sandbox.line("ranges --json f -3: b0:5").ok().json();
    assert_eq!(
        json["segments"][0]["metadata"]["requested_range"],
        json!({"start_line": -3, "end_line": null})
    );
    assert_eq!(json["segments"][1]["metadata"].get("requested_range"), None);
    for line in ["ranges f -3: --json b0:5", "ranges f --json -3:,b0:5", "ranges f:-3:,b0:5 --json"] {
        assert_eq!(sandbox.line(line).ok().json()["segments"], json["segments"], "{line}");
    }
    // One range of `ranges` is a list of one, so that callers need not distinguish.
    assert_eq!(sandbox.line("ranges f 5 --json").ok().json()["segments"].as_array().unwrap().len(), 1);
    assert_eq!(sandbox.line("ranges f bytes=0-3 --raw").ok().text(), "line");
}

#[test]
fn ranges_refuse_what_they_cannot_read() {
    let sandbox = sandbox();
    for (line, kind) in [
        ("ranges f", "usage"),
        ("ranges f b5", "invalid_range"),
        ("ranges f 0", "invalid_range"),
        ("ranges f 5,b9:3", "invalid_range"),
        ("ranges f x5", "invalid_range"),
        ("ranges f:3 5", "usage"),
        ("ranges f 5 --from g", "usage"),
        ("ranges f:3 --from g", "usage"),
        ("ranges - --from -", "usage"),
    ] {
        let error = sandbox.line(&format!("{line} --json")).refused_json(2);
        assert_eq!(error["kind"], json!(kind), "{line}");
        sandbox.line(line).refused(2);
    }
}

#[test]
fn the_prefix_b_is_not_the_word_bytes() {
    let sandbox = sandbox();
    let run = sandbox.line("ranges f 5,bytes=0-3");
    assert!(!run.stderr.contains("'ytes"), "{run}");
}

#[test]
fn a_range_past_the_end_is_reported_in_order() {
    let sandbox = sandbox();
    let lines = ["ranges f 1 900 b0:5 b9999: -1", "ranges f 1,900,b0:5,b9999:,-1"];
    let answers = lines.map(|line| sandbox.line(line).complained().snapshot());
    assert_eq!(answers[0], answers[1]);
    assert_snapshot!(answers[0], @r#"
    ---
    path: f
    lines: 1-1
    range: 0-7
    total: 3600
    total_lines: 412
    content_bytes: 7
    version: …
    next: lines 2:+1
    ---
    line 1
    ---
    path: f
    requested: lines 900
    error: line 900 is beyond the end of the file (412 lines)
    kind: out_of_range
    content_bytes: 0
    ---
    ---
    path: f
    range: 0-5
    content_bytes: 5
    next: bytes 5:+5
    ---
    line ---
    path: f
    requested: "bytes 9999:"
    error: start_byte (9999) is beyond the end of the file (3600 bytes)
    kind: out_of_range
    content_bytes: 0
    ---
    ---
    path: f
    lines: 412-412
    range: 3591-3600
    content_bytes: 9
    eof: true
    ---
    line 412
    rread: f: line 900 is beyond the end of the file (412 lines)
    hint: rread lines f -20:
    exit code 5
    "#);
    for line in lines {
        let run = sandbox.line(&format!("{line} --json"));
        assert_eq!(run.code, 5, "{run}");
        let json = run.json();
        let errors: Vec<bool> =
            json["segments"].as_array().unwrap().iter().map(|s| s.get("error").is_some()).collect();
        assert_eq!(errors, [false, true, false, true, false]);
        assert_eq!(json["segments"][1]["kind"], json!("out_of_range"));
        let told: Value = serde_json::from_str(&run.stderr).unwrap();
        assert_eq!(told["kind"], json!("out_of_range"), "{run}");
    }
    let raw = sandbox.line("lines f 1,900,-1 --raw");
    assert_eq!((raw.code, raw.text()), (5, "line 1\nline 412\n"), "{raw}");
    let xml = sandbox.line("lines f 1,900,-1 --xml");
    assert_eq!((xml.code, xml.text().matches("error=").count()), (5, 1), "{xml}");
    assert_eq!(xml.text().matches("<file_content ").count(), 3);
    let all = sandbox.line("ranges f 900 901");
    assert_eq!((all.code, all.documents().len()), (5, 2), "{all}");
}
