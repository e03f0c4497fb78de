//! Chooses the lines to show with the verdict, within the budget.

use super::check::{find, merge};
use super::status::Statuses;
use rread_answer::content::{self, Budget, ContentOptions, ContentStats, Segment};
use rread_reader::reader::Reader;
use rread_reader::selection::Context;
use rread_text::error::Result;

pub(super) struct Excerpt {
    pub(super) segments: Vec<Segment>,
    pub(super) stats: ContentStats,
    /// Lines that the budget cut off, including a partial one.
    pub(super) next: Vec<(u64, u64)>,
}

/// The changed lines with their context; the last lines, if anchors are past the end of the file.
pub(super) fn plan(
    reader: &Reader,
    statuses: &Statuses,
    total_lines: Option<u64>,
    options: &ContentOptions,
    context: Context,
    budget: Budget,
) -> Result<Excerpt> {
    let wide = |(start, end): (u64, u64)| {
        (start.saturating_sub(context.before).max(1), end.saturating_add(context.after))
    };
    let tail = total_lines.filter(|total| statuses.is_short() && *total > 0 && context.before > 0);
    let tail = tail.map(|total| (total.saturating_add(1).saturating_sub(context.before).max(1), total));
    let mut ranges = merge(statuses.affected.iter().copied().map(wide).chain(tail));
    let counts: Vec<u64> = ranges.iter().flat_map(|(start, end)| [start - 1, *end]).collect();
    let found = find(reader, &counts, false)?;
    let mut segments = Vec::with_capacity(ranges.len());
    for (range, marks) in ranges.iter_mut().zip(found.boundaries.chunks(2)) {
        let [first, last] = marks else { continue };
        range.1 = last.lines.unwrap_or(range.1);
        segments.push(Segment { start: first.offset, end: last.offset, line: range.0 });
    }
    let stats = content::measure(reader, &segments, options, budget)?;
    if stats.cut.is_none() {
        return Ok(Excerpt { segments, stats, next: Vec::new() });
    }
    segments = content::before(&segments, stats.end);
    segments.retain(|segment| segment.start < segment.end);
    let next = skip_lines(&ranges, stats.newlines);
    Ok(Excerpt { segments, stats, next })
}

fn skip_lines(ranges: &[(u64, u64)], count: u64) -> Vec<(u64, u64)> {
    let mut left = count;
    let mut rest = Vec::new();
    for (start, end) in ranges {
        let here = left.min(end - start + 1);
        left -= here;
        if start + here <= *end {
            rest.push((start + here, *end));
        }
    }
    rest
}
