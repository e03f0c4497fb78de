//! Parses numbers, dates and timestamps.

use std::borrow::Cow;

use rread_text::layout::{DateOrder, Forms};

/// In microseconds.
const SECOND: i64 = 1_000_000;
pub(super) const DAY: i64 = 86_400 * SECOND;

/// So many decimal digits always fit in a `u64`, and so large a power of ten is exact in an `f64`.
const DIGITS: usize = 19;

const POWERS: [f64; DIGITS + 1] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19,
];

/// `value` without the blanks around it.
#[inline]
pub(super) fn trimmed(value: &str) -> &str {
    let is_blank = |byte: Option<&u8>| matches!(byte, Some(b' ' | b'\t'));
    let bytes = value.as_bytes();
    if is_blank(bytes.first()) || is_blank(bytes.last()) { value.trim_matches([' ', '\t']) } else { value }
}

#[inline]
fn digit(byte: u8) -> Option<i64> {
    let value = byte.wrapping_sub(b'0');
    (value < 10).then_some(i64::from(value))
}

/// Up to 15 digits, the number is a quotient of two exact numbers, so it is rounded only once (William D.
/// Clinger, How to Read Floating Point Numbers Accurately, 1990). Accepts `inf` and `nan`.
#[inline]
pub(super) fn float64(text: &str) -> Option<f64> {
    simple(text.as_bytes()).or_else(|| {
        let value: f64 = text.parse().ok()?;
        // A number that is too large is invalid, not infinite.
        let digits = text.bytes().any(|byte| byte.is_ascii_digit());
        (value.is_finite() || !digits).then_some(value)
    })
}

#[inline]
fn simple(text: &[u8]) -> Option<f64> {
    let (negative, text) = match text {
        [b'-', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    if text.len() > DIGITS || text.is_empty() {
        return None;
    }
    let (mut value, mut point) = (0u64, None);
    for (at, byte) in text.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            value = value * 10 + u64::from(digit);
        } else if *byte == b'.' && point.is_none() {
            point = Some(at);
        } else {
            return None;
        }
    }
    let decimals = point.map_or(0, |at| text.len() - at - 1);
    if value > 1 << 53 || text.len() == usize::from(point.is_some()) {
        return None;
    }
    let value = value as f64 / POWERS[decimals];
    Some(if negative { -value } else { value })
}

/// `true` or `false`, in any case.
pub(super) fn truth(text: &str) -> Option<bool> {
    match () {
        () if text.eq_ignore_ascii_case("true") => Some(true),
        () if text.eq_ignore_ascii_case("false") => Some(false),
        () => None,
    }
}

pub(super) fn boolean(text: &str) -> Option<bool> {
    let is = |words: [&str; 5]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    if is(["true", "t", "yes", "y", "1"]) {
        return Some(true);
    }
    is(["false", "f", "no", "n", "0"]).then_some(false)
}

fn two(text: &[u8]) -> Option<i64> {
    let [tens, ones] = text else { return None };
    Some(digit(*tens)? * 10 + digit(*ones)?)
}

/// A number of one or two digits, and what follows it.
fn short(text: &[u8]) -> Option<(i64, &[u8])> {
    let first = digit(*text.first()?)?;
    match text.get(1).copied().and_then(digit) {
        Some(second) => Some((first * 10 + second, text.get(2..)?)),
        None => Some((first, text.get(1..)?)),
    }
}

