//! Finds the directory of a ZIP archive by the record at its end, which any other bytes may follow.

use std::path::Path;

use super::blocks::{u16_at, u32_at, u64_at};
use super::entry::{damage_error, read, sum};
use super::split::{last_part_error, part_error, part_of_name};
use crate::Source;
use rread_text::error::{Error, Kind, Result};

const END: &[u8; 4] = b"PK\x05\x06";
const END_64: &[u8; 4] = b"PK\x06\x06";
const LOCATOR_64: &[u8; 4] = b"PK\x06\x07";
pub(super) const CENTRAL: &[u8; 4] = b"PK\x01\x02";
pub(super) const LOCAL: &[u8; 4] = b"PK\x03\x04";

/// The first bytes of the first part of a split archive.
const SPLIT: &[u8; 4] = b"PK\x07\x08";

/// The length of the record at the end without its comment, and the longest comment.
const END_LENGTH: usize = 22;
const LONGEST_COMMENT: u64 = 65_535;

const LOCATOR_LENGTH: usize = 20;
const END_64_LENGTH: usize = 56;

/// The length of the header of a member in the directory, without its name.
pub(super) const CENTRAL_LENGTH: usize = 46;

/// The version of ZIP that encrypts directories, 6.2.
const VERSION_2: u16 = 62;

/// The most records whose directory is looked for.
const MOST_TRIED: usize = 1000;

/// The flag of a member whose headers are encrypted.
const MASKED: u16 = 1 << 13;

/// The central directory of an archive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Directory {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) members: u64,
    /// The bytes before the archive, such as the program of one that extracts itself.
    pub(super) shift: u64,
}

/// A record that may be the end of the archive.
#[derive(Clone, Copy)]
struct EndRecord {
    at: u64,
    part: u32,
    members: u64,
    length: u64,
    offset: u64,
    comment_end: u64,
}

impl EndRecord {
    fn of(fields: &[u8], at: u64) -> Self {
        EndRecord {
            at,
            part: u32::from(u16_at(fields, 4)),
            members: u64::from(u16_at(fields, 10)),
            length: u64::from(u32_at(fields, 12)),
            offset: u64::from(u32_at(fields, 16)),
            comment_end: at + END_LENGTH as u64 + u64::from(u16_at(fields, 20)),
        }
    }
}

/// The last bytes of an archive, in which the record is, and its other bytes.
struct Ends<'a> {
    source: &'a dyn Source,
    path: &'a Path,
    size: u64,
    from: u64,
    tail: Vec<u8>,
}

/// The directory of the archive `source`, which has `size` bytes and is the file `path`.
pub(super) fn find(source: &dyn Source, size: u64, path: &Path) -> Result<Directory> {
    let ends = Ends::new(source, size, path)?;
    let mut found: Option<(EndRecord, Directory)> = None;
    let (mut failure, mut is_exact) = (None, false);
    for record in ends.records().take(MOST_TRIED) {
        // Of two records, the later counts, unless it is in the comment of the earlier one.
        if found.is_some_and(|(later, _)| record.comment_end <= later.at) {
            continue;
        }
        match ends.directory(record) {
            Ok(directory) => found = Some((record, directory)),
            // The record that leads to the end of the file is more likely the one that was meant.
            Err(error) if failure.is_none() || !is_exact && record.comment_end == size => {
                (failure, is_exact) = (Some(error), record.comment_end == size);
            }
            Err(_) => {}
        }
    }
    match (found, failure) {
        (Some((_, directory)), _) => Ok(directory),
        (None, Some(error)) => Err(error),
        (None, None) => Err(ends.no_end()?),
    }
}

impl<'a> Ends<'a> {
    fn new(source: &'a dyn Source, size: u64, path: &'a Path) -> Result<Self> {
        let from = size.saturating_sub(END_LENGTH as u64 + LONGEST_COMMENT);
        let mut tail = vec![0; usize::try_from(size - from).unwrap_or(0)];
        let got = read(source, &mut tail, from)?;
        tail.truncate(got);
        Ok(Ends { source, path, size, from, tail })
    }

    /// The records, the last one first.
    fn records(&self) -> impl Iterator<Item = EndRecord> {
        memchr::memmem::rfind_iter(&self.tail, END).filter_map(|at| {
            let fields = self.tail.get(at..at.saturating_add(END_LENGTH))?;
            Some(EndRecord::of(fields, self.from + at as u64))
        })
    }

    /// The `N` bytes at `at`, or fewer at the end. Most are in the tail: a file may have thousands of false records.
    fn bytes<const N: usize>(&self, at: u64) -> Result<[u8; N]> {
        let within = at.checked_sub(self.from).and_then(|from| usize::try_from(from).ok());
        if let Some(bytes) = within.and_then(|from| self.tail.get(from..)?.first_chunk()) {
            return Ok(*bytes);
        }
        let mut bytes = [0; N];
        read(self.source, &mut bytes, at)?;
        Ok(bytes)
    }

