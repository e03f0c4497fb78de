//! JSON as Python and JavaScript write it, for readers that are stricter or that join surrogates wrongly.

use std::borrow::Cow;

use memchr::memmem;

use super::chunks::Chunk;

/// `chunk` with the characters of escaped pairs of surrogates, with U+FFFD in the place of half a pair, and with NaN and
/// Infinity as texts; and how many halves there were.
pub(super) fn mended(chunk: &Chunk) -> (Cow<'_, Chunk>, u64) {
    if !needs_mending(&chunk.bytes) {
        return (Cow::Borrowed(chunk), 0);
    }
    let (bytes, mut ends) = (&chunk.bytes[..], chunk.ends.clone());
    let mut out = Vec::with_capacity(bytes.len());
    let (mut at, mut next, mut halves, mut is_text) = (0, 0, 0, false);
    while at < bytes.len() {
        while let Some(end) = ends.get_mut(next).filter(|end| **end <= at) {
            *end = out.len();
            next += 1;
        }
        let rest = &bytes[at..];
        let (piece, length): (Cow<'_, [u8]>, usize) = match rest[0] {
            b'\\' if is_text => {
                let (piece, length, is_half) = escape(rest);
                halves += u64::from(is_half);
                (piece, length)
            }
            b'N' if !is_text && rest.starts_with(b"NaN") => (b"\"NaN\"".into(), 3),
            b'I' if !is_text && rest.starts_with(b"Infinity") => (b"\"inf\"".into(), 8),
            b'-' if !is_text && rest.starts_with(b"-Infinity") => (b"\"-inf\"".into(), 9),
            byte => {
                // A line never ends inside a text.
                is_text = byte != b'\n' && is_text != (byte == b'"');
                (rest[..1].into(), 1)
            }
        };
        out.extend_from_slice(&piece);
        at += length;
    }
    ends.iter_mut().skip(next).for_each(|end| *end = out.len());
    // The places of records are not those of the file any more.
    (Cow::Owned(Chunk { bytes: out, ends, at: None, ..chunk.clone() }), halves)
}

fn needs_mending(bytes: &[u8]) -> bool {
    let is_surrogate = |at: usize| {
        matches!(bytes.get(at + 2..at + 4), Some([b'd' | b'D', b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F']))
    };
    memmem::find_iter(bytes, "\\u").any(is_surrogate)
        || memmem::find(bytes, b"NaN").is_some()
        || memmem::find(bytes, b"Infinity").is_some()
}

/// The character of an escape, its length, and whether it is half of a pair.
fn escape(text: &[u8]) -> (Cow<'_, [u8]>, usize, bool) {
    let Some(first @ 0xD800..0xE000) = unit(text) else {
        let length = text.len().min(2);
        return (text[..length].into(), length, false);
    };
    let second = text.get(6..).and_then(unit);
    let whole = second.and_then(|second| char::decode_utf16([first, second]).next()?.ok());
    match whole {
        Some(whole) => (whole.to_string().into_bytes().into(), 12, false),
        None => ("\u{FFFD}".as_bytes().into(), 6, true),
    }
}

/// The code unit of `\uXXXX`.
fn unit(text: &[u8]) -> Option<u16> {
    let digits =
        text.strip_prefix(b"\\u")?.get(..4).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}
