//! Budgets: following `next` shows every match exactly once.

#[cfg(unix)]
use std::process::Command;

#[cfg(unix)]
use rread_testkit::sandbox::{AtHome, binary};
use rread_testkit::sandbox::{Sandbox, numbered};

use super::number;

/// The lines that match, of all answers on the way from `line` along `next`.
fn walked(sandbox: &Sandbox, line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut line = line.to_owned();
    for _ in 0..10_000 {
        let run = sandbox.run(shell_words(&line));
        if run.code == 1 {
            return found;
        }
        let document = run.ok().document();
        let content = document.content.clone();
        let hits = content.lines().filter(|line| {
            line.split(|c: char| !c.is_ascii_digit()).next().is_some_and(|n| line[n.len()..].starts_with(':'))
        });
        found.extend(hits.map(str::to_owned));
        let next = document.fact("next");
        if next.is_empty() {
            return found;
        }
        let budget = line
            .split_once(" --max")
            .map_or(String::new(), |(_, rest)| format!(" --max{}", rest.split(" --in").next().unwrap()));
        line = format!("{next}{budget}");
    }
    panic!("{line} goes on for ever");
}

fn shell_words(line: &str) -> Vec<String> {
    line.split(' ').map(|word| word.trim_matches('\'').to_owned()).collect()
}

#[test]
fn every_match_comes_exactly_once() {
    let sandbox = Sandbox::with("log", numbered(500));
    let all: Vec<String> = (1..=500).filter(|n| n % 10 == 7).map(|n| format!("{n}:line {n}")).collect();
    for budget in [
        "--max-bytes 64",
        "--max-bytes 100",
        "--max-bytes 1000",
        "--max-lines 1",
        "--max-tokens 22",
        "--max-tokens 40",
        "--max-lines 7",
        "-m 1",
        "-m 13",
    ] {
        for context in ["", "-C 1 ", "-C 6 ", "-A 3 ", "-B 12 "] {
            let line = format!("search {context}7$ log {budget}");
            assert_eq!(walked(&sandbox, &line), all, "{line}");
        }
    }
    let all: Vec<String> = all.into_iter().filter(|line| line.len() > 10).collect();
    assert_eq!(walked(&sandbox, "search 7$ log --in 100: --max-lines 3"), all);
}

#[test]
fn a_match_of_several_lines_that_is_cut_comes_again() {
    let sandbox = Sandbox::new();
    let text: String = (0..200)
        .map(|n| match n % 7 {
            1 => "BEGIN\n",
            4 => "END\n",
            _ => "text\n",
        })
        .collect();
    sandbox.file("log", text);
    let all: Vec<String> = {
        let run = sandbox.run(["search", "-U", "BEGIN[^D]*END", "log", "-f", "text"]);
        run.ok().text().lines().map(str::to_owned).collect()
    };
    assert!(all.len() > 100);
    for budget in
        ["--max-lines 4", "--max-lines 5", "--max-lines 7", "--max-bytes 64", "--max-bytes 90", "-m 3"]
    {
        for context in ["", "-C 1 "] {
            let line = format!("search -U {context}BEGIN[^D]*END log {budget}");
            let mut found = walked(&sandbox, &line);
            found.dedup();
            found.sort_by_key(|line| line.split(':').next().unwrap().parse::<u64>().unwrap());
            found.dedup();
            assert_eq!(found, all, "{line}");
        }
    }
    // A match that is longer than the budget is shown as far as there is room.
    let document = sandbox.line("search -U BEGIN[^D]*END log --max-lines 2").ok().document();
    assert_eq!(document.content, "2:BEGIN\n3:text\n");
}

#[test]
fn a_budget_says_how_many_there_are_and_how_to_go_on() {
    let sandbox = Sandbox::with("log", numbered(500));
    let document = sandbox.line("search line log --max-lines 3").ok().document();
    assert_eq!(number(&document, "matched_lines"), 500);
    assert_eq!(number(&document, "shown"), 3);
    assert_eq!(document.fact("next"), "search line log --in 4:");
    let json = sandbox.line("search line log --max-lines 3 --json").ok().json();
    assert_eq!(json["metadata"]["next"]["range"], "4:");
    assert_eq!(json["metadata"]["truncated"], true);
    let run = sandbox.line("search line log --max-lines 3 --raw");
    assert_eq!(run.text(), "line 1\nline 2\nline 3\n");
    assert_eq!(run.stderr, "rread: log: note: cut by --max-lines; next: search line log --in 4:\n");
}

