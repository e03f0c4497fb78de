//! The indexes at the ends of the streams of an .xz file: where each block begins, without decoding any.
//!
//! Format: "The .xz File Format", version 1.2.1, sections 2.1.2 (footer), 4 (index) and 2.2 (padding).

use std::io;

use super::checkpoint::{Checkpoint, Checkpoints};
use super::decoder_state::DecoderState;
use crate::source::{Source, read_full};

/// Bytes of a stream's header, and of its footer.
pub(super) const HEADER: usize = 12;

/// Bytes of an index; a larger one is not read.
const LARGEST: u64 = 512 << 10;

/// Blocks of all streams together; a file with more is decoded from the front.
const MOST: usize = 1 << 16;

/// A block: its bytes with padding, and its bytes of text.
struct Block {
    stored: u64,
    text: u64,
}

/// A stream whose index has been read.
struct Stream {
    start: u64,
    index: u64,
    end: u64,
    blocks: Vec<Block>,
}

/// The checkpoints that the indexes of `source` name, and the size of the text; `None` where they do not fit the file.
pub(super) fn read(source: &dyn Source) -> io::Result<Option<Checkpoints>> {
    let Some(mut end) = source.size() else { return Ok(None) };
    let mut streams = Vec::new();
    let mut blocks = 0;
    while end > 0 {
        let Some(stream) = last_stream(source, &mut end)? else { return Ok(None) };
        // A stream without any counts too.
        blocks += 1 + stream.blocks.len();
        if blocks > MOST {
            return Ok(None);
        }
        streams.push(stream);
    }
    let mut checkpoints = Checkpoints::of_table();
    let mut text = 0u64;
    for stream in streams.iter().rev() {
        checkpoints.add(Checkpoint::at_member(text, stream.start));
        let mut input = stream.start + HEADER as u64;
        for (number, block) in stream.blocks.iter().enumerate() {
            // The first block is where the stream is begun anyway; one without text could not be told from the next.
            if number > 0 && block.text > 0 {
                let state = DecoderState::Xz { stream: stream.start, index: stream.index, end: stream.end };
                checkpoints.add(Checkpoint { state: Some(state), ..Checkpoint::at_member(text, input) });
            }
            input += block.stored;
            let Some(sum) = text.checked_add(block.text) else { return Ok(None) };
            text = sum;
        }
    }
    checkpoints.text_size = Some(text);
    Ok(Some(checkpoints))
}

/// The stream that ends at `end`, which is moved to where it starts.
fn last_stream(source: &dyn Source, end: &mut u64) -> io::Result<Option<Stream>> {
    let mut footer = [0; HEADER];
    loop {
        let Some(at) = end.checked_sub(HEADER as u64) else { return Ok(None) };
        read_full(source, &mut footer, at)?;
        // Padding is of four zero bytes, which no footer ends with.
        if footer[8..] != [0; 4] {
            break;
        }
        *end -= 4;
    }
    let [a, b, c, d] = footer[4..8] else { return Ok(None) };
    let index_size = (u64::from(u32::from_le_bytes([a, b, c, d])) + 1) * 4;
    let sum = crc32fast::hash(&footer[4..10]).to_le_bytes();
    if footer[10..] != *b"YZ" || footer[..4] != sum || index_size > LARGEST {
        return Ok(None);
    }
    let Some(index) = end.checked_sub(HEADER as u64 + index_size) else { return Ok(None) };
    let mut bytes = vec![0; usize::try_from(index_size).unwrap_or(0)];
    if read_full(source, &mut bytes, index)? < bytes.len() {
        return Ok(None);
    }
    let Some(blocks) = parse(&bytes) else { return Ok(None) };
    let stored = blocks.iter().try_fold(HEADER as u64, |sum, block| sum.checked_add(block.stored));
    let Some(start) = stored.and_then(|stored| index.checked_sub(stored)) else { return Ok(None) };
    let mut header = [0; 6];
    read_full(source, &mut header, start)?;
    let stream = Stream { start, index, end: *end, blocks };
    *end = start;
    Ok((header == *b"\xFD7zXZ\0").then_some(stream))
}

/// The blocks that an index lists.
fn parse(index: &[u8]) -> Option<Vec<Block>> {
    let (content, sum) = index.split_last_chunk::<4>()?;
    if crc32fast::hash(content).to_le_bytes() != *sum {
        return None;
    }
    let (0, mut rest) = content.split_first().map(|(first, rest)| (*first, rest))? else { return None };
    let count = number(&mut rest)?;
    let mut blocks = Vec::new();
    for _ in 0..count {
        let (stored, text) = (number(&mut rest)?, number(&mut rest)?);
        blocks.push(Block { stored: stored.checked_next_multiple_of(4)?, text });
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
