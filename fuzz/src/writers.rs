//! What the writers of frontmatter, JSON and XML write, parsers of others read: the same facts and the same content.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::LazyLock;

use roxmltree::Document;
use rread_answer::format::capture_error;
use rread_answer::receipt::{json as to_json, yaml as to_yaml};
use rread_text::error::{Error, Kind};
use serde_norway::Value;
use tinyjson::JsonValue;

use crate::input::Input;
use crate::program::{Folder, Run, run as rread};

static FOLDER: LazyLock<Folder> = LazyLock::new(Folder::new);

/// Commands with content, with what is between them and the file, and behind it.
const COMMANDS: [&[&str]; 8] = [
    &["lines"],
    &["lines", "1:3"],
    &["lines", "1,2:,-1:"],
    &["lines", "-2:", "--header", "1"],
    &["bytes", "1:"],
    &["bytes", "0:5,3:7,2:2"],
    &["page", "1"],
    &["ranges", "1", "b0:4", "9"],
];

const OPTIONS: [&[&str]; 7] = [
    &[],
    &["-n"],
    &["--hash"],
    &["--max-bytes", "9"],
    &["--max-columns", "3"],
    &["--invalid", "escape"],
    &["--max-lines", "2"],
];

pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    if input.one_in(4) {
        facts(&mut input);
    } else {
        answers(input);
    }
}

/// Facts alone, with any words in them.
fn facts(input: &mut Input) {
    let (word, other, item) = (input.words(40), input.words(20), input.words(20));
    let number = input.edgy();
    let facts = serde_json::json!({
        "text": word, "list": [other, item, word], "number": number, "nothing": null, "flag": input.one_in(2),
        "pairs": { &other: &item },
    });
    let yaml = to_yaml(&facts).unwrap();
    let read: Value = serde_norway::from_str(&yaml).unwrap_or_else(|error| panic!("{error}: {yaml}"));
    let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("no text: {yaml}")).to_owned();
    assert_eq!(text(&read["text"]), word, "{yaml}");
    let list = read["list"].as_sequence().unwrap();
    assert_eq!(list.iter().map(text).collect::<Vec<_>>(), [&other[..], &item, &word], "{yaml}");
    assert_eq!(read["number"].as_u64(), Some(number), "{yaml}");
    assert!(read["nothing"].is_null() && read["flag"].is_bool(), "{yaml}");
    let pairs: Vec<_> = read["pairs"].as_mapping().unwrap().iter().map(|(a, b)| (text(a), text(b))).collect();
    assert_eq!(pairs, [(other.clone(), item.clone())], "{yaml}");
    // A document in a document: nothing of it may end the envelope.
    assert!(!yaml.lines().any(|line| line == "---" || line == "..."), "{yaml}");
    let json = to_json(&facts).unwrap();
    let read: JsonValue = json.parse().unwrap_or_else(|error| panic!("{error}: {json}"));
    assert_eq!(read["text"].get::<String>(), Some(&word), "{json}");
    assert_eq!(read["pairs"][other.as_str()].get::<String>(), Some(&item), "{json}");
    let error = Error::new(Kind::Io, word).hint(other);
    let xml = capture_error(&item, &error);
    let parsed = Document::parse(&xml).unwrap_or_else(|error| panic!("{error}: {xml}"));
    assert_eq!(parsed.root_element().attribute("fd"), Some(&*held(&item)), "{xml}");
}

/// What XML 1.0 can hold (section 2.2); anything else becomes U+FFFD.
fn held(text: &str) -> String {
    let is_held = |c: &char| matches!(c, '\t' | '\n' | '\r' | ' '..) && !matches!(c, '\u{FFFE}' | '\u{FFFF}');
    text.chars().map(|c| if is_held(&c) { c } else { '\u{FFFD}' }).collect()
}

/// Answers about a file with any name and any content, in every format.
fn answers(mut input: Input) {
    let command = input.pick(&COMMANDS);
    let options = input.pick(&OPTIONS);
    let name: Vec<u8> =
        input.bytes(30).iter().map(|b| if matches!(b, 0 | b'/') { b'_' } else { *b }).collect();
    let name = if matches!(&name[..], b"" | b"." | b"..") { b"f".to_vec() } else { name };
    let name = OsStr::from_bytes(&name);
    let content = input.rest();
    let path = FOLDER.file(name, content);
    let (first, ranges) = command.split_first().unwrap();
    let fixed = ["--no-index", "--text", "--no-decompress", "-f"];
    let answer = |format: &str| {
        let file = [OsStr::new(*first), path.as_os_str()];
        let words = ranges.iter().chain(options).copied().chain(fixed).chain([format]);
        rread(&file.into_iter().chain(words.map(OsStr::new)).collect::<Vec<_>>())
    };
    let [text, yaml, json, xml] = ["text", "frontmatter", "json", "xml"].map(answer);
    std::fs::remove_file(&path).unwrap();
    let codes = [text.code, yaml.code, json.code, xml.code];
    assert!(codes.iter().all(|code| *code == text.code), "exit {codes:?}: {}", text.told());
    if json.code != 0 {
        refused(&json, &path);
    }
    if yaml.stdout.is_empty() {
        return;
    }
    let expected = String::from_utf8(text.stdout).unwrap();
    let blocks = frontmatter(&yaml.stdout, &path);
    let joined: String = blocks.iter().map(|(_, content)| content.as_str()).collect();
    assert_eq!(joined, expected, "frontmatter");
    let contents: Vec<&str> = blocks.iter().map(|(_, content)| content.as_str()).collect();
    assert_eq!(json_contents(&json, &path), contents);
    xml_agrees(&xml, &blocks);
    let is_whole = command.len() == 1 && options.is_empty();
    if is_whole && !has_mark(content) && is_utf8(&blocks[0].0) {
        assert_eq!(joined, String::from_utf8_lossy(content));
    }
}

