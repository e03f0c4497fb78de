//! Sessions, unique numbers, and state directories that are not trusted.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use super::support::{Lab, Run, is_root, mode, seq, set_mode};

const KEEP: [&str; 6] = ["capture", "--direct", "0", "--", "seq", "10"];

#[test]
fn another_sessions_handles_are_not_found() {
    let lab = Lab::new();
    let names = ["", "one", "ONE", "..", "../../etc", "a/b", "a%2fb", ".", "two words", "ü"];
    for name in names {
        lab.run_in(name, &["capture", "--direct", "0", "--", "echo", &format!("<{name}>")]).ok();
    }
    for name in names {
        let text = lab.run_in(name, &["bytes", "fd:1", "--raw"]).ok().text();
        assert_eq!(text, format!("<{name}>\n"));
        lab.run_in(name, &["bytes", "fd:2"])
            .refused(3, &["fd:2: there is no such capture: this session has fd:1"]);
    }
    let run = lab.run_in("nobody", &["bytes", "fd:1"]);
    run.refused(
        3,
        &["rread: fd:1: there is no such capture: this session has none", "hint: rread capture list"],
    );
    let sessions = fs::read_dir(lab.state()).unwrap().count();
    assert_eq!(sessions, names.len(), "nothing is anywhere else");
    let outside = fs::read_dir(lab.path(".")).unwrap().count();
    assert_eq!(outside, 1, "nothing but the state directory");
}

