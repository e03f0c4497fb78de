//! A value of a database as a source. A thread of its own holds the database open and serves the reads.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use xxhash_rust::xxh3::Xxh3;

use super::address::DatabaseAddress;
use super::errors;
use super::search::{FoundValue, Search, Storage};
use super::snapshot::Snapshot;
use crate::error::{Error, Kind, Result};
use crate::source::stamp::Stamp;
use crate::source::version::{Change, Version};
use crate::source::{Source, SourceInfo};

/// The most bytes per read.
const PIECE: usize = 1 << 20;

/// A value of a database, which stays in one state until this is dropped.
pub(super) struct RowSource {
    facts: ValueInfo,
    asks: Option<Sender<DatabaseRequest>>,
    thread: Option<JoinHandle<()>>,
}

struct ValueInfo {
    size: u64,
    zlib_size: Option<u64>,
    version: Version,
}

/// A request to the thread, with the channel for its response.
enum DatabaseRequest {
    /// Reads the bytes at this offset; all of them exist.
    Read { offset: usize, buffer: Vec<u8>, answer: Sender<io::Result<Vec<u8>>> },
    /// Checks that the database did not change.
    IsValid { answer: Sender<io::Result<bool>> },
}

impl RowSource {
    pub(super) fn open(address: DatabaseAddress) -> Result<Self> {
        let (tell, told) = channel();
        let (asks, asked) = channel();
        // The blob handle borrows from the connection, and neither may be shared between threads.
        let serve = move || match Snapshot::open(&address.database) {
            Ok(snapshot) => serve(&snapshot, &address, &tell, &asked),
            Err(error) => drop(tell.send(Err(error))),
        };
        let failed = |cause: io::Error| Error::read("cannot start a thread", &cause);
        let thread = thread::Builder::new().name("sqlite".to_owned()).spawn(serve).map_err(failed)?;
        let facts = told.recv().map_err(|_| Error::new(Kind::Io, "the database was closed"))??;
        Ok(RowSource { facts, asks: Some(asks), thread: Some(thread) })
    }

    fn ask<T>(&self, ask: impl FnOnce(Sender<io::Result<T>>) -> DatabaseRequest) -> io::Result<T> {
        let closed = || io::Error::other("the database was closed");
        let (answer, answered) = channel();
        self.asks.as_ref().ok_or_else(closed)?.send(ask(answer)).map_err(|_| closed())?;
        answered.recv().map_err(|_| closed())?
    }
}

impl Drop for RowSource {
    /// Ends the thread, and with it the transaction that makes writers wait.
    fn drop(&mut self) {
        self.asks = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Source for RowSource {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let left = usize::try_from(self.facts.size.saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left).min(PIECE);
        let Some(offset) = usize::try_from(offset).ok().filter(|_| wanted > 0) else { return Ok(0) };
        let bytes = self.ask(|answer| DatabaseRequest::Read { offset, buffer: vec![0; wanted], answer })?;
        buffer[..wanted].copy_from_slice(&bytes);
        Ok(wanted)
    }

    fn size(&self) -> Option<u64> {
        Some(self.facts.size)
    }

    fn info(&self) -> SourceInfo<'_> {
        SourceInfo { zlib_size: self.facts.zlib_size, ..SourceInfo::default() }
    }

    fn version(&self) -> io::Result<Option<Version>> {
        Ok(Some(self.facts.version.clone()))
    }

    /// A snapshot does not change; a database without a lock may.
    fn changed(&self) -> io::Result<Option<Change>> {
        let is_valid = self.ask(|answer| DatabaseRequest::IsValid { answer })?;
        Ok((!is_valid).then_some(Change::Rewritten))
    }
}

/// Finds the value, reports its metadata, and serves requests until the sender closes.
fn serve(
    snapshot: &Snapshot,
    address: &DatabaseAddress,
    tell: &Sender<Result<ValueInfo>>,
    asked: &Receiver<DatabaseRequest>,
) {
    let connection = &snapshot.connection;
    let found = match (Search { connection, address }).find() {
        Ok(found) => found,
        Err(error) => return drop(tell.send(Err(error))),
    };
    let facts =
        ValueInfo { size: found.size, zlib_size: found.zlib_size, version: version(snapshot, &found) };
    match found.place {
        Storage::Memory(bytes) => {
            let read = |buffer: &mut [u8], offset: usize| {
                let from = bytes.get(offset..).unwrap_or_default();
                let count = from.len().min(buffer.len());
                buffer[..count].copy_from_slice(&from[..count]);
                Ok(count)
            };
            let _ = tell.send(Ok(facts));
            answer(snapshot, asked, read);
        }
        Storage::Blob { table, column, rowid } => {
            match connection.blob_open("main", table.as_str(), column.as_str(), rowid, true) {
                // Open it once: each opening walks the overflow pages again.
                Ok(blob) => {
                    let _ = tell.send(Ok(facts));
                    answer(snapshot, asked, |buffer, offset| blob.read_at(buffer, offset));
                }
                Err(cause) => drop(tell.send(Err(errors::of(&cause, &address.database)))),
            }
        }
    }
}

fn answer(
    snapshot: &Snapshot,
    asked: &Receiver<DatabaseRequest>,
    read: impl Fn(&mut [u8], usize) -> rusqlite::Result<usize>,
) {
    // A receiver that is gone does not need the response.
    for ask in asked {
        match ask {
            DatabaseRequest::IsValid { answer } => drop(answer.send(snapshot.is_valid())),
            DatabaseRequest::Read { offset, mut buffer, answer } => {
                let result = match read(&mut buffer, offset) {
                    Ok(got) if got == buffer.len() => Ok(buffer),
                    Ok(_) => {
                        Err(io::Error::new(io::ErrorKind::InvalidData, "the value ends before its length"))
                    }
                    Err(cause) => Err(errors::read(&cause)),
                };
                let result = result.and_then(|buffer| match snapshot.is_valid()? {
                    true => Ok(buffer),
                    false => Err(io::Error::other("the database was changed while it was read")),
                });
                drop(answer.send(result));
            }
        }
    }
}

/// Hashes the state of the database and the name of the value: any change in the database changes the
/// version.
fn version(snapshot: &Snapshot, found: &FoundValue) -> Version {
    let mut hash = Xxh3::new();
    hash.update(&snapshot.state.to_le_bytes());
    hash.update(&found.name);
    let digest = hash.digest128();
    let [a, b, c, d, ..] = digest.to_le_bytes();
    // The digest replaces time and sample: reaching the end of a large value is slow.
    let stamp =
        Stamp { size: found.size, modified: i128::try_from(digest >> 64).unwrap_or(0), ..snapshot.stamp };
    Version::Stamped { stamp, sample: u32::from_le_bytes([a, b, c, d]) }
}
