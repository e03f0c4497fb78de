//! The beginning of a frame that brings a decoder into the state it had inside another frame.
//!
//! A block with tables of its own depends on earlier blocks only through the last three offsets and the window. So the
//! prelude is a block of three copies from those offsets, then the window in uncompressed blocks.

use super::super::frame::{COMPRESSED, LARGEST_BLOCK, RAW, RUN};
use super::fse::{FseState, FseTable, write_backward};
use super::sequences::default_tables;

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
    for _ in 0..farthest.div_ceil(LARGEST_BLOCK) {
        add_block(&mut bytes, RUN, LARGEST_BLOCK, b"\n");
    }
    let copies = copies(offsets)?;
    add_block(&mut bytes, COMPRESSED, copies.len(), &copies);
    for piece in window.chunks(LARGEST_BLOCK) {
        add_block(&mut bytes, RAW, piece.len(), piece);
    }
    let text = farthest.div_ceil(LARGEST_BLOCK) * LARGEST_BLOCK + 3 * COPY + window.len();
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
