//! Headers of zstd frames and blocks (RFC 8878, section 3.1.1), and the seek table at the end of a file in the seekable
//! format: the offset of each frame, without decoding.
//!
//! Format of the table: zstd's `contrib/seekable_format/zstd_seekable_compression_format.md`, version 0.1.1: a skippable frame of
//! entries (raw size, text size and perhaps a checksum, four bytes each), the number of frames, a descriptor and a magic number.

use std::io;

use crate::compressed::checkpoint::{Checkpoint, Checkpoints};
use crate::{Source, read_full};

const FOOTER: usize = 9;

/// Bytes before the entries: those of any skippable frame.
const HEADER: usize = 8;

const SKIPPABLE_MAGIC: u32 = 0x184D_2A5E;
const SEEKABLE_MAGIC: u32 = 0x8F92_EAB1;

/// Checkpoints to keep, of some 100 bytes each. A larger table gives every second frame, or fewer.
const MAX_CHECKPOINTS: u64 = 1 << 16;

/// The checkpoints and the text size in the seek table of `source`; `None` without a trusted table.
///
/// The table has no checksum, and one wrong size shifts all text after it. So every frame header must confirm its size,
/// or all frames but the last must have the same size.
pub(crate) fn checkpoints(source: &dyn Source) -> io::Result<Option<Checkpoints>> {
    let Some(size) = source.size() else { return Ok(None) };
    let Some(footer_at) = size.checked_sub(FOOTER as u64) else { return Ok(None) };
    let mut footer = [0; FOOTER];
    if read_full(source, &mut footer, footer_at)? < FOOTER || word(&footer[5..]) != SEEKABLE_MAGIC {
        return Ok(None);
    }
    let (frames, descriptor) = (u64::from(word(&footer)), footer[4]);
    // The five reserved bits have to be 0.
    if descriptor & 0b0111_1100 != 0 {
        return Ok(None);
    }
    let width = if descriptor & 0x80 == 0 { 8 } else { 12 };
    let Some(entries_at) = footer_at.checked_sub(frames * width as u64) else { return Ok(None) };
    let Some(frame_at) = entries_at.checked_sub(HEADER as u64) else { return Ok(None) };
    let mut header = [0; HEADER];
    let is_whole = read_full(source, &mut header, frame_at)? == HEADER;
    let length = u64::from(word(&header[4..]));
    if !is_whole || word(&header) != SKIPPABLE_MAGIC || length != size - entries_at {
        return Ok(None);
    }
    let checkpoints = entries(source, entries_at, frames, width)?;
    // A table whose sizes do not add up belongs to another file.
    Ok(checkpoints.filter(|(_, end)| *end == frame_at).map(|(checkpoints, _)| checkpoints))
}

fn entries(
    source: &dyn Source,
    offset: u64,
    frames: u64,
    width: usize,
) -> io::Result<Option<(Checkpoints, u64)>> {
    let every = frames.div_ceil(MAX_CHECKPOINTS).max(1);
    let mut checkpoints = Checkpoints::of_table();
    let (mut raw, mut text) = (0u64, 0u64);
    let (mut first, mut is_even, mut is_confirmed) = (None, true, true);
    // A multiple of both widths.
    let mut buffer = vec![0; 12 << 10];
    let mut frame = 0;
    while frame < frames {
        let (left, at) = ((frames - frame) * width as u64, offset + frame * width as u64);
        let wanted = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        if read_full(source, &mut buffer[..wanted], at)? < wanted {
            return Ok(None);
        }
        for entry in buffer[..wanted].chunks_exact(width) {
            if frame % every == 0 {
                checkpoints.add(Checkpoint::at_member(text, raw));
            }
            let size = u64::from(word(&entry[4..]));
            let usual = *first.get_or_insert(size);
            is_even &= size == usual || frame + 1 == frames && size < usual;
            is_confirmed = is_confirmed && header_confirms(source, raw, size)?;
            if !(is_even || is_confirmed) {
                return Ok(None);
            }
            raw += u64::from(word(entry));
            text += size;
            frame += 1;
        }
    }
    checkpoints.text_size = Some(text);
    Ok(Some((checkpoints, raw)))
}

fn header_confirms(source: &dyn Source, offset: u64, size: u64) -> io::Result<bool> {
    let mut header = [0; FrameHeader::MAX];
    let got = read_full(source, &mut header, offset)?;
    Ok(FrameHeader::read(&header[..got]).is_some_and(|(frame, _)| frame.text == Some(size)))
}

fn word(bytes: &[u8]) -> u32 {
    bytes.first_chunk::<4>().map_or(0, |word| u32::from_le_bytes(*word))
}

/// The most bytes of text in a block, and of a compressed block.
pub(super) const MAX_BLOCK: usize = 128 << 10;

pub(super) const BLOCK_HEADER: usize = 3;

/// The kinds of blocks (section 3.1.1.2.2).
pub(super) const RAW: usize = 0;
pub(super) const RUN: usize = 1;
pub(super) const COMPRESSED: usize = 2;

#[derive(Clone, Copy, Default)]
pub(crate) struct FrameHeader {
    pub(crate) text: Option<u64>,
    pub(super) window: u64,
    /// The least window descriptor for that window.
    pub(super) descriptor: u8,
    pub(super) has_checksum: bool,
}

impl FrameHeader {
    pub(crate) const MAX: usize = 18;

    pub(crate) fn read(bytes: &[u8]) -> Option<(Self, usize)> {
        let flags = *bytes.get(4)?;
        let is_single_segment = flags & 0x20 != 0;
        let dictionary = [0, 1, 2, 4][usize::from(flags & 3)];
        let size_bytes = match flags >> 6 {
            0 => usize::from(is_single_segment),
            1 => 2,
            2 => 4,
            _ => 8,
        };
        let size_at = 5 + usize::from(!is_single_segment) + dictionary;
        let size = bytes.get(size_at..size_at + size_bytes)?;
        let size = size.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
        // A size in two bytes counts from 256.
        let size = if size_bytes == 2 { size + 256 } else { size };
        let (window, descriptor) = if is_single_segment {
            (size, (0..u8::MAX).find(|descriptor| window_size(*descriptor) >= size).unwrap_or(u8::MAX))
        } else {
            (window_size(bytes[5]), bytes[5])
        };
        let text = (size_bytes > 0).then_some(size);
        let header = FrameHeader { text, window, descriptor, has_checksum: flags & 4 != 0 };
        Some((header, size_at + size_bytes))
    }
}

/// The window of a descriptor in bytes (section 3.1.1.1.2).
pub(super) fn window_size(descriptor: u8) -> u64 {
    let base = 1u64 << (10 + u32::from(descriptor >> 3));
    base + base / 8 * u64::from(descriptor & 7)
}

/// The header of a block (section 3.1.1.2).
#[derive(Clone, Copy)]
pub(super) struct BlockHeader {
    pub(super) is_last: bool,
    pub(super) kind: usize,
    pub(super) size: usize,
}

impl BlockHeader {
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let [a, b, c] = *bytes.first_chunk::<BLOCK_HEADER>()?;
        let header = usize::try_from(u32::from_le_bytes([a, b, c, 0])).ok()?;
        let kind = header >> 1 & 3;
        Some(BlockHeader { is_last: header & 1 == 1, kind, size: if kind == RUN { 1 } else { header >> 3 } })
    }
}
