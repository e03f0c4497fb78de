//! A glyph: what it means, and where it stands on the page.

use hayro_interpret::font::Glyph as FontGlyph;
use hayro_interpret::hayro_cmap::BfString;

use super::substitute;

/// A glyph on the page, in a frame in which its text runs to the right and lines follow downwards.
#[derive(Clone, Debug)]
pub(super) struct Glyph {
    /// Empty for a blank, [`SILENT`] for a glyph that another one's text includes.
    pub(super) text: String,
    /// Where it begins, and its base line.
    pub(super) x: f64,
    pub(super) y: f64,
    /// Where the next glyph is expected.
    pub(super) end: f64,
    /// The height of the font.
    pub(super) size: f64,
    /// The direction of the text in degrees, clockwise, 0 to 359.
    pub(super) turn: u16,
}

impl Glyph {
    /// Whether it has text of its own.
    pub(super) fn has_text(&self) -> bool {
        !self.text.is_empty() && !self.text.starts_with(SILENT)
    }
}

/// Stands for the text of a glyph that takes room and has none. Simple fonts ignore U+0000, which broken maps have.
pub(super) const SILENT: char = '\u{10}';

/// The characters of a glyph; none for a blank, U+FFFD if the document does not say.
pub(super) fn text_of(glyph: &FontGlyph<'_>) -> String {
    let mut text = String::new();
    match glyph.as_unicode() {
        Some(BfString::Char(SILENT)) => text.push(SILENT),
        Some(BfString::Char(c)) => push(&mut text, c),
        Some(BfString::String(string)) => string.chars().for_each(|c| push(&mut text, c)),
        None => guess(&mut text, glyph),
    }
    text
}

/// The likely meaning of a glyph that has neither a character nor a known name.
fn guess(text: &mut String, glyph: &FontGlyph<'_>) {
    let is_byte = match glyph {
        FontGlyph::Type3(_) => true,
        // The numbers of glyphs in a font that is not there.
        FontGlyph::Outline(outline)
            if outline.font_data().is_some_and(|font| (*font.data).as_ref() == substitute::bytes()) =>
        {
            false
        }
        FontGlyph::Outline(outline) if outline.outline().elements().is_empty() => return,
        // Only fonts of Type 1 have no such data. The codes of other fonts may be numbers of glyphs.
        FontGlyph::Outline(outline) => outline.font_data().is_none(),
    };
    let code = u8::try_from(glyph.char_code()).ok().filter(|_| is_byte);
    match code {
        // The places of ligatures in TeX's fonts: in its own encoding and in that of Cork. See `settle`.
        Some(0x0B | 0x1B) => text.push('\u{FB00}'),
        Some(0x0C | 0x1C) => text.push('\u{FB01}'),
        Some(0x0D | 0x1D) => text.push('\u{FB02}'),
        Some(0x0E | 0x1E) => text.push('\u{FB03}'),
        Some(0x0F | 0x1F) => text.push('\u{FB04}'),
        Some(b' ') => {}
        Some(code @ 0x21..=0x7E) => text.push(char::from(code)),
        Some(code @ 0xC0..) => text.extend(char::from_u32(GUESSED + u32::from(code))),
        _ => text.push(char::REPLACEMENT_CHARACTER),
    }
}

/// Stands for the letter with an accent that a code probably is, until [`settle`] decides. No document has these characters.
const GUESSED: u32 = 0x10_FF00;

/// The most letters with accents that a text has, as a part of all.
const MOST_ACCENTS: usize = 4;

/// Decides about the ligatures and letters with accents that were guessed in the `glyphs` of a page. A font that numbers its
/// glyphs from one has other letters in place of ligatures, and then the page has many glyphs without a meaning; one of
/// another script has more letters with accents than any text.
pub(super) fn settle(glyphs: &mut [Glyph]) {
    let count = |is: &dyn Fn(char) -> bool| glyphs.iter().filter(|glyph| glyph.text.starts_with(is)).count();
    let (ligatures, accents) = (count(&is_ligature), count(&is_guessed));
    if ligatures + accents == 0 {
        return;
    }
    let has_ligatures = count(&|c| c == char::REPLACEMENT_CHARACTER) <= ligatures;
    let has_accents = accents * MOST_ACCENTS <= glyphs.iter().filter(|glyph| glyph.has_text()).count();
    for glyph in glyphs.iter_mut().filter(|glyph| glyph.text.starts_with(|c| is_ligature(c) || is_guessed(c)))
    {
        match glyph.text.pop() {
            Some(c) if is_guessed(c) && has_accents => glyph.text.push(accented(u32::from(c) - GUESSED)),
            Some(c) if is_ligature(c) && has_ligatures => push(&mut glyph.text, c),
            _ => glyph.text.push(char::REPLACEMENT_CHARACTER),
        }
    }
}

fn is_ligature(c: char) -> bool {
    ('\u{FB00}'..='\u{FB04}').contains(&c)
}

fn is_guessed(c: char) -> bool {
    u32::from(c) >= GUESSED + 0xC0 && u32::from(c) <= GUESSED + 0xFF
}

/// The letter with an accent that has the `code` in Latin-1 and in the encoding of Cork, which differs in three.
fn accented(code: u32) -> char {
    match code {
        0xD7 => 'Œ',
        0xF7 => 'œ',
        0xFF => 'ß',
        code => char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

/// Adds `c` as people write it, unless it is white space or a control character.
pub(super) fn push(text: &mut String, c: char) {
    match c {
        // Searching for the letters finds them only one by one.
        '\u{FB00}' => text.push_str("ff"),
        '\u{FB01}' => text.push_str("fi"),
        '\u{FB02}' => text.push_str("fl"),
        '\u{FB03}' => text.push_str("ffi"),
        '\u{FB04}' => text.push_str("ffl"),
        '\u{FB05}' | '\u{FB06}' => text.push_str("st"),
        c if c.is_whitespace() || c.is_control() => {}
        c => text.push(c),
    }
}
