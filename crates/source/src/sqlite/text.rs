//! The text of a database: its tables as CSV, made anew in blocks from the nearest checkpoint wherever it is read.

use std::io;
use std::ops::Range;

use super::snapshot::{Snapshot, read_error, words};
use super::table::TableText;
use crate::Source;

/// Where a block of text begins.
#[derive(Clone, Copy, Debug, Default)]
struct RowCheckpoint {
    offset: u64,
    table: usize,
    /// The rows of the table that come before it.
    rows: u64,
    /// The rowid of the last of them, if the table has rowids.
    after: Option<i64>,
}

/// The text, of which one block is in memory.
pub(super) struct DatabaseText {
    snapshot: Snapshot,
    tables: Vec<TableText>,
    /// The length, once the last row was read.
    pub(super) size: Option<u64>,
    /// The end of the text of each table so far.
    pub(super) ends: Vec<u64>,
    /// The offset where damage ends the text, and SQLite's words for it.
    pub(super) damage: Option<(u64, String)>,
    /// The block that was made last, and its offset.
    block: Vec<u8>,
    start: u64,
    checkpoints: Vec<RowCheckpoint>,
}

impl DatabaseText {
    pub(super) fn new(snapshot: Snapshot, tables: Vec<TableText>) -> Self {
        DatabaseText {
            snapshot,
            tables,
            size: None,
            ends: Vec::new(),
            damage: None,
            block: Vec::new(),
            start: 0,
            checkpoints: vec![RowCheckpoint::default()],
        }
    }

    fn end(&self) -> u64 {
        self.start + self.block.len() as u64
    }

    /// Reads text at `offset`; none at the end. Fails once nobody wants to read `input`, the file of the database.
    pub(super) fn read(&mut self, input: &dyn Source, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        while !(self.start..self.end()).contains(&offset) {
            if self.size.is_some_and(|size| offset >= size) {
                return Ok(0);
            }
            let after = self.checkpoints.partition_point(|checkpoint| checkpoint.offset <= offset);
            self.make(input, self.checkpoints[after.saturating_sub(1)], offset)?;
        }
        if !self.snapshot.is_valid()? {
            return Err(io::Error::other("the database was changed while it was read"));
        }
        let from = usize::try_from(offset - self.start).unwrap_or(usize::MAX);
        let there = self.block.get(from..).unwrap_or_default();
        let got = there.len().min(buffer.len());
        buffer[..got].copy_from_slice(&there[..got]);
        Ok(got)
    }

    /// The text of the table `index`; `None` if there is none.
    pub(super) fn span(&mut self, input: &dyn Source, index: usize) -> io::Result<Option<Range<u64>>> {
        while self.ends.len() <= index && self.size.is_none() {
            let last = self.checkpoints.last().copied().unwrap_or_default();
            self.make(input, last, u64::MAX)?;
        }
        let start = index.checked_sub(1).map_or(0, |before| self.ends.get(before).copied().unwrap_or(0));
        Ok(self.ends.get(index).map(|end| start..*end))
    }

    /// Makes the block that begins at `begin`. Text before damage counts: a read at `offset` after it meets the damage.
    fn make(&mut self, input: &dyn Source, begin: RowCheckpoint, offset: u64) -> io::Result<()> {
        input.check()?;
        let Err(cause) = self.fill(begin) else { return Ok(()) };
        if offset < self.end() {
            return Ok(());
        }
        if cause.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseCorrupt) {
            self.damage = Some((self.end(), words(&cause)));
        }
        Err(read_error(&cause))
    }

    fn fill(&mut self, begin: RowCheckpoint) -> rusqlite::Result<()> {
        (self.block, self.start) = (Vec::new(), begin.offset);
        let RowCheckpoint { mut rows, mut after, .. } = begin;
        for (number, table) in self.tables.iter().enumerate().skip(begin.table) {
            if rows == 0 {
                if self.tables.len() > 1 {
                    self.block.extend(format!("# {}\n", table.name.replace(['\n', '\r'], " ")).as_bytes());
                }
                self.block.extend(table.header().as_bytes());
            }
            let mut statement = self.snapshot.connection.prepare(&table.query(rows, after))?;
            let mut found = statement.query([])?;
            while let Some(row) = found.next()? {
                after = table.write(row, &mut self.block)?;
                rows += 1;
                if self.block.len() >= table.block_size() {
                    let offset = self.end();
                    if self.checkpoints.last().is_none_or(|last| last.offset < offset) {
                        self.checkpoints.push(RowCheckpoint { offset, table: number, rows, after });
                    }
                    return Ok(());
                }
            }
            if number + 1 < self.tables.len() {
                self.block.push(b'\n');
            }
            (rows, after) = (0, None);
            if self.ends.len() == number {
                self.ends.push(self.end());
            }
        }
        self.size = Some(self.end());
        Ok(())
    }
}
