//! A search whose unit is more than a line: whole records of a log, whole blocks of a text; and what encloses a line.

#![allow(missing_docs)]

mod outline;

use std::ops::Range;
use std::path::Path;

use self::outline::Outline;
use super::occurrences::{Hit, UnitPart};
use crate::reader::Reader;
use crate::reader::find_lines::LineWalk;
use crate::times::{RecordEdges, TimeOptions};
use rread_text::{Context, Error, Kind, Result, setting};

/// Bytes of a record before and after a line in it; a longer one is shown in part.
const MAX_RECORD: u64 = 4 << 20;

/// The unit that is matched, counted and shown at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnitKind {
    #[default]
    Line,
    /// A line with a time, and those after it without one.
    Record,
    /// The lines that indentation, brackets or a heading encloses.
    Block,
}

/// How units are found and shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnitOptions {
    pub kind: UnitKind,
    /// Above each unit, the lines that enclose it.
    pub enclosing: bool,
    /// Units without a match are wanted.
    pub invert: bool,
    /// Units around each.
    pub context: Context,
    /// Units are only counted.
    pub counts: bool,
    pub most: Option<u64>,
}

/// The sums over units.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnitSums {
    pub units: u64,
    pub lines: u64,
    pub matches: u64,
    /// The end of the last unit: its offset, and the newlines before it.
    pub end: Option<(u64, u64)>,
    /// There are more units than are wanted.
    pub is_over: bool,
    /// A record is longer than what is looked at of it.
    pub is_cut: bool,
}

/// A place between two lines: the offset, and the newlines before it.
type Edge = (u64, u64);

/// Makes units of the lines that match, in the order of the file.
pub struct Units<'a> {
    walk: LineWalk<'a>,
    edges: Option<RecordEdges<'a>>,
    outline: Option<Outline>,
    options: UnitOptions,
    pub sums: UnitSums,
    /// The unit that is shown.
    current: Option<Range<u64>>,
    /// After the last line that was shown, or passed over.
    shown_to: Edge,
    /// With units without a match: after the last line that is known to be of none, which context may show.
    walked: Edge,
    /// The first line that may be shown: of a unit that begins before it, the rest is.
    first: u64,
    /// The next line that is shown is the first one of its unit.
    is_opening: bool,
    /// Units that may still follow as context.
    owed: u64,
    /// Lines that enclose the unit shown last.
    heads: Vec<u64>,
    /// Matching lines of one outermost block, whose units may contain each other.
    held: Vec<Hit>,
}

impl<'a> Units<'a> {
    /// Units of the text of `reader`, whose name is `path`.
    pub fn new(reader: &'a Reader, path: &Path, options: UnitOptions, times: &TimeOptions) -> Result<Self> {
        let edges = match options.kind {
            UnitKind::Record => RecordEdges::of(reader, times)?,
            _ => None,
        };
        let needs_outline = options.kind == UnitKind::Block || options.enclosing;
        let outline = needs_outline.then(|| Outline::of(reader, path)).transpose()?;
        let (walk, sums, held, heads) = (LineWalk::new(reader), UnitSums::default(), Vec::new(), Vec::new());
        let (current, shown_to, walked, owed, first, is_opening) = (None, (0, 0), (0, 0), 0, 0, false);
        Ok(Units {
            walk,
            edges,
            outline,
            options,
            sums,
            current,
            shown_to,
            walked,
            first,
            is_opening,
            owed,
            heads,
            held,
        })
    }

    /// Begins with the line at `edge`: nothing before it is shown. Returns where the search begins: with a unit that has a part
    /// before that line.
    pub fn begin(&mut self, edge: Edge) -> Result<u64> {
        if edge.0 < self.shown_to.0 || edge.0 == 0 {
            return Ok(edge.0);
        }
        (self.shown_to, self.first, self.owed, self.current) = (edge, edge.0, 0, None);
        let line = edge.0..self.walk.line(edge.0, &mut |_| {})?.next;
        let unit = match self.outline.as_ref().filter(|_| self.options.kind == UnitKind::Block) {
            Some(outline) => outline.top_of(&line),
            None => self.unit_of(&line)?,
        };
        Ok(unit.start.min(edge.0))
    }

    /// Adds matching lines; what is to be shown goes to `shown`.
    pub fn take(&mut self, hits: Vec<Hit>, shown: &mut Vec<Hit>) -> Result<()> {
        for hit in hits {
            if self.sums.is_over {
                return Ok(());
            }
            if self.options.kind != UnitKind::Block {
                self.hit(&hit, None, shown)?;
                continue;
            }
            let is_same_top = self.held.first().is_none_or(|first| {
                self.outline
                    .as_ref()
                    .is_some_and(|outline| hit.start < outline.top_of(&(first.start..first.next)).end)
            });
            if !is_same_top {
                self.release(shown)?;
            }
            self.held.push(hit);
        }
        Ok(())
    }

