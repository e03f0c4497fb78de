//! A loop that follows `next` until there is none reads the whole file.

use rread_testkit::sample::cases;
use rread_testkit::sandbox::{Run, Sandbox, fixture_bytes, numbered, words};
use serde_json::Value;

/// Follows `next`; returns all content and the number of answers.
#[track_caller]
fn walk(sandbox: &Sandbox, first: &str, flags: &str, env: &[(&str, &str)]) -> (String, usize) {
    let mut line = format!("{first} {flags} --json");
    let mut all = String::new();
    let mut at = None;
    for count in 1..5000 {
        let answer = sandbox.line_env(&line, env).ok().json();
        let metadata = &answer["metadata"];
        all.push_str(answer["content"].as_str().unwrap());
        let start = metadata["actual_range"]["start_byte"].as_u64().unwrap();
        let end = metadata["actual_range"]["end_byte"].as_u64().unwrap();
        if let Some(at) = at {
            assert_eq!(start, at, "no gap and no overlap: {line}");
            assert!(end > start || metadata["eof"] == Value::Bool(true), "no headway: {line}");
        }
        at = Some(end);
        let Some(next) = metadata.get("next") else {
            assert_eq!(metadata["eof"], Value::Bool(true), "{line}");
            return (all, count);
        };
        line = format!("{} {flags} --json", again(next));
    }
    panic!("{first} {flags} never ends; the last request was {line}");
}

#[test]
fn lines_lead_to_the_end_of_the_file() {
    let text = String::from_utf8(fixture_bytes("service.log")).unwrap();
    let sandbox = Sandbox::with("f", &text);
    for (first, answers) in [
        ("lines f 1:+37", 14),
        ("lines f :100", 5),
        ("lines f 1:250", 2),
        ("lines f", 1),
        ("lines f 1:+500", 1),
    ] {
        let (all, count) = walk(&sandbox, first, "", &[]);
        assert!(all == text, "{first}");
        assert_eq!(count, answers, "next is of the same size: {first}");
    }
    for (first, skipped) in
        [("lines f 450:+7", 449), ("lines f -50:-40", 450), ("lines f -500:+99", 0), ("lines f -1", 499)]
    {
        let rest: String = text.split_inclusive('\n').skip(skipped).collect();
        assert_eq!(walk(&sandbox, first, "", &[]).0, rest, "{first}");
    }
    for name in ["no-final-newline.txt", "crlf.txt", "only-newlines.txt", "multibyte.txt"] {
        let bytes = fixture_bytes(name);
        sandbox.file("f", &bytes);
        assert_eq!(walk(&sandbox, "lines f 1", "", &[]).0.as_bytes(), bytes, "{name}");
    }
}

#[test]
fn bytes_lead_to_the_end_of_the_file() {
    let text = String::from_utf8(fixture_bytes("multibyte.txt")).unwrap();
    let sandbox = Sandbox::with("f", &text);
    for (n, size) in [1, 2, 3, 4, 5, 7, 16, 1000].into_iter().enumerate() {
        let firsts = [
            format!("bytes f 0:{size}"),
            format!("bytes f 0:+{size}"),
            format!("bytes f bytes=0-{}", size - 1),
        ];
        // In a sample, every size has one of the forms.
        for first in firsts.into_iter().skip(cases(0, n % 3)).take(cases(3, 1)) {
            let (all, count) = walk(&sandbox, &first, "", &[]);
            assert_eq!(all, text, "{first}");
            assert!(count <= text.len() / size + 1, "{first}: {count} answers");
        }
    }
    let (tail, _) = walk(&sandbox, "bytes f -20:-10", "", &[]);
    assert!(text.ends_with(&tail) && tail.len() >= 20, "{tail}");
}

#[test]
fn a_loop_that_shrinks_ends_too() {
    let text = "漢字🎉かな\n";
    let sandbox = Sandbox::with("f", text);
    for size in [4, 5, 7] {
        assert_eq!(walk(&sandbox, &format!("bytes f 0:{size} --align shrink"), "", &[]).0, text, "{size}");
    }
}

#[test]
fn next_never_repeats_the_request() {
    // No character fits, so nothing is delivered; the same request again would loop forever.
    let sandbox = Sandbox::with("f", "漢字🎉かな\n");
    for size in [1, 2, 3] {
        let answer = sandbox.line(&format!("bytes f 6:+{size} --align shrink --json")).ok().json();
        assert_eq!(answer["content"], Value::from(""));
        assert_ne!(
            answer["metadata"]["next"]["range"],
            Value::from(format!("6:+{size}")),
            "a loop without an end"
        );
    }
}

