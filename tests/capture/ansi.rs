//! Escape sequences and progress bars: left out of what is shown, kept in what is stored.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::support::{Lab, Run};

/// The exact bytes that are stored.
fn stored(lab: &Lab, fd: &str) -> Vec<u8> {
    lab.run(&["bytes", fd, "--raw", "--text", "--ansi", "keep"]).ok().stdout
}

/// Keeps `text`; returns the metadata.
fn keep(lab: &Lab, text: &[u8]) -> serde_json::Value {
    fs::write(lab.path("text"), text).unwrap();
    lab.capture(&["--direct", "0"], "cat text")
}

#[test]
fn every_command_reads_one_of_the_two_texts() {
    let lab = Lab::new();
    let text = "\x1b[1mone\x1b[0m\n10%\r20%\rtwo\nthr\x08ree\nfour\n";
    let metadata = keep(&lab, text.as_bytes());
    assert_eq!(metadata["notices"], json!(["escapes_removed"]));
    assert_eq!(
        (&metadata["bytes_produced"], &metadata["bytes_kept"]),
        (&json!(text.len()), &json!(text.len()))
    );
    assert_eq!(metadata["total"], 19);
    assert!(metadata["message"].as_str().unwrap().contains("--ansi keep shows them"), "{metadata}");
    assert_eq!(stored(&lab, "fd:1"), text.as_bytes());
    let shown = "one\ntwo\nthree\nfour\n";
    assert_eq!(lab.bytes("fd:1"), shown.as_bytes());
    // Lines have the same numbers, bytes do not.
    let both = |args: &[&str]| {
        let kept = lab.run(&[args, &["--ansi", "keep"]].concat()).ok();
        (lab.run(args).ok(), kept)
    };
    for (args, shown, kept) in [
        (&["lines", "fd:1", "2", "--raw"][..], "two\n", "10%\r20%\rtwo\n"),
        (&["lines", "fd:1:4", "--raw"], "four\n", "four\n"),
        (&["page", "fd:1", "1", "--page-size", "12", "--raw"], "one\ntwo\n", "\x1b[1mone\x1b[0m\n"),
        (&["ranges", "fd:1", "1", "b0:3", "--raw"], "one\none", "\x1b[1mone\x1b[0m\n\x1b[1"),
        (&["search", "^t", "fd:1", "--raw"], "two\nthree\n", "thr\x08ree\n"),
    ] {
        let (strip, keep) = both(args);
        assert_eq!((strip.text().as_str(), keep.text().as_str()), (shown, kept), "{args:?}");
    }
    let (strip, keep) = both(&["stat", "fd:1", "--json"]);
    assert_eq!((&strip.json()["total"], &keep.json()["total"]), (&json!(shown.len()), &json!(text.len())));
    assert_eq!((&strip.json()["notices"], keep.json().get("notices")), (&json!(["escapes_removed"]), None));
    let (strip, keep) = both(&["where", "fd:1", "--line", "4", "--json"]);
    assert_eq!((&strip.json()["byte"], &keep.json()["byte"]), (&json!(14), &json!(text.len() - 5)));
    let (strip, keep) = both(&["lines", "fd:1", "1", "--json"]);
    let (strip, keep) = (strip.json()["metadata"].clone(), keep.json()["metadata"].clone());
    assert_eq!((&strip["total_lines"], &keep["total_lines"]), (&json!(4), &json!(4)));
    let version = strip["version"].as_str().unwrap();
    lab.run(&["lines", "fd:1", "1", "--expect", version, "--raw"]).ok();
    assert_eq!(lab.run(&["lines", "fd:1", "1", "--expect", version, "--ansi", "keep"]).code, 7);
    fs::write(lab.path("ranges"), "2\n").unwrap();
    lab.run(&["ranges", "fd:1", "--from", "ranges", "--ansi", "keep"]).ok();
}

