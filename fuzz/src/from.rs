//! `--from`: matched lines as grep and compilers print them give exactly those lines, and anything else an answer or a sentence.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::LazyLock;

use tinyjson::JsonValue;

use crate::input::Input;
use crate::program::{Folder, run as rread};

/// The lines of the file that lists are about.
const LINES: u64 = 60;

struct Files {
    folder: Folder,
    text: PathBuf,
    other: PathBuf,
}

static FILES: LazyLock<Files> = LazyLock::new(|| {
    let folder = Folder::new();
    let lines: String = (1..=LINES).map(|n| format!("line {n}\n")).collect();
    let text = folder.file("text", lines.as_bytes());
    let other = folder.file("other", lines.as_bytes());
    Files { folder, text, other }
});

pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    match input.below(4) {
        0 => anything(input.rest(), true),
        1 => anything(input.rest(), false),
        2 => matches(input),
        _ => named(input),
    }
}

/// The answer to a list, and its exit code.
fn asked(list: &[u8], file: Option<&PathBuf>) -> (u8, Option<JsonValue>) {
    let list = FILES.folder.file("list", list);
    let file = file.map(|file| file.as_os_str());
    let words = ["--from", "--json", "--metadata-only", "--no-index"].map(OsStr::new);
    let [from, options @ ..] = words;
    let args: Vec<&OsStr> = [OsStr::new("ranges")]
        .into_iter()
        .chain(file)
        .chain([from, list.as_os_str()])
        .chain(options)
        .collect();
    let run = rread(&args);
    let text = String::from_utf8(run.stdout).unwrap();
    let answer = (!text.is_empty()).then(|| text.parse().unwrap_or_else(|error| panic!("{error}: {text}")));
    (run.code, answer)
}

fn anything(list: &[u8], of_one: bool) {
    let (code, answer) = asked(list, of_one.then_some(&FILES.text));
    assert!(matches!(code, 0 | 2 | 3 | 4 | 5), "exit {code}: {:?}", String::from_utf8_lossy(list));
    assert!(answer.is_some() || code != 0, "{:?}", String::from_utf8_lossy(list));
}

/// The first lines that the segments were asked for, with their files.
fn requested(answer: &JsonValue) -> Vec<(String, u64)> {
    let segments: &Vec<JsonValue> = answer["segments"].get().unwrap();
    let number = |value: &JsonValue| format!("{}", value.get::<f64>().unwrap()).parse().unwrap();
    let asked = |segment: &JsonValue| {
        let metadata = &segment["metadata"];
        let path = metadata["path"].get::<String>().unwrap().clone();
        // What was requested is left out if it is what was returned.
        let members: &HashMap<String, JsonValue> = metadata.get().unwrap();
        let key = if members.contains_key("requested_range") { "requested_range" } else { "actual_range" };
        (path, number(&metadata[key]["start_line"]))
    };
    segments.iter().map(asked).collect()
}

/// What follows a matched line: never itself a range, nor the name of a file.
fn tail(input: &mut Input) -> String {
    let words = input.words(20);
    let words: String = words.chars().filter(|c| !matches!(c, '\n' | '\r' | ':' | '\u{85}')).collect();
    format!("x {words}")
}

/// Matches of one file, among those of another.
fn matches(mut input: Input) {
    let text = FILES.text.display();
    let (mut list, mut expected) = (String::new(), Vec::new());
    while !input.is_empty() && expected.len() < 20 {
        let line = 1 + input.below(60) as u64;
        let tail = tail(&mut input);
        let is_ours = !input.one_in(4);
        let column = 1 + input.below(80);
        let lines = [
            format!("{line}:{tail}"),
            format!("{line}-{tail}"),
            format!("{text}:{line}:{tail}"),
            format!("{text}:{line}:{column}: {tail}"),
            format!("   --> {text}:{line}:{column}"),
        ];
        if is_ours {
            list += &lines[input.below(lines.len())];
            expected.push((text.to_string(), line));
        } else {
            list += &format!("{}:{line}:{tail}", FILES.other.display());
        }
        list += if input.one_in(5) { "\r\n" } else { "\n" };
        if input.one_in(6) {
            list += "--\n";
        }
    }
    if expected.is_empty() {
        return;
    }
    let (code, answer) = asked(list.as_bytes(), Some(&FILES.text));
    assert_eq!(code, 0, "{list}");
    assert_eq!(requested(&answer.unwrap()), expected, "{list}");
}

/// Matches of several files: each file once, where it is named first.
fn named(mut input: Input) {
    let files = [&FILES.text, &FILES.other];
    let mut list = String::new();
    let mut expected: Vec<Vec<(String, u64)>> = Vec::new();
    while !input.is_empty() && expected.len() < 20 {
        let path = files[input.below(2)].display().to_string();
        let line = 1 + input.below(60) as u64;
        list += &format!("{path}:{line}:{}\n", tail(&mut input));
        match expected.iter_mut().find(|lines| lines[0].0 == path) {
            Some(lines) => lines.push((path, line)),
            None => expected.push(vec![(path, line)]),
        }
        if input.one_in(4) {
            list += "--\n";
        }
    }
    if expected.is_empty() {
        return;
    }
    let (code, answer) = asked(list.as_bytes(), None);
    assert_eq!(code, 0, "{list}");
    assert_eq!(requested(&answer.unwrap()), expected.concat(), "{list}");
}
