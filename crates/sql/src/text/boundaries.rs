//! The ends of lines, records and JSON values in a text that arrives piece by piece, and delimiters, found eight bytes at a
//! time.

use memchr::{memchr, memchr_iter, memchr2};

use rread_text::{Layout, Sentence, newline, setting};

#[derive(Debug)]
pub(super) struct Malformed {
    pub at: usize,
    pub message: &'static str,
    pub hint: Option<Sentence>,
}

/// Finds the ends of records in a buffer that grows at its end and shrinks at its start.
pub(super) trait Boundaries: Send {
    /// Returns the end of the last whole record, or 0. `last` means that no more text follows.
    fn scan(&mut self, buffer: &mut [u8], last: bool) -> Result<usize, Malformed>;

    /// Forgets the first `at` bytes, which end with a record. Returns the ends of values, unless records are lines.
    fn cut(&mut self, at: usize) -> Vec<usize>;
}

pub(super) fn no_record(line: &[u8], comment: Option<u8>) -> bool {
    line.iter().all(|byte| matches!(byte, b'\n' | b'\r'))
        || comment.is_some() && line.first().copied() == comment
}

pub(super) fn newline_of(layout: &Layout) -> u8 {
    match layout {
        Layout::Csv(csv) => csv.newline,
        Layout::Json { .. } | Layout::Jsonl { .. } => b'\n',
    }
}

/// How many lines end in `bytes`.
pub(super) fn line_ends(bytes: &[u8], newline: u8) -> u64 {
    if newline == b'\n' { newline::count(bytes) } else { memchr_iter(newline, bytes).count() as u64 }
}

/// The text after the first `count` lines, and how many of them are missing.
pub(crate) fn after_lines(text: &[u8], count: u64, newline: u8) -> (&[u8], u64) {
    let (mut rest, mut missing) = (text, count);
    while let Some(end) = memchr(newline, rest).filter(|_| missing > 0) {
        rest = rest.get(end + 1..).unwrap_or_default();
        missing -= 1;
    }
    (if missing > 0 { &[] } else { rest }, missing)
}

const ONES: u64 = u64::MAX / 255;

const LOW: u64 = ONES * 0x7f;

/// Sets the highest bit of each zero byte (Henry S. Warren, Hacker's Delight, 6-1).
const fn zeros(word: u64) -> u64 {
    !(((word & LOW) + LOW) | word | LOW)
}

const NEAR: usize = 2;

/// Quotes are usually so near that starting a vectorised search would cost more than this loop.
#[inline]
pub(super) fn find(bytes: &[u8], from: usize, one: u8, other: u8) -> Option<usize> {
    let mut from = from;
    for _ in 0..NEAR {
        let Some(word) = bytes.get(from..).and_then(<[u8]>::first_chunk::<8>) else { break };
        let word = u64::from_le_bytes(*word);
        let found = zeros(word ^ (ONES * u64::from(one))) | zeros(word ^ (ONES * u64::from(other)));
        if found != 0 {
            return Some(from + (found.trailing_zeros() / 8) as usize);
        }
        from += 8;
    }
    memchr2(one, other, bytes.get(from..)?).map(|at| from + at)
}

/// Steps from one delimiter or newline to the next. Values are a few bytes long, so a new search at each one
/// would dominate the cost.
pub(super) struct Finder<'a> {
    bytes: &'a [u8],
    delimiters: u64,
    newlines: u64,
    base: usize,
    /// The highest bit of each match that was not returned yet.
    mask: u64,
}

impl<'a> Finder<'a> {
    pub fn new(bytes: &'a [u8], delimiter: u8, newline: u8) -> Self {
        let (delimiters, newlines) = (ONES * u64::from(delimiter), ONES * u64::from(newline));
        let mut finder = Finder { bytes, delimiters, newlines, base: 0, mask: 0 };
        finder.seek(0);
        finder
    }

    #[inline]
    fn look(&self) -> u64 {
        let rest = self.bytes.get(self.base..).unwrap_or_default();
        let Some(word) = rest.first_chunk::<8>() else {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            return self.matches(word) & !(u64::MAX << (rest.len() * 8));
        };
        self.matches(*word)
    }

    #[inline]
    fn matches(&self, word: [u8; 8]) -> u64 {
        let word = u64::from_le_bytes(word);
        zeros(word ^ self.delimiters) | zeros(word ^ self.newlines)
    }

    #[inline]
    pub fn next(&mut self) -> Option<usize> {
        while self.mask == 0 {
            self.base += 8;
            if self.base >= self.bytes.len() {
                self.base = self.bytes.len();
                return None;
            }
            self.mask = self.look();
        }
        let at = self.base + (self.mask.trailing_zeros() / 8) as usize;
        self.mask &= self.mask - 1;
        Some(at)
    }

