//! Budgets of tokens, `--max-tokens`, and `estimated_tokens`, against tokens counted character by character.

use predicates::str::contains;
use rread_testkit::pack::gzip;
use rread_testkit::sample::cases;
use rread_testkit::sandbox::{Sandbox, numbered};
use rread_testkit::tokens::tokens;
use serde_json::{Value, json};

use super::next::again;

/// A random text of short and long lines, from a seed.
fn text(seed: usize) -> Vec<u8> {
    let pieces: [&[u8]; 12] = [
        b"a",
        b"word ",
        "é".as_bytes(),
        "漢字かな".as_bytes(),
        "한글。".as_bytes(),
        "Ａ、𠀀".as_bytes(),
        "𠀀𠀀𠀀".as_bytes(),
        "😀".as_bytes(),
        b"\n",
        b"\r\n",
        b"\xFF",
        b"\xE2\x82",
    ];
    // Every third text is valid.
    let kinds = if seed.is_multiple_of(3) { 12 } else { 10 };
    let mut state = seed * 2 + 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    // Plain text first, so that no encoding is guessed.
    let mut text = b"plain text\n".to_vec();
    for _ in 0..next() % 120 {
        text.extend(pieces[next() % kinds]);
    }
    text
}

fn utf16(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

/// The longest beginning of `text` within `max` tokens: whole lines if one fits, otherwise whole characters.
fn within(text: &str, max: u64) -> &str {
    let fits = |end: &usize| tokens(&text.as_bytes()[..*end]) <= max;
    let ends = || text.char_indices().map(|(at, _)| at).chain([text.len()]);
    let lines = ends().filter(|end| *end == text.len() || text[..*end].ends_with('\n'));
    let end = lines.filter(fits).max().filter(|end| *end > 0).or_else(|| ends().filter(fits).max());
    &text[..end.unwrap()]
}

/// The answers on the way from `first` along `next` to the end of file `f`.
fn walk(sandbox: &Sandbox, first: &str, flags: &str) -> Vec<Value> {
    let mut answers = Vec::new();
    let mut line = format!("{first} {flags} --json");
    while answers.len() < 1000 {
        let answer = sandbox.line(&line).ok().json();
        let next = answer["metadata"].get("next").cloned();
        answers.push(answer);
        let Some(next) = next else { return answers };
        line = format!("{} {flags} --json", again(&next));
    }
    panic!("{first} {flags} goes on for ever: {line}");
}

fn content(answer: &Value) -> &str {
    answer["content"].as_str().unwrap()
}

#[test]
fn following_next_joins_to_the_whole_text_within_the_budget() {
    for seed in 0..cases(60, 6) {
        let text = text(seed);
        let whole = String::from_utf8_lossy(&text);
        for (kind, bytes) in [("plain", text.clone()), ("utf-16", utf16(&text)), ("gzip", gzip(&text, 6))] {
            let sandbox = Sandbox::with("f", bytes);
            let max = [2, 3, 5, 9, 30, 200][seed % 6];
            for (first, more) in [
                ("lines f", ""),
                ("bytes f", ""),
                ("page f --page-size 64", ""),
                ("lines f", "--max-bytes 40"),
            ] {
                let flags = format!("--max-tokens {max} {more}");
                let answers = walk(&sandbox, first, &flags);
                let name = format!("{kind} {seed}: {first} {flags}");
                let joined: String = answers.iter().map(content).collect();
                assert_eq!(joined, whole, "{name}");
                let mut at = 0;
                for answer in &answers {
                    let (shown, facts) = (content(answer), &answer["metadata"]);
                    let cost = tokens(shown.as_bytes());
                    assert_eq!(facts["estimated_tokens"], cost, "{name}");
                    assert!(cost <= max, "{name}");
                    let is_open = facts["requested_range"]["end_line"] == Value::Null
                        && facts["requested_range"].get("start_line").is_some();
                    if is_open && more.is_empty() {
                        let expected = within(&whole[at..], max);
                        assert_eq!(shown, expected, "{name}");
                        let is_cut = expected.len() < whole.len() - at;
                        assert_eq!(facts["truncated"], is_cut, "{name}");
                        let cut_by = if is_cut { json!("max_tokens") } else { Value::Null };
                        assert_eq!(facts["cut_by"], cut_by, "{name}");
                    }
                    at += shown.len();
                }
            }
        }
    }
}

#[test]
fn standard_input_is_cut_like_a_file() {
    for seed in 0..cases(30, 5) {
        let text = text(seed);
        let sandbox = Sandbox::with("f", &text);
        for flags in ["--max-tokens 7", "--max-tokens 40 -n", "--max-tokens 12 --max-lines 2"] {
            let file = sandbox.line(&format!("lines f {flags} --json")).ok().json();
            let piped = sandbox.piped(&format!("lines - {flags} --json"), text.clone()).ok().json();
            for key in ["actual_range", "estimated_tokens", "truncated", "cut_by", "next"] {
                assert_eq!(piped["metadata"][key], file["metadata"][key], "{key} of {flags}, {seed}");
            }
            assert_eq!(piped["content"], file["content"], "{flags}, {seed}");
            assert_eq!(file["metadata"]["estimated_tokens"], tokens(content(&file).as_bytes()), "{flags}");
        }
    }
}

#[test]
fn files_and_ranges_share_a_budget() {
    for seed in 0..cases(30, 5) {
        let texts = [text(seed), utf16(&text(seed + 1)), text(seed + 2)];
        let sandbox = Sandbox::new();
        for (name, text) in ["a", "b", "c"].iter().zip(&texts) {
            sandbox.file(name, text);
        }
        let whole = |n: usize| String::from_utf8_lossy(&text(seed + n)).into_owned();
        for max in [4, 25, 80, 1000] {
            let line = format!("lines a b c --max-tokens {max} --json");
            let answer = sandbox.line(&line).ok().json();
            let mut all = String::new();
            for (n, segment) in answer["segments"].as_array().unwrap().iter().enumerate() {
                all += content(segment);
                assert!(whole(n).starts_with(content(segment)), "{line}");
                let is_cut = content(segment) != whole(n);
                assert_eq!(segment["metadata"]["truncated"], is_cut, "{line}");
                assert_eq!(segment["metadata"].get("next").is_some(), is_cut, "{line}");
                assert_eq!(segment["metadata"]["estimated_tokens"], tokens(content(segment).as_bytes()));
            }
            assert!(tokens(all.as_bytes()) <= max, "{line}");
        }
    }
    let sandbox = Sandbox::with("f", numbered(9));
    let documents = sandbox.line("ranges f 1:2 5:6 9 --max-tokens 7").ok().documents();
    let contents: Vec<&str> = documents.iter().map(|document| document.content.as_str()).collect();
    assert_eq!(contents, ["line 1\nline 2\n", "line 5\n", ""]);
}

#[test]
fn metadata_only_estimates_what_the_call_would_return() {
    let sandbox = Sandbox::with("f", text(7));
    sandbox.file("漢", text(9));
    sandbox.file("wide", utf16(&text(5)));
    for line in [
        "lines f",
        "lines f -n",
        "lines f 2: --hash",
        "lines f --max-columns 3",
        "lines f --max-bytes 30",
        "lines f --max-tokens 20",
        "lines f --header 1 -2:",
        "lines wide",
        "lines f wide 漢",
        "bytes f 5:60",
        "bytes f 5:60 --encode base64",
        "page f --page-size 64 --all",
        "ranges f 1 2:3 b4:9",
        "search . f",
        "search 漢 f wide 漢 -C 1",
        "search . wide --max-columns 4",
        "search . f --max-tokens 22",
        "search a f wide 漢 --max-tokens 900",
        "search . wide 漢 --hash",
    ] {
        let full = sandbox.line(line).ok().documents();
        let bare = sandbox.line(&format!("{line} --metadata-only"));
        assert_eq!((bare.code, bare.stderr.as_str()), (0, ""), "{line}");
        let estimates: Vec<String> = bare
            .text()
            .lines()
            .filter_map(|line| line.strip_prefix("estimated_tokens: "))
            .map(str::to_owned)
            .collect();
        let counted: Vec<String> =
            full.iter().map(|document| tokens(document.content.as_bytes()).to_string()).collect();
        assert_eq!(estimates, counted, "{line}");
        // JSON shows the lines of a search without numbers.
        let json = sandbox.line(&format!("{line} --json")).ok().json();
        let bare = sandbox.line(&format!("{line} --json --metadata-only")).ok().json();
        let parts =
            |answer: &Value| answer.get("segments").and_then(Value::as_array).cloned().unwrap_or_default();
        let all: String = parts(&json).iter().map(content).collect();
        for part in parts(&json) {
            let estimate = part["metadata"].get("estimated_tokens");
            assert!(estimate.is_none_or(|estimate| *estimate == tokens(content(&part).as_bytes())), "{line}");
        }
        match (bare["metadata"].get("estimated_tokens"), line.starts_with("search")) {
            (Some(estimate), true) => assert_eq!(*estimate, tokens(all.as_bytes()), "{line}"),
            (Some(estimate), false) => assert_eq!(*estimate, tokens(content(&json).as_bytes()), "{line}"),
            (None, _) => {
                for (bare, full) in parts(&bare).iter().zip(parts(&json)) {
                    let counted = tokens(content(&full).as_bytes());
                    assert_eq!(bare["metadata"]["estimated_tokens"], counted, "{line}");
                }
            }
        }
    }
    assert!(!sandbox.line("lines f --max-bytes 30").ok().document().has("estimated_tokens"), "nobody asked");
    assert!(!sandbox.line("search . f").ok().document().has("estimated_tokens"), "nobody asked");
}

#[test]
fn formats_without_a_receipt_report_the_cut() {
    let sandbox = Sandbox::with("f", "日本語\n𠀀𠀀𠀀𠀀\nabc\n");
    for format in ["--raw", "-ftext"] {
        let run = sandbox.line(&format!("lines f --max-tokens 8 {format}"));
        assert_eq!((run.code, run.text()), (0, "日本語\n𠀀𠀀𠀀𠀀\n"), "{run}");
        assert_eq!(run.stderr, "rread: f: note: cut by --max-tokens; next: lines 3:\n");
    }
    // Raw UTF-16 is counted as the text that it is.
    sandbox.file("f", utf16("日本語\nabcdef\n".as_bytes()));
    let run = sandbox.line("lines f --max-tokens 5 --raw");
    assert_eq!(run.stdout, utf16("日本語\n".as_bytes()));
    let brief = sandbox.line("lines f --max-tokens 5 --brief").ok();
    let receipt =
        "---\nlines: 1-1\ntotal_lines: 2\ntruncated: true\ncut_by: max_tokens\nnext: \"lines 2:\"\n---\n";
    assert_eq!(brief.text(), format!("{receipt}日本語\n"));
}

#[test]
fn a_budget_without_room_for_progress_is_refused() {
    let sandbox = Sandbox::with("f", "😀😀\n");
    for (line, least) in
        [("lines f", 2), ("lines f -n", 22), ("lines f --invalid escape", 4), ("search 😀 f", 22)]
    {
        let run = sandbox.line(&format!("{line} --max-tokens {}", least - 1)).refused(2);
        run.says(contains(format!("--max-tokens is {}, too small", least - 1)))
            .says(contains(format!("--max-tokens {least} is the least")));
        assert_ne!(sandbox.line(&format!("{line} --max-tokens {least} -f text")).text(), "", "{line}");
    }
    for value in ["0", "-1", "x", ""] {
        sandbox.line(&format!("lines f --max-tokens={value}")).refused(2);
    }
    sandbox.file("f", "head of the table\nrow\n");
    let refused = sandbox.line("lines f --header 1 2: --max-tokens 5").refused(2);
    refused.says(contains("a larger --max-tokens"));
    assert_eq!(sandbox.line("lines f --max-tokens 18446744073709551615").ok().document().fact("eof"), "true");
}

#[test]
fn a_token_budget_reads_no_more_than_it_returns() {
    let sandbox = Sandbox::with("f", "漢字".repeat(2 << 20));
    for line in ["lines f 1", "lines f 1 -n", "bytes f 3:", "ranges f 1 b6:9 1:3"] {
        let answer = sandbox.line(&format!("{line} --max-tokens 30 --json --no-index")).ok().json();
        let scanned = answer["metadata"]["bytes_scanned"].as_u64().unwrap();
        assert!(scanned <= 64 << 10, "{line}: {scanned}");
    }
}
