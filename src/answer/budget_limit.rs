//! How far a budget lets an answer come: rread does not read for content that the budget will cut off.

use super::request::Request;
use crate::content::{Budget, InvalidBytes};
use crate::error::Result;
use crate::format::Format;
use crate::range::{Point, Range, Unit};
use crate::reader::Reader;
use crate::selection::{Located, Reach, Selection};

/// Bytes of a source that become a byte of content at most: four of UTF-32 become one of ASCII.
const DENSEST: u64 = 4;

/// Bytes beyond that: a byte order mark, which is left out, and a character that is taken in at either end.
const MARGIN: u64 = 64;

/// The beginning of a range without an end.
struct Start {
    unit: Unit,
    /// Lines or bytes before it.
    before: u64,
}

/// The bytes of a source that are sure to give more than `budget` bytes of content.
fn source_bytes(budget: u64) -> u64 {
    budget.saturating_mul(DENSEST).saturating_add(MARGIN)
}

impl Request<'_> {
    /// The slices of the ranges. No more is read than `budget` lets through, and as much as tells that there is more.
    pub(crate) fn locate(&self, reader: &Reader, format: Format, budget: Budget) -> Result<Located> {
        // A small file is counted whole, and so is one whose lines the index knows.
        let is_cheap = reader.is_cheap_to_count();
        let reach = self.reach(reader, budget).filter(|_| !is_cheap);
        let locate = |ranges: &[Range]| {
            let (context, header, numbers) = (self.context, self.header, self.content.number);
            Selection { ranges, context, header, numbers }.locate_within(reader, reach)
        };
        if let Some(start) = self.flowing(reader, format, budget) {
            let mut located = locate(&[Range::after(start.unit, start.before, Some(0))])?;
            if let [Ok(slice)] = &mut located.slices[..] {
                // What is passed on before damage is met is all that can be said of it.
                reader.end_at_damage();
                slice.end = reader.known_size().unwrap_or(u64::MAX);
            }
            return Ok(located);
        }
        if !is_cheap && budget.is_limited() {
            let is_stream = reader.known_size().is_none();
            let near: Vec<Range> =
                self.ranges.iter().map(|range| self.nearer(*range, reader, budget)).collect();
            if near != self.ranges {
                let located = locate(&near)?;
                let has_ended =
                    if is_stream { reader.known_size().is_some() } else { located.total_lines.is_some() };
                if !has_ended {
                    return Ok(located);
                }
                // It ended sooner: what was asked for can be told from what there is.
            }
        }
        locate(&self.ranges)
    }

    /// How far the budget comes: in bytes, or to the first bytes of the line after its last.
    fn reach(&self, reader: &Reader, budget: Budget) -> Option<Reach> {
        let bytes = budget.bytes.filter(|_| self.is_bounded(reader));
        let bytes = bytes.map(|bytes| Reach { lines: 0, bytes: source_bytes(bytes) });
        bytes.or_else(|| budget.lines.map(|lines| Reach { lines, bytes: MARGIN }))
    }

    /// Where the only range begins, if it can be passed on from there as it comes, to wherever the stream ends: nothing
    /// has to be known before that of what comes last.
    fn flowing(&self, reader: &Reader, format: Format, budget: Budget) -> Option<Start> {
        let [range] = self.ranges[..] else { return None };
        // What is compressed in a file is decoded for its index too.
        let is_stream = reader.stored().size().is_none();
        let content = self.content;
        let is_judged_first = format.has_receipt()
            || budget.is_limited()
            || content.max_columns.is_some()
            || content.encode.is_some()
            || content.invalid == Some(InvalidBytes::Error);
        match (range.start(), range.end()) {
            (Point::Front(before), Point::Back(0))
                if is_stream && !is_judged_first && self.context.before == 0 =>
            {
                Some(Start { unit: range.unit, before })
            }
            _ => None,
        }
    }

    /// `range`, or so much of it that the budget cuts it.
    fn nearer(&self, range: Range, reader: &Reader, budget: Budget) -> Range {
        let reach = match range.unit {
            // Every line is a byte of content at least.
            Unit::Lines => budget.lines.into_iter().chain(budget.bytes).min(),
            // A file whose size is known is not read for the end of a range of bytes.
            Unit::Bytes if reader.known_size().is_some() => None,
            Unit::Bytes => budget.bytes.filter(|_| self.is_bounded(reader)).map(source_bytes),
        };
        let (Point::Front(start), Some(reach)) = (range.start(), reach) else { return range };
        let reach = reach.saturating_add(MARGIN);
        let is_near = match range.end() {
            Point::Front(end) => end <= start.saturating_add(reach),
            Point::Back(n) => n > 0,
        };
        if is_near { range } else { Range::after(range.unit, start, Some(reach)) }
    }

    /// Whether so many bytes of the source give so much content: clipped lines and changes of state give none.
    fn is_bounded(&self, reader: &Reader) -> bool {
        let encoding = reader.encoding();
        self.content.max_columns.is_none() && !encoding.has_state()
    }
}
