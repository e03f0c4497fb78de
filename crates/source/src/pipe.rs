//! Files that are streams: pipes that a shell opened for us and, with `--stream`, named pipes and devices.

use std::fs::{File, FileType, Metadata};
use std::io::{self, Read};
use std::path::Path;

use super::Source;
use super::access::Access;
use super::spool::{Spool, TimedStream};

/// Whether to read `path` as a stream. Without `--stream` only a pipe that is already open, as that of `<(command)`:
/// opening it never waits.
pub(super) fn is_stream(path: &Path, metadata: &Metadata, access: &Access) -> bool {
    let file_type = metadata.file_type();
    (access.stream && can_stream(file_type)) || (is_fifo(file_type) && is_inherited(path))
}

pub(super) fn open(path: &Path, access: &Access) -> io::Result<Box<dyn Source>> {
    if is_inherited(path) {
        let stream = open_inherited(path)?;
        return Ok(Box::new(spool(move || Ok(stream), access)?));
    }
    let path = path.to_owned();
    Ok(Box::new(spool(move || File::open(path), access)?))
}

/// Makes the stream that `open` returns re-readable.
pub(super) fn spool(
    open: impl FnOnce() -> io::Result<File> + Send + 'static,
    access: &Access,
) -> io::Result<Spool> {
    let stream: Box<dyn Read + Send> = match access.timeout {
        Some(timeout) => Box::new(TimedStream::start(open, timeout)?),
        None => Box::new(open()?),
    };
    Ok(Spool::new(stream))
}

/// Device and inode of a pipe or socket, which identify a stream under any name.
#[cfg(unix)]
pub(super) fn identity(metadata: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let kind = metadata.file_type();
    (kind.is_fifo() || kind.is_socket()).then(|| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
pub(super) fn identity(_: &Metadata) -> Option<(u64, u64)> {
    None
}

/// Whether this is `/dev/null` under any name, which every tool reads as an empty file.
#[cfg(unix)]
pub(super) fn is_null(metadata: &Metadata) -> bool {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let is_same = || Path::new("/dev/null").metadata().is_ok_and(|null| null.rdev() == metadata.rdev());
    metadata.file_type().is_char_device() && is_same()
}

#[cfg(not(unix))]
pub(super) fn is_null(_: &Metadata) -> bool {
    false
}

#[cfg(unix)]
pub(super) fn can_stream(file_type: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    file_type.is_fifo() || file_type.is_char_device()
}

#[cfg(unix)]
fn is_fifo(file_type: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    file_type.is_fifo()
}

/// Whether `path` is one of our own descriptors and readable. Reading our own standard output would never end.
#[cfg(unix)]
fn is_inherited(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = path.strip_prefix("/dev/fd").or_else(|_| path.strip_prefix("/proc/self/fd"));
    let is_descriptor =
        number.is_ok_and(|number| number.to_str().is_some_and(|text| text.parse::<u32>().is_ok()));
    is_descriptor && path.symlink_metadata().is_ok_and(|link| link.mode() & 0o400 != 0)
}

/// Reopens one of our descriptors without waiting, even for a named pipe whose writers have gone.
#[cfg(unix)]
fn open_inherited(path: &Path) -> io::Result<File> {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    use std::os::unix::fs::OpenOptionsExt;
    let flag = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or(0);
    let file = File::options().read(true).custom_flags(flag).open(path)?;
    // Elsewhere the shell's own descriptor may share the flag, so leave it set.
    if cfg!(target_os = "linux")
        && let Ok(flags) = fcntl_getfl(&file)
    {
        fcntl_setfl(&file, flags - OFlags::NONBLOCK)?;
    }
    Ok(file)
}

#[cfg(not(unix))]
pub(super) fn can_stream(_: FileType) -> bool {
    false
}

#[cfg(not(unix))]
fn is_fifo(_: FileType) -> bool {
    false
}

#[cfg(not(unix))]
fn is_inherited(_: &Path) -> bool {
    false
}

#[cfg(not(unix))]
fn open_inherited(path: &Path) -> io::Result<File> {
    File::open(path)
}
