//! The text of a value, and what kind of value it is.

use std::fmt::Write as _;

use calamine::{Data, DataRef, ExcelDateTime};
use jiff::civil::{Date, DateTime, Time};

use crate::sheets::kind::{BOOLEAN, DATE, NUMBER, TEXT, TIME, TIMESTAMP, WHOLE};

/// The kind of an error such as `#N/A`, beside those in [`crate::sheets::kind`].
pub(super) const ERROR: u8 = 128;

pub(super) struct Value {
    pub(super) text: String,
    pub(super) kind: u8,
}

impl Value {
    /// A value of a sheet that is read cell by cell.
    pub(super) fn streamed(value: &DataRef<'_>) -> Self {
        match value {
            DataRef::SharedString(text) => Value { text: (*text).to_owned(), kind: TEXT },
            DataRef::Int(number) => whole(*number),
            DataRef::Float(number) => float(*number),
            DataRef::String(text) | DataRef::DurationIso(text) => Value { text: text.clone(), kind: TEXT },
            DataRef::DateTimeIso(text) => time(text.clone()),
            DataRef::Bool(value) => Value { text: value.to_string(), kind: BOOLEAN },
            DataRef::DateTime(value) => time(date_time(value)),
            DataRef::Error(error) => Value { text: error.to_string(), kind: ERROR },
            DataRef::Empty => Value { text: String::new(), kind: TEXT },
        }
    }

    /// A value of a sheet in memory.
    pub(super) fn kept(value: &Data) -> Self {
        match value {
            Data::Int(number) => whole(*number),
            Data::Float(number) => float(*number),
            Data::String(text) | Data::DurationIso(text) => Value { text: text.clone(), kind: TEXT },
            Data::DateTimeIso(text) => time(text.clone()),
            Data::Bool(value) => Value { text: value.to_string(), kind: BOOLEAN },
            Data::DateTime(value) => time(date_time(value)),
            Data::Error(error) => Value { text: error.to_string(), kind: ERROR },
            Data::Empty => Value { text: String::new(), kind: TEXT },
        }
    }
}

fn whole(number: i64) -> Value {
    Value { text: number.to_string(), kind: WHOLE }
}

fn float(number: f64) -> Value {
    let kind = match number {
        number if is_whole(number) => WHOLE,
        number if number.is_finite() => NUMBER,
        _ => TEXT,
    };
    Value { text: decimal(number), kind }
}

/// Dates that no calendar has, and durations of days, are text.
fn time(text: String) -> Value {
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
    let rounded = format!("{number:.14e}").parse().unwrap_or(number);
    let plain = rounded.to_string();
    // Display writes all zeros of very large and very small numbers.
    if plain.len() > 24 { format!("{rounded:e}") } else { plain }
}

/// A date, a time of day or both in ISO 8601; of a duration hours, minutes and seconds.
fn date_time(time: &ExcelDateTime) -> String {
    let value = time.as_f64();
    if time.is_duration() {
        return duration(value);
    }
    let (year, month, day, hour, minute, second, milli) = time.to_ymd_hms_milli();
    let mut text = String::new();
    // Days are numbered from 1; a time of day has no date.
    if value >= 1.0 {
        let _ = write!(text, "{year:04}-{month:02}-{day:02}");
    }
    if value.fract() != 0.0 || text.is_empty() {
        let separator = if text.is_empty() { "" } else { "T" };
        let _ = write!(text, "{separator}{hour:02}:{minute:02}:{second:02}");
        if milli > 0 {
            let _ = write!(text, ".{milli:03}");
        }
    }
    text
}

fn duration(days: f64) -> String {
    let millis = (days.abs() * 86_400_000.0).round();
    let part = |unit: f64, of: f64| (millis / unit).floor() % of;
    let sign = if days < 0.0 { "-" } else { "" };
    let (hours, minutes, seconds) =
        ((millis / 3_600_000.0).floor(), part(60_000.0, 60.0), part(1000.0, 60.0));
    let fraction = match millis % 1000.0 {
        0.0 => String::new(),
        fraction => format!(".{fraction:03}"),
    };
    format!("{sign}{hours:02}:{minutes:02}:{seconds:02}{fraction}")
}

#[cfg(test)]
mod tests {
    use calamine::ExcelDateTimeType::{DateTime, TimeDelta};

    use super::*;

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
    fn dates_are_in_iso_form() {
        let at = |value| date_time(&ExcelDateTime::new(value, DateTime, false));
        assert_eq!(at(45_000.0), "2023-03-15");
        assert_eq!(at(45_000.5), "2023-03-15T12:00:00");
        assert_eq!(at(0.25), "06:00:00");
        let lasts = |value| date_time(&ExcelDateTime::new(value, TimeDelta, false));
        assert_eq!(lasts(1.5), "36:00:00");
        assert_eq!(lasts(-0.000_017_361_111), "-00:00:01.500");
    }
}
