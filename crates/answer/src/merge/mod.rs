//! Several files merged by time: one answer whose content has the records of all of them.

pub mod files;

use std::ops::Range;
use std::path::{Path, PathBuf};

use files::{Again, Entry, FileContent, Merging, Mix, Set, Target, Walked, add, prepare};

use crate::answers::all_members_of;
use crate::content::{
    self, Budget, ContentOptions, ContentStats, CutBy, InvalidBytes, LineLabel, Segment, Sink, push_number,
};
use crate::deliver::{Response, Shape, respond};
use crate::format::{Body, Format, Frame, List, Section};
use crate::names::split_ranges;
use crate::notes;
use crate::options::{AnswerOptions, check_receipt};
use crate::receipt::{ContentInfo, MergedFileInfo, MergedInfo, MergedRun, NameInfo, NextMerge, RunRange};
use crate::request::{Opened, Request};
use crate::window::{with_reading, with_window};
use crate::wording::command_line;
use rread_reader::times::merge::{Merge, Run, RunPart, part_of};
use rread_source::member_address::is_member;
use rread_source::stdin::warn;
use rread_source::version::Version;
use rread_text::sentence::Argument;
use rread_text::{Call, Encoding, Error, Kind, Result, address, call, parse_mixed};

const SEGMENTS: List = List { member: "segments", element: "merged" };

/// Answers `requests`, one for each file, with all their records in the order of time.
pub fn merge(requests: Vec<Request<'_>>, merging: &Merging<'_>) -> Result<()> {
    let Some(first) = requests.first() else { return Ok(()) };
    let (content, output) = (first.content, first.output);
    crate::answers::check_streams(requests.iter().map(|request| request.path.as_path()))?;
    let is_alone = requests.len() == 1 && merging.is_plain_alone;
    let path = first.path.clone();
    respond(output, Shape::of(content, true), |response| {
        let format = response.format;
        if content.metadata_only {
            check_receipt("--metadata-only", format)?;
        }
        let names = merging.names && !is_alone && !matches!(format, Format::Raw | Format::Json);
        let budget = AnswerOptions { number: content.number || names, ..content.clone() }.budget()?;
        let (requests, refused) = files::expand(requests, all_members_of, Request::of_found_member);
        let requests: Vec<&Request<'_>> = requests.iter().collect();
        let place = (format, response.out.is_terminal);
        let set = prepare(&requests, refused, merging, place, (names, names || content.number))?;
        check_version(&set, content.expect.as_ref())?;
        if set.merged.is_empty() && set.binary > 0 && set.failures().is_empty() {
            let error = Error::new(Kind::Binary, "no file in the archive has text");
            return Err(error.hint(call("stat").file(&path).on("list")).at(&path));
        }
        deliver(&Merged { set: &set, merging, budget, names, is_alone }, response)
    })
}

/// Writes the content and the receipt of `mix`, and reports then what went wrong.
pub(crate) fn deliver(mix: &dyn Mix, response: &mut Response) -> Result<()> {
    let frame = Frame { has_content: true, is_brief: response.is_brief, ..Frame::default() };
    let walked = match response.format {
        Format::Json => {
            response.start(Frame { list: Some(SEGMENTS), of_files: true, ..frame })?;
            let walked = mix.walk(&mut Target::Segments(response))?;
            response.summary(Box::new(mix.info(&walked)))?;
            walked
        }
        Format::Frontmatter | Format::Xml => {
            let walked = mix.walk(&mut Target::Nowhere)?;
            response.start(frame)?;
            let mut body = Again { mix, expected: Some(walked.stats.content_bytes), walked: None };
            let sections = response.content(&mut body);
            response.part(Box::new(mix.info(&walked)), sections)?;
            walked
        }
        Format::Raw | Format::Text => {
            response.start(frame)?;
            let mut body = Again { mix, expected: None, walked: None };
            response.part(Box::new(MergedInfo::default()), vec![Section::content(&mut body)])?;
            let walked = body.walked.take().unwrap_or_default();
            response.out.flush()?;
            note(&walked, mix.info(&walked));
            walked
        }
    };
    mix.error(&walked).into_iter().for_each(|error| response.remember(error));
    mix.failures().into_iter().chain(walked.failures).for_each(|error| response.fail(error));
    Ok(())
}

