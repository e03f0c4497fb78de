//! The files of a merge: which are open, what each has, what the receipt says of them; what a merge shows, and where it goes.

use std::cell::RefCell;
use std::ops::Range;

use jiff::Timestamp;
use xxhash_rust::xxh3::Xxh3;

use crate::answers::no_member;
use crate::content::{ContentStats, Sink};
use crate::damage::hides_the_end;
use crate::deliver::{self, Response};
use crate::file_info::refuse_torn;
use crate::format::{Body, Format};
use crate::notes;
use crate::options::{TimeReading, TimeWindow};
use crate::receipt::{FileInfo, MergedFileInfo, MergedInfo, NameInfo, TimeInfo};
use crate::request::{Opened, Request};
use crate::window::{FoundWindow, TimesOfFiles, open_log, time_info, window_of};
use crate::wording::{self, worded};
use rread_reader::times::merge::{Files, MergedFile};
use rread_reader::{Align, LineWalk, Reader, Selection};
use rread_source::Change;
use rread_source::archive::Member;
use rread_source::file::sample;
use rread_source::members::Members;
use rread_source::version::Version;
use rread_text::{Context, Error, Kind, Result, Unit, address, printable};

/// So many files stay open from the first look at them on.
const KEPT: usize = 16;

/// A file of the answer.
pub struct Entry<'r> {
    pub request: &'r Request<'r>,
    /// Its place among the requests.
    pub index: usize,
    pub(super) version: Option<Version>,
    pub(super) size: Option<u64>,
    /// Whether the numbers of its lines are known.
    pub has_lines: bool,
    /// The parts that are searched; the merge also has the lines of context around them.
    pub searched: Vec<Range<u64>>,
    pub(super) is_unordered: bool,
    pub(super) is_ambiguous: bool,
    /// The first and the last time, how they are shown, the format and the zone.
    pub(super) times: Option<((Timestamp, Timestamp), TimeInfo)>,
    /// Why it is not merged.
    pub failure: Option<Error>,
    /// The label before its lines.
    pub(super) label: Vec<u8>,
    kept: RefCell<Option<Opened<'r>>>,
    is_grown: RefCell<bool>,
    /// Whether it cannot be opened a second time.
    is_stream: bool,
}

/// All files of an answer.
pub struct Set<'r> {
    pub entries: Vec<Entry<'r>>,
    /// The files that are merged, in the order of the command line, and the place of each in the list of all.
    pub merged: Vec<MergedFile>,
    pub places: Vec<usize>,
    pub(super) format: Format,
    pub(super) to_terminal: bool,
    keeps: bool,
    /// Binary files below directories, which are left out.
    pub binary: u64,
}

/// One item for each file that names mean, and errors in the places of those that have none: archives that are named
/// mean their members, and archives among these theirs.
pub fn expand<T>(
    items: Vec<T>,
    members_of: impl Fn(&T) -> Result<Option<Members>>,
    of_member: impl Fn(&T, Member) -> T,
) -> (Vec<T>, Vec<Option<Error>>) {
    let mut all = Vec::with_capacity(items.len());
    items.into_iter().for_each(|item| add_expanded(item, &members_of, &of_member, &mut all));
    all.into_iter().unzip()
}

fn add_expanded<T>(
    item: T,
    members_of: &impl Fn(&T) -> Result<Option<Members>>,
    of_member: &impl Fn(&T, Member) -> T,
    all: &mut Vec<(T, Option<Error>)>,
) {
    let before = all.len();
    let error = match members_of(&item) {
        Ok(None) => None,
        Err(error) => Some(error),
        Ok(Some(found)) => {
            let walked = found.archive.each(&found.pattern, &mut |member| {
                add_expanded(of_member(&item, member), members_of, of_member, all);
                Ok(true)
            });
            let error = walked.map_or_else(Some, |walked| walked.error);
            let error = error.or_else(|| (all.len() == before).then(|| no_member(&found, 0)));
            if error.is_none() {
                return;
            }
            error
        }
    };
    all.push((item, error));
}

