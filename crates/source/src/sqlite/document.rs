//! A whole database as a document: each table is a page of CSV, made anew in blocks.

use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::snapshot::{Copied, DatabaseFile, Snapshot, error_of, read_error, words};
use super::table::TableText;
use crate::access::Access;
use crate::compressed::damage::Damage;
use crate::member_address::is_database;
use crate::object::Traffic;
use crate::version::{Change, Version};
use crate::{Decoding, PageStart, Paged, Source, SourceInfo, lock};
use rread_documents::protocol::Notice;
use rread_documents::sheets::Workbook;
use rread_text::sentence::file as file_name;
use rread_text::{Error, Kind, Result, shell};

/// The value of `decoded` in receipts.
const NAME: &str = "sqlite";

/// Returns the text of `source`, the file `path`, if it is a database.
pub(crate) fn decode(source: Box<dyn Source>, path: &Path, access: &Access) -> io::Result<Box<dyn Source>> {
    // Queries run on the database itself.
    if access.sheet.is_some() || !is_database(&*source) {
        return Ok(source);
    }
    Ok(Box::new(DatabaseSource::open(source, path, access).map_err(Error::into_io)?))
}

/// The text of a database as a source. Offsets and size are those of the text.
struct DatabaseSource {
    /// Dropped first: it ends the transaction that makes writers wait, before the files are closed.
    text: Mutex<DatabaseText>,
    _copy: Option<Copied>,
    input: Box<dyn Source>,
    tables: usize,
    /// The version of the snapshot; for a copy without a log, the version of its original.
    version: Option<Version>,
    is_salvaged: bool,
    /// Whether the log with its last changes may be missing.
    lacks_log: bool,
    ends_at_damage: AtomicBool,
}

impl DatabaseSource {
    fn open(input: Box<dyn Source>, path: &Path, access: &Access) -> Result<Self> {
        let DatabaseFile { path: file, copy, version: of_input, lacks_log } =
            DatabaseFile::of(&*input, path, access)?;
        // Other programs do not find a copy.
        let failed = |error| if copy.is_some() { Error { hint: None, ..error } } else { error };
        let (snapshot, tables) = snapshot_of(&file).map_err(failed)?;
        Ok(DatabaseSource {
            version: if copy.is_some() { of_input } else { Some(snapshot.version()) },
            tables: tables.len(),
            text: Mutex::new(DatabaseText::new(snapshot, tables)),
            _copy: copy,
            input,
            is_salvaged: access.salvage,
            lacks_log,
            ends_at_damage: AtomicBool::new(access.salvage),
        })
    }

    /// The result of a read. Damage is the error of one that failed, or the end of the text.
    fn or_damage<T: Default>(&self, read: io::Result<T>) -> io::Result<T> {
        match (read, self.damage()) {
            (Err(_), Some(_)) if self.is_cut_short() => Ok(T::default()),
            (Err(_), Some(damage)) => Err(damage.into()),
            (read, _) => read,
        }
    }
}

/// The database `file` in one state, and its tables.
fn snapshot_of(file: &Path) -> Result<(Snapshot, Vec<TableText>)> {
    let snapshot = Snapshot::open(file).map_err(|error| match error.kind {
        // The first bytes are those of a database.
        Kind::Usage => Error::new(Kind::Io, "is a database that is damaged or encrypted")
            .hint(shell("sqlite3 ").then(file_name(file)).then(shell(" 'PRAGMA integrity_check'"))),
        _ => error,
    })?;
    let tables = TableText::all(&snapshot.connection).map_err(|cause| error_of(&cause, file))?;
    Ok((snapshot, tables))
}

impl Source for DatabaseSource {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        if buffer.is_empty() || self.size().is_some_and(|size| offset >= size) {
            return Ok(0);
        }
        let read = lock(&self.text).read(&*self.input, buffer, offset);
        self.or_damage(read)
    }

    fn size(&self) -> Option<u64> {
        let ends_at_damage = self.ends_at_damage.load(Ordering::Relaxed);
        let text = lock(&self.text);
        let cut = text.damage.as_ref().filter(|_| ends_at_damage);
        cut.map(|(end, _)| *end).or(text.size)
    }

    fn info(&self) -> SourceInfo<'_> {
        let input = self.input.info();
        let decoding: Option<&dyn Decoding> = Some(self);
        let traffic = input.traffic.map(|traffic| Traffic { held: u64::MAX, ..traffic });
        SourceInfo { file: None, is_sequential: true, traffic, decoding, ..input }
    }

    fn version(&self) -> io::Result<Option<Version>> {
        Ok(self.version.clone())
    }

    /// A lock or a check at each read guarantees one state.
    fn changed(&self) -> io::Result<Option<Change>> {
        Ok(None)
    }
}

impl Decoding for DatabaseSource {
    fn format(&self) -> &'static str {
        NAME
    }

    fn input(&self) -> &dyn Source {
        &*self.input
    }

    fn document(&self) -> Option<&dyn Paged> {
        Some(self)
    }

    fn damage(&self) -> Option<Damage> {
        let (text, what) = lock(&self.text).damage.clone()?;
        // SQLite does not say where.
        let input = self.input.size().unwrap_or(0);
        Some(Damage { format: "SQLite", input, text, unsound: text, what })
    }

    fn is_salvaged(&self) -> bool {
        self.is_salvaged
    }

    fn end_at_damage(&self) {
        self.ends_at_damage.store(true, Ordering::Relaxed);
    }

    fn is_cut_short(&self) -> bool {
        self.ends_at_damage.load(Ordering::Relaxed) && lock(&self.text).damage.is_some()
    }
}

impl Paged for DatabaseSource {
    fn mime(&self) -> &'static str {
        "application/vnd.sqlite3"
    }

    fn has_pages(&self) -> bool {
        true
    }

    fn count(&self) -> Option<u64> {
        Some(self.tables as u64)
    }

    fn span(&self, number: u64) -> io::Result<Option<Range<u64>>> {
        let index = number.checked_sub(1).and_then(|index| usize::try_from(index).ok());
        match index.filter(|index| *index < self.tables) {
            Some(index) => {
                let span = lock(&self.text).span(&*self.input, index);
                self.or_damage(span)
            }
            None => Ok(None),
        }
    }

    fn page_of(&self, offset: u64) -> Option<PageStart> {
        let text = lock(&self.text);
        let before = text.ends.partition_point(|end| *end <= offset);
        let start = before.checked_sub(1).map_or(0, |last| text.ends[last]);
        (self.tables > 0).then_some(PageStart { number: before as u64 + 1, start })
    }

    fn has_sheets(&self) -> bool {
        true
    }

    fn pictures(&self) -> u64 {
        0
    }

    fn notices(&self) -> Vec<(Notice, String)> {
        self.lacks_log.then(|| (Notice::LeftOut, "-wal".to_owned())).into_iter().collect()
    }

    fn workbook(&self) -> Option<Workbook> {
        None
    }

    /// A database is no workbook: nothing requests its sheets.
    fn sheet(&self, _: usize) -> Box<dyn Source> {
        Box::new(crate::MemorySource::new(Vec::new()))
    }
}

/// The start of a block of text.
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
