//! Checkpoints inside a zstd frame: which blocks can be one, and how a decoder gets into the state it had there.

mod fse;
mod prelude;
mod sequences;

use std::io;

use zstd::stream::raw::{Decoder as ZstdLibrary, InBuffer, Operation, OutBuffer};

use super::frame::{BLOCK_HEADER, BlockHeader, COMPRESSED, FrameHeader, LARGEST_BLOCK, window_size};
use crate::compressed::decode_error::{DecodeError, Result};
use crate::compressed::decoder_state::DecoderState;
use crate::compressed::raw_input::RawInput;
use sequences::OffsetTracker;

/// Bytes of the largest window for checkpoints inside frames: each keeps a copy, in memory and in the index.
const LARGEST_WINDOW: usize = 4 << 20;

#[derive(Default)]
pub(super) struct FrameCheckpoints {
    /// The offsets after the blocks so far, while a checkpoint is due.
    tracker: Option<OffsetTracker>,
}

impl FrameCheckpoints {
    pub(super) fn window(frame: &FrameHeader) -> usize {
        let window = usize::try_from(window_size(frame.descriptor)).unwrap_or(usize::MAX);
        if window > LARGEST_WINDOW { 0 } else { window }
    }

    /// The decoder state before `block`, the next in `input`, if decoding can continue there. `is_due` asks for one.
    pub(super) fn state_before(
        &mut self,
        block: BlockHeader,
        frame: &FrameHeader,
        input: &mut RawInput,
        is_due: bool,
    ) -> io::Result<Option<DecoderState>> {
        if !is_due || FrameCheckpoints::window(frame) == 0 {
            self.tracker = None;
            return Ok(None);
        }
        let tracker = self.tracker.get_or_insert_default();
        if block.kind != COMPRESSED || block.size > LARGEST_BLOCK {
            return Ok(None);
        }
        let Some(content) = input.peek(BLOCK_HEADER + block.size)?.get(BLOCK_HEADER..) else {
            return Ok(None);
        };
        let offsets = tracker.offsets().filter(|_| sequences::is_self_contained(content));
        tracker.follow(content);
        let FrameHeader { descriptor, has_checksum, .. } = *frame;
        Ok(offsets.map(|offsets| DecoderState::Zstd { offsets, descriptor, has_checksum }))
    }

    /// Brings a new `decoder` into `state`, and returns the header of the frame.
    pub(super) fn resume(
        decoder: &mut ZstdLibrary<'_>,
        state: &DecoderState,
        window: &[u8],
    ) -> Result<FrameHeader> {
        let DecoderState::Zstd { offsets, descriptor, has_checksum } = *state else { return Err(failed()) };
        let prelude = prelude::prelude(descriptor, offsets, window).ok_or_else(failed)?;
        let mut scratch = vec![0; LARGEST_BLOCK];
        let mut input = InBuffer::around(&prelude.bytes[..]);
        let mut decoded = 0;
        while decoded < prelude.text || input.pos() < prelude.bytes.len() {
            let mut output = OutBuffer::around(&mut scratch[..]);
            let before = input.pos();
            decoder.run(&mut input, &mut output).map_err(|_| failed())?;
            if output.pos() == 0 && input.pos() == before {
                return Err(failed());
            }
            decoded += output.pos() as u64;
        }
        Ok(FrameHeader { text: None, window: window_size(descriptor), descriptor, has_checksum })
    }
}

/// Nobody reads the reason: a checkpoint that does not work is dropped.
fn failed() -> DecodeError {
    DecodeError::damage("the decoder cannot resume here")
}
