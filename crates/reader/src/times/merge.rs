//! Merges the records of several files by time, in memory that does not grow with them.
//!
//! The next record is the one with the earliest time among the next records of all files; of equal times, that of the
//! first file. So a record that is earlier than one before it in its file follows that one directly, as if it had its
//! time, and the order after any place depends only on what follows: a merge that is cut goes on exactly.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::lines::{Clock, Heads, MEMBER_HEAD, Records, line_text};
use super::log::{Log, TypedTimes, last_record};
use crate::reader::Reader;
use rread_source::limits::raise_descriptors;
use rread_text::timestamp::HEAD;
use rread_text::{Result, Timestamp};

/// Files that are open at once, if decoders or connections keep much of them in memory; of others, half of those that the
/// system allows. Others are closed, and opened again when more of them is needed.
const MAX_OPEN: u64 = 24;

/// The bytes of all blocks together, if every file is open, and the limits of one block.
const ALL_BLOCKS: usize = 4 << 20;
const MAX_BLOCK: usize = 256 << 10;
const MIN_BLOCK: usize = 16 << 10;

/// Opens and closes the files of a merge, which are known by their positions.
pub trait Files {
    /// An open file.
    type Open;

    /// Opens a file, perhaps again.
    fn open(&self, index: usize) -> Result<Self::Open>;

    /// Takes back a file, of which more may be needed.
    fn close(&self, index: usize, file: Self::Open) -> Result<()>;

    /// The reader of an open file.
    fn reader(file: &Self::Open) -> &Reader;
}

/// Takes the pieces of a run, one after another.
pub type Take<'t, O> = dyn FnMut(&O, RunPart<'_>) -> Result<()> + 't;

/// A merge of files.
pub struct Merge<'f, F: Files> {
    opener: &'f F,
    cursors: Vec<Cursor>,
    opened: Vec<Option<F::Open>>,
    /// The open files.
    open: Vec<usize>,
    /// How many may be.
    most: u64,
    heads: BinaryHeap<Reverse<Key>>,
    /// The file that ended with the last run.
    ended: Option<usize>,
}

impl<'f, F: Files> Merge<'f, F> {
    /// Begins with the first record of each file; opens none.
    pub fn new(opener: &'f F, files: &[MergedFile]) -> Self {
        let block = (ALL_BLOCKS / files.len().max(1)).clamp(MIN_BLOCK, MAX_BLOCK);
        Self::with_blocks(opener, files, block)
    }

    /// The same with blocks of so many bytes.
    pub fn with_blocks(opener: &'f F, files: &[MergedFile], block: usize) -> Self {
        let heads = files.iter().enumerate().filter_map(|(index, file)| Some(Reverse((file.head?, index))));
        let heads = heads.collect();
        let cursors = files.iter().map(|file| Cursor::new(file, block)).collect();
        let opened = files.iter().map(|_| None).collect();
        let most = raise_descriptors() / 2;
        Merge { opener, cursors, opened, open: Vec::new(), most, heads, ended: None }
    }

    /// The same whose pieces have their records.
    pub fn with_records(mut self) -> Self {
        self.cursors = self.cursors.into_iter().map(Cursor::with_records).collect();
        self
    }

    /// The next run, whose pieces go to `take`; `None` after the last one.
    pub fn next_run(&mut self, take: &mut Take<'_, F::Open>) -> Result<Option<Run>> {
        self.next_run_to(&|_| u64::MAX, take)
    }

    /// The same, which ends with the line before the offset that `stop` returns for its file, or with the first line.
    pub fn next_run_to(
        &mut self,
        stop: &dyn Fn(usize) -> u64,
        take: &mut Take<'_, F::Open>,
    ) -> Result<Option<Run>> {
        if let Some(ended) = self.ended.take() {
            self.close(ended)?;
        }
        let Some(Reverse(head)) = self.heads.pop() else { return Ok(None) };
        let index = head.1;
        self.open(index)?;
        let until = Until { limit: self.heads.peek().map(|Reverse(limit)| *limit), stop: stop(index) };
        let (Some(cursor), Some(Some(file))) = (self.cursors.get_mut(index), self.opened.get(index)) else {
            return Ok(None);
        };
        let reader = F::reader(file);
        let run = cursor.run(reader, head, until, &mut |piece| take(file, piece))?;
        match cursor.head {
            Some(time) => self.heads.push(Reverse((time, index))),
            None => self.ended = Some(index),
        }
        Ok(Some(run))
    }

