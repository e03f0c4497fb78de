//! The position of the time in a line, and a format at a position.

use std::fmt;
use std::ops::Range;

use memchr::memchr_iter;

use super::context::{Minute, RecordTime, TimeContext};
use super::formats::{Evidence, Format};
use super::words::Custom;
use super::{json, pattern};

/// A time begins within so many bytes of its line.
pub(super) const MAX_OFFSET: usize = 128;

/// The bytes of a line that are enough to find its time, except in a JSON line.
pub const HEAD: usize = MAX_OFFSET + 128;

/// The names of the members of JSON lines that hold the time; of several, the first.
pub(super) const MEMBERS: [&str; 5] = ["time", "timestamp", "ts", "@timestamp", "date"];

/// The beginning of the time in every line that has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimePosition {
    /// At a fixed offset.
    Offset {
        /// The number of bytes before the time.
        offset: usize,
        /// The last of these bytes.
        before: Option<u8>,
    },
    /// After a certain byte, because the text before varies in length.
    After {
        /// The byte. Blanks in a row are one.
        byte: u8,
        /// After which of these bytes, from 1.
        nth: usize,
    },
    /// In a member of a JSON object.
    Member(&'static str),
}

impl TimePosition {
    /// The offset of the time in a line; `None` for a member, or if the line is shorter.
    #[inline]
    pub(super) fn start(self, line: &[u8]) -> Option<usize> {
        let head = &line[..line.len().min(MAX_OFFSET)];
        let start = match self {
            TimePosition::Offset { offset, before } => {
                let is_there = offset == 0 || line.get(offset - 1).copied() == before;
                is_there.then_some(offset)?
            }
            TimePosition::After { byte, nth } => ends(byte, head).nth(nth.checked_sub(1)?)?,
            TimePosition::Member(_) => return None,
        };
        (start <= line.len()).then_some(start)
    }

    /// Passes the line and the offset of the time to `parse`; of a member, its value.
    #[inline]
    pub(super) fn read<T>(self, line: &[u8], parse: impl Fn(&[u8], usize) -> Option<T>) -> Option<T> {
        match self {
            TimePosition::Member(name) => json::member(line, name)?.read(|text| parse(text, 0)),
            _ => parse(line, self.start(line)?),
        }
    }
}

impl fmt::Display for TimePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimePosition::Offset { offset, .. } => write!(f, "byte {offset}"),
            TimePosition::After { byte: b' ', nth } => write!(f, "after blank {nth}"),
            TimePosition::After { byte, nth } => write!(f, "after '{}' {nth}", byte.escape_ascii()),
            TimePosition::Member(name) => write!(f, "member {name}"),
        }
    }
}

/// The offsets after each such byte, and after each row of blanks.
fn ends(byte: u8, head: &[u8]) -> impl Iterator<Item = usize> {
    let ends = memchr_iter(byte, head).map(|at| at + 1);
    ends.filter(move |end| byte != b' ' || head.get(*end) != Some(&b' '))
}

/// The positions of a time at `offset`, the plainest first.
pub(super) fn positions_at(line: &[u8], offset: usize) -> impl Iterator<Item = TimePosition> {
    let before = offset.checked_sub(1).map(|last| line[last]);
    let after = before.map(|byte| TimePosition::After { byte, nth: ends(byte, &line[..offset]).count() });
    [Some(TimePosition::Offset { offset, before }), after].into_iter().flatten()
}

/// The offsets at which a time could begin: at the start of a word, also if the word has a color.
pub(super) fn starts(line: &[u8]) -> impl Iterator<Item = usize> {
    (0..line.len().min(MAX_OFFSET)).filter(|offset| {
        let before = &line[..*offset];
        before.last().is_none_or(|byte| !byte.is_ascii_alphanumeric() && !b"-./+_".contains(byte))
            || ends_with_color(before)
    })
}

/// Whether `text` ends with `ESC [ 2 m`, as ECMA-48 has it.
fn ends_with_color(text: &[u8]) -> bool {
    let numbers = text.strip_suffix(b"m").unwrap_or_default();
    let length = numbers.iter().rev().take_while(|byte| byte.is_ascii_digit() || **byte == b';').count();
    numbers[..numbers.len() - length].ends_with(b"\x1b[")
}

