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
    // Earlier lines may match: both say so, and nothing else that stops a search is a number that nobody gave.
    let stopped = |result: &Value| {
        let found = &result["structuredContent"];
        (found["complete"].clone(), found["files"][0]["stopped_by"].clone())
    };
    assert_eq!(stopped(&last), (json!(false), json!("last")), "{last}");
    let all = client.call("search", &json!({"pattern": "X", "paths": ["f"], "last": 9}));
    assert_eq!(stopped(&all), (json!(true), Value::Null), "{all}");
    let names = client.call("search", &json!({"pattern": "X", "paths": ["f"], "files_only": true}));
    assert_eq!(stopped(&names), (json!(true), Value::Null), "{names}");
    let first = client.call("search", &json!({"pattern": "X", "paths": ["f"], "max_count": 1}));
    assert_eq!(stopped(&first), (json!(false), json!("max_count")), "{first}");
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

#[test]
fn several_logs_are_one_call_in_the_order_of_time() {
    let dir = TempDir::new().unwrap();
    let log = |name: &str, seconds: &[u32], text: &str| {
        let line = |n: &u32| format!("2026-03-03T10:{:02}:{:02}Z {text} {n}\n", n / 60, n % 60);
        fs::write(dir.path().join(name), seconds.iter().map(line).collect::<String>()).unwrap();
    };
    fs::create_dir(dir.path().join("logs")).unwrap();
    log("logs/a.log", &[1, 4, 7, 10], "ERROR a");
    log("logs/b.log", &[2, 5, 8], "WARN b");
    log("logs/c.log", &[3, 6, 9], "ERROR \"c\"");
    let mut client = Client::start(dir.path(), &[]);
    let paths = json!(["logs/a.log", "logs/b.log", "logs/c.log"]);
    let first = json!({"pattern": "ERROR", "paths": paths, "merge": true, "max_count": 1, "context": 2});
    let found = client.call("search", &first)["structuredContent"].clone();
    let lines = "logs/a.log:1:2026-03-03T10:00:01Z ERROR a 1\nlogs/b.log-1-2026-03-03T10:00:02Z WARN b 2\n\
        logs/c.log-1-2026-03-03T10:00:03Z ERROR \"c\" 3\n";
    assert_eq!(found["files"][0]["lines"], lines, "{found}");
    assert_eq!((&found["complete"], &found["files"][0]["stopped_by"]), (&json!(false), &json!("max_count")));
    assert_eq!(found["files"][0]["files"], json!([{"path": "logs/a.log", "matched_lines": 1}]));
    assert_eq!((&found["matched_lines"], &found["files_searched"]), (&json!(1), &json!(3)));
    // By next, every line comes once.
    for (arguments, expected) in [
        (json!({"pattern": "ERROR", "path": "logs", "merge": true, "max_count": 2}), 7),
        (json!({"pattern": "ERROR", "paths": paths, "merge": true, "max_bytes": 600}), 7),
        (
            json!({"pattern": "ERROR", "path": "logs", "merge": true, "since": "10:00:04", "until": "10:00:09", "tz": "UTC", "max_count": 1}),
            3,
        ),
    ] {
        let (mut call, mut seen) = (arguments.clone(), Vec::new());
        for _ in 0..20 {
            let answer = client.call("search", &call)["structuredContent"].clone();
            assert!(
                answer.to_string().len() as u64 <= call["max_bytes"].as_u64().unwrap_or(10_000),
                "{answer}"
            );
            let answer = answer["files"][0].clone();
            seen.extend(answer["lines"].as_str().unwrap_or_default().lines().map(str::to_owned));
            match answer.get("next") {
                Some(next) => call = next.clone(),
                None => break,
            }
        }
        let mut seconds: Vec<&str> = seen.iter().map(|line| line.split(' ').next_back().unwrap()).collect();
        assert_eq!(seen.len(), expected, "{arguments}: {seen:?}");
        let before = seconds.clone();
        seconds.sort_by_key(|second| second.parse::<u32>().unwrap());
        assert_eq!(before, seconds, "{arguments}");
    }
    let last = json!({"pattern": "ERROR", "path": "logs", "merge": true, "last": 2});
    let last = client.call("search", &last)["structuredContent"]["files"][0].clone();
    let lines =
        "logs/c.log:3:2026-03-03T10:00:09Z ERROR \"c\" 9\nlogs/a.log:4:2026-03-03T10:00:10Z ERROR a 10\n";
    assert_eq!((&last["lines"], &last["stopped_by"]), (&json!(lines), &json!("last")), "{last}");
    let none = client.call("search", &json!({"pattern": "nothing", "path": "logs", "merge": true}));
    assert_eq!(none["structuredContent"]["matched_lines"], 0, "{none}");
    let missing =
        client.call("search", &json!({"pattern": "ERROR", "paths": ["logs/a.log", "none"], "merge": true}));
    assert!(missing.to_string().contains("not_found") || missing["isError"] == true, "{missing}");
    client.error("search", &json!({"pattern": "ERROR", "path": "logs", "merge": true, "count": true}));
}

#[test]
fn look_around_and_names_in_one_text_have_the_call_that_works() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("a.txt"), "foobar\nfoo\n").unwrap();
    fs::write(dir.path().join("t.csv"), "a,b\n1,2\n").unwrap();
    let mut client = Client::start(dir.path(), &[]);
    let error = client.error("search", &json!({"pattern": "foo(?=bar)", "path": "a.txt"}));
    assert!(error.contains(r#"search {"pattern":"foo(?:bar)","path":"a.txt"}"#), "{error}");
    // Other lines would match: what is looked for may overlap the rest.
    for pattern in ["(?=foo)foob", "^(?=.*o)(?=.*f)", "o(?=b)b|c", "(foo(?=b))"] {
        let error = client.error("search", &json!({"pattern": pattern, "path": "a.txt"}));
        assert!(error.contains("look-around") && !error.contains("search {"), "{pattern}: {error}");
    }
    for tool in ["read", "stat"] {
        let error = client.error(tool, &json!({"paths": "a.txt,t.csv"}));
        assert!(error.contains(r#"{"paths":["a.txt","t.csv"]}"#), "{error}");
    }
    let error = client.error("search", &json!({"pattern": "foo", "paths": ["a.txt, t.csv"]}));
    assert!(error.contains(r#"{"paths":["a.txt","t.csv"]}"#), "{error}");
    let schema = client.request("tools/list", json!({})).to_string();
    assert!(schema.contains(r#""description":"In all""#), "{schema}");
    let read = client.call("read", &json!({"paths": ["a.txt", "t.csv"], "max_lines": 3}));
    assert!(read["content"][0]["text"].as_str().unwrap().contains("cut by max_lines"), "{read}");
    let rarest = client.call("stat", &json!({"path": "a.txt", "rarest": 1}));
    assert_eq!(rarest["structuredContent"]["files"][0]["patterns"][0]["line"], "foo", "{rarest}");
}