    /// Asks something of an open file.
    pub fn with_open<T>(&mut self, index: usize, ask: impl FnOnce(&F::Open) -> Result<T>) -> Result<T> {
        self.open(index)?;
        match self.opened.get(index).and_then(Option::as_ref) {
            Some(file) => ask(file),
            None => ask(&self.opener.open(index)?),
        }
    }

    /// The spans that are left of a file.
    pub fn rest(&self, index: usize) -> Vec<std::ops::Range<u64>> {
        self.cursors.get(index).map(Cursor::rest).unwrap_or_default()
    }

    /// Leaves out the rest of a file.
    pub fn leave_out(&mut self, index: usize) -> Result<()> {
        self.heads.retain(|Reverse(head)| head.1 != index);
        self.close(index)
    }

    /// Closes the files that are open.
    pub fn finish(mut self) -> Result<()> {
        for index in std::mem::take(&mut self.open) {
            self.close(index)?;
        }
        Ok(())
    }

    fn open(&mut self, index: usize) -> Result<()> {
        if self.opened.get(index).is_none_or(Option::is_some) {
            return Ok(());
        }
        // The file whose next record comes last is needed last.
        while self.open.len() as u64 >= self.most
            && let Some(last) = self.open.iter().copied().max_by_key(|open| self.cursors[*open].head)
        {
            self.close(last)?;
        }
        let file = self.opener.open(index)?;
        let info = F::reader(&file).source().info();
        if info.decoding.is_some() || info.traffic.is_some() {
            self.most = self.most.min(MAX_OPEN);
        }
        self.opened[index] = Some(file);
        self.open.push(index);
        Ok(())
    }

    fn close(&mut self, index: usize) -> Result<()> {
        self.open.retain(|open| *open != index);
        if self.cursors[index].head.is_none() {
            // It is over.
            self.cursors[index].block = Vec::new();
        }
        self.opened[index].take().map_or(Ok(()), |file| self.opener.close(index, file))
    }
}

/// The part of a run of `file` before `end`.
pub fn part_of(file: &MergedFile, reader: &Reader, run: &Run, end: u64) -> Result<Run> {
    let run = Run { end, ..*run };
    if end <= run.start {
        return Ok(Run { records: 0, out_of_order: 0, ..run });
    }
    let head = (Timestamp::MIN, run.file);
    let part = Cursor::part(file, &run).run(reader, head, Until::END, &mut |_| Ok(()))?;
    Ok(Run { is_unterminated: false, ..part })
}

/// The block that counts a part of a run.
const PART_BLOCK: usize = 32 << 10;

/// Whether to go on with a run.
enum Flow {
    /// The next line is not in the block as a whole.
    Fill,
    /// The next record is not earlier than those of another file, or the span is over.
    End,
}

/// Where a run ends: before the record that is later than `limit` of another file, or the line at `stop` or after it.
#[derive(Clone, Copy)]
struct Until {
    limit: Option<Key>,
    stop: u64,
}

impl Until {
    const END: Until = Until { limit: None, stop: u64::MAX };

    /// Whether `run` ends before the line at `place`, which may begin a record.
    fn ends(self, run: &Run, place: u64, time: Option<Timestamp>) -> bool {
        let is_later = || time.zip(self.limit).is_some_and(|(time, limit)| (time, run.file) > limit);
        place > run.start && (place >= self.stop || is_later())
    }
}

/// The place in one file.
struct Cursor {
    clock: Clock,
    first: (u64, Timestamp),
    /// The spans that are not over, the last first.
    spans: Vec<(Range<u64>, u64)>,
    /// The offset of the block.
    start: u64,
    block: Vec<u8>,
    capacity: usize,
    /// The bytes in the block that are read, and where the next line begins in them.
    filled: usize,
    at: usize,
    /// The number of the next line.
    line: u64,
    /// The time of the next record; `None` at the end.
    head: Option<Timestamp>,
    /// The length of the next line, if it is known to have the time `head`.
    head_line: Option<usize>,
    /// The latest time so far.
    latest: Timestamp,
    /// The last line had no newline.
    is_unterminated: bool,
    /// The next bytes go on with a line whose beginning is not in the merge.
    is_inside_line: bool,
    /// The records of the piece that is read, if they are requested.
    records: Option<Vec<RecordStart>>,
}

