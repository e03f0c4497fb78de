//! `--merge`: the records of several files in the order of time, against a merge of their records by the test.

use std::process::Command;

use rread_testkit::rng::Rng;
use rread_testkit::sample::cases;
use rread_testkit::sandbox::{Run, Sandbox};
use serde_json::Value;

/// A file: its name, the text of each line and the time of the record that it begins, and whether the last line is open.
struct Sample {
    name: String,
    lines: Vec<(String, Option<i64>)>,
    zone: &'static str,
}

/// A zone without changes of clocks, and what it is ahead of UTC.
const ZONES: [(&str, i64); 3] = [("UTC", 0), ("Asia/Tokyo", 9 * 3600), ("+05:30", 5 * 3600 + 1800)];

fn sample(rng: &mut Rng, name: &str) -> Sample {
    let (zone, ahead) = rng.pick(&ZONES);
    let mut lines: Vec<(String, Option<i64>)> =
        (0..rng.below(3)).map(|n| (format!("{name} banner {n}"), None)).collect();
    let mut clock = 1_793_500_000 + i64::try_from(rng.below(20)).unwrap();
    for n in 0..3 + rng.below(20) {
        clock += i64::try_from(rng.below(3)).unwrap();
        let late = if rng.one_in(6) { i64::try_from(rng.below(5)).unwrap() } else { 0 };
        let time = clock - late;
        let shown = jiff::Timestamp::from_second(time + ahead).unwrap().strftime("%Y-%m-%d %H:%M:%S");
        lines.push((format!("{shown} {name} größer {n}"), Some(time)));
        lines.extend(
            (0..if rng.one_in(4) { 2 } else { 0 }).map(|more| (format!("\tat {name} {n} {more}"), None)),
        );
    }
    Sample { name: name.to_owned(), lines, zone }
}

/// The lines in order, each with its file and number.
fn merged(samples: &[Sample]) -> Vec<(usize, usize)> {
    let mut keyed = Vec::new();
    for (file, sample) in samples.iter().enumerate() {
        let mut latest = sample.lines.iter().find_map(|(_, time)| *time).unwrap();
        for (line, (_, time)) in sample.lines.iter().enumerate() {
            latest = latest.max(time.unwrap_or(latest));
            keyed.push((latest, file, line));
        }
    }
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, file, line)| (file, line)).collect()
}

/// Writes the files in different forms, and returns the options that read them.
fn store(rng: &mut Rng, sandbox: &Sandbox, samples: &mut [Sample]) -> Vec<String> {
    let mut options = Vec::new();
    for sample in samples {
        let end = rng.pick(&["\n", "\r\n"]);
        let mut text: String = sample.lines.iter().map(|(line, _)| format!("{line}{end}")).collect();
        if rng.one_in(3) {
            text.truncate(text.trim_end().len());
        }
        let bytes = match rng.below(4) {
            0 => ["\u{FEFF}", &text].concat().encode_utf16().flat_map(u16::to_le_bytes).collect(),
            1 => ["\u{FEFF}", &text].concat().into_bytes(),
            _ => text.into_bytes(),
        };
        sandbox.file(&sample.name, bytes);
        if rng.one_in(4)
            && Command::new("gzip")
                .arg(sandbox.path(&sample.name))
                .status()
                .is_ok_and(|status| status.success())
        {
            sample.name += ".gz";
        }
        options.push(format!("--tz={}={}", sample.name, sample.zone));
    }
    options
}

fn ask(sandbox: &Sandbox, words: &[&str], samples: &[Sample], options: &[String]) -> Run {
    let (command, more) = words.split_first().unwrap();
    let names = samples.iter().map(|sample| sample.name.as_str());
    let all = std::iter::once(*command).chain(names).chain(["--merge"]).chain(more.iter().copied());
    sandbox.run(all.chain(options.iter().map(String::as_str)))
}

/// The lines of a text without their ends.
fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

