//! The matches of several files in the order of the times of their records, with the lines around them in that order.
//!
//! Each file is searched batch by batch. A merge of all lines then comes to the matches one after another.

use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};

use super::find::{FileSearch, Span};
use super::options::{SearchOptions, SearchedFile, no_match};
use super::show::Group;
use crate::answers::{has_own_name, members_inside};
use crate::content::{Budget, ContentStats, CutBy};
use crate::deliver::{Shape, respond};
use crate::format::Format;
use crate::merge::files::{FileContent, Merging, Mix, Set, Target, Walked, add, expand, prepare, spans_of};
use crate::merge::{deliver, info, next};
use crate::options::AnswerOptions;
use crate::receipt::{LeftOut, MergedInfo, NameInfo, PageOfDocument};
use crate::request::Opened;
use rread_reader::times::merge::{Merge, Run};
use rread_reader::{LineWalk, ShownLine};
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
        None if !has_own_name(&file.request) => members_inside(&file.request),
        found => Ok(found.clone()),
    };
    let (files, refused) = expand(files, members_of, SearchedFile::of_member);
    let Some(first) = files.first() else { return Ok(()) };
    let content = first.request.content;
    options.pattern.check(false)?;
    let named = files.iter().filter(|file| !file.is_walked);
    crate::answers::check_streams(named.map(|file| file.request.path.as_path()))?;
    respond(first.request.output, Shape::of(content, of_files), |response| {
        let budget = AnswerOptions { number: true, ..content.clone() }.budget()?;
        let requests: Vec<_> = files.iter().map(|file| &file.request).collect();
        let (format, is_terminal) = (response.format, response.out.is_terminal);
        let names = (false, format != Format::Raw);
        let set = prepare(&requests, refused, merging, (format, is_terminal), names)?;
        let files = &files;
        // The limits are of all files together.
        let (most, last) = (options.max_count, options.last);
        let options = &SearchOptions { max_count: None, last: None, ..options.clone() };
        let mut merged =
            Merged { files, options, skip: 0, most, merging, set: &set, budget, is_terminal, of_files };
        if let Some(last) = last {
            merged.skip = u64::MAX;
            merged.skip = merged.walked(&mut Target::Nowhere)?.shown.saturating_sub(last);
        }
        deliver(&merged, response)
    })
}

struct Merged<'m, 'r> {
    files: &'m [SearchedFile<'r>],
    options: &'m SearchOptions,
    /// Matching lines that are not shown, before all others: those before the last N.
    skip: u64,
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
        let has_rest = walked.rest.iter().flatten().any(|spans| !spans.is_empty());
        info.complete = (has_rest || self.skip > 0).then_some(false);
        let call = self.options.call.clone();
        info.next = walked.rest.as_ref().and_then(|rest| next(self.set, rest, self.merging, call));
        info
    }

    fn walk(&self, target: &mut Target<'_>) -> Result<Walked> {
        self.walked(target)?.finish()
    }
}

impl<'m, 'r> Merged<'m, 'r> {
    /// A walk up to the last match that it shows.
    fn walked<'w, 't>(&'w self, target: &'w mut Target<'t>) -> Result<Walk<'w, 'm, 'r, 't>> {
        let mut walk = Walk::new(self, target)?;
        while let Some(run) = walk.next_run()?
            && walk.run(run)?
        {}
        Ok(walk)
    }

    fn left_out(&self) -> LeftOut {
        LeftOut { binary: self.set.binary, ..self.options.left_out.clone() }
    }

    fn lane(&self, position: usize, opened: &Opened<'_>) -> Result<Lane> {
        let mut spans: Vec<Range<u64>> = self.set.entry(position).searched.clone();
        let ranges = &opened.request.ranges[..];
        if !ranges.is_empty() {
            let wanted = spans_of(ranges, Context::default(), &opened.reader, true)?;
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
        Ok(Lane { all: spans, spans: searched, chunks: VecDeque::new(), is_over: false })
    }

    fn search<'s>(
        &'s self,
        position: usize,
        opened: &'s Opened<'_>,
        what: (Budget, Vec<Span>),
    ) -> Result<FileSearch<'s>> {
        let file = &self.files[self.set.entry(position).index];
        FileSearch::of_spans(file, opened, self.options, what, (self.is_terminal, self.of_files))
    }

    /// The first match alone, in as much as the budget has room for.
    fn narrowed(&self, position: usize, hit: ShownLine, opened: &Opened<'_>) -> Result<Group> {
        let search = self.search(position, opened, (self.budget, Vec::new()))?;
        let mut writer = search.writer(search.marks_of_merged(), self.budget);
        let mut lines = Group::new(hit);
        lines.line(hit, None, &mut writer)?;
        writer.check_progress(self.budget)?;
        Ok(lines)
    }

    /// The last `count` lines of a run, as context.
    fn lines(&self, run: &Run, count: u64, opened: &Opened<'_>) -> Result<Group> {
        let search = self.search(run.file, opened, (Budget::default(), Vec::new()))?;
        let mut writer = search.writer(search.marks_of_merged(), Budget::default());
        let (mut walk, mut start, mut lines) = (LineWalk::new(&opened.reader), run.end, Vec::new());
        while start > run.start && (lines.len() as u64) < count {
            let next = start;
            start = walk.start_of_line_before(next, run.start)?;
            let number = run.last_line.saturating_sub(lines.len() as u64);
            lines.push(ShownLine { start, next, number, ..ShownLine::default() });
        }
        let mut group = Group::new(lines.last().copied().unwrap_or_default());
        for line in lines.into_iter().rev() {
            group.line(line, None, &mut writer)?;
        }
        Ok(group)
    }
}

