//! A database in one state: read-only, and unchanged until it is closed; a copy of what is not a file; SQLite's errors.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC};
use rusqlite::{Connection, ErrorCode, OpenFlags};
use tempfile::TempDir;
use xxhash_rust::xxh3::Xxh3;

use crate::access::Access;
use crate::interrupt::{self, Guard};
use crate::version::{FileVersion, Stamp, Version, inode_changed};
use crate::{Source, file, lock, read_full};
use rread_text::sentence::file as file_name;
use rread_text::{Error, Kind, Result, call, shell};

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
                return Err(not_a_database(path));
            }
            // WAL mode without a log: nobody has the database open, and opening it normally would create files.
            let is_at_rest = header.get(18..20) == Some(&[2, 2]) && !files.has_log();
            if is_at_rest {
                settle(&metadata);
            }
            let before = files.state().map_err(refused)?;
            let connection = connect(&files.path, is_at_rest).map_err(|cause| error_of(&cause, path))?;
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
        let mut open = lock(&OPEN);
        for file in [Some(&self.database), self.log.as_ref(), self.index.as_ref()].into_iter().flatten() {
            // Two owners are left: this snapshot and `OPEN`.
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
    let mut open = lock(&OPEN);
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
    let got = read_full(file, &mut bytes, 0)?;
    bytes.truncate(got);
    Ok(bytes)
}

/// The largest database that is copied: SQLite reads files only, by their names.
const MAX_COPIED: u64 = 512 << 20;

/// The offset of two bytes that are 2 in a database with a write-ahead log (file format, section 1.3.3).
const WAL_VERSIONS: u64 = 18;

/// The attempts to copy a database that is written to meanwhile.
const COPIES: u32 = 3;

/// The directory of a copy. It goes with the copy, and before a signal or the end of a server ends the process.
pub(super) type Copied = (TempDir, Guard);

/// A file that SQLite opens.
pub(super) struct DatabaseFile {
    pub(super) path: PathBuf,
    /// The copy, if it is one.
    pub(super) copy: Option<Copied>,
    /// The version of the original of a copy without a log.
    pub(super) version: Option<Version>,
    /// Whether the database keeps changes in a log, and the log of this one is out of reach.
    pub(super) lacks_log: bool,
}

impl DatabaseFile {
    /// The database `input`, which is the file `path` as `access` opens it.
    pub(super) fn of(input: &dyn Source, path: &Path, access: &Access) -> Result<Self> {
        let is_plain = access.opener.is_none() && access.member.is_none() && path != Path::new("-");
        let is_file = input.info().file.is_some() && input.info().decoding.is_none() && path.is_file();
        // With a log and without its index, SQLite would make the index beside the database.
        let has_index = !is_log(&beside(path, "-wal")) || beside(path, "-shm").exists();
        if is_plain && is_file && has_index {
            return Ok(DatabaseFile { path: path.to_owned(), copy: None, version: None, lacks_log: false });
        }
        let can_have_log = has_neighbours(input, path, access);
        let (copy, path) = copy_database(input, path, access)?;
        let has_log = is_log(&beside(&path, "-wal"));
        let version = input.version().ok().flatten().filter(|_| !has_log);
        let mut versions = [0; 2];
        let got = read_full(input, &mut versions, WAL_VERSIONS)
            .map_err(|cause| Error::read("cannot read the header of the database", &cause))?;
        let lacks_log = !can_have_log && got == versions.len() && versions == [2, 2];
        Ok(DatabaseFile { path, copy: Some(copy), version, lacks_log })
    }
}

/// Whether a log can be beside the database: it is a file, and neither a stream nor in another file.
fn has_neighbours(input: &dyn Source, path: &Path, access: &Access) -> bool {
    input.info().decoding.is_none() && access.member.is_none() && path != Path::new("-")
}

/// Whether `path` is a log with transactions.
fn is_log(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.len() > 0)
}

/// Copies the database `input`, and what its log adds to it, to a directory that is removed afterwards.
fn copy_database(input: &dyn Source, path: &Path, access: &Access) -> Result<(Copied, PathBuf)> {
    let failed = |cause: io::Error| Error::read("cannot copy the database to read it", &cause);
    interrupt::watch();
    for _ in 0..COPIES {
        let (folder, guard) = Guard::make(|| {
            let folder = tempfile::tempdir()?;
            let path = folder.path().to_owned();
            Ok((folder, move || _ = fs::remove_dir_all(path)))
        })
        .map_err(failed)?;
        let file = folder.path().join("database");
        copy(input, &file).map_err(failed)?;
        let log = log_of(input, path, access)?;
        if let Some(log) = &log {
            copy(&**log, &beside(&file, "-wal")).map_err(failed)?;
        }
        let is_changed =
            |source: &dyn Source| source.changed().map(|change| change.is_some()).map_err(failed);
        if !is_changed(input)? && !log.as_deref().map_or(Ok(false), is_changed)? {
            return Ok(((folder, guard), file));
        }
    }
    let message = "the database was written to each time it was copied";
    Err(Error::new(Kind::Locked, message).hint("run the same command again"))
}

