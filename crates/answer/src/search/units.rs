//! A search whose hits are whole records or blocks, or lines below what encloses them.

use std::ops::ControlFlow;

use super::context_within_budget::Resume;
use super::find::{FileSearch, TakeHits, Tally};
use super::options::{SearchOptions, Shows};
use rread_reader::search::unit::{UnitKind, UnitOptions, Units};
use rread_reader::search::worker::{Hit, Wants};
use rread_text::error::Result;

impl SearchOptions {
    /// Whether hits are more than lines.
    pub(super) fn has_units(&self) -> bool {
        self.unit != UnitKind::Line || self.enclosing
    }
}

impl FileSearch<'_> {
    /// Passes the lines of units to `take`, which decides whether to go on, and adds them up.
    pub(super) fn each_unit(&self, max: u64, take: &mut TakeHits<'_>) -> Result<Tally> {
        let options = UnitOptions {
            kind: self.options.unit,
            enclosing: self.options.enclosing,
            invert: self.options.pattern.invert,
            context: self.file.request.context,
            counts: self.options.shows != Shows::Lines,
            most: (max < u64::MAX).then_some(max),
        };
        let path = &self.file.request.path;
        let times = self.options.times.options(path);
        let mut units = Units::new(self.reader(), path, options, &times)?;
        let mut tally = Tally { end: self.start(), units: Some(0), ..Tally::default() };
        let (mut shown, mut is_complete) = (Vec::new(), true);
        for span in &self.spans {
            units.begin((span.start, span.newlines));
            let search = self.search(Wants { hits: true, from: span.from, ..self.wants });
            let searched = search.run(span.start..span.end, span.newlines, &mut |hits, _| {
                units.take(hits, &mut shown)?;
                let flow = pass(&mut shown, take)?;
                Ok(if units.sums.is_over { ControlFlow::Break(()) } else { flow })
            })?;
            let end = searched.and_then(|searched| searched.end).or(self.reader().known_size());
            let end = end.unwrap_or(span.end).min(span.end);
            if let Some(searched) = searched {
                units.finish(end, &mut shown)?;
                is_complete = pass(&mut shown, take)?.is_continue() && !units.sums.is_over;
                if span.start == 0 && span.end == u64::MAX && self.wants.numbers {
                    tally.total_lines = Some(searched.newlines + u64::from(searched.is_unterminated));
                }
            } else {
                is_complete = false;
            }
            tally.end = end;
            if !is_complete {
                break;
            }
        }
        let sums = units.sums;
        (tally.matches, tally.lines, tally.units) = (sums.matches, sums.lines, Some(sums.units));
        tally.after =
            sums.end.map(|(offset, newlines)| Resume { offset, line: newlines + 1, is_inside: false });
        if let Some(after) = tally.after.filter(|_| !is_complete) {
            tally.end = after.offset;
        }
        tally.is_complete = is_complete;
        Ok(tally)
    }
}

fn pass(shown: &mut Vec<Hit>, take: &mut TakeHits<'_>) -> Result<ControlFlow<()>> {
    let hits = std::mem::take(shown);
    if hits.is_empty() { Ok(ControlFlow::Continue(())) } else { take(&hits, &[]) }
}
