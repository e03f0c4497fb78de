//! The envelope: what every answer says about itself, and the only home of serde.

use std::path::Path;

use data_encoding::BASE64;
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

use crate::body::{CutBy, Encode, Tally};
use crate::error::{Error, printable};
use crate::next::Next;
use crate::range::{Range, Unit};
use crate::source::Change;

/// What holds for the whole answer.
#[derive(Clone, Debug)]
pub struct Answer<'a> {
    /// The file as it was named.
    pub path: &'a Path,
    /// Its size in bytes, if known.
    pub size: Option<u64>,
    /// Its number of lines, if known.
    pub total_lines: Option<u64>,
    /// Its version, if it has one.
    pub version: Option<String>,
    /// Whether it starts with a byte order mark.
    pub bom: bool,
    /// Its encoding, where that is not UTF-8.
    pub encoding: Option<&'static str>,
    /// How the content is encoded, where it is.
    pub encode: Option<Encode>,
    /// Whether there are parts, rather than one.
    pub several: bool,
    /// Whether the content is left out.
    pub metadata_only: bool,
    /// Bytes read to find the slices.
    pub bytes_scanned: u64,
    /// What has happened to the file meanwhile.
    pub change: Option<Change>,
}

/// One range and what became of it.
#[derive(Clone, Debug)]
pub struct Part {
    /// What was asked.
    pub asked: Range,
    /// What was delivered, or why nothing was.
    pub outcome: Result<Delivered, Error>,
}

/// What was delivered of one range.
#[derive(Clone, Debug)]
pub struct Delivered {
    /// The first byte.
    pub start: u64,
    /// Past the last byte.
    pub end: u64,
    /// The number of the first line, if known.
    pub first_line: Option<u64>,
    /// Lines in the slice, a begun one included, if known.
    pub lines: Option<u64>,
    /// How far the start was moved to a character edge, and the end.
    pub moved: (i64, i64),
    /// Whether this is what the words of the range say.
    pub exact: bool,
    /// Lines of the file's start that go before the slice.
    pub header_lines: u64,
    /// What the content amounts to.
    pub tally: Tally,
    /// The slice that follows.
    pub next: Option<Next>,
}

impl Delivered {
    fn cut_by(&self) -> Option<&'static str> {
        match self.tally.cut {
            Some(CutBy::Bytes) => Some("max_bytes"),
            Some(CutBy::Lines) => Some("max_lines"),
            None if self.tally.clipped_lines > 0 => Some("max_columns"),
            None => None,
        }
    }

    /// Whether anything that was asked for is missing from the content.
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.cut_by().is_some()
    }

    /// What cut the content and how to go on, in a sentence; `None` when nothing did.
    #[must_use]
    pub fn cut_note(&self) -> Option<String> {
        let cut_by = self.cut_by()?.replace('_', "-");
        let next = self.next.map_or(String::new(), |next| format!("; next: {}", command(next)));
        let clipped = match self.tally.clipped_lines {
            0 => String::new(),
            n => format!(" ({n} clipped)"),
        };
        Some(format!("cut by --{cut_by}{clipped}{next}"))
    }

    fn last_line(&self) -> Option<u64> {
        Some((self.first_line? + self.lines?).saturating_sub(1))
    }
}

fn command(next: Next) -> String {
    format!("{} {}", next.range.unit.command(), next.range)
}

const ALIGNED: &str = "UTF-8 character boundary alignment";

/// A value in an envelope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// Words.
    Text(String),
    /// A number.
    Number(u64),
    /// Yes or no.
    Flag(bool),
    /// Several words.
    List(Vec<String>),
    /// Named numbers.
    Map(Vec<(&'static str, u64)>),
}

impl Serialize for Fact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Fact::Text(text) => serializer.serialize_str(text),
            Fact::Number(n) => serializer.serialize_u64(*n),
            Fact::Flag(flag) => serializer.serialize_bool(*flag),
            Fact::List(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                items.iter().try_for_each(|item| list.serialize_element(item))?;
                list.end()
            }
            Fact::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                entries.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
                map.end()
            }
        }
    }
}

/// An envelope as a list of keys and values, in the order they are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts(Vec<(&'static str, Fact)>);

impl Facts {
    /// Adds words.
    pub fn text(&mut self, key: &'static str, value: impl Into<String>) {
        self.0.push((key, Fact::Text(value.into())));
    }

    /// Adds a number, if it is known.
    pub fn number(&mut self, key: &'static str, value: impl Into<Option<u64>>) {
        self.0.extend(value.into().map(|n| (key, Fact::Number(n))));
    }

    /// Adds a yes or no.
    pub fn flag(&mut self, key: &'static str, value: bool) {
        self.0.push((key, Fact::Flag(value)));
    }