    #[inline]
    pub fn seek(&mut self, to: usize) {
        self.base = to.min(self.bytes.len());
        self.mask = self.look();
    }
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Expected {
    #[default]
    Start,
    Stream,
    First,
    Element,
    Between,
    Closed,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum JsonState {
    #[default]
    Outside,
    /// At this depth.
    Nested(usize),
    /// At this depth.
    String(usize),
    /// A number, a word, or invalid text.
    Scalar,
}

/// A state machine over JSON text (RFC 8259) that finds strings and brackets, and validates nothing else.
#[derive(Default)]
pub(super) struct Brackets {
    expected: Expected,
    state: JsonState,
    begin: usize,
    seen: usize,
    ends: Vec<usize>,
}

const STRUCTURAL: [bool; 256] = table(b"\"{}[]");

const ENDS_SCALAR: [bool; 256] = table(b"\"{}[], \t\r\n");

const fn table(bytes: &[u8]) -> [bool; 256] {
    let (mut table, mut at) = ([false; 256], 0);
    while at < bytes.len() {
        table[bytes[at] as usize] = true;
        at += 1;
    }
    table
}

fn malformed(at: usize, message: &'static str) -> Malformed {
    Malformed { at, message, hint: None }
}

/// `Err` has the offset to resume at once more text arrives.
#[inline]
fn string_end(json: &[u8], from: usize) -> Result<usize, usize> {
    let mut from = from;
    while let Some(at) = find(json, from, b'"', b'\\') {
        if json[at] == b'"' {
            return Ok(at + 1);
        }
        if at + 1 == json.len() {
            return Err(at);
        }
        from = at + 2;
    }
    Err(json.len())
}

impl Brackets {
    fn finish(&mut self) {
        self.ends.push(self.seen);
        self.state = JsonState::Outside;
        self.expected = if self.expected == Expected::Stream { Expected::Stream } else { Expected::Between };
    }

    fn outside(&mut self, buffer: &mut [u8]) -> Result<bool, Malformed> {
        let rest = &buffer[self.seen..];
        let Some(at) = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n')) else {
            self.seen = buffer.len();
            return Ok(false);
        };
        let at = self.seen + at;
        self.seen = at + 1;
        match (buffer[at], self.expected) {
            (_, Expected::Closed) => {
                let hint = Some(setting("input").then(" jsonl, if every line is a record"));
                return Err(Malformed { hint, ..malformed(at, "there is more after the end of the array") });
            }
            (b'[', Expected::Start) => {
                buffer[at] = b' ';
                self.expected = Expected::First;
            }
            (b',', Expected::Between) => {
                buffer[at] = b' ';
                self.expected = Expected::Element;
            }
            (b']', Expected::First | Expected::Between) => {
                buffer[at] = b' ';
                self.expected = Expected::Closed;
            }
            (_, Expected::Between) => {
                return Err(malformed(at, "a comma is missing between the elements of the array"));
            }
            (b',' | b']' | b'}', _) => return Err(malformed(at, "a JSON value is missing")),
            (byte, _) => {
                self.begin = at;
                if self.expected == Expected::Start {
                    self.expected = Expected::Stream;
                }
                self.state = match byte {
                    b'{' | b'[' => JsonState::Nested(1),
                    b'"' => JsonState::String(0),
                    _ => JsonState::Scalar,
                };
            }
        }
        Ok(true)
    }

    fn nested(&mut self, buffer: &[u8], depth: usize) -> bool {
        let (mut at, mut depth) = (self.seen, depth);
        while let Some(found) = buffer[at..].iter().position(|byte| STRUCTURAL[usize::from(*byte)]) {
            at += found + 1;
            match buffer[at - 1] {
                b'"' => match string_end(buffer, at) {
                    Ok(after) => at = after,
                    Err(seen) => {
                        (self.seen, self.state) = (seen, JsonState::String(depth));
                        return false;
                    }
                },
                b'{' | b'[' => depth += 1,
                _ if depth == 1 => {
                    self.seen = at;
                    self.finish();
                    return true;
                }
                _ => depth -= 1,
            }
        }
        (self.seen, self.state) = (buffer.len(), JsonState::Nested(depth));
        false
    }

    fn string(&mut self, buffer: &[u8], depth: usize) -> bool {
        let end = string_end(buffer, self.seen);
        let (Ok(seen) | Err(seen)) = end;
        self.seen = seen;
        if end.is_err() {
            return false;
        }
        if depth == 0 {
            self.finish();
        } else {
            self.state = JsonState::Nested(depth);
        }
        true
    }

    fn scalar(&mut self, buffer: &[u8], last: bool) -> bool {
        let found = buffer[self.seen..].iter().position(|byte| ENDS_SCALAR[usize::from(*byte)]);
        self.seen = found.map_or(buffer.len(), |at| self.seen + at);
        if found.is_some() || last {
            self.finish();
            return true;
        }
        false
    }
}

impl Boundaries for Brackets {
    fn scan(&mut self, buffer: &mut [u8], last: bool) -> Result<usize, Malformed> {
        let mut more = true;
        while more {
            more = match self.state {
                JsonState::Outside => self.outside(buffer)?,
                JsonState::Nested(depth) => self.nested(buffer, depth),
                JsonState::String(depth) => self.string(buffer, depth),
                JsonState::Scalar => self.scalar(buffer, last),
            };
        }
        if !last {
            return Ok(self.ends.last().copied().unwrap_or(0));
        }
        match (self.state, self.expected) {
            (JsonState::String(_), _) => {
                Err(malformed(self.begin, "a string in the JSON value that begins here is not closed"))
            }
            (JsonState::Nested(_), _) => {
                Err(malformed(self.begin, "the JSON value that begins here is not closed"))
            }
            (_, Expected::First | Expected::Element | Expected::Between) => {
                Err(malformed(buffer.len(), "the array is not closed: the text ends without its ]"))
            }
            _ => Ok(buffer.len()),
        }
    }

    fn cut(&mut self, at: usize) -> Vec<usize> {
        self.seen = self.seen.saturating_sub(at);
        self.begin = self.begin.saturating_sub(at);
        let later = self.ends.partition_point(|end| *end <= at);
        let rest = self.ends.split_off(later).into_iter().map(|end| end - at).collect();
        std::mem::replace(&mut self.ends, rest)
    }
}
