//! The tool `capture`, and captures as files.

use serde_json::json;
use tempfile::TempDir;

use super::client::{Client, next_of, parted};

#[test]
#[cfg(unix)]
fn output_is_kept_and_read() {
    let dir = TempDir::new().unwrap();
    let mut client = Client::start(dir.path(), &["--allow-capture"]);
    let short = client.text("capture", &json!({"command": ["sh", "-c", "echo out; echo err >&2; exit 3"]}));
    assert!(short.contains("exit_status 3") && short.ends_with("out\nerr\n"), "{short}");
    // A command that reads standard input must not read the protocol.
    assert!(client.text("capture", &json!({"command": ["cat"]})).contains("exit_status 0"));
    let long = client.text("capture", &json!({"command": ["seq", "1", "30000"], "name": "numbers"}));
    let (facts, content) = parted(&long);
    assert!(content.starts_with("1\n2\n3\n"), "{long}");
    let next = facts.split_once("next: read ").unwrap().1;
    let page = client.text("read", &serde_json::from_str(next).unwrap());
    assert!(page.starts_with("fd:1 | page 2 of"), "{page}");
    let last = client.text("read", &json!({"path": "fd:numbers", "lines": -1}));
    assert_eq!(parted(&last).1, "30000\n", "{last}");
    assert_eq!(next_of(parted(&last).0), None);
    let found = client.call("search", &json!({"pattern": "^2999.$", "path": "fd:1", "count": true}));
    assert_eq!(found["structuredContent"]["matched_lines"], 10, "{found}");
    let colours = json!({"command": ["printf", "\\033[1mbold\\033[0m\\n10%%\\r20%%\\n"], "name": "colours"});
    let shown = client.text("capture", &colours);
    assert!(shown.contains("escapes_removed") && shown.ends_with("\nbold\n20%\n"), "{shown}");
    let read = client.text("read", &json!({"path": "fd:colours"}));
    assert_eq!(parted(&read).1, "bold\n20%\n", "{read}");
    let error = client.error("capture", &json!({"command": ["no-such-command-at-all"]}));
    assert!(error.contains("No such file"), "{error}");
}

#[test]
fn captures_need_permission() {
    let dir = TempDir::new().unwrap();
    let mut client = Client::start(dir.path(), &[]);
    let error = client.error("read", &json!({"path": "fd:1"}));
    assert!(error.contains("without --allow-capture"), "{error}");
    std::fs::write(dir.path().join("fd:1"), "a file of that name\n").unwrap();
    assert!(client.text("read", &json!({"path": "fd:1"})).ends_with("a file of that name\n"));
}

#[test]
#[cfg(unix)]
fn a_command_that_is_ended_by_the_limit_of_the_call_names_it() {
    let dir = TempDir::new().unwrap();
    let mut client = Client::start(dir.path(), &["--allow-capture"]);
    let late = client.text("capture", &json!({"command": ["sh", "-c", "echo out; sleep 9"], "timeout": 1}));
    assert!(late.starts_with("the call did not finish within 1s") && late.ends_with("\nout\n"), "{late}");
    assert!(!late.contains("signal"), "{late}");
}
