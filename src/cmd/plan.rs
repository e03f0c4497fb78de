//! From slices to parts: aligned, measured within what is left of the budget, with the way to go on.

use std::path::Path;

use super::input::captured_page_size;
use super::question::Question;
use super::refusal;
use crate::body::{self, Budget, InvalidBytes, Shape, Stretch, Tally};
use crate::error::{Error, Kind, Result};
use crate::next::{Delivery, Next};
use crate::paging::PAGE_SIZE;
use crate::range::{Form, Place, Point, Range, Unit};
use crate::reader::Reader;
use crate::reader::edges::Align;
use crate::render::Format;
use crate::report::{Checked, Delivered, PageFacts, Part};
use crate::selection::Slice;

/// A part and the stretches of the file that make its content.
pub(super) struct Planned {
    pub(super) part: Part,
    pub(super) stretches: Vec<Stretch>,
}

/// Everything that was asked of a file, found and measured.
pub(super) struct Plan {
    /// A part for each range, in the order asked.
    pub(super) parts: Vec<Planned>,
    /// The number of lines, if it is known now.
    pub(super) total_lines: Option<u64>,
    /// What is left of the budget.
    pub(super) left: Budget,
}

impl Planned {
    /// Whether a budget ended it.
    pub(super) fn is_cut(&self) -> bool {
        self.part.outcome.as_ref().is_ok_and(|delivered| delivered.tally.cut.is_some())
    }
}

/// Turns slices into parts, one after another, sharing the budget.
pub(super) struct Planner<'a> {
    pub(super) question: &'a Question<'a>,
    pub(super) reader: &'a Reader,
    pub(super) shape: &'a Shape,
    pub(super) format: Format,
    pub(super) left: Budget,
    /// Where the header lines end.
    pub(super) header_end: u64,
}

