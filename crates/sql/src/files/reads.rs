//! What a query read of its files.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::head::Head;
use super::version::SetVersion;
use crate::text::Noted;
use rread_text::error::Error;

/// Counts for the receipt, from all threads.
#[derive(Default)]
pub(crate) struct Reads {
    pub bytes: AtomicU64,
    pub files: AtomicU64,
    listed: AtomicU64,
    skipped: AtomicU64,
    directories_skipped: AtomicU64,
    empty: AtomicU64,
    size: AtomicU64,
    invalid: Mutex<Option<(u64, u64)>>,
    unreadable: Mutex<Noted>,
    version: Mutex<SetVersion>,
}

/// The reads of one process for a query.
#[cfg(feature = "cluster")]
pub(crate) struct MoreRead {
    pub bytes: u64,
    pub files: u64,
    pub empty: u64,
    /// How many sequences, and the offset of the first.
    pub invalid: Option<(u64, u64)>,
    pub unreadable: Noted,
}

/// The files of a query.
#[derive(Clone, Debug)]
pub struct FilesSummary {
    /// All that the command line means.
    pub files: u64,
    pub read: u64,
    /// Those that `_file` or a partition excludes.
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

impl Reads {
    /// How many files the query excludes.
    pub fn excluded(&self) -> u64 {
        self.skipped.load(Ordering::Relaxed)
    }

    pub fn note_listed(&self, all: usize, kept: usize, directories_skipped: usize) {
        self.directories_skipped.store(directories_skipped as u64, Ordering::Relaxed);
        self.listed.store(all as u64, Ordering::Relaxed);
        self.skipped.store(all.saturating_sub(kept) as u64, Ordering::Relaxed);
    }

    pub fn note_empty(&self) {
        self.empty.fetch_add(1, Ordering::Relaxed);
    }

    pub fn note_unreadable(&self, error: &Error) {
        let mut noted = self.unreadable.lock().unwrap_or_else(PoisonError::into_inner);
        noted.count += 1;
        noted.first.get_or_insert_with(|| error.clone());
    }

    /// Adds what another process read.
    #[cfg(feature = "cluster")]
    pub fn add(&self, more: MoreRead) {
        self.bytes.fetch_add(more.bytes, Ordering::Relaxed);
        self.files.fetch_add(more.files, Ordering::Relaxed);
        self.empty.fetch_add(more.empty, Ordering::Relaxed);
        self.add_invalid(more.invalid);
        self.unreadable.lock().unwrap_or_else(PoisonError::into_inner).add(more.unreadable);
    }

    /// The counts so far, for another process.
    #[cfg(feature = "cluster")]
    pub fn so_far(&self) -> MoreRead {
        let number = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        MoreRead {
            bytes: number(&self.bytes),
            files: number(&self.files),
            empty: number(&self.empty),
            invalid: self.invalid(),
            unreadable: self.unreadable.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }

    pub fn note_version(&self, head: &Head) {
        self.size.fetch_add(head.size.unwrap_or_default(), Ordering::Relaxed);
        let mut set = self.version.lock().unwrap_or_else(PoisonError::into_inner);
        set.add(head.path.clone(), head.version.as_deref());
    }

    pub(super) fn set(&self) -> SetVersion {
        self.version.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn add_invalid(&self, more: Option<(u64, u64)>) {
        let Some((count, first)) = more else { return };
        let mut invalid = self.invalid.lock().unwrap_or_else(PoisonError::into_inner);
        let (all, _) = invalid.get_or_insert((0, first));
        *all += count;
    }

    pub fn invalid(&self) -> Option<(u64, u64)> {
        *self.invalid.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn summary(&self) -> FilesSummary {
        let number = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        FilesSummary {
            files: number(&self.listed),
            read: number(&self.files),
            skipped: number(&self.skipped),
            directories_skipped: number(&self.directories_skipped),
            empty: number(&self.empty),
            unreadable: self.unreadable.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            size: number(&self.size),
            version: self.set().word(),
        }
    }
}
