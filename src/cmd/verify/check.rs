//! Compares anchors with the lines as they are now.

use std::collections::HashMap;

use rread_reader::reader::Reader;
use rread_reader::reader::find_lines::FoundLines;
use rread_reader::reader::line_walk::LineWalk;
use rread_text::error::{Kind, Result};
use rread_text::hashline::{Anchor, HashStyle, HashlineForm, LineHasher, Tag};
use rread_text::range::Boundary;

#[derive(Clone, Copy, Debug)]
pub(super) struct MismatchedAnchor {
    pub(super) anchor: Anchor,
    /// The line with that number now; `None` past the end of the file.
    pub(super) now: Option<Hashed>,
    /// Where that line begins; past the end of the file, the end and the number of lines.
    pub(super) place: Boundary,
}

#[derive(Clone, Debug)]
pub(super) struct AnchorCheck {
    pub(super) mismatches: Vec<MismatchedAnchor>,
    pub(super) intact: Vec<u64>,
    pub(super) total_lines: Option<u64>,
    /// The end of the text that the result depends on.
    pub(super) end: u64,
}

/// Merges ascending ranges of lines that overlap or touch.
pub(super) fn merge(ranges: impl Iterator<Item = (u64, u64)>) -> Vec<(u64, u64)> {
    let mut all: Vec<(u64, u64)> = Vec::new();
    for (start, end) in ranges {
        match all.last_mut() {
            Some(last) if start <= last.1.saturating_add(1) => last.1 = last.1.max(end),
            _ => all.push((start, end)),
        }
    }
    all
}

/// The tags of lines, and the number of lines if one of them is past the end.
#[derive(Debug, Default)]
pub(super) struct LineTags {
    pub(super) tags: HashMap<(u64, HashlineForm), Tag>,
    pub(super) total: u64,
}

pub(super) fn tags(reader: &Reader, wanted: &[(u64, HashlineForm)]) -> Result<LineTags> {
    let mut counts: Vec<u64> = wanted.iter().map(|(line, _)| line - 1).collect();
    counts.sort_unstable();
    counts.dedup();
    let mut all = LineTags::default();
    if counts.is_empty() {
        return Ok(all);
    }
    let places = find(reader, &counts, false)?.boundaries;
    let mut lines = Lines::new(reader, wanted.iter().any(|(_, form)| form.style == HashStyle::Omp));
    let mut hashes = HashMap::new();
    for (count, place) in counts.into_iter().zip(places) {
        match lines.after(count, place)? {
            Some(hashed) => drop(hashes.insert(count + 1, hashed)),
            None => all.total = place.lines.unwrap_or(0),
        }
    }
    let tag = |(line, form): &(u64, HashlineForm)| Some(((*line, *form), hashes.get(line)?.tag(*form)));
    all.tags = wanted.iter().filter_map(tag).collect();
    Ok(all)
}

/// `anchors` must be sorted.
pub(super) fn check(reader: &Reader, anchors: &[Anchor]) -> Result<AnchorCheck> {
    let mut counts: Vec<u64> = anchors.iter().map(|anchor| anchor.line - 1).collect();
    counts.dedup();
    let found = find(reader, &counts, reader.is_cheap_to_count())?;
    let mut lines = Lines::new(reader, has_letters(anchors.iter().copied()));
    let mut checked =
        AnchorCheck { mismatches: Vec::new(), intact: Vec::new(), total_lines: found.total_lines, end: 0 };
    let groups = anchors.chunk_by(|a, b| a.line == b.line);
    for ((count, place), group) in counts.into_iter().zip(found.boundaries).zip(groups) {
        let now = lines.after(count, place)?;
        checked.end = checked.end.max(now.map_or(place.offset, |now| now.next));
        if now.is_none() {
            checked.total_lines = place.lines;
        }
        for anchor in group {
            if now.map(|now| now.tag(anchor.tag.form())) == Some(anchor.tag) {
                checked.intact.push(anchor.line);
            } else {
                checked.mismatches.push(MismatchedAnchor { anchor: *anchor, now, place });
            }
        }
    }
    Ok(checked)
}

/// Retries without the index if it turns out to be wrong.
pub(super) fn find(reader: &Reader, counts: &[u64], to_end: bool) -> Result<FoundLines> {
    reader.find_lines(counts, to_end).or_else(|error| match error.kind {
        Kind::Changed => reader.find_lines(counts, to_end),
        _ => Err(error),
    })
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Hashed {
    digits: u32,
    letters: u32,
    /// Whether the line has more than punctuation.
    pub(super) has_words: bool,
    pub(super) next: u64,
}

impl Hashed {
    pub(super) fn tag(&self, form: HashlineForm) -> Tag {
        form.tag(if form.style == HashStyle::Omp { self.letters } else { self.digits })
    }
}

pub(super) fn has_letters(mut anchors: impl Iterator<Item = Anchor>) -> bool {
    anchors.any(|anchor| matches!(anchor.tag, Tag::Letters(_)))
}

pub(super) struct Lines<'a> {
    walk: LineWalk<'a>,
    digits: LineHasher,
    letters: LineHasher,
    with_letters: bool,
}

impl<'a> Lines<'a> {
    /// Computes hashes with letters only on request: they take longer, and few anchors have them.
    pub(super) fn new(reader: &'a Reader, with_letters: bool) -> Self {
        let hasher = |style| LineHasher::new(style, reader.units());
        Lines {
            walk: LineWalk::new(reader),
            digits: hasher(HashStyle::Xxh32),
            letters: hasher(HashStyle::Omp),
            with_letters,
        }
    }

    /// The line after the first `count`; `None` if the file ends before, at `place`.
    fn after(&mut self, count: u64, place: Boundary) -> Result<Option<Hashed>> {
        if place.lines == Some(count) { self.at(place.offset) } else { Ok(None) }
    }

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
