//! The matches of several files in the order of the times of their records.
//!
//! Each file is searched batch by batch. What is shown of a match and its context is a chunk, whose time is that of the
//! record that has the match.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::ops::{ControlFlow, Range};

use jiff::Timestamp;

use super::context_within_budget::Nothing;
use super::find::{FileSearch, Span};
use super::groups::{BYTES, LINES};
use super::list::Held;
use super::no_match::{has_room, no_match};
use super::options::{SearchOptions, SearchedFile};
use crate::answer::deliver::Response;
use crate::answer::merge::content::{FileContent, Walked, add};
use crate::answer::merge::files::Set;
use crate::answer::merge::finish;
use crate::answer::merge::next::next;
use crate::answer::merge::options::Merging;
use crate::answer::merge::prepare::{prepare, spans_of};
use crate::answer::merge::receipt::info;
use crate::content::{Budget, ContentStats, CutBy, Sink};
use crate::format::{Body, Format, Frame, List, Section};
use crate::output::Out;
use crate::receipt::{
    ContentInfo, FoundMatch, LineWindows, MatchedLines, MatchedRange, MergedInfo, PageOfDocument,
};
use rread_reader::search::group::{Grouper, ShownLine};
use rread_reader::times::merge::{Files, TimeWalk};
use rread_text::error::{Error, Kind, Result};
use rread_text::range::Context;

const SEGMENTS: List = List { member: "segments", element: "merged" };

/// Matches of one file that are found together, and the bytes of all of them in memory.
const BATCH: usize = 256;
const ALL_BATCHES: usize = 8 << 20;

/// Searches `files` for matches in the order of time.
pub(crate) fn search_merged(
    files: Vec<SearchedFile<'_>>,
    options: &SearchOptions,
    merging: &Merging<'_>,
    of_files: bool,
) -> Result<()> {
    let (files, refused) = expand(files)?;
    let Some(first) = files.first() else { return Ok(()) };
    let (output, content) = (first.request.output, first.request.content);
    options.pattern.check(false)?;
    let named = files.iter().filter(|file| !file.is_walked);
    crate::answer::check_streams(named.map(|file| file.request.path.as_path()))?;
    let mut response = Response::new(output, of_files, content.metadata_only)?.briefly(content.brief);
    let budget = has_room(content.budget()?)?;
    let requests: Vec<_> = files.iter().map(|file| &file.request).collect();
    let numbers = response.format != Format::Raw;
    let set = prepare(&requests, refused, merging, &response, (false, numbers))?;
    let is_terminal = response.out.is_terminal();
    if let ([_], [only]) = (&files[..], &set.failures()[..]) {
        return Err(only.clone());
    }
    let merged = Merged { files: &files, options, set: &set, budget, is_terminal, of_files };
    let format = response.format;
    let walked = match format {
        Format::Json => {
            let frame = Frame { list: Some(SEGMENTS), has_content: true, of_files: true, ..Frame::default() };
            response.start(Frame { is_brief: content.brief, ..frame })?;
            let walked = merged.walk(&mut Target::Groups(&mut response))?;
            let info = merged.info(&walked, merging);
            response.summary(Box::new(info))?;
            walked
        }
        Format::Frontmatter | Format::Xml => {
            let walked = merged.walk(&mut Target::Sink(&mut Nothing))?;
            response.start(Frame { has_content: true, is_brief: content.brief, ..Frame::default() })?;
            let info = merged.info(&walked, merging);
            let mut body =
                Again { merged: &merged, expected: Some(walked.stats.content_bytes), walked: None };
            let sections = response.content(&mut body);
            response.part(Box::new(info), sections)?;
            walked
        }
        Format::Raw | Format::Text => {
            response.start(Frame { has_content: true, ..Frame::default() })?;
            let mut body = Again { merged: &merged, expected: None, walked: None };
            response.part(Box::new(MergedInfo::default()), vec![Section::content(&mut body)])?;
            body.walked.take().unwrap_or_default()
        }
    };
    let info = merged.info(&walked, merging);
    let has_match = walked.files.iter().any(|file| file.range.is_some());
    if !has_match && set.failures().is_empty() {
        response.remember(no_match(&files, options, None));
    }
    finish(response, &set, walked, info)
}

