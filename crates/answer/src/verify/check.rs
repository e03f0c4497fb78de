//! Compares anchors with the lines as they are now; the anchors are named, or those that an earlier run showed.

use std::collections::HashMap;
use std::path::Path;

use crate::deliver;
use crate::options::ReadOptions;
use rread_reader::reader::find_lines::FoundLines;
use rread_reader::{LineWalk, Reader};
use rread_source::version::Version;
use rread_text::hashline::{LineHasher, Tag};
use rread_text::range::{Boundary, Point};
use rread_text::{Anchor, Error, HashStyle, HashlineForm, Kind, Range, Result, Unit, call, parse_list};

#[derive(Clone, Copy, Debug)]
pub(super) struct MismatchedAnchor {
    pub(super) anchor: Anchor,
    /// The line with that number now; `None` past the end of the file.
    pub(super) now: Option<Hashed>,
    /// The start of that line; past the end of the file, the end and the number of lines.
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

/// When the lines were read.
#[derive(Clone, Debug)]
pub enum Since {
    /// In the last read with hashes.
    Last,
    /// When the file was in this state.
    Version(Version),
}

/// The anchors of a version in `words`, lists of ranges; all of them if there are none.
pub fn shown_anchors(
    options: &ReadOptions,
    file: &Path,
    words: &[String],
    since: &Since,
) -> Result<Vec<Anchor>> {
    let ranges = words.iter().map(|word| lines(word)).collect::<Result<Vec<_>>>()?.concat();
    let known = deliver::shown_versions(options, file);
    let version = match since {
        Since::Last => known.first().cloned().unwrap_or_default(),
        Since::Version(version) => version.to_string(),
    };
    let all = deliver::shown_hashes(options, file, &version);
    if all.is_empty() {
        let none = match &known[..] {
            [] if !matches!(options.hashes, Some((_, true))) => {
                let why = "RREAD_INDEX is off or ro, or line indexes have no directory";
                format!("no hash of a line is kept, since {why}; verify takes anchors such as 1#a1b2c3")
            }
            [] => "no hash of a line is kept".to_owned(),
            known => format!("no hash of version {version} is kept, but of {}", known.join(", ")),
        };
        return Err(Error::usage(none).hint(call("lines").file(file).word("1:20").on("hash")));
    }
    let shown = merge(all.iter().map(|anchor| (anchor.line, anchor.line)));
    if let Some(missing) = ranges.iter().find_map(|range| missing(*range, &shown)) {
        let list: Vec<String> = shown.iter().map(|&(start, end)| range_text(start, end)).collect();
        let list = list.join(",");
        let message = format!("{} not shown with --hash in version {version}", was(missing));
        return Err(Error::usage(message).hint(call("verify").file(file).word(list).with("since", version)));
    }
    let is_asked = |anchor: &Anchor| ranges.iter().any(|(start, end)| (*start..=*end).contains(&anchor.line));
    Ok(all.into_iter().filter(|anchor| ranges.is_empty() || is_asked(anchor)).collect())
}

/// The first and the last line of each range.
fn lines(word: &str) -> Result<Vec<(u64, u64)>> {
    let ends = |range: Range| match (range.start(), range.end()) {
        (Point::Front(before), Point::Front(end)) => Ok((before.saturating_add(1), end)),
        (Point::Front(before), Point::Back(0)) => Ok((before.saturating_add(1), u64::MAX)),
        _ => Err(Error::usage(format!("'{range}' counts from the end, which may have moved since"))
            .hint("give the numbers that the lines had, such as 110:120")),
    };
    parse_list(word, Unit::Lines)?.into_iter().map(|range| ends(range.check()?)).collect()
}

/// The first lines of a range that are not in `shown`. An open range is what was shown of it.
fn missing((start, end): (u64, u64), shown: &[(u64, u64)]) -> Option<(u64, u64)> {
    let inside = |line: u64| shown.iter().find(|(first, last)| (*first..=*last).contains(&line));
    if end == u64::MAX {
        return shown.iter().all(|(_, last)| *last < start).then_some((start, end));
    }
    let from = inside(start).map_or(start, |(_, last)| last.saturating_add(1));
    let to = shown.iter().map(|(first, _)| first - 1).find(|before| *before >= from).unwrap_or(end);
    (from <= end).then_some((from, to.min(end)))
}

fn range_text(start: u64, end: u64) -> String {
    match end {
        end if end == start => start.to_string(),
        u64::MAX => format!("{start}:"),
        end => format!("{start}:{end}"),
    }
}

fn was((start, end): (u64, u64)) -> String {
    let text = range_text(start, end);
    if start == end { format!("line {text} was") } else { format!("lines {text} were") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_lines_are_those_that_a_walk_finds() {
        let shown = [(3, 5), (8, 8), (10, 14)];
        let is_shown = |line: u64| shown.iter().any(|(first, last)| (*first..=*last).contains(&line));
        for start in 1..18 {
            for end in start..18 {
                let first = (start..=end).find(|line| !is_shown(*line));
                let walked = first.map(|first| {
                    let last = (first..=end).take_while(|line| !is_shown(*line)).last();
                    (first, last.unwrap_or(first))
                });
                assert_eq!(missing((start, end), &shown), walked, "{start}:{end}");
            }
        }
        assert_eq!(missing((14, u64::MAX), &shown), None);
        assert_eq!(missing((15, u64::MAX), &shown), Some((15, u64::MAX)));
    }
}
