//! The schema refuses what is almost an answer: with a member more, or less, or of another type.

use rread_testkit::sample::cases;
use serde_json::{Map, Value, json};

use super::all::outcomes;
use super::{objects, validator};

/// Members that the receipt of every slice has.
const NEEDED: [&str; 12] = [
    "path",
    "file_size",
    "requested_range",
    "is_partial",
    "percent_of_file",
    "total_lines",
    "content_bytes",
    "truncated",
    "eof",
    "version",
    "index",
    "bytes_scanned",
];

/// Whether one of several slices has the member; a slice without numbers of lines would be a brief receipt without it.
fn is_needed(key: &str, segment: &Map<String, Value>) -> bool {
    let has_lines = segment["actual_range"].get("start_line").is_some_and(Value::is_number);
    has_lines && segment.contains_key("content_bytes") && ["content_bytes", "truncated"].contains(&key)
}

#[test]
fn the_schema_is_closed() {
    let validator = validator();
    let mut tried = 0;
    for outcome in outcomes().iter().step_by(cases(1, 3)) {
        for document in outcome.documents() {
            for (change, changed) in changes(document) {
                tried += 1;
                assert!(!validator.is_valid(&changed), "{}: {change} passes:\n  {changed}", outcome.call);
            }
        }
    }
    assert!(tried > 3_000, "only {tried} changes were tried");
}

/// `document` with one unknown member, without one that every slice has, or with one of another type; in every place.
fn changes(document: &Value) -> Vec<(String, Value)> {
    let mut changes = Vec::new();
    for pointer in objects(document, "") {
        let holder = pointer.rsplit('/').find(|step| step.parse::<usize>().is_err()).unwrap_or("").to_owned();
        let object = document.pointer(&pointer).and_then(Value::as_object).unwrap();
        let mut change = |what: String, edit: &dyn Fn(&mut Map<String, Value>)| {
            let mut changed = document.clone();
            edit(changed.pointer_mut(&pointer).and_then(Value::as_object_mut).unwrap());
            changes.push((format!("{what} of '{pointer}'"), changed));
        };
        change("an unknown member".to_owned(), &|object| {
            object.insert("unknown".to_owned(), Value::Null);
        });
        for key in object.keys() {
            change(format!("another type of {key}"), &|object| {
                object.insert(key.clone(), json!({"of": ["another", "type"]}));
            });
            if NEEDED.contains(&key.as_str())
                && holder == "metadata"
                && object.contains_key("actual_range")
                && object.contains_key("content_bytes")
                && (!pointer.starts_with("/segments") || is_needed(key, object))
                && !object.contains_key("kept")
            {
                change(format!("no {key}"), &|object| drop(object.remove(key)));
            }
        }
    }
    changes
}