/// A file for each member of an archive that a name means.
fn expand(files: Vec<SearchedFile<'_>>) -> Result<(Vec<SearchedFile<'_>>, Vec<Option<Error>>)> {
    let (mut all, mut refused) = (Vec::new(), Vec::new());
    for file in files {
        let Some(members) = &file.members else {
            all.push(file);
            refused.push(None);
            continue;
        };
        let before = all.len();
        let walked = members.archive.each(&members.pattern, &mut |member| {
            let request = file.request.of_found_member(member);
            all.push(SearchedFile { request, is_walked: true, members: None });
            Ok(true)
        })?;
        refused.resize(all.len(), None);
        let is_empty = all.len() == before;
        if let Some(error) =
            walked.error.or_else(|| is_empty.then(|| crate::answer::members::none(members, 0)))
        {
            all.push(file);
            refused.push(Some(error));
        }
    }
    Ok((all, refused))
}

/// A match with its context, as it is shown.
struct Chunk {
    time: Timestamp,
    /// The line that matches.
    hit: ShownLine,
    first: ShownLine,
    last: ShownLine,
    content: Vec<u8>,
    stats: ContentStats,
    matches: Vec<FoundMatch>,
    windows: Vec<LineWindows>,
    found: u64,
}

/// The search of one file.
struct Lane {
    /// The parts of the file.
    all: Vec<Range<u64>>,
    /// Those that are not searched.
    spans: Vec<Span>,
    times: TimeWalk,
    chunks: VecDeque<Chunk>,
    /// The last line that was shown.
    shown: Option<ShownLine>,
    is_over: bool,
}

impl Lane {
    /// The parts of the file from the first match on that is not shown.
    fn rest(&self) -> Vec<Range<u64>> {
        let searched = self.spans.first().filter(|_| !self.is_over).map(|span| span.start);
        let Some(from) = self.chunks.front().map(|chunk| chunk.hit.start).or(searched) else {
            return Vec::new();
        };
        let rest = self.all.iter().map(|span| span.start.max(from)..span.end);
        rest.filter(|span| span.start < span.end).collect()
    }
}

enum Target<'t, 'a> {
    Sink(&'t mut dyn Sink),
    /// A segment of JSON for each group of lines.
    Groups(&'t mut Response<'a>),
}

struct Merged<'m, 'r> {
    files: &'m [SearchedFile<'r>],
    options: &'m SearchOptions,
    set: &'m Set<'m>,
    budget: Budget,
    is_terminal: bool,
    of_files: bool,
}

impl Merged<'_, '_> {
    /// The receipt.
    fn info(&self, walked: &Walked, merging: &Merging<'_>) -> MergedInfo {
        let mut info = info(self.set, walked, merging);
        info.records = None;
        info.out_of_order = None;
        info.matched_lines = Some(walked.files.iter().map(|file| file.records).sum());
        info.matches = Some(walked.files.iter().map(|file| file.matches).sum());
        for file in &mut info.files {
            file.matched_lines = file.records.take();
        }
        for (place, got) in self.set.places.iter().zip(&walked.files) {
            info.files[*place].matches = Some(got.matches);
        }
        let call = self.options.call.clone();
        info.next = walked.rest.as_ref().and_then(|rest| next(self.set, rest, merging, call));
        info
    }

