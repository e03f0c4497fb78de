//! The JSON Schema of every answer and the page of all keys, made from the types of this module and compared with their
//! committed forms, `schema.json` and `docs/keys.md`.
#![allow(clippy::unwrap_used)]

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::Path;

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings, json_schema};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::capture::{CAPTURE, CapturedMembers, LAST_PAGE, LastPageMembers};
use super::content::{InvalidInfo, NextInfo, NextSearch};
use super::doctor::INDEX;
use super::envelope::{ErrorMembers, NoteMembers, Plain, Reason};
use super::json::{keys, null_is_said};
use super::query::{FilesListed, FoundMatch, MatchedLines, QUERY, QueryMembers, SEARCH};
use super::records::{Batch, FollowEnd, FollowEvent, MERGED, MergedInfo, MergedRun, NextMerge};
use super::slice::{SLICE, SegmentMembers, SliceMembers};
use super::stat::{BYTE, IMAGE, ImageMembers, LINE, STAT};
use super::values_tests::VALUES;
use super::verification::{LineSpan, MismatchInfo, VERIFICATION, VerificationMembers};
use super::{
    BuildInfo, ByteInfo, DoctorInfo, DroppedCaptures, IndexAbsent, IndexBuilt, IndexShown, IndexesCleared,
    LeftOut, LineInfo, ListInfo, ListedCapture, ListedIndex, MemberInfo, MembersInfo, NameInfo, SavedCapture,
    StatError, StatInfo, WholeFile, WholeFiles,
};
use crate::format::{BRIEF, OF_MANY};

/// Content and its receipt.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "{T}_answer")]
struct Answer<T> {
    /// The content as text, or in the encoding that `encode` names. A byte order mark at the start of the file is left out.
    /// Left out with --metadata-only.
    #[serde(skip_serializing_if = "String::is_empty")]
    content: String,
    /// The receipt.
    metadata: T,
}

