//! Walks the central directory of a ZIP archive (APPNOTE.TXT 6.3.10).

use std::path::Path;

use super::blocks::{Blocks, u16_at, u32_at, u64_at};
use super::entry::{Data, Entry, ZipData, damage_error, sum};
use super::zip_end::{self, CENTRAL, CENTRAL_LENGTH, Directory, LOCAL};
use super::zip_name::name_of;
use crate::Source;
use crate::member_metadata::{EntryKind, Modified, Recorded};
use rread_text::error::Result;

/// Extra fields: ZIP64 sizes and offsets, times of Unix, and names in Unicode.
const ZIP64: u16 = 1;
const TIMES: u16 = 0x5455;
const UNICODE_NAME: u16 = 0x7075;

/// Bits of the flags: encrypted data, and encrypted headers.
const ENCRYPTED: u16 = 1 | 1 << 13;

/// The file type in a mode of Unix, and the types.
const TYPE: u32 = 0o170_000;
const DIRECTORY: u32 = 0o040_000;
const SYMBOLIC_LINK: u32 = 0o120_000;
const REGULAR: u32 = 0o100_000;

/// The attribute of directories in MS-DOS.
const DOS_DIRECTORY: u32 = 0x10;

pub(super) struct ZipWalk<'a> {
    blocks: Blocks<'a>,
    pub(super) at: u64,
    end: u64,
    left: u64,
    /// The bytes before the archive, such as the program of one that extracts itself.
    shift: u64,
}

impl<'a> ZipWalk<'a> {
    /// Starts before the first member of `source`, which is the file `path`.
    pub(super) fn new(source: &'a dyn Source, path: &Path) -> Result<Self> {
        let blocks = Blocks::new(source);
        let Directory { start, end, members, shift } = zip_end::find(source, blocks.size()?, path)?;
        Ok(ZipWalk { blocks, at: start, end, left: members, shift })
    }

    pub(super) fn next(&mut self) -> Result<Option<Entry>> {
        if self.left == 0 {
            return Ok(None);
        }
        let header = self.blocks.bytes(self.at, CENTRAL_LENGTH as u64)?;
        if header[..4] != *CENTRAL {
            return Err(damage_error(format!("its directory is invalid at byte {}", self.at)));
        }
        let lengths = [28, 30, 32].map(|at| u64::from(u16_at(header, at)));
        let length = CENTRAL_LENGTH as u64 + lengths.iter().sum::<u64>();
        if sum(self.at, length)? > self.end {
            return Err(damage_error(format!("its directory is invalid at byte {}", self.at)));
        }
        let header = self.blocks.bytes(self.at, length)?;
        let entry = entry(header, lengths, self.shift)?;
        (self.at, self.left) = (self.at + length, self.left - 1);
        Ok(Some(entry))
    }
}

fn entry(header: &[u8], [name, extra, _]: [u64; 3], shift: u64) -> Result<Entry> {
    let name_end = CENTRAL_LENGTH + usize::try_from(name).unwrap_or(0);
    let header_name = &header[CENTRAL_LENGTH..name_end];
    let extra = &header[name_end..name_end + usize::try_from(extra).unwrap_or(0)];
    let mut sizes = [u32_at(header, 24), u32_at(header, 20), u32_at(header, 42)].map(u64::from);
    let mut modified = Modified::Dos { date: u16_at(header, 14), time: u16_at(header, 12) };
    let mut unicode_name = None;
    for (kind, field) in extra_fields(extra) {
        match kind {
            ZIP64 => {
                // The field has only the numbers that do not fit into 32 bits.
                let mut numbers = field.chunks_exact(8).map(|number| u64_at(number, 0));
                for size in sizes.iter_mut().filter(|size| **size == u64::from(u32::MAX)) {
                    *size = numbers.next().ok_or_else(|| damage_error("a ZIP64 size is missing"))?;
                }
            }
            TIMES if field.len() >= 5 && field[0] & 1 != 0 => {
                modified = Modified::Utc(i64::from(u32_at(field, 1).cast_signed()), 0);
            }
            UNICODE_NAME => unicode_name = Some(field),
            _ => {}
        }
    }
    let [size, stored_size, offset] = sizes;
    let name = name_of(header_name, u16_at(header, 8), unicode_name);
    let (mode, kind) = mode_and_kind(header, &name, size);
    let data = ZipData {
        header: sum(offset, shift)?,
        stored_size,
        method: u16_at(header, 10),
        crc: u32_at(header, 16),
        is_encrypted: u16_at(header, 8) & ENCRYPTED != 0,
    };
    let recorded = Recorded { modified, mode: mode.map(|mode| mode & 0o7777) };
    let size = if kind == EntryKind::Directory { 0 } else { size };
    let other_name = (name != header_name).then(|| header_name.to_owned());
    Ok(Entry { name, other_name, kind, size, recorded, data: Data::Zip(data) })
}

/// The mode of the member `name`, and what it is.
fn mode_and_kind(header: &[u8], name: &[u8], size: u64) -> (Option<u32>, EntryKind) {
    let attributes = u32_at(header, 38);
    // The upper half has the mode if a Unix system made the archive.
    let is_unix = matches!(header[5], 3 | 19);
    let mode = Some(attributes >> 16).filter(|mode| is_unix && *mode != 0);
    let kind = match mode.map(|mode| mode & TYPE) {
        Some(SYMBOLIC_LINK) => EntryKind::SymbolicLink(None),
        Some(DIRECTORY) => EntryKind::Directory,
        _ if name.ends_with(b"/") => EntryKind::Directory,
        Some(REGULAR) => EntryKind::File,
        None | Some(0) if attributes & DOS_DIRECTORY != 0 && size == 0 => EntryKind::Directory,
        None | Some(0) => EntryKind::File,
        Some(_) => EntryKind::Other,
    };
    (mode, kind)
}

fn extra_fields(mut extra: &[u8]) -> impl Iterator<Item = (u16, &[u8])> {
    std::iter::from_fn(move || {
        let (head, rest) = extra.split_at_checked(4)?;
        let (field, rest) = rest.split_at_checked(usize::from(u16_at(head, 2)))?;
        extra = rest;
        Some((u16_at(head, 0), field))
    })
}

/// The offset of the data of a member. Its second header must agree about the name.
pub(super) fn data_start(source: &dyn Source, header_name: &[u8], data: &ZipData) -> Result<u64> {
    let mut blocks = Blocks::new(source);
    let header = blocks.bytes(data.header, 30)?;
    if header[..4] != *LOCAL {
        return Err(damage_error(format!("there is no member at byte {}", data.header)));
    }
    let (name_length, extra) = (u64::from(u16_at(header, 26)), u64::from(u16_at(header, 28)));
    if blocks.bytes(data.header + 30, name_length)? != header_name {
        return Err(damage_error("the directory and the header of the member have different names"));
    }
    let start = data.header + 30 + name_length + extra;
    if sum(start, data.stored_size)? > blocks.size()? {
        return Err(damage_error("it ends inside the member"));
    }
    Ok(start)
}
