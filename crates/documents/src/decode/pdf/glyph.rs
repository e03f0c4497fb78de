//! A glyph: what it means, and where it stands on the page.

use hayro_interpret::font::Glyph as FontGlyph;
use hayro_interpret::hayro_cmap::BfString;
use hayro_interpret::kurbo::Point;
use unicode_normalization::char::{compose, decompose_compatible};

use super::embedded::EmbeddedFonts;
use super::fonts::substitute_bytes;
use super::to_unicode::SILENT;

/// How far above its base line the middle of a small letter is, in heights of the font.
const MIDDLE: f64 = 0.25;

/// A glyph on the page, in a frame in which its text runs to the right and lines follow downwards.
#[derive(Clone, Debug)]
pub(super) struct Glyph {
    /// Empty for a blank, [`SILENT`] for a glyph that another one's text includes.
    pub(super) text: String,
    /// The left edge, and the base line.
    pub(super) x: f64,
    pub(super) y: f64,
    /// The expected start of the next glyph.
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

    /// Its middle, where it is on the page.
    pub(super) fn middle(&self) -> Point {
        let (sin, cos) = f64::from(self.turn).to_radians().sin_cos();
        let (x, y) = (f64::midpoint(self.x, self.end), self.y - MIDDLE * self.size);
        Point::new(x * cos - y * sin, x * sin + y * cos)
    }
}

/// The characters of a glyph; none for a blank, U+FFFD if the document does not say.
pub(super) fn text_of(glyph: &FontGlyph<'_>, fonts: &mut EmbeddedFonts) -> String {
    let mut text = String::new();
    match glyph.as_unicode() {
        Some(BfString::Char(SILENT)) => text.push(SILENT),
        Some(BfString::Char(c)) => push(&mut text, c),
        Some(BfString::String(string)) => string.chars().for_each(|c| push(&mut text, c)),
        None => {
            let outline = if let FontGlyph::Outline(outline) = glyph { Some(outline) } else { None };
            match outline.and_then(|outline| fonts.char_of(outline)) {
                Some(c) => push(&mut text, c),
                None => guess(&mut text, glyph),
            }
        }
    }
    text
}

/// The likely meaning of a glyph that has neither a character nor a known name.
fn guess(text: &mut String, glyph: &FontGlyph<'_>) {
    let is_byte = match glyph {
        FontGlyph::Type3(_) => true,
        // The numbers of glyphs in a font that is not there.
        FontGlyph::Outline(outline)
            if outline.font_data().is_some_and(|font| (*font.data).as_ref() == substitute_bytes()) =>
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
        Some(code @ (0x0B..=0x0F | 0x1B..=0x1F)) => {
            text.extend(char::from_u32(0xFB00 + u32::from(code & 0x0F) - 0x0B));
        }
        Some(b' ') => {}
        Some(code @ 0x21..=0x7E) => text.push(char::from(code)),
        Some(code @ 0xC0..) => text.extend(char::from_u32(GUESSED + u32::from(code))),
        _ => text.push(char::REPLACEMENT_CHARACTER),
    }
}

/// Stands for the letter with an accent that a code probably is, until [`settle`] decides. No document has these characters.
const GUESSED: u32 = 0x10_FF00;

