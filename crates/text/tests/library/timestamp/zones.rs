//! Zones: the record's own, the given one, and the changes of clocks.

use rread_text::timestamp::zone;

use super::{REFERENCE, context, detected, time, utc};

fn read(line: &str, zone: &str) -> String {
    let found = detected(&[line]).unwrap();
    found.time_of(line.as_bytes(), &context(zone, REFERENCE)).unwrap().to_string()
}

#[test]
fn the_zone_of_the_record_comes_first() {
    assert_eq!(read("2026-11-23 06:26:04 a", "Europe/Berlin"), "2026-11-23T05:26:04Z");
    assert_eq!(read("2026-07-23 06:26:04 a", "Europe/Berlin"), "2026-07-23T04:26:04Z");
    assert_eq!(read("2026-07-23 06:26:04 a", "+05:30"), "2026-07-23T00:56:04Z");
    assert_eq!(read("2026-11-23 06:26:04Z a", "Europe/Berlin"), "2026-11-23T06:26:04Z");
    assert_eq!(read("2026-11-23 06:26:04 -0800 a", "Europe/Berlin"), "2026-11-23T14:26:04Z");
    assert_eq!(read("Nov 23 06:26:04 a", "America/New_York"), "2026-11-23T11:26:04Z");
    assert_eq!(read("Mon Nov 23 06:26:04 UTC 2026", "Europe/Berlin"), "2026-11-23T06:26:04Z");
    // CST is in Chicago, Shanghai and Havana.
    assert_eq!(read("Mon Nov 23 06:26:04 CST 2026", "Asia/Shanghai"), "2026-11-22T22:26:04Z");
    assert_eq!(read("1795415164 a", "Asia/Shanghai"), "2026-11-23T06:26:04Z");
    // A word before `=` names a value.
    assert_eq!(read("2026-11-23 06:26:04 utc=05:26 a", "Europe/Berlin"), "2026-11-23T05:26:04Z");
    assert_eq!(read("2026-11-23 06:26:04 est_s=5 a", "Europe/Berlin"), "2026-11-23T05:26:04Z");
}

/// 02:00 to 03:00 does not exist on 29 March 2026, and exists twice on 25 October.
#[test]
fn changes_of_clocks_are_compatible_with_rfc_5545() {
    for (line, expected) in [
        ("2026-03-29 01:59:59 a", "2026-03-29T00:59:59Z"),
        ("2026-03-29 02:00:00 a", "2026-03-29T01:00:00Z"),
        ("2026-03-29 02:30:00 a", "2026-03-29T01:30:00Z"),
        ("2026-03-29 03:00:00 a", "2026-03-29T01:00:00Z"),
        ("2026-10-25 01:59:59 a", "2026-10-24T23:59:59Z"),
        ("2026-10-25 02:00:00 a", "2026-10-25T00:00:00Z"),
        ("2026-10-25 02:59:59 a", "2026-10-25T00:59:59Z"),
        ("2026-10-25 03:00:00 a", "2026-10-25T02:00:00Z"),
        ("2026-10-25 02:30:00+02:00 a", "2026-10-25T00:30:00Z"),
        ("2026-10-25 02:30:00+01:00 a", "2026-10-25T01:30:00Z"),
    ] {
        assert_eq!(read(line, "Europe/Berlin"), expected, "{line}");
    }
}

#[test]
fn a_zone_is_a_name_or_an_offset() {
    for name in ["UTC", "Europe/Berlin", "europe/berlin", "Z", "+01:00", "-0730", "+01"] {
        assert!(zone(Some(name)).is_ok(), "{name}");
    }
    for name in ["", "Mars/Olympus", "+1", "+25:00", "+01:60", "../../etc/passwd", "06:01"] {
        let error = zone(Some(name)).unwrap_err();
        assert_eq!(error.to_string(), format!("'{name}' is not a time zone"));
        assert!(error.hint.unwrap().plain().contains("Europe/Berlin"));
    }
    assert!(zone(None).is_ok());
}

#[test]
fn seconds_since_boot_count_from_the_boot() {
    let found = detected(&["[12345.678901] usb 1-1: new device"]).unwrap();
    assert!(found.is_since_boot());
    let line = b"[   60.500000] a";
    assert_eq!(found.time_of(line, &utc()), Some(time("1970-01-01T00:01:00.5Z")));
}

/// Each abbreviation that a zone of the database uses now is read as its time, also where another zone is given.
#[test]
fn abbreviations_of_the_database_are_known() {
    use jiff::Timestamp;
    let mut meanings: std::collections::BTreeMap<String, std::collections::BTreeSet<i32>> =
        Default::default();
    for month in [1, 7] {
        let time: Timestamp = format!("2026-{month:02}-15T00:00:00Z").parse().unwrap();
        for name in jiff::tz::db().available() {
            let zone = jiff::tz::TimeZone::get(name.as_str()).unwrap();
            let info = zone.to_offset_info(time);
            meanings.entry(info.abbreviation().to_owned()).or_default().insert(info.offset().seconds());
        }
    }
    let is_name = |name: &str| name.len() <= 4 && name.bytes().all(|byte| byte.is_ascii_uppercase());
    let mut count = 0;
    for (name, offsets) in meanings.iter().filter(|(name, _)| is_name(name)) {
        let line = format!("2026-11-23 06:26:04 {name} a");
        let found = detected(&[line.as_str(); 2])
            .and_then(|found| found.time_of(line.as_bytes(), &context("Etc/GMT+12", super::REFERENCE)));
        let local: Timestamp = "2026-11-23T06:26:04Z".parse().unwrap();
        let Some(found) = found else {
            assert!(offsets.len() > 1, "{name}");
            continue;
        };
        let offset = i32::try_from((local - found).get_seconds()).unwrap();
        assert!(offsets.contains(&offset), "{name} is {offsets:?}, not {offset}");
        count += 1;
    }
    assert!(count > 30, "{count}");
}
