//! deflate (RFC 1951), which gzip and zlib wrap: any block boundary is a checkpoint to take up again.

use std::io;

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_HAS_MORE_INPUT, TINFL_FLAG_STOP_ON_BLOCK_BOUNDARY, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{BlockBoundaryState, DecompressorOxide, decompress};

use super::compressed_input::CompressedInput;
use super::decoder::CUT_OFF;
use super::decoder_state::DeflateState;

/// Bytes of text that a block may refer back to.
pub(super) const WINDOW: usize = 32 << 10;

/// What decoding has come to.
pub(super) enum InflateStatus {
    /// More text, or more input.
    More,
    /// The end of a block that is not the last, with the bits of the last byte that belong to what follows.
    Boundary { bit_count: u8, bits: u8 },
    /// The end of the last block.
    End,
    /// Nothing that deflate gives.
    Damage(&'static str),
}

/// A deflate stream under way.
#[derive(Default)]
pub(super) struct Inflate(Box<DecompressorOxide>);

impl Inflate {
    /// Starts with a new stream.
    pub(super) fn begin(&mut self) {
        self.0.init();
    }

    /// Goes on between two blocks.
    pub(super) fn resume(&mut self, state: &DeflateState) {
        *self.0 = DecompressorOxide::from_block_boundary_state(&BlockBoundaryState {
            num_bits: state.bit_count,
            bit_buf: state.bits,
            ..BlockBoundaryState::default()
        });
    }

    /// Decodes what `input` has into `text[at..]`; returns how many bytes came. With `mark` it stops between blocks.
    pub(super) fn decode(
        &mut self,
        input: &mut CompressedInput,
        text: &mut [u8],
        at: usize,
        mark: bool,
    ) -> io::Result<(usize, InflateStatus)> {
        let stop = if mark { TINFL_FLAG_STOP_ON_BLOCK_BOUNDARY } else { 0 };
        let flags = TINFL_FLAG_HAS_MORE_INPUT | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF | stop;
        let bytes = input.fill()?;
        let ended = bytes.is_empty();
        let (status, taken, given) = decompress(&mut self.0, bytes, text, at, flags);
        input.consume(taken);
        let came = match status {
            // What was taken in before may still have something to give.
            TINFLStatus::NeedsMoreInput if ended && given == 0 => InflateStatus::Damage(CUT_OFF),
            TINFLStatus::NeedsMoreInput | TINFLStatus::HasMoreOutput => InflateStatus::More,
            TINFLStatus::Done => InflateStatus::End,
            TINFLStatus::BlockBoundary => {
                let state = self.0.block_boundary_state().unwrap_or_default();
                InflateStatus::Boundary { bit_count: state.num_bits, bits: state.bit_buf }
            }
            _ => InflateStatus::Damage("no deflate data can look like this"),
        };
        Ok((given, came))
    }
}
