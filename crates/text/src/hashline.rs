//! Hashlines: each line with a short hash, so that a later reader can detect that the line changed.
//!
//! `12#a1b2c3|text` is line 12, the low 24 bits of the xxHash32 (seed 0) of its bytes, and its text. The hash
//! covers the bytes of the file, with a byte order mark, without the final `\n` or `\r\n`. `12#ZR:text` is
//! the form of the oh-my-pi editor of early 2026: it ignores white space, and the tag is one byte.

use std::fmt;
use std::str::FromStr;

use xxhash_rust::xxh32::{Xxh32, xxh32};

use crate::error::{Error, Kind, Result};
use crate::newline::Units;

/// The digits of [`HashStyle::Omp`], from 0.
const LETTERS: &[u8; 16] = b"ZPMQVRWSNKTXJBYH";

/// The allowed numbers of digits of [`HashStyle::Xxh32`].
pub(crate) const TAG_WIDTHS: std::ops::RangeInclusive<u8> = 4..=8;
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
    if TAG_WIDTHS.contains(&width) {
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

/// The hash of a line, of which pieces have arrived.
#[derive(Clone)]
pub struct LineHasher {
    units: Units,
    state: Xxh32,
    /// The last bytes, whose role depends on the next ones: a carriage return, or the start of a character or a code unit.
    held: Vec<u8>,
    style: HashStyle,
    fresh: bool,
}

impl LineHasher {
    /// A hasher of lines whose newlines have these `units`.
    pub fn new(style: HashStyle, units: Units) -> Self {
        LineHasher { units, state: Xxh32::new(0), held: Vec::new(), style, fresh: true }
    }

    /// Adds a piece of the line, without its newline.
    pub fn update(&mut self, piece: &[u8]) {
        self.fresh &= piece.is_empty();
        match self.style {
            HashStyle::Xxh32 => self.bytes(piece),
            HashStyle::Omp => self.visible(piece),
        }
    }

    /// The hash of the line, which ends at a newline if `terminated`, else at the end of the file. Resets the hasher.
    pub fn finish(&mut self, terminated: bool) -> u32 {
        let is_return = self.style == HashStyle::Xxh32 && terminated;
        if !is_return || !self.units.ends_with(&self.held, b'\r') {
            self.state.update(&self.held);
        }
        let hash = self.state.digest();
        self.held.clear();
        self.state.reset(0);
        self.fresh = true;
        hash
    }

    /// The hash of the line that `rest` ends, without its newline but with its carriage return; a newline follows.
    /// Resets the hasher.
    pub fn whole(&mut self, rest: &[u8]) -> u32 {
        if self.fresh && self.style == HashStyle::Xxh32 {
            let end = if self.units.ends_with(rest, b'\r') { self.units.width } else { 0 };
            return xxh32(&rest[..rest.len() - end], 0);
        }
        self.update(rest);
        self.finish(true)
    }

    /// Hashes all bytes but a final carriage return.
    fn bytes(&mut self, piece: &[u8]) {
        let width = self.units.width;
        if piece.len() >= width {
            self.state.update(&self.held);
            // A piece may begin inside a unit. Hold back at most one unit.
            let keep = if width == 1 { usize::from(piece.ends_with(b"\r")) } else { width };
            let (now, later) = piece.split_at(piece.len() - keep);
            self.state.update(now);
            self.held.clear();
            self.held.extend_from_slice(later);
            return;
        }
        self.held.extend_from_slice(piece);
        let surplus = self.held.len().saturating_sub(width);
        self.state.update(&self.held[..surplus]);
        self.held.drain(..surplus);
    }

    /// Hashes all characters but white space; holds one that the end cuts.
    fn visible(&mut self, piece: &[u8]) {
        self.held.extend_from_slice(piece);
        let bytes = std::mem::take(&mut self.held);
        if self.units.width > 1 {
            let units = bytes.chunks_exact(self.units.width);
            self.held.extend_from_slice(units.remainder());
            let seen = units.filter(|unit| !self.units.code(unit).is_some_and(is_space));
            return seen.for_each(|unit| self.state.update(unit));
        }
        let mut at = 0;
        for chunk in bytes.utf8_chunks() {
            chunk.valid().split(is_space).for_each(|run| self.state.update(run.as_bytes()));
            at += chunk.valid().len() + chunk.invalid().len();
            let is_cut =
                || std::str::from_utf8(chunk.invalid()).is_err_and(|error| error.error_len().is_none());
            match at == bytes.len() && is_cut() {
                true => self.held.extend_from_slice(chunk.invalid()),
                false => self.state.update(chunk.invalid()),
            }
        }
    }
}

/// `\s` of a JavaScript regular expression (ECMA-262, WhiteSpace and LineTerminator).
fn is_space(c: char) -> bool {
    matches!(
        c,
        '\t'..='\r' | ' ' | '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{2028}' | '\u{2029}'
            | '\u{202F}' | '\u{205F}' | '\u{3000}' | '\u{FEFF}'
    )
}

#[cfg(test)]
mod anchor_tests {
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

#[cfg(test)]
mod hasher_tests {
    use super::*;
    use crate::hashline::HashlineForm;

    const WIDE: [bool; 2] = [false, true];

    fn tag_of(style: HashStyle, line: &[u8]) -> String {
        HashlineForm { style, ..HashlineForm::default() }
            .tag(LineHasher::new(style, Units::BYTES).whole(line))
            .to_string()
    }

    #[test]
    fn known_lines_have_their_known_tags() {
        let lines = [("", "ZR"), ("};", "TK"), ("  }", "PN"), ("    if (", "VK")];
        for (line, expected) in lines {
            assert_eq!(tag_of(HashStyle::Omp, line.as_bytes()), expected, "{line}");
        }
        // Test vectors of xxHash: the empty input, and others from the reference implementation.
        assert_eq!(xxh32(b"", 0), 0x02CC_5D05);
        assert_eq!(xxh32(b"abc", 0), 0x32D1_53FF);
        assert_eq!(tag_of(HashStyle::Xxh32, b""), "cc5d05");
        assert_eq!(tag_of(HashStyle::Xxh32, b"abc\r"), "d153ff");
    }

    /// The hash of the whole line, straight from the definition.
    fn naive(style: HashStyle, units: Units, line: &[u8], terminated: bool) -> u32 {
        let bytes = match style {
            HashStyle::Xxh32 if terminated && units.ends_with(line, b'\r') => {
                line[..line.len() - units.width].to_vec()
            }
            HashStyle::Xxh32 => line.to_vec(),
            HashStyle::Omp if units.width > 1 => {
                let chunks = line.chunks(units.width);
                chunks.filter(|unit| !units.code(unit).is_some_and(is_space)).flatten().copied().collect()
            }
            HashStyle::Omp => {
                let seen = |valid: &str| valid.chars().filter(|c| !is_space(*c)).collect::<String>();
                let chunk = |chunk: std::str::Utf8Chunk<'_>| {
                    [seen(chunk.valid()).as_bytes(), chunk.invalid()].concat()
                };
                line.utf8_chunks().flat_map(chunk).collect()
            }
        };
        xxh32(&bytes, 0)
    }

    #[test]
    fn a_line_in_pieces_has_the_hash_of_the_whole() {
        let alphabet =
            b"a|b| |\t|\r|\0|\xC2|\xA0|\xE2|\x80|\x8A|\xE3|\x80\x80|\xEF\xBB\xBF|\xE1\x9A\x80|\xE2\x80\xA8|\
            \xC3\xA9|\xF0|\x20\0|\0\x20|\r\0|\0\r|\x28\x20|\xFF\xFE";
        let alphabet: Vec<&[u8]> = alphabet.split(|byte| *byte == b'|').collect();
        let mut state = 5u64;
        let mut random = move |limit: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap() % limit
        };
        let wide = WIDE.map(|big| [Units::pairs(big), Units::quads(big)]);
        for units in wide.into_iter().flatten().chain([Units::BYTES]) {
            for case in 0..if cfg!(miri) { 20 } else { 4000 } {
                let mut line: Vec<u8> =
                    (0..random(24)).flat_map(|_| alphabet[random(alphabet.len())]).copied().collect();
                // A line that a newline ends consists of whole units.
                line.truncate(line.len() / units.width * units.width);
                for style in [HashStyle::Xxh32, HashStyle::Omp] {
                    let mut hasher = LineHasher::new(style, units);
                    for terminated in [true, false] {
                        let mut rest = &line[..];
                        while !rest.is_empty() {
                            let (piece, left) = rest.split_at(1 + random(rest.len().min(5)));
                            hasher.update(piece);
                            rest = left;
                        }
                        let expected = naive(style, units, &line, terminated);
                        assert_eq!(hasher.finish(terminated), expected, "{case} {units:?} {line:02x?}");
                        if terminated {
                            assert_eq!(hasher.whole(&line), expected, "{case} {units:?} {line:02x?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn exactly_the_white_space_of_javascript_is_ignored() {
        // Miri would take an hour for all characters.
        let [low, high] =
            if cfg!(miri) { [0..0x3100, 0xFE00..0xFF80] } else { [0..0xFE00, 0xFE00..0x11_0000] };
        let characters = || low.clone().chain(high.clone()).filter_map(char::from_u32);
        let spaces: Vec<u32> = characters().filter(|c| is_space(*c)).map(u32::from).collect();
        let expected = (9..=13).chain([0x20, 0xA0, 0x1680]).chain(0x2000..=0x200A);
        let expected = expected.chain([0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF]);
        assert_eq!(spaces, expected.collect::<Vec<_>>());
        for c in characters() {
            let with = tag_of(HashStyle::Omp, format!("a{c}b").as_bytes());
            let mut hasher = LineHasher::new(HashStyle::Omp, Units::BYTES);
            let plain = if is_space(c) { "ab".to_owned() } else { format!("a{c}b") };
            hasher.state.update(plain.as_bytes());
            let expected = HashlineForm { style: HashStyle::Omp, ..HashlineForm::default() }
                .tag(hasher.state.digest())
                .to_string();
            assert_eq!(with, expected, "{c:?}");
        }
    }
}
