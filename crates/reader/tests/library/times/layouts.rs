//! Logs of many programs in one file, whose times rread must guess: a window has the records that a filter finds, or the
//! log is refused, or the answer says that the guess does not hold.

use std::ops::Range;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rread_reader::reader::{Reader, Tuning};
use rread_reader::times::{Log, TimeOptions, Window};
use rread_source::MemorySource;
use rread_testkit::rng::Rng;
use rread_testkit::sample::cases;

/// What stands before the time, its strftime, and what stands after it. `~` is a number that varies.
const LAYOUTS: [(&str, &str, &str); 44] = [
    ("", "%Y-%m-%dT%H:%M:%SZ", " INFO started ~"),
    ("", "%Y-%m-%dT%H:%M:%S.123456Z", " stdout F ~ done"),
    ("", "%Y-%m-%d %H:%M:%S,123", " [main] ERROR a.b.C - failed ~"),
    ("", "%Y-%m-%d %H:%M:%S.123 UTC", " [~] LOG:  statement: SELECT 1"),
    ("[", "%Y-%m-%d %H:%M:%S", "] production.INFO: order ~ []"),
    ("[", "%Y-%m-%dT%H:%M:%S+00:00", "] app.WARN ~"),
    ("time=\"", "%Y-%m-%dT%H:%M:%SZ", "\" level=info msg=\"~\""),
    ("level=info ts=", "%Y-%m-%dT%H:%M:%S.123Z", " caller=main.go:~ msg=ok"),
    ("10.0.0.~ - - [", "%d/%b/%Y:%H:%M:%S +0000", "] \"GET / HTTP/1.1\" 200 ~"),
    ("::1 - bob [", "%d/%b/%Y:%H:%M:%S +0000", "] \"POST /a~ HTTP/1.1\" 500 1"),
    ("", "%Y/%m/%d %H:%M:%S", " [error] ~#1: *1 open() failed"),
    ("", "%b %e %H:%M:%S", " host sshd[~]: Accepted"),
    ("<34>", "%b %e %H:%M:%S", " host su: ~ failed"),
    ("<34>1 ", "%Y-%m-%dT%H:%M:%S.003Z", " host su - ID47 - ~"),
    ("[", "%a %b %d %H:%M:%S.123456 %Y", "] [core:error] [pid ~] x"),
    ("", "%a %b %e %H:%M:%S UTC %Y", " job ~"),
    ("", "%a %b %d %Y %H:%M:%S GMT+0000 (UTC)", " got ~"),
    ("", "%a, %d %b %Y %H:%M:%S +0000", " mail ~"),
    ("", "%a %Y-%m-%d %H:%M:%S UTC", " host a[~]: b"),
    ("I", "%m%d %H:%M:%S.123456", "       1 main.go:~] x"),
    ("E", "%Y%m%d %H:%M:%S.123456", " ~ a.cc:1] x"),
    ("", "%Y.%m.%d %H:%M:%S", " <Warning> table ~"),
    ("", "%Y%m%dT%H%M%S.123Z", " a ~"),
    ("8=FIX.4.2|52=", "%Y%m%d-%H:%M:%S.123", "|34=~|"),
    ("", "%Y%m%d %H:%M:%S.123", " note ~"),
    ("1:M ", "%d %b %Y %H:%M:%S.123", " * ~ changes in 60 seconds"),
    ("", "%d-%b-%Y %H:%M:%S.123", " INFO [main] ~ ms"),
    ("", "%b %d, %Y %I:%M:%S %p", " org.a.B c ~"),
    ("", "%d.%m.%Y %H:%M:%S", " Fehler ~"),
    ("", "%m-%d %H:%M:%S.123", "  100  ~ I Tag: x"),
    ("", "%b %d %Y %H:%M:%S", " switch %LINK-~"),
    ("", "%Y-%m-%d-%H.%M.%S.123456", " DB2 ~"),
    ("{\"time\":\"", "%Y-%m-%dT%H:%M:%SZ", "\",\"msg\":\"~\"}"),
    ("{\"level\":\"info\",\"ts\":", "%s.5", ",\"msg\":\"~\"}"),
    ("{\"message\":\"order ~ of 2001-01-01 10:00:00\",\"datetime\":\"", "%Y-%m-%dT%H:%M:%S.5+00:00", "\"}"),
    ("{\"eventVersion\":\"1.~\",\"eventTime\":\"", "%Y-%m-%dT%H:%M:%SZ", "\",\"eventName\":\"x\"}"),
    ("{\"t\":{\"$date\":\"", "%Y-%m-%dT%H:%M:%S.123Z", "\"},\"s\":\"I\",\"id\":~}"),
    (
        "{\"log\":\"at 2001-01-01 10:00:00 ~\\n\",\"stream\":\"stderr\",\"time\":\"",
        "%Y-%m-%dT%H:%M:%S.1Z",
        "\"}",
    ),
    ("{\"a\":\"~\",\"timeMillis\":", "%s000", ",\"level\":\"WARN\"}"),
    ("", "%s.123", "    ~ 10.0.0.1 TCP_MISS/200 1"),
    ("type=SYSCALL msg=audit(", "%s.123", ":~): arch=c000003e"),
    ("web~ app: ", "%Y-%m-%d %H:%M:%S", " request"),
    ("DEBUG\t", "%Y-%m-%dT%H:%M:%SZ", "\tx ~"),
    ("(", "%Y-%m-%d %H:%M:%S", ") ~ a"),
];

