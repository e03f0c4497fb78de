//! The directory where indexes live: where it is, whether it can be trusted, how large it may grow.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::NamedTempFile;

use crate::private;
use crate::source::limit;

/// How the names of unfinished files begin; the number of the process follows.
const NEW: &str = ".new-";

/// A directory of our own, or nothing: whatever is wrong with it costs only the index.
#[derive(Clone, Debug)]
pub struct Store {
    dir: PathBuf,
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
    #[must_use]
    pub fn new(dir: PathBuf) -> Self {
        Store { dir }
    }

    /// The directory.
    #[must_use]
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

    /// A new unnamed-as-yet file beside the others, readable by this user only.
    ///
    /// # Errors
    /// Those of the system, and as [`Store::open`].
    pub fn create(&self) -> io::Result<NamedTempFile> {
        if limit::is_file_size_limited() {
            // Writing past the limit would end the whole program by a signal.
            return Err(io::Error::other("the size of files is limited"));
        }
        private::make_dir(&self.dir)?;
        private::check_dir(&self.dir)?;
        let prefix = format!("{NEW}{}-", std::process::id());
        tempfile::Builder::new().prefix(&prefix).suffix(".tmp").tempfile_in(&self.dir)
    }

    /// Gives `file` its name, in one step, and drops what was least recently used beyond `limit` bytes.
    ///
    /// # Errors
    /// Those of the system.
    pub fn publish(&self, file: NamedTempFile, name: &OsStr, limit: u64) -> io::Result<File> {
        let file = file.persist(self.dir.join(name)).map_err(|error| error.error)?;
        self.shrink(limit, name);
        Ok(file)
    }

    /// All files of the store with the extension `idx`.
    ///
    /// # Errors
    /// Those of listing the directory; one that does not exist is empty.
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
    ///
    /// # Errors
    /// Those of the system.
    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        private::check_dir(&self.dir)?;
        fs::remove_file(self.dir.join(name))
    }

    /// Drops the least recently used files until the rest takes no more than `limit` bytes; never `keep`.
    fn shrink(&self, limit: u64, keep: &OsStr) {
        self.sweep();
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

    /// Removes what killed processes left behind.
    fn sweep(&self) {
        let Ok(files) = fs::read_dir(&self.dir) else { return };
        for file in files.flatten() {
            let name = file.file_name();
            let text = name.to_string_lossy();
            let old = file
                .metadata()
                .and_then(|m| m.modified())
                .is_ok_and(|time| time.elapsed().is_ok_and(|age| age.as_secs() > 3600));
            let Some(rest) = text.strip_prefix(NEW) else { continue };
            let maker = rest.split('-').next().and_then(|pid| pid.parse().ok());
            if old || maker.is_some_and(is_gone) {
                let _ = fs::remove_file(file.path());
            }
        }
    }
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
