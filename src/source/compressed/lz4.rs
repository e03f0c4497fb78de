//! LZ4 frames (frame format 1.6.4) and legacy frames; the start of a frame is a checkpoint to take up again.

use lz4_flex::block::decompress_into_with_dict;
use xxhash_rust::xxh32::{Xxh32, xxh32};

use super::compressed_input::CompressedInput;
use super::decoder::{DecodeError, Decoder, Step, StepEnd};

/// Bits of the frame descriptor's first byte.
const VERSION: u8 = 0xC0;
const INDEPENDENT: u8 = 0x20;
const BLOCK_SUM: u8 = 0x10;
const SIZE: u8 = 0x08;
const TEXT_SUM: u8 = 0x04;
const RESERVED: u8 = 0x02;
const DICTIONARY: u8 = 0x01;

/// The bit of a block's size that says that it is stored as it is.
const STORED: u32 = 1 << 31;

/// Bytes of text that a block may refer back to.
const WINDOW: usize = 64 << 10;

/// Bytes of text in a block of a legacy frame.
const LEGACY_BLOCK: usize = 8 << 20;

/// What the frame descriptor says.
#[derive(Clone, Copy, Default)]
struct Frame {
    flags: u8,
    /// Bytes of text that a block holds at most.
    block: usize,
    size: Option<u64>,
    is_legacy: bool,
}

impl Frame {
    fn has(self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Bytes of a block as it is stored. Those of legacy frames are compressed even if that makes them longer.
    fn most(self) -> usize {
        if self.is_legacy { self.block + self.block / 255 + 16 } else { self.block }
    }
}

pub(super) struct Lz4 {
    input: CompressedInput,
    frame: Frame,
    /// A block as it is stored.
    stored: Vec<u8>,
    /// The text that the next block may refer to, and behind it that of the last one.
    text: Vec<u8>,
    /// What of `text` has been given.
    given: usize,
    sum: Xxh32,
    length: u64,
}

impl Lz4 {
    pub(super) fn new(input: CompressedInput) -> Self {
        let (stored, text) = (Vec::new(), Vec::new());
        Lz4 { input, frame: Frame::default(), stored, text, given: 0, sum: Xxh32::new(0), length: 0 }
    }

    /// Reads the frame descriptor, which follows the magic number.
    fn describe(&mut self) -> Result<Frame, DecodeError> {
        let flags = *self.input.peek(1)?.first().ok_or_else(DecodeError::cut_off)?;
        let has = |flag: u8| flags & flag != 0;
        let length = 2 + if has(SIZE) { 8 } else { 0 } + if has(DICTIONARY) { 4 } else { 0 };
        let there = self.input.peek(length + 1)?;
        let Some((descriptor, [sum])) = there.split_at_checked(length) else {
            return Err(DecodeError::cut_off());
        };
        if xxh32(descriptor, 0).to_le_bytes()[1] != *sum {
            return Err(DecodeError::damage("the checksum of its header is wrong"));
        }
        let block = match descriptor[1] {
            0x40 => 64 << 10,
            0x50 => 256 << 10,
            0x60 => 1 << 20,
            0x70 => 4 << 20,
            _ => return Err(DecodeError::damage("its header asks for what no version knows")),
        };
        if flags & VERSION != 0x40 || has(RESERVED) {
            return Err(DecodeError::damage("its header asks for what no version knows"));
        }
        if has(DICTIONARY) {
            return Err(DecodeError::damage("it needs a dictionary (lz4 -dc -D DICTIONARY decompresses it)"));
        }
        let size = descriptor[2..].first_chunk::<8>().filter(|_| has(SIZE));
        let size = size.map(|size| u64::from_le_bytes(*size));
        self.input.consume(length + 1);
        Ok(Frame { flags, block, size, is_legacy: false })
    }