/// A number with a decimal comma or with marks between thousands in the usual form; `None` if it is not written so.
pub(super) fn usual_number(value: &str, forms: Forms) -> Option<Cow<'_, str>> {
    let is_other = |byte: u8| byte == b',' && forms.decimal_comma || Some(byte) == forms.thousands;
    let point = if forms.decimal_comma { ',' } else { '.' };
    let (whole, decimals) =
        value.split_once(point).map_or((value, None), |(whole, rest)| (whole, Some(rest)));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut groups = whole.split(|c: char| c.is_ascii() && Some(c as u8) == forms.thousands);
    let first = groups.next()?;
    let rest: Vec<&str> = groups.collect();
    let first_digits = first.strip_prefix('-').unwrap_or(first).len();
    if !rest.is_empty() && !(1..=3).contains(&first_digits) {
        return None;
    }
    if rest.iter().any(|group| group.len() != 3 || !digits(group))
        || decimals.is_some_and(|text| text.contains(point))
    {
        return None;
    }
    if forms.decimal_comma && (first.contains('.') || decimals.is_some_and(|text| text.contains('.'))) {
        return None;
    }
    if !value.bytes().any(is_other) {
        return Some(Cow::Borrowed(value));
    }
    let whole = first.to_owned() + &rest.concat();
    Some(Cow::Owned(decimals.map_or(whole.clone(), |decimals| format!("{whole}.{decimals}"))))
}

/// A number of a query that is written as those of a table are, in the usual form.
pub(crate) fn literal_number(text: &str, forms: Forms) -> Option<String> {
    let usual = usual_number(trimmed(text), forms).filter(|_| !forms.has_usual_numbers())?;
    Some(usual.into_owned())
}

/// Microseconds of a date or a time of a query, and whether it has an offset from UTC.
pub(crate) fn literal_time(text: &str, forms: Forms) -> Option<(i64, bool)> {
    timestamp(trimmed(text).as_bytes(), forms.dates).map(|timestamp| (timestamp.micros, timestamp.zoned))
}

/// Days since 1970-01-01 of a Gregorian date: `YYYY-MM-DD`, also with `/` or `.`, or in an order that is known. The month
/// and the day may have one digit.
pub(super) fn date(text: &[u8], order: Option<DateOrder>) -> Option<i32> {
    match day(text, order)? {
        (days, []) => Some(days),
        _ => None,
    }
}

/// The days of a date, and what follows it.
#[inline]
fn day(text: &[u8], order: Option<DateOrder>) -> Option<(i32, &[u8])> {
    let ([a, b, c, d, mark @ (b'-' | b'/' | b'.'), rest @ ..], true) =
        (text, text.get(..4).is_some_and(|year| year.iter().all(u8::is_ascii_digit)))
    else {
        return day_first(text, order?);
    };
    let year = two(&[*a, *b])? * 100 + two(&[*c, *d])?;
    let (month, rest) = short(rest)?;
    let (day, rest) = short(rest.strip_prefix(&[*mark])?)?;
    Some((i32::try_from(days(year, month, day)?).ok()?, rest))
}

/// The days of a date that ends with the year.
fn day_first(text: &[u8], order: DateOrder) -> Option<(i32, &[u8])> {
    let (one, rest) = short(text)?;
    let (mark, rest) = rest.split_first().filter(|(mark, _)| matches!(mark, b'-' | b'/' | b'.'))?;
    let (other, rest) = short(rest)?;
    let [a, b, c, d, rest @ ..] = rest.strip_prefix(&[*mark])? else { return None };
    let year = two(&[*a, *b])? * 100 + two(&[*c, *d])?;
    let (day, month) = match order {
        DateOrder::Ymd | DateOrder::Unclear => return None,
        DateOrder::Dmy => (one, other),
        DateOrder::Mdy => (other, one),
    };
    Some((i32::try_from(days(year, month, day)?).ok()?, rest))
}

/// The microseconds of `HH:MM` or `HH:MM:SS` with up to nine decimals, of which six count, and what follows it. The hour may
/// have one digit.
#[inline]
fn clock(text: &[u8]) -> Option<(i64, &[u8])> {
    let (hour, rest) = short(text)?;
    let [b':', c, d, rest @ ..] = rest else { return None };
    let (second, rest) = match rest {
        [b':', e, f, rest @ ..] => (two(&[*e, *f])?, rest),
        [b':', ..] => return None,
        rest => (0, rest),
    };
    let minute = two(&[*c, *d])?;
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let micros = ((hour * 60 + minute) * 60 + second) * SECOND;
    let [b'.', decimals @ ..] = rest else { return Some((micros, rest)) };
    let length = decimals.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if length == 0 || length > 9 {
        return None;
    }
    let (mut unit, mut fraction) = (SECOND, 0);
    for byte in &decimals[..length] {
        unit /= 10;
        fraction += digit(*byte)? * unit;
    }
    Some((micros + fraction, &decimals[length..]))
}

