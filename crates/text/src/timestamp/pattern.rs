//! A strptime for the formats of logs: it allocates nothing and fails at the first wrong byte.
//!
//! A pattern is literal bytes and the directives of [`Cursor::directive`]. Dates are those of strptime; `%1` is a month and a day of
//! one digit or two, with what divides them. `%c` is the clock with all that may stand beside it (see `clock.rs`), `%h` the same
//! without seconds, `%p` the same with AM or PM, `%l` the same with numbers of one digit; `%q` and `%K` are clocks with a dot before
//! the seconds and with dashes. `%t` is what stands between a date and a clock, `%i` one character of it. The others are `%s`
//! (epoch, by its number of digits), `%E` (with a fraction), `%u` (seconds since boot), `%U` (seconds since the start of a JVM),
//! `%N` (TAI64N) and `%L` (the letter of a level in klog).

use jiff::civil::{Date, ISOWeekDate, Weekday};

use super::cursor::{Cursor, Fields, blanks, digits, pair};

pub(super) const MONTHS: [&[u8; 3]; 12] =
    [b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec"];

pub(super) const WEEKDAYS: [&[u8; 3]; 7] = [b"mon", b"tue", b"wed", b"thu", b"fri", b"sat", b"sun"];

/// The names of the months and their short forms in English, German, French, Spanish, Portuguese, Italian and Dutch.
const MONTH_NAMES: [&str; 12] = [
    "jan january januar janvier janv ene enero janeiro gen gennaio januari",
    "feb february februar fév févr février febrero fev fevereiro febbraio februari",
    "mar march mär mrz märz mars marzo março mrt maart",
    "apr april avr avril abr abril aprile",
    "may mai mayo maio mag maggio mei",
    "jun june juni juin junio junho giu giugno",
    "jul july juli juil juillet julio julho lug luglio",
    "aug august août ago agosto augustus",
    "sep september sept septembre septiembre set setembro settembre",
    "oct october okt oktober octobre octubre out outubro ott ottobre",
    "nov november novembre noviembre novembro",
    "dec december dez dezember déc décembre dic diciembre dezembro dicembre",
];

const WEEKDAY_ENDS: [&[u8]; 7] = [b"day", b"sday", b"nesday", b"rsday", b"day", b"urday", b"day"];

/// The fields at the beginning of `text`, and their length.
pub(super) fn parse<'a>(pattern: &str, text: &'a [u8]) -> Option<(Fields<'a>, usize)> {
    let mut cursor = Cursor { rest: text, fields: Fields::default(), mark: None };
    let mut pattern = pattern.bytes();
    while let Some(byte) = pattern.next() {
        match byte {
            b'%' => match pattern.next()? {
                b'-' => cursor.directive(pattern.next()?, 1)?,
                directive => cursor.directive(directive, 2)?,
            },
            literal => cursor.byte(literal)?,
        }
    }
    // A longer number or word is not a time.
    let is_whole = !cursor.rest.first().is_some_and(u8::is_ascii_alphanumeric);
    is_whole.then_some((cursor.fields, text.len() - cursor.rest.len()))
}

/// Whether `text` may begin with a time of `pattern`, by their first characters: this is fast, and most patterns fail here.
pub(super) fn may_begin_as(pattern: &[u8], text: &[u8]) -> bool {
    match pattern {
        [b'%', b'a' | b'b' | b'L', ..] => text.first().is_some_and(u8::is_ascii_alphabetic),
        [b'%', b'F' | b'Y' | b'G' | b'w' | b'j', ..] => digits(text) >= 4,
        [b'%', b'd', ..] => matches!(digits(text), 1 | 2),
        [b'%', ..] => true,
        _ => text.first() == pattern.first(),
    }
}

/// The day of the week directly before a month, from 1 for Monday: `Fri Sep 22`, `Friday, Sep 22`.
pub(super) fn weekday_before(text: &[u8]) -> Option<i8> {
    let text = text.strip_suffix(b" ").or(text.strip_suffix(b"\t"))?;
    let text = text.strip_suffix(b",").unwrap_or(text);
    let letters = text.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let mut cursor = Cursor { rest: &text[text.len() - letters..], fields: Fields::default(), mark: None };
    cursor.weekday().filter(|_| cursor.rest.is_empty())
}

