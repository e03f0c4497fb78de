//! Zstandard (RFC 8878) frames; `resume/` lets a look-up in a large frame decode a few megabytes, not all text before.

pub(super) mod frame;
mod resume;

use std::io;

use frame::{BLOCK_HEADER, BlockHeader, FrameHeader};
use resume::FrameCheckpoints;
use zstd::stream::raw::{Decoder as ZstdLibrary, InBuffer, Operation, OutBuffer};

use crate::compressed::checkpoint::DecoderState;
use crate::compressed::damage::{DecodeError, Result};
use crate::compressed::decoder::{Begins, Decoder, RawInput, Step, StepEnd};

const CHECKSUM: usize = 4;

pub(super) fn begins(head: &[u8]) -> Begins {
    Begins::with(head, &[&[0x28, 0xB5, 0x2F, 0xFD]])
}

/// Bytes of the largest window that the library accepts by default.
const MAX_WINDOW: u64 = 128 << 20;

pub(super) struct Zstd {
    library: ZstdLibrary<'static>,
    frame: FrameProgress,
}

#[derive(Default)]
struct FrameProgress {
    header: FrameHeader,
    /// Whether decoding began inside the frame: the library then compares no checksum.
    is_resumed: bool,
    /// Bytes of the frame's header, the block or the checksum that the library has not taken.
    left: usize,
    is_last_block: bool,
    at_checksum: bool,
    /// Bytes of text since the start of the frame, or since the resume.
    length: u64,
    /// Whether the library may hold text that did not fit the buffer.
    holds_text: bool,
    checkpoints: FrameCheckpoints,
}

impl Zstd {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Zstd { library: ZstdLibrary::new()?, frame: FrameProgress::default() })
    }

    /// Moves on to the next block; returns the decoder state before it if a checkpoint is due and possible.
    fn next_block(&mut self, input: &mut RawInput, is_due: bool) -> Result<Option<DecoderState>> {
        if self.frame.is_last_block && self.frame.header.has_checksum && !self.frame.is_resumed {
            // In a call of its own: the library returns no text from a call that fails.
            (self.frame.is_last_block, self.frame.at_checksum, self.frame.left) = (false, true, CHECKSUM);
            return Ok(None);
        }
        let block = BlockHeader::read(input.peek(BLOCK_HEADER)?).ok_or_else(DecodeError::cut_off)?;
        (self.frame.is_last_block, self.frame.left) = (block.is_last, BLOCK_HEADER + block.size);
        Ok(self.frame.checkpoints.state_before(block, &self.frame.header, input, is_due)?)
    }

    /// The library compares the text with its size in the header only if the last block has text.
    fn end_frame(&mut self, input: &mut RawInput) -> StepEnd {
        if self.frame.is_resumed {
            input.skip(if self.frame.header.has_checksum { CHECKSUM as u64 } else { 0 });
            return StepEnd::EndOfMember;
        }
        let length = std::mem::take(&mut self.frame.length);
        match self.frame.header.text {
            Some(size) if size != length => StepEnd::Failed(DecodeError::wrong_length(length)),
            _ => StepEnd::EndOfMember,
        }
    }

    /// The library has no codes for its errors.
    fn reason(&self, message: &str) -> DecodeError {
        if message.contains("too much memory") {
            let window = self.frame.header.window;
            let message =
                format!("needs a window of {window} bytes to decompress; the limit is {MAX_WINDOW}");
            return DecodeError::Unsupported { message, filter: Some("zstd -dc --long=31") };
        }
        if message.contains("Dictionary mismatch") {
            return DecodeError::needs_dictionary("zstd -dc -D DICTIONARY");
        }
        DecodeError::damage(message)
    }
}

impl Decoder for Zstd {
    fn begin(&mut self, input: &mut RawInput) -> Result<()> {
        self.library.reinit()?;
        let bytes = input.peek(FrameHeader::MAX)?;
        // The library reports what is wrong with a header.
        let (header, left) = FrameHeader::read(bytes).unwrap_or((FrameHeader::default(), bytes.len()));
        self.frame = FrameProgress { header, left, ..FrameProgress::default() };
        Ok(())
    }

    fn resume(&mut self, _input: &mut RawInput, state: &DecoderState, window: &[u8]) -> Result<()> {
        self.library.reinit()?;
        let header = FrameCheckpoints::resume(&mut self.library, state, window)?;
        self.frame = FrameProgress { header, is_resumed: true, ..FrameProgress::default() };
        Ok(())
    }

    fn window(&self) -> usize {
        FrameCheckpoints::window(&self.frame.header)
    }

    fn unchecked(&self) -> Option<u64> {
        match self.frame.header.has_checksum {
            false => Some(0),
            true => (!self.frame.is_resumed).then_some(self.frame.length),
        }
    }

    fn decode(&mut self, input: &mut RawInput, text: &mut [u8], at: usize, mark: bool) -> Result<Step> {
        if self.frame.left == 0
            && !self.frame.holds_text
            && let Some(state) = self.next_block(input, mark)?
        {
            return Ok(Step { decoded: 0, end: StepEnd::Checkpoint(state) });
        }
        let bytes = input.fill()?;
        let ended = bytes.is_empty() && self.frame.left > 0;
        let mut in_buffer = InBuffer::around(&bytes[..bytes.len().min(self.frame.left)]);
        let mut output = OutBuffer::around(&mut text[at..]);
        let result = self.library.run(&mut in_buffer, &mut output);
        let (taken, decoded) = (in_buffer.pos(), output.pos());
        self.frame.holds_text = at + decoded == text.len();
        self.frame.left -= taken;
        input.consume(taken);
        self.frame.length += decoded as u64;
        let end = match result {
            Ok(0) => self.end_frame(input),
            Ok(_) if ended && decoded == 0 => StepEnd::Failed(DecodeError::cut_off()),
            Ok(_) => StepEnd::More,
            Err(_) if self.frame.at_checksum => {
                StepEnd::Failed(DecodeError::wrong_checksum(self.frame.length))
            }
            Err(cause) => StepEnd::Failed(self.reason(&cause.to_string())),
        };
        Ok(Step { decoded, end })
    }
}
