//! The values that keys may have, and the page of the documents with every key of every answer, made from the schema.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::capture::{CAPTURE, LAST_PAGE};
use super::doctor::INDEX;
use super::envelope::keys;
use super::image::IMAGE;
use super::query::QUERY;
use super::records::MERGED;
use super::schema_tests::{compare, schema};
use super::search::SEARCH;
use super::slice::SLICE;
use super::stat::{BYTE, LINE, STAT};
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

/// The values of members that are words, by their place below the definitions, or by their names alone.
pub(super) const VALUES: &[(&str, &[&str])] = &[
    ("/brief/properties/kept_to", &["limit", "state_limit", "file_size_limit"]),
    ("/capture_action/anyOf/1/properties/saved", &["created", "replaced", "appended"]),
    ("kept_to", &["limit", "state_limit", "file_size_limit"]),
    ("/select/properties/cut_by", &["max_rows", "max_bytes"]),
    ("/brief_query/properties/cut_by", &["max_rows", "max_bytes"]),
    ("cut_by", &["max_bytes", "max_tokens", "max_lines", "max_columns"]),
    ("/next/properties/command", &["bytes", "lines", "page"]),
    ("/next_merge/properties/command", &["ranges", "search"]),
    ("/next_rows/properties/command", &["select"]),
    ("/next_search/properties/command", &["search"]),
    ("/next_lines/properties/command", &["lines"]),
    ("/directory/properties/holds", &["indexes", "hashes", "captures", "temporary_files"]),
    ("/directory/properties/state", &["writable", "absent", "read_only", "off", "unusable"]),
    ("/terminal/properties/colors", &["none", "ansi", "exact"]),
    ("/planned_url/properties/store", &["s3", "gcs", "azure", "http"]),
    ("/error/properties/kind", &KINDS_OF_ERRORS),
    ("/segment/anyOf/3/properties/kind", &KINDS_OF_ERRORS),
    ("/segment/anyOf/4/properties/kind", &KINDS_OF_ERRORS),
    ("/segment/anyOf/6/properties/kind", &KINDS_OF_ERRORS),
    ("index", &["hit", "built", "extended", "none"]),
    ("encoding_source", &["bom", "content", "guess", "option"]),
    ("encode", &["base64", "hex", "hexdump"]),
    ("change", &["appended", "truncated", "replaced", "rewritten"]),
    ("/follow_event/properties/event", &["rotated", "truncated", "appeared", "gone"]),
    ("/follow_end/properties/event", &["end"]),
    (
        "/follow_end/properties/reason",
        &["match", "until", "timeout", "max_bytes", "max_lines", "process", "eof"],
    ),
    ("/image/properties/format", &["PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF", "SVG"]),
    ("/index_action/anyOf/1/properties/state", &["fresh", "grown", "renamed", "stale"]),
    ("/index_action/anyOf/2/properties/state", &["absent"]),
    ("/member/properties/kind", &OF_MEMBERS),
    ("/brief_member/properties/kind", &OF_MEMBERS),
    ("/members/properties/archive", &["tar", "ZIP"]),
    ("/select/properties/input", &["csv", "json", "jsonl", "parquet", "sheet", "sqlite", "lines", "log"]),
    ("/select/properties/output", &["csv", "jsonl", "json", "table"]),
    ("/stat/properties/kind", &["text", "binary"]),
    ("/brief_stat/properties/kind", &["text", "binary"]),
    ("/stat/properties/newline", &["lf", "crlf", "mixed", "cr", "none"]),
    ("/mismatch/properties/status", &["moved", "changed", "gone", "past_end"]),
    ("/format_details/properties/byte_order", &["little", "big"]),
    ("/format_details/properties/encoding", &["utf-8", "utf-16le", "utf-16be"]),
];

const OF_MEMBERS: [&str; 7] = ["file", "directory", "symlink", "hardlink", "device", "fifo", "other"];

const KINDS_OF_ERRORS: [&str; 18] = [
    "usage",
    "invalid_range",
    "not_found",
    "permission",
    "is_directory",
    "special_file",
    "io",
    "network",
    "locked",
    "binary",
    "out_of_range",
    "invalid_text",
    "changed",
    "mismatch",
    "no_match",
    "timeout",
    "no_rows",
    "write",
];
