//! The range grammar, sentence by sentence, and `rread ranges`: many ranges of either kind in one answer.

use std::collections::HashSet;

use predicates::str::contains;
use rread_testkit::sandbox::{Sandbox, numbered};
use serde_json::{Value, json};

fn sandbox() -> Sandbox {
    Sandbox::with("f", numbered(412))
}

/// Every kind of wrong range, and words of its message.
const LINE_REFUSALS: [(&str, &str); 19] = [
    ("", "empty"),
    ("1,,2", "empty"),
    ("5,", "empty"),
    (",5", "empty"),
    ("0", "line 0 does not exist"),
    ("0:5", "line 0 does not exist"),
    ("-0", "line -0 does not exist"),
    ("+5", "'+5' starts with '+'"),
    ("+5:9", "'+5' starts with '+'"),
    (":+5", "':+5'"),
    ("5:+-3", "sign"),
    ("1:2:3", "more than one ':'"),
    ("5--7", "mixes '-'"),
    ("5 - -7", "mixes '-'"),
    ("18446744073709551616", "too large"),
    ("1:18446744073709551616", "too large"),
    ("4K", "plain decimals"),
    ("1__0", "'_' is allowed"),
    ("abc", "'abc' is not a number"),
];

const BYTE_REFUSALS: [(&str, &str); 16] = [
    ("", "empty"),
    ("100", "alone"),
    ("-100", "alone"),
    ("4KiB", "alone"),
    ("100-200", "bytes=100-200"),
    ("+5:", "'+5' starts with '+'"),
    (":+5", "':+5'"),
    ("0:1:2", "more than one ':'"),
    ("18446744073709551616:", "too large"),
    ("16E:", "too large"),
    ("abc:", "'abc' is not a number"),
    ("99999999999999T:", "too large"),
    ("1QiB:", "unknown size suffix"),
    ("0x10:", "unknown size suffix"),
    ("_5:", "'_' is allowed"),
    ("bytes=9-3", "start_byte (9) is greater than end_byte (3)"),
];

#[test]
fn each_refusal_has_a_sentence_of_its_own() {
    let sandbox = sandbox();
    for (command, table) in [("lines", &LINE_REFUSALS[..]), ("bytes", &BYTE_REFUSALS[..])] {
        let (mut reasons, mut sentences) = (HashSet::new(), HashSet::new());
        for (range, reason) in table {
            sandbox.run([command, "f", range]).refused(2).says(contains(*reason));
            let error = sandbox.run([command, "f", range, "--json"]).refused_json(2);
            assert_eq!((&error["kind"], &error["path"]), (&json!("invalid_range"), &json!("f")), "{range}");
            // Without its quotes, a message is the same exactly for the same reason.
            let sentence: String = error["error"].as_str().unwrap().split('\'').step_by(2).collect();
            let pure: String = sentence.chars().filter(|c| !c.is_ascii_digit()).collect();
            reasons.insert(*reason);
            sentences.insert(pure);
        }
        assert_eq!(sentences.len(), reasons.len(), "{command}: {sentences:?}");
    }
}

#[test]
fn a_missing_number_is_called_missing() {
    let sandbox = sandbox();
    for range in ["5:+", "-:", "5:-"] {
        let run = sandbox.run(["lines", "f", "--", range]).refused(2);
        assert!(!run.stderr.contains("''"), "an empty pair of quotes does not say what is wrong: {run}");
    }
}

#[test]
fn a_single_number_in_bytes_names_its_two_meanings() {
    let sandbox = sandbox();
    sandbox.line("bytes f 100").refused(2).says(contains("100:")).says(contains("100:+1"));
    let run = sandbox.line("bytes f 100-200").refused(2);
    for words in ["100:200", "leaves byte 200 out", "bytes=100-200", "takes it in"] {
        assert!(run.stderr.contains(words), "{words}: {run}");
    }
    for (line, hint) in [
        ("bytes f -5", "hint: rread bytes f -5:+1\n"),
        ("ranges f b5", "hint: rread ranges f b5:+1\n"),
        ("ranges f 1,b-5", "hint: rread ranges f 1,b-5:+1\n"),
        ("ranges f b5-7", "hint: write b5:7 or bytes=5-7\n"),
    ] {
        sandbox.line(line).refused(2).says(contains(hint));
    }
}

