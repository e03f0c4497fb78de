//! Random and edge-size texts from a seed.

use crate::rng::Rng;

/// Blocks so small that every text has many; 7 divides nothing, 16 cuts every kind of character.
pub const BLOCKS: [usize; 3] = [7, 16, 64];

type Pieces = &'static [&'static [u8]];

/// The pieces of texts, by what they show.
const STYLES: [Pieces; 7] = [
    &[b"a", b"b", b"\n"],
    &[b"a", b"b", b"c", b"word ", b"longer words ", b"\n"],
    &[b"a", b"\r", b"\r\n", b"\n", b"\r\r\n"],
    &[b"a", "é".as_bytes(), "漢".as_bytes(), "𠀀".as_bytes(), "😀".as_bytes(), b"\n", b"\t"],
    // Stray continuation bytes, incomplete characters, surrogates, overlong forms, bytes that never occur.
    &[
        b"a",
        b"\n",
        b"\x80",
        b"\xFF",
        b"\xE2\x82",
        b"\xF0\x9F\x92",
        b"\xED\xA0\x80",
        b"\xC0\x80",
        "😀".as_bytes(),
        "é".as_bytes(),
        b"\r\n",
    ],
    &[b"\0", b"\x1b[31m", b"\x7f", "\u{9b}".as_bytes(), b"a", b"\r", b"\n", b"\r\n"],
    &[b"x", "é".as_bytes(), b"\xE2"],
];

/// A text of about `length` bytes, cut there even inside a character.
pub fn of_length(rng: &mut Rng, length: usize) -> Vec<u8> {
    let mut text = Vec::with_capacity(length + 8);
    if rng.one_in(6) {
        text.extend(b"\xEF\xBB\xBF");
    }
    match rng.below(12) {
        0 => text.resize(length, b'\n'),
        1 => text.resize(length, b'x'),
        // One giant line between short ones.
        2 => {
            text.extend(b"short\n");
            text.resize(length.saturating_sub(5), b'g');
            text.extend(b"\nend\n");
        }
        _ => {
            let pieces = rng.pick(&STYLES);
            while text.len() < length {
                text.extend(rng.pick(pieces));
            }
        }
    }
    text.truncate(length);
    if rng.one_in(3)
        && let Some(last) = text.last_mut()
    {
        *last = b'\n';
    }
    text
}

/// A text whose size is random or lies at the edge of a block.
pub fn any(rng: &mut Rng, block: usize) -> Vec<u8> {
    let length = match rng.below(4) {
        0 => rng.below(12),
        1 => rng.below(400),
        _ => (block * (1 + rng.below(12)) + rng.below(3)).saturating_sub(1),
    };
    of_length(rng, length)
}
