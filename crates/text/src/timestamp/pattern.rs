//! A strptime for the formats of logs: it allocates nothing and fails at the first wrong byte.
//!
//! A pattern is literal bytes and the directives of [`Cursor::directive`]. Most are those of strptime. The others are
//! `%f` (an optional fraction), `%z` (an optional zone), `%Z` (the abbreviation of a zone), `%t` (between date and
//! time), `%s` (epoch, by its number of digits), `%u` (seconds since boot) and `%L` (the letter of a level in klog).

/// The fields that a pattern found in a text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fields {
    pub year: Option<i16>,
    pub month: i8,
    pub day: i8,
    pub hour: i8,
    pub minute: i8,
    pub second: i8,
    pub nanosecond: i32,
    is_afternoon: Option<bool>,
    /// Seconds east of UTC.
    pub offset: Option<i32>,
    pub count: Option<Count>,
}

/// A time that is a number, in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Count {
    SinceEpoch(i64),
    SinceBoot(i64),
}

/// Seconds since the epoch that count as a time: from 2001-09-09, when they got ten digits, to 2100.
const EPOCH: std::ops::Range<i64> = 1_000_000_000..4_102_444_800;

const MONTHS: [&[u8; 3]; 12] =
    [b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec"];

const WEEKDAYS: [&[u8; 3]; 7] = [b"mon", b"tue", b"wed", b"thu", b"fri", b"sat", b"sun"];

/// The fields at the beginning of `text`, and their length.
pub(super) fn parse(pattern: &str, text: &[u8]) -> Option<(Fields, usize)> {
    let mut cursor = Cursor { rest: text, fields: Fields::default() };
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
    if cursor.rest.first().is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let mut fields = cursor.fields;
    if let Some(is_afternoon) = fields.is_afternoon {
        fields.hour = fields.hour % 12 + if is_afternoon { 12 } else { 0 };
    }
    Some((fields, text.len() - cursor.rest.len()))
}

struct Cursor<'a> {
    rest: &'a [u8],
    fields: Fields,
}

