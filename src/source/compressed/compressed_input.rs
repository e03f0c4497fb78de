//! Compressed bytes on their way to a decoder, with their offsets.

use std::io;
use std::sync::Arc;

use super::decoder::DecodeError;
use crate::buffer::Buffer;
use crate::source::Source;

/// Bytes in memory: more than the largest block of zstd, which is looked at as a whole.
const BLOCK: usize = 256 << 10;

/// A checkpoint in a source, read forward from there.
pub(super) struct CompressedInput {
    source: Arc<dyn Source>,
    buffer: Buffer,
    from: usize,
    to: usize,
    /// The offset behind what is in the buffer.
    next: u64,
    /// Whether a stream that has nothing to give is waited for.
    pub(super) waits: bool,
}

impl CompressedInput {
    pub(super) fn new(source: Arc<dyn Source>) -> Self {
        CompressedInput { source, buffer: Buffer::new(BLOCK), from: 0, to: 0, next: 0, waits: true }
    }

    /// How many bytes can be had without waiting.
    pub(super) fn there(&self) -> usize {
        self.to - self.from
    }

    /// Goes on at `offset`.
    pub(super) fn seek(&mut self, offset: u64) {
        self.next = offset;
        self.start_over();
    }

    /// The offset of the next byte.
    pub(super) fn position(&self) -> u64 {
        self.next - (self.to - self.from) as u64
    }

    /// What is there of the next bytes: at least one, unless the source has ended.
    pub(super) fn fill(&mut self) -> io::Result<&[u8]> {
        if self.from == self.to {
            self.start_over();
            self.draw()?;
        }
        Ok(&self.buffer[self.from..self.to])
    }

    /// The next `wanted` bytes, or those that are left.
    pub(super) fn peek(&mut self, wanted: usize) -> io::Result<&[u8]> {
        while self.to - self.from < wanted {
            if self.from + wanted > self.buffer.len() {
                self.buffer.copy_within(self.from..self.to, 0);
                (self.from, self.to) = (0, self.to - self.from);
            }
            if self.draw()? == 0 {
                break;
            }
        }
        let there = wanted.min(self.to - self.from);
        Ok(&self.buffer[self.from..self.from + there])
    }

    /// The buffer is empty: what comes next goes to its beginning, which lies as its offset does.
    fn start_over(&mut self) {
        (self.from, self.to) = (0, 0);
        self.buffer.at(self.next, BLOCK);
    }

    fn draw(&mut self) -> io::Result<usize> {
        if !self.waits && self.source.size().is_none() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        loop {
            match self.source.read_at(&mut self.buffer[self.to..], self.next) {
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
                Err(cause) => return Err(cause),
                Ok(got) => {
                    self.to += got;
                    self.next += got as u64;
                    return Ok(got);
                }
            }
        }
    }

    /// Takes the next `COUNT` bytes, all of which have to be there.
    pub(super) fn take<const COUNT: usize>(&mut self) -> Result<[u8; COUNT], DecodeError> {
        let bytes = self.peek(COUNT)?.try_into().map_err(|_| DecodeError::cut_off())?;
        self.consume(COUNT);
        Ok(bytes)
    }

    /// Fills `bytes` as far as the source goes, and returns how far.
    pub(super) fn take_up_to(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < bytes.len() {
            let there = self.fill()?;
            if there.is_empty() {
                break;
            }
            let count = there.len().min(bytes.len() - filled);
            bytes[filled..filled + count].copy_from_slice(&there[..count]);
            self.consume(count);
            filled += count;
        }
        Ok(filled)
    }

    /// Takes `count` bytes that have been seen.
    pub(super) fn consume(&mut self, count: usize) {
        self.from += count;
    }

    /// Leaves out `count` bytes, seen or not.
    pub(super) fn skip(&mut self, count: u64) {
        match usize::try_from(count) {
            Ok(count) if count <= self.to - self.from => self.from += count,
            _ => self.seek(self.position().saturating_add(count)),
        }
    }
}
