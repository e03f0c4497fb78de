//! Compares `verify` with a comparison of all lines in memory, after many changes.

use std::collections::{BTreeMap, BTreeSet};

use rread_testkit::sandbox::{Run, Sandbox};
use serde_json::{Value, json};

use super::naive::{Rng, digits, letters};

const WORDS: &[&str] =
    &["", "}", "  }", "alpha", "beta", "gamma", "delta", "let x = 1;", "\t", "// --", "return;"];

/// A file by its lines; some are all alike, others are the only ones of their kind.
fn file(rng: &mut Rng) -> Vec<String> {
    let line = |n: usize, rng: &mut Rng| match rng.below(3) {
        0 => format!("{} {n}", WORDS[3 + rng.below(4)]),
        _ => WORDS[rng.below(WORDS.len())].to_owned(),
    };
    (0..rng.below(40)).map(|n| line(n, rng)).collect()
}

fn change(lines: &mut Vec<String>, rng: &mut Rng) {
    let at = rng.below(lines.len() + 1);
    let to = (at + rng.below(6)).min(lines.len());
    match rng.below(6) {
        0 => drop(lines.splice(at..at, (0..1 + rng.below(4)).map(|n| format!("new {n}")))),
        1 => drop(lines.drain(at..to)),
        2 => lines.iter_mut().skip(at).take(1).for_each(|line| line.push('!')),
        3 => lines.truncate(at),
        4 => {
            let block: Vec<String> = lines.drain(at..to).collect();
            let there = rng.below(lines.len() + 1);
            lines.splice(there..there, block);
        }
        _ => {}
    }
}

fn text(lines: &[String], rng: &mut Rng) -> String {
    let end = if rng.below(3) == 0 { "\r\n" } else { "\n" };
    let text = lines.join(end);
    if lines.is_empty() || rng.below(3) == 0 && !lines[lines.len() - 1].is_empty() {
        text
    } else {
        text + end
    }
}

/// The tag of `text` of a width; three stands for letters.
fn tag(text: &str, width: usize) -> String {
    if width == 3 { letters(text) } else { digits(text.as_bytes(), width) }
}

fn merged(lines: &BTreeSet<usize>) -> Vec<Value> {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for line in lines {
        match ranges.last_mut() {
            Some(last) if last.1 + 1 == *line => last.1 = *line,
            _ => ranges.push((*line, *line)),
        }
    }
    ranges.into_iter().map(|(start, end)| json!({"start": start, "end": end})).collect()
}

#[test]
fn verify_agrees_with_comparing_the_lines() {
    let sandbox = Sandbox::new();
    for seed in 0..150 {
        let mut rng = Rng(seed);
        let old = file(&mut rng);
        let mut new = old.clone();
        (0..rng.below(3)).for_each(|_| change(&mut new, &mut rng));
        if old.is_empty() {
            continue;
        }
        sandbox.file("f", text(&new, &mut rng));
        let mut call = vec!["verify".to_owned(), "f".to_owned()];
        let (mut wrong, mut intact, mut distinct) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for _ in 0..1 + rng.below(12) {
            let (n, width) = (1 + rng.below(old.len()), 3 + rng.below(6));
            let expected = tag(&old[n - 1], width);
            let name = format!("{n}#{expected}");
            call.push(if rng.below(4) == 0 { format!(" {name}|{}", old[n - 1]) } else { name.clone() });
            let is_intact = new.get(n - 1).is_some_and(|now| tag(now, width) == expected);
            intact.extend(is_intact.then_some(n));
            wrong.extend((!is_intact).then(|| name.clone()));
            distinct.insert(name);
        }
        let context = rng.below(4);
        call.extend(["--json".to_owned(), format!("-C{context}")]);
        let run = sandbox.run(&call);
        let name = format!("seed {seed}: {run}\n{old:?}\n{new:?}");
        assert_eq!(run.code, i32::from(!wrong.is_empty()), "{name}");
        let answer = run.json();
        let told = &answer["metadata"];
        assert_eq!(told["checked"], json!(distinct.len()), "{name}");
        assert_eq!(told["total_lines"], json!(new.len()), "{name}");
        let mismatches = told["mismatches"].as_array().unwrap();
        let anchors: BTreeSet<String> = mismatches.iter().map(|m| word(m, "anchor").to_owned()).collect();
        assert_eq!((anchors, mismatches.len()), (wrong.clone(), wrong.len()), "{name}");
        let (affected, is_short) = check_statuses(told, &new, &name);
        let mut shown: BTreeSet<usize> =
            affected.iter().flat_map(|n| n.saturating_sub(context)..=n + context).collect();
        if is_short {
            shown.extend(new.len() + 1 - context.min(new.len())..=new.len());
        }
        shown.extend(new_lines(told));
        shown.retain(|n| (1..=new.len()).contains(n));
        check_content(&answer, &shown, &new, &name);
        check_moves(told, &intact, &old, &new, &name);
    }
}

