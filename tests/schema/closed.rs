//! The schema refuses what is almost an answer: with a member more, or less, or of another type, or a contradiction.

use serde_json::{Map, Value, json};

use super::all::outcomes;
use super::calls::{files, run_line};
use super::sample::cases;
use super::{objects, validator};

/// Members that an object may lack without being wrong, with the member that holds the object.
const OPTIONAL: &[(&str, &str)] = &[
    ("", "content"),
    ("", "hint"),
    ("", "path"),
    ("", "path_base64"),
    ("segments", "hint"),
    ("files", "path_base64"),
    ("metadata", "path_base64"),
    ("metadata", "clipped_lines"),
    ("metadata", "header_lines"),
    ("metadata", "invalid_utf8"),
    ("metadata", "encoding"),
    ("metadata", "encode"),
    ("metadata", "bom"),
    // Of a stream, the format may be all that is known.
    ("metadata", "compression"),
    ("metadata", "damaged"),
    ("", "damaged"),
    ("files", "damaged"),
    ("metadata", "compressed_size"),
    ("metadata", "uncompressed_size"),
    ("metadata", "notices"),
    ("", "compression"),
    ("", "compressed_size"),
    ("", "uncompressed_size"),
    ("", "notices"),
    ("files", "compression"),
    ("files", "compressed_size"),
    ("files", "uncompressed_size"),
    ("files", "notices"),
    ("metadata", "next"),
    ("metadata", "name"),
    ("metadata", "kept_to"),
    ("metadata", "evicted"),
    ("metadata", "evicted_elsewhere"),
    ("captures", "name"),
    ("", "chars"),
    ("next", "align"),
    ("", "created"),
    ("last_page", "page"),
    ("last_page", "clipped_lines"),
    ("last_page", "invalid_utf8"),
    ("next", "page_size"),
    ("files", "encode"),
    ("files", "bom"),
    ("", "lines"),
    ("", "estimated_lines"),
    ("", "modified"),
    ("", "mode"),
    ("", "version"),
    ("", "final_newline"),
    ("files", "lines"),
    ("files", "modified"),
    ("files", "mode"),
    ("files", "version"),
];

#[test]
fn the_schema_is_closed() {
    let folder = files();
    let validator = validator();
    let mut tried = 0;
    for outcome in outcomes(folder.path()).into_iter().step_by(cases(1, 3)) {
        for document in outcome.documents() {
            for (change, changed) in changes(document) {
                tried += 1;
                assert!(!validator.is_valid(&changed), "{}: {change} passes:\n  {changed}", outcome.call);
            }
        }
    }
    assert!(tried > cases(5_000, 1_500), "only {tried} changes were tried");
}

/// `document` with one unknown member, without one that it needs, or with one of another type; in every place.
fn changes(document: &Value) -> Vec<(String, Value)> {
    let mut changes = Vec::new();
    let has_several_segments = document["segments"].as_array().is_some_and(|segments| segments.len() > 1);
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
            // Without the content of its only segment an answer is one of --metadata-only.
            let only = holder == "segments" && key == "content" && !has_several_segments;
            // The answers of `where` name the number of lines where an index knows it, and the size of what is
            // compressed or streamed where they came to its end.
            let of_where = document["byte"].is_u64() && ["total", "total_lines"].contains(&key.as_str());
            // Of a compressed file as well.
            let is_packed = object.contains_key("compression");
            let courtesy = of_where || is_packed && ["total", "final_newline"].contains(&key.as_str());
            // Of how many lines there is something to say, the rest of the answer does not tell.
            let courtesy = courtesy || holder == "remaps";
            let courtesy = courtesy || may_lack_of_picture(document, object, &holder, key);
            if !only && !courtesy && !OPTIONAL.contains(&(holder.as_str(), key.as_str())) {
                change(format!("no {key}"), &|object| drop(object.remove(key)));
            }
        }
    }
    changes
}

/// Whether the facts of a picture may lack `key`, which depends on what is known and on there being a size.
fn may_lack_of_picture(document: &Value, facts: &Map<String, Value>, holder: &str, key: &str) -> bool {
    if holder != "metadata" || !facts.contains_key("mime") || !facts.contains_key("format") {
        return false;
    }
    let is = |key: &str, value: Value| facts.get(key) == Some(&value);
    let size = is("format", json!("SVG")) && ["width", "height"].contains(&key);
    let told = ["exact", "file_size", "content_bytes"].contains(&key) && document["content"].is_string();
    let needed = key == "exact" && (is("exact", json!(false)) || facts.contains_key("content_bytes"));
    let known =
        ["version", "mode", "orientation", "frames", "exact", "file_size", "content_bytes"].contains(&key);
    (known || size) && !told && !needed
}

#[test]
fn contradictions_are_no_answers() {
    let folder = files();
    let validator = validator();
    let whole = run_line(folder.path(), "lines app.log").answer.unwrap();
    let cut = run_line(folder.path(), "lines app.log 1:20 --max-lines 3").answer.unwrap();
    let bytes = run_line(folder.path(), "bytes wide.txt 1:4").answer.unwrap();
    let refused = run_line(folder.path(), "lines app.log 900").error.unwrap();
    let wide = run_line(folder.path(), "stat utf16.txt").answer.unwrap();
    let counted = run_line(folder.path(), "stat app.log").answer.unwrap();
    let byte = run_line(folder.path(), "where app.log --byte 1000").answer.unwrap();
    let line = run_line(folder.path(), "where app.log --line 7").answer.unwrap();
    let built = run_line(folder.path(), "index build app.log").answer.unwrap();
    let shown = run_line(folder.path(), "index show app.log").answer.unwrap();
    let edits: [(&Value, &str, &str, Value); 20] = [
        (&whole, "/metadata", "next", json!({"command": "lines", "range": "301:+300"})),
        (&whole, "/metadata", "truncated", json!(true)),
        (&whole, "/metadata", "percent_of_file", json!(100.5)),
        (&whole, "/metadata", "index", json!("maybe")),
        (&cut, "/metadata", "cut_by", json!("max_patience")),
        (&cut, "/metadata", "truncated", json!(false)),
        (&bytes, "/metadata/boundary_adjustments", "start_adjusted", json!(false)),
        (&bytes, "/metadata/requested_range", "start_byte", json!(1.5)),
        (&refused, "", "kind", json!("misfortune")),
        (&wide, "", "encoding", json!("utf-7")),
        (&wide, "", "encoding_source", json!("hope")),
        (&wide, "", "encoding_guess", json!("utf-8")),
        (&counted, "", "estimated_lines", json!(300)),
        (&counted, "", "encoding", json!("latin1")),
        (&byte, "", "column", json!(0)),
        (&byte, "", "range", json!("1000-1001")),
        (&line, "", "range", json!("7")),
        (&built, "", "index", json!("maybe")),
        (&shown, "", "state", json!("grown")),
        (&shown, "", "state", json!("absent")),
    ];
    for (document, place, key, value) in edits {
        assert!(validator.is_valid(document));
        let mut changed = document.clone();
        changed.pointer_mut(place).unwrap()[key] = value;
        assert!(!validator.is_valid(&changed), "{changed}");
    }
}