/// A format at a position.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) kind: FormatKind,
    pub(super) position: TimePosition,
    /// Its place in the file among the shapes of the log.
    pub(super) rank: usize,
}

#[derive(Clone, Debug)]
pub(super) enum FormatKind {
    Known(&'static Format),
    Custom(Custom),
}

impl FormatKind {
    /// Whether the text has this form, though it may be a date that does not exist; and a number of nanoseconds that grows
    /// with the time, unless only other lines show which number of a date is what.
    pub(super) fn matches(&self, text: &[u8]) -> Option<Option<i64>> {
        match self {
            FormatKind::Known(format) => {
                let (fields, _) = pattern::parse(format.pattern, text)?;
                Some(fields.count.or_else(|| format.order.is_none().then(|| fields.rank())))
            }
            FormatKind::Custom(custom) => custom.matches(text).then_some(None),
        }
    }

    /// With `minute`, times of the minute of the one before are cheap.
    #[inline]
    pub(super) fn parse(
        &self,
        line: &[u8],
        start: usize,
        context: &TimeContext,
        minute: Option<&Minute>,
    ) -> Option<(RecordTime, usize)> {
        match self {
            FormatKind::Known(format) => {
                let (mut fields, length) = pattern::parse(format.pattern, line.get(start..)?)?;
                if fields.year.is_none() && start > 0 && format.begins_with_month() {
                    fields.year = year_before(&line[..start]);
                }
                let time = match minute {
                    Some(minute) => minute.record_time(&fields, context),
                    None => context.record_time(&fields),
                };
                Some((time?, length))
            }
            FormatKind::Custom(custom) => custom.parse(line.get(start..)?, context),
        }
    }

    pub(super) fn evidence(&self) -> Evidence {
        match self {
            FormatKind::Known(format) => format.evidence,
            FormatKind::Custom(_) => Evidence::Distinct,
        }
    }

    /// Whether it is the same format, or one whose dates have the same form.
    pub(super) fn is_of_form(&self, other: &FormatKind) -> bool {
        match (self, other) {
            (FormatKind::Known(a), FormatKind::Known(b)) => match (a.order, b.order) {
                (Some((dates, _)), Some((others, _))) => dates == others,
                _ => a.pattern == b.pattern,
            },
            (FormatKind::Custom(a), FormatKind::Custom(b)) => a.name() == b.name(),
            _ => false,
        }
    }

    pub(super) fn name(&self) -> &str {
        match self {
            FormatKind::Known(format) => format.name,
            FormatKind::Custom(custom) => custom.name(),
        }
    }
}

/// The year directly before a month: `2021: Nov 19`, `[2021] Nov 19`.
fn year_before(text: &[u8]) -> Option<i16> {
    let end = [&b" "[..], b": ", b", ", b"] ", b"/", b"-", b"."]
        .iter()
        .rev()
        .find_map(|between| text.strip_suffix(*between))?;
    let (before, digits) = end.split_at_checked(end.len().checked_sub(4)?)?;
    let is_number =
        digits.iter().all(u8::is_ascii_digit) && !before.last().is_some_and(u8::is_ascii_alphanumeric);
    let year = digits.iter().fold(0, |sum, digit| sum * 10 + i16::from(digit.wrapping_sub(b'0') % 10));
    (is_number && (1970..2100).contains(&year)).then_some(year)
}

impl Shape {
    /// As [`Shape::read`], with the place of the time in the line; it is empty for a member.
    #[inline]
    pub(super) fn read_at(&self, line: &[u8], context: &TimeContext) -> Option<(RecordTime, Range<usize>)> {
        let is_member = matches!(self.position, TimePosition::Member(_));
        self.position.read(line, |line, start| {
            let (found, length) = self.kind.parse(line, start, context, None)?;
            Some((found, if is_member { 0..0 } else { start..start + length }))
        })
    }

    #[inline]
    pub(super) fn read(
        &self,
        line: &[u8],
        context: &TimeContext,
        minute: Option<&Minute>,
    ) -> Option<RecordTime> {
        self.position.read(line, |line, start| Some(self.kind.parse(line, start, context, minute)?.0))
    }
}
