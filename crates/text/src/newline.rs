//! Counts and finds newlines of 1, 2 or 4 bytes. These are the innermost loops of the program.

use memchr::{memchr, memchr_iter, memrchr, memrchr_iter};

/// The most bytes whose newlines a byte-wide sum holds; a multiple of every vector width.
const BYTE_SUM: usize = 192;

/// Bytes counted at a time: no sum of wider units overflows, and a search ends within one block.
const COUNT_BLOCK: usize = 4096;

/// The compiler turns byte-wide sums into the fastest vector code: about 40 GB/s in the cache, whatever the length of
/// the lines (memchr: 24).
pub fn count(bytes: &[u8]) -> u64 {
    let newlines = |part: &[u8]| part.iter().fold(0u8, |sum, byte| sum + u8::from(*byte == b'\n'));
    bytes.chunks(BYTE_SUM).map(|part| u64::from(newlines(part))).sum()
}

/// All functions take bytes that begin with a whole unit; an incomplete unit at their end is not a newline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Units {
    /// 1, 2 or 4 bytes.
    pub width: usize,
    big_endian: bool,
}

impl Units {
    /// UTF-8 and every encoding that extends ASCII.
    pub const BYTES: Units = Units { width: 1, big_endian: false };

    /// The units of UTF-16.
    pub fn pairs(big_endian: bool) -> Self {
        Units { width: 2, big_endian }
    }

