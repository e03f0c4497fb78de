//! A directory of small files that rread keeps, such as indexes: checks that it can be trusted, and limits its size; and
//! the directories and files that only this user may write.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::NamedTempFile;

use rread_source::interrupt::{self, Guard};
use rread_source::limits;

/// The prefix of unfinished files; the process ID follows.
const NEW: &str = ".new-";

/// A directory of kept files of one kind, which have the same extension.
#[derive(Clone, Debug)]
pub struct Store {
    /// The directory.
    pub dir: PathBuf,
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

    /// Whether the directory exists. An error if rread may not keep files there, or may not create it.
    pub fn is_usable(&self) -> io::Result<bool> {
        is_usable(&self.dir)
    }

    /// Opens the regular file `name` of this user for reading; does not follow links.
    pub fn open(&self, name: &OsStr) -> io::Result<File> {
        check_dir(&self.dir)?;
        open(&self.dir.join(name))
    }

    /// Records that the file `name` was used now.
    pub fn touch(&self, name: &OsStr) -> io::Result<()> {
        // Windows sets times only through a file that is open for writing.
        open_checked(&mut writable_by_us(), &self.dir.join(name))?.set_modified(SystemTime::now())
    }

    /// Removes the leftovers of killed processes, then creates a file readable by this user only.
    pub fn create(&self) -> io::Result<UnfinishedFile> {
        if limits::is_file_size_limited() {
            // Writing past the limit would end the whole program by a signal.
            return Err(io::Error::other("the size of files is limited"));
        }
        make_dir(&self.dir)?;
        check_dir(&self.dir)?;
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
        let mut kept = Vec::new();
        for entry in entries(&self.dir)? {
            let path = entry.path();
            if path.extension() != Some(OsStr::new(self.extension)) {
                continue;
            }
            let Ok(metadata) = path.symlink_metadata() else { continue };
            if metadata.is_file() {
                kept.push(StoreEntry { path, size: metadata.len(), used: metadata.modified()? });
            }
        }
        Ok(kept)
    }

    /// Removes the kept file `name`.
    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        check_dir(&self.dir)?;
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

#[cfg(unix)]
fn is_gone(process: i32) -> bool {
    let Some(process) = rustix::process::Pid::from_raw(process) else { return false };
    rustix::process::test_kill_process(process) == Err(rustix::io::Errno::SRCH)
}

#[cfg(not(unix))]
fn is_gone(_: i32) -> bool {
    false
}

/// Creates `dir` and its missing parents, readable by this user only.
pub(crate) fn make_dir(dir: &Path) -> io::Result<()> {
    if dir.is_dir() {
        return Ok(());
    }
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

/// Checks that `dir` is a directory of this user in which nobody else may write. A link could lead anywhere.
pub(crate) fn check_dir(dir: &Path) -> io::Result<()> {
    let metadata = dir.symlink_metadata()?;
    if !metadata.is_dir() {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "it is not a directory, or it is a link",
        ));
    }
    if is_ours(&metadata) { Ok(()) } else { Err(foreign()) }
}

/// Whether `dir` exists. An error if rread may not keep files there, or may not create it.
pub(crate) fn is_usable(dir: &Path) -> io::Result<bool> {
    match check_dir(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let parent = dir.ancestors().skip(1).find(|parent| parent.metadata().is_ok());
            // A relative path begins in the working directory.
            may_create_in(parent.filter(|parent| *parent != Path::new("")).unwrap_or(Path::new(".")))?;
            Ok(false)
        }
        checked => checked.and_then(|()| may_create_in(dir)).map(|()| true),
    }
}

/// Checks that the process may create files in the directory `dir`, whoever owns it.
pub fn may_create_in(dir: &Path) -> io::Result<()> {
    if !dir.metadata()?.is_dir() {
        return Err(io::Error::from(io::ErrorKind::NotADirectory));
    }
    #[cfg(unix)]
    rustix::fs::access(dir, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK)?;
    Ok(())
}

/// The text of the file `name` in `dir`, which only this user can read or change. `make` writes it if it does not exist.
pub fn private_text(
    dir: &Path,
    name: &str,
    make: Option<&dyn Fn() -> io::Result<String>>,
) -> io::Result<Option<String>> {
    let path = dir.join(name);
    if let Some(make) = make {
        make_dir(dir)?;
        check_dir(dir)?;
        if path.symlink_metadata().is_err() {
            // Complete when it gets its name: another process may begin at the same time.
            let mut file = tempfile::NamedTempFile::new_in(dir)?;
            file.write_all(make()?.as_bytes())?;
            file.persist_noclobber(&path).map(drop).or_else(|error| match error.error.kind() {
                io::ErrorKind::AlreadyExists => Ok(()),
                _ => Err(error.error),
            })?;
        }
    }
    match check_dir(dir).and_then(|()| open(&path)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
        Ok(file) if is_private(&file.metadata()?) => io::read_to_string(file.take(MAX_TEXT)).map(Some),
        Ok(_) => Err(io::Error::new(io::ErrorKind::PermissionDenied, "others may read it")),
    }
}

/// The most bytes of a text that is read at once.
const MAX_TEXT: u64 = 4096;

#[cfg(unix)]
fn is_private(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o077 == 0
}

#[cfg(not(unix))]
fn is_private(_: &fs::Metadata) -> bool {
    true
}

/// Opens a regular file of this user for reading; does not follow links.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    open_checked(OpenOptions::new().read(true), path)
}

/// Opens the file at `path` for reading and writing; creates it readable by this user only.
pub(crate) fn open_or_create(path: &Path) -> io::Result<File> {
    open_checked(writable_by_us().create(true), path)
}

/// Creates a file at `path`, readable by this user only. Any existing entry, even a link, is an error.
pub(crate) fn create_new(path: &Path) -> io::Result<File> {
    writable_by_us().create_new(true).open(path)
}

fn writable_by_us() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// The entries of `dir`; none if it does not exist.
pub(crate) fn entries(dir: &Path) -> io::Result<Vec<fs::DirEntry>> {
    match check_dir(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
        Ok(()) => fs::read_dir(dir)?.collect(),
    }
}

fn open_checked(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        let flags = i32::try_from(flags.bits()).map_err(io::Error::other)?;
        std::os::unix::fs::OpenOptionsExt::custom_flags(options, flags);
    }
    #[cfg(windows)]
    {
        // FILE_FLAG_OPEN_REPARSE_POINT opens a link itself.
        std::os::windows::fs::OpenOptionsExt::custom_flags(options, 0x0020_0000);
    }
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_file() && is_ours(&metadata) { Ok(file) } else { Err(foreign()) }
}

fn foreign() -> io::Error {
    let reason = "it belongs to another user, or others may write to it";
    io::Error::new(io::ErrorKind::PermissionDenied, reason)
}

#[cfg(unix)]
fn is_ours(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.uid() == rustix::process::geteuid().as_raw() && metadata.mode() & 0o022 == 0
}

#[cfg(not(unix))]
fn is_ours(_: &Metadata) -> bool {
    true
}
