//! Turns located slices into planned ones: aligned, measured within the budget, and with `next`.

use std::path::Path;

use crate::content::{self, Budget, ContentOptions, ContentStats, CutBy, InvalidBytes, Segment};
use crate::continuation::{Next, PrecedingSlice};
use crate::damage::{self, up_to_damage};
use crate::format::Format;
use crate::pages;
use crate::receipt::{AskedPage, Checked, PageOfDocument, Returned, SliceResult};
use crate::request::{Ask, Opened, Plan, Planned, Request};
use crate::window::as_range;
use rread_reader::selection::{Located, Reach};
use rread_reader::{Align, PAGE_SIZE, Reader, Selection, Slice};
use rread_source::archive::Member;
use rread_text::range::Point;
use rread_text::{Encoding, Error, Form, Kind, Place, Range, Result, Sentence, Unit, call, setting};

impl Ask for Request<'_> {
    fn request(&self) -> &Request<'_> {
        self
    }

    fn plan<'o>(&'o self, opened: &'o Opened<'_>, left: Budget) -> Result<Plan<'o>> {
        let reader = &opened.reader;
        let _progress = self.output.watch(reader);
        let mut plan = up_to_damage(reader, || plan_once(self, opened, left))?;
        if opened.format.has_receipt() {
            plan.parts.iter_mut().for_each(|planned| check_part(reader, planned));
        }
        // Save before the output, since a closed pipe may end the program there.
        reader.save_index(false);
        Ok(plan)
    }

    fn error_parts(&self, error: &Error) -> Vec<SliceResult> {
        let refused = |asked: &Range| SliceResult {
            asked: *asked,
            page: None,
            aligned_to: Encoding::Utf8,
            outcome: Err(error.clone()),
        };
        self.ranges.iter().map(refused).collect()
    }

    fn of_member(&self, member: Member) -> Self {
        self.of_found_member(member)
    }
}

fn plan_once<'o>(request: &'o Request<'_>, opened: &'o Opened<'_>, left: Budget) -> Result<Plan<'o>> {
    let reader = &opened.reader;
    if let Some(spans) = opened.spans(false)? {
        let mut planner = Planner::new(request, opened, left, 0);
        let planned = |(range, slice)| planner.plan(range, &Ok(slice));
        let mut parts = spans.iter().map(as_range).map(planned).collect::<Result<Vec<_>>>()?;
        if opened.time.borrow().reaches_end
            && let Some(returned) = parts.last_mut().and_then(|part| part.result.outcome.as_mut().ok())
        {
            // The records that come after the damage may be in the window.
            returned.reaches_damage |= reader.is_cut_short() && returned.stats.cut.is_none();
        }
        let more = Box::new(|| Ok(None));
        return Ok(Plan { parts, total_lines: None, left: planner.left, more });
    }
    let mut located = request.locate(reader, opened.format, left)?;
    for (range, slice) in request.ranges.iter().zip(&mut located.slices) {
        if let Some(error) = damage::refusal_of(reader, &request.path, *range, slice) {
            *slice = Err(error);
        }
    }
    let mut planner = Planner::new(request, opened, left, located.header_end);
    // Thousands of ranges: `collect` into a result would move the parts again and again.
    let mut parts = Vec::with_capacity(request.ranges.len());
    for (range, slice) in request.ranges.iter().zip(&located.slices) {
        parts.push(planner.plan(*range, slice)?);
    }
    let more = Box::new(|| Ok(None));
    Ok(Plan { parts, total_lines: located.total_lines, left: planner.left, more })
}

/// A smaller slice is read twice, so that a read error comes before the output; a larger one is read once.
const ONE_PASS: u64 = 1 << 20;

/// Plans slices one after another, which share the budget.
pub struct Planner<'a> {
    pub request: &'a Request<'a>,
    pub reader: &'a Reader,
    pub options: &'a ContentOptions,
    pub format: Format,
    to_terminal: bool,
    pub left: Budget,
    pub header_end: u64,
}