/// The most letters with accents that a text has, as a part of all.
const MAX_ACCENTS: usize = 4;

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
    let has_accents = accents * MAX_ACCENTS <= glyphs.iter().filter(|glyph| glyph.has_text()).count();
    for glyph in glyphs.iter_mut().filter(|glyph| glyph.text.starts_with(|c| is_ligature(c) || is_guessed(c)))
    {
        match glyph.text.pop() {
            Some(c) if is_guessed(c) && has_accents => {
                glyph.text.push(letter_of_code(u32::from(c) - GUESSED))
            }
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
fn letter_of_code(code: u32) -> char {
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
        '\u{FB00}'..='\u{FB06}' => decompose_compatible(c, |letter| text.push(letter)),
        c if c.is_whitespace() || c.is_control() => {}
        c => text.push(c),
    }
}

/// Accents that take room, and those that combine with a letter.
const ACCENTS: &str = "`´^ˆ~˜¯˘˙¨˚˝ˇ¸˛";
const COMBINING: &str = "\u{300}\u{301}\u{302}\u{302}\u{303}\u{303}\u{304}\u{306}\u{307}\u{308}\u{30A}\u{30B}\u{30C}\u{327}\u{328}";

/// How much of the narrower glyph lies beside the other, at least, and how far the middles are apart, in heights of the font,
/// at most.
const OVERLAP: f64 = 0.6;
const APART: f64 = 0.25;

/// How far the base lines are apart, in heights of the font: accents are raised for capital letters.
const RAISED: f64 = 0.45;

/// The `glyphs` of a page with an accent and its letter, in either order, as one glyph at the place of the letter.
pub(super) fn compose_accents(glyphs: Vec<Glyph>) -> Vec<Glyph> {
    let mut whole: Vec<Glyph> = Vec::with_capacity(glyphs.len());
    for glyph in glyphs {
        match whole.last_mut().and_then(|before| Some((letter(before, &glyph)?, before))) {
            Some((letter, before)) => *before = letter,
            None => whole.push(glyph),
        }
    }
    whole
}

/// The letter that two glyphs are, one of which is an accent on the other.
fn letter(first: &Glyph, second: &Glyph) -> Option<Glyph> {
    let [one, other] = [only(first)?, only(second)?];
    let (base, accent, text) = match (combining(one), combining(other)) {
        (None, Some(mark)) => (first, second, compose(dotted(one), mark)?),
        (Some(mark), None) => (second, first, compose(dotted(other), mark)?),
        _ => return None,
    };
    is_on(accent, base).then(|| Glyph { text: text.to_string(), ..base.clone() })
}

/// The only character of a glyph.
fn only(glyph: &Glyph) -> Option<char> {
    let mut chars = glyph.text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

fn combining(c: char) -> Option<char> {
    match c {
        '\u{300}'..='\u{36F}' => Some(c),
        _ => COMBINING.chars().nth(ACCENTS.chars().position(|accent| accent == c)?),
    }
}

/// Letters lose their dot below an accent; their code has it.
fn dotted(c: char) -> char {
    match c {
        'ı' => 'i',
        'ȷ' => 'j',
        c => c,
    }
}

fn is_on(accent: &Glyph, base: &Glyph) -> bool {
    let size = accent.size.max(base.size);
    let [own, wide] = [accent, base].map(|glyph| glyph.end - glyph.x);
    let overlap = accent.end.min(base.end) - accent.x.max(base.x);
    let apart = (f64::midpoint(accent.x, accent.end) - f64::midpoint(base.x, base.end)).abs();
    accent.turn == base.turn
        && (accent.y - base.y).abs() < RAISED * size
        && overlap >= OVERLAP * own.min(wide)
        && apart < APART * size
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glyph(text: &str, x: f64, end: f64, y: f64) -> Glyph {
        Glyph { text: text.to_owned(), x, y, end, size: 10.0, turn: 0 }
    }

    fn text(glyphs: Vec<Glyph>) -> String {
        compose_accents(glyphs).into_iter().map(|glyph| glyph.text).collect()
    }

    #[test]
    fn an_accent_on_a_letter_is_part_of_it() {
        for (letter, accent, whole) in [
            ("e", "´", "é"),
            ("E", "`", "È"),
            ("o", "¨", "ö"),
            ("c", "¸", "ç"),
            ("ı", "´", "í"),
            ("n", "\u{303}", "ñ"),
            ("S", "ˇ", "Š"),
            ("a", "^", "â"),
        ] {
            // Drawn before the letter and after it; over a capital letter it is raised.
            for y in [0.0, -2.0] {
                let (base, mark) = (glyph(letter, 20.0, 25.0, 0.0), glyph(accent, 20.5, 24.0, y));
                assert_eq!(text(vec![base.clone(), mark.clone()]), whole, "{letter}{accent}");
                assert_eq!(text(vec![mark, base]), whole, "{accent}{letter}");
            }
        }
    }

    #[test]
    fn an_accent_beside_a_letter_stays() {
        let base = glyph("a", 20.0, 25.0, 0.0);
        for (accent, x, y) in [("´", 25.0, 0.0), ("´", 15.5, 0.0), ("´", 20.0, -12.0), ("´", 23.0, 0.0)] {
            let both = format!("a{accent}");
            assert_eq!(text(vec![base.clone(), glyph(accent, x, x + 4.0, y)]), both, "{accent} at {x}, {y}");
        }
        // There is no such letter.
        assert_eq!(text(vec![glyph("1", 20.0, 25.0, 0.0), glyph("´", 20.5, 24.0, 0.0)]), "1´");
        let turned = Glyph { turn: 90, ..glyph("´", 20.5, 24.0, 0.0) };
        assert_eq!(text(vec![base, turned]), "a´");
    }
}