#[test]
fn the_way_on_reads_the_file_as_this_search_did() {
    let sandbox = Sandbox::with("log", "caf\u{e9} \x1b[1mone\x1b[0m\n".repeat(9));
    for option in [
        "-a",
        "-E utf-8",
        "--plain",
        "--no-decompress",
        "--hash",
        "--hash --hash-width 8",
        "--hash --hash-style omp",
    ] {
        let first = sandbox.line(&format!("search {option} one log -m 3")).ok().document();
        let next = first.fact("next").to_owned();
        for word in option.split(' ') {
            assert!(next.contains(word.trim_start_matches('-')), "{option}: {next}");
        }
        assert_eq!(number(&sandbox.line(&next).ok().document(), "matched_lines"), 3, "{option}");
    }
}

#[test]
fn files_share_a_budget() {
    let sandbox = Sandbox::with("a", "x\n".repeat(10));
    sandbox.file("b", "x\n".repeat(10));
    let run = sandbox.line("search x a b --max-lines 12 -f text");
    assert_eq!(run.text().lines().filter(|line| line.starts_with("b:")).count(), 2);
}

#[cfg(unix)]
#[test]
fn of_many_files_that_a_budget_cuts_three_have_a_note() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("logs")).unwrap();
    for n in 0..20 {
        sandbox.file(&format!("logs/{n:02}.log"), "hit\n");
    }
    for format in ["-f text", "--raw"] {
        let run = sandbox.line(&format!("search hit logs {format} --max-lines 2"));
        let counts = (run.text().lines().count(), run.stderr.lines().count());
        assert_eq!((run.code, counts), (0, (2, 4)), "{run}");
        let (first, last) = (run.stderr.lines().next().unwrap(), run.stderr.lines().last().unwrap());
        assert!(
            first.ends_with("logs/02.log: note: cut by --max-lines; next: search hit logs/02.log --in 1:"),
            "{run}"
        );
        assert_eq!(last, "rread: note: 15 more slices were cut; --json lists them", "{run}");
    }
}

#[test]
fn an_endless_stream_ends_with_its_budget() {
    let sandbox = Sandbox::new();
    for (options, expected) in
        [("--max-lines 3 -f text", "1:error\n2:error\n3:error\n"), ("-m 2 --raw", "error\nerror\n")]
    {
        let script = format!("yes error | {} search error {options}", binary().display());
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).current_dir(sandbox.path("")).at_home(&sandbox.home());
        assert_eq!(String::from_utf8_lossy(&shell.output().unwrap().stdout), expected);
    }
}

#[test]
fn a_first_line_longer_than_the_budget_is_a_window_and_not_a_failure() {
    let sandbox = Sandbox::with("t", format!("{} needle {}\nneedle\n", "a".repeat(400), "é".repeat(400)));
    for budget in [
        "--max-bytes 64",
        "--max-bytes 100 -C 1",
        "--max-bytes 100 --max-columns 1000",
        "--max-tokens 22",
        "--max-tokens 33 --max-bytes 9999",
    ] {
        let document = sandbox.line(&format!("search needle t {budget}")).ok().document();
        let content = &document.content;
        assert!(content.starts_with("1:…") && content.contains("needle"), "{budget}: {content}");
        assert_eq!(number(&document, "content_bytes"), content.len() as u64);
        assert_eq!((number(&document, "matched_lines"), number(&document, "clipped_lines")), (2, 1));
    }
}

#[test]
fn json_lists_only_the_matches_that_a_budget_leaves() {
    let sandbox = Sandbox::with("t", format!("{}\n", "ab".repeat(100)));
    let json = sandbox.line("search a t --max-bytes 64 --json").ok().json();
    let segment = &json["segments"][0];
    let shown = segment["content"].as_str().unwrap().matches('a').count();
    assert_eq!(segment["metadata"]["matches"].as_array().unwrap().len(), shown);
    assert_eq!(json["metadata"]["matches"], 100);
}

#[test]
fn no_rest_of_in_means_no_next() {
    let sandbox = Sandbox::with("log", numbered(20));
    for within in ["1:10", "10", "3:4,8:10"] {
        let document = sandbox.line(&format!("search 10 log -m 1 --in {within}")).ok().document();
        assert_eq!(document.fact("next"), "", "{within}");
    }
    let document = sandbox.line("search 4 log -m 1 --in 3:4,8:10").ok().document();
    assert!(document.fact("next").contains(" --in b"), "{}", document.fact("next"));
}