/// Says on standard error what formats without a receipt cannot say.
fn note(walked: &Walked, info: MergedInfo) {
    for file in &info.files {
        file.notices.iter().for_each(|notice| warn(Path::new(&file.path), notes::of_notice(notice)));
    }
    if let Some(cut) = walked.stats.cut {
        let next = info.next.map_or(String::new(), |next| format!("; next: {}", next.line));
        rread_source::stdin::note(&format!("cut by --{}{next}", cut.key().replace('_', "-")));
    } else if walked.stats.clipped_lines > 0 {
        let lines = walked.stats.clipped_lines;
        rread_source::stdin::note(&format!("cut by --max-columns ({lines} clipped)"));
    }
}

fn check_version(set: &Set<'_>, expected: Option<&Version>) -> Result<()> {
    let Some(expected) = expected else { return Ok(()) };
    let Some(now) = set.version() else {
        return Err(Error::usage("these files have no version to expect").hint("leave out --expect"));
    };
    if expected.to_string() == now {
        return Ok(());
    }
    let error = format!("the files are not in the expected state: the version of all of them is {now} now");
    Err(Error::new(Kind::Changed, error).hint("read them again without --expect"))
}

/// The content of a merge.
pub(super) struct Merged<'s, 'r> {
    pub(super) set: &'s Set<'r>,
    pub(super) merging: &'s Merging<'s>,
    pub(super) budget: Budget,
    /// The name of the file and the number stand before each line.
    pub(super) names: bool,
    /// A single file is shown as it is.
    pub(super) is_alone: bool,
}

impl Mix for Merged<'_, '_> {
    fn failures(&self) -> Vec<Error> {
        self.set.failures()
    }

    fn info(&self, walked: &Walked) -> MergedInfo {
        info(self.set, walked, self.merging)
    }

    fn walk(&self, target: &mut Target<'_>) -> Result<Walked> {
        let mut merge = Merge::new(self.set, &self.set.merged);
        let mut writer = Writer {
            merged: self,
            is_json: self.set.format == Format::Json,
            target,
            left: self.budget,
            walked: Walked::default(),
            scratch: Vec::new(),
        };
        writer.walked.files = vec![FileContent::default(); self.set.merged.len()];
        while let Some(run) = merge.next_run(&mut |opened: &Opened<'_>, piece| {
            if writer.copies(opened) { writer.piece(opened, piece) } else { Ok(()) }
        })? {
            let cut = merge.with_open(run.file, |opened| writer.run(opened, &run))?;
            if let Some(cut) = cut {
                let rest = |position| rest(&merge, position, &run, cut);
                writer.walked.rest = Some((0..self.set.merged.len()).map(rest).collect());
                break;
            }
        }
        let walked = writer.walked;
        merge.finish()?;
        Ok(walked)
    }
}

impl Merged<'_, '_> {
    /// The label before the lines of a file.
    fn label(&self, position: usize) -> Option<LineLabel<'_>> {
        let name = &self.set.entry(position).label[..];
        self.names.then_some(LineLabel { name, numbers: true })
    }

    /// The receipt of a run.
    fn segment(&self, position: usize, segment: Segment, records: u64, stats: &ContentStats) -> MergedRun {
        let entry = self.set.entry(position);
        let known = |line| entry.has_lines.then_some(line);
        MergedRun {
            name: NameInfo::of(&entry.request.path),
            actual_range: RunRange {
                start_line: known(segment.line),
                end_line: known(segment.line + stats.lines().saturating_sub(1)),
                start_byte: segment.start,
                end_byte: segment.end,
            },
            records,
            content: ContentInfo::from(stats),
        }
    }
}

