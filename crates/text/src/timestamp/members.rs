//! The members of a JSON line that may hold its time, also of a line of any length that passes in parts.

use memchr::memchr2;

use crate::json::members;

/// The names of the members of JSON lines that hold the time; of several, the first.
pub(super) const MEMBERS: [&str; 5] = ["time", "timestamp", "ts", "@timestamp", "date"];

/// Longer keys are not those of times.
const MAX_KEY: usize = 16;

/// No time is longer.
const MAX_VALUE: usize = 128;

/// The place of the next byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    Start,
    BeforeKey,
    Key,
    BeforeColon,
    BeforeValue,
    Text,
    Number,
    /// In an object or array of this depth.
    Nested(u32),
    /// In a string there.
    NestedText(u32),
    AfterValue,
    /// The object ended, or it is none.
    End,
}

/// Keeps the members that may hold the time, and nothing else.
#[derive(Debug)]
pub struct TimeMembers {
    within: Within,
    is_escaped: bool,
    key: Vec<u8>,
    value: Vec<u8>,
    kept: Vec<u8>,
}

impl Default for TimeMembers {
    fn default() -> Self {
        let (key, value, kept) = (Vec::new(), Vec::new(), b"{".to_vec());
        TimeMembers { within: Within::Start, is_escaped: false, key, value, kept }
    }
}

impl TimeMembers {
    /// The next part of the line.
    pub fn feed(&mut self, part: &[u8]) {
        let mut rest = part;
        while !rest.is_empty() && self.within != Within::End {
            rest = match self.within {
                Within::Key | Within::Text | Within::NestedText(_) => self.text(rest),
                _ => {
                    self.byte(rest[0]);
                    &rest[1..]
                }
            };
        }
    }

    /// The line with these members alone; `None` if it has none.
    pub fn line(&self) -> Option<Vec<u8>> {
        let kept = self.kept.strip_suffix(b",")?;
        Some([kept, b"}"].concat())
    }

    /// Goes on in a string, up to its end.
    fn text<'a>(&mut self, rest: &'a [u8]) -> &'a [u8] {
        if std::mem::take(&mut self.is_escaped) {
            self.keep(&rest[..1]);
            return &rest[1..];
        }
        let Some(at) = memchr2(b'"', b'\\', rest) else {
            self.keep(rest);
            return &[];
        };
        self.keep(&rest[..at]);
        if rest[at] == b'\\' {
            self.is_escaped = true;
            self.keep(b"\\");
        } else {
            self.within = match self.within {
                Within::Key => Within::BeforeColon,
                Within::NestedText(depth) => Within::Nested(depth),
                _ => {
                    self.end_value(true);
                    Within::AfterValue
                }
            };
        }
        &rest[at + 1..]
    }

    /// Keeps one byte more than what is of interest, so that longer texts are another.
    fn keep(&mut self, text: &[u8]) {
        let (kept, most) = match self.within {
            Within::Key => (&mut self.key, MAX_KEY + 1),
            Within::Text | Within::Number => (&mut self.value, MAX_VALUE + 1),
            _ => return,
        };
        kept.extend_from_slice(&text[..text.len().min(most - kept.len())]);
    }

    fn byte(&mut self, byte: u8) {
        let is_blank = byte.is_ascii_whitespace();
        self.within = match (self.within, byte) {
            (Within::Number, b',' | b'}') | (Within::Number, _)
                if is_blank || matches!(byte, b',' | b'}') =>
            {
                self.end_value(false);
                match byte {
                    b',' => Within::BeforeKey,
                    b'}' => Within::End,
                    _ => Within::AfterValue,
                }
            }
            (Within::Number, _) => {
                self.keep(&[byte]);
                Within::Number
            }
            (Within::Nested(depth), b'{' | b'[') => Within::Nested(depth.saturating_add(1)),
            (Within::Nested(1), b'}' | b']') => Within::AfterValue,
            (Within::Nested(depth), b'}' | b']') => Within::Nested(depth - 1),
            (Within::Nested(depth), b'"') => Within::NestedText(depth),
            (within @ Within::Nested(_), _) => within,
            (within, _) if is_blank => within,
            (Within::Start, b'{') => Within::BeforeKey,
            (Within::BeforeKey, b'"') => {
                self.key.clear();
                Within::Key
            }
            (Within::BeforeColon, b':') => Within::BeforeValue,
            (Within::BeforeValue, _) => {
                self.value.clear();
                match byte {
                    b'"' => Within::Text,
                    b'{' | b'[' => Within::Nested(1),
                    _ => {
                        self.value.push(byte);
                        Within::Number
                    }
                }
            }
            (Within::AfterValue, b',') => Within::BeforeKey,
            _ => Within::End,
        };
    }

    fn end_value(&mut self, is_text: bool) {
        let is_time = MEMBERS.iter().any(|name| name.as_bytes() == self.key);
        if !is_time || self.value.len() > MAX_VALUE || self.kept.len() > 8 * MAX_VALUE {
            return;
        }
        let quote: &[u8] = if is_text { b"\"" } else { b"" };
        for part in [b"\"", &self.key[..], b"\":", quote, &self.value, quote, b","] {
            self.kept.extend_from_slice(part);
        }
    }
}

/// The value of a member: a string without its quotes, or a number.
pub(super) struct Value<'a>(&'a [u8]);

impl Value<'_> {
    /// Passes the value to `parse`, a string without the escapes of one byte. Signs and blanks are read as `\u002B`.
    pub fn read<T>(&self, parse: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
        if !self.0.contains(&b'\\') {
            return parse(self.0);
        }
        // Times are ASCII; PHP writes their slashes as `\/`. No time is longer.
        let mut text = [0; 64];
        let is_kept = |at: &usize| self.0[*at] != b'\\' || self.0.get(*at + 1) == Some(&b'u');
        let kept = (0..self.0.len()).filter(is_kept);
        let length = text.iter_mut().zip(kept).map(|(to, from)| *to = self.0[from]).count();
        parse(&text[..length])
    }
}

/// The value of the member `name`, if it is a string or a number. `line` may be cut after it.
pub(super) fn member<'a>(line: &'a [u8], name: &str) -> Option<Value<'a>> {
    let is_scalar = |value: &[u8]| !matches!(value.first(), Some(b'{' | b'['));
    let found = members(line).find(|member| member.key == name.as_bytes() && is_scalar(member.value))?;
    Some(Value(found.text().unwrap_or(found.value)))
}
