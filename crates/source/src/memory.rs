//! Bytes in memory: a source of them, and aligned buffers.

use std::io;
use std::ops::{Deref, DerefMut};

use crate::Source;

/// Bytes in memory, whose size is known from the start.
#[derive(Clone, Debug)]
pub struct MemorySource(Vec<u8>);

impl MemorySource {
    /// A source of exactly these bytes.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        MemorySource(bytes.into())
    }
}

impl Source for MemorySource {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|start| self.0.get(start..)).unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }

    fn size(&self) -> Option<u64> {
        Some(self.0.len() as u64)
    }
}

const PAGE: usize = 4096;

/// Memory for one read after another; it dereferences to the window of the last read.
/// AMD's Zen 3 and Zen 4 copy four to five times slower when the destination begins 1 to 31 bytes further into a page
/// than the source does. The page cache begins with a page; `malloc` puts large blocks 16 bytes after one.
#[derive(Debug, Default)]
pub struct Buffer {
    memory: Vec<u8>,
    start: usize,
    len: usize,
}

impl Buffer {
    /// A buffer with a window of `len` zeroes; the system allocates their pages at the first write.
    pub fn new(len: usize) -> Self {
        let mut buffer = Buffer::default();
        buffer.at(0, len);
        buffer
    }

    /// A window of `len` arbitrary bytes for a read at `offset`: it begins as far into a page as the offset does.
    pub fn at(&mut self, offset: u64, len: usize) -> &mut [u8] {
        // Copying less than a page is fast at any alignment.
        let slack = if len < PAGE { 0 } else { 2 * (PAGE - 1) };
        let needed = len.saturating_add(slack);
        if self.memory.len() < needed {
            // Not `resize`, which would write the zeroes.
            self.memory = vec![0; needed];
        }
        let first = self.memory.as_ptr().align_offset(PAGE);
        let within = usize::try_from(offset % PAGE as u64).unwrap_or(0);
        self.start = first.saturating_add(within).min(self.memory.len() - len);
        self.len = len;
        self
    }

    /// Makes the window at most `len` bytes long.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.memory[self.start..self.start + self.len]
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..self.start + self.len]
    }
}

impl AsRef<[u8]> for Buffer {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(buffer: &Buffer) -> usize {
        buffer.as_ptr().addr() % PAGE
    }

    #[test]
    fn a_window_begins_as_far_into_a_page_as_its_offset() {
        let mut buffer = Buffer::default();
        for len in [PAGE, PAGE + 1, 64 << 10, 256 << 10, 5000] {
            for offset in [0, 1, 15, 16, 31, 32, 4080, 4095, 4096, 4097, (1 << 40) + 77, u64::MAX] {
                assert_eq!(buffer.at(offset, len).len(), len);
                assert_eq!(place(&buffer) as u64, offset % PAGE as u64, "{len} at {offset}");
                // For blocks of this size, the system's own allocation makes no difference.
                assert_eq!(place(&Buffer::new(len)), 0);
            }
        }
    }

    #[test]
    fn small_windows_take_no_more_than_they_hold() {
        for len in [0, 1, 20, PAGE - 1] {
            assert_eq!((Buffer::new(len).memory.len(), &*Buffer::new(len)), (len, &vec![0; len][..]));
        }
        let mut buffer = Buffer::new(64 << 10);
        buffer.at(4095, 10).fill(7);
        assert_eq!(*buffer, [7; 10]);
        buffer.truncate(3);
        buffer.truncate(5);
        assert_eq!(*buffer, [7; 3]);
    }
}
