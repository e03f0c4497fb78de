//! Windows of random logs against a filter that looks at every record.

use std::ops::Range;
use std::sync::atomic::Ordering;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use rread_reader::reader::{Reader, Tuning};
use rread_reader::times::{Found, Log, TimeOptions, Window};
use rread_source::MemorySource;
use rread_testkit::sample::cases;
use rread_text::timestamp::zone as named_zone;

/// Times of the last weeks, so that no record is in another year and no clock is set.
const DAYS: i64 = 12;

/// A way to write a time into a line: a name, what is before it, a strftime and what is after it.
const WAYS: [(&str, &str, &str, &str); 9] = [
    ("rfc3339", "", "%Y-%m-%dT%H:%M:%S%:z", " INFO "),
    ("rfc3339", "", "%Y-%m-%d %H:%M:%S,123", " INFO "),
    ("syslog", "", "%b %e %H:%M:%S", " host prog[1]: "),
    ("clf", "10.0.0.1 - - [", "%d/%b/%Y:%H:%M:%S %z", "] \"GET / HTTP/1.1\" 200 "),
    ("klog", "I", "%m%d %H:%M:%S.000000", " 1 main.go:1] "),
    ("slashes", "", "%Y/%m/%d %H:%M:%S", " [error] "),
    ("epoch", "", "%s.000", " "),
    ("rfc3339", "{\"level\":\"info\",\"time\":\"", "%Y-%m-%dT%H:%M:%S%:z", "\",\"msg\":\""),
    ("ctime", "[", "%a %b %d %H:%M:%S %Y", "] [notice] "),
];

const ZONES: [&str; 4] = ["UTC", "+05:30", "Asia/Tokyo", "America/Sao_Paulo"];

/// The ways that have a year, of which the last three have no zone.
const WAYS_WITH_YEAR: [usize; 7] = [0, 3, 6, 7, 1, 5, 8];

/// Two hours before clocks in New York are set forward, and before they are set back.
const SET: [i64; 2] = [1_741_496_400, 1_762_056_000];

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: u64) -> i64 {
        i64::try_from((self.next() >> 11) % limit.max(1)).unwrap()
    }
}

/// A log, and the start and the second of each of its records.
struct Sample {
    text: Vec<u8>,
    records: Vec<(u64, i64)>,
}

/// The time of a record that a clock in New York shows without a zone: the second time, it is the first.
fn read_without_zone(second: i64) -> i64 {
    let hour = 3600;
    if (SET[1] + 2 * hour..SET[1] + 3 * hour).contains(&second) { second - hour } else { second }
}

fn sample(rng: &mut Rng, way: usize, zone: &TimeZone, slack: i64, since: Option<i64>) -> Sample {
    let (_, before, format, after) = WAYS[way];
    let mut clock = since.unwrap_or(Timestamp::now().as_second() - DAYS * 86_400) + rng.below(7200);
    let (mut text, mut records) = (Vec::new(), Vec::new());
    let count = [1, 2, 5, 60, 900, 3000][usize::try_from(rng.below(6)).unwrap()];
    let step = [1, 2, 4, 40][usize::try_from(rng.below(4)).unwrap()];
    let end: &[u8] = if rng.below(4) == 0 { b"\r\n" } else { b"\n" };
    for line in 0..rng.below(if count >= 60 { 20 } else { 1 }) {
        text.extend(format!("banner {line}").into_bytes());
        text.extend(end);
    }
    // A sixth of the records, at most, are of several lines, so that the format is found.
    for number in 0..count {
        clock += rng.below(step);
        let second = clock - rng.below(u64::try_from(slack).unwrap() + 1);
        let time =
            Timestamp::from_second(second).unwrap().to_zoned(zone.clone()).strftime(format).to_string();
        let is_local = since.is_some() && WAYS_WITH_YEAR[4..].contains(&way);
        let read_as = if is_local { read_without_zone(second) } else { second };
        records.push((text.len() as u64, read_as));
        text.extend(format!("{before}{time}{after}request {number}").into_bytes());
        if number > 70 && rng.below(900) == 0 {
            text.extend(vec![b'x'; 90_000]);
        }
        // A time in the middle of a message is not that of the record.
        text.extend_from_slice(b" since 2019-01-01T00:00:00Z\"}");
        text.extend(end);
        if number > 2 && rng.below(6) == 0 {
            for line in 0..rng.below(if number > 70 { 30 } else { 3 }) {
                text.extend(format!("\tat Main.run(Main.java:{line})").into_bytes());
                text.extend(end);
            }
        }
    }
    if rng.below(3) == 0 {
        text.truncate(text.len() - end.len());
    }
    Sample { text, records }
}

