//! Decides what is shown of each line, within a budget: the line, windows of a long one, or its matches.

use super::options::LineParts;
use super::unit::{LineMarks, Marks, Unit, UnitWriter};
use crate::content::{self, Budget, ContentOptions, ContentStats, CutBy, Sink};
use rread_reader::search::occurrences::{
    Excerpt, MatchWindow, Occurrence, WindowLimits, each, leading_space, windows,
};
use rread_reader::{Hit, LineMatcher, LineWalk, Reader, ShownLine};
use rread_text::{Error, Result, Sentence, setting};

/// Windows of one line.
const FEW: u64 = 8;

/// Windows of a line of which so many matches are requested.
const MANY: u64 = 100;

/// The least characters of a window, if the windows of a line share its columns.
const NARROW: u64 = 60;

/// Bytes of a match that its window shows whole, unless the user says how wide windows are.
const WIDEST: usize = 2000;

/// Writes lines within a budget, and counts them.
pub(super) struct LineWriter<'a> {
    pub(super) units: UnitWriter<'a>,
    budget: Budget,
    /// In the line that was written last, the start of the first match that is not shown, if others are.
    pub(super) stopped_at: Option<u64>,
    /// The matches in what was written of the last line, if they are collected.
    pub(super) found: Vec<Occurrence>,
    /// A part of the last line is left out.
    is_clipped: bool,
}

impl<'a> LineWriter<'a> {
    pub(super) fn new(
        reader: &'a Reader,
        matcher: &'a LineMatcher,
        options: &ContentOptions,
        style: LineMarks,
        budget: Budget,
    ) -> Self {
        // Parts of lines are put together in UTF-8.
        let makes_text =
            style.options.parts != LineParts::Line || style.columns.is_some() || matcher.replaces();
        let raw = options.raw && (reader.units().width == 1 || !makes_text);
        let options =
            ContentOptions { number: false, color: style.color, max_columns: None, raw, ..*options };
        let token_thirds = options.estimates_tokens.then_some(0);
        let (stats, scratch) = (ContentStats { token_thirds, ..ContentStats::default() }, Vec::new());
        let units = UnitWriter { reader, matcher, options, style, stats, scratch, open_at: None };
        LineWriter { units, budget, stopped_at: None, found: Vec::new(), is_clipped: false }
    }

    /// Whether lines that are at hand and short are copied as they are.
    pub(super) fn copies(&self) -> bool {
        let UnitWriter { reader, matcher, options, style, .. } = &self.units;
        let ContentOptions { raw, hash, show_controls, invalid, plain, .. } = *options;
        let is_utf8 = reader.encoding() == rread_text::encoding::Encoding::Utf8;
        let is_plain = !style.color && !style.options.trims && !matcher.replaces() && !style.options.column;
        is_plain
            && style.options.parts == LineParts::Line
            && !style.collects
            && style.heading.is_none()
            && !self.budget.is_limited()
            && hash.is_none()
            && !show_controls
            && !plain
            && invalid != content::InvalidBytes::Error
            && (raw || is_utf8)
    }

    /// Writes hits without context, whose bytes are in `text`; false if they have to be written one by one.
    pub(super) fn copy(&mut self, hits: &[Hit], text: &[u8], sink: &mut dyn Sink) -> Result<bool> {
        let most =
            self.units.style.columns.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
        let is_short = |hit: &Hit| hit.text.as_ref().is_some_and(|range| range.len() <= most);
        let end = hits.last().and_then(|last| last.text.as_ref()).map_or(0, |range| range.end);
        let text = &text[..end];
        let UnitWriter { options, style, .. } = &self.units;
        let is_bytes = options.raw && !options.estimates_tokens;
        if !hits.iter().all(is_short) || !is_bytes && simdutf8::basic::from_utf8(text).is_err() {
            return Ok(false);
        }
        if style.path.is_none() && !style.has_fields {
            self.write_held(text, text, sink)?;
        } else {
            for hit in hits {
                let line = &text[hit.text.clone().unwrap_or_default()];
                self.units.scratch.clear();
                self.units.prefix_line(ShownLine::of(hit));
                let mut labelled = std::mem::take(&mut self.units.scratch);
                labelled.extend_from_slice(line);
                self.write_held(&labelled, line, sink)?;
                self.units.scratch = labelled;
            }
        }
        let stats = &mut self.units.stats;
        stats.newlines += hits.len() as u64;
        stats.end = hits.last().map_or(stats.end, |last| last.next);
        Ok(true)
    }

