//! bzip2: decoding can continue at the start of a stream.

use ::bzip2::{Decompress, Error, Status};

use crate::compressed::damage::{DecodeError, Result};
use crate::compressed::decoder::{Begins, Decoder, RawInput, Step, StepEnd};

/// Bytes of text in the largest block, unless it has long runs of one byte.
const MAX_BLOCK: u64 = 900_000;

/// The numbers that a block, and the end of an empty stream, begin with.
const BLOCKS: [&[u8]; 2] = [b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90"];

pub(super) fn begins(head: &[u8]) -> Begins {
    match head {
        [b'B', b'Z', b'h', b'1'..=b'9', block @ ..] => Begins::with(block, &BLOCKS),
        [_, _, _, _, ..] => Begins::No,
        _ => Begins::with(head, &[b"BZh1"]),
    }
}

pub(super) struct Bzip2 {
    stream: Decompress,
    /// Bytes of text of this stream so far.
    length: u64,
}

impl Bzip2 {
    pub(super) fn new() -> Self {
        Bzip2 { stream: Decompress::new(false), length: 0 }
    }
}

impl Decoder for Bzip2 {
    fn begin(&mut self, _input: &mut RawInput) -> Result<()> {
        *self = Bzip2::new();
        Ok(())
    }

    fn unchecked(&self) -> Option<u64> {
        Some(self.length)
    }

    fn decode(&mut self, input: &mut RawInput, text: &mut [u8], at: usize, _mark: bool) -> Result<Step> {
        let bytes = input.fill()?;
        let ended = bytes.is_empty();
        let (before_in, before_out) = (self.stream.total_in(), self.stream.total_out());
        let status = self.stream.decompress(bytes, &mut text[at..]);
        let taken = usize::try_from(self.stream.total_in() - before_in).unwrap_or(0);
        let decoded = usize::try_from(self.stream.total_out() - before_out).unwrap_or(0);
        input.consume(taken);
        self.length += decoded as u64;
        let end = match status {
            Ok(Status::StreamEnd) => {
                self.length = 0;
                StepEnd::EndOfMember
            }
            Ok(Status::MemNeeded) => {
                StepEnd::Failed(DecodeError::damage("there is not enough memory to decompress it"))
            }
            Ok(_) if ended && decoded == 0 => StepEnd::Failed(DecodeError::cut_off()),
            Ok(_) => StepEnd::More,
            // The library does not say which of the two; it may have returned the text of a wrong block.
            Err(Error::Data | Error::DataMagic) => StepEnd::Failed(DecodeError::Checksum(
                "a checksum or a block is wrong".to_owned(),
                self.length.min(MAX_BLOCK),
            )),
            Err(error) => StepEnd::Failed(DecodeError::damage(error.to_string())),
        };
        Ok(Step { decoded, end })
    }
}
