//! What belongs to a time beside its digits: the mark of a 12-hour clock, the fraction, the zone, the year.

use encoding_rs::WINDOWS_1252;
use rread_text::timestamp::detect;

use super::{context, detected, read, utc};

/// Every spelling of a mark, and the hour that it makes of 1 and of 12.
const MARKS: [(&str, u8, u8); 17] = [
    (" AM", 1, 0),
    (" PM", 13, 12),
    (" am", 1, 0),
    (" pm", 13, 12),
    ("AM", 1, 0),
    ("PM", 13, 12),
    (" a.m.", 1, 0),
    (" p.m.", 13, 12),
    (" A.M.", 1, 0),
    (" P. M.", 13, 12),
    ("\u{202f}PM", 13, 12),
    ("\u{a0}am", 1, 0),
    ("p", 13, 12),
    (" Pm", 13, 12),
    ("_PM", 13, 12),
    ("-AM", 1, 0),
    (" (PM)", 13, 12),
];

#[test]
fn every_format_with_a_clock_reads_am_and_pm() {
    for date in [
        "2026-11-23 {} x",
        "2026-11-23T{} x",
        "2026/11/23 {} x",
        "[2026.11.23 {}] x",
        "23 Nov 2026 {} x",
        "23-Nov-2026 {} x",
        "Nov 23 2026 {} x",
        "Nov 23, 2026 {} x",
        "November 23, 2026 at {} x",
        "Nov 23 {} host x",
        "Mon Nov 23 {} UTC 2026 x",
        "Mon, 23 Nov 2026 {} x",
        "Monday, November 23, 2026 {} x",
        "23.11.2026 {} x",
        "11/23/2026 {} x",
        "[11/23/2026, {}] x",
        "23/Nov/2026:{} x",
        "20261123 {} x",
        "261123 {} x",
        "11-23 {} x",
        "{\"time\":\"2026-11-23 {}\"}",
        "level=info ts=\"2026-11-23 {}\" x",
    ] {
        for (mark, one, twelve) in MARKS {
            for (hour, expected) in [("01", one), ("12", twelve)] {
                for fraction in ["", ".250"] {
                    let line = date.replace("{}", &format!("{hour}:26:04{fraction}{mark}"));
                    let zeros = if fraction.is_empty() { "" } else { ".25" };
                    let expected = format!("2026-11-23T{expected:02}:26:04{zeros}Z");
                    let found = read(&line, &utc()).map(|(_, time)| time);
                    assert_eq!(found.as_deref(), Some(expected.as_str()), "{line}");
                }
            }
        }
    }
}

