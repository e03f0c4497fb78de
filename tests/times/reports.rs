//! Logs that other tools misread: AM and PM, zones, years, changes of format, preambles, long records, clocks that are set.

use std::fs::File;
use std::process::Command;
use std::time::{Duration, SystemTime};

use rread_testkit::pack;
use rread_testkit::sandbox::Sandbox;

/// The text of `lines` with these options, in UTC.
#[track_caller]
fn lines(sandbox: &Sandbox, file: &str, options: &[&str]) -> String {
    let zone: &[&str] = if options.contains(&"--tz") { &[] } else { &["--tz", "UTC"] };
    let words = [&["lines", file, "-f", "text"], options, zone].concat();
    let run = sandbox.run(words);
    // Standard error may have a note.
    assert_eq!(run.code, 0, "{run}");
    run.text().to_owned()
}

fn window<'a>(since: &'a str, until: &'a str) -> [&'a str; 4] {
    ["--since", since, "--until", until]
}

/// Sets the modification time to so many seconds since 1970.
fn touch(sandbox: &Sandbox, file: &str, second: u64) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(second);
    File::options().write(true).open(sandbox.path(file)).unwrap().set_modified(time).unwrap();
}

/// 2024-03-11T07:00:00Z.
const MARCH_2024: u64 = 1_710_140_400;
/// 2019-12-31T10:00:01Z.
const END_OF_2019: u64 = 1_577_786_401;

#[test]
fn parts_of_a_time_are_read_or_the_time_is_not() {
    let sandbox = Sandbox::new();
    for (text, since, until, expected) in [
        (
            "2023-02-20 11:59:58 AM a\n2023-02-20 12:30:00 PM b\n2023-02-20 01:10:58 PM c\n",
            "2023-02-20 13:00",
            "2023-02-20 11:09:58 PM",
            "c",
        ),
        (
            "2023-02-20 23:09:58:481-0800 a\n2023-02-20 23:10:36:540-0800 b\n",
            "2023-02-21T07:10Z",
            "2023-02-22",
            "b",
        ),
        (
            "Mon Mar 11 2024 11:59:00 GMT+0200 (CEST) a\nMon Mar 11 2024 12:01:00 GMT+0200 (CEST) b\n",
            "2024-03-11T10:00Z",
            "2024-03-12",
            "b",
        ),
        (
            "2023-02-20 23:09:58 UTC+02:00 a\n2023-02-20 23:10:58 UTC+02:00 b\n",
            "2023-02-20T21:10Z",
            "2023-02-21",
            "b",
        ),
        (
            "2021 Nov 19 09:15:05 host a\n2021 Nov 19 09:15:06 host b\n",
            "2021-11-19T09:15:06",
            "2021-11-20",
            "b",
        ),
        (
            "order 1500000000 shipped 2024-03-11 06:00:00 a\norder 1500097777 shipped 2024-03-11 06:00:01 b\n",
            "2024-03-11T06:00:01",
            "2024-03-12",
            "b",
        ),
    ] {
        sandbox.file("a.log", text);
        let found = lines(&sandbox, "a.log", &window(since, until));
        assert_eq!(found.trim_end().chars().last().unwrap().to_string(), expected, "{text}");
        assert_eq!(found.lines().count(), 1, "{text}");
    }
    for (text, sentence) in [
        ("2026-11-23 06:26:04 CST a\n".repeat(3), "the zone CST"),
        ("03/11/2024 06:00:00 a\n".repeat(3), "no line shows which number is the day"),
        ("2026-11-23 06:26:04 UTC+25 a\n".repeat(3), "has no times that rread recognises"),
    ] {
        sandbox.file("a.log", text);
        let run = sandbox.line("lines a.log --since 06:00 --tz UTC").refused(6);
        assert!(run.stderr.contains(sentence), "{run}");
    }
    sandbox.file("a.log", "2026-11-23 06:26:04 CST a\n".repeat(3));
    assert_eq!(lines(&sandbox, "a.log", &["--since", "06:26", "--tz", "Asia/Shanghai"]).lines().count(), 3);
}