/// Matches that are found together.
const BATCH: usize = 256;

/// A match, as it is shown.
struct Chunk {
    found: u64,
    lines: Group,
}

/// The search of one file.
struct Lane {
    /// The parts of the file.
    all: Vec<Range<u64>>,
    /// Spans that are not searched yet.
    spans: Vec<Span>,
    chunks: VecDeque<Chunk>,
    is_over: bool,
}

impl Lane {
    /// The first match that is not shown, or where it is looked for.
    fn next(&self) -> Option<u64> {
        let searched = self.spans.first().filter(|_| !self.is_over).map(|span| span.start);
        self.chunks.front().map(|chunk| chunk.lines.first.start).or(searched)
    }

    /// Finds the next matches, at most as many as fit into `most` bytes.
    fn fetch(&mut self, search: &FileSearch<'_>, most: usize) -> Result<()> {
        let mut writer = search.writer(search.marks_of_merged(), Budget::default());
        let (chunks, mut bytes, mut held_back) = (&mut self.chunks, 0, None);
        search.each(&mut |hits, text| {
            for hit in hits {
                if chunks.len() >= BATCH || bytes >= most {
                    held_back = Some((hit.start, hit.newlines));
                    return Ok(ControlFlow::Break(()));
                }
                let line = ShownLine::of(hit);
                let mut lines = Group::new(line);
                let held = hit.text.clone().and_then(|range| text.get(range));
                lines.line(line, held, &mut writer)?;
                bytes += lines.content.len();
                chunks.push_back(Chunk { found: hit.matches, lines });
            }
            Ok(ControlFlow::Continue(()))
        })?;
        let Some((start, newlines)) = held_back else {
            self.is_over = true;
            return Ok(());
        };
        self.spans.retain(|span| span.end > start);
        if let Some(span) = self.spans.first_mut().filter(|span| span.start < start) {
            (span.start, span.newlines, span.from) = (start, newlines, 0);
        }
        Ok(())
    }
}

/// How many lines a run has.
fn count_of(run: &Run) -> u64 {
    (run.last_line + 1).saturating_sub(run.line)
}

/// A merge on its way from match to match.
struct Walk<'w, 'm, 'r, 't> {
    merged: &'w Merged<'m, 'r>,
    merge: Merge<'m, Set<'m>>,
    lanes: Vec<Lane>,
    /// The files with matches that are not shown.
    waiting: usize,
    target: &'w mut Target<'t>,
    context: Context,
    /// The line between groups that do not touch.
    separator: Option<Vec<u8>>,
    left: Budget,
    walked: Walked,
    /// The file and the end of the last lines.
    last: Option<(usize, u64)>,
    /// A group of JSON that may go on.
    group: Option<(usize, Group)>,
    /// Matches that are shown, and those before them that are not.
    shown: u64,
    /// The lines since the last one that is shown, as many as may be context.
    before: VecDeque<Run>,
    /// How many lines these are, and those before them.
    passed: u64,
    /// Lines of context that may still follow a match.
    owed: u64,
}

