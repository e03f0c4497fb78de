//! What a query read of its files: counts for the receipt, and the progress for a display.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use crate::stream::TableFile;
use crate::text::Noted;
use rread_source::access::Watch;
use rread_text::{Error, counted};

/// The files of a query, and what was read of them.
#[derive(Default)]
pub struct Reads {
    /// The only file, which counts by itself.
    only: Option<Arc<TableFile>>,
    counts: Mutex<ReadCounts>,
    listed: Mutex<ListedFiles>,
}

/// Counts of the reads of one process for a query.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct ReadCounts {
    pub bytes: u64,
    pub files: u64,
    pub empty: u64,
    /// The number of invalid sequences, and the offset of the first one in its file.
    pub invalid: Option<(u64, u64)>,
    pub unreadable: Noted,
}

/// The files that a query may read.
#[derive(Default)]
struct ListedFiles {
    all: u64,
    excluded: u64,
    directories_excluded: u64,
    size: u64,
    version: SetVersion,
}

/// The files of a query.
#[derive(Clone, Debug)]
pub struct FilesSummary {
    /// All that the command line means.
    pub files: u64,
    pub read: u64,
    /// Files that `_file` or a partition excludes.
    pub skipped: u64,
    /// Directories of a store whose files were not listed.
    pub directories_skipped: u64,
    pub empty: u64,
    pub unreadable: Noted,
    /// The bytes of those that were looked at.
    pub size: u64,
    /// Of the names and versions of those that were looked at or listed; `None` if one has no version.
    pub version: Option<String>,
}

impl ReadCounts {
    pub fn add(&mut self, more: ReadCounts) {
        self.bytes += more.bytes;
        self.files += more.files;
        self.empty += more.empty;
        if let Some((count, first)) = more.invalid {
            self.invalid.get_or_insert((0, first)).0 += count;
        }
        self.unreadable.add(more.unreadable);
    }
}

impl Reads {
    /// The reads of a table of one file.
    pub(super) fn of_file(file: &Arc<TableFile>) -> Arc<Self> {
        Arc::new(Reads { only: Some(Arc::clone(file)), ..Reads::default() })
    }

    pub(crate) fn only(&self) -> Option<&Arc<TableFile>> {
        self.only.as_ref()
    }

    /// The counts so far, to which more can be added.
    pub fn counts(&self) -> MutexGuard<'_, ReadCounts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn listed(&self) -> MutexGuard<'_, ListedFiles> {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes that were read.
    pub(crate) fn bytes(&self) -> u64 {
        self.only.as_ref().map_or_else(|| self.counts().bytes, |file| file.bytes())
    }

    /// The number of invalid sequences, and the offset of the first one in its file.
    pub(crate) fn invalid(&self) -> Option<(u64, u64)> {
        self.only.as_ref().map_or_else(|| self.counts().invalid, |file| file.invalid())
    }

    pub(super) fn note_listed(&self, all: usize, kept: usize, directories_excluded: usize) {
        let mut listed = self.listed();
        listed.all = all as u64;
        listed.excluded = all.saturating_sub(kept) as u64;
        listed.directories_excluded = directories_excluded as u64;
    }

    pub(super) fn note_unreadable(&self, error: Error) {
        self.counts().unreadable.add(Noted { count: 1, first: Some(error), line: None });
    }

    pub(super) fn note_version(&self, path: &Path, size: Option<u64>, version: Option<&str>) {
        let mut listed = self.listed();
        listed.size += size.unwrap_or_default();
        listed.version.add(path, version);
    }

    /// The version of all files, and how many files the query excludes.
    pub(super) fn version(&self) -> (SetVersion, u64) {
        let listed = self.listed();
        (listed.version.clone(), listed.excluded)
    }

    /// The files of a table of many.
    pub(crate) fn summary(&self) -> Option<FilesSummary> {
        if self.only.is_some() {
            return None;
        }
        let ReadCounts { files: read, empty, unreadable, .. } = self.counts().clone();
        let listed = self.listed();
        Some(FilesSummary {
            files: listed.all,
            read,
            skipped: listed.excluded,
            directories_skipped: listed.directories_excluded,
            empty,
            unreadable,
            size: listed.size,
            version: listed.version.word(),
        })
    }
}

/// No version of a file begins with this letter, nor that of a merge.
const MARK: char = 'y';

/// How many files a set has, and the sum of a hash of the name and the version of each; `None` of a set in which a file has no version.
#[derive(Clone, Debug, Default)]
pub(super) struct SetVersion {
    files: u64,
    sum: u64,
    lacks_one: bool,
}

impl SetVersion {
    pub fn add(&mut self, path: &Path, version: Option<&str>) {
        let mut hash = Xxh3::new();
        hash.update(path.as_os_str().as_encoded_bytes());
        hash.update(&[0]);
        hash.update(version.unwrap_or_default().as_bytes());
        self.files += 1;
        self.sum = self.sum.wrapping_add(hash.digest());
        self.lacks_one |= version.is_none();
    }

