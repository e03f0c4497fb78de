//! A format of strptime for a time that no format of the table reads, made from the line that has it.

use super::cursor::digits;
use super::pattern::{MONTHS, WEEKDAYS};
use super::position::{Custom, starts};

/// A time is no longer.
const MAX_TIME: usize = 48;

/// The format of the first time in a line: of a date with a clock, else of a clock. The day is before the month, unless
/// the year is first. A comment has none, and the slashes of JSON may be escaped.
pub fn format_of(line: &[u8]) -> Option<String> {
    if line.starts_with(b"#") {
        return None;
    }
    let is_escape = |at: usize| line[at] == b'\\' && line.get(at + 1) == Some(&b'/');
    let mut line: Vec<u8> = (0..line.len()).filter(|at| !is_escape(*at)).map(|at| line[at]).collect();
    for start in 0..line.len() {
        let length = address(&line[start..]);
        line[start..start + length].fill(b'-');
    }
    let line = line.as_slice();
    let with_date = starts(line).find_map(|start| Parts::of(&line[start..], false));
    with_date.or_else(|| starts(line).find_map(|start| Parts::of(&line[start..], true)))
}

/// The length of the four numbers of an Internet address, which are no date with a clock; of a clock such as `06.26.04.123`, 0.
fn address(text: &[u8]) -> usize {
    let (mut length, mut is_clock) = (0, true);
    for nth in 0..4 {
        let number = digits(&text[length..]);
        if !(1..=3).contains(&number) || nth < 3 && text.get(length + number) != Some(&b'.') {
            return 0;
        }
        is_clock &= nth == 3 || number == 2;
        length += number + usize::from(nth < 3);
    }
    if is_clock { 0 } else { length }
}

/// The parts of a time that the format has so far.
#[derive(Default)]
struct Parts {
    format: String,
    has_year: bool,
    has_month: bool,
    has_day: bool,
    /// The number of parts of the clock.
    clock: usize,
}

impl Parts {
    /// The format of the time at the beginning of a text, if it is one.
    fn of(text: &[u8], is_clock_alone: bool) -> Option<String> {
        let text = &text[..text.len().min(MAX_TIME)];
        let mut parts = Parts { has_month: is_clock_alone, has_day: is_clock_alone, ..Parts::default() };
        let mut rest = text;
        let mut end = None;
        while let Some(first) = rest.first() {
            let length = match first {
                b'0'..=b'9' => {
                    let length = digits(rest);
                    if !parts.number(&rest[..length], rest.get(length..).unwrap_or_default()) {
                        break;
                    }
                    length
                }
                b'a'..=b'z' | b'A'..=b'Z' => {
                    let length = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
                    if !parts.word(&rest[..length]) {
                        break;
                    }
                    length
                }
                byte if byte.is_ascii() && !byte.is_ascii_control() => {
                    parts.format +=
                        if *byte == b'%' { "%%" } else { std::str::from_utf8(&rest[..1]).ok()? };
                    1
                }
                _ => break,
            };
            if !parts.format.starts_with('%') || parts.format.starts_with("%%") {
                return None;
            }
            rest = &rest[length..];
            if parts.clock >= 2 && !first.is_ascii_punctuation() && *first != b' ' {
                end = Some(parts.format.clone());
            }
        }
        // Two numbers with a dot between them are a number.
        let is_time = |format: &String| parts.has_month && parts.has_day && format != "%H.%M";
        let format = end.filter(is_time)?;
        let custom = Custom::new(&format).ok()?;
        custom.matches(text).then_some(format)
    }

    /// Adds a number; returns whether it can be a part of a time.
    fn number(&mut self, number: &[u8], rest: &[u8]) -> bool {
        let value = number.iter().take(4).fold(0_u32, |sum, digit| sum * 10 + u32::from(digit - b'0'));
        let has_date = self.has_month && self.has_day;
        let is_after_month = self.has_month && !self.has_day;
        let directive = match (number.len(), has_date) {
            (8, false) if !self.has_year => {
                (self.has_year, self.has_month, self.has_day) = (true, true, true);
                "%Y%m%d"
            }
            (4, _) if !self.has_year && self.clock == 0 && (1970..2100).contains(&value) => {
                self.has_year = true;
                "%Y"
            }
            // A colon follows the numbers of a clock.
            (1 | 2, false) if rest.starts_with(b":") => return false,
            (1 | 2, false) if is_after_month || (!self.has_year && !self.has_day) => {
                self.has_day = true;
                "%d"
            }
            (1 | 2, false) => {
                self.has_month = true;
                "%m"
            }
            (2, true)
                if !self.has_year
                    && self.clock == 0
                    && !rest.starts_with(b":")
                    && !self.format.is_empty()
                    && !has_clock_letter(rest) =>
            {
                self.has_year = true;
                "%y"
            }
            (6, true) if self.clock == 0 => {
                self.clock = 3;
                "%H%M%S"
            }
            (1 | 2, true) if self.clock < 3 => {
                self.clock += 1;
                ["%H", "%M", "%S"][self.clock - 1]
            }
            (1..=9, true) if self.clock == 3 && self.format.ends_with(['.', ',']) => {
                self.clock = 4;
                "%f"
            }
            _ => return false,
        };
        self.format += directive;
        true
    }

    /// Adds a word; returns whether it can be a part of a time.
    fn word(&mut self, word: &[u8]) -> bool {
        let name = word.first_chunk::<3>().map(|name| name.map(|byte| byte | 0x20));
        let is_in = |names: &[&[u8; 3]]| name.is_some_and(|name| names.contains(&&name));
        match word {
            _ if is_in(&MONTHS) && !self.has_month => {
                self.has_month = true;
                self.format += if word.len() == 3 { "%b" } else { "%B" };
            }
            _ if is_in(&WEEKDAYS) && self.clock == 0 => {
                self.format += if word.len() == 3 { "%a" } else { "%A" }
            }
            b"AM" | b"PM" | b"am" | b"pm" if self.clock >= 2 => {
                self.format = self.format.replace("%H", "%I") + "%p";
            }
            // `10h30m05s`, `2026y`, `at`, `um`.
            _ if word.len() <= 2 && self.clock < 3 => self.format += &String::from_utf8_lossy(word),
            _ => return false,
        }
        true
    }
}

/// Whether a number is hours, as in `10h30`.
fn has_clock_letter(rest: &[u8]) -> bool {
    matches!(rest, [b'h' | b'H' | b'.' | b'-', b'0'..=b'9', ..])
}
