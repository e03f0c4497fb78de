//! gzip and BGZF (RFC 1952): members of deflate with a checksum each.

use super::compressed_input::CompressedInput;
use super::decoder::{DecodeError, Decoder, Step, StepEnd};
use super::decoder_state::{DecoderState, DeflateState};
use super::deflate::{Inflate, InflateStatus, WINDOW};

/// Bits of the header's flags (RFC 1952, section 2.3.1).
const HEADER_CRC: u8 = 2;
const EXTRA: u8 = 4;
const NAME: u8 = 8;
const COMMENT: u8 = 16;

pub(super) struct Gzip {
    input: CompressedInput,
    inflate: Inflate,
    sum: crc32fast::Hasher,
    /// Bytes of text of this member, of which the trailer has the lowest 32 bits.
    length: u64,
}

impl Gzip {
    pub(super) fn new(input: CompressedInput) -> Self {
        Gzip { input, inflate: Inflate::default(), sum: crc32fast::Hasher::new(), length: 0 }
    }

    /// Passes over text that ends with a NUL.
    fn skip_text(&mut self) -> Result<(), DecodeError> {
        loop {
            let there = self.input.fill()?;
            match memchr::memchr(0, there) {
                Some(end) => {
                    self.input.consume(end + 1);
                    return Ok(());
                }
                None if there.is_empty() => return Err(DecodeError::cut_off()),
                None => {
                    let all = there.len();
                    self.input.consume(all);
                }
            }
        }
    }

    fn check_trailer(&mut self) -> Result<(), DecodeError> {
        let sum = u32::from_le_bytes(self.input.take()?);
        let length = u32::from_le_bytes(self.input.take()?);
        if sum != std::mem::take(&mut self.sum).finalize() {
            return Err(DecodeError::checksum("the checksum of the text before is wrong", self.length));
        }
        if u64::from(length) != self.length & u64::from(u32::MAX) {
            return Err(DecodeError::checksum("the length of the text before is wrong", self.length));
        }
        self.length = 0;
        Ok(())
    }
}

impl Decoder for Gzip {
    fn input(&mut self) -> &mut CompressedInput {
        &mut self.input
    }

    fn begin(&mut self) -> Result<(), DecodeError> {
        let [_, _, _, flags, ..] = self.input.take::<10>()?;
        if flags & EXTRA != 0 {
            let length = u16::from_le_bytes(self.input.take()?);
            self.input.skip(u64::from(length));
        }
        for text in [NAME, COMMENT] {
            if flags & text != 0 {
                self.skip_text()?;
            }
        }
        if flags & HEADER_CRC != 0 {
            self.input.take::<2>()?;
        }
        self.inflate.begin();
        (self.sum, self.length) = (crc32fast::Hasher::new(), 0);
        Ok(())
    }

    fn window(&self) -> usize {
        WINDOW
    }

    fn resume(&mut self, state: &DecoderState, _window: &[u8]) -> Result<(), DecodeError> {
        let DecoderState::Deflate(state) = state else { return self.begin() };
        self.inflate.resume(state);
        self.sum = crc32fast::Hasher::new_with_initial_len(state.sum, state.length);
        self.length = state.length;
        Ok(())
    }

    fn unchecked(&self) -> Option<u64> {
        Some(self.length)
    }

    fn decode(&mut self, text: &mut [u8], at: usize, mark: bool) -> Result<Step, DecodeError> {
        let (given, came) = self.inflate.decode(&mut self.input, text, at, mark)?;
        self.sum.update(&text[at..at + given]);
        self.length += given as u64;
        let end = match came {
            InflateStatus::More => StepEnd::More,
            InflateStatus::Damage(what) => StepEnd::Damage(what.to_owned()),
            InflateStatus::End => StepEnd::after(self.check_trailer())?,
            InflateStatus::Boundary { bit_count, bits } => {
                StepEnd::Checkpoint(DecoderState::Deflate(DeflateState {
                    bit_count,
                    bits,
                    sum: self.sum.clone().finalize(),
                    length: self.length,
                }))
            }
        };
        Ok(Step { decoded: given, end })
    }
}
