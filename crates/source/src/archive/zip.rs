//! Walks the central directory of a ZIP archive (APPNOTE.TXT 6.3.10).

use super::entry::{Data, Entry, ZipData, damage_error, read, sum};
use crate::Source;
use crate::member_metadata::{EntryKind, Modified, Recorded};
use rread_text::error::{Error, Result};

const END: &[u8; 4] = b"PK\x05\x06";
const END_64: &[u8; 4] = b"PK\x06\x06";
const LOCATOR_64: &[u8; 4] = b"PK\x06\x07";
const CENTRAL: &[u8; 4] = b"PK\x01\x02";
const LOCAL: &[u8; 4] = b"PK\x03\x04";

/// The length of the record at the end without its comment, and the longest comment.
const END_LENGTH: usize = 22;
const LONGEST_COMMENT: usize = 65_535;

const LOCATOR_LENGTH: u64 = 20;

/// Extra fields: ZIP64 sizes and offsets, and times of Unix.
const ZIP64: u16 = 1;
const TIMES: u16 = 0x5455;

/// Bits of the flags: encrypted data, and encrypted headers.
const ENCRYPTED: u16 = 1 | 1 << 13;

/// The file type in a mode of Unix, and the types.
const TYPE: u32 = 0o170_000;
const DIRECTORY: u32 = 0o040_000;
const SYMBOLIC_LINK: u32 = 0o120_000;
const REGULAR: u32 = 0o100_000;

/// Bytes that are read at once, more than any header.
const BLOCK: u64 = 256 << 10;

pub(super) struct ZipWalk<'a> {
    blocks: Blocks<'a>,
    at: u64,
    end: u64,
    left: u64,
    /// The bytes before the archive, such as the program of one that extracts itself.
    shift: u64,
}

impl<'a> ZipWalk<'a> {
    pub(super) fn new(source: &'a dyn Source) -> Result<Self> {
        let mut blocks = Blocks::new(source);
        let size = blocks.size()?;
        let record = end_record(&mut blocks, size)?;
        let fields = blocks.bytes(record, END_LENGTH as u64)?;
        let (mut left, mut length, mut offset) =
            (u64::from(u16_at(fields, 10)), u64::from(u32_at(fields, 12)), u64::from(u32_at(fields, 16)));
        let mut end = record;
        if let Some(record) = end_record_64(&mut blocks, record)? {
            let fields = blocks.bytes(record, 56)?;
            (left, length, offset) = (u64_at(fields, 32), u64_at(fields, 40), u64_at(fields, 48));
            end = record;
        }
        let start =
            end.checked_sub(length).ok_or_else(|| damage_error("its directory has an impossible size"))?;
        let shift = start
            .checked_sub(offset)
            .ok_or_else(|| damage_error("its central directory starts before the archive"))?;
        Ok(ZipWalk { blocks, at: start, end, left, shift })
    }

    pub(super) fn next(&mut self) -> Result<Option<Entry>> {
        if self.left == 0 {
            return Ok(None);
        }
        let header = self.blocks.bytes(self.at, 46)?;
        if header[..4] != *CENTRAL {
            return Err(damage_error(format!("its directory is invalid at byte {}", self.at)));
        }
        let lengths = [28, 30, 32].map(|at| u64::from(u16_at(header, at)));
        let length = 46 + lengths.iter().sum::<u64>();
        if sum(self.at, length)? > self.end {
            return Err(damage_error(format!("its directory is invalid at byte {}", self.at)));
        }
        let header = self.blocks.bytes(self.at, length)?;
        let entry = entry(header, lengths, self.shift)?;
        (self.at, self.left) = (self.at + length, self.left - 1);
        Ok(Some(entry))
    }
}

/// One block of an archive, which moves to each requested offset.
struct Blocks<'a> {
    source: &'a dyn Source,
    start: u64,
    block: Vec<u8>,
}

impl<'a> Blocks<'a> {
    fn new(source: &'a dyn Source) -> Self {
        Blocks { source, start: 0, block: Vec::new() }
    }

    /// The size; reads a stream to its end.
    fn size(&self) -> Result<u64> {
        let mut buffer = vec![0; 64 << 10];
        let mut at = 0;
        loop {
            if let Some(size) = self.source.size() {
                return Ok(size);
            }
            match read(self.source, &mut buffer, at)? {
                0 => return Ok(self.source.size().unwrap_or(at)),
                got => at += got as u64,
            }
        }
    }

