//! The range grammar, sentence by sentence, and the slices that ranges name in a file.

use std::collections::HashSet;

use rread_text::error::{Kind, Result};
use rread_text::range::{Boundary, Context, RangeBoundaries, Slice, Unit, parse_list, parse_size};

const LINES: u64 = 412;
const BYTES: u64 = 36;

/// Every kind of wrong range, and words of its message.
const LINE_REFUSALS: [(&str, &str); 20] = [
    ("", "empty"),
    ("1,,2", "empty"),
    ("5,", "empty"),
    (",5", "empty"),
    ("0", "line 0 does not exist"),
    ("0:5", "line 0 does not exist"),
    ("-0", "line -0 does not exist"),
    ("+5", "'+5' starts with '+'"),
    ("+F", "is not a number"),
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
    ("abc", "is not a number"),
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
    for (unit, table) in [(Unit::Lines, &LINE_REFUSALS[..]), (Unit::Bytes, &BYTE_REFUSALS[..])] {
        let (mut reasons, mut sentences) = (HashSet::new(), HashSet::new());
        for (range, reason) in table {
            let error = parse_list(range, unit).unwrap_err();
            assert_eq!(error.kind, Kind::InvalidRange, "{range}");
            assert!(error.to_string().contains(reason), "{range}: {error}");
            // Without its quotes, a message is the same exactly for the same reason.
            let sentence: String = error.to_string().split('\'').step_by(2).collect();
            let pure: String = sentence.chars().filter(|c| !c.is_ascii_digit()).collect();
            reasons.insert(*reason);
            sentences.insert(pure);
        }
        assert_eq!(sentences.len(), reasons.len(), "{unit:?}: {sentences:?}");
    }
}

#[test]
fn a_missing_number_is_called_missing() {
    for range in ["5:+", "-:", "5:-"] {
        assert_eq!(parse_list(range, Unit::Lines).unwrap_err().to_string(), "a number is missing", "{range}");
    }
}

#[test]
fn sizes_are_powers_of_1024_or_1000() {
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
        assert_eq!(parse_size(size).unwrap(), bytes, "{size}");
        let error = bytes_of(&format!("{size}:"), 10).unwrap_err().to_string();
        assert_eq!(error, format!("start_byte ({bytes}) is beyond the end of the file (10 bytes)"));
        // As the end, and as the count, it is clamped.
        for range in [format!("0:{size}"), format!("0:+{size}"), format!("-{size}:")] {
            let slice = bytes_of(&range, 10).unwrap();
            assert_eq!((slice.start, slice.end), (0, 10), "{range}");
        }
    }
}

#[test]
fn the_ends_are_those_of_the_request() {
    for (unit, range, start, end) in [
        (Unit::Lines, "5:9", Some(5), Some(9)),
        (Unit::Lines, "5", Some(5), Some(5)),
        (Unit::Lines, "5:+3", Some(5), Some(7)),
        (Unit::Lines, "5:", Some(5), None),
        (Unit::Lines, ":9", None, Some(9)),
        (Unit::Lines, ":", None, None),
        (Unit::Lines, "-5:", Some(-5), None),
        (Unit::Lines, ":-5", None, Some(-5)),
        (Unit::Lines, "-5:-2", Some(-5), Some(-2)),
        (Unit::Lines, "400:900", Some(400), Some(900)),
        (Unit::Bytes, "5:9", Some(5), Some(9)),
        (Unit::Bytes, "5:+9", Some(5), Some(14)),
        (Unit::Bytes, "bytes=5-9", Some(5), Some(10)),
        (Unit::Bytes, "bytes=5-", Some(5), None),
        (Unit::Bytes, "bytes=-5", Some(-5), None),
        (Unit::Bytes, "1K:2K", Some(1024), Some(2048)),
        (Unit::Bytes, "-1K:", Some(-1024), None),
    ] {
        assert_eq!(parse_list(range, unit).unwrap()[0].requested_ends(), (start, end), "{range}");
    }
}

/// The bytes of `range` in a file of `total` bytes.
fn bytes_of(range: &str, total: u64) -> Result<Slice> {
    parse_list(range, Unit::Bytes)?[0].resolve_bytes(total)
}

/// The lines of `range` in a file of `total` lines of one byte.
fn lines_of(range: &str, total: u64) -> Result<Slice> {
    let range = parse_list(range, Unit::Lines)?[0];
    let points = range.points(Context::default(), Some(total));
    let boundaries = points.map(|point| {
        let lines = point.from_front(total).min(total);
        Boundary { offset: lines, lines: Some(lines) }
    });
    let (total_lines, total_bytes) = (Some(total), Some(total));
    range.resolve_lines(&RangeBoundaries { points, boundaries, total_lines, total_bytes })
}

/// First and last line, and whether they are all that was requested.
fn lines_of_412(range: &str) -> (u64, u64, bool) {
    let slice = lines_of(range, LINES).unwrap();
    (slice.start + 1, slice.end, slice.exact)
}

