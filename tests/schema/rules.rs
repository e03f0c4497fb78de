//! Rules between members, which the schema does not state: every answer of the program keeps them.

use serde_json::{Value, json};

use super::all::outcomes;
use super::calls::{files, run_line};
use super::objects;

/// The rules that `facts`, one object of an answer, breaks.
fn broken(facts: &Value) -> Vec<&'static str> {
    let has = |key: &str| facts.get(key).is_some();
    let is = |key: &str, value: Value| facts.get(key) == Some(&value);
    let number = |key: &str| facts.get(key).and_then(Value::as_f64);
    let (is_capture, is_page) = (has("kept"), has("pages"));
    let is_failure =
        is_capture && (has("signal") || number("exit_status").is_some_and(|status| status > 0.0));
    let is_text = !has("binary") && !has("compression");
    let end = |side: &str| {
        let is_adjusted = is(&format!("{side}_adjusted"), json!(true));
        let has_reason = facts.get(format!("{side}_adjustment_reason")).is_some_and(Value::is_string);
        let is_moved = facts.get(format!("{side}_moved_by")).is_some_and(|by| *by != 0);
        is_adjusted == has_reason && has_reason == is_moved
    };
    let rules = [
        (has("cut_by") && !is("truncated", json!(true)), "cut_by without truncated"),
        (
            is("truncated", json!(true))
                && !is_capture
                && !is_page
                && !has("files")
                && !has("cut_by")
                && has("content_bytes"),
            "truncated without cut_by",
        ),
        (is("eof", json!(true)) && has("next"), "next at the end"),
        (number("percent_of_file").is_some_and(|share| !(0.0..=100.0).contains(&share)), "a share over 100"),
        (has("start_adjusted") && !(end("start") && end("end")), "an adjustment without its reason"),
        (has("encoding_guess") && !is("encoding", json!("unknown-8bit")), "a guess of a known encoding"),
        (has("lines") && has("estimated_lines"), "an estimate of known lines"),
        (is("column", json!(0)), "column 0"),
        (has("byte") && has("column") && has("range"), "a range of a byte"),
        (is("state", json!("absent")) && has("covered"), "an absent index that covers something"),
        (has("signal") && has("exit_status"), "two endings of a command"),
        (is_capture && has("last_page") && !is_failure, "the last page of a success"),
        (is_capture && is("kept", json!(true)) != has("fd"), "kept and fd differ"),
        (
            is_capture && is("kept", json!(false)) && (has("next") || is("truncated", json!(true))),
            "more of all",
        ),
        (is_capture && is_text && number("total_lines").is_none(), "text without lines"),
        (is_capture && has("binary") && has("pages"), "pages of binary output"),
    ];
    rules.into_iter().filter_map(|(is_broken, rule)| is_broken.then_some(rule)).collect()
}

#[test]
fn every_answer_keeps_the_rules_between_members() {
    let mut seen = 0;
    for outcome in outcomes() {
        for document in outcome.documents() {
            for place in objects(document, "") {
                seen += 1;
                let facts = document.pointer(&place).unwrap();
                assert_eq!(broken(facts), [""; 0], "{} {place}: {facts}", outcome.call);
            }
        }
    }
    assert!(seen > 500, "only {seen} objects were seen");
}

#[test]
fn contradictions_break_the_rules() {
    let folder = files();
    let answer = |line: &str| run_line(folder.path(), line).answer.unwrap();
    let last = json!({"start_line": 9, "end_line": 9, "start_byte": 9, "end_byte": 9, "content_bytes": 1});
    let edits = [
        ("lines app.log", "/metadata", "next", json!({"command": "lines", "range": "301:+300"})),
        ("lines app.log", "/metadata", "truncated", json!(true)),
        ("lines app.log", "/metadata", "percent_of_file", json!(100.5)),
        ("lines app.log 1:20 --max-lines 3", "/metadata", "truncated", json!(false)),
        ("bytes wide.txt 1:4", "/metadata/boundary_adjustments", "start_adjusted", json!(false)),
        ("stat utf16.txt", "", "encoding_guess", json!("utf-8")),
        ("stat app.log", "", "estimated_lines", json!(300)),
        ("where app.log --byte 1000", "", "column", json!(0)),
        ("where app.log --byte 1000", "", "range", json!("1000-1001")),
        ("capture -- cat big.log", "/metadata", "last_page", last.clone()),
        ("capture -- cat wide.txt", "/metadata", "last_page", last),
        ("capture -- cat big.log", "/metadata", "kept", json!(false)),
        ("capture -- cat big.log", "/metadata", "signal", json!("SIGKILL")),
        ("capture -- cat big.log", "/metadata", "total_lines", json!(null)),
        ("capture -- cat wide.txt", "/metadata", "kept", json!(true)),
        ("capture -- cat wide.txt", "/metadata", "truncated", json!(true)),
        ("capture -- cat wide.txt", "/metadata", "next", json!({"command": "page", "range": "2"})),
        ("capture -- cat picture.png", "/metadata", "pages", json!(1)),
    ];
    for (line, place, key, value) in edits {
        let mut document = answer(line);
        let facts = document.pointer_mut(place).unwrap();
        assert_eq!(broken(facts), [""; 0], "{line}");
        facts[key] = value;
        assert!(!broken(facts).is_empty(), "{line}: {key} passes: {facts}");
    }
}
