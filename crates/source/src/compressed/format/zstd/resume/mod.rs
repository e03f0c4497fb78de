//! Checkpoints inside a zstd frame: which blocks can be one, and how a decoder gets into the state it had there.

mod fse;
mod sequences;

use std::io;

use fse::{FseState, FseTable, write_backward};
use sequences::{OffsetTracker, default_tables};
use zstd::stream::raw::{Decoder as ZstdLibrary, InBuffer, Operation, OutBuffer};

use super::frame::{BLOCK_HEADER, BlockHeader, COMPRESSED, FrameHeader, MAX_BLOCK, RAW, RUN, window_size};
use crate::compressed::checkpoint::DecoderState;
use crate::compressed::damage::{DecodeError, Result};
use crate::compressed::decoder::RawInput;

/// Bytes of the largest window for checkpoints inside frames: each keeps a copy, in memory and in the index.
const MAX_WINDOW: usize = 4 << 20;

#[derive(Default)]
pub(super) struct FrameCheckpoints {
    /// The offsets after the blocks so far, while a checkpoint is due.
    tracker: Option<OffsetTracker>,
}

impl FrameCheckpoints {
    pub(super) fn window(frame: &FrameHeader) -> usize {
        let window = usize::try_from(window_size(frame.descriptor)).unwrap_or(usize::MAX);
        if window > MAX_WINDOW { 0 } else { window }
    }

    /// The decoder state before `block`, the next in `input`, if decoding can continue there. `is_due` requests one.
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
        if block.kind != COMPRESSED || block.size > MAX_BLOCK {
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
        let DecoderState::Zstd { offsets, descriptor, has_checksum } = *state else {
            return Err(resume_error());
        };
        let prelude = prelude(descriptor, offsets, window).ok_or_else(resume_error)?;
        let mut scratch = vec![0; MAX_BLOCK];
        let mut input = InBuffer::around(&prelude.bytes[..]);
        let mut decoded = 0;
        while decoded < prelude.text || input.pos() < prelude.bytes.len() {
            let mut output = OutBuffer::around(&mut scratch[..]);
            let before = input.pos();
            decoder.run(&mut input, &mut output).map_err(|_| resume_error())?;
            if output.pos() == 0 && input.pos() == before {
                return Err(resume_error());
            }
            decoded += output.pos() as u64;
        }
        Ok(FrameHeader { text: None, window: window_size(descriptor), descriptor, has_checksum })
    }
}

/// Nobody reads the reason: a checkpoint that does not work is dropped.
fn resume_error() -> DecodeError {
    DecodeError::damage("the decoder cannot resume here")
}

const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

pub(super) struct Prelude {
    pub(super) bytes: Vec<u8>,
    /// Bytes of text that it decodes to; the caller discards them.
    pub(super) text: u64,
}

pub(super) fn prelude(descriptor: u8, offsets: [u32; 3], window: &[u8]) -> Option<Prelude> {
    let mut bytes = Vec::with_capacity(window.len() + 1024);
    bytes.extend(MAGIC);
    // Neither size, nor checksum, nor dictionary.
    bytes.extend([0, descriptor]);
    let farthest = usize::try_from(offsets.into_iter().max()?).ok()?;
    for _ in 0..farthest.div_ceil(MAX_BLOCK) {
        add_block(&mut bytes, RUN, MAX_BLOCK, b"\n");
    }
    let copies = copies(offsets)?;
    add_block(&mut bytes, COMPRESSED, copies.len(), &copies);
    for piece in window.chunks(MAX_BLOCK) {
        add_block(&mut bytes, RAW, piece.len(), piece);
    }
    let text = farthest.div_ceil(MAX_BLOCK) * MAX_BLOCK + 3 * COPY + window.len();
    Some(Prelude { bytes, text: text as u64 })
}

fn add_block(bytes: &mut Vec<u8>, kind: usize, size: usize, content: &[u8]) {
    let [a, b, c, ..] = (size << 3 | kind << 1).to_le_bytes();
    bytes.extend([a, b, c]);
    bytes.extend(content);
}

/// Bytes of each copy: the least that the format allows.
const COPY: usize = 3;

/// A block without literals that copies from each of `offsets`, the latest last.
fn copies(offsets: [u32; 3]) -> Option<Vec<u8>> {
    let [literal_lengths, by_offset, match_lengths] = default_tables()?;
    // Values up to 3 would repeat an earlier offset.
    let values = [offsets[2], offsets[1], offsets[0]].map(|offset| u64::from(offset) + 3);
    let codes = values.map(u64::ilog2);
    let path = path(&by_offset, &codes.map(|code| u8::try_from(code).unwrap_or(u8::MAX)))?;
    let zeros = [0; 3];
    let (lengths, matches) = (self::path(&literal_lengths, &zeros)?, self::path(&match_lengths, &zeros)?);
    let mut numbers = vec![
        (lengths[0].0 as u64, literal_lengths.log),
        (path[0].0 as u64, by_offset.log),
        (matches[0].0 as u64, match_lengths.log),
    ];
    for step in 0..3 {
        numbers.push((values[step] - (1 << codes[step]), codes[step]));
        if step < 2 {
            for states in [&lengths, &matches, &path] {
                let (state, next) = (states[step].1, states[step + 1].0);
                numbers.push(((next - state.base) as u64, state.bits));
            }
        }
    }
    // No literals; three sequences; the default tables.
    let mut content = vec![0, 3, 0];
    content.extend(write_backward(&numbers));
    Some(content)
}

/// States that decode to `symbols` one after another, each with its number in `table`.
fn path(table: &FseTable, symbols: &[u8; 3]) -> Option<[(usize, FseState); 3]> {
    let mut next = None;
    let mut found = [(0, FseState::default()); 3];
    for (slot, symbol) in found.iter_mut().zip(symbols).rev() {
        let leads = |state: &FseState| {
            let reached = state.base..state.base + (1 << state.bits);
            state.symbol == *symbol && next.is_none_or(|next| reached.contains(&next))
        };
        let number = table.states.iter().position(leads)?;
        *slot = (number, table.states[number]);
        next = Some(number);
    }
    Some(found)
}
