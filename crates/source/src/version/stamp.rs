//! Identity, size and age of a file from its metadata, without reading it.

use std::fs::{File, Metadata};
use std::time::UNIX_EPOCH;

/// A file at one time, for comparison with another time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The device, or the serial number of the volume.
    pub device: u64,
    /// The inode, or the file index of Windows; 0 if it is unknown.
    pub inode: u64,
    /// The size in bytes.
    pub size: u64,
    /// Nanoseconds since 1970.
    pub modified: i128,
}

impl Stamp {
    /// The stamp of a file with this metadata, which has neither device nor inode on Windows.
    pub fn of(metadata: &Metadata) -> Self {
        let modified = metadata.modified().map_or(0, |time| match time.duration_since(UNIX_EPOCH) {
            Ok(after) => i128::try_from(after.as_nanos()).unwrap_or(i128::MAX),
            Err(before) => -i128::try_from(before.duration().as_nanos()).unwrap_or(i128::MAX),
        });
        let (device, inode) = identity(metadata);
        Stamp { device, inode, size: metadata.len(), modified }
    }

    /// As [`Stamp::of`], of an open file: Windows gives its volume and file index too.
    pub fn of_open(file: &File, metadata: &Metadata) -> Self {
        let (device, inode) = identity_of_open(file, metadata);
        Stamp { device, inode, ..Stamp::of(metadata) }
    }
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> (u64, u64) {
    (0, 0)
}

#[cfg(not(windows))]
fn identity_of_open(_: &File, metadata: &Metadata) -> (u64, u64) {
    identity(metadata)
}

#[cfg(windows)]
fn identity_of_open(file: &File, _: &Metadata) -> (u64, u64) {
    winapi_util::file::information(file)
        .map_or((0, 0), |info| (info.volume_serial_number(), info.file_index()))
}

/// The last change of the inode, in nanoseconds since 1970. Unlike the modification time, nobody can set it.
#[cfg(unix)]
pub fn inode_changed(metadata: &Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt;
    metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec())
}

/// Always 0: programs can set every time that this system records.
#[cfg(not(unix))]
pub fn inode_changed(_: &Metadata) -> i64 {
    0
}
