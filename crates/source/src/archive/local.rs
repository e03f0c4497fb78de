//! Reads the headers before the members of a ZIP archive whose directory is missing.

use crc32fast::Hasher;
use memchr::memmem;
use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZFlush, MZStatus};

use super::entry::{Blocks, CENTRAL, CENTRAL_LENGTH, DEFLATE, Data, Entry, LOCAL, STORED, u16_at, u32_at};
use rread_text::error::Result;

/// The length of the header without the name.
const LENGTH: u64 = 30;

/// The flag of a member whose sizes come after it, and the signature that may be before them.
const SIZES_FOLLOW: u16 = 1 << 3;
const DESCRIPTOR: &[u8; 4] = b"PK\x07\x08";

/// Bytes that are read or decoded at once.
const STEP: u64 = 64 << 10;

pub(super) fn is_member(blocks: &mut Blocks<'_>, at: u64) -> bool {
    blocks.bytes(at, 4).is_ok_and(|start| start == LOCAL)
}

/// The header at `at` in the form that it has in the directory; `None` if there is no whole one.
pub(super) fn header(blocks: &mut Blocks<'_>, at: u64) -> Option<Vec<u8>> {
    let local = blocks.bytes(at, LENGTH).ok().filter(|local| local.starts_with(LOCAL))?.to_owned();
    let rest = u64::from(u16_at(&local, 26)) + u64::from(u16_at(&local, 28));
    let rest = blocks.bytes(at + LENGTH, rest).ok()?;
    let fields = [&CENTRAL[..], &[0; 2], &local[4..]].concat();
    let mut header = vec![0; CENTRAL_LENGTH];
    header[..fields.len()].copy_from_slice(&fields);
    header.extend(rest);
    Some(header)
}

/// Sets the sizes of `entry`, as far as its data is there, and returns where the next header is.
pub(super) fn measure(blocks: &mut Blocks<'_>, entry: &mut Entry, flags: u16) -> Result<u64> {
    let name = entry.header_name().len() as u64;
    let Data::Zip(data) = &mut entry.data else { return Ok(0) };
    let extra = u64::from(u16_at(blocks.bytes(data.header, LENGTH)?, 28));
    let start = data.header + LENGTH + name + extra;
    let left = blocks.size()?.saturating_sub(start);
    let is_unknown = flags & SIZES_FOLLOW != 0 && data.stored_size == 0;
    match data.method {
        DEFLATE if is_unknown => (data.stored_size, entry.listed.size, data.crc) = inflated(blocks, start)?,
        STORED if is_unknown => data.stored_size = stored_length(blocks, start)?,
        _ => data.stored_size = data.stored_size.min(left),
    }
    if data.method == STORED {
        entry.listed.size = data.stored_size;
    }
    let end = start + data.stored_size;
    if flags & SIZES_FOLLOW == 0 {
        return Ok(end);
    }
    let sum =
        blocks.bytes(end, 8).map(|sizes| u32_at(sizes, if sizes.starts_with(DESCRIPTOR) { 4 } else { 0 }));
    data.crc = sum.unwrap_or(data.crc);
    // The sum and two sizes of 4 or 8 bytes each, after a signature or not.
    let next = [16, 24, 12, 20].into_iter().find(|length| is_member(blocks, end + length));
    Ok(end + next.unwrap_or(0))
}

/// The length of the deflate data at `start`, and the length and the checksum of its text.
fn inflated(blocks: &mut Blocks<'_>, start: u64) -> Result<(u64, u64, u32)> {
    let (end, mut at, mut size, mut sum) = (blocks.size()?, start, 0, Hasher::new());
    let mut state = InflateState::new_boxed(DataFormat::Raw);
    let mut text = vec![0; 64 << 10];
    loop {
        let input = blocks.bytes(at, STEP.min(end - at))?;
        let step = inflate(&mut state, input, &mut text, MZFlush::None);
        at += step.bytes_consumed as u64;
        size += step.bytes_written as u64;
        sum.update(&text[..step.bytes_written]);
        let has_moved = step.bytes_consumed + step.bytes_written > 0;
        if !has_moved || !matches!(step.status, Ok(MZStatus::Ok)) {
            return Ok((at - start, size, sum.finalize()));
        }
    }
}

/// The length of the stored data at `start`, after which its sizes say the same.
fn stored_length(blocks: &mut Blocks<'_>, start: u64) -> Result<u64> {
    let (end, mut at) = (blocks.size()?, start);
    loop {
        let length = STEP.min(end - at);
        let bytes = blocks.bytes(at, length)?;
        let says = |found: &usize| {
            let size = bytes.get(found + 8..found + 12).map(|size| u32_at(size, 0));
            size.map(u64::from) == Some(at - start + *found as u64)
        };
        if let Some(found) = memmem::find_iter(bytes, DESCRIPTOR).find(says) {
            return Ok(at - start + found as u64);
        }
        if length < STEP {
            return Ok(end - start);
        }
        at += length - 12;
    }
}
