//! A regular file, read at offsets; its length is the one it had when it was opened.

use std::fs::{File, Metadata};
use std::io;
use std::time::UNIX_EPOCH;

use super::version::{self, Version};
use super::{Change, Source};

/// What the system says of a file's identity and state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Device number; 0 where the system has none.
    pub device: u64,
    /// Inode number; 0 where the system has none.
    pub inode: u64,
    /// Length in bytes.
    pub size: u64,
    /// Last modification, in nanoseconds since 1970.
    pub modified: i128,
}

impl Stamp {
    /// Takes the stamp from what `stat` said.
    #[must_use]
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

/// An open regular file.
#[derive(Debug)]
pub struct FileSource {
    file: File,
    stamp: Stamp,
    size: u64,
}

impl FileSource {
    /// Takes `file` as long as its metadata says.
    ///
    /// # Errors
    /// Those of `fstat`.
    pub fn new(file: File) -> io::Result<Self> {
        let stamp = Stamp::of(&file.metadata()?);
        Ok(FileSource { file, stamp, size: stamp.size })
    }

    /// The same file, known to be shorter than its metadata says (as those in `/sys` are).
    #[must_use]
    pub fn with_size(mut self, size: u64) -> Self {
        self.size = size;
        self
    }

    /// The open file, for a source of another kind.
    #[must_use]
    pub fn into_file(self) -> File {
        self.file
    }
}

impl Source for FileSource {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let left = usize::try_from(self.size.saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        if wanted == 0 {
            return Ok(0);
        }
        read_at(&self.file, &mut buffer[..wanted], offset)
    }

    fn size(&self) -> Option<u64> {
        Some(self.size)
    }

    fn version(&self) -> io::Result<Option<Version>> {
        let stamp = Stamp { size: self.size, ..self.stamp };
        Ok(Some(Version::new(stamp, version::sample(self, self.size)?)))
    }

    fn changed(&self) -> io::Result<Option<Change>> {
        let now = Stamp::of(&self.file.metadata()?);
        Ok(if now == self.stamp {
            None
        } else if now.size < self.size {
            Some(Change::Truncated)
        } else if now.size > self.stamp.size {
            Some(Change::Appended)
        } else {
            Some(Change::Rewritten)
        })
    }

    fn as_file(&self) -> Option<&File> {
        Some(&self.file)
    }
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    use std::os::unix::fs::FileExt;
    file.read_at(buffer, offset)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    use std::os::windows::fs::FileExt;
    file.seek_read(buffer, offset)
}
