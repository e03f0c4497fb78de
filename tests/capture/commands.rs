//! Capturing a command: its output, its receipt and its signals.

use std::fs;
use std::io::Write;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use insta::assert_snapshot;
use serde_json::json;

use super::support::{Lab, Run, seq};

#[test]
fn output_up_to_the_limit_is_printed_and_one_byte_more_is_kept() {
    let lab = Lab::new();
    for (size, kept) in [(0, false), (7999, false), (8000, false), (8001, true)] {
        let text = "x".repeat(size);
        fs::write(lab.path("text"), &text).unwrap();
        let run = lab.run(&["capture", "--raw", "--", "cat", "text"]);
        assert_eq!(run.text(), text[..size.min(if kept { 4000 } else { 8000 })]);
        assert_eq!(run.stderr.is_empty(), !kept, "{}", run.stderr);
        let metadata = lab.capture(&[], "cat text");
        assert_eq!(metadata["kept"], kept, "{size}");
        assert_eq!(metadata["bytes_produced"], size);
    }
    assert_eq!(lab.handles(), ["fd:1", "fd:2"]);
    assert_eq!(lab.capture(&["--direct", "3"], "printf abc")["kept"], false);
    assert_eq!(lab.capture(&["--direct", "2"], "printf abc")["kept"], true);
    assert_eq!(lab.capture(&["--direct", "0"], "printf abc")["truncated"], false);
    assert_eq!(lab.capture(&["--direct", "0"], "true")["kept"], false, "of nothing there is nothing to keep");
}

