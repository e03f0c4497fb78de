//! Text that the document has in place of what it draws, `ActualText`.

use hayro_interpret::hayro_syntax::object::dict::keys::ACTUAL_TEXT;
use hayro_interpret::hayro_syntax::object::{Dict, String as PdfString};

use super::glyph::{Glyph, push};

/// The characters 0x80 to 0xA0 of `PDFDocEncoding` (ISO 32000-2, D.2).
const ABOVE_ASCII: &str = "•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\u{FFFD}€";

/// The open parts of the content, and the text in place of the outermost that has one.
#[derive(Default)]
pub(super) struct Replacement {
    depth: usize,
    open: Option<Open>,
}

struct Open {
    /// How many parts are around it.
    depth: usize,
    text: String,
    /// The glyph that stands for all of the part.
    at: Option<usize>,
}

impl Replacement {
    pub(super) fn begin(&mut self, properties: Option<&Dict<'_>>) {
        if self.open.is_none()
            && let Some(text) = properties.and_then(|dict| dict.get::<PdfString<'_>>(ACTUAL_TEXT))
        {
            self.open = Some(Open { depth: self.depth, text: decode_text(text.as_bytes()), at: None });
        }
        self.depth += 1;
    }

    pub(super) fn end(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.open.take_if(|open| open.depth >= self.depth);
    }

    /// Adds `glyph` to `glyphs`, or what the document has in its place: the first glyph of a part gets the whole text.
    pub(super) fn put(&mut self, glyph: Glyph, glyphs: &mut Vec<Glyph>) {
        let Some(open) = &mut self.open else { return glyphs.push(glyph) };
        let first = open.at.and_then(|at| glyphs.get_mut(at));
        match first {
            Some(first) if first.turn == glyph.turn && (first.y - glyph.y).abs() < 0.5 * first.size => {
                (first.x, first.end) = (first.x.min(glyph.x), first.end.max(glyph.end));
            }
            Some(_) => {}
            None if open.text.is_empty() => {}
            None => {
                open.at = Some(glyphs.len());
                glyphs.push(Glyph { text: text_of_line(&open.text), ..glyph });
            }
        }
    }
}

/// `text` without control characters, and with blanks alone as white space, between words only.
pub(super) fn text_of_line(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        let start = line.len();
        word.chars().for_each(|c| push(&mut line, c));
        if start > 0 && line.len() > start {
            line.insert(start, ' ');
        }
    }
    line
}

/// A text string (ISO 32000-2, 7.9.2.2).
pub(super) fn decode_text(bytes: &[u8]) -> String {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.as_chunks().0.iter().map(|pair| unit(*pair)).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xFE, 0xFF, text @ ..] => utf16(text, u16::from_be_bytes),
        // No standard has it, but some programs write it.
        [0xFF, 0xFE, text @ ..] => utf16(text, u16::from_le_bytes),
        [0xEF, 0xBB, 0xBF, text @ ..] => String::from_utf8_lossy(text).into_owned(),
        _ => bytes.iter().map(|byte| of_byte(*byte)).collect(),
    }
}

fn of_byte(byte: u8) -> char {
    let special = usize::from(byte).checked_sub(0x80).and_then(|at| ABOVE_ASCII.chars().nth(at));
    special.unwrap_or(char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_strings_are_decoded() {
        assert_eq!(decode_text(b"\xFE\xFF\x00A\x06\x44\xD8\x3D\xDE\x00"), "Aل\u{1F600}");
        assert_eq!(decode_text(b"\xFF\xFEA\x00"), "A");
        assert_eq!(decode_text("\u{FEFF}Ä".as_bytes()), "Ä");
        assert_eq!(decode_text(b"a\x80\x93\xA0\xA1\xE4"), "a•ﬁ€¡ä");
        // A pair of bytes is cut.
        assert_eq!(decode_text(b"\xFE\xFF\x00A\x00"), "A");
    }

    #[test]
    fn white_space_is_blanks_and_controls_are_left_out() {
        assert_eq!(text_of_line(" a\n\tb\u{7} \u{7} ﬁn "), "a b fin");
        assert_eq!(text_of_line(" \u{0} "), "");
    }

    fn glyph(text: &str, x: f64, y: f64) -> Glyph {
        Glyph { text: text.to_owned(), x, y, end: x + 5.0, size: 10.0, turn: 0 }
    }

    #[test]
    fn the_first_glyph_stands_for_all_of_a_part() {
        let mut glyphs = Vec::new();
        let mut part = Replacement { depth: 1, open: None };
        part.open = Some(Open { depth: 0, text: "word".to_owned(), at: None });
        part.begin(None);
        part.put(glyph("w", 10.0, 0.0), &mut glyphs);
        part.end();
        part.put(glyph("o", 5.0, 1.0), &mut glyphs);
        part.put(glyph("r", 0.0, 12.0), &mut glyphs);
        part.end();
        part.put(glyph("next", 20.0, 0.0), &mut glyphs);
        let found: Vec<_> = glyphs.iter().map(|glyph| (glyph.text.as_str(), glyph.x, glyph.end)).collect();
        assert_eq!(found, [("word", 5.0, 15.0), ("next", 20.0, 25.0)]);
    }
}