/// What stands after the clock, and its time in UTC if the rest is in Tokyo.
const ZONES: &[(&str, &str)] = &[
    ("", "2026-11-22T21:26:04Z"),
    ("Z", "2026-11-23T06:26:04Z"),
    (" UTC", "2026-11-23T06:26:04Z"),
    (" GMT", "2026-11-23T06:26:04Z"),
    ("+0200", "2026-11-23T04:26:04Z"),
    ("+02:00", "2026-11-23T04:26:04Z"),
    ("+02", "2026-11-23T04:26:04Z"),
    ("-0830", "2026-11-23T14:56:04Z"),
    (" -0830", "2026-11-23T14:56:04Z"),
    (" UTC+2", "2026-11-23T04:26:04Z"),
    (" UTC-8", "2026-11-23T14:26:04Z"),
    (" UTC+02:00", "2026-11-23T04:26:04Z"),
    (" UTC+5:30", "2026-11-23T00:56:04Z"),
    (" GMT-08:00", "2026-11-23T14:26:04Z"),
    (" GMT-0800", "2026-11-23T14:26:04Z"),
    (" GMT-0800 (PST)", "2026-11-23T14:26:04Z"),
    (" GMT+0100 (Central European Standard Time)", "2026-11-23T05:26:04Z"),
    (" GMT +0100", "2026-11-23T05:26:04Z"),
    (" +0000 UTC", "2026-11-23T06:26:04Z"),
    (" +0100 CET", "2026-11-23T05:26:04Z"),
    (" UTC\u{2212}8", "2026-11-23T14:26:04Z"),
    (" (PST)", "2026-11-23T14:26:04Z"),
    (" CET", "2026-11-23T05:26:04Z"),
    (" CEST", "2026-11-23T04:26:04Z"),
    (" EST", "2026-11-23T11:26:04Z"),
    (" PDT", "2026-11-23T13:26:04Z"),
    (" JST", "2026-11-22T21:26:04Z"),
    (" CET+0100", "2026-11-23T05:26:04Z"),
    (" Europe/Berlin", "2026-11-23T05:26:04Z"),
    ("+01:00[Europe/Berlin]", "2026-11-23T05:26:04Z"),
    ("[Europe/Berlin]", "2026-11-23T05:26:04Z"),
    (" [Europe/Berlin]", "2026-11-23T05:26:04Z"),
    (" (Europe/Berlin)", "2026-11-23T05:26:04Z"),
    (" (Etc/UTC)", "2026-11-23T06:26:04Z"),
    (" Brazil/East", "2026-11-23T09:26:04Z"),
    (" [UTC]", "2026-11-23T06:26:04Z"),
    (" (utc)", "2026-11-23T06:26:04Z"),
    (" (GMT+1)", "2026-11-23T05:26:04Z"),
    (" (UTC-08:00)", "2026-11-23T14:26:04Z"),
    (" [+0100]", "2026-11-23T05:26:04Z"),
    (" (+05:30)", "2026-11-23T00:56:04Z"),
    (" utc", "2026-11-23T06:26:04Z"),
    (" gmt+2", "2026-11-23T04:26:04Z"),
    // What follows is a message.
    (" INFO", "2026-11-22T21:26:04Z"),
    (" WEST-wing", "2026-11-23T05:26:04Z"),
    (" -1234 bytes", "2026-11-22T21:26:04Z"),
    (" +5 items", "2026-11-22T21:26:04Z"),
    (" [+5]", "2026-11-22T21:26:04Z"),
    (" [-10]", "2026-11-22T21:26:04Z"),
    (" [-1234]", "2026-11-22T21:26:04Z"),
    (" [EST-4711]", "2026-11-22T21:26:04Z"),
    (" [UTC worker]", "2026-11-22T21:26:04Z"),
    (" (Asia", "2026-11-22T21:26:04Z"),
    (" use it", "2026-11-22T21:26:04Z"),
    (" utcp", "2026-11-22T21:26:04Z"),
    (" Foo/Bar", "2026-11-22T21:26:04Z"),
    (" UTCX", "2026-11-22T21:26:04Z"),
    ("-worker", "2026-11-22T21:26:04Z"),
    (": 481 ms", "2026-11-22T21:26:04Z"),
];

#[test]
fn every_format_reads_the_zone_beside_the_clock() {
    for date in [
        "2026-11-23 06:26:04",
        "2026/11/23 06:26:04",
        "23.11.2026 06:26:04",
        "Mon Nov 23 2026 06:26:04",
        "Nov 23 06:26:04",
        "23 Nov 2026 06:26:04",
        "2026-11-23T06:26:04",
    ] {
        for (zone, expected) in ZONES {
            let line = format!("{date}{zone} x");
            let found = read(&line, &context("Asia/Tokyo", super::REFERENCE)).map(|(_, time)| time);
            assert_eq!(found.as_deref(), Some(*expected), "{line}");
        }
    }
}

#[test]
fn a_fraction_may_follow_a_colon() {
    for (tail, expected) in [
        (":481-0800", "2023-02-21T07:09:58.481Z"),
        (":481", "2023-02-20T23:09:58.481Z"),
        (":481250 +0100", "2023-02-20T22:09:58.48125Z"),
        (":481 AM UTC", ""),
        (",481 -08:00", "2023-02-21T07:09:58.481Z"),
        (".481 UTC+1", "2023-02-20T22:09:58.481Z"),
    ] {
        let found = read(&format!("2023-02-20 23:09:58{tail} a"), &utc()).map(|(_, time)| time);
        assert_eq!(found.unwrap_or_default(), expected, "{tail}");
    }
}

