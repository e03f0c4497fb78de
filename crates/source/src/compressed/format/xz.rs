//! The .xz format, and .lzma before it: decoding can continue at the start of an .xz block.

use liblzma::stream::{Action, Error, Status, Stream};

use super::xz_index::HEADER;
use crate::compressed::checkpoint::DecoderState;
use crate::compressed::damage::{DecodeError, Result};
use crate::compressed::decoder::{Begins, Decoder, RawInput, Step, StepEnd};

/// Bytes of memory for a decoder: enough for the 64 MiB dictionary of `xz -9`.
const MEMORY: u64 = 256 << 20;

pub(super) fn begins(head: &[u8]) -> Begins {
    Begins::with(head, &[b"\xFD7zXZ\0"])
}

/// Properties of LZMA: lc and lp below 9 and 5, pb below 5, as (pb * 5 + lp) * 9 + lc.
const PROPERTIES: u8 = 9 * 5 * 5;

/// The properties that encoders use by default: lc=3, lp=0, pb=2.
const USUAL: u8 = 0x5D;

/// The most bits of lc and lp together that the library supports.
const MAX_LITERAL_BITS: u8 = 4;

/// Whether the header of a .lzma file is one that only few other files have.
pub(super) fn is_usual_lzma(head: &[u8]) -> bool {
    head.first() == Some(&USUAL)
}

/// .lzma has no magic number: checks for possible properties, a usual dictionary size, and a length below 256 GiB, as
/// liblzma does.
pub(super) fn begins_lzma(head: &[u8]) -> Begins {
    let (header, first) = match head.split_at_checked(13) {
        Some((header, [first, ..])) => (header, *first),
        _ => return Begins::with(&head[..head.len().min(2)], &[&[USUAL, 0, 0]]),
    };
    let dictionary = u32::from_le_bytes([header[1], header[2], header[3], header[4]]);
    // 2^n or 2^n + 2^(n-1), or all bits.
    let is_two_powers = dictionary.is_multiple_of(3) && (dictionary / 3).is_power_of_two();
    let usual =
        dictionary >= 1 << 12 && (dictionary.is_power_of_two() || is_two_powers) || dictionary == u32::MAX;
    let unknown = header[5..13] == [0xFF; 8];
    // Below 2^38.
    let possible = header[9] < 1 << 6 && header[10..13] == [0; 3];
    let (lc, lp) = (header[0] % 9, header[0] / 9 % 5);
    let has_properties = header[0] < PROPERTIES && lc + lp <= MAX_LITERAL_BITS;
    // The range coder's first byte is always 0.
    let is_lzma = has_properties && usual && (unknown || possible) && first == 0;
    if is_lzma { Begins::Yes } else { Begins::No }
}

/// The checksum of a stream.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Check {
    Absent,
    Known,
    /// One that the library cannot compare.
    Unknown,
}

pub(super) struct Xz {
    stream: Option<Stream>,
    /// Whether this is .xz, not .lzma.
    is_xz: bool,
    /// The ends of the blocks and of the stream, after a resume: the index cannot match the part that was decoded.
    ends: Option<(u64, u64)>,
    check: Check,
    /// Bytes of text since the start of the stream, or since the resume.
    length: u64,
}

/// The kinds of checksum that the library supports (section 2.1.1.2): CRC32, CRC64 and SHA-256.
const CHECKS: [u8; 3] = [1, 4, 10];

impl Xz {
    pub(super) fn new(is_xz: bool) -> Self {
        Xz { stream: None, is_xz, ends: None, check: Check::Absent, length: 0 }
    }
}

impl Decoder for Xz {
    fn begin(&mut self, input: &mut RawInput) -> Result<()> {
        let stream =
            if self.is_xz { Stream::new_stream_decoder(MEMORY, 0) } else { Stream::new_lzma_decoder(MEMORY) };
        self.stream = Some(stream.map_err(reason)?);
        self.ends = None;
        let kind = input.peek(HEADER)?.get(7).map(|kind| kind & 0x0F);
        self.check = match kind.filter(|_| self.is_xz) {
            None | Some(0) => Check::Absent,
            Some(kind) if CHECKS.contains(&kind) => Check::Known,
            Some(_) => Check::Unknown,
        };
        self.length = 0;
        Ok(())
    }

    fn unchecked(&self) -> Option<u64> {
        match self.check {
            Check::Absent => Some(0),
            Check::Known => Some(self.length),
            Check::Unknown => None,
        }
    }

    /// Feeds the stream's header to a new decoder, which then accepts any block of the stream.
    fn resume(&mut self, input: &mut RawInput, state: &DecoderState, _window: &[u8]) -> Result<()> {
        let DecoderState::Xz { stream, index, end } = *state else { return self.begin(input) };
        let block = input.position();
        input.seek(stream);
        self.begin(input)?;
        if let Some(decoder) = &mut self.stream {
            decoder.process(input.peek(HEADER)?, &mut [], Action::Run).map_err(reason)?;
        }
        input.seek(block);
        self.ends = Some((index, end));
        Ok(())
    }

    fn decode(&mut self, input: &mut RawInput, text: &mut [u8], at: usize, _mark: bool) -> Result<Step> {
        let Some(stream) = &mut self.stream else { return Err(DecodeError::cut_off()) };
        let (blocks_end, stream_end) = self.ends.unwrap_or((u64::MAX, u64::MAX));
        let left = blocks_end.saturating_sub(input.position());
        let bytes = input.fill()?;
        let bytes = &bytes[..bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX))];
        let action = if bytes.is_empty() && left > 0 { Action::Finish } else { Action::Run };
        let (before_in, before_out) = (stream.total_in(), stream.total_out());
        let status = stream.process(bytes, &mut text[at..], action);
        let taken = usize::try_from(stream.total_in() - before_in).unwrap_or(0);
        let decoded = usize::try_from(stream.total_out() - before_out).unwrap_or(0);
        let stuck = bytes.is_empty() && decoded == 0;
        input.consume(taken);
        self.length += decoded as u64;
        if left == 0 && decoded == 0 {
            input.seek(stream_end);
            self.length = 0;
            return Ok(Step { decoded, end: StepEnd::EndOfMember });
        }
        let end = match status {
            Ok(Status::StreamEnd) => {
                self.length = 0;
                StepEnd::EndOfMember
            }
            Ok(_) if stuck => StepEnd::Failed(DecodeError::cut_off()),
            Ok(_) => StepEnd::More,
            Err(error) => StepEnd::Failed(reason(error)),
        };
        Ok(Step { decoded, end })
    }
}

fn reason(error: Error) -> DecodeError {
    DecodeError::damage(match error {
        Error::MemLimit => {
            let message = format!("needs more than {MEMORY} bytes of memory to decompress");
            return DecodeError::Unsupported { message, filter: Some("xz -dc") };
        }
        Error::Options | Error::Format => "its header has unknown options",
        Error::UnsupportedCheck => "its checksum has an unknown type",
        Error::Mem => "there is not enough memory to decompress it",
        _ => "a block is invalid",
    })
}
