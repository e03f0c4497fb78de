//! Every format with its variants, and texts that have no times.

use rread_text::timestamp::FORMATS;

use super::{detected, read, utc};

/// Lines of logs: the format, the line, and its time if records without a zone are in UTC.
const LINES: &[(&str, &str, &str)] = &[
    ("rfc3339", "2026-11-23T06:26:04Z", "2026-11-23T06:26:04Z"),
    ("rfc3339", "2026-11-23t06:26:04z start", "2026-11-23T06:26:04Z"),
    ("rfc3339", "2026-11-23T06:26:04.1+01:00 start", "2026-11-23T05:26:04.1Z"),
    ("rfc3339", "2026-11-23T06:26:04.123456789-23:59 start", "2026-11-24T06:25:04.123456789Z"),
    ("rfc3339", "2026-11-23T06:26:04.1234567891234Z start", "2026-11-23T06:26:04.123456789Z"),
    ("rfc3339", "2026-11-23T06:26:04+0100 host app[1]: start", "2026-11-23T05:26:04Z"),
    ("rfc3339", "2026-11-23 06:26:04+01 start", "2026-11-23T05:26:04Z"),
    ("rfc3339", "2026-11-23 06:26:04 +0100 start", "2026-11-23T05:26:04Z"),
    ("rfc3339", "2026-11-23 06:26:04.123 UTC [1] LOG", "2026-11-23T06:26:04.123Z"),
    ("rfc3339", "2026-11-23 06:26:04.123 CET [1] LOG", "2026-11-23T05:26:04.123Z"),
    ("rfc3339", "2026-11-23 06:26:04,123 INFO start", "2026-11-23T06:26:04.123Z"),
    ("rfc3339", "2026-11-23 06:26:04,123 - INFO start", "2026-11-23T06:26:04.123Z"),
    ("rfc3339", "2026-11-23 06:26:04, Info CBS", "2026-11-23T06:26:04Z"),
    ("rfc3339", "2026-11-23 06:26:04,12345678901,column", "2026-11-23T06:26:04Z"),
    ("rfc3339", "2026-11-23 06:26:04 -1234 bytes are not a zone", "2026-11-23T06:26:04Z"),
    ("rfc3339", "2026-11-23_06:26:04.123456 start", "2026-11-23T06:26:04.123456Z"),
    ("rfc3339", "2026-11-23 06:26:04\r\n", "2026-11-23T06:26:04Z"),
    ("rfc3339", "2026-11-23 06:26:04.\r", "2026-11-23T06:26:04Z"),
    ("rfc3339", "I, [2026-11-23T06:26:04.123456 #1234]  INFO -- : start", "2026-11-23T06:26:04.123456Z"),
    ("rfc3339", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
    ("rfc3339", "9999-12-30T21:59:59.999999999Z", "9999-12-30T21:59:59.999999999Z"),
    ("rfc3339", "2016-12-31T23:59:60Z leap second", "2016-12-31T23:59:59Z"),
    ("rfc3339", "2016-12-31T23:59:60.5Z leap second", "2016-12-31T23:59:59.5Z"),
    ("rfc3339", "2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"),
    ("syslog", "Nov 23 06:26:04 host app[1]: start", "2026-11-23T06:26:04Z"),
    ("syslog", "Nov  3 06:26:04 host app[1]: start", "2026-11-03T06:26:04Z"),
    ("syslog", "Nov 3 06:26:04 host app[1]: start", "2026-11-03T06:26:04Z"),
    ("syslog", "NOV 03 06:26:04.123456 host app[1]: start\r\n", "2026-11-03T06:26:04.123456Z"),
    ("syslog", "<34>Oct 11 22:14:15 mymachine su: failed", "2026-10-11T22:14:15Z"),
    ("syslog", "*Nov 23 06:26:04.123: %SYS-5-CONFIG_I", "2026-11-23T06:26:04.123Z"),
    ("syslog", "Jun 30 23:59:60 host app: leap second", "2026-06-30T23:59:59Z"),
    ("clf", "::1 - - [23/Nov/2026:06:26:04 +0000] \"GET / HTTP/1.1\" 200 1", "2026-11-23T06:26:04Z"),
    ("clf", "[23/Nov/2026:06:26:04 -0730]", "2026-11-23T13:56:04Z"),
    ("clf", "10.0.0.1:80 [23/Nov/2026:06:26:04.123] http~", "2026-11-23T06:26:04.123Z"),
    ("ctime", "[Sun Dec 04 04:47:44 2005] [notice] start", "2005-12-04T04:47:44Z"),
    ("ctime", "[Sun Dec 04 04:47:44.123456 2005] [notice] start", "2005-12-04T04:47:44.123456Z"),
    ("ctime", "Sun Dec  4 04:47:44 2005\n", "2005-12-04T04:47:44Z"),
    ("ctime", "Sun Dec  4 04:47:44 2005 +0100", "2005-12-04T03:47:44Z"),
    ("date", "Mon Nov 23 06:26:04 UTC 2026 start", "2026-11-23T06:26:04Z"),
    ("date", "Mon Nov  9 06:26:04 CET 2026 start", "2026-11-09T05:26:04Z"),
    ("rfc2822", "Mon, 23 Nov 2026 06:26:04 +0100", "2026-11-23T05:26:04Z"),
    ("rfc2822", "Mon, 9 Nov 2026 06:26:04 GMT", "2026-11-09T06:26:04Z"),
    ("short-full", "Mon 2026-11-23 06:26:04 UTC host app[1]: start", "2026-11-23T06:26:04Z"),
    ("short-full", "Mon 2026-11-23 06:26:04 CET host app[1]: start", "2026-11-23T05:26:04Z"),
    ("klog", "E1123 06:26:04.123456    1234 file.go:12] start", "2026-11-23T06:26:04.123456Z"),
    ("glog", "W20261123 06:26:04.123456  1234 file.cc:12] start", "2026-11-23T06:26:04.123456Z"),
    ("slashes", "2026/11/23 06:26:04 [error] 12#12: start", "2026-11-23T06:26:04Z"),
    ("slashes", "2026/11/23 06:26:04.123456 start", "2026-11-23T06:26:04.123456Z"),
    ("spark", "17/06/09 20:10:40 INFO start", "2017-06-09T20:10:40Z"),
    ("spark", "69/06/09 20:10:40 INFO start", "1969-06-09T20:10:40Z"),
    ("iso-basic", "20261123T062604Z start", "2026-11-23T06:26:04Z"),
    ("iso-basic", "20261123T062604,5+0100 start", "2026-11-23T05:26:04.5Z"),
    ("iso-basic", "20261123T062604 start", "2026-11-23T06:26:04Z"),
    ("compact-date", "20261123 06:26:04.123 start", "2026-11-23T06:26:04.123Z"),
    ("fix", "20261123-06:26:04.123 8=FIX.4.4", "2026-11-23T06:26:04.123Z"),
    ("cisco", "Nov 23 2026 06:26:04: %ASA-6-302013: start", "2026-11-23T06:26:04Z"),
    ("cisco", "*Nov  3 2026 06:26:04.123 UTC: %SYS-5: start", "2026-11-03T06:26:04.123Z"),
    ("redis", "1234:M 23 Nov 2026 06:26:04.123 * start", "2026-11-23T06:26:04.123Z"),
    ("rfc850", "11 Mar 24 06:00:00 a", "2024-03-11T06:00:00Z"),
    ("rfc850", "Mon, 11 Mar 24 06:00:00 +0100 a", "2024-03-11T05:00:00Z"),
    ("rfc850", "Sunday, 06-Nov-94 08:49:37 GMT a", "1994-11-06T08:49:37Z"),
    ("rfc850", "[11/Mar/24 6:00:00 PM] a", "2024-03-11T18:00:00Z"),
    ("dashes", "23-Nov-2026 06:26:04.123 queries: info: start", "2026-11-23T06:26:04.123Z"),
    ("dashes", "[23-Nov-2026 06:26:04 UTC] PHP Notice: start", "2026-11-23T06:26:04Z"),
    ("us", "11/23/2026 06:26:04 PM start", "2026-11-23T18:26:04Z"),
    ("us", "1/5/2026 12:00:04 am start", "2026-01-05T00:00:04Z"),
    ("us", "1/5/2026 12:00:04 PM start", "2026-01-05T12:00:04Z"),
    ("java-logging", "Nov 3, 2026 6:26:04 PM org.example.Main start", "2026-11-03T18:26:04Z"),
    ("dots", "23.11.2026 06:26:04,123 start", "2026-11-23T06:26:04.123Z"),
    ("android", "11-23 06:26:04.123  1234  5678 I Tag: start", "2026-11-23T06:26:04.123Z"),
    ("proxifier", "[10.30 16:49:06] chrome.exe - start", "2026-10-30T16:49:06Z"),
    ("mysql", "261123 06:26:04 [Note] start", "2026-11-23T06:26:04Z"),
    ("hdfs", "081109 203615 148 INFO start", "2008-11-09T20:36:15Z"),
    ("boot", "[    0.000000] Linux version 6.1", "1970-01-01T00:00:00Z"),
    ("boot", "[999999999.678901] start", "2001-09-09T01:46:39.678901Z"),
    ("epoch", "1795415164 start", "2026-11-23T06:26:04Z"),
    ("epoch", "1795415164.123456 host app[1]: start", "2026-11-23T06:26:04.123456Z"),
    ("epoch", "1795415164123 start", "2026-11-23T06:26:04.123Z"),
    ("epoch", "1795415164123456 start", "2026-11-23T06:26:04.123456Z"),
    ("epoch", "1795415164123456789 start", "2026-11-23T06:26:04.123456789Z"),
    ("epoch", "1000000000", "2001-09-09T01:46:40Z"),
    ("epoch", "4102444799999999999", "2099-12-31T23:59:59.999999999Z"),
    ("epoch", "1795415164,42,column", "2026-11-23T06:26:04Z"),
    ("epoch", "type=SYSCALL msg=audit(1795415164.123:456): arch=c0", "2026-11-23T06:26:04.123Z"),
    ("minutes", "2026-11-23T06:26-08:00 start", "2026-11-23T14:26:00Z"),
    ("minutes", "2026-11-23 06:26 PM start", "2026-11-23T18:26:00Z"),
    ("week-date", "2026-W48-1T06:26:04Z start", "2026-11-23T06:26:04Z"),
    ("week-date", "2020-W53-7 06:26:04.5 start", "2021-01-03T06:26:04.5Z"),
    ("week-date", "2026W481T06:26:04Z start", "2026-11-23T06:26:04Z"),
    ("ordinal-date", "2026-327T06:26:04Z start", "2026-11-23T06:26:04Z"),
    ("ordinal-date", "2024-366 06:26:04 start", "2024-12-31T06:26:04Z"),
    ("year-month", "2021 Nov 19 09:15:05 host dtrace[1]: a", "2021-11-19T09:15:05Z"),
    ("year-month", "2021-Nov-19 09:15:05.25 a", "2021-11-19T09:15:05.25Z"),
    ("year-month", "2021/November/9 09:15:05 a", "2021-11-09T09:15:05Z"),
    ("syslog-year", "Nov 19 09:15:05 2021 host a", "2021-11-19T09:15:05Z"),
    ("syslog-year", "Nov 19 09:15:05 PM UTC 2021 host a", "2021-11-19T21:15:05Z"),
    ("syslog", "2021: Nov 19 09:15:05 host a", "2021-11-19T09:15:05Z"),
    ("syslog", "[2021] Nov 19 09:15:05 host a", "2021-11-19T09:15:05Z"),
    ("clf-blank", "20/Feb/2023 23:09:58 a", "2023-02-20T23:09:58Z"),
    ("javascript", "Mon Mar 11 2024 11:59:00 GMT+0200 (CEST) a", "2024-03-11T09:59:00Z"),
    ("javascript", "Mon Mar 11 2024 11:59:00 GMT-0700 (Pacific Daylight Time) a", "2024-03-11T18:59:00Z"),
    ("year-dots", "2024.03.11 11:59:00 a", "2024-03-11T11:59:00Z"),
    ("iso-basic", "20240311_115900 a", "2024-03-11T11:59:00Z"),
    ("db2", "2024-03-11-11.59.00.123456-300 a", "2024-03-11T16:59:00.123456Z"),
    ("db2", "2024-03-11-11.59.00.123456+060 a", "2024-03-11T10:59:00.123456Z"),
    ("day-month", "Mon 11 Mar 11:59:00 GMT 2024 a", "2024-03-11T11:59:00Z"),
    ("erlang", "=INFO REPORT==== 11-Mar-2024::11:59:00 ===", "2024-03-11T11:59:00Z"),
    ("erlang", "=CRASH REPORT==== 1-Mar-2024::11:59:00.123 UTC ===", "2024-03-01T11:59:00.123Z"),
    ("slow-log", "# Time: 2024-03-11T11:59:00.123456Z", "2024-03-11T11:59:00.123456Z"),
    ("slow-log-old", "# Time: 240311  1:59:00", "2024-03-11T01:59:00Z"),
    ("history", "#1479559896", "2016-11-19T12:51:36Z"),
    ("tai64n", "@4000000065eef0660ab21e6c a", "2024-03-11T11:51:56.179445356Z"),
    ("us-24", "03/25/2024,11:59:00 a", "2024-03-25T11:59:00Z"),
    ("us", "[03/11/2024, 11:59:00 PM] a", "2024-03-11T23:59:00Z"),
    ("us", "3/11/2024 1:05 PM a", "2024-03-11T13:05:00Z"),
    ("day-first-12", "25/03/2024 01:05:00 p.m. a", "2024-03-25T13:05:00Z"),
    ("day-first", "25/03/2024 11:59:00 a", "2024-03-25T11:59:00Z"),
    ("day-first-dashes", "25-03-2024 11:59:00 a", "2024-03-25T11:59:00Z"),
    ("us-dashes", "03-25-2024 11:59:00 a", "2024-03-25T11:59:00Z"),
    ("us-short", "[3/25/24 11:59:00:123 UTC] a", "2024-03-25T11:59:00.123Z"),
    ("day-first-short", "31/12/99 11:59:00 a", "1999-12-31T11:59:00Z"),
    ("short-year", "24-03-11 11:59:00 a", "2024-03-11T11:59:00Z"),
    ("us-short-dashes", "3-25-24 11:59:00 a", "2024-03-25T11:59:00Z"),
    ("day-first-short-dashes", "31-12-99 11:59:00 a", "1999-12-31T11:59:00Z"),
    ("chrome", "[0311/115900.123456:ERROR:a.cc(1)] a", "2026-03-11T11:59:00.123456Z"),
    ("chrome", "[1:2:0311/115900.123:ERROR:a.cc(1)] a", "2026-03-11T11:59:00.123Z"),
    ("uptime", "[0.123s][info][gc] a", "1970-01-01T00:00:00.123Z"),
    ("uptime", "[1234ms][info][gc] a", "1970-01-01T00:00:01.234Z"),
];

#[test]
fn every_variant_of_every_format_is_read() {
    for (format, line, expected) in LINES {
        let found = read(line, &utc());
        let (found, time) = found.unwrap_or_else(|| panic!("no time in {line}"));
        assert_eq!((found.as_str(), time.as_str()), (*format, *expected), "{line}");
    }
    for format in FORMATS {
        assert!(LINES.iter().any(|(name, ..)| *name == format.name), "{} has no line", format.name);
    }
}

#[test]
fn the_example_of_a_format_is_of_this_format() {
    for format in FORMATS {
        let line = format!("{} message at 12:30:00 of 5 things", format.example);
        assert_eq!(read(&line, &utc()).map(|(name, _)| name).as_deref(), Some(format.name), "{line}");
    }
}

#[test]
fn fractions_have_one_to_nine_digits() {
    let digits = "123456789";
    for separator in [".", ","] {
        for length in 1..=9 {
            let line = format!("2026-11-23 06:26:04{separator}{}", &digits[..length]);
            let expected = format!("2026-11-23T06:26:04.{}Z", &digits[..length]);
            assert_eq!(read(&line, &utc()).unwrap().1, expected, "{line}");
        }
    }
}

#[test]
fn lines_without_a_time_of_day_and_a_date_are_not_records() {
    for line in [
        "",
        " ",
        "12:34:56 only a time of day",
        "2026-11-23 only a date",
        "2026.11.23 is a version",
        "v1.2.3-20261123 is a version",
        "10.0.0.1 12:34:56 is an address",
        "300.300.300.300 is not",
        "123456 789012 are numbers",
        "1234567890abcdef is hexadecimal",
        "1234567890-1234 is a part of a UUID",
        "999999999 is before 2001",
        "5000000000 is after 2100",
        "12345678901 has eleven digits",
        "9223372036854775807 is the largest i64",
        "9999999999999999999 is more",
        "2026-13-23 06:26:04 has no such month",
        "2026-11-32 06:26:04 has no such day",
        "2026-11-23 24:26:04 has no such hour",
        "2026-11-23 06:60:04 has no such minute",
        "2026-11-23 06:26:61 has no such second",
        "2026-11-23 06:26:041 is longer",
        "2026-11-23x06:26:04 has another separator",
        "Nov 32 06:26:04 has no such day",
        "Nox 23 06:26:04 has no such month",
        "[12345] is a process",
        "[12:34:56] is a time of day",
        "11/12/2026 06:26:04 has an ambiguous date",
        "13:00 PM",
        "x2026-11-23 06:26:04",
    ] {
        let found = detected(&[line; 5]);
        assert!(found.is_none(), "{line}: {found:?}");
    }
}

/// A date that does not exist is found by its form, but has no time.
#[test]
fn dates_that_do_not_exist_have_no_time() {
    for line in ["2026-02-29 06:26:04", "2100-02-29 06:26:04", "2026-04-31 06:26:04", "Feb 30 06:26:04"] {
        assert_eq!(read(line, &utc()), None, "{line}");
    }
}