impl Cursor<'_> {
    /// `least` is the fewest digits of a number of two digits.
    #[inline]
    fn directive(&mut self, directive: u8, least: usize) -> Option<()> {
        match directive {
            b'F' => self.iso_date(),
            b'c' | b'h' | b'p' => {
                match directive {
                    b'c' => self.time()?,
                    b'h' => self.hour_and_minute()?,
                    _ => self.time().or_else(|| self.hour_and_minute())?,
                }
                self.mark.map_or(Some(()), |is_afternoon| self.set_mark(is_afternoon))?;
                self.tail()?;
                (directive != b'p' || self.fields.is_afternoon.is_some()).then_some(())
            }
            b't' => self.between(),
            b'T' => self.time(),
            b'C' => self.divided_time(2, b"", b""),
            b'D' => self.divided_time(2, b".", b"."),
            b'K' => self.divided_time(2, b"-", b"-"),
            b'l' => {
                self.divided_time(1, b":", b":")?;
                self.tail()
            }
            b'q' => {
                self.divided_time(2, b":", b".")?;
                self.fields.nanosecond = self.fraction(b".").unwrap_or(0);
                self.rest.starts_with(b"]").then_some(())
            }
            b'Y' => self.number(4, 4).map(|year| self.fields.year = Some(year)),
            b'G' => {
                let year = self.number(4, 4).filter(|year| (1970..2100).contains(year));
                year.map(|year| self.fields.year = Some(year))
            }
            b'!' => self.no_year_follows(),
            // As POSIX has it: 69 to 99 are of the 20th century.
            b'y' => self.small(2, 0, 99).map(|year| {
                self.fields.year = Some(i16::from(year) + if year < 69 { 2000 } else { 1900 });
            }),
            b'm' => self.small(least, 1, 12).map(|month| self.fields.month = month),
            b'b' => self.month().map(|month| self.fields.month = month),
            b'd' => self.small(least, 1, 31).map(|day| self.fields.day = day),
            b'e' => {
                if matches!(self.rest, [b' ' | b'\t', ..]) {
                    self.rest = &self.rest[1..];
                }
                self.small(1, 1, 31).map(|day| self.fields.day = day)
            }
            b'a' => self.weekday().map(|_| ()),
            b'w' => self.week_date(),
            b'j' => self.ordinal_date(),
            b'/' => self.one_of(b"-/. \t"),
            b'1' => self.loose_date(),
            b'~' => self.one_of(b" \t-"),
            b'i' => self.one_of(b"T_+ \t"),
            b'f' | b'g' => {
                self.fields.nanosecond =
                    self.fraction(if directive == b'f' { b".," } else { b":" }).unwrap_or(0);
                Some(())
            }
            b'x' => self.tail(),
            b'z' => self.zone(),
            b'o' => self.offset_in_minutes(),
            b'L' => self.one_of(b"IWEFD"),
            b'W' => self.words(),
            b':' => self.rest.starts_with(b":").then_some(()),
            b'k' => self.one_of(b"Tt_-:"),
            b's' => self.since_epoch(),
            b'E' => self.since_epoch_with_fraction(),
            b'u' => self.since_boot(),
            b'U' => self.since_start(),
            b'N' => self.tai(),
            _ => None,
        }
    }

    fn iso_date(&mut self) -> Option<()> {
        let ([a, b, c, d, b'-', e, f, b'-', g, h], rest) = self.rest.split_first_chunk()? else {
            return None;
        };
        let (century, year, month, day) = (pair(*a, *b)?, pair(*c, *d)?, pair(*e, *f)?, pair(*g, *h)?);
        if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return None;
        }
        self.fields.year = Some(i16::from(century) * 100 + i16::from(year));
        (self.fields.month, self.fields.day, self.rest) = (month, day, rest);
        Some(())
    }

    /// The text between a date and a clock: `T`, blanks, a comma, a bar, brackets.
    #[inline]
    fn between(&mut self) -> Option<()> {
        if let [b'T' | b' ', b'0'..=b'9', ..] = self.rest {
            self.rest = &self.rest[1..];
            return Some(());
        }
        let text = self.rest;
        if let [b'T' | b't' | b'_', b'0'..=b'9', ..] = text {
            self.rest = &text[1..];
            return Some(());
        }
        let quoted = [&b"] ["[..], b"][", b"\",\"", b"\";\"", b" at ", b", at "];
        let rest = match quoted.iter().find_map(|between| text.strip_prefix(*between)) {
            Some(rest) => rest,
            None => {
                let rest = blanks(text);
                let rest = if let [b',' | b'|' | b';' | b'-' | b':', rest @ ..] = rest { rest } else { rest };
                blanks(rest)
            }
        };
        self.rest = rest;
        self.mark = self.mark_before();
        (rest.len() < text.len() && self.rest.first().is_some_and(u8::is_ascii_digit)).then_some(())
    }

    /// Hour, minute and second, of `least` to two digits, with `first` and `second` between them.
    fn divided_time(&mut self, least: usize, first: &[u8], second: &[u8]) -> Option<()> {
        let hour = self.small(least, 0, 23)?;
        self.rest = self.rest.strip_prefix(first)?;
        let minute = self.small(least, 0, 59)?;
        self.rest = self.rest.strip_prefix(second)?;
        let second = self.small(least, 0, 60)?;
        (self.fields.hour, self.fields.minute, self.fields.second) = (hour, minute, second.min(59));
        Some(())
    }

    /// `\2\21` or `-1-11`: with backslashes, or with a number of one digit, as no other format has them.
    fn loose_date(&mut self) -> Option<()> {
        let (text, separator) = (self.rest, *self.rest.first()?);
        self.one_of(b"-/\\")?;
        self.fields.month = self.small(1, 1, 12)?;
        self.byte(separator)?;
        self.fields.day = self.small(1, 1, 31)?;
        (separator == b'\\' || text.len() - self.rest.len() < 6).then_some(())
    }

    /// `2024-W11-1` or `2024W111`.
    fn week_date(&mut self) -> Option<()> {
        let year = self.number(4, 4)?;
        let is_extended = self.rest.starts_with(b"-");
        self.rest = self.rest.strip_prefix(b"-").unwrap_or(self.rest);
        self.byte(b'W')?;
        let week = self.small(2, 1, 53)?;
        if is_extended {
            self.byte(b'-')?;
        }
        let weekday = i8::try_from(self.number(1, 1)?).ok()?;
        let weekday = Weekday::from_monday_one_offset(weekday).ok()?;
        self.set_date(ISOWeekDate::new(year, week, weekday).ok()?.date())
    }

    /// `2024-071` or `2024071`.
    fn ordinal_date(&mut self) -> Option<()> {
        let year = self.number(4, 4)?;
        self.rest = self.rest.strip_prefix(b"-").unwrap_or(self.rest);
        let day = self.number(3, 3)?;
        self.set_date(Date::new(year, 1, 1).ok()?.with().day_of_year(day).build().ok()?)
    }

    fn set_date(&mut self, date: Date) -> Option<()> {
        self.fields.year = Some(date.year());
        (self.fields.month, self.fields.day) = (date.month(), date.day());
        Some(())
    }

    /// `XYZ 2026` after a clock is a zone and a year: a time without its year would be read in part.
    fn no_year_follows(&mut self) -> Option<()> {
        let [b' ' | b'\t', rest @ ..] = self.rest else { return Some(()) };
        let word = rest.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
        let follows = match rest.get(word..) {
            Some([b' ' | b'\t', b'1' | b'2', b'9' | b'0', c, d, rest @ ..]) => {
                pair(*c, *d).is_some() && !rest.first().is_some_and(u8::is_ascii_alphanumeric)
            }
            _ => false,
        };
        (word < 2 || !follows).then_some(())
    }

    /// Words of capital letters.
    fn words(&mut self) -> Option<()> {
        let length = self.rest.iter().take_while(|byte| byte.is_ascii_uppercase() || **byte == b' ').count();
        self.rest = &self.rest[length..];
        (length > 0).then_some(())
    }

    /// The day of the week, from 1 for Monday: its first three letters, or all of them.
    fn weekday(&mut self) -> Option<i8> {
        let position = place_in(&WEEKDAYS, self.rest)?;
        self.rest = &self.rest[3..];
        let more = self.rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        if more > 0 && !WEEKDAY_ENDS[position].eq_ignore_ascii_case(&self.rest[..more]) {
            return None;
        }
        self.after_name(more);
        i8::try_from(position + 1).ok()
    }

    fn month(&mut self) -> Option<i8> {
        let month = month_of(self.rest)?;
        self.after_name(letters(self.rest));
        Some(month)
    }

    /// Goes on after the letters of a name, and the dot of a shortened one.
    fn after_name(&mut self, letters: usize) {
        let rest = &self.rest[letters..];
        self.rest = if let [b'.', b' ' | b'\t' | b',' | b'-' | b'/', ..] = rest { &rest[1..] } else { rest };
    }

    /// A sign and minutes, as Db2 writes the zone.
    fn offset_in_minutes(&mut self) -> Option<()> {
        let (sign, rest) = match self.rest {
            [b'+', rest @ ..] => (1, rest),
            [b'-', rest @ ..] => (-1, rest),
            _ => return Some(()),
        };
        self.rest = rest;
        let minutes = i32::from(self.number(1, 3)?);
        self.fields.offset = Some(sign * minutes * 60);
        (minutes < 24 * 60).then_some(())
    }
}

