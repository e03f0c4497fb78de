//! The pattern of a line: the text that all lines of one kind have, with masks for the parts that vary.
//!
//! Numbers, UUIDs, times, addresses and quoted strings are replaced by `<n>`, `<uuid>`, `<time>`, `<ip>` or `<mac>`, and
//! `"<s>"`. A short hexadecimal number is a number, because some have no letters; a long one is `<hex>`. A word in which letters and digits alternate is an `<id>`. Names and messages
//! in JSON and logfmt stay.

mod class;
mod ids;
mod scan;
mod times;

use memchr::memchr2;

use class::{class, is_word};
use scan::Scan;

/// Bytes of a line that tell its pattern; what follows is left out.
pub const LONGEST: usize = 4 << 10;

/// Members and keys whose text tells one kind of line from another.
const TELLING: &[&[u8]] = &[
    b"component",
    b"err",
    b"error",
    b"event",
    b"level",
    b"levelname",
    b"log",
    b"logger",
    b"loglevel",
    b"lvl",
    b"message",
    b"method",
    b"module",
    b"msg",
    b"service",
    b"severity",
];

/// Bytes between two masks that are copied at once.
const SHORT: usize = 32;

/// Appends the pattern of `line`, a line of UTF-8 or of another encoding that keeps ASCII, without its line end, to `out`.
///
/// Blanks in a row are one blank, except at the beginning. Only the first [`LONGEST`] bytes are looked at. A pattern is at
/// most three times as long as the line.
pub fn mask(line: &[u8], out: &mut Vec<u8>) {
    let line = &line[..line.len().min(LONGEST)];
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let before = out.len();
    // Room for the longest pattern, so that no mask has to ask for it.
    out.resize(before + 3 * line.len() + 2 * SHORT, 0);
    let (scan, room) = (Scan::new(line), &mut out[before..]);
    let mut masker = Masker { line, room, written: 0, scan, kept: 0, key: None };
    masker.tokens(line.iter().take_while(|byte| class(**byte) & class::BLANK != 0).count(), line.len());
    masker.keep_to(line.len());
    let length = masker.written;
    out.truncate(before + length);
}

struct Masker<'l, 'o> {
    line: &'l [u8],
    room: &'o mut [u8],
    /// The bytes of the pattern that are there.
    written: usize,
    /// Finds the bytes at which something may be masked.
    scan: Scan<'l>,
    /// From here on nothing is written yet; up to the next mask it is kept as it is.
    kept: usize,
    /// The start and end of the last quoted key, and where its value begins.
    key: Option<(usize, usize, usize)>,
}

impl Masker<'_, '_> {
    fn byte(&self, at: usize) -> u8 {
        self.line.get(at).copied().unwrap_or(0)
    }

    #[inline]
    fn keep_to(&mut self, at: usize) {
        let kept = self.line.get(self.kept..).unwrap_or_default();
        let room = self.room.get_mut(self.written..).unwrap_or_default();
        let length = at - self.kept;
        match (kept.first_chunk::<SHORT>(), room.first_chunk_mut::<SHORT>()) {
            // A copy of known length takes a fraction of the time; what is too much is overwritten.
            (Some(more), Some(room)) if length <= SHORT => *room = *more,
            _ => room[..length].copy_from_slice(&kept[..length]),
        }
        self.written += length;
        self.kept = at;
    }

    /// Replaces the bytes between `from` and `to`; returns `to`.
    #[inline]
    fn replace(&mut self, from: usize, to: usize, mask: &[u8]) -> usize {
        self.keep_to(from);
        let room = self.room.get_mut(self.written..).unwrap_or_default();
        room.iter_mut().zip(mask).for_each(|(room, byte)| *room = *byte);
        self.written += mask.len();
        self.kept = to;
        to
    }

    /// Masks the parts that vary between `at` and `end`.
    fn tokens(&mut self, mut at: usize, end: usize) {
        while let Some(place) = self.scan.next(at, end) {
            let seen = class(self.line[place]);
            at = if seen & class::DIGIT != 0
                && (place == at || !is_word(self.line[place - 1]))
                && let Some((length, word)) = ids::plain_number(&self.line[place..end])
            {
                self.number(place, place + length, true);
                place + word
            } else if seen & class::WORD != 0 {
                let before = self.line[at..place].iter().rev().take_while(|byte| is_word(**byte)).count();
                self.word(place - before, end)
            } else if seen & class::BLANK != 0 {
                self.blanks(place, end)
            } else if seen & class::MARK != 0 {
                self.marked(place, end)
            } else {
                // A colon, and another one after it.
                match ids::ipv6(&self.line[place..end]) {
                    Some(length) => self.replace(place, place + length, b"<ip>"),
                    None => place + 2,
                }
            };
        }
    }

    fn blanks(&mut self, at: usize, end: usize) -> usize {
        let more = self.line[at + 1..end].iter().take_while(|byte| class(**byte) & class::BLANK != 0).count();
        if more == 0 { at + 1 } else { self.replace(at, at + 1 + more, b" ") }
    }

