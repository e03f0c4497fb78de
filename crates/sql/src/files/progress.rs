//! How much of the files a query has read, for a display: stored bytes, which are known before a file is decoded.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::iter::Sum;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rread_source::access::Watch;

/// Counts each byte of each file once, however often a query reads it.
#[derive(Clone, Default)]
pub struct FilesProgress(Arc<Counts>);

#[derive(Default)]
struct Counts {
    /// Of each file, by its place, the bytes that were read so far.
    read: Mutex<HashMap<usize, u64>>,
    bytes: Arc<AtomicU64>,
    total: AtomicU64,
    done: AtomicU64,
    files: AtomicU64,
    /// The counts of other processes that read a part of the files, by a number of each.
    elsewhere: Mutex<HashMap<usize, Passed>>,
}

/// Stored bytes that were read, and files that were read to where the query needs them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Passed {
    pub bytes: u64,
    pub done: u64,
}

impl Sum for Passed {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Passed::default(), |one, other| Passed {
            bytes: one.bytes.saturating_add(other.bytes),
            done: one.done.saturating_add(other.done),
        })
    }
}

/// What was read at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilesRead {
    pub bytes: u64,
    /// The stored bytes of all files, if they are known.
    pub total: Option<u64>,
    /// The files that were read to where the query needs them.
    pub done: u64,
    pub files: u64,
}

impl FilesProgress {
    /// The stored bytes that were read so far.
    pub fn bytes(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.0.bytes)
    }

    /// What was read so far; never more than there is.
    pub fn read(&self) -> FilesRead {
        let number = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let total = Some(number(&self.0.total)).filter(|total| *total > 0);
        let files = number(&self.0.files);
        let Passed { bytes, done } = self.elsewhere().values().copied().chain([self.passed()]).sum();
        FilesRead {
            bytes: total.map_or(bytes, |total| bytes.min(total)),
            total,
            done: done.min(files),
            files,
        }
    }

    /// The counts of this process.
    pub(crate) fn passed(&self) -> Passed {
        let number = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Passed { bytes: number(&self.0.bytes), done: number(&self.0.done) }
    }

    /// The counts of another process, which has the number `nth`.
    #[cfg(feature = "cluster")]
    pub(crate) fn set_elsewhere(&self, nth: usize, passed: Passed) {
        self.elsewhere().insert(nth, passed);
    }

    fn elsewhere(&self) -> MutexGuard<'_, HashMap<usize, Passed>> {
        self.0.elsewhere.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins with files of these sizes.
    pub(super) fn begin(&self, sizes: &[Option<u64>]) {
        self.0.files.store(sizes.len() as u64, Ordering::Relaxed);
        let total: Option<u64> = sizes.iter().copied().sum();
        self.0.total.store(total.unwrap_or_default(), Ordering::Relaxed);
        self.elsewhere().clear();
    }

    /// A watch of the file at `place`.
    pub(crate) fn watch(&self, place: usize, size: Option<u64>) -> Arc<dyn Watch> {
        Arc::new(FileWatch { progress: self.clone(), place, size, read: AtomicU64::new(0) })
    }

    /// The query needs no more of the file at `place`.
    pub(crate) fn finish(&self, place: usize, size: Option<u64>) {
        let is_new = self.note(place, size.unwrap_or_default(), true);
        self.0.done.fetch_add(u64::from(is_new), Ordering::Relaxed);
    }

    /// Notes that the file at `place` was read up to `read`. Returns whether it is finished for the first time.
    fn note(&self, place: usize, read: u64, is_end: bool) -> bool {
        // No file is larger.
        const FINISHED: u64 = u64::MAX;
        let mut all = self.0.read.lock().unwrap_or_else(PoisonError::into_inner);
        let before = all.entry(place).or_default();
        if *before == FINISHED {
            return false;
        }
        self.0.bytes.fetch_add(read.saturating_sub(*before), Ordering::Relaxed);
        *before = if is_end { FINISHED } else { read.max(*before) };
        is_end
    }
}

impl fmt::Debug for FilesProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.read().fmt(f)
    }
}

#[derive(Debug)]
struct FileWatch {
    progress: FilesProgress,
    place: usize,
    size: Option<u64>,
    read: AtomicU64,
}

impl Watch for FileWatch {
    fn check(&self) -> io::Result<()> {
        Ok(())
    }

    fn report_read(&self, bytes: u64) {
        let read = self.read.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        self.progress.note(self.place, self.size.map_or(read, |size| read.min(size)), false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_read_twice_count_once() {
        let progress = FilesProgress::default();
        let (first, second, empty) = (Some(100), Some(50), Some(0));
        progress.begin(&[first, second, empty]);
        let is = |bytes, done| {
            assert_eq!(progress.read(), FilesRead { bytes, total: Some(150), done, files: 3 });
        };
        let watch = progress.watch(0, first);
        for (more, bytes) in [(60, 60), (30, 90), (500, 100), (1, 100)] {
            watch.report_read(more);
            is(bytes, 0);
        }
        progress.finish(0, first);
        progress.watch(0, first).report_read(70);
        progress.finish(0, first);
        is(100, 1);
        // A LIMIT may need only the beginning.
        progress.watch(1, second).report_read(10);
        progress.finish(1, second);
        progress.finish(2, empty);
        is(150, 3);
        let unknown = FilesProgress::default();
        unknown.begin(&[None]);
        unknown.watch(0, None).report_read(7);
        assert_eq!(unknown.read(), FilesRead { bytes: 7, total: None, done: 0, files: 1 });
    }
}
