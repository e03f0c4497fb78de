//! The times of the command line.

use rread_text::error::Kind;
use rread_text::timestamp::{Timestamp, Words};

use super::{context, detect_custom, detected, time};

/// The last record is of the day before now.
const LAST: &str = "2026-11-22T18:00:00Z";
const NOW: &str = "2026-11-23T12:30:00Z";

fn parse_in(zone: &str, text: &str, since: Option<Timestamp>) -> Result<String, String> {
    let context = context(zone, LAST);
    let words = Words { context: &context, now: time(NOW), detected: None, since };
    words.parse(text).map(|time| time.to_string()).map_err(|error| {
        assert_eq!(error.kind, Kind::Usage);
        assert!(error.hint.is_some());
        error.to_string()
    })
}

fn parse(text: &str) -> String {
    parse_in("UTC", text, None).unwrap()
}

#[test]
fn words_dates_and_times_of_day_are_read() {
    for (text, expected) in [
        ("now", "2026-11-23T12:30:00Z"),
        ("Today", "2026-11-23T00:00:00Z"),
        ("yesterday", "2026-11-22T00:00:00Z"),
        ("today 06:01", "2026-11-23T06:01:00Z"),
        ("yesterday 06:01:02.5", "2026-11-22T06:01:02.5Z"),
        ("06:01", "2026-11-22T06:01:00Z"),
        ("06:01:02", "2026-11-22T06:01:02Z"),
        ("23:59:59.999999999", "2026-11-22T23:59:59.999999999Z"),
        ("2026-11-23", "2026-11-23T00:00:00Z"),
        ("2026/11/23", "2026-11-23T00:00:00Z"),
        ("2026-11-23T06:00", "2026-11-23T06:00:00Z"),
        ("2026-11-23 06:00", "2026-11-23T06:00:00Z"),
        ("2026-11-23T06:00+01:00", "2026-11-23T05:00:00Z"),
        ("2026/11/23 06:00", "2026-11-23T06:00:00Z"),
        (" 2026-11-23T06:26:04.5Z ", "2026-11-23T06:26:04.5Z"),
        ("2026-11-23 06:26:04,123", "2026-11-23T06:26:04.123Z"),
        ("Nov 23 06:26:04", "2026-11-23T06:26:04Z"),
        ("Nov 24 06:26:04", "2025-11-24T06:26:04Z"),
        ("Nov 23 06:26", "2026-11-23T06:26:00Z"),
        ("nov  3 6:26", "2026-11-03T06:26:00Z"),
        ("23 Nov 06:26", "2026-11-23T06:26:00Z"),
        ("Nov 3", "2026-11-03T00:00:00Z"),
        ("24 November", "2025-11-24T00:00:00Z"),
        ("Nov 3, 2025", "2025-11-03T00:00:00Z"),
        ("Nov 3 2025", "2025-11-03T00:00:00Z"),
        ("now-1h", "2026-11-23T11:30:00Z"),
        ("now-2d4h", "2026-11-21T08:30:00Z"),
        ("now+15m", "2026-11-23T12:45:00Z"),
        ("[23/Nov/2026:06:26:04 +0000]", "2026-11-23T06:26:04Z"),
        ("23/Nov/2026:06:26:04 +0100", "2026-11-23T05:26:04Z"),
        ("Mon, 23 Nov 2026 06:26:04 GMT", "2026-11-23T06:26:04Z"),
        ("1795415164", "2026-11-23T06:26:04Z"),
        ("1795415164.5", "2026-11-23T06:26:04.5Z"),
    ] {
        assert_eq!(parse(text), expected, "{text}");
    }
}

#[test]
fn a_time_of_day_with_a_zone_is_on_the_day_of_the_log() {
    let cases = [
        // In Tokyo the last record is of the 23rd, at 03:00.
        ("Asia/Tokyo", "14:36:31Z", "2026-11-23T14:36:31Z"),
        ("Asia/Tokyo", "15:00Z", "2026-11-22T15:00:00Z"),
        ("Asia/Tokyo", "today 20:00:00Z", "2026-11-22T20:00:00Z"),
        ("UTC", "01:00:00+09:00", "2026-11-22T16:00:00Z"),
        ("UTC", "06:01:02.5Z", "2026-11-22T06:01:02.5Z"),
        ("America/New_York", "02:00:00Z", "2026-11-23T02:00:00Z"),
    ];
    for (zone, text, expected) in cases {
        assert_eq!(parse_in(zone, text, None).as_deref(), Ok(expected), "{zone} {text}");
    }
}

