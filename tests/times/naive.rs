//! Windows at the command line against a filter that knows the time of every line: clocks that are set, leap seconds,
//! equal times, long lines, banners, encodings.

use rread_testkit::sample::cases;
use rread_testkit::sandbox::Sandbox;

/// Lines, each with its time in seconds since 1970, or without one.
type Lines = Vec<(String, Option<i64>)>;

/// 2025-03-09T00:00 in New York, where clocks go from 02:00 to 03:00.
const SPRING: i64 = 1_741_496_400;
/// 2025-11-02T00:00 in New York, where clocks go from 02:00 back to 01:00.
const AUTUMN: i64 = 1_762_056_000;
/// 2016-12-31T23:59:00Z, before a leap second.
const LEAP: i64 = 1_483_228_740;

/// The lines of the records in the window.
fn filtered(lines: &Lines, since: Option<i64>, until: Option<i64>) -> String {
    let is_within =
        |time: i64| since.is_none_or(|since| time >= since) && until.is_none_or(|until| time < until);
    // Lines before the first record belong to a window without a start, unless it has no record.
    let mut is_in = since.is_none() && lines.iter().any(|(_, time)| time.is_some_and(is_within));
    let mut text = String::new();
    for (line, time) in lines {
        is_in = time.map_or(is_in, is_within);
        if is_in {
            text += line;
        }
    }
    text
}

/// `lines` and `search` of the window, with and without `--scan`, return what the filter returns.
#[track_caller]
fn assert_window(
    sandbox: &Sandbox,
    lines: &Lines,
    (file, tz): (&str, &str),
    since: Option<(&str, i64)>,
    until: Option<(&str, i64)>,
) {
    let expected = filtered(lines, since.map(|(_, time)| time), until.map(|(_, time)| time));
    let mut window = vec![file.to_owned(), "--tz".to_owned(), tz.to_owned()];
    window.extend(since.map(|(text, _)| format!("--since={text}")));
    window.extend(until.map(|(text, _)| format!("--until={text}")));
    let ask = |first: &[&str], last: &str| {
        let words = first.iter().copied().chain(window.iter().map(String::as_str)).chain([last]);
        sandbox.run(words.filter(|word| !word.is_empty()))
    };
    for more in ["", "--scan"] {
        // Standard error may have the note that times are out of order.
        let run = ask(&["lines", "-f", "text"], more);
        assert_eq!(run.code, 0, "{run}");
        assert!(run.text() == expected, "{window:?}: {} bytes, not {}", run.text().len(), expected.len());
    }
    let run = ask(&["search", "-v", "no such text", "-c", "--raw"], "");
    let count = expected.lines().count();
    assert_eq!((run.text().trim(), run.code), (&*count.to_string(), i32::from(count == 0)), "{window:?}");
}

fn text_of(lines: &Lines) -> String {
    lines.iter().map(|(line, _)| line.as_str()).collect()
}

/// A record every minute from `start` on, as a clock in New York shows it; `offset` is what the clock is behind UTC.
fn new_york(start: i64, minutes: i64, offset: impl Fn(i64) -> i64, read_as: impl Fn(i64) -> i64) -> Lines {
    (0..minutes)
        .map(|minute| {
            let shown = start + minute * 60 - offset(minute) * 3600;
            let shown = jiff::Timestamp::from_second(shown).unwrap().strftime("%Y-%m-%d %H:%M:%S");
            (format!("{shown} INFO minute {minute} since 2019-01-01 00:00:00\n"), Some(read_as(minute)))
        })
        .collect()
}

#[test]
fn clocks_that_are_set_forward() {
    // At 02:00, after two hours, EST (5 h) becomes EDT (4 h).
    let lines =
        new_york(SPRING, 360, |minute| if minute < 120 { 5 } else { 4 }, |minute| SPRING + minute * 60);
    let sandbox = Sandbox::with("a.log", text_of(&lines));
    let at = |minute: i64| SPRING + minute * 60;
    let windows = [
        (Some(("01:30", at(90))), Some(("03:30", at(150)))),
        // No clock showed 02:30; with the time before, it is 03:30.
        (Some(("02:30", at(150))), Some(("04:00", at(180)))),
        (Some(("2025-03-09 01:59:00", at(119))), Some(("+2m", at(121)))),
        (None, Some(("03:00", at(120)))),
        (Some(("2025-03-09T03:00:00-04:00", at(120))), None),
        (Some(("2025-03-09T07:00:00Z", at(120))), Some(("2025-03-09T07:00:01Z", at(120) + 1))),
    ];
    for (since, until) in windows {
        assert_window(&sandbox, &lines, ("a.log", "America/New_York"), since, until);
    }
}

