//! The tool `search`: against a naive oracle, by following `next`, and in directories with ignored files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::client::Client;

/// The lines of every file, by following every `next`.
fn all(client: &mut Client, arguments: Value) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut calls = vec![arguments];
    let mut count = 0;
    while let Some(arguments) = calls.pop() {
        count += 1;
        assert!(count < 2000, "{arguments} does not end");
        let result = client.call("search", &arguments);
        let answer = &result["structuredContent"];
        assert!(answer["files"].is_array(), "{arguments}: {result}");
        for file in answer["files"].as_array().unwrap() {
            let lines = file["lines"].as_str().unwrap_or_default().lines().map(str::to_owned);
            found.entry(file["path"].as_str().unwrap().to_owned()).or_default().extend(lines);
            calls.extend(file.get("next").cloned());
        }
        calls.extend(answer.get("next").cloned());
        let is_complete = answer["complete"] == true;
        let goes_on = answer.get("next").is_some()
            || answer["files"].as_array().unwrap().iter().any(|file| file.get("next").is_some());
        assert_eq!(is_complete, !goes_on, "{answer}");
    }
    found
}

#[test]
fn following_next_finds_every_line() {
    let dir = TempDir::new().unwrap();
    let mut expected: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for n in 0..12 {
        let name = format!("d{}/f{n}.log", n % 3);
        fs::create_dir_all(dir.path().join(&name).parent().unwrap()).unwrap();
        let lines: Vec<String> = (0..200)
            .map(|line| format!("record {line} {}", if (line * 7 + n) % 5 == 0 { "needle" } else { "hay" }))
            .collect();
        fs::write(dir.path().join(&name), lines.join("\n") + "\n").unwrap();
        let hits = lines.iter().enumerate().filter(|(_, line)| line.contains("needle"));
        expected.insert(name, hits.map(|(at, line)| format!("{}:{line}", at + 1)).collect());
    }
    let mut client = Client::start(dir.path(), &[]);
    for max_bytes in [600, 1500, 10_000, 500_000] {
        let mut found = all(&mut client, json!({"pattern": "needle", "max_bytes": max_bytes}));
        found.values_mut().for_each(|lines| {
            lines.sort_by_key(|line| line.split(':').next().unwrap().parse::<u64>().unwrap())
        });
        assert_eq!(found, expected, "{max_bytes}");
    }
    let counted = client.call("search", &json!({"pattern": "needle", "count": true}));
    assert_eq!(counted["structuredContent"]["matched_lines"], 12 * 40);
    assert_eq!(counted["structuredContent"]["files_searched"], 12);
}

#[test]
fn context_and_groups_are_in_the_style_of_grep() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("f"), "a\nb\nX1\nc\nd\ne\nf\nX2\nX3\ng\n").unwrap();
    let mut client = Client::start(dir.path(), &[]);
    let result =
        client.call("search", &json!({"pattern": "x", "path": "f", "context": "1", "ignore_case": true}));
    let file = &result["structuredContent"]["files"][0];
    assert_eq!(file["lines"], "2-b\n3:X1\n4-c\n--\n7-f\n8:X2\n9:X3\n10-g\n", "{result}");
    let last = client.call("search", &json!({"pattern": "X", "paths": ["f"], "last": 1}));
    assert_eq!(last["structuredContent"]["files"][0]["lines"], "9:X3\n");
    let others = client.call("search", &json!({"pattern": "[a-f]", "path": "f", "invert": true}));
    assert_eq!(others["structuredContent"]["files"][0]["lines"], "3:X1\n8:X2\n9:X3\n10:g\n", "{others}");
    client.error("search", &json!({"pattern": "X", "invert": true, "context": 1}));
    let within = client.call("search", &json!({"pattern": "X", "path": "f", "in": "1:5"}));
    assert_eq!(within["structuredContent"]["files"][0]["lines"], "3:X1\n");
    fs::write(dir.path().join("short"), "X\n").unwrap();
    let beyond = client.call("search", &json!({"pattern": "X", "in": "8:9"}));
    assert_eq!(beyond["structuredContent"]["matched_lines"], 2, "{beyond}");
    assert_eq!(beyond["structuredContent"]["files_searched"], 2, "{beyond}");
    let plain = client.error("search", &json!({"pattern": "("}));
    assert!(plain.contains("unclosed group") && plain.contains("fixed"), "{plain}");
}

