//! The part of a line that is shown: the whole line, or a window around its first match.

use std::ops::Range;

use super::group::ShownLine;
use super::long_line::HELD_BLOCKS;
use super::matcher::LineMatcher;
use crate::encoding::{Encoding, Run, TextDecoder};
use crate::error::Result;
use crate::reader::Reader;

/// A match in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    /// The bytes of the match.
    pub(crate) bytes: Range<u64>,
    /// The first character of the match, from 1; `None` in a line that is too long to be held.
    pub(crate) column: Option<u64>,
}

/// The part of a line that is shown.
#[derive(Clone, Debug)]
pub(crate) struct Excerpt {
    /// The bytes that are shown.
    pub(crate) bytes: Range<u64>,
    /// Whether the line begins before, and whether it goes on after them.
    pub(crate) cut: (bool, bool),
    /// The matches in them.
    pub(crate) matches: Vec<Match>,
}

/// A part of a line in memory, in UTF-8.
struct Held {
    text: Vec<u8>,
    encoding: Encoding,
    /// The bytes of the file, and the offset of the first.
    bytes: Vec<u8>,
    at: u64,
    /// The starts of runs of text, in `text` and in `bytes`; empty for UTF-8.
    runs: Vec<(usize, usize)>,
}

impl Excerpt {
    /// At most `columns` characters of `line`: around the first match of a hit, otherwise from the beginning.
    pub(crate) fn of(
        reader: &Reader,
        matcher: &LineMatcher,
        line: ShownLine,
        columns: Option<u64>,
        wants_matches: bool,
    ) -> Result<Self> {
        let whole = Excerpt { bytes: line.start..line.next, cut: (false, false), matches: Vec::new() };
        if columns.is_none() && !wants_matches {
            return Ok(whole);
        }
        let most = (HELD_BLOCKS * reader.block()) as u64;
        let (mut start, mut from) = (line.start, 0);
        if let Some(first) = line.first_match {
            let near = first.saturating_sub(most / 4).max(line.start);
            start = near - near % reader.units().width() as u64;
        }
        let held = Held::read(reader, start..line.next.min(start.saturating_add(most)))?;
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
        let mut matches = Vec::new();
        if is_matched && wants_matches {
            matcher.matches_in_part(body, from, None, goes_on, &mut |found| {
                let is_before = found.start <= window.end;
                if found.start >= window.start && found.end <= window.end {
                    matches.push(found);
                }
                is_before
            })?;
        }
        let cut = (window.start > 0 || start > line.start, window.end < body.len() || held.end() < line.next);
        let bytes = match cut {
            (false, false) => line.start..line.next,
            (_, true) => held.offset(window.start)..held.offset(window.end),
            (true, false) => held.offset(window.start)..line.next,
        };
        let mut counted = (0, 0);
        let matches = matches.into_iter().map(|found| {
            counted.1 += characters(&body[counted.0..found.start]);
            counted.0 = found.start;
            let bytes = held.offset(found.start)..held.offset(found.end);
            Match { bytes, column: (start == line.start).then_some(counted.1 + 1) }
        });
        Ok(Excerpt { bytes, cut, matches: matches.collect() })
    }
}

impl Held {
    fn read(reader: &Reader, span: Range<u64>) -> Result<Self> {
        let encoding = reader.encoding();
        let mark = if span.start == 0 && reader.decided().bom { encoding.mark().len() as u64 } else { 0 };
        let at = (span.start + mark).min(span.end);
        let mut bytes = vec![0; usize::try_from(span.end - at).unwrap_or(0)];
        reader.read_exact(&mut bytes, at)?;
        let mut held = Held { text: Vec::new(), encoding, bytes, at, runs: Vec::new() };
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

    /// The offset in the file of the character at `at` of the text.
    fn offset(&self, at: usize) -> u64 {
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
        let edges = (0..from).rev().filter(|at| is_edge(&text[*at]));
        edges.take(count).last().unwrap_or(from)
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
}