/// The log beside a database that is a file.
fn log_of(input: &dyn Source, path: &Path, access: &Access) -> Result<Option<Box<dyn Source>>> {
    if !has_neighbours(input, path, access) {
        return Ok(None);
    }
    let log = beside(path, "-wal");
    let Some(opener) = access.opener.as_ref() else {
        let failed = |cause: io::Error| Error::read("cannot open the log of the database", &cause);
        let log = is_log(&log).then(|| File::open(&log)).transpose().map_err(failed)?;
        return log.map(|log| crate::regular::open(log, 0)).transpose();
    };
    match opener.open(&log) {
        Ok(Some(file)) => crate::regular::open(file, 0).map(Some),
        Ok(None) => Ok(None),
        Err(error) if error.kind == Kind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn copy(source: &dyn Source, path: &Path) -> io::Result<()> {
    if file::copy(source, &mut File::create_new(path)?, MAX_COPIED)?.is_some() {
        return Ok(());
    }
    let message = format!("is larger than {} MiB, and must be a file to be read", MAX_COPIED >> 20);
    Err(Error::new(Kind::Io, message).into_io())
}

/// SQLite's error for the database `path`, as a message for users.
pub(super) fn error_of(cause: &rusqlite::Error, path: &Path) -> Error {
    let sqlite3 =
        |command: &str| shell("sqlite3 ").then(file_name(path)).then(shell(format!(" '{command}'")));
    // SQLITE_READONLY_RECOVERY, SQLITE_READONLY_ROLLBACK and SQLITE_CANTOPEN_DIRTYWAL.
    if let Some(264 | 776 | 1294) = cause.sqlite_error().map(|error| error.extended_code) {
        let message = "a write to the database was interrupted; opening it for writing repairs it";
        return Error::new(Kind::Io, message).hint(sqlite3("PRAGMA schema_version"));
    }
    match cause.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            let message = "the database is locked by another process and was not released within a second";
            Error::new(Kind::Locked, message).hint(shell("fuser ").then(file_name(path)))
        }
        Some(ErrorCode::NotADatabase) => not_a_database(path),
        Some(ErrorCode::DatabaseCorrupt) => {
            Error::new(Kind::Io, damage_message(cause)).hint(sqlite3("PRAGMA integrity_check"))
        }
        Some(ErrorCode::PermissionDenied | ErrorCode::AuthorizationForStatementDenied) => {
            Error::new(Kind::Permission, format!("cannot read the database: {}", words(cause)))
        }
        _ => Error::new(Kind::Io, format!("cannot read the database: {}", words(cause)))
            .hint(sqlite3("PRAGMA integrity_check")),
    }
}

pub(super) fn not_a_database(path: &Path) -> Error {
    Error::usage(format!("{} is not an SQLite database, or it is encrypted", path.display()))
        .hint(call("stat").file(path))
}

/// The error for a read that failed inside a value.
pub(super) fn read_error(cause: &rusqlite::Error) -> io::Error {
    match cause.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt) => io::Error::new(io::ErrorKind::InvalidData, damage_message(cause)),
        _ => io::Error::other(words(cause)),
    }
}

fn damage_message(cause: &rusqlite::Error) -> String {
    format!("the database is damaged: {}", words(cause))
}

/// SQLite's own message, without the SQL statement.
pub(super) fn words(cause: &rusqlite::Error) -> String {
    match cause {
        rusqlite::Error::SqliteFailure(_, Some(message)) => message.clone(),
        rusqlite::Error::SqliteFailure(error, None) => {
            rusqlite::ffi::code_to_str(error.extended_code).to_owned()
        }
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        other => other.to_string(),
    }
}

/// The bytes that an address has percent-encoded.
#[rustfmt::skip]
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/').remove(b':').remove(b'@');

/// `text` with percent-encoding where an address needs it.
pub(super) fn percent_encode(text: &[u8]) -> String {
    percent_encoding::percent_encode(text, ENCODED).to_string()
}