#[test]
fn clocks_that_are_set_back() {
    // From 01:00 to 02:00 twice, first in EDT (4 h). Without a zone, both are the first.
    let offset = |minute: i64| if minute < 120 { 4 } else { 5 };
    let read_as = |minute: i64| AUTUMN + 60 * if (120..180).contains(&minute) { minute - 60 } else { minute };
    let lines = new_york(AUTUMN, 420, offset, read_as);
    let sandbox = Sandbox::with("a.log", text_of(&lines));
    let at = |minute: i64| AUTUMN + minute * 60;
    for (since, until) in [
        (Some(("00:30", at(30))), Some(("01:00", at(60)))),
        (Some(("02:00", at(180))), Some(("03:30", at(270)))),
        (Some(("01:00", at(60))), Some(("02:00", at(180)))),
        (None, Some(("02:00", at(180)))),
        (Some(("01:00", at(60))), None),
    ] {
        assert_window(&sandbox, &lines, ("a.log", "America/New_York"), since, until);
    }
    // The second 01:30 is an hour out of order: `--scan` finds both parts, and a large enough slack what is between too.
    let both = filtered(&lines, Some(at(90)), Some(at(100)));
    let window = "a.log --since 01:30 --until 01:40 --tz America/New_York";
    assert_eq!(sandbox.line(&format!("lines {window} --scan -f text")).ok().text(), both);
    let run = sandbox.line(&format!("lines {window} --slack 1h -f text")).ok();
    assert_eq!(run.text(), text_of(&lines[90..160].to_vec()));
    // With zones, nothing is out of order.
    let zoned = |minute: i64| {
        let text = if minute < 120 { "-04:00" } else { "-05:00" };
        let shown = jiff::Timestamp::from_second(at(minute) - offset(minute) * 3600).unwrap();
        (format!("{}{text} minute {minute}\n", shown.strftime("%Y-%m-%dT%H:%M:%S")), Some(at(minute)))
    };
    let lines: Lines = (0..420).map(zoned).collect();
    sandbox.file("zoned.log", text_of(&lines));
    let file = ("zoned.log", "America/New_York");
    assert_window(&sandbox, &lines, file, Some(("01:30", at(90))), Some(("01:40", at(100))));
    let second = Some(("2025-11-02T01:30:00-05:00", at(150)));
    assert_window(&sandbox, &lines, file, second, Some(("+10m", at(160))));
}

#[test]
fn new_year_without_years() {
    let lines: Lines = (0..4000)
        .map(|n| {
            let shown = jiff::Timestamp::from_second(1_704_060_000 + n * 10).unwrap();
            (format!("{} host app[1]: request {n}\n", shown.strftime("%b %e %H:%M:%S")), Some(n))
        })
        .collect();
    assert!(lines[0].0.starts_with("Dec 31 22:00:00") && lines[720].0.starts_with("Jan  1 00:00:00"));
    let sandbox = Sandbox::with("a.log", text_of(&lines));
    for (since, until) in [
        (Some(("Dec 31 23:59:00", 714)), Some(("Jan  1 00:01:00", 726))),
        (Some(("23:59:50", 4000)), None),
        (Some(("00:00", 720)), Some(("00:00:10", 721))),
        (None, Some(("Dec 31 22:00:20", 2))),
        (Some(("Jan  1 09:06:00", 3996)), None),
    ] {
        assert_window(&sandbox, &lines, ("a.log", "UTC"), since, until);
    }
}

#[test]
fn a_leap_second_is_the_second_before() {
    let record = |text: &str, time| (format!("{text} INFO x\n"), Some(time));
    let lines: Lines = (0..60)
        .map(|n| record(&format!("2016-12-31T23:59:{n:02}Z"), LEAP + n))
        .chain([record("2016-12-31T23:59:60Z", LEAP + 59), record("2016-12-31T23:59:60.5Z", LEAP + 59)])
        .chain((0..60).map(|n| record(&format!("2017-01-01T00:00:{n:02}Z"), LEAP + 60 + n)))
        .collect();
    let sandbox = Sandbox::with("a.log", text_of(&lines));
    let (before, year) = (("2016-12-31T23:59:59Z", LEAP + 59), ("2017-01-01", LEAP + 60));
    let leap = ("2016-12-31T23:59:60Z", LEAP + 59);
    for (since, until) in
        [(Some(before), Some(year)), (Some(leap), Some(year)), (None, Some(leap)), (Some(year), None)]
    {
        assert_window(&sandbox, &lines, ("a.log", "UTC"), since, until);
    }
}

