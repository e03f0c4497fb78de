//! Zstandard (RFC 8878): frames, each with its own window. Taken up again at the start of a frame, and inside one at a block that
//! brings its own tables.

mod fse;
mod prelude;
mod sequences;

use std::io;

use zstd::stream::raw::{Decoder as RawDecoder, InBuffer, Operation, OutBuffer};

use super::compressed_input::CompressedInput;
use super::decoder::{CUT_OFF, DecodeError, Decoder, Step, StepEnd};
use super::decoder_state::DecoderState;
use prelude::{BLOCK, prelude};
use sequences::Tracker;

/// The largest window with checkpoints inside frames, in bytes: it has to be kept in memory, and in the index for every checkpoint.
const LARGEST_WINDOW: u64 = 4 << 20;

/// The longest header of a frame.
pub(super) const FRAME_HEADER: usize = 18;

/// Bytes of a block's header.
const BLOCK_HEADER: usize = 3;

/// Bytes of the checksum after the last block.
const CHECKSUM: usize = 4;

/// The kind of blocks that are compressed.
const COMPRESSED: u32 = 2;

pub(super) struct Zstd {
    input: CompressedInput,
    raw: RawDecoder<'static>,
    frame: Frame,
    /// Bytes of the current block, or of the frame's header, that the decoder has not been given.
    left: usize,
    /// Whether the current block is the last of its frame.
    is_last: bool,
    /// Whether the checksum after it comes next.
    at_checksum: bool,
    /// Bytes of text of this frame, or from where it was taken up on.
    length: u64,
    /// Whether the decoder may hold text that there was no room for.
    holds: bool,
    /// What is known of the blocks before, while a checkpoint is looked for.
    tracker: Option<Tracker>,
}

/// What the header of a frame says (section 3.1.1.1).
#[derive(Clone, Copy, Default)]
pub(super) struct Frame {
    /// The length of its text, where that was known to who wrote it.
    pub(super) text: Option<u64>,
    /// The window's size in bytes.
    window: u64,
    /// The least byte that describes a window of that size.
    descriptor: u8,
    /// Whether four bytes of checksum follow the last block.
    has_checksum: bool,
    /// Whether the decoder was set going inside it, with a header of its own that promises no checksum.
    is_resumed: bool,
}

impl Frame {
    /// The header at the start of `bytes`, which is that of a frame, and its length.
    pub(super) fn read(bytes: &[u8]) -> Option<(Frame, usize)> {
        let flags = *bytes.get(4)?;
        let is_single = flags & 0x20 != 0;
        let dictionary = [0, 1, 2, 4][usize::from(flags & 3)];
        let size_bytes = match flags >> 6 {
            0 => usize::from(is_single),
            1 => 2,
            2 => 4,
            _ => 8,
        };
        let size_at = 5 + usize::from(!is_single) + dictionary;
        let size = bytes.get(size_at..size_at + size_bytes)?;
        let size = size.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
        // Two bytes count from 256.
        let size = if size_bytes == 2 { size + 256 } else { size };
        let descriptor = if is_single {
            (0..=255u8).find(|descriptor| window_size(*descriptor) >= size)?
        } else {
            *bytes.get(5)?
        };
        let window = window_size(descriptor);
        let text = (size_bytes > 0).then_some(size);
        let frame = Frame { text, window, descriptor, has_checksum: flags & 4 != 0, is_resumed: false };
        Some((frame, size_at + size_bytes))
    }
}

/// The window that a descriptor stands for (section 3.1.1.1.2), in bytes.
fn window_size(descriptor: u8) -> u64 {
    let base = 1u64 << (10 + u32::from(descriptor >> 3));
    base + base / 8 * u64::from(descriptor & 7)
}

/// The header of a block (section 3.1.1.2): whether it is the last, its kind, the bytes of its content.
fn block_header(bytes: &[u8]) -> Option<(bool, u32, usize)> {
    let [a, b, c] = *bytes.first_chunk::<BLOCK_HEADER>()?;
    let header = u32::from_le_bytes([a, b, c, 0]);
    let kind = header >> 1 & 3;
    let size = if kind == 1 { 1 } else { usize::try_from(header >> 3).ok()? };
    Some((header & 1 == 1, kind, size))
}

impl Zstd {
    pub(super) fn new(input: CompressedInput) -> io::Result<Self> {
        // Windows of more than 128 MiB are refused, as zstd itself does without --long.
        let raw = RawDecoder::new()?;
        Ok(Zstd {
            input,
            raw,
            frame: Frame::default(),
            left: 0,
            is_last: false,
            at_checksum: false,
            length: 0,
            holds: false,
            tracker: None,
        })
    }