#[test]
fn every_format_has_the_order_of_a_stable_merge() {
    for seed in 0..cases(200, 12) {
        let mut rng = Rng::new(seed);
        let sandbox = Sandbox::new();
        let mut samples: Vec<Sample> =
            (0..2 + rng.below(3)).map(|n| sample(&mut rng, &format!("{n}.log"))).collect();
        let options = store(&mut rng, &sandbox, &mut samples);
        let order = merged(&samples);
        let text_of = |(file, line): &(usize, usize)| samples[*file].lines[*line].0.clone();
        let plain: Vec<String> = order.iter().map(text_of).collect();
        let named: Vec<String> = order
            .iter()
            .map(|(file, line)| format!("{}:{}:{}", samples[*file].name, line + 1, text_of(&(*file, *line))))
            .collect();
        let text = ask(&sandbox, &["lines", "-f", "text"], &samples, &options).ok();
        assert_eq!(lines(text.text()), named, "{seed}");
        let bare = ask(&sandbox, &["lines", "-f", "text", "--no-path"], &samples, &options).ok();
        assert_eq!(lines(bare.text()), plain, "{seed}");
        let document = ask(&sandbox, &["lines"], &samples, &options).ok().document();
        assert_eq!(document.content, text.text(), "{seed}");
        check_json(&ask(&sandbox, &["lines", "--json"], &samples, &options).ok().json(), &samples, &plain);
        walk(&mut rng, &sandbox, &samples, &options, &plain);
    }
}

/// The segments of JSON join to the lines in order, and the receipt counts the records.
fn check_json(json: &Value, samples: &[Sample], plain: &[String]) {
    let segments = json["segments"].as_array().unwrap();
    let content = segments.iter().flat_map(|segment| lines(segment["content"].as_str().unwrap()));
    assert_eq!(content.collect::<Vec<_>>(), plain);
    let paths: Vec<&str> =
        segments.iter().map(|segment| segment["metadata"]["path"].as_str().unwrap()).collect();
    assert!(paths.windows(2).all(|two| two[0] != two[1]), "one segment for each run: {paths:?}");
    let receipt = &json["metadata"];
    let records = |sample: &Sample| sample.lines.iter().filter(|(_, time)| time.is_some()).count();
    let late = |sample: &Sample| {
        let mut latest = i64::MIN;
        let times = sample.lines.iter().filter_map(|(_, time)| *time);
        times
            .filter(|time| {
                let is_late = *time < latest;
                latest = latest.max(*time);
                is_late
            })
            .count()
    };
    let sum: usize = samples.iter().map(records).sum();
    assert_eq!((receipt["merged"].as_bool(), receipt["records"].as_u64()), (Some(true), Some(sum as u64)));
    let sum: usize = samples.iter().map(late).sum();
    assert_eq!(receipt["out_of_order"].as_u64().unwrap_or(0), sum as u64);
    for (file, sample) in receipt["files"].as_array().unwrap().iter().zip(samples) {
        assert_eq!(file["path"], sample.name.as_str());
        assert_eq!(file["records"].as_u64().unwrap(), records(sample) as u64);
        assert_eq!(file["lines"], format!("1-{}", sample.lines.len()).as_str());
        assert_eq!(file["range"], format!("0-{}", file["total"]).as_str());
    }
}

/// The pages that `next` types join to the whole, and the records of the pages add up.
fn walk(rng: &mut Rng, sandbox: &Sandbox, samples: &[Sample], options: &[String], plain: &[String]) {
    let budget = rng.pick(&["--max-lines=1", "--max-lines=3", "--max-bytes=100", "--max-tokens=50"]);
    let whole = ask(sandbox, &["lines"], samples, options).ok().document();
    let mut page = ask(sandbox, &["lines", budget], samples, options).ok().document();
    let (mut content, mut records, mut pages) = (String::new(), 0, 0);
    loop {
        records += page.fact("records").parse::<u64>().unwrap();
        // A line that the budget cuts goes on in the next page, after its path and number.
        match content.is_empty() || content.ends_with('\n') {
            true => content += &page.content,
            false => content += page.content.splitn(3, ':').nth(2).unwrap(),
        }
        pages += 1;
        let next = page.fact("next").to_owned();
        if next.is_empty() {
            break;
        }
        assert!(pages < 1000, "{next}");
        page = sandbox.run(next.split(' ').chain([budget])).ok().document();
    }
    assert_eq!(content, whole.content);
    assert_eq!(records, whole.fact("records").parse::<u64>().unwrap());
    assert_eq!(content.lines().count(), plain.len());
}

#[test]
fn a_file_that_cannot_be_merged_is_reported_and_the_others_are_merged() {
    let sandbox = Sandbox::with("a.log", "2026-11-01T00:00:02Z a\n");
    sandbox.file("b.log", "2026-11-01T00:00:01Z b\n");
    sandbox.file("none.txt", "no time\n");
    sandbox.file("empty.log", "");
    sandbox.file("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01");
    let merged = "2026-11-01T00:00:01Z b\n2026-11-01T00:00:02Z a\n";
    for (file, code, kind) in [
        ("none.txt", 6, "invalid_text"),
        ("gone.log", 3, "not_found"),
        ("picture.png", 4, "binary"),
        ("empty.log", 0, ""),
    ] {
        let run = sandbox.line(&format!("lines a.log {file} b.log --merge --raw"));
        assert_eq!((run.text(), run.code), (merged, code), "{file}: {run}");
        assert_eq!(run.stderr.contains(file), code > 0, "{run}");
        let json = sandbox.line(&format!("lines a.log {file} b.log --merge --json")).json();
        assert_eq!(json["metadata"]["files"][1]["kind"].as_str().unwrap_or_default(), kind, "{json}");
        assert_eq!(json["metadata"]["records"], 2);
        // Alone, it is an error as without --merge.
        if code > 0 {
            sandbox.line(&format!("lines {file} --merge --raw")).refused(code);
        }
    }
}

