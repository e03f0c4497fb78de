//! Budgets: every answer equals a naive one, and the answers of `next`, joined, are the file.

use rread_testkit::rng::Rng;
use rread_testkit::sample::cases;
use rread_testkit::sandbox::{Run, Sandbox, words};
use serde_json::Value;

#[derive(Clone, Copy, Debug, Default)]
struct Budgets {
    bytes: Option<usize>,
    lines: Option<usize>,
    columns: Option<usize>,
}

impl Budgets {
    fn random(rng: &mut Rng) -> Self {
        let mut some = |n: usize, least: usize, span: usize| rng.one_in(n).then(|| least + rng.below(span));
        Budgets { bytes: some(2, 4, 60), lines: some(3, 1, 4), columns: some(3, 1, 12) }
    }

    fn flags(self) -> String {
        let flag = |name: &str, n: Option<usize>| n.map_or(String::new(), |n| format!(" --max-{name} {n}"));
        flag("bytes", self.bytes) + &flag("lines", self.lines) + &flag("columns", self.columns)
    }

    /// The budget that remains after delivered content.
    fn without(self, content: &str) -> Self {
        // A started line counts.
        let lines = content.split_inclusive('\n').count();
        Budgets { bytes: self.bytes.map(|n| n - content.len()), lines: self.lines.map(|n| n - lines), ..self }
    }
}

/// The part of a slice within a budget.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Given {
    content: String,
    /// Bytes of the slice that the content covers.
    end: usize,
    cut_by: Option<&'static str>,
    clipped: u64,
}

/// The content of `slice`, character by character.
fn naive(slice: &str, budgets: Budgets) -> Given {
    let mut given = Given { content: String::new(), end: 0, cut_by: None, clipped: 0 };
    let (mut at, mut newlines, mut line_end) = (0, 0, None);
    for line in slice.split_inclusive('\n') {
        let body = line.strip_suffix("\r\n").or(line.strip_suffix('\n')).unwrap_or(line);
        let body = if budgets.columns.is_some() { body } else { line.strip_suffix('\n').unwrap_or(line) };
        let shown: String = body.chars().take(budgets.columns.unwrap_or(usize::MAX)).collect();
        let mut pieces: Vec<&str> = shown.split_inclusive(|_: char| true).collect();
        pieces.push(&line[body.len()..]);
        for (n, piece) in pieces.iter().enumerate().filter(|(_, piece)| !piece.is_empty()) {
            let is_end = n + 1 == pieces.len();
            if is_end && shown.len() < body.len() {
                given.end = at + body.len();
            }
            let lines_full = budgets.lines.is_some_and(|max| newlines >= max);
            if lines_full || budgets.bytes.is_some_and(|max| given.content.len() + piece.len() > max) {
                let clipped = given.clipped + u64::from(is_end && shown.len() < body.len());
                let here = Given { clipped, ..given };
                let back = line_end.filter(|_| !lines_full && !here.content.ends_with('\n'));
                return Given {
                    cut_by: Some(if lines_full { "max_lines" } else { "max_bytes" }),
                    ..back.unwrap_or(here)
                };
            }
            given.content.push_str(piece);
            given.end = if is_end { at + line.len() } else { given.end + piece.len() };
        }
        if shown.len() < body.len() {
            given.clipped += 1;
            given.end = at + line.len();
        }
        at += line.len();
        newlines += usize::from(line.ends_with('\n'));
        line_end = line.ends_with('\n').then(|| given.clone()).or(line_end);
    }
    given
}

/// The bytes of a range in `text`, cut characters included.
fn located(text: &str, command: &str, range: &str) -> (usize, usize) {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let total = if command == "lines" { lines.len() } else { text.len() };
    // Points between lines or bytes, from 0.
    let point = |place: &str, front: usize| match place.strip_prefix('-') {
        Some(back) => total.saturating_sub(back.parse().unwrap()),
        None => (place.parse::<usize>().unwrap() - front).min(total),
    };
    let first = usize::from(command == "lines");
    let (start, end) = range.split_once(':').unwrap();
    let start = if start.is_empty() { 0 } else { point(start, first) };
    let end = match end.strip_prefix('+') {
        Some(count) => (start + count.parse::<usize>().unwrap()).min(total),
        None if end.is_empty() => total,
        None => point(end, 0).max(start),
    };
    if command == "lines" {
        let offset = |n: usize| lines[..n].iter().map(|line| line.len()).sum();
        return (offset(start), offset(end));
    }
    let is_edge = |at: &usize| text.is_char_boundary(*at);
    let (from, to) = ((0..=start).rev().find(is_edge).unwrap(), (end..=total).find(is_edge).unwrap());
    (from, if start == end { from } else { to })
}

