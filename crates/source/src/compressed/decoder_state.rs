//! The decoder state at a checkpoint inside a member, and its two words in the index.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecoderState {
    /// Between two blocks of a deflate stream.
    Deflate {
        /// Bits of the last byte that belong to the next block, 0 to 7.
        bit_count: u8,
        bits: u8,
        /// The checksum and the length of the member's text so far.
        sum: u32,
        length: u64,
    },
    /// Before a block of a zstd frame.
    Zstd {
        /// The last three offsets, the latest first.
        offsets: [u32; 3],
        /// The frame's window descriptor.
        descriptor: u8,
        has_checksum: bool,
    },
    /// Before a block of an .xz stream; the file offsets of the stream, of its index, and of its end.
    Xz { stream: u64, index: u64, end: u64 },
}

impl DecoderState {
    /// The lowest byte of the first word is the kind. Blocks of .xz are in the file's own index, so they get zeros.
    pub(super) fn to_words(self) -> [u64; 2] {
        match self {
            DecoderState::Deflate { bit_count, bits, sum, length } => {
                [u64::from(u32::from_le_bytes([1, bit_count, bits, 0])) | u64::from(sum) << 32, length]
            }
            DecoderState::Zstd { offsets: [a, b, c], descriptor, has_checksum } => {
                let low = u32::from_le_bytes([2, descriptor, u8::from(has_checksum), 0]);
                [u64::from(low) | u64::from(a) << 32, u64::from(b) << 32 | u64::from(c)]
            }
            DecoderState::Xz { .. } => [0; 2],
        }
    }

    pub(super) fn from_words([state, more]: [u64; 2]) -> Option<Self> {
        let [kind, first, second, _, number @ ..] = state.to_le_bytes();
        let number = u32::from_le_bytes(number);
        let [low, high] = [more, more >> 32].map(|half| u32::try_from(half & u64::from(u32::MAX)));
        match kind {
            1 if first < 8 => {
                Some(DecoderState::Deflate { bit_count: first, bits: second, sum: number, length: more })
            }
            2 => Some(DecoderState::Zstd {
                offsets: [number, high.ok()?, low.ok()?],
                descriptor: first,
                has_checksum: second == 1,
            }),
            _ => None,
        }
    }
}