/// What the documents promise, by looking at every record.
fn expected(sample: &Sample, since: Option<i64>, until: Option<i64>) -> Range<u64> {
    let size = sample.text.len() as u64;
    let is_since = |time: i64| since.is_none_or(|since| time >= since);
    let is_before = |time: i64| until.is_none_or(|until| time < until);
    let records = &sample.records;
    let Some((first, _)) = records.iter().find(|(_, time)| is_since(*time) && is_before(*time)) else {
        let place = records.iter().find(|(_, time)| is_since(*time)).map_or(size, |(start, _)| *start);
        return place..place;
    };
    let last = records.iter().rposition(|(_, time)| is_since(*time) && is_before(*time)).unwrap();
    let end = records.get(last + 1).map_or(size, |(start, _)| *start);
    (if since.is_some() { *first } else { 0 })..end
}

/// Every record in the window, adjacent ones merged.
fn expected_scan(sample: &Sample, since: Option<i64>, until: Option<i64>) -> Vec<Range<u64>> {
    let size = sample.text.len() as u64;
    let mut spans: Vec<Range<u64>> = Vec::new();
    for (at, (start, time)) in sample.records.iter().enumerate() {
        if since.is_some_and(|since| *time < since) || until.is_some_and(|until| *time >= until) {
            continue;
        }
        let end = sample.records.get(at + 1).map_or(size, |(start, _)| *start);
        // Lines before the first record belong to it if the window has no start.
        let start = if at == 0 && since.is_none() { 0 } else { *start };
        match spans.last_mut().filter(|span| span.end == start) {
            Some(span) => span.end = end,
            None => spans.push(start..end),
        }
    }
    if spans.is_empty() {
        spans.push(expected(sample, since, until));
    }
    spans
}

fn find(log: &Log<'_>, since: Option<i64>, until: Option<i64>, scan: bool) -> Found {
    let time = |second: i64| Timestamp::from_second(second).unwrap();
    log.find(Window { since: since.map(time), until: until.map(time), has_zone: false }, scan).unwrap()
}

fn bisect(log: &Log<'_>, since: Option<i64>, until: Option<i64>) -> Found {
    let time = |second: i64| Timestamp::from_second(second).unwrap();
    log.find_by_bisection(Window { since: since.map(time), until: until.map(time), has_zone: false }).unwrap()
}

