//! The JSON Schema of every answer and the page of all keys, made from the types of this module and compared with their
//! committed forms, `src/schema.json` and `docs/keys.md`.
#![allow(clippy::unwrap_used)]

use std::collections::HashMap;
use std::path::Path;

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::brief::{Brief, BriefFiles};
use super::capture::CapturedMembers;
use super::error::{ErrorMembers, Reason};
use super::file::{NameInfo, WholeFile, WholeFiles};
use super::follow::{Batch, FollowEnd, FollowEvent};
use super::image::ImageMembers;
use super::keys::TABLES;
use super::query::QueryMembers;
use super::search::MatchedLines;
use super::slice::SliceMembers;
use super::slice_receipt::SegmentMembers;
use super::verification::VerificationMembers;
use super::{
    ByteInfo, CapturesInfo, IndexInfo, LineInfo, ListedIndex, MemberInfo, MembersInfo, StatError, StatInfo,
};

/// Content and its receipt.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "{T}_answer")]
struct Answer<T> {
    /// The content as text, or in the encoding that `encode` names. A byte order mark at the start of the file is left out.
    /// Left out with --metadata-only.
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    /// The receipt.
    metadata: T,
}

/// Content that was captured, and its receipt.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "capture_answer")]
struct CaptureAnswer {
    /// The first page, or all of it if it is short. Left out with --metadata-only.
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    /// The last page, if the command failed and there is more than the first one.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_page: Option<String>,
    /// The receipt.
    metadata: CaptureReceipt,
}

/// The receipt of a capture, whole or with --brief.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "capture_receipt")]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, dead_code)]
enum CaptureReceipt {
    Whole(CapturedMembers),
    Brief(Brief),
}

/// One range of several, or a group of lines that a search found: its content and its receipt, or why there is none.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "segment")]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, dead_code)]
enum Segment<'a> {
    Slice(Answer<SegmentMembers<'a>>),
    Matched(Answer<MatchedLines>),
    Unsearched {
        #[serde(flatten)]
        reason: Reason<'a>,
        #[serde(flatten)]
        answer: Answer<&'a NameInfo>,
    },
    Failed {
        #[serde(flatten)]
        reason: Reason<'a>,
        #[serde(flatten)]
        answer: Answer<SegmentMembers<'a>>,
    },
    Brief(Answer<Brief>),
    FailedBriefly {
        #[serde(flatten)]
        reason: Reason<'a>,
        #[serde(flatten)]
        answer: Answer<Brief>,
    },
}

/// Several ranges, several files, or the command `ranges`: a segment for each range, in the order given.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "segments_answer")]
struct Segments<'a> {
    /// The segments, in the order given.
    segments: Vec<Segment<'a>>,
    /// The receipt of the whole answer.
    metadata: Whole<'a>,
}