#[test]
fn printed_output_is_not_kept() {
    let lab = Lab::new();
    assert_eq!(lab.run(&["capture", "--", "echo", "hello"]).ok().text(), "hello\n");
    assert_snapshot!(lab.run(&["capture", "--json", "--", "echo", "hello"]).ok().snapshot(), @r#"
    {
      "content": "hello\n",
      "metadata": {
        "kept": false,
        "command": "echo hello",
        "exit_status": 0,
        "bytes_produced": 6,
        "truncated": false,
        "actual_range": {
          "start_line": 1,
          "end_line": 1,
          "start_byte": 0,
          "end_byte": 6
        },
        "total_lines": 1,
        "content_bytes": 6
      }
    }
    "#);
    assert_snapshot!(lab.run(&["capture", "--xml", "--", "printf", "a<b"]).ok().snapshot(), @r#"<command_output command="printf 'a&lt;b'" exit_status="0" lines="1-1" range="0-3" total_lines="1" total="3" content_bytes="3">a&lt;b</command_output>"#);
    assert_eq!(lab.kept(), ["session", "session/last"]);
}

#[test]
fn the_first_page_is_shown_and_all_pages_are_the_output() {
    assert_snapshot!(Lab::new().run(&["capture", "--page-size", "30", "--", "seq", "3000"]).ok().snapshot(), @r#"
    ---
    fd: fd:1
    command: seq 3000
    exit_status: 0
    pages: 464
    truncated: true
    lines: 1-13
    range: 0-30
    total_lines: 3000
    total: 13893
    content_bytes: 30
    version: …
    next: page 2 --page-size 30
    message: "13893 bytes of output are kept as fd:1, 464 pages. This is page 1; go on with: rread page fd:1 2 --page-size 30; the end: rread lines fd:1 -20:"
    ---
    1
    2
    3
    4
    5
    6
    7
    8
    9
    10
    11
    12
    13
    "#);
    let lab = Lab::new();
    let text = seq(3000);
    lab.capture(&["--page-size", "1000"], "seq 3000");
    let first = lab.run(&["page", "fd:1", "--page-size", "1000", "--json"]).ok().json();
    let again = lab.run(&["capture", "--page-size", "1000", "--json", "--", "seq", "3000"]).ok().json();
    assert_eq!(first["content"], again["content"]);
    assert_eq!(first["metadata"]["actual_range"], again["metadata"]["actual_range"]);
    assert_eq!(lab.run(&["page", "fd:1", "--all", "--raw"]).ok().text(), text);
    assert_eq!(lab.bytes("fd:1"), text.as_bytes());
}

#[test]
fn page_counts_match_the_receipt_of_the_capture() {
    let lab = Lab::new();
    let metadata = lab.capture(&["--name", "small", "--page-size", "100"], "seq 3000");
    assert_eq!(metadata["pages"], 139);
    for fd in ["fd:1", "fd:small"] {
        let last = lab.run(&["page", fd, "139", "--json"]).ok().json();
        assert_eq!((&last["metadata"]["pages"], &last["metadata"]["eof"]), (&json!(139), &json!(true)));
    }
    let second = lab.run(&["page", "fd:1", "2", "--json"]).ok().json();
    assert_eq!(second["metadata"]["next"], json!({"command": "page", "range": "3", "page_size": 100}));
    let usual = lab.run(&["page", "fd:1", "--page-size", "4000", "--json"]).ok().json();
    assert_eq!(usual["metadata"]["pages"], 4);
    let next = json!({"command": "page", "range": "2", "page_size": 4000});
    assert_eq!(usual["metadata"]["next"], next);
    lab.run(&["page", "fd:1", "140"]).refused(5, &["(139 pages)", "rread page fd:1 -1 --page-size 100"]);
}

#[test]
fn every_command_takes_a_handle() {
    let lab = Lab::new();
    lab.capture(&["--name", "numbers"], "seq 3000");
    for fd in ["fd:1", "fd:numbers"] {
        assert_eq!(lab.run(&["lines", &format!("{fd}:10-12"), "--raw"]).ok().text(), "10\n11\n12\n");
        assert_eq!(lab.run(&["lines", fd, "-1", "--raw"]).ok().text(), "3000\n");
        assert_eq!(lab.run(&["ranges", fd, "5", "b0:2", "--raw"]).ok().text(), "5\n1\n");
        assert_eq!(lab.run(&["ranges", &format!("{fd}:5"), fd, "7", "--raw"]).ok().text(), "5\n7\n");
        assert_eq!(lab.run(&["where", fd, "--line", "4", "--json"]).ok().json()["byte"], 6);
        let stat = lab.run(&["stat", fd, "--json"]).ok().json();
        assert_eq!((&stat["path"], &stat["mode"]), (&json!(fd), &json!("0600")));
        let page = lab.run(&["page", fd, "-1", "--json"]).ok().json();
        assert_eq!(page["metadata"]["eof"], true);
    }
    let xml = lab.run(&["page", "fd:1", "1", "--xml"]).ok().text();
    assert!(xml.starts_with("<fd_content path=\"fd:1\"") && xml.ends_with("</fd_content>\n"), "{xml}");
    assert!(xml.contains(" fd=\"fd:1\">"), "{xml}");
    lab.capture(&["--direct", "0"], "printf '3\\n5:6\\n'");
    assert_eq!(lab.run(&["ranges", "fd:1", "--from", "fd:2", "--raw"]).ok().text(), "3\n5\n6\n");
    lab.run(&["lines", "fd:1", "9999"]).refused(5, &["rread: fd:1: line 9999", "rread lines fd:1 -20:"]);
}

#[test]
fn a_file_named_like_a_handle_wins() {
    let lab = Lab::new();
    lab.capture(&["--direct", "0"], "echo captured");
    assert_eq!(lab.bytes("fd:1"), b"captured\n");
    fs::write(lab.path("fd:1"), "file\n").unwrap();
    assert_eq!(lab.bytes("fd:1"), b"file\n");
    assert_eq!(lab.run(&["lines", "fd:1:1", "--raw"]).ok().text(), "file\n");
    fs::remove_file(lab.path("fd:1")).unwrap();
    fs::write(lab.path("fd"), "another\n").unwrap();
    assert_eq!(lab.run(&["lines", "fd:1", "--raw"]).ok().text(), "captured\n");
    lab.run(&["bytes", "./fd:1"]).refused(3, &["./fd:1: cannot open"]);
    assert_eq!(lab.run(&["lines", "./fd:1", "--raw"]).ok().text(), "another\n", "line 1 of the file fd");
}

#[test]
fn both_streams_keep_their_order() {
    let lab = Lab::new();
    let line = "for i in 1 2 3 4 5 6 7 8 9; do echo out $i; echo err $i >&2; done";
    let expected: String = (1..=9).map(|i| format!("out {i}\nerr {i}\n")).collect();
    assert_eq!(lab.run(&["capture", "--", "sh", "-c", line]).ok().text(), expected);
    let run = lab.run(&["capture", "--stdout-only", "--", "sh", "-c", line]);
    assert_eq!((run.text().lines().count(), run.stderr.lines().count()), (9, 9));
    assert!(run.stderr.starts_with("err 1\n"), "{}", run.stderr);
}

#[test]
fn standard_input_is_captured_from_pipes_and_files() {
    let lab = Lab::new();
    let run = lab.shell("seq 3000 | $RREAD capture --name build --json");
    let metadata = run.ok().json()["metadata"].clone();
    assert_eq!((&metadata["fd"], &metadata["name"]), (&json!("fd:1"), &json!("build")));
    assert_eq!(metadata.get("command").or(metadata.get("exit_status")), None);
    assert_eq!(lab.bytes("fd:build"), seq(3000).as_bytes());
    fs::write(lab.path("text"), seq(3000)).unwrap();
    lab.shell("(read first; exec $RREAD capture --name build) < text >/dev/null").ok();
    // Shells read files by the byte, or put back what they have read too much.
    assert_eq!(lab.bytes("fd:build"), &seq(3000).as_bytes()[2..]);
    assert_eq!(lab.bytes("fd:1"), seq(3000).as_bytes(), "the older one is still there");
    lab.shell("$RREAD capture <&-").refused(3, &["standard input is closed"]);
    lab.shell("$RREAD capture < .").refused(3, &["is a directory"]);
}

#[test]
fn arguments_that_look_like_options_reach_the_command() {
    let lab = Lab::new();
    let run = lab.run(&["capture", "--", "printf", "%s|", "-20:", " -5", "  -7", "--json", "-n", ""]);
    assert_eq!(run.ok().text(), "-20:| -5|  -7|--json|-n||");
}

#[test]
fn binary_output_is_kept_and_named() {
    let lab = Lab::new();
    let bytes = [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01"[..], &[0xFF; 20]].concat();
    fs::write(lab.path("picture"), &bytes).unwrap();
    let answer = lab.run(&["capture", "--json", "--", "cat", "picture"]).ok().json();
    let metadata = &answer["metadata"];
    assert_eq!((&answer["content"], &metadata["mime"]), (&json!(""), &json!("image/png")));
    assert!(metadata["message"].as_str().unwrap().contains("--encode hex"));
    assert_eq!(lab.bytes("fd:1"), bytes);
    for format in ["--raw", "-ftext", "-ffrontmatter"] {
        assert_eq!(lab.run(&["capture", format, "--", "cat", "picture"]).ok().stdout, bytes, "{format}");
    }
    let refused = lab.run(&["bytes", "fd:1"]);
    assert_eq!(refused.code, 4);
    refused.says(&["hint: rread image fd:1"]);
}

#[test]
fn budgets_bound_what_is_shown_and_nothing_is_lost() {
    let lab = Lab::new();
    fs::write(lab.path("text"), "one\ntwo\nthree\nfour\n").unwrap();
    for (options, content, cut_by, next) in [
        (
            &["--max-lines", "2"][..],
            "one\ntwo\n",
            "max_lines",
            json!({"command": "bytes", "range": "8:+4000"}),
        ),
        (
            &["--max-bytes", "9", "--page-size", "100"],
            "one\ntwo\n",
            "max_bytes",
            json!({"command": "bytes", "range": "8:+100"}),
        ),
        (&["--max-columns", "3"], "one\ntwo\nthr\nfou\n", "max_columns", json!(null)),
    ] {
        let args = [&["capture", "--json"], options, &["--", "cat", "text"]].concat();
        let answer = lab.run(&args).ok().json();
        let metadata = &answer["metadata"];
        assert_eq!(
            (&answer["content"], &metadata["cut_by"], &metadata["next"]),
            (&json!(content), &json!(cut_by), &next)
        );
        assert_eq!(
            (&metadata["truncated"], &metadata["content_bytes"]),
            (&json!(true), &json!(content.len()))
        );
        assert_eq!(lab.bytes(metadata["fd"].as_str().unwrap()), b"one\ntwo\nthree\nfour\n");
        if let Some(range) = next["range"].as_str() {
            let message = metadata["message"].as_str().unwrap();
            assert!(
                message.contains(&format!("rread bytes {} {range}", metadata["fd"].as_str().unwrap())),
                "{message}"
            );
        }
    }
    // What a budget has room for is printed as it is.
    let whole = lab.run(&[
        "capture",
        "--max-lines",
        "4",
        "--max-bytes",
        "19",
        "--max-columns",
        "5",
        "--",
        "cat",
        "text",
    ]);
    assert_eq!(whole.ok().text(), "one\ntwo\nthree\nfour\n");
    let receipt = lab.run(&["capture", "--metadata-only", "--json", "--", "cat", "text"]).ok().json();
    assert_eq!((receipt.get("content"), &receipt["metadata"]["kept"]), (None, &json!(true)));
    assert_eq!(lab.run(&["capture", "--metadata-only", "--raw", "--", "cat", "text"]).code, 125);
    assert_eq!(lab.run(&["capture", "--max-bytes", "3", "--", "cat", "text"]).code, 125);
}

#[test]
fn odd_text_is_kept_to_the_byte() {
    let lab = Lab::new();
    for text in
        [&b"\n"[..], b"no end", b"\xEF\xBB\xBFbom\r\n", b"caf\xE9 cut \xE6\xBC", b"bell \x07 \xC2\x9B\n"]
    {
        fs::write(lab.path("text"), text).unwrap();
        assert_eq!(lab.run(&["capture", "--", "cat", "text"]).ok().stdout, text);
        let metadata = lab.capture(&["--direct", "0"], "cat text");
        assert_eq!(lab.bytes(metadata["fd"].as_str().unwrap()), text);
        let lines = text.split_inclusive(|byte| *byte == b'\n').count();
        assert_eq!(metadata["total_lines"], lines, "{text:?}");
    }
}

#[test]
fn rread_waits_for_background_processes() {
    let lab = Lab::new();
    let run = lab.run(&["capture", "--", "sh", "-c", "(sleep 0.3; echo late) & echo early"]);
    assert_eq!(run.ok().text(), "early\nlate\n");
    let started = Instant::now();
    lab.run(&["capture", "--", "sh", "-c", "sleep 30 >/dev/null 2>&1 & echo early"]).ok();
    assert!(started.elapsed() < Duration::from_secs(20), "what has turned away is not waited for");
}

/// Waits until the command is on its way, and the program `id` looks after `signal` as well.
fn is_watching(lab: &Lab, id: u32, signal: rustix::process::Signal) {
    let bit = 1u64 << (signal.as_raw() - 1);
    loop {
        sleep(Duration::from_millis(5));
        let Ok(status) = fs::read_to_string(format!("/proc/{id}/status")) else {
            return sleep(Duration::from_millis(500));
        };
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap().trim();
        if lab.path("ready").exists() && u64::from_str_radix(caught, 16).unwrap() & bit != 0 {
            return;
        }
    }
}

#[test]
fn sigterm_is_forwarded_and_the_output_is_kept() {
    let lab = Lab::new();
    let line = "trap 'echo told; exit 5' TERM; seq 3000; touch ready; while :; do sleep 0.05; done";
    let child = lab.command(&["capture", "--json", "--", "sh", "-c", line]).spawn().unwrap();
    is_watching(&lab, child.id(), rustix::process::Signal::TERM);
    let id = rustix::process::Pid::from_raw(child.id().try_into().unwrap()).unwrap();
    rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    let run = Run::of(child.wait_with_output().unwrap());
    let metadata = run.json()["metadata"].clone();
    assert_eq!((run.code, run.stderr.as_str()), (5, ""));
    assert_eq!((&metadata["exit_status"], &metadata["total_lines"]), (&json!(5), &json!(3001)));
    assert!(lab.bytes("fd:1").ends_with(b"3000\ntold\n"));
}

#[test]
fn ctrl_c_ends_the_command_and_the_output_is_kept() {
    let lab = Lab::new();
    if !std::path::Path::new("/proc/self/task").exists() {
        return eprintln!("SKIPPED: no /proc here");
    }
    let line = "seq 3000; touch ready; exec sleep 60";
    let child = lab.command(&["capture", "--json", "--", "sh", "-c", line]).spawn().unwrap();
    is_watching(&lab, child.id(), rustix::process::Signal::INT);
    // As a terminal does: to both.
    let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", child.id())).unwrap();
    for id in
        children.split_whitespace().map(|id| id.parse().unwrap()).chain([child.id().try_into().unwrap()])
    {
        let id = rustix::process::Pid::from_raw(id).unwrap();
        rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    }
    let run = Run::of(child.wait_with_output().unwrap());
    let metadata = run.json()["metadata"].clone();
    assert_eq!((run.code, run.stderr.as_str()), (130, ""));
    assert_eq!((&metadata["signal"], &metadata["total_lines"]), (&json!("SIGINT"), &json!(3000)));
}

#[test]
fn a_reader_that_goes_away_changes_nothing() {
    let lab = Lab::new();
    let run = lab.shell("$RREAD capture --page-size 1M -- seq 200000 | head -n 1");
    assert_eq!(run.ok().text(), "---\n");
    assert_eq!(lab.bytes("fd:1"), seq(200_000).as_bytes());
}

#[test]
fn standard_input_reaches_the_command() {
    let lab = Lab::new();
    let mut command = lab.command(&["capture", "--", "sort", "-r"]);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"a\nb\n").unwrap();
    assert_eq!(Run::of(child.wait_with_output().unwrap()).ok().text(), "b\na\n");
}
