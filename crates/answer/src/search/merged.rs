//! The matches of several files in the order of the times of their records.
//!
//! Each file is searched batch by batch. What is shown of a match and its context is a chunk, whose time is that of the
//! record that has the match.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::chunk_writer::{ChunkWriter, Target};
use super::chunks::{Chunk, Lane};
use super::context_within_budget::Nothing;
use super::find::{FileSearch, Span};
use super::no_match::{has_room, no_match};
use super::options::{SearchOptions, SearchedFile};
use crate::content::{Budget, ContentStats, Sink};
use crate::deliver::Response;
use crate::format::{Body, Format, Frame, List, Section};
use crate::merge::content::{FileContent, Walked};
use crate::merge::files::Set;
use crate::merge::finish;
use crate::merge::next::next;
use crate::merge::options::Merging;
use crate::merge::prepare::{prepare, spans_of};
use crate::merge::receipt::info;
use crate::output::Out;
use crate::receipt::MergedInfo;
use rread_reader::search::group::ShownLine;
use rread_reader::times::merge::{Files, TimeWalk};
use rread_text::error::{Error, Kind, Result};
use rread_text::range::Context;

const SEGMENTS: List = List { member: "segments", element: "merged" };

/// The bytes of the matches of all files in memory.
const ALL_BATCHES: usize = 8 << 20;

/// Searches `files` for matches in the order of time.
pub fn search_merged(
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
    crate::answers::check_streams(named.map(|file| file.request.path.as_path()))?;
    let mut response = Response::new(output, of_files, content.metadata_only)?.briefly(content.brief);
    let budget = has_room(content.budget()?)?;
    let requests: Vec<_> = files.iter().map(|file| &file.request).collect();
    let numbers = response.format != Format::Raw;
    let set = prepare(
        &requests,
        refused,
        merging,
        (response.format, response.out.is_terminal()),
        (false, numbers),
    )?;
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
        if let Some(error) = walked.error.or_else(|| is_empty.then(|| crate::members::none(members, 0))) {
            all.push(file);
            refused.push(Some(error));
        }
    }
    Ok((all, refused))
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
        Ok(Lane::new(spans, searched, TimeWalk::new(merged)))
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
        let mut writer = ChunkWriter::new(self.set, self.separator(), self.budget, walked);
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
