//! The memory of a search: an unfinished line, and directly after it the block that was read last.

/// A block lies as far into a page as its offset does in the file, so that the kernel's copy into it is fast.
const PAGE: usize = 4096;

/// Bytes for an unfinished line, at first.
const FRONT: usize = 16 * PAGE;

/// Consecutive bytes of a file.
#[derive(Debug, Default)]
pub(super) struct ByteWindow {
    memory: Vec<u8>,
    first: usize,
    block: usize,
    end: usize,
    /// The offset of the first byte in the file.
    start: u64,
}

impl ByteWindow {
    /// Forgets everything; the next bytes are those at `start`.
    pub(super) fn clear(&mut self, start: u64) {
        (self.first, self.block, self.end, self.start) = (0, 0, 0, start);
    }

    /// The offset of the first byte.
    pub(super) fn start(&self) -> u64 {
        self.start
    }

    pub(super) fn text(&self) -> &[u8] {
        &self.memory[self.first..self.end]
    }

    /// The rest of the block that was read last.
    pub(super) fn block(&self) -> &[u8] {
        &self.memory[self.block.max(self.first)..self.end]
    }

    pub(super) fn len(&self) -> usize {
        self.end - self.first
    }

    pub(super) fn is_empty(&self) -> bool {
        self.first == self.end
    }

    /// Room for a block of `len` bytes that follow the others, at `offset` of the file.
    pub(super) fn extend(&mut self, offset: u64, len: usize) -> &mut [u8] {
        let kept = self.len();
        // Small files are many, and clearing memory is most of the time that one takes.
        let least = FRONT.min(len.next_multiple_of(PAGE));
        let needed = kept.next_multiple_of(PAGE).max(least) + len + 2 * PAGE;
        if self.memory.len() < needed {
            // Not `resize`, which would write the zeroes.
            let mut memory = vec![0; needed];
            memory[..kept].copy_from_slice(self.text());
            (self.memory, self.first) = (memory, 0);
        }
        let aligned = self.memory.as_ptr().align_offset(PAGE).min(PAGE);
        let within = usize::try_from(offset % PAGE as u64).unwrap_or(0);
        let front = kept.saturating_sub(within).next_multiple_of(PAGE);
        self.block = aligned + front + within;
        self.memory.copy_within(self.first..self.first + kept, self.block - kept);
        (self.first, self.end) = (self.block - kept, self.block + len);
        &mut self.memory[self.block..self.end]
    }

    /// Keeps `len` bytes of the block.
    pub(super) fn truncate_block(&mut self, len: usize) {
        self.end = self.end.min(self.block + len);
    }

    /// Drops `len` bytes at the front.
    pub(super) fn consume(&mut self, len: usize) {
        self.first += len;
        self.start += len as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_stay_together_whatever_is_consumed() {
        let file: Vec<u8> = (0..200_000u32).map(|n| n.to_le_bytes()[0] ^ n.to_le_bytes()[1]).collect();
        for (block, consumed) in [(1, 1), (4096, 1), (5000, 4999), (70_000, 10), (65_536, 65_000), (999, 0)] {
            let mut window = ByteWindow::default();
            window.clear(0);
            let (mut at, mut steps) = (0, 0);
            while at < file.len() && steps < 300 {
                let len = block.min(file.len() - at);
                let room = window.extend(at as u64, len);
                assert_eq!(room.as_ptr().addr() % PAGE, at % PAGE);
                room.copy_from_slice(&file[at..at + len]);
                at += len;
                let start = usize::try_from(window.start()).unwrap();
                assert_eq!(window.text(), &file[start..at]);
                assert_eq!(window.block(), &file[at - len..at]);
                window.consume(consumed.min(window.len()));
                steps += 1;
            }
        }
    }
}
