//! The part of a text that is not read yet, and the fields that were found before it.

/// The fields that a pattern found in a text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fields<'a> {
    pub year: Option<i16>,
    pub month: i8,
    pub day: i8,
    pub hour: i8,
    pub minute: i8,
    pub second: i8,
    pub nanosecond: i32,
    pub is_afternoon: Option<bool>,
    /// Seconds east of UTC.
    pub offset: Option<i32>,
    /// The name of a zone that is not UTC.
    pub zone: Option<&'a [u8]>,
    pub count: Option<Count>,
}

impl Fields<'_> {
    /// A number that grows with the date and the clock, in nanoseconds: months have 31 days here, and zones do not count.
    pub(super) fn rank(&self) -> i64 {
        let hour = i64::from(self.hour) % 12 + if self.is_afternoon == Some(true) { 12 } else { 0 };
        let hour = if self.is_afternoon.is_some() { hour } else { i64::from(self.hour) };
        let months = i64::from(self.year.unwrap_or(2000)) * 12 - 2000 * 12 + i64::from(self.month);
        let minutes = ((months * 31 + i64::from(self.day)) * 24 + hour) * 60 + i64::from(self.minute);
        let seconds = minutes * 60 + i64::from(self.second);
        seconds.saturating_mul(1_000_000_000).saturating_add(i64::from(self.nanosecond))
    }
}

/// A time that is a number, in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Count {
    SinceEpoch(i64),
    SinceBoot(i64),
}

/// The rest of a text, and what was read before it.
pub(super) struct Cursor<'a> {
    pub(super) rest: &'a [u8],
    pub(super) fields: Fields<'a>,
    /// A mark of a 12-hour clock before the clock.
    pub(super) mark: Option<bool>,
}

impl Cursor<'_> {
    pub(super) fn byte(&mut self, byte: u8) -> Option<()> {
        self.rest = self.rest.strip_prefix(&[byte])?;
        Some(())
    }

    pub(super) fn one_of(&mut self, bytes: &[u8]) -> Option<()> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        bytes.contains(first).then_some(())
    }

    /// A number of `least` to `most` digits.
    pub(super) fn number(&mut self, least: usize, most: usize) -> Option<i16> {
        let digits = digits(self.rest).min(most);
        let (number, rest) = self.rest.split_at_checked(digits)?;
        self.rest = rest;
        (digits >= least).then(|| number.iter().fold(0, |sum, digit| sum * 10 + i16::from(digit - b'0')))
    }

    pub(super) fn small(&mut self, least: usize, min: i8, max: i8) -> Option<i8> {
        let number = i8::try_from(self.number(least, 2)?).ok()?;
        (min..=max).contains(&number).then_some(number)
    }

    /// One of `separators` and digits, in nanoseconds. More than nine digits after a comma are another column.
    pub(super) fn fraction(&mut self, separators: &[u8]) -> Option<i32> {
        let (separator, rest) = self.rest.split_first()?;
        let digits = digits(rest);
        if !separators.contains(separator) || digits == 0 || (*separator == b',' && digits > 9) {
            return None;
        }
        self.rest = &rest[digits..];
        let digits = rest[..digits].iter().map(|digit| i32::from(digit - b'0'));
        Some(digits.chain(std::iter::repeat(0)).take(9).fold(0, |sum, digit| sum * 10 + digit))
    }
}

/// The text after blanks, also those that do not break a line, which some programs write before AM, in JSON as escapes.
pub(super) fn blanks(text: &[u8]) -> &[u8] {
    match text {
        [b' ' | b'\t', rest @ ..] => match rest {
            [b' ' | b'\t', rest @ ..] => rest,
            _ => rest,
        },
        [0xE2, 0x80, 0xAF, rest @ ..]
        | [0xC2, 0xA0, rest @ ..]
        | [b'\\', b'u', b'2', b'0', b'2', b'F' | b'f', rest @ ..]
        | [b'\\', b'u', b'0', b'0', b'A' | b'a', b'0', rest @ ..] => rest,
        _ => text,
    }
}

/// The number of digits at the beginning.
pub(super) fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// The number of two digits.
#[inline]
pub(super) fn pair(tens: u8, ones: u8) -> Option<i8> {
    let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
    if tens > 9 || ones > 9 {
        return None;
    }
    Some((tens * 10 + ones).cast_signed())
}
