//! The search for matches that may have several lines: in windows of the file that overlap by half.

use std::ops::{ControlFlow, Range};

use memchr::{memchr, memchr_iter, memrchr};

use super::matcher::{LineMatcher, LinePart, SPANNED_BLOCKS};
use super::worker::{Hit, Searched, Spanned, VisitHits, Wants};
use crate::reader::Reader;
use crate::reader::find_lines::LineWalk;
use rread_text::Result;

/// Hits that are passed on together.
const MAX_HITS: usize = 1024;

/// Bytes before a window inside a line that may decide about its first match.
const LOOK_BEHIND: u64 = 8;

/// A search whose hits are the lines that have a part of a match.
#[derive(Clone, Copy)]
pub(super) struct SpannedLines<'a> {
    pub(super) reader: &'a Reader,
    pub(super) matcher: &'a LineMatcher,
    pub(super) wants: Wants,
}

impl SpannedLines<'_> {
    /// Searches `span`, whose start is that of a line; `newlines` come before it. Returns `None` if `visit` stopped the
    /// search.
    pub(super) fn search(
        self,
        span: Range<u64>,
        newlines: u64,
        visit: &mut VisitHits<'_>,
    ) -> Result<Option<Searched>> {
        let search = self;
        let most = (SPANNED_BLOCKS * search.reader.block()) as u64;
        let mut walk = SpannedWalk {
            search,
            visit,
            current: None,
            done_to: span.start,
            done_newlines: newlines,
            counted_to: span.start,
            hits: Vec::new(),
            searched: Searched { newlines, ..Searched::default() },
            is_stopped: false,
        };
        let (mut at, mut from, mut last_end) = (span.start, span.start.max(search.wants.from), None);
        loop {
            let part = walk.read(at, span.end, most)?;
            let is_last = part.end() < at + most || part.end() >= span.end;
            walk.search.reader.note_scanned(part.end() - at);
            let edge = if is_last { part.text().len() + 1 } else { edge(&part, most) };
            let (mut window, mut failure) =
                (WindowProgress::of(&part, from, last_end, walk.counted_to), Ok(()));
            let (text, start, end) = (part.text(), window.from, window.last_end);
            search.matcher.matches_in_part(text, start, end, !is_last, &mut |found| {
                if found.start >= edge {
                    return false;
                }
                (window.from, window.last_end) = (found.end + usize::from(found.is_empty()), Some(found.end));
                failure = walk.take_match(&part, found, &mut window);
                failure.is_ok() && !walk.is_stopped
            })?;
            failure?;
            if walk.is_stopped {
                return Ok(None);
            }
            if is_last {
                walk.finish(&part, span.end, &mut window)?;
                return Ok((!walk.is_stopped).then_some(walk.searched));
            }
            from = part.offset(window.from.max(edge));
            last_end = window.last_end.map(|end| part.offset(end));
            let next = part.offset(edge);
            let is_line_start = text[..edge].ends_with(b"\n");
            at = if is_line_start { next } else { (next - LOOK_BEHIND) / LOOK_BEHIND * LOOK_BEHIND };
            walk.pass(&part, edge, &mut window);
            walk.counted_to = part.offset(window.counted);
        }
    }
}

/// The place in the text from which on the next window has the matches: the last start of a line in the first half.
fn edge(part: &LinePart, most: u64) -> usize {
    let half = part.text_at(part.at + most / 2 / LOOK_BEHIND * LOOK_BEHIND);
    memrchr(b'\n', &part.text()[..half]).map_or(half, |newline| newline + 1)
}

/// The progress in the text of a window.
struct WindowProgress {
    /// Matches begin here or later.
    from: usize,
    /// The end of the last match.
    last_end: Option<usize>,
    /// Newlines before this place have been counted.
    counted: usize,
}

impl WindowProgress {
    fn of(part: &LinePart, from: u64, last_end: Option<u64>, counted_to: u64) -> Self {
        let last_end = last_end.filter(|end| *end >= part.at).map(|end| part.text_at(end));
        WindowProgress { from: part.text_at(from), last_end, counted: part.text_at(counted_to) }
    }
}

struct SpannedWalk<'s, 'v> {
    search: SpannedLines<'s>,
    visit: &'s mut VisitHits<'v>,
    /// The last line with a part of a match, to which others may follow.
    current: Option<(Hit, Spanned)>,
    /// Past the last line that is done.
    done_to: u64,
    /// Newlines before that.
    done_newlines: u64,
    /// Newlines before this offset are counted.
    counted_to: u64,
    hits: Vec<Hit>,
    /// The newlines before the counted place of the window.
    searched: Searched,
    is_stopped: bool,
}

impl SpannedWalk<'_, '_> {
    /// As much as is there, up to `most` bytes and to `end`.
    fn read(&self, at: u64, end: u64, most: u64) -> Result<LinePart> {
        let reader = self.search.reader;
        let end = reader.known_size().map_or(end, |size| size.clamp(at, end));
        let mut bytes = vec![0; usize::try_from(most.min(end - at)).unwrap_or(usize::MAX)];
        let got = reader.read_at_least(bytes.len(), &mut bytes, at)?;
        bytes.truncate(got);
        let mark = if at == 0 && reader.decided.bom { reader.encoding().mark().len() } else { 0 };
        let mark = mark.min(bytes.len());
        bytes.drain(..mark);
        Ok(LinePart::of(reader.encoding(), bytes, at + mark as u64))
    }

