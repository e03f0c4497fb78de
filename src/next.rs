//! How to go on: the slice that follows the one delivered, as a command and a range to give back.

use std::fmt;

use crate::body::{CutBy, Tally};
use crate::range::{Form, Place, Point, Range, Unit};
use crate::selection::Context;
use crate::utf8::MAX_CHAR;

/// The slice that follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A range, whose unit names the command.
    Slice(Range),
    /// A page.
    Page {
        /// Its number, from 1.
        number: u64,
        /// The size of pages in bytes, where it is not the default.
        size: Option<u64>,
    },
}

impl Next {
    /// The subcommand that gives it.
    #[must_use]
    pub fn command(self) -> &'static str {
        match self {
            Next::Slice(range) => range.unit.command(),
            Next::Page { .. } => "page",
        }
    }

    /// What stands behind FILE: the range, or the number of the page.
    #[must_use]
    pub fn argument(self) -> String {
        match self {
            Next::Slice(range) => range.to_string(),
            Next::Page { number, .. } => number.to_string(),
        }
    }

    /// The size of pages in bytes, where it has to be given.
    #[must_use]
    pub fn page_size(self) -> Option<u64> {
        match self {
            Next::Slice(_) => None,
            Next::Page { size, .. } => size,
        }
    }
}

impl fmt::Display for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.command(), self.argument())?;
        self.page_size().map_or(Ok(()), |size| write!(f, " --page-size {size}"))
    }
}

/// What was delivered of one range.
#[derive(Clone, Copy, Debug)]
pub struct Delivery<'a> {
    /// What was asked.
    pub asked: Range,
    /// The context that was added to it, for lines.
    pub context: Context,
    /// The first byte delivered.
    pub start: u64,
    /// Past the last byte delivered.
    pub end: u64,
    /// The number of the first line, if it is known.
    pub first_line: Option<u64>,
    /// Lines delivered, a begun one included.
    pub lines: u64,
    /// What the content amounts to, where it was measured.
    pub tally: Option<&'a Tally>,
    /// The budget of bytes, if there was one.
    pub max_bytes: Option<u64>,
}

impl Delivery<'_> {
    fn cut(&self) -> Option<CutBy> {
        self.tally.and_then(|tally| tally.cut)
    }

    /// The following slice; `None` at the end of the file, and after an empty slice that no budget cut.
    #[must_use]
    pub fn next(&self, size: Option<u64>) -> Option<Next> {
        if Some(self.end) == size {
            return None;
        }
        let form = match (self.asked.unit, self.cut()) {
            (Unit::Bytes, cut) => self.next_bytes(cut.is_some())?,
            // The rest of a long line can be reached by its bytes only.
            (Unit::Lines, Some(CutBy::Bytes)) if self.tally.is_some_and(|t| t.mid_line) => {
                let form = Form::Counted(Place::Front(self.end), self.max_bytes?);
                return Some(Next::Slice(Range { unit: Unit::Bytes, form }));
            }
            (Unit::Lines, cut) => self.next_lines(cut.is_some())?,
        };
        Some(Next::Slice(Range { unit: self.asked.unit, form }))
    }

    fn next_bytes(&self, cut: bool) -> Option<Form> {
        let count = self.asked.asked_count().unwrap_or(self.end - self.start);
        if cut {
            let first = Place::Front(self.end);
            let rest = up_to(first, self.end, self.asked.end());
            return Some(if is_remnant(rest, count) { Form::Counted(first, count) } else { rest });
        }
        // A range inside one character may have shrunk to nothing: the next one has room for any.
        let count = if self.end == self.start && count > 0 { count.max(MAX_CHAR as u64) } else { count };
        (count > 0).then_some(Form::Counted(Place::Front(self.end), count))
    }

    fn next_lines(&self, cut: bool) -> Option<Form> {
        let count = self.asked.asked_count().unwrap_or(self.lines);
        let end = match self.asked.end() {
            Point::Front(n) => Point::Front(n.saturating_add(self.context.after)),
            Point::Back(n) => Point::Back(n.saturating_sub(self.context.after)),
        };
        let first = match (self.first_line, self.asked.start()) {
            (Some(first), _) => Place::Front(first.checked_add(self.lines)?),
            // Counted from the end, with numbers unknown: as long as the file stays as it is.
            (None, Point::Back(n)) => {
                let before = n.saturating_add(self.context.before);
                Place::Back(before.checked_sub(self.lines).filter(|n| *n > 0)?)
            }
            (None, Point::Front(_)) => return None,
        };
        if cut {
            let lines_before = match first {
                Place::Front(n) => n - 1,
                Place::Back(_) => 0,
            };
            let rest = up_to(first, lines_before, end);
            return Some(if is_remnant(rest, count) { Form::Counted(first, count) } else { rest });
        }
        (count > 0).then_some(Form::Counted(first, count))
    }
}

/// Whether `rest` is so small a part of the `count` units asked that going on in slices of its size would take many
/// times as many calls: a budget of 4000 bytes leaves one of 4000 when a character stands across its end.
fn is_remnant(rest: Form, count: u64) -> bool {
    matches!(rest, Form::Counted(_, left) if left < count / 8)
}

/// From `first`, which `before` units precede, to the end that was asked for.
fn up_to(first: Place, before: u64, end: Point) -> Form {
    match (first, end) {
        (Place::Front(_), Point::Front(end)) => Form::Counted(first, end.saturating_sub(before)),
        (_, Point::Back(0)) => Form::Between(Some(first), None),
        (_, Point::Back(n)) => Form::Between(Some(first), Some(Place::Back(n))),
        (Place::Back(_), Point::Front(n)) => Form::Between(Some(first), Some(Place::Front(n))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(asked: Range, start: u64, end: u64) -> String {
        let tally = Tally { cut: Some(CutBy::Bytes), ..Tally::default() };
        let lines = end - start;
        let delivery = Delivery {
            asked,
            context: Context::default(),
            start,
            end,
            first_line: Some(start + 1),
            lines,
            tally: Some(&tally),
            max_bytes: Some(lines),
        };
        delivery.next(Some(1 << 20)).unwrap().to_string()
    }

    #[test]
    fn the_rest_of_what_a_budget_cut_is_asked_for_unless_it_is_a_remnant() {
        let bytes = |count| Range { unit: Unit::Bytes, form: Form::Counted(Place::Front(0), count) };
        let lines = |count| Range { unit: Unit::Lines, form: Form::Counted(Place::Front(1), count) };
        assert_eq!(after(bytes(4000), 0, 3999), "bytes 3999:+4000");
        assert_eq!(after(bytes(4000), 0, 3501), "bytes 3501:+4000");
        assert_eq!(after(bytes(4000), 0, 3500), "bytes 3500:+500");
        assert_eq!(after(lines(200), 0, 198), "lines 199:+200");
        assert_eq!(after(lines(200), 0, 150), "lines 151:+50");
        assert_eq!(after(lines(7), 0, 6), "lines 7:+1");
    }
}
