//! `--since` and `--until` against a reading of every line.

use std::io::Write;

use serde_json::Value;

use super::support::{Folder, pipe};

struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }
}

/// A record at the second `second` after 06:00.
fn record(second: u64, text: &str) -> String {
    format!("2026-11-23T{:02}:{:02}:{:02}Z {text}\n", 6 + second / 3600, second / 60 % 60, second % 60)
}

fn clock(second: u64) -> String {
    record(second, "")[..20].to_owned()
}

/// Lines, each with the time of its record. Some records are late by up to 5 s.
fn log(rng: &mut Rng, records: usize) -> Vec<(u64, String)> {
    let (mut now, mut lines) = (100, Vec::new());
    for number in 0..records {
        now += rng.below(8);
        let time = now - rng.below(6);
        lines.push((time, record(time, &format!("record {number} since 2019-01-01T00:00:00Z"))));
        for _ in 0..rng.below(3) {
            lines.push((time, "\tat Main.run\n".to_owned()));
        }
    }
    lines
}

fn expected(lines: &[(u64, String)], since: u64, until: u64) -> String {
    let lines = lines.iter().skip_while(|(time, _)| *time < since).take_while(|(time, _)| *time < until);
    lines.map(|(_, line)| line.as_str()).collect()
}

#[test]
fn a_window_has_the_lines_that_a_reading_of_every_line_finds() {
    let cases = if std::env::var_os("RREAD_THOROUGH").is_some() { 300 } else { 16 };
    let mut rng = Rng(0x9E37_79B9_7F4A_7C15);
    for case in 0..cases {
        let mut lines = log(&mut rng, 300);
        let end = lines.last().unwrap().0;
        let since = 90 + rng.below(end);
        let until = since + rng.below(400);
        lines.push((1 << 14, record(1 << 14, "end")));
        let whole: String = lines.iter().map(|(_, line)| line.as_str()).collect();
        // A part is there at the start; the rest comes in pieces of any length.
        let mut at = usize::try_from(rng.below(whole.len() as u64)).unwrap() * usize::from(case % 4 > 0);
        let folder = Folder::with("app.log", &whole[..at]);
        let format = ["-f text", "--raw", "--json"][case % 3];
        let options = format!("--since {} --until {} --tz UTC {format}", clock(since), clock(until));
        let is_stream = case % 5 == 4;
        let (writer, stdin) = pipe();
        let (name, mut writer) = if is_stream { ("-", Some(writer)) } else { ("app.log", None) };
        let mut rread = folder.rread_from(&format!("{name} {options}"), stdin);
        if let Some(writer) = &mut writer {
            writer.write_all(&whole.as_bytes()[..at]).unwrap();
        }
        while at < whole.len() {
            let to = whole.len().min(at + 1 + usize::try_from(rng.below(9000)).unwrap());
            match &mut writer {
                // rread may have ended.
                Some(writer) => drop(writer.write_all(&whole.as_bytes()[at..to])),
                None => folder.append("app.log", &whole[at..to]),
            }
            at = to;
        }
        assert_eq!(rread.code(), 0, "{options}: {}", rread.notes());
        let mut text = rread.text();
        if format == "--json" {
            let records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let (last, batches) = records.split_last().unwrap();
            assert_eq!(last.to_string(), r#"{"event":"end","reason":"until"}"#);
            for batch in batches {
                // The range and the lines are those of the content.
                let (range, content) = (&batch["actual_range"], batch["content"].as_str().unwrap());
                let start = usize::try_from(range["start_byte"].as_u64().unwrap()).unwrap();
                assert_eq!(&whole[start..start + content.len()], content);
                if let Some(line) = range["start_line"].as_u64() {
                    assert_eq!(line, 1 + whole[..start].matches('\n').count() as u64);
                }
            }
            text = batches.iter().map(|batch| batch["content"].as_str().unwrap()).collect();
        }
        assert_eq!(text, expected(&lines, since, until), "case {case}: {options}");
    }
}

#[test]
fn each_file_ends_at_its_own_record() {
    let folder = Folder::with("a.log", record(1, "a"));
    folder.append("b.log", record(1, "b"));
    let mut rread = folder.rread("a.log b.log --until 06:01 --tz UTC --json");
    rread.shows(" b\\n");
    folder.append("a.log", record(60, "too late"));
    folder.append("b.log", record(59, "in time"));
    rread.shows("in time");
    folder.append("a.log", record(59, "after the end"));
    folder.append("b.log", record(61, "too late"));
    assert_eq!(rread.code(), 0, "{}", rread.notes());
    assert!(
        !rread.text().contains("too late") && !rread.text().contains("after the end"),
        "{}",
        rread.text()
    );
}

#[test]
fn a_rotated_file_stays_in_the_window() {
    let folder = Folder::with("app.log", record(1, "one"));
    let mut rread = folder.rread("app.log --since 06:00:02 --until 06:00:09 --tz UTC --poll 20ms");
    folder.append("app.log", record(2, "two"));
    rread.shows("two\n");
    folder.rename("app.log", "app.log.1");
    folder.append("app.log", "banner\n".to_owned() + &record(3, "three"));
    rread.shows("three\n");
    folder.append("app.log", record(9, "nine"));
    assert_eq!(rread.code(), 0);
    assert_eq!(rread.text(), record(2, "two") + "banner\n" + &record(3, "three"));
}

#[test]
fn a_file_that_is_missing_or_has_no_record_yet_begins_when_one_comes() {
    for begins in [None, Some(""), Some("starting\n")] {
        let folder = Folder::new();
        begins.into_iter().for_each(|text| folder.append("app.log", text));
        let mut rread =
            folder.rread("app.log --since 2026-11-23T06:00:02Z --until 2026-11-23T06:00:09Z --poll 20ms");
        if begins == Some("starting\n") {
            rread.is_noted("app.log: note: has no times yet that rread recognises");
        }
        folder.append("app.log", record(1, "one") + &record(2, "two") + &record(9, "nine"));
        assert_eq!((rread.code(), rread.text()), (0, record(2, "two")), "{begins:?}");
    }
}

#[test]
fn a_line_that_has_not_ended_may_be_outside_the_window() {
    let folder = Folder::with("app.log", record(1, "one") + "2026-11-23T06:0");
    for format in ["--raw", "-f text"] {
        let options = "--since 06:00:00 --until 06:05 --tz UTC --timeout 400ms";
        let mut rread = folder.rread(&format!("app.log {options} {format}"));
        rread.shows("one\n");
        // At the end, it belongs to the record before it.
        assert_eq!((rread.code(), rread.text()), (1, record(1, "one") + "2026-11-23T06:0"));
    }
    let mut rread = folder.rread("app.log --until 06:05 --tz UTC --raw");
    rread.shows("one\n");
    folder.append("app.log", "5:00Z late\n");
    assert_eq!((rread.code(), rread.text()), (0, record(1, "one")));
}

#[test]
fn the_clock_does_not_end_it_and_a_pattern_that_did_not_match_is_exit_1() {
    let folder = Folder::with("app.log", record(1, "one"));
    let mut rread = folder.rread("app.log --until now --timeout 300ms --tz UTC");
    let expected = if jiff::Timestamp::now() > record(1, "")[..20].parse().unwrap() { "one" } else { "" };
    assert_eq!(rread.code(), 1, "{}", rread.notes());
    assert!(rread.text().contains(expected));
    folder.append("app.log", record(60, "late"));
    let mut rread = folder.rread("app.log --until 06:01 --until-match late --tz UTC");
    assert_eq!((rread.code(), rread.text()), (1, record(1, "one")));
    assert_eq!(rread.notes(), "rread: no line matched 'late' before --until\n");
}

#[test]
fn mistakes_of_a_window() {
    let folder = Folder::with("app.log", record(1, "one"));
    folder.append("text", "no time\n".repeat(70));
    for (line, code, text) in [
        ("app.log --since 06:00 -n 3", 2, "--since cannot be used with"),
        ("app.log --since six", 2, "'six' is not a time"),
        ("missing.log --until six", 2, "'six' is not a time"),
        ("app.log --until +5m", 2, "counts from --since"),
        ("app.log --since 2026-11-23T06:05 --until 2026-11-23T06:00", 2, "which is after --until"),
        ("app.log --tz UTC", 2, "no time is given"),
        ("app.log --since 06:00 --tz Nowhere", 2, "is not a time zone"),
        ("text --since 06:00", 6, "has no times that rread recognises in 64 lines\nhint: --time-format"),
    ] {
        let mut rread = folder.rread(line);
        assert_eq!(rread.code(), code, "{line}: {}", rread.notes());
        assert!(rread.notes().contains(text), "{line}: {}", rread.notes());
    }
}
