//! Random times written by jiff and read back, and random bytes.

use jiff::civil::{DateTime, date};
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};
use proptest::collection::vec;
use proptest::prelude::*;
use rread_text::timestamp::{TimeContext, Words, detect};

use super::{context, detect_custom, time, utc};

/// Formats as strftime writes them, and their unit in nanoseconds.
const WRITTEN: &[(&str, &str, i64)] = &[
    ("rfc3339", "%Y-%m-%dT%H:%M:%S.%9f%:z", 1),
    ("rfc3339", "%Y-%m-%d %H:%M:%S,%3f %z", 1_000_000),
    ("clf", "%d/%b/%Y:%H:%M:%S %z", 1_000_000_000),
    ("ctime", "%a %b %e %H:%M:%S.%6f %Y %z", 1_000),
    ("rfc2822", "%a, %d %b %Y %H:%M:%S %z", 1_000_000_000),
    ("slashes", "%Y/%m/%d %H:%M:%S.%6f%z", 1_000),
    ("iso-basic", "%Y%m%dT%H%M%S.%1f%z", 100_000_000),
    ("compact-date", "%Y%m%d %H:%M:%S.%2f %z", 10_000_000),
    ("cisco", "%b %e %Y %H:%M:%S.%3f %z", 1_000_000),
    ("redis", "%d %b %Y %H:%M:%S.%3f %z", 1_000_000),
    ("dashes", "%d-%b-%Y %H:%M:%S.%3f %z", 1_000_000),
    ("epoch", "%s.%9f", 1),
    ("epoch", "%s%3f", 1_000_000),
    ("epoch", "%s%6f", 1_000),
    ("epoch", "%s%9f", 1),
];

/// Formats without a zone.
const WRITTEN_LOCALLY: &[(&str, &str)] = &[
    ("rfc3339", "%Y-%m-%d %H:%M:%S"),
    ("us", "%m/%d/%Y %I:%M:%S %p"),
    ("us", "%-m/%-d/%Y %-I:%M:%S %p"),
    ("java-logging", "%b %-d, %Y %-I:%M:%S %p"),
    ("dots", "%d.%m.%Y %H:%M:%S"),
    ("mysql", "%y%m%d %H:%M:%S"),
    ("hdfs", "%y%m%d %H%M%S"),
    ("glog", "I%Y%m%d %H:%M:%S"),
    ("fix", "%Y%m%d-%H:%M:%S"),
    ("syslog", "%b %e %H:%M:%S"),
    ("klog", "W%m%d %H:%M:%S"),
    ("android", "%m-%d %H:%M:%S"),
    ("proxifier", "%m.%d %H:%M:%S"),
];

fn read(line: &str, context: &TimeContext) -> Option<(String, Timestamp)> {
    let found = detect([line.as_bytes()])?;
    Some((found.format().to_owned(), found.time_of(line.as_bytes(), context)?))
}

fn rounded(time: Timestamp, unit: i64) -> Timestamp {
    let nanoseconds = time.as_nanosecond();
    Timestamp::from_nanosecond(nanoseconds - nanoseconds.rem_euclid(unit.into())).unwrap()
}

/// Times between 2002 and 2068, where years of two digits end.
fn times() -> impl Strategy<Value = Timestamp> {
    (1_010_000_000i64..3_090_000_000, 0..1_000_000_000i32)
        .prop_map(|(second, nanosecond)| Timestamp::new(second, nanosecond).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 5 } else { 300 }, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_written_time_is_read_back(time in times(), quarters in -48i32..=56, (format, written, unit) in proptest::sample::select(WRITTEN)) {
        let offset = Offset::from_seconds(quarters * 900).unwrap();
        let line = format!("{} start", time.to_zoned(offset.to_time_zone()).strftime(written));
        let found = read(&line, &context("Asia/Tokyo", super::REFERENCE));
        prop_assert_eq!(found, Some((format.to_owned(), rounded(time, unit))), "{}", line);
    }

    #[test]
    fn a_time_without_a_zone_is_in_the_given_one(time in times(), zone in proptest::sample::select(vec!["UTC", "Europe/Berlin", "America/St_Johns"]), (format, written) in proptest::sample::select(WRITTEN_LOCALLY)) {
        let zone = TimeZone::get(zone).unwrap();
        let zoned = rounded(time, 1_000_000_000).to_zoned(zone.clone());
        let line = format!("{} start", zoned.strftime(written));
        // An hour that exists twice is read as the first.
        let expected = zone.to_timestamp(zoned.datetime()).unwrap();
        let reference = expected.checked_add(SignedDuration::from_hours(24 * 300)).unwrap();
        let found = read(&line, &TimeContext::new(zone, reference));
        prop_assert_eq!(found, Some((format.to_owned(), expected)), "{}", line);
    }

    #[test]
    fn a_custom_format_reads_what_it_writes(time in times(), written in proptest::sample::select(vec!["%d/%m/%Y %H.%M.%S.%f", "%s%.f", "%Y %j %T %N %z", "%A, %B %e %Y, %l:%M:%S.%f %p"])) {
        let line = format!("x {} start", time.to_zoned(TimeZone::UTC).strftime(written));
        let found = detect_custom(written, [line.as_bytes()]).unwrap().unwrap();
        prop_assert_eq!(found.time_of(line.as_bytes(), &utc()), Some(time), "{}", line);
    }

    #[test]
    fn a_date_is_its_midnight(days in 0i64..20_000) {
        let day: DateTime = date(2000, 1, 1).saturating_add(jiff::Span::new().days(days)).at(0, 0, 0, 0);
        let words = Words { context: &utc(), now: time(super::REFERENCE), detected: None, since: None };
        prop_assert_eq!(words.parse(&day.date().to_string()).unwrap().to_string(), format!("{}Z", day));
    }

    #[test]
    fn random_bytes_never_panic(lines in vec(vec(any::<u8>(), 0..300), 0..8)) {
        let found = detect(lines.iter().map(Vec::as_slice));
        if let Some(found) = found {
            for line in &lines {
                let _ = found.time_of(line, &utc());
            }
        }
    }

    #[test]
    fn bytes_as_in_times_never_panic(line in "[-0-9:/., TZ+{}\"\\\\\\[a-z%]{0,160}", at in 0usize..60, format in "(%[-_0-9]?[a-zA-Z.:%][ -:]?){0,6}") {
        let seeds = ["2026-11-23T06:26:04.123+01:00", "Nov 23 06:26:04", "{\"ts\":1795415164.5,\"a\":\"b\"}", "[23/Nov/2026:06:26:04 +0000]"];
        for seed in seeds {
            let at = at.min(seed.len());
            let damaged = format!("{}{line}{}", &seed[..at], &seed[at..]);
            let found = detect([seed.as_bytes()]).unwrap();
            let _ = found.time_of(damaged.as_bytes(), &utc());
            let _ = detect([damaged.as_bytes()]);
            let words = Words { context: &utc(), now: time(super::REFERENCE), detected: Some(&found), since: None };
            let _ = words.parse(&line);
            let _ = words.parse(&format!("-{line}"));
        }
        if let Ok(Some(found)) = detect_custom(&format, [line.as_bytes()]) {
            let _ = found.time_of(line.as_bytes(), &utc());
        }
    }
}