    /// Shows what is due at the end of the searched part, `end`.
    pub fn finish(&mut self, end: u64, shown: &mut Vec<Hit>) -> Result<()> {
        self.release(shown)?;
        if self.sums.is_over {
            return Ok(());
        }
        if self.options.invert {
            self.without_match(end, shown)?;
        }
        self.close(shown)?;
        self.after(u64::MAX, shown)
    }

    /// Takes the lines that were held, each with the largest unit that contains it.
    fn release(&mut self, shown: &mut Vec<Hit>) -> Result<()> {
        let held = std::mem::take(&mut self.held);
        let mut units: Vec<Range<u64>> = Vec::new();
        for hit in &held {
            let unit = self.unit_of(&(hit.start..hit.next))?;
            units.retain(|other| !(unit.start <= other.start && other.end <= unit.end));
            if !units.iter().any(|other| other.contains(&unit.start)) {
                units.push(unit);
            }
        }
        for hit in &held {
            let unit = units.iter().find(|unit| unit.contains(&hit.start)).cloned();
            self.hit(hit, unit, shown)?;
        }
        Ok(())
    }

    fn hit(&mut self, hit: &Hit, unit: Option<Range<u64>>, shown: &mut Vec<Hit>) -> Result<()> {
        let is_here = self.current.as_ref().is_some_and(|unit| hit.start < unit.end);
        if !is_here {
            let unit = unit.map_or_else(|| self.unit_of(&(hit.start..hit.next)), Ok)?;
            if unit.end <= self.first {
                return Ok(());
            }
            if self.options.invert {
                self.without_match(unit.start, shown)?;
                self.after(unit.end, shown)?;
                self.current = None;
                let lines = self.lines(hit.next, unit.end)?.len() as u64;
                self.walked = (hit.next.max(unit.end), hit.newlines + 1 + lines);
                return Ok(());
            }
            if !self.open(unit, (hit.start, hit.newlines), shown)? {
                return Ok(());
            }
        }
        if self.options.invert || self.sums.is_over {
            return Ok(());
        }
        self.sums.lines += 1;
        self.sums.matches += hit.matches;
        if hit.start < self.first {
            return Ok(());
        }
        self.rest_to(hit.start, UnitPart::Rest, shown)?;
        self.shown_to = (hit.next, hit.newlines + 1);
        self.push(Hit { text: None, part: Some(UnitPart::Match), ..hit.clone() }, shown);
        Ok(())
    }

    fn push(&mut self, hit: Hit, shown: &mut Vec<Hit>) {
        if !self.options.counts {
            shown.push(Hit { opens_unit: std::mem::take(&mut self.is_opening), ..hit });
        }
    }

    /// Begins a unit in which the line at `known` lies; false if no more are wanted.
    fn open(&mut self, unit: Range<u64>, known: Edge, shown: &mut Vec<Hit>) -> Result<bool> {
        self.close(shown)?;
        self.after(unit.start, shown)?;
        if self.options.most.is_some_and(|most| self.sums.units >= most) {
            // Units that match may be context, as lines are.
            self.after(u64::MAX, shown)?;
            self.sums.is_over = true;
            return Ok(false);
        }
        self.sums.units += 1;
        self.is_opening = true;
        if !self.options.counts {
            let start = self.before(unit.start.max(self.shown_to.0))?;
            self.heads_of(unit.start.max(start), known, shown)?;
            let count = self.lines(start, known.0)?.len() as u64;
            if start > self.shown_to.0 {
                self.shown_to = (start, known.1.saturating_sub(count));
            }
        }
        self.current = Some(unit);
        Ok(true)
    }

    /// Shows the rest of the unit.
    fn close(&mut self, shown: &mut Vec<Hit>) -> Result<()> {
        let Some(unit) = self.current.take() else { return Ok(()) };
        self.rest_to(unit.end, UnitPart::Rest, shown)?;
        self.sums.end = Some(self.shown_to);
        self.owed = self.options.context.after;
        Ok(())
    }

    /// The start of the context before the unit that begins at `start`.
    fn before(&mut self, start: u64) -> Result<u64> {
        let (mut start, mut left, limit) = (start, self.options.context.before, self.shown_to.0);
        while left > 0 && start > limit {
            let line = self.walk.start_of_line_before(start, limit)?..start;
            let is_blank = self.is_blank(&line)?;
            let unit = self.unit_of(&line)?;
            if unit.end > start && !is_blank {
                break;
            }
            start = unit.start.max(limit).min(line.start);
            left -= u64::from(!is_blank);
        }
        Ok(start)
    }

    /// Shows the context that is due, before `limit`.
    fn after(&mut self, limit: u64, shown: &mut Vec<Hit>) -> Result<()> {
        while self.owed > 0 && self.shown_to.0 < limit {
            let next = self.walk.line(self.shown_to.0, &mut |_| {})?.next;
            let line = self.shown_to.0..next;
            if line.is_empty() {
                break;
            }
            let is_blank = self.is_blank(&line)?;
            let unit = self.unit_of(&line)?;
            if unit.start < line.start && !is_blank {
                break;
            }
            self.owed -= u64::from(!is_blank);
            self.rest_to(if is_blank { next } else { unit.end }.min(limit), UnitPart::Rest, shown)?;
        }
        Ok(())
    }

