//! The level of a record, as the usual programs write it.

use std::ops::Range;

use rread_text::json;
use rread_text::level::{level_of as word, level_of_number};
use rread_text::screen::plain;

/// So many bytes before and after the time are searched for a word.
const NEAR: usize = 64;

/// Names of members that hold the level.
const MEMBERS: &str = "level_name level severity lvl levelname log.level loglevel @l SeverityText PRIORITY";

/// The level of a record, in which `time` is the place of the time.
pub(super) fn level(text: &[u8], time: &Range<usize>) -> Option<&'static str> {
    if text.first() == Some(&b'{') {
        return member(text);
    }
    if let Some(level) = priority(text).or_else(|| of_letter(text, time)) {
        return Some(level);
    }
    let line = &text[..memchr::memchr(b'\n', text).unwrap_or(text.len())];
    let object = object(line);
    let words = &line[..object.unwrap_or(line.len())];
    let (before, after) =
        (words.get(..time.start).unwrap_or(words), words.get(time.end..).unwrap_or_default());
    let before = &before[before.len().saturating_sub(NEAR)..];
    first_word(before)
        .or_else(|| logfmt(words))
        .or_else(|| first_word(&after[..after.len().min(NEAR)]))
        .or_else(|| member(&line[object?..]))
        .or_else(|| second_line(text))
}

/// The place of a JSON object at the end of a line, after a time or a prefix.
fn object(line: &[u8]) -> Option<usize> {
    let end = line.trim_ascii_end();
    let mut places = memchr::memchr_iter(b'{', end).filter(|at| {
        matches!(end[at + 1..].trim_ascii_start().first(), Some(b'"' | b'}')) && end.ends_with(b"}")
    });
    places.next()
}

/// The member of a JSON object.
fn member(text: &[u8]) -> Option<&'static str> {
    let found = MEMBERS
        .split(' ')
        .find_map(|name| json::members(text).find(|member| member.key == name.as_bytes()))?;
    match found.text() {
        Some(text) => word(text).or_else(|| level_of_number(text)),
        None => level_of_number(found.value),
    }
}

/// `level=warn` in a line of keys and values.
fn logfmt(text: &[u8]) -> Option<&'static str> {
    MEMBERS.split(' ').find_map(|name| {
        let mut places = memchr::memmem::find_iter(text, name);
        places.find_map(|at| {
            let is_start = at == 0 || text[at - 1].is_ascii_whitespace();
            let value = text.get(at + name.len()..)?.strip_prefix(b"=").filter(|_| is_start)?;
            let value = value.strip_prefix(b"\"").unwrap_or(value);
            let length = value.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
            word(&value[..length])
        })
    })
}

/// `<34>` at the beginning of a message of syslog.
fn priority(text: &[u8]) -> Option<&'static str> {
    let rest = text.strip_prefix(b"<")?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 || digits > 3 || rest.get(digits) != Some(&b'>') {
        return None;
    }
    let number = rest[..digits].iter().fold(0, |sum, digit| sum * 10 + u16::from(digit - b'0'));
    if number < 192 { level_of_number(&[b'0' + u8::try_from(number % 8).ok()?]) } else { None }
}

/// The letter of klog before the date, and that of Android and of some others alone between blanks or brackets.
fn of_letter(text: &[u8], time: &Range<usize>) -> Option<&'static str> {
    let of = |letter: u8| {
        Some(match letter {
            b'V' => "trace",
            b'D' => "debug",
            b'I' => "info",
            b'W' => "warn",
            b'E' => "error",
            b'F' | b'C' => "fatal",
            _ => return None,
        })
    };
    if let Some([letter @ b'A'..=b'Z', b'0'..=b'9', ..]) = text.get(time.clone()) {
        return of(*letter);
    }
    // Numbers of the process and of the thread come first.
    let after = text.get(time.end..)?;
    let words = after[..after.len().min(NEAR)].split(|byte| byte.is_ascii_whitespace());
    let is_number = |word: &&[u8]| word.iter().all(|byte| byte.is_ascii_digit());
    let first = words.map(|word| word.strip_suffix(b"]").unwrap_or(word)).find(|word| !is_number(word))?;
    match first {
        [letter] | [b'[', letter] | [letter, b'/', ..] => of(*letter),
        _ => None,
    }
}