impl<'w, 'm, 'r, 't> Walk<'w, 'm, 'r, 't> {
    fn new(merged: &'w Merged<'m, 'r>, target: &'w mut Target<'t>) -> Result<Self> {
        let set = merged.set;
        let count = set.merged.len();
        let walked = Walked { files: vec![FileContent::default(); count], ..Walked::default() };
        let asked = merged.files.first().map_or(Context::default(), |file| file.request.context);
        let separator = merged.options.lines.separator().filter(|_| asked != Context::default());
        let mut walk = Walk {
            merged,
            merge: Merge::new(set, &set.merged),
            lanes: Vec::new(),
            waiting: count,
            separator: separator.map(|separator| [separator, b"\n"].concat()),
            left: merged.budget,
            walked,
            last: None,
            group: None,
            target,
            // The lines around a record are matches.
            context: if merged.options.has_units() { Context::default() } else { asked },
            shown: 0,
            before: VecDeque::new(),
            passed: 0,
            owed: 0,
        };
        for position in 0..count {
            let lane = walk.merge.with_open(position, |opened| merged.lane(position, opened))?;
            walk.lanes.push(lane);
            walk.fetch(position)?;
        }
        Ok(walk)
    }

    /// Finds the next matches of a file, if none is waiting.
    fn fetch(&mut self, position: usize) -> Result<()> {
        let (merged, lane) = (self.merged, &mut self.lanes[position]);
        if !lane.chunks.is_empty() {
            return Ok(());
        }
        if !lane.is_over {
            let most = ALL_BATCHES / merged.set.merged.len().max(1);
            self.walked.failures.extend(self.merge.with_open(position, |opened| {
                let search = merged.search(position, opened, (Budget::default(), lane.spans.clone()))?;
                lane.fetch(&search, most)?;
                let damage = opened.reader.damage().filter(|_| lane.is_over && !opened.reader.is_salvaged());
                Ok(damage.map(|damage| opened.reader.damage_error(&damage).about(&opened.request.path)))
            })?);
        }
        if lane.chunks.is_empty() {
            self.waiting -= 1;
            // Its lines may still be context.
            if self.context == Context::default() && self.separator.is_none() {
                self.merge.leave_out(position)?;
            }
        }
        Ok(())
    }

    /// Whether as many matches are shown as were requested.
    fn is_over(&self) -> bool {
        self.merged.most.is_some_and(|most| self.shown >= most)
    }

    /// The next lines of one file, up to its next match; line by line after a match with context.
    fn next_run(&mut self) -> Result<Option<Run>> {
        if self.owed == 0 && (self.waiting == 0 || self.is_over()) {
            return Ok(None);
        }
        let (lanes, owed) = (&self.lanes, self.owed);
        let next = |file: usize| lanes[file].chunks.front().map_or(u64::MAX, |chunk| chunk.lines.first.next);
        self.merge.next_run_to(&|file| if owed > 0 { 0 } else { next(file) }, &mut |_, _| Ok(()))
    }

    /// Shows what is due of a run; returns whether to go on.
    fn run(&mut self, mut run: Run) -> Result<bool> {
        while !self.is_over()
            && let Some(chunk) =
                self.lanes[run.file].chunks.front().filter(|chunk| chunk.lines.first.start < run.end)
        {
            // The match is the last line.
            let mut before = run;
            let chunk_start = chunk.lines.first.start;
            (before.end, before.last_line) = (chunk_start, run.last_line.saturating_sub(1));
            self.pass(before);
            (run.start, run.line) = (chunk_start, run.last_line);
            if self.shown < self.merged.skip {
                self.lanes[run.file].chunks.pop_front();
                self.shown += 1;
                self.pass(run);
                self.fetch(run.file)?;
            } else if !self.hit(run.file)? {
                return Ok(false);
            }
            run.line = run.last_line + 1;
        }
        if self.owed == 0 || count_of(&run) == 0 {
            self.pass(run);
            return Ok(true);
        }
        let merged = self.merged;
        let lines = self.merge.with_open(run.file, |opened| merged.lines(&run, 1, opened))?;
        if self.cuts(&lines.stats, lines.content.len()) {
            self.pass(run);
            return Ok(false);
        }
        self.owed -= 1;
        self.chunk(run.file, lines, None, false)?;
        Ok(true)
    }

    /// Notes lines that are not shown.
    fn pass(&mut self, run: Run) {
        self.passed += count_of(&run);
        if count_of(&run) > 0 {
            self.before.push_back(run);
        }
        if self.before.len() as u64 > self.context.before {
            self.before.pop_front();
        }
    }