/// .NET escapes the plus, and Python the blank that CLDR puts before AM.
#[test]
fn a_part_of_a_time_may_be_escaped_in_json() {
    for (value, expected) in [
        ("2024-03-11T06:00:00\\u002B01:00", "2024-03-11T05:00:00Z"),
        ("2024-03-11T06:00:00.5\\u002b0130", "2024-03-11T04:30:00.5Z"),
        ("2024-03-11 06:00:00 \\u002B01:00", "2024-03-11T05:00:00Z"),
        ("3\\/31\\/2024, 6:00:00\\u202fPM", "2024-03-31T18:00:00Z"),
        ("3/31/2024, 6:00:00\\u00A0PM", "2024-03-31T18:00:00Z"),
    ] {
        for key in ["time", "Timestamp"] {
            if key == "Timestamp" && value.contains("\\/") {
                continue;
            }
            let line = format!("{{\"{key}\":\"{value}\",\"m\":1}}");
            let found = read(&line, &utc()).map(|(_, time)| time);
            assert_eq!(found.as_deref(), Some(expected), "{line}");
        }
    }
}

/// A time that is read in part is worse than none.
#[test]
fn what_looks_like_a_part_of_the_time_is_read_or_the_whole_is_not() {
    for line in [
        "2026-11-23 06:26:04:12 a",
        "2026-11-23 06:26:04:1234 a",
        "2026-11-23 13:26:04 AM a",
        "2026-11-23 06:26:04-123456 a",
        "2026-11-23 06:26:04+25:00 a",
        "2026-11-23 06:26:04 UTC+25 a",
        "2026-11-23 06:26:04 GMT+2x a",
        "2026-11-23 06:26:04-07:00:00 a",
        "2026-11-23 06:26:04 CST a",
        "2026-11-23 06:26:04 IST a",
        "2026-11-23 06:26:04XYZ a",
        "2026-11-23T06:26:04.5.6Z5 a",
        "Mon Nov 23 06:26:04 XYZ 2026",
    ] {
        let found = read(line, &utc());
        // The date may still be found without its end; it must not be another time.
        assert!(found.is_none() || line.contains(".5.6"), "{line}: {found:?}");
    }
}

/// CST is in Chicago, Shanghai and Havana; the zone that the user names decides.
#[test]
fn an_abbreviation_is_first_that_of_the_given_zone() {
    for (line, zone, expected) in [
        ("2026-11-23 06:26:04 CST a", "America/Chicago", "2026-11-23T12:26:04Z"),
        ("2026-11-23 06:26:04 CST a", "Asia/Shanghai", "2026-11-22T22:26:04Z"),
        // A machine that keeps its standard time in summer.
        ("2026-07-23 06:26:04 CST a", "America/Chicago", "2026-07-23T12:26:04Z"),
        ("2026-07-23 06:26:04 IST a", "Asia/Kolkata", "2026-07-23T00:56:04Z"),
        ("2026-07-23 06:26:04 IST a", "Asia/Jerusalem", "2026-07-23T04:26:04Z"),
        ("2026-11-23 06:26:04 CET a", "Europe/Berlin", "2026-11-23T05:26:04Z"),
        // It says which of two passes of an hour it is.
        ("2026-10-25 02:30:00 CEST a", "Europe/Berlin", "2026-10-25T00:30:00Z"),
        ("2026-10-25 02:30:00 CET a", "Europe/Berlin", "2026-10-25T01:30:00Z"),
        ("2025-11-02 01:30:00 EST a", "America/New_York", "2025-11-02T06:30:00Z"),
    ] {
        let found = detected(&[line; 2]).unwrap();
        let time = found.time_of(line.as_bytes(), &context(zone, super::REFERENCE)).unwrap();
        assert_eq!(time.to_string(), expected, "{line} in {zone}");
    }
}

#[test]
fn date_and_clock_may_be_apart() {
    for line in [
        "2024-03-11\t11:59:00 a",
        "2024-03-11,11:59:00 a",
        "2024-03-11, 11:59:00 a",
        "2024-03-11|11:59:00 a",
        "2024-03-11 | 11:59:00 a",
        "2024-03-11  11:59:00 a",
        "2024-03-11;11:59:00 a",
        "2024-03-11 - 11:59:00 a",
        "2024-03-11:11:59:00 a",
        "\"2024-03-11\",\"11:59:00\",a",
        "[2024-03-11] [11:59:00] a",
        "[2024-03-11][11:59:00] a",
        "2024-03-11 at 11:59:00 a",
        "2024/03/11 AM 11:59:00 a",
        "2024/03/11 上午 11:59:00 a",
        "2024.03.11 오전 11:59:00 a",
        "03/25/2024,11:59:00 a",
    ] {
        let found = read(line, &utc()).map(|(_, time)| time);
        let day = if line.starts_with("03/25") { 25 } else { 11 };
        assert_eq!(found, Some(format!("2024-03-{day}T11:59:00Z")), "{line}");
    }
    assert_eq!(read("2024/03/11 下午 01:05:00 a", &utc()).unwrap().1, "2024-03-11T13:05:00Z");
}

