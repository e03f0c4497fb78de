//! The receipt of `verify`: which lines do not match their anchors, what became of each, and where it is now.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::json;

use super::content::{ContentInfo, cut_by, cut_note};
use super::envelope::{Envelope, Markup};
use super::file::{FileDetails, FileInfo, NameInfo};
use super::json::{Members, Receipt, arrange};
use crate::content::ContentStats;
use rread_text::{Anchor, Result};

rread_text::words! { name,
    pub enum Status {
        /// The same text is on another line.
        Moved = "moved",
        /// The line has another text now.
        Changed = "changed",
        /// The line was removed.
        Gone = "gone",
        /// The file has fewer lines.
        PastEnd = "past_end",
    }
}

impl Status {
    /// In the order of the summary.
    const ALL: [Status; 4] = [Status::Moved, Status::Changed, Status::Gone, Status::PastEnd];
}

/// An anchor that does not match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    pub anchor: Anchor,
    pub status: Status,
    /// The anchor of the line where it is now: the same text if it moved, another if it changed.
    pub now: Option<Anchor>,
}

impl Mismatch {
    /// The number of a line that moved, and where it is now.
    pub fn moved(&self) -> Option<(u64, u64)> {
        Some((self.anchor.line, self.now?.line)).filter(|_| self.status == Status::Moved)
    }
}

#[derive(Clone, Debug)]
pub struct Verification {
    /// The number of anchors.
    pub checked: u64,
    /// In the order of lines.
    pub mismatches: Vec<Mismatch>,
    /// First and last of the lines that changed or went, neighbours together.
    pub affected: Vec<(u64, u64)>,
    /// First and last of the lines that came between two that stood one after another.
    pub new: Vec<(u64, u64)>,
    /// First and last of the lines that a budget cut off.
    pub next: Vec<(u64, u64)>,
    pub stats: ContentStats,
}

impl Verification {
    pub fn cut_note(&self) -> Option<String> {
        let next = self.next_range().map(|range| format!("lines {range}"));
        cut_note(&self.stats, next)
    }

    pub fn next_range(&self) -> Option<String> {
        let ranges: Vec<String> = self.next.iter().map(|(start, end)| format!("{start}:{end}")).collect();
        (!ranges.is_empty()).then(|| ranges.join(","))
    }

    /// How many anchors match.
    fn unchanged(&self) -> u64 {
        self.checked.saturating_sub(self.mismatches.len() as u64)
    }

    /// The numbers of lines that moved, and where they are now.
    pub fn moved_lines(&self) -> impl Iterator<Item = (u64, u64)> {
        self.mismatches.iter().filter_map(Mismatch::moved)
    }

    /// `9 moved, 1 changed, 1 gone`; `None` if all match.
    pub fn summary(&self) -> Option<String> {
        let count = |status| self.mismatches.iter().filter(|mismatch| mismatch.status == status).count();
        let counts = Status::ALL.map(|status| (count(status), status.name()));
        let words = counts.iter().filter(|(count, _)| *count > 0);
        let words: Vec<String> = words.map(|(count, name)| format!("{count} {name}")).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// The new anchors of those lines that moved and that `shows` takes.
    pub fn remaps(&self, shows: impl Fn(&(u64, u64)) -> bool) -> Members {
        let moved =
            self.mismatches.iter().filter(|mismatch| mismatch.moved().is_some_and(|moved| shows(&moved)));
        moved.filter_map(|moved| Some((moved.anchor.to_string(), moved.now?.to_string().into()))).collect()
    }

    /// The anchors that do not match although their lines did not move.
    pub fn changed(&self, is_brief: bool) -> Vec<MismatchInfo> {
        let changed = self.mismatches.iter().filter(|mismatch| mismatch.status != Status::Moved);
        changed.map(|mismatch| MismatchInfo::new(mismatch, is_brief)).collect()
    }

    /// With `is_brief`, without lines that moved, which are in `remaps`, and without hashes, which anchors have.
    fn members<'a>(&self, file: &'a FileInfo, is_brief: bool) -> VerificationMembers<'a> {
        VerificationMembers {
            name: &file.name,
            file_size: file.size,
            total_lines: file.total_lines,
            checked: self.checked,
            summary: self.summary(),
            mismatches: match is_brief {
                true => self.changed(true),
                false => self.mismatches.iter().map(|mismatch| MismatchInfo::new(mismatch, false)).collect(),
            },
            remaps: self.remaps(|_| true),
            affected_ranges: spans(&self.affected),
            new_ranges: spans(&self.new),
            content: ContentInfo::from(&self.stats),
            truncated: cut_by(&self.stats).is_some(),
            next: self.next_range().map(|range| NextLines { command: "lines", range }),
            details: &file.details,
        }
    }
}

