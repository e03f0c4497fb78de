//! A database in one state: read-only, and unchanged until it is closed.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use rusqlite::{Connection, OpenFlags};
use xxhash_rust::xxh3::Xxh3;

use super::address::percent_encode;
use super::errors;
use crate::file::read_at;
use crate::version::{FileVersion, Stamp, Version, inode_changed};
use rread_text::error::{Error, Kind, Result};

const TIMEOUT: Duration = Duration::from_secs(1);

const ATTEMPTS: u32 = 100;

/// Changes within this time may carry the same timestamp.
const TICK: Duration = Duration::from_millis(20);

/// Bytes of the header of a database (file format, section 1.3).
const HEADER: usize = 100;

/// Bytes of the header of a write-ahead log, with its salts (file format, section 4.1).
const LOG_HEADER: usize = 32;

/// Bytes of the header of the WAL index, which counts transactions (WAL-mode file format, section 2.1).
const INDEX_HEADER: usize = 48;

pub(super) struct Snapshot {
    pub(super) connection: Connection,
    /// Device and inode of the database.
    pub(super) stamp: Stamp,
    pub(super) state: u128,
    files: DatabaseFiles,
    /// The stamp and change time of the database, if no lock protects it.
    unlocked: Option<(Stamp, i64)>,
}

impl Snapshot {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let refused = |cause: io::Error| Error::read("cannot open the database", &cause);
        for attempt in 0..ATTEMPTS {
            sleep(Duration::from_millis(u64::from(attempt.min(10))));
            let files = DatabaseFiles::open(path).map_err(refused)?;
            let header = files.header().map_err(refused)?;
            let metadata = files.database.metadata().map_err(refused)?;
            if metadata.len() > 0 && !header.starts_with(b"SQLite format 3\0") {
                return Err(errors::not_a_database(path));
            }
            // WAL mode without a log: nobody has the database open, and opening it normally would create files.
            let is_at_rest = header.get(18..20) == Some(&[2, 2]) && !files.has_log();
            if is_at_rest {
                settle(&metadata);
            }
            let before = files.state().map_err(refused)?;
            let connection = connect(&files.path, is_at_rest).map_err(|cause| errors::of(&cause, path))?;
            let after = files.state().map_err(refused)?;
            // Otherwise the snapshot may hold either state.
            if before == after {
                let stamp = Stamp::of(&metadata);
                let unlocked = is_at_rest.then(|| (stamp, inode_changed(&metadata)));
                return Ok(Snapshot { connection, stamp, state: after, files, unlocked });
            }
        }
        let message = "the database was written to each time it was opened";
        Err(Error::new(Kind::Locked, message).hint("run the same command again"))
    }

    /// Any transaction changes the version.
    pub(super) fn version(&self) -> Version {
        // The digest replaces time and sample.
        let modified = i128::try_from(self.state >> 64).unwrap_or(0);
        #[allow(clippy::cast_possible_truncation)]
        let sample = self.state as u64;
        Version::File(FileVersion::new(&Stamp { modified, ..self.stamp }, sample))
    }

    /// Whether the database is unchanged. A lock guarantees that it is.
    pub(super) fn is_valid(&self) -> io::Result<bool> {
        let Some(then) = self.unlocked else { return Ok(true) };
        let metadata = self.files.database.metadata()?;
        Ok(then == (Stamp::of(&metadata), inode_changed(&metadata)))
    }
}

/// Waits until the next change of the file would get another timestamp.
fn settle(metadata: &Metadata) {
    let age = metadata.modified().ok().and_then(|time| SystemTime::now().duration_since(time).ok());
    if age.is_none_or(|age| age < TICK) {
        sleep(TICK);
    }
}

fn connect(path: &Path, is_at_rest: bool) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = if is_at_rest {
        let uri = format!("file:{}?immutable=1", uri_path(path));
        Connection::open_with_flags(uri, flags | OpenFlags::SQLITE_OPEN_URI)?
    } else {
        Connection::open_with_flags(path, flags)?
    };
    connection.busy_timeout(TIMEOUT)?;
    // The database is not trusted: run nothing from its schema, and validate its pages.
    connection.execute_batch(
        "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON; BEGIN",
    )?;
    // The transaction begins with the first read.
    connection.query_row("SELECT count(*) FROM (SELECT 1 FROM sqlite_schema LIMIT 1)", [], |_| Ok(()))?;
    Ok(connection)
}

