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

/// The kinds of answers: how the page calls them, their keys for people in order (all of JSON in place of none), and their
/// definition in the schema.
const KINDS: [(&str, &[&str], &str); 15] = [
    ("slice", &[SLICE], "slice"),
    ("search", &[SEARCH], "file"),
    ("merge", &[MERGED], "merged"),
    ("verify", &[VERIFICATION], "verification"),
    ("stat", &["NAME error error_kind", STAT], "stat"),
    ("where byte", &[BYTE], "where_byte"),
    ("where line", &[LINE], "where_line"),
    ("capture", &[CAPTURE], "captured"),
    ("last page", &[LAST_PAGE], "last_page"),
    ("captures", &[], "capture_action"),
    ("image", &[IMAGE], "image"),
    ("select", &[QUERY], "select"),
    ("index", &[INDEX, "removed freed_bytes"], "index_action"),
    ("index list", &[], "listed_index"),
    ("doctor", &[], "doctor"),
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

/// A key, with all answers that have it in this meaning.
#[derive(PartialEq)]
struct Row {
    name: String,
    json: String,
    meaning: String,
}

/// The page of the documents with every key of every answer, each meaning once.
fn page() -> String {
    let schema = schema();
    let errors = described(&schema, "error");
    let mut rows: Vec<(Row, Vec<&str>)> = Vec::new();
    for (kind, orders, definition) in KINDS {
        let words = described(&schema, definition);
        let mut members = words.clone();
        let named = names(definition, orders, &words);
        named.iter().for_each(|(_, json)| drop(members.shift_remove(json)));
        let alone = members.keys().map(|json| (String::new(), json.clone()));
        for (name, json) in named.into_iter().chain(alone) {
            let meaning = words.get(&json).or(errors.get(&json)).and_then(Value::as_str).unwrap_or_default();
            let row = Row { name, json, meaning: meaning.to_owned() };
            match rows.iter_mut().find(|(other, _)| *other == row) {
                Some((_, kinds)) => kinds.push(kind),
                None => rows.push((row, vec![kind])),
            }
        }
    }
    let mut page = PAGE.to_owned();
    for (Row { name, json, meaning }, kinds) in rows {
        let name = if name.is_empty() { name } else { format!("`{name}`") };
        let json = if name == format!("`{json}`") { String::new() } else { format!("`{json}`") };
        page += &format!("| {name} | {json} | {} | {meaning} |\n", kinds.join(", "));
    }
    page
}

const PAGE: &str = "\
# Keys of receipts

`rread lines app.log 1:2` writes a receipt in YAML; `--json` and `--xml` write the same receipt under these names. The
table is made from the program. Frontmatter and XML have a key only if its value is known and not false. XML writes
`invalid_utf8: {count: 1}` as the attribute `invalid_utf8_count`.

## All keys

*JSON* is the name in JSON where it is another one, or there is no other. *Answers* that have the key: *slice* is `lines`,
`bytes`, `ranges` and `page`; *merge* the files that `--merge` joins; *where byte* and *where line* are `where --byte` and
`--line`; *last page* is that of a command that failed under `capture`; *captures* are `capture list`, `save` and `drop`;
*index* is `index build`, `show` and `clear`; the others are commands.

| key | JSON | answers | |
|---|---|---|---|
";

#[test]
fn the_page_of_keys_is_that_of_the_program() {
    compare("docs/keys.md", &page());
}
