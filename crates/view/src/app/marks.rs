//! Marks: places of the file that a letter names.

use std::collections::BTreeMap;

/// The mark of the place from which the last jump began.
const BEFORE_JUMP: char = '\'';

#[derive(Default)]
pub(super) struct Marks {
    offsets: BTreeMap<char, u64>,
    /// A mark to set once the movements before it are done.
    unset: Option<char>,
}

impl Marks {
    pub(super) fn get(&self, letter: char) -> Option<u64> {
        self.offsets.get(&letter).copied()
    }

    /// Sets `letter` at the place to which the pending movements lead.
    pub(super) fn set_after_movements(&mut self, letter: char) {
        self.unset = Some(letter);
    }

    /// Removes a mark; returns whether there was one.
    pub(super) fn remove(&mut self, letter: char) -> bool {
        self.offsets.remove(&letter).is_some()
    }

    /// The movements have led to `offset`.
    pub(super) fn arrive(&mut self, offset: u64) {
        if let Some(letter) = self.unset.take() {
            self.offsets.insert(letter, offset);
        }
    }

    pub(super) fn leave(&mut self, offset: u64) {
        self.offsets.insert(BEFORE_JUMP, offset);
    }
}
