//! Line numbers to offsets and back: one pass for all numbers, from the front up to the last one, or from the end.

use std::ops::{ControlFlow, Range};

use super::{LongLine, Reader};
use crate::index::INDEX_BLOCK;
use rread_source::lock;
use rread_source::memory::Buffer;
use rread_text::range::Boundary;
use rread_text::{HashStyle, Result};

/// The findings of a pass from the front.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundLines {
    /// For each requested count, the boundary after so many lines; past the end, the end with the total.
    pub boundaries: Vec<Boundary>,
    /// Lines of the file, if the pass reached the end.
    pub total_lines: Option<u64>,
}

/// The findings of a pass from the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundBack {
    /// For each requested count, the offset where so many last lines begin; 0 if the file has fewer.
    pub offsets: Vec<u64>,
    /// Lines of the file, if the pass reached the start.
    pub total_lines: Option<u64>,
}

/// The first block from the end; later ones grow fourfold up to the usual size.
const FIRST_BLOCK: usize = 8 << 10;

#[derive(Clone, Copy)]
struct ScanLimits {
    /// Stop after the block that passes this offset.
    limit: Option<u64>,
    to_end: bool,
    learns: bool,
    /// So many counts must be found, the others only within so many bytes after these.
    within: Option<(usize, u64)>,
}

struct Pass {
    end: u64,
    newlines: u64,
}

/// Scanning so many bytes takes less time than waiting until an index can be trusted.
const NEAR: u64 = 4 << 20;

/// Whether a pass up to `end` needs no more than these `boundaries`.
fn is_beyond(boundaries: &[Boundary], end: u64, within: Option<(usize, u64)>) -> bool {
    let Some((needed, reach)) = within else { return false };
    let offset = |last: usize| boundaries.get(last).map(|boundary| boundary.offset);
    let last = needed.checked_sub(1).map_or(Some(0), offset);
    last.is_some_and(|last| end >= last.saturating_add(reach))
}

impl Reader {
    /// Finds the boundary after each of `counts` lines, which ascend. With `to_end`, counts all lines too.
    pub fn find_lines(&self, counts: &[u64], to_end: bool) -> Result<FoundLines> {
        self.find(counts, to_end, None)
    }

    /// As [`Reader::find_lines`], but finds counts above `needed` only within `reach` bytes after the last needed one.
    /// A boundary further away is the end of the pass, without lines.
    pub fn find_lines_within(&self, counts: &[u64], needed: u64, reach: u64) -> Result<FoundLines> {
        self.find(counts, false, Some((counts.partition_point(|n| *n <= needed), reach)))
    }

    fn find(&self, counts: &[u64], to_end: bool, within: Option<(usize, u64)>) -> Result<FoundLines> {
        let mut boundaries: Vec<Boundary> = Vec::with_capacity(counts.len());
        let zeros = counts.iter().take_while(|n| **n == 0).count();
        boundaries.extend(counts[..zeros].iter().map(|_| Boundary { offset: 0, lines: Some(0) }));
        self.find_indexed(counts, &mut boundaries)?;
        if boundaries.len() == counts.len() {
            let known = self.known_lines();
            if known.is_some() || !to_end {
                let found = self.with_total(boundaries);
                return Ok(FoundLines { total_lines: known.or(found.total_lines), ..found });
            }
        }
        let (covered, _) = self.covered();
        if self.is_racy() && !to_end {
            // Nearby lines need no index, and no wait until one can be trusted.
            let mut near = boundaries.clone();
            let scan = ScanLimits { limit: Some(covered + NEAR), to_end: false, learns: false, within };
            let pass = self.find_scanning(counts, &mut near, scan)?;
            if let Some(found) = self.cut_short(counts, &near, &pass, within) {
                return Ok(found);
            }
            if near.len() == counts.len() {
                return Ok(self.with_total(near));
            }
        }
        // Rescan the last lines of a busy log each time instead of waiting for it.
        let is_live =
            covered > 0 && self.known_size().is_some_and(|size| size.saturating_sub(covered) <= NEAR);
        let learns = !(is_live && self.is_racy());
        if learns {
            self.settle();
        }
        let scan = ScanLimits { limit: None, to_end, learns, within };
        let pass = match self.find_scanning(counts, &mut boundaries, scan) {
            // Every boundary is found; only the total is lost.
            Err(_) if !counts.is_empty() && boundaries.len() == counts.len() => {
                return Ok(FoundLines { boundaries, total_lines: None });
            }
            pass => pass?,
        };
        if let Some(found) = self.cut_short(counts, &boundaries, &pass, within) {
            return Ok(found);
        }
        if boundaries.len() < counts.len() || to_end {
            let unterminated = self.is_unterminated(pass.end)?;
            let total = pass.newlines + u64::from(unterminated);
            if learns {
                self.learn_tail(pass.newlines, unterminated, pass.end);
            }
            boundaries.resize(counts.len(), Boundary { offset: pass.end, lines: Some(total) });
            return Ok(FoundLines { boundaries, total_lines: Some(total) });
        }
        Ok(self.with_total(boundaries))
    }

