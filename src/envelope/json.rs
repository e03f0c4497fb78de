//! The envelope of a part in JSON, under names that programs can rely on.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::brief::invalid_counts;
use super::facts::{json, path_base64};
use super::{Answer, Delivered, Facts, PageFacts, Part};
use crate::address;
use crate::content::Encode;
use crate::encoding::Origin;
use crate::error::Error;
use crate::next::Next;
use crate::range::Unit;
use crate::source::Change;

/// The envelope of one part in JSON.
#[derive(Serialize)]
struct Metadata<'a> {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_base64: Option<String>,
    file_size: Option<u64>,
    requested_range: Requested,
    #[serde(skip_serializing_if = "Option::is_none")]
    actual_range: Option<Actual>,
    #[serde(flatten)]
    page: Option<PageMembers>,
    #[serde(skip_serializing_if = "Option::is_none")]
    boundary_adjustments: Option<Adjustments>,
    is_partial: Option<bool>,
    percent_of_file: Option<f64>,
    total_lines: Option<u64>,
    content_bytes: u64,
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut_by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clipped_lines: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    header_lines: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    invalid_utf8: Option<Facts>,
    eof: bool,
    #[serde(flatten)]
    file: FileFacts<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Facts>,
}

/// What was asked, in the terms that it was asked in.
#[derive(Serialize)]
#[serde(untagged)]
enum Requested {
    Range(Ends<i128>),
    Page { page: i128, page_size: u64 },
}

impl Requested {
    fn of(part: &Part) -> Self {
        if let Some(page) = &part.page {
            return Requested::Page { page: page.asked.signed(), page_size: page.size };
        }
        let (start, end) = part.asked.asked_ends();
        Requested::Range(Ends { unit: part.asked.unit, start, end })
    }
}

/// Where a page stands among the others.
#[derive(Serialize)]
struct PageMembers {
    page: u64,
    pages: Option<u64>,
    continued: bool,
}

impl From<&PageFacts> for PageMembers {
    fn from(facts: &PageFacts) -> Self {
        PageMembers { page: facts.page.number, pages: facts.pages, continued: facts.page.continued }
    }
}

/// What JSON says of the file beside its size.
#[derive(Serialize)]
struct FileFacts<'a> {
    version: Option<&'a str>,
    index: &'static str,
    bytes_scanned: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    requests: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_fetched: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding_source: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding_guess: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding_hint: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encode: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bom: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compression: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compressed_size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uncompressed_size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    damaged: Option<Damage<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<&'static str>,
}

/// Where the readable text ends, and why.
#[derive(Serialize)]
struct Damage<'a> {
    offset: u64,
    reason: &'a str,
}

/// The two ends of a range under the names of its unit.
struct Ends<T> {
    unit: Unit,
    start: Option<T>,
    end: Option<T>,
}

impl<T: Serialize> Serialize for Ends<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (start, end) = self.unit.end_names();
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry(start, &self.start)?;
        map.serialize_entry(end, &self.end)?;
        map.end()
    }
}

#[derive(Serialize)]
struct Actual {
    #[serde(flatten)]
    lines: Option<Ends<u64>>,
    start_byte: u64,
    end_byte: u64,
}

#[derive(Serialize)]
struct Adjustments {
    start_adjusted: bool,
    start_adjustment_reason: Option<String>,
    start_moved_by: i64,
    end_adjusted: bool,
    end_adjustment_reason: Option<String>,
    end_moved_by: i64,
}

/// How to go on: a command, its argument, and the size of pages where it has to be given.
pub(super) fn next_facts(next: Next) -> Facts {
    let mut facts = Facts::default();
    facts.text("command", next.command());
    facts.text("range", next.argument());
    facts.words("align", next.align());
    facts.number("page_size", next.page_size());
    facts
}

/// The JSON object `metadata` of one part.
pub fn metadata(answer: &Answer<'_>, part: &Part) -> anyhow::Result<String> {
    let delivered = part.outcome.as_ref().ok();
    let answer = &answer.with(delivered.map(|d| d.checked).unwrap_or_default());
    let stats = delivered.map(|d| d.stats).unwrap_or_default();
    let bytes = delivered.map(|d| d.end - d.start);
    let metadata = Metadata {
        path: address::shown(answer.path).into_owned(),
        path_base64: path_base64(answer.path),
        file_size: answer.size,
        requested_range: Requested::of(part),
        actual_range: delivered.map(|d| actual(part.asked.unit, d)),
        page: part.page.as_ref().filter(|_| delivered.is_some()).map(PageMembers::from),
        boundary_adjustments: delivered
            .filter(|_| part.asked.unit == Unit::Bytes && part.page.is_none())
            .map(|d| adjustments(d.moved, answer)),
        is_partial: bytes.zip(answer.size).map(|(bytes, size)| bytes < size),
        percent_of_file: bytes.zip(answer.size).map(|(bytes, size)| percent(bytes, size)),
        total_lines: answer.total_lines,
        content_bytes: stats.content_bytes,
        truncated: part.is_truncated(),
        cut_by: delivered.and_then(Delivered::cut_by),
        clipped_lines: Some(stats.clipped_lines).filter(|n| *n > 0),
        header_lines: delivered.map(|d| d.header_lines).filter(|n| *n > 0),
        invalid_utf8: (stats.invalid.count > 0).then(|| {
            let mut facts = Facts::default();
            invalid_counts(&stats).into_iter().for_each(|(key, n)| facts.number(key, n));
            facts
        }),
        eof: delivered.is_some_and(|d| Some(d.end) == answer.size),
        file: file_facts(answer),
        next: delivered.and_then(|d| d.next).map(next_facts),
    };
    json(&metadata)
}