/// Microseconds since midnight. `1:05` may be minutes and seconds.
pub(super) fn time(text: &[u8]) -> Option<i64> {
    match clock(text).filter(|_| text.len() > 4)? {
        (micros, []) => Some(micros),
        _ => None,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Timestamp {
    pub micros: i64,
    /// The text has an offset from UTC; `micros` are then in UTC.
    pub zoned: bool,
}

/// RFC 3339 with a `T` or a space and an optional offset; or a date, which means midnight. Nanoseconds are cut
/// to microseconds.
pub(super) fn timestamp(text: &[u8], order: Option<DateOrder>) -> Option<Timestamp> {
    let (days, rest) = day(text, order)?;
    let midnight = i64::from(days) * DAY;
    if rest.is_empty() {
        return Some(Timestamp { micros: midnight, zoned: false });
    }
    let [b'T' | b't' | b' ', rest @ ..] = rest else { return None };
    let (micros, rest) = clock(rest)?;
    let micros = midnight + micros;
    if rest.is_empty() {
        return Some(Timestamp { micros, zoned: false });
    }
    Some(Timestamp { micros: micros - offset(rest)?, zoned: true })
}

/// `Z`, `+02:00`, `+0200` or `+02`, in microseconds.
fn offset(text: &[u8]) -> Option<i64> {
    let (sign, hours, minutes) = match text {
        [b'Z' | b'z'] => return Some(0),
        [sign, a, b] => (sign, two(&[*a, *b])?, 0),
        [sign, a, b, c, d] | [sign, a, b, b':', c, d] => (sign, two(&[*a, *b])?, two(&[*c, *d])?),
        _ => return None,
    };
    if hours > 23 || minutes > 59 {
        return None;
    }
    let offset = (hours * 60 + minutes) * 60 * SECOND;
    match sign {
        b'+' => Some(offset),
        b'-' => Some(-offset),
        _ => None,
    }
}

/// Days from 0000-03-01 to 1970-01-01.
const EPOCH: i64 = 719_468;

/// Days since 1970-01-01; `None` if there is no such date.
#[inline]
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=length).contains(&day) {
        return None;
    }
    let (year, from_march) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let of_year = (153 * from_march + 2) / 5 + day - 1;
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    Some(year * 365 + leap_days + of_year - EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_a_thousand_years_follows_the_day_before() {
        let (mut year, mut month, mut day) = (1600, 1, 1);
        for n in days(year, month, day).unwrap()..days(2600, 1, 1).unwrap() {
            assert_eq!(days(year, month, day), Some(n));
            (year, month, day) = match (month, days(year, month, day + 1)) {
                (_, Some(_)) => (year, month, day + 1),
                (12, None) => (year + 1, 1, 1),
                (_, None) => (year, month + 1, 1),
            };
        }
        assert_eq!((year, month, day), (2600, 1, 1));
    }

    #[test]
    fn dates_far_away_and_dates_that_do_not_exist() {
        for (date_of, number) in [((1970, 1, 1), 0), ((0, 3, 1), -EPOCH), ((-9999, 12, 31), -4_371_223)] {
            assert_eq!(days(date_of.0, date_of.1, date_of.2), Some(number), "{date_of:?}");
        }
        for (year, month, day) in [
            (2023, 2, 29),
            (1900, 2, 29),
            (2000, 2, 30),
            (2000, 0, 1),
            (2000, 13, 1),
            (2000, 4, 31),
            (2000, 1, 0),
        ] {
            assert_eq!(days(year, month, day), None, "{year}-{month}-{day}");
        }
    }
}
