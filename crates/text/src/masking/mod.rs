//! The pattern of a line: the text that all lines of one kind have, with masks for the parts that vary.
//!
//! Numbers, UUIDs, times, addresses and quoted strings are replaced by `<n>`, `<uuid>`, `<time>`, `<ip>`, `<host>` or `<mac>`, and
//! `"<s>"`. A short hexadecimal number is a number, because some have no letters; a long one is
//! `<hex>`. A word in which letters and digits alternate is an `<id>`, as are tokens. Names
//! and messages in JSON and logfmt stay. An access log keeps the method and the class of the status: `"GET <s>" 2xx`.

pub mod alike;
mod ids;

use crate::sniff::BOM;
use crate::timestamp::time_length;
use memchr::memchr2;

use ids::{BLANK, DIGIT, LETTER, MARK, WORD, class, is_word};

/// The bytes of a line that its pattern is made of; the rest is ignored.
pub const MAX_MASKED: usize = 4 << 10;

/// Keys of JSON and logfmt whose text distinguishes one kind of line from another.
const TELLING_KEYS: &str = "component err error event level levelname log logger loglevel lvl message method module msg service severity";

/// Appends the pattern of `line`, a line of UTF-8 or of another encoding that keeps ASCII, without its line end, to `out`.
///
/// Blanks in a row are one blank, except at the beginning. Only the first [`MAX_MASKED`] bytes count. A pattern is at most
/// three times as long as the line.
pub fn mask(line: &[u8], out: &mut Vec<u8>) {
    // Files that were joined have byte order marks inside.
    let line = line.strip_prefix(BOM).unwrap_or(line);
    let line = &line[..line.len().min(MAX_MASKED)];
    let line = line.strip_suffix(b"\r").unwrap_or(line).trim_ascii_end();
    let mut masker = Masker { line, out, kept: 0, key: None };
    masker.mask_tokens(line.iter().take_while(|byte| class(**byte) & BLANK != 0).count(), line.len());
    masker.keep_to(line.len());
}

struct Masker<'l, 'o> {
    line: &'l [u8],
    out: &'o mut Vec<u8>,
    /// The bytes from here on are not written yet; they are kept as they are up to the next mask.
    kept: usize,
    /// The start and end of the last quoted key, and where its value begins.
    key: Option<(usize, usize, usize)>,
}

impl Masker<'_, '_> {
    fn byte(&self, at: usize) -> u8 {
        self.line.get(at).copied().unwrap_or(0)
    }

    fn keep_to(&mut self, at: usize) {
        self.out.extend_from_slice(&self.line[self.kept..at]);
        self.kept = at;
    }

    /// Replaces the bytes between `from` and `to`; returns `to`.
    fn replace(&mut self, from: usize, to: usize, mask: &[u8]) -> usize {
        self.keep_to(from);
        self.out.extend_from_slice(mask);
        self.kept = to;
        to
    }

    /// Masks the parts that vary between `at` and `end`.
    fn mask_tokens(&mut self, mut at: usize, end: usize) {
        while at < end {
            let seen = class(self.line[at]);
            at = if seen & WORD != 0 {
                self.mask_word(at, end)
            } else if seen & BLANK != 0 {
                self.mask_blanks(at, end)
            } else if seen & MARK != 0 {
                self.mask_marked(at, end)
            } else if self.byte(at + 1) == b':' && self.line[at] == b':' {
                match ids::ipv6(&self.line[at..end]) {
                    Some(length) => self.replace(at, at + length, b"<ip>"),
                    None => at + 2,
                }
            } else {
                at + 1
            };
        }
    }

    fn mask_blanks(&mut self, at: usize, end: usize) -> usize {
        let more = self.line[at + 1..end].iter().take_while(|byte| class(**byte) & BLANK != 0).count();
        if more == 0 { at + 1 } else { self.replace(at, at + 1 + more, b" ") }
    }