#[test]
fn one_file_is_the_same_as_without_merge() {
    let text = "banner\n2026-11-01T00:00:01Z a\n\tat x\n2026-11-01T00:00:00Z b";
    let sandbox = Sandbox::with("a.log", text);
    for format in ["--raw", "-f text", ""] {
        let plain = sandbox.line(&format!("lines a.log {format}")).ok();
        let merged = sandbox.line(&format!("lines a.log --merge {format}")).ok();
        if format.is_empty() {
            let document = merged.document();
            assert_eq!(document.content, plain.document().content);
            assert_eq!(document.fact("merged"), "true");
        } else {
            assert_eq!(merged.text(), plain.text(), "{format}");
        }
    }
}

#[test]
fn the_pages_of_one_file_join_to_it() {
    let text = "banner\n2026-11-01T00:00:01Z a\n\tat x\n2026-11-01T00:00:00Z b\n\tat y\n\tat z";
    let sandbox = Sandbox::with("a.log", text);
    let mut page = sandbox.line("lines a.log --merge --max-lines 1").ok().document();
    let (mut content, mut pages) = (String::new(), 1);
    loop {
        content += &page.content;
        if page.fact("next").is_empty() {
            break;
        }
        pages += 1;
        page = sandbox.line(&format!("{} --max-lines 1", page.fact("next"))).ok().document();
    }
    assert_eq!((content.as_str(), pages), (text, 6));
    let end = sandbox.line("ranges a.log:6 --merge --no-path --raw").ok();
    assert_eq!((end.text(), end.stderr.as_str()), ("\tat z", ""));
}

#[test]
fn options_of_content_work_on_merged_lines() {
    let sandbox = Sandbox::with("a.log", "2026-11-01T00:00:01Z one\n2026-11-01T00:00:03Z three\n");
    sandbox.file("b.log", "2026-11-01T00:00:02Z two");
    let text = |options: &str| {
        let run = sandbox.line(&format!("lines a.log b.log --merge -f text {options}"));
        assert_eq!(run.code, 0, "{run}");
        run.text().to_owned()
    };
    assert_eq!(
        text("--max-columns 22"),
        "a.log:1:2026-11-01T00:00:01Z o\nb.log:1:2026-11-01T00:00:02Z t\na.log:2:2026-11-01T00:00:03Z t\n"
    );
    assert_eq!(text("--no-path -n").lines().nth(1), Some("     1→2026-11-01T00:00:02Z two"));
    let hashed = sandbox.line("lines b.log --hash -f text").ok();
    assert_eq!(text("--hash").lines().nth(1), Some(&*format!("b.log:{}", hashed.text())));
    let brief = sandbox.line("lines a.log b.log --merge --brief --max-lines 2").ok();
    assert!(brief.text().contains("\nnext: \"ranges a.log:b25: --merge\"\n---\n"), "{brief}");
    let measured = sandbox.line("lines a.log b.log --merge --metadata-only").ok();
    let receipt = measured.text();
    assert!(receipt.contains("\nrecords: 3\n") && receipt.ends_with("---\n"), "{receipt}");
    // The bytes alone, and a newline where one is missing.
    let raw = sandbox.line("lines a.log b.log --merge --raw");
    assert_eq!(
        raw.text(),
        "2026-11-01T00:00:01Z one\n2026-11-01T00:00:02Z two\n2026-11-01T00:00:03Z three\n"
    );
    assert!(raw.stderr.contains("b.log: note: its last line has no newline"), "{raw}");
    // Ranges of each file.
    let ranges = sandbox.line("lines a.log b.log -1: --merge --no-path -f text").ok();
    assert_eq!(ranges.text(), "2026-11-01T00:00:02Z two\n2026-11-01T00:00:03Z three\n");
    let window = "lines a.log b.log --merge --no-path -f text --since 2026-11-01T00:00:02Z --until +1s";
    assert_eq!(sandbox.line(window).ok().text(), "2026-11-01T00:00:02Z two\n");
}

