//! Which lines of the file are shown beside the verdict, within the budget, and what is left of them.

use super::check::{find, merged};
use super::status::Judged;
use crate::body::{self, Budget, Shape, Stretch, Tally};
use crate::error::Result;
use crate::reader::Reader;
use crate::selection::Context;

/// What is shown.
pub(super) struct Shown {
    pub(super) stretches: Vec<Stretch>,
    pub(super) tally: Tally,
    /// The lines that a budget cut off, a begun one included.
    pub(super) next: Vec<(u64, u64)>,
}

/// The lines that have changed with their context; the last lines, if anchors are past the end of the file.
pub(super) fn plan(
    reader: &Reader,
    judged: &Judged,
    total_lines: Option<u64>,
    shape: &Shape,
    context: Context,
    budget: Budget,
) -> Result<Shown> {
    let wide = |(start, end): (u64, u64)| {
        (start.saturating_sub(context.before).max(1), end.saturating_add(context.after))
    };
    let tail = total_lines.filter(|total| judged.is_short() && *total > 0 && context.before > 0);
    let tail = tail.map(|total| (total.saturating_add(1).saturating_sub(context.before).max(1), total));
    let ranges = merged(judged.affected.iter().copied().map(wide).chain(tail));
    let counts: Vec<u64> = ranges.iter().flat_map(|(start, end)| [start - 1, *end]).collect();
    let found = find(reader, &counts, false)?;
    let mut ranges = ranges;
    let mut stretches = Vec::with_capacity(ranges.len());
    for (range, marks) in ranges.iter_mut().zip(found.marks.chunks(2)) {
        let [first, last] = marks else { continue };
        range.1 = last.lines.unwrap_or(range.1);
        stretches.push(Stretch { start: first.offset, end: last.offset, line: range.0 });
    }
    let tally = body::measure(reader, &stretches, shape, budget)?;
    if tally.cut.is_none() {
        return Ok(Shown { stretches, tally, next: Vec::new() });
    }
    stretches = body::before(&stretches, tally.end);
    stretches.retain(|stretch| stretch.start < stretch.end);
    let next = skipped(&ranges, tally.newlines);
    Ok(Shown { stretches, tally, next })
}

/// All but the first `count` of them.
fn skipped(ranges: &[(u64, u64)], count: u64) -> Vec<(u64, u64)> {
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
