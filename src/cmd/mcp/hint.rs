//! Hints for a shell, as arguments of the tools.

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use super::names::Named;
use rread_text::error::{Error, Kind};

/// The options of commands that tools have as arguments, and whether a value follows.
const OPTIONS: [(&str, &str, bool); 20] = [
    ("--text", "text", false),
    ("-a", "text", false),
    ("--salvage", "salvage", false),
    ("--encode", "encode", true),
    ("-E", "encoding", true),
    ("--encoding", "encoding", true),
    ("--hash", "hash", false),
    ("--count", "count", false),
    ("--since", "since", true),
    ("--until", "until", true),
    ("--time-format", "time_format", true),
    ("--tz", "tz", true),
    ("--in", "in", true),
    ("-C", "context", true),
    ("--header", "header", true),
    ("--max-bytes", "max_bytes", true),
    ("--max-lines", "max_lines", true),
    ("--max-columns", "max_columns", true),
    ("--number", "number", false),
    ("--page-size", "page_size", true),
];

/// `error` with the client's names and arguments.
pub(super) fn translated(error: Error, files: &[Named]) -> Error {
    let file = error.path.as_ref().and_then(|path| files.iter().find(|file| file.path == *path));
    let path = file.map(|file| PathBuf::from(&file.name)).or_else(|| error.path.clone());
    let mut hint = error.hint.as_deref().and_then(|hint| with_calls(hint, files));
    if let (Kind::IsDirectory, Some(file)) = (error.kind, file) {
        let list = json!({"pattern": "", "path": file.name, "files_only": true});
        hint = Some(format!("search {list} lists its files"));
    }
    let message = with_arguments(&error.message);
    Error { path, hint, message, ..error }
}

/// `hint` as a call of a tool; other commands stay as they are; `None` if no tool can do it.
pub(super) fn with_calls(hint: &str, files: &[Named]) -> Option<String> {
    if hint.starts_with("rread search -F takes") {
        return Some("fixed takes the pattern as a plain text".to_owned());
    }
    // The tools open no archives.
    let lists_members = hint.contains(" --list");
    if let Some(line) = hint.strip_prefix("rread ").filter(|_| !lists_members) {
        // A command, and perhaps what to put into it.
        let (line, rest) =
            line.split_once(", ").map_or((line, String::new()), |(line, rest)| (line, format!(", {rest}")));
        return words(line).and_then(|words| call(&words, files)).map(|call| call + &rest);
    }
    if hint.contains("rread ") && !hint.starts_with("did you mean") {
        // Only a shell can do that.
        let mut hint = hint.to_owned();
        for file in files {
            hint = hint.replace(&*file.path.to_string_lossy(), &file.name);
        }
        return (!hint.starts_with("cargo")).then(|| format!("in a shell: {hint}"));
    }
    let hint = with_arguments(hint);
    // No tool has the other options.
    (!hint.contains(" --") && !hint.starts_with("--")).then_some(hint)
}

fn call(words: &[String], files: &[Named]) -> Option<String> {
    let (command, words) = words.split_first()?;
    let mut arguments = Map::new();
    let mut plain = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let is_option = word.starts_with("--") || matches!(word.as_str(), "-a" | "-E" | "-C");
        let (name, value) = word.split_once('=').filter(|_| is_option).unwrap_or((word, ""));
        match OPTIONS.iter().find(|(option, ..)| *option == name) {
            Some((_, argument, false)) => drop(arguments.insert((*argument).to_owned(), json!(true))),
            Some((_, argument, true)) if value.is_empty() => {
                arguments.insert((*argument).to_owned(), Value::String(words.next()?.clone()));
            }
            Some((_, argument, true)) => {
                arguments.insert((*argument).to_owned(), Value::String(value.to_owned()));
            }
            None if is_option => return None,
            None => plain.push(word.as_str()),
        }
    }
    let mut plain = plain.into_iter();
    let pattern = if command == "search" { Some(plain.next()?) } else { None };
    let path = plain.next()?;
    let name = files.iter().find(|file| file.path.to_string_lossy() == path).map(|file| file.name.as_str());
    let mut all = Map::new();
    all.extend(pattern.map(|pattern| ("pattern".to_owned(), json!(pattern))));
    all.insert("path".to_owned(), json!(name.unwrap_or(path)));
    let range = plain.next().map(|range| json!(range));
    let (tool, range_name) = match command.as_str() {
        "lines" => ("read", "lines"),
        "bytes" => ("read", "bytes"),
        "page" => ("read", "page"),
        "search" | "stat" | "image" => (command.as_str(), ""),
        _ => return None,
    };
    if tool != "read" && arguments.contains_key("salvage") {
        return None;
    }
    match range {
        Some(_) if range_name.is_empty() => return None,
        Some(range) => drop(all.insert(range_name.to_owned(), range)),
        None => {}
    }
    all.extend(arguments);
    plain.next().is_none().then(|| format!("{tool} {}", Value::Object(all)))
}

