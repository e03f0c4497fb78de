//! `verify` after a file has been changed in many ways, against comparing the lines in memory.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::naive::{Rng, digits, letters};
use crate::support::{Run, Sandbox};

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

/// An anchor of line `n`, and its tag as it is for the text that is there now, if there is any.
fn anchor(n: usize, was: &str, now: Option<&String>, rng: &mut Rng) -> (String, Option<String>, String) {
    let tag =
        |text: &str, width: usize| if width == 3 { letters(text) } else { digits(text.as_bytes(), width) };
    let width = 3 + rng.below(6);
    (tag(was, width), now.map(|now| tag(now, width)), format!("{n}#{}", tag(was, width)))
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

fn keys(value: &Value) -> Vec<String> {
    let mut all: Vec<String> = value.as_array().unwrap().iter().map(Value::to_string).collect();
    all.sort();
    all
}

#[test]
fn what_is_said_of_any_change_is_what_comparing_the_lines_says() {
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
        let (mut call, mut wrong, mut remaps) =
            (vec!["verify".to_owned(), "f".to_owned()], Vec::new(), json!({}));
        let (mut intact, mut lost, mut distinct) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for _ in 0..1 + rng.below(12) {
            let n = 1 + rng.below(old.len());
            let (expected, actual, name) = anchor(n, &old[n - 1], new.get(n - 1), &mut rng);
            call.push(if rng.below(4) == 0 { format!(" {name}|{}", old[n - 1]) } else { name.clone() });
            if !distinct.insert(name.clone()) {
                continue;
            }
            if actual.as_ref() == Some(&expected) {
                intact.insert(n);
                continue;
            }
            lost.insert(n);
            if let Some(actual) = &actual {
                remaps[&name] = json!(format!("{n}#{actual}"));
            }
            wrong.push(json!({"line": n, "expected": expected, "actual": actual}));
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
        assert_eq!(keys(&told["mismatches"]), keys(&json!(wrong)), "{name}");
        assert_eq!(told["remaps"], remaps, "{name}");
        let there: BTreeSet<usize> = lost.iter().copied().filter(|n| *n <= new.len()).collect();
        assert_eq!(told["affected_ranges"], json!(merged(&there)), "{name}");
        let mut shown: BTreeSet<usize> =
            there.iter().flat_map(|n| n.saturating_sub(context)..=n + context).collect();
        if there.len() < lost.len() {
            shown.extend(new.len() + 1 - context.min(new.len())..=new.len());
        }
        shown.retain(|n| (1..=new.len()).contains(n));
        assert_eq!(told["ranges"], json!(merged(&shown)), "{name}");
        check_content(&answer, &shown, &new, &name);
        check_moves(told, &intact, &old, &new, &name);
    }
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

/// What is said to have moved stands where it is said to stand, and no two of them in one place.
fn check_moves(told: &Value, intact: &BTreeSet<usize>, old: &[String], new: &[String], name: &str) {
    let mut claimed = std::collections::BTreeMap::new();
    for moved in told["moved"].as_array().unwrap() {
        let number = |key: &str| usize::try_from(moved[key].as_u64().unwrap()).unwrap();
        let (from, to) = (number("from"), number("to"));
        let seen = |text: &str| text.split_whitespace().collect::<String>();
        // Letters do not tell white space, and are a byte.
        let tag = moved["anchor"].as_str().unwrap().split_once('#').unwrap().1;
        let same = if tag.len() == 2 { letters(&new[to - 1]) == tag } else { new[to - 1] == old[from - 1] };
        assert!(same, "{:?} {:?} {name}", seen(&old[from - 1]), new[to - 1]);
        assert!(from != to && !intact.contains(&to), "{name}");
        assert_eq!(*claimed.entry(to).or_insert(from), from, "{name}");
    }
}

fn moves(run: &Run) -> Vec<(u64, u64)> {
    let answer = run.json();
    let pair = |moved: &Value| (moved["from"].as_u64().unwrap(), moved["to"].as_u64().unwrap());
    answer["metadata"]["moved"].as_array().unwrap().iter().map(pair).collect()
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
fn what_stands_everywhere_goes_with_its_neighbours_or_nowhere() {
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
