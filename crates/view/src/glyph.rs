//! What one place of the screen shows: characters with their width, and bytes that a terminal must never get.

use std::ops::Range;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::style::{BOLD, UNDERLINED};

/// A part of a text, and how it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glyph<'a> {
    /// Its first byte in the text, and the first after it.
    pub at: usize,
    pub next: usize,
    pub kind: GlyphKind<'a>,
    /// The flags of a style that overstrikes give it.
    pub struck: u8,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GlyphKind<'a> {
    /// One character with the marks that combine with it, and its width.
    Char(&'a str, usize),
    Tab,
    /// A byte or a character that is not written as it is, and its name, in ASCII.
    Code(String),
    /// The parameters of an SGR sequence.
    Style(&'a [u8]),
    /// Another escape sequence, which is left out.
    Nothing,
}

/// Marks that combine with one character; more would hide the lines around them.
const MOST_MARKS: usize = 8;

/// Bytes of a sequence; a longer one is not one.
pub(super) const LONGEST_SEQUENCE: usize = 4096;

/// The byte that moves back, for the next character to be printed over the one before.
const BACKSPACE: u8 = 8;

/// The columns from one tab stop to the next.
pub const TAB: usize = 8;

impl GlyphKind<'_> {
    /// The columns that it takes, from `column` on.
    pub fn width(&self, column: usize) -> usize {
        match self {
            GlyphKind::Char(_, width) => *width,
            GlyphKind::Tab => TAB - column % TAB,
            GlyphKind::Code(name) => name.len(),
            GlyphKind::Style(_) | GlyphKind::Nothing => 0,
        }
    }
}

/// The glyphs of a text.
pub struct Glyphs<'a> {
    text: &'a [u8],
    at: usize,
    /// Whether sequences and overstrikes are understood; otherwise they are shown as text.
    sequences: bool,
    /// The result of the last overstrike: an underscore over itself is that.
    struck: u8,
}

impl<'a> Glyphs<'a> {
    pub fn new(text: &'a [u8], sequences: bool) -> Self {
        Glyphs { text, at: 0, sequences, struck: 0 }
    }

    fn escape(&self) -> (usize, GlyphKind<'a>) {
        let rest = &self.text[self.at..self.text.len().min(self.at + LONGEST_SEQUENCE)];
        let sequence = if self.sequences { sequence(rest) } else { None };
        sequence.unwrap_or_else(|| (1, control(rest[0])))
    }

    fn char(&self, at: usize) -> (usize, GlyphKind<'a>) {
        let rest = &self.text[at..];
        // A run is looked at only as far as one character and its marks may reach.
        let window = &rest[..rest.len().min(4 * (MOST_MARKS + 1))];
        let text = window.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        let mut chars = text.chars();
        let Some(first) = chars.next() else { return (1, GlyphKind::Code(format!("\\x{:02x}", rest[0]))) };
        let width = match first.width() {
            Some(width) if width > 0 && !is_dangerous(first) => width,
            _ => return (first.len_utf8(), GlyphKind::Code(name(first))),
        };
        let is_mark = |c: &char| c.width() == Some(0) && !is_dangerous(*c);
        let marks: usize = chars.take_while(is_mark).take(MOST_MARKS).map(char::len_utf8).sum();
        let len = first.len_utf8() + marks;
        (len, GlyphKind::Char(&text[..len], width))
    }

    /// The glyph of `text`, which ends at `end`, with the characters that are printed over it: itself makes it bold, an
    /// underscore underlines it. Other characters would hide it, and are shown as they are.
    fn overstrike(&self, text: &'a str, width: usize, end: usize) -> (usize, GlyphKind<'a>, u8) {
        let (mut shown, mut next, mut struck) = (text, end, 0);
        while self.text.get(next) == Some(&BACKSPACE) {
            // A wide character needs two, but some programs write one.
            let is_double = width > 1 && self.text.get(next + 1) == Some(&BACKSPACE);
            let over = next + 1 + usize::from(is_double);
            if over >= self.text.len() || self.text[over].is_ascii_control() {
                break;
            }
            let (len, GlyphKind::Char(other, _)) = self.char(over) else { break };
            match (shown, other) {
                ("_", "_") if self.struck != 0 || struck != 0 => {
                    struck |= if struck == 0 { self.struck } else { 0 }
                }
                (one, same) if one == same => struck |= BOLD,
                ("_", _) => (shown, struck) = (other, struck | UNDERLINED),
                (_, "_") => struck |= UNDERLINED,
                // The bullet of a typewriter.
                ("+", "o") => shown = other,
                ("o", "+") => {}
                _ => break,
            }
            next = over + len;
        }
        let width = if shown == text { width } else { shown.width() };
        (next, GlyphKind::Char(shown, width), struck)
    }
}

