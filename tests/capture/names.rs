//! A name belongs to the newest capture that requested it.

use std::fs;

use serde_json::json;

use super::support::{Lab, Run, seq};

#[test]
fn a_name_belongs_to_the_newest_capture_of_any_size() {
    let lab = Lab::new();
    lab.shell("yes OLD | head -n 5000 | $RREAD capture --name x >/dev/null").ok();
    assert_eq!(lab.shell("echo NEW | $RREAD capture --name x").ok().text(), "NEW\n");
    assert_eq!(lab.run(&["lines", "fd:x", "1", "--raw"]).ok().text(), "NEW\n");
    assert_eq!(lab.run(&["lines", "fd:1", "1", "--raw"]).ok().text(), "OLD\n", "the number stays");
    assert_eq!(lab.run(&["capture", "--name", "x", "--", "true"]).ok().text(), "");
    assert_eq!(lab.bytes("fd:x"), b"", "empty output is the newest too");
    lab.run(&["capture", "--name", "x", "--raw", "--", "sh", "-c", "echo FAILED; exit 4"]);
    assert_eq!(lab.bytes("fd:x"), b"FAILED\n");
    lab.run(&["capture", "--name", "x", "--raw", "--", "sh", "-c", "echo KILLED; kill -9 $$"]);
    assert_eq!(lab.bytes("fd:x"), b"KILLED\n");
    let list = lab.run(&["capture", "list", "--json"]).ok().json();
    let names: Vec<_> = list["captures"].as_array().unwrap().iter().map(|one| one.get("name")).collect();
    assert_eq!(names, [None, None, None, None, Some(&json!("x"))]);
}

#[test]
fn short_output_with_a_name_is_printed_as_it_is_in_every_format() {
    let lab = Lab::new();
    for format in ["--raw", "-ftext", "-ffrontmatter"] {
        assert_eq!(lab.run(&["capture", "--name", "x", format, "--", "seq", "3"]).ok().text(), "1\n2\n3\n");
    }
    let answer = lab.run(&["capture", "--name", "x", "--json", "--", "seq", "1500"]).ok().json();
    let metadata = &answer["metadata"];
    assert_eq!(answer["content"], seq(1500), "more than a page, and less than is printed");
    assert_eq!((&metadata["kept"], &metadata["fd"]), (&json!(true), &json!("fd:4")));
    assert_eq!((&metadata["truncated"], metadata.get("next")), (&json!(false), None));
    assert_eq!((&metadata["pages"], &metadata["total_lines"]), (&json!(2), &json!(1500)));
    assert!(metadata["message"].as_str().unwrap().ends_with("This is all of it; again: rread lines fd:4"));
    let stat = lab.run(&["stat", "fd:x", "--json"]).ok().json();
    assert_eq!(stat["version"], metadata["version"]);
    let xml = lab.run(&["capture", "--name", "x", "--xml", "--", "seq", "2"]).ok().text();
    assert!(xml.starts_with("<fd_result fd=\"fd:5\" name=\"x\""), "{xml}");
    assert!(xml.ends_with("<preview>1\n2\n</preview>\n</fd_result>\n"), "{xml}");
    assert!(!xml.contains("truncated"), "{xml}");
}

#[test]
fn a_capture_that_fails_takes_the_name_away() {
    let lab = Lab::new();
    let old = || drop(lab.run(&["capture", "--name", "x", "--", "echo", "OLD"]).ok());
    old();
    lab.run(&["capture", "--name", "x", "--", "./missing"]).refused(127, &["cannot be started"]);
    lab.run(&["bytes", "fd:x"]).refused(3, &["fd:x: there is no such capture: this session has fd:1"]);
    assert_eq!(lab.bytes("fd:1"), b"OLD\n");
    // A command line that is refused asks for nothing.
    old();
    lab.run(&["capture", "--name", "x", "--page-size", "1", "--", "echo"]).refused(125, &["too small"]);
    assert_eq!(lab.bytes("fd:x"), b"OLD\n");
}