    fn lane(&self, position: usize) -> Result<Lane> {
        let merged = &self.set.merged[position];
        let opened = self.set.open(position)?;
        let request = opened.request;
        let mut spans: Vec<Range<u64>> = merged.spans().to_vec();
        if !request.ranges.is_empty() {
            let wanted = spans_of(request, &opened.reader, true)?;
            spans = spans.iter().flat_map(|span| wanted.iter().map(|one| intersection(span, one))).collect();
            spans.retain(|span| span.start < span.end);
        }
        let newlines = |start| match opened.format {
            Format::Raw => Ok(0),
            _ => opened.reader.newlines_before(start),
        };
        let span = |span: &Range<u64>| {
            let (start, end) = (opened.reader.line_start(span.start)?, span.end);
            let from = if start < span.start { span.start } else { 0 };
            Ok(Span { start, end, newlines: newlines(start)?, from })
        };
        let searched = spans.iter().map(span).collect::<Result<_>>()?;
        self.set.close(position, opened)?;
        let (times, chunks) = (TimeWalk::new(merged), VecDeque::new());
        Ok(Lane { all: spans, spans: searched, times, chunks, shown: None, is_over: false })
    }

    fn walk(&self, target: &mut Target<'_, '_>) -> Result<Walked> {
        let count = self.set.merged.len();
        let mut lanes = (0..count).map(|position| self.lane(position)).collect::<Result<Vec<_>>>()?;
        let mut walked = Walked { files: vec![FileContent::default(); count], ..Walked::default() };
        let mut heads = BinaryHeap::new();
        for (position, lane) in lanes.iter_mut().enumerate() {
            self.fetch(position, lane, &mut walked)?;
            heads.extend(lane.chunks.front().map(|chunk| Reverse((chunk.time, position))));
        }
        let mut writer = ChunkWriter { merged: self, left: self.budget, walked, last: None, group: None };
        while let Some(Reverse((_, position))) = heads.pop() {
            let lane = &mut lanes[position];
            let Some(mut chunk) = lane.chunks.pop_front() else { continue };
            let mut cut = writer.exceeds(&chunk);
            if cut.is_some() && writer.last.is_none() {
                // The first match is shown without its context, or in part.
                (chunk, cut) = (self.narrowed(position, chunk)?, None);
            }
            if let Some(cut) = cut {
                lane.chunks.push_front(chunk);
                writer.walked.stats.cut = Some(cut);
                writer.walked.rest = Some(lanes.iter().map(Lane::rest).collect());
                break;
            }
            writer.chunk(position, chunk, target)?;
            if lane.chunks.is_empty() {
                self.fetch(position, lane, &mut writer.walked)?;
            }
            heads.extend(lane.chunks.front().map(|chunk| Reverse((chunk.time, position))));
        }
        writer.flush(target)?;
        Ok(writer.walked)
    }

    /// Finds the next matches of a file.
    fn fetch(&self, position: usize, lane: &mut Lane, walked: &mut Walked) -> Result<()> {
        if lane.is_over {
            return Ok(());
        }
        let opened = self.set.open(position)?;
        let (file, place) = (self.file(position), (self.is_terminal, self.of_files));
        let what = (Budget::default(), lane.spans.clone());
        let search = FileSearch::of_spans(file, &opened, self.options, what, place)?;
        let mut grouper = Grouper::new(&opened.reader, search.context).after_line(lane.shown);
        let mut writer = search.writer(search.marks_of_merged(), Budget::default());
        let most = ALL_BATCHES / self.set.merged.len().max(1);
        let (mut chunks, mut bytes, mut held_back) = (VecDeque::<Chunk>::new(), 0, None);
        let mut before = writer.stats();
        let mut show = |chunk: &mut Chunk, line: ShownLine, held: Option<&[u8]>| -> Result<bool> {
            let from = chunk.content.len();
            writer.line(line, held, &mut chunk.content)?;
            let count = chunk.content[from..].split_inclusive(|byte| *byte == b'\n').count() as u64;
            if count > 1 && line.spanned.is_none() {
                chunk.windows.push(LineWindows { line: line.number, count });
            }
            chunk.matches.extend(writer.found.drain(..).map(|found| FoundMatch {
                line: line.number,
                start_byte: found.bytes.start,
                end_byte: found.bytes.end,
                column: found.column,
            }));
            let now = writer.stats();
            add(&mut chunk.stats, &since(&now, &before));
            before = now;
            chunk.last = line;
            Ok(true)
        };
        search.each(&mut |hits, text| {
            for hit in hits {
                if let Some(last) = chunks.back_mut() {
                    // Context after a match ends before the next one.
                    grouper.after(hit.start, &mut |line, held| show(last, line, held))?;
                    bytes += last.content.len();
                }
                if chunks.len() >= BATCH || bytes >= most {
                    held_back = Some((hit.start, hit.newlines));
                    return Ok(ControlFlow::Break(()));
                }
                let line = ShownLine::of(hit);
                let time = lane.times.time_of(&opened.reader, hit.next)?;
                let mut chunk = Chunk::new(time, line, hit.matches);
                let mut is_first = true;
                grouper.hit(hit, text, &mut |line, held| {
                    if std::mem::take(&mut is_first) {
                        chunk.first = line;
                    }
                    show(&mut chunk, line, held)
                })?;
                chunks.push_back(chunk);
            }
            Ok(ControlFlow::Continue(()))
        })?;
        if held_back.is_none()
            && let Some(last) = chunks.back_mut()
        {
            grouper.after(u64::MAX, &mut |line, held| show(last, line, held))?;
        }
        lane.shown = grouper.last();
        match held_back {
            Some((start, newlines)) => {
                lane.spans.retain(|span| span.end > start);
                if let Some(span) = lane.spans.first_mut().filter(|span| span.start < start) {
                    (span.start, span.newlines, span.from) = (start, newlines, 0);
                }
            }
            None => lane.is_over = true,
        }
        if lane.is_over
            && let Some(damage) = opened.reader.damage().filter(|_| !opened.reader.is_salvaged())
        {
            walked.failures.push(opened.reader.damage_error(&damage).about(&opened.request.path));
        }
        lane.chunks = chunks;
        drop(search);
        self.set.close(position, opened)
    }

