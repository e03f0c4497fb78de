//! Characters of symbol fonts, whose numbers mean pictures: check boxes, arrows, Greek letters.

/// The characters from 0x20 on of the font Symbol; blanks are numbers without a character.
const SYMBOL: [&str; 2] = [
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\u{FFFD}〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
];

/// Characters of fonts that Microsoft drew, by their numbers: those that carry meaning in a text.
const WINGDINGS: &[(u8, char)] = &[
    (0x20, ' '),
    (0x21, '✏'),
    (0x22, '✂'),
    (0x28, '☎'),
    (0x2A, '✉'),
    (0x36, '⌛'),
    (0x3F, '✍'),
    (0x41, '✌'),
    (0x43, '👍'),
    (0x44, '👎'),
    (0x45, '☜'),
    (0x46, '☞'),
    (0x47, '☝'),
    (0x48, '☟'),
    (0x4A, '☺'),
    (0x4C, '☹'),
    (0x4D, '💣'),
    (0x4E, '☠'),
    (0x51, '✈'),
    (0x52, '☼'),
    (0x54, '❄'),
    (0x6C, '●'),
    (0x6E, '■'),
    (0x6F, '□'),
    (0x71, '❑'),
    (0x72, '❒'),
    (0x74, '⧫'),
    (0x75, '◆'),
    (0x76, '❖'),
    (0x77, '⬥'),
    (0x78, '⌧'),
    (0x80, '⓪'),
    (0x81, '①'),
    (0x82, '②'),
    (0x83, '③'),
    (0x84, '④'),
    (0x85, '⑤'),
    (0x86, '⑥'),
    (0x87, '⑦'),
    (0x88, '⑧'),
    (0x89, '⑨'),
    (0x8A, '⑩'),
    (0x8B, '⓿'),
    (0x8C, '❶'),
    (0x8D, '❷'),
    (0x8E, '❸'),
    (0x8F, '❹'),
    (0x90, '❺'),
    (0x91, '❻'),
    (0x92, '❼'),
    (0x93, '❽'),
    (0x94, '❾'),
    (0x95, '❿'),
    (0x9E, '·'),
    (0x9F, '•'),
    (0xA1, '○'),
    (0xA4, '◉'),
    (0xA7, '▪'),
    (0xA8, '☐'),
    (0xAB, '★'),
    (0xD8, '➢'),
    (0xDF, '←'),
    (0xE0, '→'),
    (0xE1, '↑'),
    (0xE2, '↓'),
    (0xE8, '➔'),
    (0xEF, '⇦'),
    (0xF0, '⇨'),
    (0xF1, '⇧'),
    (0xF2, '⇩'),
    (0xFB, '✗'),
    (0xFC, '✓'),
    (0xFD, '☒'),
    (0xFE, '☑'),
];
const WINGDINGS_2: &[(u8, char)] = &[
    (0x20, ' '),
    (0x4F, '✗'),
    (0x50, '✓'),
    (0x51, '☒'),
    (0x52, '☑'),
    (0x53, '☒'),
    (0x54, '☒'),
    (0x96, '•'),
    (0x98, '●'),
    (0xA2, '■'),
    (0xA3, '☐'),
];
const WEBDINGS: &[(u8, char)] =
    &[(0x20, ' '), (0x61, '✓'), (0x63, '☐'), (0x67, '■'), (0x6E, '●'), (0x72, '✗')];

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
    let among = |list: &[(u8, char)]| list.iter().find(|(of, _)| Some(*of) == number).map(|(_, c)| *c);
    let found = match (font, number) {
        ("Symbol", Some(number @ 0x20..=0x7E)) => SYMBOL[0].chars().nth(usize::from(number) - 0x20),
        ("Symbol", Some(number @ 0xA0..=0xFE)) => SYMBOL[1].chars().nth(usize::from(number) - 0xA0),
        ("Wingdings", Some(_)) => among(WINGDINGS),
        ("Wingdings 2", Some(_)) => among(WINGDINGS_2),
        ("Webdings", Some(_)) => among(WEBDINGS),
        _ if is_symbol_font(font) => None,
        _ => char::from_u32(code).filter(|c| !matches!(c, '\u{E000}'..='\u{F8FF}') && !c.is_control()),
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