#[test]
fn a_name_does_not_fall_back_to_older_output() {
    let lab = Lab::new();
    for text in ["one", "two"] {
        lab.run(&["capture", "--name", "x", "--", "echo", text]).ok();
    }
    lab.run(&["capture", "drop", "fd:x"]).ok();
    lab.run(&["bytes", "fd:x"]).refused(3, &["there is no such capture: this session has fd:1"]);
    // A name of another session is another name.
    lab.run_in("other", &["capture", "--name", "x", "--", "echo", "other"]).ok();
    lab.run(&["bytes", "fd:x"]).refused(3, &["there is no such capture"]);
}

#[test]
fn the_older_output_keeps_its_name_until_the_newer_is_complete() {
    let lab = Lab::new();
    lab.run(&["capture", "--name", "x", "--", "echo", "one"]).ok();
    lab.shell("{ $RREAD lines fd:x --raw; echo two; } | $RREAD capture --name x").ok();
    assert_eq!(lab.bytes("fd:x"), b"one\ntwo\n");
}

#[test]
fn only_one_of_many_concurrent_captures_has_the_name() {
    let lab = Lab::new();
    let spawn = |n: u32| {
        lab.command(&["capture", "--json", "--name", "x", "--", "echo", &n.to_string()]).spawn().unwrap()
    };
    let children: Vec<_> = (1..=12).map(spawn).collect();
    let mut newest = (0, String::new());
    for child in children {
        let answer = Run::of(child.wait_with_output().unwrap()).ok().json();
        let number = answer["metadata"]["fd"].as_str().unwrap()[3..].parse::<u32>().unwrap();
        newest = newest.max((number, answer["content"].as_str().unwrap().to_owned()));
    }
    assert_eq!(lab.bytes("fd:x"), newest.1.as_bytes());
    let list = lab.run(&["capture", "list", "--json"]).ok().json();
    let named = list["captures"].as_array().unwrap().iter().filter(|one| one.get("name").is_some());
    assert_eq!(named.map(|one| one["fd"].clone()).collect::<Vec<_>>(), [format!("fd:{}", newest.0)]);
    let left = lab.kept().into_iter().filter(|name| name.contains("tmp") || name.contains(".new"));
    assert_eq!(left.collect::<Vec<_>>(), [""; 0]);
    // What another program has put there is not written to.
    fs::write(lab.path("victim"), "secret").unwrap();
    let record = lab.path(&format!("state/session/{}/record.json", newest.0));
    fs::remove_file(&record).unwrap();
    std::os::unix::fs::symlink(lab.path("victim"), &record).unwrap();
    lab.run(&["capture", "--name", "x", "--", "echo", "last"]).ok();
    assert_eq!(fs::read(lab.path("victim")).unwrap(), b"secret");
}

#[test]
fn reads_of_a_capture_know_its_number_of_lines() {
    let lab = Lab::new();
    // More than is counted for a receipt of its own.
    lab.run(&["capture", "--name", "x", "--", "seq", "400000"]).ok();
    for args in [
        &["lines", "fd:1", "5"][..],
        &["lines", "fd:x:2"],
        &["page", "fd:1"],
        &["bytes", "fd:1", "0:9"],
        &["ranges", "fd:1", "3"],
    ] {
        let metadata = lab.run(&[args, &["--json"]].concat()).ok().json()["metadata"].clone();
        assert_eq!(metadata["total_lines"], 400_000, "{args:?}");
    }
    assert_eq!(lab.run(&["stat", "fd:1", "--json"]).ok().json()["lines"], 400_000);
    // Two bytes of one character are not newlines: what the capture counted must not be used.
    fs::write(lab.path("wide"), b"\xFF\xFE\x0A\x0A\x0A\0").unwrap();
    lab.run(&["capture", "--name", "wide", "--raw", "--", "cat", "wide"]).ok();
    for command in ["page", "lines"] {
        let wide = lab.run(&[command, "fd:wide", "--json"]).ok().json();
        assert_eq!(wide["metadata"]["total_lines"], 1, "{command}");
    }
}
