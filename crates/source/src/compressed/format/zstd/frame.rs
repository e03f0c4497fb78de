//! Headers of zstd frames and blocks (RFC 8878, section 3.1.1).

/// The most bytes of text in a block, and of a compressed block.
pub(super) const MAX_BLOCK: usize = 128 << 10;

pub(super) const BLOCK_HEADER: usize = 3;

/// The kinds of blocks (section 3.1.1.2.2).
pub(super) const RAW: usize = 0;
pub(super) const RUN: usize = 1;
pub(super) const COMPRESSED: usize = 2;

#[derive(Clone, Copy, Default)]
pub(super) struct FrameHeader {
    pub(super) text: Option<u64>,
    pub(super) window: u64,
    /// The least window descriptor for that window.
    pub(super) descriptor: u8,
    pub(super) has_checksum: bool,
}

impl FrameHeader {
    pub(super) const MAX: usize = 18;

    pub(super) fn read(bytes: &[u8]) -> Option<(Self, usize)> {
        let flags = *bytes.get(4)?;
        let is_single_segment = flags & 0x20 != 0;
        let dictionary = [0, 1, 2, 4][usize::from(flags & 3)];
        let size_bytes = match flags >> 6 {
            0 => usize::from(is_single_segment),
            1 => 2,
            2 => 4,
            _ => 8,
        };
        let size_at = 5 + usize::from(!is_single_segment) + dictionary;
        let size = bytes.get(size_at..size_at + size_bytes)?;
        let size = size.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
        // A size in two bytes counts from 256.
        let size = if size_bytes == 2 { size + 256 } else { size };
        let (window, descriptor) = if is_single_segment {
            (size, (0..u8::MAX).find(|descriptor| window_size(*descriptor) >= size).unwrap_or(u8::MAX))
        } else {
            (window_size(bytes[5]), bytes[5])
        };
        let text = (size_bytes > 0).then_some(size);
        let header = FrameHeader { text, window, descriptor, has_checksum: flags & 4 != 0 };
        Some((header, size_at + size_bytes))
    }
}

/// The window of a descriptor in bytes (section 3.1.1.1.2).
pub(super) fn window_size(descriptor: u8) -> u64 {
    let base = 1u64 << (10 + u32::from(descriptor >> 3));
    base + base / 8 * u64::from(descriptor & 7)
}

/// The header of a block (section 3.1.1.2).
#[derive(Clone, Copy)]
pub(super) struct BlockHeader {
    pub(super) is_last: bool,
    pub(super) kind: usize,
    pub(super) size: usize,
}

impl BlockHeader {
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let [a, b, c] = *bytes.first_chunk::<BLOCK_HEADER>()?;
        let header = usize::try_from(u32::from_le_bytes([a, b, c, 0])).ok()?;
        let kind = header >> 1 & 3;
        Some(BlockHeader { is_last: header & 1 == 1, kind, size: if kind == RUN { 1 } else { header >> 3 } })
    }
}
