//! Walking whole lines of any length in constant memory, for their hashes.

use std::sync::PoisonError;

use super::{LongLine, Reader};
use rread_source::buffer::Buffer;
use rread_text::error::Result;
use rread_text::hashline::HashStyle;

/// Bytes per read: many lines if the walk goes on, and little to waste if it jumps.
const BUFFER: usize = 32 << 10;

/// Where a line ended.
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

    /// What is in the buffer from `at` on; `None` at the end.
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
        self.start = at;
        let got = self.reader.read_units(self.buffer.at(at, BUFFER.min(self.reader.block())), at);
        self.buffer.truncate(*got.as_ref().unwrap_or(&0));
        Ok(got? > 0)
    }
}
