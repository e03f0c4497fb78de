//! An archive or a pattern of members as FILE: as if the archive were unpacked, each member under its own name.

use std::fs;

use predicates::str::contains;
use rread_testkit::sandbox::Sandbox;
use serde_json::{Value, json};

use super::packed::{COMMANDS, sh, tree};

/// The lines of an answer without the name of the archive or the directory, in the order of names.
fn lines_without(prefix: &str, text: &str) -> Vec<String> {
    let mut lines: Vec<String> =
        text.lines().map(|line| line.strip_prefix(prefix).unwrap_or(line).to_owned()).collect();
    lines.sort();
    lines
}

#[test]
fn a_search_finds_what_it_finds_in_the_unpacked_files() {
    let sandbox = tree();
    let options =
        ["-f text abc", "-f text -c [ab]c.*h", "-f text -l 1", "-f text -i AB -m 2", "-f text -vx a*"];
    let search = |option: &str, file: &str| {
        let words = option.split(' ').chain([file]);
        let run = sandbox.run(["search"].into_iter().chain(words));
        assert!(run.code < 2, "{run}");
        (run.code, lines_without(&format!("{file}/"), run.text()))
    };
    let expected: Vec<_> = options.iter().map(|option| search(option, "tree")).collect();
    for (address, _) in COMMANDS.iter().filter(|(_, command)| sh(&sandbox, command)) {
        let archive = &address[4..];
        for (option, expected) in options.iter().zip(&expected) {
            let (code, lines) = search(option, address);
            assert_eq!((code, &lines), (expected.0, &expected.1), "{option} {address}");
        }
        // Its name is enough, unless other bytes come before it.
        if archive != "before.zip" {
            let run = sandbox.run(["search", "-f", "text", "abc", archive]).ok();
            assert_eq!(lines_without(&format!("{address}/"), run.text()), expected[0].1, "{archive}");
        }
    }
}

/// A folder with the archives `a.tar.gz` and `a.zip` of four logs, a binary file and an empty one.
fn archives() -> Option<Sandbox> {
    let sandbox = Sandbox::new();
    for name in ["run.log", "var/run.log", "var/log/run.log", "var/log/other name.txt"] {
        fs::create_dir_all(sandbox.path("t").join(name).parent().unwrap()).unwrap();
        sandbox.file(&format!("t/{name}"), format!("one of {name}\nNEEDLE\nthree\n"));
    }
    sandbox.file("t/var/binary", [0, 1, 2, 3].repeat(500));
    sandbox.file("t/empty", "");
    let names = "run.log var/run.log var/log/run.log 'var/log/other name.txt' var/binary empty";
    sh(&sandbox, &format!("cd t && tar czf ../a.tar.gz {names} && zip -q ../a.zip {names}"))
        .then_some(sandbox)
}

#[test]
fn patterns_name_members() {
    let Some(sandbox) = archives() else { return };
    let all = ["run.log", "var/run.log", "var/log/run.log", "var/log/other name.txt"];
    for (pattern, expected) in [
        ("", &all[..]),
        ("/", &all),
        ("/**", &all),
        ("/**/run.log", &all[..3]),
        ("/*.log", &all[..1]),
        ("/*/*", &all[1..2]),
        ("/var", &all[1..]),
        ("/var/log/", &all[2..]),
        ("/var/{log,nothing}/*", &all[2..]),
        ("/var/log/[no]*", &all[3..]),
        ("/?un.log", &all[..1]),
    ] {
        for (prefix, archive) in [("tar:", "a.tar.gz"), ("zip:", "a.zip")] {
            let address = format!("{prefix}{archive}{pattern}");
            let found = sandbox.run(["search", "-l", "-f", "text", "NEEDLE", &address]).ok();
            let expected: String =
                expected.iter().map(|name| format!("{prefix}{archive}/{name}\n")).collect();
            assert_eq!(found.text(), expected, "{address}");
        }
    }
    for command in ["search x", "lines", "stat", "where --line 1", "stat --list"] {
        let words = command.split(' ').chain(["tar:a.tar.gz/nothing*"]);
        let run = sandbox.run(words);
        assert_eq!(run.code, 3, "{run}");
        run.says(contains("archive matches 'nothing*'"));
    }
}

#[test]
fn a_name_that_a_member_has_is_no_pattern() {
    let sandbox = Sandbox::new();
    for name in ["[x].log", "x.log", "a*b", "aab"] {
        sandbox.file(name, format!("NEEDLE in {name}\n"));
    }
    if !sh(&sandbox, "tar czf a.tar.gz '[x].log' x.log 'a*b' aab && zip -q a.zip '[x].log' x.log 'a*b' aab") {
        return;
    }
    for archive in ["tar:a.tar.gz", "zip:a.zip"] {
        for (name, content) in [
            ("[x].log", "NEEDLE in [x].log\n"),
            ("a*b", "NEEDLE in a*b\n"),
            ("\\[x\\].log", "NEEDLE in [x].log\n"),
            ("[xy].log", "NEEDLE in x.log\n"),
            ("a[a]b", "NEEDLE in aab\n"),
        ] {
            let run = sandbox.run(["lines", &format!("{archive}/{name}"), "--raw"]).ok();
            assert_eq!(run.text(), content, "{archive}/{name}");
        }
    }
}

