//! A regular file, read at offsets. Its length is the one it had when it was opened.

use std::fs::{File, Metadata};
use std::io;
use std::sync::OnceLock;

use super::sample::sample;
use super::stamp::{Stamp, inode_changed};
use super::version::{Change, FileVersion, Version};
use super::{Source, SourceInfo};

#[derive(Debug)]
pub struct FileSource {
    file: File,
    metadata: Metadata,
    stamp: Stamp,
    /// The offset in the file where the source begins.
    base: u64,
    size: u64,
    /// Of its ends, once something asked for the version.
    sample: OnceLock<u64>,
}

impl FileSource {
    pub fn new(file: File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        let stamp = Stamp::of(&metadata);
        Ok(FileSource { file, metadata, stamp, base: 0, size: stamp.size, sample: OnceLock::new() })
    }

    /// Skips the first `base` bytes of the file.
    pub fn starting_at(mut self, base: u64) -> Self {
        self.base = base.min(self.stamp.size);
        self.size = self.stamp.size - self.base;
        self
    }

    /// Overrides the length in the metadata, which is wrong in `/sys`.
    pub fn with_size(mut self, size: u64) -> Self {
        self.size = size;
        self
    }

    fn end(&self) -> u64 {
        self.base.saturating_add(self.size)
    }

    pub(crate) fn into_file(self) -> File {
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
        read_at(&self.file, &mut buffer[..wanted], self.base.saturating_add(offset))
    }

    fn size(&self) -> Option<u64> {
        Some(self.size)
    }

    fn info(&self) -> SourceInfo<'_> {
        let file = Some((&self.file, self.base));
        SourceInfo { metadata: Some(&self.metadata), file, ..SourceInfo::default() }
    }

    fn version(&self) -> io::Result<Option<Version>> {
        let sample = match self.sample.get() {
            Some(sample) => *sample,
            None => {
                let sample = sample(self, self.size)?;
                *self.sample.get_or_init(|| sample)
            }
        };
        let stamp = Stamp { size: self.size, ..self.stamp };
        Ok(Some(Version::File(FileVersion::new(&stamp, sample))))
    }

    fn changed(&self) -> io::Result<Option<Change>> {
        let metadata = self.file.metadata()?;
        let now = Stamp::of(&metadata);
        if now == self.stamp && inode_changed(&metadata) == inode_changed(&self.metadata) {
            return Ok(None);
        }
        if now.size < self.end() {
            return Ok(Some(Change::Truncated));
        }
        let same_ends = match self.sample.get() {
            Some(then) => *then == sample(self, self.size)?,
            None => true,
        };
        Ok(match (same_ends, now.size > self.stamp.size, now.modified == self.stamp.modified) {
            (false, ..) => Some(Change::Rewritten),
            (true, true, _) => Some(Change::Appended),
            // Renamed, linked, or with other permissions.
            (true, false, true) => None,
            (true, false, false) => Some(Change::Rewritten),
        })
    }
}

#[cfg(unix)]
pub(crate) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    use std::os::unix::fs::FileExt;
    file.read_at(buffer, offset)
}

#[cfg(windows)]
pub(crate) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    use std::os::windows::fs::FileExt;
    file.seek_read(buffer, offset)
}
