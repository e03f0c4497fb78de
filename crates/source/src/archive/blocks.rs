//! Reads an archive in large blocks, and numbers in them.

use super::entry::{damage_error, read};
use crate::Source;
use rread_text::error::Result;

/// Bytes that are read at once, more than any header.
const BLOCK: u64 = 256 << 10;

/// One block of an archive, which moves to each requested offset.
pub(super) struct Blocks<'a> {
    source: &'a dyn Source,
    start: u64,
    block: Vec<u8>,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(source: &'a dyn Source) -> Self {
        Blocks { source, start: 0, block: Vec::new() }
    }

    /// The size; reads a stream to its end.
    pub(super) fn size(&self) -> Result<u64> {
        let mut buffer = vec![0; 64 << 10];
        let mut at = 0;
        loop {
            if let Some(size) = self.source.size() {
                return Ok(size);
            }
            match read(self.source, &mut buffer, at)? {
                0 => return Ok(self.source.size().unwrap_or(at)),
                got => at += got as u64,
            }
        }
    }

    /// The `length` bytes at `at`, which must be there.
    pub(super) fn bytes(&mut self, at: u64, length: u64) -> Result<&[u8]> {
        let is_there = at >= self.start && at.saturating_add(length) <= self.start + self.block.len() as u64;
        if !is_there {
            let left = self.size()?.saturating_sub(at);
            let wanted = length.max(BLOCK).min(left);
            self.block.resize(usize::try_from(wanted).unwrap_or(0), 0);
            self.start = at;
            let got = read(self.source, &mut self.block, at)?;
            self.block.truncate(got);
        }
        let from = usize::try_from(at - self.start).unwrap_or(usize::MAX);
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let range = from..from.saturating_add(length);
        self.block
            .get(range)
            .ok_or_else(|| damage_error(format!("it ends before byte {}", at.saturating_add(length as u64))))
    }
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    bytes[at..].first_chunk().map_or(0, |bytes| u16::from_le_bytes(*bytes))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes[at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}