    /// The first match alone, in as much as the budget has room for.
    fn narrowed(&self, position: usize, chunk: Chunk) -> Result<Chunk> {
        let opened = self.set.open(position)?;
        let (file, place) = (self.file(position), (self.is_terminal, self.of_files));
        let search = FileSearch::of_spans(file, &opened, self.options, (self.budget, Vec::new()), place)?;
        let mut writer = search.writer(search.marks_of_merged(), self.budget);
        let mut narrowed = Chunk::new(chunk.time, ShownLine { follows_gap: false, ..chunk.hit }, chunk.found);
        writer.line(narrowed.hit, None, &mut narrowed.content)?;
        writer.check_progress(self.budget)?;
        narrowed.stats = ContentStats { cut: None, ..writer.stats() };
        drop(search);
        self.set.close(position, opened)?;
        Ok(narrowed)
    }

    fn file(&self, position: usize) -> &SearchedFile<'_> {
        &self.files[self.set.entry(position).index]
    }

    /// The line between chunks that do not touch.
    fn separator(&self) -> Option<Vec<u8>> {
        let has_context = self.files.iter().any(|file| file.request.context != Context::default());
        let separator = self.options.lines.separator.as_ref().filter(|_| has_context)?;
        Some([&separator[..], b"\n"].concat())
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

fn intersection(a: &Range<u64>, b: &Range<u64>) -> Range<u64> {
    a.start.max(b.start)..a.end.min(b.end)
}

impl Chunk {
    fn new(time: Timestamp, hit: ShownLine, found: u64) -> Self {
        let (content, stats) = (Vec::new(), ContentStats::default());
        let (matches, windows) = (Vec::new(), Vec::new());
        Chunk { time, hit, first: hit, last: hit, content, stats, matches, windows, found }
    }
}

/// Writes chunks, and counts what it writes.
struct ChunkWriter<'w, 'm, 'r> {
    merged: &'w Merged<'m, 'r>,
    left: Budget,
    walked: Walked,
    /// The file and the end of the last chunk.
    last: Option<(usize, u64)>,
    /// A group of JSON that may go on.
    group: Option<(usize, Chunk)>,
}

