//! The position of the time in a line.

use std::fmt;

use memchr::memchr_iter;

use crate::json::members;

/// A time begins within so many bytes of its line.
pub(super) const MAX_OFFSET: usize = 128;

/// The bytes of a line that are enough to find its time, except in a JSON line.
pub const HEAD: usize = MAX_OFFSET + 128;

/// The names of the members of JSON lines that hold the time; of several, the first.
pub(super) const MEMBERS: [&str; 5] = ["time", "timestamp", "ts", "@timestamp", "date"];

/// Where the time begins, in every line that has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimePosition {
    /// At a fixed offset.
    Offset {
        /// The number of bytes before the time.
        offset: usize,
        /// The last of these bytes.
        before: Option<u8>,
    },
    /// After a certain byte, because the text before varies in length.
    After {
        /// The byte. Blanks in a row are one.
        byte: u8,
        /// After which of these bytes, from 1.
        nth: usize,
    },
    /// In a member of a JSON object.
    Member(&'static str),
}

impl TimePosition {
    /// The offset of the time in a line; `None` for a member, or if the line is shorter.
    #[inline]
    pub(super) fn start(self, line: &[u8]) -> Option<usize> {
        let head = &line[..line.len().min(MAX_OFFSET)];
        let start = match self {
            TimePosition::Offset { offset, before } => {
                let is_there = offset == 0 || line.get(offset - 1).copied() == before;
                is_there.then_some(offset)?
            }
            TimePosition::After { byte, nth } => ends(byte, head).nth(nth.checked_sub(1)?)?,
            TimePosition::Member(_) => return None,
        };
        (start <= line.len()).then_some(start)
    }

    /// Passes the line and the offset of the time to `parse`; of a member, its value.
    #[inline]
    pub(super) fn read<T>(self, line: &[u8], parse: impl Fn(&[u8], usize) -> Option<T>) -> Option<T> {
        match self {
            TimePosition::Member(name) => member(line, name)?.read(|text| parse(text, 0)),
            _ => parse(line, self.start(line)?),
        }
    }
}

impl fmt::Display for TimePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimePosition::Offset { offset, .. } => write!(f, "byte {offset}"),
            TimePosition::After { byte: b' ', nth } => write!(f, "after blank {nth}"),
            TimePosition::After { byte, nth } => write!(f, "after '{}' {nth}", byte.escape_ascii()),
            TimePosition::Member(name) => write!(f, "member {name}"),
        }
    }
}

/// The offsets after each such byte, and after each row of blanks.
fn ends(byte: u8, head: &[u8]) -> impl Iterator<Item = usize> {
    let ends = memchr_iter(byte, head).map(|at| at + 1);
    ends.filter(move |end| byte != b' ' || head.get(*end) != Some(&b' '))
}

/// The positions of a time at `offset`, the plainest first.
pub(super) fn positions_at(line: &[u8], offset: usize) -> impl Iterator<Item = TimePosition> {
    let before = offset.checked_sub(1).map(|last| line[last]);
    let after = before.map(|byte| TimePosition::After { byte, nth: ends(byte, &line[..offset]).count() });
    [Some(TimePosition::Offset { offset, before }), after].into_iter().flatten()
}

/// The offsets at which a time could begin: at the start of a word, also if the word has a color.
pub(super) fn starts(line: &[u8]) -> impl Iterator<Item = usize> {
    (0..line.len().min(MAX_OFFSET)).filter(|offset| {
        let before = &line[..*offset];
        before.last().is_none_or(|byte| !byte.is_ascii_alphanumeric() && !b"-./+_".contains(byte))
            || ends_with_color(before)
    })
}

/// Whether `text` ends with `ESC [ 2 m`, as ECMA-48 has it.
fn ends_with_color(text: &[u8]) -> bool {
    let numbers = text.strip_suffix(b"m").unwrap_or_default();
    let length = numbers.iter().rev().take_while(|byte| byte.is_ascii_digit() || **byte == b';').count();
    numbers[..numbers.len() - length].ends_with(b"\x1b[")
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