#[test]
fn sizes_are_powers_of_1024_or_1000() {
    let sandbox = Sandbox::with("f", "x".repeat(10));
    for (size, bytes) in [
        ("1K", 1u64 << 10),
        ("1KiB", 1 << 10),
        ("3M", 3 << 20),
        ("3MiB", 3 << 20),
        ("2G", 2 << 30),
        ("2GiB", 2 << 30),
        ("1T", 1 << 40),
        ("1TiB", 1 << 40),
        ("1P", 1 << 50),
        ("1PiB", 1 << 50),
        ("1E", 1 << 60),
        ("1EiB", 1 << 60),
        ("1kB", 1000),
        ("1KB", 1000),
        ("5MB", 5_000_000),
        ("2GB", 2_000_000_000),
        ("1TB", 1_000_000_000_000),
        ("1PB", 1_000_000_000_000_000),
        ("1EB", 1_000_000_000_000_000_000),
        ("1_000", 1000),
        ("1_0K", 10 << 10),
        ("18446744073709551615", u64::MAX),
    ] {
        let error = sandbox.run(["bytes", "f", &format!("{size}:"), "--json"]).refused_json(5);
        let expected = format!("start_byte ({bytes}) is beyond the end of the file (10 bytes)");
        assert_eq!(error["error"], json!(expected), "{size}");
        // As the end, and as the count, it is clamped.
        for range in [format!("0:{size}"), format!("0:+{size}"), format!("-{size}:")] {
            assert_eq!(sandbox.run(["bytes", "f", &range, "--raw"]).ok().text(), "xxxxxxxxxx", "{range}");
        }
    }
}

#[test]
fn the_receipt_repeats_the_request() {
    let sandbox = sandbox();
    for (command, range, start, end) in [
        ("lines", "5:9", json!(5), json!(9)),
        ("lines", "5", json!(5), json!(5)),
        ("lines", "5:+3", json!(5), json!(7)),
        ("lines", "5:", json!(5), Value::Null),
        ("lines", ":9", Value::Null, json!(9)),
        ("lines", ":", Value::Null, Value::Null),
        ("lines", "-5:", json!(-5), Value::Null),
        ("lines", ":-5", Value::Null, json!(-5)),
        ("lines", "-5:-2", json!(-5), json!(-2)),
        ("lines", "400:900", json!(400), json!(900)),
        ("bytes", "5:9", json!(5), json!(9)),
        ("bytes", "5:+9", json!(5), json!(14)),
        ("bytes", "bytes=5-9", json!(5), json!(10)),
        ("bytes", "bytes=5-", json!(5), Value::Null),
        ("bytes", "bytes=-5", json!(-5), Value::Null),
        ("bytes", "1K:2K", json!(1024), json!(2048)),
        ("bytes", "-1K:", json!(-1024), Value::Null),
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
    for line in ["ranges f 1 900 b0:5 b9999: -1", "ranges f 1,900,b0:5,b9999:,-1"] {
        let run = sandbox.line(line);
        assert_eq!(run.code, 5, "{run}");
        let documents = run.documents();
        let contents: Vec<&str> = documents.iter().map(|d| d.content.as_str()).collect();
        assert_eq!(contents, ["line 1\n", "", "line ", "", "line 412\n"]);
        assert_eq!(documents[1].fact("error"), "line 900 is beyond the end of the file (412 lines)");
        assert_eq!(documents[1].fact("requested"), "lines 900");
        assert!(documents[3].fact("error").starts_with("start_byte (9999) is beyond the end"), "{run}");
        run.complained();

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