#[test]
fn an_unknown_handle_is_an_error_in_every_format() {
    let lab = Lab::new();
    lab.run(&["capture", "--name", "build", "--direct", "0", "--", "seq", "10"]).ok();
    lab.run(&KEEP).ok();
    let there = "there is no such capture: this session has fd:1 (build), fd:2";
    lab.run(&["lines", "fd:5:1-3"]).refused(3, &[&format!("rread: fd:5: {there}\n")]);
    lab.run(&["stat", "fd:test"]).refused(3, &[&format!("rread: fd:test: {there}\n")]);
    let json = lab.run(&["page", "fd:5", "--json"]);
    json.refused(3, &[r#""kind":"not_found""#, r#""path":"fd:5""#, r#""hint":"rread capture list""#]);
    let xml = lab.run(&["page", "fd:5", "--xml"]);
    xml.refused(
        3,
        &[r#"<fd_error type="not_found" fd="fd:5" hint="rread capture list">there is"#, "</fd_error>\n"],
    );
    let file = lab.run(&["page", "missing", "--xml"]);
    file.refused(3, &["rread: missing: cannot open"]);
}

#[test]
fn numbers_are_not_reused() {
    let lab = Lab::new();
    for _ in 0..3 {
        lab.run(&KEEP).ok();
    }
    lab.run(&["capture", "drop", "--all"]).ok();
    lab.run(&KEEP).ok();
    assert_eq!(lab.handles(), ["fd:4"]);
    lab.run(&["bytes", "fd:2"]).refused(3, &["this capture was removed: this session has fd:4"]);
    // Without the file of the last number, the existing captures decide.
    for rubbish in ["", "many", "0", "\u{0}\u{0}", "18446744073709551615\n"] {
        fs::write(lab.path("state/session/last"), rubbish).unwrap();
        lab.run(&KEEP).ok();
    }
    assert_eq!(lab.handles(), ["fd:4", "fd:5", "fd:6", "fd:7", "fd:8", "fd:9"]);
}

#[test]
fn twenty_concurrent_captures_have_twenty_numbers() {
    let lab = Lab::new();
    let spawn =
        |n: u32| lab.command(&["capture", "--json", "--", "seq", &n.to_string(), "5000"]).spawn().unwrap();
    let children: Vec<_> = (1..=20).map(spawn).collect();
    let mut numbers = BTreeSet::new();
    for (child, n) in children.into_iter().zip(1..) {
        let metadata = Run::of(child.wait_with_output().unwrap()).ok().json()["metadata"].clone();
        let fd = metadata["fd"].as_str().unwrap().to_owned();
        let first = lab.run(&["lines", &fd, "1", "--raw"]).ok().text();
        assert_eq!(first, format!("{n}\n"));
        assert!(numbers.insert(fd));
    }
    let expected: BTreeSet<String> = (1..=20).map(|n| format!("fd:{n}")).collect();
    assert_eq!(numbers, expected);
}

#[test]
fn a_killed_capture_is_removed_by_the_next() {
    let lab = Lab::new();
    let mut child =
        lab.command(&["capture", "--", "sh", "-c", "seq 3000; touch ready; sleep 20 >&-"]).spawn().unwrap();
    while !lab.path("ready").exists() {
        sleep(Duration::from_millis(5));
    }
    let unfinished = |lab: &Lab| lab.kept().iter().filter(|name| name.contains(".new-")).count();
    assert_eq!(unfinished(&lab), 2);
    // A running capture is not removed.
    lab.run(&KEEP).ok();
    assert_eq!(unfinished(&lab), 2);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(lab.handles(), ["fd:1"]);
    lab.run(&KEEP).ok();
    assert_eq!(unfinished(&lab), 0);
    assert_eq!(lab.handles(), ["fd:1", "fd:2"]);
}

#[test]
fn sigterm_removes_an_unfinished_capture_of_standard_input() {
    let lab = Lab::new();
    let mut child = lab.command(&["capture"]).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(b"a line\n").unwrap();
    let unfinished = || lab.kept().into_iter().find(|name| name.ends_with("/output"));
    while unfinished().is_none_or(|name| fs::read(lab.state().join(name)).unwrap().is_empty()) {
        sleep(Duration::from_millis(5));
    }
    // The first SIGINT is for the writer of standard input.
    send(&lab, "-INT", &child);
    sleep(Duration::from_millis(50));
    assert!(child.try_wait().unwrap().is_none() && unfinished().is_some());
    send(&lab, "-TERM", &child);
    // Waiting would close its standard input, whose end would race with the signal.
    let _stdin = child.stdin.take();
    assert_eq!(child.wait().unwrap().signal(), Some(15));
    assert_eq!(unfinished(), None);
}

/// Starts a capture and waits until it has kept `line`; returns it with the lock that publishing waits for.
fn held_before_publishing(lab: &Lab, args: &[&str], line: &str) -> (std::process::Child, fs::File) {
    let mut child = lab.command(&[&["capture"], args].concat()).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(line.as_bytes()).unwrap();
    let is_kept = |name: &String| fs::read(lab.state().join(name)).is_ok_and(|kept| kept == line.as_bytes());
    wait_for(|| lab.kept().iter().any(is_kept));
    let last = fs::File::open(lab.state().join("session/last")).unwrap();
    last.lock().unwrap();
    (child, last)
}

fn wait_for(is_so: impl Fn() -> bool) {
    while !is_so() {
        sleep(Duration::from_millis(5));
    }
}

fn send(lab: &Lab, signal: &str, child: &std::process::Child) {
    // The program of this name is a package of its own; every shell has the command.
    let line = format!("kill {signal} {}", child.id());
    assert!(lab.program("sh").args(["-c", &line]).status().unwrap().success());
}

fn unfinished(lab: &Lab) -> Vec<String> {
    lab.kept().into_iter().filter(|name| name.contains(".new-")).collect()
}

#[test]
fn sigterm_before_publishing_leaves_nothing() {
    let lab = Lab::new();
    let (mut child, last) = held_before_publishing(&lab, &["--direct", "0"], "a line\n");
    drop(child.stdin.take());
    // The record is written last.
    wait_for(|| unfinished(&lab).iter().any(|name| name.ends_with("record.json")));
    send(&lab, "-TERM", &child);
    assert_eq!(child.wait().unwrap().signal(), Some(15));
    assert_eq!(unfinished(&lab), [""; 0]);
    // A command gets the signal instead, and its output is kept.
    drop(last);
    let (mut child, last) = held_before_publishing(&lab, &["--direct", "0", "--", "cat"], "a line\n");
    drop(child.stdin.take());
    wait_for(|| unfinished(&lab).iter().any(|name| name.ends_with("record.json")));
    send(&lab, "-TERM", &child);
    sleep(Duration::from_millis(50));
    drop(last);
    Run::of(child.wait_with_output().unwrap()).ok();
    assert_eq!((lab.handles(), unfinished(&lab)), (vec!["fd:1".to_owned()], vec![]));
}

#[test]
fn a_second_ctrl_c_leaves_nothing() {
    let lab = Lab::new();
    for args in [&[][..], &["--", "sh", "-c", "trap '' INT; cat"]] {
        let (mut child, _last) = held_before_publishing(&lab, args, "a line\n");
        send(&lab, "-INT", &child);
        sleep(Duration::from_millis(50));
        assert!(child.try_wait().unwrap().is_none() && !unfinished(&lab).is_empty());
        // Signals of the same kind that arrive together count as one.
        let status = loop {
            send(&lab, "-INT", &child);
            sleep(Duration::from_millis(20));
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
        };
        assert_eq!(status.code(), Some(130));
        assert_eq!(unfinished(&lab), [""; 0]);
    }
}

#[test]
fn rubbish_in_the_state_directory_is_not_a_capture() {
    let lab = Lab::new();
    lab.run(&KEEP).ok();
    let session = lab.path("state/session");
    for dir in ["2", "03", "0", "-1", "x", "4", "5", ".old-9-1", "18446744073709551616"] {
        fs::create_dir(session.join(dir)).unwrap();
    }
    fs::write(session.join("4/record.json"), "{}").unwrap();
    fs::write(session.join("4/output"), "rubbish").unwrap();
    fs::write(session.join("6"), "rubbish").unwrap();
    fs::copy(session.join("1/record.json"), session.join("5/record.json")).unwrap();
    symlink("1", session.join("7")).unwrap();
    symlink("/", session.join(".new-link")).unwrap();
    assert_eq!(lab.handles(), ["fd:1", "fd:5"]);
    lab.run(&["bytes", "fd:5"]).refused(3, &["rread: fd:5: cannot be opened"]);
    lab.run(&["bytes", "fd:7"]).refused(3, &["this capture was removed"]);
    lab.run(&KEEP).ok();
    assert_eq!(lab.handles(), ["fd:1", "fd:5", "fd:8"]);
    lab.run(&["capture", "drop", "--all"]).ok();
    assert_eq!(lab.handles(), [""; 0]);
    assert!(Path::new("/").join("tmp").exists() && session.join("6").exists());
}

#[test]
fn a_capture_with_bytes_missing_is_refused() {
    let lab = Lab::new();
    lab.run(&KEEP).ok();
    let output = lab.path("state/session/1/output");
    fs::write(&output, "1\n2\n").unwrap();
    lab.run(&["bytes", "fd:1"]).refused(3, &["fd:1: is damaged: 4 of its 21 bytes are left"]);
    fs::remove_file(&output).unwrap();
    fs::write(lab.path("victim"), "secret").unwrap();
    symlink(lab.path("victim"), &output).unwrap();
    let run = lab.run(&["bytes", "fd:1"]);
    run.refused(3, &["fd:1: cannot be opened"]);
    lab.run(&["capture", "drop", "fd:1"]).ok();
    assert_eq!(fs::read(lab.path("victim")).unwrap(), b"secret");
}

#[test]
fn only_this_user_can_read_captures() {
    let lab = Lab::new();
    lab.shell("umask 0; $RREAD capture --direct 0 -- echo x >/dev/null").ok();
    for dir in ["state", "state/session", "state/session/1"] {
        assert_eq!(mode(&lab.path(dir)), 0o700, "{dir}");
    }
    for file in ["last", "1/output", "1/record.json"] {
        assert_eq!(mode(&lab.path("state/session").join(file)), 0o600, "{file}");
    }
}

/// With an untrusted state directory, rread runs, writes and reads nothing.
#[track_caller]
fn is_refused(lab: &Lab) {
    let run = lab.run(&["capture", "--", "touch", "was-run"]);
    run.refused(125, &["cannot keep output here", "RREAD_STATE_DIR=DIR"]);
    lab.shell("echo x | $RREAD capture").refused(8, &["cannot keep output here"]);
    assert!(!lab.path("was-run").exists(), "the command was run");
}

#[test]
fn a_state_directory_open_to_others_is_refused() {
    let lab = Lab::new();
    lab.run(&KEEP).ok();
    for open in ["state", "state/session"] {
        for others in [0o777, 0o770, 0o1777] {
            set_mode(&lab.path(open), others);
            is_refused(&lab);
            assert_eq!(lab.run(&["bytes", "fd:1"]).code, 3, "{open}");
            assert_eq!(lab.run(&["capture", "list"]).code, 3, "{open}");
        }
        set_mode(&lab.path(open), 0o700);
    }
    lab.run(&["bytes", "fd:1"]).ok();
    if !is_root() {
        return eprintln!("SKIPPED: only root can give files away");
    }
    for given in ["state", "state/session"] {
        std::os::unix::fs::chown(lab.path(given), Some(65_534), None).unwrap();
        is_refused(&lab);
        assert_eq!(lab.run(&["bytes", "fd:1"]).code, 3, "{given}");
        std::os::unix::fs::chown(lab.path(given), Some(0), None).unwrap();
    }
}

#[test]
fn a_link_or_a_file_as_state_directory_is_refused() {
    let lab = Lab::new();
    fs::create_dir(lab.path("elsewhere")).unwrap();
    set_mode(&lab.path("elsewhere"), 0o700);
    symlink("elsewhere", lab.state()).unwrap();
    is_refused(&lab);
    assert_eq!(fs::read_dir(lab.path("elsewhere")).unwrap().count(), 0);
    fs::remove_file(lab.state()).unwrap();
    symlink("nowhere", lab.state()).unwrap();
    is_refused(&lab);
    fs::remove_file(lab.state()).unwrap();
    fs::write(lab.state(), "a file").unwrap();
    is_refused(&lab);
    assert_eq!(fs::read(lab.state()).unwrap(), b"a file");
}

#[test]
fn without_the_variable_the_default_directory_is_used() {
    let lab = Lab::new();
    if cfg!(target_os = "macos") {
        return eprintln!("SKIPPED: another place there");
    }
    for (xdg, place) in [("xdg", "xdg/rread"), ("", "home/.local/state/rread")] {
        let mut command = lab.command(&KEEP);
        let xdg = if xdg.is_empty() { "relative".into() } else { lab.path(xdg) };
        command.env_remove("RREAD_STATE_DIR").env("XDG_STATE_HOME", xdg).env("HOME", lab.path("home"));
        Run::of(command.output().unwrap()).ok();
        assert_eq!(fs::read(lab.path(place).join("session/1/output")).unwrap(), seq(10).as_bytes());
    }
    assert!(!lab.state().exists());
}
