//! A whole database as a document: each table is a page. A thread of its own holds the database open and makes the text.

use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use super::snapshot::{DatabaseFile, Snapshot, error_of};
use super::table::TableText;
use super::text::{Known, Read, TextServer, lock};
use crate::access::Access;
use crate::compressed::damage::Damage;
use crate::member_address::is_database;
use crate::object::Traffic;
use crate::version::{Change, Version};
use crate::{Decoding, PageStart, Paged, Source, SourceInfo};
use rread_documents::protocol::Notice;
use rread_documents::sheets::Workbook;
use rread_text::error::{Error, Kind, Result};
use rread_text::sentence::{file as file_name, shell};

/// The value of `decoded` in receipts.
const NAME: &str = "sqlite";

/// Returns the text of `source`, the file `path`, if it is a database.
pub(crate) fn decode(source: Box<dyn Source>, path: &Path, access: &Access) -> io::Result<Box<dyn Source>> {
    // Queries run on the database itself.
    if access.sheet.is_some() || !is_database(&*source) {
        return Ok(source);
    }
    Ok(Box::new(DatabaseText::open(source, path, access).map_err(Error::into_io)?))
}

/// The text of a database. Offsets and size are those of the text.
struct DatabaseText {
    input: Arc<dyn Source>,
    tables: usize,
    known: Arc<Mutex<Known>>,
    /// The version of the snapshot; for a copy without a log, the version of its original.
    version: Option<Version>,
    is_salvaged: bool,
    /// Whether the log with its last changes may be missing.
    lacks_log: bool,
    ends_at_damage: AtomicBool,
    reads: Option<Sender<Read>>,
    thread: Option<JoinHandle<()>>,
}

/// Facts about a database that was opened.
struct Opened {
    tables: usize,
    version: Option<Version>,
}

impl DatabaseText {
    fn open(input: Box<dyn Source>, path: &Path, access: &Access) -> Result<Self> {
        let DatabaseFile { path: file, copy, version: of_input, lacks_log } =
            DatabaseFile::of(&*input, path, access)?;
        let (opened, opening) = channel();
        let (reads, received) = channel();
        let known = Arc::<Mutex<Known>>::default();
        let serve = {
            let known = Arc::clone(&known);
            move || {
                match snapshot_of(&file) {
                    // Other programs do not find a copy.
                    Err(error) if copy.is_some() => drop(opened.send(Err(Error { hint: None, ..error }))),
                    Err(error) => drop(opened.send(Err(error))),
                    Ok((snapshot, tables)) => {
                        let version = if copy.is_some() { of_input } else { Some(snapshot.version()) };
                        let _ = opened.send(Ok(Opened { tables: tables.len(), version }));
                        TextServer::new(&snapshot, &tables, &known, received).serve();
                    }
                }
                drop(copy);
            }
        };
        let failed = |cause: io::Error| Error::read("cannot start a thread", &cause);
        let thread = thread::Builder::new().name("sqlite".to_owned()).spawn(serve).map_err(failed)?;
        let opened = opening.recv().map_err(|_| closed_error())??;
        Ok(DatabaseText {
            input: input.into(),
            tables: opened.tables,
            known,
            version: opened.version,
            is_salvaged: access.salvage,
            lacks_log,
            ends_at_damage: AtomicBool::new(access.salvage),
            reads: Some(reads),
            thread: Some(thread),
        })
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

fn closed_error() -> Error {
    Error::new(Kind::Io, "the database was closed")
}

impl Drop for DatabaseText {
    /// Ends the thread, and with it the transaction that makes writers wait, before the file is closed.
    fn drop(&mut self) {
        self.reads = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Source for DatabaseText {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let size = self.size();
        if buffer.is_empty() || size.is_some_and(|size| offset >= size) {
            return Ok(0);
        }
        self.input.check()?;
        let closed = || closed_error().into_io();
        let (response, text) = channel();
        let read = Read { offset, wanted: buffer.len(), response };
        self.reads.as_ref().ok_or_else(closed)?.send(read).map_err(|_| closed())?;
        match (text.recv().map_err(|_| closed())?, self.damage()) {
            (Ok(text), _) => {
                buffer[..text.len()].copy_from_slice(&text);
                Ok(text.len())
            }
            (Err(_), Some(_)) if self.ends_at_damage.load(Ordering::Relaxed) => Ok(0),
            (Err(_), Some(damage)) => Err(damage.into()),
            (Err(cause), None) => Err(cause),
        }
    }

    fn size(&self) -> Option<u64> {
        let known = lock(&self.known);
        let cut = known.damage.as_ref().filter(|_| self.ends_at_damage.load(Ordering::Relaxed));
        cut.map(|(end, _)| *end).or(known.size)
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

impl Decoding for DatabaseText {
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
        let (text, what) = lock(&self.known).damage.clone()?;
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
        self.ends_at_damage.load(Ordering::Relaxed) && lock(&self.known).damage.is_some()
    }
}

impl Paged for DatabaseText {
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
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        if index == 0 || index > self.tables {
            return Ok(None);
        }
        loop {
            let known = lock(&self.known);
            let start = index.checked_sub(2).map_or(Some(0), |before| known.ends.get(before).copied());
            let end = known.ends.get(index - 1).copied();
            let last = known.ends.last().copied().unwrap_or(0);
            drop(known);
            if let (Some(start), Some(end)) = (start, end) {
                return Ok(Some(start..end));
            }
            // The text of the following tables brings their ends.
            self.read_past(last)?;
        }
    }

    fn page_of(&self, offset: u64) -> Option<PageStart> {
        let known = lock(&self.known);
        let before = known.ends.partition_point(|end| *end <= offset);
        let start = before.checked_sub(1).map_or(0, |last| known.ends[last]);
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

impl DatabaseText {
    /// Reads from `offset` on until a table ends.
    fn read_past(&self, mut offset: u64) -> io::Result<()> {
        let ends = lock(&self.known).ends.len();
        let mut buffer = vec![0; 64 << 10];
        while lock(&self.known).ends.len() == ends {
            match self.read_at(&mut buffer, offset)? {
                0 => return Ok(()),
                got => offset += got as u64,
            }
        }
        Ok(())
    }
}
