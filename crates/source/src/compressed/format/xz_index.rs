//! The indexes at the ends of the streams of an .xz file: the offset of each block, without decoding.
//!
//! Format: "The .xz File Format", version 1.2.1, sections 2.1.2 (footer), 4 (index) and 2.2 (padding).

use std::io;

use crate::compressed::checkpoint::{Checkpoint, Checkpoints, DecoderState};
use crate::{Source, read_full};

pub(super) const HEADER: usize = 12;

/// Bytes of the largest index to read.
const MAX_INDEX: u64 = 512 << 10;

/// The least that a block takes (section 4.3).
const MIN_BLOCK: u64 = 5;

/// Blocks and streams in the file; rread decodes a file with more from the front.
const MAX_BLOCKS: usize = 1 << 16;

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
pub(super) fn read(source: &dyn Source) -> Option<Checkpoints> {
    // An error at the end of the file must not hinder reading its beginning.
    checkpoints(source).ok().flatten()
}

fn checkpoints(source: &dyn Source) -> io::Result<Option<Checkpoints>> {
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
