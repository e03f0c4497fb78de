//! The formats of a log are a set, found in several samples.

use rread_text::timestamp::{Rule, detect_as, detect_in, detect_sparse};

use super::{time, utc};

/// Samples, each of lines of which `{}` is a number, so many times.
fn samples(texts: &[&[(&str, usize)]]) -> Vec<Vec<Vec<u8>>> {
    let lines = |(line, count): &(&str, usize)| {
        (0..*count).map(|n| line.replace("{}", &format!("{:02}", n % 60)).into_bytes()).collect::<Vec<_>>()
    };
    texts.iter().map(|sample| sample.iter().flat_map(lines).collect()).collect()
}

/// The formats of the samples, with the time of a line of each.
fn check(texts: &[&[(&str, usize)]], formats: Option<&str>, times: &[(&str, Option<&str>)]) {
    let samples = samples(texts);
    let slices: Vec<Vec<&[u8]>> =
        samples.iter().map(|sample| sample.iter().map(Vec::as_slice).collect()).collect();
    let found = detect_in(&slices, Rule::Log, None);
    assert_eq!(found.as_ref().map(|found| found.format()), formats, "{texts:?}");
    for (line, expected) in times {
        let found = found.as_ref().unwrap().time_of(line.as_bytes(), &utc());
        assert_eq!(found, expected.map(time), "{line}");
    }
}

const SYSLOG: (&str, usize) = ("Mar 11 05:58:{} host a: m", 40);
const RFC: (&str, usize) = ("2024-03-11T06:01:{}+00:00 host a: m", 40);
const BANNER: (&str, usize) = ("export V{}=x", 64);

#[test]
fn a_log_may_change_its_format() {
    let times = [
        ("Mar 11 05:58:07 host", Some("2026-03-11T05:58:07Z")),
        ("2024-03-11T06:01:07+00:00 host", Some("2024-03-11T06:01:07Z")),
    ];
    check(&[&[SYSLOG], &[RFC]], Some("syslog, rfc3339"), &times);
    check(&[&[SYSLOG, RFC]], Some("syslog, rfc3339"), &times);
    check(&[&[BANNER], &[SYSLOG], &[RFC]], Some("syslog, rfc3339"), &times);
    // Lines of two programs.
    check(&[&[SYSLOG, (RFC.0, 3)]], Some("syslog, rfc3339"), &times);
    let access = ("10.0.0.{} - - [11/Mar/2024:06:00:{} +0000] \"GET /\" 200 1", 30);
    check(
        &[&[RFC, access]],
        Some("rfc3339, clf"),
        &[("1.2.3.4 - - [11/Mar/2024:06:00:01 +0000] x", Some("2024-03-11T06:00:01Z"))],
    );
    check(
        &[&[("{\"time\":\"2024-03-11T06:00:{}Z\"}", 30)], &[RFC]],
        Some("rfc3339"),
        &[("{\"time\":\"2024-03-11T06:00:01Z\"}", Some("2024-03-11T06:00:01Z"))],
    );
    // The year stands in some records only.
    let years = [
        ("Mar 11 05:58:07 2021 host", Some("2021-03-11T05:58:07Z")),
        ("Mar 11 05:58:07 host", Some("2026-03-11T05:58:07Z")),
    ];
    check(&[&[SYSLOG], &[("Mar 11 05:58:{} 2021 host a: m", 40)]], Some("syslog, syslog-year"), &years);
}

#[test]
fn a_preamble_may_fill_samples() {
    check(&[&[BANNER], &[BANNER], &[RFC]], Some("rfc3339"), &[("export V=2024-03-11T06:01:07+00:00", None)]);
    check(&[&[RFC], &[BANNER], &[BANNER]], Some("rfc3339"), &[]);
    check(&[&[BANNER], &[BANNER]], None, &[]);
    // Times without a date that exists.
    check(&[&[("0000-00-00 00:00:00 m", 64)], &[RFC]], Some("rfc3339"), &[("0000-00-00 00:00:00 m", None)]);
}

#[test]
fn dates_in_the_lines_of_a_record_are_not_records() {
    let trace = [
        ("2024-03-11 06:00:{} ERROR a", 20),
        ("Caused by: b at 2024-03-11 05:00:{}", 3),
        ("java.io.IOException: 06:00:{}", 20),
    ];
    check(&[&trace], Some("rfc3339"), &[("Caused by: b at 2024-03-11 05:00:01", None)]);
}

#[test]
fn a_date_is_better_evidence_than_a_number() {
    let date = Some("2024-03-11T06:00:01Z");
    for (line, count, format) in [
        ("order 15000000{} shipped 2024-03-11 06:00:{}", 30, "rfc3339"),
        ("15000000{} 2024-03-11 06:00:{} x", 30, "rfc3339"),
        ("id=15000000{} ts=2024-03-11T06:00:{}Z", 30, "rfc3339"),
        ("15000000{},foo,2024-03-11 06:00:{}", 30, "rfc3339"),
        ("{\"id\":15000000{},\"time\":\"2024-03-11T06:00:{}Z\"}", 30, "rfc3339"),
        ("{\"time\":15000000{},\"date\":\"2024-03-11T06:00:{}Z\"}", 30, "rfc3339"),
        ("2024-03-11 06:00:{} order 15000000{}", 30, "rfc3339"),
        ("[1500000000{}] 11/Mar/2024:06:00:{} x", 30, "clf"),
        ("1500000000{}123 | Mar 11 2024 06:00:{} | x", 30, "cisco"),
    ] {
        check(&[&[(line, count)]], Some(format), &[(&line.replace("{}", "01"), date)]);
    }
    // In any sample.
    check(&[&[("15000000{} x", 64)], &[RFC]], Some("rfc3339"), &[("1500000001 x", None)]);
    // Named members count as dates.
    check(&[&[("{\"time\":17101368{},\"msg\":\"2019-01-01 00:00:00\"}", 30)]], Some("epoch"), &[]);
}