/// Checks one part of an answer; returns the content and where it ends in the file.
fn check(part: &Value, slice: &str, start: usize, budgets: Budgets, run: &Run) -> (String, usize) {
    let expected = naive(slice, budgets);
    let metadata = &part["metadata"];
    let content = part["content"].as_str().unwrap();
    let cut_by = expected.cut_by.or((expected.clipped > 0).then_some("max_columns"));
    assert_eq!(content, expected.content, "{run}");
    assert_eq!(metadata["content_bytes"], content.len(), "{run}");
    assert_eq!(metadata["actual_range"]["start_byte"], start, "{run}");
    assert_eq!(metadata["actual_range"]["end_byte"], start + expected.end, "{run}");
    assert_eq!(metadata["truncated"], cut_by.is_some(), "{run}");
    assert_eq!(metadata["cut_by"].as_str(), cut_by, "{run}");
    assert_eq!(metadata["clipped_lines"].as_u64().unwrap_or(0), expected.clipped, "{run}");
    if expected.cut_by.is_some() {
        assert!(metadata["next"].is_object(), "cut, and no way to go on: {run}");
    }
    (content.to_owned(), start + expected.end)
}

/// Text of lines of all lengths and ends.
fn text(rng: &mut Rng) -> String {
    let words = ["a", "bc", " ", "é", "漢字", "🎉", "\r", "\t", "0123456789", "x́"];
    let mut text = String::new();
    for _ in 0..rng.below(14) {
        let long = if rng.one_in(5) { 40 } else { 6 };
        (0..rng.below(long)).for_each(|_| text.push_str(rng.pick(&words)));
        text.push_str(rng.pick(&["\n", "\n", "\r\n", "\n\n"]));
    }
    if rng.one_in(2) {
        text.push_str("no end");
    }
    text
}

/// A range that is in `text`.
fn range(rng: &mut Rng, command: &str, text: &str) -> String {
    let total = if command == "lines" { text.split_inclusive('\n').count() } else { text.len() };
    let first = usize::from(command == "lines");
    let (a, b) = (rng.below(total.max(1)), rng.below(total.max(1)));
    let (low, high) = (a.min(b), a.max(b));
    match rng.below(5) {
        0 => format!("{}:{}", low + first, high + 1),
        1 => format!("{}:+{}", low + first, 1 + rng.below(9)),
        2 => format!("-{}:", 1 + low),
        3 => format!(":-{low}"),
        _ => ":".to_owned(),
    }
}

fn ask(sandbox: &Sandbox, file: &str, line: &str, text: &str) -> Run {
    if file == "-" { sandbox.piped(line, text) } else { sandbox.line(line) }
}

/// Follows `next` to the end and checks each answer; returns all content and its start.
fn walk(sandbox: &Sandbox, file: &str, text: &str, first: (&str, &str), budgets: Budgets) -> (String, usize) {
    let (mut command, mut range) = (first.0.to_owned(), first.1.to_owned());
    let (mut all, mut began, mut at) = (String::new(), None, None);
    for _ in 0..3000 {
        let line = format!("{command} {file} {range}{} --json", budgets.flags());
        let run = ask(sandbox, file, &line, text).ok();
        let answer = run.json();
        let (start, end) = located(text, &command, &range);
        assert!(at.is_none_or(|at| at == start), "a gap or an overlap: {at:?}: {run}");
        let (content, given) = check(&answer, &text[start..end], start, budgets, &run);
        began = began.or(Some(start));
        all.push_str(&content);
        let next = &answer["metadata"]["next"];
        if next.is_null() {
            let is_end = given == text.len() || start == end;
            assert!(is_end, "there is more, and no way to go on: {run}");
            return (all, began.unwrap());
        }
        assert!(given > start || at.is_none() || given == text.len(), "no headway: {run}");
        at = Some(given);
        (command, range) =
            (next["command"].as_str().unwrap().to_owned(), next["range"].as_str().unwrap().to_owned());
    }
    panic!("{first:?}{} never ends", budgets.flags());
}

