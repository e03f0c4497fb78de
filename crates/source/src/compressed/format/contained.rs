//! Streams in a container, which has the CRC-32 of the text of all of them. Decoding continues at no checkpoint.

use crc32fast::Hasher;

use crate::compressed::damage::{DecodeError, Result};
use crate::compressed::decoder::{Decoder, HEAD, RawInput, Step, StepEnd};

/// The data after a stream.
pub(super) enum Following {
    Stream,
    /// A skippable frame of this size.
    Skippable(u64),
    End,
}

/// Recognises what follows by its first bytes.
type Follow = Box<dyn Fn(&[u8]) -> Following + Send>;

pub(super) struct ContainedDecoder {
    inner: Box<dyn Decoder>,
    following: Follow,
    expected: u32,
    sum: Hasher,
    length: u64,
}

impl ContainedDecoder {
    pub(super) fn new(inner: Box<dyn Decoder>, following: Follow, expected: u32) -> Self {
        ContainedDecoder { inner, following, expected, sum: Hasher::new(), length: 0 }
    }

    /// After a stream: begins the next one, or compares the checksum.
    fn end(&mut self, input: &mut RawInput) -> Result<StepEnd> {
        loop {
            match (self.following)(input.peek(HEAD)?) {
                Following::Skippable(size) => input.skip(size),
                Following::Stream => {
                    self.inner.begin(input)?;
                    return Ok(StepEnd::More);
                }
                Following::End => break,
            }
        }
        if self.sum.clone().finalize() != self.expected {
            return Err(DecodeError::wrong_checksum(self.length));
        }
        self.length = 0;
        Ok(StepEnd::EndOfMember)
    }
}

impl Decoder for ContainedDecoder {
    fn begin(&mut self, input: &mut RawInput) -> Result<()> {
        self.inner.begin(input)?;
        (self.sum, self.length) = (Hasher::new(), 0);
        Ok(())
    }

    fn unchecked(&self) -> Option<u64> {
        Some(self.length)
    }

    fn decode(&mut self, input: &mut RawInput, text: &mut [u8], at: usize, _mark: bool) -> Result<Step> {
        let mut step = self.inner.decode(input, text, at, false)?;
        self.sum.update(&text[at..at + step.decoded]);
        self.length += step.decoded as u64;
        if matches!(step.end, StepEnd::EndOfMember) {
            step.end = match self.end(input) {
                Err(error @ DecodeError::Read(_)) => return Err(error),
                Err(error) => StepEnd::Failed(error),
                Ok(end) => end,
            };
        }
        Ok(step)
    }
}