#[test]
fn budgets_that_cut_inside_long_lines_lose_nothing() {
    let ascii = format!("short\n{}\nafter\n", "0123456789".repeat(cases(30, 12)));
    let wide = format!("{}\n{}é\n\nend", "漢字かな".repeat(cases(20, 5)), "🎉x".repeat(cases(25, 8)));
    let texts = [ascii, wide, String::from_utf8(fixture_bytes("multibyte.txt")).unwrap()];
    for (n, text) in texts.into_iter().enumerate() {
        let sandbox = Sandbox::with("f", &text);
        for (m, max) in [4, 5, 7, 10, 64, 100].into_iter().enumerate().step_by(cases(1, 2)) {
            let firsts = ["lines f", "bytes f", "lines f 1:2", "lines f -2:", "bytes f 0:50", "bytes f -60:"];
            // In a sample, every pair of a budget and a request has one of the texts.
            for first in firsts.into_iter().skip(cases(0, (n + m / 2) % 3)).step_by(cases(1, 3)) {
                let (all, _) = walk(&sandbox, first, &format!("--max-bytes {max}"), &[]);
                let whole = if first.contains(" -") { text.ends_with(&all) } else { all == text };
                assert!(whole && !all.is_empty(), "{first} --max-bytes {max}: {all}");
            }
            let (all, _) = walk(&sandbox, "lines f", "", &[("RREAD_MAX_BYTES", &max.to_string())]);
            assert_eq!(all, text, "RREAD_MAX_BYTES={max}");
        }
        for max in [1, 2, 3] {
            assert_eq!(walk(&sandbox, "lines f", &format!("--max-lines {max}"), &[]).0, text);
            assert_eq!(walk(&sandbox, "bytes f", &format!("--max-lines {max}"), &[]).0, text);
        }
        assert_eq!(walk(&sandbox, "lines f", "--max-lines 2 --max-bytes 9", &[]).0, text);
    }
}

#[test]
fn a_cut_keeps_the_requested_size() {
    let sandbox = Sandbox::with("f", numbered(5000));
    let next = |line: &str| sandbox.line(line).ok().document().fact("next").to_owned();
    assert_eq!(next("lines f 1:+500 --max-lines 70"), "lines 71:+500");
    assert_eq!(next("lines f 2:5 --max-lines 1"), "lines 3:+4");
    assert_eq!(next("lines f -500:-400 --max-lines 30"), "lines 4531:+100");
    assert_eq!(next("lines f :-20 --max-lines 30"), "lines 31:-20");
    assert_eq!(next("bytes f 0:30 --max-bytes 10"), "bytes 7:+30");
    assert_eq!(next("page f 2 --page-size 1000 --max-bytes 100"), "bytes 1098:+1000");
    // The size of a request with context includes the context.
    assert_eq!(next("lines f 50 -C 5 --max-lines 3"), "lines 48:+11");
    // The rest before the requested end is not a size.
    assert_eq!(next("lines f 4978:-20 --max-lines 30"), "lines 4981:");
}

#[test]
fn calls_that_follow_a_budget_are_as_few_as_the_budget_allows() {
    let lines: usize = cases(5000, 1500);
    let text = numbered(lines);
    let sandbox = Sandbox::with("f", &text);
    let (by_lines, by_bytes) =
        (("--max-lines 70", lines.div_ceil(70)), ("--max-bytes 700", text.len().div_ceil(690)));
    for (first, (flags, least)) in [
        ("lines f 1:+500", by_lines),
        ("lines f :500", by_lines),
        (cases("lines f :-4000", "lines f :-1200"), by_lines),
        ("lines f 1:+500", by_bytes),
        ("bytes f 0:+5000", by_bytes),
        (cases("bytes f :-40000", "bytes f :-12000"), by_bytes),
        ("page f --page-size 5000", by_bytes),
        ("page f --page-size 5000", by_lines),
    ] {
        let (all, count) = walk(&sandbox, first, flags, &[]);
        assert!(all == text && count <= least + 2, "{first} {flags}: {count} calls, not {least}");
    }
}