#[test]
fn short_output_is_printed_without_them() {
    let lab = Lab::new();
    fs::write(lab.path("text"), "\x1b[31mred\x1b[0m\n10%\r20%\n").unwrap();
    let capture = |options: &[&str]| lab.run(&[&["capture"], options, &["--", "cat", "text"]].concat()).ok();
    for format in ["-ffrontmatter", "-fraw", "-ftext"] {
        assert_eq!(capture(&[format]).text(), "red\n20%\n");
        assert_eq!(capture(&[format, "--ansi", "keep"]).text(), "\x1b[31mred\x1b[0m\n10%\r20%\n");
    }
    let answer = capture(&["--json"]).json();
    assert_eq!((&answer["content"], &answer["metadata"]["total_lines"]), (&json!("red\n20%\n"), &json!(2)));
    assert_eq!(answer["metadata"]["notices"], json!(["escapes_removed"]));
    assert_eq!(capture(&["--json", "--ansi", "keep"]).json()["metadata"].get("notices"), None);
    assert_eq!(lab.kept(), ["session", "session/last"]);
    let kept = capture(&["--json", "--ansi", "keep", "--name", "x"]).json();
    assert_eq!(kept["content"], "\x1b[31mred\x1b[0m\n10%\r20%\n");
    assert!(kept["metadata"]["message"].as_str().unwrap().ends_with("again: rread lines fd:1 --ansi keep"));
    assert_eq!(lab.bytes("fd:x"), b"red\n20%\n", "the answer does not decide what is read later");
}