/// Whether the text begins with the name of a month or of a day of the week.
pub(super) fn is_name(text: &[u8]) -> bool {
    month_of(text).is_some() || place_in(&WEEKDAYS, text).is_some()
}

/// The month, from 1, whose name in UTF-8 or windows-1252 the text begins with.
fn month_of(text: &[u8]) -> Option<i8> {
    let word = &text[..letters(text)];
    let named = || {
        let latin = || word.iter().map(|byte| char::from(*byte)).collect();
        let word = std::str::from_utf8(word).map_or_else(|_| latin(), str::to_owned).to_lowercase();
        MONTH_NAMES.iter().position(|names| names.split(' ').any(|name| name == word))
    };
    // Most words are not before a number, and comparing each with the table takes time.
    let rest = &text[word.len()..];
    let may_be_month = rest.is_empty() || rest.iter().take(4).any(u8::is_ascii_digit);
    let position = place_in(&MONTHS, word).filter(|_| word.len() == 3);
    let position = position.or_else(|| if may_be_month { named() } else { None });
    i8::try_from(position? + 1).ok()
}

/// The number of bytes of letters, those beyond ASCII among them, at the beginning.
fn letters(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii()).count()
}

/// The position of the name of three letters that the text begins with.
fn place_in(names: &[&[u8; 3]], text: &[u8]) -> Option<usize> {
    let name = text.first_chunk::<3>()?.map(|byte| byte | 0x20);
    names.iter().position(|known| **known == name)
}