#[test]
fn a_window_has_the_records_that_a_filter_finds() {
    let mut rng = Rng(0x9E37_79B9_7F4A_7C15);
    let rounds = std::env::var("PROPTEST_CASES").ok().and_then(|count| count.parse().ok());
    for round in 0..rounds.unwrap_or(cases(3000, 150)) {
        let mut way = round % WAYS.len();
        let mut zone_name = ZONES[usize::try_from(rng.below(4)).unwrap()];
        let mut slack = [0, 0, 1, 10][usize::try_from(rng.below(4)).unwrap()];
        // In a quarter of the logs, clocks are set.
        let set = (rng.below(4) == 0).then(|| SET[round % 2]);
        if set.is_some() {
            way = WAYS_WITH_YEAR[round % WAYS_WITH_YEAR.len()];
            zone_name = "America/New_York";
        }
        let zone = named_zone(Some(zone_name)).unwrap();
        let sample = sample(&mut rng, way, &zone, slack, set);
        if set == Some(SET[1]) {
            // What is shown twice is an hour out of order.
            slack += 3600;
        }
        let reader = Reader::new(Box::new(MemorySource::new(&*sample.text)), Tuning::default()).unwrap();
        let options = TimeOptions {
            zone: Some(zone_name.to_owned()),
            slack: Some(SignedDuration::from_secs(slack)),
            ..TimeOptions::default()
        };
        let log = Log::open(&reader, &options).unwrap().unwrap();
        assert_eq!(log.format(), WAYS[way].0);
        let (first, last) = (sample.records[0].1, sample.records[sample.records.len() - 1].1);
        assert_eq!((log.first.time.as_second(), log.last.time.as_second()), (first, last));
        let span = last.abs_diff(first) + 60;
        for _ in 0..12 {
            let a = first - 30 + rng.below(span);
            let b = a + [0, 1, 7, rng.below(span)][usize::try_from(rng.below(4)).unwrap()];
            let (since, until) = [(Some(a), Some(b)), (Some(a), None), (None, Some(b))]
                [usize::try_from(rng.below(3)).unwrap()];
            let what =
                format!("round {round}, {:?}, {zone_name}, slack {slack}, {since:?}..{until:?}", WAYS[way]);
            let found = find(&log, since, until, false);
            assert_eq!(found.spans, [expected(&sample, since, until)], "{what}");
            assert!(!found.is_unordered, "{what}");
            // As in a larger file.
            assert_eq!(bisect(&log, since, until), found, "{what}");
            assert_eq!(find(&log, since, until, true).spans, expected_scan(&sample, since, until), "{what}");
        }
    }
}