/// What other programs put before a line; `@` is the name of the service.
const PREFIXES: [&str; 12] = [
    "@  | ",
    "@-1       | ",
    "\u{1b}[36m@-1  | \u{1b}[0m",
    "[pod/@-7d9f/@] ",
    "[@] ",
    "@-7d9f app ",
    "@: ",
    "build\t@\t",
    "<@> ",
    "{@} ",
    "0|@  | ",
    "@ - ",
];

const NAMES: [&str; 6] = ["web", "api", "worker", "postgres", "redis", "cron"];

/// Lines that continue a record, some with a date of their own.
const CONTINUED: [&str; 5] = [
    "    at org.example.Main.run(Main.java:12)",
    "java.io.IOException: broken pipe",
    "\tvalue: 2001-02-03 04:05:06",
    "('2001-02-03 04:05:06', 1),",
    "  \"key\": 12345678,",
];

/// The text of a log, and the start and the second of each record.
fn log(rng: &mut Rng) -> (String, Vec<(u64, i64)>, String) {
    // Numbers are times only where no line has a date.
    let mut layouts: Vec<usize> = (0..=rng.below(5)).map(|_| rng.below(LAYOUTS.len())).collect();
    if layouts.len() > 1 {
        layouts.retain(|at| !matches!(at, 33 | 38..=40));
    }
    let prefix = if layouts.len() > 1 || rng.one_in(3) { Some(rng.pick(&PREFIXES)) } else { None };
    let layouts = if layouts.is_empty() { vec![0] } else { layouts };
    let mut second = Timestamp::now().as_second() - 100 * 24 * 3600;
    let (mut text, mut records) = (String::new(), Vec::new());
    let (count, has_more, has_marks) = (20 + rng.below(400), rng.one_in(2), rng.one_in(4));
    for number in 0..count {
        second += 1 + i64::try_from(rng.below(20)).unwrap();
        let service = rng.below(layouts.len());
        let (before, format, after) = LAYOUTS[layouts[service]];
        let name = NAMES[service];
        let prefix = prefix.map_or(String::new(), |prefix| prefix.replace('@', name));
        let time =
            Timestamp::from_second(second).unwrap().to_zoned(TimeZone::UTC).strftime(format).to_string();
        if has_marks && rng.one_in(40) {
            text += "\u{feff}";
        }
        records.push((text.trim_end_matches('\u{feff}').len() as u64, second));
        let number = (number * 7919 % 1000).to_string();
        text += &format!("{prefix}{}{time}{}\n", before.replace('~', &number), after.replace('~', &number));
        if has_more && rng.one_in(6) {
            text += &format!("{prefix}{}\n", rng.pick(&CONTINUED));
        }
    }
    let marks = text.match_indices("\n\u{feff}").map(|(at, _)| at as u64 + 1).collect::<Vec<_>>();
    records.iter_mut().for_each(|(start, _)| {
        if start.checked_sub(3).is_some_and(|start| marks.contains(&start)) {
            *start -= 3;
        }
    });
    let names: Vec<String> = layouts.iter().map(|at| format!("{:?}", LAYOUTS[*at])).collect();
    (text, records, format!("{prefix:?} {}", names.join(" ")))
}

/// The bytes of the window.
fn filtered(records: &[(u64, i64)], size: u64, since: i64, until: i64) -> Range<u64> {
    let first = records.iter().position(|(_, second)| *second >= since).unwrap_or(records.len());
    let last = records.iter().position(|(_, second)| *second >= until).unwrap_or(records.len());
    let place = |at: usize| records.get(at).map_or(size, |(start, _)| *start);
    place(first)..place(last)
}

#[test]
fn programs_that_write_one_log_are_read_or_refused() {
    let (mut wrong, mut refused, mut said) = (Vec::new(), Vec::new(), 0);
    let runs: u64 = cases(20_000, 300);
    for seed in 1..=runs {
        let mut rng = Rng::new(seed);
        let (text, records, what) = log(&mut rng);
        let size = text.len() as u64;
        let reader = Reader::new(Box::new(MemorySource::new(&*text)), Tuning::default()).unwrap();
        let options = TimeOptions { zone: Some("UTC".to_owned()), ..TimeOptions::default() };
        let Some(log) = Log::open(&reader, &options).unwrap() else {
            refused.push(format!("{seed}: {what}"));
            continue;
        };
        let (a, b) = (rng.below(records.len()), rng.below(records.len()));
        let (since, until) = (records[a.min(b)].1, records[a.max(b)].1);
        let at = |second| Some(Timestamp::from_second(second).unwrap());
        let window = Window { since: at(since), until: at(until), has_zone: false };
        let found = log.find(window, false).unwrap();
        let expected = filtered(&records, size, since, until);
        let spans: Vec<Range<u64>> = found.spans.iter().filter(|span| !span.is_empty()).cloned().collect();
        let is_right = spans.iter().map(|span| span.end - span.start).sum::<u64>()
            == expected.end - expected.start
            && (expected.is_empty() || (spans.len() == 1 && spans[0] == expected));
        if !is_right && (found.is_unordered || log.contradicted().is_some()) {
            said += 1;
        } else if !is_right {
            wrong.push(format!("{seed}: {} {spans:?} {expected:?} {what}", log.format()));
        }
    }
    assert!(wrong.is_empty(), "{} of {runs} are wrong, {said} say so:\n{}", wrong.len(), wrong.join("\n"));
    let limit = usize::try_from(runs / 20).unwrap();
    assert!(refused.len() + said <= limit, "{} refused, {said} said:\n{}", refused.len(), refused.join("\n"));
}
