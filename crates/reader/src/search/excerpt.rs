//! The part of a line that is shown: the whole line, or a window around its first match.

use std::ops::Range;

use super::group::ShownLine;
use super::long_line::HELD_BLOCKS;
use super::matcher::LineMatcher;
use crate::reader::Reader;
use rread_text::encoding::{Encoding, Run, TextDecoder};
use rread_text::error::Result;

/// A match in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The bytes of the match.
    pub bytes: Range<u64>,
    /// The first character of the match, from 1; `None` in a line that is too long to be held.
    pub column: Option<u64>,
}

/// What is wanted of the matches in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// No match.
    Nothing,
    /// Each match that is shown whole.
    Matches,
    /// What to highlight.
    Marks,
}

/// The part of a line that is shown.
#[derive(Clone, Debug)]
pub struct Excerpt {
    /// The bytes that are shown.
    pub bytes: Range<u64>,
    /// Whether the line begins before, and whether it goes on after them.
    pub cut: (bool, bool),
    /// The matches in them.
    pub matches: Vec<Match>,
    /// The bytes to highlight: whole characters, in order, without overlaps.
    pub marks: Vec<Range<u64>>,
}

/// A part of a line in memory, in UTF-8.
struct LinePart {
    text: Vec<u8>,
    encoding: Encoding,
    /// The bytes of the file, and the offset of the first.
    pub bytes: Vec<u8>,
    pub at: u64,
    /// The starts of runs of text, in `text` and in `bytes`; empty for UTF-8.
    runs: Vec<(usize, usize)>,
}

impl Excerpt {
    /// At most `columns` characters of `line`: around the first match of a hit, otherwise from the beginning.
    pub fn of(
        reader: &Reader,
        matcher: &LineMatcher,
        line: ShownLine,
        columns: Option<u64>,
        wanted: Wanted,
    ) -> Result<Self> {
        if columns.is_none() && wanted == Wanted::Nothing {
            let bytes = line.start..line.next;
            return Ok(Excerpt { bytes, cut: (false, false), matches: Vec::new(), marks: Vec::new() });
        }
        // Reading cannot resume inside a line of an encoding with state, so such a line is shown whole.
        let columns = columns.filter(|_| !reader.encoding().has_state());
        let most = (HELD_BLOCKS * reader.block()) as u64;
        let (mut start, mut from) = (line.start, 0);
        if let Some(first) = line.first_match {
            let near = first.saturating_sub(most / 4).max(line.start);
            start = near - near % reader.units().width() as u64;
        }
        let held = LinePart::read(reader, start..line.next.min(start.saturating_add(most)))?;
        if let Some(first) = line.first_match.filter(|_| start > line.start) {
            let before = usize::try_from(first - held.at).unwrap_or(0).min(held.bytes.len());
            from = matcher.text(&held.bytes[..before], held.at).len();
        }
        let (body, goes_on) = (matcher.without_end(&held.text), held.end() < line.next);
        let is_matched = line.is_hit && !matcher.invert();
        let mut first = 0;
        if is_matched {
            matcher.matches_in_part(body, from, None, goes_on, &mut |found| {
                first = found.start;
                false
            })?;
        }
        let window = window(body, first, columns);
        let mut found = Vec::new();
        if is_matched && wanted != Wanted::Nothing {
            matcher.matches_in_part(body, from, None, goes_on, &mut |one| {
                let is_before = one.start <= window.end;
                found.push(one);
                is_before
            })?;
        }
        let marks = if wanted == Wanted::Marks { held.marks(&found, &window) } else { Vec::new() };
        if wanted == Wanted::Marks {
            found.clear();
        }
        let cut = match columns {
            Some(_) => {
                (window.start > 0 || start > line.start, window.end < body.len() || held.end() < line.next)
            }
            None => (false, false),
        };
        let bytes = match cut {
            (false, false) => line.start..line.next,
            (_, true) => held.offset(window.start)..held.offset(window.end),
            (true, false) => held.offset(window.start)..line.next,
        };
        let mut counted = (0, 0);
        found.retain(|one| one.start >= window.start && one.end <= window.end);
        let matches = found.into_iter().map(|found| {
            counted.1 += characters(&body[counted.0..found.start]);
            counted.0 = found.start;
            let bytes = held.offset(found.start)..held.offset(found.end);
            Match { bytes, column: (start == line.start).then_some(counted.1 + 1) }
        });
        Ok(Excerpt { bytes, cut, matches: matches.collect(), marks })
    }
}

impl LinePart {
    fn read(reader: &Reader, span: Range<u64>) -> Result<Self> {
        let encoding = reader.encoding();
        let mark = if span.start == 0 && reader.decided().bom { encoding.mark().len() as u64 } else { 0 };
        let at = (span.start + mark).min(span.end);
        let mut bytes = vec![0; usize::try_from(span.end - at).unwrap_or(0)];
        reader.read_exact(&mut bytes, at)?;
        let mut held = LinePart { text: Vec::new(), encoding, bytes, at, runs: Vec::new() };
        if encoding == Encoding::Utf8 {
            held.text = held.bytes.clone();
            return Ok(held);
        }
        let mut decoder = TextDecoder::new(encoding);
        let mut used = 0;
        while let Some(run) = decoder.next_run(&held.bytes[used..], at + used as u64) {
            held.runs.push((held.text.len(), used));
            match run {
                Run::Text(text) => {
                    held.text.extend_from_slice(text.utf8);
                    used += text.source.len();
                }
                Run::Invalid(bad) | Run::Cut(bad) => {
                    held.text.extend_from_slice("\u{FFFD}".as_bytes());
                    used += bad.len();
                }
            }
        }
        Ok(held)
    }