#[test]
fn a_window_that_a_budget_cuts_goes_on_to_its_end() {
    let record = |file: &str, n: u32| format!("2026-11-01T00:{:02}:{:02}Z {file} {n}\n", n / 60, n % 60);
    let sandbox = Sandbox::new();
    for file in ["a", "b"] {
        sandbox.file(&format!("{file}.log"), (0..600).map(|n| record(file, n)).collect::<String>());
    }
    let expected: String = (120..180).flat_map(|n| [record("a", n), record("b", n)]).collect();
    let window =
        "lines a.log b.log --merge --no-path --since 2026-11-01T00:02:00Z --until 2026-11-01T00:03:00Z";
    let mut page = sandbox.line(&format!("{window} --max-lines 7")).ok().document();
    let mut content = String::new();
    loop {
        content += &page.content;
        let next = page.fact("next").to_owned();
        if next.is_empty() {
            break;
        }
        page = sandbox.line(&format!("{next} --max-lines 7 --no-path")).ok().document();
    }
    assert_eq!(content, expected);
}

#[test]
fn the_version_of_a_set_is_expected() {
    let sandbox = Sandbox::with("a.log", "2026-11-01T00:00:01Z one\n");
    sandbox.file("b.log", "2026-11-01T00:00:02Z two\n");
    let version = |line: &str| sandbox.line(line).ok().document().fact("version").to_owned();
    let of_set = version("lines a.log b.log --merge");
    sandbox.line(&format!("lines a.log b.log --merge --expect {of_set}")).ok();
    sandbox.line(&format!("lines b.log a.log --merge --expect {of_set}")).refused(7);
    // The version of one file is its own.
    let own = version("lines a.log");
    assert_eq!(version("lines a.log --merge"), own);
    sandbox.line(&format!("lines a.log --merge --expect {own}")).ok();
    sandbox.line(&format!("lines a.log b.log --merge --expect {own}")).refused(7);
    sandbox.file("b.log", "2026-11-01T00:00:02Z TWO\n");
    sandbox.line(&format!("lines a.log b.log --merge --expect {of_set}")).refused(7);
}

#[test]
fn options_without_a_meaning_are_refused() {
    let sandbox = Sandbox::with("a.log", "2026-11-01T00:00:01Z one\n");
    sandbox.file("b.log", "2026-11-01T00:00:02Z two\n");
    for line in [
        "lines a.log b.log --merge --encode hex",
        "lines a.log b.log --merge --header 1",
        "lines a.log b.log --merge --slack 5s",
        "lines a.log b.log --merge --expect x --expect-prefix",
        "lines a.log b.log --no-path",
        "lines a.log b.log --merge --tz c.log=UTC",
        "lines a.log b.log --merge --tz a.log=Nowhere/None",
        "lines a.log b.log --merge --max-bytes 20",
        "lines a.log --tz UTC",
        "ranges a.log 1 --tz UTC",
        "ranges a.log 1 b.log 1 --merge --scan --slack 1s",
        "lines - - --merge",
    ] {
        let run = sandbox.line(line).refused(2);
        assert!(run.stderr.contains("hint: "), "{run}");
    }
}

#[test]
fn a_thousand_rotated_files_need_few_descriptors_and_little_memory() {
    let sandbox = Sandbox::new();
    let mut expected = String::new();
    for n in 0..1000 {
        let line =
            |second: u32| format!("2026-11-01T{:02}:{:02}:{second:02}Z file {n}\n", n / 60 % 24, n % 60);
        let text = line(1) + &line(2);
        expected += &text;
        sandbox.file(&format!("app.{n:04}.log"), &text);
    }
    let script = "ulimit -n 64; ulimit -v 400000; exec \"$RREAD\" lines app.*.log --merge --raw";
    let mut command = Command::new("sh");
    command.args(["-c", script]).current_dir(sandbox.path("")).env("RREAD", rread_testkit::home::binary());
    command.env("RREAD_INDEX", "off").env("TZ", "UTC");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout == expected.as_bytes(), "{} bytes", output.stdout.len());
}

