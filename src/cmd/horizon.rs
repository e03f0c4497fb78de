//! How far a budget lets an answer come: a stream without an end is not waited for.

use super::question::Question;
use crate::body::Budget;
use crate::error::Result;
use crate::range::{Point, Range, Unit};
use crate::reader::Reader;
use crate::selection::{Located, Selection};

/// Bytes of a source that become a byte of content at most: four of UTF-32 become one of ASCII.
const DENSEST: u64 = 4;

/// Bytes beyond that: a byte order mark, which is left out, and a character that is taken in at either end.
const MARGIN: u64 = 64;

impl Question<'_> {
    /// The slices of the ranges. Of a source whose end is not known, no more is read than `budget` lets through, and
    /// as much as tells that there is more.
    pub(super) fn locate(&self, reader: &Reader, budget: Budget) -> Result<Located> {
        let locate = |ranges: &[Range]| {
            let (context, header, numbers) = (self.context, self.header, self.content.number);
            Selection { ranges, context, header, numbers }.locate(reader)
        };
        if reader.known_size().is_none() && budget.is_limited() {
            let near: Vec<Range> =
                self.ranges.iter().map(|range| self.nearer(*range, reader, budget)).collect();
            if near != self.ranges {
                let located = locate(&near)?;
                if reader.known_size().is_none() {
                    return Ok(located);
                }
                // It ended sooner: what was asked for can be told from what there is.
            }
        }
        locate(&self.ranges)
    }

    /// `range`, or so much of it that the budget cuts it.
    fn nearer(&self, range: Range, reader: &Reader, budget: Budget) -> Range {
        let reach = match range.unit {
            // Every line is a byte of content at least.
            Unit::Lines => budget.lines.into_iter().chain(budget.bytes).min(),
            Unit::Bytes => {
                budget.bytes.filter(|_| self.is_bounded(reader)).map(|n| n.saturating_mul(DENSEST))
            }
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
