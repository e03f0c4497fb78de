//! The receipt of `verify`: which lines do not match their anchors, what became of each, and where it is now.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use super::content::{ContentInfo, cut_by, cut_note};
use super::envelope::{Envelope, Markup};
use super::facts::{Facts, Key, Receipt, keys, said};
use super::file::{DecodingInfo, EncodingInfo, FileDetails, FileInfo, NameInfo, TrafficInfo};
use crate::content::ContentStats;
use crate::rows::rows;
use rread_text::error::Result;
use rread_text::hashline::Anchor;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The same text is on another line.
    Moved,
    /// The line has another text now.
    Changed,
    /// The line was removed.
    Gone,
    /// The file has fewer lines.
    PastEnd,
}

impl Status {
    /// In the order of the summary.
    const ALL: [Status; 4] = [Status::Moved, Status::Changed, Status::Gone, Status::PastEnd];

    fn name(self) -> &'static str {
        match self {
            Status::Moved => "moved",
            Status::Changed => "changed",
            Status::Gone => "gone",
            Status::PastEnd => "past_end",
        }
    }
}

/// An anchor that does not match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    pub anchor: Anchor,
    pub status: Status,
    /// The anchor of the line where it is now: the same text if it moved, another if it changed.
    pub now: Option<Anchor>,
}

#[derive(Clone, Debug)]
pub struct Verification {
    /// The number of anchors.
    pub checked: u64,
    /// In the order of lines.
    pub mismatches: Vec<Mismatch>,
    /// First and last of the lines that changed or went, neighbours together.
    pub affected: Vec<(u64, u64)>,
    /// First and last of the lines that a budget cut off.
    pub next: Vec<(u64, u64)>,
    pub stats: ContentStats,
}

impl Verification {
    pub fn cut_note(&self) -> Option<String> {
        let next = self.next_range().map(|range| format!("lines {range}"));
        cut_note(&self.stats, next)
    }

    fn next_range(&self) -> Option<String> {
        let ranges: Vec<String> = self.next.iter().map(|(start, end)| format!("{start}:{end}")).collect();
        (!ranges.is_empty()).then(|| ranges.join(","))
    }

    /// How many anchors match.
    fn unchanged(&self) -> u64 {
        self.checked.saturating_sub(self.mismatches.len() as u64)
    }

    /// The numbers of lines that moved, and where they are now.
    fn moved(&self) -> impl Iterator<Item = (u64, u64)> {
        let moved = self.mismatches.iter().filter(|mismatch| mismatch.status == Status::Moved);
        moved.filter_map(|moved| Some((moved.anchor.line, moved.now?.line)))
    }

    /// `9 moved, 1 changed, 1 gone`; `None` if all match.
    fn summary(&self) -> Option<String> {
        let count = |status| self.mismatches.iter().filter(|mismatch| mismatch.status == status).count();
        let counts = Status::ALL.map(|status| (count(status), status.name()));
        let words = counts.iter().filter(|(count, _)| *count > 0);
        let words: Vec<String> = words.map(|(count, name)| format!("{count} {name}")).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    fn members<'a>(&self, file: &'a FileInfo) -> VerificationMembers<'a> {
        let moved = self.mismatches.iter().filter(|mismatch| mismatch.status == Status::Moved);
        let remaps = moved.filter_map(|moved| Some((moved.anchor.to_string(), moved.now?.to_string())));
        let affected = self.affected.iter().map(|(start, end)| LineSpan { start: *start, end: *end });
        VerificationMembers {
            name: &file.name,
            file_size: file.size,
            total_lines: file.total_lines,
            checked: self.checked,
            summary: self.summary(),
            mismatches: self.mismatches.iter().map(MismatchInfo::from).collect(),
            remaps: Pairs(remaps.collect()),
            affected_ranges: affected.collect(),
            content: ContentInfo::from(&self.stats),
            truncated: cut_by(&self.stats).is_some(),
            next: self.next_range().map(|range| NextLines { command: "lines", range }),
            details: &file.details,
        }
    }
}

rows! {
    /// The outcome of comparing lines with their anchors. The content is the lines that changed, as hashlines, with context.
    pub(super) struct VerificationMembers<'a>: "verification" {
        flat name: &'a NameInfo,
        /// The size of the file in bytes when rread opened it; null while the size of a stream is unknown.
        file_size: Option<u64> [no_tool],
        /// The number of lines of the file, never an estimate; null if the answer did not need it and no line index has it.
        total_lines: Option<u64> [brief],
        /// How many different anchors were compared.
        checked: u64,
        /// How many of them have each status; left out if all match.
        summary?: Option<String> [brief],
        /// The anchors that do not match, in the order of lines; empty if all match.
        mismatches: Vec<MismatchInfo> [brief],
        /// The anchors that lines which moved have now.
        remaps: Pairs [brief],
        /// The lines that changed, and those where lines are gone, in order, neighbours together.
        affected_ranges: Vec<LineSpan> [brief no_tool],
        flat content: ContentInfo,
        /// Whether a budget left out anything of the content; cut_by names it.
        truncated: bool [brief no_tool],
        /// The lines that a budget cut off, including a partial one; left out if there are none.
        next?: Option<NextLines> [brief],
        flat details: &'a FileDetails,
    }

    /// How to go on: lines that a budget cut off.
    struct NextLines: "next_lines" {
        /// The command that takes the range.
        command: &'static str = "lines",
        /// The ranges, separated by commas.
        range: String,
    }

    /// An anchor that does not match.
    pub(super) struct MismatchInfo: "mismatch" {
        /// The anchor as it was given.
        anchor: String,
        /// The number of its line.
        line: u64,
        /// moved: the same text is on another line, within 200 lines. changed: the line has another text now. gone: no
        /// line is left between its neighbours. past_end: the file has fewer lines (total_lines).
        status: &'static str = ["moved", "changed", "gone", "past_end"],
        /// The anchor of the text if it moved, of the other text if it changed.
        now?: Option<String>,
        /// The hash in the anchor; left out of a line that moved, whose hash is the same.
        expected?: Option<String>,
        /// The hash of the other text, in the same form; null if there is none.
        actual?: Option<Option<String>>,
    }
}