/// The receipt of the file, or of all files.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "whole")]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, dead_code)]
enum Whole<'a> {
    File(WholeFile<'a>),
    Files(WholeFiles<'a>),
    Brief(Brief),
    BriefFiles(BriefFiles),
}

/// What several files are: the answer of `stat` to more than one file.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "stat_answers")]
struct Stats {
    /// The files, in the order given.
    files: Vec<StatOfSeveral>,
}

/// What one of several files is, or why rread cannot examine it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "stat_of_several")]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, dead_code)]
enum StatOfSeveral {
    Stat(StatInfo),
    Failed(StatError),
}

/// All indexes: the answer of `index list`.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "index_list")]
struct Indexes {
    /// The indexes, the most recently used first.
    indexes: Vec<ListedIndex>,
}

/// The captures of this session: the answer of `capture list`.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "capture_list")]
struct Captures {
    /// The captures, the oldest first.
    captures: Vec<CapturesInfo>,
}

/// The members of an archive: the answer of `stat --list`.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "member_list")]
struct Members {
    /// The members, in the order of the archive.
    members: Vec<MemberInfo>,
    /// The archive.
    metadata: MembersInfo,
}

fn answers(generator: &mut SchemaGenerator) -> Vec<Schema> {
    vec![
        generator.subschema_for::<Answer<SliceMembers<'_>>>(),
        generator.subschema_for::<Answer<Brief>>(),
        generator.subschema_for::<Segments<'_>>(),
        generator.subschema_for::<StatInfo>(),
        generator.subschema_for::<Stats>(),
        generator.subschema_for::<Members>(),
        generator.subschema_for::<Answer<VerificationMembers<'_>>>(),
        generator.subschema_for::<ByteInfo>(),
        generator.subschema_for::<LineInfo>(),
        generator.subschema_for::<IndexInfo>(),
        generator.subschema_for::<Indexes>(),
        generator.subschema_for::<CaptureAnswer>(),
        generator.subschema_for::<Captures>(),
        generator.subschema_for::<CapturesInfo>(),
        generator.subschema_for::<Answer<ImageMembers<'_>>>(),
        generator.subschema_for::<Answer<QueryMembers<'_>>>(),
        generator.subschema_for::<Batch<'_>>(),
        generator.subschema_for::<FollowEvent<'_>>(),
        generator.subschema_for::<FollowEnd>(),
        generator.subschema_for::<ErrorMembers<'_>>(),
    ]
}

fn schema() -> Value {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let answers: Vec<Value> = answers(&mut generator).into_iter().map(Value::from).collect();
    let mut definitions = generator.take_definitions(true);
    definitions.values_mut().for_each(exact);
    for name in ["slice", "file", "verification"] {
        if let Some(Value::Array(required)) = definitions.get_mut(name).and_then(|it| it.get_mut("required"))
        {
            required.extend(ALWAYS.map(Value::from));
        }
    }
    let mut counts = HashMap::new();
    definitions.values_mut().for_each(|definition| count(definition, &mut counts));
    let mut shared = Map::new();
    definitions.values_mut().for_each(|definition| share(definition, &counts, &mut shared));
    definitions.extend(shared);
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Answers and errors of rread in JSON",
        "description": DESCRIPTION,
        "anyOf": answers,
        "$defs": definitions,
    })
}

/// Counts how often each member has the same schema.
fn count(schema: &mut Value, counts: &mut HashMap<(String, String), usize>) {
    if let Some(Value::Object(properties)) = schema.get("properties") {
        for (name, property) in properties {
            *counts.entry((name.clone(), property.to_string())).or_default() += 1;
        }
    }
    children(schema).for_each(|child| count(child, counts));
}

/// Moves a member that several objects share to a definition of its own.
fn share(schema: &mut Value, counts: &HashMap<(String, String), usize>, shared: &mut Map<String, Value>) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for (name, property) in properties {
            let is_common = counts.get(&(name.clone(), property.to_string())).is_some_and(|count| *count > 2);
            let key = format!("member_{name}");
            let is_other = shared.get(&key).is_some_and(|other| other != property);
            if is_common && !is_other {
                let reference = json!({ "$ref": format!("#/$defs/{key}") });
                shared.insert(key, std::mem::replace(property, reference));
            }
        }
    }
    children(schema).for_each(|child| share(child, counts, shared));
}

fn children(schema: &mut Value) -> Box<dyn Iterator<Item = &mut Value> + '_> {
    match schema {
        Value::Object(members) => Box::new(members.values_mut()),
        Value::Array(items) => Box::new(items.iter_mut()),
        _ => Box::new(std::iter::empty()),
    }
}

/// Facts of a file that the receipts of slices and of `verify` always have.
const ALWAYS: [&str; 3] = ["version", "index", "bytes_scanned"];

const DESCRIPTION: &str = "What `rread --format json` writes: one answer on standard output, or one error on standard \
error. An answer in segments may come with an error, if one of its ranges is past the end; so may any answer about \
a damaged compressed file. Bytes, offsets and line numbers are unsigned integers of 64 bits.";