impl Cursor<'_> {
    /// `least` is the fewest digits of a number of two digits.
    #[inline]
    fn directive(&mut self, directive: u8, least: usize) -> Option<()> {
        match directive {
            b'F' => self.iso_date(),
            b'T' => self.time(),
            b'Y' => self.number(4, 4).map(|year| self.fields.year = Some(year)),
            // As POSIX has it: 69 to 99 are of the 20th century.
            b'y' => self.small(2, 0, 99).map(|year| {
                self.fields.year = Some(i16::from(year) + if year < 69 { 2000 } else { 1900 });
            }),
            b'm' => self.small(least, 1, 12).map(|month| self.fields.month = month),
            b'b' => self.name(&MONTHS).map(|month| self.fields.month = month),
            b'd' => self.small(least, 1, 31).map(|day| self.fields.day = day),
            b'e' => {
                let _ = self.byte(b' ');
                self.small(1, 1, 31).map(|day| self.fields.day = day)
            }
            b'a' => self.name(&WEEKDAYS).map(|_| ()),
            b'H' => self.small(2, 0, 23).map(|hour| self.fields.hour = hour),
            b'I' => self.small(least, 1, 12).map(|hour| self.fields.hour = hour),
            b'M' => self.small(2, 0, 59).map(|minute| self.fields.minute = minute),
            b'S' => self.small(2, 0, 60).map(|second| self.fields.second = second.min(59)),
            b'p' => self.half_of_day(),
            b'f' => {
                self.fields.nanosecond = self.fraction(b".,").unwrap_or(0);
                Some(())
            }
            b'z' => {
                self.zone();
                Some(())
            }
            b'Z' => self.abbreviation(),
            b't' => self.one_of(b"Tt _"),
            b'L' => self.one_of(b"IWEFD"),
            b's' => self.since_epoch(),
            b'u' => self.since_boot(),
            _ => None,
        }
    }

    fn byte(&mut self, byte: u8) -> Option<()> {
        self.rest = self.rest.strip_prefix(&[byte])?;
        Some(())
    }

    fn one_of(&mut self, bytes: &[u8]) -> Option<()> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        bytes.contains(first).then_some(())
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

    /// A leap second is the second before it, as in jiff.
    fn time(&mut self) -> Option<()> {
        let ([a, b, b':', c, d, b':', e, f], rest) = self.rest.split_first_chunk()? else { return None };
        let (hour, minute, second) = (pair(*a, *b)?, pair(*c, *d)?, pair(*e, *f)?);
        if hour > 23 || minute > 59 || second > 60 {
            return None;
        }
        (self.fields.hour, self.fields.minute, self.fields.second) = (hour, minute, second.min(59));
        self.rest = rest;
        Some(())
    }

    /// A number of `least` to `most` digits.
    fn number(&mut self, least: usize, most: usize) -> Option<i16> {
        let digits = digits(self.rest).min(most);
        let (number, rest) = self.rest.split_at_checked(digits)?;
        self.rest = rest;
        (digits >= least).then(|| number.iter().fold(0, |sum, digit| sum * 10 + i16::from(digit - b'0')))
    }

    fn small(&mut self, least: usize, min: i8, max: i8) -> Option<i8> {
        let number = i8::try_from(self.number(least, 2)?).ok()?;
        (min..=max).contains(&number).then_some(number)
    }

    /// The position of the name in the list, from 1.
    fn name(&mut self, names: &[&[u8; 3]]) -> Option<i8> {
        let (name, rest) = self.rest.split_first_chunk::<3>()?;
        let name = name.map(|byte| byte | 0x20);
        self.rest = rest;
        names.iter().zip(1..).find(|(known, _)| **known == &name).map(|(_, position)| position)
    }

    fn half_of_day(&mut self) -> Option<()> {
        let (name, rest) = self.rest.split_first_chunk::<2>()?;
        self.rest = rest;
        self.fields.is_afternoon = Some(match &name.map(|byte| byte | 0x20) {
            b"am" => false,
            b"pm" => true,
            _ => return None,
        });
        Some(())
    }

    /// One of `separators` and digits, in nanoseconds. More than nine digits after a comma are another column.
    fn fraction(&mut self, separators: &[u8]) -> Option<i32> {
        let (separator, rest) = self.rest.split_first()?;
        let digits = digits(rest);
        if !separators.contains(separator) || digits == 0 || (*separator == b',' && digits > 9) {
            return None;
        }
        self.rest = &rest[digits..];
        let digits = rest[..digits].iter().map(|digit| i32::from(digit - b'0'));
        Some(digits.chain(std::iter::repeat(0)).take(9).fold(0, |sum, digit| sum * 10 + digit))
    }

    /// `Z`, `+0100`, `+01:00` or `+01`; after a blank also `UTC` and `GMT`. Other text stays unread.
    fn zone(&mut self) {
        let (offset, rest) = match self.rest {
            [b'Z' | b'z', rest @ ..] => (Some(0), rest),
            [b' ', b'U', b'T', b'C', rest @ ..] | [b' ', b'G', b'M', b'T', rest @ ..] => (Some(0), rest),
            // A message may begin with a number: only offsets that a zone has count.
            [b' ', rest @ ..] => {
                let (offset, rest) = offset(rest);
                (offset.filter(|offset| offset % 900 == 0 && offset.abs() <= 14 * 3600), rest)
            }
            rest => offset(rest),
        };
        if offset.is_some() && !rest.first().is_some_and(u8::is_ascii_alphanumeric) {
            (self.fields.offset, self.rest) = (offset, rest);
        }
    }

    /// `UTC`, `CET`: only UTC and GMT are offsets, others mean different zones in different countries.
    fn abbreviation(&mut self) -> Option<()> {
        let length = self.rest.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
        let (name, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        self.fields.offset = matches!(name, b"UTC" | b"GMT").then_some(0);
        (2..=5).contains(&length).then_some(())
    }

    fn since_epoch(&mut self) -> Option<()> {
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

    fn since_boot(&mut self) -> Option<()> {
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
}

/// An offset with a sign in seconds, and the text after it.
fn offset(text: &[u8]) -> (Option<i32>, &[u8]) {
    let seconds = |sign: u8, hours: Option<i8>, minutes: Option<i8>| {
        let (hours, minutes) =
            (i32::from(hours.filter(|h| *h < 24)?), i32::from(minutes.filter(|m| *m < 60)?));
        Some((hours * 3600 + minutes * 60) * if sign == b'-' { -1 } else { 1 })
    };
    match text {
        [sign @ (b'+' | b'-'), a, b, b':', c, d, rest @ ..] if c.is_ascii_digit() => {
            (seconds(*sign, pair(*a, *b), pair(*c, *d)), rest)
        }
        [sign @ (b'+' | b'-'), a, b, c, d, rest @ ..] if c.is_ascii_digit() => {
            (seconds(*sign, pair(*a, *b), pair(*c, *d)), rest)
        }
        [sign @ (b'+' | b'-'), a, b, rest @ ..] => (seconds(*sign, pair(*a, *b), Some(0)), rest),
        _ => (None, text),
    }
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// The number of two digits.
#[inline]
fn pair(tens: u8, ones: u8) -> Option<i8> {
    let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
    if tens > 9 || ones > 9 {
        return None;
    }
    Some((tens * 10 + ones).cast_signed())
}
