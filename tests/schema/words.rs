//! The schema itself: everything described, everything closed, everything seen, and the program's own words.

use std::collections::BTreeSet;

use rread_source::Change;
use rread_text::error::Kind;
use serde_json::{Map, Value};

use super::all::outcomes;
use super::{objects, schema};

/// Every schema in `schema` that describes members, with its place.
fn with_properties<'a>(schema: &'a Value, at: &str, found: &mut Vec<(String, &'a Map<String, Value>)>) {
    match schema {
        Value::Object(members) => {
            if members.get("properties").is_some_and(Value::is_object) {
                found.push((at.to_owned(), members));
            }
            members.iter().for_each(|(key, value)| with_properties(value, &format!("{at}/{key}"), found));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(n, item)| with_properties(item, &format!("{at}/{n}"), found));
        }
        _ => {}
    }
}

#[test]
fn every_member_is_described_and_every_object_is_closed() {
    let schema = schema();
    let mut found = Vec::new();
    with_properties(&schema, "", &mut found);
    let of_a_type: Vec<_> = found.into_iter().filter(|(_, members)| members.contains_key("type")).collect();
    assert!(of_a_type.len() > 15, "the schema was not understood");
    for (place, members) in of_a_type {
        assert_eq!(members.get("additionalProperties"), Some(&Value::Bool(false)), "{place} is open");
        for (name, member) in members["properties"].as_object().unwrap() {
            let target = member["$ref"].as_str().and_then(|to| schema.pointer(to.trim_start_matches('#')));
            let described =
                [Some(member), target].into_iter().flatten().any(|m| m["description"].is_string());
            assert!(described, "{place}: {name} has no description");
        }
    }
}

/// Queries have tests of their own, in a build that knows SQL.
const OF_QUERIES: [&str; 8] = [
    "select",
    "brief_query",
    "column",
    "next_rows",
    "select_files",
    "select_files_answer",
    "brief_files_listed",
    "brief_files_listed_answer",
];

#[test]
fn every_member_of_the_schema_is_seen_in_an_answer() {
    let mut seen = BTreeSet::new();
    for outcome in outcomes() {
        for document in outcome.documents() {
            for place in objects(document, "") {
                seen.extend(document.pointer(&place).and_then(Value::as_object).unwrap().keys().cloned());
            }
        }
    }
    // Those of a file that changes meanwhile have a test of their own; not every system takes odd names.
    seen.extend(["notices", "change", "path_base64"].map(str::to_owned));
    // Those of documents are seen in the tests of documents.
    seen.extend(["decoded", "picture_pages", "sheet", "header_row", "on_pages"].map(str::to_owned));
    // What servers say is seen in the tests of object stores.
    let of_objects = ["content_type", "content_encoding", "storage_class", "version_id", "etag"];
    seen.extend(
        ["requests", "list_requests", "bytes_fetched"].into_iter().chain(of_objects).map(str::to_owned),
    );
    // Notes are lines of their own, which another test reads.
    seen.insert("note".to_owned());
    // So many kinds of lines are seen in the tests of the reader.
    seen.insert("other_lines".to_owned());
    // What does not fit a guess is seen in the tests of encodings and times, tables in those of select.
    seen.extend(["guess_contradicted", "guess", "zone_unread", "tables", "plain"].map(str::to_owned));
    // Files that a search does not read, and units, are seen in the tests of search.
    let of_search = ["left_out", "archives", "too_large", "without_times", "hidden", "ignored", "unreadable"];
    seen.extend(
        of_search.into_iter().chain(["links", "more_unreadable", "matched_units"]).map(str::to_owned),
    );
    // Something is wrong in the tests of doctor.
    seen.insert("problem".to_owned());
    // The plan of requests has keys of its own; a release names its commit, and a terminal its size.
    seen.extend(
        ["store", "endpoint", "region", "credentials", "commit", "columns", "rows"].map(str::to_owned),
    );
    if cfg!(not(feature = "thumbnails")) {
        seen.extend(["thumbnail", "thumbnail_mime"].map(str::to_owned));
    }
    let mut schema = schema();
    schema["$defs"].as_object_mut().unwrap().retain(|name, _| !OF_QUERIES.contains(&&**name));
    let mut found = Vec::new();
    with_properties(&schema, "", &mut found);
    let declared = found.iter().flat_map(|(_, members)| members["properties"].as_object().unwrap().keys());
    let unseen: Vec<&String> = declared.filter(|name| !seen.contains(*name)).collect();
    assert!(unseen.is_empty(), "no answer has {unseen:?}");
}

/// All kinds; the match beside it does not compile when there is another.
fn kinds() -> BTreeSet<&'static str> {
    use Kind::*;
    let all = [
        Usage,
        InvalidRange,
        NotFound,
        Permission,
        IsDirectory,
        SpecialFile,
        Io,
        Network,
        Locked,
        Binary,
        OutOfRange,
        InvalidText,
        Changed,
        Mismatch,
        NoMatch,
        Timeout,
        NoRows,
        Write,
        BrokenPipe,
    ];
    for kind in all {
        match kind {
            Usage | InvalidRange | NotFound | Permission | IsDirectory | SpecialFile | Io | Network
            | Locked | Binary => {}
            OutOfRange | InvalidText | Changed | Mismatch | NoMatch | Timeout | NoRows | Write
            | BrokenPipe => {}
        }
    }
    all.map(Kind::name).into()
}

fn changes_of_files() -> BTreeSet<&'static str> {
    use Change::*;
    let all = [Appended, Truncated, Rewritten, Replaced];
    for change in all {
        match change {
            Appended | Truncated | Rewritten | Replaced => {}
        }
    }
    all.map(Change::name).into()
}

#[test]
fn the_words_of_the_schema_are_those_of_the_program() {
    let schema = schema();
    let words = |place: &str| -> BTreeSet<String> {
        let words = schema.pointer(place).unwrap().as_array().unwrap();
        words.iter().map(|word| word.as_str().unwrap().to_owned()).collect()
    };
    let owned = |words: BTreeSet<&str>| words.into_iter().map(str::to_owned).collect::<BTreeSet<_>>();
    assert_eq!(words("/$defs/member_kind/enum"), owned(kinds()));
    assert_eq!(words("/$defs/member_change/enum"), owned(changes_of_files()));
}
