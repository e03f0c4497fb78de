//! The windows of places where decoding can be taken up again: compressed, and in a file, since those of a large text are more
//! than belongs into memory.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use xxhash_rust::xxh3::xxh3_64;

use crate::source::file::FileSource;
use crate::source::limit;
use crate::source::{Source, read_full};

/// The most text that a window may hold, in bytes.
const LARGEST: usize = 8 << 20;

/// How hard windows are compressed: beyond this zstd takes much longer for little.
const LEVEL: i32 = 3;

/// From how many bytes on a window is compressed beside the decoding: that takes longer than to start a thread.
const BESIDE: usize = 256 << 10;

/// Bytes of stack for that: zstd has its tables on the heap.
const STACK: usize = 512 << 10;

/// Where a window lies in its file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    at: u64,
    /// Bytes in the file.
    pub(super) length: u64,
    /// A hash of them.
    pub(super) sum: u64,
}

/// A window on its way into the file, or there.
#[derive(Debug)]
enum State {
    UnderWay(JoinHandle<io::Result<Kept>>),
    /// `None` where it could not be written.
    Done(Option<Kept>),
}

/// The text before a place, in a file.
#[derive(Clone, Debug)]
pub struct Window {
    file: Arc<FileSource>,
    state: Arc<Mutex<State>>,
}

impl Window {
    fn new(file: &Arc<FileSource>, state: State) -> Self {
        Window { file: Arc::clone(file), state: Arc::new(Mutex::new(state)) }
    }

    /// The window of `length` bytes at `at` of `file` that have this hash.
    pub(super) fn stored(file: &Arc<FileSource>, at: u64, length: u64, sum: u64) -> Self {
        Window::new(file, State::Done(Some(Kept { at, length, sum })))
    }

    /// Where it is, once it is there; `None` if it could not be written.
    pub(super) fn kept(&self) -> Option<Kept> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = match std::mem::replace(&mut *state, State::Done(None)) {
            State::UnderWay(thread) => thread.join().ok().and_then(Result::ok),
            State::Done(kept) => kept,
        };
        *state = State::Done(kept);
        kept
    }

    /// The text.
    ///
    /// # Errors
    /// Those of writing and reading it, and `InvalidData` when it is not what was kept.
    pub(super) fn text(&self) -> io::Result<Vec<u8>> {
        zstd::bulk::decompress(&self.bytes()?, LARGEST)
    }

    /// Its bytes as they are kept.
    pub(super) fn bytes(&self) -> io::Result<Vec<u8>> {
        let kept = self.kept().ok_or_else(|| io::Error::other("a window could not be written"))?;
        let mut bytes = vec![0; usize::try_from(kept.length).map_err(io::Error::other)?.min(LARGEST)];
        let got = read_full(&*self.file, &mut bytes, kept.at)?;
        if got < bytes.len() || xxh3_64(&bytes) != kept.sum {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a window is damaged"));
        }
        Ok(bytes)
    }
}

/// Where windows are put as they are learned: an unnamed temporary file.
#[derive(Clone, Debug, Default)]
pub(super) struct Windows {
    file: Option<Arc<FileSource>>,
    last: Option<Window>,
}

impl Windows {
    /// Keeps `text`. A large one is compressed and written while decoding goes on; the next waits for that, so that there is
    /// never more than one in memory.
    pub(super) fn keep(&mut self, text: &[u8]) -> io::Result<Window> {
        if limit::is_file_size_limited() {
            return Err(io::Error::other("the size of files is limited"));
        }
        let file = match &self.file {
            Some(file) => Arc::clone(file),
            None => Arc::new(FileSource::new(tempfile::tempfile()?)?.with_size(u64::MAX)),
        };
        let at = match self.last.as_ref().map(Window::kept) {
            None => 0,
            Some(Some(kept)) => kept.at + kept.length,
            Some(None) => return Err(io::Error::other("the window before could not be written")),
        };
        let state = match (text.len() >= BESIDE).then(|| write_beside(&file, at, text)) {
            Some(Ok(thread)) => State::UnderWay(thread),
            // Where no more threads can be had, it is done here.
            _ => State::Done(Some(write(&file, at, text)?)),
        };
        let window = Window::new(&file, state);
        (self.file, self.last) = (Some(file), Some(window.clone()));
        Ok(window)
    }
}

fn write_beside(file: &Arc<FileSource>, at: u64, text: &[u8]) -> io::Result<JoinHandle<io::Result<Kept>>> {
    let (file, text) = (Arc::clone(file), text.to_vec());
    thread::Builder::new().stack_size(STACK).spawn(move || write(&file, at, &text))
}

/// Compresses `text` and writes it at the end of `file`, which is at `at`.
fn write(file: &FileSource, at: u64, text: &[u8]) -> io::Result<Kept> {
    let bytes = zstd::bulk::compress(text, LEVEL)?;
    if let Some((mut writer, _)) = file.info().file {
        writer.write_all(&bytes)?;
    }
    Ok(Kept { at, length: bytes.len() as u64, sum: xxh3_64(&bytes) })
}

#[cfg(test)]
impl Windows {
    /// Those of a file that cannot be written.
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
        let texts: Vec<Vec<u8>> = [1, 100, BESIDE - 1, BESIDE, 3 * BESIDE, 7, LARGEST]
            .iter()
            .map(|size| {
                (0..*size).map(|n| u8::try_from((n % 251 * (n % 251) + size) % 251).unwrap()).collect()
            })
            .collect();
        let kept: Vec<Window> = texts.iter().map(|text| windows.keep(text).unwrap()).collect();
        for (window, text) in kept.iter().zip(&texts).rev() {
            assert!(window.clone().text().unwrap() == *text);
        }
    }

    #[test]
    fn what_could_not_be_written_is_no_window_and_no_others_follow() {
        for size in [100, BESIDE] {
            let mut windows = Windows::unwritable();
            let text = vec![b'x'; size];
            if let Ok(window) = windows.keep(&text) {
                assert!(window.text().is_err());
            }
            assert!(windows.keep(&text).is_err());
        }
    }
}