/// A clock follows the beginning of its date within so many bytes.
const MAX_DATE: usize = 48;

/// Whether a time of the table may begin here: its first characters are those of a date, and a clock follows, or it is a
/// number with as many digits as a time.
#[inline]
pub(super) fn may_begin(text: &[u8]) -> bool {
    let clock = || has_clock(&text[..text.len().min(MAX_DATE)]);
    match text.first() {
        Some(b'0'..=b'9') => match (digits(text), text) {
            (1, [_, b'-' | b'/' | b'.' | b' ' | b'\t', ..]) => clock(),
            (2, [_, _, b'-' | b'/' | b'.' | b' ' | b'\t', ..]) => clock(),
            (2, [_, _, b'A'..=b'Z', b'A'..=b'Z', b'A'..=b'Z', rest @ ..]) => digits(rest) == 4,
            (4, [_, _, _, _, b'-' | b'/' | b'.' | b'\\' | b' ' | b'\t' | b'W', rest @ ..]) => {
                // `1123/062604`, `2026-11-23T062604` and `2026-11-23-06.26.04` have other clocks.
                let after_date = rest.get(6..).unwrap_or_default();
                digits(rest) == 6
                    || digits(after_date) == 6
                    || matches!(after_date, [_, _, b'.' | b'-', ..])
                    || clock()
            }
            (6, [_, _, _, _, _, _, b' ' | b'\t', ..]) | (10 | 13 | 16 | 19, _) => true,
            (7, rest) => rest.get(7).is_some_and(|byte| !byte.is_ascii_digit()) && clock(),
            (8, rest) => rest.get(8).is_some_and(|byte| !byte.is_ascii_digit()),
            _ => false,
        },
        Some(b'I' | b'W' | b'E' | b'F' | b'D') if matches!(digits(&text[1..]), 4 | 8) => clock(),
        Some(b't' | b'a') if text.starts_with(b"timestamp=\"") || text.starts_with(b"audit(1") => true,
        Some(byte) if byte.is_ascii_alphabetic() => clock() && is_name(text),
        Some(b'[') => {
            text[1..].iter().find(|byte| !matches!(byte, b' ' | b'+')).is_some_and(u8::is_ascii_digit)
        }
        Some(b'@') => text.get(1) == Some(&b'4'),
        Some(b'#' | b'=') => true,
        _ => false,
    }
}

/// Whether the text has `6:26`.
fn has_clock(text: &[u8]) -> bool {
    memchr::memchr_iter(b':', text).any(|at| {
        at > 0
            && text[at - 1].is_ascii_digit()
            && text.get(at + 1..at + 3).is_some_and(|two| two.iter().all(u8::is_ascii_digit))
    })
}

/// Whether a line begins with a time of day, and what stands before it has no word.
pub(super) fn begins_with_clock(line: &[u8]) -> bool {
    let start = line.iter().position(u8::is_ascii_alphanumeric).unwrap_or(line.len());
    let text = &line[start..];
    let clock = &text[..text.len().min(8)];
    matches!(digits(text), 1 | 2) && has_clock(clock) && clock.get(digits(text)) == Some(&b':')
}

pub(super) fn is_indented(line: &[u8]) -> bool {
    line.starts_with(b" ") || line.starts_with(b"\t")
}
