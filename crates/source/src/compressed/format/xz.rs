//! The .xz format, and .lzma before it: decoding can continue at the start of an .xz block, which the indexes at the ends of
//! streams name.

use std::io;

use liblzma::stream::{Action, Error, Status, Stream};

use crate::compressed::checkpoint::{Checkpoint, Checkpoints, DecoderState};
use crate::compressed::damage::{DecodeError, Result};
use crate::compressed::decoder::{Begins, Decoder, RawInput, Step, StepEnd};
use crate::{Source, read_full};

/// Bytes of memory for a decoder: enough for the 64 MiB dictionary of `xz -9`.
const MEMORY: u64 = 256 << 20;

pub(super) fn begins(head: &[u8]) -> Begins {
    Begins::with(head, &[b"\xFD7zXZ\0"])
}

/// Properties of LZMA: lc and lp below 9 and 5, pb below 5, as (pb * 5 + lp) * 9 + lc.
const PROPERTIES: u8 = 9 * 5 * 5;

/// The properties that encoders use by default: lc=3, lp=0, pb=2.
pub(super) const USUAL: u8 = 0x5D;

/// The most bits of lc and lp together that the library supports.
const MAX_LITERAL_BITS: u8 = 4;

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

pub(super) const HEADER: usize = 12;

/// Bytes of the largest index to read.
const MAX_INDEX: u64 = 512 << 10;

/// The least that a block takes (section 4.3).
const MIN_BLOCK: u64 = 5;

/// Blocks and streams in the file; rread decodes a file with more from the front.
const MAX_BLOCKS: usize = 1 << 16;

/// A block in an index ("The .xz File Format", version 1.2.1, sections 2.1.2 (footer), 4 (index) and 2.2 (padding)).
struct XzBlock {
    /// Raw bytes, with padding.
    raw: u64,
    text: u64,
}

struct XzStream {
    start: u64,
    index: u64,
    end: u64,
    blocks: Vec<XzBlock>,
}

/// The checkpoints and the text size in the indexes of `source`; `None` if the indexes do not fit the file.
pub(super) fn checkpoints(source: &dyn Source) -> io::Result<Option<Checkpoints>> {
    let Some(mut end) = source.size() else { return Ok(None) };
    let mut streams = Vec::new();
    let mut blocks = 0;
    while end > 0 {
        let Some(stream) = last_stream(source, &mut end)? else { return Ok(None) };
        blocks += 1 + stream.blocks.len();
        if blocks > MAX_BLOCKS {
            return Ok(None);
        }
        streams.push(stream);
    }
    let mut checkpoints = Checkpoints::of_table();
    let mut text = 0u64;
    for stream in streams.iter().rev() {
        checkpoints.add(Checkpoint::at_member(text, stream.start));
        let mut raw_offset = stream.start + HEADER as u64;
        for (number, block) in stream.blocks.iter().enumerate() {
            // The stream's checkpoint covers its first block. Two checkpoints at one text offset would be ambiguous.
            if number > 0 && block.text > 0 {
                let state = DecoderState::Xz { stream: stream.start, index: stream.index, end: stream.end };
                checkpoints.add(Checkpoint { state: Some(state), ..Checkpoint::at_member(text, raw_offset) });
            }
            raw_offset += block.raw;
            let Some(sum) = text.checked_add(block.text) else { return Ok(None) };
            text = sum;
        }
    }
    checkpoints.text_size = Some(text);
    Ok(Some(checkpoints))
}

/// The stream that ends at `end`; moves `end` to its start.
fn last_stream(source: &dyn Source, end: &mut u64) -> io::Result<Option<XzStream>> {
    let mut footer = [0; HEADER];
    loop {
        let Some(at) = end.checked_sub(HEADER as u64) else { return Ok(None) };
        read_full(source, &mut footer, at)?;
        // Padding comes in fours of zeros; a footer ends with "YZ".
        if footer[8..] != [0; 4] {
            break;
        }
        *end -= 4;
    }
    let [a, b, c, d] = footer[4..8] else { return Ok(None) };
    let index_size = (u64::from(u32::from_le_bytes([a, b, c, d])) + 1) * 4;
    let sum = crc32fast::hash(&footer[4..10]).to_le_bytes();
    if footer[10..] != *b"YZ" || footer[..4] != sum || index_size > MAX_INDEX {
        return Ok(None);
    }
    let Some(index) = end.checked_sub(HEADER as u64 + index_size) else { return Ok(None) };
    let mut bytes = vec![0; usize::try_from(index_size).unwrap_or(0)];
    if read_full(source, &mut bytes, index)? < bytes.len() {
        return Ok(None);
    }
    let Some(blocks) = parse_index(&bytes) else { return Ok(None) };
    let raw = blocks.iter().try_fold(HEADER as u64, |sum, block| sum.checked_add(block.raw));
    let Some(start) = raw.and_then(|raw| index.checked_sub(raw)) else { return Ok(None) };
    let mut header = [0; 6];
    read_full(source, &mut header, start)?;
    let stream = XzStream { start, index, end: *end, blocks };
    *end = start;
    Ok((header == *b"\xFD7zXZ\0").then_some(stream))
}

fn parse_index(index: &[u8]) -> Option<Vec<XzBlock>> {
    let (content, sum) = index.split_last_chunk::<4>()?;
    if crc32fast::hash(content).to_le_bytes() != *sum {
        return None;
    }
    let (0, mut rest) = content.split_first().map(|(first, rest)| (*first, rest))? else { return None };
    let count = number(&mut rest)?;
    let mut blocks = Vec::new();
    for _ in 0..count {
        let (raw, text) = (number(&mut rest)?, number(&mut rest)?);
        if raw < MIN_BLOCK {
            return None;
        }
        blocks.push(XzBlock { raw: raw.checked_next_multiple_of(4)?, text });
    }
    Some(blocks)
}

/// A number of up to 63 bits, seven in each byte, the lowest first (section 1.2).
fn number(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for byte_index in 0..9 {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7F) << (7 * byte_index);
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}