impl Cursor {
    /// The beginning of a file, which is read in blocks of `capacity` bytes.
    fn new(file: &MergedFile, capacity: usize) -> Self {
        let spans: Vec<(Range<u64>, u64)> =
            file.spans.iter().cloned().zip(file.lines.iter().copied()).rev().collect();
        let (start, line) = spans.last().map_or((0, 1), |(span, line)| (span.start, *line));
        Cursor {
            clock: file.clock.clone(),
            first: file.first,
            spans,
            start,
            block: Vec::new(),
            capacity,
            filled: 0,
            at: 0,
            line,
            head: file.head,
            head_line: None,
            latest: Timestamp::MIN,
            is_unterminated: false,
            is_inside_line: file.is_inside_line,
            records: None,
        }
    }

    /// The same with the records of each piece.
    fn with_records(self) -> Self {
        Cursor { records: Some(Vec::new()), ..self }
    }

    /// The part of a run before `end`.
    fn part(file: &MergedFile, run: &Run) -> Self {
        let Run { start, end, line, latest, is_inside_line, .. } = *run;
        Cursor {
            spans: vec![(start..end, line)],
            start,
            line,
            latest,
            is_inside_line,
            ..Cursor::new(file, PART_BLOCK)
        }
    }

    /// The spans that are left.
    fn rest(&self) -> Vec<Range<u64>> {
        let mut rest: Vec<Range<u64>> = self.spans.iter().rev().map(|(span, _)| span.clone()).collect();
        if let Some(first) = rest.first_mut() {
            first.start = self.place();
        }
        rest
    }

    /// The offset of the next line.
    fn place(&self) -> u64 {
        self.start + self.at as u64
    }