/// The first word of a level in `text`. Words of a sentence are not levels: what is not in capitals must be the first word,
/// or have a sign beside it.
fn first_word(text: &[u8]) -> Option<&'static str> {
    let shown = plain(text);
    let text = shown.as_deref().unwrap_or(text);
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic();
    let (mut from, mut is_first) = (0, true);
    while let Some(start) = text[from..].iter().position(is_letter).map(|at| from + at) {
        let length = text[start..].iter().take_while(|byte| is_letter(byte)).count();
        let end = start + length;
        let (before, after) = (start.checked_sub(1).and_then(|at| text.get(at)), text.get(end));
        let has = |byte: Option<&u8>, signs: &[u8]| byte.is_some_and(|byte| signs.contains(byte));
        let is_capital = text[start..end].iter().all(u8::is_ascii_uppercase);
        // `production.ERROR:` of Monolog has a level; other parts of names, such as `error.log`, are not levels.
        let is_of_channel = is_capital && before == Some(&b'.') && after == Some(&b':');
        // Celery has `ERROR/MainProcess`.
        let is_of_process = is_capital && is_first && after == Some(&b'/');
        let is_part = has(before, b"_.-/@") && !is_of_channel
            || has(after, b"_.-/@")
                && text.get(end + 1).is_some_and(u8::is_ascii_alphanumeric)
                && !is_of_process;
        let is_marked = is_first || has(before, b"[<(|") || has(after, b":]>)|");
        if !is_part && (is_capital || is_marked) {
            if let Some(level) = word(&text[start..end]) {
                return Some(level);
            }
            // PostgreSQL
            if &text[start..end] == b"LOG" && after == Some(&b':') {
                return Some("info");
            }
        }
        (from, is_first) = (end, false);
    }
    None
}

