//! Classes of bytes, and numbers, hexadecimal numbers, UUIDs and addresses.

use std::net::{Ipv4Addr, Ipv6Addr};

/// A word of hexadecimal digits with a digit is a number from this length on.
const MIN_NUMBER: usize = 4;

/// One without a digit, from this length on: shorter ones can be words, such as `added`.
const MIN_LETTERS: usize = 7;

/// From this length on it is not shown as a number: one has a letter, but for one in two thousand.
const MIN_HEX: usize = 16;

/// The mask of a whole word that has a digit. `is_hex` says that it has digits and letters from a to f alone.
pub(super) fn whole_word(word: &[u8], is_hex: bool) -> Option<&'static [u8]> {
    if let [b'0', b'x' | b'X', digits @ ..] = word
        && !digits.is_empty()
        && digits.iter().all(u8::is_ascii_hexdigit)
    {
        return Some(b"<hex>");
    }
    if is_hex {
        let letters = word.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
        // `512B` is a number with a unit.
        let is_unit = letters == 1 && word.last().is_some_and(u8::is_ascii_uppercase);
        let is_number = word.len() >= MIN_NUMBER && letters > 0 && !is_unit;
        return is_number.then_some(if word.len() >= MIN_HEX { b"<hex>" } else { b"<n>" });
    }
    let changes = word.windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count();
    let is_duration = word.iter().all(|byte| byte.is_ascii_digit() || b"dhms".contains(byte));
    (changes >= 4 && !is_duration && !word.contains(&b'_')).then_some(b"<id>")
}

/// The mask of a word of letters from a to f alone.
pub(super) fn hex_letters(word: &[u8]) -> Option<&'static [u8]> {
    (word.len() >= MIN_LETTERS).then_some(if word.len() >= MIN_HEX { b"<hex>" } else { b"<n>" })
}

/// The length of the number at the start of `text`: its fraction, and the parts of a version, belong to it.
pub(super) fn number(text: &[u8]) -> usize {
    let digits =
        |from: usize| text[from.min(text.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = digits(0);
    while text.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        let after = end + 1 + sign + exponent;
        if exponent > 0 && text.get(after).is_none_or(|byte| !is_word(*byte)) {
            return after;
        }
    }
    end
}

/// The length and the mask of the UUID or the address at the start of `text`.
pub(super) fn address(text: &[u8]) -> Option<(usize, &'static [u8])> {
    let word = text.iter().take(9).take_while(|byte| byte.is_ascii_hexdigit()).count();
    match (word, text.get(word)?) {
        (8, b'-') => uuid(text).map(|length| (length, &b"<uuid>"[..])),
        (1..=3, b'.') => ipv4(text).map(|length| (length, &b"<ip>"[..])),
        (2, b':' | b'-') if mac(text).is_some() => mac(text).map(|length| (length, &b"<mac>"[..])),
        (1..=4, b':') => ipv6(text).map(|length| (length, &b"<ip>"[..])),
        _ => None,
    }
}

fn uuid(text: &[u8]) -> Option<usize> {
    const LENGTH: usize = 36;
    let is_right = |(at, byte): (usize, &u8)| match at {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    let is_uuid = text.len() >= LENGTH && text[..LENGTH].iter().enumerate().all(is_right);
    (is_uuid && text.get(LENGTH).is_none_or(|byte| !is_word(*byte))).then_some(LENGTH)
}

fn ipv4(text: &[u8]) -> Option<usize> {
    let length = text.iter().take(16).take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    // A stop ends a sentence; five numbers are a version.
    let address = text[..length].strip_suffix(b".").unwrap_or(&text[..length]);
    std::str::from_utf8(address).ok()?.parse::<Ipv4Addr>().ok()?;
    text.get(address.len()).is_none_or(|byte| !is_word(*byte)).then_some(address.len())
}

/// Six pairs of hexadecimal digits.
fn mac(text: &[u8]) -> Option<usize> {
    const LENGTH: usize = 17;
    let separator = *text.get(2)?;
    let is_right = |(at, byte): (usize, &u8)| match at % 3 {
        2 => *byte == separator,
        _ => byte.is_ascii_hexdigit(),
    };
    let is_mac = text.len() >= LENGTH && text[..LENGTH].iter().enumerate().all(is_right);
    let is_end = text.get(LENGTH).is_none_or(|byte| !is_word(*byte) && *byte != separator);
    (is_mac && is_end).then_some(LENGTH)
}

/// Up to eight groups with `::` for those that are 0, or eight groups; the name of an interface may follow.
pub(super) fn ipv6(text: &[u8]) -> Option<usize> {
    let is_part = |byte: &&u8| byte.is_ascii_hexdigit() || **byte == b':' || **byte == b'.';
    let mut length = text.iter().take(46).take_while(is_part).count();
    // A stop ends a sentence, and a colon what follows it.
    while length > 0
        && (text[length - 1] == b'.' || (text[length - 1] == b':' && !text[..length].ends_with(b"::")))
    {
        length -= 1;
    }
    let address = std::str::from_utf8(&text[..length]).ok().filter(|address| address.len() > 2)?;
    if address.parse::<Ipv6Addr>().is_err() || text.get(length).is_some_and(|byte| is_word(*byte)) {
        return None;
    }
    let interface = match text.get(length) {
        Some(b'%') => 1 + text[length + 1..].iter().take_while(|byte| is_word(**byte)).count(),
        _ => 0,
    };
    Some(length + interface)
}

/// Bits of the classes of bytes.
pub(super) const WORD: u8 = 1;
pub(super) const DIGIT: u8 = 2;
/// A letter from a to f.
pub(super) const HEX: u8 = 4;
/// Any other letter, `_`, or a byte of a character that is not ASCII.
pub(super) const LETTER: u8 = 8;
pub(super) const BLANK: u8 = 16;
/// A quote, or the beginning of a terminal sequence.
pub(super) const MARK: u8 = 32;

/// A table of them is a third faster than comparisons.
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
