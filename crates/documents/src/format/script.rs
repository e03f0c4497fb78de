//! Raised and lowered text as plain text: the characters of Unicode for it, or `^{…}` and `_{…}`.

/// Whether text stands above or below its base line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Raised,
    Lowered,
}

/// Characters with a raised and a lowered form in Unicode.
const PLAIN: &str = "0123456789+-=()";
const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾";
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

    /// Whether `c` is a raised character.
    pub(super) fn is_raised(c: char) -> bool {
        RAISED.contains(c)
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
}
