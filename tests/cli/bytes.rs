//! `rread bytes`: every edge case of byte ranges, cuts at character edges, ranges that look like flags.

use predicates::str::contains;
use rread_testkit::sandbox::{Sandbox, fixture, fixture_bytes};
use serde_json::{Value, json};

const DIGITS: &str = "0123456789abcdefghijklmnopqrstuvwxyz";

#[test]
fn every_form_gives_the_bytes_it_names() {
    let sandbox = Sandbox::with("f", DIGITS);
    for (range, from, to) in [
        ("0:4", 0, 4),
        ("4:+5", 4, 9),
        (":10", 0, 10),
        ("30:", 30, 36),
        (":", 0, 36),
        ("-6:", 30, 36),
        (":-6", 0, 30),
        ("-6:-2", 30, 34),
        ("-6:+3", 30, 33),
        ("10:-6", 10, 30),
        ("-6:32", 30, 32),
        ("bytes=0-9", 0, 10),
        ("bytes=30-", 30, 36),
        ("bytes=-6", 30, 36),
        ("bytes=7-7", 7, 8),
        // Clamped.
        ("30:99", 30, 36),
        ("30:+99", 30, 36),
        ("-99:", 0, 36),
        ("-99:+4", 0, 4),
        ("bytes=30-99", 30, 36),
        ("bytes=-99", 0, 36),
        ("0:18446744073709551615", 0, 36),
        ("1:+18446744073709551615", 1, 36),
        // Empty.
        ("5:5", 5, 5),
        ("5:+0", 5, 5),
        ("36:", 36, 36),
        ("36:99", 36, 36),
        ("36:+9", 36, 36),
        ("-0:", 36, 36),
        ("30:-10", 30, 30),
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
    for range in ["5000:", "5000:6000", "5000:+10", "5000:5000", "bytes=5000-6000"] {
        let error = sandbox.run(["bytes", "f", range, "--json"]).refused_json(5);
        assert_eq!(error["error"], json!("start_byte (5000) is beyond the end of the file (1024 bytes)"));
        assert_eq!(error["kind"], json!("out_of_range"), "{range}");
    }
    sandbox.line("bytes f 1025:").refused(5);
    for (range, start, end) in [("5000:4000", "5000", "4000"), ("9:3", "9", "3"), ("-3:-9", "-3", "-9")] {
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
    for range in [":", "0:", "0:5", "0:+5", ":5", "-5:", "-5:+2", ":-5", "bytes=0-9", "bytes=-5", "0:0"] {
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
    // A cut, and where alignment moves it as a start and as an end.
    let floor = |at: usize| (0..=at).rev().find(|i| MIXED.is_char_boundary(*i)).unwrap();
    let ceil = |at: usize| (at..=MIXED.len()).find(|i| MIXED.is_char_boundary(*i)).unwrap();
    for start in 0..=MIXED.len() {
        for end in start..=MIXED.len() {
            let range = format!("{start}:{end}");
            if start < end {
                let (from, to) = (floor(start), ceil(end));
                let expanded = sandbox.run(["bytes", "f", &range, "--json"]).ok().json();
                check_cut(&expanded, (start, end), (from, to));
                let text = sandbox.run(["bytes", "f", &range, "-f", "text"]).ok();
                assert_eq!(text.text(), &MIXED[from..to], "{range}");
            }
            let (from, to) = (ceil(start), floor(end));
            let shrunk = sandbox.run(["bytes", "f", &range, "--json", "--align", "shrink"]).ok().json();
            if from <= to {
                check_cut(&shrunk, (start, end), (from, to));
            } else {
                assert_eq!(shrunk["content"], json!(""), "{range} lies inside one character");
            }
            // A format without a receipt moves nothing.
            let exact = sandbox.run(["bytes", "f", &range, "--raw"]).ok();
            assert_eq!(exact.stdout, &MIXED.as_bytes()[start..end], "{range}");
        }
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
    let document = sandbox.line("bytes f 4:7").ok().document();
    assert_eq!((document.fact("range"), document.fact("requested")), ("3-10", "bytes 4:7"));
    let adjusted = document.fact("adjusted");
    for words in ["start -1", "end +3", "UTF-8 character boundary alignment"] {
        assert!(adjusted.contains(words), "{words} in {adjusted}");
    }
    assert!(!sandbox.line("bytes f 3:10").ok().document().has("adjusted"));
    // An exact cut leaves halves of characters, which are invalid.
    let document = sandbox.line("bytes f 4:7 --align none").ok().document();
    assert_eq!((document.fact("range"), document.fact("invalid_utf8.first_byte")), ("4-7", "4"));
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