    fn find_scanning(
        &self,
        counts: &[u64],
        boundaries: &mut Vec<Boundary>,
        scan: ScanLimits,
    ) -> Result<Pass> {
        let (from, newlines) = self.covered();
        let mut pass = Pass { end: from, newlines };
        let mut block = Buffer::default();
        self.scan(from, &mut |counted| {
            pass.end = counted.offset + counted.len as u64;
            if scan.learns {
                self.learn(&counted);
            }
            let within = pass.newlines + counted.newlines;
            if counts.get(boundaries.len()).is_some_and(|n| *n <= within) {
                self.read_exact(block.at(counted.offset, counted.len), counted.offset)?;
                while let Some(&wanted) = counts.get(boundaries.len()).filter(|n| **n <= within) {
                    let Some(index) = self.units().after_nth(&block, wanted - pass.newlines) else {
                        return Err(self.rewritten_error());
                    };
                    boundaries.push(Boundary { offset: counted.offset + index as u64, lines: Some(wanted) });
                }
            }
            pass.newlines = within;
            let done = boundaries.len() == counts.len() && !scan.to_end;
            let enough = done
                || scan.limit.is_some_and(|limit| pass.end >= limit)
                || is_beyond(boundaries, pass.end, scan.within);
            Ok(if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        Ok(pass)
    }

    /// The result of a pass that `within` ended before the end of the source.
    fn cut_short(
        &self,
        counts: &[u64],
        boundaries: &[Boundary],
        pass: &Pass,
        within: Option<(usize, u64)>,
    ) -> Option<FoundLines> {
        let is_cut = boundaries.len() < counts.len() && self.known_size() != Some(pass.end);
        (is_cut && is_beyond(boundaries, pass.end, within)).then(|| {
            let mut boundaries = boundaries.to_vec();
            boundaries.resize(counts.len(), Boundary { offset: pass.end, lines: None });
            FoundLines { boundaries, total_lines: None }
        })
    }

    /// Takes the total from the last boundary if that happens to be the end.
    fn with_total(&self, boundaries: Vec<Boundary>) -> FoundLines {
        let last = boundaries.last().filter(|boundary| Some(boundary.offset) == self.known_size());
        let total_lines = last.and_then(|boundary| boundary.lines);
        FoundLines { boundaries, total_lines }
    }

    /// The number of lines. The last one need not end with a newline.
    pub fn count_lines(&self) -> Result<u64> {
        Ok(self.find_lines(&[], true)?.total_lines.unwrap_or(0))
    }

    /// The offset where the line that has the byte at `offset` starts.
    pub fn line_start(&self, offset: u64) -> Result<u64> {
        // Most lines are short: looking back reads less than a block of the index.
        let units = self.units();
        let offset = units.floor(offset);
        let near = units.floor(offset.saturating_sub(512));
        let before = self.read_span(near..offset)?;
        self.note_scanned(before.len() as u64);
        if let Some(at) = units.after_last(&before) {
            return Ok(near + at as u64);
        }
        match self.indexed_newlines_before(offset)? {
            Some(0) => return Ok(0),
            Some(newlines) => {
                let mut found = Vec::new();
                self.find_indexed(&[newlines], &mut found)?;
                if let Some(boundary) = found.first() {
                    return Ok(boundary.offset);
                }
            }
            None => {}
        }
        Ok(self.last_line_start(0, near)?.unwrap_or(0))
    }

    /// Whether a line begins at `offset`.
    pub fn starts_line(&self, offset: u64) -> Result<bool> {
        Ok(offset == 0 || !self.is_unterminated(offset)?)
    }

    /// The number of newlines before `offset`.
    pub fn newlines_before(&self, offset: u64) -> Result<u64> {
        if let Some(newlines) = self.indexed_newlines_before(offset)? {
            return Ok(newlines);
        }
        // The parts of a window follow each other.
        let counted = || lock(&self.counted);
        let (last, covered) = (*counted(), self.covered());
        let is_next = offset.checked_sub(last.0).is_some_and(|more| more <= INDEX_BLOCK as u64);
        if is_next && last.0 >= covered.0 && self.known_size().is_some_and(|size| offset <= size) {
            let newlines = last.1 + self.units().count(&self.read_span(last.0..offset)?);
            *counted() = (self.units().floor(offset), newlines);
            return Ok(newlines);
        }
        let (from, mut newlines) =
            if last.0 <= offset && !self.learns() { last.max(covered) } else { covered };
        if offset == from {
            return Ok(newlines);
        }
        self.settle();
        let mut block = Buffer::default();
        self.scan(from, &mut |counted| {
            self.learn(&counted);
            let end = counted.offset + counted.len as u64;
            if end <= offset {
                newlines += counted.newlines;
                return Ok(if end == offset { ControlFlow::Break(()) } else { ControlFlow::Continue(()) });
            }
            let wanted = usize::try_from(offset - counted.offset).unwrap_or(counted.len);
            self.read_exact(block.at(counted.offset, wanted), counted.offset)?;
            newlines += self.units().count(&block);
            Ok(ControlFlow::Break(()))
        })?;
        *counted() = (self.units().floor(offset), newlines);
        Ok(newlines)
    }

    /// Whether there are bytes before `end` and the last is not a newline.
    pub fn is_unterminated(&self, end: u64) -> Result<bool> {
        let units = self.units();
        let last = self.read_span(units.floor(end.saturating_sub(1))..end)?;
        Ok(end > 0 && !units.ends_with(&last, b'\n'))
    }

    /// Finds where the last `n` lines begin, for each `n` of `counts`, which ascend. With fewer lines, that is 0.
    pub fn find_lines_back(&self, counts: &[u64]) -> Result<FoundBack> {
        let size = self.size()?;
        let mut offsets: Vec<u64> = counts.iter().take_while(|n| **n == 0).map(|_| size).collect();
        if offsets.len() == counts.len() {
            return Ok(FoundBack { offsets, total_lines: None });
        }
        let unterminated = u64::from(self.is_unterminated(size)?);
        // A trailing newline does not start another line.
        let needed = |lines: u64| lines.saturating_add(1 - unterminated).max(1);
        let mut seen = 0;
        let mut end = size;
        let units = self.units();
        let mut step = FIRST_BLOCK.min(self.block());
        let mut block = Buffer::default();
        while end > 0 && offsets.len() < counts.len() {
            let start = units.floor(end.saturating_sub(step as u64));
            self.read_exact(block.at(start, usize::try_from(end - start).unwrap_or(step)), start)?;
            self.note_scanned(block.len() as u64);
            let within = seen + units.count(&block);
            while let Some(&lines) = counts.get(offsets.len()).filter(|n| needed(**n) <= within) {
                let Some(index) = units.after_nth_back(&block, needed(lines) - seen) else { break };
                offsets.push(start + index as u64);
            }
            seen = within;
            end = start;
            step = (step * 4).min(self.block());
        }
        let total_lines = (offsets.len() < counts.len()).then_some(seen + unterminated);
        offsets.resize(counts.len(), 0);
        Ok(FoundBack { offsets, total_lines })
    }

    /// The last line start after `from` and up to `to`; the source reaches both.
    pub fn last_line_start(&self, from: u64, to: u64) -> Result<Option<u64>> {
        let units = self.units();
        // A newline that begins before `from` ends after it only if `from` lies inside it.
        let (from, mut end) = (units.floor(from), units.floor(to));
        let mut block = Buffer::default();
        while end > from {
            let start = units.floor(end.saturating_sub(self.block() as u64)).max(from);
            self.read_exact(block.at(start, usize::try_from(end - start).unwrap_or(self.block())), start)?;
            self.note_scanned(block.len() as u64);
            if let Some(at) = units.after_last(&block) {
                return Ok(Some(start + at as u64));
            }
            end = start;
        }
        Ok(None)
    }

    /// Keeps the hash of a long line, so that showing it in parts reads it once.
    pub fn remember(&self, line: LongLine) {
        if line.next.saturating_sub(line.start) > BUFFER.min(self.block()) as u64 {
            *lock(&self.long_line) = Some(line);
        }
    }

    /// The long line at `offset`, if its hash of this style was kept.
    pub fn long_line_at(&self, offset: u64, style: HashStyle) -> Option<LongLine> {
        let line = *lock(&self.long_line);
        line.filter(|line| (line.start..line.next).contains(&offset) && line.style == style)
    }
}

/// Bytes per read: many lines if the walk goes on, and little to waste if it jumps.
const BUFFER: usize = 32 << 10;

/// Bytes that are read before a place to find the start of a line: most lines are short.
const BACK: u64 = 4 << 10;

/// The end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walked {
    /// The offset after its newline.
    pub next: u64,
    /// Whether it has a newline.
    pub terminated: bool,
}

/// Walks along lines; bytes read past a line serve the next one.
pub struct LineWalk<'a> {
    reader: &'a Reader,
    buffer: Buffer,
    start: u64,
}

impl<'a> LineWalk<'a> {
    /// A walk that has read nothing yet.
    pub fn new(reader: &'a Reader) -> Self {
        LineWalk { reader, buffer: Buffer::default(), start: 0 }
    }