    fn starts_with(&self, at: u64, number: &[u8; 4]) -> Result<bool> {
        Ok(self.bytes::<4>(at)? == *number)
    }

    /// The error for an archive without a record at its end.
    fn no_end(&self) -> Result<Error> {
        let head = self.bytes::<4>(0)?;
        Ok(match part_of_name(self.path) {
            Some(number) => part_error(self.path, &format!("part {number}")),
            None if head == *SPLIT => part_error(self.path, "the first part"),
            None if self.size == 0 || self.from == 0 && !head.starts_with(b"PK") => {
                Error::usage("is not a ZIP archive")
            }
            None => no_directory(),
        })
    }

    /// The directory that `record` names, if it is there.
    fn directory(&self, mut record: EndRecord) -> Result<Directory> {
        let is_exact = record.comment_end == self.size;
        let mut end = record.at;
        let mut is_encrypted = false;
        if let Some(at) = self.record_64(record.at)? {
            let fields = self.bytes::<END_64_LENGTH>(at)?;
            record.part = u32_at(&fields, 16);
            (record.members, record.length, record.offset) =
                (u64_at(&fields, 32), u64_at(&fields, 40), u64_at(&fields, 48));
            // The second version of the record describes how the directory is compressed and encrypted.
            is_encrypted = u64_at(&fields, 4) > END_64_LENGTH as u64 - 12 && u16_at(&fields, 14) >= VERSION_2;
            end = at;
        }
        if record.part > 0 && !self.is_whole(&record, end)? {
            return Err(last_part_error(self.path, record.part));
        }
        let impossible = || damage_error("its directory has an impossible size");
        let start = end.checked_sub(record.length).ok_or_else(impossible)?;
        let early = || damage_error("its central directory starts before the archive");
        let shift = start.checked_sub(record.offset).ok_or_else(early)?;
        let found = Directory { start, end, members: record.members, shift };
        if record.members == 0 {
            return if is_exact || shift == 0 { Ok(found) } else { Err(no_directory()) };
        }
        if self.starts_with(start, CENTRAL)? {
            let is_inner = shift > 0 && !is_exact && self.is_of_stored_member(shift)?;
            return if is_inner { Err(no_directory()) } else { Ok(found) };
        }
        // Other bytes may be between the directory and the record.
        let declared_end = sum(record.offset, record.length)?;
        if declared_end < end && self.starts_with(record.offset, CENTRAL)? {
            return Ok(Directory { start: record.offset, end: declared_end, shift: 0, ..found });
        }
        let first = self.bytes::<8>(0)?;
        if is_encrypted || first.starts_with(LOCAL) && u16_at(&first, 6) & MASKED != 0 {
            let message = "has an encrypted directory, and rread does not decrypt";
            return Err(Error::new(Kind::Io, message));
        }
        Err(damage_error(format!("its directory is invalid at byte {start}")))
    }

    /// Whether the archive begins in the part with its record, the number of which is then wrong. In a split archive the
    /// first member begins in another part.
    fn is_whole(&self, record: &EndRecord, end: u64) -> Result<bool> {
        let Some(start) = end.checked_sub(record.length) else { return Ok(false) };
        let first = self.bytes::<CENTRAL_LENGTH>(start)?;
        Ok(first.starts_with(CENTRAL) && u32::from(u16_at(&first, 34)) == record.part)
    }

    /// Whether the archive at `start` is in a stored member of another archive, of which the end is missing.
    fn is_of_stored_member(&self, start: u64) -> Result<bool> {
        if !self.starts_with(0, LOCAL)? {
            return Ok(false);
        }
        // It is not if one archive ends there and the other follows.
        let before = Ends::new(self.source, start, self.path)?;
        Ok(!before.records().any(|record| record.comment_end == start))
    }

    /// The offset of the record of ZIP64, if there is one before the record at `end`.
    fn record_64(&self, end: u64) -> Result<Option<u64>> {
        let Some(at) = end.checked_sub(LOCATOR_LENGTH as u64) else { return Ok(None) };
        let locator = self.bytes::<LOCATOR_LENGTH>(at)?;
        if !locator.starts_with(LOCATOR_64) {
            return Ok(None);
        }
        let declared = u64_at(&locator, 8);
        // Bytes before the archive move the record away from its declared place.
        for record in [Some(declared), at.checked_sub(END_64_LENGTH as u64)].into_iter().flatten() {
            if sum(record, END_64_LENGTH as u64)? <= at && self.starts_with(record, END_64)? {
                return Ok(Some(record));
            }
        }
        Err(damage_error("its ZIP64 directory is missing"))
    }
}

fn no_directory() -> Error {
    damage_error("it has no directory at its end")
}
