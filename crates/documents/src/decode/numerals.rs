//! Numbers of list items, and raised and lowered text, as plain text: `iii`, `10⁶`, `^{…}`, `_{…}`.

/// Whether text stands above or below its base line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Raised,
    Lowered,
}

/// Characters with a raised and a lowered form in Unicode.
const PLAIN: &str = "0123456789+-=()";
pub(super) const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾";
const LOWERED: &str = "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎";

/// The endings of English ordinals, which are words and not exponents.
const ORDINALS: [&str; 4] = ["st", "nd", "rd", "th"];

impl Script {
    /// Adds `text` to `line` as it stands there: 10 with a raised 6 is `10⁶`, not 106.
    pub(super) fn push(self, line: &mut String, text: &str) {
        let inner = text.trim();
        let has_value = inner.contains(char::is_alphanumeric);
        let is_ordinal = || {
            let is_ending = ORDINALS.contains(&inner.to_ascii_lowercase().as_str());
            self == Script::Raised && is_ending && line.ends_with(|c: char| c.is_ascii_digit())
        };
        if !has_value || is_ordinal() {
            return line.push_str(text);
        }
        let start = text.len() - text.trim_start().len();
        line.push_str(&text[..start]);
        line.push_str(&self.of(inner));
        line.push_str(&text[start + inner.len()..]);
    }

    /// `text` as an index or an exponent.
    pub(super) fn of(self, text: &str) -> String {
        let (characters, mark) = match self {
            Script::Raised => (RAISED, '^'),
            Script::Lowered => (LOWERED, '_'),
        };
        let form = |c: char| {
            // A minus sign is as good as a hyphen.
            let c = if c == '\u{2212}' { '-' } else { c };
            characters.chars().nth(PLAIN.chars().position(|plain| plain == c)?)
        };
        text.chars().map(form).collect::<Option<String>>().unwrap_or_else(|| format!("{mark}{{{text}}}"))
    }
}

/// The values of letters in Roman numbers, and of pairs that subtract.
#[rustfmt::skip]
const ROMAN: [(u64, &str); 13] = [
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"),
    (5, "v"), (4, "iv"), (1, "i"),
];

/// The most that Roman numbers and letters are used for; other numbers are decimal.
const MAX_ROMAN: u64 = 3999;
const MAX_LETTERS: u64 = 780;

/// How a number is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum NumberFormat {
    #[default]
    Decimal,
    LowerLetter,
    UpperLetter,
    LowerRoman,
    UpperRoman,
}

impl NumberFormat {
    /// The format that Word documents call `lowerLetter` and OpenDocument calls `a`; decimal for all others.
    pub(super) fn from_name(name: &str) -> Self {
        match name {
            "lowerLetter" | "a" => NumberFormat::LowerLetter,
            "upperLetter" | "A" => NumberFormat::UpperLetter,
            "lowerRoman" | "i" => NumberFormat::LowerRoman,
            "upperRoman" | "I" => NumberFormat::UpperRoman,
            _ => NumberFormat::Decimal,
        }
    }

    pub(super) fn show(self, number: u64) -> String {
        match self {
            NumberFormat::LowerLetter => letters(number),
            NumberFormat::UpperLetter => letters(number).to_uppercase(),
            NumberFormat::LowerRoman => roman(number),
            NumberFormat::UpperRoman => roman(number).to_uppercase(),
            NumberFormat::Decimal => number.to_string(),
        }
    }
}

/// `a` to `z`, then `aa`, `bb` and so on, as in both formats.
fn letters(number: u64) -> String {
    let index = number.checked_sub(1).filter(|_| number <= MAX_LETTERS);
    let Some(index) = index else { return number.to_string() };
    let letter = ('a'..='z').nth(usize::try_from(index % 26).unwrap_or(0)).unwrap_or('a');
    std::iter::repeat_n(letter, usize::try_from(index / 26).unwrap_or(0) + 1).collect()
}

fn roman(number: u64) -> String {
    if !(1..=MAX_ROMAN).contains(&number) {
        return number.to_string();
    }
    let (mut rest, mut text) = (number, String::new());
    for (value, letters) in ROMAN {
        while rest >= value {
            text.push_str(letters);
            rest -= value;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raised_and_lowered_text_does_not_join_its_base() {
        for (base, raised, expected) in [
            ("10", "6", "10⁶"),
            ("10", "-6", "10⁻⁶"),
            ("10", "\u{2212}6", "10⁻⁶"),
            ("x", "2n", "x^{2n}"),
            ("word", "12", "word¹²"),
            ("10", " 6 ", "10 ⁶ "),
            ("1", "st", "1st"),
            ("2", "n", "2^{n}"),
            ("2", "th", "2th"),
            ("x", "th", "x^{th}"),
            ("Name", "®", "Name®"),
            ("a", ", ", "a, "),
            ("a", "", "a"),
        ] {
            let mut line = base.to_owned();
            Script::Raised.push(&mut line, raised);
            assert_eq!(line, expected);
        }
        let mut line = "H".to_owned();
        Script::Lowered.push(&mut line, "2");
        line.push_str("O, x");
        Script::Lowered.push(&mut line, "max");
        assert_eq!(line, "H₂O, x_{max}");
    }

    #[test]
    fn numbers_are_shown_in_every_format() {
        for (name, number, expected) in [
            ("decimal", 12, "12"),
            ("1", 0, "0"),
            ("lowerLetter", 1, "a"),
            ("a", 26, "z"),
            ("A", 27, "AA"),
            ("upperLetter", 80, "BBBB"),
            ("a", 0, "0"),
            ("a", u64::MAX, "18446744073709551615"),
            ("lowerRoman", 4, "iv"),
            ("i", 1999, "mcmxcix"),
            ("I", 3888, "MMMDCCCLXXXVIII"),
            ("upperRoman", 0, "0"),
            ("I", 4000, "4000"),
            ("chicago", 3, "3"),
        ] {
            assert_eq!(NumberFormat::from_name(name).show(number), expected, "{name} {number}");
        }
    }
}