fn file_facts<'a>(answer: &'a Answer<'_>) -> FileFacts<'a> {
    FileFacts {
        version: answer.version.as_deref(),
        index: answer.index.name(),
        bytes_scanned: answer.bytes_scanned,
        requests: answer.traffic.map(|traffic| traffic.requests),
        bytes_fetched: answer.traffic.map(|traffic| traffic.bytes_fetched),
        encoding: answer.encoding.as_deref(),
        encoding_source: answer.encoding_source.map(Origin::name),
        encoding_guess: answer.encoding_guess.as_deref(),
        encoding_hint: answer.encoding_hint.as_deref(),
        encode: answer.encode.map(Encode::name),
        bom: answer.bom.then_some(true),
        compression: answer.compression.map(|compression| compression.format),
        compressed_size: answer.compression.and_then(|compression| compression.size),
        uncompressed_size: answer.compression.and(answer.size),
        damaged: answer.damage().map(|it| Damage { offset: it.offset, reason: &it.reason }),
        notices: answer.notices(),
        change: answer.change.map(Change::name),
    }
}

fn actual(unit: Unit, delivered: &Delivered) -> Actual {
    let lines = (unit == Unit::Lines || delivered.first_line.is_some()).then(|| Ends {
        unit: Unit::Lines,
        start: delivered.first_line,
        end: delivered.last_line(),
    });
    Actual { lines, start_byte: delivered.start, end_byte: delivered.end }
}

fn adjustments((start, end): (i64, i64), answer: &Answer<'_>) -> Adjustments {
    let reason = |by: i64| (by != 0).then(|| answer.alignment());
    Adjustments {
        start_adjusted: start != 0,
        start_adjustment_reason: reason(start),
        start_moved_by: start,
        end_adjusted: end != 0,
        end_adjustment_reason: reason(end),
        end_moved_by: end,
    }
}

/// To four decimals, as a share of 100; all of an empty file is all of it.
#[allow(clippy::cast_precision_loss)]
fn percent(bytes: u64, size: u64) -> f64 {
    if size == 0 {
        return 100.0;
    }
    let exact = bytes as f64 * 100.0 / size as f64;
    (exact * 10_000.0).round() / 10_000.0
}

/// The JSON object `metadata` of an answer in segments: what holds for the whole file.
pub(crate) fn file_metadata(answer: &Answer<'_>, truncated: bool) -> anyhow::Result<String> {
    json(&whole(answer, Some(truncated)))
}

/// The JSON object `metadata` of an answer about several files: what holds for each.
pub(crate) fn files_metadata(answers: &[Answer<'_>], truncated: bool) -> anyhow::Result<String> {
    #[derive(Serialize)]
    struct Files<'a> {
        files: Vec<Whole<'a>>,
        truncated: bool,
    }
    let files = answers.iter().map(|answer| whole(answer, None)).collect();
    json(&Files { files, truncated })
}

/// What holds for a whole file.
#[derive(Serialize)]
struct Whole<'a> {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_base64: Option<String>,
    file_size: Option<u64>,
    total_lines: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    truncated: Option<bool>,
    #[serde(flatten)]
    file: FileFacts<'a>,
}

fn whole<'a>(answer: &'a Answer<'_>, truncated: Option<bool>) -> Whole<'a> {
    Whole {
        path: address::shown(answer.path).into_owned(),
        path_base64: path_base64(answer.path),
        file_size: answer.size,
        total_lines: answer.total_lines,
        truncated,
        file: file_facts(answer),
    }
}

/// An error as one JSON object.
pub(crate) fn error_json(error: &Error) -> String {
    let mut facts = Facts::default();
    facts.text("error", &error.message);
    facts.text("kind", error.kind.name());
    if let Some(hint) = &error.hint {
        facts.text("hint", hint);
    }
    if let Some(path) = &error.path {
        facts.path(path);
    }
    facts.to_json().unwrap_or_default()
}

/// Members that a segment has instead of content: why there is none.
pub(crate) fn error_members(error: &Error) -> anyhow::Result<String> {
    let mut facts = Facts::default();
    facts.text("error", &error.message);
    facts.text("kind", error.kind.name());
    if let Some(hint) = &error.hint {
        facts.text("hint", hint);
    }
    let object = facts.to_json()?;
    Ok(object.trim_start_matches('{').trim_end_matches('}').to_owned())
}
