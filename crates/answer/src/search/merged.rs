//! The matches of several files in the order of the times of their records.
//!
//! Each file is searched batch by batch. What is shown of a match and its context is a chunk, whose time is that of the
//! record that has the match.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::chunk_writer::ChunkWriter;
use super::chunks::{Chunk, Lane};
use super::find::{FileSearch, Span};
use super::no_match::{has_room, no_match};
use super::options::{SearchOptions, SearchedFile};
use crate::content::{Budget, ContentStats};
use crate::deliver::{Shape, respond};
use crate::format::Format;
use crate::merge::deliver;
use crate::merge::files::{Set, expand};
use crate::merge::mix::{FileContent, Mix, Target, Walked};
use crate::merge::next::next;
use crate::merge::options::Merging;
use crate::merge::prepare::{prepare, spans_of};
use crate::merge::receipt::info;
use crate::receipt::{LeftOut, MergedInfo};
use rread_reader::search::group::ShownLine;
use rread_reader::times::merge::{Files, TimeWalk};
use rread_source::archive::Member;
use rread_text::error::{Error, Result};
use rread_text::range::Context;

fn member_of<'a>(file: &SearchedFile<'a>, member: Member) -> SearchedFile<'a> {
    SearchedFile { request: file.request.of_found_member(member), is_walked: true, members: None }
}

/// The bytes of the matches of all files in memory.
const ALL_BATCHES: usize = 8 << 20;

/// Searches `files` for matches in the order of time.
pub fn search_merged(
    files: Vec<SearchedFile<'_>>,
    options: &SearchOptions,
    merging: &Merging<'_>,
    of_files: bool,
) -> Result<()> {
    let (files, refused) = expand(files, |file| Ok(file.members.clone()), member_of);
    let Some(first) = files.first() else { return Ok(()) };
    let content = first.request.content;
    options.pattern.check(false)?;
    let named = files.iter().filter(|file| !file.is_walked);
    crate::answers::check_streams(named.map(|file| file.request.path.as_path()))?;
    let (metadata_only, is_brief) = (content.metadata_only, content.brief);
    let shape = Shape { of_files, metadata_only, is_brief, ..Shape::default() };
    respond(first.request.output, shape, |response| {
        let budget = has_room(content.budget()?)?;
        let requests: Vec<_> = files.iter().map(|file| &file.request).collect();
        let (format, is_terminal) = (response.format, response.out.is_terminal());
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

fn intersection(a: &Range<u64>, b: &Range<u64>) -> Range<u64> {
    a.start.max(b.start)..a.end.min(b.end)
}
