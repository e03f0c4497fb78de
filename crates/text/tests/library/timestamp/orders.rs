//! Dates of three numbers, whose order other lines must show.

use rread_text::timestamp::{Rule, Unread, detect_in, format_of, why_unread};

use super::{detect_custom, detected, utc};

fn read(lines: &[&str]) -> Option<(String, String)> {
    let found = detected(lines)?;
    let time = found.time_of(lines[0].as_bytes(), &utc())?;
    Some((found.format().to_owned(), time.to_string()))
}

#[test]
fn an_order_needs_evidence() {
    for (lines, expected) in [
        // A number above 12 is not a month.
        (&["03/11/2024 06:00:00 a", "03/13/2024 06:00:00 a"][..], Some(("us-24", "2024-03-11T06:00:00Z"))),
        (&["03/11/2024 06:00:00 a", "13/11/2024 06:00:00 a"], Some(("day-first", "2024-11-03T06:00:00Z"))),
        (
            &["3/11/24 6:00:00:000 UTC a", "3/13/24 6:00:00:000 UTC a"],
            Some(("us-short", "2024-03-11T06:00:00Z")),
        ),
        (
            &["03-11-2024 06:00:00 a", "13-11-2024 06:00:00 a"],
            Some(("day-first-dashes", "2024-11-03T06:00:00Z")),
        ),
        (&["03/11/2024 06:00:00 a", "03/12/2024 06:00:00 a"], None),
        (&["02/01/03 06:00:00 a", "02/01/03 06:00:01 a"], None),
        (&["02-01-03 06:00:00 a", "02-01-03 06:00:01 a"], None),
        // A day moves while the year does not.
        (&["02/01/03 06:00:00 a", "02/01/04 06:00:00 a"], Some(("spark", "2002-01-03T06:00:00Z"))),
        (&["24-03-11 06:00:00 a", "24-03-12 06:00:00 a"], Some(("short-year", "2024-03-11T06:00:00Z"))),
        (&["17/06/09 06:00:00 a", "18/06/09 06:00:00 a"], Some(("day-first-short", "2009-06-17T06:00:00Z"))),
        (&["02/01/03 06:00:00 a", "05/01/03 06:00:00 a"], None),
        // A day alone shows the order only if the program is known.
        (&["17/06/09 06:00:00 a", "17/06/09 06:00:01 a"], None),
        (&["24-03-11 06:00:00 a", "24-03-11 06:00:01 a"], None),
        (
            &["17/06/09 06:00:00 INFO spark.SecurityManager: a", "17/06/09 06:00:01 INFO util.Utils: a"],
            Some(("spark", "2017-06-09T06:00:00Z")),
        ),
        // With dots, the day is first unless the last number moves.
        (&["21.09.23 10:30:01 a", "21.09.23 10:30:02 a"], Some(("dots-short", "2023-09-21T10:30:01Z"))),
        (&["26.10.11 10:00:00 a", "26.10.12 10:00:00 a"], Some(("year-dots-short", "2026-10-11T10:00:00Z"))),
        (&["11.10.26 10:00:00 a", "12.10.26 10:00:00 a"], Some(("dots-short", "2026-10-11T10:00:00Z"))),
        (&["03/03/2024 06:00:00 a", "03/03/2024 06:00:01 a"], Some(("us-24", "2024-03-03T06:00:00Z"))),
        // Lines that contradict each other are no dates.
        (&["13/11/2024 06:00:00 a", "11/13/2024 06:00:00 a"], None),
        // AM and PM without another sign are of the USA.
        (&["03/11/2024 06:00:00 AM a", "03/12/2024 06:00:00 AM a"], Some(("us", "2024-03-11T06:00:00Z"))),
        (
            &["03/11/2024 06:00:00 AM a", "13/11/2024 06:00:00 AM a"],
            Some(("day-first-12", "2024-11-03T06:00:00Z")),
        ),
    ] {
        let expected = expected.map(|(format, time)| (format.to_owned(), time.to_owned()));
        assert_eq!(read(lines), expected, "{lines:?}");
    }
}

/// The first lines may not show what the last do.
#[test]
fn every_sample_is_evidence() {
    let sample = |day: u32| (0..9).map(|n| format!("03/{day:02}/2024 06:00:0{n} a")).collect::<Vec<_>>();
    let samples = [sample(1), sample(9), sample(14)];
    let lines = |samples: &'_ [Vec<String>]| -> Vec<Vec<Vec<u8>>> {
        samples.iter().map(|sample| sample.iter().map(|line| line.clone().into_bytes()).collect()).collect()
    };
    let all = lines(&samples);
    let slices: Vec<Vec<&[u8]>> =
        all.iter().map(|sample| sample.iter().map(Vec::as_slice).collect()).collect();
    assert_eq!(detect_in(&slices, Rule::Log, None).unwrap().format(), "us-24");
    assert!(detect_in(&slices[..2], Rule::Log, None).is_none());
}

/// The hint of the error must read the log.
#[test]
fn a_format_is_suggested_that_reads_the_time() {
    for (line, format, expected) in [
        ("03/11/2024 06:00:00 a", "%d/%m/%Y %H:%M:%S", "2024-11-03T06:00:00Z"),
        ("3-4-2024 06:00:00.250 a", "%d-%m-%Y %H:%M:%S.%f", "2024-04-03T06:00:00.25Z"),
        ("[03/04/05, 06:00:00 PM] a", "%d/%m/%y, %I:%M:%S %p", "2005-04-03T18:00:00Z"),
        ("03/04/05,06:00:00 a", "%d/%m/%y,%H:%M:%S", "2005-04-03T06:00:00Z"),
        ("03-04-05 06:00:00,5 a", "%d-%m-%y %H:%M:%S,%f", "2005-04-03T06:00:00.5Z"),
        ("x 03/04/2024 06:00:00 +0100 a", "%d/%m/%Y %H:%M:%S %z", "2024-04-03T05:00:00Z"),
    ] {
        let Some(Unread::Order { format: found, days, .. }) = why_unread([line.as_bytes()]) else {
            panic!("{line}");
        };
        assert_eq!(found, format, "{line}");
        assert!(days.len() > 1 && days.contains(&expected[..10].to_owned()), "{line}: {days:?}");
        let detected = detect_custom(&found, [line.as_bytes(); 2]).unwrap().unwrap();
        assert_eq!(detected.time_of(line.as_bytes(), &utc()).unwrap().to_string(), expected, "{line}");
    }
}

#[test]
fn the_suggested_format_of_a_clock_begins_with_the_hour() {
    let line = b"10:30:10.123456 IP 10.0.0.1.443 > 10.0.0.2.5000: Flags [S]";
    assert_eq!(format_of(line).as_deref(), Some("%H:%M:%S.%f"));
}
