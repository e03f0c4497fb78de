//! Lines from end to end, however long, in constant memory: for hashes, which are those of whole lines.

use std::sync::PoisonError;

use super::Reader;
use crate::buffer::Buffer;
use crate::error::Result;
use crate::hashline::Style;

/// Bytes read at a time: many lines, where they follow one another, and little where they do not.
const BUFFER: usize = 32 << 10;

/// What became of a line that was walked along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Walked {
    /// Where the next line begins; the end of the text, if there is none.
    pub next: u64,
    /// Whether a newline ends it.
    pub terminated: bool,
}

/// A line longer than the buffer that was walked along to its end, with its hash.
#[derive(Clone, Copy, Debug)]
pub struct LongLine {
    /// The first byte.
    pub start: u64,
    /// Where the next line begins.
    pub next: u64,
    /// What it came to.
    pub hash: u32,
    /// In which style.
    pub style: Style,
}

impl Reader {
    /// Keeps the hash of a line, if it is a long one: whoever shows it in parts need not read all of it for each.
    pub fn remember(&self, line: LongLine) {
        if line.next.saturating_sub(line.start) > BUFFER.min(self.block()) as u64 {
            *self.long_line.lock().unwrap_or_else(PoisonError::into_inner) = Some(line);
        }
    }

    /// The long line that was remembered last, if `offset` lies in it and its hash is of this style.
    pub fn remembered(&self, offset: u64, style: Style) -> Option<LongLine> {
        let line = *self.long_line.lock().unwrap_or_else(PoisonError::into_inner);
        line.filter(|line| (line.start..line.next).contains(&offset) && line.style == style)
    }
}

/// Walks along lines. What lies behind a line is kept for the next one.
pub(crate) struct LineWalk<'a> {
    reader: &'a Reader,
    buffer: Buffer,
    /// Where the first byte of the buffer lies.
    start: u64,
}

impl<'a> LineWalk<'a> {
    /// A walk through what `reader` reads.
    pub fn new(reader: &'a Reader) -> Self {
        LineWalk { reader, buffer: Buffer::default(), start: 0 }
    }

    /// Gives the bytes from `at`, which is the start of a code unit, to the end of the line, without the newline.
    pub fn line(&mut self, at: u64, take: &mut dyn FnMut(&[u8])) -> Result<Walked> {
        let units = self.reader.units();
        let mut at = at;
        loop {
            let within = at.checked_sub(self.start).and_then(|n| usize::try_from(n).ok());
            let within = match within.filter(|within| *within < self.buffer.len()) {
                Some(within) => within,
                None if self.fill(at)? => 0,
                None => return Ok(Walked { next: at, terminated: false }),
            };
            let rest = &self.buffer[within..];
            if let Some(end) = units.after_first(rest) {
                take(&rest[..end - units.width()]);
                return Ok(Walked { next: at + end as u64, terminated: true });
            }
            take(rest);
            at += rest.len() as u64;
        }
    }

    /// Reads what lies at `at`, and says whether there is anything.
    fn fill(&mut self, at: u64) -> Result<bool> {
        self.start = at;
        let got = self.reader.read_units(self.buffer.at(at, BUFFER.min(self.reader.block())), at);
        self.buffer.truncate(*got.as_ref().unwrap_or(&0));
        Ok(got? > 0)
    }
}
