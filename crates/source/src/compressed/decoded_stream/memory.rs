//! The last decoded text in memory: makes room for the next step, and drops old text for it.

use super::{BEFORE, DecodedStream, ROOM};

/// Bytes of memory for text: a step back within them is free.
const MEMORY: usize = 1 << 20;

/// The most text that stays when memory is full: more than a reader has just read.
const KEPT: usize = 384 << 10;

impl DecodedStream {
    pub(super) fn make_room(&mut self) {
        if self.memory.is_empty() {
            // Most requests read only the first lines.
            self.memory = vec![0; 2 * ROOM];
        }
        if self.memory.len() - self.filled < ROOM {
            self.drop_old_text();
        }
    }

    /// Makes room for a read of `length` bytes at `offset`, while there is little text to move.
    pub(super) fn make_room_for_read(&mut self, offset: u64, length: usize) {
        let there = usize::try_from(self.end().saturating_sub(offset)).unwrap_or(usize::MAX);
        let needed = length.saturating_sub(there).saturating_add(ROOM);
        if self.memory.len() >= MEMORY && self.memory.len() - self.filled < needed && there < KEPT / 2 {
            self.drop_old_text();
        }
    }

    /// Grows memory, or else keeps only its last text: enough to step back, and for the next checkpoint's window.
    fn drop_old_text(&mut self) {
        let since = |from: u64| usize::try_from(self.end().saturating_sub(from)).unwrap_or(usize::MAX);
        let window = self.decoder.window();
        let needed = since(self.checkpoints.due_at(window).saturating_sub(window as u64)).min(window);
        let kept = since(self.kept_from).clamp(BEFORE, KEPT).max(needed).min(self.filled);
        let most = MEMORY.max(kept + 2 * ROOM);
        if self.memory.len() < most {
            self.memory.resize(most.min(self.memory.len() * 2), 0);
            return;
        }
        self.memory.copy_within(self.filled - kept..self.filled, 0);
        self.start += (self.filled - kept) as u64;
        self.filled = kept;
        // Shrink again after a large window, to stay in the processor's cache.
        self.memory.truncate(most);
    }
}
