//! Merges the records of several files by time, in memory that does not grow with them.
//!
//! The next record is the one with the earliest time among the next records of all files; of equal times, that of the
//! first file. So a record that is earlier than one before it in its file follows that one directly, as if it had its
//! time, and the order after any place depends only on what follows: a merge that is cut goes on exactly.

mod cursor;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::Clock;
use super::lines::Records;
use super::log::{Log, TypedTimes, last_record};
use crate::reader::Reader;
use cursor::Cursor;
use rread_text::error::Result;
use rread_text::timestamp::Timestamp;

/// Files that are open at once. Others are closed, and opened again when more of them is needed.
const MAX_OPEN: usize = 24;

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
pub type Take<'t, O> = dyn FnMut(&O, Piece<'_>) -> Result<()> + 't;

/// A merge of files.
pub struct Merge<'f, F: Files> {
    opener: &'f F,
    cursors: Vec<Cursor>,
    opened: Vec<Option<F::Open>>,
    /// The open files.
    open: Vec<usize>,
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
        let heads = files.iter().enumerate().filter_map(|(index, file)| Some(Reverse((file.head()?, index))));
        let heads = heads.collect();
        let cursors = files.iter().map(|file| Cursor::new(file, block)).collect();
        let opened = files.iter().map(|_| None).collect();
        Merge { opener, cursors, opened, open: Vec::new(), heads, ended: None }
    }

    /// The same whose pieces have their records.
    pub fn with_records(mut self) -> Self {
        self.cursors = self.cursors.into_iter().map(Cursor::with_records).collect();
        self
    }

    /// The next run, whose pieces go to `take`; `None` after the last one.
    pub fn next_run(&mut self, take: &mut Take<'_, F::Open>) -> Result<Option<Run>> {
        if let Some(ended) = self.ended.take() {
            self.close(ended)?;
        }
        let Some(Reverse(head)) = self.heads.pop() else { return Ok(None) };
        let index = head.1;
        self.open(index)?;
        let limit = self.heads.peek().map(|Reverse(limit)| *limit);
        let (Some(cursor), Some(Some(file))) = (self.cursors.get_mut(index), self.opened.get(index)) else {
            return Ok(None);
        };
        let reader = F::reader(file);
        let run = cursor.run(reader, head, limit, &mut |piece| take(file, piece))?;
        match cursor.head() {
            Some(time) => self.heads.push(Reverse((time, index))),
            None => self.ended = Some(index),
        }
        Ok(Some(run))
    }

    /// Asks something of an open file.
    pub fn with_open<T>(&mut self, index: usize, ask: impl FnOnce(&F::Open) -> Result<T>) -> Result<T> {
        self.open(index)?;
        let file = self.opened.get(index).and_then(Option::as_ref);
        match file {
            Some(file) => ask(file),
            None => ask(&self.opener.open(index)?),
        }
    }

    /// The spans that are left of a file.
    pub fn rest(&self, index: usize) -> Vec<std::ops::Range<u64>> {
        self.cursors.get(index).map(Cursor::rest).unwrap_or_default()
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
        if self.open.len() >= MAX_OPEN {
            // The file whose next record comes last is needed last.
            let last = self.open.iter().copied().max_by_key(|open| self.cursors[*open].head());
            if let Some(last) = last {
                self.close(last)?;
            }
        }
        self.opened[index] = Some(self.opener.open(index)?);
        self.open.push(index);
        Ok(())
    }

    fn close(&mut self, index: usize) -> Result<()> {
        self.open.retain(|open| *open != index);
        if self.cursors[index].head().is_none() {
            self.cursors[index].free();
        }
        match self.opened[index].take() {
            Some(file) => self.opener.close(index, file),
            None => Ok(()),
        }
    }
}

/// A time, and the file that has it.
pub(super) type Key = (Timestamp, usize);

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
    pub(super) latest: Timestamp,
    /// Whether it begins inside a line.
    pub(super) is_inside_line: bool,
    /// Whether its last line has no newline, and the file or the part of it ends there.
    pub is_unterminated: bool,
}

/// Whole lines of a run.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'b> {
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
    pub(super) clock: Clock,
    /// The first record of the file.
    pub(super) first: (u64, Timestamp),
    pub(super) spans: Vec<Range<u64>>,
    /// The number of the line at the start of each span.
    pub(super) lines: Vec<u64>,
    head: Option<Timestamp>,
    /// The first span begins inside a line.
    pub(super) is_inside_line: bool,
    typed_times: TypedTimes,
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

    /// The meaning of times that a user types in the file.
    pub fn typed_times(&self) -> &TypedTimes {
        &self.typed_times
    }

    /// The parts of the file.
    pub fn spans(&self) -> &[Range<u64>] {
        &self.spans
    }

    /// The time of the first record; `None` without any bytes.
    pub(super) fn head(&self) -> Option<Timestamp> {
        self.head
    }
}

/// The time of the record that has the byte at `start`. Lines before the first record of a file belong to that.
pub(super) fn time_at(
    reader: &Reader,
    clock: &Clock,
    first: (u64, Timestamp),
    start: u64,
) -> Result<Timestamp> {
    if start <= first.0 {
        return Ok(first.1);
    }
    let line = reader.line_start(start)?;
    if let Some(record) = Records::new(reader, clock, line).next(line + 1)? {
        return Ok(record.time);
    }
    Ok(last_record(reader, clock, line)?.map_or(first.1, |record| record.time))
}

/// The bytes of a block.
const TIME_WALK_BLOCK: usize = 64 << 10;

/// A walk over a file for the times of some of its lines, in ascending order.
pub struct TimeWalk {
    cursor: Cursor,
    first: Timestamp,
}

impl TimeWalk {
    /// Begins with the first part of a file.
    pub fn new(file: &MergedFile) -> Self {
        TimeWalk { cursor: Cursor::new(file, TIME_WALK_BLOCK), first: file.first.1 }
    }

    /// The time of the record that has the line that ends at `end`; of a record that is earlier than one before it, that of
    /// the latest.
    pub fn time_of(&mut self, reader: &Reader, end: u64) -> Result<Timestamp> {
        Ok(self.cursor.latest_before(reader, end)?.unwrap_or(self.first))
    }
}

/// The part of a run of `file` before `end`.
pub fn part_of(file: &MergedFile, reader: &Reader, run: &Run, end: u64) -> Result<Run> {
    let run = Run { end, ..*run };
    if end <= run.start {
        return Ok(Run { records: 0, out_of_order: 0, ..run });
    }
    let head = (Timestamp::MIN, run.file);
    let part = Cursor::part(file, &run).run(reader, head, None, &mut |_| Ok(()))?;
    Ok(Run { is_unterminated: false, ..part })
}
