//! Letters whose accents are glyphs of their own, which many fonts and programs have: a letter and an accent on it are one
//! letter.

use unicode_normalization::char::compose;

use super::glyph::Glyph;

/// Accents that take room, and those that combine with a letter.
const ACCENTS: [(char, char); 15] = [
    ('`', '\u{300}'),
    ('´', '\u{301}'),
    ('^', '\u{302}'),
    ('ˆ', '\u{302}'),
    ('~', '\u{303}'),
    ('˜', '\u{303}'),
    ('¯', '\u{304}'),
    ('˘', '\u{306}'),
    ('˙', '\u{307}'),
    ('¨', '\u{308}'),
    ('˚', '\u{30A}'),
    ('˝', '\u{30B}'),
    ('ˇ', '\u{30C}'),
    ('¸', '\u{327}'),
    ('˛', '\u{328}'),
];

/// How much of the narrower glyph lies beside the other, at least, and how far the middles are apart, in heights of the font,
/// at most.
const OVERLAP: f64 = 0.6;
const APART: f64 = 0.25;

/// How far the base lines are apart, in heights of the font: accents are raised for capital letters.
const RAISED: f64 = 0.45;

/// The `glyphs` of a page with an accent and its letter, in either order, as one glyph at the place of the letter.
pub(super) fn composed(glyphs: Vec<Glyph>) -> Vec<Glyph> {
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
        _ => ACCENTS.iter().find(|(accent, _)| *accent == c).map(|(_, mark)| *mark),
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
        composed(glyphs).into_iter().map(|glyph| glyph.text).collect()
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