    /// The units of UTF-32.
    pub fn quads(big_endian: bool) -> Self {
        Units { width: 4, big_endian }
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

    /// The bytes of a newline.
    pub fn newline(self) -> Vec<u8> {
        let mut unit = vec![0; self.width];
        let place = if self.big_endian { self.width - 1 } else { 0 };
        unit[place] = b'\n';
        unit
    }

    /// The number of newlines in `bytes`.
    pub fn count(self, bytes: &[u8]) -> u64 {
        match self.width {
            1 => count(bytes),
            2 => bytes.chunks(COUNT_BLOCK).map(|block| u64::from(count_pairs(block, self.unit(b'\n')))).sum(),
            _ => bytes.chunks(COUNT_BLOCK).map(|block| u64::from(count_quads(block, self.unit(b'\n')))).sum(),
        }
    }

    /// The number of newlines, and a fingerprint of the bytes, which costs almost nothing beside the counting.
    /// The fingerprint sums 64-bit words within rows of 3 KiB and hashes the sums. It misses only words of one row that
    /// swap places or cancel out; callers compare the number of newlines too.
    pub fn fingerprint(self, bytes: &[u8]) -> (u64, u64) {
        const ROW: usize = 16 * BYTE_SUM;
        let (mut newlines, mut fingerprint) = (0, bytes.len() as u64);
        for row in bytes.chunks(ROW) {
            newlines += self.count(row);
            let (words, rest) = row.as_chunks::<8>();
            let sum = words.iter().fold(0u64, |sum, word| sum.wrapping_add(u64::from_le_bytes(*word)));
            let rest = rest.iter().fold(0u64, |sum, byte| (sum << 8) | u64::from(*byte));
            // 2^64 divided by the golden ratio, the multiplier of Fibonacci hashing.
            let mixed = fingerprint.rotate_left(23) ^ sum.wrapping_add(rest);
            fingerprint = mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        (newlines, fingerprint)
    }

    /// The number of newlines that follow a carriage return within `bytes`.
    pub fn count_crlf(self, bytes: &[u8]) -> u64 {
        // Most text has none.
        if memchr(b'\r', bytes).is_none() {
            return 0;
        }
        let follows = |end: &usize| self.ends_with(&bytes[..end - self.width], b'\r');
        self.ends(bytes).filter(follows).count() as u64
    }

    /// The index just past the `n`-th newline (from 1), if there are that many.
    pub fn after_nth(self, bytes: &[u8], n: u64) -> Option<usize> {
        // Skip blocks by counting, which is much faster than visiting every newline.
        let (mut skipped, mut left) = (0, n);
        for block in bytes.chunks(COUNT_BLOCK) {
            let here = self.count(block);
            if here >= left {
                let index = usize::try_from(left).ok()?.checked_sub(1)?;
                return self.ends(block).nth(index).map(|end| skipped + end);
            }
            left -= here;
            skipped += block.len();
        }
        None
    }

    /// The index just past the `n`-th newline from the end (from 1), if there are that many.
    pub fn after_nth_back(self, bytes: &[u8], n: u64) -> Option<usize> {
        let (mut end, mut left) = (bytes.len(), n);
        while end > 0 {
            // Blocks start at multiples of their size, so each begins with a whole unit.
            let start = (end - 1) / COUNT_BLOCK * COUNT_BLOCK;
            let block = &bytes[start..end];
            let here = self.count(block);
            if here >= left {
                let index = usize::try_from(left).ok()?.checked_sub(1)?;
                let mut ends = memrchr_iter(b'\n', block).filter_map(|at| self.end_of(block, at));
                return ends.nth(index).map(|end| start + end);
            }
            left -= here;
            end = start;
        }
        None
    }

    /// The index just past the first newline.
    pub fn after_first(self, bytes: &[u8]) -> Option<usize> {
        match self.width {
            1 => memchr(b'\n', bytes).map(|at| at + 1),
            _ => self.ends(bytes).next(),
        }
    }

    /// The index just past the last newline.
    pub fn after_last(self, bytes: &[u8]) -> Option<usize> {
        match self.width {
            1 => memrchr(b'\n', bytes).map(|at| at + 1),
            _ => memrchr_iter(b'\n', bytes).find_map(|at| self.end_of(bytes, at)),
        }
    }

    /// Whether a code unit is a carriage return.
    pub fn has_return(self, bytes: &[u8]) -> bool {
        let mut units = bytes.chunks_exact(self.width);
        match self.width {
            1 => memchr::memchr(b'\r', bytes).is_some(),
            _ => units.any(|unit| self.ends_with(unit, b'\r')),
        }
    }

    /// Whether `bytes` end with the unit of the ASCII character `c`.
    pub fn ends_with(self, bytes: &[u8], c: u8) -> bool {
        bytes.len().is_multiple_of(self.width)
            && match self.width {
                1 => bytes.ends_with(&[c]),
                2 => bytes.ends_with(&self.unit::<2>(c)),
                _ => bytes.ends_with(&self.unit::<4>(c)),
            }
    }

    /// The character of a single unit, if units are wider than a byte.
    pub fn code(self, unit: &[u8]) -> Option<char> {
        if self.width == 1 || unit.len() != self.width {
            return None;
        }
        let add = |sum, byte: &u8| sum << 8 | u32::from(*byte);
        let code = if self.big_endian { unit.iter().fold(0, add) } else { unit.iter().rev().fold(0, add) };
        char::from_u32(code)
    }

    /// The length in bytes of the longest line and the number of newlines before it; `None` if no line is longer than
    /// `best`. `carry` is the length of the line that began before `bytes`. Lengths do not include the newline.
    /// The search jumps `best` bytes ahead and looks back from there, so it never visits most shorter lines.
    pub fn longest(self, bytes: &[u8], carry: u64, best: u64) -> Option<(u64, u64)> {
        let length =
            |start: usize, end: Option<usize>| end.map_or(bytes.len(), |end| end - self.width) - start;
        let end = self.after_first(bytes);
        let first = carry + length(0, end) as u64;
        let mut found = (first > best).then_some((first, 0));
        let mut best = usize::try_from(first.max(best)).unwrap_or(usize::MAX);
        let mut start = end.unwrap_or(bytes.len());
        while bytes.len() - start > best {
            // A line that starts here wins only if no newline begins up to and including start + best.
            let window = &bytes[start..bytes.len().min(start + best + self.width)];
            if let Some(end) = self.after_last(window) {
                start += end;
                continue;
            }
            let from = (start + best) / self.width * self.width;
            let end = self.after_first(&bytes[from..]).map(|end| from + end);
            best = length(start, end);
            found = Some((best as u64, start));
            start = end.unwrap_or(bytes.len());
        }
        found.map(|(length, at)| (length, self.count(&bytes[..at])))
    }

    fn ends(self, bytes: &[u8]) -> impl Iterator<Item = usize> {
        memchr_iter(b'\n', bytes).filter_map(move |at| self.end_of(bytes, at))
    }

    /// The end of the newline whose byte `\n` is at `at`, if that byte belongs to a newline.
    fn end_of(self, bytes: &[u8], at: usize) -> Option<usize> {
        if self.width == 1 {
            return Some(at + 1);
        }
        let start = at - at % self.width;
        let unit = bytes.get(start..start + self.width)?;
        self.ends_with(unit, b'\n').then_some(start + self.width)
    }

    /// The ASCII character `c`; `W` is the width.
    fn unit<const W: usize>(self, c: u8) -> [u8; W] {
        let mut unit = [0; W];
        unit[if self.big_endian { W - 1 } else { 0 }] = c;
        unit
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
        let sizes = [0, 1, 2, 3, 5, 31, 32, 33, 64, 127, 4095, 4096, 4097, 4098, 8160, 8161, 20_001, 30_000];
        let (sizes, long) = if cfg!(miri) { (&sizes[..10], 300) } else { (&sizes[..], 20_000) };
        for units in ALL {
            for (size, seed) in sizes.iter().copied().zip(0..) {
                for density in [2, 9, 80, 700, 3000] {
                    check(units, &sample(units, size, density, seed));
                }
            }
            let newline = &units.unit::<4>(b'\n')[..];
            let newline =
                if units.big_endian { &newline[4 - units.width..] } else { &newline[..units.width] };
            check(units, newline);
            check(units, &newline.repeat(long));
            check(units, &vec![b'x'; long]);
        }
        // Lines of text, without newline bytes inside other units.
        for density in [2, 5, 80, 3000] {
            let mut bytes = sample(Units::BYTES, long + long / 2, density, 1);
            bytes.iter_mut().zip(0u32..).for_each(|(byte, n)| {
                *byte = if (n * 31 + u32::from(*byte)).is_multiple_of(density) { b'\n' } else { b'a' };
            });
            check(Units::BYTES, &bytes);
        }
    }

    fn check(units: Units, bytes: &[u8]) {
        let is = |unit: &[u8], c: u8| units.ends_with(unit, c) && unit.len() == units.width;
        let all: Vec<&[u8]> = bytes.chunks(units.width).collect();
        let newlines = all.iter().enumerate().filter(|(_, unit)| is(unit, b'\n'));
        let ends: Vec<usize> = newlines.map(|(index, _)| (index + 1) * units.width).collect();
        assert_eq!(units.count(bytes), ends.len() as u64);
        assert_eq!(units.fingerprint(bytes).0, ends.len() as u64);
        let crlf = all.windows(2).filter(|pair| is(pair[0], b'\r') && is(pair[1], b'\n')).count();
        assert_eq!(units.count_crlf(bytes), crlf as u64);
        assert_eq!(units.after_first(bytes), ends.first().copied());
        assert_eq!(units.after_last(bytes), ends.last().copied());
        for n in [1, 2, 3, ends.len() / 2, ends.len(), ends.len() + 1] {
            if n > 0 {
                assert_eq!(units.after_nth(bytes, n as u64), ends.get(n - 1).copied());
                let back = ends.len().checked_sub(n).map(|index| ends[index]);
                assert_eq!(units.after_nth_back(bytes, n as u64), back);
            }
        }
        check_longest(units, bytes, &ends);
    }

    fn check_longest(units: Units, bytes: &[u8], ends: &[usize]) {
        let starts = [0].into_iter().chain(ends.iter().copied());
        let stops = ends.iter().map(|end| end - units.width).chain([bytes.len()]);
        let lengths: Vec<usize> = starts.zip(stops).map(|(start, stop)| stop - start).collect();
        let longest = lengths.iter().copied().max().unwrap() as u64;
        let first = lengths.iter().position(|length| *length as u64 == longest).unwrap() as u64;
        assert_eq!(units.longest(bytes, 0, 0), (longest > 0).then_some((longest, first)));
        assert_eq!(units.longest(bytes, 0, longest), None);
        for block in [1, 7, 100, 40_000] {
            let (mut best, mut line, mut carry, mut seen) = (0, 0, 0, 0);
            for piece in bytes.chunks(block * units.width) {
                if let Some((length, before)) = units.longest(piece, carry, best) {
                    (best, line) = (length, seen + before);
                }
                seen += units.count(piece);
                let last = units.after_last(piece);
                carry = last.map_or(carry + piece.len() as u64, |end| (piece.len() - end) as u64);
            }
            assert_eq!((best, line), (longest, first));
        }
    }

    #[test]
    fn every_change_of_a_byte_changes_the_fingerprint() {
        let bytes: Vec<u8> = (0..7000u32).map(|i| (i * 31 % 251).to_le_bytes()[0]).collect();
        let before = Units::BYTES.fingerprint(&bytes);
        for at in (0..bytes.len()).step_by(if cfg!(miri) { 1300 } else { 13 }) {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert_ne!(Units::BYTES.fingerprint(&changed).1, before.1);
            changed.remove(at);
            assert_ne!(Units::BYTES.fingerprint(&changed).1, before.1);
        }
    }
}
