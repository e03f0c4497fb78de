//! The search of one file: which parts of it, what the hits add up to, and how to go on.

use std::ops::ControlFlow;

use super::lines::LineWriter;
use super::options::{OtherReading, SearchOptions, SearchedFile, Shows};
use super::unit::LineMarks;
use crate::content::{Budget, Nothing};
use crate::damage;
use crate::deliver::Response;
use crate::format::Format;
use crate::receipt::{Checked, ContentInfo, NextSearch, PageOfDocument, SearchInfo, SearchedBytes};
use crate::request::Opened;
use crate::wording::command_line;
use rread_reader::search::occurrences::{Grouper, Show, UnitPart};
use rread_reader::search::scan::Search;
use rread_reader::search::unit::{UnitOptions, Units};
use rread_reader::search::worker::Wants;
use rread_reader::{Hit, LineMatcher, Reader, Selection, UnitKind};
use rread_source::stdin::warn;
use rread_text::{Call, Context, Error, Form, Place, Range, Result, Unit};

/// The note about records that are shown in part.
const LONG_RECORD: &str = "a record is longer than 4 MiB; only the part around its match is shown";

/// A part of the file to search: from the start of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) start: u64,
    pub(super) end: u64,
    /// Newlines before it, if numbers are wanted.
    pub(super) newlines: u64,
    /// Matches that begin before it do not count.
    pub(super) from: u64,
}

/// The sums over the hits of a file.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) matches: u64,
    pub(super) lines: u64,
    /// The units that have them, if units are more than lines.
    pub(super) units: Option<u64>,
    pub(super) is_unit_cut: bool,
    /// The first byte that was searched: that of a unit which begins before the part to search.
    pub(super) start: u64,
    /// After the last hit.
    pub(super) after: Option<Resume>,
    /// Past the last byte that was searched.
    pub(super) end: u64,
    /// Whether everything was searched.
    pub(super) is_complete: bool,
    pub(super) total_lines: Option<u64>,
}

/// Takes hits with the text that their ranges are in, and decides whether to go on.
pub(super) type TakeHits<'t> = dyn FnMut(&[Hit], &[u8]) -> Result<ControlFlow<()>> + 't;

/// The result of the search of one file.
#[derive(Debug, Default)]
pub struct FileOutcome {
    pub info: SearchInfo,
    pub(super) total_lines: Option<u64>,
    /// The content that was measured, if it is little.
    pub(super) kept: Option<Vec<u8>>,
    pub(super) checked: Checked,
    /// Damage that is still to be reported.
    pub(super) damage: Option<Error>,
    /// If nothing was found.
    pub(super) other_reading: Option<OtherReading>,
    /// The encoding, if nobody named it.
    pub(super) guessed: Option<String>,
}

/// The search of one file.
pub(super) struct FileSearch<'a> {
    pub(super) file: &'a SearchedFile<'a>,
    pub(super) opened: &'a Opened<'a>,
    pub(super) options: &'a SearchOptions,
    pub(super) left: Budget,
    pub(super) of_files: bool,
    /// No file before this one has a match.
    pub(super) is_first: bool,
    pub(super) color: bool,
    /// Names are shown in a form that stays on one line.
    pub(super) is_for_people: bool,
    matcher: LineMatcher,
    pub(super) context: Context,
    pub(super) wants: Wants,
    pub(super) spans: Vec<Span>,
    /// With `--last`, the bytes that were searched from the end.
    searched: Option<SearchedBytes>,
    /// With `--last`, there may be matches before those that are shown.
    has_earlier: bool,
    /// The offset at which an empty window lies.
    place: u64,
}

