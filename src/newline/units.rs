//! Newlines of any width: single bytes, or code units of two or four bytes.

use memchr::{memchr_iter, memrchr_iter};

/// Bytes counted before the sum is checked: no lane overflows, and a search ends within one block.
const STRETCH: usize = 4096;

/// The code unit of a text: its width and its byte order.
///
/// All functions take bytes that begin with a whole unit; an incomplete unit at their end is not a newline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Units {
    width: usize,
    big_endian: bool,
}

impl Units {
    /// Single bytes: UTF-8 and every encoding that extends ASCII.
    pub const BYTES: Units = Units { width: 1, big_endian: false };

    /// The units of UTF-16.
    pub fn pairs(big_endian: bool) -> Self {
        Units { width: 2, big_endian }
    }

    /// The units of UTF-32.
    pub fn quads(big_endian: bool) -> Self {
        Units { width: 4, big_endian }
    }

    /// The bytes of one unit: 1, 2 or 4.
    pub fn width(self) -> usize {
        self.width
    }

    /// The name of a unit wider than a byte, such as `16le`.
    pub fn name(self) -> Option<String> {
        let order = if self.big_endian { "be" } else { "le" };
        (self.width > 1).then(|| format!("{}{order}", self.width * 8))
    }

    /// `offset` moved back to the start of its unit.
    pub fn floor(self, offset: u64) -> u64 {
        offset - offset % self.width as u64
    }

    /// The number of newlines.
    pub fn count(self, bytes: &[u8]) -> u64 {
        match self.width {
            1 => super::count(bytes),
            2 => bytes.chunks(STRETCH).map(|stretch| u64::from(count_pairs(stretch, self.pair(b'\n')))).sum(),
            _ => bytes.chunks(STRETCH).map(|stretch| u64::from(count_quads(stretch, self.quad(b'\n')))).sum(),
        }
    }

    /// The number of newlines, and the fingerprint of [`super::tally`].
    pub(crate) fn tally(self, bytes: &[u8]) -> (u64, u64) {
        let (newlines, fingerprint) = super::tally(bytes);
        (if self.width == 1 { newlines } else { self.count(bytes) }, fingerprint)
    }

    /// The number of newlines that follow a carriage return within `bytes`.
    pub(crate) fn count_crlf(self, bytes: &[u8]) -> u64 {
        match self.width {
            1 => count_crlf_bytes(bytes),
            2 => count_crlf(bytes.as_chunks::<2>().0, &self.pair(b'\r'), &self.pair(b'\n')),
            _ => count_crlf(bytes.as_chunks::<4>().0, &self.quad(b'\r'), &self.quad(b'\n')),
        }
    }

    /// The index just past the `n`-th newline (from 1), if there are that many.
    pub fn after_nth(self, bytes: &[u8], n: u64) -> Option<usize> {
        if self.width == 1 {
            return super::after_nth(bytes, n);
        }
        let (mut skipped, mut left) = (0, n);
        for stretch in bytes.chunks(STRETCH) {
            let here = self.count(stretch);
            if here >= left {
                let index = usize::try_from(left).ok()?.checked_sub(1)?;
                return self.ends(stretch).nth(index).map(|end| skipped + end);
            }
            left -= here;
            skipped += stretch.len();
        }
        None
    }

    /// The index just past the `n`-th newline from the end (from 1), if there are that many.
    pub fn after_nth_back(self, bytes: &[u8], n: u64) -> Option<usize> {
        if self.width == 1 {
            return super::after_nth_back(bytes, n);
        }
        let mut left = n;
        let mut end = bytes.len();
        while end > 0 {
            // Blocks start at multiples of the block size, so each begins with a whole unit.
            let start = (end - 1) / STRETCH * STRETCH;
            let stretch = &bytes[start..end];
            let here = self.count(stretch);
            if here >= left {
                let index = usize::try_from(left).ok()?.checked_sub(1)?;
                return self.ends_back(stretch).nth(index).map(|end| start + end);
            }
            left -= here;
            end = start;
        }
        None
    }