    fn end(&self) -> u64 {
        self.at + self.bytes.len() as u64
    }

    /// The bytes to highlight for what was `found`: as far as the window shows it, and without the end of the line.
    fn marks(&self, found: &[Range<usize>], window: &Range<usize>) -> Vec<Range<u64>> {
        // Reading cannot resume inside such a line.
        if self.encoding.has_state() {
            return Vec::new();
        }
        let line = self.text.strip_suffix(b"\n").unwrap_or(&self.text);
        let last = line.strip_suffix(b"\r").unwrap_or(line).len().min(window.end);
        let mut marks: Vec<Range<u64>> = Vec::new();
        let mut shown = window.start;
        for one in found {
            // A pattern of bytes may match a part of a character.
            let start = unit_at(&self.text, one.start).map_or(one.start, |unit| unit.start).max(shown);
            let end = unit_at(&self.text, one.end).map_or(one.end, |unit| unit.end).min(last);
            if start < end && !one.is_empty() {
                marks.push(self.offset(start)..self.offset(end));
                shown = end;
            }
        }
        marks
    }

    /// The offset in the file of the character at `at` of the text.
    fn offset(&self, at: usize) -> u64 {
        if self.encoding.has_state() {
            return self.at + self.longest_with(at) as u64;
        }
        let run = self.runs.partition_point(|run| run.0 <= at);
        let Some((text, source)) = run.checked_sub(1).map(|run| self.runs[run]) else {
            return self.at + at as u64;
        };
        let here = self.at + source as u64;
        let mut decoder = TextDecoder::new(self.encoding);
        match decoder.next_run(&self.bytes[source..], here) {
            Some(Run::Text(run)) => run.split_at((at - text).min(run.utf8.len())).1.at,
            Some(Run::Invalid(bad) | Run::Cut(bad)) if at > text => here + bad.len() as u64,
            _ => here,
        }
    }
}

impl LinePart {
    /// The longest beginning of whole characters whose text is at most `len` long. A run of text with state cannot be
    /// split.
    fn longest_with(&self, len: usize) -> usize {
        let decoded = |end: usize| {
            let (mut decoder, mut used, mut text) = (TextDecoder::new(self.encoding), 0, 0);
            while let Some(run) = decoder.next_run(&self.bytes[used..end], self.at + used as u64) {
                let (utf8, source) = match run {
                    Run::Text(run) => (run.utf8.len(), run.source.len()),
                    Run::Invalid(bad) => ('\u{FFFD}'.len_utf8(), bad.len()),
                    Run::Cut(_) => break,
                };
                (text, used) = (text + utf8, used + source);
            }
            (text, used)
        };
        let (mut fits, mut exceeds) = (0, self.bytes.len() + 1);
        while exceeds - fits > 1 {
            let middle = usize::midpoint(fits, exceeds);
            if decoded(middle).0 <= len { fits = middle } else { exceeds = middle }
        }
        decoded(fits).1
    }
}

/// The character, or the invalid bytes that one U+FFFD stands for, if `at` lies inside of it.
fn unit_at(text: &[u8], at: usize) -> Option<Range<usize>> {
    let is_inner = |byte: u8| byte & 0xC0 == 0x80;
    if !is_inner(*text.get(at)?) {
        return None;
    }
    let start = (at.saturating_sub(3)..at).rev().find(|at| !is_inner(text[*at]))?;
    let chunk = text[start..text.len().min(start + 4)].utf8_chunks().next()?;
    let first = chunk.valid().chars().next();
    let end = start + first.map_or(chunk.invalid().len(), char::len_utf8);
    (end > at).then_some(start..end)
}

/// Characters of `text`, which may have invalid bytes.
fn characters(text: &[u8]) -> u64 {
    String::from_utf8_lossy(text).chars().count() as u64
}

/// At most `columns` characters of `text`, with the byte `at` in the first third unless the text begins or ends there.
fn window(text: &[u8], at: usize, columns: Option<u64>) -> Range<usize> {
    let Some(columns) = columns.and_then(|columns| usize::try_from(columns).ok()) else {
        return 0..text.len();
    };
    let is_edge = |byte: &u8| byte & 0xC0 != 0x80;
    let back = |from: usize, count: usize| {
        let mut edges = (0..from).rev().filter(|at| is_edge(&text[*at]));
        // Invalid text may begin with a byte that is not an edge.
        count.checked_sub(1).map_or(from, |others| edges.nth(others).unwrap_or(0))
    };
    let forward = |from: usize, count: usize| {
        let mut edges = (from..text.len()).filter(|at| is_edge(&text[*at]));
        edges.nth(count).unwrap_or(text.len())
    };
    let start = back(at, columns / 3);
    let end = forward(start, columns);
    if end < text.len() {
        return start..end;
    }
    back(text.len(), columns)..text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_shows_the_match_and_as_many_characters_as_asked() {
        let text = "ééééé needle ooooooooooooooo".as_bytes();
        let at = 11;
        for columns in 1..40 {
            let window = window(text, at, Some(columns));
            assert!(window.start <= at && (at < window.end), "{columns}: {window:?}");
            let shown = std::str::from_utf8(&text[window]).unwrap();
            assert_eq!(shown.chars().count() as u64, columns.min(28));
        }
        assert_eq!(window(text, 0, Some(3)), 0..6);
        assert_eq!(window(b"", 0, Some(3)), 0..0);
    }

    #[test]
    fn a_short_line_that_begins_in_the_middle_of_a_character_is_whole() {
        let text = b"\x8Cwiat\xB3o: cena 37 z\xB3";
        assert_eq!(window(text, 10, Some(500)), 0..text.len());
        assert_eq!(window(text, 10, Some(5)), 9..14);
    }
}
