//! The text of a line in the colors of rg, or with its matches replaced: names magenta, numbers green, matches bold and red.

use crate::content::{self, ContentOptions, ContentStats, Segment, Sink};
use rread_reader::reader::Reader;
use rread_reader::search::occurrences::Occurrence;
use rread_text::error::Result;

pub(super) const PATH: &[u8] = b"\x1b[35m";
pub(super) const NUMBER: &[u8] = b"\x1b[32m";
const MATCH: &[u8] = b"\x1b[1m\x1b[31m";
const PLAIN: &[u8] = b"\x1b[0m";

/// Appends `text` to `to`, between `color` and its end if colors are on.
pub(super) fn within(to: &mut Vec<u8>, color: &[u8], is_on: bool, text: &[u8]) {
    if is_on {
        to.extend_from_slice(color);
    }
    to.extend_from_slice(text);
    if is_on {
        to.extend_from_slice(PLAIN);
    }
}

/// Writes a part of a line, match after match.
pub(super) struct MarkedText<'a> {
    reader: &'a Reader,
    segment: Segment,
    options: ContentOptions,
    /// Matches are replaced.
    replaces: bool,
    /// Bytes that are written as they are, and the offset of the first.
    held: Option<(u64, &'a [u8])>,
    sink: &'a mut dyn Sink,
    stats: ContentStats,
    /// Up to here, everything is written.
    at: u64,
}

impl<'a> MarkedText<'a> {
    pub(super) fn new(
        reader: &'a Reader,
        segment: Segment,
        options: ContentOptions,
        replaces: bool,
        held: Option<(u64, &'a [u8])>,
        sink: &'a mut dyn Sink,
    ) -> Self {
        let token_thirds = options.estimates_tokens.then_some(0);
        let stats = ContentStats { token_thirds, ..ContentStats::default() };
        MarkedText { reader, at: segment.start, segment, options, replaces, held, sink, stats }
    }

    /// Writes what comes before the match, and the match.
    pub(super) fn add(&mut self, one: &Occurrence) -> Result<()> {
        let range = if self.replaces { &one.bytes } else { &one.mark };
        let (start, end) = (range.start.max(self.at), range.end.min(self.segment.end));
        if self.replaces {
            if range.start < self.at || range.start > self.segment.end {
                return Ok(());
            }
            self.piece(start)?;
            self.colored(&one.replacement)?;
            self.at = range.end.max(self.at);
            return Ok(());
        }
        if !self.options.color || start >= end {
            return Ok(());
        }
        if self.piece(start)? > 0 {
            self.options.hash = None;
        }
        if let Some(text) = self.held_until(end) {
            self.at = end;
            self.stats.count_tokens(text);
            return self.colored(text);
        }
        let mut text = Vec::new();
        let written = content::deliver(self.reader, &[self.until(end)], &self.options, &mut text)?;
        self.count(&written);
        self.at = end;
        // A hashline begins with its number and hash, which hold no separator.
        let separator = self.options.hash.take().map(|form| form.separator());
        let front = separator.and_then(|byte| text.iter().position(|b| *b == byte)).map_or(0, |end| end + 1);
        self.sink.write(&text[..front])?;
        self.colored(&text[front..])
    }

    /// Writes the rest of the part; returns what was written of the file.
    pub(super) fn finish(mut self) -> Result<ContentStats> {
        let end = self.segment.end;
        if self.at < end || self.at == self.segment.start {
            self.piece(end)?;
        }
        Ok(self.stats)
    }

    fn colored(&mut self, text: &[u8]) -> Result<()> {
        let is_colored = self.options.color;
        if is_colored {
            self.sink.write(MATCH)?;
            self.stats.count_tokens(MATCH);
        }
        self.sink.write(text)?;
        if self.replaces {
            self.stats.count_tokens(text);
        }
        if is_colored {
            self.sink.write(PLAIN)?;
            self.stats.count_tokens(PLAIN);
        }
        Ok(())
    }

    fn until(&self, end: u64) -> Segment {
        Segment { start: self.at, end, ..self.segment }
    }

    /// The bytes up to `end`, if they are at hand.
    fn held_until(&self, end: u64) -> Option<&'a [u8]> {
        let (start, held) = self.held?;
        let from = usize::try_from(self.at.checked_sub(start)?).ok()?;
        held.get(from..usize::try_from(end - start).ok()?)
    }

    fn piece(&mut self, end: u64) -> Result<u64> {
        if let Some(text) = self.held_until(end) {
            self.at = end;
            self.stats.count_tokens(text);
            return self.sink.write(text).map(|()| text.len() as u64);
        }
        let written = content::deliver(self.reader, &[self.until(end)], &self.options, self.sink)?;
        self.count(&written);
        self.at = end;
        Ok(written.content_bytes)
    }

    fn count(&mut self, written: &ContentStats) {
        self.stats.invalid.count += written.invalid.count;
        self.stats.invalid.first_byte = self.stats.invalid.first_byte.or(written.invalid.first_byte);
        let thirds = written.token_thirds.unwrap_or(0);
        self.stats.token_thirds = self.stats.token_thirds.map(|sum| sum + thirds);
    }
}