#[test]
fn every_form_names_its_lines() {
    for (range, from, to) in [
        ("100:120", 100, 120),
        ("100:+21", 100, 120),
        ("100-120", 100, 120),
        (":50", 1, 50),
        ("7", 7, 7),
        ("7:7", 7, 7),
        ("410:", 410, 412),
        (":", 1, 412),
        ("-20:", 393, 412),
        (":-20", 1, 392),
        ("-1", 412, 412),
        ("-3", 410, 410),
        ("-1:", 412, 412),
        ("-20:-10", 393, 402),
        ("-20:+5", 393, 397),
        ("-20:400", 393, 400),
        ("400:-5", 400, 407),
        ("1_00:1_20", 100, 120),
        ("412", 412, 412),
    ] {
        assert_eq!(lines_of_412(range), (from, to, true), "{range}");
    }
    for (range, from, to) in [
        ("400:900", 400, 412),
        ("400:+900", 400, 412),
        ("-900:", 1, 412),
        ("-900:3", 1, 3),
        ("-900:+4", 1, 4),
        ("412:413", 412, 412),
    ] {
        assert_eq!(lines_of_412(range), (from, to, false), "{range} is clamped");
    }
    for range in
        ["413:", "413:500", "413:+5", "5:-410", "408:-10", "7:+0", "-5:+0", "-5:-5", ":-412", ":-900"]
    {
        let slice = lines_of(range, LINES).unwrap();
        assert_eq!(slice.start, slice.end, "{range} is empty");
        assert_eq!(slice.start == LINES, range.starts_with("413"), "{range}");
    }
}

#[test]
fn every_form_names_its_bytes() {
    for (range, from, to, exact) in [
        ("0:4", 0, 4, true),
        ("4:+5", 4, 9, true),
        (":10", 0, 10, true),
        ("30:", 30, 36, true),
        (":", 0, 36, true),
        ("-6:", 30, 36, true),
        (":-6", 0, 30, true),
        ("-6:-2", 30, 34, true),
        ("-6:+3", 30, 33, true),
        ("10:-6", 10, 30, true),
        ("-6:32", 30, 32, true),
        ("bytes=0-9", 0, 10, true),
        ("bytes=30-", 30, 36, true),
        ("bytes=-6", 30, 36, true),
        ("bytes=7-7", 7, 8, true),
        ("30:99", 30, 36, false),
        ("30:+99", 30, 36, false),
        ("-99:", 0, 36, false),
        ("-99:+4", 0, 4, false),
        ("bytes=30-99", 30, 36, false),
        ("bytes=-99", 0, 36, false),
        ("0:18446744073709551615", 0, 36, false),
        ("1:+18446744073709551615", 1, 36, false),
        ("5:5", 5, 5, true),
        ("5:+0", 5, 5, true),
        ("36:", 36, 36, true),
        ("36:99", 36, 36, false),
        ("36:+9", 36, 36, false),
        ("-0:", 36, 36, true),
        ("30:-10", 30, 30, true),
    ] {
        let slice = bytes_of(range, BYTES).unwrap();
        assert_eq!((slice.start, slice.end, slice.exact), (from, to, exact), "{range}");
    }
}

#[test]
fn starts_past_the_end_are_out_of_range() {
    let refused = |slice: Result<Slice>, expected: &str, range: &str| {
        let error = slice.unwrap_err();
        assert_eq!((error.kind, error.to_string().as_str()), (Kind::OutOfRange, expected), "{range}");
    };
    for (range, line) in [("900", 900), ("413", 413), ("414:", 414), ("900:950", 900), ("900:+5", 900)] {
        let expected = format!("line {line} is beyond the end of the file (412 lines)");
        refused(lines_of(range, LINES), &expected, range);
    }
    for (range, line, total) in [
        ("5", "5", "1 line"),
        ("18446744073709551615", "18446744073709551615", "1 line"),
        ("2", "2", "0 lines"),
        ("2:", "2", "0 lines"),
    ] {
        let expected = format!("line {line} is beyond the end of the file ({total})");
        refused(lines_of(range, u64::from(total == "1 line")), &expected, range);
    }
    for range in ["5000:", "5000:6000", "5000:+10", "5000:5000", "bytes=5000-6000"] {
        let expected = "start_byte (5000) is beyond the end of the file (1024 bytes)";
        refused(bytes_of(range, 1024), expected, range);
    }
    refused(bytes_of("5:", 1), "start_byte (5) is beyond the end of the file (1 byte)", "5:");
    refused(bytes_of("1:", 0), "start_byte (1) is beyond the end of the file (0 bytes)", "1:");
}

#[test]
fn starts_after_ends_are_invalid() {
    for (unit, range, start, end) in [
        (Unit::Lines, "9:3", "9", "3"),
        (Unit::Lines, "9-3", "9", "3"),
        (Unit::Lines, "-3:-9", "-3", "-9"),
        (Unit::Lines, "5000:4000", "5000", "4000"),
        (Unit::Bytes, "5000:4000", "5000", "4000"),
        (Unit::Bytes, "9:3", "9", "3"),
        (Unit::Bytes, "-3:-9", "-3", "-9"),
    ] {
        let name = if unit == Unit::Lines { "line" } else { "byte" };
        let error = parse_list(range, unit).unwrap_err();
        let sentence =
            format!("Invalid range specified: start_{name} ({start}) is greater than end_{name} ({end}).");
        assert_eq!((error.kind, error.message), (Kind::InvalidRange, sentence.into()), "{range}");
    }
    // Only the size of the file shows that start and end are swapped.
    assert_eq!(lines_of("-10:5", LINES).unwrap_err().kind, Kind::InvalidRange);
}

#[test]
fn an_empty_file_is_empty_for_every_range_that_starts_at_the_beginning() {
    for range in [":", "1", "1:", "1:5", "1:+5", ":5", "-1", "-5:", "-5:+2", ":-5", "-5:-2", "-5:5"] {
        let slice = lines_of(range, 0).unwrap();
        assert_eq!((slice.start, slice.end), (0, 0), "lines {range}");
    }
    for range in [":", "0:", "0:5", "0:+5", ":5", "-5:", "-5:+2", ":-5", "bytes=0-9", "bytes=-5", "0:0"] {
        let slice = bytes_of(range, 0).unwrap();
        assert_eq!((slice.start, slice.end), (0, 0), "bytes {range}");
    }
}
