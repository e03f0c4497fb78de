//! The decoder of one format, and its buffered input: members (streams, frames) one after another.

use std::io::{self, Read};
use std::sync::Arc;

use super::checkpoint::DecoderState;
use super::damage::{Damage, DecodeError, Result};
use crate::memory::Buffer;
use crate::{Source, retried};

pub(super) struct Step {
    /// Bytes of text decoded.
    pub(super) decoded: usize,
    pub(super) end: StepEnd,
}

/// Why a step ended after the text it decoded.
pub(super) enum StepEnd {
    /// The buffer is full, or more input is needed.
    More,
    /// Decoding can continue here later, from this state.
    Checkpoint(DecoderState),
    EndOfMember,
    Failed(DecodeError),
}

impl StepEnd {
    /// The end of a member. A wrong trailer is reported after the text; a read that failed is retried.
    pub(super) fn after(trailer: Result<()>) -> Result<Self> {
        match trailer {
            Ok(()) => Ok(StepEnd::EndOfMember),
            Err(error @ DecodeError::Read(_)) => Err(error),
            Err(error) => Ok(StepEnd::Failed(error)),
        }
    }
}

/// The most bytes that a member, padding or a skippable frame is recognised by.
pub(super) const HEAD: usize = 32;

/// Whether a member begins with some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begins {
    Yes,
    No,
    /// More bytes decide.
    Perhaps,
}

impl Begins {
    /// Compares `head` with the numbers that members begin with.
    pub(super) fn with(head: &[u8], numbers: &[&[u8]]) -> Begins {
        if numbers.iter().any(|number| head.starts_with(number)) {
            Begins::Yes
        } else if numbers.iter().any(|number| number.starts_with(head)) {
            Begins::Perhaps
        } else {
            Begins::No
        }
    }
}

pub(super) trait Decoder: Send {
    /// Starts the member at the position of `input`.
    fn begin(&mut self, input: &mut RawInput) -> Result<()>;

    /// Continues inside a member, at the position of `input`, with `window` as the text before it.
    fn resume(&mut self, input: &mut RawInput, _state: &DecoderState, _window: &[u8]) -> Result<()> {
        self.begin(input)
    }

    /// Bytes of text before a checkpoint that the decoder needs to continue there.
    fn window(&self) -> usize {
        0
    }

    /// Bytes at the end of the text whose checksum is still to come; `None` if it can no longer be compared.
    fn unchecked(&self) -> Option<u64>;

    /// Decodes into `text[at..]`, which is never empty; `text[..at]` is the text before it.
    /// With `mark`, stops at the next point inside the member where decoding can continue later.
    fn decode(&mut self, input: &mut RawInput, text: &mut [u8], at: usize, mark: bool) -> Result<Step>;
}

/// Bytes of the buffer: more than the largest block of zstd, which must be in it as a whole.
const READ_BLOCK: usize = 256 << 10;

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
        RawInput { source, buffer: Buffer::new(READ_BLOCK), from: 0, to: 0, next: 0, waits: true }
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
            match self.read_more() {
                Ok(0) => break,
                // The next read reports damage around the compressed data.
                Err(cause) if self.buffered() > 0 && Damage::of(&cause).is_some() => break,
                read => read?,
            };
        }
        let there = wanted.min(self.buffered());
        Ok(&self.buffer[self.from..self.from + there])
    }

    /// Empties the buffer and aligns it to the offset of the next read.
    fn start_over(&mut self) {
        (self.from, self.to) = (0, 0);
        self.buffer.at(self.next, READ_BLOCK);
    }

    fn read_more(&mut self) -> io::Result<usize> {
        if !self.waits && self.source.size().is_none() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let got = retried(|| self.source.read_at(&mut self.buffer[self.to..], self.next))?;
        self.to += got;
        self.next += got as u64;
        Ok(got)
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