/// Closes every object, and gives integers their limits.
fn exact(schema: &mut Value) {
    if let Value::Object(members) = schema {
        if let Some(Value::String(text)) = members.get_mut("description") {
            *text = text.replace('\n', " ");
        }
        if members.get("format") == Some(&json!("uint64")) {
            members.remove("format");
            members.insert("minimum".to_owned(), json!(0));
            members.insert("maximum".to_owned(), json!(u64::MAX));
        }
        for format in ["int64", "int128", "double"] {
            if members.get("format") == Some(&json!(format)) {
                members.remove("format");
            }
        }
        leave_out_null(members);
        if members.contains_key("properties")
            && !members.contains_key("oneOf")
            && !members.contains_key("anyOf")
        {
            members.insert("additionalProperties".to_owned(), json!(false));
        }
    }
    children(schema).for_each(exact);
}

/// An optional member is never null, unless its description says so.
fn leave_out_null(schema: &mut Map<String, Value>) {
    let required = schema.get("required").cloned().unwrap_or_default();
    let is_required = |name: &str| required.as_array().is_some_and(|names| names.contains(&json!(name)));
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    for (name, property) in properties.iter_mut().filter(|(name, _)| !is_required(name)) {
        let description = property["description"].as_str().unwrap_or_default().to_owned();
        if description.contains("null") || name == "metadata" {
            continue;
        }
        if let Some(types) = property.get_mut("type")
            && let Some([only, Value::String(null)]) = types.as_array().map(Vec::as_slice)
            && null == "null"
        {
            *types = only.clone();
        } else if let Some([only, _]) = property.get("anyOf").and_then(Value::as_array).map(Vec::as_slice) {
            *property = json!({ "description": description, "$ref": only["$ref"] });
        }
    }
}

#[test]
fn the_committed_schema_is_that_of_the_types() {
    compare("src/schema.json", &format!("{}\n", serde_json::to_string_pretty(&schema()).unwrap()));
}

/// Compares the file with what was made, which is written to it first with `RREAD_REGENERATE`.
fn compare(file: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("RREAD_REGENERATE").is_some() {
        std::fs::write(&path, made).unwrap();
    }
    let is_same = std::fs::read_to_string(path).unwrap() == made;
    assert!(is_same, "{file} is not current: .ci/regenerate");
}

/// The kinds of receipts: their title, their keys, and their definition in the schema.
const KINDS: [(&str, &str, &str); 13] = [
    ("A slice or a page (`lines`, `bytes`, `ranges`, `page`)", "SLICE", "slice"),
    ("`search`", "SEARCH", "file"),
    ("`verify`", "VERIFICATION", "verification"),
    ("`stat`", "STAT", "stat"),
    ("`where --byte`", "BYTE", "where_byte"),
    ("`where --line`", "LINE", "where_line"),
    ("`capture`", "CAPTURE", "captured"),
    ("The last page of a failed command (`capture`)", "LAST_PAGE", "last_page"),
    ("`capture list`, `save`, `drop`", "CAPTURES", "capture_action"),
    ("`image`", "IMAGE", "image"),
    ("`select`", "QUERY", "select"),
    ("`index build`, `show`, `clear`", "INDEX", "index_action"),
    ("`index list`", "LISTED_INDEX", "listed_index"),
];

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
    for (title, table, definition) in KINDS {
        let keys = TABLES.iter().find(|(name, _)| *name == table).map(|(_, keys)| *keys).unwrap();
        let mut members = described(&schema, definition);
        page += &format!("\n## {title}\n\n| frontmatter, XML | JSON | |\n|---|---|---|\n");
        let (words, errors) = (members.clone(), described(&schema, "error"));
        for key in keys {
            members.shift_remove(key.json);
            let meaning =
                words.get(key.json).or(errors.get(key.json)).and_then(Value::as_str).unwrap_or_default();
            page += &format!("| `{}` | `{}` | {meaning} |\n", key.brief, key.json);
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