/// Fifty records for each of some minutes.
fn minutes(minutes: &[&str], line: &str) -> String {
    let second =
        |minute: &str, second: u32| line.replace("{m}", minute).replace("{s}", &second.to_string()) + "\n";
    minutes.iter().flat_map(|minute| (10..60).map(|s| second(minute, s)).collect::<Vec<_>>()).collect()
}

#[test]
fn a_log_that_changes_its_format() {
    let old = minutes(&["58", "59"], "Mar 11 05:{m}:{s} host a: m");
    let new = minutes(&["01", "02", "03"], "2024-03-11T06:{m}:{s}+00:00 host a: m");
    let sandbox = Sandbox::with("a.log", old + &new);
    touch(&sandbox, "a.log", MARCH_2024);
    let since = ["--since", "2024-03-11T06:02"];
    let scan = [&since[..], &["--scan"]].concat();
    let given = [&since[..], &["--time-format", "%Y-%m-%dT%H:%M:%S"]].concat();
    for options in [&since[..], &scan, &given] {
        assert_eq!(lines(&sandbox, "a.log", options).lines().count(), 100, "{options:?}");
    }
    assert_eq!(lines(&sandbox, "a.log", &window("05:59:59", "06:00")), "Mar 11 05:59:59 host a: m\n");
    let stat = sandbox.line("stat a.log --tz UTC --json").ok().json();
    assert_eq!(stat["time"]["first"], "2024-03-11T05:58:10+00:00");
    assert_eq!(stat["time"]["last"], "2024-03-11T06:03:59+00:00");
    assert_eq!(stat["time"]["format"], "syslog, rfc3339");
    // A scan also finds a format that is in few lines, far from all samples.
    let log = |from: i64| -> String {
        let time = |n: i64| {
            jiff::Timestamp::from_second(from + n).unwrap().strftime("%Y-%m-%d %H:%M:%S").to_string()
        };
        (0..6000).map(|n| format!("{} some words that make the line longer {n}\n", time(n))).collect()
    };
    let start = 1_710_140_400;
    let few = "11/Mar/2024:08:40:00 +0000 other a\n11/Mar/2024:08:40:00 +0000 other b\n";
    sandbox.file("b.log", log(start) + few + &log(start + 6001));
    let found = lines(
        &sandbox,
        "b.log",
        &["--since", "2024-03-11T08:40:00", "--until", "2024-03-11T08:40:01", "--scan"],
    );
    assert_eq!(found, few);
}

#[test]
fn records_of_many_lines_that_are_not_indented() {
    let trace =
        "Traceback (most recent call last):\n  File \"x.py\", line 3, in f\n    g()\nValueError: boom\n";
    let record = |minute: u32| format!("ERROR 2024-03-11 06:{minute}:00,123 app.x failed\n{trace}");
    let sandbox = Sandbox::with("py.log", (10..60).map(record).collect::<String>());
    for scan in [&[][..], &["--scan"]] {
        let found = lines(&sandbox, "py.log", &[&window("06:30", "06:31"), scan].concat());
        assert_eq!(found, record(30));
    }
    let rest = "l1\nl2\nl3\nl4\n";
    sandbox.file("first.log", format!("2024-03-11 06:00:01 b\n{rest}2024-03-11 06:00:02 c\n{rest}"));
    let found = lines(&sandbox, "first.log", &["--since", "06:00:02"]);
    assert_eq!(found, format!("2024-03-11 06:00:02 c\n{rest}"));
    // Nobody says that it is a log.
    assert_eq!(sandbox.line("stat py.log --json").ok().json().get("time"), None);
}