impl<'r> Entry<'r> {
    pub(super) fn new(request: &'r Request<'r>, index: usize) -> Self {
        Entry {
            request,
            index,
            version: None,
            size: None,
            has_lines: false,
            searched: Vec::new(),
            is_unordered: false,
            is_ambiguous: false,
            times: None,
            failure: None,
            label: Vec::new(),
            kept: RefCell::new(None),
            is_grown: RefCell::new(false),
            is_stream: false,
        }
    }
}

impl<'r> Set<'r> {
    pub(super) fn new(format: Format, to_terminal: bool, count: usize) -> Self {
        let keeps = count <= KEPT;
        Set {
            entries: Vec::new(),
            merged: Vec::new(),
            places: Vec::new(),
            format,
            to_terminal,
            keeps,
            binary: 0,
        }
    }

    /// Adds a file that was looked at, open as it is.
    pub(super) fn add(&mut self, entry: Entry<'r>, merged: Option<MergedFile>, opened: Option<Opened<'r>>) {
        let path = &entry.request.path;
        let is_stream = rread_source::stdin::is_one_stream(path, path);
        if let Some(merged) = merged {
            self.places.push(self.entries.len());
            self.merged.push(merged);
        }
        if let Some(opened) = opened.filter(|_| self.keeps || is_stream) {
            entry.kept.replace(Some(opened));
        }
        self.entries.push(Entry { is_stream, ..entry });
    }

    /// The file at a position of the merge.
    pub fn entry(&self, position: usize) -> &Entry<'r> {
        &self.entries[self.places[position]]
    }

    pub fn failures(&self) -> Vec<Error> {
        self.entries.iter().filter_map(|entry| entry.failure.clone()).collect()
    }

    /// The version of the only file, or one of all their versions; `None` if one of them has none.
    pub(super) fn version(&self) -> Option<String> {
        if let [only] = &self.entries[..] {
            return only.version.as_ref().map(Version::to_string);
        }
        let mut hash = Xxh3::new();
        for entry in self.entries.iter().filter(|entry| entry.failure.is_none()) {
            hash.update(entry.version.as_ref()?.to_string().as_bytes());
            hash.update(b"\0");
        }
        // No version of a file begins with this letter.
        Some(format!("z{:015x}", hash.digest() >> 4))
    }

    /// The times of all files together.
    pub(super) fn time(&self) -> Option<TimeInfo> {
        let times = || self.entries.iter().filter_map(|entry| entry.times.as_ref());
        let first = times().min_by_key(|((first, _), _)| *first)?;
        let last = times().max_by_key(|((_, last), _)| *last)?;
        let distinct = |of: fn(&TimeInfo) -> &String| {
            let mut names: Vec<&str> = Vec::new();
            for name in times().flat_map(|(_, info)| of(info).split(", ")) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            names.join(", ")
        };
        Some(TimeInfo {
            first: first.1.first.clone(),
            last: last.1.last.clone(),
            format: distinct(|info| &info.format),
            zone: distinct(|info| &info.zone),
            ..first.1.clone()
        })
    }
}

