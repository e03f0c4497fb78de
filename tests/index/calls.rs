//! Every command answers right in any state of the index: the built program against a naive oracle.

use std::fs::{self, OpenOptions};
use std::io::Write;

use rread_testkit::ask::B;
use rread_testkit::bulk::{STYLES, Style, settle, text_of};
use rread_testkit::lab::{Lab, Run};
use rread_testkit::naive::Whole;
use rread_testkit::rng::Rng;
use rread_testkit::sample::cases;
use serde_json::Value;

/// Brings the index of `text` into one of its possible states and returns its name.
fn prepare(lab: &mut Lab, state: usize, bytes: &[u8]) -> &'static str {
    let _ = fs::remove_dir_all(lab.cache());
    fs::write(lab.path("text"), bytes).unwrap();
    settle();
    lab.set("RREAD_INDEX", if state == 0 { "off" } else { "auto" });
    match state {
        0 => "off",
        1 => "cold",
        2 => {
            lab.line("lines text 1:3 --raw").ok();
            "partial, or warm where the file is small"
        }
        3 => {
            // The index of a shorter file, which then grew again.
            fs::write(lab.path("text"), &bytes[..bytes.len() / 2]).unwrap();
            settle();
            lab.line("index build text").ok();
            let mut file = OpenOptions::new().append(true).open(lab.path("text")).unwrap();
            file.write_all(&bytes[bytes.len() / 2..]).unwrap();
            "to be extended"
        }
        _ => {
            lab.line("index build text").ok();
            "complete"
        }
    }
}

/// The texts: every style, and one too large to be counted whole at every call.
fn texts() -> Vec<(Style, Vec<u8>)> {
    let mut rng = Rng::new(3);
    let mut texts: Vec<(Style, Vec<u8>)> =
        STYLES.iter().map(|style| (*style, text_of(&mut rng, *style, 6 * B + 77))).collect();
    texts.push((Style::Words, text_of(&mut rng, Style::Words, 40 * B)));
    texts
}

#[test]
fn every_command_is_right_in_every_state_of_the_index() {
    let mut lab = Lab::new();
    for (n, (style, bytes)) in texts().into_iter().enumerate() {
        let whole = Whole::new(&bytes);
        let edge = whole.newlines_before(3 * B as u64).max(1);
        // In a sample, every text is in one or two of the states.
        for state in (cases(0, n % 3)..5).step_by(cases(1, 3)) {
            let name = prepare(&mut lab, state, &bytes);
            let case = format!("{style:?}, {} bytes, index {name}", bytes.len());
            let firsts = [1, edge, edge + 1, whole.lines() / 2 + 1, whole.lines()];
            for first in firsts.into_iter().cycle().skip(state).take(cases(5, 2)) {
                lines_are_right(&lab, &whole, first.min(whole.lines()), &case);
            }
            bytes_are_right(&lab, &whole, 3 * B as u64 - 2, &case);
            positions_are_right(&lab, &whole, &case);
            stat_is_right(&lab, &whole, &case);
        }
    }
}

fn slice<'a>(whole: &Whole<'a>, from: u64, to: u64) -> &'a [u8] {
    let at = |n: u64| usize::try_from(whole.after(n)).unwrap();
    &whole.bytes[at(from - 1)..at(to)]
}

#[track_caller]
fn raw(lab: &Lab, line: &str, expected: &[u8], case: &str) {
    let got = lab.line(&format!("{line} --raw")).ok().stdout;
    assert!(got == expected, "{line}: {} bytes, not {}: {case}", got.len(), expected.len());
}

fn lines_are_right(lab: &Lab, whole: &Whole, first: u64, case: &str) {
    let lines = whole.lines();
    let last = (first + 3).min(lines);
    let expected = slice(whole, first, last);
    raw(lab, &format!("lines text {first}:+{}", last + 1 - first), expected, case);
    let back = lines + 1 - first;
    raw(lab, &format!("lines text -{back}:+{}", last + 1 - first), expected, case);
    raw(lab, &format!("lines text -{back}:{last}"), expected, case);
    let wide = slice(whole, first.saturating_sub(2).max(1), (first + 2).min(lines));
    raw(lab, &format!("lines text {first} -C 2"), wide, case);
    if first > 2 {
        let headed = [slice(whole, 1, 2), slice(whole, first, first)].concat();
        raw(lab, &format!("lines text {first} --header 2"), &headed, case);
    }
    let numbered: Vec<u8> =
        (first..=last).flat_map(|n| [format!("{n:>6}→").as_bytes(), slice(whole, n, n)].concat()).collect();
    let got = lab.line(&format!("lines text -{back}:+{} -n -f text", last + 1 - first)).ok().stdout;
    assert!(got == numbered, "numbered lines from {first}: {case}");
    let facts = lab.json(&format!("lines text {first}:{last} --metadata-only"));
    receipt_is_right(&facts["metadata"], whole, first, last, case);
}