    /// Adds a yes, and nothing for no.
    pub fn if_true(&mut self, key: &'static str, value: bool) {
        if value {
            self.flag(key, true);
        }
    }

    /// Adds several words.
    pub fn list(&mut self, key: &'static str, items: Vec<String>) {
        self.0.push((key, Fact::List(items)));
    }

    /// Adds named numbers.
    pub fn map(&mut self, key: &'static str, entries: Vec<(&'static str, u64)>) {
        self.0.push((key, Fact::Map(entries)));
    }

    /// Adds a path; one that is not UTF-8 lossily, with its exact bytes beside it.
    pub fn path(&mut self, path: &Path) {
        self.text("path", path.to_string_lossy());
        if let Some(exact) = path_base64(path) {
            self.text("path_base64", exact);
        }
    }

    /// The keys and values.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Fact)> {
        self.0.iter().map(|(key, fact)| (*key, fact))
    }

    /// As YAML, a line a key.
    ///
    /// # Errors
    /// None that these values can cause.
    pub fn to_yaml(&self) -> anyhow::Result<String> {
        let mut yaml = serde_yaml::to_string(self)?;
        if !yaml.ends_with('\n') {
            yaml.push('\n');
        }
        Ok(yaml)
    }

    /// As one JSON object.
    ///
    /// # Errors
    /// None that these values can cause.
    pub fn to_json(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string(self)?)
    }
}

impl Serialize for Facts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        self.iter().try_for_each(|(key, fact)| map.serialize_entry(key, fact))?;
        map.end()
    }
}

fn path_base64(path: &Path) -> Option<String> {
    path.to_str().is_none().then(|| BASE64.encode(path.as_os_str().as_encoded_bytes()))
}

/// The envelope of one part for people and for XML: a key appears only when it has something to say.
#[must_use]
pub fn facts(answer: &Answer<'_>, part: &Part) -> Facts {
    let mut facts = Facts::default();
    facts.path(answer.path);
    let delivered = match &part.outcome {
        Ok(delivered) => delivered,
        Err(error) => {
            facts.number("total", answer.size);
            facts.number("total_lines", answer.total_lines);
            facts.text("requested", format!("{} {}", part.asked.unit.command(), part.asked));
            facts.text("error", printable(&error.message));
            facts.text("kind", error.kind.name());
            facts.number("content_bytes", 0);
            return facts;
        }
    };
    let tally = &delivered.tally;
    if let (Some(first), Some(last)) = (delivered.first_line, delivered.last_line())
        && last >= first
    {
        facts.text("lines", format!("{first}-{last}"));
    }
    facts.text("range", format!("{}-{}", delivered.start, delivered.end));
    facts.number("total", answer.size);
    facts.number("total_lines", answer.total_lines);
    if !delivered.exact || delivered.moved != (0, 0) || delivered.tally.cut.is_some() {
        facts.text("requested", format!("{} {}", part.asked.unit.command(), part.asked));
    }
    if delivered.moved != (0, 0) {
        facts.text("adjusted", adjusted(delivered.moved));
    }
    facts.number("header_lines", Some(delivered.header_lines).filter(|n| *n > 0));
    if let Some(encoding) = answer.encoding {
        facts.text("encoding", encoding);
    }
    if let Some(encode) = answer.encode {
        facts.text("encode", encode.name());
    }
    facts.if_true("bom", answer.bom);
    if tally.invalid.count > 0 {
        facts.map("invalid_utf8", invalid_counts(tally));
    }
    facts.number("content_bytes", tally.content_bytes);
    facts.if_true("truncated", delivered.is_truncated());
    if let Some(cut_by) = delivered.cut_by() {
        facts.text("cut_by", cut_by);
    }
    facts.number("clipped_lines", Some(tally.clipped_lines).filter(|n| *n > 0));
    if let Some(version) = &answer.version {
        facts.text("version", version);
    }
    facts.if_true("eof", Some(delivered.end) == answer.size);
    if let Some(next) = delivered.next {
        facts.text("next", command(next));
    }
    if let Some(change) = answer.change {
        facts.list("notices", vec!["changed".to_owned()]);
        facts.text("change", change.name());
    }
    facts
}

fn adjusted((start, end): (i64, i64)) -> String {
    let ends = [("start", start), ("end", end)];
    let moves: Vec<String> =
        ends.iter().filter(|(_, by)| *by != 0).map(|(what, by)| format!("{what} {by:+}")).collect();
    format!("{} ({ALIGNED})", moves.join(", "))
}

fn invalid_counts(tally: &Tally) -> Vec<(&'static str, u64)> {
    let first = tally.invalid.first_byte.map(|at| ("first_byte", at));
    [("count", tally.invalid.count)].into_iter().chain(first).collect()
}

