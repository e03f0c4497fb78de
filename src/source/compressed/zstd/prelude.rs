//! A frame that puts a zstd decoder into the state it had in the middle of another: the offsets, then the window.
//!
//! A block that brings all its tables along depends on what came before only through the last three offsets and the text that
//! it copies from. Both can be had by decoding something else: a block of three copies from those offsets, and the
//! window as blocks that are stored as they are.

use super::fse::{State, Table, write_backward};
use super::sequences::default_tables;

const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// The most text that a block may hold.
pub(super) const BLOCK: usize = 128 << 10;

/// The kinds of blocks (RFC 8878, section 3.1.1.2).
const RAW: usize = 0;
const RUN: usize = 1;
const COMPRESSED: usize = 2;

/// The text that the prelude decodes to, without the window.
pub(super) struct Prelude {
    /// The frame's beginning.
    pub(super) bytes: Vec<u8>,
    /// Bytes of text that it decodes to, all of which are to be thrown away.
    pub(super) text: u64,
}

/// The beginning of a frame with this window `descriptor` (section 3.1.1.1.2) that leaves a decoder with `offsets` and `window`.
pub(super) fn prelude(descriptor: u8, offsets: [u32; 3], window: &[u8]) -> Option<Prelude> {
    let mut bytes = Vec::with_capacity(window.len() + 1024);
    bytes.extend(MAGIC);
    // Neither size, nor checksum, nor dictionary.
    bytes.extend([0, descriptor]);
    // Something to copy from.
    let farthest = usize::try_from(offsets.into_iter().max()?).ok()?;
    for _ in 0..farthest.div_ceil(BLOCK) {
        block(&mut bytes, RUN, BLOCK, b"\n");
    }
    let copies = copies(offsets)?;
    block(&mut bytes, COMPRESSED, copies.len(), &copies);
    for piece in window.chunks(BLOCK) {
        block(&mut bytes, RAW, piece.len(), piece);
    }
    let text = farthest.div_ceil(BLOCK) * BLOCK + 3 * COPY + window.len();
    Some(Prelude { bytes, text: text as u64 })
}

/// Adds a block that is not the last: its size, its kind, its content.
fn block(bytes: &mut Vec<u8>, kind: usize, size: usize, content: &[u8]) {
    let [a, b, c, ..] = (size << 3 | kind << 1).to_le_bytes();
    bytes.extend([a, b, c]);
    bytes.extend(content);
}

/// Bytes that each copy gives: the least there is.
const COPY: usize = 3;

/// A block without literals that copies from each of `offsets`, so that they are the last ones, in their order.
fn copies(offsets: [u32; 3]) -> Option<Vec<u8>> {
    let [literal_lengths, by_offset, match_lengths] = default_tables()?;
    // The latest comes last. Values up to 3 would mean one of those before.
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

/// States that give `symbols` one after another, each with its number.
fn path(table: &Table, symbols: &[u8; 3]) -> Option<[(usize, State); 3]> {
    let mut next = None;
    let mut found = [(0, State::default()); 3];
    for (slot, symbol) in found.iter_mut().zip(symbols).rev() {
        let leads = |state: &State| {
            let reached = state.base..state.base + (1 << state.bits);
            state.symbol == *symbol && next.is_none_or(|next| reached.contains(&next))
        };
        let number = table.states.iter().position(leads)?;
        *slot = (number, table.states[number]);
        next = Some(number);
    }
    Some(found)
}
