//! Limits reading to what a budget can return: rread does not read content that the budget will cut off.

use crate::content::{Budget, InvalidBytes};
use crate::format::Format;
use crate::request::Request;
use rread_reader::reader::Reader;
use rread_reader::selection::{Located, Reach, Selection};
use rread_text::error::Result;
use rread_text::range::{Point, Range, Unit};

/// Maximum source bytes of one character.
const DENSEST: u64 = 4;

/// Further source bytes: a byte order mark, and a character at either end.
const MARGIN: u64 = 64;

/// Source bytes that certainly make more than `budget` characters.
fn source_bytes(budget: u64) -> u64 {
    budget.saturating_mul(DENSEST).saturating_add(MARGIN)
}

impl Request<'_> {
    /// Reads only as far as the budget reaches, and far enough to see whether there is more.
    pub fn locate(&self, reader: &Reader, format: Format, budget: Budget) -> Result<Located> {
        // A small or indexed file is counted whole.
        let is_cheap = reader.is_cheap_to_count();
        let reach = self.reach(reader, budget).filter(|_| !is_cheap);
        let locate = |ranges: &[Range]| {
            let (context, header, numbers) = (self.context, self.header, self.content.number);
            Selection { ranges, context, header, numbers }.locate_within(reader, reach)
        };
        if let Some(start) = self.flowing(reader, format, budget) {
            let mut located = locate(&[start])?;
            if let [Ok(slice)] = &mut located.slices[..] {
                // No receipt reports the end, so the text may end at damage.
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
                // The file ended before the limit, so the original ranges can be located.
            }
        }
        locate(&self.ranges)
    }

    /// The reach of the budget: in bytes, or to the first bytes of the line after its last.
    fn reach(&self, reader: &Reader, budget: Budget) -> Option<Reach> {
        let bytes = budget.characters().filter(|_| self.is_bounded(reader));
        let bytes = bytes.map(|bytes| Reach { lines: 0, bytes: source_bytes(bytes) });
        bytes.or_else(|| budget.lines.map(|lines| Reach { lines, bytes: MARGIN }))
    }

    /// The empty range where the only range starts, if a stream can be written from there as it arrives.
    fn flowing(&self, reader: &Reader, format: Format, budget: Budget) -> Option<Range> {
        let [range] = self.ranges[..] else { return None };
        // A compressed regular file does not count as a stream: decoding it builds its index.
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
                Some(Range::after(range.unit, before, Some(0)))
            }
            _ => None,
        }
    }

    /// `range`, shortened to just more than the budget if it is longer.
    fn nearer(&self, range: Range, reader: &Reader, budget: Budget) -> Range {
        let reach = match range.unit {
            // Every line has at least one character.
            Unit::Lines => budget.lines.into_iter().chain(budget.characters()).min(),
            // With a known size, the end of a byte range needs no reading.
            Unit::Bytes if reader.known_size().is_some() => None,
            Unit::Bytes => budget.characters().filter(|_| self.is_bounded(reader)).map(source_bytes),
        };
        let (Point::Front(start), Some(reach)) = (range.start(), reach) else { return range };
        let reach = reach.saturating_add(MARGIN);
        let is_near = match range.end() {
            Point::Front(end) => end <= start.saturating_add(reach),
            Point::Back(n) => n > 0,
        };
        if is_near { range } else { Range::after(range.unit, start, Some(reach)) }
    }

    /// Clipped lines and escape sequences of stateful encodings make no content, so they set no limit.
    fn is_bounded(&self, reader: &Reader) -> bool {
        let encoding = reader.encoding();
        self.content.max_columns.is_none() && !encoding.has_state()
    }
}