/// The envelope of one part in JSON.
#[derive(Serialize)]
struct Metadata<'a> {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_base64: Option<String>,
    file_size: Option<u64>,
    requested_range: Ends<i128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actual_range: Option<Actual>,
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
    next: Option<NextCommand>,
}

/// What JSON says of the file beside its size.
#[derive(Serialize)]
struct FileFacts<'a> {
    version: Option<&'a str>,
    index: &'static str,
    bytes_scanned: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encode: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bom: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notices: Option<[&'static str; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<&'static str>,
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
    start_adjustment_reason: Option<&'static str>,
    start_moved_by: i64,
    end_adjusted: bool,
    end_adjustment_reason: Option<&'static str>,
    end_moved_by: i64,
}

#[derive(Serialize)]
struct NextCommand {
    command: &'static str,
    range: String,
}

/// The JSON object `metadata` of one part.
///
/// # Errors
/// None that these values can cause.
pub fn metadata(answer: &Answer<'_>, part: &Part) -> anyhow::Result<String> {
    let (start, end) = part.asked.asked_ends();
    let delivered = part.outcome.as_ref().ok();
    let tally = delivered.map(|d| d.tally).unwrap_or_default();
    let bytes = delivered.map(|d| d.end - d.start);
    let metadata = Metadata {
        path: answer.path.to_string_lossy().into_owned(),
        path_base64: path_base64(answer.path),
        file_size: answer.size,
        requested_range: Ends { unit: part.asked.unit, start, end },
        actual_range: delivered.map(|d| actual(part.asked.unit, d)),
        boundary_adjustments: delivered
            .filter(|_| part.asked.unit == Unit::Bytes)
            .map(|d| adjustments(d.moved)),
        is_partial: bytes.zip(answer.size).map(|(bytes, size)| bytes < size),
        percent_of_file: bytes.zip(answer.size).map(|(bytes, size)| percent(bytes, size)),
        total_lines: answer.total_lines,
        content_bytes: tally.content_bytes,
        truncated: delivered.is_some_and(Delivered::is_truncated),
        cut_by: delivered.and_then(Delivered::cut_by),
        clipped_lines: Some(tally.clipped_lines).filter(|n| *n > 0),
        header_lines: delivered.map(|d| d.header_lines).filter(|n| *n > 0),
        invalid_utf8: (tally.invalid.count > 0).then(|| {
            let counts = invalid_counts(&tally);
            Facts(counts.into_iter().map(|(key, n)| (key, Fact::Number(n))).collect())
        }),
        eof: delivered.is_some_and(|d| Some(d.end) == answer.size),
        file: file_facts(answer),
        next: delivered
            .and_then(|d| d.next)
            .map(|next| NextCommand { command: next.range.unit.command(), range: next.range.to_string() }),
    };
    Ok(serde_json::to_string(&metadata)?)
}

fn file_facts<'a>(answer: &'a Answer<'_>) -> FileFacts<'a> {
    FileFacts {
        version: answer.version.as_deref(),
        index: "none",
        bytes_scanned: answer.bytes_scanned,
        encoding: answer.encoding,
        encode: answer.encode.map(Encode::name),
        bom: answer.bom.then_some(true),
        notices: answer.change.map(|_| ["changed"]),
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

fn adjustments((start, end): (i64, i64)) -> Adjustments {
    let reason = |by: i64| (by != 0).then_some(ALIGNED);
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
///
/// # Errors
/// None that these values can cause.
pub fn file_metadata(answer: &Answer<'_>, parts: &[Part]) -> anyhow::Result<String> {
    #[derive(Serialize)]
    struct Whole<'a> {
        path: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        path_base64: Option<String>,
        file_size: Option<u64>,
        total_lines: Option<u64>,
        truncated: bool,
        #[serde(flatten)]
        file: FileFacts<'a>,
    }
    Ok(serde_json::to_string(&Whole {
        path: answer.path.to_string_lossy().into_owned(),
        path_base64: path_base64(answer.path),
        file_size: answer.size,
        total_lines: answer.total_lines,
        truncated: parts.iter().any(|part| part.outcome.as_ref().is_ok_and(Delivered::is_truncated)),
        file: file_facts(answer),
    })?)
}

/// An error as one JSON object.
#[must_use]
pub fn error_json(error: &Error) -> String {
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
///
/// # Errors
/// None that these values can cause.
pub fn error_members(error: &Error) -> anyhow::Result<String> {
    let mut facts = Facts::default();
    facts.text("error", &error.message);
    facts.text("kind", error.kind.name());
    if let Some(hint) = &error.hint {
        facts.text("hint", hint);
    }
    let object = facts.to_json()?;
    Ok(object.trim_start_matches('{').trim_end_matches('}').to_owned())
}