/// The rest of a file, if the content ends at `cut` in `run`.
fn rest(merge: &Merge<'_, Set<'_>>, position: usize, run: &Run, cut: u64) -> Vec<Range<u64>> {
    let mut rest = merge.rest(position);
    if position != run.file || cut == run.end {
        return rest;
    }
    match rest.first_mut().filter(|first| first.start == run.end) {
        Some(first) => first.start = cut,
        None => rest.insert(0, cut..run.end),
    }
    rest
}

struct Writer<'m, 't, 's, 'r> {
    merged: &'m Merged<'s, 'r>,
    is_json: bool,
    target: &'m mut Target<'t>,
    left: Budget,
    walked: Walked,
    scratch: Vec<u8>,
}

impl Writer<'_, '_, '_, '_> {
    /// Whether lines are copied as they are, from the block in which their times were read.
    fn copies(&self, opened: &Opened<'_>) -> bool {
        let ContentOptions { raw, invalid, number, hash, max_columns, show_controls, encode, .. } =
            opened.options;
        let is_plain = !number && hash.is_none() && max_columns.is_none() && encode.is_none();
        let is_whole = !self.merged.budget.is_limited() && !opened.options.estimates_tokens;
        let is_text = raw || opened.reader.encoding() == Encoding::Utf8;
        !self.is_json
            && is_plain
            && is_whole
            && is_text
            && !show_controls
            && !matches!(invalid, InvalidBytes::Error | InvalidBytes::Escape)
    }

    /// Copies whole lines.
    fn piece(&mut self, opened: &Opened<'_>, piece: RunPart<'_>) -> Result<()> {
        let ContentOptions { raw, skip_bom, .. } = opened.options;
        let is_marked = skip_bom && piece.start == 0;
        let held = piece.bytes.filter(|bytes| raw || !is_marked && simdutf8::basic::from_utf8(bytes).is_ok());
        let Some(bytes) = held else {
            let segment = Segment { start: piece.start, end: piece.end, line: piece.line };
            return self.deliver(piece.file, opened, segment, 0).map(drop);
        };
        if !self.merged.names {
            return self.write(bytes);
        }
        let merged = self.merged;
        let label = &merged.set.entry(piece.file).label;
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        for (line, text) in (piece.line..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
            scratch.extend_from_slice(label);
            push_number(&mut scratch, line, 1);
            scratch.push(b':');
            scratch.extend_from_slice(text);
        }
        let written = self.write(&scratch);
        self.scratch = scratch;
        written
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.walked.stats.content_bytes += bytes.len() as u64;
        match self.target {
            Target::Sink(sink) => sink.write(bytes),
            Target::Segments(_) | Target::Nowhere => Ok(()),
        }
    }

    /// Counts a run, and writes it unless its pieces are written; returns where a budget cut it.
    fn run(&mut self, opened: &Opened<'_>, run: &Run) -> Result<Option<u64>> {
        let mut run = *run;
        let mut cut = None;
        if !self.copies(opened) {
            let segment = Segment { start: run.start, end: run.end, line: run.line };
            cut = self.fitting(opened, &run, segment)?;
            if let Some((end, _)) = cut {
                run = part_of(&self.merged.set.merged[run.file], &opened.reader, &run, end)?;
            }
            if run.end > run.start {
                let segment = Segment { end: run.end, ..segment };
                let stats = self.deliver(run.file, opened, segment, run.records)?;
                self.left = self.left.less(&stats);
            }
        }
        if run.end > run.start {
            self.count(&run);
            self.end_line(opened, &run)?;
        }
        if Some(run.end) == self.merged.set.entry(run.file).size {
            self.walked.failures.extend(opened.refused_damage());
        }
        self.walked.stats.cut = self.walked.stats.cut.or(cut.map(|(_, by)| by));
        Ok(cut.map(|(end, _)| end))
    }