fn has_mark(content: &[u8]) -> bool {
    [&b"\xEF\xBB\xBF"[..], b"\xFF\xFE", b"\xFE\xFF", b"\0\0\xFE\xFF"]
        .iter()
        .any(|mark| content.starts_with(mark))
}

fn is_utf8(facts: &BTreeMap<String, String>) -> bool {
    facts.get("encoding").is_none_or(|encoding| encoding == "unknown-8bit")
}

/// An error in JSON says what and where.
fn refused(run: &Run, path: &Path) {
    let text = run.told();
    let object = text.lines().last().unwrap_or_default();
    let error: JsonValue = object.parse().unwrap_or_else(|cause| panic!("{cause}: {text}"));
    assert!(!error["error"].get::<String>().unwrap().is_empty(), "{text}");
    // What is wrong with the command alone is about no file.
    if error["kind"].get::<String>().unwrap() != "usage" {
        assert_eq!(error["path"].get::<String>().unwrap(), &path.to_string_lossy(), "{text}");
    }
}

/// The envelopes, flat as attributes are, each with its content.
fn frontmatter(answer: &[u8], path: &Path) -> Vec<(BTreeMap<String, String>, String)> {
    let mut rest = std::str::from_utf8(answer).unwrap();
    let mut blocks = Vec::new();
    while !rest.is_empty() {
        let block = rest.strip_prefix("---\n").unwrap_or_else(|| panic!("no envelope at {rest:?}"));
        let (yaml, behind) = block.split_once("\n---\n").unwrap();
        let read: Value = serde_norway::from_str(yaml).unwrap_or_else(|error| panic!("{error}: {yaml}"));
        assert_eq!(read["path"].as_str(), Some(&*path.to_string_lossy()), "{yaml}");
        let count = usize::try_from(read["content_bytes"].as_u64().unwrap()).unwrap();
        blocks.push((flat(&read), behind[..count].to_owned()));
        rest = &behind[count..];
    }
    blocks
}

fn flat(facts: &Value) -> BTreeMap<String, String> {
    let mut flat = BTreeMap::new();
    for (key, value) in facts.as_mapping().unwrap() {
        let key = key.as_str().unwrap();
        match value {
            Value::Mapping(inner) => {
                for (part, value) in inner {
                    flat.insert(format!("{key}_{}", part.as_str().unwrap()), scalar(value));
                }
            }
            Value::Sequence(items) => {
                let items: Vec<String> = items.iter().map(scalar).collect();
                flat.insert(key.to_owned(), items.join(" "));
            }
            value => drop(flat.insert(key.to_owned(), scalar(value))),
        }
    }
    flat
}

fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        other => panic!("{other:?}"),
    }
}

/// The contents of the segments, or of the one that there is.
fn json_contents(run: &Run, path: &Path) -> Vec<String> {
    let text = std::str::from_utf8(&run.stdout).unwrap();
    let answer: JsonValue = text.parse().unwrap_or_else(|error| panic!("{error}: {text}"));
    let name = answer["metadata"]["path"].get::<String>().unwrap();
    assert_eq!(*name, path.to_string_lossy(), "{text}");
    let members: &std::collections::HashMap<String, JsonValue> = answer.get().unwrap();
    let content = |segment: &JsonValue| segment["content"].get::<String>().unwrap().clone();
    match members.get("segments") {
        Some(segments) => segments.get::<Vec<JsonValue>>().unwrap().iter().map(content).collect(),
        None => vec![content(&answer)],
    }
}

/// The same attributes and the same text, but for what XML cannot hold.
fn xml_agrees(run: &Run, blocks: &[(BTreeMap<String, String>, String)]) {
    let text = std::str::from_utf8(&run.stdout).unwrap();
    let parsed = Document::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let parts: Vec<_> = parsed.descendants().filter(|node| node.has_tag_name("file_content")).collect();
    assert_eq!(parts.len(), blocks.len(), "{text}");
    for (part, (facts, content)) in parts.iter().zip(blocks) {
        let attributes: BTreeMap<String, String> =
            part.attributes().map(|a| (a.name().to_owned(), a.value().to_owned())).collect();
        let facts: BTreeMap<String, String> =
            facts.iter().map(|(key, value)| (key.clone(), held(value))).collect();
        assert_eq!(attributes, facts, "{text}");
        assert_eq!(part.text().unwrap_or_default(), held(content), "{text}");
    }
}