/// The level at the beginning of the second line, as `java.util.logging` writes it.
fn second_line(text: &[u8]) -> Option<&'static str> {
    let line = text.get(memchr::memchr(b'\n', text)? + 1..)?;
    let length = line.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    if line.get(length) == Some(&b':') { word(&line[..length]) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rread_text::timestamp::{TimeContext, Timestamp, detect, zone};

    fn of(line: &str) -> Option<&'static str> {
        let detected = detect([line.as_bytes()]).expect(line);
        let context = TimeContext::new(zone(Some("UTC")).unwrap(), Timestamp::UNIX_EPOCH);
        let (_, place) = detected.read_at(line.as_bytes(), &context).expect(line);
        level(line.as_bytes(), &place)
    }

    #[test]
    fn levels_are_those_of_the_usual_programs() {
        for (line, expected) in [
            ("2026-11-23T06:01:00Z INFO started", Some("info")),
            ("2026-11-23 06:01:00,123 [main] ERROR a.b.C - x", Some("error")),
            ("2026-11-23 06:01:00,123 - root - WARNING - x", Some("warn")),
            ("2026-11-23 06:01:00,123 - root - CRITICAL - x", Some("fatal")),
            ("[ERROR] 2026-11-23T06:01:00Z x", Some("error")),
            ("WARN  2026-11-23T06:01:00Z info", Some("warn")),
            ("2026-11-23T06:01:00Z an error.log was written", None),
            ("2026-11-23T06:01:00Z there was an error in it", None),
            ("Nov 23, 2026 6:26:04 AM a.b.C run\nSEVERE: x", Some("error")),
            ("2026-11-23T06:01:00Z GET /info 200", None),
            ("2026-11-23 06:01:00.123 UTC [1] LOG:  checkpoint", Some("info")),
            ("2026-11-23 06:01:00.123 UTC [1] FATAL:  role", Some("fatal")),
            ("I1123 06:01:00.123456       1 a.go:12] error", Some("info")),
            ("E1123 06:01:00.123456       1 a.go:12] x", Some("error")),
            ("11-23 06:01:00.123  1702  2395 W Window: x", Some("warn")),
            ("11-23 06:01:00.123 E/Tag( 12): x", Some("error")),
            ("<11>1 2026-11-23T06:01:00Z host app - - - x", Some("error")),
            ("<34>Nov 23 06:01:00 host su: x", Some("fatal")),
            ("Nov 23 06:01:00 host app[1]: warning: x", Some("warn")),
            ("Nov 23 06:01:00 host app[1]: x", None),
            ("{\"time\":\"2026-11-23T06:01:00Z\",\"level\":\"warn\",\"msg\":\"an error\"}", Some("warn")),
            ("{\"level\":50,\"time\":1795415164123,\"msg\":\"x\"}", Some("error")),
            ("{\"time\":\"2026-11-23T06:01:00Z\",\"severity\":\"NOTICE\"}", Some("notice")),
            ("{\"time\":\"2026-11-23T06:01:00Z\",\"msg\":\"an error\"}", None),
            ("2026-11-23T06:01:00Z stderr F {\"level\":\"error\",\"msg\":\"b\"}", Some("error")),
            ("2026-11-23T06:01:00Z {\"msg\":\"an ERROR\",\"level\":30}", Some("info")),
            ("2026-11-23T06:01:00Z WARN {\"level\":\"error\"}", Some("warn")),
            ("web-1  | {\"time\":\"2026-11-23T06:01:00Z\",\"severity\":\"notice\"}", Some("notice")),
            ("2026-11-23T06:01:00Z app: {\"msg\":\"x\",\"lvl\":\"dbg\"}", Some("debug")),
            ("2026-11-23T06:01:00Z \u{1B}[31mERROR\u{1B}[0m a", Some("error")),
            (
                "\u{1B}[2m2026-11-23T06:01:00Z\u{1B}[0m \u{1B}[32m INFO\u{1B}[0m \u{1B}[2mapp\u{1B}[0m: a",
                Some("info"),
            ),
            ("\u{1B}[33mwarn\u{1B}[39m 2026-11-23T06:01:00Z an ERROR", Some("warn")),
            ("time=2026-11-23T06:01:00Z level=debug msg=\"an error\"", Some("debug")),
            ("ts=2026-11-23T06:01:00Z msg=\"an error\" lvl=info", Some("info")),
            ("[Mon Nov 23 06:01:00 2026] [notice] x", Some("notice")),
            ("[2025-11-03 08:15:02,123: ERROR/MainProcess] Task x raised", Some("error")),
            ("2025-11-03 08:15:02 GET ERROR/x", None),
            (
                r#"{"message":"x","level":400,"level_name":"ERROR","datetime":"2025-11-03T08:15:02Z"}"#,
                Some("error"),
            ),
            (r#"{"@t":"2025-11-03T08:15:02Z","@mt":"x","@l":"Warning"}"#, Some("warn")),
            (r#"{"timestamp":1762157702.1,"version":"1.1","short_message":"x","level":3}"#, Some("error")),
            (r#"{"__REALTIME_TIMESTAMP":"1762157702123456","MESSAGE":"x","PRIORITY":"6"}"#, Some("info")),
            ("2026/11/23 06:01:00 [emerg] 1#1: x", Some("fatal")),
            ("[1123/060100.123456:ERROR:a.cc(1)] x", Some("error")),
            ("1:M 23 Nov 2026 06:01:00.123 # WARNING x", Some("warn")),
            ("[2026-11-23 06:01:00] production.ERROR: x {\"a\":1}", Some("error")),
            ("2026-11-23 06:01:00 see a.ERROR for more", None),
        ] {
            assert_eq!(of(line), expected, "{line}");
        }
    }
}