    /// The `length` bytes at `at`, which must be there.
    fn bytes(&mut self, at: u64, length: u64) -> Result<&[u8]> {
        let is_there = at >= self.start && at.saturating_add(length) <= self.start + self.block.len() as u64;
        if !is_there {
            let left = self.size()?.saturating_sub(at);
            let wanted = length.max(BLOCK).min(left);
            self.block.resize(usize::try_from(wanted).unwrap_or(0), 0);
            self.start = at;
            let got = read(self.source, &mut self.block, at)?;
            self.block.truncate(got);
        }
        let from = usize::try_from(at - self.start).unwrap_or(usize::MAX);
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let range = from..from.saturating_add(length);
        self.block
            .get(range)
            .ok_or_else(|| damage_error(format!("it ends before byte {}", at.saturating_add(length as u64))))
    }
}

/// The offset of the last record whose comment leads to the end of the file.
fn end_record(blocks: &mut Blocks<'_>, size: u64) -> Result<u64> {
    let start = size.saturating_sub((END_LENGTH + LONGEST_COMMENT) as u64);
    let tail = blocks.bytes(start, size - start)?;
    let ends_file = |at: &usize| {
        let comment = tail.get(at + 20..at + 22).map(|field| usize::from(u16_at(field, 0)));
        comment.is_some_and(|comment| at + END_LENGTH + comment == tail.len())
    };
    let found = memchr::memmem::rfind_iter(tail, END).find(ends_file);
    let found = found.ok_or_else(|| match tail.is_empty() || start == 0 && !tail.starts_with(b"PK") {
        true => Error::usage("is not a ZIP archive"),
        false => damage_error("it has no directory at its end"),
    })?;
    Ok(start + found as u64)
}

/// The offset of the record of ZIP64, if there is one before the record at `end`.
fn end_record_64(blocks: &mut Blocks<'_>, end: u64) -> Result<Option<u64>> {
    let Some(at) = end.checked_sub(LOCATOR_LENGTH) else { return Ok(None) };
    let locator = blocks.bytes(at, LOCATOR_LENGTH)?;
    if locator[..4] != *LOCATOR_64 {
        return Ok(None);
    }
    let declared = u64_at(locator, 8);
    // Bytes before the archive move the record away from its declared place.
    for record in [Some(declared), at.checked_sub(56)].into_iter().flatten() {
        let fits = sum(record, 56)? <= at;
        if fits && blocks.bytes(record, 4)? == END_64 {
            return Ok(Some(record));
        }
    }
    Err(damage_error("its ZIP64 directory is missing"))
}

fn entry(header: &[u8], [name, extra, _]: [u64; 3], shift: u64) -> Result<Entry> {
    let name_end = 46 + usize::try_from(name).unwrap_or(0);
    let name = header[46..name_end].to_owned();
    let extra = &header[name_end..name_end + usize::try_from(extra).unwrap_or(0)];
    let mut sizes = [u32_at(header, 24), u32_at(header, 20), u32_at(header, 42)].map(u64::from);
    let mut modified = Modified::Dos { date: u16_at(header, 14), time: u16_at(header, 12) };
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
            _ => {}
        }
    }
    let [size, stored_size, offset] = sizes;
    // The upper half has the mode if a Unix system made the archive.
    let is_unix = matches!(header[5], 3 | 19);
    let mode = Some(u32_at(header, 38) >> 16).filter(|mode| is_unix && *mode != 0);
    let kind = match mode.map(|mode| mode & TYPE) {
        Some(SYMBOLIC_LINK) => EntryKind::SymbolicLink(None),
        Some(DIRECTORY) => EntryKind::Directory,
        _ if name.ends_with(b"/") => EntryKind::Directory,
        None | Some(0 | REGULAR) => EntryKind::File,
        Some(_) => EntryKind::Other,
    };
    let data = ZipData {
        header: sum(offset, shift)?,
        stored_size,
        method: u16_at(header, 10),
        crc: u32_at(header, 16),
        is_encrypted: u16_at(header, 8) & ENCRYPTED != 0,
    };
    let recorded = Recorded { modified, mode: mode.map(|mode| mode & 0o7777) };
    let size = if kind == EntryKind::Directory { 0 } else { size };
    Ok(Entry { name, kind, size, recorded, data: Data::Zip(data) })
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
pub(super) fn data_start(source: &dyn Source, name: &[u8], data: &ZipData) -> Result<u64> {
    let mut blocks = Blocks::new(source);
    let header = blocks.bytes(data.header, 30)?;
    if header[..4] != *LOCAL {
        return Err(damage_error(format!("there is no member at byte {}", data.header)));
    }
    let (name_length, extra) = (u64::from(u16_at(header, 26)), u64::from(u16_at(header, 28)));
    if blocks.bytes(data.header + 30, name_length)? != name {
        return Err(damage_error("the directory and the header of the member have different names"));
    }
    let start = data.header + 30 + name_length + extra;
    if sum(start, data.stored_size)? > blocks.size()? {
        return Err(damage_error("it ends inside the member"));
    }
    Ok(start)
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    bytes[at..].first_chunk().map_or(0, |bytes| u16::from_le_bytes(*bytes))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes[at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}