fn log_of<T>(text: &str, use_it: impl Fn(&Log<'_>) -> T) -> T {
    let reader = Reader::new(Box::new(MemorySource::new(text)), Tuning::default()).unwrap();
    let options = TimeOptions { zone: Some("UTC".to_owned()), ..TimeOptions::default() };
    use_it(&Log::open(&reader, &options).unwrap().unwrap())
}

/// All records of 11 November fit both orders, and those of other days do not: a part of the file with that day alone shows
/// no order.
#[test]
fn a_day_that_fits_both_orders_shows_none() {
    let log = |first: &str, form: &str, minutes: i64, count: i64, more: &str| -> Option<Timestamp> {
        let first: jiff::civil::DateTime = first.parse().unwrap();
        let line = |n: i64| (first + jiff::Span::new().minutes(n * minutes)).strftime(form).to_string();
        let text: String = (0..count).map(|n| line(n) + " INFO request\n" + &more.repeat(3)).collect();
        let reader = Reader::new(Box::new(MemorySource::new(text)), Tuning::default()).unwrap();
        let options = TimeOptions { zone: Some("UTC".to_owned()), ..TimeOptions::default() };
        Log::open(&reader, &options).unwrap().map(|log| log.first.time)
    };
    for form in ["%d/%m/%Y %H:%M:%S", "[%m-%d-%Y %H:%M:%S]"] {
        for (first, count) in [("2025-11-10T20:00", 96), ("2025-11-08T00:00", 480), ("2025-10-09T05:00", 200)]
        {
            assert_eq!(log(first, form, 15, count, ""), None, "{form} from {first}");
            assert_eq!(
                log(first, form, 15, count, "at a line of a trace\n"),
                None,
                "{form} from {first}, rare"
            );
        }
        // A number above 12 anywhere in the file shows the order of all.
        let shown = log("2025-11-08T00:00", form, 15, 700, "");
        assert_eq!(shown.map(|time| time.to_string()).as_deref(), Some("2025-11-08T00:00:00Z"), "{form}");
        let alone = log("2025-11-11T01:00", form, 15, 90, "");
        assert_eq!(alone.map(|time| time.to_string()).as_deref(), Some("2025-11-11T01:00:00Z"), "{form}");
    }
}

#[test]
fn disorder_beyond_the_slack_is_reported_and_a_scan_finds_all() {
    let lines = |hour: i64| {
        (0..2000).map(move |n| format!("2026-11-23T{hour:02}:{:02}:{:02}Z line {n}\n", n / 60, n % 60))
    };
    let text: String = lines(6).chain(lines(3)).chain(lines(9)).collect();
    let time = |text: &str| Some(text.parse::<Timestamp>().unwrap().as_second());
    let (since, until) = (time("2026-11-23T03:10:00Z"), time("2026-11-23T03:20:00Z"));
    log_of(&text, |log| {
        assert!(bisect(log, since, until).is_unordered);
        let spans = find(log, since, until, true).spans;
        // A small file is read as a whole anyway.
        assert_eq!(find(log, since, until, false), Found { spans: spans.clone(), is_unordered: false });
        let [span] = &spans[..] else { panic!("{spans:?}") };
        let (start, end) = (usize::try_from(span.start).unwrap(), usize::try_from(span.end).unwrap());
        assert!(text[start..].starts_with("2026-11-23T03:10:00Z"));
        assert!(text[end..].starts_with("2026-11-23T03:20:00Z"));
        let (since, until) = (time("2026-11-23T03:00:00Z"), time("2026-11-23T06:00:01Z"));
        assert_eq!(find(log, since, until, true).spans.len(), 2);
    });
}

#[test]
fn the_order_of_a_small_file_does_not_matter() {
    let record = |minute: usize, more: &str| format!("2026-11-23T06:{minute:02}:00Z {more}\n");
    let text: String = [0, 5, 1, 6].into_iter().map(|minute| record(minute, "a")).collect();
    let time = |text: &str| Some(text.parse::<Timestamp>().unwrap().as_second());
    let (since, until) = (time("2026-11-23T06:01:00Z"), time("2026-11-23T06:02:00Z"));
    log_of(&text, |log| {
        let expected = Found { spans: std::iter::once(46..69).collect(), is_unordered: false };
        assert_eq!(find(log, since, until, false), expected);
        let since = Timestamp::from_second(since.unwrap()).unwrap();
        let (record, is_unordered) = log.first_since(since, false).unwrap();
        assert_eq!((record.unwrap().start, is_unordered), (23, false));
    });
    // In every second record, beyond the slack: each is a part.
    let text: String = (0..20).map(|n| record(n % 2 * 30 + n / 2, "a")).collect();
    log_of(&text, |log| {
        assert_eq!(find(log, time("2026-11-23T06:30:00Z"), None, false).spans.len(), 10);
    });
    // The whole of a larger file is read with a scan only.
    let large: String = (0..60).map(|n| record(n, &"x".repeat(20_000))).collect();
    let first = record(30, "late");
    log_of(&(first + &large), |log| {
        assert_ne!(find(log, since, until, false), find(log, since, until, true));
    });
}

#[test]
fn a_window_in_a_small_file_reads_it_once() {
    let text: String = (0..18_000)
        .map(|n| {
            format!(
                "2026-11-23T{:02}:{:02}:{:02}Z a line of some length {n}\n",
                n / 3600,
                n / 60 % 60,
                n % 60
            )
        })
        .collect();
    let size = text.len() as u64;
    assert!(size > 800_000 && size < 1 << 20);
    let reader = Reader::new(Box::new(MemorySource::new(&*text)), Tuning::default()).unwrap();
    let options = TimeOptions { zone: Some("UTC".to_owned()), ..TimeOptions::default() };
    let log = Log::open(&reader, &options).unwrap().unwrap();
    let before = reader.bytes_read().load(Ordering::Relaxed);
    let time = |text: &str| Some(text.parse::<Timestamp>().unwrap().as_second());
    let found = find(&log, time("2026-11-23T03:00:00Z"), time("2026-11-23T03:00:01Z"), false);
    assert_eq!(found.spans.len(), 1);
    let read = reader.bytes_read().load(Ordering::Relaxed) - before;
    eprintln!("{before} bytes to open the log, {read} to find a window in {size}");
    assert!(read <= size + (64 << 10), "{read} bytes of {size}");
}

#[test]
fn records_may_have_many_lines_that_are_not_indented() {
    // The lines of a record, and how many records: files that are a sample as a whole, that are read as a whole, and larger.
    for (lines, records) in [(4, 50), (4, 8000), (60, 9), (60, 1000), (200, 5), (200, 300)] {
        for before in ["", "ERROR ", "2026 WARN [main] "] {
            let trace = "ValueError: it is of 2019-05-01 or later\n".repeat(lines - 1)
                + "java.io.IOException: for the first time at 2019-05-01 06:00:00\n";
            let time = |n: u64| Timestamp::from_second(1_795_413_600 + n.cast_signed()).unwrap();
            let record =
                |n: u64| format!("{before}{} app failed\n{trace}", time(n).strftime("%Y-%m-%d %H:%M:%S,123"));
            let text: String = (0..records).map(record).collect();
            let (length, at) = (record(0).len() as u64, records / 2);
            log_of(&text, |log| {
                let window = Window { since: Some(time(at)), until: Some(time(at + 1)), has_zone: false };
                for scan in [false, true] {
                    let found = log.find(window, scan).unwrap();
                    let span = at * length..(at + 1) * length;
                    assert_eq!(found.spans, vec![span; 1], "{before}: {lines}, {records}");
                }
            });
        }
    }
}

#[test]
fn new_year_in_a_log_without_years() {
    let text = "Dec 30 23:00:00 a\nDec 31 23:59:59 b\nJan  1 00:00:00 c\nJan  2 01:00:00 d\n";
    log_of(text, |log| {
        let year = log.last.time.to_zoned(TimeZone::UTC).year();
        let window =
            log.window(Some(&format!("{}-12-31", year - 1)), Some(&format!("{year}-01-02"))).unwrap();
        assert_eq!(log.find(window, false).unwrap().spans.first(), Some(&(18..54)));
    });
}

#[test]
fn a_window_of_a_time_of_day_and_a_duration_is_one_night() {
    let text = "2026-11-22 22:45:00 a\n2026-11-23 01:00:00 b\n2026-11-23 06:00:00 c\n";
    log_of(text, |log| {
        let window = |since, until| {
            let window = log.window(Some(since), Some(until)).unwrap();
            [window.since.unwrap().to_string(), window.until.unwrap().to_string()]
        };
        assert_eq!(window("22:30", "+4h"), ["2026-11-22T22:30:00Z", "2026-11-23T02:30:00Z"]);
        assert_eq!(window("05:00", "+4h"), ["2026-11-23T05:00:00Z", "2026-11-23T09:00:00Z"]);
        // The log has nothing of the day before either.
        assert_eq!(window("07:00", "+4h"), ["2026-11-23T07:00:00Z", "2026-11-23T11:00:00Z"]);
        assert_eq!(window("2026-11-23 22:30", "+4h"), ["2026-11-23T22:30:00Z", "2026-11-24T02:30:00Z"]);
    });
}

#[test]
fn real_logs() {
    let Some(corpus) = std::env::var_os("RREAD_CORPUS") else {
        eprintln!("SKIPPED: RREAD_CORPUS is not set");
        return;
    };
    let folder = std::path::Path::new(&corpus).join("logs");
    let mut recognised = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let reader = Reader::open(&path).unwrap();
        let options = TimeOptions { zone: Some("UTC".to_owned()), ..TimeOptions::default() };
        let Some(log) = Log::open(&reader, &options).unwrap() else { continue };
        recognised += 1;
        // The bisection finds what a scan finds, unless the log is out of order.
        let (first, last) = (log.first.time.as_second(), log.last.time.as_second());
        for part in 1..8 {
            let since = first + (last - first) * part / 8;
            let (since, until) = (Some(since), Some(since + (last - first) / 16 + 1));
            let found = find(&log, since, until, false);
            let scanned = find(&log, since, until, true);
            if !scanned.is_unordered {
                assert!(!found.is_unordered, "{}", path.display());
                let (start, end) = (scanned.spans[0].start, scanned.spans.last().unwrap().end);
                let span = &found.spans[0];
                assert!(span.start == start && span.end >= end, "{}: {span:?}, {scanned:?}", path.display());
            }
        }
    }
    assert!(recognised > 0);
}
