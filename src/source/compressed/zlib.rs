//! zlib (RFC 1950): one stream of deflate between a header of two bytes and a checksum.

use adler2::Adler32;

use super::compressed_input::CompressedInput;
use super::decoder::{DecodeError, Decoder, Step, StepEnd};
use super::decoder_state::{DecoderState, DeflateState};
use super::deflate::{Inflate, InflateStatus, WINDOW};

/// The bit of the header's flags that says that a dictionary is needed (RFC 1950, section 2.2).
const DICTIONARY: u8 = 0x20;

pub(super) struct Zlib {
    input: CompressedInput,
    inflate: Inflate,
    sum: Adler32,
    /// Bytes of text so far.
    length: u64,
}

impl Zlib {
    pub(super) fn new(input: CompressedInput) -> Self {
        Zlib { input, inflate: Inflate::default(), sum: Adler32::new(), length: 0 }
    }

    fn check_trailer(&mut self) -> Result<(), DecodeError> {
        let sum = u32::from_be_bytes(self.input.take()?);
        if sum != self.sum.checksum() {
            return Err(DecodeError::checksum("the checksum of the text before is wrong", self.length));
        }
        self.length = 0;
        Ok(())
    }
}

impl Decoder for Zlib {
    fn input(&mut self) -> &mut CompressedInput {
        &mut self.input
    }

    fn begin(&mut self) -> Result<(), DecodeError> {
        let [method, flags] = self.input.take()?;
        let is_deflate = method & 0x0F == 8 && method >> 4 <= 7;
        if !is_deflate || !u16::from_be_bytes([method, flags]).is_multiple_of(31) {
            return Err(DecodeError::damage("no zlib data begins like this"));
        }
        if flags & DICTIONARY != 0 {
            return Err(DecodeError::damage("it needs a dictionary, which nobody has"));
        }
        self.inflate.begin();
        (self.sum, self.length) = (Adler32::new(), 0);
        Ok(())
    }

    fn window(&self) -> usize {
        WINDOW
    }

    fn resume(&mut self, state: &DecoderState, _window: &[u8]) -> Result<(), DecodeError> {
        let DecoderState::Deflate(state) = state else { return self.begin() };
        self.inflate.resume(state);
        self.sum = Adler32::from_checksum(state.sum);
        self.length = state.length;
        Ok(())
    }

    fn unchecked(&self) -> Option<u64> {
        Some(self.length)
    }

    fn decode(&mut self, text: &mut [u8], at: usize, mark: bool) -> Result<Step, DecodeError> {
        let (given, came) = self.inflate.decode(&mut self.input, text, at, mark)?;
        self.sum.write_slice(&text[at..at + given]);
        self.length += given as u64;
        let end = match came {
            InflateStatus::More => StepEnd::More,
            InflateStatus::Damage(what) => StepEnd::Damage(what.to_owned()),
            InflateStatus::End => StepEnd::after(self.check_trailer())?,
            InflateStatus::Boundary { bit_count, bits } => {
                StepEnd::Checkpoint(DecoderState::Deflate(DeflateState {
                    bit_count,
                    bits,
                    sum: self.sum.checksum(),
                    length: self.length,
                }))
            }
        };
        Ok(Step { decoded: given, end })
    }
}
