//! The text of a database: its tables as CSV, made anew from the nearest checkpoint wherever it is read.

use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{io, mem};

use super::snapshot::{Snapshot, read_error, words};
use super::table::TableText;

/// Bytes of text between checkpoints.
const APART: u64 = 1 << 20;

/// Bytes of text to make for a read, and to keep after it: readers step back.
const AHEAD: usize = 64 << 10;
const KEPT: usize = 1 << 20;

/// A read, with the channel for its response.
pub(super) struct Read {
    pub(super) offset: u64,
    pub(super) wanted: usize,
    pub(super) response: Sender<io::Result<Vec<u8>>>,
}

/// Facts about the text that was made so far.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// Its length, once the last row was read.
    pub(super) size: Option<u64>,
    /// The end of the text of each table.
    pub(super) ends: Vec<u64>,
    /// The offset where damage ends the text, and SQLite's words for it.
    pub(super) damage: Option<(u64, String)>,
}

/// A place to begin: a table, or a row of it.
#[derive(Clone, Copy, Debug)]
struct RowCheckpoint {
    offset: u64,
    table: usize,
    after: Option<i64>,
}

/// Why a run over the rows ended.
enum RunEnd {
    /// A read is before the text that is kept, or far after it.
    Elsewhere,
    /// Nobody reads any more.
    Closed,
}

/// Makes the text that reads ask for.
pub(super) struct TextServer<'a> {
    snapshot: &'a Snapshot,
    tables: &'a [TableText],
    known: &'a Mutex<Known>,
    reads: Receiver<Read>,
    /// The read that waits.
    read: Option<Read>,
    /// The text that is kept, and its offset.
    text: Vec<u8>,
    start: u64,
    checkpoints: Vec<RowCheckpoint>,
}

pub(super) fn lock(known: &Mutex<Known>) -> MutexGuard<'_, Known> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> TextServer<'a> {
    pub(super) fn new(
        snapshot: &'a Snapshot,
        tables: &'a [TableText],
        known: &'a Arc<Mutex<Known>>,
        reads: Receiver<Read>,
    ) -> Self {
        let checkpoints = vec![RowCheckpoint { offset: 0, table: 0, after: None }];
        let (read, text, start) = (None, Vec::new(), 0);
        TextServer { snapshot, tables, known, reads, read, text, start, checkpoints }
    }

    /// Responds to reads until nobody sends any.
    pub(super) fn serve(mut self) {
        loop {
            if self.read.is_none() {
                let Ok(read) = self.reads.recv() else { return };
                self.read = Some(read);
            }
            match self.run() {
                Ok(RunEnd::Elsewhere) => {}
                Ok(RunEnd::Closed) => return,
                // The text before the damage is delivered first; the next read meets it again.
                Err(cause) => {
                    if self.read.as_ref().is_some_and(|read| read.offset < self.end()) {
                        self.deliver();
                    } else {
                        self.fail(&cause);
                    }
                }
            }
        }
    }

    fn fail(&mut self, cause: &rusqlite::Error) {
        if cause.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseCorrupt) {
            lock(self.known).damage = Some((self.end(), words(cause)));
        }
        if let Some(Read { response, .. }) = self.read.take() {
            let _ = response.send(Err(read_error(cause)));
        }
    }

    fn end(&self) -> u64 {
        self.start + self.text.len() as u64
    }

    /// The last checkpoint at or before `offset`.
    fn before(&self, offset: u64) -> RowCheckpoint {
        let after = self.checkpoints.partition_point(|checkpoint| checkpoint.offset <= offset);
        self.checkpoints[after.saturating_sub(1)]
    }

    /// Makes text from the checkpoint before the read that waits on.
    fn run(&mut self) -> rusqlite::Result<RunEnd> {
        let begin = self.before(self.read.as_ref().map_or(0, |read| read.offset));
        (self.text, self.start) = (Vec::new(), begin.offset);
        let mut after = begin.after;
        let tables = self.tables;
        for (number, table) in tables.iter().enumerate().skip(begin.table) {
            if after.is_none() {
                if tables.len() > 1 {
                    self.text.extend(format!("# {}\n", table.name.replace(['\n', '\r'], " ")).as_bytes());
                }
                self.text.extend(table.header().as_bytes());
            }
            let mut statement = self.snapshot.connection.prepare(&table.query(after.take()))?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let rowid = table.write(row, &mut self.text)?;
                self.note(number, rowid);
                if let Some(end) = self.respond(false) {
                    return Ok(end);
                }
            }
            if number + 1 < tables.len() {
                self.text.push(b'\n');
            }
            self.end_table(number);
        }
        lock(self.known).size = Some(self.end());
        match self.respond(true) {
            Some(end) => Ok(end),
            None => Ok(RunEnd::Elsewhere),
        }
    }

    /// Adds a checkpoint after a row, if the last one is far.
    fn note(&mut self, table: usize, rowid: Option<i64>) {
        let (offset, last) = (self.end(), self.checkpoints.last().map_or(0, |last| last.offset));
        if rowid.is_some() && offset >= last + APART {
            self.checkpoints.push(RowCheckpoint { offset, table, after: rowid });
        }
    }

    fn end_table(&mut self, table: usize) {
        let offset = self.end();
        let mut known = lock(self.known);
        if known.ends.len() == table {
            known.ends.push(offset);
        }
        drop(known);
        if self.checkpoints.last().is_some_and(|last| last.offset < offset) {
            self.checkpoints.push(RowCheckpoint { offset, table: table + 1, after: None });
        }
    }

    /// Responds to all reads for which there is text; `None` if the one that waits needs more.
    fn respond(&mut self, is_end: bool) -> Option<RunEnd> {
        loop {
            let Some(read) = &self.read else {
                match self.reads.recv() {
                    Ok(read) => self.read = Some(read),
                    Err(_) => return Some(RunEnd::Closed),
                }
                continue;
            };
            let (offset, end) = (read.offset, self.end());
            if offset < self.start || self.before(offset).offset > end {
                return Some(RunEnd::Elsewhere);
            }
            let from = usize::try_from(offset - self.start).unwrap_or(usize::MAX);
            let there = self.text.len().saturating_sub(from);
            if !is_end && there < read.wanted.min(AHEAD) {
                self.forget(from);
                return None;
            }
            self.deliver();
        }
    }

    /// Responds to the read that waits with the text that is there; with none at the end.
    fn deliver(&mut self) {
        let Some(Read { offset, wanted, response }) = mem::take(&mut self.read) else { return };
        let from = usize::try_from(offset.saturating_sub(self.start)).unwrap_or(usize::MAX);
        let there = self.text.get(from..).unwrap_or_default();
        let text = there[..there.len().min(wanted)].to_vec();
        let text = match self.snapshot.is_valid() {
            Ok(true) => Ok(text),
            Ok(false) => Err(io::Error::other("the database was changed while it was read")),
            Err(cause) => Err(cause),
        };
        // A receiver that is gone does not need the response.
        let _ = response.send(text);
    }

    /// Forgets text that is far before `from`, if it is much.
    fn forget(&mut self, from: usize) {
        let far = from.min(self.text.len()).saturating_sub(KEPT);
        if far >= KEPT {
            self.text.drain(..far);
            self.start += far as u64;
        }
    }
}
