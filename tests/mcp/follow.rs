//! The tool `follow`: waiting for lines.

use std::fs;
use std::io::Write;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::client::Client;

fn append(dir: &TempDir, text: &str) {
    let mut file = fs::OpenOptions::new().append(true).create(true).open(dir.path().join("app.log")).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

/// The answer of a call for lines with ERR, while `change` runs.
fn followed(client: &mut Client, arguments: Value, change: impl FnOnce() + Send) -> Value {
    thread::scope(|scope| {
        scope.spawn(change);
        let result = client.call("follow", &arguments);
        assert_eq!(result["isError"], false, "{result}");
        result["structuredContent"].clone()
    })
}

#[test]
fn a_call_waits_for_a_line_that_ends() {
    let dir = TempDir::new().unwrap();
    append(&dir, "old ERR\nhalf ");
    let mut client = Client::start(dir.path(), &[]);
    let call = json!({"path": "app.log", "pattern": "ERR", "timeout": 50});
    let found = followed(&mut client, call, || {
        for part in ["a line\n", "with ER", "R in it", "\nlast ERR\n"] {
            thread::sleep(Duration::from_millis(150));
            append(&dir, part);
        }
    });
    assert_eq!(found["matched"], true, "{found}");
    assert!(found["lines"].as_str().unwrap().starts_with("3:with ERR in it\n"), "{found}");
    // The following call begins where this one ended, so that no line is lost between them.
    append(&dir, "and another ERR\n");
    let next = followed(&mut client, found["next"].clone(), || {});
    assert!(next["lines"].as_str().unwrap().ends_with("5:and another ERR\n"), "{next}");
    let mut none = next["next"].clone();
    none["timeout"] = json!(0);
    let none = followed(&mut client, none, || {});
    assert_eq!((&none["matched"], &none["lines"]), (&json!(false), &Value::Null));
    assert_eq!(none["next"]["from"], next["next"]["from"]);
    // The rest of the call is repeated.
    assert_eq!((&none["next"]["timeout"], &next["next"]["timeout"]), (&json!(0), &json!(50)));
}

#[test]
fn lines_around_a_match_may_be_older_than_the_call() {
    let dir = TempDir::new().unwrap();
    append(&dir, "pod a pulled x\n");
    let mut client = Client::start(dir.path(), &[]);
    let call = json!({"path": "app.log", "pattern": "ERR", "timeout": 50, "context": 2});
    let found = followed(&mut client, call, || {
        thread::sleep(Duration::from_millis(150));
        append(&dir, "b\nERR\n");
    });
    assert_eq!(found["lines"], "1-pod a pulled x\n2-b\n3:ERR\n", "{found}");
}

#[test]
fn a_file_that_is_replaced_is_read_from_its_start() {
    let dir = TempDir::new().unwrap();
    append(&dir, "one\n");
    let mut client = Client::start(dir.path(), &[]);
    let call = json!({"path": "app.log", "pattern": "err", "ignore_case": true, "timeout": 50});
    let path = dir.path().join("app.log");
    let found = followed(&mut client, call.clone(), || {
        thread::sleep(Duration::from_millis(250));
        fs::rename(&path, dir.path().join("app.log.1")).unwrap();
        thread::sleep(Duration::from_millis(250));
        append(&dir, "a longer first line than before\nERR in the new file\n");
    });
    assert_eq!(found["lines"], "2:ERR in the new file\n", "{found}");
    let found = followed(&mut client, call, || {
        thread::sleep(Duration::from_millis(250));
        fs::write(&path, "Err\n").unwrap();
    });
    assert_eq!(found["lines"], "1:Err\n", "{found}");
}

#[test]
fn lines_that_come_around_a_rotation_are_not_lost() {
    let dir = TempDir::new().unwrap();
    append(&dir, "one\n");
    let mut client = Client::start(dir.path(), &[]);
    let path = dir.path().join("app.log");
    // Written and renamed at once, so that no look comes between.
    let call = json!({"path": "app.log", "pattern": "ERR", "timeout": 50});
    let found = followed(&mut client, call, || {
        thread::sleep(Duration::from_millis(350));
        append(&dir, "two\nERR at the end\n");
        fs::rename(&path, dir.path().join("app.log.1")).unwrap();
        append(&dir, "ERR in the new file, which is longer than the old one\n");
    });
    assert!(found["lines"].as_str().unwrap().ends_with("ERR at the end\n"), "{found}");
    let found = followed(&mut client, found["next"].clone(), || {});
    assert_eq!(found["lines"], "1:ERR in the new file, which is longer than the old one\n", "{found}");
    // The file is replaced between two calls.
    fs::rename(&path, dir.path().join("app.log.2")).unwrap();
    append(&dir, &format!("ERR first\n{}", "more\n".repeat(100)));
    let found = followed(&mut client, found["next"].clone(), || {});
    assert_eq!(found["lines"], "1:ERR first\n", "{found}");
}

#[test]
fn what_cannot_be_followed_is_refused_at_once() {
    let dir = TempDir::new().unwrap();
    append(&dir, "one\n");
    let mut client = Client::start(dir.path(), &[]);
    for (arguments, sentence) in [
        (json!({"path": "app.log", "pattern": "("}), "is not valid"),
        (json!({"path": "app.log"}), "no pattern"),
        (json!({"path": "missing.log", "pattern": "x"}), "missing.log: cannot open"),
        (json!({"path": "/etc/passwd", "pattern": "x"}), "outside"),
        (json!({"path": "app.log", "pattern": "x", "seconds": 3}), "seconds"),
        (json!({"path": "app.log", "pattern": "x", "from": "end"}), "is not an offset"),
    ] {
        let error = client.error("follow", &arguments);
        assert!(error.contains(sentence), "{arguments}: {error}");
    }
}
