//! The .xz format, and .lzma before it: streams of blocks; the start of a block is a checkpoint to take up again.

use liblzma::stream::{Action, Error, Status, Stream};

use super::compressed_input::CompressedInput;
use super::decoder::{CUT_OFF, DecodeError, Decoder, Step, StepEnd};
use super::decoder_state::DecoderState;
use super::xz_index::HEADER;

/// Bytes that a decoder may take: a dictionary of 64 MiB, as `xz -9` has, with room to spare.
const MEMORY: u64 = 256 << 20;

pub(super) struct Xz {
    input: CompressedInput,
    stream: Option<Stream>,
    is_lzma: bool,
    /// Where the blocks end, and where all ends, of a stream that was taken up state: its index cannot agree with
    /// what was decoded.
    ends: Option<(u64, u64)>,
    /// Whether its blocks have a checksum that the library compares.
    has_check: bool,
    /// Bytes of text of this stream, or from where it was taken up on.
    length: u64,
}

/// The kinds of checksums that the library knows (section 2.1.1.2): CRC32, CRC64 and SHA-256.
const CHECKS: [u8; 3] = [1, 4, 10];

impl Xz {
    pub(super) fn new(input: CompressedInput, is_lzma: bool) -> Self {
        Xz { input, stream: None, is_lzma, ends: None, has_check: false, length: 0 }
    }
}

impl Decoder for Xz {
    fn input(&mut self) -> &mut CompressedInput {
        &mut self.input
    }

    fn begin(&mut self) -> Result<(), DecodeError> {
        let stream = if self.is_lzma {
            Stream::new_lzma_decoder(MEMORY)
        } else {
            Stream::new_stream_decoder(MEMORY, 0)
        };
        self.stream = Some(stream.map_err(|error| DecodeError::damage(reason(error)))?);
        self.ends = None;
        let kind = self.input.peek(HEADER)?.get(7).map(|kind| kind & 0x0F);
        self.has_check = !self.is_lzma && kind.is_some_and(|kind| CHECKS.contains(&kind));
        self.length = 0;
        Ok(())
    }

    fn unchecked(&self) -> Option<u64> {
        Some(if self.has_check { self.length } else { 0 })
    }

    /// A block is decoded by a stream that has seen the right header.
    fn resume(&mut self, state: &DecoderState, _window: &[u8]) -> Result<(), DecodeError> {
        let block = self.input.position();
        self.begin()?;
        let (DecoderState::Xz { stream, index, end }, Some(decoder)) = (state, &mut self.stream) else {
            return Ok(());
        };
        self.input.seek(*stream);
        let header = self.input.peek(HEADER)?;
        self.has_check = header.get(7).is_some_and(|kind| CHECKS.contains(&(kind & 0x0F)));
        decoder.process(header, &mut [], Action::Run).map_err(|error| DecodeError::damage(reason(error)))?;
        self.input.seek(block);
        self.ends = Some((*index, *end));
        Ok(())
    }

    fn decode(&mut self, text: &mut [u8], at: usize, _mark: bool) -> Result<Step, DecodeError> {
        let Some(stream) = &mut self.stream else { return Err(DecodeError::cut_off()) };
        let (blocks_end, stream_end) = self.ends.unwrap_or((u64::MAX, u64::MAX));
        let left = blocks_end.saturating_sub(self.input.position());
        let input = self.input.fill()?;
        let input = &input[..input.len().min(usize::try_from(left).unwrap_or(usize::MAX))];
        let action = if input.is_empty() && left > 0 { Action::Finish } else { Action::Run };
        let (before_in, before_out) = (stream.total_in(), stream.total_out());
        let status = stream.process(input, &mut text[at..], action);
        let taken = usize::try_from(stream.total_in() - before_in).unwrap_or(0);
        let given = usize::try_from(stream.total_out() - before_out).unwrap_or(0);
        let stuck = input.is_empty() && given == 0;
        self.input.consume(taken);
        self.length += given as u64;
        if left == 0 && given == 0 {
            self.input.seek(stream_end);
            self.length = 0;
            return Ok(Step { decoded: given, end: StepEnd::End });
        }
        let end = match status {
            Ok(Status::StreamEnd) => {
                self.length = 0;
                StepEnd::End
            }
            Ok(_) if stuck => StepEnd::Damage(CUT_OFF.to_owned()),
            Ok(_) => StepEnd::More,
            Err(error) => StepEnd::Damage(reason(error).to_owned()),
        };
        Ok(Step { decoded: given, end })
    }
}

fn reason(error: Error) -> &'static str {
    match error {
        Error::Options | Error::Format => "its header asks for what no version knows",
        Error::UnsupportedCheck => "its checksum is of an unknown kind",
        Error::MemLimit => "it needs more than 256 MiB of memory (xz -dc decompresses it)",
        Error::Mem => "there is not enough memory for it",
        _ => "no xz data can look like this",
    }
}
