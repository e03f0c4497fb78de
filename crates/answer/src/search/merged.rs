//! The matches of several files in the order of the times of their records.
//!
//! Each file is searched batch by batch. What is shown of a match and its context is a chunk, whose time is that of the
//! record that has the match.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::ops::{ControlFlow, Range};

use jiff::Timestamp;

use super::find::{FileSearch, Span};
use super::options::{SearchOptions, SearchedFile, has_room, no_match};
use super::show::Group;
use crate::answers::members_inside;
use crate::content::{Budget, ContentStats, CutBy};
use crate::deliver::{Shape, respond};
use crate::format::Format;
use crate::merge::files::{FileContent, Merging, Mix, Set, Target, Walked, add, expand, prepare, spans_of};
use crate::merge::{deliver, info, next};
use crate::receipt::{LeftOut, MergedInfo, NameInfo, PageOfDocument};
use rread_reader::ShownLine;
use rread_reader::search::occurrences::Grouper;
use rread_reader::times::merge::{Files, TimeWalk};
use rread_text::{Context, Error, Result};

/// The bytes of the matches of all files in memory.
const ALL_BATCHES: usize = 8 << 20;

/// Searches `files` for matches in the order of time.
pub fn search_merged(
    files: Vec<SearchedFile<'_>>,
    options: &SearchOptions,
    merging: &Merging<'_>,
    of_files: bool,
) -> Result<()> {
    let members_of = |file: &SearchedFile<'_>| match &file.members {
        None if file.request.member.is_some() => members_inside(&file.request),
        found => Ok(found.clone()),
    };
    let (files, refused) = expand(files, members_of, SearchedFile::of_member);
    let Some(first) = files.first() else { return Ok(()) };
    let content = first.request.content;
    options.pattern.check(false)?;
    let named = files.iter().filter(|file| !file.is_walked);
    crate::answers::check_streams(named.map(|file| file.request.path.as_path()))?;
    respond(first.request.output, Shape::of(content, of_files), |response| {
        let budget = has_room(content.budget()?)?;
        let requests: Vec<_> = files.iter().map(|file| &file.request).collect();
        let (format, is_terminal) = (response.format, response.out.is_terminal);
        let names = (false, format != Format::Raw);
        let set = prepare(&requests, refused, merging, (format, is_terminal), names)?;
        let files = &files;
        // The limit is one of all files together.
        let (most, options) = (options.max_count, &SearchOptions { max_count: None, ..options.clone() });
        deliver(&Merged { files, options, most, merging, set: &set, budget, is_terminal, of_files }, response)
    })
}

struct Merged<'m, 'r> {
    files: &'m [SearchedFile<'r>],
    options: &'m SearchOptions,
    /// Matching lines, all files together.
    most: Option<u64>,
    merging: &'m Merging<'m>,
    set: &'m Set<'m>,
    budget: Budget,
    is_terminal: bool,
    of_files: bool,
}

impl Mix for Merged<'_, '_> {
    fn failures(&self) -> Vec<Error> {
        self.set.failures()
    }

    fn error(&self, walked: &Walked) -> Option<Error> {
        let has_match = walked.files.iter().any(|file| file.range.is_some());
        let is_unmatched = !has_match && self.set.failures().is_empty();
        is_unmatched
            .then(|| no_match(self.files, self.options, None, &self.left_out(), self.set.merged.len() as u64))
    }

    fn info(&self, walked: &Walked) -> MergedInfo {
        let mut info = info(self.set, walked, self.merging);
        info.records = None;
        info.left_out = Some(self.left_out()).filter(|left_out| !left_out.is_empty());
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
        info.next = walked.rest.as_ref().and_then(|rest| next(self.set, rest, self.merging, call));
        info
    }

