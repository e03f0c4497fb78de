//! Reads a file in blocks of whole lines or of whole records, in the encoding of the file, and finds the rows of a block.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use super::conditions::{Find, Literals};
use super::level::level;
use crate::stream::TableFile;
use rread_reader::LineTimes;
use rread_text::{Encoding, Error, Kind, Result, Timestamp, Units, setting};

/// Lines at each place of a block in which other formats of times are looked for, and the number of places.
const SAMPLED: usize = 16;
const PLACES: usize = 4;

/// Whole lines, or whole records.
#[derive(Debug)]
pub(crate) struct Block {
    pub bytes: Vec<u8>,
    /// The place of the first byte in the file.
    pub at: u64,
    /// The number of the first line, from 1; 0 if lines are not counted.
    pub line: u64,
    /// Reads the times of the lines, if rows are records.
    pub times: Option<LineTimes>,
}

/// The sizes of blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockSizes {
    pub target: usize,
    /// The longest line or record.
    pub longest: usize,
}

/// Cuts a file into blocks. The cuts depend on the bytes alone, not on how they arrive.
pub(crate) struct Blocks {
    file: Arc<TableFile>,
    units: Units,
    sizes: BlockSizes,
    /// The parts of the file that were not read to their end.
    spans: VecDeque<Range<u64>>,
    times: Option<LineTimes>,
    counts: bool,
    /// Bytes that were read and are not cut into rows yet, and their place in the file.
    buffer: Vec<u8>,
    at: u64,
    /// The end of the part that is read.
    end: u64,
    line: u64,
    /// No record begins in `buffer` before this, but at its start.
    seen: usize,
    /// The end of the span was read.
    ended: bool,
}

impl Blocks {
    /// Reads `spans`, in their order. With `times`, rows are records. With `counts`, blocks have the numbers of their lines.
    pub fn new(
        file: &Arc<TableFile>,
        spans: Vec<Range<u64>>,
        times: Option<LineTimes>,
        counts: bool,
        sizes: BlockSizes,
    ) -> Self {
        Blocks {
            units: file.reader.units(),
            file: Arc::clone(file),
            sizes,
            spans: spans.into(),
            times,
            counts,
            buffer: Vec::new(),
            at: 0,
            end: 0,
            line: 0,
            seen: 0,
            ended: true,
        }
    }

    /// The next block; do not call it again after an error.
    // Not an `Iterator`, because it can fail.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<Block>> {
        let mut wanted = self.sizes.target;
        loop {
            if self.ended && self.buffer.is_empty() {
                let Some(span) = self.spans.pop_front() else { return Ok(None) };
                self.begin(span)?;
            }
            self.fill(wanted)?;
            if self.buffer.is_empty() {
                continue;
            }
            self.learn();
            let end = if self.ended { self.buffer.len() } else { self.cut() };
            if end > 0 {
                return Ok(Some(self.block(end)));
            }
            if self.buffer.len() > self.sizes.longest {
                return Err(self.too_long());
            }
            wanted = self.buffer.len() + self.sizes.target.max(self.buffer.len());
        }
    }

    fn begin(&mut self, span: Range<u64>) -> Result<()> {
        if self.counts {
            self.line = match span.start {
                0 => 1,
                start => 1 + self.file.reader.newlines_before(start)?,
            };
        }
        (self.at, self.end, self.seen, self.ended) = (span.start, span.end, 0, false);
        Ok(())
    }

    /// Reads until there are `wanted` bytes, or until the span ends.
    fn fill(&mut self, wanted: usize) -> Result<()> {
        while self.buffer.len() < wanted && !self.ended {
            let have = self.buffer.len();
            let at = self.at + have as u64;
            let room = usize::try_from(self.end.saturating_sub(at)).unwrap_or(usize::MAX);
            let room = room.min(wanted - have).min(self.file.reader.block());
            self.buffer.reserve(wanted - have);
            self.buffer.resize(have + room, 0);
            let got = self.file.reader.read(&mut self.buffer[have..], at);
            self.buffer.truncate(have + got.as_ref().map_or(0, |got| *got));
            let got = got?;
            self.file.note_bytes(got);
            self.ended = got == 0;
        }
        Ok(())
    }

    /// The end of the last whole line; of records, the start of the last one. 0 if there is none.
    fn cut(&mut self) -> usize {
        let lines = self.units.after_last(&self.buffer).unwrap_or(0);
        let Some(times) = &self.times else { return lines };
        let mut end = lines;
        while end > self.seen {
            let before = end.saturating_sub(self.units.width());
            let start = self.units.after_last(&self.buffer[..before]).unwrap_or(0);
            if start > 0 && times.begins_record(&self.buffer[start..end], self.at + start as u64) {
                return start;
            }
            end = start;
        }
        self.seen = lines;
        0
    }

    fn block(&mut self, end: usize) -> Block {
        let rest = self.buffer.get(end..).unwrap_or_default();
        let mut buffer = Vec::new();
        if !self.ended {
            buffer.reserve(rest.len().max(self.sizes.target));
        }
        buffer.extend_from_slice(rest);
        let mut bytes = std::mem::replace(&mut self.buffer, buffer);
        bytes.truncate(end);
        let (at, line) = (self.at, self.line);
        self.at += end as u64;
        self.seen = 0;
        if self.counts {
            self.line += self.units.count(&bytes);
        }
        Block { bytes, at, line, times: self.times.clone() }
    }

    /// Looks for other formats of times at some places of the buffer.
    fn learn(&mut self) {
        let Some(times) = &self.times else { return };
        let mut texts: Vec<Cow<'_, [u8]>> = Vec::with_capacity(SAMPLED * PLACES);
        let mut from = 0;
        for place in 0..PLACES {
            let wanted = self.buffer.len() / PLACES * place;
            let wanted = wanted - wanted % self.units.width();
            if place > 0 {
                let Some(length) = self.units.after_first(&self.buffer[wanted..]) else { break };
                from = from.max(wanted + length);
            }
            for _ in 0..SAMPLED {
                let Some(length) = self.units.after_first(&self.buffer[from..]) else { break };
                texts.push(times.text(&self.buffer[from..from + length], self.at + from as u64));
                from += length;
            }
        }
        let more = times.with_more(&texts);
        drop(texts);
        if more.is_some() {
            self.times = more;
            self.seen = 0;
        }
    }

    fn too_long(&self) -> Error {
        let (at, longest) = (self.at, self.sizes.longest);
        let message = |what: &str| {
            Error::new(
                Kind::InvalidText,
                format!("byte {at}: the {what} that begins here is longer than {longest} bytes"),
            )
        };
        match self.times {
            None => message("line"),
            Some(_) => message("record")
                .hint(setting("input").then(" lines, if the lines without a time are no part of it")),
        }
    }
}

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
