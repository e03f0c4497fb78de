//! A value of a database as a source. A thread of its own holds the database open and serves the reads.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use xxhash_rust::xxh3::Xxh3;

use super::address::DatabaseAddress;
use super::errors;
use super::search::{FoundValue, Search, Storage};
use super::snapshot::Snapshot;
use crate::member_metadata::Recorded;
use crate::version::{Change, FileVersion, Stamp, Version};
use crate::{Contained, ContainerMethod, Source, SourceInfo};
use rread_text::error::{Error, Kind, Result};

const LARGEST_READ: usize = 1 << 20;

/// A value of a database, which stays in one state until this is dropped.
pub(super) struct RowSource {
    info: ValueInfo,
    requests: Option<Sender<DatabaseRequest>>,
    thread: Option<JoinHandle<()>>,
}

struct ValueInfo {
    size: u64,
    zlib_size: Option<u64>,
    recorded: Option<Recorded>,
    version: Version,
}

/// A request to the thread, with the channel for its response.
enum DatabaseRequest {
    /// Reads the bytes at this offset; all of them exist.
    Read {
        offset: usize,
        buffer: Vec<u8>,
        response: Sender<io::Result<Vec<u8>>>,
    },
    IsValid {
        response: Sender<io::Result<bool>>,
    },
}

impl RowSource {
    pub(super) fn open(address: DatabaseAddress) -> Result<Self> {
        let (opened, opening) = channel();
        let (requests, received) = channel();
        // The blob handle borrows from the connection, and neither may be shared between threads.
        let serve = move || {
            if let Err(error) = serve(&address, &opened, &received) {
                drop(opened.send(Err(error)));
            }
        };
        let failed = |cause: io::Error| Error::read("cannot start a thread", &cause);
        let thread = thread::Builder::new().name("sqlite".to_owned()).spawn(serve).map_err(failed)?;
        let info = opening.recv().map_err(|_| Error::new(Kind::Io, "the database was closed"))??;
        Ok(RowSource { info, requests: Some(requests), thread: Some(thread) })
    }

    fn send<T>(&self, request: impl FnOnce(Sender<io::Result<T>>) -> DatabaseRequest) -> io::Result<T> {
        let closed = || io::Error::other("the database was closed");
        let (sender, response) = channel();
        self.requests.as_ref().ok_or_else(closed)?.send(request(sender)).map_err(|_| closed())?;
        response.recv().map_err(|_| closed())?
    }
}

impl Drop for RowSource {
    /// Ends the thread, and with it the transaction that makes writers wait.
    fn drop(&mut self) {
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Source for RowSource {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let left = usize::try_from(self.info.size.saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left).min(LARGEST_READ);
        let Some(offset) = usize::try_from(offset).ok().filter(|_| wanted > 0) else { return Ok(0) };
        let bytes =
            self.send(|response| DatabaseRequest::Read { offset, buffer: vec![0; wanted], response })?;
        buffer[..wanted].copy_from_slice(&bytes);
        Ok(wanted)
    }

    fn size(&self) -> Option<u64> {
        Some(self.info.size)
    }

    fn info(&self) -> SourceInfo<'_> {
        let zlib = |text_size| Contained { text_size, crc: None, method: ContainerMethod::Zlib };
        SourceInfo {
            contained: self.info.zlib_size.map(zlib),
            recorded: self.info.recorded,
            ..SourceInfo::default()
        }
    }

    fn version(&self) -> io::Result<Option<Version>> {
        Ok(Some(self.info.version.clone()))
    }

    /// A snapshot does not change; a database without a lock may.
    fn changed(&self) -> io::Result<Option<Change>> {
        let is_valid = self.send(|response| DatabaseRequest::IsValid { response })?;
        Ok((!is_valid).then_some(Change::Rewritten))
    }
}

/// Finds the value, reports its metadata, and serves requests until the sender closes.
fn serve(
    address: &DatabaseAddress,
    opened: &Sender<Result<ValueInfo>>,
    requests: &Receiver<DatabaseRequest>,
) -> Result<()> {
    let snapshot = Snapshot::open(&address.database)?;
    let search = Search { connection: &snapshot.connection, address };
    let found = search.find()?;
    let version = version(&snapshot, &found);
    let info = ValueInfo { size: found.size, zlib_size: found.zlib_size, recorded: found.recorded, version };
    match found.storage {
        Storage::Memory(bytes) => {
            let _ = opened.send(Ok(info));
            respond(&snapshot, requests, |buffer, offset| {
                bytes.get(offset..).unwrap_or_default().read(buffer)
            });
        }
        Storage::Blob { table, column, rowid } => {
            // Open it once: each opening walks the overflow pages again.
            let blob = snapshot.connection.blob_open("main", table.as_str(), column.as_str(), rowid, true);
            let blob = search.check(blob)?;
            let _ = opened.send(Ok(info));
            respond(&snapshot, requests, |buffer, offset| {
                blob.read_at(buffer, offset).map_err(|cause| errors::read(&cause))
            });
        }
    }
    Ok(())
}

fn respond(
    snapshot: &Snapshot,
    requests: &Receiver<DatabaseRequest>,
    read: impl Fn(&mut [u8], usize) -> io::Result<usize>,
) {
    let read = |mut buffer: Vec<u8>, offset| {
        if read(&mut buffer, offset)? < buffer.len() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the value ends before its length"));
        }
        match snapshot.is_valid()? {
            true => Ok(buffer),
            false => Err(io::Error::other("the database was changed while it was read")),
        }
    };
    // A receiver that is gone does not need the response.
    for request in requests {
        match request {
            DatabaseRequest::IsValid { response } => drop(response.send(snapshot.is_valid())),
            DatabaseRequest::Read { offset, buffer, response } => {
                drop(response.send(read(buffer, offset)));
            }
        }
    }
}

/// Any change in the database changes the version.
fn version(snapshot: &Snapshot, found: &FoundValue) -> Version {
    let mut hash = Xxh3::new();
    hash.update(&snapshot.state.to_le_bytes());
    hash.update(&found.name);
    let digest = hash.digest128();
    // The digest replaces time and sample: reaching the end of a large value is slow.
    let stamp =
        Stamp { size: found.size, modified: i128::try_from(digest >> 64).unwrap_or(0), ..snapshot.stamp };
    #[allow(clippy::cast_possible_truncation)]
    let sample = digest as u64;
    Version::File(FileVersion::new(&stamp, sample))
}