/// 2026-11-23T06:00:00Z.
const SIX: i64 = 1_795_413_600;

/// A record of second `n` after six, with `more`.
fn record(n: i64, more: &str) -> (String, Option<i64>) {
    let time = jiff::Timestamp::from_second(SIX + n).unwrap().strftime("%Y-%m-%d %H:%M:%S");
    (format!("{time},{n:03} INFO {more} at 2026-11-23 06:00:07\n", n = n % 1000), Some(SIX + n))
}

/// Windows with every edge of a log of two minutes.
#[track_caller]
fn assert_edges(sandbox: &Sandbox, lines: &Lines, file: &str) {
    let windows = [
        (Some(0), Some(3600)),
        (Some(60), Some(61)),
        (Some(60), Some(60)),
        (Some(-3600), Some(-1800)),
        (Some(3600), Some(7200)),
        (Some(61), None),
        (None, Some(60)),
        (None, Some(-5)),
        (Some(3600), None),
    ];
    // Without `RREAD_THOROUGH`, some of them, others for each file.
    for (since, until) in windows.into_iter().skip(cases(0, file.len() % 3)).step_by(cases(1, 3)) {
        let time = |n: Option<i64>| {
            let text = n.map(|n| jiff::Timestamp::from_second(SIX + n).unwrap().to_string());
            text.zip(n.map(|n| SIX + n))
        };
        let (since, until) = (time(since), time(until));
        let since = since.as_ref().map(|(text, time)| (text.as_str(), *time));
        let until = until.as_ref().map(|(text, time)| (text.as_str(), *time));
        assert_window(sandbox, lines, (file, "UTC"), since, until);
    }
}

#[test]
fn equal_times_and_long_lines() {
    // 300 KB of one second; then records and traces of 1 MiB.
    let equal: Lines = (0..60)
        .map(|n| record(n, "a"))
        .chain((0..6000).map(|_| record(60, "b")))
        .chain([record(61, "c")])
        .collect();
    let sandbox = Sandbox::with("equal.log", text_of(&equal));
    assert_edges(&sandbox, &equal, "equal.log");
    let mut long: Lines = (0..60).map(|n| record(n, "a")).collect();
    for n in 60..64 {
        long.push(record(n, &"x".repeat(1 << 20)));
        long.push((format!("\t{}\n", "y 2026-11-23 06:00:01 ".repeat(50_000)), None));
    }
    sandbox.file("long.log", text_of(&long));
    assert_edges(&sandbox, &long, "long.log");
}

#[test]
fn banners_single_records_and_line_ends() {
    let sandbox = Sandbox::new();
    let mut log: Lines = vec![("app 1.0 starts\n".to_owned(), None), ("\n".to_owned(), None)];
    for n in 0..120 {
        log.push(record(n, "a"));
        if n % 7 == 0 {
            log.push(("java.io.IOException: 06:00:09\n".to_owned(), None));
            log.push(("\tat a 2026-11-23 05:00:00\n".to_owned(), None));
        }
    }
    sandbox.file("banner.log", text_of(&log));
    assert_edges(&sandbox, &log, "banner.log");
    let utf16 = text_of(&log).encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    sandbox.file("utf16.log", [&[0xFF, 0xFE][..], &utf16].concat());
    assert_edges(&sandbox, &log, "utf16.log");
    let crlf: Lines = log.iter().map(|(line, time)| (line.replace('\n', "\r\n"), *time)).collect();
    sandbox.file("crlf.log", text_of(&crlf));
    assert_edges(&sandbox, &crlf, "crlf.log");
    let mut open = log;
    let last = &mut open.last_mut().unwrap().0;
    last.truncate(last.trim_end().len());
    sandbox.file("open.log", text_of(&open));
    assert_edges(&sandbox, &open, "open.log");
    for end in ["\n", ""] {
        let (line, time) = record(60, "only");
        let one = vec![(format!("{}{end}", line.trim_end()), time)];
        sandbox.file("one.log", text_of(&one));
        assert_edges(&sandbox, &one, "one.log");
    }
}
