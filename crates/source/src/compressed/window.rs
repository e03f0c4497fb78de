//! The windows of checkpoints, compressed and in a file: those of a large text do not belong into memory.

use std::io::{self, Write};
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use crate::file::FileSource;
use crate::{Source, limits, read_full};

/// Bytes of text in the largest window.
const MAX_WINDOW: usize = 8 << 20;

/// The compression level: higher levels take much longer for little.
const LEVEL: i32 = 3;

#[derive(Clone, Copy, Debug)]
pub(super) struct WindowSpan {
    pub(super) at: u64,
    pub(super) length: u64,
    /// A hash of the compressed window.
    pub(super) sum: u64,
}

#[derive(Clone, Debug)]
pub struct Window {
    pub(super) file: Arc<FileSource>,
    pub(super) span: WindowSpan,
}

impl Window {
    pub(super) fn text(&self) -> io::Result<Vec<u8>> {
        zstd::bulk::decompress(&self.bytes()?, MAX_WINDOW)
    }

    pub(super) fn bytes(&self) -> io::Result<Vec<u8>> {
        let span = self.span;
        let mut bytes = vec![0; usize::try_from(span.length).map_err(io::Error::other)?.min(MAX_WINDOW)];
        let got = read_full(&*self.file, &mut bytes, span.at)?;
        if got < bytes.len() || xxh3_64(&bytes) != span.sum {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a window is damaged"));
        }
        Ok(bytes)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Windows {
    file: Option<Arc<FileSource>>,
    /// The bytes that were written.
    length: u64,
}

impl Windows {
    /// Stores `text` at the end of the file.
    pub(super) fn store(&mut self, text: &[u8]) -> io::Result<Window> {
        if limits::is_file_size_limited() {
            return Err(io::Error::other("the size of files is limited"));
        }
        let file = match &self.file {
            Some(file) => Arc::clone(file),
            None => Arc::new(FileSource::new(tempfile::tempfile()?)?.with_size(u64::MAX)),
        };
        let bytes = zstd::bulk::compress(text, LEVEL)?;
        if let Some((mut writer, _)) = file.info().file {
            writer.write_all(&bytes)?;
        }
        let span = WindowSpan { at: self.length, length: bytes.len() as u64, sum: xxh3_64(&bytes) };
        self.length += span.length;
        self.file = Some(Arc::clone(&file));
        Ok(Window { file, span })
    }
}

#[cfg(test)]
impl Windows {
    pub(super) fn unwritable() -> Self {
        let file = FileSource::new(std::fs::File::open("Cargo.toml").unwrap()).unwrap();
        Windows { file: Some(Arc::new(file)), length: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_of_any_size_come_back() {
        let mut windows = Windows::default();
        let texts: Vec<Vec<u8>> = [1, 100, 256 << 10, 768 << 10, 7, MAX_WINDOW]
            .iter()
            .map(|size| {
                (0..*size).map(|n| u8::try_from((n % 251 * (n % 251) + size) % 251).unwrap()).collect()
            })
            .collect();
        let stored: Vec<Window> = texts.iter().map(|text| windows.store(text).unwrap()).collect();
        for (window, text) in stored.iter().zip(&texts).rev() {
            assert!(window.clone().text().unwrap() == *text);
        }
    }

    #[test]
    fn after_a_failed_write_no_window_is_saved() {
        for size in [100, 256 << 10] {
            let mut windows = Windows::unwritable();
            let text = vec![b'x'; size];
            if let Ok(window) = windows.store(&text) {
                assert!(window.text().is_err());
            }
            assert!(windows.store(&text).is_err());
        }
    }
}
