//! The directory where indexes live: where it is, whether it can be trusted, how large it may grow.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::NamedTempFile;

use crate::interrupt::Guard;
use crate::private;
use crate::source::limit;

/// How the names of unfinished files begin; the number of the process follows.
const NEW: &str = ".new-";

/// A directory of our own, or nothing: whatever is wrong with it costs only the index.
#[derive(Clone, Debug)]
pub struct Store {
    dir: PathBuf,
}

/// A file of the store that has no name yet. It is removed when it is dropped, and when a signal ends the program.
#[derive(Debug)]
pub struct Unfinished {
    // Dropped first: the file is gone before nobody watches over it.
    file: NamedTempFile,
    _guard: Guard,
}

impl Unfinished {
    /// The open file.
    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }
}

/// One file of the store.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where it is.
    pub path: PathBuf,
    /// Its size in bytes.
    pub size: u64,
    /// When it was last of use.
    pub used: SystemTime,
}

impl Store {
    /// The store in `dir`, which need not exist yet.
    pub fn new(dir: PathBuf) -> Self {
        Store { dir }
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Opens the file `name` for reading: a regular file of this user, no link.
    ///
    /// # Errors
    /// Those of the system, and `PermissionDenied` for a file or directory that is somebody else's.
    pub fn open(&self, name: &OsStr) -> io::Result<File> {
        private::check_dir(&self.dir)?;
        private::open(&self.dir.join(name))
    }

    /// A new file beside the others, readable by this user only. What killed processes left behind goes first.
    pub fn create(&self) -> io::Result<Unfinished> {
        if limit::is_file_size_limited() {
            // Writing past the limit would end the whole program by a signal.
            return Err(io::Error::other("the size of files is limited"));
        }
        private::make_dir(&self.dir)?;
        private::check_dir(&self.dir)?;
        self.sweep();
        let prefix = format!("{NEW}{}-", std::process::id());
        let (dir, own) = (self.dir.clone(), prefix.clone());
        // Before the file is made, so that there is no moment at which it would be left.
        let guard = Guard::new(move || drop(remove_all(&dir, |name, _| name.starts_with(&own))));
        let file = tempfile::Builder::new().prefix(&prefix).suffix(".tmp").tempfile_in(&self.dir)?;
        Ok(Unfinished { file, _guard: guard })
    }

    /// Gives `file` its name, in one step, and drops what was least recently used beyond `limit` bytes.
    pub fn publish(&self, new: Unfinished, name: &OsStr, limit: u64) -> io::Result<File> {
        let file = new.file.persist(self.dir.join(name)).map_err(|error| error.error)?;
        self.shrink(limit, name);
        Ok(file)
    }

    /// All files of the store with the extension `idx`.
    pub fn entries(&self) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for entry in private::entries(&self.dir)? {
            let path = entry.path();
            if path.extension() != Some(OsStr::new("idx")) {
                continue;
            }
            let Ok(metadata) = path.symlink_metadata() else { continue };
            if metadata.is_file() {
                entries.push(Entry { path, size: metadata.len(), used: metadata.modified()? });
            }
        }
        Ok(entries)
    }

    /// Removes one file of the store.
    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        private::check_dir(&self.dir)?;
        fs::remove_file(self.dir.join(name))
    }

    /// Drops the least recently used files until the rest takes no more than `limit` bytes; never `keep`.
    fn shrink(&self, limit: u64, keep: &OsStr) {
        let Ok(mut entries) = self.entries() else { return };
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.used));
        let mut total = 0u64;
        for entry in entries {
            total = total.saturating_add(entry.size);
            if total > limit && entry.path.file_name() != Some(keep) {
                let _ = fs::remove_file(&entry.path);
            }
        }
    }

    /// Removes what killed processes left behind; returns how many files and how many bytes that were.
    pub(crate) fn sweep(&self) -> (u64, u64) {
        let is_left = |name: &str, metadata: &Metadata| {
            let Some(rest) = name.strip_prefix(NEW) else { return false };
            let maker = rest.split('-').next().and_then(|pid| pid.parse().ok());
            let age = metadata.modified().ok().and_then(|time| time.elapsed().ok());
            maker.is_some_and(is_gone) || age.is_some_and(|age| age.as_secs() > 3600)
        };
        remove_all(&self.dir, is_left).unwrap_or_default()
    }
}

/// Removes the files in `dir` that `goes` says; returns how many files and how many bytes that were.
fn remove_all(dir: &Path, goes: impl Fn(&str, &Metadata) -> bool) -> io::Result<(u64, u64)> {
    let (mut files, mut bytes) = (0, 0);
    for file in fs::read_dir(dir)?.flatten() {
        let name = file.file_name();
        // Asking what a file is takes a call for each.
        let Some(name) = name.to_str().filter(|name| name.starts_with(NEW)) else { continue };
        let Ok(metadata) = file.metadata() else { continue };
        if goes(name, &metadata) && fs::remove_file(file.path()).is_ok() {
            files += 1;
            bytes += metadata.len();
        }
    }
    Ok((files, bytes))
}

/// Whether there is no such process any more.
#[cfg(unix)]
fn is_gone(process: i32) -> bool {
    let Some(process) = rustix::process::Pid::from_raw(process) else { return false };
    rustix::process::test_kill_process(process) == Err(rustix::io::Errno::SRCH)
}

#[cfg(not(unix))]
fn is_gone(_: i32) -> bool {
    false
}
