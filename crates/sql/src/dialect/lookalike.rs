//! Names that look the same but have other characters: another kind of blank, or an accent of its own.

use unicode_normalization::UnicodeNormalization;

/// Whether the names differ in nothing that a reader sees.
pub(super) fn looks_like(one: &str, other: &str) -> bool {
    plain(one).to_lowercase() == plain(other).to_lowercase()
}

/// Composed characters, one kind of blank, none at the ends, and nothing invisible.
fn plain(name: &str) -> String {
    let visible =
        name.nfc().filter(|c| !matches!(c, '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | '\u{AD}'));
    let blanks: String = visible.map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
    blanks.trim().to_owned()
}

/// Names the characters of `name` that a keyboard does not have.
pub(super) fn difference(name: &str) -> String {
    let odd: Vec<String> = name
        .chars()
        .filter(|c| !c.is_ascii() || c.is_ascii_control())
        .map(|c| format!("U+{:04X}", u32::from(c)))
        .collect();
    format!(
        "the name has other characters than it seems ({}); _N is the column by its position",
        odd.join(", ")
    )
}
