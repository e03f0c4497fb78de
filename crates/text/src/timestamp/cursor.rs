//! The part of a text that is not read yet, the fields that were found before it, and times that are a number: seconds
//! since 1970, since the boot or the start of a program, and TAI64N.

/// The fields that a pattern found in a text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fields<'a> {
    pub year: Option<i16>,
    pub month: i8,
    pub day: i8,
    /// The day of the week, from Monday, where it stands before a date without a year.
    pub weekday: Option<i8>,
    pub hour: i8,
    pub minute: i8,
    pub second: i8,
    pub nanosecond: i32,
    pub is_afternoon: Option<bool>,
    /// Seconds east of UTC.
    pub offset: Option<i32>,
    /// The name of a zone that is not UTC.
    pub zone: Option<&'a [u8]>,
    /// A time that is a number: nanoseconds since 1970, or since the boot.
    pub count: Option<i64>,
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

/// The rest of a text, and what was read before it.
pub(super) struct Cursor<'a> {
    pub(super) rest: &'a [u8],
    pub(super) fields: Fields<'a>,
    /// A mark of a 12-hour clock before the clock.
    pub(super) mark: Option<bool>,
}

impl Cursor<'_> {
    /// This byte; a tab counts as a blank.
    #[inline]
    pub(super) fn byte(&mut self, byte: u8) -> Option<()> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        (*first == byte || (byte == b' ' && *first == b'\t')).then_some(())
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

    /// A number with one of these numbers of digits.
    fn long_number(&mut self, lengths: std::ops::RangeInclusive<usize>) -> Option<i64> {
        let (number, rest) = self.rest.split_at_checked(digits(self.rest))?;
        self.rest = rest;
        let add = |sum: i64, digit: &u8| sum.checked_mul(10)?.checked_add(i64::from(digit - b'0'));
        if lengths.contains(&number.len()) { number.iter().try_fold(0, add) } else { None }
    }

    pub(super) fn since_epoch(&mut self) -> Option<()> {
        let unit = match digits(self.rest) {
            10 => 1_000_000_000,
            13 => 1_000_000,
            16 => 1_000,
            19 => 1,
            _ => return None,
        };
        let number = self.long_number(10..=19)?;
        if !EPOCH.contains(&(number / (1_000_000_000 / unit))) {
            return None;
        }
        let fraction = i64::from(self.fraction(b".").unwrap_or(0)) * unit / 1_000_000_000;
        self.fields.count = Some(number.checked_mul(unit)?.checked_add(fraction)?);
        // The beginning of a UUID is not a time.
        (self.rest.first() != Some(&b'-')).then_some(())
    }

    /// Seconds with a fraction of three digits at least.
    pub(super) fn since_epoch_with_fraction(&mut self) -> Option<()> {
        let (_, rest) = self.rest.split_at_checked(10)?;
        let has_fraction = rest.first() == Some(&b'.') && digits(&rest[1..]) >= 3;
        if has_fraction { self.since_epoch() } else { None }
    }

    pub(super) fn since_boot(&mut self) -> Option<()> {
        let blanks = self.rest.iter().take_while(|byte| **byte == b' ').count();
        self.rest = &self.rest[blanks..];
        let seconds = self.long_number(1..=9)?;
        let fraction = self.fraction(b".")?;
        self.fields.count = Some(seconds * 1_000_000_000 + i64::from(fraction));
        Some(())
    }

    /// `0.123s`, `123ms` or `123456ns`.
    pub(super) fn since_start(&mut self) -> Option<()> {
        let number = self.long_number(1..=15)?;
        let fraction = self.fraction(b".,");
        let (unit, end): (i64, &[u8]) = match (fraction, self.rest) {
            (Some(_), [b's', ..]) => (1_000_000_000, b"s"),
            (None, [b'm', b's', ..]) => (1_000_000, b"ms"),
            (None, [b'n', b's', ..]) => (1, b"ns"),
            _ => return None,
        };
        self.rest = self.rest.strip_prefix(end)?;
        let count = number.checked_mul(unit)?.checked_add(fraction.unwrap_or(0).into())?;
        self.fields.count = Some(count);
        Some(())
    }

    /// 16 hexadecimal digits of seconds and eight of nanoseconds.
    pub(super) fn tai(&mut self) -> Option<()> {
        let hexadecimal = |text: &[u8]| {
            let is_lower = text.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            i64::from_str_radix(std::str::from_utf8(text).ok().filter(|_| is_lower)?, 16).ok()
        };
        let (seconds, rest) = self.rest.split_at_checked(16)?;
        let seconds = hexadecimal(seconds)? - TAI_EPOCH;
        let (nanoseconds, rest) = rest.split_at_checked(8)?;
        let nanoseconds = hexadecimal(nanoseconds).filter(|count| *count < 1_000_000_000)?;
        if !EPOCH.contains(&seconds) {
            return None;
        }
        self.fields.count = Some(seconds * 1_000_000_000 + nanoseconds);
        self.rest = rest;
        Some(())
    }
}

/// The text after blanks, also those that do not break a line, which some programs write before AM, in JSON as escapes.
pub(super) fn blanks(text: &[u8]) -> &[u8] {
    match text {
        [b' ' | b'\t', b' ' | b'\t', rest @ ..]
        | [b' ' | b'\t', rest @ ..]
        | [0xE2, 0x80, 0xAF, rest @ ..]
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
    (tens < 10 && ones < 10).then(|| (tens * 10 + ones).cast_signed())
}

/// Seconds since the epoch that count as a time: from 2001-09-09, when they got ten digits, to 2100.
const EPOCH: std::ops::Range<i64> = 1_000_000_000..4_102_444_800;

/// TAI64 labels count from 2^62 seconds before 1970, and the programs that write them add ten.
const TAI_EPOCH: i64 = (1 << 62) + 10;
