//! Creates, opens and checks directories and files that only this user may write.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

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

/// Checks that the process may create files in the directory `dir`.
pub(crate) fn may_create_in(dir: &Path) -> io::Result<()> {
    if !dir.metadata()?.is_dir() {
        return Err(io::Error::from(io::ErrorKind::NotADirectory));
    }
    #[cfg(unix)]
    rustix::fs::access(dir, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK)?;
    Ok(())
}

/// Opens a regular file of this user for reading; does not follow links.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    open_checked(OpenOptions::new().read(true), path)
}

/// Opens a regular file of this user for reading and writing; does not follow links.
pub(crate) fn open_to_write(path: &Path) -> io::Result<File> {
    open_checked(&mut writable_by_us(), path)
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
