//! Text of right-to-left scripts: from the order on the page, from left to right, to the order in which it is read.

use std::ops::Range;

/// The effect of a character on the direction of the text around it: the classes of Unicode's bidirectional algorithm
/// (UAX #9), as far as they matter once the text is laid out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Left,
    Right,
    Digit,
    /// Part of a number between two digits.
    Separator,
    /// A separator, but not in Arabic.
    Sign,
    /// Part of a number beside a digit, but not in Arabic.
    Terminator,
    Neutral,
}

/// Brackets, each with the one that is its mirror image.
const BRACKETS: [(char, char); 6] = [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>'), ('«', '»'), ('‹', '›')];

impl Class {
    /// The blocks of right-to-left scripts (Unicode, DerivedBidiClass.txt), without their digits.
    fn of(c: char) -> Class {
        match c {
            '0'..='9' | '\u{660}'..='\u{669}' | '\u{66B}' | '\u{66C}' | '\u{6F0}'..='\u{6F9}' => Class::Digit,
            '.' | ',' | ':' | '/' | '\u{A0}' | '\u{60C}' => Class::Separator,
            '-' | '+' | '\u{2212}' => Class::Sign,
            '%' | '‰' | '°' | '#' | '$' | '£' | '€' | '₪' | '\u{66A}' => Class::Terminator,
            '\u{590}'..='\u{8FF}'
            | '\u{FB1D}'..='\u{FD3D}'
            | '\u{FD40}'..='\u{FDFF}'
            | '\u{FE70}'..='\u{FEFE}'
            | '\u{10800}'..='\u{10FFF}'
            | '\u{1E800}'..='\u{1EFFF}' => Class::Right,
            c if c.is_alphabetic() => Class::Left,
            _ => Class::Neutral,
        }
    }
}

pub(super) fn is_right_to_left(text: &str) -> bool {
    !text.is_ascii() && text.chars().any(|c| Class::of(c) == Class::Right)
}

/// Whether all of `text` is vowel marks of Hebrew and Arabic, which are drawn over or under a letter.
pub(super) fn is_marks(text: &str) -> bool {
    let is_mark = |c: char| {
        matches!(c,
            '\u{591}'..='\u{5BD}' | '\u{5BF}' | '\u{5C1}' | '\u{5C2}' | '\u{5C4}' | '\u{5C5}' | '\u{5C7}'
            | '\u{610}'..='\u{61A}' | '\u{64B}'..='\u{65F}' | '\u{670}' | '\u{6D6}'..='\u{6DC}'
            | '\u{6DF}'..='\u{6E4}' | '\u{6E7}' | '\u{6E8}' | '\u{6EA}'..='\u{6ED}' | '\u{FB1E}')
    };
    text.chars().all(is_mark)
}

/// How many letters of `text` run to the left, less those that run to the right.
pub(super) fn surplus(text: &str) -> i64 {
    let of = |c| match Class::of(c) {
        Class::Right => 1,
        Class::Left => -1,
        _ => 0,
    };
    text.chars().map(of).sum()
}

/// The characters of a glyph as they stand on the page.
pub(super) fn visual(glyph: String) -> String {
    if is_right_to_left(&glyph) { glyph.chars().rev().collect() } else { glyph }
}

/// A line, given from left to right, as it is read on a page of which most text `runs_left`, or does not.
pub(super) fn logical(line: &str, runs_left: bool) -> String {
    let chars: Vec<char> = line.chars().collect();
    let classes = classes(&chars);
    let has_left = classes.contains(&Class::Left);
    if runs_left || !has_left {
        return backwards(&chars, &classes);
    }
    let (mut out, mut at) = (String::with_capacity(line.len()), 0);
    while let Some(start) = position(&classes, at, Class::Right) {
        let left = position(&classes, start, Class::Left).unwrap_or(chars.len());
        let last = (start..left).rfind(|index| classes[*index] == Class::Right).unwrap_or(start);
        out.extend(&chars[at..start]);
        out.push_str(&backwards(&chars[start..=last], &classes[start..=last]));
        at = last + 1;
    }
    out.extend(&chars[at..]);
    out
}

fn position(classes: &[Class], from: usize, class: Class) -> Option<usize> {
    classes[from..].iter().position(|other| *other == class).map(|index| from + index)
}

/// The class of each character; the signs in a number become digits, and all others neutral.
fn classes(chars: &[char]) -> Vec<Class> {
    let is_arabic = chars.iter().any(|c| matches!(c, '\u{600}'..='\u{7BF}' | '\u{FB50}'..='\u{FEFE}'));
    let mut classes: Vec<Class> = chars.iter().map(|c| Class::of(*c)).collect();
    for index in 0..classes.len() {
        let follows = index > 0 && classes[index - 1] == Class::Digit;
        let precedes = classes.get(index + 1) == Some(&Class::Digit);
        let is_part = match classes[index] {
            Class::Separator => follows && precedes,
            Class::Sign => follows && precedes && !is_arabic,
            Class::Terminator => (follows || precedes) && !is_arabic,
            _ => continue,
        };
        classes[index] = if is_part { Class::Digit } else { Class::Neutral };
    }
    classes
}

/// Text that is read from right to left, but its numbers and its words of other scripts from left to right.
fn backwards(chars: &[char], classes: &[Class]) -> String {
    let is_alone = |part: &Range<usize>| ![Class::Left, Class::Digit].contains(&classes[part.start]);
    let (mut parts, mut at) = (Vec::<Range<usize>>::new(), 0);
    while at < chars.len() {
        let one = at..at + 1;
        parts.push(if is_alone(&one) { one } else { at..end_of_run(chars, classes, at) });
        at = parts.last().map_or(chars.len(), |part| part.end);
    }
    // Some documents name the bracket that stands on the page, others the one that is meant.
    let mut signs = parts.iter().rev().filter(|part| is_alone(part)).map(|part| opens(chars[part.start]));
    let are_mirrored = signs.find(|opens| *opens != 0) == Some(-1);
    let mut out = String::with_capacity(chars.len() * 2);
    for part in parts.iter().rev() {
        let is_mirrored = are_mirrored && is_alone(part);
        out.extend(chars[part.clone()].iter().map(|c| if is_mirrored { mirrored(*c) } else { *c }));
    }
    out
}

/// The end of the run of words or numbers at `start`. A number is part of words that it follows, but a word never of
/// a number: it would stand before it. Brackets after words are theirs if they contain words or numbers (rule N0).
fn end_of_run(chars: &[char], classes: &[Class], start: usize) -> usize {
    let has_words = classes[start] == Class::Left;
    let (mut end, mut open, mut has_content) = (start + 1, 0, false);
    for (index, class) in classes.iter().enumerate().skip(start + 1) {
        let after = open + if *class == Class::Neutral { opens(chars[index]) } else { 0 };
        let is_end = match class {
            Class::Left => has_words,
            Class::Digit if has_words => open == 0,
            Class::Digit => index == end,
            Class::Neutral => after < open && after == 0 && has_content,
            _ => false,
        };
        let goes_on = is_end || has_words && after >= 0 && *class != Class::Right;
        if !goes_on {
            break;
        }
        has_content = after > 0 && (has_content || *class != Class::Neutral);
        open = after;
        if is_end {
            end = index + 1;
        }
    }
    end
}

/// 1 for an opening bracket, -1 for a closing one, 0 for all else.
fn opens(c: char) -> i32 {
    BRACKETS.iter().map(|(opening, closing)| i32::from(*opening == c) - i32::from(*closing == c)).sum()
}

fn mirrored(c: char) -> char {
    let is_of = |(opening, closing): &&(char, char)| [*opening, *closing].contains(&c);
    BRACKETS
        .iter()
        .find(is_of)
        .map_or(c, |(opening, closing)| if *opening == c { *closing } else { *opening })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small letters stand for those of right-to-left scripts, as in the tests of UAX #9, and capitals for others.
    fn to_hebrew(text: &str) -> String {
        let letter = |c: char| char::from_u32(0x5D0 + c as u32 - 'a' as u32).unwrap();
        text.chars().map(|c| if c.is_ascii_lowercase() { letter(c) } else { c }).collect()
    }

    fn from_hebrew(text: &str) -> String {
        let letter = |c: char| char::from(b'a' + u8::try_from(c as u32 - 0x5D0).unwrap());
        text.chars().map(|c| if ('א'..='ת').contains(&c) { letter(c) } else { c }).collect()
    }

    fn read(line: &str, runs_left: bool) -> String {
        from_hebrew(&logical(&to_hebrew(line), runs_left))
    }

    #[test]
    fn a_line_of_a_right_to_left_page() {
        for (page, reading) in [
            (".dlrow olleh", "hello world."),
            ("sno 1,250.50 si ecirp", "price is 1,250.50 ons"),
            (".12/03/2024 no", "on 12/03/2024."),
            ("llams READ 1.0 margorp", "program READ 1.0 small"),
            ("lla rof 50% tuc", "cut 50% for all"),
            ("12 34", "34 12"),
            ("12 A", "A 12"),
            ("A 12", "A 12"),
            ("!!A, B c?", "?c A, B!!"),
            ("f A (12) x", "x A (12) f"),
            ("A ((B) 1) 2 x", "x A ((B) 1) 2"),
            ("A (B x", "x A (B"),
            ("A( 12 x", "x 12 (A"),
            ("A (x) 12 y", "y 12 (x) A"),
            ("(A) 12 x", "x 12 (A)"),
            // Brackets as they stand on the page, and as they are meant.
            ("(c) b (a)", "(a) b (c)"),
            (")c( b )a(", "(a) b (c)"),
            ("f(X)", "(X)f"),
        ] {
            assert_eq!(read(page, true), reading, "{page}");
        }
    }
    #[test]
    fn a_line_of_another_page() {
        for (page, reading) in [
            ("A olleh B", "A hello B"),
            ("A dlrow olleh B", "A hello world B"),
            ("A (olleh) B, dlrow.", "A (hello) B, world."),
            ("A 12 olleh B", "A 12 hello B"),
            ("A dlrow 12 olleh B", "A hello 12 world B"),
            // A line of its own.
            (".dlrow olleh", "hello world."),
        ] {
            assert_eq!(read(page, false), reading, "{page}");
        }
    }

    #[test]
    fn signs_in_numbers_depend_on_the_script() {
        assert_eq!(logical("2024-03-12 שת", true), "תש 2024-03-12");
        assert_eq!(logical("12-03-2024 تب", true), "بت 2024-03-12");
        assert_eq!(logical("₪5% ש", true), "ש ₪5%");
        assert_eq!(logical("%50 ت", true), "ت 50%");
        assert_eq!(logical("٣٫١٤ ت", true), "ت ٣٫١٤");
    }

    #[test]
    fn scripts_are_told_apart() {
        for text in ["ש", "ت", "aש", "ﷲ", "𐤀", "ࠀ"] {
            assert!(is_right_to_left(text), "{text}");
        }
        for text in ["", "a", "ä漢", "12", "٣", "۳", "€", "\u{FEFF}"] {
            assert!(!is_right_to_left(text), "{text}");
        }
        assert_eq!((surplus("שלa 1"), surplus("ab ש."), surplus("1.")), (1, -1, 0));
        assert!(
            is_marks("\u{5B8}\u{5BC}")
                && is_marks("\u{64E}")
                && !is_marks("\u{5BE}")
                && !is_marks("ש\u{5B8}")
        );
    }
}
