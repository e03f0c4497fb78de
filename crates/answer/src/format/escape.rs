//! Escapes content for JSON and XML: clean segments are copied, only special bytes are looked at.

use std::borrow::Cow;

use crate::content::Sink;
use crate::output::Out;
use rread_text::Result;

/// Bytes that one comparison decides for.
const STRIDE: usize = 32;

const REPLACEMENT: &[u8] = "\u{FFFD}".as_bytes();

/// The first special byte of `text`. `special` must decide without a branch: then the compiler makes vector code of it, which
/// is twenty times as fast.
fn find(text: &[u8], special: impl Fn(u8) -> bool + Copy) -> Option<usize> {
    let is_clean = |chunk: &&[u8; STRIDE]| {
        let mut any = 0;
        for byte in *chunk {
            any |= u8::from(special(*byte));
        }
        any == 0
    };
    let (chunks, _) = text.as_chunks::<STRIDE>();
    let skipped = chunks.iter().take_while(is_clean).count() * STRIDE;
    text[skipped..].iter().position(|b| special(*b)).map(|at| skipped + at)
}

/// Writes `content`; `replace` makes a replacement of what starts with a special byte, and counts the bytes replaced.
fn escape(
    out: &mut Out,
    content: &[u8],
    special: impl Fn(u8) -> bool + Copy,
    replace: impl Fn(&[u8]) -> (Cow<'_, [u8]>, usize),
) -> Result<()> {
    let mut rest = content;
    while let Some(at) = find(rest, special) {
        out.write(&rest[..at])?;
        let (replacement, taken) = replace(&rest[at..]);
        out.write(&replacement)?;
        rest = &rest[at + taken..];
    }
    out.write(rest)
}

/// The inside of a JSON string (RFC 8259, section 7). Delete and the C1 controls are escaped too, since
/// terminals act on them.
pub(super) struct JsonText<'a>(pub(super) &'a mut Out);

impl Sink for JsonText<'_> {
    fn write(&mut self, content: &[u8]) -> Result<()> {
        // 0xC2 leads the C1 controls, among others.
        let special = |b: u8| (b < 0x20) | (b == b'"') | (b == b'\\') | (b == 0x7F) | (b == 0xC2);
        let code = |byte: u8| format!("\\u{byte:04x}").into_bytes().into();
        escape(self.0, content, special, |text| match text {
            [b'\n', ..] => (b"\\n".into(), 1),
            [b'"', ..] => (b"\\\"".into(), 1),
            [b'\\', ..] => (b"\\\\".into(), 1),
            [b'\t', ..] => (b"\\t".into(), 1),
            [b'\r', ..] => (b"\\r".into(), 1),
            [0xC2, low @ 0x80..=0x9F, ..] => (code(*low), 2),
            [byte @ (..0x20 | 0x7F), ..] => (code(*byte), 1),
            _ => (text[..1].into(), 1),
        })
    }
}

/// The inside of an XML element (XML 1.0, sections 2.2 and 2.4). Characters that XML cannot hold become
/// U+FFFD; a carriage return is written as a reference, since parsers drop it, and so are delete and the C1 controls, since
/// terminals act on them.
pub(super) struct XmlText<'a>(pub(super) &'a mut Out);

impl Sink for XmlText<'_> {
    fn write(&mut self, content: &[u8]) -> Result<()> {
        let special = |b: u8| {
            let is_control = (b < 0x20) & (b != b'\n') & (b != b'\t');
            is_control | (b == b'<') | (b == b'>') | (b == b'&') | (b == 0x7F) | (b == 0xC2) | (b == 0xEF)
        };
        escape(self.0, content, special, |text| match text {
            [b'<', ..] => (b"&lt;".into(), 1),
            [b'>', ..] => (b"&gt;".into(), 1),
            [b'&', ..] => (b"&amp;".into(), 1),
            [b'\r', ..] => (b"&#13;".into(), 1),
            [0x7F, ..] => (b"&#127;".into(), 1),
            [0xC2, low @ 0x80..=0x9F, ..] => (format!("&#{low};").into_bytes().into(), 2),
            // U+FFFE and U+FFFF.
            [0xEF, 0xBF, 0xBE | 0xBF, ..] => (REPLACEMENT.into(), 3),
            [0xC2 | 0xEF, ..] => (text[..1].into(), 1),
            _ => (REPLACEMENT.into(), 1),
        })
    }
}

/// `text` as the inside of a quoted XML attribute.
pub(super) fn xml_attribute(text: &str) -> Cow<'_, str> {
    let is_plain = |b: u8| matches!(b, b' '..=b'~') && !matches!(b, b'<' | b'>' | b'&' | b'"');
    if text.bytes().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\r' | '\t' | '\x7f'..='\u{9f}' => out.push_str(&format!("&#{};", u32::from(c))),
            '\0'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}' => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}