/// Content that was captured, and its receipt.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "capture_answer")]
struct CaptureAnswer {
    /// The first page, or all of it if it is short. Left out with --metadata-only.
    #[serde(skip_serializing_if = "String::is_empty")]
    content: String,
    /// The last page, if the command failed and there is more than the first one.
    #[serde(skip_serializing_if = "String::is_empty")]
    last_page: String,
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
    Run(Answer<MergedRun>),
    Unsearched {
        #[serde(flatten)]
        reason: Reason,
        #[serde(flatten)]
        answer: Answer<&'a NameInfo>,
    },
    Failed {
        #[serde(flatten)]
        reason: Reason,
        #[serde(flatten)]
        answer: Answer<SegmentMembers<'a>>,
    },
    Brief(Answer<Brief>),
    FailedBriefly {
        #[serde(flatten)]
        reason: Reason,
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
    Merged(MergedInfo),
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
    Brief(BriefStat),
}

/// Places in several files: the answer of `where` to a pattern of members.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "where_answers")]
struct Positions {
    /// The members, in the order of the archive.
    files: Vec<PositionOfSeveral>,
}

/// The place in one of several files, or why there is none.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "where_of_several")]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, dead_code)]
enum PositionOfSeveral {
    Byte(ByteInfo),
    Line(LineInfo),
    Failed(StatError),
}

/// All indexes: the answer of `index list`.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "index_list")]
struct Indexes {
    /// The indexes, the most recently used first.
    indexes: Vec<ListedIndex>,
}

/// An answer of `index` about one file, or about the removed indexes.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "index_action")]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, dead_code)]
enum IndexAction {
    Built(IndexBuilt),
    Shown(IndexShown),
    Absent(IndexAbsent),
    Cleared(IndexesCleared),
}

/// An answer of `capture list`, `save` or `drop`.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "capture_action")]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, dead_code)]
enum CaptureAction {
    Listed(ListedCapture),
    Saved(SavedCapture),
    Dropped(DroppedCaptures),
}

/// The captures of this session: the answer of `capture list`.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "capture_list")]
struct Captures {
    /// The captures, the oldest first.
    captures: Vec<CaptureAction>,
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

/// A receipt with --brief: its members are those of the whole receipts, and may have fewer words.
#[derive(Serialize)]
struct Brief;

impl JsonSchema for Brief {
    fn schema_name() -> Cow<'static, str> {
        "brief".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut all = Map::new();
        all.extend(briefly::<WholeFile<'_>>(generator, ""));
        all.extend(briefly::<SegmentMembers<'_>>(generator, "").filter(|(name, _)| name != "page"));
        all.extend(briefly::<MatchedLines>(generator, "windows"));
        all.extend(briefly::<MergedInfo>(generator, "merged records matched_lines out_of_order files"));
        all.extend(briefly::<CapturedMembers>(
            generator,
            "fd exit_status signal kept_to binary last_page evicted",
        ));
        all.extend(briefly::<VerificationMembers<'_>>(
            generator,
            "summary mismatches remaps affected_ranges new_ranges",
        ));
        all.shift_remove("content_bytes");
        all.extend(properties::<BriefWords>(generator));
        let words =
            "A receipt with --brief: where the content is, how to go on, and what is out of the ordinary.";
        json_schema!({ "type": "object", "properties": all, "description": words })
    }
}

fn properties<T: JsonSchema>(generator: &mut SchemaGenerator) -> Map<String, Value> {
    let mut schema = T::json_schema(generator);
    match schema.remove("properties") {
        Some(Value::Object(properties)) => properties,
        _ => Map::new(),
    }
}

/// The members of `T` that --brief shows, `own` beside those of every receipt.
fn briefly<T: JsonSchema>(
    generator: &mut SchemaGenerator,
    own: &'static str,
) -> impl Iterator<Item = (String, Value)> {
    let shown: HashSet<&str> = keys(BRIEF).chain(keys(own)).chain(OF_MANY).collect();
    let of_query =
        ["QueryMembers", "FilesListed"].iter().any(|name| std::any::type_name::<T>().contains(name));
    let properties = properties::<T>(generator).into_iter();
    properties.filter(move |(name, _)| shown.contains(&**name) && !(of_query && name == "content_bytes"))
}

/// Objects of --brief with those members of whole ones that it shows.
macro_rules! brief {
    ($($name:ident $schema:literal of $($rows:ty = $own:expr),+ => $words:literal;)+) => {$(
        #[derive(Serialize)]
        struct $name;

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                $schema.into()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                let mut all = Map::new();
                $(all.extend(briefly::<$rows>(generator, $own));)+
                json_schema!({ "type": "object", "properties": all, "description": $words })
            }
        }
    )+};
}

const OF_QUERY: &str = "files_unreadable first_unreadable other_sheets header_hint rows_returned skipped_rows first_skipped \
    unparsed first_unparsed unknown_members first_unknown repeated_members first_repeated retried";

brief! {
    BriefStat "brief_stat" of StatInfo = StatInfo::BRIEF, StatError = StatError::BRIEF => "What a file is, with --brief, or why rread cannot examine it.";
    BriefQuery "brief_query" of QueryMembers<'_> = OF_QUERY => "The receipt of select with --brief.";
    BriefFilesListed "brief_files_listed" of FilesListed = FilesListed::BRIEF => "The names of the files of a query, with --brief.";
    BriefMember "brief_member" of MemberInfo = MemberInfo::BRIEF => "A member of an archive, with --brief.";
    BriefMembers "brief_members" of MembersInfo = MembersInfo::BRIEF => "The archive of the members, with --brief.";
}

/// The members of an archive with --brief.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "brief_member_list")]
struct BriefMemberList {
    /// The members, in the order of the archive.
    members: Vec<BriefMember>,
    /// The archive.
    metadata: BriefMembers,
}