#[test]
fn alignment_is_a_part_of_next() {
    let text = "a漢字🎉かなé\n".repeat(cases(20, 3));
    let sandbox = Sandbox::with("f", &text);
    let next = |line: &str| sandbox.line(line).ok().document().fact("next").to_owned();
    assert_eq!(next("bytes f 0:+5 --align none"), "bytes 5:+5 --align none");
    assert_eq!(next("bytes f 0:+5 --align shrink"), "bytes 4:+5 --align shrink");
    assert_eq!(next("bytes f 0:+5"), "bytes 7:+5");
    // Following `next` gives every byte once, in as many calls as there are slices.
    for (align, size) in [("none", 1), ("none", 5), ("none", 7), ("shrink", 4), ("shrink", 7), ("expand", 5)]
    {
        for budget in ["", " --max-bytes 8"] {
            let (mut line, mut at, mut count) = (format!("bytes f 0:+{size} --align {align}"), 0, 0);
            loop {
                let answer = sandbox.line(&format!("{line}{budget} --json")).ok().json();
                let metadata = &answer["metadata"];
                assert_eq!(metadata["actual_range"]["start_byte"], at, "{line}{budget}");
                (at, count) = (metadata["actual_range"]["end_byte"].as_u64().unwrap(), count + 1);
                let Some(next) = metadata.get("next") else { break };
                line = again(next);
            }
            assert_eq!(at, text.len() as u64, "{align} {size}{budget}");
            let room = if align == "none" { size } else { size - 3 };
            assert!(
                !budget.is_empty() || count <= text.len().div_ceil(room.max(1)),
                "{align} {size}: {count}"
            );
        }
    }
}

pub fn again(next: &Value) -> String {
    let (command, range) = (next["command"].as_str().unwrap(), next["range"].as_str().unwrap());
    let align = next["align"].as_str().map_or(String::new(), |align| format!(" --align {align}"));
    let size = next["page_size"].as_u64().map_or(String::new(), |size| format!(" --page-size {size}"));
    format!("{command} f {range}{align}{size}")
}

#[test]
fn wide_characters_take_no_more_calls() {
    let text = format!("short\n{}\nlast\n", "0123456789漢é".repeat(cases(500, 150)));
    for (label, bytes) in [
        ("utf-16le", text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()),
        ("utf-16be", text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
    ] {
        let sandbox = Sandbox::with("f", bytes);
        for budget in [64, 100, 1000] {
            let flags = format!("-E {label} --max-bytes {budget}");
            let (all, count) = walk(&sandbox, "lines f", &flags, &[]);
            assert_eq!(all, text, "{flags}");
            // A character of three bytes may not fit, and the short line is a separate answer.
            assert!(count <= text.len().div_ceil(budget - 2) + 3, "{flags}: {count}");
        }
    }
}

#[test]
fn invalid_bytes_do_not_stop_a_walk() {
    let bytes = fixture_bytes("invalid-utf8.txt");
    let sandbox = Sandbox::with("f", &bytes);
    for (flags, first) in [
        ("--max-bytes 4", "lines f"),
        ("--max-bytes 7", "bytes f"),
        ("", "lines f 1"),
        ("--max-bytes 64", "lines f"),
    ] {
        let (all, _) = walk(&sandbox, first, flags, &[]);
        // A budget may split an invalid sequence, never a valid one.
        let letters = |text: &str| text.chars().filter(char::is_ascii).collect::<String>();
        assert_eq!(letters(&all), letters(&String::from_utf8_lossy(&bytes)), "{first} {flags}");
    }
    let (all, _) = walk(&sandbox, "lines f 1", "--invalid escape", &[]);
    assert!(all.contains("cut \\xe2\\x82 euro"), "{all}");
}

#[test]
fn next_works_as_it_is_printed_in_every_format() {
    let sandbox = Sandbox::with("f", numbered(9));
    let check = |next: &str| {
        let (command, range) = next.split_once(' ').unwrap();
        let run: Run = sandbox.run([command, "f", range, "--raw"]).ok();
        assert_eq!(run.text(), "line 3\nline 4\n", "{next}");
    };
    check(sandbox.line("lines f 1:2").ok().document().fact("next"));
    let xml = sandbox.run(words("lines f 1:2 --xml")).ok();
    let attribute = xml.text().split(" next=\"").nth(1).unwrap();
    check(attribute.split('"').next().unwrap());
    let ranges = sandbox.line("ranges f 1:2 8").ok().documents();
    check(ranges[0].fact("next"));
    assert_eq!(ranges[1].fact("next"), "lines 9:+1");
}

#[test]
fn a_walk_over_a_file_too_large_to_count_at_once() {
    let line = "a line of a file that is larger than what is counted for free, 80 bytes in all.\n";
    let text = line.repeat(60_000);
    let sandbox = Sandbox::with("f", &text);
    assert!(walk(&sandbox, "lines f 1:+17000", "", &[]).0 == text);
    assert!(walk(&sandbox, "bytes f 0:+1500001", "", &[]).0 == text);
    assert!(walk(&sandbox, "lines f", "--max-bytes 999999", &[]).0 == text);
    let tail = walk(&sandbox, "lines f -10:", "--max-bytes 100", &[]).0;
    assert_eq!(tail, line.repeat(10));
    let tail = walk(&sandbox, "lines f -100:-60", "", &[]).0;
    assert_eq!(tail, line.repeat(100));
    let tail = walk(&sandbox, "lines f -10:", "--max-bytes 50", &[]).0;
    assert_eq!(tail, line.repeat(10));
}
