//! Looks ahead in a line, 64 bytes at a time, for the bytes at which something may be masked.

/// Bytes of a block, one for each bit of a set.
const BLOCK: usize = 64;

/// Bytes after a block that decide about its last ones.
const AFTER: usize = 3;

/// The bytes of a line at which something may be masked, from the front to the end: a word without such a byte stays.
pub(super) struct Scan<'l> {
    line: &'l [u8],
    /// Where the block ends, and the bytes in it, the lowest bit for the first.
    block_end: usize,
    found: u64,
}

impl<'l> Scan<'l> {
    pub(super) fn new(line: &'l [u8]) -> Self {
        Scan { line, block_end: 0, found: 0 }
    }

    /// The first one at `at` or after it and before `end`; `at` is never less than it was before.
    #[inline]
    pub(super) fn next(&mut self, at: usize, end: usize) -> Option<usize> {
        if at >= end {
            return None;
        }
        // Many lines begin with a number.
        if self.line[at].is_ascii_digit() {
            return Some(at);
        }
        let mut at = at;
        while at < end {
            if at >= self.block_end {
                (self.block_end, self.found) = (at + BLOCK, found(&self.line[at..]));
            }
            let start = self.block_end - BLOCK;
            let from = at - start;
            let rest = self.found >> from << from;
            if rest != 0 {
                let place = start + rest.trailing_zeros() as usize;
                return Some(place).filter(|place| *place < end);
            }
            at = self.block_end;
        }
        None
    }
}

/// The bytes of the first block of `rest` at which something may be masked.
#[inline]
fn found(rest: &[u8]) -> u64 {
    match rest.first_chunk() {
        Some(block) => set(block),
        None => {
            let mut padded = [0; BLOCK + AFTER];
            padded[..rest.len()].copy_from_slice(rest);
            set(&padded)
        }
    }
}

/// Without branches, so that the compiler makes vectors of it.
fn set(block: &[u8; BLOCK + AFTER]) -> u64 {
    let mut hex = [0u8; BLOCK + AFTER];
    for (hex, byte) in hex.iter_mut().zip(block) {
        *hex = u8::from((byte | 0x20).wrapping_sub(b'a') < 6);
    }
    let mut flags = [0u8; BLOCK];
    for at in 0..BLOCK {
        let [here, next, _, fourth] = [block[at], block[at + 1], block[at + 2], block[at + 3]];
        let is_digit = here.is_ascii_digit();
        let is_mark = (here == b'"') | (here == b'\'') | (here == 0x1b);
        let is_blank = |byte: u8| (byte == b' ') | (byte == b'\t');
        let ends_hex = (next == b':') | (next == b'-');
        // Such as `Nov 23` and `Sun, 23`.
        let is_name =
            here.is_ascii_uppercase() & next.is_ascii_lowercase() & ((fourth == b' ') | (fourth == b','));
        let is_double = (is_blank(here) & is_blank(next)) | ((here == b':') & (next == b':'));
        // Before the end of a first part of an address, and in a long hexadecimal number without digits.
        let is_long = hex[at] & hex[at + 1] & hex[at + 2] & hex[at + 3];
        let is_hex = (hex[at] & u8::from(ends_hex)) | is_long;
        flags[at] = u8::from(is_digit | is_mark | is_double | is_name) | is_hex;
    }
    let (eights, _) = flags.as_chunks();
    eights.iter().rev().fold(0, |bits, eight| {
        // Moves the lowest bit of each byte into the highest byte.
        bits << 8 | u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56
    })
}