/// Members that --brief words or writes in another way than whole receipts.
#[derive(Serialize, JsonSchema)]
struct BriefWords {
    /// The file as it was named, if the answer is about several files.
    path: Option<String>,
    /// The handle of a capture.
    fd: Option<String>,
    /// The exit status of a captured command.
    exit_status: Option<u64>,
    /// The signal that ended a captured command.
    signal: Option<String>,
    /// The limit that a capture reached.
    kept_to: Option<String>,
    /// A capture is binary, and there is no preview; left out for text.
    binary: Option<bool>,
    /// The part that the last page of a capture is.
    last_page: Option<LastPageMembers>,
    /// The lines of the content, or its bytes if the lines are unknown.
    actual_range: Option<BriefRange>,
    /// The number of lines of the file; null if unknown.
    total_lines: Option<Option<u64>>,
    /// How many matches there are in the searched bytes; of a group of lines, the matches in it.
    matches: Option<BriefMatches>,
    /// Whether a budget cut the content.
    truncated: bool,
    /// How many lines --max-columns clipped.
    clipped_lines: Option<u64>,
    /// Sequences that are not valid.
    invalid_utf8: Option<InvalidInfo>,
    /// The option that reads the text in the guessed encoding, such as -E windows-1250.
    encoding_hint: Option<String>,
    /// How to go on; left out at the end of the file.
    next: Option<BriefNext>,
    /// How many anchors have each status; left out if all match.
    summary: Option<String>,
    /// The anchors of lines that changed or are gone, in the order of lines.
    mismatches: Option<Vec<MismatchInfo>>,
    /// The lines that changed, and those where lines are gone.
    affected_ranges: Option<Vec<LineSpan>>,
}

/// Lines, end included, or bytes, end not included.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "brief_range")]
#[serde(untagged)]
#[allow(dead_code)]
enum BriefRange {
    /// Lines from 1, end included.
    Lines {
        /// The first line.
        start_line: u64,
        /// The last line; null if unknown.
        end_line: Option<u64>,
    },
    /// Bytes from 0, end not included.
    Bytes {
        /// The number of the first line: null, because it is unknown.
        #[serde(skip_serializing_if = "Option::is_none")]
        start_line: Option<()>,
        /// The number of the last line: null, because it is unknown.
        #[serde(skip_serializing_if = "Option::is_none")]
        end_line: Option<()>,
        /// The first byte.
        start_byte: u64,
        /// Past the last byte.
        end_byte: u64,
    },
}

/// How many matches there are, or the matches of a group of lines.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "brief_matches")]
#[serde(untagged)]
#[allow(dead_code)]
enum BriefMatches {
    Count(u64),
    Found(Vec<FoundMatch>),
}

/// How to go on with a slice, with a search or with a merge.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "brief_next")]
#[serde(untagged)]
#[allow(dead_code)]
enum BriefNext {
    Slice(NextInfo),
    Search(NextSearch),
    Merge(NextMerge),
}

/// The receipt of several files with --brief.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "brief_files")]
#[allow(dead_code)]
struct BriefFiles {
    /// Every file, in the order of the answer.
    files: Vec<Brief>,
    /// Whether a budget cut any of the segments.
    truncated: bool,
    /// The files that a search did not read, by the reason.
    left_out: Option<LeftOut>,
}