#[test]
fn members_of_an_archive_and_a_pipe_are_merged() {
    let sandbox = Sandbox::with("a.log", "2026-11-01T00:00:01Z a\n2026-11-01T00:00:04Z a\n");
    sandbox.file("b.log", "2026-11-01T00:00:02Z b\n");
    let tar =
        Command::new("tar").args(["cf", "x.tar", "a.log", "b.log"]).current_dir(sandbox.path("")).status();
    if !tar.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: tar is not installed");
        return;
    }
    let run = sandbox.piped("lines x.tar - --merge -f text", "2026-11-01T00:00:03Z c\n").ok();
    let expected = "tar:x.tar/a.log:1:2026-11-01T00:00:01Z a\ntar:x.tar/b.log:1:2026-11-01T00:00:02Z b\n\
                    -:1:2026-11-01T00:00:03Z c\ntar:x.tar/a.log:2:2026-11-01T00:00:04Z a\n";
    assert_eq!(run.text(), expected);
    let page = sandbox.line("lines x.tar --merge --max-lines 1").ok().document();
    let next = page.fact("next");
    assert_eq!(next, "ranges tar:x.tar/a.log b23: tar:x.tar/b.log b0: --merge");
    let rest = sandbox.line(&format!("{next} --no-path -f text")).ok();
    assert_eq!(rest.text(), "2026-11-01T00:00:02Z b\n2026-11-01T00:00:04Z a\n");
}

#[test]
fn a_search_shows_the_lines_of_the_merge_that_match() {
    for seed in 0..cases(200, 8) {
        let mut rng = Rng::new(seed + 1000);
        let sandbox = Sandbox::new();
        let mut samples: Vec<Sample> =
            (0..2 + rng.below(3)).map(|n| sample(&mut rng, &format!("{n}.log"))).collect();
        let options = store(&mut rng, &sandbox, &mut samples);
        let digit = rng.pick(&["1$", "[13579]$", "at .* 0$"]);
        let is_match = |text: &str| match digit {
            "1$" => text.ends_with('1'),
            "at .* 0$" => text.starts_with("\tat ") && text.ends_with(" 0"),
            _ => text.ends_with(['1', '3', '5', '7', '9']),
        };
        let order = merged(&samples);
        let matching = order.iter().filter(|(file, line)| is_match(&samples[*file].lines[*line].0));
        let expected: Vec<String> = matching
            .map(|(file, line)| {
                format!("{}:{}:{}", samples[*file].name, line + 1, samples[*file].lines[*line].0)
            })
            .collect();
        if expected.is_empty() {
            continue;
        }
        let words: Vec<&str> = ["search", digit].into_iter().collect();
        let names: Vec<&str> = samples.iter().map(|sample| sample.name.as_str()).collect();
        let ask = |more: &[&str]| {
            let all = words.iter().chain(&names).chain(&["--merge"]).chain(more).copied();
            sandbox.run(all.chain(options.iter().map(String::as_str)))
        };
        assert_eq!(lines(ask(&["-f", "text"]).ok().text()), expected, "{seed}");
        let json = ask(&["--json"]).ok().json();
        let content = json["segments"].as_array().unwrap().iter();
        let content: Vec<String> =
            content.flat_map(|segment| lines(segment["content"].as_str().unwrap())).collect();
        let bare: Vec<&str> = expected.iter().map(|line| line.splitn(3, ':').nth(2).unwrap()).collect();
        assert_eq!(content, bare, "{seed}");
        assert_eq!(json["metadata"]["matched_lines"].as_u64(), Some(expected.len() as u64));
        let mut page = ask(&["--max-lines", "2"]).ok().document();
        let mut content = String::new();
        loop {
            content += &page.content;
            let next = page.fact("next").to_owned();
            if next.is_empty() {
                break;
            }
            let next = next.replace(&format!("'{digit}'"), digit);
            let words: Vec<&str> = match digit.contains(' ') {
                true => {
                    let rest = next.split_once(digit).unwrap().1;
                    ["search", digit].into_iter().chain(rest.split_whitespace()).collect()
                }
                false => next.split(' ').collect(),
            };
            page = sandbox.run(words.into_iter().chain(["--max-lines", "2", "-H"])).ok().document();
        }
        assert_eq!(lines(&content), expected, "{seed}");
    }
}

/// What `grep` shows of the merged text: each line with its place in the order, and whether it matches and is shown as a
/// match; of groups that do not touch, the first line is marked.
fn grepped(hits: &[bool], before: usize, after: usize, most: usize) -> Vec<(usize, bool, bool)> {
    let (mut shown, mut count, mut owed, mut next) = (Vec::new(), 0, 0, 0);
    for (place, is_hit) in hits.iter().enumerate() {
        if *is_hit && count < most {
            let from = place.saturating_sub(before).max(next);
            let is_gap = next > 0 && from > next;
            shown.extend((from..=place).map(|line| (line, line == place, is_gap && line == from)));
            (count, owed, next) = (count + 1, after, place + 1);
        } else if owed > 0 {
            shown.push((place, false, false));
            (owed, next) = (owed - 1, place + 1);
        }
    }
    shown
}

