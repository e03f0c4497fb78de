//! The last of the text in memory: room for what comes, and what is dropped for it.

use super::{BEFORE, DecodedStream, ROOM};

/// Bytes of text in memory: a step back within them costs nothing.
const MEMORY: usize = 1 << 20;

/// The most of that which stays when it is full: what a reader has just been given, and more.
const KEPT: usize = 384 << 10;

impl DecodedStream {
    /// Makes room for what the decoder gives next.
    pub(super) fn make_room(&mut self) {
        if self.memory.is_empty() {
            // The first lines of a file need little; most files are not read further.
            self.memory.resize(2 * ROOM, 0);
        }
        if self.memory.len() - self.filled < ROOM {
            self.drop_unwanted();
        }
    }

    /// Makes room for a read of `length` bytes at `offset`, now that little has to be moved for that.
    pub(super) fn make_way(&mut self, offset: u64, length: usize) {
        let there = usize::try_from(self.end().saturating_sub(offset)).unwrap_or(usize::MAX);
        let needed = length.saturating_sub(there).saturating_add(ROOM);
        if self.memory.len() >= MEMORY && self.memory.len() - self.filled < needed && there < KEPT / 2 {
            self.drop_unwanted();
        }
    }

    /// Moves the last of the text to the front: what is wanted, or what a checkpoint that is due will need if that is more. Memory
    /// grows first.
    fn drop_unwanted(&mut self) {
        let since = |from: u64| usize::try_from(self.end().saturating_sub(from)).unwrap_or(usize::MAX);
        let window = self.decoder.window();
        let needed = since(self.checkpoints.due_at(window).saturating_sub(window as u64)).min(window);
        let kept = since(self.wanted).clamp(BEFORE, KEPT).max(needed).min(self.filled);
        let most = MEMORY.max(kept + 2 * ROOM);
        if self.memory.len() < most {
            self.memory.resize(most.min(self.memory.len() * 2), 0);
            return;
        }
        self.memory.copy_within(self.filled - kept..self.filled, 0);
        self.start += (self.filled - kept) as u64;
        self.filled = kept;
        // What a window took is given back, to stay in the processor's cache.
        self.memory.truncate(most);
    }
}
