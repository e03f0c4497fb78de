//! Walks the central directory of a ZIP archive (APPNOTE.TXT 6.3.10): its end, its entries and the parts of a split archive.

use std::path::Path;

use super::entry::{
    Blocks, CENTRAL, CENTRAL_LENGTH, DEFLATE, Data, Entry, LOCAL, Reading, STORED, ZipData, damage_error,
    read, sum, u16_at, u32_at, u64_at,
};
use super::local;
use super::names::{is_old, name_of, with_slashes};
use crate::Source;
use crate::member_metadata::{EntryKind, Listed, Modified, Recorded};
use rread_text::encoding::{Encoding, evident};
use rread_text::error::{Error, Kind, Result};
use rread_text::sentence::{call, file, shell};

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

/// Bytes that are read of a small member, decompressed and not.
const MAX_SMALL: usize = 1 << 20;

/// The most members whose names are looked at to find their encoding.
const MAX_NAMED: usize = 1000;

pub(super) struct ZipWalk<'a> {
    pub(super) blocks: Blocks<'a>,
    directory: Directory,
    pub(super) at: u64,
    left: u64,
    /// Whether there is no directory, so that the headers before the members are read.
    pub(super) is_local: bool,
    /// The encoding of names of which the archive says none, once one of them has come.
    encoding: Option<Option<Encoding>>,
}

impl<'a> ZipWalk<'a> {
    /// Starts before the first member of `source`, which is the file `path`.
    pub(super) fn new(source: &'a dyn Source, path: &Path, reading: Reading) -> Result<Self> {
        let mut blocks = Blocks::new(source);
        let found = find(source, blocks.size()?, path);
        let is_local = found.is_err() && local::is_member(&mut blocks, 0);
        let directory = match found {
            Err(error) if is_local && error.hint.is_none() && !reading.salvages => {
                return Err(error.hint(call("lines").file(path).on("salvage").again()));
            }
            Err(error) if !(is_local && reading.salvages) => return Err(error),
            found => found.unwrap_or(Directory { start: 0, end: 0, members: u64::MAX, shift: 0 }),
        };
        let encoding = reading.names.map(Some);
        Ok(ZipWalk { blocks, directory, at: directory.start, left: directory.members, is_local, encoding })
    }

    pub(super) fn next(&mut self) -> Result<Option<Entry>> {
        if self.left == 0 {
            return Ok(None);
        }
        let (header, shift) = match self.is_local {
            true => match local::header(&mut self.blocks, self.at) {
                Some(header) => (header, self.at),
                None => return Ok(None),
            },
            false => (self.central_header()?, self.directory.shift),
        };
        let lengths = lengths(&header);
        let name_end = CENTRAL_LENGTH + usize::try_from(lengths[0]).unwrap_or(0);
        if self.encoding.is_none() && is_old(&header[CENTRAL_LENGTH..name_end], u16_at(&header, 8)) {
            self.encoding = Some(self.evident_encoding());
        }
        let mut entry = entry(&header, lengths, shift, self.encoding.flatten())?;
        self.at = match self.is_local {
            true => local::measure(&mut self.blocks, &mut entry, u16_at(&header, 8))?,
            false => self.at + header.len() as u64,
        };
        self.left -= 1;
        Ok(Some(entry))
    }

    fn central_header(&mut self) -> Result<Vec<u8>> {
        let invalid = |at: u64| damage_error(format!("its directory is invalid at byte {at}"));
        let header = self.blocks.bytes(self.at, CENTRAL_LENGTH as u64)?;
        if header[..4] != *CENTRAL {
            return Err(invalid(self.at));
        }
        let length = CENTRAL_LENGTH as u64 + lengths(header).iter().sum::<u64>();
        if sum(self.at, length)? > self.directory.end {
            return Err(invalid(self.at));
        }
        Ok(self.blocks.bytes(self.at, length)?.to_owned())
    }

    /// The encoding that the names show of which the archive says none.
    fn evident_encoding(&self) -> Option<Encoding> {
        let Directory { start, members, .. } = self.directory;
        let blocks = Blocks::new(self.blocks.source);
        let encoding = Some(None);
        let mut walk = ZipWalk { blocks, at: start, left: members, encoding, ..*self };
        let mut names = Vec::new();
        for _ in 0..MAX_NAMED {
            let Ok(Some(entry)) = walk.next() else { break };
            // Names in Unicode show nothing.
            let header = entry.header_name();
            if std::str::from_utf8(header).is_err() {
                names.extend([header, b"\n"].concat());
            }
        }
        evident(&names).map(|decided| decided.encoding)
    }
}

/// The lengths of the name, the extra fields and the comment.
fn lengths(header: &[u8]) -> [u64; 3] {
    [28, 30, 32].map(|at| u64::from(u16_at(header, at)))
}