fn word<'a>(record: &'a Value, key: &str) -> &'a str {
    record[key].as_str().unwrap_or_else(|| panic!("no {key}: {record}"))
}

/// The number and the tag of an anchor.
fn parts(anchor: &str) -> (usize, &str) {
    let (line, tag) = anchor.split_once('#').unwrap();
    (line.parse().unwrap(), tag)
}

/// Checks each status by itself; returns the affected lines, and whether an anchor is past the end.
fn check_statuses(told: &Value, new: &[String], name: &str) -> (BTreeSet<usize>, bool) {
    let (mut changed, mut counts, mut moved) = (BTreeSet::new(), BTreeMap::new(), json!({}));
    for mismatch in told["mismatches"].as_array().unwrap() {
        let (anchor, status) = (word(mismatch, "anchor"), word(mismatch, "status"));
        let (line, expected) = parts(anchor);
        *counts.entry(status).or_insert(0) += 1;
        assert_eq!(mismatch["line"], json!(line), "{name}");
        match status {
            "moved" => {
                moved[anchor] = mismatch["now"].clone();
                assert_eq!(parts(word(mismatch, "now")).1, expected, "{name}");
                assert!(mismatch.get("expected").is_none() && mismatch.get("actual").is_none(), "{name}");
            }
            "changed" => {
                let (now, actual) = parts(word(mismatch, "now"));
                let width = if actual.len() == 2 { 3 } else { actual.len() };
                assert_eq!(actual, tag(&new[now - 1], width), "{name}");
                assert_ne!(actual, expected, "{name}");
                assert_eq!((&mismatch["expected"], &mismatch["actual"]), (&json!(expected), &json!(actual)));
                assert!(line <= new.len(), "{name}");
                changed.insert(now);
            }
            "gone" | "past_end" => {
                assert!(mismatch.get("now").is_none() && mismatch["actual"] == Value::Null, "{name}");
                assert_eq!(
                    (status == "past_end", &mismatch["expected"]),
                    (line > new.len(), &json!(expected))
                );
            }
            _ => panic!("{status}: {name}"),
        }
    }
    let count = |status: &str| counts.get(status).map(|count| format!("{count} {status}"));
    let summary: Vec<String> =
        ["moved", "changed", "gone", "past_end"].into_iter().filter_map(count).collect();
    assert_eq!(told["summary"].as_str().unwrap_or(""), summary.join(", "), "{name}");
    assert_eq!(told["remaps"], moved, "{name}");
    let number = |range: &Value, key: &str| usize::try_from(range[key].as_u64().unwrap()).unwrap();
    let ranges = told["affected_ranges"].as_array().unwrap();
    let affected: BTreeSet<usize> =
        ranges.iter().flat_map(|range| number(range, "start")..=number(range, "end")).collect();
    assert_eq!(told["affected_ranges"], json!(merged(&affected)), "{name}");
    let gone = counts.get("gone").copied().unwrap_or(0);
    assert!(affected.is_superset(&changed) && affected.len() <= changed.len() + gone, "{name}");
    assert!(affected.iter().all(|n| (1..=new.len()).contains(n)), "{name}");
    (affected, counts.contains_key("past_end"))
}

