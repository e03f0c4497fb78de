//! The seek table at the end of a zstd file in the seekable format: the offset of each frame, without decoding.
//!
//! Format: zstd's `contrib/seekable_format/zstd_seekable_compression_format.md`, version 0.1.1: a skippable frame of
//! entries (raw size, text size and perhaps a checksum, four bytes each), the number of frames, a descriptor and a magic number.

use std::io;

use super::frame::FrameHeader;
use crate::compressed::checkpoint::{Checkpoint, Checkpoints};
use crate::{Source, read_full};

const FOOTER: usize = 9;

/// Bytes before the entries: those of any skippable frame.
const HEADER: usize = 8;

const SKIPPABLE_MAGIC: u32 = 0x184D_2A5E;
const SEEKABLE_MAGIC: u32 = 0x8F92_EAB1;

/// Checkpoints to keep, of some 100 bytes each. A larger table gives every second frame, or fewer.
const MOST_CHECKPOINTS: u64 = 1 << 16;

/// The checkpoints and the text size in the seek table of `source`; `None` without a trusted table.
///
/// The table has no checksum, and one wrong size shifts all text after it. So every frame header must confirm its size,
/// or all frames but the last must have the same size.
pub(crate) fn read(source: &dyn Source) -> Option<Checkpoints> {
    // An error at the end of the file must not hinder reading its beginning.
    checkpoints(source).ok().flatten()
}

fn checkpoints(source: &dyn Source) -> io::Result<Option<Checkpoints>> {
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
    let every = frames.div_ceil(MOST_CHECKPOINTS).max(1);
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
    let mut header = [0; FrameHeader::LARGEST];
    let got = read_full(source, &mut header, offset)?;
    Ok(FrameHeader::read(&header[..got]).is_some_and(|(frame, _)| frame.text == Some(size)))
}

fn word(bytes: &[u8]) -> u32 {
    bytes.first_chunk::<4>().map_or(0, |word| u32::from_le_bytes(*word))
}