    /// The lines from the next one on, up to the end of the run.
    fn run(
        &mut self,
        reader: &Reader,
        head: Key,
        until: Until,
        take: &mut dyn FnMut(RunPart<'_>) -> Result<()>,
    ) -> Result<Run> {
        let (start, line, file) = (self.place(), self.line, head.1);
        let mut run = Run {
            file,
            start,
            end: start,
            line,
            last_line: line,
            records: 0,
            out_of_order: 0,
            latest: self.latest,
            is_inside_line: self.is_inside_line,
            is_unterminated: false,
        };
        let Some(end) = self.spans.last().map(|(span, _)| span.end) else { return Ok(run) };
        loop {
            let (from, line) = (self.at, self.line);
            let flow = self.lines(reader, end, until, &mut run)?;
            if self.at > from {
                let bytes = Some(&self.block[from..self.at]);
                let records = self.records.as_deref().unwrap_or_default();
                let (start, end) = (self.start + from as u64, self.place());
                take(RunPart { file, start, end, line, bytes, records })?;
                self.records.iter_mut().for_each(Vec::clear);
            }
            match flow {
                Flow::End => break,
                Flow::Fill => {
                    if !self.fill(reader, end)? && !self.long_line(reader, end, until, &mut run, take)? {
                        break;
                    }
                }
            }
        }
        run.end = self.place();
        run.last_line = self.line - u64::from(!self.is_unterminated);
        if run.end >= end {
            self.spans.pop();
            run.is_unterminated = self.is_unterminated;
            self.next_span(reader)?;
        }
        Ok(run)
    }

    /// Passes the lines in the block that belong to the run.
    fn lines(&mut self, reader: &Reader, end: u64, until: Until, run: &mut Run) -> Result<Flow> {
        let units = reader.units();
        loop {
            let rest = &self.block[self.at..self.filled];
            let place = self.start + self.at as u64;
            if place >= end {
                return Ok(Flow::End);
            }
            let (length, time, ends) = match self.head_line.take() {
                Some(length) => (length, self.head, units.ends_with(&rest[..length], b'\n')),
                None => {
                    let (length, ends) = match units.after_first(rest) {
                        Some(length) => (length, true),
                        None if place + rest.len() as u64 >= end => (rest.len(), false),
                        None => return Ok(Flow::Fill),
                    };
                    let line = &rest[..length - if ends { units.width } else { 0 }];
                    let is_whole = !std::mem::take(&mut self.is_inside_line);
                    let time = match (is_whole, ends) {
                        (false, _) => None,
                        (true, true) => time_of(reader, &self.clock, line, place)?,
                        // The span may end within the time of its last line.
                        (true, false) => time_of_line(reader, &self.clock, place)?,
                    };
                    (length, time, ends)
                }
            };
            if until.ends(run, place, time) {
                // A line without a time follows at once.
                (self.head, self.head_line) = (Some(time.unwrap_or(Timestamp::MIN)), time.map(|_| length));
                return Ok(Flow::End);
            }
            if let Some(time) = time {
                self.count(time, place, run);
            }
            self.at += length;
            self.line += u64::from(ends);
            self.is_unterminated = !ends;
        }
    }

    /// Counts the record that begins at `start` with the next line.
    fn count(&mut self, time: Timestamp, start: u64, run: &mut Run) {
        run.records += 1;
        if time < self.latest {
            run.out_of_order += 1;
        } else {
            self.latest = time;
        }
        if let Some(records) = &mut self.records {
            records.push(RecordStart { start, line: self.line, time: self.latest });
        }
    }

    /// Reads on behind the lines in the block; false if the block has no room for the next line.
    fn fill(&mut self, reader: &Reader, end: u64) -> Result<bool> {
        let rest = self.filled - self.at;
        // A unit is not cut.
        let room = usize::try_from(end - self.place()).unwrap_or(usize::MAX);
        let wanted = self.capacity.min(room).next_multiple_of(reader.units().width);
        if self.block.len() < wanted {
            self.block.resize(wanted, 0);
        } else if rest == self.block.len() {
            return Ok(false);
        }
        self.block.copy_within(self.at..self.filled, 0);
        (self.start, self.at, self.filled) = (self.place(), 0, rest);
        let from = self.start + rest as u64;
        let room = usize::try_from(end - from).unwrap_or(usize::MAX).min(self.block.len() - rest);
        let got = reader.read_units(&mut self.block[rest..rest + room], from)?;
        reader.must_go_on(got, from)?;
        self.filled += got;
        Ok(true)
    }

    /// Passes a line that is longer than the block; false if it does not belong to the run.
    fn long_line(
        &mut self,
        reader: &Reader,
        end: u64,
        until: Until,
        run: &mut Run,
        take: &mut dyn FnMut(RunPart<'_>) -> Result<()>,
    ) -> Result<bool> {
        let start = self.place();
        let mut heads = Heads::new(reader, self.clock.detected.has_members(), start);
        let next = heads.next()?.map_or(end, |(_, next)| next);
        let is_whole = !std::mem::take(&mut self.is_inside_line);
        let time = self.clock.read(&heads).filter(|_| is_whole).map(|found| found.time);
        if until.ends(run, start, time) {
            self.head = Some(time.unwrap_or(Timestamp::MIN));
            return Ok(false);
        }
        if let Some(time) = time {
            self.count(time, start, run);
        }
        let line = self.line;
        let ends = next <= end && !(next == end && reader.is_unterminated(next)?);
        let next = next.min(end);
        (self.start, self.at, self.filled) = (next, 0, 0);
        self.line += u64::from(ends);
        self.is_unterminated = !ends;
        let records = self.records.as_deref().unwrap_or_default();
        take(RunPart { file: run.file, start, end: next, line, bytes: None, records })?;
        self.records.iter_mut().for_each(Vec::clear);
        Ok(true)
    }

    /// Goes to the next span, if there is one.
    fn next_span(&mut self, reader: &Reader) -> Result<()> {
        self.head_line = None;
        let Some((span, line)) = self.spans.last() else {
            self.head = None;
            return Ok(());
        };
        (self.start, self.line, self.at, self.filled) = (span.start, *line, 0, 0);
        self.head = Some(time_at(reader, &self.clock, self.first, self.start)?);
        self.is_inside_line = !reader.starts_line(self.start)?;
        Ok(())
    }
}

/// The time of the line at `at`, as it is in the file.
fn time_of_line(reader: &Reader, clock: &Clock, at: u64) -> Result<Option<Timestamp>> {
    let mut heads = Heads::new(reader, clock.detected.has_members(), at);
    heads.next()?;
    Ok(clock.read(&heads).map(|found| found.time))
}

/// The time of a line at `at`, whose newline is left out.
fn time_of(reader: &Reader, clock: &Clock, line: &[u8], at: u64) -> Result<Option<Timestamp>> {
    let (has_members, width) = (clock.detected.has_members(), reader.units().width);
    if has_members && line.len() > MEMBER_HEAD * width {
        return time_of_line(reader, clock, at);
    }
    let most = if has_members { MEMBER_HEAD } else { HEAD };
    let head = &line[..line.len().min(most * width)];
    let text = line_text(reader.encoding(), head, at);
    Ok(clock.detected.time_of(text.as_deref().unwrap_or(head), clock.context(at)))
}

/// A time, and the file that has it.
type Key = (Timestamp, usize);

/// Records of one file that follow one another in the merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The position of the file.
    pub file: usize,
    /// The first byte.
    pub start: u64,
    /// Past the last byte.
    pub end: u64,
    /// The number of the first line, if the first one of the file was given.
    pub line: u64,
    /// The number of the last line.
    pub last_line: u64,
    /// Records that begin in it.
    pub records: u64,
    /// How many of them are earlier than a record before them in their file.
    pub out_of_order: u64,
    /// The latest time of its file before it.
    latest: Timestamp,
    /// Whether it begins inside a line.
    is_inside_line: bool,
    /// Whether its last line has no newline, and the file or the part of it ends there.
    pub is_unterminated: bool,
}

/// Whole lines of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunPart<'b> {
    /// The position of the file.
    pub file: usize,
    /// The first byte.
    pub start: u64,
    /// Past the last byte.
    pub end: u64,
    /// The number of the first line.
    pub line: u64,
    /// The lines, unless they are one that is too long to be held.
    pub bytes: Option<&'b [u8]>,
    /// The records that begin in it, if they were requested.
    pub records: &'b [RecordStart],
}