/// `text` as the screen shows it: without escape sequences and overstrikes. `None` if it has none.
pub fn seen(text: &[u8]) -> Option<Vec<u8>> {
    SeenText::of(text).map(|seen| seen.text)
}

/// A text as the screen shows it, and where its parts come from.
pub struct SeenText {
    pub text: Vec<u8>,
    /// The starts of the same bytes in this text and in the other one, in order.
    runs: Vec<(usize, usize)>,
}

impl SeenText {
    /// `None` if `raw` has nothing that the screen leaves out.
    pub fn of(raw: &[u8]) -> Option<Self> {
        memchr::memchr2(b'\x1b', BACKSPACE, raw)?;
        let mut seen = SeenText { text: Vec::with_capacity(raw.len()), runs: Vec::new() };
        let mut from = 0;
        for line in raw.split_inclusive(|byte| *byte == b'\n') {
            match memchr::memchr2(b'\x1b', BACKSPACE, line) {
                None => seen.add(line, from),
                Some(_) => {
                    let body = line.strip_suffix(b"\n").unwrap_or(line);
                    for glyph in Glyphs::new(body, true) {
                        match glyph.kind {
                            GlyphKind::Style(_) | GlyphKind::Nothing => {}
                            GlyphKind::Char(shown, _) => seen.add(shown.as_bytes(), from + glyph.at),
                            GlyphKind::Tab | GlyphKind::Code(_) => {
                                seen.add(&body[glyph.at..glyph.next], from + glyph.at);
                            }
                        }
                    }
                    seen.add(&line[body.len()..], from + body.len());
                }
            }
            from += line.len();
        }
        (seen.text.len() < raw.len()).then_some(seen)
    }

    /// Adds `bytes`, which are at `from` of the other text.
    fn add(&mut self, bytes: &[u8], from: usize) {
        let goes_on = self.runs.last().is_some_and(|(start, raw)| raw + (self.text.len() - start) == from);
        if !goes_on {
            self.runs.push((self.text.len(), from));
        }
        self.text.extend_from_slice(bytes);
    }

    /// The place in the other text of the byte at `at`.
    fn raw(&self, at: usize) -> usize {
        let index = self.runs.partition_point(|(start, _)| *start <= at);
        index.checked_sub(1).map_or(0, |index| self.runs[index].1 + (at - self.runs[index].0))
    }

    /// The part of the other text from the first byte of `place` to the last one.
    pub fn raw_place(&self, place: &Range<usize>) -> Range<usize> {
        let start = self.raw(place.start);
        if place.is_empty() { start..start } else { start..self.raw(place.end - 1) + 1 }
    }

    /// The first place here that comes from `raw` or after it.
    pub fn at_or_after(&self, raw: usize) -> usize {
        let index = self.runs.partition_point(|(_, from)| *from <= raw);
        let next = self.runs.get(index).map_or(self.text.len(), |(start, _)| *start);
        index.checked_sub(1).map_or(0, |index| (self.runs[index].0 + (raw - self.runs[index].1)).min(next))
    }
}

impl<'a> Iterator for Glyphs<'a> {
    type Item = Glyph<'a>;

    fn next(&mut self) -> Option<Glyph<'a>> {
        let at = self.at;
        let (len, kind) = match *self.text.get(at)? {
            b'\t' => (1, GlyphKind::Tab),
            b'\x1b' => self.escape(),
            byte if byte.is_ascii_control() => (1, control(byte)),
            // A mark may follow only where the next byte is not ASCII.
            b' '..=b'~' if self.text.get(at + 1).is_none_or(u8::is_ascii) => {
                (1, GlyphKind::Char(std::str::from_utf8(&self.text[at..=at]).unwrap_or(" "), 1))
            }
            _ => self.char(at),
        };
        let end = at + len;
        let (next, kind, struck) = match kind {
            GlyphKind::Char(text, width) if self.sequences && self.text.get(end) == Some(&BACKSPACE) => {
                self.overstrike(text, width, end)
            }
            kind => (end, kind, 0),
        };
        (self.at, self.struck) = (next, struck);
        Some(Glyph { at, next, kind, struck })
    }
}

