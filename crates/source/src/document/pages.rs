//! The pages of a document, as its decoder sends them.

use rread_documents::protocol::Notice;
use rread_documents::sheets::Workbook;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a decoder has sent.
#[derive(Debug, Default)]
pub(super) struct Pages {
    /// How many the document has, from the decoder's first message on.
    pub(super) count: Option<u64>,
    /// Bytes of text so far.
    pub(super) text: u64,
    /// Where the text of each page ends.
    pub(super) ends: Vec<u64>,
    /// Number of pages with images and no text.
    pub(super) pictures: u64,
    /// What the text does not have, although the document may, with the name of each part.
    pub(super) notices: Vec<(Notice, String)>,
    /// The sheets of a workbook, if only one is decoded.
    pub(super) workbook: Workbook,
}

/// The most notices that are kept.
const MOST_NOTICES: usize = 20;

impl Pages {
    pub(super) fn note(&mut self, notice: Notice, part: String) {
        let notice = (notice, part);
        if self.notices.len() < MOST_NOTICES && !self.notices.contains(&notice) {
            self.notices.push(notice);
        }
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