#[test]
fn directories_are_searched_as_rg_does() {
    let dir = TempDir::new().unwrap();
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    fs::create_dir_all(dir.path().join(".git/info")).unwrap();
    write(".git/info/exclude", "excluded\n");
    write(".gitignore", "*.o\n/target\nlogs/**/old\n");
    write("sub/.gitignore", "!keep.o\nlocal\n");
    write("sub/.ignore", "*.tmp\n");
    for name in [
        "a.txt",
        "b.o",
        "target/x.txt",
        "sub/keep.o",
        "sub/other.o",
        "sub/local",
        "sub/x.tmp",
        "sub/y.txt",
        "excluded",
        ".hidden",
        "logs/1/2/old",
        "logs/1/new",
        "sub/target/kept.txt",
    ] {
        write(name, "needle\n");
    }
    write("binary", "needle\0\0\0\u{1}\n");
    let walked = |dir: &Path, path: &str| -> Vec<String> {
        let result = Client::start(dir, &[])
            .call("search", &json!({"pattern": "needle", "path": path, "files_only": true}));
        let files = result["structuredContent"]["files"].as_array().unwrap().clone();
        files.iter().map(|file| file["path"].as_str().unwrap().to_owned()).collect()
    };
    let expected = ["a.txt", "logs/1/new", "sub/keep.o", "sub/target/kept.txt", "sub/y.txt"];
    assert_eq!(walked(dir.path(), "."), expected);
    assert_eq!(walked(dir.path(), "sub"), ["sub/keep.o", "sub/target/kept.txt", "sub/y.txt"]);
    assert_eq!(walked(dir.path(), "sub/"), ["sub/keep.o", "sub/target/kept.txt", "sub/y.txt"]);
    // The rules above a root hold below it.
    assert_eq!(walked(&dir.path().join("logs"), "."), ["1/new"]);
}

#[test]
fn windows_of_a_long_line_have_the_number_of_their_line() {
    let dir = TempDir::new().unwrap();
    let far = "x".repeat(100_000);
    fs::write(dir.path().join("f"), format!("one\n{far} needle {far} needle {far}\nthree needle\n")).unwrap();
    let mut client = Client::start(dir.path(), &[]);
    let found = client.call("search", &json!({"pattern": "needle", "path": "f"}));
    let lines = found["structuredContent"]["files"][0]["lines"].as_str().unwrap();
    let numbers: Vec<&str> = lines.lines().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(numbers, ["2", "2", "3"], "{lines}");
}

#[test]
fn a_pattern_as_a_path_has_its_files_in_the_hint() {
    let dir = TempDir::new().unwrap();
    for name in ["svc.log", "svc.log.1", "other"] {
        fs::write(dir.path().join(name), "WARN\n").unwrap();
    }
    let mut client = Client::start(dir.path(), &[]);
    let error = client.error("search", &json!({"pattern": "WARN", "path": "svc.log*"}));
    assert!(error.contains(r#"{"paths":["svc.log","svc.log.1"]}"#), "{error}");
    let found = client.call("search", &json!({"pattern": "WARN", "paths": ["svc.log", "svc.log.1"]}));
    assert_eq!(found["structuredContent"]["matched_lines"], 2, "{found}");
}

#[test]
fn units_are_those_of_the_command_line() {
    let dir = TempDir::new().unwrap();
    let record =
        |n: u32| format!("2026-03-03 10:00:{n:02} ERROR a{n}\njava.io.IOException: x\n\tat Q.r(Q.java:1)\n");
    fs::write(dir.path().join("t.log"), (0..30).map(record).collect::<String>()).unwrap();
    fs::write(dir.path().join("a.py"), "def f():\n    a = 1\n    g(a)\n    return a\n").unwrap();
    let mut client = Client::start(dir.path(), &[]);
    let whole = all(
        &mut client,
        json!({"pattern": "IOException", "path": "t.log", "unit": "record", "max_bytes": 100_000}),
    );
    assert_eq!(whole["t.log"].iter().filter(|line| *line != "--").count(), 90);
    let mut parts = all(
        &mut client,
        json!({"pattern": "IOException", "path": "t.log", "unit": "record", "max_bytes": 900}),
    );
    let mut lines = parts.remove("t.log").unwrap();
    lines.retain(|line| line != "--");
    lines.dedup();
    assert_eq!(lines.len(), 90, "{lines:?}");
    let found = client
        .call("search", &json!({"pattern": "IOException", "path": "t.log", "unit": "record", "count": true}));
    assert_eq!(found["structuredContent"]["files"][0]["matched_units"], 30);
    let found = client.call("search", &json!({"pattern": "g\\(", "path": "a.py", "enclosing": true}));
    assert_eq!(found["structuredContent"]["files"][0]["lines"], "1-def f():\n3:    g(a)\n");
    let refused = client.call("search", &json!({"pattern": "a", "path": "a.py", "unit": "function"}));
    assert_eq!(refused["isError"], true, "{refused}");
}

#[test]
fn names_that_take_no_file_are_not_a_complete_search() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("a.log"), "needle\n").unwrap();
    let mut client = Client::start(dir.path(), &[]);
    for narrow in
        [json!({"pattern": "needle", "glob": "*.zig"}), json!({"pattern": "needle", "type": "rust"})]
    {
        let found = client.call("search", &narrow);
        let answer = &found["structuredContent"];
        assert_eq!(answer["complete"], false, "{answer}");
        assert_eq!(answer["hint"], "search {\"pattern\":\"needle\"}", "{answer}");
    }
}

#[test]
fn terminal_text_is_searched_as_it_is_shown() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("ci.log"), "\x1b[1mstep\x1b[0m\n10%\r100%\n").unwrap();
    let mut client = Client::start(dir.path(), &[]);
    let found = client.call("search", &json!({"pattern": "^(step|100%)$", "path": "ci.log", "plain": true}));
    assert_eq!(found["structuredContent"]["files"][0]["lines"], "1:step\n2:100%\n");
    let text = client.text("read", &json!({"path": "ci.log", "plain": true}));
    assert!(text.ends_with("step\n100%\n"), "{text:?}");
}
