//! The page of the documents with every key of every answer, made from the schema.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::capture::{CAPTURE, LAST_PAGE};
use super::doctor::INDEX;
use super::json::keys;
use super::query::{QUERY, SEARCH};
use super::records::MERGED;
use super::schema_tests::{compare, schema};
use super::slice::SLICE;
use super::stat::{BYTE, IMAGE, LINE, STAT};
use super::verification::VERIFICATION;

/// The kinds of receipts: their title, their keys for people in order (all of JSON in place of none), and their definition in
/// the schema.
const KINDS: [(&str, &[&str], &str); 15] = [
    ("A slice or a page (`lines`, `bytes`, `ranges`, `page`)", &[SLICE], "slice"),
    ("`search`", &[SEARCH], "file"),
    ("Files merged by time (`--merge`)", &[MERGED], "merged"),
    ("`verify`", &[VERIFICATION], "verification"),
    ("`stat`", &["NAME error error_kind", STAT], "stat"),
    ("`where --byte`", &[BYTE], "where_byte"),
    ("`where --line`", &[LINE], "where_line"),
    ("`capture`", &[CAPTURE], "captured"),
    ("The last page of a failed command (`capture`)", &[LAST_PAGE], "last_page"),
    ("`capture list`, `save`, `drop`", &[], "capture_action"),
    ("`image`", &[IMAGE], "image"),
    ("`select`", &[QUERY], "select"),
    ("`index build`, `show`, `clear`", &[INDEX, "removed freed_bytes"], "index_action"),
    ("`index list`", &[], "listed_index"),
    ("`doctor`", &[], "doctor"),
];

/// Keys for people, and the member of JSON with the same fact, by the kind of receipt.
const WORDS: [(&str, &str, &str); 9] = [
    ("slice captured", "lines", "actual_range"),
    ("slice captured", "range", "actual_range"),
    ("slice file verification", "total", "file_size"),
    ("slice", "requested", "requested_range"),
    ("slice", "adjusted", "boundary_adjustments"),
    ("slice", "fd", "path"),
    ("verification", "moved", "remaps"),
    ("last_page", "lines", "start_line"),
    ("last_page", "range", "start_byte"),
];

/// The names of keys in frontmatter and in JSON, each once.
fn names(kind: &str, orders: &[&'static str], members: &Map<String, Value>) -> Vec<(String, String)> {
    let json = |key: &str| {
        let differs = |(kinds, word, _): &&(&str, &str, &str)| {
            *word == key && kinds.split_whitespace().any(|one| one == kind)
        };
        WORDS.iter().find(differs).map_or(key, |(_, _, json)| json).to_owned()
    };
    if orders.is_empty() {
        return members.keys().map(|name| (name.clone(), name.clone())).collect();
    }
    let mut seen = HashSet::new();
    let keys = orders.iter().flat_map(|order| keys(order)).filter(|key| seen.insert(*key));
    keys.map(|key| (key.to_owned(), json(key))).collect()
}

/// The members of an object or of one of several, with their descriptions.
fn described(schema: &Value, name: &str) -> Map<String, Value> {
    let definition = &schema["$defs"][name];
    let objects = definition["anyOf"].as_array().map_or(vec![definition], |all| all.iter().collect());
    let mut members = Map::new();
    for (name, property) in objects.iter().flat_map(|object| object["properties"].as_object()).flatten() {
        let target = property["$ref"].as_str().and_then(|link| schema.pointer(&link[1..]));
        let own = property["description"].as_str();
        let words = own.or(target.and_then(|target| target["description"].as_str()));
        members.insert(name.clone(), words.unwrap_or_default().into());
    }
    members
}

/// The page of the documents with every key of every answer.
fn page() -> String {
    let schema = schema();
    let mut page = PAGE.to_owned();
    for (title, orders, definition) in KINDS {
        let mut members = described(&schema, definition);
        page += &format!("\n## {title}\n\n| frontmatter, XML | JSON | |\n|---|---|---|\n");
        let (words, errors) = (members.clone(), described(&schema, "error"));
        for (name, json) in names(definition, orders, &words) {
            members.shift_remove(&json);
            let meaning = words.get(&json).or(errors.get(&json)).and_then(Value::as_str).unwrap_or_default();
            page += &format!("| `{name}` | `{json}` | {meaning} |\n");
        }
        for (name, meaning) in members {
            page += &format!("| | `{name}` | {} |\n", meaning.as_str().unwrap_or_default());
        }
    }
    page
}

const PAGE: &str = "\
# Keys of receipts

`rread lines app.log 1:2` writes a receipt in YAML; `--json` and `--xml` write the same receipt under these names. The
tables are made from the program. Frontmatter and XML have a key only if its value is known and not false. XML writes
`invalid_utf8: {count: 1}` as the attribute `invalid_utf8_count`.
";

#[test]
fn the_page_of_keys_is_that_of_the_program() {
    compare("docs/keys.md", &page());
}
