//! Folded lines against tables, and their places against the line.

use proptest::prelude::*;

use super::*;
use crate::style::Color;

fn text(line: &str) -> Option<String> {
    fold(line.as_bytes()).map(|folded| String::from_utf8(folded.text).unwrap())
}

#[test]
fn time_level_and_message_come_first() {
    for (line, expected) in [
        (
            r#"{"level":"info","ts":"2026-11-23T06:01:02Z","caller":"db.go:7","msg":"slow query","ms":812}"#,
            "2026-11-23T06:01:02Z info slow query caller=db.go:7 ms=812",
        ),
        (r#" { "msg" : "x" , "level":30, "time":1531171074631, "pid": 7 } "#, "1531171074631 30 x pid=7"),
        (
            r#"{"@timestamp":"T","log.level":"WARN","message":"m","service.name":"s"}"#,
            "T WARN m service.name=s",
        ),
        (r#"{"event":"login","timestamp":"T","severity":"ERROR"}"#, "T ERROR login"),
        (r#"{"event":"login","msg":"m"}"#, "m event=login"),
        (r#"{"event":{"id":1},"text":"t"}"#, r#"t event={"id":1}"#),
        (r#"{"MESSAGE":"m","_PID":"1"}"#, "m _PID=1"),
        (r#"{"msg":"a","msg":"b"}"#, "a msg=b"),
        (r#"{"log":"line\n","stream":"stdout","time":"T"}"#, "T line stream=stdout"),
        (r#"{"log":"line\\n"}"#, r"line\n"),
        (
            r#"{"a":1,"b":[1,{"c":"}"}],"d":null,"e":true,"f":-1e5}"#,
            r#"a=1 b=[1,{"c":"}"}] d=null e=true f=-1e5"#,
        ),
        (
            r#"{"a b":"c d","e":"","f":"g=h","i\n":"\"","é":"日"}"#,
            r#""a b"="c d" e="" f="g=h" "i\n"="\"" é=日"#,
        ),
    ] {
        assert_eq!(text(line).as_deref(), Some(expected), "{line}");
    }
}

#[test]
fn other_lines_are_not_folded() {
    for line in [
        "",
        "{}",
        "[1]",
        "\"msg\"",
        "plain",
        "{plain}",
        r#"{"msg":"x"} trailing"#,
        r#"{"msg":"x""#,
        r#"{"msg":"x",}"#,
        "{\"msg\":\"raw \x1b[31m\"}",
        r#"2026 {"msg":"x"}"#,
    ] {
        assert_eq!(text(line), None, "{line}");
    }
}

#[test]
fn a_message_has_no_escapes() {
    for (value, expected) in [
        (r#"a\"b\\c\/d"#, "a\"b\\c/d"),
        (r"tab\tnew\nline", "tab\tnew\nline"),
        (r"\u00e9\u65e5\ud83e\udd80", "é日🦀"),
        (r"\u001b[31mred\u0000\u202e", "\u{1b}[31mred\0\u{202e}"),
        (r"half \ud83e.", r"half \ud83e."),
        (r"half \ud83e\u0041", r"half \ud83e\u0041"),
    ] {
        assert_eq!(text(&format!(r#"{{"msg":"{value}"}}"#)).as_deref(), Some(expected), "{value}");
    }
}

#[test]
fn the_level_is_the_tint() {
    let (red, yellow, dim) = (Style::colored(1), Style::colored(3), Style::with_flags(DIM));
    for (line, expected) in [
        (r#"{"msg":"WARN","level":"error"}"#, red),
        (r#"{"severity":"Warning"}"#, yellow),
        (r#"{"level":50}"#, red),
        (r#"{"level":40}"#, yellow),
        (r#"{"level":20}"#, dim),
        (r#"{"level":30}"#, Style::default()),
        (r#"{"msg":"ERROR"}"#, red),
        (r#"{"msg":"x"}"#, Style::default()),
    ] {
        assert_eq!(fold(line.as_bytes()).unwrap().tint, expected, "{line}");
    }
    let folded = fold(br#"{"msg":"ab","n":1}"#).unwrap();
    assert_eq!(folded.styles, [(2, Style::default()), (6, Style { front: Color::Default, ..dim })]);
    assert_eq!(fold(br#"{"n":1}"#).unwrap().styles, [(0, Style::default()), (3, Style::default())]);
}

#[test]
fn matches_are_shown_where_their_text_is() {
    let line = br#"{"level":"info","msg":"a\"b","user":"zoe"}"#;
    let folded = fold(line).unwrap();
    assert_eq!(folded.text, b"info a\"b user=zoe");
    let at = |part: &str| {
        let start = std::str::from_utf8(line).unwrap().find(part).unwrap();
        start..start + part.len()
    };
    for (part, expected) in [
        ("info", vec!["info"]),
        ("nf", vec!["nf"]),
        (r#"a\"b"#, vec!["a", "\"", "b"]),
        (r#"info","msg":"a"#, vec!["info", "a"]),
        (r#""user":"z"#, vec!["user", "z"]),
        ("level", vec![]),
        ("\":\"", vec![]),
    ] {
        let shown = folded.map(&[at(part)]);
        let shown: Vec<&str> =
            shown.into_iter().map(|place| std::str::from_utf8(&folded.text[place]).unwrap()).collect();
        assert_eq!(shown, expected, "{part}");
    }
    assert_eq!(folded.map_offset(at("zoe").start), 14);
    assert_eq!(folded.map_offset(0), 0);
}

fn values() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(serde_json::Value::from),
        any::<i32>().prop_map(serde_json::Value::from),
        ".{0,6}".prop_map(serde_json::Value::from),
        Just(serde_json::Value::Null),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(serde_json::Value::from),
            prop::collection::hash_map(".{0,3}", inner, 0..3)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn every_object_is_folded_and_every_part_is_of_the_line(
        members in prop::collection::vec(
            (prop_oneof![prop::sample::select(vec!["msg", "ts", "level"]).prop_map(str::to_owned), Just(".{0,4}".to_owned())], values()),
            1..6,
        ),
    ) {
        let object: serde_json::Map<_, _> = members.into_iter().collect();
        let line = serde_json::to_vec(&object).unwrap();
        let folded = fold(&line).unwrap();
        prop_assert_eq!(folded.styles.last().unwrap().0, folded.text.len());
        let mut end = 0;
        for part in &folded.parts {
            prop_assert!(part.shown.start >= end && !part.shown.is_empty());
            end = part.shown.end;
            if part.is_same() {
                prop_assert_eq!(&folded.text[part.shown.clone()], &line[part.line.clone()]);
            } else {
                prop_assert_eq!(line[part.line.start], b'\\');
            }
        }
        let shown = folded.map(std::slice::from_ref(&(0..line.len())));
        prop_assert_eq!(shown.len(), folded.parts.len());
        for (name, value) in &object {
            let text = match value {
                serde_json::Value::String(text) if name == "msg" => text.trim_end_matches('\n').to_owned(),
                serde_json::Value::Number(number) => number.to_string(),
                _ => continue,
            };
            prop_assert!(String::from_utf8_lossy(&folded.text).contains(&text));
        }
    }

    #[test]
    fn any_text_is_folded_or_not(line in prop::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(br#"{}[]":,\u0"#.to_vec())], 0..40)) {
        let line = [b"{\"msg\":\"", &line[..], b"\"}"].concat();
        if let Some(folded) = fold(&line) {
            prop_assert!(serde_json::from_slice::<IgnoredAny>(&line).is_ok());
            prop_assert!(folded.parts.iter().all(|part| part.line.end <= line.len()));
        }
    }
}