#[test]
fn an_archive_is_read_member_by_member() {
    let Some(sandbox) = archives() else { return };
    for (prefix, archive) in [("tar:", "a.tar.gz"), ("zip:", "a.zip")] {
        let json = sandbox.run(["lines", archive, "1", "--json"]).ok().json();
        let segments = json["segments"].as_array().unwrap();
        let paths: Vec<&Value> = segments.iter().map(|segment| &segment["metadata"]["path"]).collect();
        // A lone line that an empty member does not have is an error of its own.
        let names = ["run.log", "var/run.log", "var/log/run.log", "var/log/other name.txt", "empty"];
        assert_eq!(json!(paths), json!(names.map(|name| format!("{prefix}{archive}/{name}"))), "{json}");
        // Each name can be given back.
        for segment in &segments[..4] {
            let path = segment["metadata"]["path"].as_str().unwrap();
            let lone = sandbox.run(["lines", path, "1", "--json"]).ok().json();
            assert_eq!(lone["content"], segment["content"], "{path}");
        }
        let pages = sandbox.run(["page", archive, "-f", "text"]).ok();
        assert!(pages.text().contains("one of var/log/run.log\nNEEDLE\n"), "{pages}");
        let stat =
            sandbox.run(["stat", &format!("{prefix}{archive}/**/*.log"), "--count", "--json"]).ok().json();
        let lines: Vec<&Value> =
            stat["files"].as_array().unwrap().iter().map(|file| &file["lines"]).collect();
        assert_eq!(json!(lines), json!([3, 3, 3]));
        let found =
            sandbox.run(["where", &format!("{prefix}{archive}/var/**"), "--line", "2", "--json"]).ok().json();
        let bytes: Vec<&Value> =
            found["files"].as_array().unwrap().iter().map(|file| &file["byte"]).collect();
        assert_eq!(json!(bytes), json!([19, 23, 30]));
    }
    // What is asked of the bytes of the archive is about them.
    sandbox.line("lines a.tar.gz --no-decompress").refused(4);
    sandbox.line("lines a.zip --text 1 --metadata-only").ok();
    assert_eq!(sandbox.line("bytes a.zip 0:2 --encode hex -f text").ok().text(), "504b");
}

#[test]
fn directories_have_archives_as_members_if_asked() {
    let Some(sandbox) = archives() else { return };
    sandbox.file("plain.log", "NEEDLE\n");
    fs::remove_dir_all(sandbox.path("t")).unwrap();
    assert_eq!(sandbox.line("search -c NEEDLE . -f text").ok().text(), "./plain.log:1\n");
    let found = sandbox.line("search -z -c NEEDLE . -f text").ok();
    let names = ["run.log", "var/run.log", "var/log/run.log", "var/log/other name.txt"];
    let of = |archive: &str| names.map(|name| format!("{archive}/{name}:1\n")).concat();
    let expected = format!("{}{}./plain.log:1\n", of("tar:./a.tar.gz"), of("zip:./a.zip"));
    assert_eq!(found.text(), expected);
    // On other threads too.
    fs::create_dir(sandbox.path("d")).unwrap();
    (0..40).for_each(|n| sandbox.file(&format!("d/{n}.txt"), "nothing\n"));
    assert_eq!(sandbox.line("search --search-zip -c NEEDLE . -f text").ok().text(), expected);
}

/// Following `next` of each member gives the lines that a budget left out.
#[test]
fn a_budget_is_for_all_members_and_next_names_one() {
    let sandbox = Sandbox::new();
    let text = |name: &str| (1..=50).map(|n| format!("NEEDLE {n} of {name}\n")).collect::<String>();
    ["a", "b", "c"].into_iter().for_each(|name| sandbox.file(name, text(name)));
    if !sh(&sandbox, "tar czf a.tar.gz a b c") {
        return;
    }
    let json = sandbox.line("search NEEDLE a.tar.gz --max-bytes 1500 --json").ok().json();
    let files = json["metadata"]["files"].as_array().unwrap();
    assert_eq!(files.len(), 3, "{json}");
    let mut shown: String =
        json["segments"].as_array().unwrap().iter().map(|part| part["content"].as_str().unwrap()).collect();
    assert!(shown.len() <= 1500, "{}", shown.len());
    for file in files {
        let Some(next) = file["next"].as_object() else { continue };
        let (path, range) = (file["path"].as_str().unwrap(), next["range"].as_str().unwrap());
        let rest = sandbox.run(["search", "NEEDLE", path, "--in", range, "--json"]).ok().json();
        rest["segments"]
            .as_array()
            .unwrap()
            .iter()
            .for_each(|part| shown += part["content"].as_str().unwrap());
    }
    // For people, it is the whole call.
    let document = sandbox.line("search NEEDLE a.tar.gz --max-bytes 1500").ok();
    assert!(document.text().contains("\nnext: \"search NEEDLE tar:a.tar.gz/c --in 1:\"\n"), "{document}");
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&shown), sorted(&["a", "b", "c"].map(text).concat()));
}

