//! `time-format`.

use rread_text::error::Kind;
use rread_text::timestamp::Detected;

use super::{detect_custom, time, utc};

fn custom(format: &str, line: &str) -> Option<Detected> {
    detect_custom(format, [line.as_bytes()]).unwrap()
}

#[test]
fn custom_formats_are_found_and_read() {
    for (format, line, position, expected) in [
        ("%Y-%m-%d %H:%M:%S", "2026-11-23 06:26:04 a", "byte 0", "2026-11-23T06:26:04Z"),
        (
            "%Y-%m-%d %H:%M:%S%.f %z",
            "x 2026-11-23 06:26:04.5 +0100 a",
            "after blank 1",
            "2026-11-23T05:26:04.5Z",
        ),
        ("%d/%m/%Y %H:%M", "[11/12/2026 06:26] a", "byte 1", "2026-12-11T06:26:00Z"),
        ("[%d/%m/%Y %H:%M]", "[11/12/2026 06:26] a", "byte 0", "2026-12-11T06:26:00Z"),
        ("%m/%d %H:%M:%S", "11/23 06:26:04 a", "byte 0", "2026-11-23T06:26:04Z"),
        ("%m/%d %H:%M:%S", "12/23 06:26:04 a", "byte 0", "2025-12-23T06:26:04Z"),
        ("%m/%d %H:%M:%S", "02/29 06:26:04 a", "byte 0", "2024-02-29T06:26:04Z"),
        ("%Y.%j %H:%M", "2026.327 06:26 a", "byte 0", "2026-11-23T06:26:00Z"),
        ("%j %H:%M", "327 06:26 a", "byte 0", "2026-11-23T06:26:00Z"),
        ("%s", "1795415164 a", "byte 0", "2026-11-23T06:26:04Z"),
        ("%s%.f", "1795415164.25 a", "byte 0", "2026-11-23T06:26:04.25Z"),
        ("%H:%M:%S", "12:34:56 a", "byte 0", "2026-11-23T12:34:56Z"),
        ("%H:%M:%S", "18:59:59 a", "byte 0", "2026-11-23T18:59:59Z"),
        ("%H:%M:%S", "19:00:01 a", "byte 0", "2026-11-22T19:00:01Z"),
        ("%I:%M %p", "06:26 PM a", "byte 0", "2026-11-23T18:26:00Z"),
        ("%Y-%m-%dT%H:%M:%S %Q", "2026-11-23T06:26:04 Europe/Berlin", "byte 0", "2026-11-23T05:26:04Z"),
        ("%H:%M:%S", "23:59:60 a", "byte 0", "2026-11-22T23:59:59Z"),
        ("%Y%m%d-%H:%M:%S:%f", "20171223-22:15:29:606|Step", "byte 0", "2017-12-23T22:15:29.606Z"),
    ] {
        let found = custom(format, line).unwrap_or_else(|| panic!("{format}: {line}"));
        assert_eq!((found.format(), found.position().to_string().as_str()), (format, position), "{line}");
        assert_eq!(found.time_of(line.as_bytes(), &utc()), Some(time(expected)), "{format}: {line}");
    }
}

#[test]
fn a_line_without_the_format_has_no_time() {
    let found = custom("%H:%M:%S", "12:34:56 a").unwrap();
    for line in ["", "a", "12:34", "25:00:00 a", "at 12:34:56"] {
        assert_eq!(found.time_of(line.as_bytes(), &utc()), None, "{line}");
    }
    assert!(custom("%Y-%m-%d %H:%M", "12:34:56 a").is_none());
}

#[test]
fn a_format_that_cannot_serve_is_a_usage_error() {
    for (format, why) in [
        ("%K", "is not valid: "),
        ("%", "is not valid: "),
        ("%Y-%m-%d %H:%M:%S %Z", "cannot be read back: "),
        ("%c", "cannot be read back: "),
        ("", "has no hour"),
        ("time", "has no hour"),
        ("%Y-%m-%d", "has no hour"),
        ("%Y %H:%M", "has no complete date or time of day"),
        ("%m %H:%M", "has no complete date or time of day"),
        ("%H %S", "has no complete date or time of day"),
    ] {
        let error = detect_custom(format, []).unwrap_err();
        assert_eq!(error.kind, Kind::Usage, "{format}");
        let start = format!("time-format '{format}' {why}");
        assert!(error.to_string().starts_with(&start), "{error}");
        assert!(error.hint.unwrap().plain().contains("%Y-%m-%d"), "{format}");
    }
}
