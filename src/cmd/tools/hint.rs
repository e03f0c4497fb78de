//! Words sentences for clients: settings are arguments, calls are calls of tools, files have the client's names.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::arguments::Tool;
use super::names::Named;
use super::table::{CAPTURE, IMAGE, READ, SEARCH, STAT, VERIFY};
use rread_answer::wording;
use rread_text::address;
use rread_text::error::{Error, Kind};
use rread_text::quote::{inert, quoted_word};
use rread_text::sentence::{Argument, Call, Part, Sentence};

/// `error` of a call of `tool`, in the words of the client.
pub(super) fn translated(error: Error, files: &[Named], tool: &Tool) -> Error {
    let file = error.path.as_ref().and_then(|path| file_at(path, files));
    let hint = match file.filter(|_| error.kind == Kind::IsDirectory) {
        Some(file) => {
            let list = json!({"pattern": "", "path": file.name, "files_only": true});
            Some(format!("search {} lists its files", inert(&list.to_string())))
        }
        None => error.hint.as_ref().and_then(|hint| hint_for(hint, files, tool)),
    };
    let path = file.map(|file| PathBuf::from(&file.name)).or_else(|| error.path.clone());
    // What another tool can do, such as `text` of `read`, is true all the same.
    let word = |part: &Part| {
        let named = words(part, files, tool).or_else(|| words(part, files, &READ));
        named.unwrap_or_else(|| wording::worded(&part.clone().into()))
    };
    let message: String = error.message.parts().iter().map(word).collect();
    Error { path, hint: hint.map(Sentence::from), message: message.into(), ..error }
}

/// `None` if the hint needs an argument that the tool does not have, or a command for which there is no tool, and has no part
/// before or after `, or` that does without.
pub(super) fn hint_for(hint: &Sentence, files: &[Named], tool: &Tool) -> Option<String> {
    let parts = hint.parts();
    let all: Option<String> = parts.iter().map(|part| words(part, files, tool)).collect();
    all.or_else(|| match (parts.first()?, parts.last()?) {
        (Part::Text(text), _) => text.strip_suffix(", or ").map(str::to_owned),
        (_, Part::Text(text)) => Some(text.split_once(", or ")?.1.to_owned()),
        _ => None,
    })
}

fn words(part: &Part, files: &[Named], tool: &Tool) -> Option<String> {
    match part {
        Part::Text(text) => Some(text.clone()),
        Part::Shell(_) => None,
        Part::Path(path) => {
            let name = name(path, files);
            Some(if quoted_word(&name) == name { name } else { inert(&json!(name).to_string()) })
        }
        Part::Setting(setting) => argument(setting, tool),
        Part::Call(call) => tool_call(call, files),
    }
}

/// The file of exactly this path: `zip:a.zip//x` and `zip:a.zip/x` would be equal as paths.
fn file_at<'n>(path: &Path, files: &'n [Named]) -> Option<&'n Named> {
    files.iter().find(|file| file.path.as_os_str() == path.as_os_str())
}

/// The client's name of a file.
fn name(path: &Path, files: &[Named]) -> String {
    let known = file_at(path, files).map(|file| file.name.clone());
    // Another member, or the archive.
    let in_archive = || files.iter().find_map(|file| file.archive.as_ref()?.of(path));
    known.or_else(in_archive).unwrap_or_else(|| address::display(path).into_owned())
}

/// The argument of `tool` that is the setting.
fn argument(setting: &str, tool: &Tool) -> Option<String> {
    let name = match setting {
        "E" => "encoding".to_owned(),
        "fixed-strings" => "fixed".to_owned(),
        "word-regexp" => "word".to_owned(),
        "invert-match" => "invert".to_owned(),
        name => name.replace('-', "_"),
    };
    tool.names().any(|known| known == name).then_some(name)
}

