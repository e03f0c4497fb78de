//! The members of a JSON object in one line, without allocation.

use memchr::memchr2;

/// The value of a member: a string without its quotes, or a number.
pub(super) struct Value<'a>(&'a [u8]);

impl Value<'_> {
    /// Passes the value to `parse`, a string without its escapes.
    pub fn read<T>(&self, parse: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
        if !self.0.contains(&b'\\') {
            return parse(self.0);
        }
        // Times are ASCII; PHP writes their slashes as `\/`. No time is longer.
        let mut text = [0; 64];
        let kept = self.0.iter().filter(|byte| **byte != b'\\');
        let length = text.iter_mut().zip(kept).map(|(to, from)| *to = *from).count();
        parse(&text[..length])
    }
}

/// The value of the member `name`, if it is a string or a number. `line` may be cut after it.
pub(super) fn member<'a>(line: &'a [u8], name: &str) -> Option<Value<'a>> {
    let mut rest = line.trim_ascii_start().strip_prefix(b"{")?;
    loop {
        let (key, after) = string(rest.trim_ascii_start().strip_prefix(b"\"")?)?;
        let value = after.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
        let end = match value.first()? {
            b'"' => {
                let (text, after) = string(&value[1..])?;
                if key == name.as_bytes() {
                    return Some(Value(text));
                }
                after
            }
            b'{' | b'[' => nested(value)?,
            _ => {
                let length = value.iter().position(|byte| b",} \t\r\n".contains(byte))?;
                if key == name.as_bytes() {
                    return Some(Value(&value[..length]));
                }
                &value[length..]
            }
        };
        rest = end.trim_ascii_start().strip_prefix(b",")?;
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