#[test]
fn a_preamble_of_any_length() {
    let log = minutes(&["28", "29", "30", "31"], "2024-03-11T06:{m}:{s}Z m");
    for (length, line) in [
        (70, "export V=x\n"),
        (30_000, "java.lang.Exception at a.b.C(D.java:12)\n"),
        (100, "0000-00-00 00:00:00 m\n"),
    ] {
        let sandbox = Sandbox::with("a.log", line.repeat(length) + &log);
        assert_eq!(
            lines(&sandbox, "a.log", &["--since", "2024-03-11T06:30Z"]).lines().count(),
            100,
            "{line}"
        );
        let given = ["--since", "2024-03-11T06:30Z", "--time-format", "%Y-%m-%dT%H:%M:%SZ"];
        assert_eq!(lines(&sandbox, "a.log", &given).lines().count(), 100, "{line}");
        // After the first record, and before a long end.
        let (first, rest) = log.split_at(log.find('\n').unwrap() + 1);
        sandbox.file("b.log", first.to_owned() + &line.repeat(length) + rest + &line.repeat(length));
        let found = lines(&sandbox, "b.log", &window("2024-03-11T06:29Z", "2024-03-11T06:30Z"));
        assert_eq!(found.lines().count(), 50, "{line}");
    }
}

#[test]
fn an_hour_that_the_clock_shows_twice() {
    let text = "2024-10-27 01:59:00 a\n2024-10-27 02:30:00 b\n2024-10-27 02:59:00 c\n2024-10-27 02:30:00 d\n2024-10-27 03:00:00 e\n";
    let sandbox = Sandbox::with("a.log", text);
    let options = ["--since", "2024-10-27 02:30", "--until", "2024-10-27 02:40", "--tz", "Europe/Berlin"];
    let both = "2024-10-27 02:30:00 b\n2024-10-27 02:30:00 d\n";
    assert_eq!(lines(&sandbox, "a.log", &options), both);
    // With a zone in T alone, one of the passes may be meant.
    let run = sandbox.line("stat a.log --since 2024-10-27T02:30:00+01:00 --tz Europe/Berlin --json").ok();
    assert_eq!(run.json()["notices"], serde_json::json!(["ambiguous_time"]));
    let run = sandbox.line("stat a.log --since 2024-03-31T02:30 --tz Europe/Berlin --json").ok();
    assert_eq!(run.json()["notices"], serde_json::json!(["ambiguous_time"]), "a time that no clock showed");
    // A record a second for eight hours.
    let zone = jiff::tz::TimeZone::get("Europe/Berlin").unwrap();
    let shown = |n: i64| {
        let time = jiff::Timestamp::from_second(1_729_980_000 + n).unwrap().to_zoned(zone.clone());
        time.strftime("%Y-%m-%d %H:%M:%S").to_string() + " m\n"
    };
    sandbox.file("b.log", (0..8 * 3600).map(shown).collect::<String>());
    let options = ["--since", "2024-10-27 02:30", "--until", "2024-10-27 03:30", "--tz", "Europe/Berlin"];
    assert_eq!(lines(&sandbox, "b.log", &options).lines().count(), 5400);
    // With a zone in the records, nothing is ambiguous but T.
    let zoned = |n: i64| {
        let time = jiff::Timestamp::from_second(1_729_980_000 + n).unwrap().to_zoned(zone.clone());
        time.strftime("%Y-%m-%d %H:%M:%S%:z").to_string() + " m\n"
    };
    sandbox.file("c.log", (0..8 * 3600).map(zoned).collect::<String>());
    let run = sandbox.line("stat c.log --since 2024-10-27T02:30:00+01:00 --until 2024-10-27T03:30:00+01:00 --tz Europe/Berlin --json").ok();
    assert_eq!(run.json().get("notices"), None);
    let run = sandbox.line("stat c.log --since 2024-10-27T02:30 --tz Europe/Berlin --json").ok();
    assert_eq!(run.json()["notices"], serde_json::json!(["ambiguous_time"]));
}

