//! Answers about captures: kept and not, of every kind of content, cut, evicted, listed, saved and dropped.

use std::path::Path;

use serde_json::Value;

use super::all::outcomes;
use super::calls::{Outcome, rread, run, run_line};

/// What calls answer in two sessions, with room for little in the end.
pub fn sessions(folder: &Path) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    let mut call = |lines: &[&str]| outcomes.extend(lines.iter().map(|line| run_line(folder, line)));
    call(&[
        "capture list",
        "bytes fd:1",
        "big.log | capture --name build",
        "capture -- cat big.log",
        "capture --page-size 100 -- cat big.log",
        "capture --max-lines 3 -- cat big.log",
        "capture --max-columns 5 -- cat big.log",
        "capture --metadata-only -- cat wide.txt",
        "capture -- cat wide.txt",
        "capture --name short -- cat wide.txt",
        "capture --name none -- cat empty",
        "capture -- cat empty",
        "capture --direct 0 -- cat empty",
        "capture -- cat invalid.txt",
        "capture --direct 10 -- cat invalid.txt",
        "capture --direct 10 -- cat latin.txt",
        "capture --direct 0 -- cat utf16.txt",
        "capture --direct 0 -- cat bom.txt",
        "capture -- cat picture.png",
        "capture --direct 0 -- cat big.log.zst",
        "capture --limit 1K -- cat big.log",
        "capture -- cat missing.log",
        "capture list",
        "stat fd:1",
        "lines fd:build:7-9",
        "ranges fd:1 1 b0:4 fd:2:3",
        "page fd:1 2",
        "where fd:2 --line 9",
        "index build fd:1",
        "index show fd:1",
        "capture save fd:1 saved/new.log",
        "capture save fd:1 saved/new.log",
        "capture save fd:1 saved/new.log --force",
        "capture save fd:1 saved/new.log --append",
        "capture save fd:1 saved/other.log --append --no-create",
        "capture save fd:1 saved/other.log --no-create",
        "capture save picture.png saved/other.log",
        "capture save fd:99 saved/other.log",
        "capture drop",
        "capture drop fd:99",
        "capture drop fd:build fd:2 fd:2",
        "bytes fd:1",
        "capture drop --older-than 1h",
        "capture --name 7 -- true",
        "capture -- ./missing",
        "capture true",
        "capture --limit much",
    ]);
    let binary = run_line(folder, "capture list").answer.unwrap();
    let is_png = |capture: &&Value| capture["command"] == "cat picture.png";
    let fd = binary["captures"].as_array().unwrap().iter().find(is_png).unwrap()["fd"].as_str().unwrap();
    outcomes.push(run_line(folder, &format!("capture save {fd} saved/copy.png")));
    let mut special = |args: &[&str], vars: &[(&str, &str)]| {
        let mut command = rread(folder);
        command.args(args).env("RREAD_FORMAT", "json").envs(vars.iter().copied());
        outcomes.push(run(&format!("{vars:?} {args:?}"), command, b""));
    };
    special(&["capture", "--", "sh", "-c", "cat big.log; kill -9 $$"], &[]);
    special(&["capture", "--", "sh", "-c", "exit 3"], &[]);
    special(&["capture", "--brief", "--", "sh", "-c", "exit 3"], &[]);
    special(&["capture", "--brief", "--", "sh", "-c", "cat big.log; exit 3"], &[]);
    special(&["capture", "--brief", "--limit", "1K", "--", "cat", "big.log"], &[]);
    special(&["capture", "--brief", "--", "cat", "picture.png"], &[]);
    special(&["capture", "--max-bytes", "2000", "--", "sh", "-c", "cat big.log invalid.txt; exit 3"], &[]);
    special(
        &["capture", "--max-columns", "5", "--always-zero", "--", "sh", "-c", "cat big.log; exit 3"],
        &[],
    );
    special(&["capture", "list"], &[]);
    let other = ("RREAD_SESSION", "another");
    special(&["bytes", "fd:1"], &[other]);
    special(&["capture", "--", "cat", "big.log"], &[other]);
    special(&["capture", "--", "cat", "big.log"], &[other, ("RREAD_STATE_MAX", "1M")]);
    special(&["capture", "--", "cat", "big.log"], &[other, ("RREAD_STATE_MAX", "much")]);
    special(&["capture", "drop", "--all"], &[]);
    outcomes
}

#[test]
fn every_word_about_captures_is_seen_in_an_answer() {
    let metadata: Vec<&Value> =
        outcomes().iter().flat_map(Outcome::documents).map(|d| &d["metadata"]).collect();
    for key in ["name", "signal", "exit_status", "kept_to", "mime", "encoding", "compression"] {
        let seen =
            metadata.iter().any(|metadata| metadata.get("kept").is_some() && metadata.get(key).is_some());
        assert!(seen, "no capture has {key}");
    }
    for key in ["evicted", "evicted_elsewhere"] {
        assert!(metadata.iter().any(|metadata| metadata.get(key).is_some()), "no capture has {key}");
    }
}
