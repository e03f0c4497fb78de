//! `--mark-streams`: every line says which stream it came from.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use serde_json::json;

use super::support::Lab;

fn marked(lab: &Lab, line: &str) -> String {
    lab.run(&["capture", "--mark-streams", "--always-zero", "--raw", "--", "sh", "-c", line]).text()
}

/// Runs `line` with a longer pause in place of PAUSE each time until it is `right`: on a busy machine, what was written
/// before a short one may not have been read when it ends.
fn with_pauses<T: std::fmt::Debug>(line: &str, run: impl Fn(&str) -> T, right: impl Fn(&T) -> bool) {
    let mut got = run(&line.replace("PAUSE", "sleep 0.2"));
    for pause in ["sleep 1", "sleep 4"] {
        if right(&got) {
            return;
        }
        got = run(&line.replace("PAUSE", pause));
    }
    assert!(right(&got), "{line}: {got:?}");
}

fn shows(lab: &Lab, line: &str, expected: &str) {
    with_pauses(line, |line| marked(lab, line), |got| got == expected);
}

#[test]
fn lines_are_in_the_order_of_arrival() {
    let line = "for i in 1 2 3; do echo out $i; PAUSE; echo err $i >&2; PAUSE; done";
    let expected: String = (1..=3).map(|i| format!("out| out {i}\nerr| err {i}\n")).collect();
    shows(&Lab::new(), line, &expected);
}

#[test]
fn half_lines_wait_for_their_end() {
    let lab = Lab::new();
    let line = "printf a; PAUSE; printf x >&2; PAUSE; echo b; PAUSE; printf 'y\\n\\nz' >&2";
    shows(&lab, line, "out| ab\nerr| xy\nerr| \nerr| z");
    // The end of a stream ends its line.
    shows(&lab, "printf a; exec >&-; PAUSE; echo b >&2", "out| a\nerr| b\n");
    assert_eq!(marked(&lab, "true"), "");
}

#[test]
fn a_line_without_end_takes_constant_memory_and_may_be_cut() {
    let line =
        "head -c 100000 /dev/zero | tr '\\0' x; PAUSE; echo e >&2; PAUSE; echo y; PAUSE; echo half >&2";
    let run = |line: &str| {
        let lab = Lab::new();
        let metadata = lab.capture(&["--mark-streams"], line);
        let text = String::from_utf8(lab.bytes("fd:1")).unwrap();
        let lines: Vec<String> = text.lines().map(|line| line.replace(&"x".repeat(100_000), "X")).collect();
        assert_eq!(metadata["total_lines"], lines.len());
        lines
    };
    with_pauses(line, run, |lines| lines[..] == ["out| X", "err| e", "out| y", "err| half"]);
}

#[test]
fn both_streams_are_complete_in_a_flood() {
    let lab = Lab::new();
    let line = "seq 1 2 400000 & seq 2 2 400000 >&2; wait";
    let metadata = lab.capture(&["--mark-streams"], line);
    assert_eq!(
        (&metadata["total_lines"], &metadata["notices"]),
        (&json!(400_000), &json!(["streams_marked"]))
    );
    let text = String::from_utf8(lab.bytes("fd:1")).unwrap();
    let of = |mark: &str| -> VecDeque<u64> {
        text.lines().filter_map(|line| line.strip_prefix(mark)?.parse().ok()).collect()
    };
    assert!(of("out| ").into_iter().eq((1..400_000).step_by(2)));
    assert!(of("err| ").into_iter().eq((2..=400_000).step_by(2)));
    let listed = lab.run(&["capture", "list", "--json"]).ok().json();
    assert_eq!(listed["captures"][0]["notices"], json!(["streams_marked"]));
    assert_eq!(lab.run(&["search", "-c", "^err", "fd:1", "--raw"]).ok().text().trim(), "200000");
}

#[test]
fn exit_codes_signals_and_background_processes_are_as_without() {
    let lab = Lab::new();
    let run = |line: &str| lab.run(&["capture", "--mark-streams", "--", "sh", "-c", line]);
    let failed = run("echo a; echo b >&2; exit 3");
    assert_eq!((failed.code, failed.text().lines().count()), (3, 2));
    assert_eq!(run("kill -9 $$").code, 137);
    assert_eq!(run("(sleep 0.3; echo late >&2) & echo early").ok().text(), "out| early\nerr| late\n");
    let started = Instant::now();
    run("sleep 30 >/dev/null 2>&1 & echo early").ok();
    assert!(started.elapsed() < Duration::from_secs(20));
    let failed = lab.capture(&["--mark-streams", "--page-size", "100"], "seq 2000; echo end >&2; exit 1");
    assert_eq!((&failed["exit_status"], &failed["last_page"]["end_line"]), (&json!(1), &json!(2001)));
    lab.run(&["capture", "--mark-streams", "--", "./missing"]).refused(127, &["cannot be started"]);
}

#[test]
fn progress_goes_and_marks_stay() {
    let lab = Lab::new();
    assert_eq!(
        marked(&lab, "printf '10%%\\r20%%\\r\\033[1mdone\\n\\rx\\b\\b\\bz\\n'"),
        "out| done\nout| z\n"
    );
    let metadata = lab.capture(&["--mark-streams"], "printf '1%%\\r2%%\\n'");
    assert_eq!(metadata["notices"], json!(["escapes_removed", "streams_marked"]));
}

#[test]
fn one_stream_is_not_marked() {
    let lab = Lab::new();
    let both = lab.run(&["capture", "--mark-streams", "--stdout-only", "--", "true"]);
    both.refused(125, &["--stdout-only", "hint: rread capture --mark-streams"]);
    lab.shell("echo | $RREAD capture --mark-streams").refused(2, &["needs a CMD", "hint: "]);
}
