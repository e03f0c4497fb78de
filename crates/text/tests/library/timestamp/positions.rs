//! The position of the time in a line, and lines that belong to the record before.

use rread_text::timestamp::{HEAD, detect};

use super::{detected, time, utc};

const T: &str = "2026-11-23T06:26:04Z";

/// Checks the format and position of a log, that the lines with a `+` have a time, and that those with a `-` have none.
fn check(format: &str, position: &str, lines: &[&str]) {
    let lines: Vec<(bool, String)> =
        lines.iter().map(|line| (line.starts_with('+'), line[1..].replace("{T}", T))).collect();
    let found = detect(lines.iter().map(|(_, line)| line.as_bytes()));
    let found = found.unwrap_or_else(|| panic!("nothing is found in {lines:?}"));
    assert_eq!((found.format(), found.position().to_string().as_str()), (format, position), "{lines:?}");
    for (has_time, line) in &lines {
        let expected = has_time.then(|| time(T));
        assert_eq!(found.time_of(line.as_bytes(), &utc()), expected, "{line}");
    }
}

#[test]
fn the_text_before_the_time_may_vary() {
    check("rfc3339", "byte 0", &["+{T} a", "-\tat Main.java", "-Caused by: b {T}", "+{T} c"]);
    check("rfc3339", "byte 1", &["+[{T}] a", "- {T} b", "+({T}) c", "+[{T}] d"]);
    check("rfc3339", "after blank 1", &["+  {T} a", "+  {T} b", "+    {T} c"]);
    check("rfc3339", "after blank 1", &["+INFO {T} a", "+ERROR {T} b", "-  at {T}"]);
    check("rfc3339", "after blank 1", &["+INFO  {T} a", "+INFO  {T} a", "+INFO  {T} c"]);
    check("rfc3339", "after '[' 1", &["+a [{T}] x", "+bcd [{T}] y"]);
    check("rfc3339", "after '[' 2", &["+INFO [main] [{T}] a", "+WARN [worker-1] [{T}] b", "-[x] c"]);
    check("rfc3339", "after '>' 1", &["+<34>{T} a", "+<134>{T} b"]);
    check("rfc3339", "after blank 1", &["+<34>1 {T} host a", "+<134>1 {T} host b"]);
    check("rfc3339", "after '=' 2", &["+level=info ts={T} a=b", "+level=error ts={T} msg=c"]);
    check("rfc3339", "after '\\\"' 1", &["+time=\"{T}\" level=info", "+time=\"{T}\" level=error"]);
    check("rfc3339", "after ',' 2", &["+1,a b,{T},x", "+22,c,{T},y", "+333,d e f,{T},z"]);
    check("rfc3339", "after '\\t' 1", &["+a b\t{T}\tx", "+c\t{T}\ty"]);
    check("rfc3339", "after '|' 1", &["+a b|{T}|x", "+c|{T}|y"]);
    check("rfc3339", "after 'm' 1", &["+\u{1b}[2m{T}\u{1b}[0m a", "+\u{1b}[2m{T}\u{1b}[0m b"]);
    check("rfc3339", "after blank 1", &["+Größe {T} a", "+日本語 {T} b"]);
}

#[test]
fn the_addresses_of_an_access_log_vary_in_length() {
    let line =
        |address: &str| format!("{address} - - [23/Nov/2026:06:26:04 +0000] \"GET /[23/Nov/2026\" 200 1");
    let same = line("127.0.0.1");
    let found = detected(&[same.as_str(); 64]).unwrap();
    assert_eq!(found.position().to_string(), "after '[' 1");
    for address in ["127.0.0.1", "2001:db8::1234:5678", "a-long-name.of.a.host.example.org", "-"] {
        assert_eq!(found.time_of(line(address).as_bytes(), &utc()), Some(time(T)), "{address}");
    }
}

#[test]
fn a_time_in_a_message_does_not_count() {
    let lines = |n: usize| (0..n).map(|i| format!("message {} at {T}", "x".repeat(i))).collect::<Vec<_>>();
    let text = [lines(3), vec!["a line without".to_owned(); 4]].concat();
    assert!(detect(text.iter().map(|line| line.as_bytes())).is_none());
    // The earliest of two times that all lines have is the record's.
    let both = format!("Nov 23 06:26:04 host app: {T} started");
    let found = detected(&[both.as_str(); 8]).unwrap();
    assert_eq!((found.format(), found.position().to_string().as_str()), ("syslog", "byte 0"));
    assert_eq!(found.time_of(format!("app: {T} started").as_bytes(), &utc()), None);
}

