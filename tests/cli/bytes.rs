//! `rread bytes`: slices and their receipts, cuts at character edges, ranges that look like flags. `crates/text/tests/library/ranges.rs` has every form of range.

use insta::assert_snapshot;
use predicates::str::contains;
use rread_testkit::sandbox::{Sandbox, fixture, fixture_bytes};
use serde_json::{Value, json};

const DIGITS: &str = "0123456789abcdefghijklmnopqrstuvwxyz";

#[test]
fn a_range_gives_the_bytes_it_names() {
    let sandbox = Sandbox::with("f", DIGITS);
    for (range, from, to) in [
        ("4:+5", 4, 9),
        ("-6:", 30, 36),
        ("bytes=0-9", 0, 10),
        // Clamped.
        ("30:99", 30, 36),
        // Empty.
        ("5:5", 5, 5),
        ("36:", 36, 36),
    ] {
        let document = sandbox.run(["bytes", "f", range]).ok().document();
        assert_eq!(document.content, DIGITS[from..to], "{range}");
        assert_eq!(document.fact("range"), format!("{from}-{to}"), "{range}");
        assert_eq!(document.fact("eof"), if to == 36 { "true" } else { "" }, "{range}");
        assert_eq!(sandbox.run(["bytes", "f", range, "--raw"]).ok().text(), &DIGITS[from..to], "{range}");
        let metadata = sandbox.run(["bytes", "f", range, "--json"]).ok().json()["metadata"].take();
        assert_eq!(metadata["actual_range"], json!({"start_byte": from, "end_byte": to}), "{range}");
        assert_eq!(metadata["eof"], json!(to == 36), "{range}");
        assert_eq!(metadata.get("next").is_some(), to < 36 && from < to, "{range}");
    }
    // Only the whole file is not partial.
    assert_eq!(sandbox.line("bytes f --json").ok().json()["metadata"]["is_partial"], json!(false));
    assert_eq!(sandbox.line("bytes f 0:35 --json").ok().json()["metadata"]["is_partial"], json!(true));
}

#[test]
fn starts_past_the_end_and_after_ends_are_refused() {
    let sandbox = Sandbox::with("f", "x".repeat(1024));
    for range in ["5000:", "bytes=5000-6000"] {
        let error = sandbox.run(["bytes", "f", range, "--json"]).refused_json(5);
        assert_eq!(error["error"], json!("start_byte (5000) is beyond the end of the file (1024 bytes)"));
        assert_eq!(error["kind"], json!("out_of_range"), "{range}");
    }
    sandbox.line("bytes f 1025:").refused(5);
    for (range, start, end) in [("9:3", "9", "3"), ("-3:-9", "-3", "-9")] {
        let sentence =
            format!("Invalid range specified: start_byte ({start}) is greater than end_byte ({end}).");
        sandbox.run(["bytes", "f", range]).refused(2).says(contains(sentence.as_str()));
        assert_eq!(sandbox.run(["bytes", "f", range, "--json"]).refused_json(2)["error"], json!(sentence));
    }
    sandbox.file("one", "x");
    sandbox.line("bytes one 5:").refused(5).says(contains("(1 byte)"));
}

#[test]
fn an_empty_file_is_empty_for_every_range_that_starts_at_the_beginning() {
    let sandbox = Sandbox::with("f", "");
    for range in [":", "-5:+2", "bytes=0-9"] {
        let document = sandbox.run(["bytes", "f", range]).ok().document();
        assert_eq!((document.content.as_str(), document.fact("eof")), ("", "true"), "{range}");
        assert!(!document.has("next"), "{range}");
    }
    sandbox
        .line("bytes f 1:")
        .refused(5)
        .says(contains("start_byte (1) is beyond the end of the file (0 bytes)"));
}

