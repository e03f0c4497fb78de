//! The members of a JSON object in one line, without allocation.

use memchr::memchr2;

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

/// A member of the object in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member<'a> {
    /// The key as it is written between its quotes.
    pub key: &'a [u8],
    /// The offset of the key in the line, after its quote.
    pub key_at: usize,
    /// The value as it is written, a string with its quotes.
    pub value: &'a [u8],
    /// The offset of the value in the line.
    pub value_at: usize,
}

impl<'a> Member<'a> {
    /// The text between the quotes of a string, as it is written.
    pub fn text(&self) -> Option<&'a [u8]> {
        self.value.strip_prefix(b"\"")?.strip_suffix(b"\"")
    }
}

/// The members of the object that `line` begins with, as far as it is one.
pub fn members(line: &[u8]) -> Members<'_> {
    Members { length: line.len(), rest: line.trim_ascii_start().strip_prefix(b"{") }
}

/// Iterates over the members of an object: see [`members`].
pub struct Members<'a> {
    length: usize,
    /// The text after a brace or a comma.
    rest: Option<&'a [u8]>,
}

impl<'a> Iterator for Members<'a> {
    type Item = Member<'a>;

    fn next(&mut self) -> Option<Member<'a>> {
        let quoted = self.rest.take()?.trim_ascii_start().strip_prefix(b"\"")?;
        let (key, after) = string(quoted)?;
        let value = after.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
        let after = match value.first()? {
            b'"' => string(&value[1..])?.1,
            b'{' | b'[' => nested(value)?,
            _ => &value[value.iter().position(|byte| b",} \t\r\n".contains(byte))?..],
        };
        self.rest = after.trim_ascii_start().strip_prefix(b",");
        let (key_at, value_at) = (self.length - quoted.len(), self.length - value.len());
        Some(Member { key, key_at, value: &value[..value.len() - after.len()], value_at })
    }
}

/// The text up to the closing quote, and the text after the quote.
fn string(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut at = 0;
    loop {
        at += memchr2(b'"', b'\\', text.get(at..)?)?;
        if text[at] == b'"' {
            return Some((&text[..at], &text[at + 1..]));
        }
        at += 2;
    }
}

/// The text after the object or array at its beginning.
fn nested(mut text: &[u8]) -> Option<&[u8]> {
    let mut depth = 0u32;
    loop {
        let (first, rest) = text.split_first()?;
        text = rest;
        match first {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b'"' => text = string(text)?.1,
            _ => {}
        }
        if depth == 0 {
            return Some(text);
        }
    }
}