    /// Passes the rest of the line from `at`, the start of a code unit, to `take`, without the newline.
    pub fn line(&mut self, at: u64, take: &mut dyn FnMut(&[u8])) -> Result<Walked> {
        let units = self.reader.units();
        let mut at = at;
        loop {
            let Some(rest) = self.rest(at)? else { return Ok(Walked { next: at, terminated: false }) };
            if let Some(end) = units.after_first(rest) {
                take(&rest[..end - units.width]);
                return Ok(Walked { next: at + end as u64, terminated: true });
            }
            take(rest);
            at += rest.len() as u64;
        }
    }

    /// The end of the line from `at`; `None` if it is at `end` or later.
    pub fn next_line(&mut self, at: u64, end: u64) -> Result<Option<u64>> {
        let units = self.reader.units();
        let mut at = at;
        while at < end {
            let Some(rest) = self.rest(at)? else { break };
            if let Some(next) = units.after_first(rest) {
                return Ok(Some(at + next as u64).filter(|next| *next < end));
            }
            at += rest.len() as u64;
        }
        Ok(None)
    }

    /// The start of the line that ends at `end`, after its newline; `floor` if that is later.
    pub fn start_of_line_before(&mut self, end: u64, floor: u64) -> Result<u64> {
        let units = self.reader.units();
        let newline = end - units.width as u64;
        if newline <= floor {
            return Ok(floor);
        }
        let is_held = (self.start..self.start + self.buffer.len() as u64).contains(&newline);
        if !is_held || self.start > floor && units.after_last(self.until(newline)).is_none() {
            // The end of a stream may be long in coming.
            let from = units.floor(newline.saturating_sub(BACK)).max(floor);
            let is_stream = self.reader.known_size().is_none();
            let held = usize::try_from(end - from).unwrap_or(BUFFER);
            self.fill_with(from, if is_stream { held } else { BUFFER.max(held) })?;
        }
        let before = self.until(newline);
        let is_whole = self.start + before.len() as u64 == newline;
        match units.after_last(before).filter(|_| is_whole) {
            Some(at) => Ok(floor.max(self.start + at as u64)),
            None if is_whole && self.start <= floor => Ok(floor),
            None => Ok(self.reader.line_start(newline)?.max(floor)),
        }
    }