    /// Writes text that ends with `line`, and counts it.
    fn write_held(&mut self, text: &[u8], line: &[u8], sink: &mut dyn Sink) -> Result<()> {
        let UnitWriter { reader, style, .. } = &self.units;
        let is_open = reader.units().width == 1 && !line.is_empty() && !line.ends_with(b"\n");
        let end = if is_open && style.ends_lines { style.options.line_end() } else { b"" };
        for text in [text, end] {
            sink.write(text)?;
            self.units.stats.content_bytes += text.len() as u64;
            self.units.stats.count_tokens(text);
        }
        Ok(())
    }

    /// Writes what is shown of a line, whose bytes may be at hand. False if it is the last line to show: the budget has
    /// no room for it, or for all of it, or the line has more matches than windows.
    pub(super) fn line(&mut self, line: ShownLine, held: Option<&[u8]>, sink: &mut dyn Sink) -> Result<bool> {
        (self.stopped_at, self.units.stats.cut) = (None, None);
        self.found.clear();
        self.is_clipped = false;
        let before = self.units.stats;
        let room = if self.budget.is_limited() { self.budget.less(&before).characters() } else { None };
        // A line that is longer than the budget need not be read whole.
        let columns = [self.units.style.columns, room].into_iter().flatten().min();
        let is_whole = self.parts(line, held, columns, false, sink)?;
        let cut = self.units.stats.cut.filter(|cut| *cut != CutBy::Lines);
        if is_whole || cut.is_none() || self.units.stats.newlines > 0 {
            return Ok(is_whole);
        }
        // With nothing shown, a caller that follows `next` would get nothing forever.
        let columns = room.map(|room| (room.saturating_sub(40) / 4).max(1));
        self.units.stats = before;
        // Colors need room too.
        let color = std::mem::take(&mut self.units.style.color);
        let is_whole = self.parts(line, None, columns, true, sink);
        self.units.style.color = color;
        is_whole
    }

    fn parts(
        &mut self,
        line: ShownLine,
        held: Option<&[u8]>,
        columns: Option<u64>,
        is_narrow: bool,
        sink: &mut dyn Sink,
    ) -> Result<bool> {
        let (reader, matcher) = (self.units.reader, self.units.matcher);
        // A line has no more characters than bytes.
        let columns = columns.filter(|most| held.is_none_or(|held| held.len() as u64 > *most));
        let is_matched = line.is_hit && !matcher.invert;
        let (has_state, joins) =
            (reader.encoding().has_state(), line.spanned.is_some() && matcher.replaces());
        if is_matched && self.units.style.options.parts != LineParts::Line {
            return self.matches(line, held, columns.filter(|_| is_narrow), sink);
        }
        if let Some(columns) =
            columns.filter(|_| is_matched && !has_state && !joins && self.units.options.hash.is_none())
        {
            return self.windows(line, held, columns, is_narrow, sink);
        }
        let column =
            if is_matched && self.units.style.options.column { self.first_column(line, held)? } else { None };
        let shows_matches = self.units.style.color || self.units.style.collects || matcher.replaces();
        let marks = if is_matched && shows_matches { Marks::All } else { Marks::None };
        let mut excerpt = match columns.filter(|_| is_matched && !has_state && !joins) {
            // The hash of a line stands before one window of it.
            Some(columns) => {
                let limits =
                    WindowLimits { windows: 1, says_nuls: false, ..self.limits(line, columns, true) };
                let first = windows(reader, matcher, line, held, limits)?.0;
                first.into_iter().next().map_or_else(|| Excerpt::whole(line), |window| window.excerpt)
            }
            None => {
                let columns = self.with_margin(line, columns.filter(|_| !joins))?;
                Excerpt::beginning(reader, matcher, line, columns)?
            }
        };
        let mut unit = Unit::new(line, excerpt.clone(), marks, held);
        if let Some(spanned) = line.spanned.filter(|_| joins) {
            excerpt.bytes.start = spanned.covered_to.clamp(line.start, line.next);
            // The newline belongs to a match, and so does not end the line.
            let covered_to = spanned.matches_end.max(spanned.covered_to);
            let ends = || LineWalk::new(reader).line(line.start, &mut |_| {});
            unit.is_open = covered_to > line.next || covered_to == line.next && ends()?.terminated;
            unit.excerpt = excerpt;
        }
        self.unit(&Unit { column, ..unit }, sink)
    }

    /// Ends the last line of the output, if a match replaced its newline.
    pub(super) fn finish(&mut self, sink: &mut dyn Sink) -> Result<()> {
        self.units.close(None, sink)
    }

    fn first_column(&self, line: ShownLine, held: Option<&[u8]>) -> Result<Option<u64>> {
        let mut column = None;
        each(self.units.reader, self.units.matcher, line, held, &mut |one, _| {
            column = Some(one.byte_column);
            Ok(false)
        })?;
        Ok(column)
    }

