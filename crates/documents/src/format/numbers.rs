//! The numbers of items in lists, as their formats show them: `3`, `c`, `iii`.

/// The values of letters in Roman numbers, and of pairs that subtract.
const ROMAN: [(u64, &str); 13] = [
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
];

/// The most that Roman numbers and letters are used for; other numbers are decimal.
const MOST_ROMAN: u64 = 3999;
const MOST_LETTERS: u64 = 780;

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
    pub(super) fn named(name: &str) -> Self {
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
    let index = number.checked_sub(1).filter(|_| number <= MOST_LETTERS);
    let Some(index) = index else { return number.to_string() };
    let letter = ('a'..='z').nth(usize::try_from(index % 26).unwrap_or(0)).unwrap_or('a');
    std::iter::repeat_n(letter, usize::try_from(index / 26).unwrap_or(0) + 1).collect()
}

fn roman(number: u64) -> String {
    if !(1..=MOST_ROMAN).contains(&number) {
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
            assert_eq!(NumberFormat::named(name).show(number), expected, "{name} {number}");
        }
    }
}