fn answers(generator: &mut SchemaGenerator) -> Vec<Schema> {
    vec![
        generator.subschema_for::<Answer<SliceMembers<'_>>>(),
        generator.subschema_for::<Answer<Brief>>(),
        generator.subschema_for::<Segments<'_>>(),
        generator.subschema_for::<StatInfo>(),
        generator.subschema_for::<BriefStat>(),
        generator.subschema_for::<Stats>(),
        generator.subschema_for::<Members>(),
        generator.subschema_for::<BriefMemberList>(),
        generator.subschema_for::<Answer<VerificationMembers<'_>>>(),
        generator.subschema_for::<ByteInfo>(),
        generator.subschema_for::<LineInfo>(),
        generator.subschema_for::<Positions>(),
        generator.subschema_for::<IndexAction>(),
        generator.subschema_for::<Indexes>(),
        generator.subschema_for::<CaptureAnswer>(),
        generator.subschema_for::<Captures>(),
        generator.subschema_for::<CaptureAction>(),
        generator.subschema_for::<Answer<ImageMembers<'_>>>(),
        generator.subschema_for::<Answer<QueryMembers<'_>>>(),
        generator.subschema_for::<Answer<BriefQuery>>(),
        generator.subschema_for::<Answer<FilesListed>>(),
        generator.subschema_for::<Answer<BriefFilesListed>>(),
        generator.subschema_for::<Answer<ListInfo>>(),
        generator.subschema_for::<DoctorInfo>(),
        generator.subschema_for::<BuildInfo>(),
        generator.subschema_for::<Batch<'_>>(),
        generator.subschema_for::<FollowEvent<'_>>(),
        generator.subschema_for::<FollowEnd>(),
        generator.subschema_for::<ErrorMembers>(),
        generator.subschema_for::<NoteMembers<'_>>(),
    ]
}

pub(super) fn schema() -> Value {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let answers: Vec<Value> = answers(&mut generator).into_iter().map(Value::from).collect();
    let mut definitions = generator.take_definitions(true);
    definitions.iter_mut().for_each(|(name, definition)| present(name, definition));
    add_values(&mut definitions);
    definitions.values_mut().for_each(exact);
    for name in ["slice", "file", "verification"] {
        if let Some(Value::Array(required)) = definitions.get_mut(name).and_then(|it| it.get_mut("required"))
        {
            required.extend(ALWAYS.map(Value::from));
            if name == "slice" {
                required.insert(3, "requested_range".into());
            }
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

/// A member that may be absent is not null if it is there, but for those that may be both.
fn present(name: &str, schema: &mut Value) {
    if let Value::Object(object) = schema {
        let words = object.contains_key("required").then(|| object.shift_remove("description")).flatten();
        object.extend(words.map(|words| ("description".to_owned(), words)));
        let properties = object.get("properties").cloned().unwrap_or_default();
        if let Some(Value::Array(required)) = object.get_mut("required") {
            required.retain(|member| {
                let member = member.as_str().unwrap();
                null_is_said(member) || !may_be_null(&properties[member])
            });
        }
        let required = object.get("required").cloned().unwrap_or_default();
        let required: Vec<&str> =
            required.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        if let Some(Value::Object(properties)) = object.get_mut("properties") {
            let has_scanned = properties.contains_key("bytes_scanned");
            let is_page = properties.contains_key("continued");
            for (member, property) in properties.iter_mut() {
                let is_both = match &**member {
                    "version" => has_scanned,
                    "pages" => is_page,
                    "start_line" | "end_line" => ["actual_range", "brief_range"].contains(&name),
                    "actual" => name == "mismatch",
                    "total_lines" => name == "brief",
                    _ => false,
                };
                if !is_both && !required.contains(&&**member) {
                    remove_null(property);
                }
            }
        }
    }
    children(schema).for_each(|child| present(name, child));
}

fn may_be_null(property: &Value) -> bool {
    let is_null = |value: &Value| *value == "null" || value["type"] == "null";
    ["type", "anyOf"].iter().any(|key| property[key].as_array().is_some_and(|all| all.iter().any(is_null)))
}

fn remove_null(property: &mut Value) {
    let Value::Object(members) = property else { return };
    if let Some(Value::Array(types)) = members.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = &types[..] {
            members["type"] = only.clone();
        }
    }
    if let Some([target, Value::Object(null)]) =
        members.get("anyOf").and_then(Value::as_array).map(Vec::as_slice)
        && null["type"] == "null"
        && let Value::Object(target) = target.clone()
    {
        let description = members.shift_remove("description");
        *members = target;
        members.extend(description.map(|words| ("description".to_owned(), words)));
    }
}

fn add_values(definitions: &mut Map<String, Value>) {
    let mut all = Value::Object(std::mem::take(definitions));
    for (place, values) in VALUES.iter().filter(|(place, _)| place.starts_with('/')) {
        let Some(Value::Object(member)) = all.pointer_mut(place) else { panic!("nothing is at {place}") };
        // One value of several records is still a list of them.
        let is_constant = values.len() == 1 && !place.ends_with("/event");
        let (name, values) = if is_constant { ("const", json!(values[0])) } else { ("enum", json!(values)) };
        member.insert(name.to_owned(), values);
    }
    add_values_by_name(&mut all);
    if let Value::Object(all) = all {
        *definitions = all;
    }
}

fn add_values_by_name(schema: &mut Value) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for (name, property) in properties.iter_mut() {
            let values = VALUES.iter().find(|(place, _)| place == name);
            if let (Some((_, values)), Value::Object(property)) = (values, property)
                && property.get("type") == Some(&json!("string"))
                && !property.contains_key("enum")
            {
                property.insert("enum".to_owned(), json!(values));
            }
        }
    }
    children(schema).for_each(add_values_by_name);
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
        if members.contains_key("properties")
            && !members.contains_key("oneOf")
            && !members.contains_key("anyOf")
        {
            members.insert("additionalProperties".to_owned(), json!(false));
        }
    }
    children(schema).for_each(exact);
}

