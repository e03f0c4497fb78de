//! Anchors, tags and the notation of hashlines.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Kind, Result};

/// The digits of [`HashStyle::Omp`], from 0.
const LETTERS: &[u8; 16] = b"ZPMQVRWSNKTXJBYH";

/// The allowed numbers of digits of [`HashStyle::Xxh32`].
pub(crate) const WIDTHS: std::ops::RangeInclusive<u8> = 4..=8;
/// The number of digits of an [`HashStyle::Xxh32`] tag unless the user chose another one.
pub const WIDTH: u8 = 6;

/// The hash and its notation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HashStyle {
    /// N#hhhhhh|text: digits of the xxHash32 of the bytes of the line
    #[default]
    Xxh32,
    /// N#XX:text: two letters that ignore white space, as in the oh-my-pi editor
    Omp,
}

/// A style with its number of digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HashlineForm {
    /// The hash and its notation.
    pub style: HashStyle,
    /// The number of digits, 4 to 8; [`HashStyle::Omp`] ignores it.
    pub width: u8,
}

impl Default for HashlineForm {
    fn default() -> Self {
        HashlineForm { style: HashStyle::default(), width: WIDTH }
    }
}

impl HashlineForm {
    /// The tag of a line whose hash is `hash`.
    pub fn tag(self, hash: u32) -> Tag {
        match self.style {
            HashStyle::Xxh32 => {
                let mask = u32::MAX >> (32 - 4 * u32::from(self.width.clamp(1, 8)));
                Tag::Digits { value: hash & mask, width: self.width }
            }
            HashStyle::Omp => Tag::Letters(hash.to_le_bytes()[0]),
        }
    }

    /// The byte between the tag and the text of the line.
    pub fn separator(self) -> u8 {
        match self.style {
            HashStyle::Xxh32 => b'|',
            HashStyle::Omp => b':',
        }
    }
}

/// The short hash of a line, as a hashline shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tag {
    /// The low bits of the hash, as hexadecimal digits.
    Digits {
        /// The bits.
        value: u32,
        /// The number of digits.
        width: u8,
    },
    /// One byte of the hash, written as two letters.
    Letters(u8),
}

impl Tag {
    /// The style and the number of digits in which the tag was written.
    pub fn form(self) -> HashlineForm {
        match self {
            Tag::Digits { width, .. } => HashlineForm { style: HashStyle::Xxh32, width },
            Tag::Letters(_) => HashlineForm { style: HashStyle::Omp, ..HashlineForm::default() },
        }
    }

    /// Appends the tag as it is written to `text`.
    pub fn append_to(self, text: &mut Vec<u8>) {
        match self {
            Tag::Digits { value, width } => {
                let nibbles = (0..width).rev().map(|at| (value >> (4 * u32::from(at))) & 0xF);
                text.extend(nibbles.map(|nibble| b"0123456789abcdef"[nibble as usize]));
            }
            Tag::Letters(byte) => {
                text.extend([byte >> 4, byte & 0xF].map(|nibble| LETTERS[usize::from(nibble)]));
            }
        }
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Vec::with_capacity(8);
        self.append_to(&mut text);
        f.write_str(&String::from_utf8_lossy(&text))
    }
}

/// A line number and the tag of the line's text, such as `12#a1b2c3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Anchor {
    /// The number of the line, from 1.
    pub line: u64,
    /// The tag that the line had.
    pub tag: Tag,
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.line, self.tag)
    }
}

impl FromStr for Anchor {
    type Err = Error;

    /// Parses an anchor, or a whole hashline. The length of the tag determines its style.
    fn from_str(text: &str) -> Result<Self> {
        let shown = || text.trim_end().chars().take(60).collect::<String>();
        let wrong = || Error::usage(format!("'{}' is not an anchor; anchors look like 12#a1b2c3", shown()));
        let (number, rest) = text.trim_start().split_once('#').ok_or_else(wrong)?;
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(wrong());
        }
        let line = number.parse().map_err(|_| {
            Error::new(Kind::Usage, format!("'{}': the line number does not fit in 64 bits", shown()))
        })?;
        if line == 0 {
            return Err(Error::usage(format!("'{}': lines are numbered from 1", shown())));
        }
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let tag = tag(&rest[..end]).ok_or_else(wrong)?;
        // The text of the line may follow.
        let is_whole = rest[end..].starts_with(['|', ':']) || rest[end..].trim().is_empty();
        if is_whole { Ok(Anchor { line, tag }) } else { Err(wrong()) }
    }
}

fn tag(word: &str) -> Option<Tag> {
    let width = u8::try_from(word.len()).ok()?;
    if WIDTHS.contains(&width) {
        let value = u32::from_str_radix(word, 16).ok()?;
        return Some(Tag::Digits { value, width });
    }
    let nibble = |letter: &u8| {
        LETTERS.iter().zip(0u8..).find_map(|(known, nibble)| (known == letter).then_some(nibble))
    };
    match word.as_bytes() {
        [high, low] => Some(Tag::Letters(nibble(high)? << 4 | nibble(low)?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_read_with_and_without_their_text() {
        for (text, shown) in [
            ("12#a1b2c3", "12#a1b2c3"),
            ("12#a1b2", "12#a1b2"),
            ("12#a1b2c3d4", "12#a1b2c3d4"),
            ("40#ZR", "40#ZR"),
            ("  12#A1B2C3", "12#a1b2c3"),
            ("12#a1b2c3|text", "12#a1b2c3"),
            ("12#a1b2c3|", "12#a1b2c3"),
            ("12#ZR:text | more: of it", "12#ZR"),
            ("\t7#HP:", "7#HP"),
            ("7#HP \r", "7#HP"),
            ("18446744073709551615#0000", "18446744073709551615#0000"),
        ] {
            assert_eq!(text.parse::<Anchor>().unwrap().to_string(), shown, "{text}");
        }
        let wrong = ",12,#a1b2c3,12#,12#a1b,12#a1b2c3d4e,12#zz,12#AA,12#ZRZ,12#g1b2c3,12#a1b2c3 text,0#a1b2c3,\
            -1#a1b2c3,+1#a1b2c3,1 2#a1b2c3,12#a1b2c3é,18446744073709551616#a1b2c3,12|a1b2c3,12#+1b2c3";
        for text in wrong.split(',') {
            let error = text.parse::<Anchor>().unwrap_err();
            assert_eq!(error.kind, Kind::Usage, "{text}");
        }
    }
}