impl<'a> Planner<'a> {
    pub fn new(request: &'a Request<'a>, opened: &'a Opened<'_>, left: Budget, header_end: u64) -> Self {
        let Opened { reader, options, format, to_terminal, .. } = opened;
        Planner { request, reader, options, format: *format, to_terminal: *to_terminal, left, header_end }
    }

    fn plan(&mut self, asked: Range, slice: &Result<Slice>) -> Result<Planned> {
        let slice = match slice {
            Ok(slice) => *slice,
            Err(error) => {
                let error = hint_range(error.clone(), asked.unit, &self.request.path);
                let result = self.result(asked, Err(error));
                return Ok(Planned { result, segments: Vec::new(), unmeasured: None });
            }
        };
        let (start, end) = match (asked.unit, self.request.content.encode) {
            // A stream ends at a character edge by itself.
            (Unit::Bytes, None) if slice.end == u64::MAX => {
                let next = self.reader.reach(slice.start.saturating_add(1))?;
                (self.reader.align(slice.start, next, self.alignment())?.0, slice.end)
            }
            (Unit::Bytes, None) => self.reader.align(slice.start, slice.end, self.alignment())?,
            _ => (slice.start, slice.end),
        };
        let line = self.line_at(asked.unit, start, slice.first_line)?;
        self.fit(asked, slice, (start, end), line)
    }

    /// Raw output has no receipt to report a move, so it cuts exactly: consecutive ranges join to the file.
    fn alignment(&self) -> Align {
        self.request.align.unwrap_or(self.usual_alignment())
    }

    fn usual_alignment(&self) -> Align {
        if self.options.raw { Align::None } else { Align::Expand }
    }

    /// `first_line` is the number of the page's first line, if known.
    pub fn plan_page(&mut self, asked_page: AskedPage, first_line: Option<u64>) -> Result<Planned> {
        let AskedPage { page, size, .. } = asked_page;
        let form = Form::Between(Some(Place::Front(page.start)), Some(Place::Front(page.end)));
        let asked = Range { unit: Unit::Bytes, form };
        let slice = Slice { start: page.start, end: page.end, first_line, exact: true, short: false };
        let mut planned = self.fit(asked, slice, (page.start, page.end), first_line)?;
        planned.result.page = Some(asked_page);
        if let Ok(returned) = &mut planned.result.outcome {
            if let Some(Next::Slice(rest, _)) = &mut returned.next {
                // Pages end at line ends, so the next request is for a number of bytes.
                rest.form = Form::Counted(Place::Front(returned.end), size);
            }
            if returned.end == page.end {
                let next = page.number.checked_add(1).filter(|_| !page.is_last);
                // A capture has a page size of its own; any other size must be in the command.
                let unusual =
                    self.request.content.read.source.captured_page_size(&self.request.path)?.is_some();
                let size = Some(size).filter(|size| *size != PAGE_SIZE || unusual);
                returned.next = next.map(|number| Next::Page { number, size });
                returned.reaches_damage = page.is_last && self.reader.is_cut_short();
            }
        }
        Ok(planned)
    }