    /// Shows the units up to `end`, none of which has a match.
    fn without_match(&mut self, end: u64, shown: &mut Vec<Hit>) -> Result<()> {
        while !self.sums.is_over {
            let known = if self.walked.0 > self.shown_to.0 { self.walked } else { self.shown_to };
            let next = if known.0 < end { self.walk.line(known.0, &mut |_| {})?.next } else { known.0 };
            let line = known.0..next;
            if line.is_empty() {
                break;
            }
            let unit = self.unit_of(&line)?;
            let is_whole = (unit.start == line.start || line.start == self.first) && unit.end <= end;
            if is_whole && !(self.options.kind == UnitKind::Block && unit == line && self.is_blank(&line)?) {
                if self.open(unit.clone(), known, shown)? {
                    self.current = None;
                    if !self.options.counts {
                        self.rest_to(known.0, UnitPart::Rest, shown)?;
                    }
                    self.shown_to = known;
                    self.rest_to(unit.end, UnitPart::Match, shown)?;
                    self.sums.lines += self.shown_to.1 - known.1;
                    self.sums.matches += 1;
                    self.sums.end = Some(self.shown_to);
                    self.owed = self.options.context.after;
                }
                continue;
            }
            self.walked = (next, known.1 + 1);
        }
        Ok(())
    }

    fn heads_of(&mut self, start: u64, known: Edge, shown: &mut Vec<Hit>) -> Result<()> {
        let Some(outline) = self.outline.as_ref().filter(|_| self.options.enclosing) else { return Ok(()) };
        let heads = outline.heads(start);
        let starts: Vec<u64> = heads.iter().map(|head| head.start).collect();
        let before = std::mem::replace(&mut self.heads, starts);
        for head in heads {
            if head.start < self.shown_to.0 || before.contains(&head.start) {
                continue;
            }
            let count = self.lines(head.start, known.0)?.len() as u64;
            let (next, newlines) = (head.end, known.1.saturating_sub(count));
            let part = Some(UnitPart::Head);
            self.push(Hit { start: head.start, next, newlines, part, ..Hit::default() }, shown);
        }
        Ok(())
    }

    /// Shows lines up to the one at `edge`.
    fn rest_to(&mut self, end: u64, part: UnitPart, shown: &mut Vec<Hit>) -> Result<()> {
        for line in self.lines(self.shown_to.0, end)? {
            let newlines = self.shown_to.1;
            self.shown_to = (line.end, newlines + 1);
            let part = Some(part);
            self.push(Hit { start: line.start, next: line.end, newlines, part, ..Hit::default() }, shown);
        }
        Ok(())
    }

    fn lines(&mut self, start: u64, end: u64) -> Result<Vec<Range<u64>>> {
        let (mut lines, mut at) = (Vec::new(), start);
        while at < end {
            let next = self.walk.line(at, &mut |_| {})?.next;
            if next == at {
                break;
            }
            lines.push(at..next);
            at = next;
        }
        Ok(lines)
    }

    fn is_blank(&mut self, line: &Range<u64>) -> Result<bool> {
        // A blank line is a part of its record.
        let mut is_blank = self.options.kind != UnitKind::Record;
        self.walk.line(line.start, &mut |part| is_blank &= part.iter().all(u8::is_ascii_whitespace))?;
        Ok(is_blank)
    }

    /// The unit that `line` belongs to.
    fn unit_of(&mut self, line: &Range<u64>) -> Result<Range<u64>> {
        if let Some(outline) = self.outline.as_ref().filter(|_| self.options.kind == UnitKind::Block) {
            return Ok(outline.unit_of(line));
        }
        let edges = match (&mut self.edges, self.options.kind) {
            (Some(edges), _) => edges,
            (None, UnitKind::Record) => {
                let sentence = "has no times that rread recognises, and a record begins with a time";
                let hint = setting("unit").then(" block finds what is indented or in braces");
                return Err(Error::new(Kind::InvalidText, sentence).hint(hint));
            }
            _ => return Ok(line.clone()),
        };
        let (mut start, mut end) = (line.start, line.end);
        let least = start.saturating_sub(MAX_RECORD);
        while !edges.line(start)?.is_none_or(|(_, begins)| begins) && start > 0 {
            if start <= least {
                self.sums.is_cut = true;
                break;
            }
            start = self.walk.start_of_line_before(start, 0)?;
        }
        while let Some((next, false)) = edges.line(end)? {
            if end >= line.end + MAX_RECORD {
                self.sums.is_cut = true;
                break;
            }
            end = next.end;
        }
        if edges.learn() { self.unit_of(line) } else { Ok(start..end) }
    }
}