/// `^A` to `^_`, and `^?`.
fn control(byte: u8) -> GlyphKind<'static> {
    GlyphKind::Code(format!("^{}", char::from(byte ^ 0x40)))
}

/// `<U+202E>`.
fn name(c: char) -> String {
    format!("<U+{:04X}>", u32::from(c))
}

/// Characters that a terminal acts on, or that reorder the text around them.
pub(super) fn is_dangerous(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// The length of the escape sequence at the start of `text`, and what is shown for it.
fn sequence(text: &[u8]) -> Option<(usize, GlyphKind<'_>)> {
    match text.get(1)? {
        b'[' => {
            let params = text[2..].iter().take_while(|byte| (b'0'..=b'?').contains(*byte)).count();
            let between = text[2 + params..].iter().take_while(|byte| (b' '..=b'/').contains(*byte)).count();
            let last = 2 + params + between;
            let params = &text[2..2 + params];
            let is_plain = params.iter().all(|byte| byte.is_ascii_digit() || b";:".contains(byte));
            match text.get(last)? {
                b'm' if between == 0 && is_plain => Some((last + 1, GlyphKind::Style(params))),
                b'@'..=b'~' => Some((last + 1, GlyphKind::Nothing)),
                _ => None,
            }
        }
        // The title of the window, links: up to BEL or ESC \.
        b']' => {
            let end = 2 + text[2..].iter().position(|byte| byte.is_ascii_control())?;
            match &text[end..] {
                [b'\x07', ..] => Some((end + 1, GlyphKind::Nothing)),
                [b'\x1b', b'\\', ..] => Some((end + 2, GlyphKind::Nothing)),
                _ => None,
            }
        }
        // A character set.
        b'(' | b')' => text.get(2).filter(|byte| byte.is_ascii_graphic()).map(|_| (3, GlyphKind::Nothing)),
        _ => None,
    }
}

/// The columns of a text without control characters.
pub(crate) fn width(text: &str) -> usize {
    Glyphs::new(text.as_bytes(), false).map(|glyph| glyph.kind.width(0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &[u8]) -> String {
        Glyphs::new(text, true)
            .map(|glyph| match glyph.kind {
                GlyphKind::Char(text, width) => format!("{text}{width}"),
                GlyphKind::Tab => "T".to_owned(),
                GlyphKind::Code(name) => format!("[{name}]"),
                GlyphKind::Style(params) => format!("<{}>", String::from_utf8_lossy(params)),
                GlyphKind::Nothing => "_".to_owned(),
            })
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn every_kind_of_text_has_its_glyphs() {
        for (text, expected) in [
            (&b"a b"[..], "a1  1 b1"),
            (b"\t\x01\x7f\r", "T [^A] [^?] [^M]"),
            ("é日🦀".as_bytes(), "é1 日2 🦀2"),
            ("e\u{301}x".as_bytes(), "e\u{301}1 x1"),
            ("\u{301}x".as_bytes(), "[<U+0301>] x1"),
            (b"\xff\x9b1m", "[\\xff] [\\x9b] 11 m1"),
            ("\u{9b}1m".as_bytes(), "[<U+009B>] 11 m1"),
            ("a\u{202e}b".as_bytes(), "a1 [<U+202E>] b1"),
            ("\u{feff}\u{200b}".as_bytes(), "[<U+FEFF>] [<U+200B>]"),
            (b"\x1b[1;31mx\x1b[m", "<1;31> x1 <>"),
            (b"\x1b[2J\x1b[?25l\x1b[0 q", "_ _ _"),
            (b"\x1b[>4;2m", "_"),
            (b"\x1b]0;title\x07x", "_ x1"),
            (b"\x1b]8;;http://a\x1b\\x", "_ x1"),
            (b"\x1b]52;c;x\x1bZ", "[^[] ]1 51 21 ;1 c1 ;1 x1 [^[] Z1"),
            (b"\x1b(B", "_"),
            (b"\x1bc\x1b[1\x1b", "[^[] c1 [^[] [1 11 [^[]"),
            (b"\x1bP1$r0m\x1b\\", "[^[] P1 11 $1 r1 01 m1 [^[] \\1"),
            (b"\xe6\x97", "[\\xe6] [\\x97]"),
        ] {
            assert_eq!(shown(text), expected, "{:?}", String::from_utf8_lossy(text));
        }
        let marked = format!("a{}", "\u{301}".repeat(100));
        assert_eq!(Glyphs::new(marked.as_bytes(), true).count(), 1 + 92);
    }

    #[test]
    fn overstrikes_are_attributes() {
        let shown = |text: &str| -> Vec<(String, u8)> {
            let glyphs = Glyphs::new(text.as_bytes(), true);
            let name = |kind| match kind {
                GlyphKind::Char(text, _) => text.to_owned(),
                GlyphKind::Code(name) => name,
                other => format!("{other:?}"),
            };
            glyphs.map(|glyph| (name(glyph.kind), glyph.struck)).collect()
        };
        let of = |parts: &[(&str, u8)]| -> Vec<(String, u8)> {
            parts.iter().map(|(text, struck)| ((*text).to_owned(), *struck)).collect()
        };
        for (text, expected) in [
            ("a\x08a", &[("a", BOLD)][..]),
            ("a\x08a\x08a\x08ab", &[("a", BOLD), ("b", 0)]),
            ("_\x08a", &[("a", UNDERLINED)]),
            ("a\x08_", &[("a", UNDERLINED)]),
            ("_\x08a\x08a", &[("a", BOLD | UNDERLINED)]),
            ("a\x08a\x08_", &[("a", BOLD | UNDERLINED)]),
            ("_\x08_", &[("_", BOLD)]),
            ("_\x08a_\x08_", &[("a", UNDERLINED), ("_", UNDERLINED)]),
            ("a\x08a_\x08_", &[("a", BOLD), ("_", BOLD)]),
            ("日\x08日", &[("日", BOLD)]),
            ("日\x08\x08日", &[("日", BOLD)]),
            ("_\x08日", &[("日", UNDERLINED)]),
            ("e\u{301}\x08e\u{301}", &[("e\u{301}", BOLD)]),
            ("+\x08o", &[("o", 0)]),
            // Nothing hides.
            ("a\x08b", &[("a", 0), ("^H", 0), ("b", 0)]),
            ("a\x08", &[("a", 0), ("^H", 0)]),
            ("\x08a", &[("^H", 0), ("a", 0)]),
            ("a\x08\x08a", &[("a", 0), ("^H", 0), ("^H", 0), ("a", 0)]),
        ] {
            assert_eq!(shown(text), of(expected), "{text:?}");
        }
    }

    #[test]
    fn what_is_seen_has_its_places_in_the_text() {
        let raw = "a\x1b[31mb\x08bc\x1b[m\n_\x08d\x1be\x08\n\n\x1b[1mé".as_bytes();
        let seen = SeenText::of(raw).unwrap();
        assert_eq!(String::from_utf8_lossy(&seen.text), "abc\nd\x1be\x08\n\né");
        for (at, byte) in seen.text.iter().enumerate() {
            // A character that is struck over an underscore has the place of that.
            assert!(raw[seen.raw(at)] == *byte || raw[seen.raw(at)] == b'_', "{at}");
            assert_eq!(seen.at_or_after(seen.raw(at)), at);
        }
        assert_eq!(seen.raw_place(&(0..3)), 0..10);
        assert_eq!(seen.at_or_after(3), 1, "inside a sequence");
        assert_eq!(seen.at_or_after(raw.len()), seen.text.len());
        for same in ["", "a\tb", "a\nb", "a\x08b", "\x1bc"] {
            assert!(SeenText::of(same.as_bytes()).is_none(), "{same:?}");
        }
    }

    #[test]
    fn sequences_are_text_if_they_are_not_wanted() {
        let codes: Vec<_> = Glyphs::new(b"\x1b[m", false).map(|glyph| glyph.kind).collect();
        assert_eq!(
            codes,
            [GlyphKind::Code("^[".to_owned()), GlyphKind::Char("[", 1), GlyphKind::Char("m", 1)]
        );
    }
}