impl<'a> FileSearch<'a> {
    pub(super) fn new(
        file: &'a SearchedFile<'a>,
        opened: &'a Opened<'a>,
        options: &'a SearchOptions,
        left: Budget,
        is_first: bool,
        response: &Response,
    ) -> Result<Self> {
        let place = (response.out.is_terminal, response.of_files);
        let mut search = FileSearch::of_spans(file, opened, options, (left, Vec::new()), place)?;
        search.is_first = is_first;
        (search.spans, search.place) = search.locate()?;
        Ok(search)
    }

    /// The search of parts of a file that are known; `place` says whether the output is a terminal, and whether the answer is
    /// about several files.
    pub(super) fn of_spans(
        file: &'a SearchedFile<'a>,
        opened: &'a Opened<'a>,
        options: &'a SearchOptions,
        (left, spans): (Budget, Vec<Span>),
        (is_terminal, of_files): (bool, bool),
    ) -> Result<Self> {
        let reader = &opened.reader;
        let crlf = options.lines.crlf || reader.has_crlf()?;
        let matcher = LineMatcher::new(&options.pattern, reader.encoding(), crlf)?;
        let matcher = if options.has_units() { matcher.upright() } else { matcher };
        let matcher = if reader.source().info().is_plain { matcher.plain() } else { matcher };
        let matcher = matcher.replacing(options.lines.replacement.clone());
        let has_receipt = opened.format.has_receipt();
        let shows_lines = options.shows == Shows::Lines;
        let is_raw = opened.format == Format::Raw;
        let context = match shows_lines {
            true if options.passes_through => Context { before: 0, after: u64::MAX },
            true if options.has_units() => Context::default(),
            true => file.request.context,
            false => Context::default(),
        };
        let counts_only = options.shows == Shows::Count
            && !options.has_units()
            && !has_receipt
            && options.max_count.is_none();
        let wants = Wants {
            hits: !counts_only,
            text: shows_lines,
            numbers: shows_lines && (!is_raw || left.is_limited()),
            matches: has_receipt || options.shows == Shows::Matches || options.with_sums,
            from: 0,
        };
        // Raw is the bytes of the file; JSON and XML are for programs.
        let has_color = matches!(opened.format, Format::Text | Format::Frontmatter);
        let color = has_color && file.request.output.use_color(is_terminal);
        let (searched, place) = (None, 0);
        Ok(FileSearch {
            file,
            opened,
            options,
            left,
            of_files,
            is_first: true,
            color,
            is_for_people: is_terminal || has_receipt,
            matcher,
            context,
            wants,
            spans,
            searched,
            has_earlier: false,
            place,
        })
    }

