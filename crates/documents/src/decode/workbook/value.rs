//! The text of a value, what kind of value it is, and which formats of numbers are dates, times or durations.

use calamine::{Data, ExcelDateTime, ExcelDateTimeType};
use jiff::civil::{Date, DateTime, Time};
use jiff::{Span, SpanRelativeTo};

use crate::sheets::kind::{BOOLEAN, DATE, NUMBER, TEXT, TIME, TIMESTAMP, WHOLE};

/// The kind of an error such as `#N/A`, beside those in [`crate::sheets::kind`].
pub(super) const ERROR: u8 = 128;

pub(super) struct Value {
    pub(super) text: String,
    pub(super) kind: u8,
}

impl Value {
    /// The number `number` as `format` shows it, or as it is if the format cannot.
    fn number(number: f64, format: CellFormat, is_1904: bool) -> Self {
        let shown = match format {
            CellFormat::Number => None,
            CellFormat::Duration => duration(number),
            CellFormat::DateTime { has_date, has_time } => date_time(number, has_date, has_time, is_1904),
        };
        shown.map_or_else(|| float(number), time)
    }

    /// The value of a cell with a format.
    pub(super) fn from_styled(value: Data, format: CellFormat, is_1904: bool) -> Self {
        match value {
            Data::Float(number) => Value::number(number, format, is_1904),
            Data::DateTime(date) => Value::number(date.as_f64(), format, is_1904),
            other => Value::from_data(other),
        }
    }

    /// The value of a cell.
    pub(super) fn from_data(value: Data) -> Self {
        match value {
            Data::Int(number) => Value { text: number.to_string(), kind: WHOLE },
            Data::Float(number) => float(number),
            Data::String(text) => Value { text: of_wide(&text).unwrap_or(text), kind: TEXT },
            Data::DurationIso(text) => time(clock(&text).unwrap_or(text)),
            Data::DateTimeIso(text) => time(text),
            Data::Bool(value) => Value { text: value.to_string(), kind: BOOLEAN },
            Data::DateTime(value) => from_date_time(&value),
            Data::Error(error) => Value { text: error.to_string(), kind: ERROR },
            Data::Empty => Value { text: String::new(), kind: TEXT },
        }
    }
}

/// The text of a cell of `.xls` with two bytes for each character, which its reader took for characters.
fn of_wide(text: &str) -> Option<String> {
    if !text.contains('\0') {
        return None;
    }
    let bytes: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect::<Option<_>>()?;
    let (pairs, []) = bytes.as_chunks::<2>() else { return None };
    // No character is U+0000, and nearly all characters of such files are in the first block.
    let is_wide = pairs.iter().all(|pair| *pair != [0, 0])
        && pairs.iter().filter(|pair| pair[1] == 0).count() * 2 > pairs.len();
    let units: Vec<u16> = pairs.iter().map(|pair| u16::from_le_bytes(*pair)).collect();
    String::from_utf16(&units).ok().filter(|_| is_wide)
}

/// A number with the format of a date, a time or a duration.
fn from_date_time(value: &ExcelDateTime) -> Value {
    let number = value.as_f64();
    let (kind, format) = match value.is_duration() {
        true => (ExcelDateTimeType::TimeDelta, CellFormat::Duration),
        // The format is not known further.
        false => {
            (ExcelDateTimeType::DateTime, CellFormat::DateTime { has_date: number >= 1.0, has_time: true })
        }
    };
    // The type does not show its calendar, but it can be compared.
    Value::number(number, format, *value == ExcelDateTime::new(number, kind, true))
}

fn float(number: f64) -> Value {
    let kind = match number {
        number if is_whole(number) => WHOLE,
        number if number.is_finite() => NUMBER,
        _ => TEXT,
    };
    Value { text: decimal(number), kind }
}

/// The time of day that a date without one has.
const MIDNIGHT: &str = "T00:00:00";

/// Dates that no calendar has, and durations of days, are text.
fn time(mut text: String) -> Value {
    // Some programs write a time of day after each date.
    if let Some(date) = text.strip_suffix(MIDNIGHT).filter(|date| date.parse::<Date>().is_ok()) {
        text.truncate(date.len());
    }
    let kind = match text.as_bytes() {
        [_, _, _, _, b'-', _, _, b'-', _, _] if text.parse::<Date>().is_ok() => DATE,
        [_, _, _, _, b'-', _, _, b'-', _, _, b'T', _, _, b':', _, _, b':', _, _, ..]
            if text.parse::<DateTime>().is_ok() =>
        {
            TIMESTAMP
        }
        [_, _, b':', _, _, b':', _, _, ..] if text.parse::<Time>().is_ok() => TIME,
        _ => TEXT,
    };
    Value { text, kind }
}

