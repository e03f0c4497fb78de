//! Hashlines: a short hash of every line, by which a reader can tell later whether the line is still what it was.
//!
//! `12#a1b2c3|text` is line 12, the low 24 bits of the xxHash32 (seed 0) of its bytes, and its text. The hash is over
//! the bytes as they are in the file, a byte order mark included, without the `\n` or `\r\n` that ends them.
//! `12#ZR:text` is the form of the oh-my-pi editor of early 2026: white space does not count, and the tag is a byte.

use std::fmt;
use std::str::FromStr;

use xxhash_rust::xxh32::{Xxh32, xxh32};

use crate::error::{Error, Kind, Result};
use crate::newline::Units;

/// The digits of [`Style::Omp`], from 0 on.
const LETTERS: &[u8; 16] = b"ZPMQVRWSNKTXJBYH";

/// Fewest and most digits of [`Style::Xxh32`], and how many there are unless something else is asked for.
pub const WIDTHS: std::ops::RangeInclusive<u8> = 4..=8;
/// Digits where none were asked for.
pub const WIDTH: u8 = 6;

/// How lines are hashed and the hash is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Style {
    /// N#hhhhhh|text: digits of the xxHash32 of the line's bytes
    #[default]
    Xxh32,
    /// N#XX:text: two letters that white space does not change, as the oh-my-pi editor printed them
    Omp,
}

/// What hashlines look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// How the hash is made.
    pub style: Style,
    /// Its digits, 4 to 8; of no meaning for [`Style::Omp`].
    pub width: u8,
}

impl Default for Form {
    fn default() -> Self {
        Form { style: Style::default(), width: WIDTH }
    }
}

impl Form {
    /// The tag of a line of this hash.
    #[must_use]
    pub fn tag(self, hash: u32) -> Tag {
        match self.style {
            Style::Xxh32 => Tag::Digits { value: hash & mask(self.width), width: self.width },
            Style::Omp => Tag::Letters(low_byte(hash)),
        }
    }

    /// What stands between the tag and the text.
    #[must_use]
    pub fn separator(self) -> char {
        match self.style {
            Style::Xxh32 => '|',
            Style::Omp => ':',
        }
    }
}

/// The part of an anchor that stands for the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tag {
    /// Hexadecimal digits.
    Digits {
        /// The low bits of the hash, as many as the digits hold.
        value: u32,
        /// How many digits there are, 4 to 8.
        width: u8,
    },
    /// Two letters that stand for a byte.
    Letters(u8),
}

impl Tag {
    /// The form of lines with such tags.
    #[must_use]
    pub fn form(self) -> Form {
        match self {
            Tag::Digits { width, .. } => Form { style: Style::Xxh32, width },
            Tag::Letters(_) => Form { style: Style::Omp, ..Form::default() },
        }
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Tag::Digits { value, width } => write!(f, "{value:0width$x}", width = usize::from(width)),
            Tag::Letters(byte) => {
                let letter = |nibble: u8| char::from(LETTERS[usize::from(nibble)]);
                write!(f, "{}{}", letter(byte >> 4), letter(byte & 0xF))
            }
        }
    }
}

/// A line and what it was, such as `12#a1b2c3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Anchor {
    /// The number of the line, from 1.
    pub line: u64,
    /// What its text came to.
    pub tag: Tag,
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.line, self.tag)
    }
}

impl FromStr for Anchor {
    type Err = Error;

    /// Reads an anchor, or a hashline with its text. What kind it is, is told by the tag.
    ///
    /// # Errors
    /// `usage` with the form that was expected.
    fn from_str(text: &str) -> Result<Self> {
        let shown = || text.trim_end().chars().take(60).collect::<String>();
        let wrong = || {
            Error::usage(format!("'{}' is no anchor", shown())).hint("write 12#a1b2c3, as --hash prints it")
        };
        let (number, rest) = text.trim_start().split_once('#').ok_or_else(wrong)?;
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(wrong());
        }
        let line = number.parse().map_err(|_| {
            Error::new(Kind::Usage, format!("'{}': there is no line of so large a number", shown()))
        })?;
        if line == 0 {
            return Err(Error::usage(format!("'{}': lines are numbered from 1", shown())));
        }
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let tag = tag(&rest[..end]).ok_or_else(wrong)?;
        // Behind it stands the text of the line, or nothing.
        let is_whole = rest[end..].starts_with(['|', ':']) || rest[end..].trim().is_empty();
        if is_whole { Ok(Anchor { line, tag }) } else { Err(wrong()) }
    }
}

/// The tag that `word` is, if it is one.
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

