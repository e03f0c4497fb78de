//! The bytes of a file that were read and not passed on: the beginning of a line, held until it ends.

use std::io;
use std::time::Instant;

use crate::encoding::{Choice, Encoding};
use crate::sniff::{self, SAMPLE};
use crate::source::Source;

/// A line longer than this is passed on in parts.
pub(crate) const LONGEST_HELD: usize = 1 << 20;

/// The end of what was read of one file.
pub(crate) struct Held {
    pub(crate) bytes: Vec<u8>,
    /// The offset of the first byte in the file.
    pub(crate) at: u64,
    /// How many of the bytes were written: a line may be tested for a match after its beginning was shown.
    pub(crate) shown: usize,
    /// When bytes came that were not written.
    pub(crate) since: Option<Instant>,
    pub(crate) encoding: Option<Encoding>,
    /// The number of the line of the first byte that was not written.
    pub(crate) line: Option<u64>,
}

impl Held {
    pub(crate) fn new(encoding: Option<Encoding>, line: Option<u64>) -> Self {
        Held { bytes: Vec::new(), at: 0, shown: 0, since: None, encoding, line }
    }

    /// Adds `bytes`, which lie at `at` in the file; returns the length of the whole lines.
    pub(crate) fn add(&mut self, bytes: &[u8], at: u64, choice: Choice) -> usize {
        if self.bytes.is_empty() {
            self.at = at;
        }
        self.bytes.extend_from_slice(bytes);
        let head = &self.bytes[..self.bytes.len().min(SAMPLE)];
        let decide =
            || choice.decide(head, sniff::sniff(head, false)).map_or(Encoding::Utf8, |it| it.encoding);
        let units = self.encoding.get_or_insert_with(decide).units();
        // The head of the file decides its alignment, so a block starts with a whole unit.
        let whole = units.after_last(&self.bytes).unwrap_or(0);
        if self.bytes.len() - whole > LONGEST_HELD { self.whole_characters() } else { whole }
    }

    pub(crate) fn encoding(&self) -> Encoding {
        self.encoding.unwrap_or_default()
    }

    /// The length up to the last whole character, as far as the encoding shows it.
    pub(crate) fn whole_characters(&self) -> usize {
        let len = self.bytes.len();
        match self.encoding() {
            Encoding::Utf8 => {
                let lead = (1..=len.min(3)).find(|back| self.bytes[len - back] & 0xC0 != 0x80);
                let is_cut = |back: &usize| match self.bytes[len - back] {
                    0xC2..=0xDF => *back < 2,
                    0xE0..=0xEF => *back < 3,
                    0xF0..=0xF4 => *back < 4,
                    _ => false,
                };
                len - lead.filter(is_cut).unwrap_or(0)
            }
            encoding => len - len % encoding.units().width(),
        }
    }

    /// Leaves out the first `len` bytes, none of which was shown.
    pub(crate) fn skip(&mut self, len: usize) {
        let newlines = self.encoding().units().count(&self.bytes[..len]);
        self.line = self.line.map(|line| line + newlines);
        self.drop_front(len);
    }

    /// Removes the first `len` bytes.
    pub(crate) fn drop_front(&mut self, len: usize) {
        self.bytes.drain(..len);
        self.at += len as u64;
        self.shown = self.shown.saturating_sub(len);
    }
}

/// Bytes in memory.
pub(crate) struct Block(pub(crate) Vec<u8>);

impl Source for Block {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|at| self.0.get(at..)).unwrap_or_default();
        let len = rest.len().min(buffer.len());
        buffer[..len].copy_from_slice(&rest[..len]);
        Ok(len)
    }

    fn size(&self) -> Option<u64> {
        Some(self.0.len() as u64)
    }
}
