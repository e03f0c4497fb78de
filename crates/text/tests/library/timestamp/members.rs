//! Members of long JSON lines.

use rread_text::timestamp::time_members;

fn kept(line: &str) -> Option<String> {
    time_members(line.as_bytes()).map(|line| String::from_utf8(line).unwrap())
}

#[test]
fn the_members_that_may_hold_the_time_are_kept() {
    let long = "z".repeat(if cfg!(miri) { 2000 } else { 70_000 });
    for (line, expected) in [
        (r#"{"n":1,"time":"2024-03-11T06:00:00Z"}"#.to_owned(), Some(r#"{"time":"2024-03-11T06:00:00Z"}"#)),
        (format!(r#"{{"log":"{long}","ts":1710136800.5 }}"#), Some(r#"{"ts":1710136800.5}"#)),
        (
            format!(r#" {{ "log" : "{long}\"\\" , "date" : "a" , "time":1}}"#),
            Some(r#"{"date":"a","time":1}"#),
        ),
        (
            r#"{"a":{"time":"x","b":[{"ts":1}]},"timestamp":"23\/Nov"}"#.to_owned(),
            Some(r#"{"timestamp":"23\/Nov"}"#),
        ),
        (r#"{"a":"\"time\":1","@timestamp":"y","b":true"#.to_owned(), Some(r#"{"@timestamp":"y"}"#)),
        (r#"{"a":["]","}"],"ts":2,"#.to_owned(), Some(r#"{"ts":2}"#)),
        (format!(r#"{{"time":"{long}"}}"#), None),
        (format!(r#"{{"{long}time":"x"}}"#), None),
        (r#"{"eventTime":"x"}"#.to_owned(), None),
        (r#"["time",1]"#.to_owned(), None),
        (r#"{"time" "x"}"#.to_owned(), None),
        ("text".to_owned(), None),
        (String::new(), None),
    ] {
        assert_eq!(kept(&line).as_deref(), expected, "{}", &line[..line.len().min(80)]);
    }
}