    /// The place in the run where a budget ends, and which budget it is.
    fn fitting(&self, opened: &Opened<'_>, run: &Run, segment: Segment) -> Result<Option<(u64, CutBy)>> {
        if !self.left.is_limited() {
            return Ok(None);
        }
        let mut left = self.left;
        if self.adds_newline(run) {
            left.bytes = left.bytes.map(|bytes| bytes.saturating_sub(1));
            left.token_thirds = left.token_thirds.map(|thirds| thirds.saturating_sub(1));
        }
        let label = self.merged.label(run.file);
        let stats = content::measure(&opened.reader, &[segment], &opened.options, left, label)?;
        let Some(by) = stats.cut else { return Ok(None) };
        // Only the first line of an answer is cut within.
        let is_first = self.walked.files.iter().all(|file| file.range.is_none());
        let end = if stats.mid_line && !is_first { run.start } else { stats.end.max(run.start) };
        if end == run.start && is_first {
            let path = &opened.request.path;
            return Err(Error::usage("the budget has no room for a line of the first record").at(path));
        }
        Ok(Some((end, by)))
    }

    /// Whether a newline is added after a last line without one.
    fn adds_newline(&self, run: &Run) -> bool {
        run.is_unterminated && !self.is_json && !self.merged.is_alone
    }

    fn end_line(&mut self, opened: &Opened<'_>, run: &Run) -> Result<()> {
        if !self.adds_newline(run) {
            return Ok(());
        }
        let raw = opened.options.raw;
        if raw && matches!(self.target, Target::Sink(_)) {
            warn(&opened.request.path, "its last line has no newline, and gets one");
        }
        let newline = if raw { opened.reader.units().newline() } else { b"\n".to_vec() };
        self.left.bytes = self.left.bytes.map(|bytes| bytes.saturating_sub(newline.len() as u64));
        self.write(&newline)
    }

    fn count(&mut self, run: &Run) {
        let file = &mut self.walked.files[run.file];
        let (start, _) = file.range.unwrap_or((run.start, run.end));
        file.range = Some((start, run.end));
        let (first, _) = file.lines.unwrap_or((run.line, run.line));
        file.lines = Some((first, run.last_line));
        file.records += run.records;
        file.out_of_order += run.out_of_order;
    }

    /// Writes a part of a run in the way of the options.
    fn deliver(
        &mut self,
        position: usize,
        opened: &Opened<'_>,
        segment: Segment,
        records: u64,
    ) -> Result<ContentStats> {
        let (reader, options) = (&opened.reader, &opened.options);
        let label = self.merged.label(position);
        let measure = || content::measure(reader, &[segment], options, Budget::default(), label);
        let stats = match self.target {
            Target::Nowhere => measure()?,
            Target::Sink(sink) => content::deliver(reader, &[segment], options, label, *sink)?,
            Target::Segments(response) => {
                let stats = measure()?;
                let envelope = self.merged.segment(position, segment, records, &stats);
                let mut body = RunBody { opened, segment, label };
                let sections = response.content(&mut body);
                response.part(Box::new(envelope), sections)?;
                stats
            }
        };
        add(&mut self.walked.stats, &stats);
        Ok(stats)
    }
}

/// The content of a run as a segment of JSON.
struct RunBody<'b, 'r> {
    opened: &'b Opened<'r>,
    segment: Segment,
    label: Option<LineLabel<'b>>,
}

impl Body for RunBody<'_, '_> {
    fn write(&mut self, sink: &mut dyn Sink) -> Result<()> {
        let Opened { reader, options, .. } = self.opened;
        content::deliver(reader, &[self.segment], options, self.label, sink).map(drop)
    }
}

/// The receipt.
pub fn info(set: &Set<'_>, walked: &Walked, merging: &Merging<'_>) -> MergedInfo {
    let out_of_order: u64 = walked.files.iter().map(|file| file.out_of_order).sum();
    MergedInfo {
        merged: true,
        records: Some(walked.files.iter().map(|file| file.records).sum()),
        out_of_order: Some(out_of_order).filter(|count| *count > 0),
        files: files(set, walked),
        content: ContentInfo::from(&walked.stats),
        truncated: walked.stats.cut.is_some() || walked.stats.clipped_lines > 0,
        time: set.time(),
        version: set.version(),
        next: walked.rest.as_ref().and_then(|rest| next(set, rest, merging, call("ranges"))),
        ..MergedInfo::default()
    }
}