    /// Looks at the block that begins at the input's position: how long it is, and whether it is a checkpoint to take up again.
    fn next_block(&mut self, mark: bool) -> Result<Option<DecoderState>, DecodeError> {
        if self.is_last && self.frame.has_checksum && !self.frame.is_resumed {
            // Apart from the block: the library gives nothing of a call that fails.
            (self.is_last, self.at_checksum, self.left) = (false, true, CHECKSUM);
            return Ok(None);
        }
        let header = self.input.peek(BLOCK_HEADER)?;
        let (is_last, kind, size) = block_header(header).ok_or_else(DecodeError::cut_off)?;
        self.left = BLOCK_HEADER + size;
        self.is_last = is_last;
        if !mark || self.frame.window > LARGEST_WINDOW {
            self.tracker = None;
            return Ok(None);
        }
        let tracker = self.tracker.get_or_insert_default();
        if kind != COMPRESSED || size > BLOCK {
            return Ok(None);
        }
        let Some(content) = self.input.peek(BLOCK_HEADER + size)?.get(BLOCK_HEADER..) else {
            return Ok(None);
        };
        let offsets = tracker.offsets().filter(|_| sequences::is_self_contained(content));
        tracker.follow(content);
        let Frame { descriptor, has_checksum, .. } = self.frame;
        Ok(offsets.map(|offsets| DecoderState::Zstd { offsets, descriptor, has_checksum }))
    }

    /// Gives the decoder bytes of a prelude, and throws away what they decode to.
    fn decode_prelude(&mut self, bytes: &[u8], text: u64) -> Result<(), DecodeError> {
        let mut scratch = vec![0; BLOCK];
        let mut input = InBuffer::around(bytes);
        let mut thrown = 0;
        while thrown < text || input.pos() < bytes.len() {
            let mut output = OutBuffer::around(&mut scratch[..]);
            let before = input.pos();
            self.raw
                .run(&mut input, &mut output)
                .map_err(|cause| DecodeError::damage(format!("it cannot be taken up again: {cause}")))?;
            if output.pos() == 0 && input.pos() == before {
                return Err(DecodeError::damage("it cannot be taken up again"));
            }
            thrown += output.pos() as u64;
        }
        Ok(())
    }
}

impl Decoder for Zstd {
    fn input(&mut self) -> &mut CompressedInput {
        &mut self.input
    }

    fn begin(&mut self) -> Result<(), DecodeError> {
        self.raw.reinit()?;
        let header = self.input.peek(FRAME_HEADER)?;
        // The decoder will say what is wrong.
        let all = header.len();
        (self.frame, self.left) = Frame::read(header).unwrap_or((Frame::default(), all));
        (self.holds, self.tracker) = (false, None);
        (self.is_last, self.at_checksum, self.length) = (false, false, 0);
        Ok(())
    }

    fn resume(&mut self, state: &DecoderState, window: &[u8]) -> Result<(), DecodeError> {
        let DecoderState::Zstd { offsets, descriptor, has_checksum } = *state else { return self.begin() };
        self.raw.reinit()?;
        let prelude = prelude(descriptor, offsets, window)
            .ok_or_else(|| DecodeError::damage("it cannot be taken up again"))?;
        self.decode_prelude(&prelude.bytes, prelude.text)?;
        let window = window_size(descriptor);
        self.frame = Frame { text: None, window, descriptor, has_checksum, is_resumed: true };
        (self.left, self.holds, self.tracker) = (0, false, None);
        (self.is_last, self.at_checksum, self.length) = (false, false, 0);
        Ok(())
    }

    fn window(&self) -> usize {
        if self.frame.window > LARGEST_WINDOW { 0 } else { usize::try_from(self.frame.window).unwrap_or(0) }
    }

    fn unchecked(&self) -> Option<u64> {
        match self.frame {
            Frame { has_checksum: false, .. } => Some(0),
            Frame { is_resumed: true, .. } => None,
            _ => Some(self.length),
        }
    }

    fn decode(&mut self, text: &mut [u8], at: usize, mark: bool) -> Result<Step, DecodeError> {
        if self.left == 0
            && !self.holds
            && let Some(state) = self.next_block(mark)?
        {
            return Ok(Step { decoded: 0, end: StepEnd::Checkpoint(state) });
        }
        let source = self.input.fill()?;
        let ended = source.is_empty() && self.left > 0;
        let mut input = InBuffer::around(&source[..source.len().min(self.left)]);
        let mut output = OutBuffer::around(&mut text[at..]);
        let left = self.raw.run(&mut input, &mut output);
        let (taken, given) = (input.pos(), output.pos());
        self.holds = at + given == text.len();
        self.left -= taken;
        self.input.consume(taken);
        self.length += given as u64;
        let end = match left {
            Ok(0) => {
                if self.frame.is_resumed && self.frame.has_checksum {
                    self.input.skip(CHECKSUM as u64);
                } else {
                    self.length = 0;
                }
                StepEnd::End
            }
            Ok(_) if ended && given == 0 => StepEnd::Damage(CUT_OFF.to_owned()),
            Ok(_) => StepEnd::More,
            Err(_) if self.at_checksum => {
                StepEnd::Checksum("the checksum of the text before is wrong".to_owned(), self.length)
            }
            Err(cause) => StepEnd::Damage(reason(&cause)),
        };
        Ok(Step { decoded: given, end })
    }
}

/// The library's words, and what to do about the one that a user can do something about.
fn reason(cause: &io::Error) -> String {
    let text = cause.to_string();
    if text.contains("too much memory") {
        return "it needs a window of more than 128 MiB (zstd -d --long=31 decompresses it)".to_owned();
    }
    text
}
