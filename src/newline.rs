//! Counts and finds newlines in memory. These are the innermost loops of the program.

mod units;

pub use units::Units;

use memchr::{memchr, memchr_iter, memrchr};

/// The most bytes whose newlines a byte-wide sum holds; a multiple of every vector width.
const STRETCH: usize = 192;

/// The number of `\n` in `bytes`.
///
/// From byte-wide sums, the compiler makes the fastest vector code on every target: about 40 GB/s in
/// the cache, whatever the length of the lines (memchr: 24).
pub fn count(bytes: &[u8]) -> u64 {
    let newlines = |stretch: &[u8]| stretch.iter().fold(0u8, |sum, byte| sum + u8::from(*byte == b'\n'));
    bytes.chunks(STRETCH).map(|stretch| u64::from(newlines(stretch))).sum()
}

/// The number of `\n` in `bytes`, and a fingerprint of the bytes.
///
/// The fingerprint sums 64-bit words within rows of 3 KiB and hashes the sums; it costs almost nothing beside
/// the counting. Inserted, deleted or overwritten bytes change it. It misses only words of one row that
/// swap places or cancel out; callers compare the number of newlines too.
pub(crate) fn tally(bytes: &[u8]) -> (u64, u64) {
    const ROW: usize = 16 * STRETCH;
    let (mut newlines, mut fingerprint) = (0, bytes.len() as u64);
    for row in bytes.chunks(ROW) {
        newlines += count(row);
        let (words, rest) = row.as_chunks::<8>();
        let sum = words.iter().fold(0u64, |sum, word| sum.wrapping_add(u64::from_le_bytes(*word)));
        let rest = rest.iter().fold(0u64, |sum, byte| (sum << 8) | u64::from(*byte));
        // 2^64 divided by the golden ratio, the multiplier of Fibonacci hashing.
        let mixed = fingerprint.rotate_left(23) ^ sum.wrapping_add(rest);
        fingerprint = mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    (newlines, fingerprint)
}

/// The index just past the `n`-th newline (from 1), if there are that many.
pub fn after_nth(bytes: &[u8], n: u64) -> Option<usize> {
    // Skip blocks by counting, which is much faster than visiting every newline.
    let (mut skipped, mut left) = (0, n);
    for stretch in bytes.chunks(4096) {
        let here = count(stretch);
        if here >= left {
            let index = usize::try_from(left).ok()?.checked_sub(1)?;
            return memchr_iter(b'\n', stretch).nth(index).map(|at| skipped + at + 1);
        }
        left -= here;
        skipped += stretch.len();
    }
    None
}

/// The index just past the `n`-th newline from the end (from 1), if there are that many.
pub fn after_nth_back(bytes: &[u8], n: u64) -> Option<usize> {
    let mut left = n;
    let mut end = bytes.len();
    while end > 0 {
        let start = end.saturating_sub(4096);
        let stretch = &bytes[start..end];
        let here = count(stretch);
        if here >= left {
            let mut cut = stretch.len();
            for _ in 0..left {
                cut = memrchr(b'\n', &stretch[..cut])?;
            }
            return Some(start + cut + 1);
        }
        left -= here;
        end = start;
    }
    None
}

/// The length of the longest line and the number of newlines before it; `None` if no line is longer than
/// `best`.
/// `carry` is the length of the line that began before `bytes`. Lengths do not include the newline.
///
/// The search jumps `best` bytes ahead and looks back from there, so it never visits most shorter lines.
pub fn longest(bytes: &[u8], carry: u64, best: u64) -> Option<(u64, u64)> {
    let mut found: Option<(u64, usize)> = None;
    let mut best = best;
    let first_end = memchr(b'\n', bytes).unwrap_or(bytes.len());
    let first = carry + first_end as u64;
    if first > best {
        best = first;
        found = Some((first, 0));
    }
    let mut start = first_end + 1;
    while start < bytes.len() {
        // A line that starts here wins only if it has no newline up to and including start + best.
        let reach = usize::try_from(best).unwrap_or(usize::MAX).saturating_add(start);
        let Some(window) = bytes.get(start..=reach) else { break };
        if let Some(at) = memrchr(b'\n', window) {
            start += at + 1;
            continue;
        }
        let end = memchr(b'\n', &bytes[reach..]).map_or(bytes.len(), |at| reach + at);
        best = (end - start) as u64;
        found = Some((best, start));
        start = end + 1;
    }
    found.map(|(length, at)| (length, count(&bytes[..at])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<Vec<u8>> {
        let mut all = vec![vec![], b"\n".to_vec(), b"a".to_vec(), vec![b'\n'; 20_000], vec![b'x'; 20_000]];
        let mut state = 7u32;
        for density in [2u32, 5, 80, 3000] {
            for size in [1usize, 31, 32, 33, 4095, 4096, 4097, 8160, 8161, 30_000] {
                let mut bytes = Vec::with_capacity(size);
                for _ in 0..size {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    bytes.push(if (state >> 8).is_multiple_of(density) { b'\n' } else { b'a' });
                }
                all.push(bytes);
            }
        }
        all
    }

    #[test]
    fn counting_and_finding_agree_with_looking_at_every_byte() {
        for bytes in samples() {
            let ends: Vec<usize> = (0..bytes.len()).filter(|&i| bytes[i] == b'\n').map(|i| i + 1).collect();
            assert_eq!(count(&bytes), ends.len() as u64);
            assert_eq!(tally(&bytes).0, ends.len() as u64);
            for n in [1, 2, 3, ends.len() / 2, ends.len(), ends.len() + 1] {
                if n == 0 {
                    continue;
                }
                assert_eq!(after_nth(&bytes, n as u64), ends.get(n - 1).copied());
                let back = ends.len().checked_sub(n).map(|i| ends[i]);
                assert_eq!(after_nth_back(&bytes, n as u64), back);
            }
        }
    }

    #[test]
    fn every_change_of_a_byte_changes_the_fingerprint() {
        let bytes: Vec<u8> = (0..7000u32).map(|i| (i * 31 % 251).to_le_bytes()[0]).collect();
        let before = tally(&bytes);
        for at in (0..bytes.len()).step_by(13) {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert_ne!(tally(&changed).1, before.1);
            changed.remove(at);
            assert_ne!(tally(&changed).1, before.1);
        }
    }

    #[test]
    fn the_longest_line_is_the_longest_one_also_across_blocks() {
        for bytes in samples() {
            for block in [1usize, 7, 100, 40_000] {
                let (mut best, mut line, mut carry, mut seen) = (0u64, 0u64, 0u64, 0u64);
                for piece in bytes.chunks(block) {
                    if let Some((length, before)) = longest(piece, carry, best) {
                        (best, line) = (length, seen + before);
                    }
                    seen += count(piece);
                    carry = match memrchr(b'\n', piece) {
                        Some(at) => (piece.len() - at - 1) as u64,
                        None => carry + piece.len() as u64,
                    };
                }
                let lines: Vec<&[u8]> = bytes.split(|b| *b == b'\n').collect();
                let longest = lines.iter().map(|l| l.len()).max().unwrap_or(0);
                assert_eq!(best, longest as u64);
                if longest > 0 {
                    assert_eq!(lines[usize::try_from(line).unwrap()].len(), longest);
                    let first = lines.iter().position(|l| l.len() == longest).unwrap();
                    assert_eq!(line, first as u64);
                }
            }
        }
    }
}
