//! Checkpoints inside a zstd frame: which blocks can be one, and how a decoder gets into the state it had there. The offsets
//! after a block are read from its sequences (RFC 8878, section 3.1.1.3.2), without decoding its text.

use std::io;

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
        let offsets = tracker.offsets().filter(|_| is_self_contained(content));
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

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct FseState {
    symbol: u8,
    bits: u32,
    base: usize,
}

/// A decoding table of `1 << log` states.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FseTable {
    log: u32,
    states: Vec<FseState>,
}

impl FseTable {
    /// The table of a distribution over `1 << log` points; -1 means less than one (section 4.1.1).
    fn new(log: u32, distribution: &[i16]) -> Option<Self> {
        let size = 1usize << log;
        let mut states = vec![FseState::default(); size];
        let mut next: Vec<usize> = Vec::with_capacity(distribution.len());
        let mut high = size;
        for (symbol, points) in distribution.iter().enumerate() {
            next.push(usize::try_from(points.abs()).ok()?);
            if *points == -1 {
                high = high.checked_sub(1)?;
                states[high].symbol = u8::try_from(symbol).ok()?;
            }
        }
        let step = (size >> 1) + (size >> 3) + 3;
        let mut at = 0;
        for (symbol, points) in distribution.iter().enumerate() {
            for _ in 0..usize::try_from(*points).unwrap_or(0) {
                states.get_mut(at)?.symbol = u8::try_from(symbol).ok()?;
                loop {
                    at = (at + step) & (size - 1);
                    if at < high || at == 0 {
                        break;
                    }
                }
            }
        }
        for state in &mut states {
            let count = next.get_mut(usize::from(state.symbol))?;
            state.bits = log.checked_sub(count.checked_ilog2()?)?;
            state.base = (*count << state.bits).checked_sub(size)?;
            *count += 1;
        }
        Some(FseTable { log, states })
    }

    fn read(bytes: &[u8], most: u32) -> Option<(Self, usize)> {
        let mut bits = ForwardBits { bytes, at: 0 };
        let log = bits.take(4)? + 5;
        if log > most {
            return None;
        }
        let mut left = 1i32 << log;
        let mut distribution = Vec::new();
        while left > 0 && distribution.len() < 256 {
            // The smaller of the remaining values take one bit less.
            let width = (left + 1).ilog2() + 1;
            let low = (1i32 << (width - 1)) - 1;
            let threshold = (1 << width) - 1 - (left + 1);
            let mut value = i32::try_from(bits.take(width)?).ok()?;
            if value & low < threshold {
                bits.at -= 1;
                value &= low;
            } else if value > low {
                value -= threshold;
            }
            let points = value - 1;
            left -= points.abs();
            distribution.push(i16::try_from(points).ok()?);
            let mut zeros = if points == 0 { 3 } else { 0 };
            while zeros == 3 {
                zeros = bits.take(2)?;
                distribution.extend((0..zeros).map(|_| 0));
            }
        }
        let table = FseTable::new(log, &distribution).filter(|_| left == 0)?;
        Some((table, bits.at.div_ceil(8)))
    }
}

/// `count` bits from the bit `at` on, at most 32.
fn bits_at(bytes: &[u8], at: usize, count: u32) -> u64 {
    let word = bytes[at / 8..].iter().take(8).rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    word >> (at % 8) & ((1 << count) - 1)
}

/// Reads bits forward, from the lowest of the first byte.
struct ForwardBits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl ForwardBits<'_> {
    fn take(&mut self, count: u32) -> Option<u32> {
        let first = self.at;
        self.at += usize::try_from(count).ok()?;
        let is_there = self.at <= self.bytes.len() * 8;
        is_there.then(|| u32::try_from(bits_at(self.bytes, first, count)).ok())?
    }
}

/// Reads bits backward from the end of a stream, which its highest set bit marks (section 4.1.2).
struct BackwardBits<'a> {
    bytes: &'a [u8],
    left: usize,
}

impl<'a> BackwardBits<'a> {
    fn new(bytes: &'a [u8]) -> Option<Self> {
        let top = bytes.last()?.checked_ilog2()?;
        Some(BackwardBits { bytes, left: (bytes.len() - 1) * 8 + usize::try_from(top).ok()? })
    }

    fn take(&mut self, count: u32) -> Option<u64> {
        self.left = self.left.checked_sub(usize::try_from(count).ok()?)?;
        Some(bits_at(self.bytes, self.left, count))
    }

    fn is_empty(&self) -> bool {
        self.left == 0
    }
}

