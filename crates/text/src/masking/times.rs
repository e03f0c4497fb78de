//! Times in a line, wherever they stand: dates, clocks, and dates with a clock and a zone.

use super::ids::is_word;

const MONTHS: [&[u8; 3]; 12] =
    [b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec"];
const DAYS: [&[u8; 3]; 7] = [b"Mon", b"Tue", b"Wed", b"Thu", b"Fri", b"Sat", b"Sun"];

/// The length of the time that begins with a digit at the start of `text`.
pub(super) fn parse_numeric(text: &[u8]) -> Option<usize> {
    // A time has a separator after one, two or four digits, or is compact.
    let digits = text.iter().take(9).take_while(|byte| byte.is_ascii_digit()).count();
    if !matches!(digits, 1 | 2 | 4 | 8) || text.len() < 8 {
        return None;
    }
    let mut cursor = TimeCursor { text, at: 0 };
    if digits == 8 {
        cursor.at = 8;
        return (cursor.one(b"T").is_some() && cursor.digits(6, 6).is_some())
            .then(|| cursor.fraction().zone().at)
            .filter(|end| ends(text, *end));
    }
    if cursor.date(digits).is_some() {
        return cursor.with_clock().filter(|end| ends(text, *end));
    }
    cursor.at = 0;
    cursor.clock(true)?;
    let end = cursor.fraction().zone().at;
    ends(text, end).then_some(end)
}

/// The length of the time that begins with the name of a month or of a day, three letters.
pub(super) fn parse_named(text: &[u8]) -> Option<usize> {
    let mut cursor = TimeCursor { text, at: 0 };
    let name = text.first_chunk()?;
    if DAYS.contains(&name) {
        cursor.at = 3;
        cursor.skip(b",");
        let blanks = cursor.blanks();
        let rest = &text[cursor.at..];
        let time = rest.first().filter(|_| blanks).and_then(|first| match first.is_ascii_digit() {
            true => parse_numeric(rest),
            false => parse_named(rest),
        });
        return time.map(|length| cursor.at + length);
    }
    if !MONTHS.contains(&name) {
        return None;
    }
    cursor.at = 3;
    cursor.blanks().then_some(())?;
    cursor.digits(1, 2)?;
    cursor.skip(b",");
    let day = cursor.at;
    cursor.blanks().then_some(())?;
    let start = cursor.at;
    if cursor.clock(true).is_none() {
        // `Nov 23 2026` or `Nov 23, 2026 06:26`.
        cursor.at = start;
        cursor.digits(4, 4)?;
        return cursor.with_clock().filter(|end| ends(text, *end) && *end > day);
    }
    cursor = cursor.fraction().zone();
    // The year of ctime.
    let end = cursor.at;
    let is_year = cursor.blanks() && cursor.digits(4, 4).is_some() && ends(text, cursor.at);
    Some(if is_year { cursor.at } else { end }).filter(|end| ends(text, *end))
}

/// Whether a word ends at `at`.
fn ends(text: &[u8], at: usize) -> bool {
    text.get(at).is_none_or(|byte| !is_word(*byte))
}

struct TimeCursor<'t> {
    text: &'t [u8],
    at: usize,
}

impl TimeCursor<'_> {
    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    /// One of `bytes`.
    fn one(&mut self, bytes: &[u8]) -> Option<u8> {
        let byte = self.peek();
        bytes.contains(&byte).then(|| self.at += 1).map(|()| byte)
    }

    fn skip(&mut self, bytes: &[u8]) {
        self.one(bytes);
    }

    fn blanks(&mut self) -> bool {
        let start = self.at;
        while self.peek() == b' ' {
            self.at += 1;
        }
        self.at > start
    }

    /// From `least` to `most` digits, with no other digit after them.
    fn digits(&mut self, least: usize, most: usize) -> Option<usize> {
        let rest = &self.text[self.at.min(self.text.len())..];
        let count = rest.iter().take(most + 1).take_while(|byte| byte.is_ascii_digit()).count();
        (least..=most).contains(&count).then(|| self.at += count).map(|()| count)
    }

    /// A date, whose first number has so many digits.
    fn date(&mut self, digits: usize) -> Option<()> {
        self.at = digits;
        let separator = self.one(b"-/. ")?;
        if let Some(name) = self.text.get(self.at..).and_then(<[u8]>::first_chunk::<3>)
            && MONTHS.contains(&name)
        {
            self.at += 3;
            self.one(&[separator])?;
            return self.digits(2, 4).map(drop);
        }
        if separator == b' ' {
            return None;
        }
        self.digits(1, 2)?;
        self.one(&[separator])?;
        let (least, most) = if digits == 4 { (1, 2) } else { (4, 4) };
        self.digits(least, most).map(drop)
    }

    /// After a date, its clock and zone, if it has them; the end of both.
    fn with_clock(mut self) -> Option<usize> {
        let date = self.at;
        self.skip(b",");
        if self.one(b"T :_").is_none() || self.clock(false).is_none() {
            return Some(date);
        }
        Some(self.fraction().zone().at)
    }

    /// Hours and minutes, and seconds, which are needed where no date shows that it is a time.
    fn clock(&mut self, needs_seconds: bool) -> Option<()> {
        self.digits(1, 2)?;
        self.one(b":")?;
        self.digits(2, 2)?;
        let minutes = self.at;
        if self.one(b":").and_then(|_| self.digits(2, 2)).is_none() {
            self.at = minutes;
            return (!needs_seconds).then_some(());
        }
        Some(())
    }

    fn fraction(mut self) -> Self {
        let start = self.at;
        if self.one(b".,:").and_then(|_| self.digits(1, 9)).is_none() {
            self.at = start;
        }
        self
    }

    /// The mark of a half of the day, and the offset of a zone or `Z`.
    fn zone(mut self) -> Self {
        let start = self.at;
        if self.one(b"Z").is_some() {
            return self;
        }
        self.skip(b" ");
        let half = self.at;
        if self.one(b"AP").is_none() || self.one(b"M").is_none() || !ends(self.text, self.at) {
            self.at = half;
        }
        if self.at == half {
            self.at = start;
        }
        if self.one(b"Z").is_some() {
            return self;
        }
        let start = self.at;
        self.skip(b" ");
        let is_offset = self.one(b"+-").is_some() && self.digits(2, 4).is_some();
        if !is_offset {
            self.at = start;
            return self;
        }
        let hours = self.at;
        if self.one(b":").and_then(|_| self.digits(2, 2)).is_none() {
            self.at = hours;
        }
        self
    }
}