/// The lines that came.
fn new_lines(told: &Value) -> BTreeSet<usize> {
    let number = |range: &Value, key: &str| usize::try_from(range[key].as_u64().unwrap()).unwrap();
    let ranges = told["new_ranges"].as_array().into_iter().flatten();
    ranges.flat_map(|range| number(range, "start")..=number(range, "end")).collect()
}

fn check_content(answer: &Value, shown: &BTreeSet<usize>, new: &[String], name: &str) {
    let content = answer["content"].as_str().unwrap();
    assert_eq!(content.len(), answer["metadata"]["content_bytes"], "{name}");
    let lines: Vec<&str> = content.lines().collect();
    assert_eq!(lines.len(), shown.len(), "{name}");
    for (line, n) in lines.iter().zip(shown) {
        let (number, rest) = line.split_once('#').unwrap();
        let (tag, text) = rest.split_once(['|', ':']).unwrap();
        let is = &new[n - 1];
        assert_eq!((number, text), (&*n.to_string(), &**is), "{name}");
        assert!(tag == letters(is) || digits(is.as_bytes(), 8).ends_with(tag), "{tag}: {name}");
    }
}

/// Every moved line is where `verify` reports it, and no two are in one place.
fn check_moves(told: &Value, intact: &BTreeSet<usize>, old: &[String], new: &[String], name: &str) {
    let mut claimed = BTreeMap::new();
    for (was, now) in told["remaps"].as_object().unwrap() {
        let ((from, _), (to, tag)) = (parts(was), parts(now.as_str().unwrap()));
        // Letters do not tell white space, and are a byte.
        let same = if tag.len() == 2 { letters(&new[to - 1]) == tag } else { new[to - 1] == old[from - 1] };
        assert!(same, "{:?} {:?} {name}", old[from - 1], new[to - 1]);
        assert!(from != to && !intact.contains(&to), "{name}");
        assert_eq!(*claimed.entry(to).or_insert(from), from, "{name}");
    }
}

/// The statuses in order, each with the line where its text or another one is now: `5 moved 6`.
fn statuses(run: &Run) -> Vec<String> {
    let answer = run.json();
    let status = |mismatch: &Value| {
        let now = mismatch["now"].as_str().map_or(String::new(), |now| format!(" {}", parts(now).0));
        format!("{} {}{now}", mismatch["line"], word(mismatch, "status"))
    };
    answer["metadata"]["mismatches"].as_array().unwrap().iter().map(status).collect()
}

fn moves(run: &Run) -> Vec<(u64, u64)> {
    let answer = run.json();
    let pair = |(was, now): (&String, &Value)| (parts(was).0 as u64, parts(now.as_str().unwrap()).0 as u64);
    let mut moves: Vec<_> = answer["metadata"]["remaps"].as_object().unwrap().iter().map(pair).collect();
    moves.sort_unstable();
    moves
}

/// One edit of a line: what became of it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Edit {
    Kept,
    Changed,
    Deleted,
    /// Lines were put before it.
    Pushed(usize),
}

