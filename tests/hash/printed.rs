//! `--hash` on lines and ranges: the hash covers the whole line even if only a part is shown.

use predicates::str::contains;
use rread_testkit::sandbox::{Run, Sandbox, numbered};
use serde_json::Value;

use super::naive::{body, digits, letters, lines};

/// A giant line across blocks, line ends of both kinds, invalid bytes, an empty line and no newline at the end.
fn odd() -> Vec<u8> {
    let mut bytes = b"\xEF\xBB\xBFfirst\r\n\n \t\xC2\xA0\r\nb\xFFad \xE2\x82\n".to_vec();
    bytes.extend("größer ".repeat(90_000).bytes());
    bytes.extend(b"\r\nlone\rreturn\r\r\n  }\nlast\r");
    bytes
}

fn expected(bytes: &[u8], width: usize) -> Vec<String> {
    let lines = lines(bytes, 1).into_iter().zip(1..);
    lines.map(|(line, n)| format!("{n}#{}|", digits(body(line, 1), width))).collect()
}

/// The anchors at the starts of lines.
fn anchors(content: &str) -> Vec<String> {
    let lines = content.lines().filter(|line| !line.is_empty());
    lines.map(|line| line[..=line.find(['|', ':']).unwrap_or_else(|| panic!("{line}"))].to_owned()).collect()
}

fn content(run: Run) -> String {
    run.ok().json()["content"].as_str().unwrap().to_owned()
}

#[test]
fn every_line_has_the_hash_of_its_bytes() {
    let sandbox = Sandbox::with("f", odd());
    for width in 4..=8 {
        let run = sandbox.line(&format!("lines f --hash --hash-width {width} --json --max-columns 9"));
        assert_eq!(anchors(&content(run)), expected(&odd(), width));
    }
    assert_eq!(anchors(sandbox.line("lines f --hash -f text").ok().text()), expected(&odd(), 6));
    let raw = sandbox.line("lines f --hash --raw").ok().stdout;
    let pasted: Vec<u8> = lines(&odd(), 1)
        .into_iter()
        .zip(expected(&odd(), 6))
        .flat_map(|(line, anchor)| [anchor.as_bytes(), line].concat())
        .collect();
    assert!(raw == pasted, "raw output is the bytes of the file after the hashes");
    sandbox.piped("verify f --from -", raw).ok();
    assert_eq!(
        content(sandbox.line("lines f --hash -n --json")),
        content(sandbox.line("lines f --hash --json"))
    );
}

#[test]
fn every_part_of_a_line_has_the_hash_of_the_whole() {
    let bytes = odd();
    let sandbox = Sandbox::with("f", &bytes);
    let expected = expected(&bytes, 6);
    for at in [0, 3, 4, 9, 10, 15, 20, 30, 300_000, bytes.len() - 30, bytes.len() - 9, bytes.len() - 1] {
        for len in [1, 7, 40] {
            let run = sandbox.line(&format!("ranges f b{at}:+{len} --hash --align none -f text")).ok();
            let found = anchors(run.text());
            let first = bytes[..at].iter().filter(|byte| **byte == b'\n').count();
            assert!(expected[first..].starts_with(&found), "{at} {len}: {found:?}");
        }
    }
}

#[test]
fn all_pages_of_a_giant_line_cost_one_reading_of_it() {
    let giant = "x".repeat(24 << 20);
    let bytes = [b"first\n", giant.as_bytes(), b"\r\nlast\n"].concat();
    let sandbox = Sandbox::with("f", &bytes);
    let expected = expected(&bytes, 6);
    // Thousands of pages, each with the hash of the whole line. A run that takes a minute is ended.
    let run = sandbox.line("page f --all --hash --page-size 4000 --json").ok().json();
    let segments = run["segments"].as_array().unwrap();
    assert!(segments.len() > 6000, "{}", segments.len());
    for segment in &segments[2..segments.len() - 1] {
        assert_eq!(anchors(segment["content"].as_str().unwrap())[0], expected[1]);
    }
    // One hash is not taken for another, nor one line for the next.
    let mixed = sandbox.line("ranges f b9:12 b20:25 b25165829: b0:7 b30:35 --hash -f text").ok();
    let shown: String = mixed.text().to_owned();
    let two = &expected[1];
    let expected =
        format!("{two}xxx{two}xxxxx{two}x\r\n{}last\n{}first\n{two}x{two}xxxxx", expected[2], expected[0]);
    assert_eq!(shown, expected);
}