    fn walk(&self, target: &mut Target<'_>) -> Result<Walked> {
        let count = self.set.merged.len();
        let mut lanes = (0..count).map(|position| self.lane(position)).collect::<Result<Vec<_>>>()?;
        let mut walked = Walked { files: vec![FileContent::default(); count], ..Walked::default() };
        let (mut heads, mut shown) = (BinaryHeap::new(), 0);
        for (position, lane) in lanes.iter_mut().enumerate() {
            self.fetch(position, lane, &mut walked)?;
            heads.extend(lane.chunks.front().map(|chunk| Reverse((chunk.time, position))));
        }
        let mut writer = ChunkWriter::new(self.set, self.separator(), self.budget, walked);
        while let Some(Reverse((_, position))) = heads.pop() {
            let lane = &mut lanes[position];
            let is_over = self.most.is_some_and(|most| shown >= most);
            if is_over && !lane.chunks.is_empty() {
                writer.walked.rest = Some(lanes.iter().map(Lane::rest).collect());
                break;
            }
            let Some(mut chunk) = lane.chunks.pop_front() else { continue };
            let mut cut = writer.exceeds(&chunk.lines);
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
            shown += 1;
            if lane.chunks.is_empty() {
                self.fetch(position, lane, &mut writer.walked)?;
            }
            heads.extend(lane.chunks.front().map(|chunk| Reverse((chunk.time, position))));
        }
        writer.flush(target)?;
        Ok(writer.walked)
    }
}

impl Merged<'_, '_> {
    fn left_out(&self) -> LeftOut {
        LeftOut { binary: self.set.binary, ..self.options.left_out.clone() }
    }