impl Entry<'_> {
    /// The facts of the receipt about its times, and about changes.
    pub fn notices(&self) -> impl Iterator<Item = &'static str> {
        let notices = [
            (self.is_unordered, "unordered"),
            (self.is_ambiguous, "ambiguous_time"),
            (*self.is_grown.borrow(), "changed"),
        ];
        notices.into_iter().filter_map(|(holds, notice)| holds.then_some(notice))
    }

    /// The facts of the file for the receipt, without its content.
    pub(super) fn info(&self) -> MergedFileInfo {
        let NameInfo { path, path_base64 } = NameInfo::of(&self.request.path);
        let failure = self.failure.as_ref();
        MergedFileInfo {
            path,
            path_base64,
            total: self.size,
            notices: self.notices().collect(),
            error: failure.map(|error| printable(&worded(&error.message))),
            kind: failure.map(|error| error.kind.name()),
            hint: failure.and_then(wording::hint),
            ..MergedFileInfo::default()
        }
    }

    /// Refuses a file that is not the one that was looked at, unless it only grew.
    fn check(&self, reader: &Reader) -> Result<()> {
        let (Some(then), Some(now)) = (&self.version, reader.version()?) else { return Ok(()) };
        let changed = then.compare(&now, |size| sample(reader.stored(), size));
        let changed = changed.map_err(|cause| Error::read("cannot read its first or last bytes", &cause))?;
        self.note_change(changed)
    }

    fn note_change(&self, changed: Option<Change>) -> Result<()> {
        if changed == Some(Change::Appended) {
            self.is_grown.replace(true);
        }
        refuse_torn(changed)
    }
}

impl<'r> Files for Set<'r> {
    type Open = Opened<'r>;

    fn open(&self, index: usize) -> Result<Opened<'r>> {
        let entry = self.entry(index);
        if let Some(kept) = entry.kept.take() {
            return Ok(kept);
        }
        let path = &entry.request.path;
        if entry.is_stream {
            return Err(Error::new(Kind::Io, "cannot be read a second time").at(path));
        }
        let opened = entry.request.open(self.format, self.to_terminal)?;
        opened.reader.end_at_damage();
        entry.check(&opened.reader).map_err(|error| error.about(path))?;
        Ok(opened)
    }

    fn close(&self, index: usize, file: Opened<'r>) -> Result<()> {
        let entry = self.entry(index);
        let path = &entry.request.path;
        entry.note_change(file.reader.changed()).map_err(|error| error.about(path))?;
        if file.options.hash.is_some() {
            let mut info = FileInfo::named(path);
            info.details.version = entry.version.as_ref().map(|version| Some(version.to_string()));
            deliver::keep_hashes(&info, &file.reader, &entry.request.content.read);
        }
        if self.keeps || entry.is_stream {
            entry.kept.replace(Some(file));
        }
        Ok(())
    }

    fn reader<'o>(file: &'o Opened<'r>) -> &'o Reader {
        &file.reader
    }
}

/// Looks at every file; one that cannot be merged has its error in its place.
pub fn prepare<'r>(
    requests: &[&'r Request<'r>],
    refused: Vec<Option<Error>>,
    merging: &Merging<'_>,
    (format, to_terminal): (Format, bool),
    (names, counts): (bool, bool),
) -> Result<Set<'r>> {
    merging.reading.check_zones(requests.iter().map(|request| request.path.as_path()))?;
    let mut set = Set::new(format, to_terminal, requests.len());
    for (index, (request, refused)) in requests.iter().copied().zip(refused).enumerate() {
        let mut entry = Entry::new(request, index);
        if names {
            entry.label = label(request);
        }
        let opened = refused.map_or_else(|| request.open(set.format, set.to_terminal), Err);
        let looked = opened.and_then(|opened| {
            let merged = look(&mut entry, &opened, merging, counts)?;
            Ok((merged, opened))
        });
        match looked {
            Ok((merged, opened)) => {
                notes::say_wide(&opened, set.to_terminal);
                notes::say_guess(&request.path, opened.guessed_encoding().as_deref(), set.format);
                set.add(entry, merged, Some(opened));
            }
            Err(error) if request.is_walked && error.kind == Kind::Binary => set.binary += 1,
            Err(error) if matches!(error.kind, Kind::Usage | Kind::Write | Kind::BrokenPipe) => {
                return Err(error.about(&request.path));
            }
            Err(error) => {
                entry.failure = Some(error.about(&request.path));
                set.add(entry, None, None);
            }
        }
    }
    match &set.failures()[..] {
        [only] if requests.len() == 1 => Err(only.clone()),
        _ => Ok(set),
    }
}