    /// Shows the next match of a file after the context before it; returns whether the budget has room for it.
    fn hit(&mut self, file: usize) -> Result<bool> {
        let merged = self.merged;
        let Some(chunk) = self.lanes[file].chunks.front() else { return Ok(true) };
        let (mut stats, mut length) = (chunk.lines.stats, chunk.lines.content.len());
        let (mut wanted, mut context) = (self.context.before.min(self.passed), Vec::new());
        let mut is_gap = self.passed > wanted;
        for run in self.before.iter().rev() {
            if wanted == 0 {
                break;
            }
            let count = count_of(run).min(wanted);
            let lines = self.merge.with_open(run.file, |opened| merged.lines(run, count, opened))?;
            wanted -= count;
            add(&mut stats, &lines.stats);
            length += lines.content.len();
            context.push((run.file, lines));
        }
        let is_cut = self.cuts(&stats, length);
        let chunk = self.lanes[file].chunks.pop_front_if(|_| !is_cut || self.last.is_none());
        let Some(mut chunk) = chunk else { return Ok(false) };
        if is_cut {
            // The first match is shown alone, or in part.
            context.clear();
            chunk.lines =
                self.merge.with_open(file, |opened| merged.narrowed(file, chunk.lines.first, opened))?;
        }
        for (file, lines) in context.into_iter().rev() {
            self.chunk(file, lines, None, std::mem::take(&mut is_gap))?;
        }
        self.chunk(file, chunk.lines, Some(chunk.found), is_gap)?;
        self.before.clear();
        (self.passed, self.owed) = (0, self.context.after);
        self.shown += 1;
        self.fetch(file)?;
        Ok(!is_cut)
    }

    /// What is left of a file: from the first line that is not shown where lines are context, or else from the next match.
    fn rest(&self, file: usize) -> Vec<Range<u64>> {
        let mut from = self.lanes[file].next();
        if self.context != Context::default() {
            let runs = self.before.iter().filter(|run| run.file == file).map(|run| run.start);
            let place = self.merge.rest(file).first().map(|span| span.start);
            from = from.into_iter().chain(runs).chain(place).min();
        }
        let rest = self.lanes[file].all.iter().map(|span| span.start.max(from.unwrap_or(span.end))..span.end);
        rest.filter(|span| span.start < span.end).collect()
    }

    fn finish(mut self) -> Result<Walked> {
        let is_cut = self.walked.stats.cut.is_some();
        if (is_cut || self.is_over()) && self.waiting > 0 {
            self.walked.rest = Some((0..self.lanes.len()).map(|file| self.rest(file)).collect());
        }
        self.flush()?;
        self.merge.finish()?;
        Ok(self.walked)
    }

    /// Whether the budget has no room for so much content and a line before it; then it cuts the answer.
    fn cuts(&mut self, stats: &ContentStats, length: usize) -> bool {
        let separator = self.separator.as_ref().map_or(0, Vec::len);
        let thirds = usize::try_from(stats.token_thirds.unwrap_or(0)).unwrap_or(usize::MAX);
        let cut = match self.left.lines {
            Some(lines) if stats.newlines > lines => Some(CutBy::Lines),
            _ => self.left.exceeded_limit(
                &ContentStats::default(),
                length + separator,
                thirds.saturating_add(separator),
            ),
        };
        self.walked.stats.cut = cut;
        cut.is_some()
    }

    /// Writes lines: a match if `found`, or context.
    fn chunk(&mut self, position: usize, lines: Group, found: Option<u64>, is_gap: bool) -> Result<()> {
        let separator = self.separator.clone().filter(|_| is_gap && self.last.is_some()).unwrap_or_default();
        let touches = self.last == Some((position, lines.first.start)) && separator.is_empty();
        let file = &mut self.walked.files[position];
        let (start, _) = file.range.unwrap_or((lines.first.start, 0));
        file.range = Some((start, lines.last.next));
        let (first, _) = file.lines.unwrap_or((lines.first.number, 0));
        file.lines = Some((first, lines.last.number));
        file.records += u64::from(found.is_some());
        file.matches += found.unwrap_or(0);
        self.last = Some((position, lines.last.next));
        let mut stats = lines.stats;
        if !matches!(self.target, Target::Segments(_)) {
            stats.content_bytes += separator.len() as u64;
        }
        self.left = self.left.less(&stats);
        add(&mut self.walked.stats, &stats);
        match (&mut *self.target, &mut self.group) {
            (Target::Sink(sink), _) => {
                sink.write(&separator)?;
                sink.write(&lines.content)?;
            }
            (Target::Nowhere, _) => {}
            (Target::Segments(_), Some((_, group))) if touches && !group.is_full() => group.join(lines),
            (Target::Segments(_), _) => {
                self.flush()?;
                self.group = Some((position, lines));
            }
        }
        Ok(())
    }

    /// Writes the group of JSON, if there is one.
    fn flush(&mut self) -> Result<()> {
        let (Some((position, group)), Target::Segments(response)) = (self.group.take(), &mut *self.target)
        else {
            return Ok(());
        };
        let name = NameInfo::of(&self.merged.set.entry(position).request.path);
        group.write(name, PageOfDocument::default(), response)
    }
}