#[test]
fn the_context_of_a_match_is_that_of_the_merged_text() {
    for seed in 0..cases(300, 8) {
        let mut rng = Rng::new(seed + 5000);
        let sandbox = Sandbox::new();
        let mut samples: Vec<Sample> =
            (0..2 + rng.below(3)).map(|n| sample(&mut rng, &format!("{n}.log"))).collect();
        let options = store(&mut rng, &sandbox, &mut samples);
        let digit = rng.pick(&["1", "[137]", "9", "at"]);
        let is_match = |text: &str| match digit {
            "at" => text.starts_with("\tat"),
            "[137]" => text.ends_with(['1', '3', '7']),
            digit => text.ends_with(digit),
        };
        let pattern = if digit == "at" { "^\tat".to_owned() } else { format!("{digit}$") };
        let order = merged(&samples);
        let text_of = |(file, line): &(usize, usize)| samples[*file].lines[*line].0.as_str();
        let mut hits: Vec<bool> = order.iter().map(|place| is_match(text_of(place))).collect();
        let sum = hits.iter().filter(|is_hit| **is_hit).count();
        if sum == 0 {
            continue;
        }
        let (before, after) = (rng.below(4), rng.below(4));
        let most = if rng.one_in(2) { 1 + rng.below(3) } else { sum };
        let is_last = rng.one_in(3);
        if is_last {
            hits.iter_mut()
                .filter(|is_hit| **is_hit)
                .take(sum.saturating_sub(most))
                .for_each(|hit| *hit = false);
        }
        let shown = grepped(&hits, before, after, most);
        let named = |(place, is_hit, is_gap): &(usize, bool, bool)| {
            let (file, line) = order[*place];
            let sign = if *is_hit { ':' } else { '-' };
            let line = format!("{}{sign}{}{sign}{}", samples[file].name, line + 1, text_of(&(file, line)));
            (*is_gap && before + after > 0).then(|| "--".to_owned()).into_iter().chain([line])
        };
        let expected: Vec<String> = shown.iter().flat_map(named).collect();
        let names: Vec<&str> = samples.iter().map(|sample| sample.name.as_str()).collect();
        let ask = |more: &[&str]| {
            let count = if is_last { format!("--last={most}") } else { format!("-m{most}") };
            let numbers = [format!("-B{before}"), format!("-A{after}"), count];
            let words = ["search", &pattern].into_iter().chain(names.iter().copied()).chain(["--merge"]);
            let words = words.chain(more.iter().copied()).map(str::to_owned);
            sandbox.run(words.chain(numbers).chain(options.iter().cloned()))
        };
        let about = format!("{seed}: {pattern} -B{before} -A{after} -m{most} (last: {is_last})");
        assert_eq!(lines(ask(&["-f", "text"]).ok().text()), expected, "{about}");
        let document = ask(&["-H"]).ok().document();
        assert_eq!(lines(&document.content), expected, "{about}");
        assert_eq!(document.fact("matched_lines"), most.min(sum).to_string(), "{about}");
        assert_eq!(document.fact("complete") == "false", most < sum, "{about}");
        assert_eq!(!document.fact("next").is_empty(), most < sum && !is_last, "{about}");
        let plain: Vec<&str> = shown.iter().map(|(place, ..)| text_of(&order[*place])).collect();
        let mut page = ask(&["--json"]).ok().json();
        check_segments(&sandbox, &page, &plain, &about);
        // The answers along `next` have every match once, and around it at least what no answer before has shown.
        let (mut done, mut seen) = (0, Vec::new());
        loop {
            let mut left = hits.clone();
            left.iter_mut().filter(|hit| **hit).take(done).for_each(|hit| *hit = false);
            let shown = grepped(&left, before, after, most);
            let shown: Vec<_> = shown.iter().map(|(place, is_hit, _)| (order[*place], *is_hit)).collect();
            let got = numbered(&page, &samples);
            let matched =
                |all: &[Shown]| all.iter().filter(|(_, is_hit)| *is_hit).copied().collect::<Vec<_>>();
            assert_eq!(matched(&got), matched(&shown), "{about}, after {done}");
            let lost = shown.iter().find(|line| !got.contains(line) && !seen.contains(&line.0));
            assert_eq!(lost, None, "{about}, after {done}");
            seen.extend(got.iter().map(|(line, _)| *line));
            done += most;
            let next = &page["metadata"]["next"];
            let Some(words) = next["arguments"].as_array().cloned() else { break };
            let words = std::iter::once(next["command"].clone()).chain(words);
            let words = words.map(|word| word.as_str().unwrap().to_owned()).chain(["--json".to_owned()]);
            page = sandbox.run(words).ok().json();
        }
        assert!(is_last || done >= sum, "{about}");
    }
}