#[test]
fn every_line_of_an_edited_file_has_the_status_of_its_edit() {
    let sandbox = Sandbox::new();
    for seed in 0..60 {
        let mut rng = Rng(1000 + seed);
        let count = 5 + rng.below(40);
        let (mut new, mut expected): (Vec<String>, Vec<(usize, Edit, usize)>) = Default::default();
        let mut last = Edit::Kept;
        for n in 1..=count {
            // A deletion beside a change or an insertion cannot be told from another change.
            let edit = match rng.below(8) {
                0 if last == Edit::Kept => Edit::Changed,
                1 if last == Edit::Kept || last == Edit::Deleted => Edit::Deleted,
                2 if last == Edit::Kept => Edit::Pushed(1 + rng.below(3)),
                _ => Edit::Kept,
            };
            match edit {
                Edit::Kept => new.push(format!("line {n}")),
                Edit::Changed => new.push(format!("other {n}")),
                Edit::Deleted => {}
                Edit::Pushed(lines) => {
                    (0..lines).for_each(|at| new.push(format!("new {n} {at}")));
                    new.push(format!("line {n}"));
                }
            }
            expected.push((n, edit, new.len()));
            last = edit;
        }
        sandbox.file("f", text(&new, &mut rng));
        let mut call = vec!["verify".to_owned(), "f".to_owned(), "--json".to_owned()];
        call.extend((1..=count).map(|n| format!("{n}#{}", digits(format!("line {n}").as_bytes(), 6))));
        let run = sandbox.run(&call);
        let status = |(n, edit, now): (usize, Edit, usize)| match edit {
            Edit::Kept | Edit::Pushed(_) if now == n => None,
            Edit::Kept | Edit::Pushed(_) => Some(format!("{n} moved {now}")),
            _ if n > new.len() => Some(format!("{n} past_end")),
            Edit::Changed => Some(format!("{n} changed {now}")),
            // Without a line after it, a deletion looks like a change, unless no line is there either.
            Edit::Deleted if expected[n - 1..].iter().all(|(_, edit, _)| *edit == Edit::Deleted) => {
                let shift = expected[..n].iter().rev().find(|(_, edit, _)| *edit != Edit::Deleted);
                let there = shift.map_or(n, |(line, _, now)| n + now - line);
                Some(if there <= new.len() { format!("{n} changed {there}") } else { format!("{n} gone") })
            }
            Edit::Deleted => Some(format!("{n} gone")),
        };
        // Lines before the first anchor are between no two.
        let pushed = |(n, edit, now): &(usize, Edit, usize)| match edit {
            Edit::Pushed(lines) if *n > 1 => now - lines..*now,
            _ => 0..0,
        };
        let came: BTreeSet<usize> = expected.iter().flat_map(pushed).collect();
        assert_eq!(new_lines(&run.json()["metadata"]), came, "seed {seed}: {run}");
        let expected: Vec<String> = expected.iter().filter_map(|edit| status(*edit)).collect();
        assert_eq!(statuses(&run), expected, "seed {seed}: {run}");
    }
}

#[test]
fn neighbouring_lines_decide_what_a_line_became() {
    let old: String = (1..=12).map(|n| format!("line {n}\n")).collect();
    let line = |n: usize| format!("line {n}\n");
    let told = |new: String, lines: &[usize]| {
        let sandbox = Sandbox::with("f", new);
        let anchors = lines.iter().map(|n| format!("{n}#{}", digits(format!("line {n}").as_bytes(), 6)));
        let call: Vec<String> =
            ["verify", "f", "--json"].into_iter().map(str::to_owned).chain(anchors).collect();
        let run = sandbox.run(call);
        let affected = run.json()["metadata"]["affected_ranges"]
            .as_array()
            .unwrap()
            .iter()
            .map(|range| format!("{}-{}", range["start"], range["end"]))
            .collect::<Vec<_>>()
            .join(" ");
        format!("{}; {affected}", statuses(&run).join(", "))
    };
    // Put on top, and one line edited: its new text stands a line lower, not where the number says.
    let pushed = format!("new\n{}", old.replace("line 5", "other"));
    assert_eq!(told(pushed.clone(), &[4, 5, 6]), "4 moved 5, 5 changed 6, 6 moved 7; 6-6");
    // Alone, nothing is known but what stands on that line.
    assert_eq!(told(pushed, &[5]), "5 changed 5; 5-5");
    let deleted = old.replace(&line(5), "");
    assert_eq!(told(deleted.clone(), &[4, 5, 6]), "5 gone, 6 moved 5; 5-5");
    assert_eq!(told(deleted.clone(), &[3, 5, 9]), "5 gone, 9 moved 8; 5-5");
    assert_eq!(told(deleted, &[5]), "5 changed 5; 5-5");
    assert_eq!(told(old.replace(&line(5), "a\nb\n"), &[4, 5, 6]), "5 changed 5, 6 moved 7; 5-5");
    assert_eq!(told(old.replace(&line(12), ""), &[11, 12]), "12 past_end; ");
    // A line more on top and the last one deleted: its number is there, and it is not.
    let turned = format!("new\n{}", old.replace(&line(12), ""));
    assert_eq!(told(turned, &[11, 12]), "11 moved 12, 12 gone; 12-12");
}

