//! Identity, size and age of a file from its metadata, without reading it.

use std::fs::Metadata;
use std::time::UNIX_EPOCH;

/// A file at one time, for comparison with another time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Device and inode are 0 on systems without them.
    pub device: u64,
    /// Device and inode are 0 on systems without them.
    pub inode: u64,
    /// The size in bytes.
    pub size: u64,
    /// Nanoseconds since 1970.
    pub modified: i128,
}

impl Stamp {
    /// The stamp of a file with this metadata.
    pub fn of(metadata: &Metadata) -> Self {
        let modified = metadata.modified().map_or(0, |time| match time.duration_since(UNIX_EPOCH) {
            Ok(after) => i128::try_from(after.as_nanos()).unwrap_or(i128::MAX),
            Err(before) => -i128::try_from(before.duration().as_nanos()).unwrap_or(i128::MAX),
        });
        let (device, inode) = identity(metadata);
        Stamp { device, inode, size: metadata.len(), modified }
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

/// The last change of the inode, in nanoseconds since 1970. Unlike the modification time, nobody can set it.
#[cfg(unix)]
pub fn inode_changed(metadata: &Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt;
    metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec())
}

/// Always 0: this system does not record it.
#[cfg(not(unix))]
pub fn inode_changed(_: &Metadata) -> i64 {
    0
}
