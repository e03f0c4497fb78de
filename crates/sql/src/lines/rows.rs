//! Finds the rows of a block: its lines, or its records.

use std::ops::Range;

use super::blocks::Block;
use super::conditions::{Find, Literals};
use super::level::level;
use rread_text::encoding::Encoding;
use rread_text::error::Result;
use rread_text::newline::Units;
use rread_text::timestamp::Timestamp;

/// A row of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    /// Its bytes in the block, with the ends of its lines.
    pub bytes: Range<usize>,
    /// The lines of the block before it, if they are counted.
    pub line: u64,
    pub time: Option<Timestamp>,
    pub level: Option<&'static str>,
}

/// The parts of a row that the query needs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wanted {
    pub line: bool,
    pub level: bool,
}

/// Passes the rows of `block` that may have one of the literals of each group, in their order.
pub(super) fn rows(
    block: &Block,
    encoding: Encoding,
    wanted: Wanted,
    literals: &Literals,
    take: &mut dyn FnMut(Row) -> Result<()>,
) -> Result<()> {
    let mut walk = Walk { block, units: encoding.units(), wanted, line: 0, counted: 0, ahead: None };
    match literals.finder() {
        // The bytes of other encodings are compared once they are decoded.
        Some(finder) if encoding == Encoding::Utf8 => walk.found(&finder, take),
        _ => walk.all(take),
    }
}

struct Walk<'b> {
    block: &'b Block,
    units: Units,
    wanted: Wanted,
    /// The lines before `counted`.
    line: u64,
    counted: usize,
    /// The start and the time of the record after the last one.
    ahead: Option<(usize, Timestamp, Range<usize>)>,
}

impl Walk<'_> {
    fn all(&mut self, take: &mut dyn FnMut(Row) -> Result<()>) -> Result<()> {
        let mut from = 0;
        while from < self.block.bytes.len() {
            let row = self.row(from);
            from = row.bytes.end;
            take(row)?;
        }
        Ok(())
    }

    /// The rows in which `finder` finds something; the engine filters again.
    fn found(&mut self, finder: &Find, take: &mut dyn FnMut(Row) -> Result<()>) -> Result<()> {
        let mut from = 0;
        while let Some(at) = finder(&self.block.bytes[from..]) {
            let start = self.start(from, from + at);
            let row = self.row(start);
            from = row.bytes.end;
            take(row)?;
        }
        Ok(())
    }

    /// The start of the row that has the byte `at`; a row begins at `from`.
    fn start(&mut self, from: usize, at: usize) -> usize {
        let bytes = &self.block.bytes;
        let mut start = from + self.units.after_last(&bytes[from..at]).unwrap_or(0);
        let Some(times) = &self.block.times else { return start };
        while start > from {
            let end = self.end_of_line(start);
            let at = self.block.at + start as u64;
            if let Some((time, place)) = times.read(&times.text(&bytes[start..end], at), at) {
                self.ahead = Some((start, time, place));
                break;
            }
            start = from + self.units.after_last(&bytes[from..start - self.units.width()]).unwrap_or(0);
        }
        start
    }

    fn end_of_line(&self, start: usize) -> usize {
        self.units
            .after_first(&self.block.bytes[start..])
            .map_or(self.block.bytes.len(), |length| start + length)
    }

    /// The row that begins at `start`.
    fn row(&mut self, start: usize) -> Row {
        let Block { bytes, at, times, .. } = self.block;
        let mut end = self.end_of_line(start);
        let mut row = Row { line: self.line_at(start), ..Row::default() };
        if let Some(times) = times {
            let text = times.text(&bytes[start..end], at + start as u64);
            let found = match self.ahead.take() {
                Some((place, time, range)) if place == start => Some((time, range)),
                _ => times.read(&text, at + start as u64),
            };
            while end < bytes.len() {
                let next = self.end_of_line(end);
                let line = times.text(&bytes[end..next], at + end as u64);
                if let Some((time, place)) = times.read(&line, at + end as u64) {
                    self.ahead = Some((end, time, place));
                    break;
                }
                end = next;
            }
            if let Some((time, place)) = found {
                row.time = Some(time);
                row.level = self.wanted.level.then(|| self.level(&text, start..end, &place)).flatten();
            }
        }
        Row { bytes: start..end, ..row }
    }

    /// `text` is that of the first line as far as the time may reach.
    fn level(&self, text: &[u8], record: Range<usize>, time: &Range<usize>) -> Option<&'static str> {
        match self.units.width() {
            1 => {
                let is_first = self.block.at == 0 && record.start == 0;
                let record = &self.block.bytes[record];
                let mark = b"\xEF\xBB\xBF";
                level(record.strip_prefix(mark).filter(|_| is_first).unwrap_or(record), time)
            }
            _ => level(text, time),
        }
    }

    fn line_at(&mut self, start: usize) -> u64 {
        if self.wanted.line {
            self.line += self.units.count(&self.block.bytes[self.counted..start]);
            self.counted = start;
        }
        self.line
    }
}
