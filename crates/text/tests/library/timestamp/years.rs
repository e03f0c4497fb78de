//! Years of formats that have none.

use jiff::civil::{DateTime, Time};
use rread_text::timestamp::{TimeContext, resolve_year};

use super::{context, detected, time};

fn year(month: i8, day: i8, clock: &str, latest: &str) -> Option<i16> {
    let clock: Time = clock.parse().unwrap();
    let latest: DateTime = latest.parse().unwrap();
    resolve_year(month, day, clock, latest)
}

#[test]
fn the_year_is_the_latest_that_is_not_too_late() {
    let latest = "2026-11-24T18:00:00";
    assert_eq!(year(11, 24, "18:00:00", latest), Some(2026));
    assert_eq!(year(11, 24, "18:00:00.000000001", latest), Some(2025));
    assert_eq!(year(1, 1, "00:00:00", latest), Some(2026));
    assert_eq!(year(12, 31, "23:59:59", latest), Some(2025));
    assert_eq!(year(12, 31, "23:59:59", "2027-01-01T00:00:00"), Some(2026));
}

#[test]
fn the_29th_of_february_is_in_a_leap_year() {
    assert_eq!(year(2, 29, "00:00:00", "2026-11-24T18:00:00"), Some(2024));
    assert_eq!(year(2, 29, "00:00:00", "2024-02-29T00:00:00"), Some(2024));
    assert_eq!(year(2, 29, "00:00:01", "2024-02-29T00:00:00"), Some(2020));
    assert_eq!(year(2, 29, "00:00:00", "2104-02-28T00:00:00"), Some(2096));
    assert_eq!(year(2, 30, "00:00:00", "2026-11-24T18:00:00"), None);
    assert_eq!(year(2, 29, "00:00:00", "-009999-01-01T00:00:00"), None);
}

/// A record is up to a day after the modification time: clocks differ, and the zone may be another one.
#[test]
fn the_last_record_has_the_year_of_the_modification() {
    let found = detected(&["Dec 31 23:59:59 host app: a"]).unwrap();
    for (modified, line, expected) in [
        ("2026-11-23T18:00:00Z", "Nov 23 17:59:59 host", "2026-11-23T17:59:59Z"),
        ("2026-11-23T18:00:00Z", "Nov 24 18:00:00 host", "2026-11-24T18:00:00Z"),
        ("2026-11-23T18:00:00Z", "Nov 24 18:00:01 host", "2025-11-24T18:00:01Z"),
        ("2027-01-01T00:00:05Z", "Dec 31 23:59:59 host", "2026-12-31T23:59:59Z"),
        ("2026-12-31T23:59:59Z", "Jan  1 00:00:00 host", "2027-01-01T00:00:00Z"),
    ] {
        let at = found.time_of(line.as_bytes(), &context("UTC", modified)).unwrap();
        assert_eq!(at, time(expected), "{line}, modified {modified}");
    }
}

/// Each record is the reference of the one before it, over any number of years.
#[test]
fn a_walk_backwards_goes_over_new_year() {
    let lines = [
        "Feb 29 01:00:00 a",
        "Dec 31 23:59:59 b",
        "Jan  1 00:00:00 c",
        "Jan  1 00:00:02 d",
        "Jan  1 00:00:01 e",
        "Oct  2 03:04:05 f",
        "Jan  3 00:00:00 g",
    ];
    let found = detected(&lines).unwrap();
    let (mut reference, mut times) = (time("2026-02-01T00:00:00Z"), Vec::new());
    for line in lines.iter().rev() {
        let zone = super::zone(Some("UTC")).unwrap();
        reference = found.time_of(line.as_bytes(), &TimeContext::new(zone, reference)).unwrap();
        times.push(reference.to_string());
    }
    times.reverse();
    assert_eq!(
        times,
        [
            "2024-02-29T01:00:00Z",
            "2024-12-31T23:59:59Z",
            "2025-01-01T00:00:00Z",
            "2025-01-01T00:00:02Z",
            "2025-01-01T00:00:01Z",
            "2025-10-02T03:04:05Z",
            "2026-01-03T00:00:00Z",
        ]
    );
}

/// With one reference, records come in any order, as a bisection reads them.
#[test]
fn one_reference_is_enough_for_a_log_of_less_than_a_year() {
    let found = detected(&["I1123 06:26:04.000000 1 a.go:1] a"]).unwrap();
    let context = context("UTC", "2026-03-01T12:00:00Z");
    let days = [(3, 2, 2025), (3, 31, 2025), (12, 31, 2025), (1, 1, 2026), (2, 28, 2026), (3, 1, 2026)];
    let times = days.map(|(month, day, year)| {
        let line = format!("I{month:02}{day:02} 23:00:00.000000 1 a.go:1] a");
        let found = found.time_of(line.as_bytes(), &context).unwrap();
        assert_eq!(found, time(&format!("{year}-{month:02}-{day:02}T23:00:00Z")), "{line}");
        found
    });
    assert!(times.is_sorted());
}

/// The year is that of the zone in which the record was written.
#[test]
fn the_reference_is_seen_in_the_zone() {
    let found = detected(&["Jan  1 08:00:00 host a"]).unwrap();
    let tokyo = context("Asia/Tokyo", "2026-12-30T23:30:00Z");
    assert_eq!(found.time_of(b"Jan  1 08:00:00 host", &tokyo), Some(time("2026-12-31T23:00:00Z")));
    let utc = context("UTC", "2026-12-30T23:30:00Z");
    assert_eq!(found.time_of(b"Jan  1 08:00:00 host", &utc), Some(time("2026-01-01T08:00:00Z")));
}
