//! What `verify` has to say: which lines have changed, what they are now, and where they went.

use super::envelope::{compression_facts, invalid_counts, notice_facts, traffic_facts};
use super::{Answer, Fact, Facts, cut_by};
use crate::body::Tally;
use crate::encoding::Origin;
use crate::hashline::{Anchor, Tag};

/// Text that stands at another line now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Where it was.
    pub from: Anchor,
    /// The number of its line now.
    pub to: u64,
}

/// The outcome of comparing lines with their anchors.
#[derive(Clone, Debug)]
pub struct Verification {
    /// How many anchors were compared.
    pub checked: u64,
    /// Those that do not match, with what their lines are now; `None` past the end of the file.
    pub mismatches: Vec<(Anchor, Option<Tag>)>,
    /// First and last of the lines that have changed, neighbours together.
    pub affected: Vec<(u64, u64)>,
    /// What merely moved.
    pub moved: Vec<Moved>,
    /// First and last of the lines in the content.
    pub ranges: Vec<(u64, u64)>,
    /// Those that a budget cut off.
    pub next: Vec<(u64, u64)>,
    /// What the content amounts to.
    pub tally: Tally,
}

impl Verification {
    /// What cut the content and how to go on, in a sentence; `None` when nothing did.
    #[must_use]
    pub fn cut_note(&self) -> Option<String> {
        let cut_by = cut_by(&self.tally)?.replace('_', "-");
        let next = self.next_range().map_or(String::new(), |range| format!("; next: lines {range}"));
        Some(format!("cut by --{cut_by}{next}"))
    }

    fn next_range(&self) -> Option<String> {
        let ranges: Vec<String> = self.next.iter().map(|(start, end)| format!("{start}:{end}")).collect();
        (!ranges.is_empty()).then(|| ranges.join(","))
    }

    fn mismatches(&self) -> Vec<Facts> {
        let record = |(anchor, now): &(Anchor, Option<Tag>)| {
            let mut facts = Facts::default();
            facts.number("line", anchor.line);
            facts.text("expected", anchor.tag.to_string());
            facts.put("actual", now.map_or(Fact::Nothing, |tag| Fact::Text(tag.to_string())));
            facts
        };
        self.mismatches.iter().map(record).collect()
    }

    fn remaps(&self) -> Vec<(String, String)> {
        let there = self.mismatches.iter().filter_map(|(anchor, now)| Some((anchor, (*now)?)));
        there.map(|(was, tag)| (was.to_string(), Anchor { tag, ..*was }.to_string())).collect()
    }

    fn moved(&self) -> Vec<Facts> {
        let record = |moved: &Moved| {
            let mut facts = Facts::default();
            facts.number("from", moved.from.line);
            facts.number("to", moved.to);
            facts.text("was", moved.from.to_string());
            facts.text("anchor", Anchor { line: moved.to, ..moved.from }.to_string());
            facts
        };
        self.moved.iter().map(record).collect()
    }
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

/// Who the envelope is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// People: a move is an arrow.
    Yaml,
    /// Programs: under the names that they rely on, and with all of them.
    Json,
    /// Others: the names of the first, the records of the second.
    Xml,
}

/// The envelope of a verification.
#[must_use]
pub fn verification(answer: &Answer<'_>, found: &Verification, wire: Wire) -> Facts {
    let json = wire == Wire::Json;
    let tally = &found.tally;
    let mut facts = Facts::default();
    facts.path(answer.path);
    facts.known(if json { "file_size" } else { "total" }, answer.size, json);
    facts.known("total_lines", answer.total_lines, json);
    facts.number("checked", found.checked);
    facts.records("mismatches", "mismatch", found.mismatches());
    facts.records("affected_ranges", "affected_range", ranges(&found.affected));
    facts.put("remaps", Fact::Pairs(["remap", "from", "to"], found.remaps()));
    if wire == Wire::Yaml {
        let arrow = |moved: &Moved| format!("{} -> {}", moved.from.line, moved.to);
        facts.list("moved", found.moved.iter().map(arrow).collect());
    } else {
        facts.records("moved", "moved", found.moved());
    }
    facts.records("ranges", "range", ranges(&found.ranges));
    compression_facts(&mut facts, answer.compression, answer.size);
    facts.words("encoding", answer.encoding.as_deref());
    facts.words("encoding_source", answer.encoding_source.map(Origin::name));
    facts.words("encoding_guess", answer.encoding_guess.as_deref());
    facts.words("encoding_hint", answer.encoding_hint.as_deref());
    facts.if_true("bom", answer.bom);
    if tally.invalid.count > 0 {
        facts.map("invalid_utf8", invalid_counts(tally));
    }
    facts.number("content_bytes", tally.content_bytes);
    let cut_by = cut_by(tally);
    if json || cut_by.is_some() {
        facts.flag("truncated", cut_by.is_some());
    }
    facts.words("cut_by", cut_by);
    facts.number("clipped_lines", Some(tally.clipped_lines).filter(|n| *n > 0));
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
