//! A regular file, read at offsets. Its length is the one it had when it was opened.

use std::fs::{File, Metadata};
use std::io;
use std::sync::OnceLock;

use xxhash_rust::xxh3::Xxh3;

use crate::version::{Change, FileVersion, Stamp, Version, inode_changed};
use crate::{Source, SourceInfo, read_full};
use rread_text::sniff::SAMPLE;

/// An open regular file as a source.
#[derive(Debug)]
pub struct FileSource {
    file: File,
    metadata: Metadata,
    stamp: Stamp,
    /// The offset in the file where the source begins.
    base: u64,
    size: u64,
    /// A hash of its ends, once the version was requested.
    sample: OnceLock<u64>,
    /// Its first bytes, once something read them; `None` if every read is to ask the system.
    head: Option<OnceLock<Vec<u8>>>,
}

impl FileSource {
    /// The whole file, as long as it is now.
    pub fn new(file: File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        Ok(FileSource::with_metadata(file, metadata))
    }

    /// As [`FileSource::new`], with the metadata of the open file.
    pub(super) fn with_metadata(file: File, metadata: Metadata) -> Self {
        let stamp = Stamp::of(&metadata);
        FileSource { file, metadata, stamp, base: 0, size: stamp.size, sample: OnceLock::new(), head: None }
    }

    /// Reads the first [`SAMPLE`] bytes once: the compression, the encoding and the ends of lines are found in them, and a
    /// small file has no others. Not for a file that this program writes.
    pub(super) fn remembering_its_head(mut self) -> Self {
        self.head = Some(OnceLock::new());
        self
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

    /// The file itself.
    pub fn into_file(self) -> File {
        self.file
    }

    /// `wanted` bytes at `offset`, if they are in the head.
    fn bytes_of_head(&self, wanted: usize, offset: u64) -> Option<&[u8]> {
        let start = usize::try_from(offset).ok().filter(|start| *start < SAMPLE)?;
        let end = start.checked_add(wanted).filter(|end| *end <= SAMPLE)?;
        let head = self.head.as_ref()?.get_or_init(|| {
            let mut head = vec![0; usize::try_from(self.size).unwrap_or(SAMPLE).min(SAMPLE)];
            // The read that needs the bytes reports the error.
            let got = read_full(&Stored(self), &mut head, 0).unwrap_or(0);
            head.truncate(got);
            head
        });
        head.get(start..end)
    }
}

impl Source for File {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        read_at(self, buffer, offset)
    }

    fn size(&self) -> Option<u64> {
        self.metadata().ok().map(|metadata| metadata.len())
    }
}

/// The file as it is now, without what is remembered of it.
struct Stored<'f>(&'f FileSource);

impl Source for Stored<'_> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        read_at(&self.0.file, buffer, self.0.base.saturating_add(offset))
    }

    fn size(&self) -> Option<u64> {
        Some(self.0.size)
    }
}

impl Source for FileSource {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let left = usize::try_from(self.size.saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        if wanted == 0 {
            return Ok(0);
        }
        if let Some(remembered) = self.bytes_of_head(wanted, offset) {
            buffer[..wanted].copy_from_slice(remembered);
            return Ok(wanted);
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
            Some(then) => *then == sample(&Stored(self), self.size)?,
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

/// Reads at `offset` without moving the position of the file, as many bytes as come at once.
#[cfg(unix)]
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

/// Reads at `offset` and moves the position of the file, as many bytes as come at once.
#[cfg(windows)]
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    use std::os::windows::fs::FileExt;
    file.seek_read(buffer, offset)
}

/// Copies `source` to `file`, and returns its length; `None` if it has more than `limit` bytes.
#[cfg(any(feature = "sqlite", feature = "documents"))]
pub(crate) fn copy(source: &dyn Source, file: &mut File, limit: u64) -> io::Result<Option<u64>> {
    let mut buffer = vec![0; 256 << 10];
    let mut length = 0;
    while length <= limit {
        let got = read_full(source, &mut buffer, length)?;
        if got == 0 {
            return Ok(Some(length));
        }
        io::Write::write_all(file, &buffer[..got])?;
        length += got as u64;
    }
    Ok(None)
}

const END: u64 = 4096;

/// Hashes the first and the last 4 KiB of the first `size` bytes.
pub fn sample(source: &dyn Source, size: u64) -> io::Result<u64> {
    let mut buffer = [0u8; 4096];
    let mut hash = Xxh3::new();
    let mut add = |from: u64, to: u64| -> io::Result<()> {
        let wanted = usize::try_from(to - from).unwrap_or(buffer.len()).min(buffer.len());
        let got = read_full(source, &mut buffer[..wanted], from)?;
        hash.update(&buffer[..got]);
        Ok(())
    };
    add(0, size.min(END))?;
    if size > END {
        add(END.max(size - END), size)?;
    }
    Ok(hash.digest())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Seek, Write};

    fn remembering(content: &[u8]) -> (File, FileSource) {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(content).unwrap();
        let source = FileSource::new(file.try_clone().unwrap()).unwrap().remembering_its_head();
        (file, source)
    }

    #[test]
    fn reads_around_the_end_of_the_head_are_those_of_the_file() {
        for size in [0, 1, SAMPLE - 1, SAMPLE, SAMPLE + 1, 3 * SAMPLE] {
            let content: Vec<u8> = (0..size).map(|at| u8::try_from(at % 251).unwrap()).collect();
            let (_, source) = remembering(&content);
            for offset in [0, 1, SAMPLE - 2, SAMPLE - 1, SAMPLE, SAMPLE + 1, size, size + 1] {
                for length in [0, 1, 2, SAMPLE - 1, SAMPLE, SAMPLE + 1, 2 * SAMPLE] {
                    let mut buffer = vec![0; length];
                    let got = source.read_at(&mut buffer, offset as u64).unwrap();
                    let expected = content.get(offset..size.min(offset + length)).unwrap_or_default();
                    assert_eq!(&buffer[..got], expected, "{length} bytes at {offset} of {size}");
                }
            }
        }
    }

    #[test]
    fn the_head_is_read_once_and_a_change_of_it_is_seen() {
        let (mut file, source) = remembering(b"the first text");
        let mut buffer = [0; 14];
        assert_eq!(source.read_at(&mut buffer, 0).unwrap(), 14);
        let version = source.version().unwrap();
        assert_eq!(source.changed().unwrap(), None);
        std::thread::sleep(std::time::Duration::from_millis(20));
        file.rewind().unwrap();
        file.write_all(b"the other text and more").unwrap();
        assert_eq!(source.read_at(&mut buffer, 0).unwrap(), 14);
        assert_eq!(&buffer, b"the first text");
        assert_eq!(source.version().unwrap(), version);
        assert_eq!(source.changed().unwrap(), Some(Change::Rewritten));
    }
}