#[test]
fn ranges_can_be_flags() {
    let sandbox = Sandbox::with("f", DIGITS);
    for (flags, range) in [
        ("--start-byte 4 --end-byte 9", "4:9"),
        ("--end-byte 9 --start-byte 4", "4:9"),
        ("--start-byte 30", "30:"),
        ("--end-byte 5", ":5"),
        ("--start-byte -6", "-6:"),
        ("--start-byte=-6 --end-byte -2", "-6:-2"),
        ("--end-byte 1KiB", ":1KiB"),
        ("--start-byte 3_0", "30:"),
    ] {
        let by_flags = sandbox.line(&format!("bytes f {flags}")).ok();
        assert_eq!(by_flags.text(), sandbox.line(&format!("bytes f {range}")).ok().text(), "{flags}");
    }
    for line in ["bytes f 1: --start-byte 3", "bytes --end-byte 3 f 1:"] {
        assert_eq!(sandbox.line(&format!("{line} --json")).refused_json(2)["kind"], json!("usage"), "{line}");
    }
    sandbox
        .line("bytes f --start-byte 9 --end-byte 3")
        .refused(2)
        .says(contains("is greater than end_byte (3)"));
    sandbox.line("bytes f --start-byte 99").refused(5);
    for flags in ["--start-byte +3", "--end-byte x", "--start-byte 1Q"] {
        sandbox.line(&format!("bytes f {flags}")).refused(2);
    }
    sandbox.run(["bytes", "f", "--start-byte", ""]).refused(2);
}

/// `é` at 1, `漢` at 3, `🎉` at 6, then `x` at 10.
const MIXED: &str = "aé漢🎉x";

#[test]
fn no_character_is_cut() {
    let sandbox = Sandbox::with("f", MIXED);
    // Cuts at edges, inside of one character, inside of two; where both ends lie if the slice grows, and if it shrinks.
    for (start, end, wide, narrow) in
        [(1, 6, (1, 6), (1, 6)), (2, 4, (1, 6), (3, 3)), (2, 8, (1, 10), (3, 6)), (7, 11, (6, 11), (10, 11))]
    {
        let range = format!("{start}:{end}");
        let expanded = sandbox.run(["bytes", "f", &range, "--json"]).ok().json();
        check_cut(&expanded, (start, end), wide);
        let text = sandbox.run(["bytes", "f", &range, "-f", "text"]).ok();
        assert_eq!(text.text(), &MIXED[wide.0..wide.1], "{range}");
        let shrunk = sandbox.run(["bytes", "f", &range, "--json", "--align", "shrink"]).ok().json();
        check_cut(&shrunk, (start, end), narrow);
        // A format without a receipt moves nothing.
        let exact = sandbox.run(["bytes", "f", &range, "--raw"]).ok();
        assert_eq!(exact.stdout, &MIXED.as_bytes()[start..end], "{range}");
    }
}

fn check_cut(answer: &Value, asked: (usize, usize), got: (usize, usize)) {
    let metadata = &answer["metadata"];
    assert_eq!(answer["content"], json!(MIXED[got.0..got.1]), "{asked:?}");
    assert_eq!(metadata["requested_range"], json!({"start_byte": asked.0, "end_byte": asked.1}));
    assert_eq!(metadata["actual_range"], json!({"start_byte": got.0, "end_byte": got.1}), "{asked:?}");
    let moved = &metadata["boundary_adjustments"];
    let reason = json!("UTF-8 character boundary alignment");
    for (end, moves) in [("start", asked.0 != got.0), ("end", asked.1 != got.1)] {
        assert_eq!(moved[format!("{end}_adjusted")], json!(moves), "{end} of {asked:?}");
        let told = &moved[format!("{end}_adjustment_reason")];
        assert_eq!(*told, if moves { reason.clone() } else { Value::Null }, "{end} of {asked:?}");
    }
    assert!(metadata.get("invalid_utf8").is_none(), "{asked:?}");
}

