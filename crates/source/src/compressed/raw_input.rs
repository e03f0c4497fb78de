//! The compressed bytes, buffered, as a decoder reads them forward.

use std::io::{self, Read};
use std::sync::Arc;

use super::decode_error::{DecodeError, Result};
use crate::Source;
use crate::buffer::Buffer;

/// Bytes of the buffer: more than the largest block of zstd, which must be in it as a whole.
const BLOCK: usize = 256 << 10;

pub(super) struct RawInput {
    pub(super) source: Arc<dyn Source>,
    buffer: Buffer,
    from: usize,
    to: usize,
    /// The offset after the bytes in the buffer.
    next: u64,
    /// Whether to wait for a stream that has no bytes yet.
    pub(super) waits: bool,
}

impl RawInput {
    pub(super) fn new(source: Arc<dyn Source>) -> Self {
        RawInput { source, buffer: Buffer::new(BLOCK), from: 0, to: 0, next: 0, waits: true }
    }

    pub(super) fn buffered(&self) -> usize {
        self.to - self.from
    }

    pub(super) fn seek(&mut self, offset: u64) {
        self.next = offset;
        self.start_over();
    }

    pub(super) fn position(&self) -> u64 {
        self.next - self.buffered() as u64
    }

    /// At least one of the next bytes, unless the source has ended.
    pub(super) fn fill(&mut self) -> io::Result<&[u8]> {
        if self.from == self.to {
            self.start_over();
            self.read_more()?;
        }
        Ok(&self.buffer[self.from..self.to])
    }

    /// The next `wanted` bytes, fewer at the end of the source.
    pub(super) fn peek(&mut self, wanted: usize) -> io::Result<&[u8]> {
        while self.buffered() < wanted {
            if self.from + wanted > self.buffer.len() {
                self.buffer.copy_within(self.from..self.to, 0);
                (self.from, self.to) = (0, self.buffered());
            }
            if self.read_more()? == 0 {
                break;
            }
        }
        let there = wanted.min(self.buffered());
        Ok(&self.buffer[self.from..self.from + there])
    }

    /// Empties the buffer and aligns it to the offset of the next read.
    fn start_over(&mut self) {
        (self.from, self.to) = (0, 0);
        self.buffer.at(self.next, BLOCK);
    }

    fn read_more(&mut self) -> io::Result<usize> {
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

    pub(super) fn take<const COUNT: usize>(&mut self) -> Result<[u8; COUNT]> {
        let bytes = self.peek(COUNT)?.try_into().map_err(|_| DecodeError::cut_off())?;
        self.consume(COUNT);
        Ok(bytes)
    }

    /// Takes `count` bytes that [`Self::fill`] or [`Self::peek`] returned.
    pub(super) fn consume(&mut self, count: usize) {
        self.from += count;
    }

    pub(super) fn skip(&mut self, count: u64) {
        match usize::try_from(count) {
            Ok(count) if count <= self.buffered() => self.from += count,
            _ => self.seek(self.position().saturating_add(count)),
        }
    }
}

impl Read for RawInput {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let got = self.fill()?.read(bytes)?;
        self.consume(got);
        Ok(got)
    }
}
