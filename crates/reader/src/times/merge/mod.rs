//! Merges the records of several files by time, in memory that does not grow with them.
//!
//! The next record is the one with the earliest time among the next records of all files; of equal times, that of the
//! first file. So a record that is earlier than one before it in its file follows that one directly, as if it had its
//! time, and the order after any place depends only on what follows: a merge that is cut goes on exactly.

mod cursor;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::reader::Reader;
use cursor::{Cursor, Key};
use rread_text::error::Result;
use rread_text::timestamp::Timestamp;

pub use cursor::{MergedFile, Piece, RecordStart, Run};

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