    /// The bytes of `span`, if all of them were read.
    pub fn held(&self, span: Range<u64>) -> Option<&[u8]> {
        let from = usize::try_from(span.start.checked_sub(self.start)?).ok()?;
        self.buffer.get(from..usize::try_from(span.end - self.start).ok()?)
    }

    /// The bytes that were read before `end`.
    fn until(&self, end: u64) -> &[u8] {
        let len = usize::try_from(end.saturating_sub(self.start)).unwrap_or(usize::MAX);
        &self.buffer[..len.min(self.buffer.len())]
    }

    /// The bytes in the buffer from `at` on; `None` at the end.
    fn rest(&mut self, at: u64) -> Result<Option<&[u8]>> {
        let within = at.checked_sub(self.start).and_then(|n| usize::try_from(n).ok());
        let within = match within.filter(|within| *within < self.buffer.len()) {
            Some(within) => within,
            None if self.fill_with(at, BUFFER.min(self.reader.block()))? => 0,
            None => return Ok(None),
        };
        Ok(Some(&self.buffer[within..]))
    }

    fn fill_with(&mut self, at: u64, most: usize) -> Result<bool> {
        self.start = at;
        let got = self.reader.read_units(self.buffer.at(at, most), at);
        self.buffer.truncate(*got.as_ref().unwrap_or(&0));
        Ok(got? > 0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::reader::Tuning;
    use rread_source::MemorySource;

    proptest! {
        #[test]
        fn the_start_of_a_line_is_after_the_newline_before(
            lines in prop::collection::vec(0_usize..6000, 1..40),
            places in prop::collection::vec((0_usize..40, any::<bool>()), 1..30),
            floor in 0_usize..9000,
        ) {
            let text: Vec<u8> = lines.iter().flat_map(|len| [vec![b'x'; *len], vec![b'\n']].concat()).collect();
            let reader = Reader::new(Box::new(MemorySource::new(&*text)), Tuning::default()).unwrap();
            let mut walk = LineWalk::new(&reader);
            let mut ends = vec![0];
            ends.extend(lines.iter().scan(0, |end, len| {
                *end += *len as u64 + 1;
                Some(*end)
            }));
            for (place, walks_on) in places {
                let place = place % lines.len();
                let (start, end) = (ends[place], ends[place + 1]);
                let floor = (floor as u64).min(end);
                let found = walk.start_of_line_before(end, floor).unwrap();
                prop_assert_eq!(found, start.max(floor));
                if let Some(held) = walk.held(found..end) {
                    let at = |offset: u64| usize::try_from(offset).unwrap();
                    prop_assert_eq!(held, &text[at(found)..at(end)]);
                }
                if walks_on {
                    let walked = walk.line(start, &mut |_| {}).unwrap();
                    prop_assert_eq!(walked.next, end);
                }
            }
        }
    }
}
