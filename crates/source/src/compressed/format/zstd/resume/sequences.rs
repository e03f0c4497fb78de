//! The offsets after a zstd block, without decoding its text (RFC 8878, sections 3.1.1.3 to 3.1.1.5).

use super::fse::{BackwardBits, FseState, FseTable};

/// The last three offsets, the latest first; `None` while unknown.
pub(super) type Offsets = [Option<u32>; 3];

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

pub(super) fn default_tables() -> Option<[FseTable; 3]> {
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

pub(super) fn is_self_contained(content: &[u8]) -> bool {
    let Some((literals, sequences)) = split(content) else { return false };
    let header = header(sequences);
    // Its own Huffman tree, and its own three tables.
    literals == 2 && header.is_some_and(|header| header.count > 0 && !header.modes.contains(&3))
}

/// Follows the offsets from block to block, from any block on.
#[derive(Debug, Default)]
pub(super) struct OffsetTracker {
    offsets: Offsets,
    tables: [Option<FseTable>; 3],
}

impl OffsetTracker {
    pub(super) fn offsets(&self) -> Option<[u32; 3]> {
        let [Some(a), Some(b), Some(c)] = self.offsets else { return None };
        Some([a, b, c])
    }

    /// Follows a compressed block; one that is invalid makes the offsets unknown again.
    pub(super) fn follow(&mut self, content: &[u8]) {
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
                    FseTable::of_one(*symbol)
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
