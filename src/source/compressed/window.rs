//! The windows of places where decoding can be taken up again: compressed, and in a file, since those of a large text are more
//! than belongs into memory.

use std::io::{self, Write};
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use crate::source::file::FileSource;
use crate::source::limit;
use crate::source::{Source, read_full};

/// The most text that a window may hold, in bytes.
const LARGEST: usize = 8 << 20;

/// How hard windows are compressed: beyond this zstd takes much longer for little.
const LEVEL: i32 = 3;

/// The text before a place, in a file.
#[derive(Clone, Debug)]
pub struct Window {
    file: Arc<FileSource>,
    at: u64,
    /// Bytes in the file.
    pub(super) length: u64,
    /// A hash of them.
    pub(super) sum: u64,
}

impl Window {
    /// The window of `length` bytes at `at` of `file` that have this hash.
    pub(super) fn stored(file: &Arc<FileSource>, at: u64, length: u64, sum: u64) -> Self {
        Window { file: Arc::clone(file), at, length, sum }
    }

    /// The text.
    ///
    /// # Errors
    /// Those of reading, and `InvalidData` when it is not what was kept.
    pub(super) fn text(&self) -> io::Result<Vec<u8>> {
        zstd::bulk::decompress(&self.bytes()?, LARGEST)
    }

    /// Its bytes as they are kept.
    pub(super) fn bytes(&self) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(self.length).map_err(io::Error::other)?.min(LARGEST)];
        let got = read_full(&*self.file, &mut bytes, self.at)?;
        if got < bytes.len() || xxh3_64(&bytes) != self.sum {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a window is damaged"));
        }
        Ok(bytes)
    }
}

/// Where windows are put as they are learned: an unnamed temporary file.
#[derive(Clone, Debug, Default)]
pub(super) struct Windows {
    file: Option<Arc<FileSource>>,
    end: u64,
}

impl Windows {
    /// Keeps `text`.
    ///
    /// # Errors
    /// Those of writing.
    pub(super) fn keep(&mut self, text: &[u8]) -> io::Result<Window> {
        if limit::is_file_size_limited() {
            return Err(io::Error::other("the size of files is limited"));
        }
        let bytes = zstd::bulk::compress(text, LEVEL)?;
        let file = match &self.file {
            Some(file) => Arc::clone(file),
            None => Arc::new(FileSource::new(tempfile::tempfile()?)?.with_size(u64::MAX)),
        };
        if let Some((mut writer, _)) = file.as_file() {
            writer.write_all(&bytes)?;
        }
        let window = Window::stored(&file, self.end, bytes.len() as u64, xxh3_64(&bytes));
        self.end += window.length;
        self.file = Some(file);
        Ok(window)
    }
}