    fn word(&mut self, at: usize, end: usize) -> usize {
        let mut seen = 0;
        let mut stop = at;
        while stop < end {
            let here = class(self.line[stop]);
            if here & class::WORD == 0 {
                break;
            }
            seen |= here;
            stop += 1;
        }
        let rest = &self.line[at..end];
        if seen & class::DIGIT == 0 {
            let length = match stop - at {
                3 => times::named(rest).map(|length| (length, &b"<time>"[..])),
                _ if seen & class::LETTER > 0 => None,
                _ => {
                    let whole = || Some((stop - at, ids::hex_letters(&self.line[at..stop])?));
                    ids::address(rest).or_else(whole)
                }
            };
            return length.map_or(stop, |(length, mask)| self.replace(at, at + length, mask));
        }
        let begins_address = seen & class::LETTER == 0 && matches!(self.byte(stop), b'-' | b'.' | b':');
        if begins_address && let Some((length, mask)) = ids::address(rest) {
            return self.replace(at, at + length, mask);
        }
        if let Some(length) = times::numeric(rest) {
            return self.replace(at, at + length, b"<time>");
        }
        match ids::whole_word(&self.line[at..stop], seen & class::LETTER == 0) {
            Some(mask) => self.replace(at, stop, mask),
            None => self.numbers(at, stop, end),
        }
    }

    /// Masks the numbers in a word; a fraction may follow it.
    fn numbers(&mut self, at: usize, stop: usize, end: usize) -> usize {
        let mut here = at;
        while here < stop {
            if !self.line[here].is_ascii_digit() {
                here += 1;
                continue;
            }
            let length = ids::number(&self.line[here..end]);
            here = self.number(here, here + length, here == at);
        }
        here
    }

    /// Masks a number, with its sign if it `starts_word`.
    fn number(&mut self, from: usize, to: usize, starts_word: bool) -> usize {
        let is_negative = starts_word && from > self.kept && self.line[from - 1] == b'-';
        let is_sign = is_negative && (from < 2 || !self.line[from - 2].is_ascii_alphanumeric());
        self.replace(from - usize::from(is_sign), to, b"<n>")
    }

    /// A quoted string, or a terminal sequence, which is left out.
    fn marked(&mut self, at: usize, end: usize) -> usize {
        let quote = self.line[at];
        if quote == 0x1b {
            let sequence = &self.line[at..end];
            let is_sequence = sequence.get(1) == Some(&b'[');
            let last = sequence.iter().skip(2).position(|byte| (0x40..0x7f).contains(byte));
            return match last.filter(|_| is_sequence) {
                Some(last) => self.replace(at, at + last + 3, b""),
                None => at + 1,
            };
        }
        // An apostrophe, and the mark of inches, follow a word.
        if at > 0 && is_word(self.line[at - 1]) {
            return at + 1;
        }
        match closing(&self.line[..end], at) {
            Some(close) if quote == b'"' => self.string(at, close, end),
            Some(close) if close > at + 1 && !is_word(self.byte(close + 1)) => {
                self.replace(at, close + 1, b"'<s>'")
            }
            _ => at + 1,
        }
    }

    /// The string between the quotes at `open` and `close`: a key, the text of a key that tells the kind, or any other.
    fn string(&mut self, open: usize, close: usize, end: usize) -> usize {
        let blanks = |from: usize| self.line[from..end].iter().take_while(|byte| **byte == b' ').count();
        let colon = close + 1 + blanks(close + 1);
        if colon < end && self.line[colon] == b':' {
            self.key = Some((open + 1, close, colon + 1 + blanks(colon + 1)));
            self.tokens(open + 1, close);
            return close + 1;
        }
        let key = match self.key.filter(|(.., value)| *value == open) {
            Some((from, to, _)) => &self.line[from..to],
            None => word_before_equals(&self.line[..open]),
        };
        if is_telling(key) {
            self.tokens(open + 1, close);
            return close + 1;
        }
        self.replace(open, close + 1, b"\"<s>\"")
    }
}

fn is_telling(key: &[u8]) -> bool {
    TELLING.iter().any(|telling| telling.eq_ignore_ascii_case(key))
}

/// The key in `key=` at the end of `text`.
fn word_before_equals(text: &[u8]) -> &[u8] {
    let key = text.strip_suffix(b"=").unwrap_or_default();
    let from = key.iter().rposition(|byte| !is_word(*byte)).map_or(0, |before| before + 1);
    &key[from..]
}

/// The quote that closes the one at `open`; a backslash escapes the byte after it.
fn closing(line: &[u8], open: usize) -> Option<usize> {
    let mut at = open + 1;
    loop {
        at += memchr2(line[open], b'\\', line.get(at..)?)?;
        if line[at] == line[open] {
            return Some(at);
        }
        at += 2;
    }
}

#[cfg(test)]
mod naive;
#[cfg(test)]
mod tests;