/// The outcome of comparing lines with their anchors. The content is the lines that changed, as hashlines, with context.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "verification"))]
pub(super) struct VerificationMembers<'a> {
    #[serde(flatten)]
    name: &'a NameInfo,
    /// The size of the file in bytes when rread opened it; null while the size of a stream is unknown.
    file_size: Option<u64>,
    /// The number of lines of the file, never an estimate; null if the answer did not need it and no line index has it.
    total_lines: Option<u64>,
    /// How many different anchors were compared.
    checked: u64,
    /// How many of them have each status; left out if all match.
    summary: Option<String>,
    /// The anchors that do not match, in the order of lines; empty if all match.
    mismatches: Vec<MismatchInfo>,
    /// The anchors that lines which moved have now.
    #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, String>"))]
    remaps: Members,
    /// The lines that changed, and those where lines are gone, in order, neighbours together.
    affected_ranges: Vec<LineSpan>,
    /// The lines that came between two anchors whose lines stood one after another; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    new_ranges: Vec<LineSpan>,
    #[serde(flatten)]
    content: ContentInfo,
    /// Whether a budget left out anything of the content; cut_by names it.
    truncated: bool,
    /// The lines that a budget cut off, including a partial one; left out if there are none.
    next: Option<NextLines>,
    #[serde(flatten)]
    details: &'a FileDetails,
}

/// How to go on: lines that a budget cut off.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "next_lines"))]
struct NextLines {
    /// The command that takes the range.
    command: &'static str,
    /// The ranges, separated by commas.
    range: String,
}

/// An anchor that does not match.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "mismatch"))]
pub struct MismatchInfo {
    /// The anchor as it was given.
    anchor: String,
    /// The number of its line.
    line: u64,
    /// moved: the same text is on another line, within 200 lines. changed: the line has another text now. gone: no
    /// line is left between its neighbours. past_end: the file has fewer lines (total_lines).
    status: &'static str,
    /// The anchor of the text if it moved, of the other text if it changed.
    now: Option<String>,
    /// The hash in the anchor; left out of a line that moved, whose hash is the same.
    expected: Option<String>,
    /// The hash of the other text, in the same form; null if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    actual: Option<Option<String>>,
}

impl MismatchInfo {
    pub fn new(mismatch: &Mismatch, is_brief: bool) -> Self {
        // The two hashes of a moved line are the same, and both are in its anchors.
        let differs = mismatch.status != Status::Moved && !is_brief;
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

/// The first and the last of some lines.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "line_span"))]
pub(super) struct LineSpan {
    /// The first line.
    start: u64,
    /// The last line.
    end: u64,
}

fn spans(lines: &[(u64, u64)]) -> Vec<LineSpan> {
    lines.iter().map(|(start, end)| LineSpan { start: *start, end: *end }).collect()
}

/// The order for people.
pub(super) const VERIFICATION: &str = "NAME total total_lines checked unchanged summary mismatches moved remaps \
    affected_ranges new_ranges DECODING damaged ENCODING invalid_utf8 content_bytes estimated_tokens truncated cut_by clipped_lines \
    version TRAFFIC next notices guess_contradicted change";

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

    /// Whether the line is in no run.
    pub fn is_alone(&self, line: u64) -> bool {
        self.alone.contains(&line)
    }
}

impl Envelope for Verification {
    fn element(&self, _: &FileInfo) -> &'static str {
        "file_verification"
    }

    fn receipt<'r>(&'r self, file: &'r FileInfo, is_brief: bool) -> Box<dyn Receipt + 'r> {
        Box::new(self.members(file, is_brief))
    }

    fn brief(&self) -> &'static str {
        "summary mismatches moved remaps affected_ranges new_ranges"
    }

    fn people(&self, file: &FileInfo, _: Markup, is_brief: bool) -> Result<Members> {
        let moved = Moved::of(self.moved_lines());
        // Where lines moved is said once.
        let mut mismatches = self.changed(is_brief);
        mismatches
            .iter_mut()
            .for_each(|mismatch| mismatch.actual = mismatch.actual.take().filter(Option::is_some));
        let remaps = self.remaps(|(line, _)| moved.is_alone(*line));
        let words = json!({
            "total": file.size,
            "unchanged": (!self.mismatches.is_empty()).then(|| self.unchanged()),
            "mismatches": Some(mismatches).filter(|list| !list.is_empty() || self.mismatches.is_empty()),
            "moved": moved.runs,
            "remaps": Some(remaps).filter(|remaps| !remaps.is_empty()),
            "affected_ranges": Some(spans(&self.affected)).filter(|ranges| !ranges.is_empty()),
            "truncated": cut_by(&self.stats).is_some(),
            "next": self.next_range().map(|range| format!("lines {range}")),
        });
        arrange(VERIFICATION, &self.members(file, is_brief), &words)
    }
}
