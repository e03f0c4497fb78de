//! `list`, `save` and `drop`.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::json;

use super::support::{Lab, Run, is_root, mode, seq, set_mode};

fn lab() -> Lab {
    let lab = Lab::new();
    lab.capture(&["--direct", "0", "--name", "first"], "printf 'one\\ntwo\\nä😀'");
    lab.capture(&[], "seq 3000; exit 1");
    lab
}

const FIRST: &str = "one\ntwo\nä😀";

#[track_caller]
fn read(lab: &Lab, name: &str) -> String {
    fs::read_to_string(lab.path(name)).unwrap()
}

#[test]
fn a_list_has_all_captures() {
    let lab = lab();
    let list = lab.run(&["capture", "list", "--json"]).ok().json();
    let first = &list["captures"][0];
    assert_eq!((&first["fd"], &first["name"]), (&json!("fd:1"), &json!("first")));
    assert_eq!((&first["total"], &first["total_lines"]), (&json!(FIRST.len()), &json!(3)));
    assert!(first["captured"].as_str().unwrap() > "2020");
    assert_eq!(list["captures"][1]["exit_status"], 1);
    let text = lab.run(&["capture", "list"]).ok().text();
    assert!(
        text.contains("---\nfd: fd:2\ncommand: sh -c 'seq 3000; exit 1'\nexit_status: 1\ntotal: 13893\n"),
        "{text}"
    );
    let xml = lab.run(&["capture", "list", "--xml"]).ok().text();
    assert!(xml.starts_with("<captures>\n<capture fd=\"fd:1\" name=\"first\""), "{xml}");
    let empty = Lab::new().run(&["capture", "list", "--json"]).ok().json();
    assert_eq!(empty, json!({"captures": []}));
}

#[test]
fn a_new_file_has_the_bytes_and_ordinary_permissions() {
    let lab = lab();
    let run = lab.shell("umask 022; $RREAD capture save fd:first a/b/new.txt --json");
    let facts = run.ok().json();
    let expected = json!({"fd": "fd:1", "path": "a/b/new.txt", "saved": "created", "created": "a", "bytes": FIRST.len(), "chars": 10});
    assert_eq!(facts, expected);
    assert_eq!(read(&lab, "a/b/new.txt"), FIRST);
    assert_eq!((mode(&lab.path("a/b/new.txt")), mode(&lab.path("a/b"))), (0o644, 0o755));
    assert_eq!(fs::read_dir(lab.path("a/b")).unwrap().count(), 1, "nothing else is left there");
}

#[test]
fn an_existing_file_is_unchanged_without_force_or_append() {
    let lab = lab();
    fs::write(lab.path("old"), "old\n").unwrap();
    set_mode(&lab.path("old"), 0o640);
    let refused = lab.run(&["capture", "save", "fd:1", "old"]);
    refused.refused(8, &["rread: old: already exists", "--force replaces it"]);
    assert_eq!(read(&lab, "old"), "old\n");
    let appended = lab.run(&["capture", "save", "fd:1", "old", "--append", "--json"]).ok().json();
    assert_eq!((&appended["saved"], &appended["bytes"]), (&json!("appended"), &json!(FIRST.len())));
    assert_eq!(read(&lab, "old"), format!("old\n{FIRST}"));
    let replaced = lab.run(&["capture", "save", "fd:2", "old", "--force", "--json"]).ok().json();
    assert_eq!((&replaced["saved"], &replaced["chars"]), (&json!("replaced"), &json!(13893)));
    assert_eq!((read(&lab, "old"), mode(&lab.path("old"))), (seq(3000), 0o640));
}

#[test]
fn directories_that_a_save_makes_are_reported_in_every_format() {
    let lab = lab();
    for (format, words) in [
        ("-ffrontmatter", "\ncreated: typo-ffrontmatter\n"),
        ("--json", "\"created\":\"typo--json\""),
        ("--xml", " created=\"typo--xml\""),
        ("--raw", "created: typo--raw\n"),
        ("-ftext", "created: typo-ftext\n"),
    ] {
        let path = format!("typo{format}/deep/er/x");
        let text = lab.run(&["capture", "save", "fd:1", &path, format]).ok().text();
        assert!(text.contains(words), "{text}");
        // Only what was missing is said.
        let beside = lab.run(&["capture", "save", "fd:1", &format!("typo{format}/deep/y"), format]).ok();
        assert!(
            !beside.text().contains("created: ") && !beside.text().contains("created\":"),
            "{}",
            beside.text()
        );
    }
    let absolute = lab.path("abs/x");
    let facts = lab.run(&["capture", "save", "fd:1", absolute.to_str().unwrap(), "--json"]).ok().json();
    assert_eq!(facts["created"], lab.path("abs").to_str().unwrap());
    let plain = lab.run(&["capture", "save", "fd:1", "here", "--json"]).ok().json();
    assert_eq!(plain.get("created"), None);
}

#[test]
fn a_save_that_fails_leaves_no_directory_that_it_made() {
    let lab = lab();
    let long = format!("made/for/{}", "x".repeat(300));
    lab.run(&["capture", "save", "fd:1", &long]).refused(8, &["File name too long"]);
    assert!(!lab.path("made").exists());
}

#[test]
fn only_one_of_many_concurrent_saves_makes_the_file() {
    let lab = lab();
    let spawn = |_| lab.command(&["capture", "save", "fd:2", "new"]).spawn().unwrap();
    let children: Vec<_> = (0..20).map(spawn).collect();
    let runs = children.into_iter().map(|child| Run::of(child.wait_with_output().unwrap()));
    assert_eq!(runs.filter(|run| run.code == 0).count(), 1);
    assert_eq!(read(&lab, "new"), seq(3000));
}