#[test]
fn the_committed_schema_is_that_of_the_types() {
    compare(
        "crates/answer/src/schema.json",
        &format!("{}\n", serde_json::to_string_pretty(&schema()).unwrap()),
    );
}

/// Compares the file with what was made, which is written to it first with `RREAD_REGENERATE`.
pub(super) fn compare(file: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    if std::env::var_os("RREAD_REGENERATE").is_some() {
        std::fs::write(&path, made).unwrap();
    }
    let is_same = std::fs::read_to_string(path).unwrap() == made;
    assert!(is_same, "{file} is not current: .ci/regenerate");
}

/// The names of the members of `T`.
fn members_of<T: JsonSchema>() -> HashSet<String> {
    let generator = &mut SchemaSettings::draft2020_12().for_serialize().into_generator();
    properties::<T>(generator).keys().cloned().collect()
}

#[test]
fn keys_for_people_are_members_of_json_or_words_of_their_own() {
    let mut wrong = Vec::new();
    let mut check = |order: &'static str, json: HashSet<String>, words: &'static str| {
        let is_word = |key: &str| words.split(' ').any(|word| word == key);
        wrong.extend(keys(order).filter(|key| !json.contains(*key) && !is_word(key)));
        wrong.extend(words.split_whitespace().filter(|word| keys(order).all(|key| key != *word)));
    };
    check(
        SLICE,
        members_of::<SliceMembers<'_>>(),
        "lines range total on_pages requested adjusted error kind next fd",
    );
    check(SEARCH, members_of::<WholeFile<'_>>(), "error kind searched total on_pages truncated next");
    check(MERGED, members_of::<MergedInfo>(), "next");
    check(
        VERIFICATION,
        members_of::<VerificationMembers<'_>>(),
        "total unchanged mismatches moved remaps affected_ranges truncated next",
    );
    check(CAPTURE, members_of::<CapturedMembers>(), "bytes_produced bytes_kept lines range total next");
    check(LAST_PAGE, members_of::<LastPageMembers>(), "fd lines range");
    check(QUERY, members_of::<QueryMembers<'_>>(), "next columns");
    check(IMAGE, members_of::<ImageMembers<'_>>(), "");
    check(STAT, members_of::<StatInfo>(), "");
    check(BYTE, members_of::<ByteInfo>(), "");
    check(LINE, members_of::<LineInfo>(), "");
    let mut of_index = members_of::<IndexShown>();
    of_index.extend(members_of::<IndexBuilt>());
    check(INDEX, of_index, "");
    assert!(wrong.is_empty(), "{wrong:?}");
}