#[test]
fn a_year_beside_a_month_is_that_of_the_record() {
    for line in [
        "2021 Nov 19 09:15:05 host a",
        "2021-Nov-19 09:15:05 a",
        "Nov 19 09:15:05 2021 a",
        "Nov 19 2021 09:15:05 a",
        "19 Nov 2021 09:15:05 a",
        "Fri Nov 19 2021 09:15:05 a",
        "Fri Nov 19 09:15:05 2021 a",
        "Fri 19 Nov 09:15:05 2021 a",
        "Fri, 19 Nov 2021 09:15:05 a",
        "Friday, November 19, 2021 09:15:05 a",
        "x 2021 Nov 19 09:15:05 a",
        "2021: Nov 19 09:15:05 a",
        "[2021] Nov 19 09:15:05 a",
        "2021, Nov 19 09:15:05 a",
    ] {
        let found = read(line, &utc()).map(|(_, time)| time);
        assert_eq!(found.as_deref(), Some("2021-11-19T09:15:05Z"), "{line}");
    }
    // Any other number is not a year.
    assert_eq!(read("Nov 19 09:15:05 1234 a", &utc()).unwrap().1, "2026-11-19T09:15:05Z");
    assert_eq!(read("<34>Nov 19 09:15:05 a", &utc()).unwrap().1, "2026-11-19T09:15:05Z");
}

/// Tomcat on a German Windows, Java 8 and 11, and what other languages write.
#[test]
fn months_may_have_their_names_in_other_languages() {
    let names: [(&str, [&str; 12]); 8] = [
        ("de", ["Jan", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"]),
        (
            "de, CLDR",
            ["Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez."],
        ),
        (
            "de, whole",
            [
                "Januar",
                "Februar",
                "März",
                "April",
                "Mai",
                "Juni",
                "Juli",
                "August",
                "September",
                "Oktober",
                "November",
                "Dezember",
            ],
        ),
        (
            "fr",
            [
                "janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.",
                "déc.",
            ],
        ),
        ("es", ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct", "nov", "dic"]),
        (
            "pt",
            [
                "janeiro",
                "fevereiro",
                "março",
                "abril",
                "maio",
                "junho",
                "julho",
                "agosto",
                "setembro",
                "outubro",
                "novembro",
                "dezembro",
            ],
        ),
        ("it", ["gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic"]),
        ("nl", ["jan", "feb", "mrt", "apr", "mei", "jun", "jul", "aug", "sep", "okt", "nov", "dec"]),
    ];
    for (language, names) in names {
        for (nth, name) in names.iter().enumerate() {
            let month = nth + 1;
            for line in [
                format!("29-{name}-2025 21:18:04.000 INFO a"),
                format!("29 {name} 2025 21:18:04 a"),
                format!("{name} 29 21:18:04 2025 a"),
                format!("10.0.0.1 - - [29/{name}/2025:21:18:04 +0000] a"),
            ] {
                let line = if month == 2 { line.replacen("29", "28", 1) } else { line };
                let (latin, ..) = WINDOWS_1252.encode(&line);
                for line in [line.as_bytes(), &latin] {
                    let found = detect([line]).and_then(|found| found.time_of(line, &utc()));
                    let day = if month == 2 { 28 } else { 29 };
                    let expected = format!("2025-{month:02}-{day}T21:18:04Z");
                    assert_eq!(
                        found.map(|time| time.to_string()),
                        Some(expected),
                        "{language}: {name}, {line:?}"
                    );
                }
            }
        }
    }
    // A word is not a month because a number and a clock follow.
    for line in
        ["Output 12 21:18:04 a", "General 29 21:18:04 a", "Marks 12 21:18:04 a", "Monday 12 21:18:04 a"]
    {
        assert_eq!(read(line, &utc()), None, "{line}");
    }
}