#[test]
fn no_create_writes_to_existing_files_only() {
    let lab = lab();
    for how in ["--append", "--force"] {
        lab.run(&["capture", "save", "fd:1", "new", how, "--no-create"]).refused(8, &["new: does not exist"]);
        assert!(!lab.path("new").exists());
        lab.run(&["capture", "save", "fd:1", &format!("by{how}"), how]).ok();
        assert_eq!(read(&lab, &format!("by{how}")), FIRST);
        lab.run(&["capture", "save", "fd:1", &format!("by{how}"), how, "--no-create"]).ok();
    }
    lab.run(&["capture", "save", "fd:1", "new", "--no-create"]).refused(2, &["--no-create --append"]);
    lab.run(&["capture", "save", "fd:1", "new", "--append", "--force"]).refused(2, &["cannot be used with"]);
}

#[test]
fn only_links_to_files_are_followed() {
    let lab = lab();
    fs::write(lab.path("real"), "old\n").unwrap();
    symlink("real", lab.path("link")).unwrap();
    symlink("nowhere", lab.path("dangling")).unwrap();
    symlink("loop", lab.path("loop")).unwrap();
    for how in [&[][..], &["--force"], &["--append"]] {
        let save = |path| lab.run(&[&["capture", "save", "fd:1", path], how].concat());
        save("dangling").refused(8, &["rread: dangling: broken link to 'nowhere'"]);
        save("loop").refused(8, &["rread: loop: "]);
        save(".").refused(8, &["is a directory"]);
        save("/dev/null").refused(8, &["is not a regular file"]);
        save("real/below").refused(8, &["rread: real/below: "]);
        save("new/").refused(8, &["is the name of a directory"]);
        save("").refused(8, &["an empty name"]);
    }
    assert!(!lab.path("nowhere").exists() && !lab.path("new").exists());
    lab.run(&["capture", "save", "fd:1", "link", "--force"]).ok();
    assert_eq!(read(&lab, "real"), FIRST);
    assert!(lab.path("link").is_symlink());
}

#[test]
fn a_save_that_fails_leaves_the_old_file_as_it_was() {
    let lab = lab();
    fs::create_dir(lab.path("closed")).unwrap();
    fs::write(lab.path("closed/old"), "old\n").unwrap();
    set_mode(&lab.path("closed"), 0o555);
    let mut program = env!("CARGO_BIN_EXE_rread").into();
    let mut prefix: Vec<&str> = Vec::new();
    if is_root() {
        // Permissions keep root from nothing, so somebody else asks, who owns it all.
        program = lab.path("rread");
        fs::copy(env!("CARGO_BIN_EXE_rread"), &program).unwrap();
        let all = lab.shell("chown -R 65534:65534 . && chmod 755 .");
        assert_eq!(all.code, 0, "{}", all.stderr);
        prefix = vec!["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    }
    let program = program.to_str().unwrap().to_owned();
    for (path, how) in
        [("closed/new", "--append"), ("closed/old", "--force"), ("closed/below/new", "--force")]
    {
        let words = [&prefix[..], &[&program, "capture", "save", "fd:2", path, how]].concat();
        let mut command = lab.program(words[0]);
        let Ok(output) = command.args(&words[1..]).output() else {
            return eprintln!("SKIPPED: setpriv is missing");
        };
        Run::of(output).refused(8, &[&format!("rread: {path}: cannot be written: Permission denied")]);
    }
    set_mode(&lab.path("closed"), 0o755);
    assert_eq!(read(&lab, "closed/old"), "old\n");
    assert_eq!(fs::read_dir(lab.path("closed")).unwrap().count(), 1);
}

#[test]
fn dropped_captures_are_gone_and_the_rest_stays() {
    let lab = lab();
    lab.capture(&["--direct", "0"], "echo third");
    lab.run(&["capture", "drop"]).refused(2, &["HANDLE"]);
    lab.run(&["capture", "drop", "fd:1", "fd:9"])
        .refused(3, &["fd:9: there is no such capture: this session has fd:1 (first), fd:2, fd:3"]);
    lab.run(&["capture", "drop", "file"]).refused(2, &["'file' is not a handle"]);
    assert_eq!(lab.handles(), ["fd:1", "fd:2", "fd:3"], "nothing goes where one is missing");
    let dropped = lab.run(&["capture", "drop", "fd:first", "fd:1", "--json"]).ok().json();
    assert_eq!(dropped, json!({"dropped": ["fd:1"], "freed_bytes": FIRST.len()}));
    assert_eq!(
        lab.run(&["capture", "drop", "--older-than", "1h", "--json"]).ok().json()["dropped"],
        json!([])
    );
    assert_eq!(lab.handles(), ["fd:2", "fd:3"]);
    let record = lab.path("state/session/2/record.json");
    let old = fs::read_to_string(&record).unwrap().replace("\"taken\":", "\"taken\":1000000000,\"was\":");
    fs::write(&record, old).unwrap();
    assert_eq!(
        lab.run(&["capture", "drop", "--older-than", "7d", "--json"]).ok().json()["dropped"],
        json!(["fd:2"])
    );
    lab.run_in("other", &["capture", "drop", "--all"]).ok();
    assert_eq!(lab.handles(), ["fd:3"]);
    lab.run(&["capture", "drop", "--all"]).ok();
    assert_eq!(lab.kept(), ["session", "session/last"]);
}
