//! LZ4 frames (frame format 1.6.4): decoding can continue at the start of a frame.

use std::io::Read;

use lz4_flex::block::decompress_into_with_dict;
use xxhash_rust::xxh32::{Xxh32, xxh32};

use crate::compressed::damage::{DecodeError, Result};
use crate::compressed::decoder::{Begins, Decoder, RawInput, Step, StepEnd};

/// The first bytes of a frame.
const MAGIC: [u8; 4] = [0x04, 0x22, 0x4D, 0x18];

/// Bits of the frame descriptor's first byte.
const VERSION: u8 = 0xC0;
const INDEPENDENT: u8 = 0x20;
const BLOCK_SUM: u8 = 0x10;
const SIZE: u8 = 0x08;
const TEXT_SUM: u8 = 0x04;
const RESERVED: u8 = 0x02;
const DICTIONARY: u8 = 0x01;

/// The bit of a block's size for a block that is not compressed.
const UNCOMPRESSED: u32 = 1 << 31;

/// Bytes of text that a block may refer back to.
const WINDOW: usize = 64 << 10;

pub(super) fn begins(head: &[u8]) -> Begins {
    Begins::with(head, &[&MAGIC])
}

#[derive(Clone, Copy, Default)]
struct FrameDescriptor {
    flags: u8,
    block: usize,
    size: Option<u64>,
}

impl FrameDescriptor {
    fn has(self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    fn read(input: &mut RawInput) -> Result<Self> {
        let flags = *input.peek(1)?.first().ok_or_else(DecodeError::cut_off)?;
        let has = |flag: u8| flags & flag != 0;
        let length = 2 + if has(SIZE) { 8 } else { 0 } + if has(DICTIONARY) { 4 } else { 0 };
        let there = input.peek(length + 1)?;
        let Some((descriptor, [sum])) = there.split_at_checked(length) else {
            return Err(DecodeError::cut_off());
        };
        if xxh32(descriptor, 0).to_le_bytes()[1] != *sum {
            return Err(DecodeError::damage("the checksum of its header is wrong"));
        }
        let is_size = matches!(descriptor[1], 0x40 | 0x50 | 0x60 | 0x70);
        if !is_size || flags & VERSION != 0x40 || has(RESERVED) {
            return Err(DecodeError::damage("its header has unknown options"));
        }
        // 64 KiB, 256 KiB, 1 MiB or 4 MiB.
        let block = 1 << (8 + 2 * (descriptor[1] >> 4));
        if has(DICTIONARY) {
            return Err(DecodeError::needs_dictionary("lz4 -dc -D DICTIONARY"));
        }
        let size = descriptor[2..].first_chunk::<8>().filter(|_| has(SIZE));
        let size = size.map(|size| u64::from_le_bytes(*size));
        input.consume(length + 1);
        Ok(FrameDescriptor { flags, block, size })
    }
}

#[derive(Default)]
pub(super) struct Lz4 {
    frame: FrameDescriptor,
    block: Vec<u8>,
    /// The window, then the text of the last block.
    text: Vec<u8>,
    /// Bytes of `text` that `decode` has returned, window included.
    returned: usize,
    sum: Xxh32,
    length: u64,
}

impl Lz4 {
    /// Decodes the next block; false at the end of the frame.
    fn next_block(&mut self, input: &mut RawInput) -> Result<bool> {
        let frame = self.frame;
        let head = u32::from_le_bytes(input.take()?);
        if head == 0 {
            return self.check_end(input).map(|()| false);
        }
        let is_uncompressed = head & UNCOMPRESSED != 0;
        let size = usize::try_from(head & !UNCOMPRESSED).unwrap_or(usize::MAX);
        if size > frame.block {
            return Err(DecodeError::damage("a block is longer than its header allows"));
        }
        self.block.clear();
        self.block.reserve(size);
        let there = Read::take(&mut *input, size as u64).read_to_end(&mut self.block)?;
        // The rest of an uncompressed block is text, unless a checksum guards it.
        if there < size && (!is_uncompressed || there == 0 || frame.has(BLOCK_SUM)) {
            return Err(DecodeError::cut_off());
        }
        if frame.has(BLOCK_SUM) && xxh32(&self.block, 0) != u32::from_le_bytes(input.take()?) {
            return Err(DecodeError::damage("the checksum of a block is wrong"));
        }
        self.decode_block(is_uncompressed)?;
        Ok(true)
    }

    fn decode_block(&mut self, is_uncompressed: bool) -> Result<()> {
        let frame = self.frame;
        let window = if frame.has(INDEPENDENT) { 0 } else { self.text.len().min(WINDOW) };
        self.text.drain(..self.text.len() - window);
        if is_uncompressed {
            self.text.extend(&self.block);
        } else {
            self.text.resize(window + frame.block, 0);
            let (before, text) = self.text.split_at_mut(window);
            let got = decompress_into_with_dict(&self.block, text, before)
                .map_err(|_| DecodeError::damage("a block is invalid"))?;
            self.text.truncate(window + got);
        }
        self.returned = window;
        self.length += (self.text.len() - window) as u64;
        if frame.has(TEXT_SUM) {
            self.sum.update(&self.text[window..]);
        }
        Ok(())
    }

    fn check_end(&mut self, input: &mut RawInput) -> Result<()> {
        if self.frame.has(TEXT_SUM) && self.sum.digest() != u32::from_le_bytes(input.take()?) {
            return Err(DecodeError::wrong_checksum(self.length));
        }
        if self.frame.size.is_some_and(|size| size != self.length) {
            return Err(DecodeError::wrong_length(self.length));
        }
        self.length = 0;
        Ok(())
    }
}

impl Decoder for Lz4 {
    fn begin(&mut self, input: &mut RawInput) -> Result<()> {
        self.text.clear();
        (self.returned, self.length, self.sum) = (0, 0, Xxh32::new(0));
        input.skip(MAGIC.len() as u64);
        self.frame = FrameDescriptor::read(input)?;
        Ok(())
    }

    fn unchecked(&self) -> Option<u64> {
        // The checksum of a block is compared before its text is returned.
        let waits = self.frame.has(TEXT_SUM) && !self.frame.has(BLOCK_SUM);
        let held = (self.text.len() - self.returned) as u64;
        Some(if waits { self.length.saturating_sub(held) } else { 0 })
    }

    fn decode(&mut self, input: &mut RawInput, text: &mut [u8], at: usize, _mark: bool) -> Result<Step> {
        if self.returned == self.text.len() && !self.next_block(input)? {
            return Ok(Step { decoded: 0, end: StepEnd::EndOfMember });
        }
        let left = &self.text[self.returned..];
        let decoded = left.len().min(text.len() - at);
        text[at..at + decoded].copy_from_slice(&left[..decoded]);
        self.returned += decoded;
        Ok(Step { decoded, end: StepEnd::More })
    }
}
