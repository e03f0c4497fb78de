//! Files that change during the read, and closed standard streams: a right answer or an error.
#![cfg(unix)]

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rread_testkit::sandbox::{AtHome, Sandbox};
use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_rread");

/// More than any pipe holds, so that the program waits in the middle.
const LARGE: usize = 8 << 20;

/// Where standard input stands in the file.
const BEFORE: usize = 160;

/// Starts the program; standard input is the file after its first bytes, or empty.
fn start(folder: &Path, args: &[&str]) -> Child {
    let stdin = if args.contains(&"-") {
        let mut file = File::open(folder.join("f")).unwrap();
        file.seek(SeekFrom::Start(BEFORE as u64)).unwrap();
        Stdio::from(file)
    } else {
        Stdio::null()
    };
    let mut command = Command::new(PROGRAM);
    command.args(args).current_dir(folder).stdin(stdin);
    command.at_home(&folder.join(".home")).env("RREAD_INDEX", "off");
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Starts an answer, makes `change` while the program waits for its reader, and reads the rest.
fn changed_meanwhile(args: &[&str], change: impl Fn(&Path)) -> (Option<i32>, Vec<u8>, String) {
    let sandbox = Sandbox::with("f", "0123456789abcde\n".repeat(LARGE / 16));
    let mut child = start(&sandbox.path("."), args);
    let mut stdout = child.stdout.take().unwrap();
    // The first byte shows that the answer has begun.
    let mut content = vec![0];
    stdout.read_exact(&mut content).unwrap();
    change(&sandbox.path("f"));
    stdout.read_to_end(&mut content).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code(), content, String::from_utf8(output.stderr).unwrap())
}

fn rewrite(path: &Path) {
    let mut file = OpenOptions::new().write(true).open(path).unwrap();
    file.write_all(&vec![b'B'; LARGE]).unwrap();
}

fn rewrite_longer(path: &Path) {
    let mut file = OpenOptions::new().write(true).open(path).unwrap();
    file.write_all(&vec![b'B'; LARGE + 4096]).unwrap();
}

fn append(path: &Path) {
    OpenOptions::new().append(true).open(path).unwrap().write_all(b"more\n").unwrap();
}

fn truncate(path: &Path) {
    OpenOptions::new().write(true).open(path).unwrap().set_len(100).unwrap();
}

#[test]
fn an_answer_torn_by_a_change_never_passes_for_a_success() {
    for format in ["frontmatter", "json", "xml", "raw", "text"] {
        for change in [rewrite, rewrite_longer, truncate] {
            for file in ["f", "-"] {
                let (code, content, errors) = changed_meanwhile(&["lines", file, "-f", format], change);
                assert_eq!(code, Some(7), "{file} {format}: {errors}");
                let whole: Result<Value, _> = serde_json::from_slice(&content);
                assert!(whole.is_err(), "a whole document around torn content");
            }
        }
    }
}

#[test]
fn standard_input_that_only_grew_is_answered_as_it_was() {
    let (code, content, errors) = changed_meanwhile(&["lines", "-", "--json"], append);
    assert_eq!(code, Some(0), "{errors}");
    let answer: Value = serde_json::from_slice(&content).unwrap();
    assert_eq!(answer["content"].as_str().unwrap().len(), LARGE - BEFORE);
    assert_eq!(answer["metadata"]["change"].as_str(), Some("appended"));
    assert_eq!(answer["metadata"]["file_size"].as_u64(), Some((LARGE - BEFORE) as u64));
}

#[test]
fn a_file_that_only_grew_is_answered_as_it_was_and_json_says_so() {
    let (code, content, errors) = changed_meanwhile(&["lines", "f", "--json"], append);
    assert_eq!(code, Some(0), "{errors}");
    let answer: Value = serde_json::from_slice(&content).unwrap();
    assert_eq!(answer["content"].as_str().unwrap().len(), LARGE);
    let metadata = &answer["metadata"];
    assert_eq!(
        (metadata["notices"][0].as_str(), metadata["change"].as_str()),
        (Some("changed"), Some("appended"))
    );
    for format in ["frontmatter", "raw", "text"] {
        let (code, content, errors) = changed_meanwhile(&["lines", "f", "-f", format], append);
        assert_eq!(code, Some(0), "{format}: {errors}");
        assert!(content.ends_with(b"0123456789abcde\n"));
    }
}

#[test]
fn bytes_written_to_a_pipe_do_not_change() {
    // All of it fits into the pipe: the program ends before its reader begins.
    for size in [200_000usize, 900_000] {
        let sandbox = Sandbox::with("f", "A".repeat(size));
        let mut child = start(&sandbox.path("."), &["bytes", "f", &format!("0:{size}"), "--raw"]);
        let mut stdout = child.stdout.take().unwrap();
        assert!(child.wait().unwrap().success());
        let mut file = OpenOptions::new().write(true).open(sandbox.path("f")).unwrap();
        file.write_all(&vec![b'B'; size]).unwrap();
        let mut content = Vec::new();
        stdout.read_to_end(&mut content).unwrap();
        assert!(content == vec![b'A'; size], "the pipe shows the file as it is now");
    }
}

#[test]
fn closed_standard_streams_are_not_empty_ones() {
    let sandbox = Sandbox::with("f", "text\n");
    for (redirection, code) in
        [("lines - <&-", 3), ("lines f >&-", 8), ("stat f >&-", 8), ("--schema >&-", 8)]
    {
        let status = Command::new("sh")
            .at_home(&sandbox.home())
            .args(["-c", &format!("'{PROGRAM}' {redirection}")])
            .current_dir(sandbox.path("."))
            .stderr(Stdio::null())
            .status();
        assert_eq!(status.unwrap().code(), Some(code), "{redirection}");
    }
    assert_eq!(fs::read(sandbox.path("f")).unwrap(), b"text\n");
}
