//! A format of strptime for a time that no format of the table reads, made from the line that has it.

use std::net::Ipv4Addr;

use jiff::fmt::strtime::BrokenDownTime;

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
    let with_date = starts(line).find_map(|start| Parts::of(&line[start..], true, true));
    // A number before a clock is of a date that the format would leave out.
    let has_no_number = |start: &usize| !line[..*start].iter().any(u8::is_ascii_digit);
    let clock = || starts(line).take_while(has_no_number).find_map(|start| clock_first(&line[start..]));
    with_date.map(|(format, _)| format).or_else(clock)
}

/// Whether a member of an object of JSON, or of one in it, is a date with a clock, in whatever format.
pub(super) fn has_date(object: &[u8]) -> bool {
    let mut values = object.split(|byte| *byte == b'"').skip(1);
    // A zone may follow; in a longer text, the date is of the text.
    values.any(|value| Parts::of(value, true, true).is_some_and(|(_, length)| value.len() <= length + 8))
}

/// The format of a clock at the beginning of a text, with the date after it.
fn clock_first(text: &[u8]) -> Option<String> {
    let (clock, length) = Parts::of(text, false, true)?;
    let rest = &text[length..];
    match Parts::of(rest.trim_ascii_start(), true, false) {
        Some((date, _)) => Some(format!("{clock} {date}")),
        None => (!rest.iter().take(3).any(u8::is_ascii_digit)).then_some(clock),
    }
}

/// The length of the four numbers of an Internet address, which are no date with a clock; of a clock such as `06.26.04.123`, 0.
fn address(text: &[u8]) -> usize {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    let word = std::str::from_utf8(&text[..length]).unwrap_or_default();
    // A port may follow.
    let word = word.match_indices('.').nth(3).map_or(word, |(end, _)| &word[..end]);
    let is_clock = word.split('.').take(3).all(|number| number.len() == 2);
    if !is_clock && word.parse::<Ipv4Addr>().is_ok() { word.len() } else { 0 }
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
    /// The format and the length of the time at the beginning of a text, if it is one: of a date, a clock or both.
    fn of(text: &[u8], has_date: bool, has_clock: bool) -> Option<(String, usize)> {
        let text = &text[..text.len().min(MAX_TIME)];
        let mut parts = Parts { has_month: !has_date, has_day: !has_date, ..Parts::default() };
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
                b'+' | b'-' if parts.clock >= 2 && digits(&rest[1..]) == 4 => {
                    parts.format += "%z";
                    end = Some(parts.format.clone());
                    break;
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
            if !has_clock && parts.has_year && parts.has_month && parts.has_day {
                end = Some(parts.format.clone());
                break;
            }
            if parts.clock >= 2 && !first.is_ascii_punctuation() && *first != b' ' {
                end = Some(parts.format.clone());
            }
        }
        // Two numbers with a dot between them are a number, and with a slash a date.
        let has_day = parts.has_month && parts.has_day;
        let is_time = |format: &String| has_day && format != "%H.%M" && !format.contains("%H/");
        let day_first = end.filter(is_time)?;
        let month_first = day_first.replace("%d", "\0").replace("%m", "%d").replace('\0', "%m");
        let read = |format: String| Some((BrokenDownTime::parse_prefix(&format, text).ok()?.1, format));
        let (length, format) = read(day_first.clone()).or_else(|| read(month_first))?;
        (!has_clock || Custom::new(&format).is_ok()).then_some((format, length))
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
                    // Hours, as in `10h30`.
                    && !matches!(rest, [b'h' | b'H' | b'.' | b'-', b'0'..=b'9', ..]) =>
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
