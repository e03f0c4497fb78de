//! A regular file, read at offsets; its length is the one it had when it was opened.

use std::fs::File;
use std::io;

use super::stamp::Stamp;
use super::version::{self, Version};
use super::{Change, Source};

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
