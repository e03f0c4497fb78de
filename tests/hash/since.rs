//! `verify --since VERSION`: the hashes that an earlier read showed need not be typed back.

#[cfg(unix)]
use rread_testkit::sandbox::{AtHome, binary};
use rread_testkit::sandbox::{Sandbox, numbered};
use serde_json::Value;

fn version(sandbox: &Sandbox, line: &str) -> String {
    let receipt = sandbox.line(line).ok().json();
    let version = receipt["metadata"]["version"].as_str().or(receipt["version"].as_str());
    version.unwrap_or_else(|| panic!("{receipt}")).to_owned()
}

/// What a verify answers, but for its exit code and the words of the error.
fn answer(sandbox: &Sandbox, line: &str) -> Value {
    let run = sandbox.line(line);
    serde_json::from_slice(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run}"))
}

/// Anchors that are typed and lines that are named have the same answer, whatever shows the hashes.
#[test]
fn lines_of_a_version_are_compared_as_their_anchors_are() {
    for (shows, lines) in [
        ("lines f 110:120 --hash --json", "110:120"),
        ("lines f 100:130 --hash --hash-width 8 --json", "104,110:+11"),
        ("lines f 100:130 --hash --hash-style omp --json", "104,110:+11"),
        ("ranges f 112:114 100 --hash --json", "100,112:114"),
        ("ranges f b700:+100 --hash --json", "90:100"),
        ("page f 1 --page-size 1K --hash --json", "5:25"),
        ("search [05]$ f --hash --json", "5,10,15,20"),
    ] {
        let sandbox = Sandbox::with("f", numbered(400));
        let version = version(&sandbox, shows);
        let changed = numbered(400).replace("line 112\n", "").replace("line 104\n", "another\nline\n");
        sandbox.file("f", changed.replace("line 15\n", "changed\n"));
        let named = answer(&sandbox, &format!("verify f {lines} --since {version} --json"));
        assert_eq!(named["metadata"]["path"], "f", "{shows}: {named}");
        let width = if shows.contains("width") {
            " --hash-width 8"
        } else if shows.contains("omp") {
            " --hash-style omp"
        } else {
            ""
        };
        let anchors =
            Sandbox::with("f", numbered(400)).line(&format!("lines f {lines} --hash -f text{width}")).ok();
        sandbox.file("anchors", anchors.stdout);
        let typed = answer(&sandbox, "verify f --from anchors --json");
        assert_eq!(named, typed, "{shows}");
    }
}

#[test]
fn every_line_that_was_shown_is_compared_if_none_is_named() {
    let sandbox = Sandbox::with("f", numbered(50));
    let before = version(&sandbox, "lines f 1:10 --hash --json");
    sandbox.line("lines f 21:30 --hash -f text").ok();
    assert_eq!(answer(&sandbox, &format!("verify f --since {before} --json"))["metadata"]["checked"], 20);
    // What verify shows is not what was read: asked again, it answers the same.
    sandbox.file("f", numbered(50).replace("line 25\n", "new\n"));
    let first = answer(&sandbox, &format!("verify f 21: --since {before} --json"));
    assert_eq!(first["metadata"]["checked"], 10, "{first}");
    assert_eq!(answer(&sandbox, &format!("verify f 21: --since {before} --json")), first);
    assert_eq!(answer(&sandbox, "verify f 21: --since last --json"), first);
    let now = first["metadata"]["version"].as_str().unwrap();
    sandbox.line(&format!("verify f --since {now}")).refused(2);
}

#[test]
fn what_was_not_shown_has_a_sentence_and_a_command() {
    let sandbox = Sandbox::with("f", numbered(50));
    let version = version(&sandbox, "ranges f 5:9 20 --hash --json");
    for (line, said, hint) in [
        (
            format!("verify f 8:30 --since {version}"),
            "lines 10:19 were not shown with --hash in version",
            "5:9,20 --since",
        ),
        (format!("verify f 20,40 --since {version}"), "line 40 was not shown", "5:9,20 --since"),
        (format!("verify f 21: --since {version}"), "lines 21: were not shown", "5:9,20 --since"),
        (format!("verify f :-5 --since {version}"), "counts from the end", "110:120"),
        ("verify f 5 --since AAAAAAAAAAAAAAAA".to_owned(), &version, "lines f 1:20 --hash"),
    ] {
        let run = sandbox.line(&line).refused(2);
        assert!(run.stderr.contains(said) && run.stderr.contains(hint), "{line}: {}", run.stderr);
    }
    sandbox.line_env(&format!("verify f --since {version}"), &[("RREAD_INDEX", "off")]).refused(2);
    sandbox.line("index clear --all").ok();
    let gone = sandbox.line(&format!("verify f --since {version}")).refused(2);
    assert!(gone.stderr.contains("no hash of a line is kept"), "{}", gone.stderr);
}

#[test]
fn nothing_is_kept_of_too_many_lines_or_where_nothing_may_be() {
    let sandbox = Sandbox::with("f", numbered(66_000));
    let version = version(&sandbox, "stat f --json");
    let none = format!("verify f --since {version}");
    sandbox.line("lines f --hash -f text").ok();
    sandbox.line(&none).refused(2);
    sandbox.line_env("lines f 1:5 --hash -f text", &[("RREAD_INDEX", "ro")]).ok();
    sandbox.line(&none).refused(2);
    sandbox.line("lines f 5 -f text").ok();
    sandbox.line(&none).refused(2);
    sandbox.line("lines f 1:60000 --hash -f text").ok();
    sandbox.line(&none).ok();
}

#[test]
fn what_has_no_hashes_says_why() {
    let sandbox = Sandbox::with("f", numbered(5));
    for index in ["off", "ro"] {
        let run = sandbox.line_env("verify f --since last", &[("RREAD_INDEX", index)]).refused(2);
        // Read so, the lines have anchors, although nothing is kept.
        assert!(
            run.stderr.contains("RREAD_INDEX is off or ro") && run.stderr.contains("lines f 1:20 --hash"),
            "{run}"
        );
    }
    let missing = sandbox.line("verify missing --since last").refused(3);
    assert!(missing.stderr.contains("cannot open: No such file"), "{missing}");
    sandbox.line("verify . --since last").refused(3);
}

#[cfg(unix)]
#[test]
fn kept_hashes_are_private() {
    use std::os::unix::fs::MetadataExt;
    let sandbox = Sandbox::with("f", numbered(5));
    let mut command = std::process::Command::new("sh");
    let program = binary().display().to_string();
    command.args(["-c", &format!("umask 0; exec '{program}' lines f --hash -f text")]);
    command.current_dir(sandbox.path("")).at_home(&sandbox.home());
    assert!(command.output().unwrap().status.success());
    let dir = sandbox.home().join(".cache/rread/hashes");
    assert_eq!(dir.metadata().unwrap().mode() & 0o777, 0o700);
    for file in std::fs::read_dir(&dir).unwrap() {
        assert_eq!(file.unwrap().metadata().unwrap().mode() & 0o777, 0o600);
    }
}