#[test]
fn every_answer_on_the_way_is_right_and_all_of_them_are_the_file() {
    let mut rng = Rng::new(21);
    for round in 0..cases(60, 20) {
        let text = text(&mut rng);
        let sandbox = Sandbox::with("f", &text);
        for _ in 0..3 {
            let budgets = Budgets::random(&mut rng);
            let command = *rng.pick(&[&"lines", &"bytes"]);
            let range = range(&mut rng, command, &text);
            let file = if round % 5 == 0 { "-" } else { "f" };
            let (all, began) = walk(&sandbox, file, &text, (command, &range), budgets);
            let is_all = located(&text, command, &range).0 < located(&text, command, &range).1;
            if budgets.columns.is_none() && is_all {
                assert_eq!(all, text[began..], "{command} {range}{}: {text:?}", budgets.flags());
            } else if budgets.bytes.is_none() && is_all && command == "lines" {
                let clipped = naive(&text[began..], Budgets { lines: None, ..budgets });
                assert_eq!(all, clipped.content, "{command} {range}{}: {text:?}", budgets.flags());
            }
        }
    }
}

#[test]
fn ranges_that_a_shared_budget_leaves_out_are_reported_with_next() {
    let mut rng = Rng::new(22);
    for _ in 0..60 {
        let text = text(&mut rng);
        if text.is_empty() {
            continue;
        }
        let sandbox = Sandbox::with("f", &text);
        let budgets = Budgets::random(&mut rng);
        let count = 2 + rng.below(3);
        let asked: Vec<(&str, String)> = (0..count)
            .map(|_| {
                let command = *rng.pick(&[&"lines", &"bytes"]);
                (command, range(&mut rng, command, &text))
            })
            .collect();
        let list =
            asked.iter().map(|(command, range)| format!("{}{range}", &command[..1])).collect::<Vec<_>>();
        let run = sandbox.line(&format!("ranges f {}{} --json", list.join(" "), budgets.flags())).ok();
        let answer = run.json();
        let segments = answer["segments"].as_array().unwrap();
        assert_eq!(segments.len(), asked.len(), "{run}");
        let mut left = budgets;
        for (segment, (command, range)) in segments.iter().zip(&asked) {
            let (start, end) = located(&text, command, range);
            let (content, given) = check(segment, &text[start..end], start, left, &run);
            left = left.without(&content);
            let next = &segment["metadata"]["next"];
            if segment["metadata"]["cut_by"].as_str().is_some_and(|by| by != "max_columns") {
                let line = format!(
                    "{} f {} --json",
                    next["command"].as_str().unwrap(),
                    next["range"].as_str().unwrap()
                );
                let rest = sandbox.run(words(&line)).ok().json();
                let rest = rest["content"].as_str().unwrap();
                let mid_line = *command == "lines" && next["command"] == "bytes";
                // As long as requested, or up to three bytes shorter at a character edge.
                assert!(mid_line || rest.len() + 3 >= end - given, "{line}: {run}");
                assert!(!rest.is_empty() && text[given..].starts_with(rest), "{line}: {run}");
            }
        }
        let any = segments.iter().any(|segment| segment["metadata"]["truncated"] == true);
        assert_eq!(answer["metadata"]["truncated"], any, "{run}");
    }
}

/// All content from `first` to the end; each answer begins where the last one ended.
fn follow(sandbox: &Sandbox, first: &str, flags: &str) -> String {
    let (mut line, mut all, mut at) = (first.to_owned(), String::new(), 0);
    for _ in 0..3000 {
        let run = sandbox.line(&format!("{line}{flags} --json")).ok();
        let answer = run.json();
        let (content, metadata) = (answer["content"].as_str().unwrap(), &answer["metadata"]);
        assert_eq!(metadata["actual_range"]["start_byte"], at, "{run}");
        assert_eq!(metadata["content_bytes"], content.len(), "{run}");
        assert!(metadata["cut_by"].is_null() || metadata["truncated"] == true, "{run}");
        let is_cut = metadata["cut_by"].as_str().is_some_and(|by| by != "max_columns");
        assert!(!is_cut || metadata["next"].is_object(), "{run}");
        at = metadata["actual_range"]["end_byte"].as_u64().unwrap();
        all.push_str(content);
        let next = &metadata["next"];
        if next.is_null() {
            return all;
        }
        let size = next["page_size"].as_u64().map_or(String::new(), |size| format!(" --page-size {size}"));
        let (command, range) = (next["command"].as_str().unwrap(), next["range"].as_str().unwrap());
        line = format!("{command} f {range}{size}");
    }
    panic!("{first}{flags} never ends");
}