    /// As much of the slice from `start` to `end` as fits into the budget; `line` is the number of its first line.
    fn fit(
        &mut self,
        asked: Range,
        slice: Slice,
        (start, end): (u64, u64),
        line: Option<u64>,
    ) -> Result<Planned> {
        let header_end = if asked.unit == Unit::Lines { self.header_end.min(start) } else { 0 };
        let mut segments = Vec::with_capacity(2);
        if header_end > 0 {
            segments.push(Segment { start: 0, end: header_end, line: 1 });
        }
        segments.push(Segment { start, end, line: line.unwrap_or(1) });
        let is_unmeasured = self.is_one_pass(asked, slice);
        let stats = if is_unmeasured { None } else { self.measure(&segments)? };
        let mut header_lines = if header_end == 0 { 0 } else { self.raw_stats(0, header_end)?.lines() };
        if let Some(stats) = &stats {
            // Earlier ranges may have used up the budget.
            header_lines = header_lines.min(stats.lines());
        }
        let mut returned = Returned {
            start,
            end,
            first_line: line,
            lines: None,
            moved: (distance(slice.start, start), distance(slice.end, end)),
            exact: slice.exact,
            header_lines,
            stats: stats.unwrap_or_default(),
            next: None,
            reaches_damage: false,
            checked: Checked::default(),
            page_of_document: PageOfDocument::default(),
        };
        if let Some(stats) = &stats {
            if stats.cut.is_some() {
                self.check_header(header_end, start, stats)?;
                self.check_progress(start, end, stats)?;
                returned.end = stats.end.max(start);
                // The budget set the end, not the alignment.
                returned.moved.1 = 0;
                segments = content::before(&segments, stats.end);
            }
            returned.lines = Some(stats.lines().saturating_sub(header_lines));
            self.left = self.left.less(stats);
        }
        let preceding = PrecedingSlice {
            asked,
            context: self.request.context,
            start,
            end: returned.end,
            wanted_end: end,
            first_line: line,
            lines: returned.lines.unwrap_or(0),
            stats: stats.as_ref(),
            budget: self.request.budget()?,
            width: self.reader.units().width,
            align: self.request.align.filter(|align| *align != self.usual_alignment()),
            bounded: self.request.bounded || self.request.time.is_some(),
        };
        returned.next = preceding.next(self.reader.known_size());
        returned.reaches_damage = self.reaches_damage(asked, slice, &returned)?;
        if stats.is_some() {
            returned.page_of_document = pages::of_span(self.reader, returned.start..returned.end, line)?;
        }
        let unmeasured = is_unmeasured.then_some(PrecedingSlice { stats: None, ..preceding });
        Ok(Planned { result: self.result(asked, Ok(returned)), segments, unmeasured })
    }

    fn result(&self, asked: Range, outcome: Result<Returned>) -> SliceResult {
        SliceResult { asked, page: None, aligned_to: self.reader.encoding(), outcome }
    }

    /// Whether damage cut off a part of the request.
    fn reaches_damage(&self, asked: Range, slice: Slice, returned: &Returned) -> Result<bool> {
        let end = self.reader.damage().map(|damage| damage.text);
        if end != Some(returned.end) || returned.stats.cut.is_some() {
            return Ok(false);
        }
        if slice.short || matches!(asked.end(), Point::Back(_)) {
            return Ok(true);
        }
        match asked.unit {
            Unit::Lines => self.reader.is_unterminated(returned.end),
            Unit::Bytes if self.request.content.encode.is_some() || self.alignment() == Align::None => {
                Ok(false)
            }
            Unit::Bytes => self.reader.ends_inside_character(returned.end),
        }
    }

    /// With a header that fills the budget, a caller that follows `next` would get it forever.
    fn check_header(&self, header_end: u64, start: u64, stats: &ContentStats) -> Result<()> {
        if header_end == 0 || stats.end > start || self.left != self.request.budget()? {
            return Ok(());
        }
        let why = format!("the header takes {header_end} bytes and no other line fits into the budget");
        let hint = match stats.cut {
            Some(CutBy::Tokens) => larger("max-tokens"),
            _ => larger("max-bytes").then(" or ").then(setting("max-lines")),
        };
        Err(Error::usage(why).hint(hint.then(", or a smaller ").then(setting("header"))))
    }

    /// With a budget too small for the first unit, a caller that follows `next` would get nothing forever.
    fn check_progress(&self, start: u64, end: u64, stats: &ContentStats) -> Result<()> {
        if stats.end > start || start >= end || self.left != self.request.budget()? {
            return Ok(());
        }
        let what = match self.reader.encoding() {
            encoding if encoding.has_state() => {
                format!("a line of {}, which can be cut only where lines end", encoding.name())
            }
            encoding => format!("the invalid sequence of {} at byte {start}", encoding.name()),
        };
        let hint = larger(stats.cut.unwrap_or(CutBy::Bytes).key());
        Err(Error::usage(format!("the budget has no room for {what}")).hint(hint))
    }

