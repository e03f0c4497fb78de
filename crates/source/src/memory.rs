//! Bytes in memory.

use std::io;

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