    /// Takes a match: the lines that have a part of it are hits.
    fn take_match(
        &mut self,
        part: &LinePart,
        found: Range<usize>,
        window: &mut WindowProgress,
    ) -> Result<()> {
        let (start, end) = (part.offset(found.start), part.offset(found.end));
        let is_past = found.start == part.text().len() && (found.start == 0 || part.text().ends_with(b"\n"));
        // The empty text after the last newline is not a line.
        if is_past && found.is_empty() {
            return Ok(());
        }
        if self.current.as_ref().is_none_or(|(line, _)| start >= line.next && (line.next > line.start)) {
            self.end_line()?;
            self.begin_line(part, found.start, window)?;
        }
        if let Some((line, spanned)) = &mut self.current {
            line.matches += 1;
            line.first_match.get_or_insert(start);
            spanned.matches_end = spanned.matches_end.max(end);
        }
        while !self.is_stopped
            && let Some(next) = self.current.as_ref().map(|(line, _)| line.next).filter(|next| *next < end)
        {
            self.end_line()?;
            self.begin_line(part, part.text_at(next), window)?;
            if let Some((_, spanned)) = &mut self.current {
                spanned.covered_to = end;
            }
        }
        Ok(())
    }

    /// Begins the line that has the place `within` of the text.
    fn begin_line(&mut self, part: &LinePart, within: usize, window: &mut WindowProgress) -> Result<()> {
        let text = part.text();
        let start = match memrchr(b'\n', &text[..within]) {
            Some(newline) => part.offset(newline + 1),
            None => self.search.reader.line_start(part.offset(within))?,
        };
        let next = match memchr(b'\n', &text[within..]) {
            Some(newline) => part.offset(within + newline + 1),
            None => self.search_end(part, start)?,
        };
        self.pass(part, within, window);
        let spanned = Spanned { covered_to: start, matches_end: start };
        let newlines = self.searched.newlines;
        self.current = Some((Hit { start, next, newlines, ..Hit::default() }, spanned));
        Ok(())
    }

    /// Past the line that begins at `start` and is not over in the text.
    fn search_end(&self, part: &LinePart, start: u64) -> Result<u64> {
        if self.search.reader.known_size().is_some_and(|size| part.end() >= size) {
            return Ok(part.end());
        }
        Ok(LineWalk::new(self.search.reader).line(start, &mut |_| {})?.next.max(part.end()))
    }

    /// Counts the newlines up to `to`.
    fn pass(&mut self, part: &LinePart, to: usize, window: &mut WindowProgress) {
        let to = to.max(window.counted);
        self.searched.newlines += memchr_iter(b'\n', &part.text()[window.counted..to]).count() as u64;
        window.counted = to;
    }

    /// Passes the current line on, or the lines before it if those without a match are wanted.
    fn end_line(&mut self) -> Result<()> {
        let Some((line, spanned)) = self.current.take() else { return Ok(()) };
        let done = (line.next, line.newlines + 1);
        if self.search.matcher.invert {
            self.without_match(line.start)?;
        } else {
            self.push(Hit { spanned: Some(spanned), ..line })?;
        }
        (self.done_to, self.done_newlines) = done;
        Ok(())
    }

    /// Passes the lines from the last one that is done to `end`.
    fn without_match(&mut self, end: u64) -> Result<()> {
        let reader = self.search.reader;
        let mut lines = LineWalk::new(reader);
        while self.done_to < end && !self.is_stopped {
            let start = self.done_to;
            let next = lines.line(start, &mut |_| {})?.next;
            if next == start {
                break;
            }
            let newlines = self.done_newlines;
            self.push(Hit { start, next, newlines, matches: 1, ..Hit::default() })?;
            (self.done_newlines, self.done_to) = (newlines + 1, next);
        }
        Ok(())
    }

    fn push(&mut self, hit: Hit) -> Result<()> {
        if !self.search.wants.hits {
            self.searched.counted += 1;
            return Ok(());
        }
        self.hits.push(hit);
        if self.hits.len() >= MAX_HITS { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        let hits = std::mem::take(&mut self.hits);
        if !hits.is_empty() && !self.is_stopped {
            self.is_stopped = (self.visit)(hits, &[])? == ControlFlow::Break(());
        }
        Ok(())
    }

    /// Ends the search with the last window.
    fn finish(&mut self, part: &LinePart, end: u64, window: &mut WindowProgress) -> Result<()> {
        self.end_line()?;
        self.pass(part, part.text().len(), window);
        if self.search.matcher.invert {
            self.without_match(part.end())?;
        }
        self.flush()?;
        self.searched.is_unterminated = !part.text().is_empty() && !part.text().ends_with(b"\n");
        if part.end() < end {
            self.searched.end = Some(part.end());
        }
        Ok(())
    }
}
