//! brotli (RFC 7932), also with large windows: one stream without checkpoints, a magic number or a checksum.

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc as Alloc};

use crate::compressed::damage::{DecodeError, Result};
use crate::compressed::decoder::{Decoder, RawInput, Step, StepEnd};

/// Bytes of the largest window: only files of `brotli --large_window` have one of more than 16 MiB.
const MAX_WINDOW: u64 = 128 << 20;

/// The first byte of a file with a large window. The next one has the exponent of its size in six bits, up to 30.
const LARGE: u8 = 0x11;

/// Bytes of input for one step: the decoder keeps the text of a step in which it fails.
const PIECE: usize = 1 << 10;

pub(super) struct Brotli(Box<BrotliState<Alloc, Alloc, Alloc>>);

impl Brotli {
    pub(super) fn new() -> Self {
        Brotli(Box::new(BrotliState::new(Alloc::default(), Alloc::default(), Alloc::default())))
    }
}

impl Decoder for Brotli {
    fn begin(&mut self, input: &mut RawInput) -> Result<()> {
        *self = Brotli::new();
        if let [LARGE, bits] = *input.peek(2)? {
            let window = 1_u64 << (bits & 0x3F);
            if window > MAX_WINDOW && window <= 1 << 30 {
                let message =
                    format!("needs a window of {window} bytes to decompress; the limit is {MAX_WINDOW}");
                return Err(DecodeError::Unsupported { message, filter: Some("brotli -dc") });
            }
        }
        Ok(())
    }

    fn unchecked(&self) -> Option<u64> {
        Some(0)
    }

    fn decode(&mut self, input: &mut RawInput, text: &mut [u8], at: usize, _mark: bool) -> Result<Step> {
        let text = &mut text[at..];
        let bytes = input.fill()?;
        let bytes = &bytes[..bytes.len().min(PIECE)];
        let ended = bytes.is_empty();
        let (mut left, mut taken) = (bytes.len(), 0);
        let (mut room, mut decoded, mut total) = (text.len(), 0, 0);
        let result = BrotliDecompressStream(
            &mut left,
            &mut taken,
            bytes,
            &mut room,
            &mut decoded,
            text,
            &mut total,
            &mut self.0,
        );
        input.consume(taken);
        let end = match result {
            BrotliResult::ResultSuccess => StepEnd::EndOfMember,
            BrotliResult::NeedsMoreInput if ended && decoded == 0 => StepEnd::Failed(DecodeError::cut_off()),
            BrotliResult::NeedsMoreInput | BrotliResult::NeedsMoreOutput => StepEnd::More,
            BrotliResult::ResultFailure => StepEnd::Failed(DecodeError::damage("a block is invalid")),
        };
        Ok(Step { decoded, end })
    }
}