#[test]
fn the_year_is_of_the_best_date_known() {
    let text = "Dec 30 10:00:00 h a\nDec 31 10:00:00 h b\n";
    let sandbox = Sandbox::with("old.log", text);
    touch(&sandbox, "old.log", END_OF_2019);
    let options = window("2019-12-31", "2020-01-01");
    let mut files = vec!["old.log"];
    let pack = |program: &str, words: &[&str]| {
        let status = Command::new(program).args(words).current_dir(sandbox.path(".")).status();
        status.is_ok_and(|status| status.success())
    };
    if pack("tar", &["-cf", "a.tar", "old.log"]) {
        files.push("tar:a.tar/old.log");
    }
    if pack("zip", &["-q", "a.zip", "old.log"]) {
        files.push("zip:a.zip/old.log");
    }
    if pack("gzip", &["-k", "old.log"]) {
        touch(&sandbox, "old.log.gz", MARCH_2024);
        files.push("old.log.gz");
    }
    for file in files {
        assert_eq!(lines(&sandbox, file, &options), "Dec 31 10:00:00 h b\n", "{file}");
    }
    // A header without a time has none.
    let mut packed = pack::gzip(text.as_bytes(), 6);
    packed[4..8].fill(0);
    sandbox.file("b.log.gz", packed);
    touch(&sandbox, "b.log.gz", END_OF_2019);
    assert_eq!(lines(&sandbox, "b.log.gz", &options), "Dec 31 10:00:00 h b\n");
    let given = [&window("2011-12-31", "2012-01-01")[..], &["--year", "2011"]].concat();
    assert_eq!(lines(&sandbox, "old.log", &given), "Dec 31 10:00:00 h b\n");
    let run = sandbox.piped("lines - --since 2011-12-31 --year 2011 --tz UTC -f text", text).ok();
    assert_eq!(run.text(), "Dec 31 10:00:00 h b\n");
    sandbox.line("lines old.log --year 2011").refused(2);
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

#[test]
fn years_are_counted_over_new_year() {
    let year =
        |year: u32| MONTHS.iter().map(|month| format!("{month} 1 12:00:00 h {year}\n")).collect::<String>();
    let sandbox = Sandbox::with("a.log", year(1) + &year(2));
    // 2018-12-13.
    touch(&sandbox, "a.log", 1_544_659_200);
    for scan in [&[][..], &["--scan"]] {
        let found = lines(&sandbox, "a.log", &[&window("2018-01-01", "2018-06-06"), scan].concat());
        assert_eq!(found, year(2).split_inclusive('\n').take(6).collect::<String>());
        let found = lines(&sandbox, "a.log", &[&window("2017-06-01", "2017-09-01"), scan].concat());
        assert_eq!(found, year(1).split_inclusive('\n').skip(5).take(3).collect::<String>());
    }
    let json = sandbox.line("lines a.log --since 2018-01-01 --tz UTC --json").ok().json();
    assert_eq!(json["metadata"]["notices"], serde_json::json!(["unordered"]));
    // Of a log that is too long to be read as a whole, at the steps between samples.
    let long = |year: u32| {
        let line = |month: &str, day: u32, n: u32| {
            format!("{month} {day:2} 12:{:02}:{:02} host app[1]: message of year {year}\n", n / 60, n % 60)
        };
        MONTHS
            .iter()
            .flat_map(|month| (1..=28).flat_map(move |day| (0..60).map(move |n| line(month, day, n))))
            .collect::<String>()
    };
    sandbox.file("b.log", long(1) + &long(2) + &long(3));
    touch(&sandbox, "b.log", 1_546_300_800);
    for (year, n) in [("2016", 1), ("2017", 2), ("2018", 3)] {
        let (since, until) = (format!("{year}-02-01"), format!("{year}-02-02"));
        let found = lines(&sandbox, "b.log", &window(&since, &until));
        assert!(
            found.lines().count() == 60 && found.lines().all(|line| line.ends_with(&format!("year {n}"))),
            "{found}"
        );
    }
    // A 29 February is in a leap year, whatever the file says.
    sandbox.file("c.log", "Feb 28 10:00:00 a\nFeb 29 10:00:00 b\nMar  1 10:00:00 c\n");
    touch(&sandbox, "c.log", 1_778_000_000);
    assert_eq!(lines(&sandbox, "c.log", &["--since", "2024-03-01"]), "Mar  1 10:00:00 c\n");
    // So is a record before one with a year.
    sandbox.file(
        "d.log",
        "Mar 11 05:00:00 a\nMar 11 05:00:01 b\n2021-03-11T06:00:00Z c\n2021-03-11T06:00:01Z d\n",
    );
    assert_eq!(lines(&sandbox, "d.log", &["--until", "2021-03-11T05:00:01"]), "Mar 11 05:00:00 a\n");
}

#[test]
fn the_member_of_a_json_record_of_any_length() {
    for length in [100, 65_600, 3 << 20] {
        let long = "z\\\"{".repeat(length / 4);
        let text = format!(
            "{{\"n\":1,\"time\":\"2024-03-11T06:00:00Z\"}}\n{{\"log\":\"{long}\",\"time\":\"2024-03-11T06:00:01Z\"}}\n{{\"n\":3,\"time\":\"2024-03-11T06:00:02Z\"}}\n"
        );
        let sandbox = Sandbox::with("a.json", &text);
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        sandbox.file("b.json", [&[0xFF, 0xFE][..], &utf16].concat());
        for file in ["a.json", "b.json"] {
            for scan in [&[][..], &["--scan"]] {
                let at = |since: &str, until: &str| {
                    lines(&sandbox, file, &[&window(since, until), scan].concat()).len()
                };
                assert_eq!(
                    at("2024-03-11T06:00:01Z", "2024-03-11T06:00:02Z"),
                    text.lines().nth(1).unwrap().len() + 1
                );
                assert_eq!(
                    at("2024-03-11T06:00:00Z", "2024-03-11T06:00:01Z"),
                    text.lines().next().unwrap().len() + 1
                );
            }
            let json = sandbox
                .line(&format!("where {file} --time 2024-03-11T06:00:01Z --tz UTC --json"))
                .ok()
                .json();
            assert_eq!(json["line"], 2);
        }
    }
}

#[test]
fn both_ends_of_a_window_are_records_of_it() {
    let times = ["05 a", "06 b", "09 c", "10 d", "03 e", "11 f"];
    let text: String = times.iter().map(|time| format!("2024-03-11 06:00:{time}\n")).collect();
    let sandbox = Sandbox::with("a.log", &text);
    let found = lines(&sandbox, "a.log", &window("2024-03-11 06:00:06", "2024-03-11 06:00:07"));
    assert_eq!(found, "2024-03-11 06:00:06 b\n");
    sandbox.file("b.log", text.replace("11 f", "07 f"));
    let found = lines(&sandbox, "b.log", &["--since", "2024-03-11 06:00:08"]);
    assert_eq!(found, "2024-03-11 06:00:09 c\n2024-03-11 06:00:10 d\n");
}

#[test]
fn times_of_day_are_one_window() {
    let evening: String = (20..24).map(|hour| format!("Mar 11 {hour}:45:00 h a\n")).collect();
    let morning: String = (0..7).map(|hour| format!("Mar 12 {hour:02}:00:00 h a\n")).collect();
    let sandbox = Sandbox::with("a.log", evening.clone() + &morning);
    let night = "Mar 11 22:45:00 h a\nMar 11 23:45:00 h a\nMar 12 00:00:00 h a\nMar 12 01:00:00 h a\n";
    assert_eq!(lines(&sandbox, "a.log", &window("22:30", "02:00")), night);
    assert_eq!(lines(&sandbox, "a.log", &window("22:30", "23:00")), "Mar 11 22:45:00 h a\n");
    sandbox.file("b.log", evening);
    assert_eq!(lines(&sandbox, "b.log", &window("22:30", "02:00")).lines().count(), 2);
    for day in [13, 12, 11] {
        sandbox.file(&format!("app.{day}"), format!("2024-03-{day} 06:01:00 ERR x\n"));
    }
    let call = "search ERR app.13 app.12 app.11 --since 06:00 --until 06:02 --tz UTC --raw";
    let run = sandbox.line(call);
    assert_eq!(run.text(), "2024-03-13 06:01:00 ERR x\n");
    assert_eq!(run.stderr.matches("times of day are of 2024-03-13").count(), 1, "{run}");
}

#[test]
fn a_window_between_zoned_times_has_both_passes_of_an_hour() {
    // Ten minutes a record, from 01:00 in summer time.
    let zone = jiff::tz::TimeZone::get("Europe/Berlin").unwrap();
    let start: jiff::Timestamp = "2026-10-24T23:00:00Z".parse().unwrap();
    let times: Vec<jiff::Timestamp> =
        (0..25).map(|n| start + jiff::SignedDuration::from_mins(10 * n)).collect();
    let clock =
        |time: &jiff::Timestamp| time.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M:%S").to_string();
    let text: String = times.iter().map(|time| format!("{} real {time}\n", clock(time))).collect();
    let sandbox = Sandbox::with("a.log", &text);
    for (since, until) in [(10, 13), (13, 15), (7, 16), (6, 7), (12, 13), (17, 20), (0, 6), (0, 25)] {
        let (from, to) = (times[since], times.get(until).copied().unwrap_or(jiff::Timestamp::MAX));
        let mut options =
            vec!["--since".to_owned(), from.to_string(), "--tz".to_owned(), "Europe/Berlin".to_owned()];
        if until < times.len() {
            options.extend(["--until".to_owned(), to.to_string()]);
        }
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        // A record that a clock shows twice can be of both times.
        let can_be = |at: usize| {
            let is_in = |at: usize| (since..until).contains(&at);
            is_in(at) || (6..12).contains(&at) && is_in(at + 6) || (12..18).contains(&at) && is_in(at - 6)
        };
        let expected: String = text
            .split_inclusive('\n')
            .enumerate()
            .filter(|(at, _)| can_be(*at))
            .map(|(_, line)| line)
            .collect();
        assert_eq!(lines(&sandbox, "a.log", &options), expected, "{since}..{until}");
    }
}

#[test]
fn a_whole_year_without_years_is_of_one_year() {
    let time: jiff::Timestamp = "2025-01-01T00:00:00Z".parse().unwrap();
    let times: Vec<jiff::Timestamp> =
        (0..).map(|n| time + jiff::SignedDuration::from_hours(8 * n)).take(3 * 365).collect();
    let line = |time: &jiff::Timestamp| time.strftime("%b %e %H:%M:%S host app: %Y\n").to_string();
    let sandbox = Sandbox::with("a.log", times.iter().map(line).collect::<String>());
    let file = std::fs::File::options().write(true).open(sandbox.path("a.log")).unwrap();
    let end = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_767_196_803);
    file.set_modified(end).unwrap();
    for (since, until, count) in [
        ("2025-01-01", "2025-01-03", 6),
        ("2025-09-01", "2025-09-03", 6),
        ("2025-12-31", "2026-01-02", 3),
        ("2026-01-01", "2026-12-31", 0),
        ("2025-01-01", "2026-01-01", 3 * 365),
    ] {
        let options = ["--since", since, "--until", until, "--tz", "UTC"];
        assert_eq!(lines(&sandbox, "a.log", &options).lines().count(), count, "{since}");
        let scan = [&options[..], &["--scan"]].concat();
        assert_eq!(lines(&sandbox, "a.log", &scan).lines().count(), count, "{since} --scan");
    }
}

#[test]
fn a_service_that_writes_few_lines_is_found() {
    let line = |n: usize| {
        let web = format!(
            "web-1  | 1.2.3.4 - - [28/Nov/2026:09:{:02}:{:02} +0000] \"GET / HTTP/1.1\" 200 1\n",
            n / 60,
            n % 60
        );
        let db = format!("db-1   | 2026-11-28T09:{:02}:{:02}.500Z FATAL disk full\n", n / 60, n % 60);
        if n > 0 && n.is_multiple_of(250) { web + &db } else { web }
    };
    let sandbox = Sandbox::with("a.log", (0..2000).map(line).collect::<String>());
    let window = ["--since", "2026-11-28T09:04:10.2Z", "--until", "2026-11-28T09:04:10.9Z"];
    assert_eq!(lines(&sandbox, "a.log", &window), "db-1   | 2026-11-28T09:04:10.500Z FATAL disk full\n");
    let count = sandbox.line("stat a.log --tz UTC").ok();
    assert!(count.text().contains("2026-11-28T09:33:19"), "{count}");
}
