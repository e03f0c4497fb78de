//! Standard streams that are non-blocking, closed or full.

use std::io::{self, Read};
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use rread_testkit::sandbox::{Sandbox, numbered};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

use super::{run, shell};

#[test]
fn a_non_blocking_output_is_waited_for() {
    let text = numbered(60_000);
    let sandbox = Sandbox::with("f", &text);
    for options in ["--raw", "-f text", "--json", "--raw < f"] {
        let (mut reader, writer) = io::pipe().unwrap();
        let flags = fcntl_getfl(&writer).unwrap();
        fcntl_setfl(&writer, flags | OFlags::NONBLOCK).unwrap();
        let file = if options.contains('<') { "-" } else { "f" };
        let mut command = shell(&sandbox, &format!("exec $RREAD lines {file} {options}"));
        let child = command.stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
        // Only the child holds the writing end.
        drop(command);
        sleep(Duration::from_millis(50));
        let mut content = Vec::new();
        let mut part = [0; 30_000];
        loop {
            let got = reader.read(&mut part).unwrap();
            if got == 0 {
                break;
            }
            content.extend(&part[..got]);
            sleep(Duration::from_millis(1));
        }
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*stderr), (Some(0), ""), "{options}");
        if options == "--json" {
            let answer: serde_json::Value = serde_json::from_slice(&content).unwrap();
            assert_eq!(answer["content"].as_str(), Some(text.as_str()));
        } else {
            assert!(content == text.as_bytes(), "{options}: {} bytes", content.len());
        }
    }
}

#[test]
fn messages_that_cannot_be_written_change_no_exit_code() {
    let sandbox = Sandbox::with("f", numbered(9));
    let mut ways = vec!["2>&-"];
    if std::path::Path::new("/dev/full").exists() {
        ways.push("2> /dev/full");
    } else {
        eprintln!("SKIPPED: there is no /dev/full");
    }
    for way in ways {
        for (line, expected) in [
            ("lines f 2 --raw", 0),
            ("lines f --max-lines 2 --raw", 0),
            ("lines f 3:1", 2),
            ("lines f --nonsense", 2),
            ("lines missing --json", 3),
            ("lines f 900", 5),
            ("lines f >&-", 8),
            ("verify f 1#000000", 1),
        ] {
            let (code, ..) = run(&sandbox, &format!("$RREAD {line} {way}"));
            assert_eq!(code, Some(expected), "{line} {way}");
        }
    }
}

/// Without standard streams, opened files would get their descriptors.
#[test]
fn closed_streams_do_not_mix_up_descriptors() {
    let text = numbered(9);
    let sandbox = Sandbox::with("f", &text);
    for (line, expected) in [("lines f", 8), ("lines -", 8), ("stat f", 8), ("lines f 3:1", 2)] {
        let (code, ..) = run(&sandbox, &format!("$RREAD {line} <&- >&- 2>&-"));
        assert_eq!(code, Some(expected), "{line}");
    }
    assert_eq!(std::fs::read_to_string(sandbox.path("f")).unwrap(), text);
}