    /// The index just past the first newline.
    pub(crate) fn after_first(self, bytes: &[u8]) -> Option<usize> {
        self.ends(bytes).next()
    }

    /// The index just past the last newline.
    pub(crate) fn after_last(self, bytes: &[u8]) -> Option<usize> {
        self.ends_back(bytes).next()
    }

    /// Whether `bytes` end with the unit of the ASCII character `c`.
    pub fn ends_with(self, bytes: &[u8], c: u8) -> bool {
        let whole = &bytes[..bytes.len() - bytes.len() % self.width];
        whole.len() == bytes.len()
            && match self.width {
                1 => whole.ends_with(&[c]),
                2 => whole.ends_with(&self.pair(c)),
                _ => whole.ends_with(&self.quad(c)),
            }
    }

    /// The character of a single unit, if units are wider than a byte.
    pub fn code(self, unit: &[u8]) -> Option<char> {
        let value = |bytes: &[u8]| bytes.iter().fold(0, |sum, byte| sum << 8 | u32::from(*byte));
        match (self.width, self.big_endian, unit) {
            (2, true, _) | (4, true, _) if unit.len() == self.width => char::from_u32(value(unit)),
            (2, false, [a, b]) => char::from_u32(value(&[*b, *a])),
            (4, false, [a, b, c, d]) => char::from_u32(value(&[*d, *c, *b, *a])),
            _ => None,
        }
    }

    /// As [`super::longest`]; lengths are in bytes.
    pub fn longest(self, bytes: &[u8], carry: u64, best: u64) -> Option<(u64, u64)> {
        if self.width == 1 {
            return super::longest(bytes, carry, best);
        }
        let (mut found, mut best, mut start, mut carry) = (None, best, 0, carry);
        let ends = self.ends(bytes).map(|end| (end - self.width, end));
        for (before, (stop, next)) in (0u64..).zip(ends.chain([(bytes.len(), bytes.len())])) {
            let length = carry + (stop - start) as u64;
            if length > best {
                best = length;
                found = Some((length, before));
            }
            (start, carry) = (next, 0);
        }
        found
    }

    fn ends(self, bytes: &[u8]) -> impl Iterator<Item = usize> {
        memchr_iter(b'\n', bytes).filter_map(move |at| self.end_of(bytes, at))
    }

    fn ends_back(self, bytes: &[u8]) -> impl Iterator<Item = usize> {
        memrchr_iter(b'\n', bytes).filter_map(move |at| self.end_of(bytes, at))
    }

    /// The end of the newline whose byte `\n` is at `at`, if that byte belongs to a newline.
    fn end_of(self, bytes: &[u8], at: usize) -> Option<usize> {
        let start = at - at % self.width;
        let unit = bytes.get(start..start + self.width)?;
        self.ends_with(unit, b'\n').then_some(start + self.width)
    }

    fn pair(self, c: u8) -> [u8; 2] {
        if self.big_endian { [0, c] } else { [c, 0] }
    }

    fn quad(self, c: u8) -> [u8; 4] {
        if self.big_endian { [0, 0, 0, c] } else { [c, 0, 0, 0] }
    }
}

/// The sum is as wide as the unit, so that comparison and sum stay in the same vector lanes.
fn count_pairs(bytes: &[u8], newline: [u8; 2]) -> u16 {
    let newline = u16::from_ne_bytes(newline);
    let (units, _) = bytes.as_chunks::<2>();
    units.iter().fold(0, |sum, unit| sum + u16::from(u16::from_ne_bytes(*unit) == newline))
}

fn count_quads(bytes: &[u8], newline: [u8; 4]) -> u32 {
    let newline = u32::from_ne_bytes(newline);
    let (units, _) = bytes.as_chunks::<4>();
    units.iter().fold(0, |sum, unit| sum + u32::from(u32::from_ne_bytes(*unit) == newline))
}

fn count_crlf<const W: usize>(units: &[[u8; W]], cr: &[u8; W], lf: &[u8; W]) -> u64 {
    let pairs = units.iter().zip(units.get(1..).unwrap_or_default());
    pairs.fold(0, |sum, (a, b)| sum + u64::from((a == cr) & (b == lf)))
}

