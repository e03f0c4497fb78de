//! deflate (RFC 1951) in its two wrappers, gzip and zlib: decoding can continue at any block boundary.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_HAS_MORE_INPUT, TINFL_FLAG_STOP_ON_BLOCK_BOUNDARY, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{BlockBoundaryState, DecompressorOxide, decompress};

use super::decode_error::{DecodeError, Result};
use super::decoder::{Decoder, Step, StepEnd};
use super::decoder_state::DecoderState;
use super::raw_input::RawInput;

/// Bytes of text that a block may refer back to.
const WINDOW: usize = 32 << 10;

/// A header, a checksum under way, and a trailer around a deflate stream.
pub(super) trait Wrapper: Default + Send {
    fn read_header(input: &mut RawInput) -> Result<()>;

    /// Continues after `length` bytes of text with the checksum `sum`.
    fn resume(sum: u32, length: u64) -> Self;

    fn update(&mut self, text: &[u8]);

    fn sum(&self) -> u32;

    fn check_trailer(&self, input: &mut RawInput, length: u64) -> Result<()>;
}

#[derive(Default)]
pub(super) struct Deflate<W> {
    inflate: Box<DecompressorOxide>,
    wrapper: W,
    length: u64,
}

impl<W: Wrapper> Decoder for Deflate<W> {
    fn begin(&mut self, input: &mut RawInput) -> Result<()> {
        W::read_header(input)?;
        self.inflate.init();
        (self.wrapper, self.length) = (W::default(), 0);
        Ok(())
    }

    fn window(&self) -> usize {
        WINDOW
    }

    fn resume(&mut self, input: &mut RawInput, state: &DecoderState, _window: &[u8]) -> Result<()> {
        let DecoderState::Deflate { bit_count, bits, sum, length } = *state else { return self.begin(input) };
        *self.inflate = DecompressorOxide::from_block_boundary_state(&BlockBoundaryState {
            num_bits: bit_count,
            bit_buf: bits,
            ..BlockBoundaryState::default()
        });
        (self.wrapper, self.length) = (W::resume(sum, length), length);
        Ok(())
    }

    fn unchecked(&self) -> Option<u64> {
        Some(self.length)
    }

    fn decode(&mut self, input: &mut RawInput, text: &mut [u8], at: usize, mark: bool) -> Result<Step> {
        let stop = if mark { TINFL_FLAG_STOP_ON_BLOCK_BOUNDARY } else { 0 };
        let flags = TINFL_FLAG_HAS_MORE_INPUT | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF | stop;
        let bytes = input.fill()?;
        let ended = bytes.is_empty();
        let (status, taken, decoded) = decompress(&mut self.inflate, bytes, text, at, flags);
        input.consume(taken);
        self.wrapper.update(&text[at..at + decoded]);
        self.length += decoded as u64;
        let end = match status {
            // At the end of the input, the decompressor may still hold text.
            TINFLStatus::NeedsMoreInput if ended && decoded == 0 => StepEnd::Failed(DecodeError::cut_off()),
            TINFLStatus::NeedsMoreInput | TINFLStatus::HasMoreOutput => StepEnd::More,
            TINFLStatus::BlockBoundary => {
                let BlockBoundaryState { num_bits, bit_buf, .. } =
                    self.inflate.block_boundary_state().unwrap_or_default();
                StepEnd::Checkpoint(DecoderState::Deflate {
                    bit_count: num_bits,
                    bits: bit_buf,
                    sum: self.wrapper.sum(),
                    length: self.length,
                })
            }
            TINFLStatus::Done => {
                let trailer = self.wrapper.check_trailer(input, self.length);
                StepEnd::after(trailer.inspect(|()| self.length = 0))?
            }
            _ => StepEnd::Failed(DecodeError::damage("a block is invalid")),
        };
        Ok(Step { decoded, end })
    }
}