fn entry(header: &[u8], [name, extra, _]: [u64; 3], shift: u64, encoding: Option<Encoding>) -> Result<Entry> {
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
    let name = name_of(header_name, u16_at(header, 8), unicode_name, encoding);
    // On the systems of MS-DOS and Windows, a backslash is not a part of a name.
    let name = if matches!(header[5], 0 | 10 | 11) { with_slashes(name) } else { name };
    let (mode, kind) = mode_and_kind(header, &name, size);
    let data = ZipData {
        header: sum(offset, shift)?,
        stored_size,
        method: u16_at(header, 10),
        crc: u32_at(header, 16),
    };
    let recorded = Recorded { modified, mode: mode.map(|mode| mode & 0o7777) };
    let size = if kind == EntryKind::Directory { 0 } else { size };
    let other_name = (name != header_name).then(|| header_name.to_owned());
    let is_encrypted = u16_at(header, 8) & ENCRYPTED != 0;
    let listed = Listed { name, other_name, kind, size, recorded, is_encrypted };
    Ok(Entry { listed, data: Data::Zip(data) })
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

/// The start of a small member; `None` if it is compressed in an unusual way.
pub(super) fn content(source: &dyn Source, entry: &Entry) -> Option<Vec<u8>> {
    let Data::Zip(data) = &entry.data else { return None };
    let start = data_start(source, entry.header_name(), data).ok().filter(|_| !entry.listed.is_encrypted)?;
    let mut bytes = vec![0; usize::try_from(data.stored_size).unwrap_or(usize::MAX).min(MAX_SMALL)];
    let got = read(source, &mut bytes, start).ok()?;
    bytes.truncate(got);
    match data.method {
        STORED => Some(bytes),
        DEFLATE => {
            let text = miniz_oxide::inflate::decompress_to_vec_with_limit(&bytes, MAX_SMALL);
            Some(text.unwrap_or_else(|error| error.output))
        }
        _ => None,
    }
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

const END: &[u8; 4] = b"PK\x05\x06";
const END_64: &[u8; 4] = b"PK\x06\x06";
const LOCATOR_64: &[u8; 4] = b"PK\x06\x07";

/// The first bytes of the first part of a split archive.
const SPLIT: &[u8; 4] = b"PK\x07\x08";

/// The length of the record at the end without its comment, and the longest comment.
const END_LENGTH: usize = 22;
const MAX_COMMENT: u64 = 65_535;

const LOCATOR_LENGTH: usize = 20;
const END_64_LENGTH: usize = 56;

/// The most records whose directory is looked for.
const MAX_TRIED: usize = 1000;

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
    for record in ends.records().take(MAX_TRIED) {
        // The later of two records counts, unless it is in the comment of the earlier one.
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
        let from = size.saturating_sub(END_LENGTH as u64 + MAX_COMMENT);
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
        Ok(match head {
            _ if is_part(self.path) || head == *SPLIT => split_error(self.path),
            _ if self.size == 0 || self.from == 0 && !head.starts_with(b"PK") => {
                Error::usage("is not a ZIP archive")
            }
            _ => no_directory(),
        })
    }

    /// The directory that `record` names, if it is there.
    fn directory(&self, mut record: EndRecord) -> Result<Directory> {
        let is_exact = record.comment_end == self.size;
        let mut end = record.at;
        if let Some(at) = self.record_64(record.at)? {
            let fields = self.bytes::<END_64_LENGTH>(at)?;
            record.part = u32_at(&fields, 16);
            (record.members, record.length, record.offset) =
                (u64_at(&fields, 32), u64_at(&fields, 40), u64_at(&fields, 48));
            end = at;
        }
        if record.part > 0 && !self.is_whole(&record, end)? {
            return Err(split_error(self.path));
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
        // False if one archive ends there and another follows.
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

/// Whether the ending of `path` is that of a part, such as `s.z02`.
fn is_part(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default().as_encoded_bytes();
    let [b'z' | b'Z', digits @ ..] = ending else { return false };
    digits.len() >= 2 && digits.iter().all(u8::is_ascii_digit) && digits.iter().any(|digit| *digit != b'0')
}

/// The error for the file `path`, which is a part of an archive, with the command that joins the parts.
fn split_error(path: &Path) -> Error {
    let error = Error::new(Kind::Io, "is a part of a split archive; rread reads whole archives");
    if path == Path::new("-") {
        return error;
    }
    let (last, whole) = (path.with_extension("zip"), path.with_file_name("all.zip"));
    error.hint(shell("zip -s 0 ").then(file(last)).then(shell(" --out ")).then(file(whole)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_numbers_in_their_endings() {
        for (name, expected) in [
            ("s.z01", true),
            ("a/S.Z12", true),
            ("s.z100", true),
            ("s.zip", false),
            ("s.z", false),
            ("s.z1", false),
            ("s.z00", false),
            ("s.zst", false),
            ("z01", false),
            ("s.z-1", false),
        ] {
            assert_eq!(is_part(Path::new(name)), expected, "{name}");
        }
    }

    #[test]
    fn the_command_joins_the_parts_beside_the_file() {
        let hint = |name: &str| split_error(Path::new(name)).hint;
        assert_eq!(hint("s.zip").map(|hint| hint.plain()).as_deref(), Some("zip -s 0 s.zip --out all.zip"));
        assert_eq!(
            hint("d d/s.z01").map(|hint| hint.plain()).as_deref(),
            Some("zip -s 0 'd d/s.zip' --out 'd d/all.zip'")
        );
        assert_eq!(hint("-"), None);
    }
}
