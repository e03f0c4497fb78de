//! bzip2: streams; the start of a stream is a checkpoint to take up again.

use ::bzip2::{Decompress, Error, Status};

use super::compressed_input::CompressedInput;
use super::decoder::{CUT_OFF, DecodeError, Decoder, Step, StepEnd};

/// Bytes of text in the largest block, unless it has long runs of one byte.
const BLOCK: u64 = 900_000;

pub(super) struct Bzip2 {
    input: CompressedInput,
    raw: Decompress,
    /// Bytes of text of this stream, whose blocks have a checksum each.
    length: u64,
}

impl Bzip2 {
    pub(super) fn new(input: CompressedInput) -> Self {
        Bzip2 { input, raw: Decompress::new(false), length: 0 }
    }
}

impl Decoder for Bzip2 {
    fn input(&mut self) -> &mut CompressedInput {
        &mut self.input
    }

    fn begin(&mut self) -> Result<(), DecodeError> {
        (self.raw, self.length) = (Decompress::new(false), 0);
        Ok(())
    }

    fn unchecked(&self) -> Option<u64> {
        Some(self.length)
    }

    fn decode(&mut self, text: &mut [u8], at: usize, _mark: bool) -> Result<Step, DecodeError> {
        let input = self.input.fill()?;
        let ended = input.is_empty();
        let (before_in, before_out) = (self.raw.total_in(), self.raw.total_out());
        let status = self.raw.decompress(input, &mut text[at..]);
        let taken = usize::try_from(self.raw.total_in() - before_in).unwrap_or(0);
        let given = usize::try_from(self.raw.total_out() - before_out).unwrap_or(0);
        self.input.consume(taken);
        self.length += given as u64;
        let end = match status {
            Ok(Status::StreamEnd) => {
                self.length = 0;
                StepEnd::End
            }
            Ok(Status::MemNeeded) => StepEnd::Damage("there is not enough memory for it".to_owned()),
            Ok(_) if ended && given == 0 => StepEnd::Damage(CUT_OFF.to_owned()),
            Ok(_) => StepEnd::More,
            // The library does not say which; the text of the last block may have been given.
            Err(Error::Data | Error::DataMagic) => {
                StepEnd::Checksum("a checksum or a block is wrong".to_owned(), self.length.min(BLOCK))
            }
            Err(error) => StepEnd::Damage(error.to_string()),
        };
        Ok(Step { decoded: given, end })
    }
}