fn uri_path(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    if cfg!(windows) {
        let forward: Vec<u8> = bytes.iter().map(|byte| if *byte == b'\\' { b'/' } else { *byte }).collect();
        format!("/{}", percent_encode(&forward))
    } else {
        percent_encode(bytes)
    }
}

struct DatabaseFiles {
    /// Absolute, so that it is not a URI, and without links: SQLite puts its other files beside it.
    path: PathBuf,
    database: Arc<File>,
    log: Option<Arc<File>>,
    index: Option<Arc<File>>,
}

impl DatabaseFiles {
    fn open(path: &Path) -> io::Result<Self> {
        let path = if cfg!(windows) { std::path::absolute(path)? } else { path.canonicalize()? };
        Ok(DatabaseFiles {
            database: open_for_good(&path)?,
            log: open_for_good(&beside(&path, "-wal")).ok(),
            index: open_for_good(&beside(&path, "-shm")).ok(),
            path,
        })
    }

    fn header(&self) -> io::Result<Vec<u8>> {
        head(&self.database, HEADER)
    }

    /// Whether a write-ahead log exists or is in use.
    fn has_log(&self) -> bool {
        let is_there = |suffix| beside(&self.path, suffix).symlink_metadata().is_ok();
        is_there("-wal") || is_there("-shm")
    }

    /// A hash that every transaction changes: the header or the WAL index counts transactions.
    fn state(&self) -> io::Result<u128> {
        let mut hash = Xxh3::new();
        let metadata = self.database.metadata()?;
        let stamp = Stamp::of(&metadata);
        hash.update(&stamp.size.to_le_bytes());
        hash.update(&stamp.modified.to_le_bytes());
        hash.update(&inode_changed(&metadata).to_le_bytes());
        hash.update(&self.header()?);
        for (file, suffix, bytes) in [(&self.log, "-wal", LOG_HEADER), (&self.index, "-shm", INDEX_HEADER)] {
            // An empty log counts as none.
            let now = fs::metadata(beside(&self.path, suffix)).ok().filter(|now| now.len() > 0);
            let is_open = file.as_ref().is_some();
            hash.update(&[u8::from(now.is_some()), u8::from(is_open && now.is_some())]);
            if let (Some(file), Some(now)) = (file, now) {
                let stamp = Stamp::of(&now);
                hash.update(&head(file, bytes)?);
                hash.update(&stamp.inode.to_le_bytes());
                if suffix == "-wal" {
                    hash.update(&stamp.size.to_le_bytes());
                    hash.update(&stamp.modified.to_le_bytes());
                }
            }
        }
        Ok(hash.digest128())
    }
}

impl Drop for DatabaseFiles {
    /// Closes what no other snapshot of this process needs. The connection is closed before.
    fn drop(&mut self) {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        for file in [Some(&self.database), self.log.as_ref(), self.index.as_ref()].into_iter().flatten() {
            // This one, and that of the map.
            if Arc::strong_count(file) == 2 {
                open.retain(|_, kept| !Arc::ptr_eq(kept, file));
            }
        }
    }
}

static OPEN: Mutex<BTreeMap<(u64, u64), Arc<File>>> = Mutex::new(BTreeMap::new());

/// Opens the file at `path` once, and keeps it open while a connection needs it: closing any descriptor would release
/// SQLite's own locks on the file (POSIX, fcntl).
fn open_for_good(path: &Path) -> io::Result<Arc<File>> {
    if !cfg!(unix) {
        return File::open(path).map(Arc::new);
    }
    let key = |metadata: &Metadata| {
        let stamp = Stamp::of(metadata);
        (stamp.device, stamp.inode)
    };
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(file) = open.get(&key(&fs::metadata(path)?)) {
        return Ok(Arc::clone(file));
    }
    let file = Arc::new(File::open(path)?);
    // Another file, even an open one, may have replaced it meanwhile.
    if let Some(before) = open.insert(key(&file.metadata()?), Arc::clone(&file)) {
        std::mem::forget(before);
    }
    Ok(file)
}

pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// The first bytes of `file`; fewer if the file is shorter.
fn head(file: &File, wanted: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; wanted];
    let mut got = 0;
    while got < wanted {
        match read_at(file, &mut bytes[got..], got as u64) {
            Ok(0) => break,
            Ok(more) => got += more,
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            Err(cause) => return Err(cause),
        }
    }
    bytes.truncate(got);
    Ok(bytes)
}