#[test]
fn a_short_hash_moves_only_with_its_neighbours() {
    // Among so many lines, a tag of eight bits is found by chance.
    let new: String = (0..300).map(|n| format!("some text {n}\n")).collect();
    let sandbox = Sandbox::with("f", &new);
    for n in 0..20 {
        let anchor = format!("150#{}", letters(&format!("what stood here {n}")));
        let run = sandbox.run(["verify", "f", &anchor, "--json"]);
        assert!(run.code == 0 || statuses(&run) == ["150 changed 150"], "{run}");
    }
    sandbox.file("f", format!("new\n{new}"));
    let anchors = (150..153).map(|n| format!("{n}#{}", letters(&format!("some text {}", n - 1))));
    let call: Vec<String> = ["verify", "f", "--json"].into_iter().map(str::to_owned).chain(anchors).collect();
    assert_eq!(statuses(&sandbox.run(call)), ["150 moved 151", "151 moved 152", "152 moved 153"]);
}

#[test]
fn moved_lines_have_a_short_answer() {
    let text: String = (1..=200).map(|n| format!("let value_{n} = compute({n});\n")).collect();
    let sandbox = Sandbox::with("f", &text);
    let range: Vec<String> = (10..=200).step_by(20).map(|n| n.to_string()).collect();
    let anchors = sandbox.run(["lines", "f", &range.join(","), "--hash", "-f", "text"]).ok();
    sandbox.file("f", format!("// new\n{text}"));
    // What was said before every fact stood once: 3448, 4129 and 4469 bytes.
    for (format, most) in [("frontmatter", 1724), ("json", 2064), ("xml", 2234)] {
        let run = sandbox.piped(&format!("verify f --from - -f {format}"), &*anchors.stdout);
        assert!(run.code == 1 && run.stdout.len() <= most, "{} bytes: {run}", run.stdout.len());
    }
    let json = sandbox.piped("verify f --from - --json", &*anchors.stdout).json();
    assert_eq!((&json["content"], &json["metadata"]["summary"]), (&json!(""), &json!("10 moved")));
    assert_eq!(json["metadata"]["affected_ranges"], json!([]));
}

/// Runs `verify` on `new` with anchors of `lines` of `old`.
fn moved(old: &str, new: &str, lines: &[usize]) -> Vec<(u64, u64)> {
    let sandbox = Sandbox::with("f", new);
    let old: Vec<&str> = old.lines().collect();
    let anchors = lines.iter().map(|n| format!("{n}#{}", digits(old[n - 1].as_bytes(), 8)));
    let call: Vec<String> = ["verify", "f", "--json"].into_iter().map(str::to_owned).chain(anchors).collect();
    moves(&sandbox.run(call))
}

#[test]
fn frequent_lines_move_only_with_their_neighbours() {
    let old = "a1\n}\n\nb1\n}\nc1\n";
    assert_eq!(moved(old, "new\nq\na1\n}\n\nb1\n}\nc1\n", &[1, 2, 3]), [(1, 3), (2, 4), (3, 5)]);
    assert_eq!(moved(old, "a1\nx\n}\n\nb1\n}\nc1\n", &[2]), [], "a brace by itself may be any other brace");
    assert_eq!(moved("x\ny\nx\n", "1\nx\nq\nx\n", &[3]), [], "above and below, equally near");
    assert_eq!(moved("q\nx\n", "q\n1\n2\nx\nx\n", &[2]), [(2, 4)], "the nearer one");
    assert_eq!(
        moved("a\nb\nx\n", "1\nx\n2\na\nb\nx\n", &[1, 2, 3]),
        [(1, 4), (2, 5), (3, 6)],
        "with the block"
    );
    assert_eq!(moved("x\nx\n", "1\n2\nx\n", &[1, 2]), [], "one line cannot be two");
    assert_eq!(moved("x\nq\nx\n", "1\nq\nx\n", &[1, 3]), [], "that one has been there before");
}