#[test]
fn members_that_cannot_be_read_do_not_end_a_search() {
    let Some(sandbox) = archives() else { return };
    let encrypted = "cd t && zip -q ../e.zip run.log && zip -qP pw ../e.zip var/run.log && zip -q ../e.zip var/log/run.log";
    if sh(&sandbox, encrypted) {
        let run = sandbox.line("search -c NEEDLE e.zip -f text").complained();
        assert_eq!(run.code, 3, "{run}");
        assert_eq!(run.text(), "zip:e.zip/run.log:1\nzip:e.zip/var/log/run.log:1\n");
        run.says(contains("zip:e.zip/var/run.log: is encrypted in the archive"));
        let run = sandbox.line("lines e.zip 2 -f text");
        assert_eq!(run.code, 3, "{run}");
        assert_eq!(run.text().matches("NEEDLE\n").count(), 2, "{run}");
    }
    // Text that compresses badly, so that the cut is in the last member.
    let noise: String =
        (0..9000u32).map(|n| format!("{:08x} NEEDLE\n", n.wrapping_mul(2_654_435_769))).collect();
    sandbox.file("first", "NEEDLE\n");
    sandbox.file("noise", noise);
    if sh(&sandbox, "tar czf n.tar.gz first noise && head -c 20000 n.tar.gz > cut.tar.gz") {
        let run = sandbox.line("search -c NEEDLE cut.tar.gz -f text");
        assert_eq!(run.code, 3, "{run}");
        assert!(run.text().starts_with("tar:cut.tar.gz/first:1\n"), "{run}");
        run.says(contains("damaged"));
        let salvaged = sandbox.line("search -c NEEDLE cut.tar.gz -f text --salvage");
        assert!(salvaged.text().starts_with("tar:cut.tar.gz/first:1\n"), "{salvaged}");
    }
}

#[test]
fn archives_without_text_say_so() {
    let sandbox = Sandbox::with("binary", [0, 1, 2, 3].repeat(500));
    if !sh(
        &sandbox,
        "zip -q b.zip binary && tar cf b.tar binary && cp b.zip none.zip && { zip -qd none.zip binary; true; }",
    ) {
        return;
    }
    for archive in ["b.zip", "b.tar"] {
        sandbox
            .line(&format!("lines {archive}"))
            .refused(4)
            .says(contains("the only file in the archive is binary"));
        let run = sandbox.line(&format!("search x {archive}")).complained();
        assert_eq!(
            (run.code, run.text()),
            (1, "---\nleft_out:\n  binary: 1\ncontent_bytes: 0\n---\n"),
            "{run}"
        );
        run.says(contains("no file was searched for 'x': the files are 1 binary file"));
    }
}

#[test]
fn a_list_is_one_line_a_member() {
    let Some(sandbox) = archives() else { return };
    sh(&sandbox, "touch -d 2001-02-03T04:05:06Z t/run.log && tar czf a.tar.gz -C t run.log var");
    let text = sandbox.line("stat a.tar.gz --list -f text").ok();
    let first = text.text().lines().next().unwrap().to_owned();
    assert_eq!(first, "        28 2001-02-03T04:05:06Z run.log");
    let document = sandbox.line("stat a.tar.gz --list").ok().document();
    assert_eq!(document.fact("archive"), "tar");
    assert_eq!(document.content, text.text());
    let json = sandbox.line("stat a.tar.gz --list --json").ok().json();
    assert_eq!(json["members"].as_array().unwrap().len(), text.text().lines().count());
    for (pattern, names) in [
        ("tar:a.tar.gz/**/*.log", &["run.log", "var/run.log", "var/log/run.log"][..]),
        ("tar:a.tar.gz/run.log", &["run.log"]),
        ("tar:a.tar.gz/var/log", &["var/log/", "var/log/other name.txt", "var/log/run.log"]),
    ] {
        let listed = sandbox.run(["stat", pattern, "--list", "-f", "text"]).ok();
        let mut found: Vec<&str> = listed.text().lines().map(|line| &line[32..]).collect();
        found.sort_unstable();
        let mut names = names.to_vec();
        names.sort_unstable();
        assert_eq!(found, names, "{pattern}");
    }
}