#[test]
fn a_move_is_reported_with_its_size_and_reason() {
    let sandbox = Sandbox::with("f", MIXED);
    let answer = |line: &str| sandbox.line(line).ok().snapshot();
    assert_snapshot!(answer("bytes f 4:7"), @r"
    ---
    path: f
    range: 3-10
    total: 11
    requested: bytes 4:7
    adjusted: start -1, end +3 (UTF-8 character boundary alignment)
    content_bytes: 7
    version: …
    next: bytes 10:+3
    ---
    漢🎉⏎
    ");
    assert_snapshot!(answer("bytes f 3:10"), @r"
    ---
    path: f
    range: 3-10
    total: 11
    content_bytes: 7
    version: …
    next: bytes 10:+7
    ---
    漢🎉⏎
    ");
    // An exact cut leaves halves of characters, which are invalid.
    assert_snapshot!(answer("bytes f 4:7 --align none"), @r"
    ---
    path: f
    range: 4-7
    total: 11
    invalid_utf8:
      count: 3
      first_byte: 4
    content_bytes: 9
    version: …
    next: bytes 7:+3 --align none
    ---
    ���⏎
    ");
}

#[test]
fn invalid_bytes_are_never_moved_over() {
    let bytes = fixture_bytes("invalid-utf8.txt");
    let sandbox = Sandbox::with("f", &bytes);
    let strays = bytes.windows(2).position(|w| w == b"\x80\x80").unwrap();
    for at in [strays, strays + 1] {
        let range = format!("{at}:+1");
        assert_eq!(sandbox.run(["bytes", "f", &range, "--raw"]).ok().stdout, b"\x80", "{range}");
        let json = sandbox.run(["bytes", "f", &range, "--json"]).ok().json();
        assert_eq!(json["content"], json!("\u{FFFD}"));
        assert_eq!(json["metadata"]["invalid_utf8"], json!({"count": 1, "first_byte": at}));
        assert_eq!(json["metadata"]["boundary_adjustments"]["start_adjusted"], json!(false));
    }
}

#[test]
fn raw_is_the_slice_of_the_file() {
    let bytes = fixture_bytes("service.log");
    let path = fixture("service.log");
    let sandbox = Sandbox::new();
    for (start, end) in
        [(0, 1), (0, 4096), (1, 53_000), (8191, 8193), (50_000, bytes.len()), (0, bytes.len())]
    {
        let range = format!("{start}:{end}");
        let args = ["bytes", path.to_str().unwrap(), &range, "--raw", "--align", "none"];
        assert_eq!(sandbox.run(args).ok().stdout, &bytes[start..end], "{range}");
    }
}

#[test]
fn the_example_of_the_json_format_holds() {
    // A character of three bytes lies at 498, one of four at 1499; the file has 1,024,000 bytes.
    let mut text = format!("{}漢{}🎉", "a".repeat(498), "b".repeat(1499 - 501));
    text.push_str(&"c".repeat(1_024_000 - text.len()));
    let sandbox = Sandbox::with("app.log", &text);
    let json = sandbox.line("bytes app.log 500:1500 --json").ok().json();
    assert_eq!(json["content"], json!(text[498..1503]));
    let version = json["metadata"]["version"].clone();
    assert!(version.as_str().is_some_and(|v| !v.is_empty()));
    let reason = "UTF-8 character boundary alignment";
    let expected = json!({
        "path": "app.log", "file_size": 1_024_000,
        "requested_range": {"start_byte": 500, "end_byte": 1500},
        "actual_range": {"start_byte": 498, "end_byte": 1503},
        "is_partial": true, "percent_of_file": 0.0981, "total_lines": null, "truncated": false, "eof": false,
        "version": version, "index": "none", "next": {"command": "bytes", "range": "1503:+1000"},
    });
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(json["metadata"].get(key), Some(value), "{key}");
    }
    for end in ["start", "end"] {
        let moved = &json["metadata"]["boundary_adjustments"];
        assert_eq!(moved[format!("{end}_adjusted")], json!(true));
        assert_eq!(moved[format!("{end}_adjustment_reason")], json!(reason));
    }
    assert!(json["metadata"]["bytes_scanned"].is_u64());
}