#[test]
fn numbers_are_times_only_if_they_rise() {
    check(&[&[("17101368{} x", 60)]], Some("epoch"), &[]);
    let random = (0..60u64).map(|n| format!("1{:09} x", n * 7_919_777_777 % 1_000_000_000).into_bytes());
    let random: Vec<Vec<u8>> = random.collect();
    let lines: Vec<&[u8]> = random.iter().map(Vec::as_slice).collect();
    assert!(detect_in(&[lines], Rule::Log, None).is_none());
    // Each line has a date, though at no steady place.
    let dated = |n: u64| {
        format!(
            "15000000{n:02} {}at 2024-03-11 06:00:{n:02}",
            "word ".repeat(usize::try_from(n % 7).unwrap())
        )
    };
    let dated: Vec<Vec<u8>> = (0..60).map(|n| dated(n).into_bytes()).collect();
    let lines: Vec<&[u8]> = dated.iter().map(Vec::as_slice).collect();
    let found = detect_in(&[lines], Rule::Log, None);
    assert!(found.is_none(), "{found:?}");
}

#[test]
fn a_given_format_is_found_in_any_sample() {
    let samples = samples(&[&[BANNER], &[BANNER], &[("x <11.03.24 06.00.{}>", 5), BANNER]]);
    let slices: Vec<Vec<&[u8]>> =
        samples.iter().map(|sample| sample.iter().map(Vec::as_slice).collect()).collect();
    let found = detect_as(Some("%d.%m.%y %H.%M.%S"), &slices, Rule::Log, None).unwrap().unwrap();
    assert_eq!(found.time_of(b"x <11.03.24 06.00.07>", &utc()), Some(time("2024-03-11T06:00:07Z")));
    assert!(detect_as(Some("%d.%m.%y %H:%M:%S"), &slices, Rule::Log, None).unwrap().is_none());
}

/// The format and position that [`detect_sparse`] finds in a text.
fn sparse(text: &str, skipped: usize) -> Option<String> {
    let lines: Vec<&[u8]> = text.lines().map(str::as_bytes).collect();
    let found = detect_sparse(&[lines], skipped, true, None)?;
    Some(format!("{}, {}", found.format(), found.position()))
}

#[test]
fn few_lines_may_begin_records() {
    let log = |records: usize, head: &str, rest: &str| {
        (10..10 + records).map(|n| head.replace("{}", &n.to_string()) + "\n" + rest).collect::<String>()
    };
    let first = Some("rfc3339, byte 0".to_owned());
    let second = Some("rfc3339, after blank 1".to_owned());
    // A sample of each has fewer lines with a time than `detect` wants.
    assert_eq!(sparse(&log(2, "2024-03-11 06:{}:00 a", &"line\n".repeat(200)), 0), first);
    assert_eq!(sparse(&log(2, "ERROR 2024-03-11 06:{}:00 a", &"line\n".repeat(60)), 0), second);
    assert_eq!(sparse(&log(2, "ERROR 2024-03-11 06:{}:00 a", ""), 510), second);
    assert_eq!(sparse(&log(2, "ERROR 2024-03-11 06:{}:00 a", ""), 511), None);
    // The record of a log that begins.
    assert_eq!(sparse(&log(1, "2024-03-11 06:{}:00 a", &"line\n".repeat(200)), 0), first);
    assert_eq!(sparse(&("line\n".to_owned() + &log(1, "2024-03-11 06:{}:00 a", "line\n")), 0), None);
    // Dates in the lines of a record.
    let rows =
        "insert '2019-05-01 00:00:00'\ninsert '2018-05-01 00:00:00'\ninsert '2017-05-01 00:00:00'\nend\n";
    assert_eq!(sparse(&log(6, "ERROR 2024-03-11 06:{}:00 a", rows), 0), second);
    let row = "at b 2024-03-11 06:00:00\nline\nline\n";
    assert_eq!(sparse(&log(6, "2024-03-11 06:{}:00 a", row), 0), first);
    assert_eq!(sparse(&log(6, "ERROR 2024-03-11 06:{}:00 a", &("line\n".repeat(4) + row)), 0), second);
    let indented = "  2019-05-01 00:00:00\n  2019-05-01 00:00:00\nline\n";
    assert_eq!(sparse(&log(6, "ERROR 2024-03-11 06:{}:00 a", &indented.repeat(4)), 0), second);
    // Numbers and prose.
    assert_eq!(sparse(&log(9, "17104152{} a", "line\nline\nline\nline\n"), 0), None);
    assert_eq!(sparse("line\nsee 2024-03-11 06:00:00\nmore of it on 2024-03-11 06:00:00\n", 0), None);
}