#[test]
fn a_time_is_known_without_the_log_unless_its_formats_or_dates_may_change_it() {
    let context = context("UTC", LAST);
    let words = Words { context: &context, now: time(NOW), detected: None, since: None };
    for text in [
        "now",
        "today",
        "yesterday 06:01",
        "-3h",
        "2d 4h",
        "1 hour ago",
        "@1795415164",
        "06:01",
        "2026-11-23",
        "2026/11/23 06:00",
        " 2026-11-23T06:26:04.5+01:00 ",
    ] {
        assert_eq!(words.in_any_log(text), Some(words.parse(text).unwrap()), "{text}");
    }
    for text in [
        "Nov 23 06:26:04",
        "11/10/2026",
        "11-10-2026",
        "23/Nov/2026:06:26:04",
        "1795415164",
        "+10m",
        "nothing",
    ] {
        assert_eq!(words.in_any_log(text), None, "{text}");
    }
}

#[test]
fn spans_count_from_now() {
    for (text, expected) in [
        ("-3h", "2026-11-23T09:30:00Z"),
        ("-15m", "2026-11-23T12:15:00Z"),
        ("-15min", "2026-11-23T12:15:00Z"),
        ("-2d 4h", "2026-11-21T08:30:00Z"),
        ("-1h30m", "2026-11-23T11:00:00Z"),
        ("-1w", "2026-11-16T12:30:00Z"),
        ("-90s", "2026-11-23T12:28:30Z"),
        ("-1.5s", "2026-11-23T12:29:58.5Z"),
    ] {
        assert_eq!(parse(text), expected, "{text}");
    }
}

#[test]
fn a_span_with_a_plus_counts_from_since() {
    let since = Some(time("2026-11-23T06:00:00Z"));
    assert_eq!(parse_in("UTC", "+10m", since).unwrap(), "2026-11-23T06:10:00Z");
    assert_eq!(parse_in("UTC", "-10m", since).unwrap(), "2026-11-23T12:20:00Z");
    assert_eq!(parse_in("UTC", "+10m", None).unwrap_err(), "'+10m' counts from since, which is not given");
}

/// Clocks were set back on 25 October 2026 and forward on 29 March.
#[test]
fn days_are_days_of_the_calendar() {
    let at = |now: &str, text: &str| {
        let context = context("Europe/Berlin", now);
        let words = Words { context: &context, now: time(now), detected: None, since: None };
        words.parse(text).unwrap().to_string()
    };
    assert_eq!(at("2026-10-25T11:00:00Z", "-1d"), "2026-10-24T10:00:00Z");
    assert_eq!(at("2026-10-25T11:00:00Z", "-24h"), "2026-10-24T11:00:00Z");
    assert_eq!(at("2026-10-25T22:59:00Z", "today"), "2026-10-24T22:00:00Z");
    assert_eq!(at("2026-10-25T23:01:00Z", "yesterday"), "2026-10-24T22:00:00Z");
    assert_eq!(at("2026-10-25T22:59:00Z", "02:30"), "2026-10-25T00:30:00Z");
    assert_eq!(at("2026-03-29T10:00:00Z", "02:30"), "2026-03-29T01:30:00Z");
    // 23:30 in UTC is the next day in Berlin.
    assert_eq!(at("2026-11-22T23:30:00Z", "06:01"), "2026-11-23T05:01:00Z");
}

#[test]
fn what_is_not_a_time_is_a_usage_error() {
    for text in [
        "",
        " ",
        "soon",
        "now15m",
        "now 1h",
        "tomorrow",
        "25:00",
        "06:60",
        "6",
        "-",
        "-3",
        "-3 parsecs",
        "2026-13-01",
        "2026-02-30",
        "2026-11-23 06:26:04 x",
        "now 06:01",
        "today x",
        "06:01 x",
        "12:34:56:78",
        "-999999999w",
        "1e9",
        "[06:01]x",
        "0x10",
        "\u{1f550}",
    ] {
        let error = parse_in("UTC", text, None).unwrap_err();
        assert_eq!(error, format!("'{text}' is not a time"), "{text}");
    }
    assert_eq!(parse_in("UTC", "a\nb", None).unwrap_err(), "'a\\nb' is not a time");
}

#[test]
fn the_format_of_the_log_comes_first() {
    let context = context("UTC", LAST);
    let boot = detected(&["[12345.678901] a"]).unwrap();
    let words = Words { context: &context, now: time(NOW), detected: Some(&boot), since: None };
    assert_eq!(words.parse("12345.5").unwrap(), time("1970-01-01T03:25:45.5Z"));
    assert_eq!(words.parse("60").unwrap(), time("1970-01-01T00:01:00Z"));
    let own = detect_custom("%d.%m.%y %H:%M", [b"24.12.26 06:01 a".as_slice()]).unwrap().unwrap();
    let words = Words { detected: Some(&own), ..words };
    assert_eq!(words.parse("24.12.26 06:01").unwrap(), time("2026-12-24T06:01:00Z"));
    assert_eq!(words.parse("06:01").unwrap(), time("2026-11-22T06:01:00Z"));
}