/// The bits that `width` digits hold.
fn mask(width: u8) -> u32 {
    u32::MAX >> (32 - 4 * u32::from(width.clamp(1, 8)))
}

fn low_byte(hash: u32) -> u8 {
    hash.to_le_bytes()[0]
}

/// Hashes a line that comes in pieces, in constant memory.
#[derive(Clone)]
pub struct LineHasher {
    units: Units,
    state: Xxh32,
    /// The last bytes, which count or do not, depending on what follows: a carriage return, or the beginning of
    /// what may be white space, or of a code unit.
    held: Vec<u8>,
    style: Style,
    fresh: bool,
}

impl LineHasher {
    /// A hasher at the start of a line in a text of these code units.
    #[must_use]
    pub fn new(style: Style, units: Units) -> Self {
        LineHasher { units, state: Xxh32::new(0), held: Vec::new(), style, fresh: true }
    }

    /// Takes a piece of the line, without the newline that ends it.
    pub fn update(&mut self, piece: &[u8]) {
        self.fresh &= piece.is_empty();
        match self.style {
            Style::Xxh32 => self.bytes(piece),
            Style::Omp => self.visible(piece),
        }
    }

    /// The hash of the line, which a newline ends or the end of the file; this is then at the start of another.
    pub fn finish(&mut self, terminated: bool) -> u32 {
        let is_return = self.style == Style::Xxh32 && terminated;
        if !is_return || !self.units.ends_with(&self.held, b'\r') {
            self.state.update(&self.held);
        }
        let hash = self.state.digest();
        self.held.clear();
        self.state.reset(0);
        self.fresh = true;
        hash
    }

    /// The rest of a line that a newline ends, all at once.
    pub fn whole(&mut self, rest: &[u8]) -> u32 {
        if self.fresh && self.style == Style::Xxh32 {
            let end = if self.units.ends_with(rest, b'\r') { self.units.width() } else { 0 };
            return xxh32(&rest[..rest.len() - end], 0);
        }
        self.update(rest);
        self.finish(true)
    }