/// A long identifier keeps all of its digits.
fn is_whole(number: f64) -> bool {
    number.fract() == 0.0 && number.abs() < 1e18
}

/// The 15 digits that programs show: `0.1 + 0.2` is stored as 0.30000000000000004.
fn decimal(number: f64) -> String {
    if is_whole(number) {
        return number.to_string();
    }
    // The largest numbers would become infinite.
    let rounded = format!("{number:.14e}").parse().ok().filter(|rounded: &f64| rounded.is_finite());
    let rounded = rounded.unwrap_or(number);
    let plain = rounded.to_string();
    // Display writes all zeros of very large and very small numbers.
    if plain.len() > 24 { format!("{rounded:e}") } else { plain }
}

/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

/// The first day after the last that programs show, 9999-12-31, in the calendars from 1900 and from 1904.
const AFTER_LAST: [i64; 2] = [2_958_466, 2_957_004];

/// The calendar from 1900 has a 29 February in that year, which no other calendar has.
const NO_DAY: i64 = 60;

/// A date, a time of day or both in ISO 8601; `None` if no calendar has it.
fn date_time(number: f64, has_date: bool, has_time: bool, is_1904: bool) -> Option<String> {
    let millis = millis(number)?;
    let (days, time) = (millis.div_euclid(DAY), millis.rem_euclid(DAY));
    if days < 0 || days >= AFTER_LAST[usize::from(is_1904)] {
        return None;
    }
    // Before the first day of a calendar, there is only the time of day.
    let is_time = days == 0 && !(is_1904 && has_date);
    if is_time {
        return has_time.then(|| time_of_day(time));
    }
    let (year, month, day, offset) = match (is_1904, days) {
        (true, _) => (1904, 1, 1, days),
        (false, NO_DAY) => return None,
        (false, ..NO_DAY) => (1899, 12, 31, days),
        (false, _) => (1899, 12, 30, days),
    };
    let date = Date::new(year, month, day).ok()?.checked_add(Span::new().try_days(offset).ok()?).ok()?;
    Some(if time == 0 { date.to_string() } else { format!("{date}T{}", time_of_day(time)) })
}

/// Days in whole milliseconds, if a program can show them.
fn millis(days: f64) -> Option<i64> {
    let millis = (days * 86_400_000.0).round();
    #[allow(clippy::cast_possible_truncation)]
    (millis.abs() < 1e15).then_some(millis as i64)
}

fn time_of_day(millis: i64) -> String {
    let (hours, minutes, seconds) = (millis / 3_600_000, millis / 60_000 % 60, millis / 1000 % 60);
    let fraction = match millis % 1000 {
        0 => String::new(),
        fraction => format!(".{fraction:03}"),
    };
    format!("{hours:02}:{minutes:02}:{seconds:02}{fraction}")
}

/// A duration of OpenDocument such as `PT36H5M1.5S`, which also stands for a time of day, in hours, minutes and seconds.
fn clock(duration: &str) -> Option<String> {
    let length = duration.parse::<Span>().ok()?.to_duration(SpanRelativeTo::days_are_24_hours()).ok()?;
    let (seconds, fraction) = (length.as_secs().unsigned_abs(), length.subsec_nanos().unsigned_abs());
    let fraction = if fraction == 0 { String::new() } else { format!(".{fraction:09}") };
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let sign = if length.is_negative() { "-" } else { "" };
    Some(format!("{sign}{hours:02}:{minutes:02}:{seconds:02}{}", fraction.trim_end_matches('0')))
}

/// Hours, minutes and seconds, however many.
fn duration(days: f64) -> Option<String> {
    let millis = millis(days).filter(|millis| millis.abs() < AFTER_LAST[0] * DAY)?;
    let sign = if millis < 0 { "-" } else { "" };
    Some(format!("{sign}{}", time_of_day(millis.abs())))
}

/// How a cell shows its number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum CellFormat {
    #[default]
    Number,
    DateTime {
        has_date: bool,
        has_time: bool,
    },
    Duration,
}

impl CellFormat {
    pub(super) const DATE: Self = CellFormat::DateTime { has_date: true, has_time: false };
    pub(super) const TIME: Self = CellFormat::DateTime { has_date: false, has_time: true };

    /// The format with this number and `code`. Some numbers have a meaning only in East Asia, and no code (ECMA-376, 18.8.30).
    pub(super) fn new(id: Option<u32>, code: &str) -> Self {
        match id {
            Some(27..=31 | 36 | 50..=54 | 57 | 58) if code == "General" => CellFormat::DATE,
            Some(32..=35 | 55 | 56) if code == "General" => CellFormat::TIME,
            _ => of_code(code),
        }
    }
}