    fn mask_word(&mut self, at: usize, end: usize) -> usize {
        let (mut seen, mut stop) = (0, at);
        while stop < end && is_word(self.line[stop]) {
            seen |= class(self.line[stop]);
            stop += 1;
        }
        if let Some((length, mask)) = ids::token(self.line, at, stop, end) {
            return self.replace(at, at + length, mask);
        }
        let rest = &self.line[at..end];
        if seen & DIGIT == 0 {
            let length = match stop - at {
                3 => time(rest).map(|length| (length, &b"<time>"[..])),
                _ if seen & LETTER > 0 => None,
                _ => {
                    let whole = || Some((stop - at, ids::hex_letters(&self.line[at..stop])?));
                    ids::address(rest).or_else(whole)
                }
            };
            return length.map_or(stop, |(length, mask)| self.replace(at, at + length, mask));
        }
        if let Some((length, mask)) = ids::address(rest) {
            return self.replace(at, at + length, mask);
        }
        if let Some(length) = rest.first().filter(|byte| byte.is_ascii_digit()).and_then(|_| time(rest)) {
            return self.replace(at, at + length, b"<time>");
        }
        match ids::whole_word(&self.line[at..stop], seen & LETTER == 0) {
            Some(mask) => self.replace(at, stop, mask),
            None => self.mask_numbers(at, stop, end),
        }
    }

    /// Masks the numbers in a word; a fraction may follow it.
    fn mask_numbers(&mut self, at: usize, stop: usize, end: usize) -> usize {
        let mut here = at;
        while here < stop {
            if !self.line[here].is_ascii_digit() {
                here += 1;
                continue;
            }
            let is_negative = here == at && here > self.kept && self.byte(here - 1) == b'-';
            let is_sign = is_negative && (here < 2 || !self.byte(here - 2).is_ascii_alphanumeric());
            let length = ids::number(&self.line[here..end]);
            let length = length + ids::unit(&self.line[here + length..end]);
            here = self.replace(here - usize::from(is_sign), here + length, b"<n>");
        }
        here
    }

    /// A quoted string, or a terminal sequence, which is left out.
    fn mask_marked(&mut self, at: usize, end: usize) -> usize {
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
        match find_closing_quote(&self.line[..end], at) {
            Some(close) if quote == b'"' => self.mask_string(at, close, end),
            Some(close) if close > at + 1 && !is_word(self.byte(close + 1)) => {
                self.replace(at, close + 1, b"'<s>'")
            }
            _ => at + 1,
        }
    }

    /// The string between the quotes at `open` and `close`: a key, the text of a key that tells the kind, or any other.
    fn mask_string(&mut self, open: usize, close: usize, end: usize) -> usize {
        let blanks = |from: usize| self.line[from..end].iter().take_while(|byte| **byte == b' ').count();
        let colon = close + 1 + blanks(close + 1);
        if colon < end && self.line[colon] == b':' {
            self.key = Some((open + 1, close, colon + 1 + blanks(colon + 1)));
            self.mask_tokens(open + 1, close);
            return close + 1;
        }
        let key = match self.key.filter(|(.., value)| *value == open) {
            Some((from, to, _)) => &self.line[from..to],
            None => ids::last_word(self.line[..open].strip_suffix(b"=").unwrap_or_default()).1,
        };
        if TELLING_KEYS.split(' ').any(|telling| telling.as_bytes().eq_ignore_ascii_case(key)) {
            self.mask_tokens(open + 1, close);
            return close + 1;
        }
        self.replace(open, close + 1, b"\"<s>\"");
        match ids::method(&self.line[open + 1..close]) {
            Some(method) if key.is_empty() => self.mask_request(method, close, end),
            _ => close + 1,
        }
    }

    /// The request of an access log keeps its method, and the class of the status after it.
    fn mask_request(&mut self, method: &[u8], close: usize, end: usize) -> usize {
        self.out.truncate(self.out.len() - b"<s>\"".len());
        self.out.extend_from_slice(method);
        self.out.extend_from_slice(b" <s>\"");
        match self.line[close + 1..end] {
            [b' ', class @ b'1'..=b'5', b'0'..=b'9', b'0'..=b'9', ref rest @ ..]
                if rest.first().is_none_or(|byte| *byte == b' ') =>
            {
                let status = [class, b'x', b'x'];
                self.replace(close + 2, close + 5, &status)
            }
            _ => close + 1,
        }
    }
}

/// The length of the time at the start of `text`.
fn time(text: &[u8]) -> Option<usize> {
    time_length(text).filter(|end| text.get(*end).is_none_or(|byte| !is_word(*byte)))
}

/// The quote that closes the one at `open`; a backslash escapes the byte after it.
fn find_closing_quote(line: &[u8], open: usize) -> Option<usize> {
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
mod tests;
