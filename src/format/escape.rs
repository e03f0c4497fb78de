//! Escaping for JSON and XML: clean segments are copied, only what needs it is looked at.

use std::borrow::Cow;

use crate::content::Sink;
use crate::error::Result;
use crate::output::Out;

/// Bytes looked at together: one comparison decides for all of them.
const STRIDE: usize = 32;

/// The first byte of `text` for which `special` holds, in a form that the compiler makes vector code of.
fn find(text: &[u8], special: impl Fn(u8) -> bool + Copy) -> Option<usize> {
    let (chunks, _) = text.as_chunks::<STRIDE>();
    let clean = chunks.iter().take_while(|chunk| !chunk.iter().fold(false, |any, b| any | special(*b)));
    let skipped = clean.count() * STRIDE;
    text[skipped..].iter().position(|b| special(*b)).map(|at| skipped + at)
}

/// The inside of a JSON string (RFC 8259, section 7). Delete and the C1 controls are escaped too, since
/// terminals act on them.
pub(super) struct JsonText<'a>(pub(super) &'a mut Out);

impl Sink for JsonText<'_> {
    fn write(&mut self, content: &[u8]) -> Result<()> {
        // 0xC2 leads the C1 controls, among others.
        let special = |b: u8| b < 0x20 || b == b'"' || b == b'\\' || b == 0x7F || b == 0xC2;
        let mut rest = content;
        while let Some(at) = find(rest, special) {
            self.0.write(&rest[..at])?;
            let (byte, next) = (rest[at], rest.get(at + 1).copied());
            let taken = match (byte, next) {
                (0xC2, Some(low @ 0x80..=0x9F)) => {
                    self.0.write(format!("\\u{low:04x}").as_bytes())?;
                    2
                }
                _ => {
                    self.byte(byte)?;
                    1
                }
            };
            rest = &rest[at + taken..];
        }
        self.0.write(rest)
    }
}

impl JsonText<'_> {
    fn byte(&mut self, byte: u8) -> Result<()> {
        self.0.write(match byte {
            b'\n' => b"\\n",
            b'"' => b"\\\"",
            b'\\' => b"\\\\",
            b'\t' => b"\\t",
            b'\r' => b"\\r",
            // The lead of some other character.
            0xC2 => &[0xC2],
            _ => return self.0.write(format!("\\u{byte:04x}").as_bytes()),
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
            (b < 0x20 && b != b'\n' && b != b'\t') || matches!(b, b'<' | b'>' | b'&' | 0x7F | 0xC2 | 0xEF)
        };
        let mut rest = content;
        while let Some(at) = find(rest, special) {
            self.0.write(&rest[..at])?;
            let (replacement, taken) = match &rest[at..] {
                [b'<', ..] => ("&lt;", 1),
                [b'>', ..] => ("&gt;", 1),
                [b'&', ..] => ("&amp;", 1),
                [b'\r', ..] => ("&#13;", 1),
                [0x7F, ..] => ("&#127;", 1),
                [0xC2, low @ 0x80..=0x9F, ..] => {
                    self.0.write(format!("&#{low};").as_bytes())?;
                    ("", 2)
                }
                // U+FFFE and U+FFFF.
                [0xEF, 0xBF, 0xBE | 0xBF, ..] => ("\u{FFFD}", 3),
                [0xC2 | 0xEF, ..] => ("", 0),
                _ => ("\u{FFFD}", 1),
            };
            self.0.write(replacement.as_bytes())?;
            let taken = if taken == 0 {
                self.0.write(&rest[at..=at])?;
                1
            } else {
                taken
            };
            rest = &rest[at + taken..];
        }
        self.0.write(rest)
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
