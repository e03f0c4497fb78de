//! The lines that a search visits and shows: adds lines of context to hits, in the order of the file.

use std::ops::Range;

use crate::reader::Reader;
use crate::reader::find_lines::LineWalk;
use rread_text::{Context, Result};

/// A line that was searched for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hit {
    /// The first byte.
    pub start: u64,
    /// The start of the next line, or the end of the file.
    pub next: u64,
    /// Newlines before it, if wanted.
    pub newlines: u64,
    /// Matches in it, if wanted; 1 for a line without a match that was searched for.
    pub matches: u64,
    /// Its bytes, newline included, in the text of the batch; `None` for a long line, and if they are not wanted.
    pub text: Option<Range<usize>>,
    /// In a long line, and where matches before do not count, the start of the first match in the file.
    pub first_match: Option<u64>,
    /// The ends of matches of several lines, if matches may have several lines.
    pub spanned: Option<Spanned>,
    /// Its part in a unit, if units are more than lines.
    pub part: Option<UnitPart>,
    /// Whether it is the first line that is shown of a unit.
    pub opens_unit: bool,
}

impl Hit {
    /// Whether a match that began in a line before it goes on in it.
    pub fn goes_on(&self) -> bool {
        self.spanned.is_some_and(|spanned| spanned.covered_to > self.start)
    }

    /// Whether it is shown with a line before it: of the same match, or of the same unit.
    pub fn has_line_before(&self) -> bool {
        self.goes_on() || self.part.is_some() && !self.opens_unit
    }
}

/// Matches of several lines that have a part in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spanned {
    /// The end of the match that began before the line; the start of the line without one.
    pub covered_to: u64,
    /// The end of the last match that begins in the line; the start of the line without one.
    pub matches_end: u64,
}

/// The part that a line has in a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitPart {
    /// The line is one that was searched for.
    Match,
    /// The line belongs to a unit that is shown.
    Rest,
    /// The line encloses the unit.
    Head,
}

/// A line to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShownLine {
    /// The first byte.
    pub start: u64,
    /// The start of the next line, or the end of the file.
    pub next: u64,
    /// Its number, if numbers are wanted.
    pub number: u64,
    /// Whether it was searched for; otherwise it is context.
    pub is_hit: bool,
    /// The start of the first match, in a hit that is too long to be held, or whose first matches do not count.
    pub first_match: Option<u64>,
    /// The ends of matches of several lines, if matches may have several lines.
    pub spanned: Option<Spanned>,
    /// Whether lines between this one and the one shown before it are left out.
    pub follows_gap: bool,
    /// Whether it encloses the lines below.
    pub is_head: bool,
    /// Whether the line shown before it is such a line.
    pub follows_head: bool,
}

impl ShownLine {
    /// The line of `hit`.
    pub fn of(hit: &Hit) -> Self {
        let Hit { start, next, newlines, first_match, spanned, part, .. } = *hit;
        let number = newlines + 1;
        let is_hit = part.is_none_or(|part| part == UnitPart::Match);
        let is_head = part == Some(UnitPart::Head);
        let (follows_gap, follows_head) = (false, false);
        ShownLine { start, next, number, is_hit, is_head, first_match, spanned, follows_gap, follows_head }
    }
}

/// Takes the lines to show, with the bytes of those that are at hand; returns whether to go on.
pub type Show<'s> = dyn FnMut(ShownLine, Option<&[u8]>) -> Result<bool> + 's;

/// Turns hits into lines to show.
pub struct Grouper<'a> {
    reader: &'a Reader,
    context: Context,
    walk: LineWalk<'a>,
    /// The last line that was shown.
    last: Option<ShownLine>,
    /// Lines of context that may still follow it.
    owed: u64,
    /// Context may not begin before this offset.
    skipped_to: u64,
}

impl<'a> Grouper<'a> {
    /// Starts at the beginning of the file.
    pub fn new(reader: &'a Reader, context: Context) -> Self {
        let mut grouper =
            Grouper { reader, context, walk: LineWalk::new(reader), last: None, owed: 0, skipped_to: 0 };
        if context.after == u64::MAX {
            // All lines are shown: those before the first hit follow the beginning of the file.
            (grouper.last, grouper.owed) = (Some(ShownLine::default()), u64::MAX);
        }
        grouper
    }

    /// The same after a line that was shown before.
    pub fn after_line(self, last: Option<ShownLine>) -> Self {
        Grouper { last: last.or(self.last), ..self }
    }

    /// The last line that was shown.
    pub fn last(&self) -> Option<ShownLine> {
        self.last
    }

    /// Shows what is due before `hit`, and the hit.
    pub fn hit(&mut self, hit: &Hit, text: &[u8], show: &mut Show<'_>) -> Result<bool> {
        let number = hit.newlines + 1;
        if !self.after(hit.start, show)? {
            return Ok(false);
        }
        let shown = self.last.map_or(0, |last| last.next).max(self.skipped_to);
        let mut start = hit.start;
        let mut before = Vec::new();
        while (before.len() as u64) < self.context.before && start > shown {
            let next = start;
            start = self.walk.start_of_line_before(start, shown)?;
            before.push(start..next);
        }
        let count = before.len() as u64;
        for (n, line) in (0..).zip(before.iter().rev()) {
            if !self.show(line.clone(), number.saturating_sub(count - n), None, None, show)? {
                return Ok(false);
            }
        }
        let held = hit.text.clone().and_then(|range| text.get(range));
        let go_on = self.show(hit.start..hit.next, number, Some(hit), held, show)?;
        self.owed = self.context.after;
        Ok(go_on)
    }

    /// Shows the next hit without the context before it.
    pub fn skip_context_before(&mut self, hit: &Hit) {
        self.skipped_to = hit.start;
    }

    /// Shows the context after the last hit, up to `end`.
    pub fn after(&mut self, end: u64, show: &mut Show<'_>) -> Result<bool> {
        while let Some(last) = self.last.filter(|last| self.owed > 0 && last.next < end) {
            self.owed -= 1;
            let walked = self.walk.line(last.next, &mut |_| {})?;
            if walked.next == last.next {
                break;
            }
            if !self.show(last.next..walked.next, last.number + 1, None, None, show)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn show(
        &mut self,
        line: Range<u64>,
        number: u64,
        hit: Option<&Hit>,
        held: Option<&[u8]>,
        show: &mut Show<'_>,
    ) -> Result<bool> {
        let follows_head = self.last.is_some_and(|last| last.is_head);
        let follows_gap = self.last.is_some_and(|last| last.next < line.start);
        let shown = match hit {
            Some(hit) => ShownLine { follows_gap, follows_head, ..ShownLine::of(hit) },
            None => {
                ShownLine { start: line.start, next: line.end, number, follows_gap, ..ShownLine::default() }
            }
        };
        self.last = Some(shown);
        // The text of the first line begins after the byte order mark.
        let is_marked = line.start == 0 && self.reader.decided().bom;
        show(shown, held.or_else(|| self.walk.held(line).filter(|_| !is_marked)))
    }
}