/// The beginning of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordStart {
    /// Its offset in the file.
    pub start: u64,
    /// The number of its line, if the number of the first line of the file was given.
    pub line: u64,
    /// Its time; that of the latest record before it in its file, if that is later.
    pub time: Timestamp,
}

/// The facts of a file that a merge needs.
#[derive(Clone)]
pub struct MergedFile {
    clock: Clock,
    /// The first record of the file.
    first: (u64, Timestamp),
    /// The parts of the file.
    pub spans: Vec<Range<u64>>,
    /// The number of the line at the start of each span.
    lines: Vec<u64>,
    /// The time of the first record; `None` without any bytes.
    head: Option<Timestamp>,
    /// The first span begins inside a line.
    is_inside_line: bool,
    /// The meaning of times that a user types in the file.
    pub typed_times: TypedTimes,
}

impl MergedFile {
    /// The parts `spans` of a log, in ascending order; `line_at` gives the number of the line at the start of each.
    pub fn new(log: &Log<'_>, spans: Vec<Range<u64>>, line_at: impl Fn(u64) -> Result<u64>) -> Result<Self> {
        let spans: Vec<Range<u64>> = spans.into_iter().filter(|span| !span.is_empty()).collect();
        let lines = spans.iter().map(|span| line_at(span.start)).collect::<Result<Vec<_>>>()?;
        let first = (log.first.start, log.first.time);
        let clock = log.clock.clone();
        let start = spans.first().map(|span| span.start);
        let head = start.map(|start| time_at(log.reader, &clock, first, start)).transpose()?;
        let is_inside_line =
            start.is_some_and(|start| start > 0) && !log.reader.starts_line(start.unwrap_or(0))?;
        let typed_times = log.typed_times();
        Ok(MergedFile { clock, first, spans, lines, head, is_inside_line, typed_times })
    }
}

/// The time of the record that has the byte at `start`. Lines before the first record of a file belong to that.
fn time_at(reader: &Reader, clock: &Clock, first: (u64, Timestamp), start: u64) -> Result<Timestamp> {
    if start <= first.0 {
        return Ok(first.1);
    }
    let line = reader.line_start(start)?;
    if let Some(record) = Records::new(reader, clock, line).next(line + 1)? {
        return Ok(record.time);
    }
    Ok(last_record(reader, clock, line)?.map_or(first.1, |record| record.time))
}