/// The words of a command line that quotes as a POSIX shell does; `None` with anything but plain words.
fn words(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '\'' => break,
                        c => word.push(c),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(chars.next()?),
            '|' | '<' | '>' | ';' | '&' | '$' | '`' | '(' | '"' => return None,
            ',' if chars.as_str().starts_with(' ') => return None,
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Some(words)
}

/// `text` with the arguments of the tools instead of options: `max_bytes` for `--max-bytes`.
pub(super) fn with_arguments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("--") {
        let (before, option) = rest.split_at(at);
        let is_start = before.is_empty() || before.ends_with([' ', '(', ',']);
        let name =
            option[2..].split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next().unwrap_or_default();
        out += before;
        let is_argument = OPTIONS.iter().any(|(known, ..)| known.strip_prefix("--") == Some(name));
        if is_start && is_argument {
            out += &name.replace('-', "_");
            rest = &option[2 + name.len()..];
        } else {
            out += "--";
            rest = &option[2..];
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(text: &str) -> Option<String> {
        let file = |name: &str| Named { name: name.to_owned(), path: PathBuf::from(format!("/root/{name}")) };
        with_calls(text, &[file("app.log"), file("it's.log")])
    }

    #[test]
    fn commands_are_calls() {
        let calls = [
            ("rread lines /root/app.log -20:", r#"read {"path":"app.log","lines":"-20:"}"#),
            ("rread stat /root/app.log --list", "in a shell: rread stat app.log --list"),
            (
                "rread bytes /root/app.log 0:256 --encode hexdump",
                r#"read {"path":"app.log","bytes":"0:256","encode":"hexdump"}"#,
            ),
            (
                r"rread lines '/root/it'\''s.log' 1:20 --text",
                r#"read {"path":"it's.log","lines":"1:20","text":true}"#,
            ),
            ("rread page /root/app.log -1", r#"read {"path":"app.log","page":"-1"}"#),
            ("rread image /root/app.log", r#"image {"path":"app.log"}"#),
            (
                "rread search -C 2 'a b' /root/app.log --in -1000:",
                r#"search {"pattern":"a b","path":"app.log","context":"2","in":"-1000:"}"#,
            ),
            (
                "rread lines /root/app.log --since 06:00 --time-format '%H:%M', with the format of its times",
                r#"read {"path":"app.log","since":"06:00","time_format":"%H:%M"}, with the format of its times"#,
            ),
            (
                "rread lines /root/app.log -3: --salvage",
                r#"read {"path":"app.log","lines":"-3:","salvage":true}"#,
            ),
            ("--max-bytes 64 is the least", "max_bytes 64 is the least"),
            ("a larger --max-bytes or --max-lines", "a larger max_bytes or max_lines"),
            ("did you mean app.log?", "did you mean app.log?"),
            (
                "pdftotext /root/app.log - | rread lines - 1:20",
                "in a shell: pdftotext app.log - | rread lines - 1:20",
            ),
        ];
        for (line, call) in calls {
            assert_eq!(hint(line).as_deref(), Some(call), "{line}");
        }
        for line in ["rread search a /root/app.log --salvage", "--slack 1h, or leave out --since"] {
            assert_eq!(hint(line), None);
        }
    }

    #[test]
    fn quoted_words_are_words() {
        for line in ["'", "a 'b", "a\\", "a | b", "$(a)", "", " ", "''"] {
            let _ = words(line);
        }
        assert_eq!(words("a  'b c'd \\' ''").unwrap(), ["a", "b cd", "'", ""]);
    }
}
