//! Walks through JSON text without decoding it.
//!
//! [`each_member`] accepts what RFC 8259 does and nothing else. [`members`] and [`items`] check nothing: they go as far as
//! they understand, also in a line that is cut or not quite JSON.

use memchr::memchr2;

/// Lists and objects deeper than this are refused, as `serde_json` does.
const MAX_DEPTH: usize = 126;

/// The name of a member.
#[derive(Debug)]
pub enum Name<'t, P> {
    /// The value of `expected`.
    Expected(P),
    /// As it is written between its quotes.
    Other(&'t str),
}

/// Passes the names and the values of the members of `json`. `None` if it is not an object, or if `take` returns it.
///
/// Before each member, `expected` gets the text from its name on: if a known name is next, it returns the length of the name
/// with its quotes and colon, so that one comparison replaces the search for its end.
pub fn each_member<'t, P>(
    json: &'t str,
    expected: impl Fn(&[u8]) -> Option<(usize, P)>,
    mut take: impl FnMut(Name<'t, P>, &'t str) -> Option<()>,
) -> Option<()> {
    let text = json.as_bytes();
    let mut at = blanks(text, 0);
    if text.get(at) != Some(&b'{') {
        return None;
    }
    at = blanks(text, at + 1);
    if text.get(at) == Some(&b'}') {
        return is_end(text, at + 1);
    }
    loop {
        let (name, start) = match expected(text.get(at..)?) {
            Some((length, name)) => (Name::Expected(name), at + length),
            None => {
                let (name, colon) = name(json, at)?;
                (Name::Other(name), colon + 1)
            }
        };
        let start = blanks(text, start);
        let end = value_end(text, start, 0)?;
        take(name, json.get(start..end)?)?;
        at = blanks(text, end);
        match text.get(at)? {
            b',' => at = blanks(text, at + 1),
            b'}' => return is_end(text, at + 1),
            _ => return None,
        }
    }
}

/// The name that begins at `at`, and the place of the colon after it.
fn name(json: &str, at: usize) -> Option<(&str, usize)> {
    let text = json.as_bytes();
    if text.get(at) != Some(&b'"') {
        return None;
    }
    let end = string_end(text, at + 1)?;
    let name = json.get(at + 1..end - 1)?;
    let colon = blanks(text, end);
    (text.get(colon) == Some(&b':')).then_some((name, colon))
}

/// A name with its quotes and colon, as programs write it; `None` if it needs an escape.
pub fn key(name: &str) -> Option<Box<[u8]>> {
    let is_plain = name.bytes().all(|byte| byte >= 0x20 && byte != b'"' && byte != b'\\');
    is_plain.then(|| format!("\"{name}\":").into_bytes().into())
}

fn is_end(text: &[u8], at: usize) -> Option<()> {
    (blanks(text, at) == text.len()).then_some(())
}

#[inline]
fn blanks(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
        at += 1;
    }
    at
}

/// The end of the value that begins at `at` (RFC 8259).
fn value_end(text: &[u8], at: usize, depth: usize) -> Option<usize> {
    match text.get(at)? {
        b'"' => string_end(text, at + 1),
        b'-' | b'0'..=b'9' => number_end(text, at),
        b't' => word_end(text, at, b"true"),
        b'f' => word_end(text, at, b"false"),
        b'n' => word_end(text, at, b"null"),
        b'{' if depth < MAX_DEPTH => object_end(text, at + 1, depth),
        b'[' if depth < MAX_DEPTH => list_end(text, at + 1, depth),
        _ => None,
    }
}

fn word_end(text: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    text.get(at..)?.starts_with(word).then_some(at + word.len())
}