/// The call of a tool; without a file, only what to set in it.
fn tool_call(call: &Call, files: &[Named]) -> Option<String> {
    let (tool, place) = match &*call.command {
        own @ ("lines" | "bytes" | "page") => (&READ, Some(own)),
        "search" => (&SEARCH, Some("pattern")),
        "stat" => (&STAT, None),
        "verify" => (&VERIFY, Some("lines")),
        "image" => (&IMAGE, None),
        "capture" => (&CAPTURE, None),
        _ => return None,
    };
    let (mut arguments, mut settings, mut command) = (Map::new(), Map::new(), None::<Vec<&str>>);
    for one in &call.arguments {
        match (one, &mut command) {
            (Argument::Path(path), _) => {
                arguments.insert("path".to_owned(), json!(name(path, files)));
            }
            (Argument::Word(word), Some(command)) => command.push(word),
            (Argument::Word(word), None) if call.command == "capture" && word == "--" => {
                command = Some(Vec::new())
            }
            (Argument::Word(word), None) => {
                let is_second = arguments.insert(place?.to_owned(), json!(word)).is_some();
                if is_second {
                    return None;
                }
            }
            // The tool lists the members of every archive.
            (Argument::Setting(name, None), _) if name == "list" && call.command == "stat" => {}
            (Argument::Setting(setting, value), _) => {
                let value = value.as_ref().map_or(Value::Bool(true), |value| json!(value));
                settings.insert(argument(setting, tool)?, value);
            }
        }
    }
    arguments.extend(command.map(|command| ("command".to_owned(), json!(command))));
    if arguments.is_empty() {
        let names: Vec<&str> = settings.keys().map(String::as_str).collect();
        return Some(if names.is_empty() { tool.name.to_owned() } else { names.join(" and ") });
    }
    arguments.extend(settings);
    Some(format!("{} {}", tool.name, inert(&Value::Object(arguments).to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rread_text::sentence::{call, did_you_mean, file, setting, shell};

    const ROOT: &str = "/root";

    fn hint_of(tool: &Tool, hint: impl Into<Sentence>) -> Option<String> {
        let file = |name: &str| Named::file(name, Path::new(ROOT).join(name));
        hint_for(&hint.into(), &[file("app.log"), file("it's.log")], tool)
    }

    #[test]
    fn calls_of_tools_are_made_of_commands() {
        let lines = |name: &str| call("lines").file(Path::new(ROOT).join(name));
        let app = || Path::new(ROOT).join("app.log");
        let calls: [(Sentence, &str); 14] = [
            (lines("app.log").word("-20:").into(), r#"read {"path":"app.log","lines":"-20:"}"#),
            (
                call("bytes").file(app()).word("0:256").with("encode", "hexdump").into(),
                r#"read {"path":"app.log","bytes":"0:256","encode":"hexdump"}"#,
            ),
            (
                lines("it's.log").word("1:20").on("text").into(),
                r#"read {"path":"it's.log","lines":"1:20","text":true}"#,
            ),
            (call("page").file(app()).word(-1).into(), r#"read {"path":"app.log","page":"-1"}"#),
            (call("image").file(app()).into(), r#"image {"path":"app.log"}"#),
            (
                call("search").with("context", 2).word("a b").file(app()).with("in", "-1000:").into(),
                r#"search {"pattern":"a b","path":"app.log","context":"2","in":"-1000:"}"#,
            ),
            (
                Sentence::from("give the format of its times: ")
                    .then(lines("app.log").with("since", "06:00").with("time-format", "%H:%M")),
                r#"give the format of its times: read {"path":"app.log","since":"06:00","time_format":"%H:%M"}"#,
            ),
            // Both of two calls, and a call after a question.
            (
                Sentence::from(lines("app.log").with("E", "gbk"))
                    .then(", or ")
                    .then(lines("app.log").with("encoding", "big5")),
                r#"read {"path":"app.log","encoding":"gbk"}, or read {"path":"app.log","encoding":"big5"}"#,
            ),
            (
                did_you_mean(app()).then(" ").then(call("stat").file(app()).on("count")),
                r#"did you mean app.log? stat {"path":"app.log","count":true}"#,
            ),
            (
                call("capture").word("--").word("sh").word("-c").word("a b").into(),
                r#"capture {"command":["sh","-c","a b"]}"#,
            ),
            (
                Sentence::from(call("search").on("fixed-strings"))
                    .then(" takes the pattern as a plain string"),
                "fixed takes the pattern as a plain string",
            ),
            (
                Sentence::from("a larger ").then(setting("page-size")).then(", or ").then(call("lines")),
                "a larger page_size, or read",
            ),
            (
                call("search").on("word-regexp").on("invert-match").word("a").file(app()).on("text").into(),
                r#"search {"pattern":"a","path":"app.log","word":true,"invert":true,"text":true}"#,
            ),
            (call("stat").file(app()).on("list").into(), r#"stat {"path":"app.log"}"#),
        ];
        for (hint, call) in calls {
            assert_eq!(hint_of(&READ, hint.clone()).as_deref(), Some(call), "{hint:?}");
        }
    }

    #[test]
    fn a_hint_that_the_called_tool_cannot_follow_is_left_out() {
        assert_eq!(hint_of(&READ, setting("salvage").then(" helps")).as_deref(), Some("salvage helps"));
        let either = Sentence::from("to_date(d), or ").then(setting("date-order")).then(" dmy");
        assert_eq!(hint_of(&READ, either).as_deref(), Some("to_date(d)"));
        let either = setting("decimal").then(" ',', or replace(a, ',', '.')");
        assert_eq!(hint_of(&READ, either).as_deref(), Some("replace(a, ',', '.')"));
        for (tool, hint) in [
            (&SEARCH, setting("salvage").then(" helps")),
            (&STAT, setting("max-bytes").then(" 64 is the least")),
            (&READ, setting("slack").then(" 1h, or leave out ").then(setting("since"))),
            (&READ, call("search").word("a").file("app.log").on("salvage").into()),
            (&READ, call("where").file("app.log").into()),
            (&CAPTURE, call("capture").word("list").into()),
            (&READ, call("lines").file("app.log").word(1).word(2).into()),
            (&READ, shell("pdftotext ").then(file("it's.log")).then(shell(" -")).piped_to_lines("1:20")),
        ] {
            assert_eq!(hint_of(tool, hint.clone()), None, "{hint:?}");
        }
    }
}