/// Written so that the compiler makes vector code of it.
fn count_crlf_bytes(block: &[u8]) -> u64 {
    if memchr::memchr(b'\r', block).is_none() {
        return 0;
    }
    let mut total = 0u64;
    for stretch in block.chunks(128) {
        let pairs = stretch.iter().zip(&stretch[1..]);
        let here: u8 = pairs.map(|(a, b)| u8::from(*a == b'\r') & u8::from(*b == b'\n')).sum();
        total += u64::from(here);
    }
    // Pairs that a block boundary cuts.
    let edges = (128..block.len()).step_by(128);
    total + edges.map(|at| u64::from(block[at - 1] == b'\r' && block[at] == b'\n')).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Units; 5] = [
        Units::BYTES,
        Units { width: 2, big_endian: false },
        Units { width: 2, big_endian: true },
        Units { width: 4, big_endian: false },
        Units { width: 4, big_endian: true },
    ];

    /// Random newlines and units with the newline's byte in every position, `size` bytes in all.
    fn sample(units: Units, size: usize, density: u32, seed: u32) -> Vec<u8> {
        let mut state = seed.wrapping_mul(747_796_405).wrapping_add(7);
        let mut bytes = Vec::new();
        while bytes.len() < size {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let random = state >> 8;
            let unit = if random.is_multiple_of(density) {
                [b'\n', b'\r'][usize::from(random.is_multiple_of(3))].into()
            } else {
                [0x0A0D, 0x0D0A, 0x0A00, 0x0A_0000, 0x61, 0x0A0A][(random % 6) as usize]
            };
            let le: [u8; 4] = u32::to_le_bytes(unit);
            let mut unit = le[..units.width].to_vec();
            if units.big_endian {
                unit.reverse();
            }
            bytes.extend(unit);
        }
        bytes.truncate(size);
        bytes
    }

    #[test]
    fn every_operation_agrees_with_looking_at_every_unit() {
        for units in ALL {
            for (seed, size) in
                [0, 1, 2, 3, 5, 64, 127, 4095, 4096, 4097, 4098, 20_001].into_iter().enumerate()
            {
                for density in [2, 9, 700] {
                    let seed = u32::try_from(seed).unwrap();
                    check(units, &sample(units, size, density, seed));
                }
            }
        }
    }

    fn check(units: Units, bytes: &[u8]) {
        let is = |unit: &[u8], c: u8| units.ends_with(unit, c) && unit.len() == units.width;
        let all: Vec<&[u8]> = bytes.chunks(units.width).collect();
        let newlines = all.iter().enumerate().filter(|(_, unit)| is(unit, b'\n'));
        let ends: Vec<usize> = newlines.map(|(index, _)| (index + 1) * units.width).collect();
        assert_eq!(units.count(bytes), ends.len() as u64);
        let crlf = all.windows(2).filter(|pair| is(pair[0], b'\r') && is(pair[1], b'\n')).count();
        assert_eq!(units.count_crlf(bytes), crlf as u64);
        assert_eq!(units.after_first(bytes), ends.first().copied());
        assert_eq!(units.after_last(bytes), ends.last().copied());
        for n in [1, 2, ends.len() / 2, ends.len(), ends.len() + 1] {
            if n > 0 {
                assert_eq!(units.after_nth(bytes, n as u64), ends.get(n - 1).copied());
                let back = ends.len().checked_sub(n).map(|index| ends[index]);
                assert_eq!(units.after_nth_back(bytes, n as u64), back);
            }
        }
        let mut lengths = Vec::new();
        let mut start = 0;
        for end in &ends {
            lengths.push(end - units.width - start);
            start = *end;
        }
        lengths.push(bytes.len() - start);
        let longest = lengths.iter().copied().max().unwrap() as u64;
        let first = lengths.iter().position(|length| *length as u64 == longest).unwrap() as u64;
        assert_eq!(units.longest(bytes, 0, 0), (longest > 0).then_some((longest, first)));
        assert_eq!(units.longest(bytes, 0, longest), None);
    }
}
