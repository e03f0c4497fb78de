//! The windows of checkpoints, compressed and in a file: those of a large text do not belong into memory.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use xxhash_rust::xxh3::xxh3_64;

use crate::file::FileSource;
use crate::{Source, limits, read_full};

/// Bytes of text in the largest window.
const MAX_WINDOW: usize = 8 << 20;

/// The compression level: higher levels take much longer for little.
const LEVEL: i32 = 3;

/// Bytes from which a window is compressed by another thread: compressing takes longer than starting the thread.
const IN_BACKGROUND: usize = 256 << 10;

/// Bytes of that thread's stack: zstd has its tables on the heap.
const STACK: usize = 512 << 10;

#[derive(Clone, Copy, Debug)]
pub(super) struct WindowSpan {
    pub(super) at: u64,
    pub(super) length: u64,
    /// A hash of the compressed window.
    pub(super) sum: u64,
}

#[derive(Debug)]
enum WindowWrite {
    UnderWay(JoinHandle<io::Result<WindowSpan>>),
    /// `None` if it failed.
    Done(Option<WindowSpan>),
}

#[derive(Clone, Debug)]
pub struct Window {
    file: Arc<FileSource>,
    write: Arc<Mutex<WindowWrite>>,
}

impl Window {
    fn new(file: &Arc<FileSource>, write: WindowWrite) -> Self {
        Window { file: Arc::clone(file), write: Arc::new(Mutex::new(write)) }
    }

    pub(super) fn stored(file: &Arc<FileSource>, span: WindowSpan) -> Self {
        Window::new(file, WindowWrite::Done(Some(span)))
    }

    /// Waits until the window is written; `None` if that failed.
    pub(super) fn span(&self) -> Option<WindowSpan> {
        let mut write = self.write.lock().unwrap_or_else(PoisonError::into_inner);
        let span = match std::mem::replace(&mut *write, WindowWrite::Done(None)) {
            WindowWrite::UnderWay(thread) => thread.join().ok().and_then(Result::ok),
            WindowWrite::Done(span) => span,
        };
        *write = WindowWrite::Done(span);
        span
    }

    pub(super) fn text(&self) -> io::Result<Vec<u8>> {
        zstd::bulk::decompress(&self.bytes()?, MAX_WINDOW)
    }

    pub(super) fn bytes(&self) -> io::Result<Vec<u8>> {
        let span = self.span().ok_or_else(|| io::Error::other("a window could not be written"))?;
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
    last: Option<Window>,
}

impl Windows {
    /// Stores `text`. A large one is written in the background; the next call waits, so at most one is in memory.
    pub(super) fn store(&mut self, text: &[u8]) -> io::Result<Window> {
        if limits::is_file_size_limited() {
            return Err(io::Error::other("the size of files is limited"));
        }
        let file = match &self.file {
            Some(file) => Arc::clone(file),
            None => Arc::new(FileSource::new(tempfile::tempfile()?)?.with_size(u64::MAX)),
        };
        let at = match self.last.as_ref().map(Window::span) {
            None => 0,
            Some(Some(span)) => span.at + span.length,
            Some(None) => return Err(io::Error::other("the window before could not be written")),
        };
        let write = match (text.len() >= IN_BACKGROUND).then(|| write_in_background(&file, at, text)) {
            Some(Ok(thread)) => WindowWrite::UnderWay(thread),
            // No thread is needed, or none can be started.
            _ => WindowWrite::Done(Some(write(&file, at, text)?)),
        };
        let window = Window::new(&file, write);
        (self.file, self.last) = (Some(file), Some(window.clone()));
        Ok(window)
    }
}

fn write_in_background(
    file: &Arc<FileSource>,
    at: u64,
    text: &[u8],
) -> io::Result<JoinHandle<io::Result<WindowSpan>>> {
    let (file, text) = (Arc::clone(file), text.to_vec());
    thread::Builder::new().stack_size(STACK).spawn(move || write(&file, at, &text))
}

/// Compresses `text` and writes it at the end of `file`, which is at `at`.
fn write(file: &FileSource, at: u64, text: &[u8]) -> io::Result<WindowSpan> {
    let bytes = zstd::bulk::compress(text, LEVEL)?;
    if let Some((mut writer, _)) = file.info().file {
        writer.write_all(&bytes)?;
    }
    Ok(WindowSpan { at, length: bytes.len() as u64, sum: xxh3_64(&bytes) })
}

#[cfg(test)]
impl Windows {
    pub(super) fn unwritable() -> Self {
        let file = FileSource::new(std::fs::File::open("Cargo.toml").unwrap()).unwrap();
        Windows { file: Some(Arc::new(file)), last: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_of_any_size_come_back() {
        let mut windows = Windows::default();
        let texts: Vec<Vec<u8>> =
            [1, 100, IN_BACKGROUND - 1, IN_BACKGROUND, 3 * IN_BACKGROUND, 7, MAX_WINDOW]
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
        for size in [100, IN_BACKGROUND] {
            let mut windows = Windows::unwritable();
            let text = vec![b'x'; size];
            if let Ok(window) = windows.store(&text) {
                assert!(window.text().is_err());
            }
            assert!(windows.store(&text).is_err());
        }
    }
}