/// The name of the file before its lines, on one line and without secrets.
fn label(request: &Request<'_>) -> Vec<u8> {
    let mut label = printable(&address::display(&request.path)).into_bytes();
    label.push(b':');
    label
}

/// The part to merge; `None` if the file has no text.
fn look(
    entry: &mut Entry<'_>,
    opened: &Opened<'_>,
    merging: &Merging<'_>,
    counts: bool,
) -> Result<Option<MergedFile>> {
    let (request, reader) = (opened.request, &opened.reader);
    reader.end_at_damage();
    entry.version = reader.version()?;
    let size = reader.size()?;
    entry.size = Some(size);
    let mark = if reader.decided.bom { reader.encoding().mark().len() } else { 0 };
    if size <= mark as u64 {
        return Ok(None);
    }
    let log = open_log(reader, merging.reading, &request.path)?;
    let log = if merging.reading.scan { log.with_every_record()? } else { log };
    let mut info = time_info(log.shown());
    let spans = match merging.window {
        Some(time) => {
            let FoundWindow { spans, time, .. } = window_of(&log, time)?;
            info = time.info.unwrap_or(info);
            (entry.is_unordered, entry.is_ambiguous) = (time.is_unordered, time.is_ambiguous);
            // A part of the window that reaches the end says it itself.
            if let Some(damage) = reader.damage().filter(|_| time.reaches_end && hides_the_end(reader))
                && spans.last().is_none_or(|span| span.is_empty() || span.end < size)
            {
                entry.failure = Some(reader.damage_error(&damage).about(&request.path));
            }
            spans
        }
        // A search has to know the times of all records before a match.
        None if merging.searches => std::iter::once(0..size).collect(),
        None => spans_of(&request.ranges, request.context, reader, opened.options.raw)?,
    };
    entry.searched.clone_from(&spans);
    let spans = if merging.searches { widened(reader, spans, request.context, size)? } else { spans };
    entry.times = Some(((log.first.time, log.last.time), info));
    let is_known = |start| start == 0 || counts || reader.is_cheap_to_count_before(start);
    entry.has_lines = spans.iter().all(|span| is_known(span.start));
    let line_at = |start| {
        if is_known(start) { reader.newlines_before(start).map(|newlines| newlines + 1) } else { Ok(1) }
    };
    MergedFile::new(&log, spans, line_at).map(Some)
}

/// The bytes of the ranges that were asked for, in the order of the file and each once.
pub fn spans_of(
    ranges: &[rread_text::Range],
    context: Context,
    reader: &Reader,
    raw: bool,
) -> Result<Vec<Range<u64>>> {
    let located = Selection { ranges, context, header: 0, numbers: false }.locate(reader)?;
    let align = if raw { Align::None } else { Align::Expand };
    let mut spans = Vec::with_capacity(ranges.len());
    for (range, slice) in ranges.iter().zip(located.slices) {
        let slice = slice?;
        let end = reader.reach(slice.end)?;
        spans.push(match range.unit {
            Unit::Bytes => {
                let (start, end) = reader.align(slice.start, end, align)?;
                start..end
            }
            Unit::Lines => slice.start..end,
        });
    }
    spans.sort_unstable_by_key(|span| span.start);
    let mut merged: Vec<Range<u64>> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut().filter(|last| span.start <= last.end) {
            Some(last) => last.end = last.end.max(span.end),
            None => merged.push(span),
        }
    }
    Ok(merged)
}

