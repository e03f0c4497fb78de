//! Walking whole lines of any length in constant memory, for their hashes.

use std::ops::Range;
use std::sync::PoisonError;

use super::{LongLine, Reader};
use rread_source::memory::Buffer;
use rread_text::{HashStyle, Result};

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

impl Reader {
    /// Keeps the hash of a long line, so that showing it in parts reads it once.
    pub fn remember(&self, line: LongLine) {
        if line.next.saturating_sub(line.start) > BUFFER.min(self.block()) as u64 {
            *self.long_line.lock().unwrap_or_else(PoisonError::into_inner) = Some(line);
        }
    }

    /// The long line at `offset`, if its hash of this style was kept.
    pub fn long_line_at(&self, offset: u64, style: HashStyle) -> Option<LongLine> {
        let line = *self.long_line.lock().unwrap_or_else(PoisonError::into_inner);
        line.filter(|line| (line.start..line.next).contains(&offset) && line.style == style)
    }
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
                take(&rest[..end - units.width()]);
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
        let newline = end - units.width() as u64;
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
            None if self.fill(at)? => 0,
            None => return Ok(None),
        };
        Ok(Some(&self.buffer[within..]))
    }

    fn fill(&mut self, at: u64) -> Result<bool> {
        self.fill_with(at, BUFFER.min(self.reader.block()))
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