/// The file and the place of a line, and whether it is shown as a match.
type Shown = ((usize, usize), bool);

fn numbered(json: &Value, samples: &[Sample]) -> Vec<Shown> {
    let mut all = Vec::new();
    for segment in json["segments"].as_array().unwrap() {
        let metadata = &segment["metadata"];
        let file = samples.iter().position(|sample| metadata["path"] == sample.name.as_str()).unwrap();
        let matched: Vec<_> =
            metadata["matches"].as_array().unwrap().iter().map(|found| &found["line"]).collect();
        let (first, last) = (&metadata["actual_range"]["start_line"], &metadata["actual_range"]["end_line"]);
        for line in first.as_u64().unwrap()..=last.as_u64().unwrap() {
            let is_hit = matched.iter().any(|found| found.as_u64() == Some(line));
            all.push(((file, usize::try_from(line).unwrap() - 1), is_hit));
        }
    }
    all
}

/// Segments join to the lines in order, and the range of each can be given back.
fn check_segments(sandbox: &Sandbox, json: &Value, plain: &[&str], about: &str) {
    let segments = json["segments"].as_array().unwrap();
    let content = segments.iter().flat_map(|segment| lines(segment["content"].as_str().unwrap()));
    assert_eq!(content.collect::<Vec<_>>(), plain, "{about}");
    for segment in segments {
        let range = &segment["metadata"]["actual_range"];
        let range = format!("{}:{}", range["start_line"], range["end_line"]);
        let path = segment["metadata"]["path"].as_str().unwrap();
        let again = sandbox.run(["lines", path, &range, "-f", "text"]).ok();
        assert_eq!(lines(again.text()), lines(segment["content"].as_str().unwrap()), "{about} {range}");
    }
}

#[test]
fn a_budget_cuts_between_a_match_and_the_context_of_the_next() {
    let record = |file: &str, n: usize| {
        let mark = if n % 3 == 1 { "hit" } else { "other" };
        format!("2026-11-01T00:00:{n:02}Z {file} {mark} {n}\n")
    };
    let sandbox = Sandbox::new();
    for (file, first) in [("a", 0), ("b", 1)] {
        let text: String = (first..40).step_by(2).map(|n| record(file, n)).collect();
        sandbox.file(&format!("{file}.log"), text);
    }
    for (context, budget) in [
        ("-B 1", "--max-lines 1"),
        ("-B 1", "--max-lines 5"),
        ("-C 1", "--max-lines 4"),
        ("-A 2", "--max-bytes 200"),
        ("-C 2", "--max-tokens 90"),
    ] {
        let mut next = format!("search hit a.log b.log --merge {context}");
        let mut found = Vec::new();
        for _ in 0..40 {
            let page = sandbox.line(&format!("{next} {budget} -H")).ok().document();
            let hits =
                page.content.lines().filter(|line| line.starts_with(['a', 'b']) && line.contains("hit"));
            let hits = hits.filter(|line| line.as_bytes()[5] == b':');
            found.extend(hits.map(|line| line.rsplit(' ').next().unwrap().parse::<usize>().unwrap()));
            next = page.fact("next").to_owned();
            assert_eq!(page.has("complete"), !next.is_empty(), "{context} {budget}");
            if next.is_empty() {
                break;
            }
        }
        assert_eq!(found, (1..40).step_by(3).collect::<Vec<_>>(), "{context} {budget}");
    }
    // A match whose context has no room is shown alone, and the answer is cut.
    let json = sandbox.line("search hit a.log b.log --merge -B 2 --max-lines 1 --json").ok().json();
    let (segments, metadata) = (json["segments"].as_array().unwrap(), &json["metadata"]);
    assert_eq!(segments.len(), 1, "{json}");
    assert_eq!(segments[0]["metadata"]["matches"][0]["line"], 1, "{json}");
    assert_eq!((&metadata["truncated"], &metadata["cut_by"]), (&true.into(), &"max_lines".into()), "{json}");
}

