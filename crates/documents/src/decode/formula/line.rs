//! Parts of formulas on one line: fractions, roots, indices, each with parentheses where it needs them.

use crate::decode::numerals::Script;

/// Adds `part` to `line`, with a blank where two numbers would become one.
pub(crate) fn push(line: &mut String, part: &str) {
    if line.ends_with(is_number) && part.starts_with(is_number) && (ends_apart(line) || part.contains('/')) {
        line.push(' ');
    }
    line.push_str(part);
}

fn is_number(c: char) -> bool {
    c.is_alphanumeric() && !c.is_alphabetic()
}

/// Whether the number at the end of `line` is below a fraction line or under a root: a digit after it were a part of it.
pub(crate) fn ends_apart(line: &str) -> bool {
    let before = line.trim_end_matches(|c: char| is_number(c) || matches!(c, '.' | ','));
    before.ends_with(['/', '√', '∛', '∜'])
}

/// The parts one after the other.
pub(super) fn join(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().fold(String::new(), |mut line, part| {
        push(&mut line, &part);
        line
    })
}

/// `text` in parentheses, unless it is one number, one letter or in parentheses already: `1/2x` would be half of x.
pub(super) fn enclose(text: &str) -> String {
    let is_mark = |c: char| {
        matches!(c, '\'' | '′' | '\u{300}'..='\u{36F}' | '\u{20D0}'..='\u{20FF}')
            || c.is_numeric() && !c.is_ascii_digit()
    };
    let is_number = text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
    let is_letter = text.chars().skip(1).all(is_mark) && !text.starts_with(is_mark);
    if is_number || is_letter || is_enclosed(text) { text.to_owned() } else { format!("({text})") }
}

/// Whether the parenthesis at the start is closed at the end, and not before.
fn is_enclosed(text: &str) -> bool {
    let mut depth = 0i64;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth <= 0 {
            return depth == 0 && at > 0 && at + c.len_utf8() == text.len();
        }
    }
    false
}

pub(super) fn fraction(above: &str, below: &str) -> String {
    // A product above the line needs no parentheses.
    let is_product = above.chars().all(|c| c.is_alphanumeric() || c == '.');
    let above = if is_product { above.to_owned() } else { enclose(above) };
    format!("{above}/{}", enclose(below))
}

/// Two parts one above the other without a line, as in binomials.
pub(super) fn stack(above: &str, below: &str) -> String {
    format!("({above}¦{below})")
}

pub(super) fn root(degree: &str, of: &str) -> String {
    match degree.trim() {
        "" | "2" => format!("√{}", enclose(of)),
        "3" => format!("∛{}", enclose(of)),
        "4" => format!("∜{}", enclose(of)),
        degree => format!("√[{degree}]({of})"),
    }
}

/// Signs that make a base more than one sign or name.
const OPERATORS: [char; 10] = [' ', '+', '-', '\u{2212}', '/', '*', '=', '·', '×', '±'];

/// `base` with an index, an exponent or both.
pub(super) fn scripts(base: &str, index: &str, exponent: &str) -> String {
    let is_compound = base.contains(OPERATORS) && base.chars().count() > 1;
    let is_power = !exponent.trim().is_empty() && !is_enclosed(base) && has_exponent(base);
    let mut line = match (is_power, is_compound) {
        (true, _) => format!("({base})"),
        (_, true) => enclose(base),
        _ => base.to_owned(),
    };
    for (script, text) in [(Script::Lowered, index), (Script::Raised, exponent)] {
        match text.trim() {
            "" => {}
            // Primes are raised already, and a degree sign is.
            text if text.chars().all(|c| matches!(c, '\'' | '′' | '″' | '‴' | '°')) => {
                line.push_str(text)
            }
            text => line.push_str(&script.of(text)),
        }
    }
    line
}

/// Whether `base` ends with an exponent: 2³ with the exponent 4 is not 2³⁴.
fn has_exponent(base: &str) -> bool {
    let is_braced = || base.rsplit_once('{').is_some_and(|(before, _)| before.ends_with('^'));
    base.ends_with(Script::is_raised) || base.ends_with('}') && is_braced()
}

/// A sign such as that of a sum with its limits, and what it is of.
pub(super) fn large(sign: &str, below: &str, above: &str, of: &str) -> String {
    let head = scripts(sign, below, above);
    let separator = if of.is_empty() || head == sign { "" } else { " " };
    head + separator + of
}

/// `text` with the mark `accent` over or under each character.
pub(super) fn add_accent(text: &str, accent: &str) -> String {
    let Some(mark) = accent.chars().next().and_then(combining) else {
        return scripts(text, "", accent);
    };
    let is_line = matches!(mark, '\u{305}' | '\u{332}' | '\u{333}');
    if is_line || text.chars().count() == 1 {
        return text.chars().flat_map(|c| [c, mark]).collect();
    }
    format!("{}{mark}", enclose(text))
}

/// The combining form of an accent.
fn combining(accent: char) -> Option<char> {
    Some(match accent {
        '\u{300}'..='\u{36F}' | '\u{20D0}'..='\u{20FF}' => accent,
        '^' | 'ˆ' => '\u{302}',
        '~' | '˜' | '∼' => '\u{303}',
        '¯' | '‾' | '―' | '_' | '‐' => '\u{305}',
        '˙' | '.' => '\u{307}',
        '¨' => '\u{308}',
        'ˇ' => '\u{30C}',
        '→' => '\u{20D7}',
        _ => return None,
    })
}

/// Rows of cells.
pub(super) fn matrix(rows: &[Vec<String>]) -> String {
    rows.iter().map(|row| row.join(", ")).collect::<Vec<_>>().join("; ")
}