    /// The word for receipts.
    pub fn word(&self) -> Option<String> {
        (!self.lacks_one).then(|| format!("{MARK}{:x}x{:016x}", self.files, self.sum))
    }

    /// How the files differ from those of the version `word`; `None` if they are the same. The error is for another word.
    pub fn difference(&self, word: &str) -> Result<Option<String>, ()> {
        let number = |digits: &str| u64::from_str_radix(digits, 16).map_err(drop);
        let (files, sum) = word.strip_prefix(MARK).and_then(|rest| rest.split_once('x')).ok_or(())?;
        let (files, sum) = (number(files)?, number(sum)?);
        let all = counted(self.files, "file");
        Ok(match files == self.files {
            true if sum == self.sum => None,
            true => Some(format!("of {all}, some changed or are other ones")),
            false => Some(format!("now {all}, then {files}")),
        })
    }
}

/// How much of the files was read so far.
#[derive(Clone, Default)]
pub struct FilesProgress(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    bytes: Arc<AtomicU64>,
    total: AtomicU64,
    done: AtomicU64,
    files: AtomicU64,
}

/// The progress at one time.
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

    /// The progress so far; never more than there is.
    pub fn read(&self) -> FilesRead {
        let number = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let total = Some(number(&self.0.total)).filter(|total| *total > 0);
        let (bytes, files) = (number(&self.0.bytes), number(&self.0.files));
        let done = number(&self.0.done).min(files);
        FilesRead { bytes: total.map_or(bytes, |total| bytes.min(total)), total, done, files }
    }

    /// Begins with files of these sizes.
    pub(super) fn begin(&self, sizes: &[Option<u64>]) {
        self.0.files.store(sizes.len() as u64, Ordering::Relaxed);
        let total: Option<u64> = sizes.iter().copied().sum();
        self.0.total.store(total.unwrap_or_default(), Ordering::Relaxed);
    }

    /// A watch of a file.
    pub fn watch(&self) -> Arc<dyn Watch> {
        Arc::clone(&self.0) as _
    }

    /// The query needs no more of a file.
    pub fn finish(&self) {
        self.0.done.fetch_add(1, Ordering::Relaxed);
    }
}

impl fmt::Debug for FilesProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.read().fmt(f)
    }
}

impl Watch for Counts {
    fn check(&self) -> io::Result<()> {
        Ok(())
    }

    fn report_read(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_read_than_there_is() {
        let progress = FilesProgress::default();
        progress.begin(&[Some(100), Some(50)]);
        for (more, bytes) in [(60, 60), (30, 90), (500, 150)] {
            progress.watch().report_read(more);
            assert_eq!(progress.read(), FilesRead { bytes, total: Some(150), done: 0, files: 2 });
        }
        (0..3).for_each(|_| progress.finish());
        assert_eq!(progress.read(), FilesRead { bytes: 150, total: Some(150), done: 2, files: 2 });
        let unknown = FilesProgress::default();
        unknown.begin(&[None]);
        unknown.watch().report_read(7);
        assert_eq!(unknown.read(), FilesRead { bytes: 7, total: None, done: 0, files: 1 });
    }

    #[test]
    fn a_version_is_that_of_all_names_and_versions() {
        let set = |files: &[(&str, &str)]| {
            let mut set = SetVersion::default();
            files.iter().for_each(|(path, version)| set.add(Path::new(path), Some(version)));
            set
        };
        let then = [("a", "1"), ("b", "2"), ("c", "3")];
        let word = set(&then).word().unwrap();
        for (now, expected) in [
            (&then[..], None),
            (&[("c", "3"), ("a", "1"), ("b", "2")], None),
            (&[("a", "1"), ("b", "9"), ("c", "3")], Some("of 3 files, some changed or are other ones")),
            (&[("a", "1"), ("b", "2"), ("e", "3")], Some("of 3 files, some changed or are other ones")),
            (&[("a", "1"), ("c", "3")], Some("now 2 files, then 3")),
            (&[], Some("now 0 files, then 3")),
        ] {
            assert_eq!(set(now).difference(&word), Ok(expected.map(str::to_owned)), "{now:?}");
        }
        for other in ["", "y3", "y3x", "z123456789abcdef", "cAAAAAAAAAAAAAAA", "y3xé0000000000000"] {
            assert_eq!(set(&then).difference(other), Err(()), "{other}");
        }
        let mut without = set(&then);
        without.add(Path::new("d"), None);
        assert_eq!(without.word(), None);
    }
}