    /// The number of the line at `start`. For bytes, it is counted only for `--number` or if the index makes it cheap.
    fn line_at(&self, unit: Unit, start: u64, known: Option<u64>) -> Result<Option<u64>> {
        Ok(match unit {
            Unit::Lines => known,
            // A window may begin at a place whose line number is cheap to count.
            Unit::Bytes
                if self.needs_numbers()
                    || self.request.time.is_some() && self.reader.is_cheap_to_count_before(start) =>
            {
                Some(self.reader.newlines_before(start)? + 1)
            }
            Unit::Bytes => self.reader.indexed_newlines_before(start)?.map(|newlines| newlines + 1),
        })
    }

    /// Only JSON has its receipt after the content. For line ranges, locating has read compressed text up to their end,
    /// and so has met any damage; byte ranges are not located.
    fn is_one_pass(&self, asked: Range, slice: Slice) -> bool {
        let content = self.request.content;
        let has_parts = self.request.time.is_some_and(|time| time.reading.scan);
        let is_only = self.request.ranges.len() == 1 && !self.request.several && !has_parts;
        let is_located = asked.unit == Unit::Lines || self.reader.source().info().decoding.is_none();
        self.format == Format::Json
            && is_only
            && is_located
            && slice.end - slice.start >= ONE_PASS
            && self.header_end == 0
            && !self.left.is_limited()
            && !content.metadata_only
            && content.encode.is_none()
            && content.max_columns.is_none()
            && content.invalid != Some(InvalidBytes::Error)
    }

    /// A receipt precedes the content, so the content is measured first; without one, only if a budget or an
    /// error depends on it.
    fn measure(&self, segments: &[Segment]) -> Result<Option<ContentStats>> {
        let strict = self.options.invalid == InvalidBytes::Error;
        let clips = self.options.max_columns.is_some();
        // Encoded output is read in pieces of one size, so damage has to be known first.
        let encodes = self.options.encode.is_some() && self.reader.source().info().decoding.is_some();
        // On a terminal, the line below the text says how many lines it has.
        let is_counted = self.format.has_receipt() || self.to_terminal && self.reader.known_size().is_some();
        if !(is_counted || self.left.is_limited() || strict || clips || encodes) {
            return Ok(None);
        }
        content::measure(self.reader, segments, self.options, self.left, None).map(Some)
    }

    pub fn raw_stats(&self, start: u64, end: u64) -> Result<ContentStats> {
        let options = ContentOptions { raw: true, ..ContentOptions::default() };
        content::measure(self.reader, &[Segment { start, end, line: 1 }], &options, Budget::default(), None)
    }

    pub fn needs_numbers(&self) -> bool {
        self.request.content.number
    }
}

/// Compares the checksums of `planned`, and hides a `next` that leads into damage.
pub fn check_part(reader: &Reader, planned: &mut Planned) {
    let Ok(returned) = &mut planned.result.outcome else { return };
    let first = planned.segments.iter().map(|segment| segment.start).min().unwrap_or(returned.start);
    let start = if returned.header_lines > 0 { first } else { returned.start };
    returned.checked = damage::check(reader, start, returned.end, returned.reaches_damage);
    damage::hide_next(reader, returned);
}

fn distance(from: u64, to: u64) -> i64 {
    i64::try_from(i128::from(to) - i128::from(from)).unwrap_or(0)
}

fn larger(budget: &'static str) -> Sentence {
    Sentence::from("a larger ").then(setting(budget))
}

/// Hints at a range that exists.
pub fn hint_range(error: Error, unit: Unit, path: &Path) -> Error {
    let error = error.at(path);
    if error.kind != Kind::OutOfRange {
        return error;
    }
    error.hint(call(unit.command()).file(path).word(damage::last_part(unit)).again())
}

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