    fn lane(&self, position: usize) -> Result<Lane> {
        let merged = &self.set.merged[position];
        let opened = self.set.open(position)?;
        let request = opened.request;
        let mut spans: Vec<Range<u64>> = merged.spans.to_vec();
        if !request.ranges.is_empty() {
            let wanted = spans_of(request, &opened.reader, true)?;
            spans = spans
                .iter()
                .flat_map(|span| wanted.iter().map(|one| span.start.max(one.start)..span.end.min(one.end)))
                .collect();
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
        Ok(Lane::new(spans, searched, TimeWalk::new(merged)))
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
        lane.fetch(&search, ALL_BATCHES / self.set.merged.len().max(1))?;
        let damage = opened.reader.damage().filter(|_| lane.is_over && !opened.reader.is_salvaged());
        if let Some(damage) = damage {
            walked.failures.push(opened.reader.damage_error(&damage).about(&opened.request.path));
        }
        self.set.close(position, opened)
    }

    /// The first match alone, in as much as the budget has room for.
    fn narrowed(&self, position: usize, chunk: Chunk) -> Result<Chunk> {
        let opened = self.set.open(position)?;
        let (file, place) = (self.file(position), (self.is_terminal, self.of_files));
        let search = FileSearch::of_spans(file, &opened, self.options, (self.budget, Vec::new()), place)?;
        let mut writer = search.writer(search.marks_of_merged(), self.budget);
        let line = ShownLine { follows_gap: false, ..chunk.hit };
        let mut lines = Group::new(line);
        writer.line(line, None, &mut lines.content)?;
        writer.check_progress(self.budget)?;
        lines.stats = ContentStats { cut: None, ..writer.units.stats };
        drop(search);
        self.set.close(position, opened)?;
        Ok(Chunk { lines, ..chunk })
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

/// Matches that are found together.
const BATCH: usize = 256;

/// A match with its context, as it is shown.
struct Chunk {
    time: Timestamp,
    /// The line that matches.
    hit: ShownLine,
    found: u64,
    lines: Group,
}

/// The search of one file.
struct Lane {
    /// The parts of the file.
    all: Vec<Range<u64>>,
    /// Spans that are not searched yet.
    spans: Vec<Span>,
    times: TimeWalk,
    chunks: VecDeque<Chunk>,
    /// The last line that was shown.
    shown: Option<ShownLine>,
    is_over: bool,
}

impl Lane {
    /// Begins with the first of `spans`, which are the parts `all`.
    fn new(all: Vec<Range<u64>>, spans: Vec<Span>, times: TimeWalk) -> Self {
        Lane { all, spans, times, chunks: VecDeque::new(), shown: None, is_over: false }
    }

    /// The parts of the file from the first match on that is not shown.
    fn rest(&self) -> Vec<Range<u64>> {
        let searched = self.spans.first().filter(|_| !self.is_over).map(|span| span.start);
        let Some(from) = self.chunks.front().map(|chunk| chunk.hit.start).or(searched) else {
            return Vec::new();
        };
        let rest = self.all.iter().map(|span| span.start.max(from)..span.end);
        rest.filter(|span| span.start < span.end).collect()
    }

    /// Finds the next matches, at most as many as fit into `most` bytes.
    fn fetch(&mut self, search: &FileSearch<'_>, most: usize) -> Result<()> {
        let reader = search.reader();
        let mut grouper = Grouper::new(reader, search.context).after_line(self.shown);
        let mut writer = search.writer(search.marks_of_merged(), Budget::default());
        let (mut chunks, mut bytes, mut held_back) = (VecDeque::<Chunk>::new(), 0, None);
        let times = &mut self.times;
        search.each(&mut |hits, text| {
            for hit in hits {
                if let Some(last) = chunks.back_mut() {
                    // Context after a match ends before the next one.
                    grouper.after(hit.start, &mut |line, held| last.lines.line(line, held, &mut writer))?;
                    bytes += last.lines.content.len();
                }
                if chunks.len() >= BATCH || bytes >= most {
                    held_back = Some((hit.start, hit.newlines));
                    return Ok(ControlFlow::Break(()));
                }
                let time = times.time_of(reader, hit.next)?;
                let line = ShownLine::of(hit);
                let mut chunk = Chunk { time, hit: line, found: hit.matches, lines: Group::new(line) };
                grouper.hit(hit, text, &mut |line, held| chunk.lines.line(line, held, &mut writer))?;
                chunks.push_back(chunk);
            }
            Ok(ControlFlow::Continue(()))
        })?;
        if let Some(last) = chunks.back_mut().filter(|_| held_back.is_none()) {
            grouper.after(u64::MAX, &mut |line, held| last.lines.line(line, held, &mut writer))?;
        }
        (self.shown, self.chunks) = (grouper.last, chunks);
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

/// Writes chunks, and counts what it writes.
struct ChunkWriter<'s> {
    set: &'s Set<'s>,
    /// The line between chunks that do not touch.
    separator: Option<Vec<u8>>,
    left: Budget,
    walked: Walked,
    /// The file and the end of the last chunk.
    last: Option<(usize, u64)>,
    /// A group of JSON that may go on.
    group: Option<(usize, Group)>,
}

impl<'s> ChunkWriter<'s> {
    fn new(set: &'s Set<'s>, separator: Option<Vec<u8>>, left: Budget, walked: Walked) -> Self {
        ChunkWriter { set, separator, left, walked, last: None, group: None }
    }

    /// The limit that has no room for a chunk and a line before it.
    fn exceeds(&self, Group { stats, content, .. }: &Group) -> Option<CutBy> {
        let separator = self.separator.as_ref().map_or(0, Vec::len);
        let thirds = usize::try_from(stats.token_thirds.unwrap_or(0)).unwrap_or(usize::MAX);
        match self.left.lines {
            Some(lines) if stats.newlines > lines => Some(CutBy::Lines),
            _ => self.left.exceeded_limit(
                &ContentStats::default(),
                content.len() + separator,
                thirds.saturating_add(separator),
            ),
        }
    }

    /// Writes a chunk.
    fn chunk(&mut self, position: usize, chunk: Chunk, target: &mut Target<'_>) -> Result<()> {
        let lines = chunk.lines;
        let touches = self.last == Some((position, lines.first.start));
        let file = &mut self.walked.files[position];
        let (start, _) = file.range.unwrap_or((lines.first.start, 0));
        file.range = Some((start, lines.last.next));
        let (first, _) = file.lines.unwrap_or((lines.first.number, 0));
        file.lines = Some((first, lines.last.number));
        file.records += 1;
        file.matches += chunk.found;
        let is_first = self.last.replace((position, lines.last.next)).is_none();
        let mut stats = lines.stats;
        let separator = self.separator.as_deref().filter(|_| !touches && !is_first).unwrap_or_default();
        if !matches!(target, Target::Segments(_)) {
            stats.content_bytes += separator.len() as u64;
        }
        if let Target::Sink(sink) = target {
            sink.write(separator)?;
            sink.write(&lines.content)?;
        }
        self.left = self.left.less(&stats);
        add(&mut self.walked.stats, &stats);
        if matches!(target, Target::Segments(_)) {
            match &mut self.group {
                Some((_, group)) if touches && !group.is_full() => group.join(lines),
                _ => {
                    self.flush(target)?;
                    self.group = Some((position, lines));
                }
            }
        }
        Ok(())
    }

    /// Writes the group of JSON, if there is one.
    fn flush(&mut self, target: &mut Target<'_>) -> Result<()> {
        let (Some((position, group)), Target::Segments(response)) = (self.group.take(), target) else {
            return Ok(());
        };
        let name = NameInfo::of(&self.set.entry(position).request.path);
        group.write(name, PageOfDocument::default(), response)
    }
}