/// The facts of each file for the receipt.
fn files(set: &Set<'_>, walked: &Walked) -> Vec<MergedFileInfo> {
    let mut infos: Vec<MergedFileInfo> = set.entries.iter().map(Entry::info).collect();
    for (place, got) in set.places.iter().zip(&walked.files) {
        let (info, entry) = (&mut infos[*place], &set.entries[*place]);
        info.records = Some(got.records);
        info.out_of_order = Some(got.out_of_order).filter(|count| *count > 0);
        if let Some((start, end)) = got.range {
            info.range = Some(format!("{start}-{end}"));
            let lines = got.lines.filter(|_| entry.has_lines);
            info.lines = lines.map(|(first, last)| format!("{first}-{last}"));
        }
    }
    infos
}

/// The `next` call, which merges `rest`, the parts that are left of each file; a search also has the window.
pub fn next(
    set: &Set<'_>,
    rest: &[Vec<Range<u64>>],
    merging: &Merging<'_>,
    mut next: Call,
) -> Option<NextMerge> {
    let before = next.arguments.len();
    for (position, spans) in rest.iter().enumerate() {
        if spans.is_empty() {
            continue;
        }
        let entry = set.entry(position);
        next = at(next, &entry.request.path, &places(spans, entry.size));
    }
    if next.arguments.len() == before {
        return None;
    }
    let left = rest.iter().enumerate().filter(|(_, spans)| !spans.is_empty());
    let left = left.map(|(position, _)| set.entry(position).request.path.as_path());
    let zones = merging.reading.zones_of(left);
    let next = with_reading(next.on("merge"), &zones, merging.reading);
    let encoding = set.entry(0).request.content.read.encoding.as_ref();
    let next = encoding.into_iter().fold(next, |next, label| next.with("encoding", label));
    // A single file goes on as it was.
    let is_bare = merging.is_plain_alone && set.entries.len() == 1 && !merging.searches;
    let next = if is_bare { next.on("no-path") } else { next };
    let window = set.time().filter(|_| merging.searches);
    let next = window.iter().fold(next, |next, time| with_window(next, &time.since, &time.until));
    Some(NextMerge {
        command: if merging.searches { "search" } else { "ranges" },
        arguments: next.arguments.iter().flat_map(words).collect(),
        line: command_line(&next),
    })
}

/// `b812:`, or `b812:900,b1000:1100` with the ends that are not those of the file.
fn places(spans: &[Range<u64>], size: Option<u64>) -> String {
    let place = |span: &Range<u64>| match Some(span.end) == size {
        true => format!("b{}:", span.start),
        false => format!("b{}:{}", span.start, span.end),
    };
    spans.iter().map(place).collect::<Vec<_>>().join(",")
}

/// Adds a file and its places, in one word where that is read so.
fn at(next: Call, path: &Path, places: &str) -> Call {
    let mut word = path.as_os_str().to_owned();
    word.push(":");
    word.push(places);
    let word = PathBuf::from(word);
    // Standard input, a name that looks like an option, and a member of an archive stand alone.
    let is_plain = !path.as_os_str().as_encoded_bytes().starts_with(b"-") && !is_member(path);
    match is_plain.then(|| split_ranges(&word, parse_mixed)) {
        Some(Ok((name, Some(_)))) if name == path => next.file(word),
        _ => next.file(path).word(places),
    }
}

fn words(argument: &Argument) -> Vec<String> {
    match argument {
        Argument::Path(path) => vec![address::display(path).into_owned()],
        Argument::Word(word) => vec![word.clone()],
        Argument::Setting(name, value) => {
            let dashes = if name.len() == 1 { "-" } else { "--" };
            std::iter::once(format!("{dashes}{name}")).chain(value.clone()).collect()
        }
    }
}
