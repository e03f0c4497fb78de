//! The next slice: the command and range that continue after a slice.

use std::fmt;

use crate::content::{Budget, ContentStats, CutBy};
use rread_reader::reader::encoding::Align;
use rread_text::encoding::MAX_CHAR;
use rread_text::range::{Context, Form, Place, Point, Range, Unit};

/// The command that continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A range, whose unit names the command, and how to read it.
    Slice(Range, NextOptions),
    /// A page.
    Page {
        /// Its number, from 1.
        number: u64,
        /// The size of pages in bytes, if not the default.
        size: Option<u64>,
    },
}

/// The options of a range that follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NextOptions {
    /// How to treat characters that the range would cut.
    pub align: Option<Align>,
    /// Whether nothing follows after the range.
    pub bounded: bool,
}

impl Next {
    pub fn command(self) -> &'static str {
        match self {
            Next::Slice(range, _) => range.unit.command(),
            Next::Page { .. } => "page",
        }
    }

    pub fn argument(self) -> String {
        match self {
            Next::Slice(range, _) => range.to_string(),
            Next::Page { number, .. } => number.to_string(),
        }
    }

    pub fn page_size(self) -> Option<u64> {
        if let Next::Page { size, .. } = self { size } else { None }
    }

    /// The value of `--align`, if the command needs it: a loop without it would repeat parts of characters.
    pub fn align(self) -> Option<&'static str> {
        match self {
            Next::Slice(Range { unit: Unit::Bytes, .. }, options) => options.align.map(Align::name),
            Next::Slice(..) | Next::Page { .. } => None,
        }
    }

    /// Whether the command needs `--bounded`: a loop without it would go on after the end.
    pub fn is_bounded(self) -> bool {
        matches!(self, Next::Slice(_, NextOptions { bounded: true, .. }))
    }
}

impl fmt::Display for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.command(), self.argument())?;
        self.align().map_or(Ok(()), |align| write!(f, " --align {align}"))?;
        self.page_size().map_or(Ok(()), |size| write!(f, " --page-size {size}"))?;
        if self.is_bounded() { f.write_str(" --bounded") } else { Ok(()) }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct PrecedingSlice<'a> {
    pub asked: Range,
    pub context: Context,
    pub start: u64,
    pub end: u64,
    /// The end of what was asked, which a budget may have cut off; `u64::MAX` if the file ends it.
    pub wanted_end: u64,
    pub first_line: Option<u64>,
    /// Lines, including an incomplete one.
    pub lines: u64,
    pub stats: Option<&'a ContentStats>,
    pub budget: Budget,
    pub width: usize,
    /// The requested alignment, unless the format implies it.
    pub align: Option<Align>,
    /// Whether only the rest of what was asked follows.
    pub bounded: bool,
}

impl PrecedingSlice<'_> {
    fn cut(&self) -> Option<CutBy> {
        self.stats.and_then(|stats| stats.cut)
    }

    /// Whether a budget cut it inside a line.
    fn is_inside_line(&self) -> bool {
        let has_cut = matches!(self.cut(), Some(CutBy::Bytes | CutBy::Tokens));
        has_cut && self.stats.is_some_and(|stats| stats.mid_line)
    }

    /// The next slice; `None` at the end of the file, and after an empty slice that no budget cut.
    pub fn next(&self, size: Option<u64>) -> Option<Next> {
        if Some(self.end) == size {
            return None;
        }
        let (unit, form) = match (self.asked.unit, self.cut()) {
            (Unit::Bytes, cut) if self.bounded => (Unit::Bytes, self.rest_of_bytes(cut.is_some())?),
            (Unit::Bytes, cut) => (Unit::Bytes, self.next_bytes(cut.is_some())?),
            // Only bytes reach the rest of a long line.
            (Unit::Lines, Some(_)) if self.is_inside_line() && self.bounded => {
                let end = Some(self.wanted_end).filter(|end| *end < u64::MAX).map(Place::Front);
                (Unit::Bytes, Form::Between(Some(Place::Front(self.end)), end))
            }
            (Unit::Lines, Some(_)) if self.is_inside_line() => {
                // A byte of content may take a whole code unit of the source.
                let count = self.budget.characters()?.saturating_mul(self.width as u64);
                (Unit::Bytes, Form::Counted(Place::Front(self.end), count))
            }
            (Unit::Lines, cut) if self.bounded => (Unit::Lines, self.rest_of_lines(cut.is_some())?),
            (Unit::Lines, cut) => (Unit::Lines, self.next_lines(cut.is_some())?),
        };
        let options = NextOptions { align: self.align, bounded: self.bounded };
        Some(Next::Slice(Range { unit, form }, options))
    }

    /// The rest that a budget cut off.
    fn rest_of_bytes(&self, cut: bool) -> Option<Form> {
        let end = match self.asked.end() {
            Point::Front(n) if n <= self.end => return None,
            end => place_of_end(end),
        };
        cut.then_some(Form::Between(Some(Place::Front(self.end)), end))
    }

    /// The lines that a budget cut off, with the context after them.
    fn rest_of_lines(&self, cut: bool) -> Option<Form> {
        let first = self.first_line?.checked_add(self.lines)?;
        let end = match self.asked.end().later(self.context.after) {
            Point::Front(n) if n < first => return None,
            end => place_of_end(end),
        };
        cut.then_some(Form::Between(Some(Place::Front(first)), end))
    }

    fn next_bytes(&self, cut: bool) -> Option<Form> {
        let first = Place::Front(self.end);
        if let Some(count) = self.asked.requested_count() {
            // A range inside one character may have shrunk to nothing: the next one fits any character.
            let is_stuck = !cut && self.end == self.start && count > 0;
            let count = if is_stuck { count.max(MAX_CHAR as u64) } else { count };
            return (cut || count > 0).then_some(Form::Counted(first, count));
        }
        self.unsized_form(first, self.asked.end(), cut, self.end - self.start)
    }

    fn next_lines(&self, cut: bool) -> Option<Form> {
        let Context { before, after } = self.context;
        let first = match (self.first_line, self.asked.start()) {
            (Some(first), _) => Place::Front(first.checked_add(self.lines)?),
            // Without line numbers, count from the end; this holds while the file does not change.
            (None, Point::Back(n)) => {
                let before = n.saturating_add(before);
                Place::Back(before.checked_sub(self.lines).filter(|n| *n > 0)?)
            }
            (None, Point::Front(_)) => return None,
        };
        if let Some(count) = self.asked.requested_count() {
            // The budget may have cut context, which belongs to the request.
            let context = if cut { before.saturating_add(after) } else { 0 };
            let count = count.saturating_add(context);
            return (cut || count > 0).then_some(Form::Counted(first, count));
        }
        self.unsized_form(first, self.asked.end().later(after), cut, self.lines)
    }

    /// The form after a range whose size depends on the file, and of which `given` units were written.
    fn unsized_form(&self, first: Place, end: Point, cut: bool, given: u64) -> Option<Form> {
        let end = match end {
            // The rest of the range may be small; the budget limits the next slice instead.
            _ if !cut && self.budget.is_limited() => None,
            _ if !cut => return (given > 0).then_some(Form::Counted(first, given)),
            end => place_of_end(end),
        };
        Some(Form::Between(Some(first), end))
    }
}

