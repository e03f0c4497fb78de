//! Real answers and errors against the JSON Schema that `rread --schema` prints, and the schema against being too wide.

mod all;
pub mod calls;
#[cfg(unix)]
mod captures;
mod closed;
pub mod compressed;
pub mod images;
mod indexes;
mod rules;
pub mod verifying;
mod words;

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::Stdio;

use jsonschema::Validator;
use rread_testkit::formats;
use serde_json::{Value, json};

use all::outcomes;
use calls::{Outcome, files, rread, run};

fn schema() -> Value {
    serde_json::from_str(rread::SCHEMA).unwrap()
}

fn validator() -> Validator {
    jsonschema::validator_for(&schema()).unwrap()
}

/// The places of all objects in `value`.
fn objects(value: &Value, at: &str) -> Vec<String> {
    match value {
        Value::Object(members) => {
            let inner = members.iter().flat_map(|(key, value)| objects(value, &format!("{at}/{key}")));
            inner.chain([at.to_owned()]).collect()
        }
        Value::Array(items) => {
            items.iter().enumerate().flat_map(|(n, item)| objects(item, &format!("{at}/{n}"))).collect()
        }
        _ => Vec::new(),
    }
}

fn complaints(validator: &Validator, document: &Value) -> Vec<String> {
    validator.iter_errors(document).map(|error| format!("{} at {}", error, error.instance_path())).collect()
}

#[test]
fn the_schema_is_a_schema_and_is_what_the_program_prints() {
    let schema = schema();
    assert!(jsonschema::meta::is_valid(&schema));
    let output = rread(Path::new(".")).arg("--schema").output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), rread::SCHEMA);
}

#[test]
fn every_answer_and_every_error_is_valid() {
    let validator = validator();
    let mut wrong = Vec::new();
    for outcome in outcomes() {
        for document in outcome.documents() {
            let found = complaints(&validator, document);
            if !found.is_empty() {
                wrong.push(format!("{}: {found:?}\n  {document}", outcome.call));
            }
        }
        let Outcome { call, code, answer, error } = outcome;
        match code {
            0 => assert!(answer.is_some() && error.is_none(), "{call}: not one answer, and no error"),
            // The exit code may be that of a captured command.
            _ => assert!(
                error.is_some() || ended(answer.as_ref()) == Some(*code),
                "{call}: exit code {code} without an error"
            ),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The exit code of the command that `answer` is a capture of, as a shell gives it.
fn ended(answer: Option<&Value>) -> Option<i32> {
    let metadata = &answer?["metadata"];
    let signals = [("SIGKILL", 137)];
    let signal = signals.iter().find(|(name, _)| metadata["signal"] == *name).map(|(_, code)| *code);
    signal.or_else(|| i32::try_from(metadata["exit_status"].as_i64()?).ok())
}

#[test]
fn an_error_alone_leaves_standard_output_empty() {
    let folder = files();
    for line in [
        "stat missing.log",
        "lines missing.log",
        "lines app.log 900",
        "lines picture.png",
        "frobnicate app.log",
    ] {
        let mut command = rread(folder.path());
        command.args(line.split_whitespace()).env("RREAD_FORMAT", "json");
        let output = command.output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{line}");
        assert!(!output.stderr.is_empty(), "{line}");
    }
}

#[test]
fn every_line_of_standard_error_is_an_object_of_the_schema() {
    let (folder, validator) = (files(), validator());
    let mut zip = formats::zip(3, b"");
    zip.truncate(zip.len() - 10);
    fs::write(folder.path().join("cut.zip"), zip).unwrap();
    for (line, notes) in
        [("search 9 app.log skipped missing", 1), ("lines cut.zip --salvage", 1), ("lines app.log 900", 0)]
    {
        let mut command = rread(folder.path());
        let output = command.args(line.split_whitespace()).arg("--json").output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        let objects: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(
            objects.iter().filter(|object| object.get("note").is_some()).count(),
            notes,
            "{line}: {text}"
        );
        for object in objects {
            assert_eq!(complaints(&validator, &object), [""; 0], "{line}: {object}");
        }
    }
}

#[test]
fn usage_errors_are_json_however_json_was_requested() {
    let folder = files();
    let ways: [&[&str]; 6] =
        [&["-fjson"], &["-f=json"], &["-f", "json"], &["--format", "json"], &["--format=json"], &["--json"]];
    for words in ways {
        let mut command = rread(folder.path());
        command.args(["lines", "app.log"]).args(words).arg("--no-such-option").env("RREAD_FORMAT", "xml");
        let outcome = run(&format!("{words:?}"), command, b"");
        assert_eq!(outcome.error.unwrap()["kind"], "usage", "{words:?}");
    }
}

#[test]
fn no_command_at_all_is_a_usage_error_in_json_too() {
    let mut command = rread(Path::new("."));
    command.env("RREAD_FORMAT", "json");
    let outcome = run("no command", command, b"");
    assert_eq!((outcome.code, &outcome.error.unwrap()["kind"]), (2, &json!("usage")));
}

#[test]
fn another_format_wins_over_the_environment_for_usage_errors_too() {
    let folder = files();
    for words in [&["--raw"][..], &["--xml"], &["-f", "text"]] {
        let mut command = rread(folder.path());
        command.args(["lines", "app.log"]).args(words).arg("--no-such-option").env("RREAD_FORMAT", "json");
        let output = command.output().unwrap();
        assert!(output.stderr.starts_with(b"rread: "), "{words:?}: {output:?}");
    }
}

#[test]
fn a_file_that_grows_during_the_read_is_reported() {
    let folder = files();
    let path = folder.path().join("big.log");
    let mut command = rread(folder.path());
    command.args(["lines", "big.log", "--json"]).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdout.take().unwrap();
    let mut text = vec![0; 1];
    // The first byte is there, so the file is open; the rest is more than the pipe holds.
    pipe.read_exact(&mut text).unwrap();
    fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"one more\n").unwrap();
    pipe.read_to_end(&mut text).unwrap();
    assert!(child.wait().unwrap().success());
    let answer: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(answer["metadata"]["change"], "appended");
    assert_eq!(complaints(&validator(), &answer), [""; 0]);
}