/// Writes pairs of number and bit count, in the order in which [`BackwardBits`] reads them.
fn write_backward(numbers: &[(u64, u32)]) -> Vec<u8> {
    let mut bytes = vec![0];
    let mut at = 0usize;
    let mut push = |bit: u64| {
        if at / 8 == bytes.len() {
            bytes.push(0);
        }
        bytes[at / 8] |= u8::from(bit & 1 == 1) << (at % 8);
        at += 1;
    };
    for (value, count) in numbers.iter().rev() {
        (0..*count).for_each(|bit| push(value >> bit));
    }
    push(1);
    bytes
}

/// The last three offsets, the latest first; `None` while unknown.
type Offsets = [Option<u32>; 3];

/// Bits to add to the codes of literal lengths from 16 on; the others have none.
const LITERAL_LENGTH_BITS: [u32; 20] = [1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];

/// Bits to add to the codes of match lengths from 32 on; the others have none.
const MATCH_LENGTH_BITS: [u32; 21] = [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];

/// The default distributions (section 3.1.1.3.2.2), of 64, 32 and 64 points.
const LITERAL_LENGTH_DEFAULT: [i16; 36] = [
    4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1,
    -1, -1,
];
const OFFSET_DEFAULT: [i16; 29] =
    [1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1];
const MATCH_LENGTH_DEFAULT: [i16; 53] = [
    1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
];

fn default_tables() -> Option<[FseTable; 3]> {
    Some([
        FseTable::new(6, &LITERAL_LENGTH_DEFAULT)?,
        FseTable::new(5, &OFFSET_DEFAULT)?,
        FseTable::new(6, &MATCH_LENGTH_DEFAULT)?,
    ])
}

/// The most states in a table of each kind, as powers of two.
const MAX_TABLES: [u32; 3] = [9, 8, 9];

struct SequencesHeader<'a> {
    count: usize,
    /// The form of each table: 0 default, 1 a single symbol, 2 described, 3 the one before.
    modes: [u8; 3],
    rest: &'a [u8],
}

fn is_self_contained(content: &[u8]) -> bool {
    let Some((literals, sequences)) = split(content) else { return false };
    let header = header(sequences);
    // Its own Huffman tree, and its own three tables.
    literals == 2 && header.is_some_and(|header| header.count > 0 && !header.modes.contains(&3))
}

/// Follows the offsets from block to block, from any block on.
#[derive(Debug, Default)]
struct OffsetTracker {
    offsets: Offsets,
    tables: [Option<FseTable>; 3],
}

impl OffsetTracker {
    fn offsets(&self) -> Option<[u32; 3]> {
        let [Some(a), Some(b), Some(c)] = self.offsets else { return None };
        Some([a, b, c])
    }

    /// Follows a compressed block; one that is invalid makes the offsets unknown again.
    fn follow(&mut self, content: &[u8]) {
        if self.try_follow(content).is_none() {
            *self = OffsetTracker::default();
        }
    }

    fn try_follow(&mut self, content: &[u8]) -> Option<()> {
        let (_, sequences) = split(content)?;
        let SequencesHeader { count, modes, mut rest } = header(sequences)?;
        if count == 0 {
            return Some(());
        }
        let defaults = default_tables()?;
        for (kind, default) in defaults.into_iter().enumerate() {
            let table = match modes[kind] {
                0 => default,
                1 => {
                    let (symbol, left) = rest.split_first()?;
                    rest = left;
                    FseTable { log: 0, states: vec![FseState { symbol: *symbol, bits: 0, base: 0 }] }
                }
                2 => {
                    let (table, length) = FseTable::read(rest, MAX_TABLES[kind])?;
                    rest = rest.get(length..)?;
                    table
                }
                _ => continue,
            };
            self.tables[kind] = Some(table);
        }
        let [Some(literal_lengths), Some(offsets), Some(match_lengths)] = &self.tables else { return None };
        self.offsets = decode(count, rest, [literal_lengths, offsets, match_lengths], self.offsets)?;
        Some(())
    }
}