/// Reads the format `code`: its first section counts, which is for positive numbers.
fn of_code(code: &str) -> CellFormat {
    let (mut has_date, mut has_time, mut month_or_minute, mut months) = (false, false, false, 0);
    let mut rest = code;
    // Its letters mean nothing else.
    if code.trim_start().get(..7).is_some_and(|word| word.eq_ignore_ascii_case("general")) {
        return CellFormat::Number;
    }
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        rest = after;
        let is_month = c.eq_ignore_ascii_case(&'m');
        months = if is_month { months + 1 } else { 0 };
        match c.to_ascii_lowercase() {
            ';' => break,
            // The next character stands for itself, or for its width.
            '\\' | '_' | '*' => {
                rest = after.get(after.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default()
            }
            '"' => rest = after.split_once('"').map_or("", |(_, rest)| rest),
            '[' => {
                let (inner, outer) = after.split_once(']').unwrap_or((after, ""));
                rest = outer;
                let unit = inner.chars().next().map(|unit| unit.to_ascii_lowercase());
                let is_elapsed = inner.chars().all(|c| Some(c.to_ascii_lowercase()) == unit);
                if is_elapsed && matches!(unit, Some('h' | 'm' | 's')) {
                    return CellFormat::Duration;
                }
            }
            'a' if matches!(after.as_bytes(), [b'm' | b'M', b'/', ..] | [b'/', b'p' | b'P', ..]) => {
                has_time = true;
                rest = after.trim_start_matches(['m', 'M', '/', 'p', 'P']);
            }
            'y' | 'd' => has_date = true,
            'h' | 's' => has_time = true,
            'm' => month_or_minute = true,
            _ => {}
        }
        has_date |= months > 2;
    }
    has_date |= month_or_minute && !has_time;
    if has_date || has_time { CellFormat::DateTime { has_date, has_time } } else { CellFormat::Number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_two_bytes_a_character_is_decoded() {
        for (stored, expected) in [
            ("H\0i\0", "Hi"),
            ("Å\0r\0", "År"),
            // The euro sign is 20AC.
            ("a\0b\0\u{AC} ", "ab€"),
            ("plain", "plain"),
            ("a\0", "a"),
            // Other NULs.
            ("ab\0", "ab\0"),
            ("\0a\0b", "\0a\0b"),
            ("a\0\0\0", "a\0\0\0"),
            ("漢\0", "漢\0"),
        ] {
            assert_eq!(Value::from_data(Data::String(stored.to_owned())).text, expected, "{stored:?}");
        }
    }

    #[test]
    fn numbers_have_the_digits_that_programs_show() {
        let shown =
            [0.1 + 0.2, 1.0, -0.5, 1e15, 123_456_789.123, 1.1 * 3.0, 1e300, 1e-300, 12_345_678_901_234_568.0]
                .map(decimal);
        assert_eq!(
            shown.join(" "),
            "0.3 1 -0.5 1000000000000000 123456789.123 3.3 1e300 1e-300 12345678901234568"
        );
    }

    #[test]
    fn a_format_shows_a_number_or_leaves_it() {
        let both = CellFormat::DateTime { has_date: true, has_time: true };
        for (number, format, expected) in [
            (45_000.0, CellFormat::DATE, "2023-03-15"),
            (45_000.5, both, "2023-03-15T12:00:00"),
            (45_000.999_999_999_9, both, "2023-03-16"),
            (0.25, CellFormat::TIME, "06:00:00"),
            (0.25, both, "06:00:00"),
            (0.0, CellFormat::TIME, "00:00:00"),
            (0.0, CellFormat::DATE, "0"),
            (0.5, CellFormat::DATE, "0.5"),
            (1.0, CellFormat::DATE, "1900-01-01"),
            (59.0, CellFormat::DATE, "1900-02-28"),
            (60.0, CellFormat::DATE, "60"),
            (60.5, both, "60.5"),
            (61.0, CellFormat::DATE, "1900-03-01"),
            (-0.5, CellFormat::TIME, "-0.5"),
            (-1.0, CellFormat::DATE, "-1"),
            (2_958_465.0, CellFormat::DATE, "9999-12-31"),
            (2_958_466.0, CellFormat::DATE, "2958466"),
            (1e300, both, "1e300"),
            (1.5, CellFormat::Duration, "36:00:00"),
            (-0.000_017_361_111, CellFormat::Duration, "-00:00:01.500"),
            (1e300, CellFormat::Duration, "1e300"),
            (0.5, CellFormat::Number, "0.5"),
        ] {
            assert_eq!(Value::number(number, format, false).text, expected, "{number} {format:?}");
        }
        for (number, format, expected) in [
            (0.0, CellFormat::DATE, "1904-01-01"),
            (0.25, both, "1904-01-01T06:00:00"),
            (0.25, CellFormat::TIME, "06:00:00"),
            (60.0, CellFormat::DATE, "1904-03-01"),
            (43_538.0, CellFormat::DATE, "2023-03-15"),
            (-1.0, CellFormat::DATE, "-1"),
            (2_957_003.0, CellFormat::DATE, "9999-12-31"),
            (2_957_004.0, CellFormat::DATE, "2957004"),
        ] {
            assert_eq!(Value::number(number, format, true).text, expected, "1904: {number} {format:?}");
        }
    }

    #[test]
    fn durations_of_opendocument_are_hours_minutes_and_seconds() {
        for (stored, expected, kind) in [
            ("PT10H10M10S", "10:10:10", TIME),
            ("PT0H0M0S", "00:00:00", TIME),
            ("PT10H10M10.123456S", "10:10:10.123456", TIME),
            ("PT01H30M00.000000000S", "01:30:00", TIME),
            ("PT5M", "00:05:00", TIME),
            ("PT90M", "01:30:00", TIME),
            ("PT1.5S", "00:00:01.5", TIME),
            ("PT255H10M10S", "255:10:10", TEXT),
            ("P1DT12H", "36:00:00", TEXT),
            ("-PT1H", "-01:00:00", TEXT),
            // A text that is not a duration stays.
            ("PT", "PT", TEXT),
            ("P1Y", "P1Y", TEXT),
            ("P1YT1H", "P1YT1H", TEXT),
            ("PT1H2", "PT1H2", TEXT),
            ("PT1S2H", "PT1S2H", TEXT),
            ("PT1.5H", "01:30:00", TIME),
            ("PT1.xS", "PT1.xS", TEXT),
            ("PT99999999999999999999H", "PT99999999999999999999H", TEXT),
            ("PT9999999999999999999H", "PT9999999999999999999H", TEXT),
        ] {
            let value = Value::from_data(Data::DurationIso(stored.to_owned()));
            assert_eq!((value.text.as_str(), value.kind), (expected, kind), "{stored}");
        }
    }

    #[test]
    fn a_date_at_midnight_is_a_date_in_every_format() {
        for (stored, expected, kind) in [
            ("2016-10-20T00:00:00", "2016-10-20", DATE),
            ("2016-10-20", "2016-10-20", DATE),
            ("2016-10-20T00:00:01", "2016-10-20T00:00:01", TIMESTAMP),
            ("T00:00:00", "T00:00:00", TEXT),
            ("2016-13-20T00:00:00", "2016-13-20T00:00:00", TEXT),
        ] {
            let value = Value::from_data(Data::DateTimeIso(stored.to_owned()));
            assert_eq!((value.text.as_str(), value.kind), (expected, kind), "{stored}");
        }
    }

    #[test]
    fn other_formats_have_the_same_dates() {
        let of = |number, is_1904| {
            let date = ExcelDateTime::new(number, ExcelDateTimeType::DateTime, is_1904);
            Value::from_data(Data::DateTime(date)).text
        };
        assert_eq!([of(45_000.0, false), of(43_538.0, true)], ["2023-03-15", "2023-03-15"]);
        assert_eq!([of(-1.0, false), of(60.0, false), of(0.25, true)], ["-1", "60", "06:00:00"]);
        let lasts = ExcelDateTime::new(1.5, ExcelDateTimeType::TimeDelta, false);
        assert_eq!(Value::from_data(Data::DateTime(lasts)).text, "36:00:00");
    }

    #[test]
    fn a_code_says_what_a_number_is() {
        let both = CellFormat::DateTime { has_date: true, has_time: true };
        for (codes, expected) in [
            (
                &[
                    "General",
                    "0",
                    "0.00%",
                    "# ?/?",
                    "# ??/??",
                    "0.00E+00",
                    "@",
                    "#,##0 ;[Red](#,##0)",
                    "0\" days\"",
                    "0\\d",
                    "[$USD] 0.00",
                    "[Red]0",
                    "_(* #,##0_)",
                    "[>=100]0;0.0",
                    "0.0_d",
                    "\"day\" 0",
                    "General \"d\"",
                ][..],
                CellFormat::Number,
            ),
            (
                &["yyyy-mm-dd", "d.m.yy", "mmm-yy", "mmmm", "[$-409]d\\-mmm\\-yy;@", "dddd", "m/d", "MM"],
                CellFormat::DATE,
            ),
            (&["h:mm", "mm:ss", "hh:mm:ss AM/PM", "h A/P", "mmss.0", "ss.000"], CellFormat::TIME),
            (&["yyyy-mm-dd hh:mm", "m/d/yy h:mm", "mmm h"], both),
            (&["[h]:mm", "[hh]:mm:ss", "[mm]:ss", "[s]", "[Red][h]:mm"], CellFormat::Duration),
        ] {
            for code in codes {
                assert_eq!(of_code(code), expected, "{code}");
            }
        }
    }
}
