//! Changed copies of seeds, the same ones in every run.

use rread_testkit::rng::Rng;

/// What is put where it is not expected.
const PIECES: [&[u8]; 24] = [
    b"\0",
    b"\xFF",
    b"\n",
    b"\r\n",
    b":",
    b"-",
    b",",
    b"+",
    b"#",
    b"|",
    b"\"",
    b"<",
    b"&",
    b"---\n",
    b"\xEF\xBB\xBF",
    b"\xFF\xFE",
    b"\xE2\x82",
    b"\xF0\x9F\x92\xA9",
    b"\x1B[31m",
    b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF",
    b"\0\0\0\0\0\0\0\x80",
    b"18446744073709551615",
    b"9223372036854775808",
    b"4294967296",
];

/// `seed` changed in up to four places, now and then with a piece of `other`.
#[must_use]
pub fn mutated(rng: &mut Rng, seed: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..1 + rng.below(4) {
        let at = rng.below(bytes.len() + 1);
        let to = (at + 1 + rng.below(16)).min(bytes.len());
        match rng.below(9) {
            0 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
            1 if at < bytes.len() => bytes[at] = rng.next().to_le_bytes()[0],
            2 if at < bytes.len() => bytes[at] = bytes[at].wrapping_add(rng.pick(&[1, 0xFF])),
            3 => drop(bytes.drain(at.min(to)..to)),
            4 => bytes.truncate(at),
            5 => {
                let copy = bytes[at.min(to)..to].to_vec();
                let into = rng.below(bytes.len() + 1);
                bytes.splice(into..into, copy);
            }
            6 => {
                let from = rng.below(other.len() + 1);
                let piece = &other[from..(from + 1 + rng.below(64)).min(other.len())];
                bytes.splice(at..at, piece.iter().copied());
            }
            7 => {
                let piece = rng.pick(&PIECES);
                let end = (at + piece.len()).min(bytes.len());
                bytes.splice(at..end, piece.iter().copied());
            }
            _ => drop(bytes.splice(at..at, rng.pick(&PIECES).iter().copied())),
        }
    }
    bytes
}

/// A generator for the mutations of the seed number `n` of the target called `name`.
#[must_use]
pub fn generator(name: &str, n: usize) -> Rng {
    Rng::new(name.bytes().fold(n as u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte))))
}

/// A number below `limit` from a generator.
pub fn below(rng: &mut Rng, limit: usize) -> usize {
    rng.below(limit)
}