impl From<&Mismatch> for MismatchInfo {
    fn from(mismatch: &Mismatch) -> Self {
        // The two hashes of a moved line are the same, and both are in its anchors.
        let differs = mismatch.status != Status::Moved;
        MismatchInfo {
            anchor: mismatch.anchor.to_string(),
            line: mismatch.anchor.line,
            status: mismatch.status.name(),
            now: mismatch.now.map(|now| now.to_string()),
            expected: differs.then(|| mismatch.anchor.tag.to_string()),
            actual: differs.then(|| mismatch.now.map(|now| now.tag.to_string())),
        }
    }
}

rows! {
    /// The first and the last of some lines.
    pub(super) struct LineSpan: "line_span" {
        /// The first line.
        start: u64,
        /// The last line.
        end: u64,
    }
}

pub(super) const VERIFICATION: &[Key] = keys![
    ..NameInfo [total = file_size total_lines checked unchanged summary mismatches moved = remaps remaps affected_ranges] ..DecodingInfo [damaged]
    ..EncodingInfo [invalid_utf8 content_bytes estimated_tokens truncated cut_by clipped_lines version] ..TrafficInfo
    [next notices change]
];

/// Lines that moved, neighbours that moved alike together.
pub struct Moved {
    /// `118:120 -> 119:121; 130:131 -> 140:141`, if there are runs of several lines.
    pub runs: Option<String>,
    /// The lines that moved without a neighbour.
    alone: BTreeSet<u64>,
}

impl Moved {
    /// Takes numbers of lines before and after, in the order of the first.
    pub fn of(lines: impl Iterator<Item = (u64, u64)>) -> Self {
        let mut runs: Vec<((u64, u64), u64)> = Vec::new();
        for (before, now) in lines {
            match runs.last_mut() {
                Some(((start, to), count)) if (*start + *count, *to + *count) == (before, now) => *count += 1,
                _ => runs.push(((before, now), 1)),
            }
        }
        let (alone, several): (Vec<_>, Vec<_>) = runs.into_iter().partition(|(_, count)| *count == 1);
        let words = several
            .iter()
            .map(|((start, to), count)| format!("{start}:{} -> {to}:{}", start + count - 1, to + count - 1));
        let words: Vec<String> = words.collect();
        Moved {
            runs: (!words.is_empty()).then(|| words.join("; ")),
            alone: alone.into_iter().map(|((line, _), _)| line).collect(),
        }
    }

    /// Whether the line of `anchor` is in no run.
    pub fn is_alone(&self, anchor: &str) -> bool {
        line_of(anchor).is_some_and(|line| self.alone.contains(&line))
    }
}

/// The number of the line in an anchor, such as `12#a1b2c3`.
pub fn line_of(anchor: &str) -> Option<u64> {
    anchor.split_once('#')?.0.parse().ok()
}

/// Names and values in their own order.
#[derive(Clone, Debug, Default)]
pub struct Pairs(pub Vec<(String, String)>);

#[cfg(test)]
impl schemars::JsonSchema for Pairs {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "pairs".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        generator.subschema_for::<std::collections::BTreeMap<String, String>>()
    }
}

impl Serialize for Pairs {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl Envelope for Verification {
    fn element(&self, _: &FileInfo) -> &'static str {
        "file_verification"
    }

    fn receipt<'r>(&'r self, file: &'r FileInfo) -> Box<dyn Receipt + 'r> {
        Box::new(self.members(file))
    }

    fn facts(&self, file: &FileInfo, _: Markup) -> Result<Facts> {
        let mut facts = self.members(file).facts()?;
        let moved = Moved::of(self.moved());
        for (row, value) in &mut facts.0 {
            match (row.name, value) {
                // Where lines moved is said once.
                ("mismatches", Value::Array(mismatches)) if !mismatches.is_empty() => {
                    mismatches.retain(|mismatch| mismatch["status"] != Status::Moved.name());
                }
                ("remaps", Value::Object(remaps)) => remaps.retain(|anchor, _| moved.is_alone(anchor)),
                _ => {}
            }
        }
        if !self.mismatches.is_empty() {
            facts.0.retain(|(row, value)| {
                row.name != "mismatches" || value.as_array().is_none_or(|list| !list.is_empty())
            });
        }
        for mismatch in facts.0.iter_mut().filter(|(row, _)| row.name == "mismatches") {
            let mismatches = mismatch.1.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut);
            mismatches.for_each(|mismatch| mismatch.retain(|_, value| !value.is_null()));
        }
        let own = [
            ("total", file.size.into()),
            ("unchanged", (!self.mismatches.is_empty()).then(|| self.unchanged()).into()),
            ("moved", moved.runs.into()),
            ("truncated", said(cut_by(&self.stats).is_some())),
            ("next", self.next_range().map(|range| format!("lines {range}")).into()),
        ];
        let mut facts = facts.arranged(VERIFICATION, own);
        facts.0.retain(|(row, value)| match value {
            Value::Object(remaps) if row.name == "remaps" => !remaps.is_empty(),
            Value::Array(ranges) if row.name == "affected_ranges" => !ranges.is_empty(),
            _ => true,
        });
        Ok(facts)
    }
}