fn decode(count: usize, bytes: &[u8], tables: [&FseTable; 3], before: Offsets) -> Option<Offsets> {
    let [literal_lengths, offsets, match_lengths] = tables;
    let mut bits = BackwardBits::new(bytes)?;
    let start = |bits: &mut BackwardBits<'_>, table: &FseTable| usize::try_from(bits.take(table.log)?).ok();
    let mut literal_length = start(&mut bits, literal_lengths)?;
    let mut offset = start(&mut bits, offsets)?;
    let mut match_length = start(&mut bits, match_lengths)?;
    let mut last = before;
    for left in (0..count).rev() {
        let (a, b, c) = (
            literal_lengths.states[literal_length],
            offsets.states[offset],
            match_lengths.states[match_length],
        );
        let code = u32::from(b.symbol);
        let value = if code < 32 { (1u64 << code) + bits.take(code)? } else { return None };
        bits.take(extra_bits(c.symbol, 32, &MATCH_LENGTH_BITS)?)?;
        bits.take(extra_bits(a.symbol, 16, &LITERAL_LENGTH_BITS)?)?;
        last = next_offsets(last, value, a.symbol == 0)?;
        if left > 0 {
            let go_on = |bits: &mut BackwardBits<'_>, state: FseState| {
                Some(state.base + usize::try_from(bits.take(state.bits)?).ok()?)
            };
            literal_length = go_on(&mut bits, a)?;
            match_length = go_on(&mut bits, c)?;
            offset = go_on(&mut bits, b)?;
        }
    }
    bits.is_empty().then_some(last)
}

/// The bits after a code, if the codes from `first` on have the bits in `table`.
fn extra_bits(code: u8, first: u8, table: &[u32]) -> Option<u32> {
    code.checked_sub(first).map_or(Some(0), |above| table.get(usize::from(above)).copied())
}

/// The offsets after a sequence: values up to 3 repeat an earlier offset (section 3.1.1.5).
fn next_offsets(last: Offsets, value: u64, no_literals: bool) -> Option<Offsets> {
    let [first, second, third] = last;
    Some(match value + u64::from(no_literals && value <= 3) {
        _ if value > 3 => [Some(u32::try_from(value - 3).ok()?), first, second],
        1 => last,
        2 => [second, first, third],
        3 => [third, first, second],
        _ => [first.map(|first| first.checked_sub(1)).unwrap_or_default(), first, second],
    })
}

/// The kind of a block's literals, and the bytes after them (section 3.1.1.3.1).
fn split(content: &[u8]) -> Option<(u8, &[u8])> {
    let first = *content.first()?;
    let (kind, format) = (first & 3, first >> 2 & 3);
    let number = content.iter().take(5).rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
    let (header, size) = match (kind, format) {
        (0 | 1, 0 | 2) => (1, number >> 3 & 0x1F),
        (0 | 1, 1) => (2, number >> 4 & 0xFFF),
        (0 | 1, _) => (3, number >> 4 & 0xF_FFFF),
        (_, 0 | 1) => (3, number >> 14 & 0x3FF),
        (_, 2) => (4, number >> 18 & 0x3FFF),
        _ => (5, number >> 22 & 0x3_FFFF),
    };
    let size = if kind == 1 { 1 } else { usize::try_from(size).ok()? };
    Some((kind, content.get(header + size..)?))
}

/// The header of the sequences (section 3.1.1.3.2.1).
fn header(bytes: &[u8]) -> Option<SequencesHeader<'_>> {
    let (count, length) = match bytes {
        [0, ..] => return Some(SequencesHeader { count: 0, modes: [0; 3], rest: &[] }),
        [first @ 1..=127, ..] => (usize::from(*first), 1),
        [255, a, b, ..] => (usize::from(*a) + (usize::from(*b) << 8) + 0x7F00, 3),
        [first, a, ..] => (((usize::from(*first) - 128) << 8) + usize::from(*a), 2),
        _ => return None,
    };
    let modes = *bytes.get(length)?;
    Some(SequencesHeader {
        count,
        modes: [modes >> 6, modes >> 4 & 3, modes >> 2 & 3],
        rest: &bytes[length + 1..],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_written_backward_are_read_in_order() {
        let numbers = [(5, 3), (0, 0), (1 << 28 | 77, 29), (1, 1), (0, 7), (255, 8)];
        let bytes = write_backward(&numbers);
        let mut bits = BackwardBits::new(&bytes).unwrap();
        for (value, count) in numbers {
            assert!(!bits.is_empty() || count == 0);
            assert_eq!(bits.take(count), Some(value));
        }
        assert!(bits.is_empty());
        assert_eq!(bits.take(1), None);
    }

    #[test]
    fn every_state_can_follow_every_symbol() {
        let table = FseTable::new(5, &[1, 10, -1, 16, 0, 4]).unwrap();
        for next in 0..32 {
            for symbol in [0, 1, 2, 3, 5] {
                let leads = |state: &&FseState| {
                    state.symbol == symbol && (state.base..state.base + (1 << state.bits)).contains(&next)
                };
                assert_eq!(table.states.iter().filter(leads).count(), 1, "{symbol} to {next}");
            }
        }
    }
}
