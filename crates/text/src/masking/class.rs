//! Classes of the bytes of a line.

/// Bits of the classes.
pub(super) const WORD: u8 = 1;
pub(super) const DIGIT: u8 = 2;
/// A letter from a to f.
pub(super) const HEX: u8 = 4;
/// Any other letter, `_`, or a byte of a character that is not ASCII.
pub(super) const LETTER: u8 = 8;
pub(super) const BLANK: u8 = 16;
/// A quote, or the beginning of a terminal sequence.
pub(super) const MARK: u8 = 32;

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0u8;
    loop {
        classes[byte as usize] = match byte {
            b'0'..=b'9' => WORD | DIGIT,
            b'a'..=b'f' | b'A'..=b'F' => WORD | HEX,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => WORD | LETTER,
            b' ' | b'\t' => BLANK,
            b'"' | b'\'' | 0x1b => MARK,
            _ => 0,
        };
        if byte == u8::MAX {
            break classes;
        }
        byte += 1;
    }
};

pub(super) fn class(byte: u8) -> u8 {
    CLASSES[usize::from(byte)]
}

pub(super) fn is_word(byte: u8) -> bool {
    class(byte) & WORD != 0
}