#[test]
fn pages_under_any_budget_lead_to_the_end_of_the_file() {
    let mut rng = Rng::new(24);
    for _ in 0..cases(40, 12) {
        let text = text(&mut rng);
        let sandbox = Sandbox::with("f", &text);
        let budgets = Budgets { columns: None, ..Budgets::random(&mut rng) };
        let first = format!("page f --page-size {}", 4 + rng.below(40));
        assert_eq!(follow(&sandbox, &first, &budgets.flags()), text, "{first}{}", budgets.flags());
        let columns = 1 + rng.below(9);
        let clipped = naive(&text, Budgets { columns: Some(columns), ..Budgets::default() });
        // A page as large as the file cuts no line, so columns count from line starts.
        let all = follow(&sandbox, "page f --page-size 4KiB", &format!(" --max-columns {columns}"));
        assert_eq!(all, clipped.content, "{columns}: {text:?}");
    }
}

#[test]
fn a_budget_is_shared_by_files_too() {
    let mut rng = Rng::new(25);
    for _ in 0..30 {
        let texts = [text(&mut rng) + "end\n", text(&mut rng) + "end\n"];
        let sandbox = Sandbox::with("a", &texts[0]);
        sandbox.file("b", &texts[1]);
        let budgets = Budgets::random(&mut rng);
        let ranges: Vec<String> = texts.iter().map(|text| range(&mut rng, "lines", text)).collect();
        let line = format!("ranges a {} b {}{} --json", ranges[0], ranges[1], budgets.flags());
        let run = sandbox.line(&line).ok();
        let answer = run.json();
        let mut left = budgets;
        for (n, segment) in answer["segments"].as_array().unwrap().iter().enumerate() {
            let (start, end) = located(&texts[n], "lines", &ranges[n]);
            assert_eq!(segment["metadata"]["path"], ["a", "b"][n], "{run}");
            let (content, _) = check(segment, &texts[n][start..end], start, left, &run);
            left = left.without(&content);
        }
    }
}

#[test]
fn a_header_that_takes_the_budget_does_not_loop_and_is_reported_only_where_it_is() {
    let sandbox = Sandbox::with("f", "id,name,city,amount\n1,a\n2,b\n3,c\n4,d\n");
    for budget in ["--max-lines 1", "--max-bytes 20", "--max-bytes 4", "--max-bytes 4 --max-lines 9"] {
        let run = sandbox.line(&format!("lines f 4:+2 --header 1 {budget}")).refused(2);
        assert!(run.stderr.contains("the header takes 20 bytes"), "{run}");
    }
    sandbox.line("lines f 4:+2 --header 2 --max-lines 2").refused(2);
    assert_eq!(sandbox.line("lines f 4:+2 --header 1 --max-lines 2").ok().document().fact("lines"), "4-4");
    let parts = sandbox.line("ranges f 3 5 --header 1 --max-bytes 24").ok().documents();
    let facts =
        |n: usize| ["header_lines", "content_bytes", "truncated"].map(|key| parts[n].fact(key).to_owned());
    assert_eq!(
        (facts(0), facts(1)),
        (["1", "24", ""].map(str::to_owned), ["", "0", "true"].map(str::to_owned))
    );
    assert_eq!(parts[1].fact("next"), "lines 5:+1");
}

#[test]
fn metadata_only_says_what_the_content_would_be() {
    let mut rng = Rng::new(23);
    for _ in 0..40 {
        let text = text(&mut rng);
        let sandbox = Sandbox::with("f", &text);
        let budgets = Budgets::random(&mut rng);
        let command = *rng.pick(&[&"lines", &"bytes"]);
        let line = format!("{command} f {}{} --json", range(&mut rng, command, &text), budgets.flags());
        let whole = sandbox.line(&line).ok().json();
        let run = sandbox.line(&format!("{line} --metadata-only")).ok();
        let mut receipt = run.json();
        assert!(receipt.get("content").is_none(), "{run}");
        // Nobody asked the other call for it.
        assert!(receipt["metadata"].as_object_mut().unwrap().remove("estimated_tokens").is_some(), "{run}");
        assert_eq!(receipt["metadata"], whole["metadata"], "{run}");
    }
}