/// The lines from the first to the last of `spans`, and those of `context` around them.
fn widened(reader: &Reader, spans: Vec<Range<u64>>, context: Context, size: u64) -> Result<Vec<Range<u64>>> {
    let ends = spans.first().zip(spans.last()).filter(|_| context != Context::default());
    let Some((mut start, mut end)) = ends.map(|(first, last)| (first.start, last.end)) else {
        return Ok(spans);
    };
    let (mut walk, mut left) = (LineWalk::new(reader), context);
    while left.before > 0 && start > 0 {
        left.before -= 1;
        start = walk.start_of_line_before(start, 0)?;
    }
    while left.after > 0 && end < size {
        left.after -= 1;
        end = walk.line(end, &mut |_| {})?.next;
    }
    Ok(std::iter::once(start..end).collect())
}

/// The records of merged files that are shown: all, or those that match.
pub(crate) trait Mix {
    /// Why files are not merged.
    fn failures(&self) -> Vec<Error>;

    fn walk(&self, target: &mut Target<'_>) -> Result<Walked>;

    /// The receipt.
    fn info(&self, walked: &Walked) -> MergedInfo;

    /// The error that nothing is shown.
    fn error(&self, _: &Walked) -> Option<Error> {
        None
    }
}

/// The target of the content.
pub enum Target<'t> {
    Sink(&'t mut dyn Sink),
    /// A segment of JSON for each run.
    Segments(&'t mut Response),
    /// Lines are only counted.
    Nowhere,
}

/// The part of a file that is in the content.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileContent {
    pub range: Option<(u64, u64)>,
    pub lines: Option<(u64, u64)>,
    /// With search, the lines that match.
    pub records: u64,
    pub out_of_order: u64,
    pub matches: u64,
}

/// The outcome of a merge.
#[derive(Debug, Default)]
pub struct Walked {
    pub stats: ContentStats,
    /// For each file that is merged.
    pub files: Vec<FileContent>,
    /// The parts that are left of each, if a budget cut the content.
    pub rest: Option<Vec<Vec<Range<u64>>>>,
    /// Errors of files that ended early.
    pub failures: Vec<Error>,
}

/// Adds the counts of a part of the content.
pub fn add(sum: &mut ContentStats, part: &ContentStats) {
    sum.content_bytes += part.content_bytes;
    sum.newlines += part.newlines;
    sum.clipped_lines += part.clipped_lines;
    sum.invalid.count += part.invalid.count;
    if let Some(thirds) = part.token_thirds {
        sum.token_thirds = Some(sum.token_thirds.unwrap_or(0) + thirds);
    }
}

/// The content of an answer, which may have been measured before.
pub(super) struct Again<'m> {
    pub(super) mix: &'m dyn Mix,
    /// The length in the receipt.
    pub(super) expected: Option<u64>,
    pub(super) walked: Option<Walked>,
}

impl Body for Again<'_> {
    fn write(&mut self, sink: &mut dyn Sink) -> Result<()> {
        let walked = self.mix.walk(&mut Target::Sink(sink))?;
        let is_expected = self.expected.is_none_or(|expected| expected == walked.stats.content_bytes);
        self.walked = Some(walked);
        // The receipt has been written: content that does not agree with it must not pass for a success.
        if is_expected {
            return Ok(());
        }
        Err(Error::new(Kind::Changed, "a file was rewritten while it was read")
            .hint("run the same command again"))
    }
}

/// The request for a merge, for all files.
#[derive(Clone, Copy, Debug)]
pub struct Merging<'a> {
    /// The window of time, if there is one.
    pub window: Option<&'a TimeWindow>,
    /// How times are read.
    pub reading: &'a TimeReading,
    /// Whether the name of the file and the number stand before each line, where formats have no receipts for runs.
    pub names: bool,
    /// Whether only lines that match are shown.
    pub searches: bool,
    /// Whether a single file is shown as it is without a merge.
    pub is_plain_alone: bool,
}

impl<'a> Merging<'a> {
    /// A merge without names that shows all lines.
    pub fn new(times: &'a TimesOfFiles) -> Self {
        let TimesOfFiles { window, reading } = times;
        Merging { window: window.as_ref(), reading, names: false, searches: false, is_plain_alone: false }
    }
}
