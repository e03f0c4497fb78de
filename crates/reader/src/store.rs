//! A directory of small files that rread keeps, such as indexes: checks that it can be trusted, and limits its size.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::NamedTempFile;

use crate::private;
use rread_source::interrupt::{self, Guard};
use rread_source::limits;

/// The prefix of unfinished files; the process ID follows.
const NEW: &str = ".new-";

/// A directory of kept files of one kind, which have the same extension.
#[derive(Clone, Debug)]
pub struct Store {
    dir: PathBuf,
    extension: &'static str,
}

/// A file without its final name, removed when it is dropped and when a signal ends the program.
#[derive(Debug)]
pub struct UnfinishedFile {
    // Dropped first, while the guard still protects it.
    file: NamedTempFile,
    _guard: Guard,
}

impl UnfinishedFile {
    /// The open file.
    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }
}

/// A kept file.
#[derive(Clone, Debug)]
pub struct StoreEntry {
    /// Its path.
    pub path: PathBuf,
    /// Its size in bytes.
    pub size: u64,
    /// When it was last used, to the hour.
    pub used: SystemTime,
}

impl Store {
    /// The files with `extension` in `dir`, which need not exist yet.
    pub fn new(dir: PathBuf, extension: &'static str) -> Self {
        Store { dir, extension }
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Whether the directory exists. An error if rread may not keep files there, or may not create it.
    pub fn is_usable(&self) -> io::Result<bool> {
        private::is_usable(&self.dir)
    }

    /// Opens the regular file `name` of this user for reading; does not follow links.
    pub fn open(&self, name: &OsStr) -> io::Result<File> {
        private::check_dir(&self.dir)?;
        private::open(&self.dir.join(name))
    }

    /// Records that the file `name` was used now.
    pub fn touch(&self, name: &OsStr) -> io::Result<()> {
        // Windows sets times only through a file that is open for writing.
        private::open_to_write(&self.dir.join(name))?.set_modified(SystemTime::now())
    }

    /// Removes the leftovers of killed processes, then creates a file readable by this user only.
    pub fn create(&self) -> io::Result<UnfinishedFile> {
        if limits::is_file_size_limited() {
            // Writing past the limit would end the whole program by a signal.
            return Err(io::Error::other("the size of files is limited"));
        }
        private::make_dir(&self.dir)?;
        private::check_dir(&self.dir)?;
        self.sweep();
        let prefix = format!("{NEW}{}-", std::process::id());
        interrupt::watch();
        let (file, guard) = Guard::make(|| {
            let file = tempfile::Builder::new().prefix(&prefix).suffix(".tmp").tempfile_in(&self.dir)?;
            let path = file.path().to_owned();
            Ok((file, move || drop(fs::remove_file(path))))
        })?;
        Ok(UnfinishedFile { file, _guard: guard })
    }

    /// Renames `new` in one step, and removes the least recently used files beyond `limit` bytes.
    pub fn publish(&self, new: UnfinishedFile, name: &OsStr, limit: u64) -> io::Result<File> {
        let UnfinishedFile { file, _guard } = new;
        let (file, path) = file.keep().map_err(|error| error.error)?;
        // On Windows, `fs::rename` replaces a file that another process reads, and `persist` does not.
        if let Err(error) = fs::rename(&path, self.dir.join(name)) {
            let _ = fs::remove_file(&path);
            return Err(error);
        }
        self.shrink(limit, name);
        Ok(file)
    }

    /// All kept files of the directory, in any order.
    pub fn entries(&self) -> io::Result<Vec<StoreEntry>> {
        let mut entries = Vec::new();
        for entry in private::entries(&self.dir)? {
            let path = entry.path();
            if path.extension() != Some(OsStr::new(self.extension)) {
                continue;
            }
            let Ok(metadata) = path.symlink_metadata() else { continue };
            if metadata.is_file() {
                entries.push(StoreEntry { path, size: metadata.len(), used: metadata.modified()? });
            }
        }
        Ok(entries)
    }

    /// Removes the kept file `name`.
    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        private::check_dir(&self.dir)?;
        fs::remove_file(self.dir.join(name))
    }

    /// Removes the least recently used files beyond `limit` bytes, but never `keep`.
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

    /// Removes the leftovers of killed processes; returns the number of files and bytes.
    pub fn sweep(&self) -> (u64, u64) {
        let (mut files, mut bytes) = (0, 0);
        for file in fs::read_dir(&self.dir).into_iter().flatten().flatten() {
            let name = file.file_name();
            // Filter by name first: metadata costs a system call.
            let Some(rest) = name.to_str().and_then(|name| name.strip_prefix(NEW)) else { continue };
            let Ok(metadata) = file.metadata() else { continue };
            let maker = rest.split('-').next().and_then(|pid| pid.parse().ok());
            let age = metadata.modified().ok().and_then(|time| time.elapsed().ok());
            let is_left = maker.is_some_and(is_gone) || age.is_some_and(|age| age.as_secs() > 3600);
            if is_left && fs::remove_file(file.path()).is_ok() {
                files += 1;
                bytes += metadata.len();
            }
        }
        (files, bytes)
    }
}

/// Checks that the process may create files in the directory `dir`, whoever owns it.
pub fn may_create_in(dir: &Path) -> io::Result<()> {
    private::may_create_in(dir)
}

#[cfg(unix)]
fn is_gone(process: i32) -> bool {
    let Some(process) = rustix::process::Pid::from_raw(process) else { return false };
    rustix::process::test_kill_process(process) == Err(rustix::io::Errno::SRCH)
}

#[cfg(not(unix))]
fn is_gone(_: i32) -> bool {
    false
}
