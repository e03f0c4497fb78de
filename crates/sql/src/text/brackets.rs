//! Finds the ends of JSON values, which follow one another or are elements of one array.

use super::boundaries::find;
use super::boundaries::{Boundaries, Malformed};
use rread_text::sentence::setting;

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
