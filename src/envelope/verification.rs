//! What `verify` has to say: which lines are not what they were, what became of each, and where they went.

use super::brief::{compression_facts, damage_facts, invalid_counts, notice_facts, traffic_facts};
use super::{Answer, Fact, Facts, cut_by};
use crate::content::ContentStats;
use crate::encoding::Origin;
use crate::hashline::Anchor;

/// What became of a line that does not match its anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The same text stands on another line.
    Moved,
    /// Another text stands in its place.
    Changed,
    /// No line is left in its place.
    Gone,
    /// The file has fewer lines.
    PastEnd,
}

impl Status {
    /// All of them, in the order in which the summary counts them.
    pub const ALL: [Status; 4] = [Status::Moved, Status::Changed, Status::Gone, Status::PastEnd];

    /// The word for it in answers.
    pub fn name(self) -> &'static str {
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
    /// The anchor, as it was given.
    pub anchor: Anchor,
    /// What became of its line.
    pub status: Status,
    /// The anchor of the line where it is now: the same text if it moved, another if it changed.
    pub now: Option<Anchor>,
}

/// The outcome of comparing lines with their anchors.
#[derive(Clone, Debug)]
pub(crate) struct Verification {
    /// How many anchors were compared.
    pub checked: u64,
    /// Those that do not match, in the order of lines.
    pub mismatches: Vec<Mismatch>,
    /// First and last of the lines where something changed or went, neighbours together.
    pub affected: Vec<(u64, u64)>,
    /// First and last of the lines that a budget cut off.
    pub next: Vec<(u64, u64)>,
    /// What the content amounts to.
    pub stats: ContentStats,
}

impl Verification {
    /// What cut the content and how to go on, in a sentence; `None` when nothing did.
    pub(crate) fn cut_note(&self) -> Option<String> {
        let cut_by = cut_by(&self.stats)?.replace('_', "-");
        let next = self.next_range().map_or(String::new(), |range| format!("; next: lines {range}"));
        Some(format!("cut by --{cut_by}{next}"))
    }

    fn next_range(&self) -> Option<String> {
        let ranges: Vec<String> = self.next.iter().map(|(start, end)| format!("{start}:{end}")).collect();
        (!ranges.is_empty()).then(|| ranges.join(","))
    }

    /// How many anchors have each status: `9 moved, 1 changed, 1 gone`. `None` if all match.
    fn summary(&self) -> Option<String> {
        let count = |status| self.mismatches.iter().filter(|mismatch| mismatch.status == status).count();
        let counts = Status::ALL.map(|status| (count(status), status.name()));
        let words = counts.iter().filter(|(count, _)| *count > 0);
        let words: Vec<String> = words.map(|(count, name)| format!("{count} {name}")).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    fn records(&self, json: bool) -> Vec<Facts> {
        self.mismatches.iter().map(|mismatch| record(mismatch, json)).collect()
    }

    fn remaps(&self) -> Vec<(String, String)> {
        let moved = self.mismatches.iter().filter(|mismatch| mismatch.status == Status::Moved);
        moved.filter_map(|moved| Some((moved.anchor.to_string(), moved.now?.to_string()))).collect()
    }
}

/// One mismatch. The two hashes of a moved line are the same, so its anchors say it all.
fn record(mismatch: &Mismatch, json: bool) -> Facts {
    let mut facts = Facts::default();
    facts.text("anchor", mismatch.anchor.to_string());
    facts.number("line", mismatch.anchor.line);
    facts.text("status", mismatch.status.name());
    facts.words("now", mismatch.now.map(|now| now.to_string()).as_deref());
    if mismatch.status != Status::Moved {
        facts.text("expected", mismatch.anchor.tag.to_string());
        match mismatch.now {
            Some(now) => facts.text("actual", now.tag.to_string()),
            None if json => facts.put("actual", Fact::Nothing),
            None => {}
        }
    }
    facts
}

fn ranges(ranges: &[(u64, u64)]) -> Vec<Facts> {
    let record = |(start, end): &(u64, u64)| {
        let mut facts = Facts::default();
        facts.number("start", *start);
        facts.number("end", *end);
        facts
    };
    ranges.iter().map(record).collect()
}

/// The envelope of a verification; `json` has every key of its schema.
pub(crate) fn verification(answer: &Answer<'_>, found: &Verification, json: bool) -> Facts {
    let stats = &found.stats;
    let mut facts = Facts::default();
    facts.path(answer.path);
    facts.known(if json { "file_size" } else { "total" }, answer.size, json);
    facts.known("total_lines", answer.total_lines, json);
    facts.number("checked", found.checked);
    facts.words("summary", found.summary().as_deref());
    facts.records("mismatches", "mismatch", found.records(json));
    let remaps = found.remaps();
    if json || !remaps.is_empty() {
        facts.put("remaps", Fact::Pairs(["remap", "from", "to"], remaps));
    }
    if json || !found.affected.is_empty() {
        facts.records("affected_ranges", "affected_range", ranges(&found.affected));
    }
    compression_facts(&mut facts, answer.compression, answer.size);
    damage_facts(&mut facts, answer.damage());
    facts.words("encoding", answer.encoding.as_deref());
    facts.words("encoding_source", answer.encoding_source.map(Origin::name));
    facts.words("encoding_guess", answer.encoding_guess.as_deref());
    facts.words("encoding_hint", answer.encoding_hint.as_deref());
    facts.if_true("bom", answer.bom);
    if stats.invalid.count > 0 {
        facts.map("invalid_utf8", invalid_counts(stats));
    }
    facts.number("content_bytes", stats.content_bytes);
    let cut_by = cut_by(stats);
    if json || cut_by.is_some() {
        facts.flag("truncated", cut_by.is_some());
    }
    facts.words("cut_by", cut_by);
    facts.number("clipped_lines", Some(stats.clipped_lines).filter(|n| *n > 0));
    match &answer.version {
        Some(version) => facts.text("version", version),
        None if json => facts.put("version", Fact::Nothing),
        None => {}
    }
    if json {
        facts.text("index", answer.index.name());
        facts.number("bytes_scanned", answer.bytes_scanned);
    }
    traffic_facts(&mut facts, answer.traffic);
    match found.next_range() {
        Some(range) if json => {
            let mut next = Facts::default();
            next.text("command", "lines");
            next.text("range", range);
            facts.put("next", Fact::Record(next));
        }
        Some(range) => facts.text("next", format!("lines {range}")),
        None => {}
    }
    notice_facts(&mut facts, &answer.notices(), answer.change);
    facts
}