    pub(super) fn reader(&self) -> &'a Reader {
        &self.opened.reader
    }

    /// The parts of the file to search, in its order, and where they would begin if there are none.
    fn locate(&mut self) -> Result<(Vec<Span>, u64)> {
        let whole = Span { start: 0, end: u64::MAX, newlines: 0, from: 0 };
        let ranges = &self.options.within[..];
        let window = self.opened.spans(self.file.is_walked)?;
        let place = window.as_ref().and_then(|spans| spans.first()).map_or(0, |span| span.start);
        let spans = match window {
            Some(spans) => self.spans_of_window(&spans)?,
            None if ranges.is_empty() => vec![whole],
            None => self.spans_of(ranges)?,
        };
        let spans = if self.options.stops_on_nonmatch { self.until_nonmatch(spans)? } else { spans };
        let Some(count) = self.options.last else { return Ok((spans, place)) };
        let mut wanted = usize::try_from(count).unwrap_or(usize::MAX);
        let mut last = Vec::new();
        let mut start_byte = place;
        let end = spans.last().map_or(place, |span| span.end);
        for span in spans.into_iter().rev() {
            let search = self.search(Wants { hits: true, from: span.from, ..Wants::default() });
            if wanted == 0 {
                break;
            }
            let (hits, _) = search.last(span.start..span.end, wanted)?;
            wanted -= hits.len().min(wanted);
            // With fewer hits than wanted, the search came to the beginning.
            start_byte = hits.first().filter(|_| wanted == 0).map_or(span.start, |first| first.start);
            if let Some(first) = hits.first() {
                let from = if first.start < span.from { span.from } else { 0 };
                last.push(Span {
                    start: first.start,
                    newlines: self.newlines_before(first.start)?,
                    from,
                    ..span
                });
            }
        }
        last.reverse();
        self.has_earlier = wanted == 0;
        let end_byte = self.reader().known_size().map_or(end, |size| size.min(end));
        self.searched = (end_byte < u64::MAX).then_some(SearchedBytes { start_byte, end_byte });
        Ok((last, place))
    }

    /// The `spans` up to the first line without a match that follows one with a match.
    fn until_nonmatch(&self, mut spans: Vec<Span>) -> Result<Vec<Span>> {
        let find = |range: std::ops::Range<u64>, inverts: bool| -> Result<Option<u64>> {
            let mut search = self.search(Wants { hits: true, ..Wants::default() });
            search.matcher.invert ^= inverts;
            let mut first = None;
            search.run(range, 0, &mut |hits, _| {
                first = hits.first().map(|hit| hit.start);
                Ok(if first.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            })?;
            Ok(first)
        };
        for at in 0..spans.len() {
            let Span { start, end, .. } = spans[at];
            let Some(first) = find(start..end, false)? else { continue };
            if let Some(other) = find(first..end, true)? {
                spans[at].end = other;
                spans.truncate(at + 1);
                break;
            }
        }
        Ok(spans)
    }

    fn spans_of_window(&self, spans: &[std::ops::Range<u64>]) -> Result<Vec<Span>> {
        let spans = spans.iter().filter(|span| span.start < span.end);
        spans
            .map(|span| {
                let newlines = self.newlines_before(span.start)?;
                Ok(Span { start: span.start, end: span.end, newlines, from: 0 })
            })
            .collect()
    }

    /// The call that searches this file.
    fn call(&self) -> Call {
        self.options.call.clone().file(&self.file.request.path)
    }

    fn spans_of(&self, ranges: &[Range]) -> Result<Vec<Span>> {
        let reader = self.reader();
        let selection = Selection { numbers: self.wants.numbers, ..Selection::of(ranges) };
        let mut spans = Vec::new();
        for (range, slice) in ranges.iter().zip(selection.locate(reader)?.slices) {
            let slice = slice.map_err(|error| error.hint(self.call().with("in", "-1000:")))?;
            if slice.start >= slice.end {
                continue;
            }
            // A line that begins before a range of bytes has a part in it.
            let start = if range.unit == Unit::Bytes { reader.line_start(slice.start)? } else { slice.start };
            let known = slice.first_line.filter(|_| range.unit == Unit::Lines).map(|line| line - 1);
            let newlines = known.map_or_else(|| self.newlines_before(start), Ok)?;
            let from = if start < slice.start { slice.start } else { 0 };
            spans.push(Span { start, end: slice.end, newlines, from });
        }
        spans.sort_unstable_by_key(|span| span.start);
        let mut merged: Vec<Span> = Vec::with_capacity(spans.len());
        for span in spans {
            match merged.last_mut().filter(|last| span.start <= last.end) {
                Some(last) => {
                    last.end = last.end.max(span.end);
                    last.from = if span.start == last.start { last.from.min(span.from) } else { last.from };
                }
                None => merged.push(span),
            }
        }
        Ok(merged)
    }

    fn newlines_before(&self, offset: u64) -> Result<u64> {
        if self.wants.numbers { self.reader().newlines_before(offset) } else { Ok(0) }
    }

    pub(super) fn start(&self) -> u64 {
        self.spans.first().map_or(self.place, |span| span.start)
    }

    pub(super) fn search(&self, wants: Wants) -> Search<'_> {
        Search { reader: self.reader(), matcher: self.matcher.clone(), wants }
    }

    /// Passes the hits to `take`, which decides whether to go on, and adds them up.
    pub(super) fn each(&self, take: &mut TakeHits<'_>) -> Result<Tally> {
        let _progress = self.file.request.output.watch(self.reader());
        let max = self.options.max_count.unwrap_or(u64::MAX);
        let is_name = matches!(self.options.shows, Shows::Name | Shows::NameWithout);
        let is_decided = is_name || self.options.is_silent_answer() && !self.options.with_sums;
        let max = if is_decided { 1 } else { max };
        if self.options.has_units() {
            return self.each_unit(max, take);
        }
        let mut tally = Tally { start: self.start(), end: self.start(), ..Tally::default() };
        // Lines in which a match begins.
        let mut begun = 0;
        for span in &self.spans {
            let search = self.search(Wants { from: span.from, ..self.wants });
            let searched = search.run(span.start..span.end, span.newlines, &mut |mut hits, text| {
                let (more, is_over) = within_room(&mut hits, max - begun);
                begun += more;
                tally.lines += hits.len() as u64;
                tally.matches += hits.iter().map(|hit| hit.matches).sum::<u64>();
                let Some(last) = hits.last() else { return Ok(ControlFlow::Break(())) };
                tally.after = Some(Resume { offset: last.next, line: last.newlines + 2, is_inside: false });
                let flow = take(&hits, text)?;
                Ok(if is_over { ControlFlow::Break(()) } else { flow })
            })?;
            let Some(searched) = searched else {
                tally.end = tally.after.map_or(span.start, |after| after.offset);
                return Ok(tally);
            };
            tally.lines += searched.counted;
            tally.matches += searched.counted;
            let end = searched.end.or(self.reader().known_size()).unwrap_or(span.end);
            tally.end = end.min(span.end);
            if span.start == 0 && span.end == u64::MAX && self.wants.numbers {
                tally.total_lines = Some(searched.newlines + u64::from(searched.is_unterminated));
                self.reader().learn_tail(searched.newlines, searched.is_unterminated, tally.end);
            }
        }
        tally.is_complete = true;
        self.reader().save_index(false);
        Ok(tally)
    }

    pub(super) fn writer(&self, style: LineMarks, budget: Budget) -> LineWriter<'_> {
        LineWriter::new(self.reader(), &self.matcher, &self.opened.options, style, budget)
    }

    /// Whether batches of hits are copied.
    pub(super) fn copies(&self, writer: &LineWriter<'_>) -> bool {
        writer.copies() && self.context == Context::default()
    }

    pub(super) fn end(&self, response: &mut Response, mut found: FileOutcome) -> Result<FileOutcome> {
        response.found(&found.info, found.total_lines, found.checked);
        response.note_replaced(self.reader(), &found.info.stats);
        response.note_cut(found.info.cut_note())?;
        if found.info.is_unit_cut {
            response.out.flush()?;
            warn(&self.file.request.path, LONG_RECORD);
        }
        if let Some(error) = found.damage.take() {
            response.fail(error);
        }
        response.end(self.reader(), &self.file.request.content.read)?;
        Ok(found)
    }

    pub(super) fn shown(&self) -> ShownContext<'a> {
        let grouper = Grouper::new(self.reader(), self.context);
        ShownContext { grouper, lines: 0, is_cut: false, next: None, begun: None, repeats: false }
    }

    /// Makes sure that the context before the first match leaves room for it: otherwise a caller that follows `next` would
    /// never see the match.
    pub(super) fn make_room(
        &self,
        shown: &mut ShownContext<'_>,
        hits: &[Hit],
        style: LineMarks,
    ) -> Result<()> {
        let is_limited = self.left.is_limited() && !self.options.passes_through;
        let Some(first) = hits.first().filter(|_| shown.lines == 0 && !shown.is_cut && is_limited) else {
            return Ok(());
        };
        let mut writer = self.writer(style, self.left);
        let mut trial = Grouper::new(self.reader(), self.context);
        let rest = hits[1..].iter().take_while(|hit| hit.goes_on());
        for hit in [first].into_iter().chain(rest) {
            let is_shown = trial.hit(hit, &[], &mut |line, held| writer.line(line, held, &mut Nothing))?;
            if !is_shown && writer.stopped_at.is_none() {
                shown.grouper.skip_context_before(first);
                break;
            }
        }
        Ok(())
    }

    /// Whether the search goes on after the lines that are `shown`.
    pub(super) fn goes_on(&self, shown: &ShownContext<'_>) -> ControlFlow<()> {
        // With nothing more to show, counting on would wait, or decode, or fetch.
        let is_slow = self.reader().source().info().is_sequential || self.reader().known_size().is_none();
        if shown.is_cut && is_slow { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    pub(super) fn found(
        &self,
        tally: Tally,
        shown: &ShownContext<'_>,
        writer: &LineWriter<'_>,
    ) -> Result<FileOutcome> {
        writer.check_progress(self.file.request.budget()?)?;
        let reader = self.reader();
        let start_byte = self.start().min(tally.start);
        let searched = SearchedBytes { start_byte, end_byte: tally.end };
        let searched = self.searched.filter(|_| tally.is_complete).unwrap_or(searched);
        let is_hidden = reader.is_cut_short() && tally.is_complete;
        let checked = damage::check(reader, searched.start_byte, searched.end_byte, is_hidden);
        let stopped =
            tally.after.filter(|after| !tally.is_complete && Some(after.offset) != reader.known_size());
        let inside = shown.next.zip(writer.stopped_at).filter(|_| !shown.repeats);
        let inside = inside.map(|(next, offset)| Resume { offset, is_inside: true, ..next });
        let next = inside.or(shown.next).or(stopped.filter(|_| self.options.shows == Shows::Lines));
        let info = SearchInfo {
            page: PageOfDocument::default(),
            matches: tally.matches,
            matched_lines: tally.lines,
            matched_units: tally.units,
            complete: (!tally.is_complete || self.has_earlier).then_some(false),
            shown: shown.lines + u64::from(inside.is_some()),
            searched,
            next: next.filter(|_| self.wants.numbers).and_then(|place| self.next(place)),
            content: ContentInfo::from(&writer.units.stats),
            stats: writer.units.stats,
            is_unit_cut: tally.is_unit_cut,
        };
        let total_lines = tally.total_lines.filter(|_| reader.has_true_end());
        let total_lines = total_lines.or_else(|| damage::known_lines(reader));
        let other_reading = if tally.lines == 0 {
            OtherReading::of(&self.file.request.path, reader, &self.call(), &self.options.pattern)
        } else {
            None
        };
        let damage = reader.damage().filter(|_| checked == Checked::Damaged && !reader.is_salvaged());
        let damage = damage.map(|damage| {
            let hint = self.call().on("salvage");
            reader.damage_error(&damage).hint(hint).at(&self.file.request.path)
        });
        let guessed = reader.evident_encoding();
        Ok(FileOutcome { info, total_lines, kept: None, checked, damage, other_reading, guessed })
    }

    /// The search of the rest, from `place` on; `None` if `--in` leaves no rest.
    fn next(&self, place: Resume) -> Option<NextSearch> {
        let rest = |span: &Span| {
            let start = span.start.max(place.offset);
            let end = if span.end == u64::MAX { String::new() } else { span.end.to_string() };
            (start < span.end).then(|| format!("b{start}:{end}"))
        };
        // A search that stops at a line without a match must not go on after it.
        let is_open = self.file.request.time.is_none() && !self.options.stops_on_nonmatch;
        let range = match (&self.options.within[..], self.options.last) {
            ([], None) if is_open && !place.is_inside => format!("{}:", place.line),
            ([Range { unit: Unit::Lines, form: Form::Between(Some(Place::Front(_)), None) }], None)
                if is_open && !place.is_inside =>
            {
                format!("{}:", place.line)
            }
            // Lines from the end would be others once the file has grown.
            _ => self.spans.iter().filter_map(rest).collect::<Vec<_>>().join(","),
        };
        let line = command_line(&self.call().with("in", &range));
        (!range.is_empty()).then_some(NextSearch { command: "search", range, line })
    }
}

/// Keeps the hits up to the last line of the match in the `room`-th line in which one begins; returns how many begin, and
/// whether no more may follow.
fn within_room(hits: &mut Vec<Hit>, room: u64) -> (u64, bool) {
    let mut begun = 0;
    for at in 0..hits.len() {
        // A line in which a match ends may have the beginning of the next one: both are shown, and count once.
        let begins = (hits[at].spanned.is_none() || hits[at].first_match.is_some()) && !hits[at].goes_on();
        if begins && begun == room {
            hits.truncate(at);
            return (begun, true);
        }
        begun += u64::from(begins);
    }
    let last = hits.last().and_then(|last| Some((last.next, last.spanned?)));
    let goes_on = last.is_some_and(|(next, spanned)| spanned.covered_to.max(spanned.matches_end) > next);
    (begun, begun == room && !goes_on)
}

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
        let mut tally = Tally { start: self.start(), end: self.start(), units: Some(0), ..Tally::default() };
        let (mut shown, mut is_complete) = (Vec::new(), true);
        for span in &self.spans {
            let start = units.begin((span.start, span.newlines))?;
            tally.start = tally.start.min(start);
            let newlines = if start < span.start { self.newlines_before(start)? } else { span.newlines };
            let search = self.search(Wants { hits: true, from: span.from, ..self.wants });
            let searched = search.run(start..span.end, newlines, &mut |hits, _| {
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
        tally.is_unit_cut = sums.is_cut;
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

/// A place where a search can go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resume {
    pub(super) offset: u64,
    pub(super) line: u64,
    /// It is inside the line.
    pub(super) is_inside: bool,
}

/// The lines that are shown so far, and the first hit that is not.
pub(super) struct ShownContext<'a> {
    pub(super) grouper: Grouper<'a>,
    pub(super) lines: u64,
    /// The budget is spent.
    pub(super) is_cut: bool,
    /// The first hit that is not shown, or the first line of the match that has it.
    pub(super) next: Option<Resume>,
    /// The first line of the last match or unit of several lines, if others are shown before it.
    pub(super) begun: Option<Resume>,
    /// The next answer repeats the lines of a match that are shown.
    pub(super) repeats: bool,
}

impl ShownContext<'_> {
    /// Shows `hits` with their context until the budget is spent.
    pub(super) fn take(&mut self, hits: &[Hit], text: &[u8], show: &mut Show<'_>) -> Result<()> {
        for hit in hits {
            if self.is_cut {
                break;
            }
            let place = Resume { offset: hit.start, line: hit.newlines + 1, is_inside: false };
            if !hit.has_line_before() {
                let may_go_on = hit.spanned.is_some() || hit.opens_unit;
                self.begun = Some(place).filter(|_| may_go_on && self.lines > 0);
            }
            if self.grouper.hit(hit, text, show)? {
                self.lines += u64::from(hit.part.is_none_or(|part| part == UnitPart::Match));
            } else {
                self.is_cut = true;
                // A search finds no match whose first line it does not have.
                let begun = self.begun.filter(|_| hit.has_line_before());
                self.repeats = begun.is_some();
                self.next = begun.or(Some(place));
            }
        }
        Ok(())
    }

    /// Shows the context after the last hit.
    pub(super) fn finish(&mut self, show: &mut Show<'_>) -> Result<()> {
        if !self.is_cut {
            self.is_cut = !self.grouper.after(u64::MAX, show)?;
        }
        Ok(())
    }
}