impl Planner<'_> {
    pub(super) fn plan(&mut self, asked: Range, slice: &Result<Slice>) -> Result<Planned> {
        let slice = match slice {
            Ok(slice) => *slice,
            Err(error) => {
                let error = hinted(error.clone(), asked.unit, &self.question.path);
                return Ok(Planned {
                    part: Part { asked, page: None, outcome: Err(error) },
                    stretches: Vec::new(),
                });
            }
        };
        let (start, end) = match (asked.unit, self.question.content.encode) {
            // Where a stream ends nothing can be cut.
            (Unit::Bytes, None) if slice.end == u64::MAX => {
                let next = self.reader.reach(slice.start.saturating_add(1))?;
                (self.reader.align(slice.start, next, self.alignment())?.0, slice.end)
            }
            (Unit::Bytes, None) => self.reader.align(slice.start, slice.end, self.alignment())?,
            _ => (slice.start, slice.end),
        };
        let line = self.line_at(asked.unit, start, slice.first_line)?;
        self.measured(asked, slice, (start, end), line)
    }

    /// Raw output has no receipt to report a move, so it cuts exactly: consecutive ranges join to the file.
    fn alignment(&self) -> Align {
        self.question.align.unwrap_or(self.usual_alignment())
    }

    fn usual_alignment(&self) -> Align {
        if self.shape.raw { Align::None } else { Align::Expand }
    }

    /// A page, which begins with the line `first_line`, as far as that is known.
    pub(super) fn plan_page(&mut self, facts: PageFacts, first_line: Option<u64>) -> Result<Planned> {
        let PageFacts { page, size, .. } = facts;
        let form = Form::Between(Some(Place::Front(page.start)), Some(Place::Front(page.end)));
        let asked = Range { unit: Unit::Bytes, form };
        let slice = Slice { start: page.start, end: page.end, first_line, exact: true, short: false };
        let mut planned = self.measured(asked, slice, (page.start, page.end), first_line)?;
        planned.part.page = Some(facts);
        if let Ok(delivered) = &mut planned.part.outcome {
            if let Some(Next::Slice(rest, _)) = &mut delivered.next {
                // Pages end where lines end: what was asked for is their size.
                rest.form = Form::Counted(Place::Front(delivered.end), size);
            }
            if delivered.end == page.end {
                let next = page.number.checked_add(1).filter(|_| !page.is_last);
                // Where the usual size is not what page takes by itself, it has to be given as well.
                let unusual = captured_page_size(&self.question.path)?.is_some();
                let size = Some(size).filter(|size| *size != PAGE_SIZE || unusual);
                delivered.next = next.map(|number| Next::Page { number, size });
                delivered.reaches_damage = page.is_last && self.reader.is_cut_short();
            }
        }
        Ok(planned)
    }

    /// What the budget leaves of a slice from `start` to `end`, the first line of which is `line`.
    fn measured(
        &mut self,
        asked: Range,
        slice: Slice,
        (start, end): (u64, u64),
        line: Option<u64>,
    ) -> Result<Planned> {
        let header_end = if asked.unit == Unit::Lines { self.header_end.min(start) } else { 0 };
        let mut stretches = Vec::with_capacity(2);
        if header_end > 0 {
            stretches.push(Stretch { start: 0, end: header_end, line: 1 });
        }
        stretches.push(Stretch { start, end, line: line.unwrap_or(1) });
        let tally = self.measure(&stretches)?;
        let mut header_lines = self.header_lines(header_end)?;
        if let Some(tally) = &tally {
            // An earlier range may have left nothing, or not enough, of the budget.
            header_lines = header_lines.min(tally.lines());
        }
        let mut delivered = Delivered {
            start,
            end,
            first_line: line,
            lines: None,
            moved: (distance(slice.start, start), distance(slice.end, end)),
            exact: slice.exact,
            header_lines,
            tally: tally.unwrap_or_default(),
            next: None,
            reaches_damage: false,
            checked: Checked::default(),
        };
        if let Some(tally) = &tally {
            if tally.cut.is_some() {
                self.check_header(header_end, start, tally)?;
                self.check_progress(start, end, tally)?;
                delivered.end = tally.end.max(start);
                // The budget, not a character, decided where it ends.
                delivered.moved.1 = 0;
                stretches = body::before(&stretches, tally.end);
            }
            delivered.lines = Some(tally.lines().saturating_sub(header_lines));
            self.left = self.left.less(tally);
        }
        let delivery = Delivery {
            asked,
            context: self.question.context,
            start,
            end: delivered.end,
            first_line: line,
            lines: delivered.lines.unwrap_or(0),
            tally: tally.as_ref(),
            budget: self.question.budget()?,
            width: self.reader.units().width(),
            align: self.question.align.filter(|align| *align != self.usual_alignment()),
        };
        delivered.next = delivery.next(self.reader.known_size());
        delivered.reaches_damage = self.reaches_damage(asked, slice, &delivered)?;
        Ok(Planned { part: Part { asked, page: None, outcome: Ok(delivered) }, stretches })
    }

    /// Whether more than `delivered` was asked for, and damage came instead.
    fn reaches_damage(&self, asked: Range, slice: Slice, delivered: &Delivered) -> Result<bool> {
        let end = self.reader.damage().map(|damage| damage.text);
        if end != Some(delivered.end) || delivered.tally.cut.is_some() {
            return Ok(false);
        }
        if slice.short || matches!(asked.end(), Point::Back(_)) {
            return Ok(true);
        }
        match asked.unit {
            Unit::Lines => self.reader.is_unterminated(delivered.end),
            Unit::Bytes if self.question.content.encode.is_some() || self.alignment() == Align::None => {
                Ok(false)
            }
            Unit::Bytes => self.reader.ends_inside_character(delivered.end),
        }
    }

    /// A header that leaves no room for anything would be repeated for ever by a caller that follows `next`.
    fn check_header(&self, header_end: u64, start: u64, tally: &Tally) -> Result<()> {
        if header_end == 0 || tally.end > start || self.left != self.question.budget()? {
            return Ok(());
        }
        Err(Error::usage(format!(
            "the header takes {header_end} bytes and the budget leaves no room for more"
        ))
        .hint("a larger --max-bytes or --max-lines, or a smaller --header"))
    }

    /// A budget that has no room for what comes first would give the same nothing for ever to that caller.
    fn check_progress(&self, start: u64, end: u64, tally: &Tally) -> Result<()> {
        if tally.end > start || start >= end || self.left != self.question.budget()? {
            return Ok(());
        }
        let what = match self.reader.encoding() {
            encoding if encoding.has_state() => {
                format!("a line of {}, which can be cut only where lines end", encoding.name())
            }
            encoding => format!("the invalid sequence of {} at byte {start}", encoding.name()),
        };
        Err(Error::usage(format!("the budget has no room for {what}")).hint("a larger --max-bytes"))
    }

    /// The number of the line at `start`; for bytes it is counted only when lines are to be numbered, or when the
    /// index makes that cheap.
    fn line_at(&self, unit: Unit, start: u64, known: Option<u64>) -> Result<Option<u64>> {
        if unit == Unit::Bytes && self.needs_numbers() {
            return Ok(Some(self.reader.newlines_before(start)? + 1));
        }
        if unit == Unit::Bytes {
            return Ok(self.reader.indexed_newlines_before(start)?.map(|newlines| newlines + 1));
        }
        Ok(known)
    }

    /// A receipt stands before the content, so the content is measured before it is delivered; without a
    /// receipt only where a budget or a refusal depends on it.
    fn measure(&self, stretches: &[Stretch]) -> Result<Option<Tally>> {
        let strict = self.shape.invalid == InvalidBytes::Error;
        let clips = self.shape.max_columns.is_some();
        // What is encoded is read in pieces of one size, up to damage that has to be known.
        let encodes = self.shape.encode.is_some() && self.reader.source().compressed().is_some();
        if !(self.format.has_receipt() || self.left.is_limited() || strict || clips || encodes) {
            return Ok(None);
        }
        body::measure(self.reader, stretches, self.shape, self.left).map(Some)
    }

    fn header_lines(&self, header_end: u64) -> Result<u64> {
        if header_end == 0 {
            return Ok(0);
        }
        Ok(self.raw_tally(0, header_end)?.lines())
    }

    /// How many newlines there are from `start` to `end`.
    pub(super) fn newlines(&self, start: u64, end: u64) -> Result<u64> {
        Ok(self.raw_tally(start, end)?.newlines)
    }

    fn raw_tally(&self, start: u64, end: u64) -> Result<Tally> {
        let shape = Shape { raw: true, ..Shape::default() };
        body::measure(self.reader, &[Stretch { start, end, line: 1 }], &shape, Budget::default())
    }

    /// Whether lines are to be numbered, whatever it costs.
    pub(super) fn needs_numbers(&self) -> bool {
        self.question.content.number
    }
}

/// How far `to` lies after `from`; no character is longer than four bytes.
fn distance(from: u64, to: u64) -> i64 {
    i64::try_from(i128::from(to) - i128::from(from)).unwrap_or(0)
}

/// A range that is not there, with one that is.
pub(super) fn hinted(error: Error, unit: Unit, path: &Path) -> Error {
    let error = error.at(path);
    if error.kind != Kind::OutOfRange {
        return error;
    }
    let last = if unit == Unit::Lines { "-20:" } else { "-4096:" };
    error.hint(refusal::again(unit.command(), path, last))
}
