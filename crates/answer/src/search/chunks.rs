//! The matches of one file with their context, batch by batch, each with the time of its record.

use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};

use jiff::Timestamp;

use super::find::{FileSearch, Span};
use super::lines::LineWriter;
use crate::content::{Budget, ContentStats};
use crate::merge::mix::add;
use crate::receipt::{FoundMatch, LineWindows};
use rread_reader::search::group::{Grouper, ShownLine};
use rread_reader::times::merge::TimeWalk;
use rread_text::error::Result;

/// Matches that are found together.
const BATCH: usize = 256;

/// A match with its context, as it is shown.
pub(super) struct Chunk {
    pub(super) time: Timestamp,
    /// The line that matches.
    pub(super) hit: ShownLine,
    pub(super) first: ShownLine,
    pub(super) last: ShownLine,
    pub(super) content: Vec<u8>,
    pub(super) stats: ContentStats,
    pub(super) matches: Vec<FoundMatch>,
    pub(super) windows: Vec<LineWindows>,
    pub(super) found: u64,
}

impl Chunk {
    /// The chunk of a matching line, without its content.
    pub(super) fn new(time: Timestamp, hit: ShownLine, found: u64) -> Self {
        let (content, stats) = (Vec::new(), ContentStats::default());
        let (matches, windows) = (Vec::new(), Vec::new());
        Chunk { time, hit, first: hit, last: hit, content, stats, matches, windows, found }
    }
}

/// The search of one file.
pub(super) struct Lane {
    /// The parts of the file.
    all: Vec<Range<u64>>,
    /// Spans that are not searched yet.
    pub(super) spans: Vec<Span>,
    times: TimeWalk,
    pub(super) chunks: VecDeque<Chunk>,
    /// The last line that was shown.
    shown: Option<ShownLine>,
    pub(super) is_over: bool,
}

impl Lane {
    /// Begins with the first of `spans`, which are the parts `all`.
    pub(super) fn new(all: Vec<Range<u64>>, spans: Vec<Span>, times: TimeWalk) -> Self {
        Lane { all, spans, times, chunks: VecDeque::new(), shown: None, is_over: false }
    }

    /// The parts of the file from the first match on that is not shown.
    pub(super) fn rest(&self) -> Vec<Range<u64>> {
        let searched = self.spans.first().filter(|_| !self.is_over).map(|span| span.start);
        let Some(from) = self.chunks.front().map(|chunk| chunk.hit.start).or(searched) else {
            return Vec::new();
        };
        let rest = self.all.iter().map(|span| span.start.max(from)..span.end);
        rest.filter(|span| span.start < span.end).collect()
    }

    /// Finds the next matches, at most as many as fit into `most` bytes.
    pub(super) fn fetch(&mut self, search: &FileSearch<'_>, most: usize) -> Result<()> {
        let reader = search.reader();
        let mut grouper = Grouper::new(reader, search.context).after_line(self.shown);
        let mut shower = Shower::new(search.writer(search.marks_of_merged(), Budget::default()));
        let (mut chunks, mut bytes, mut held_back) = (VecDeque::<Chunk>::new(), 0, None);
        let times = &mut self.times;
        search.each(&mut |hits, text| {
            for hit in hits {
                if let Some(last) = chunks.back_mut() {
                    // Context after a match ends before the next one.
                    grouper.after(hit.start, &mut |line, held| shower.show(last, line, held))?;
                    bytes += last.content.len();
                }
                if chunks.len() >= BATCH || bytes >= most {
                    held_back = Some((hit.start, hit.newlines));
                    return Ok(ControlFlow::Break(()));
                }
                let time = times.time_of(reader, hit.next)?;
                let mut chunk = Chunk::new(time, ShownLine::of(hit), hit.matches);
                let mut is_first = true;
                grouper.hit(hit, text, &mut |line, held| {
                    if std::mem::take(&mut is_first) {
                        chunk.first = line;
                    }
                    shower.show(&mut chunk, line, held)
                })?;
                chunks.push_back(chunk);
            }
            Ok(ControlFlow::Continue(()))
        })?;
        if let Some(last) = chunks.back_mut().filter(|_| held_back.is_none()) {
            grouper.after(u64::MAX, &mut |line, held| shower.show(last, line, held))?;
        }
        (self.shown, self.chunks) = (grouper.last(), chunks);
        match held_back {
            Some((start, newlines)) => self.go_on(start, newlines),
            None => self.is_over = true,
        }
        Ok(())
    }

    /// Goes on with the line at `start`.
    fn go_on(&mut self, start: u64, newlines: u64) {
        self.spans.retain(|span| span.end > start);
        if let Some(span) = self.spans.first_mut().filter(|span| span.start < start) {
            (span.start, span.newlines, span.from) = (start, newlines, 0);
        }
    }
}

/// Shows lines as parts of chunks.
struct Shower<'a> {
    writer: LineWriter<'a>,
    /// The counts before the last line.
    before: ContentStats,
}

impl<'a> Shower<'a> {
    fn new(writer: LineWriter<'a>) -> Self {
        let before = writer.stats();
        Shower { writer, before }
    }

    fn show(&mut self, chunk: &mut Chunk, line: ShownLine, held: Option<&[u8]>) -> Result<bool> {
        let from = chunk.content.len();
        self.writer.line(line, held, &mut chunk.content)?;
        let count = chunk.content[from..].split_inclusive(|byte| *byte == b'\n').count() as u64;
        if count > 1 && line.spanned.is_none() {
            chunk.windows.push(LineWindows { line: line.number, count });
        }
        chunk.matches.extend(self.writer.found.drain(..).map(|found| FoundMatch {
            line: line.number,
            start_byte: found.bytes.start,
            end_byte: found.bytes.end,
            column: found.column,
        }));
        let now = self.writer.stats();
        add(&mut chunk.stats, &since(&now, &self.before));
        (self.before, chunk.last) = (now, line);
        Ok(true)
    }
}

/// The counts of what was written after `before`.
fn since(now: &ContentStats, before: &ContentStats) -> ContentStats {
    let mut since = ContentStats {
        content_bytes: now.content_bytes - before.content_bytes,
        newlines: now.newlines - before.newlines,
        clipped_lines: now.clipped_lines - before.clipped_lines,
        token_thirds: now.token_thirds.map(|sum| sum - before.token_thirds.unwrap_or(0)),
        ..ContentStats::default()
    };
    since.invalid.count = now.invalid.count - before.invalid.count;
    since
}