/// The end of a string after its first quote.
#[inline]
fn string_end(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        // Eight plain bytes at a time.
        while let Some(word) = text.get(at..).and_then(<[u8]>::first_chunk::<8>) {
            let special = special(u64::from_le_bytes(*word));
            at += (special.trailing_zeros() / 8) as usize;
            if special != 0 {
                break;
            }
        }
        let byte = *text.get(at)?;
        match byte {
            b'"' => return Some(at + 1),
            b'\\' => {
                at = match text.get(at + 1)? {
                    b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => at + 2,
                    // Surrogates must come in pairs.
                    b'u' => match hex(text, at + 2)? {
                        0xD800..=0xDBFF if text.get(at + 6..)?.starts_with(b"\\u") => {
                            matches!(hex(text, at + 8)?, 0xDC00..=0xDFFF).then_some(at + 12)?
                        }
                        0xD800..=0xDFFF => return None,
                        _ => at + 6,
                    },
                    _ => return None,
                };
            }
            ..0x20 => return None,
            _ => at += 1,
        }
    }
}

/// The four hexadecimal digits of an escape.
fn hex(text: &[u8], at: usize) -> Option<u16> {
    let mut digits = text.get(at..at + 4)?.iter().map(|digit| char::from(*digit).to_digit(16));
    digits.try_fold(0, |number, digit| Some(number << 4 | u16::try_from(digit?).ok()?))
}

/// Sets the highest bit of the first byte that is a quote, a backslash or below a blank; bits after it mean nothing.
#[inline]
fn special(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    let zero = |word: u64| word.wrapping_sub(ONES) & !word;
    let below = word.wrapping_sub(ONES * 0x20) & !word;
    (zero(word ^ (ONES * u64::from(b'"'))) | zero(word ^ (ONES * u64::from(b'\\'))) | below) & HIGH
}

fn number_end(text: &[u8], at: usize) -> Option<usize> {
    let digits = |at: usize| text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut at = at + usize::from(text.get(at) == Some(&b'-'));
    let whole = digits(at);
    if whole == 0 || whole > 1 && text.get(at) == Some(&b'0') {
        return None;
    }
    at += whole;
    if text.get(at) == Some(&b'.') {
        let decimals = digits(at + 1);
        if decimals == 0 {
            return None;
        }
        at += 1 + decimals;
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        at += 1 + usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        let exponent = if at <= text.len() { digits(at) } else { 0 };
        if exponent == 0 {
            return None;
        }
        at += exponent;
    }
    Some(at)
}

fn object_end(text: &[u8], at: usize, depth: usize) -> Option<usize> {
    let mut at = blanks(text, at);
    if text.get(at) == Some(&b'}') {
        return Some(at + 1);
    }
    loop {
        if text.get(at) != Some(&b'"') {
            return None;
        }
        at = blanks(text, string_end(text, at + 1)?);
        if text.get(at) != Some(&b':') {
            return None;
        }
        at = blanks(text, value_end(text, blanks(text, at + 1), depth + 1)?);
        match text.get(at)? {
            b',' => at = blanks(text, at + 1),
            b'}' => return Some(at + 1),
            _ => return None,
        }
    }
}

fn list_end(text: &[u8], at: usize, depth: usize) -> Option<usize> {
    let mut at = blanks(text, at);
    if text.get(at) == Some(&b']') {
        return Some(at + 1);
    }
    loop {
        at = blanks(text, value_end(text, at, depth + 1)?);
        match text.get(at)? {
            b',' => at = blanks(text, at + 1),
            b']' => return Some(at + 1),
            _ => return None,
        }
    }
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
        let from_value = after.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
        let (value, after) = value(from_value)?;
        self.rest = after.trim_ascii_start().strip_prefix(b",");
        let (key_at, value_at) = (self.length - quoted.len(), self.length - from_value.len());
        Some(Member { key, key_at, value, value_at })
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

/// The items of the array that `list` begins with, as far as it is one.
pub fn items(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = list.trim_ascii_start().strip_prefix(b"[");
    std::iter::from_fn(move || {
        let item = rest.take()?.trim_ascii_start();
        let (value, after) = value(item).filter(|(value, _)| !value.is_empty())?;
        rest = after.trim_ascii_start().strip_prefix(b",");
        Some(value)
    })
}

/// The value at the beginning of `text`, and the text after it.
fn value(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let after = match text.first()? {
        b'"' => string(&text[1..])?.1,
        b'{' | b'[' => nested(text)?,
        _ => &text[text.iter().position(|byte| b",}] \t\r\n".contains(byte))?..],
    };
    Some((&text[..text.len() - after.len()], after))
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