#[test]
fn records_may_have_many_lines() {
    let mut lines = vec!["2026-11-23 06:26:04,123 ERROR failed"];
    lines.extend(["\tat org.example.Main.run(Main.java:1)"; 40]);
    lines.extend(["Caused by: java.io.IOException", "", "more"]);
    assert_eq!(detected(&lines).unwrap().format(), "rfc3339");
    lines.extend(["more"; 10]);
    assert!(detected(&lines).is_none(), "one line of 13 is not a log");
    let numbers = ["1795415164 a", "b", "c"];
    assert!(detected(&numbers).is_none(), "a number counts only if most lines have it");
    assert!(detected(&["1795415164 a", "1795415165 b", "c"]).is_some());
}

#[test]
fn a_header_before_the_records_is_passed_over() {
    let mut lines =
        vec!["Log file created at: 2026/11/23 06:26:00", "Running on machine: host", "Binary: Built"];
    lines.extend(["I1123 06:26:04.123456  1234 main.go:1] start"; 5]);
    let found = detected(&lines).unwrap();
    assert_eq!((found.format(), found.position().to_string().as_str()), ("klog", "byte 0"));
    assert_eq!(found.time_of(lines[0].as_bytes(), &utc()), None);
}

#[test]
fn a_time_begins_within_128_bytes() {
    for (length, is_found) in [(127, true), (128, false)] {
        let line = format!("{} {T} end", "x".repeat(length - 1));
        assert_eq!(detected(&[line.as_str(); 3]).is_some(), is_found, "{length}");
    }
    let line = format!("{} 2026-11-23T06:26:04.000000000+00:00 {}", "x".repeat(126), "y".repeat(1 << 20));
    let found = detected(&[line.as_str()]).unwrap();
    assert_eq!(found.time_of(&line.as_bytes()[..HEAD], &utc()), Some(time(T)));
}

#[test]
fn json_lines_have_their_time_in_a_member() {
    let member = |line: &str, expected: Option<&str>| {
        let found = detected(&[line; 3]);
        assert_eq!(found.as_ref().map(|found| found.position().to_string()).as_deref(), expected, "{line}");
        if let Some(found) = found {
            assert_eq!(found.time_of(line.as_bytes(), &utc()), Some(time(T)), "{line}");
        }
    };
    member(r#"{"time":"2026-11-23T06:26:04Z","msg":"a"}"#, Some("member time"));
    member(r#"{"level":30,"time":1795415164000,"msg":"a"}"#, Some("member time"));
    member(r#"{"ts":1795415164.0,"msg":"a"}"#, Some("member ts"));
    member(
        r#" { "msg" : "a \"time\": b \\" , "@timestamp" : "2026-11-23T06:26:04.000Z" } "#,
        Some("member @timestamp"),
    );
    member(
        r#"{"a":{"time":"2001-01-01T00:00:00Z"},"b":["}",{"ts":1}],"date":"2026-11-23 06:26:04"}"#,
        Some("member date"),
    );
    member(r#"{"timestamp":"23\/Nov\/2026:06:26:04 +0000"}"#, Some("member timestamp"));
    member(r#"{"date":"2026-11-23T06:26:04Z","time":"2026-11-23T06:26:04Z"}"#, Some("member time"));
    member(r#"{"date":"2026-11-23","time":"2026-11-23T06:26:04Z"}"#, Some("member time"));
    member(r#"{"eventTime":"2026-11-23T06:26:04Z","n":1}"#, Some("member eventTime"));
    member(r#"{"time":"yesterday","msg":"a"}"#, None);
    member(r#"{"a":{"time":1795415164}}"#, None);
    // The time stands after 128 bytes.
    member(&format!(r#"{{"msg":"{}\n","ts":"{T}"}}"#, "x".repeat(1 << 20)), Some("member ts"));
}

#[test]
fn a_json_line_that_is_cut_or_damaged_has_no_time() {
    let line = r#"{"msg":"a\"b","n":[1,{"c":"]"}],"ts":"2026-11-23T06:26:04Z","z":1}"#;
    let found = detected(&[line; 3]).unwrap();
    let end = line.find("Z\"").unwrap() + 2;
    for cut in 0..line.len() {
        let time_found = found.time_of(&line.as_bytes()[..cut], &utc());
        assert_eq!(time_found, (cut >= end).then(|| time(T)), "{}", &line[..cut]);
    }
    for line in [
        "{",
        "{}",
        "{\"ts\"",
        "{\"ts\":}",
        "{\"ts\":\"\\",
        "{\"ts\" \"x\"}",
        "{ts:1}",
        "[1]",
        "}{",
        "{\"a\":]]",
    ] {
        assert_eq!(found.time_of(line.as_bytes(), &utc()), None, "{line}");
    }
}