impl ChunkWriter<'_, '_, '_> {
    /// The limit that has no room for a chunk and a line before it.
    fn exceeds(&self, chunk: &Chunk) -> Option<CutBy> {
        let separator = self.merged.separator().map_or(0, |separator| separator.len());
        let thirds = usize::try_from(chunk.stats.token_thirds.unwrap_or(0)).unwrap_or(usize::MAX);
        match self.left.lines {
            Some(lines) if chunk.stats.newlines > lines => Some(CutBy::Lines),
            _ => self.left.exceeded_limit(
                &ContentStats::default(),
                chunk.content.len() + separator,
                thirds.saturating_add(separator),
            ),
        }
    }

    fn chunk(&mut self, position: usize, chunk: Chunk, target: &mut Target<'_, '_>) -> Result<()> {
        let touches = self.last == Some((position, chunk.first.start));
        let file = &mut self.walked.files[position];
        let (start, _) = file.range.unwrap_or((chunk.first.start, 0));
        file.range = Some((start, chunk.last.next));
        let (first, _) = file.lines.unwrap_or((chunk.first.number, 0));
        file.lines = Some((first, chunk.last.number));
        file.records += 1;
        file.matches += chunk.found;
        let is_first = self.last.replace((position, chunk.last.next)).is_none();
        let mut stats = chunk.stats;
        if let Target::Sink(sink) = target {
            let separator = self.merged.separator().filter(|_| !touches && !is_first);
            if let Some(separator) = separator {
                sink.write(&separator)?;
                stats.content_bytes += separator.len() as u64;
            }
            sink.write(&chunk.content)?;
        }
        self.left = self.left.less(&stats);
        add(&mut self.walked.stats, &stats);
        if matches!(target, Target::Groups(_)) {
            self.grouped(position, chunk, touches, target)?;
        }
        Ok(())
    }

    /// Joins a chunk with the group before it, or begins another one.
    fn grouped(
        &mut self,
        position: usize,
        chunk: Chunk,
        touches: bool,
        target: &mut Target<'_, '_>,
    ) -> Result<()> {
        if let Some((_, group)) = self.group.as_mut().filter(|_| touches)
            && group.last.number - group.first.number < LINES
            && group.content.len() < BYTES
        {
            group.last = chunk.last;
            group.content.extend(chunk.content);
            group.matches.extend(chunk.matches);
            group.windows.extend(chunk.windows);
            add(&mut group.stats, &chunk.stats);
            return Ok(());
        }
        self.flush(target)?;
        self.group = Some((position, chunk));
        Ok(())
    }

    /// Writes the group of JSON, if there is one.
    fn flush(&mut self, target: &mut Target<'_, '_>) -> Result<()> {
        let (Some((position, group)), Target::Groups(response)) = (self.group.take(), target) else {
            return Ok(());
        };
        let entry = self.merged.set.entry(position);
        let envelope = MatchedLines {
            path: crate::receipt::NameInfo::of(&entry.request.path).path,
            actual_range: MatchedRange {
                start_line: group.first.number,
                end_line: group.last.number,
                start_byte: group.first.start,
                end_byte: group.last.next,
            },
            matches: group.matches,
            windows: group.windows,
            truncated: group.stats.clipped_lines > 0,
            content: ContentInfo::from(&group.stats),
            page: PageOfDocument::default(),
        };
        let mut body = Held(group.content);
        let sections = response.content(&mut body);
        response.part(Box::new(envelope), sections)
    }
}

/// The content of an answer, which may have been measured before.
struct Again<'m, 's, 'r> {
    merged: &'m Merged<'s, 'r>,
    /// The length in the receipt.
    expected: Option<u64>,
    walked: Option<Walked>,
}

impl Body for Again<'_, '_, '_> {
    fn write(&mut self, sink: &mut dyn Sink) -> Result<()> {
        let walked = self.merged.walk(&mut Target::Sink(sink))?;
        let is_expected = self.expected.is_none_or(|expected| expected == walked.stats.content_bytes);
        self.walked = Some(walked);
        if is_expected {
            return Ok(());
        }
        Err(Error::new(Kind::Changed, "a file was rewritten while it was read")
            .hint("run the same command again"))
    }

    fn plain(&mut self, out: &mut Out) -> Result<()> {
        self.write(out)
    }
}
