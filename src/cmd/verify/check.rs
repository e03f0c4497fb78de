//! Lines against their anchors: found as `lines` finds them, and hashed from end to end.

use crate::error::{Kind, Result};
use crate::hashline::{Anchor, Form, LineHasher, Style, Tag};
use crate::reader::forward::Found;
use crate::reader::hashes::LineWalk;
use crate::reader::{Mark, Reader};

/// An anchor whose line is not what it was.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mismatch {
    pub(super) anchor: Anchor,
    /// What the line is now; `None` past the end of the file.
    pub(super) now: Option<Tag>,
    /// Where it begins; past the end of the file, the end, and the lines that there are.
    pub(super) place: Mark,
}

/// What became of all anchors.
#[derive(Clone, Debug)]
pub(super) struct Checked {
    /// Those that do not match, in the order of lines.
    pub(super) mismatches: Vec<Mismatch>,
    /// The lines that are still what they were, in order.
    pub(super) intact: Vec<u64>,
    /// The number of lines, if it is known now.
    pub(super) total_lines: Option<u64>,
    /// How much of the text this depends on.
    pub(super) end: u64,
}

impl Checked {
    /// The lines that have changed and are there, neighbours together: first and last of each group.
    pub(super) fn affected(&self) -> Vec<(u64, u64)> {
        let there = self.mismatches.iter().filter(|mismatch| mismatch.now.is_some());
        merged(there.map(|mismatch| (mismatch.anchor.line, mismatch.anchor.line)))
    }
}

/// Ascending ranges of lines, those that touch made one.
pub(super) fn merged(ranges: impl Iterator<Item = (u64, u64)>) -> Vec<(u64, u64)> {
    let mut all: Vec<(u64, u64)> = Vec::new();
    for (start, end) in ranges {
        match all.last_mut() {
            Some(last) if start <= last.1.saturating_add(1) => last.1 = last.1.max(end),
            _ => all.push((start, end)),
        }
    }
    all
}

/// Compares `anchors`, which are sorted, with the lines as they are now.
pub(super) fn check(reader: &Reader, anchors: &[Anchor]) -> Result<Checked> {
    let mut counts: Vec<u64> = anchors.iter().map(|anchor| anchor.line - 1).collect();
    counts.dedup();
    let found = find(reader, &counts, reader.is_cheap_to_count())?;
    let mut lines = Lines::new(reader, anchors.iter().copied());
    let mut checked =
        Checked { mismatches: Vec::new(), intact: Vec::new(), total_lines: found.total_lines, end: 0 };
    let groups = anchors.chunk_by(|a, b| a.line == b.line);
    for ((count, place), group) in counts.into_iter().zip(found.marks).zip(groups) {
        let now = if place.lines == Some(count) { lines.at(place.offset)? } else { None };
        checked.end = checked.end.max(now.map_or(place.offset, |now| now.next));
        if now.is_none() {
            checked.total_lines = place.lines;
        }
        let tag = |form: Form| now.map(|now| now.tag(form));
        for anchor in group {
            let now = tag(anchor.tag.form());
            if now == Some(anchor.tag) {
                checked.intact.push(anchor.line);
            } else {
                checked.mismatches.push(Mismatch { anchor: *anchor, now, place });
            }
        }
    }
    Ok(checked)
}

/// The boundaries after so many lines; once more, without what was remembered, where that was not true.
pub(super) fn find(reader: &Reader, counts: &[u64], to_end: bool) -> Result<Found> {
    reader.find_lines(counts, to_end).or_else(|error| match error.kind {
        Kind::Changed => reader.find_lines(counts, to_end),
        _ => Err(error),
    })
}

/// What a line comes to in every form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hashed {
    digits: u32,
    letters: u32,
    /// Whether there is more in it than punctuation.
    pub(super) has_words: bool,
    /// Where the next line begins.
    pub(super) next: u64,
}

impl Hashed {
    pub(super) fn tag(&self, form: Form) -> Tag {
        form.tag(if form.style == Style::Omp { self.letters } else { self.digits })
    }
}

/// Hashes lines in every form that there are anchors of.
pub(super) struct Lines<'a> {
    walk: LineWalk<'a>,
    digits: LineHasher,
    letters: LineHasher,
    with_letters: bool,
}

impl<'a> Lines<'a> {
    /// Letters take longer, and few anchors have them: they are made only for those.
    pub(super) fn new(reader: &'a Reader, mut anchors: impl Iterator<Item = Anchor>) -> Self {
        let hasher = |style| LineHasher::new(style, reader.units());
        Lines {
            walk: LineWalk::new(reader),
            digits: hasher(Style::Xxh32),
            letters: hasher(Style::Omp),
            with_letters: anchors.any(|anchor| matches!(anchor.tag, Tag::Letters(_))),
        }
    }

    /// The line that begins at `at`; `None` at the end of the file.
    pub(super) fn at(&mut self, at: u64) -> Result<Option<Hashed>> {
        let mut has_words = false;
        let walked = self.walk.line(at, &mut |piece| {
            self.digits.update(piece);
            if self.with_letters {
                self.letters.update(piece);
            }
            has_words = has_words || piece.iter().any(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80);
        })?;
        let digits = self.digits.finish(walked.terminated);
        let letters = self.letters.finish(walked.terminated);
        Ok((walked.next > at).then_some(Hashed { digits, letters, has_words, next: walked.next }))
    }
}
