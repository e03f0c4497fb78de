//! Times that are a number: seconds since 1970, since the boot or the start of a program, and TAI64N.

use super::cursor::{Count, Cursor, digits};

/// Seconds since the epoch that count as a time: from 2001-09-09, when they got ten digits, to 2100.
const EPOCH: std::ops::Range<i64> = 1_000_000_000..4_102_444_800;

/// TAI64 labels count from 2^62 seconds before 1970, and the programs that write them add ten.
const TAI_EPOCH: i64 = (1 << 62) + 10;

impl Cursor<'_> {
    pub(super) fn since_epoch(&mut self) -> Option<()> {
        let length = digits(self.rest);
        let unit = match length {
            10 => 1_000_000_000,
            13 => 1_000_000,
            16 => 1_000,
            19 => 1,
            _ => return None,
        };
        let (number, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        let number = number
            .iter()
            .try_fold(0i64, |sum, digit| sum.checked_mul(10)?.checked_add(i64::from(digit - b'0')))?;
        if !EPOCH.contains(&(number / (1_000_000_000 / unit))) {
            return None;
        }
        let fraction = i64::from(self.fraction(b".").unwrap_or(0)) * unit / 1_000_000_000;
        self.fields.count = Some(Count::SinceEpoch(number.checked_mul(unit)?.checked_add(fraction)?));
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
        let length = digits(self.rest);
        let (number, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        if !(1..=9).contains(&length) {
            return None;
        }
        let seconds = number.iter().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'));
        let fraction = self.fraction(b".")?;
        self.fields.count = Some(Count::SinceBoot(seconds * 1_000_000_000 + i64::from(fraction)));
        Some(())
    }

    /// `0.123s`, `123ms` or `123456ns`.
    pub(super) fn since_start(&mut self) -> Option<()> {
        let length = digits(self.rest);
        if !(1..=15).contains(&length) {
            return None;
        }
        let (number, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        let number = number.iter().fold(0i64, |sum, digit| sum * 10 + i64::from(digit - b'0'));
        let fraction = self.fraction(b".,");
        let (unit, end): (i64, &[u8]) = match (fraction, self.rest) {
            (Some(_), [b's', ..]) => (1_000_000_000, b"s"),
            (None, [b'm', b's', ..]) => (1_000_000, b"ms"),
            (None, [b'n', b's', ..]) => (1, b"ns"),
            _ => return None,
        };
        self.rest = self.rest.strip_prefix(end)?;
        let count = number.checked_mul(unit)?.checked_add(fraction.unwrap_or(0).into())?;
        self.fields.count = Some(Count::SinceBoot(count));
        Some(())
    }

    /// 16 hexadecimal digits of seconds and eight of nanoseconds.
    pub(super) fn tai(&mut self) -> Option<()> {
        let hexadecimal = |text: &[u8]| {
            let is_lower = |byte: &u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte);
            let text =
                std::str::from_utf8(text).ok().filter(|text| text.bytes().all(|byte| is_lower(&byte)))?;
            i64::from_str_radix(text, 16).ok()
        };
        let (seconds, rest) = self.rest.split_at_checked(16)?;
        let seconds = hexadecimal(seconds)? - TAI_EPOCH;
        let (nanoseconds, rest) = rest.split_at_checked(8)?;
        let nanoseconds = hexadecimal(nanoseconds).filter(|count| *count < 1_000_000_000)?;
        if !EPOCH.contains(&seconds) {
            return None;
        }
        self.fields.count = Some(Count::SinceEpoch(seconds * 1_000_000_000 + nanoseconds));
        self.rest = rest;
        Some(())
    }
}