#[test]
fn context_before_a_window_is_that_of_all_files() {
    let sandbox = Sandbox::new();
    for (file, first) in [("a", 0), ("b", 1), ("c", 2)] {
        let record = |n: usize| format!("2026-11-01T00:00:{n:02}Z {file} {n}\n");
        sandbox.file(&format!("{file}.log"), (first..30).step_by(3).map(record).collect::<String>());
    }
    let window = "--since 2026-11-01T00:00:12Z --until 2026-11-01T00:00:14Z";
    let run = sandbox.line(&format!("search T a.log b.log c.log --merge --raw -B 4 -A 2 {window}")).ok();
    let shown: Vec<&str> = run.text().lines().map(|line| line.rsplit(' ').next().unwrap()).collect();
    assert_eq!(shown, ["8", "9", "10", "11", "12", "13", "14", "15"], "{run}");
    // A file without a record in the window has lines around it; ranges do not grow by the context.
    let window = "--since 2026-11-01T00:00:12Z --until 2026-11-01T00:00:13Z";
    let run = sandbox.line(&format!("search T a.log b.log c.log --merge --raw -C 2 {window}")).ok();
    let shown: Vec<&str> = run.text().lines().map(|line| line.rsplit(' ').next().unwrap()).collect();
    assert_eq!(shown, ["10", "11", "12", "13", "14"], "{run}");
    let run = sandbox.line("search T a.log:2 b.log:3 --merge -C 1 -f text").ok();
    let expected = "b.log-1-2026-11-01T00:00:01Z b 1\na.log:2:2026-11-01T00:00:03Z a 3\n\
                    b.log-2-2026-11-01T00:00:04Z b 4\na.log-3-2026-11-01T00:00:06Z a 6\n\
                    b.log:3:2026-11-01T00:00:07Z b 7\na.log-4-2026-11-01T00:00:09Z a 9\n";
    assert_eq!(run.text(), expected);
}

#[test]
fn a_search_of_merged_lines_refuses_what_has_no_meaning() {
    let sandbox = Sandbox::with("a.log", "2026-11-01T00:00:02Z hit a\n");
    sandbox.file("b.log", "2026-11-01T00:00:03Z before\n2026-11-01T00:00:04Z hit b\n\tat hit\n");
    let window = "search hit a.log b.log --merge --no-path --raw --since 2026-11-01T00:00:04Z";
    assert_eq!(sandbox.line(window).ok().text(), "2026-11-01T00:00:04Z hit b\n\tat hit\n");
    let none = sandbox.line("search nosuch a.log b.log --merge");
    assert_eq!((none.code, none.document().fact("matched_lines")), (1, "0"), "{none}");
    // With --brief, a receipt is about the files that have lines in the answer.
    let brief = sandbox.line("search before a.log b.log --merge --brief").ok();
    assert!(brief.text().contains("path: b.log") && !brief.text().contains("path: a.log"), "{brief}");
    for options in ["-c", "-l", "-q", "--in 1", "--passthru", "--heading", "-U", "--stats"] {
        let run = sandbox.line(&format!("search hit a.log b.log --merge {options}")).refused(2);
        assert!(run.stderr.contains("hint: "), "{run}");
    }
}

#[test]
fn what_goes_on_and_what_failed_has_its_name() {
    let sandbox = Sandbox::new();
    sandbox.file("m1.log", "2026-01-01T00:00:05Z a hit\n2026-01-01T00:00:07Z a hit\n");
    sandbox.file("m2.log", "2026-01-01T00:00:06Z b HIT\n");
    for option in ["-i", "-w", "-F", "-S"] {
        let line = format!("search hit m1.log m2.log --merge --max-lines 1 --json {option}");
        let next = sandbox.line(&line).ok().json()["metadata"]["next"].clone();
        let words =
            next["arguments"].as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned());
        let words: Vec<String> =
            [next["command"].as_str().unwrap().to_owned()].into_iter().chain(words).collect();
        assert!(words.contains(&option.to_owned()), "{words:?}");
        sandbox.run(&words).ok();
    }
    sandbox.line("search -o hit m1.log m2.log --merge --max-lines 1").refused(2);
    let budget = sandbox.line_env("search -o hit m1.log m2.log --merge", &[("RREAD_MAX_BYTES", "1000")]);
    budget.refused(2);
    // The last file keeps its name.
    let last = sandbox.line("search hit m1.log:b27: --merge -f text").ok();
    assert_eq!(last.text(), "m1.log:2:2026-01-01T00:00:07Z a hit\n");
    let failed = sandbox.line("lines m1.log nofile nofile2 1: --merge --max-lines 1 -f text");
    assert_eq!(failed.code, 3);
    assert!(failed.stderr.contains("nofile2: ") && !failed.stderr.contains("rread: :"), "{failed}");
    // Windows-1251 is not guessed from so few letters.
    sandbox.file("e.log", b"2026-01-01T00:00:01Z \xe6\n2026-01-01T00:00:03Z \xe6\n");
    let next = sandbox.line("lines e.log m1.log --merge -E windows-1251 --max-lines 1 --json").ok().json();
    let arguments = next["metadata"]["next"]["arguments"].to_string();
    assert!(arguments.contains("\"--encoding\",\"windows-1251\""), "{arguments}");
}