/// `None` for the end of the file.
fn place_of_end(end: Point) -> Option<Place> {
    match end {
        Point::Back(0) => None,
        Point::Back(n) => Some(Place::Back(n)),
        Point::Front(n) => Some(Place::Front(n)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The next slice after the units from `start` to `end` of `asked`.
    fn after(asked: Range, (start, end): (u64, u64), context: u64, cut: Option<CutBy>) -> String {
        let stats = ContentStats { cut, ..ContentStats::default() };
        let preceding = PrecedingSlice {
            asked,
            context: Context { before: context, after: context },
            start,
            end,
            wanted_end: end,
            first_line: Some(start + 1),
            lines: end - start,
            stats: Some(&stats),
            budget: Budget { bytes: Some(end - start), ..Budget::default() },
            width: 1,
            align: None,
            bounded: false,
        };
        preceding.next(Some(1 << 20)).map_or(String::new(), |next| next.to_string())
    }

    #[test]
    fn the_slice_after_a_cut_has_the_requested_size() {
        let bytes = |form| Range { unit: Unit::Bytes, form };
        let lines = |form| Range { unit: Unit::Lines, form };
        let counted = |count| Form::Counted(Place::Front(1), count);
        let between = |start, end| Form::Between(start, end);
        let (front, back) = (|n| Some(Place::Front(n)), |n| Some(Place::Back(n)));
        for (asked, (start, end), expected) in [
            (bytes(Form::Counted(Place::Front(0), 4000)), (0, 3999), "bytes 3999:+4000"),
            (bytes(between(front(0), front(4000))), (0, 10), "bytes 10:+4000"),
            (bytes(between(front(5), back(10))), (5, 25), "bytes 25:-10"),
            (bytes(between(front(5), None)), (5, 25), "bytes 25:"),
            (lines(counted(500)), (0, 70), "lines 71:+500"),
            (lines(counted(500)), (0, 490), "lines 491:+500"),
            (lines(between(None, front(500))), (0, 499), "lines 500:+500"),
            (lines(between(back(50), back(40))), (100, 103), "lines 104:+10"),
            (lines(between(back(50), front(110))), (100, 103), "lines 104:110"),
            (lines(between(front(5), back(10))), (4, 7), "lines 8:-10"),
            (lines(between(None, None)), (0, 7), "lines 8:"),
        ] {
            assert_eq!(after(asked, (start, end), 0, Some(CutBy::Lines)), expected, "{asked}");
        }
        let around = lines(Form::One(Place::Front(50)));
        assert_eq!(after(around, (44, 48), 5, Some(CutBy::Lines)), "lines 49:+11");
        assert_eq!(after(around, (44, 55), 5, None), "lines 56:+1");
        // The slice after a complete range is limited by the budget alone.
        assert_eq!(after(lines(between(front(5), back(10))), (4, 7), 0, None), "lines 8:");
    }
}
