//! A database as a file that SQLite can open: the file itself, or a copy of what is none, such as a compressed database.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::snapshot::beside;
use crate::access::Access;
use crate::version::Version;
use crate::{Source, read_full};
use rread_text::error::{Error, Kind, Result};

/// The largest database that is copied: SQLite reads files only, by their names.
const MOST_COPIED: u64 = 512 << 20;

/// The offset of two bytes that are 2 in a database with a write-ahead log (file format, section 1.3.3).
const WAL_VERSIONS: u64 = 18;

/// The attempts to copy a database that is written to meanwhile.
const ATTEMPTS: u32 = 3;

/// A file that SQLite opens.
pub(super) struct DatabaseFile {
    pub(super) path: PathBuf,
    /// The directory of the copy, if it is one.
    pub(super) copy: Option<TempDir>,
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
        let (copy, path) = copied(input, path, access)?;
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
fn copied(input: &dyn Source, path: &Path, access: &Access) -> Result<(TempDir, PathBuf)> {
    let failed = |cause: io::Error| Error::read("cannot copy the database to read it", &cause);
    for _ in 0..ATTEMPTS {
        let folder = tempfile::tempdir().map_err(failed)?;
        let file = folder.path().join("database");
        copy(input, &file).map_err(failed)?;
        let log = log_of(input, path, access)?;
        if let Some(log) = &log {
            copy(&**log, &beside(&file, "-wal")).map_err(failed)?;
        }
        let is_changed =
            |source: &dyn Source| source.changed().map(|change| change.is_some()).map_err(failed);
        if !is_changed(input)? && !log.as_deref().map_or(Ok(false), is_changed)? {
            return Ok((folder, file));
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
    let mut file = File::create_new(path)?;
    let mut buffer = vec![0; 256 << 10];
    let mut length = 0;
    loop {
        let got = read_full(source, &mut buffer, length)?;
        if got == 0 {
            return file.flush();
        }
        file.write_all(&buffer[..got])?;
        length += got as u64;
        if length > MOST_COPIED {
            let limit = MOST_COPIED >> 20;
            let message = format!("is larger than {limit} MiB, and must be a file to be read");
            return Err(Error::new(Kind::Io, message).into_io());
        }
    }
}
