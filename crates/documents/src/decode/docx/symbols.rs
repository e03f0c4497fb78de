//! Characters of symbol fonts, whose numbers mean pictures: check boxes, arrows, Greek letters.

/// Runs of characters of a font, each with the number of its first.
type Runs = &'static [(u8, &'static str)];

/// The characters of symbol fonts; of those that Microsoft drew, the ones that carry meaning in a text.
const FONTS: [(&str, Runs); 4] = [
    (
        "Symbol",
        &[
            (
                0x20,
                " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
            ),
            (
                0xA0,
                "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\u{FFFD}〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
            ),
        ],
    ),
    (
        "Wingdings",
        &[
            (0x20, " ✏✂"),
            (0x28, "☎"),
            (0x2A, "✉"),
            (0x36, "⌛"),
            (0x3F, "✍"),
            (0x41, "✌"),
            (0x43, "👍👎☜☞☝☟"),
            (0x4A, "☺"),
            (0x4C, "☹💣☠"),
            (0x51, "✈☼"),
            (0x54, "❄"),
            (0x6C, "●"),
            (0x6E, "■□"),
            (0x71, "❑❒"),
            (0x74, "⧫◆❖⬥⌧"),
            (0x80, "⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿"),
            (0x9E, "·•"),
            (0xA1, "○"),
            (0xA4, "◉"),
            (0xA7, "▪☐"),
            (0xAB, "★"),
            (0xD8, "➢"),
            (0xDF, "←→↑↓"),
            (0xE8, "➔"),
            (0xEF, "⇦⇨⇧⇩"),
            (0xFB, "✗✓☒☑"),
        ],
    ),
    ("Wingdings 2", &[(0x20, " "), (0x4F, "✗✓☒☑☒☒"), (0x96, "•"), (0x98, "●"), (0xA2, "■☐")]),
    ("Webdings", &[(0x20, " "), (0x61, "✓"), (0x63, "☐"), (0x67, "■"), (0x6E, "●"), (0x72, "✗")]),
];

/// Whether the numbers of the characters of `font` mean pictures.
pub(super) fn is_symbol_font(font: &str) -> bool {
    font == "Symbol" || font == "Webdings" || font.starts_with("Wingdings")
}

/// The character that `font` draws for the character `code`, U+FFFD if nobody knows.
pub(super) fn symbol(font: &str, code: u32) -> char {
    // Symbol fonts have their characters in a private area of Unicode, too.
    let number = match code {
        0xF000..=0xF0FF => u8::try_from(code - 0xF000).ok(),
        _ => u8::try_from(code).ok(),
    };
    let character = |runs: Runs| {
        let (first, characters) = runs.iter().rfind(|(first, _)| Some(*first) <= number)?;
        characters.chars().nth(usize::from(number? - first))
    };
    let found = match FONTS.iter().find(|(name, _)| *name == font) {
        Some((_, runs)) => character(runs),
        None if is_symbol_font(font) => None,
        None => char::from_u32(code).filter(|c| !matches!(c, '\u{E000}'..='\u{F8FF}') && !c.is_control()),
    };
    found.unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_symbol_fonts_are_characters() {
        for (font, code, expected) in [
            ("Wingdings", 0xF0FE, '☑'),
            ("Wingdings", 0xFE, '☑'),
            ("Wingdings", 0xF0A8, '☐'),
            ("Wingdings 2", 0xF052, '☑'),
            ("Symbol", 0xF061, 'α'),
            ("Symbol", 0xF07E, '∼'),
            ("Symbol", 0xF0A3, '≤'),
            ("Symbol", 0xF0B3, '≥'),
            ("Symbol", 0xF0E5, '∑'),
            ("Symbol", 0xF0FE, '⎭'),
            ("MS Gothic", 0x2612, '☒'),
            ("Wingdings 3", 0xF021, '\u{FFFD}'),
            ("Other", 0xF021, '\u{FFFD}'),
        ] {
            assert_eq!(symbol(font, code), expected, "{font} {code:x}");
        }
    }
}
