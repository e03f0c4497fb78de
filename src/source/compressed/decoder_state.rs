//! What a decoder has to know to go on inside a member, and how that is kept.

/// What a decoder has to know to go on inside a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecoderState {
    /// Between two blocks of a deflate stream.
    Deflate(DeflateState),
    /// At a block of a zstd frame.
    Zstd {
        /// The last three offsets, the latest first.
        offsets: [u32; 3],
        /// The frame's window descriptor.
        descriptor: u8,
        /// Whether a checksum follows the last block.
        has_checksum: bool,
    },
    /// At a block of an .xz stream.
    Xz {
        /// Where the stream begins.
        stream: u64,
        /// Where its blocks end and its index begins.
        index: u64,
        /// Where it ends.
        end: u64,
    },
}

/// The state of a gzip decoder between two blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeflateState {
    /// Bits of the last byte that belong to what follows, 0 to 7.
    pub bit_count: u8,
    /// Those bits.
    pub bits: u8,
    /// The checksum of the member's text up to here.
    pub sum: u32,
    /// The length of that text.
    pub length: u64,
}

impl DecoderState {
    /// As two words of which the lowest byte tells the kind; zeros for what need not be kept.
    pub(super) fn to_words(self) -> [u64; 2] {
        match self {
            DecoderState::Deflate(DeflateState { bit_count, bits, sum, length }) => {
                [u64::from_le_bytes(joined([1, bit_count, bits, 0], sum.to_le_bytes())), length]
            }
            DecoderState::Zstd { offsets: [a, b, c], descriptor, has_checksum } => {
                let state = [2, descriptor, u8::from(has_checksum), 0];
                [u64::from_le_bytes(joined(state, a.to_le_bytes())), u64::from(b) << 32 | u64::from(c)]
            }
            DecoderState::Xz { .. } => [0; 2],
        }
    }

    pub(super) fn from_words([state, more]: [u64; 2]) -> Option<Self> {
        let [kind, first, second, _, a, b, c, d] = state.to_le_bytes();
        let number = u32::from_le_bytes([a, b, c, d]);
        let [low, high] = [more, more >> 32].map(|half| u32::try_from(half & u64::from(u32::MAX)));
        match kind {
            1 if first < 8 => Some(DecoderState::Deflate(DeflateState {
                bit_count: first,
                bits: second,
                sum: number,
                length: more,
            })),
            2 => Some(DecoderState::Zstd {
                offsets: [number, high.ok()?, low.ok()?],
                descriptor: first,
                has_checksum: second == 1,
            }),
            _ => None,
        }
    }
}

fn joined(first: [u8; 4], last: [u8; 4]) -> [u8; 8] {
    let ([a, b, c, d], [e, f, g, h]) = (first, last);
    [a, b, c, d, e, f, g, h]
}