#[test]
fn output_with_nothing_to_remove_has_one_file() {
    let lab = Lab::new();
    let utf16: Vec<u8> = "a\x1b[1m\rb\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let (japanese, ..) = encoding_rs::ISO_2022_JP.encode("日本語のテキスト\n");
    let binary = [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\x1b[1m"[..], &[0xFF; 20]].concat();
    let texts = [b"plain\r\ntext\r\n".to_vec(), "caf\u{e9} \u{9b}1m\n".into(), b"\xE9\x07\n".to_vec()];
    for text in texts.into_iter().chain([[&b"\xFF\xFE"[..], &utf16].concat(), japanese.to_vec(), binary]) {
        let metadata = keep(&lab, &text);
        assert_eq!(metadata.get("notices"), None, "{}", text.escape_ascii());
        let read = lab.run(&["bytes", metadata["fd"].as_str().unwrap(), "--raw", "--text"]);
        assert_eq!((read.code, read.stdout), (0, text));
    }
    assert!(lab.kept().iter().all(|path| !path.ends_with("shown")), "{:?}", lab.kept());
}

#[test]
fn line_numbers_are_the_same_and_the_last_line_may_vanish() {
    let lab = Lab::new();
    let metadata = keep(&lab, b"a\nb\n\x1b[0m");
    assert_eq!(metadata["total_lines"], 2, "nothing of the third line is shown");
    let kept = lab.run(&["lines", "fd:1", "3", "--ansi", "keep", "--raw"]).ok();
    assert_eq!(kept.text(), "\x1b[0m");
    lab.run(&["lines", "fd:1", "3"]).refused(5, &["line 3"]);
}

#[test]
fn both_files_are_managed_together() {
    let lab = Lab::new();
    let text = "\x1b[1mx\x1b[0m\n".repeat(100);
    keep(&lab, text.as_bytes());
    let list = lab.run(&["capture", "list", "--json"]).ok().json();
    assert_eq!(list["captures"][0]["total"], 200);
    assert_eq!(list["captures"][0]["notices"], json!(["escapes_removed"]));
    let saved = lab.run(&["capture", "save", "fd:1", "all", "--json"]).ok().json();
    assert_eq!((&saved["bytes"], fs::read(lab.path("all")).unwrap()), (&json!(1000), text.clone().into()));
    let saved = lab.run(&["capture", "save", "fd:1", "shown", "--ansi", "strip", "--json"]).ok().json();
    assert_eq!(
        (&saved["bytes"], fs::read(lab.path("shown")).unwrap()),
        (&json!(200), "x\n".repeat(100).into())
    );
    // A part of the text is missing: the rest is not passed off as the whole.
    let shown = lab.state().join("session/1/shown");
    fs::write(&shown, "x\n").unwrap();
    lab.run(&["lines", "fd:1"]).refused(3, &["fd:1: is damaged: 2 of its 200 bytes", "--ansi keep"]);
    assert_eq!(stored(&lab, "fd:1"), text.as_bytes());
    fs::remove_file(&shown).unwrap();
    lab.run(&["lines", "fd:1"]).refused(3, &["fd:1: cannot be opened", "--ansi keep"]);
    let dropped = lab.run(&["capture", "drop", "fd:1", "--json"]).ok().json();
    assert_eq!(dropped["freed_bytes"], 1200);
    assert_eq!(lab.kept(), ["session", "session/last"]);
}

#[test]
fn limits_count_both_files() {
    let lab = Lab::new();
    let capture = |limit: &str, count: u64| {
        let line = format!("for i in $(seq {count}); do printf '\\033[1mx\\n'; done");
        let mut command = lab.command(&["capture", "--json", "--direct", "0", "--", "sh", "-c", &line]);
        Run::of(command.env("RREAD_STATE_MAX", limit).output().unwrap())
    };
    assert_eq!(capture("1M", 100).ok().json()["metadata"].get("evicted"), None);
    // 600 and 200 bytes: together with the new one more than 1500.
    assert_eq!(capture("1500", 100).ok().json()["metadata"]["evicted"], json!(["fd:1"]));
    let run = capture("700", 100);
    let metadata = run.json()["metadata"].clone();
    assert_eq!((metadata.get("notices"), &metadata["bytes_kept"]), (None, &json!(600)));
    run.says(&["escape sequences are shown", "RREAD_STATE_MAX"]);
    assert!(!lab.state().join("session/3/shown").exists());
}

#[test]
fn strip_is_only_for_captures() {
    let lab = Lab::new();
    fs::write(lab.path("text"), "\x1b[1mx\n").unwrap();
    lab.run(&["lines", "text", "--ansi", "strip"]).refused(2, &["text: is not a capture", "rread capture"]);
    assert_eq!(lab.run(&["lines", "text", "--ansi", "keep", "--raw"]).ok().text(), "\x1b[1mx\n");
    let strip = lab.shell("$RREAD capture --raw < text").ok();
    assert_eq!(strip.text(), "x\n");
    lab.run(&["capture", "--ansi", "some", "--", "true"]).refused(125, &["some"]);
}

#[test]
fn real_programs_are_shown_as_text() {
    let lab = Lab::new();
    fs::create_dir(lab.path("folder")).unwrap();
    fs::write(lab.path("folder/a"), "some match here\n").unwrap();
    let run = |words: &[&str]| lab.run(&[&["capture", "--"], words].concat()).ok().text();
    let kept = lab.run(&["capture", "--ansi", "keep", "--", "ls", "--color=always", "-d", "folder"]).text();
    if !kept.contains('\x1b') {
        return eprintln!("SKIPPED: ls has no colours");
    }
    assert_eq!(run(&["ls", "--color=always", "-d", "folder"]), "folder\n");
    let grep = run(&["grep", "--color=always", "-rn", "match", "folder"]);
    assert_eq!(grep, "folder/a:1:some match here\n");
    if !Path::new("/usr/bin/script").exists() {
        return eprintln!("SKIPPED: script is missing");
    }
    // A program that sees a terminal; rread itself at a terminal.
    let progress =
        r"for i in 1 2 3; do printf '\r\033[K  Building [%s/3]' $i; done; printf '\r\033[K'; echo done";
    fs::write(lab.path("progress"), progress).unwrap();
    assert_eq!(run(&["script", "-qec", "sh progress", "/dev/null"]), "done\r\n");
    let at_terminal = |options: &str| {
        let line = format!("script -qec \"$RREAD capture {options} -- sh progress\" /dev/null");
        lab.shell(&line).text()
    };
    assert!(at_terminal("").ends_with("done\r\n") && !at_terminal("").contains("Building"));
    let kept = at_terminal("--ansi keep");
    assert!(
        kept.contains("\\x1b[K  Building [1/3]") && !kept.contains("\x1b[K  B"),
        "{}",
        kept.escape_debug()
    );
}