    /// Writes windows around the first matches of a line: the whole line if it is not longer than `columns`.
    fn windows(
        &mut self,
        line: ShownLine,
        held: Option<&[u8]>,
        columns: u64,
        is_narrow: bool,
        sink: &mut dyn Sink,
    ) -> Result<bool> {
        let (reader, matcher) = (self.units.reader, self.units.matcher);
        let mut width = columns;
        let limits = self.limits(line, columns, is_narrow);
        let of_width =
            |columns: u64| windows(reader, matcher, line, held, WindowLimits { columns, ..limits });
        if self.units.style.shares_columns && line.next - line.start > columns {
            let count = of_width(NARROW.min(columns))?.0.len().max(1) as u64;
            width = (columns / count).max(NARROW).min(columns);
        }
        let (mut windows, more) = of_width(width)?;
        if let (Some(first), Some(most)) = (windows.first_mut(), self.with_margin(line, Some(width))?)
            && most > width
            && first.excerpt.bytes.start < line.start + (most - width)
        {
            let beginning = Excerpt::beginning(reader, matcher, line, Some(most))?;
            if first.matches.iter().all(|one| one.bytes.end <= beginning.bytes.end) {
                first.excerpt = beginning;
            }
        }
        if windows.is_empty() {
            let excerpt = Excerpt::beginning(reader, matcher, line, Some(columns))?;
            return self.unit(&Unit::new(line, excerpt, Marks::None, held), sink);
        }
        let are_several = windows.len() > 1 || more.is_some();
        for (n, MatchWindow { excerpt, matches }) in windows.iter().enumerate() {
            let line = ShownLine { follows_gap: line.follows_gap && n == 0, ..line };
            let window = Some(excerpt.bytes.start).filter(|_| are_several && excerpt.cut.0);
            let column = matches.first().map(|one| one.byte_column);
            let unit =
                Unit { window, column, ..Unit::new(line, excerpt.clone(), Marks::These(matches), held) };
            if !self.unit(&unit, sink)? {
                self.stopped_at = matches.first().map(|one| one.bytes.start).filter(|_| n > 0);
                return Ok(false);
            }
        }
        self.stopped_at = more.filter(|_| self.units.style.stops_in_lines);
        Ok(self.stopped_at.is_none())
    }

    fn limits(&self, line: ShownLine, columns: u64, is_narrow: bool) -> WindowLimits {
        let UnitWriter { reader, matcher, style, options, .. } = &self.units;
        let is_end = |end: u64| line.next >= end || Some(line.next) == reader.known_size();
        let most = style.most.as_ref().filter(|(_, span)| line.start <= span.start && is_end(span.end));
        let most = most.map(|(most, _)| *most);
        WindowLimits {
            columns,
            widest: if style.shares_columns && !is_narrow { WIDEST } else { 0 },
            windows: most.map_or(FEW, |most| most.clamp(1, MANY)),
            matches: most.unwrap_or(u64::MAX),
            says_nuls: !options.raw && !matcher.replaces(),
        }
    }

    /// `columns` with room for the white space at the beginning of a line that is trimmed.
    fn with_margin(&self, line: ShownLine, columns: Option<u64>) -> Result<Option<u64>> {
        let Some(columns) = columns.filter(|_| self.units.style.options.trims) else { return Ok(columns) };
        let margin = leading_space(self.units.reader, &(line.start..line.next))?;
        Ok(Some(columns.saturating_add(margin / self.units.reader.units().width as u64)))
    }

    /// Writes each match of a line, or the line for each match; at most `most` characters of one.
    fn matches(
        &mut self,
        line: ShownLine,
        held: Option<&[u8]>,
        most: Option<u64>,
        sink: &mut dyn Sink,
    ) -> Result<bool> {
        let (reader, matcher) = (self.units.reader, self.units.matcher);
        let is_alone = self.units.style.options.parts == LineParts::Matches;
        let columns = most.or(self.units.style.columns);
        let (mut is_whole, mut is_first) = (true, true);
        let mut room = self.limits(line, 0, true).matches;
        each(reader, matcher, line, held, &mut |one, around| {
            if room == 0 && self.units.style.stops_in_lines {
                (self.stopped_at, is_whole) = (Some(one.bytes.start), false);
                return Ok(false);
            }
            room = room.saturating_sub(1);
            let excerpt = match columns {
                Some(columns) if is_alone => around.window(columns),
                Some(columns) => around.window_of_line(matcher, columns, 0),
                None if is_alone => Excerpt::of(one.bytes.clone()),
                None => Excerpt::whole(line),
            };
            let line = ShownLine { follows_gap: line.follows_gap && is_first, ..line };
            let start = one.bytes.start;
            // It has the newline of the line, and perhaps more lines.
            let is_long = line.spanned.is_some() && one.bytes.end >= line.next;
            is_whole = if is_alone && columns.is_none() && is_long && !matcher.replaces() {
                self.lines_of_match(line, &one, sink)?
            } else {
                let column = Some(one.byte_column);
                let one = [one];
                let is_changed = !is_alone && matcher.replaces();
                let marks = if is_changed { Marks::All } else { Marks::These(&one) };
                let unit = Unit::new(line, excerpt, marks, held);
                let (offset, window) = (Some(start), unit.excerpt.cut.0.then_some(unit.excerpt.bytes.start));
                self.unit(&Unit { window, column, offset, is_match: is_alone, ..unit }, sink)?
            };
            self.stopped_at = Some(start).filter(|_| !is_whole && !is_first);
            is_first = false;
            Ok(is_whole)
        })?;
        Ok(is_whole)
    }

