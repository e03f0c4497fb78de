//! A format at a position, and how a line is read with it.

use std::ops::Range;

use super::context::{Context, RecordTime};
use super::cursor::Count;
use super::custom::Custom;
use super::formats::{Evidence, Format};
use super::minute::Minute;
use super::pattern;
use super::position::TimePosition;

/// A format at a position.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) kind: Kind,
    pub(super) position: TimePosition,
    /// Its place in the file among the shapes of the log.
    pub(super) rank: usize,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Known(&'static Format),
    Custom(Custom),
}

/// The time that a line has at an offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match {
    /// It grows with the time, in nanoseconds; `None` if only other lines show which number of a date is what.
    pub(super) count: Option<i64>,
}

impl Kind {
    /// A text of this form, though it may be a date that does not exist.
    pub(super) fn matches(&self, text: &[u8]) -> Option<Match> {
        match self {
            Kind::Known(format) => {
                let (fields, _) = pattern::parse(format.pattern, text)?;
                let count = match fields.count {
                    Some(Count::SinceEpoch(count) | Count::SinceBoot(count)) => Some(count),
                    None => format.order.is_none().then(|| fields.rank()),
                };
                Some(Match { count })
            }
            Kind::Custom(custom) => custom.matches(text).then_some(Match { count: None }),
        }
    }

    /// With `minute`, times of the minute of the one before are cheap.
    #[inline]
    pub(super) fn parse(
        &self,
        line: &[u8],
        start: usize,
        context: &Context,
        minute: Option<&Minute>,
    ) -> Option<(RecordTime, usize)> {
        match self {
            Kind::Known(format) => {
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
            Kind::Custom(custom) => custom.parse(line.get(start..)?, context),
        }
    }

    pub(super) fn evidence(&self) -> Evidence {
        match self {
            Kind::Known(format) => format.evidence,
            Kind::Custom(_) => Evidence::Distinct,
        }
    }

    /// Whether it is the same format, or one whose dates have the same form.
    pub(super) fn is_of_form(&self, other: &Kind) -> bool {
        match (self, other) {
            (Kind::Known(a), Kind::Known(b)) => match (a.order, b.order) {
                (Some((dates, _)), Some((others, _))) => dates == others,
                _ => a.pattern == b.pattern,
            },
            (Kind::Custom(a), Kind::Custom(b)) => a.name() == b.name(),
            _ => false,
        }
    }

    pub(super) fn name(&self) -> &str {
        match self {
            Kind::Known(format) => format.name,
            Kind::Custom(custom) => custom.name(),
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
    pub(super) fn read_at(&self, line: &[u8], context: &Context) -> Option<(RecordTime, Range<usize>)> {
        let is_member = matches!(self.position, TimePosition::Member(_));
        self.position.read(line, |line, start| {
            let (found, length) = self.kind.parse(line, start, context, None)?;
            Some((found, if is_member { 0..0 } else { start..start + length }))
        })
    }

    #[inline]
    pub(super) fn read(&self, line: &[u8], context: &Context, minute: Option<&Minute>) -> Option<RecordTime> {
        self.position.read(line, |line, start| Some(self.kind.parse(line, start, context, minute)?.0))
    }
}
