//! The members of a JSON line that may hold its time, also of a line of any length that passes in parts.

use memchr::memchr2;

use super::glance::may_begin;
use crate::json::members;

/// The names of members that hold the time in most logs of JSON lines; of several, the first.
const MEMBERS: [&str; 5] = ["time", "timestamp", "ts", "@timestamp", "date"];

/// Longer keys are not those of times.
const MAX_KEY: usize = 40;

/// No time is longer.
const MAX_VALUE: usize = 128;

/// The name of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberName {
    bytes: [u8; MAX_KEY],
    length: usize,
}

impl MemberName {
    fn new(name: &[u8]) -> Option<Self> {
        let mut bytes = [0; MAX_KEY];
        bytes.get_mut(..name.len())?.copy_from_slice(name);
        Some(MemberName { bytes, length: name.len() })
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// The place of the name in the list of those that most logs have.
    pub(super) fn known(&self) -> Option<usize> {
        MEMBERS.iter().position(|name| name.as_bytes() == self.as_bytes())
    }

    /// Whether the name says that the time is not the one of writing.
    pub(super) fn names_other(&self) -> bool {
        let name = self.as_bytes().to_ascii_lowercase();
        let has = |part: &&[u8]| name.windows(part.len()).any(|window| window == *part);
        [&b"expir"[..], b"birth", b"until", b"due", b"valid", b"deadline", b"next"].iter().any(has)
    }

    /// Whether the name says that it is a time: a number with another name is rather an identifier.
    pub(super) fn names_time(&self) -> bool {
        let name = self.as_bytes().to_ascii_lowercase();
        let has = |part: &&[u8]| name.windows(part.len()).any(|window| window == *part);
        [&b"time"[..], b"date", b"stamp", b"epoch"].iter().any(has)
            || [&b"ts"[..], b"at", b"when", b"t"]
                .iter()
                .any(|end| name.ends_with(end) && (name.len() == end.len() || end.len() == 2))
    }
}

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
        let is_known = MEMBERS.iter().any(|name| name.as_bytes() == self.key);
        let is_time = is_known || (self.key.len() <= MAX_KEY && may_begin(&self.value));
        let is_full = self.kept.len() > 8 * MAX_VALUE && !is_known;
        if !is_time || self.value.len() > MAX_VALUE || is_full {
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
pub(super) fn member<'a>(line: &'a [u8], name: &[u8]) -> Option<Value<'a>> {
    values(line).find_map(|(key, value)| (key == name).then_some(value))
}

/// The members that may hold a time, with their values.
pub(super) fn named_values(line: &[u8]) -> impl Iterator<Item = (MemberName, Value<'_>)> {
    values(line).filter_map(|(key, value)| Some((MemberName::new(key)?, value)))
}

fn values(line: &[u8]) -> impl Iterator<Item = (&[u8], Value<'_>)> {
    let is_scalar = |value: &[u8]| !matches!(value.first(), Some(b'{' | b'['));
    members(line)
        .filter(move |member| is_scalar(member.value))
        .map(|member| (member.key, Value(member.text().unwrap_or(member.value))))
}

/// Whether a line is an object of JSON: its text is not looked at for times, but its members are.
pub(super) fn is_object(line: &[u8]) -> bool {
    line.trim_ascii_start().strip_prefix(b"{").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"\""))
}
