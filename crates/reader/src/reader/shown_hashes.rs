//! The hashes of the lines that were shown, for whoever keeps them.

use std::sync::PoisonError;

use rread_text::hashline::Anchor;

use super::Reader;

impl Reader {
    /// Notes that a line was shown with its hash.
    pub fn note_hash(&self, anchor: Anchor) {
        self.shown_hashes.lock().unwrap_or_else(PoisonError::into_inner).note(anchor);
    }

    /// The anchors that were shown since the last call; none if they are too many to be kept.
    pub fn take_hashes(&self) -> Vec<Anchor> {
        let mut shown = self.shown_hashes.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *shown).into_anchors()
    }
}