    /// Decodes the next block; false at the end of the frame.
    fn next_block(&mut self) -> Result<bool, DecodeError> {
        let frame = self.frame;
        let head = self.input.peek(4)?;
        if frame.is_legacy && head.is_empty() {
            return Ok(false);
        }
        let head = u32::from_le_bytes(head.try_into().map_err(|_| DecodeError::cut_off())?);
        let (size, is_stored) =
            if frame.is_legacy { (head, false) } else { (head & !STORED, head & STORED != 0) };
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        if frame.is_legacy && size > frame.most() {
            // Not a size: another frame begins.
            return Ok(false);
        }
        self.input.consume(4);
        if head == 0 {
            return self.check_end().map(|()| false);
        }
        if size > frame.most() {
            return Err(DecodeError::damage("a block is longer than its header allows"));
        }
        self.stored.resize(size, 0);
        let there = self.input.take_up_to(&mut self.stored)?;
        if there < size {
            // An uncompressed block is text as far as it goes, unless its checksum has to be compared first.
            if !is_stored || there == 0 || frame.has(BLOCK_SUM) {
                return Err(DecodeError::cut_off());
            }
            self.stored.truncate(there);
        }
        if frame.has(BLOCK_SUM) && xxh32(&self.stored, 0) != u32::from_le_bytes(self.input.take()?) {
            return Err(DecodeError::damage("the checksum of a block is wrong"));
        }
        self.unpack(is_stored)?;
        Ok(true)
    }

    /// Decodes the block behind what it may refer to.
    fn unpack(&mut self, is_stored: bool) -> Result<(), DecodeError> {
        let frame = self.frame;
        let is_alone = frame.is_legacy || frame.has(INDEPENDENT);
        let window = if is_alone { 0 } else { self.text.len().min(WINDOW) };
        self.text.drain(..self.text.len() - window);
        if is_stored {
            self.text.extend(&self.stored);
        } else {
            self.text.resize(window + frame.block, 0);
            let (before, text) = self.text.split_at_mut(window);
            let got = decompress_into_with_dict(&self.stored, text, before)
                .map_err(|_| DecodeError::damage("no LZ4 block can look like this"))?;
            self.text.truncate(window + got);
        }
        self.given = window;
        self.length += (self.text.len() - window) as u64;
        if frame.has(TEXT_SUM) {
            self.sum.update(&self.text[window..]);
        }
        Ok(())
    }

    fn check_end(&mut self) -> Result<(), DecodeError> {
        if self.frame.is_legacy {
            return Err(DecodeError::damage("no LZ4 block can look like this"));
        }
        if self.frame.has(TEXT_SUM) && self.sum.digest() != u32::from_le_bytes(self.input.take()?) {
            return Err(DecodeError::checksum("the checksum of the text before is wrong", self.length));
        }
        if self.frame.size.is_some_and(|size| size != self.length) {
            return Err(DecodeError::checksum("the length of the text before is wrong", self.length));
        }
        self.length = 0;
        Ok(())
    }
}

impl Decoder for Lz4 {
    fn input(&mut self) -> &mut CompressedInput {
        &mut self.input
    }

    fn begin(&mut self) -> Result<(), DecodeError> {
        self.text.clear();
        (self.given, self.length, self.sum) = (0, 0, Xxh32::new(0));
        self.frame = match self.input.take()? {
            [0x02, 0x21, 0x4C, 0x18] => Frame { block: LEGACY_BLOCK, is_legacy: true, ..Frame::default() },
            _ => self.describe()?,
        };
        Ok(())
    }

    fn unchecked(&self) -> Option<u64> {
        // The checksum of a block is compared before its text is given.
        let waits = self.frame.has(TEXT_SUM) && !self.frame.has(BLOCK_SUM);
        let held = (self.text.len() - self.given) as u64;
        Some(if waits { self.length.saturating_sub(held) } else { 0 })
    }

    fn decode(&mut self, text: &mut [u8], at: usize, _mark: bool) -> Result<Step, DecodeError> {
        if self.given == self.text.len() && !self.next_block()? {
            return Ok(Step { decoded: 0, end: StepEnd::End });
        }
        let left = &self.text[self.given..];
        let given = left.len().min(text.len() - at);
        text[at..at + given].copy_from_slice(&left[..given]);
        self.given += given;
        Ok(Step { decoded: given, end: StepEnd::More })
    }
}