#[test]
fn content_cut_by_a_budget_can_be_verified_and_continued() {
    let bytes = odd();
    let sandbox = Sandbox::with("f", &bytes);
    let expected = expected(&bytes, 6);
    for budget in [64, 65, 100, 5_000] {
        let mut call = format!("lines f --hash --json --max-bytes {budget}");
        let (mut seen, mut steps) = (Vec::new(), 0);
        while steps < 12 {
            let answer = sandbox.line(&call).ok().json();
            let answer = answer["segments"].get(0).unwrap_or(&answer);
            let content = answer["content"].as_str().unwrap();
            assert!(content.len() <= budget, "{call}");
            let found = anchors(content);
            assert!(!found.is_empty(), "{call}");
            let mut verify = vec!["verify", "f"];
            verify.extend(found.iter().map(String::as_str));
            sandbox.run(verify).ok();
            seen.extend(found);
            let Value::Object(next) = &answer["metadata"]["next"] else { break };
            let unit = if next["command"] == "bytes" { "b" } else { "" };
            let range = next["range"].as_str().unwrap();
            call = format!("ranges f {unit}{range} --hash --json --max-bytes {budget}");
            steps += 1;
        }
        seen.dedup();
        assert!(expected.starts_with(&seen), "{budget}: {seen:?}");
        assert!(seen.len() >= 5, "{budget}: the giant line was not reached");
    }
}

#[test]
fn letters_are_those_of_the_text_without_white_space() {
    let text = "\n};\n  }\r\n    if (\n\u{FEFF}\u{3000}x\u{85}y\u{2028}\nlast";
    let sandbox = Sandbox::with("f", text);
    let expected: Vec<String> = text
        .split('\n')
        .zip(1..)
        .map(|(line, n)| format!("{n}#{}:{}\n", letters(line), line.trim_end_matches('\r')))
        .collect();
    let content = content(sandbox.line("lines f --hash --hash-style omp --json")).replace('\r', "");
    assert_eq!(content, expected.concat().trim_end());
    assert!(content.starts_with("1#ZR:\n2#TK:};\n3#PN:  }\n4#VK:    if (\n"));
}

#[test]
fn code_units_of_two_and_four_bytes_are_hashed_as_they_are() {
    let text = "\u{FEFF}größer\r\n\n\u{0A0D} 😀\r\n  }\nlast";
    let wide = |width: usize| -> Vec<u8> {
        match width {
            2 => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            _ => text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(),
        }
    };
    for width in [2, 4] {
        let bytes = wide(width);
        let sandbox = Sandbox::with("f", &bytes);
        let lines = lines(&bytes, width).into_iter().zip(1..);
        let expected: Vec<String> =
            lines.map(|(line, n)| format!("{n}#{}|", digits(body(line, width), 8))).collect();
        let run = sandbox.line("lines f --hash --hash-width 8 -f text").ok();
        assert_eq!(anchors(run.text()), expected, "{width}");
        sandbox.piped("verify f --from -", run.stdout).ok();
        let letters = sandbox.line("lines f --hash --hash-style omp -f text").ok().stdout;
        sandbox.piped("verify f --from -", letters).ok();
        sandbox.line("lines f --hash --raw").refused(2).says(contains("--hash"));
    }
}

#[test]
fn a_stream_and_a_compressed_file_have_the_hashes_of_their_text() {
    let bytes = odd();
    let sandbox = Sandbox::with("f", &bytes);
    let plain = sandbox.line("lines f --hash -f text").ok().stdout;
    assert_eq!(sandbox.piped("lines - --hash -f text", &*bytes).ok().stdout, plain);
    sandbox.file("f.zst", zstd::encode_all(&bytes[..], 1).unwrap());
    assert_eq!(sandbox.line("lines f.zst --hash -f text").ok().stdout, plain);
    sandbox.piped("verify f.zst --from -", plain).ok();
    let mut piped = vec!["verify", "-"];
    let expected = expected(&bytes, 6);
    piped.extend(expected.iter().map(|anchor| anchor.trim_end_matches('|')));
    let mut command = sandbox.command();
    command.args(piped).write_stdin(bytes);
    Run::of(&mut command).ok();
}

#[test]
fn contradictory_options_are_refused() {
    let sandbox = Sandbox::with("f", numbered(5));
    for line in [
        "lines f --hash --encode hex",
        "ranges f 1 --hash --encode base64",
        "lines f --hash --hash-width 3",
        "lines f --hash --hash-width 9",
        "lines f --hash-width 6",
        "lines f --hash-style omp",
        "lines f --hash --hash-style md5",
        "lines f --hash --hash-style omp --hash-width 4",
        "lines f --hash --max-bytes 63",
        "bytes f --hash",
    ] {
        sandbox.line(line).refused(2);
    }
    let painted = sandbox.line("lines f 1 --hash --color always -f text").ok();
    assert!(painted.text().starts_with("\u{1B}[32m1#") && painted.text().contains("\u{1B}[39m|line 1"));
}