    /// Everything counts, but for a carriage return at the end.
    fn bytes(&mut self, piece: &[u8]) {
        let width = self.units.width();
        if piece.len() >= width {
            self.state.update(&self.held);
            // A piece begins anywhere in a unit, and so does what is held back: as much as a unit at most.
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

    /// White space does not count.
    fn visible(&mut self, piece: &[u8]) {
        let mut rest = piece;
        while let Some((byte, left)) = rest.split_first() {
            if self.held.is_empty() && self.units.width() == 1 {
                // Most bytes are neither white space nor the beginning of some.
                let clean = rest.iter().position(|byte| may_begin_space(*byte)).unwrap_or(rest.len());
                self.state.update(&rest[..clean]);
                if clean > 0 {
                    rest = &rest[clean..];
                    continue;
                }
            }
            self.held.push(*byte);
            self.settle();
            rest = left;
        }
    }

    /// Decides about what is held, as far as that can be done.
    fn settle(&mut self) {
        if self.units.width() > 1 {
            if self.held.len() == self.units.width() {
                if !self.units.code(&self.held).is_some_and(is_space) {
                    self.state.update(&self.held);
                }
                self.held.clear();
            }
            return;
        }
        match utf8_space(&self.held) {
            Some(true) => self.held.clear(),
            Some(false) => {}
            // Not the last byte but those before it turned out to be no white space.
            None => {
                let last = self.held.pop();
                self.state.update(&self.held);
                self.held.clear();
                match last {
                    Some(byte) if may_begin_space(byte) => {
                        self.held.push(byte);
                        if utf8_space(&self.held) == Some(true) {
                            self.held.clear();
                        }
                    }
                    Some(byte) => self.state.update(&[byte]),
                    None => {}
                }
            }
        }
    }
}

/// What a regular expression of JavaScript calls `\s` (ECMA-262, WhiteSpace and LineTerminator).
fn is_space(c: char) -> bool {
    matches!(
        c,
        '\t'..='\r' | ' ' | '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{2028}' | '\u{2029}'
            | '\u{202F}' | '\u{205F}' | '\u{3000}' | '\u{FEFF}'
    )
}

fn may_begin_space(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ' | 0xC2 | 0xE1 | 0xE2 | 0xE3 | 0xEF)
}

/// Whether `bytes` are white space in UTF-8: yes, not yet, or no.
fn utf8_space(bytes: &[u8]) -> Option<bool> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.chars().all(is_space).then_some(true);
    }
    match bytes {
        [0xC2 | 0xE1 | 0xE2 | 0xE3 | 0xEF]
        | [0xE1, 0x9A]
        | [0xE2, 0x80 | 0x81]
        | [0xE3, 0x80]
        | [0xEF, 0xBB] => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: [bool; 2] = [false, true];

    fn tag_of(style: Style, line: &[u8]) -> String {
        Form { style, ..Form::default() }.tag(LineHasher::new(style, Units::BYTES).whole(line)).to_string()
    }

    #[test]
    fn known_lines_have_the_tags_that_they_have_elsewhere() {
        let lines = [("", "ZR"), ("};", "TK"), ("  }", "PN"), ("    if (", "VK")];
        for (line, expected) in lines {
            assert_eq!(tag_of(Style::Omp, line.as_bytes()), expected, "{line}");
        }
        // Test vectors of xxHash: the empty input, and others by the reference implementation.
        assert_eq!(xxh32(b"", 0), 0x02CC_5D05);
        assert_eq!(xxh32(b"abc", 0), 0x32D1_53FF);
        assert_eq!(tag_of(Style::Xxh32, b""), "cc5d05");
        assert_eq!(tag_of(Style::Xxh32, b"abc\r"), "d153ff");
    }

    /// Everything at once, by the words of the definition.
    fn naive(style: Style, units: Units, line: &[u8], terminated: bool) -> u32 {
        let bytes = match style {
            Style::Xxh32 if terminated && units.ends_with(line, b'\r') => {
                line[..line.len() - units.width()].to_vec()
            }
            Style::Xxh32 => line.to_vec(),
            Style::Omp if units.width() > 1 => {
                let chunks = line.chunks(units.width());
                chunks.filter(|unit| !units.code(unit).is_some_and(is_space)).flatten().copied().collect()
            }
            Style::Omp => {
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
        let alphabet: [&[u8]; 24] = [
            b"a",
            b"b",
            b" ",
            b"\t",
            b"\r",
            b"\0",
            b"\xC2",
            b"\xA0",
            b"\xE2",
            b"\x80",
            b"\x8A",
            b"\xE3",
            b"\x80\x80",
            b"\xEF\xBB\xBF",
            b"\xE1\x9A\x80",
            b"\xE2\x80\xA8",
            b"\xC3\xA9",
            b"\xF0",
            b"\x20\0",
            b"\0\x20",
            b"\r\0",
            b"\0\r",
            b"\x28\x20",
            b"\xFF\xFE",
        ];
        let mut state = 5u64;
        let mut random = move |limit: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap() % limit
        };
        let wide = WIDE.map(|big| [Units::pairs(big), Units::quads(big)]);
        for units in wide.into_iter().flatten().chain([Units::BYTES]) {
            for case in 0..4000 {
                let mut line: Vec<u8> =
                    (0..random(24)).flat_map(|_| alphabet[random(alphabet.len())]).copied().collect();
                // What a newline ends is made of whole units.
                line.truncate(line.len() / units.width() * units.width());
                for style in [Style::Xxh32, Style::Omp] {
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
    fn all_white_space_of_javascript_and_nothing_else_is_passed_over() {
        let spaces: Vec<u32> =
            (0..=0x10FFFF).filter(|code| char::from_u32(*code).is_some_and(is_space)).collect();
        let expected = (9..=13).chain([0x20, 0xA0, 0x1680]).chain(0x2000..=0x200A);
        let expected = expected.chain([0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF]);
        assert_eq!(spaces, expected.collect::<Vec<_>>());
        for c in (0..=0x10FFFF).filter_map(char::from_u32) {
            let with = tag_of(Style::Omp, format!("a{c}b").as_bytes());
            let mut hasher = LineHasher::new(Style::Omp, Units::BYTES);
            let plain = if is_space(c) { "ab".to_owned() } else { format!("a{c}b") };
            hasher.state.update(plain.as_bytes());
            let expected = Tag::Letters(low_byte(hasher.state.digest())).to_string();
            assert_eq!(with, expected, "{c:?}");
        }
    }

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
        for text in [
            "",
            "12",
            "#a1b2c3",
            "12#",
            "12#a1b",
            "12#a1b2c3d4e",
            "12#zz",
            "12#AA",
            "12#ZRZ",
            "12#g1b2c3",
            "12#a1b2c3 text",
            "0#a1b2c3",
            "-1#a1b2c3",
            "+1#a1b2c3",
            "1 2#a1b2c3",
            "12#a1b2c3é",
            "18446744073709551616#a1b2c3",
            "12|a1b2c3",
            "12#+1b2c3",
        ] {
            let error = text.parse::<Anchor>().unwrap_err();
            assert_eq!(error.kind, Kind::Usage, "{text}");
        }
    }
}
