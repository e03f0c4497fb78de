//! Characters of symbol fonts, whose numbers mean pictures: check boxes, arrows, Greek letters.

/// Runs of characters of symbol fonts, each with the number of its first; of those fonts that Microsoft drew, the ones that
/// carry meaning in a text.
#[rustfmt::skip]
const RUNS: [(&str, u8, &str); 39] = [
    ("Symbol", 0x20, " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"),
    ("Symbol", 0xA0, "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\u{FFFD}〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"),
    ("Wingdings", 0x20, " ✏✂"),
    ("Wingdings", 0x28, "☎"),
    ("Wingdings", 0x2A, "✉"),
    ("Wingdings", 0x36, "⌛"),
    ("Wingdings", 0x3F, "✍"),
    ("Wingdings", 0x41, "✌"),
    ("Wingdings", 0x43, "👍👎☜☞☝☟"),
    ("Wingdings", 0x4A, "☺"),
    ("Wingdings", 0x4C, "☹💣☠"),
    ("Wingdings", 0x51, "✈☼"),
    ("Wingdings", 0x54, "❄"),
    ("Wingdings", 0x6C, "●"),
    ("Wingdings", 0x6E, "■□"),
    ("Wingdings", 0x71, "❑❒"),
    ("Wingdings", 0x74, "⧫◆❖⬥⌧"),
    ("Wingdings", 0x80, "⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿"),
    ("Wingdings", 0x9E, "·•"),
    ("Wingdings", 0xA1, "○"),
    ("Wingdings", 0xA4, "◉"),
    ("Wingdings", 0xA7, "▪☐"),
    ("Wingdings", 0xAB, "★"),
    ("Wingdings", 0xD8, "➢"),
    ("Wingdings", 0xDF, "←→↑↓"),
    ("Wingdings", 0xE8, "➔"),
    ("Wingdings", 0xEF, "⇦⇨⇧⇩"),
    ("Wingdings", 0xFB, "✗✓☒☑"),
    ("Wingdings 2", 0x20, " "),
    ("Wingdings 2", 0x4F, "✗✓☒☑☒☒"),
    ("Wingdings 2", 0x96, "•"),
    ("Wingdings 2", 0x98, "●"),
    ("Wingdings 2", 0xA2, "■☐"),
    ("Webdings", 0x20, " "),
    ("Webdings", 0x61, "✓"),
    ("Webdings", 0x63, "☐"),
    ("Webdings", 0x67, "■"),
    ("Webdings", 0x6E, "●"),
    ("Webdings", 0x72, "✗"),
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
    let runs = RUNS.iter().filter(|(name, _, _)| *name == font);
    let found = match runs.rev().find(|(_, first, _)| Some(*first) <= number) {
        Some((_, first, characters)) => {
            number.and_then(|number| characters.chars().nth(usize::from(number - first)))
        }
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