fn receipt_is_right(facts: &Value, whole: &Whole, first: u64, last: u64, case: &str) {
    let range = &facts["actual_range"];
    let expected = [first, last, whole.after(first - 1), whole.after(last)];
    for (key, expected) in ["start_line", "end_line", "start_byte", "end_byte"].into_iter().zip(expected) {
        assert_eq!(range[key], expected, "{key} of lines {first}:{last}: {facts}: {case}");
    }
    total_is_right(&facts["total_lines"], whole, case);
}

fn total_is_right(reported: &Value, whole: &Whole, case: &str) {
    assert!(
        reported.is_null() || *reported == whole.lines(),
        "{reported} instead of {}: {case}",
        whole.lines()
    );
}

fn bytes_are_right(lab: &Lab, whole: &Whole, start: u64, case: &str) {
    let from = usize::try_from(start).unwrap();
    raw(lab, &format!("bytes text {start}:+100"), &whole.bytes[from..from + 100], case);
    let line = whole.newlines_before(start) + 1;
    let facts = lab.json(&format!("bytes text {start}:+100 --metadata-only"));
    let reported = &facts["metadata"]["actual_range"]["start_line"];
    assert!(reported.is_null() || *reported == line, "{reported} instead of line {line}: {case}");
    total_is_right(&facts["metadata"]["total_lines"], whole, case);
    let numbered = lab.line(&format!("bytes text {start}:+1 -n -f text")).ok();
    assert!(numbered.stdout.starts_with(format!("{line:>6}→").as_bytes()), "line {line}: {numbered}: {case}");
    let mixed = lab.json(&format!("ranges text b{start}:+10 {line} -1 --metadata-only"));
    let segments = mixed["segments"].as_array().unwrap();
    let starts = segments.iter().map(|s| s["metadata"]["actual_range"]["start_byte"].as_u64().unwrap());
    let expected = [start, whole.after(line - 1), whole.before_last(1)];
    assert_eq!(starts.collect::<Vec<_>>(), expected, "{case}");
}

fn positions_are_right(lab: &Lab, whole: &Whole, case: &str) {
    let size = whole.size();
    for byte in [0, B as u64 - 1, B as u64, 3 * B as u64 + 1, size / 2, size - 1] {
        let facts = lab.json(&format!("where text --byte {byte}"));
        let line = whole.newlines_before(byte);
        let place = [line + 1, byte - whole.after(line) + 1, whole.after(line)];
        let reported = ["line", "column", "line_start"].map(|key| facts[key].as_u64().unwrap());
        assert_eq!(reported, place, "byte {byte}: {case}");
        let back = lab.json(&format!("where text --byte -{}", size - byte));
        assert_eq!((&back["byte"], &back["line"]), (&facts["byte"], &facts["line"]), "{case}");
    }
    for line in [1, whole.lines() / 3 + 1, whole.newlines_before(2 * B as u64).max(1), whole.lines()] {
        let range = format!("{}-{}", whole.after(line - 1), whole.after(line));
        for asked in [line.to_string(), format!("-{}", whole.lines() + 1 - line)] {
            let facts = lab.json(&format!("where text --line {asked}"));
            assert_eq!(facts["line"], line, "--line {asked}: {case}");
            assert_eq!(facts["range"], range, "--line {asked}: {case}");
            total_is_right(&facts["total_lines"], whole, case);
        }
    }
    let beyond = whole.lines() + 1;
    for line in [format!("where text --line {beyond}"), format!("lines text {beyond}")] {
        let run: Run = lab.line(&line);
        let reported = format!("beyond the end of the file ({} line", whole.lines());
        assert!(run.code == Some(5) && run.stderr.contains(&reported), "{run}: {case}");
    }
}

fn stat_is_right(lab: &Lab, whole: &Whole, case: &str) {
    let facts = lab.json("stat text");
    total_is_right(&facts["lines"], whole, case);
    let counted = lab.json("stat text --count");
    let full_scan = whole.full_scan();
    assert_eq!(counted["lines"], full_scan.lines, "{case}");
    assert_eq!(counted["newlines"]["crlf"], full_scan.crlf, "{case}");
    assert_eq!(counted["longest_line"]["line"], full_scan.longest.line, "{case}");
    if case.contains("complete") {
        assert_eq!(facts["lines"], whole.lines(), "an index knows the lines: {case}");
        assert_eq!((&facts["index"], &counted["index"]), (&"hit".into(), &"hit".into()), "{case}");
    }
}