    /// Writes the lines of a match that may have several.
    fn lines_of_match(&mut self, line: ShownLine, one: &Occurrence, sink: &mut dyn Sink) -> Result<bool> {
        let mut walk = LineWalk::new(self.units.reader);
        let (mut at, mut line) = (one.bytes.start, line);
        let mut column = Some(one.byte_column);
        while at < one.bytes.end {
            let mut is_empty = true;
            let walked =
                walk.line(at, &mut |text| is_empty &= text.iter().all(|byte| matches!(byte, 0 | b'\n')))?;
            let next = walked.next.min(one.bytes.end);
            let excerpt = Excerpt::of(at..next);
            let mark = [Occurrence { mark: at..next, ..one.clone() }];
            let unit = Unit::new(line, excerpt, Marks::These(&mark), None);
            if next == at {
                return Ok(true);
            }
            // As in rg, a match that is empty but for its newlines has no line.
            let offset = Some(at);
            if !is_empty && !self.unit(&Unit { column, offset, is_match: true, ..unit }, sink)? {
                return Ok(false);
            }
            line = ShownLine { number: line.number + 1, follows_gap: false, ..line };
            (at, column) = (next, Some(1));
        }
        Ok(true)
    }

    /// Writes a unit; false if the budget has no room for it.
    fn unit(&mut self, unit: &Unit<'_>, sink: &mut dyn Sink) -> Result<bool> {
        if !self.budget.is_limited() {
            self.units.write(unit, sink)?;
            return self.shown(unit).map(|()| true);
        }
        if self.budget.lines.is_some_and(|max| self.units.stats.newlines >= max) {
            self.units.stats.cut = Some(CutBy::Lines);
            return Ok(false);
        }
        let UnitWriter { stats: before, style, open_at, .. } = &self.units;
        let (before, open_at) = (*before, *open_at);
        let (heading, follows_file) = (style.heading.clone(), style.follows_file);
        let mut memory = Vec::new();
        self.units.write(unit, &mut memory)?;
        let thirds = self.units.stats.token_thirds.unwrap_or(0) - before.token_thirds.unwrap_or(0);
        let thirds = usize::try_from(thirds).unwrap_or(usize::MAX);
        let exceeded = self.budget.exceeded_limit(&before, memory.len(), thirds);
        if exceeded.is_none() {
            sink.write(&memory)?;
            return self.shown(unit).map(|()| true);
        }
        (self.units.style.heading, self.units.style.follows_file) = (heading, follows_file);
        self.units.open_at = open_at;
        self.units.stats = ContentStats { cut: exceeded, ..before };
        Ok(false)
    }

    /// Counts a unit that was written, and collects its matches.
    fn shown(&mut self, unit: &Unit<'_>) -> Result<()> {
        let Excerpt { bytes, cut, nuls } = &unit.excerpt;
        if (*cut != (false, false) || !nuls.is_empty()) && !self.is_clipped {
            self.is_clipped = true;
            self.units.stats.clipped_lines += 1;
        }
        if !self.units.style.collects {
            return Ok(());
        }
        // A match may be longer than its window, or go on in the lines below.
        let is_shown = |one: &Occurrence| {
            let start = one.bytes.start;
            bytes.contains(&start) || one.bytes.is_empty() && start == bytes.end
        };
        match unit.marks {
            Marks::None => {}
            Marks::These(marks) => self.found.extend(marks.iter().filter(|one| is_shown(one)).cloned()),
            Marks::All => {
                each(self.units.reader, self.units.matcher, unit.line, unit.held, &mut |one, _| {
                    self.found.extend(Some(one).filter(&is_shown));
                    Ok(true)
                })?
            }
        }
        Ok(())
    }

    /// Fails if a budget cannot ever show anything.
    pub(super) fn check_progress(&self, whole: Budget) -> Result<()> {
        let stats = &self.units.stats;
        let Some(cut) = stats.cut.filter(|_| stats.newlines == 0 && self.budget == whole) else {
            return Ok(());
        };
        let hint = Sentence::from("a larger ").then(setting(cut.key()));
        Err(Error::usage("the budget has no room for the first matching line").hint(hint))
    }
}