/// Sections of a file are alike, so that equal lines are in all of them.
#[test]
fn lines_that_every_section_has_are_taken_for_those_of_their_own() {
    let section = |name: usize| {
        let values = [name % 3, name % 2, name % 4].map(|value| value * 10);
        let [a, b, c] = values;
        format!(
            "[pool {name}]\nsize = {a}\nidle = {b}\nretries = {c}\nbackoff = {a}\nfetch = {b}\nweight = {c}\n\n"
        )
    };
    let old: String = (0..40).map(section).collect();
    let edited = section(20).replace("retries = 0\n", "").replace("backoff = 20", "backoff = 45");
    let edited = edited.replace("weight = 0\n", "weight = 0\nlimit = 9\n");
    let new: String = (0..5).chain(0..20).map(section).chain([edited]).chain((21..40).map(section)).collect();
    let lines: Vec<usize> = (161..168).collect();
    let found: Vec<(u64, u64)> = moved(&old, &new, &lines);
    // `retries` is gone and `backoff` has changed.
    let expected = [(161, 201), (162, 202), (163, 203), (166, 205), (167, 206)];
    assert_eq!(found, expected);
    // A line that stayed between one that changed and one that is gone: it is in the sections around, too.
    let pool = |name: usize, a: &str, c: &str| {
        format!("[pool {name}]\nmin = 10\nidle = {name}0\n{a}lifetime = 10\n{c}backoff = {name}1\n\n")
    };
    let all =
        |of_two: String| (0..4).map(|name| pool(name, "connect = 20\n", "retries = 30\n")).chain([of_two]);
    let old: String = all(pool(4, "connect = 20\n", "retries = 30\n")).collect();
    let new: String = ["new\n".to_owned()].into_iter().chain(all(pool(4, "connect = 83\n", ""))).collect();
    let found = moved(&old, &new, &[33, 34, 35, 36, 37, 38, 39]);
    assert_eq!(found, [(33, 34), (34, 35), (35, 36), (37, 38)]);
}

#[test]
fn moves_are_found_two_hundred_lines_away_and_not_beyond() {
    let filler = |count: usize, of: &str| {
        (0..count).map(|n| format!("{of} {n} {}\n", "x".repeat(900))).collect::<String>()
    };
    let old = format!("{}wanted\n{}", filler(300, "a"), filler(300, "b"));
    for (to, found) in [(101, true), (100, false), (501, true), (502, false)] {
        let new = format!("{}wanted\n{}", filler(to - 1, "c"), filler(601 - to, "d"));
        let expected: &[(u64, u64)] = if found { &[(301, to as u64)] } else { &[] };
        assert_eq!(moved(&old, &new, &[301]), expected, "{to}");
        // The same behind the end of the file, which may end without a newline.
        if to < 301 {
            for end in ["\n", "", "\nlast", "\nlast\n"] {
                let short = format!("{}wanted{end}", filler(to - 1, "c"));
                assert_eq!(moved(&old, &short, &[301]), expected, "{to} {end:?}");
            }
        }
    }
}

#[test]
fn lines_too_long_to_search_are_not_searched() {
    let giant = "y".repeat(5 << 20);
    let old = format!("{giant}\nwanted\n{giant}\n");
    let new = format!("{giant}\nother\n{giant}\nwanted\n");
    let sandbox = Sandbox::with("f", &new);
    let anchor = format!("2#{}", digits(b"wanted", 6));
    let run = sandbox.run(["verify", "f", &anchor, "--json", "--max-columns", "20"]);
    assert_eq!((run.code, moves(&run)), (1, Vec::new()), "{}", old.len());
}
