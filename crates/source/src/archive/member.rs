//! A member of an archive as a source: a part of the archive.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use crc32fast::Hasher;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::address::MemberAddress;
use super::entry::{DEFLATE, Data, Entry, Found, STORED, ZipData, damage_error};
use super::zip;
use crate::compressed::damage::Damage;
use crate::member_address::{MAX_INNER_RATIO, MAX_INNER_TEXT};
use crate::member_metadata::Recorded;
use crate::version::{Change, FileVersion, Stamp, Version};
use crate::{Contained, Decoding, Source, SourceInfo, lock};
use rread_text::error::{Error, Kind, Result};
use rread_text::sentence::{call, file, shell, through_copy};

pub(super) struct MemberSource {
    archive: Arc<dyn Source>,
    /// The offset in the archive.
    start: u64,
    size: u64,
    contained: Option<Contained>,
    recorded: Recorded,
    has_duplicates: bool,
    /// The checksum of a stored member of a ZIP archive.
    checksum: Option<Checksum>,
    /// Whether the user accepts damage.
    salvages: bool,
    /// Whether a wrong checksum is no error of reads from now on.
    ends_at_damage: AtomicBool,
    /// Whether the compressed archive has a checksum around the member that was not compared.
    has_unread_checksum: bool,
    /// A hash of the name, which distinguishes the member from others of the archive.
    name: u64,
}

impl MemberSource {
    pub(super) fn new(archive: Arc<dyn Source>, found: Found, address: &MemberAddress) -> Result<Self> {
        let mut member = MemberSource::with_layout(archive, found, address, false)?;
        let unread = |decoding: &dyn Decoding| !decoding.check_span(member.span());
        member.has_unread_checksum = member.archive.info().decoding.is_some_and(unread);
        Ok(member)
    }

    /// Makes the source for a caller that knows whether the checksums around the archive were compared.
    pub(super) fn with_layout(
        archive: Arc<dyn Source>,
        found: Found,
        address: &MemberAddress,
        has_unread_checksum: bool,
    ) -> Result<Self> {
        let (Found { entry, has_duplicates }, salvages) = (found, address.reading.salvages);
        if !address.nesting.takes(entry.listed.size) {
            let limit = format!("{} GiB and {MAX_INNER_RATIO} times", MAX_INNER_TEXT >> 30);
            let message =
                format!("is not read: the archives in the archive have more than {limit} its bytes of text");
            return Err(Error::new(Kind::Io, message));
        }
        let name = xxh3_64(entry.header_name());
        let (mut contained, mut checksum) = (None, None);
        let (start, size) = match entry.data {
            Data::Span { start } => (start, entry.listed.size),
            Data::Sparse => {
                let message = "is a sparse file in the archive, and rread reads only whole ones".to_owned();
                return Err(unsupported_error(message, "tar -xOf ", &entry, address));
            }
            Data::Zip(data) => {
                let start;
                (start, contained) = zip_data(&*archive, &entry, &data, address)?;
                // The decoder of a compressed member compares the CRC-32.
                checksum = contained.is_none().then(|| Checksum::new(data.crc, entry.listed.size));
                (start, data.stored_size)
            }
        };
        Ok(MemberSource {
            archive,
            start,
            size,
            contained,
            recorded: entry.listed.recorded,
            has_duplicates,
            checksum,
            salvages,
            ends_at_damage: AtomicBool::new(salvages),
            has_unread_checksum,
            name,
        })
    }

    /// The part of the archive from the first to the last byte.
    pub(super) fn span(&self) -> Range<u64> {
        self.start..self.start.saturating_add(self.size)
    }

    /// Refuses a member that is known not to agree with its checksum, or with that of the compressed archive around it.
    pub(super) fn refuse_damage(&self, address: &MemberAddress) -> Result<()> {
        let span = self.span();
        let is_hit = |damage: &Damage| span.end > damage.unsound && span.start < damage.text;
        // No read meets the checksum of an empty member.
        let around = || self.archive.info().decoding.and_then(Decoding::damage).filter(is_hit);
        let damage = self.damage().or_else(around);
        match damage.filter(|_| !self.salvages) {
            None => Ok(()),
            Some(damage) => {
                let hint = call("lines").file(address.path(&address.member)).word("1:20").on("salvage");
                Err(Error::new(Kind::Io, damage.to_string()).hint(hint))
            }
        }
    }
}

/// A stored member, as far as its checksum goes.
impl Decoding for MemberSource {
    fn format(&self) -> &'static str {
        "ZIP"
    }

    fn input(&self) -> &dyn Source {
        self
    }

    fn damage(&self) -> Option<Damage> {
        let is_wrong = self.checksum.as_ref().and_then(Checksum::is_right) == Some(false);
        is_wrong.then(|| Damage {
            format: self.format(),
            input: self.span().end,
            text: self.size,
            unsound: 0,
            what: "the checksum of the member is wrong".to_owned(),
        })
    }

    fn is_salvaged(&self) -> bool {
        self.salvages
    }

    fn end_at_damage(&self) {
        self.ends_at_damage.store(true, Ordering::Relaxed);
    }

    fn check_span(&self, _: Range<u64>) -> bool {
        self.damage().is_none()
    }
}

/// The start of the data of the member `entry`, and its compression.
fn zip_data(
    archive: &dyn Source,
    entry: &Entry,
    data: &ZipData,
    address: &MemberAddress,
) -> Result<(u64, Option<Contained>)> {
    if entry.listed.is_encrypted {
        let message = "is encrypted in the archive, and rread does not decrypt".to_owned();
        return Err(unsupported_error(message, "7z x -so -spd -- ", entry, address));
    }
    let start = zip::data_start(archive, entry.header_name(), data)?;
    match data.method {
        STORED if data.stored_size == entry.listed.size => Ok((start, None)),
        STORED => Err(damage_error("the member is stored, but its sizes differ")),
        DEFLATE => Ok((start, Some(Contained { text_size: entry.listed.size, crc: data.crc }))),
        other => {
            let method = method_name(other);
            let message =
                format!("is compressed with {method} in the archive, which rread does not decompress");
            let error = unsupported_error(message, "7z x -so -spd -- ", entry, address);
            // Such a program does not look into a compressed archive.
            Err(if archive.info().decoding.is_some() { Error { hint: None, ..error } } else { error })
        }
    }
}

impl Source for MemberSource {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let left = usize::try_from(self.size.saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        let buffer = &mut buffer[..wanted];
        if buffer.is_empty() {
            return Ok(0);
        }
        let got = self.archive.read_at(buffer, self.start.saturating_add(offset))?;
        if got == 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the archive ends inside the member"));
        }
        if let Some(checksum) = &self.checksum {
            checksum.note(&buffer[..got], offset);
            let reaches_end = offset + got as u64 == self.size;
            if reaches_end
                && !self.ends_at_damage.load(Ordering::Relaxed)
                && let Some(damage) = self.damage()
            {
                // A read of the last byte alone fails.
                return if got > 1 { Ok(got - 1) } else { Err(damage.into()) };
            }
        }
        Ok(got)
    }

    fn size(&self) -> Option<u64> {
        Some(self.size)
    }

    fn check(&self) -> io::Result<()> {
        self.archive.check()
    }

    fn advise(&self, range: Range<u64>) {
        let end = range.end.min(self.size);
        self.archive.advise(self.start.saturating_add(range.start)..self.start.saturating_add(end));
    }

    fn info(&self) -> SourceInfo<'_> {
        let archive = self.archive.info();
        let is_right = self.checksum.as_ref().is_none_or(|checksum| checksum.is_right() == Some(true));
        let stored_member: Option<&dyn Decoding> = if self.checksum.is_some() { Some(self) } else { None };
        // The kernel does not compare checksums.
        let file = archive.file.filter(|_| is_right).map(|(file, base)| (file, base + self.start));
        SourceInfo {
            file,
            is_sequential: archive.is_sequential,
            contained: self.contained,
            recorded: Some(self.recorded),
            has_duplicates: self.has_duplicates,
            has_unread_checksum: self.has_unread_checksum || !is_right,
            stored_member,
            ..SourceInfo::default()
        }
    }

    /// Any change of the archive changes it.
    fn version(&self) -> io::Result<Option<Version>> {
        let Some(archive) = self.archive.version()? else { return Ok(None) };
        let mut hash = Xxh3::new();
        hash.update(archive.to_string().as_bytes());
        hash.update(&self.name.to_le_bytes());
        let digest = hash.digest();
        let stamp = Stamp { device: self.name, inode: 0, size: self.size, modified: i128::from(digest) };
        Ok(Some(Version::File(FileVersion::new(&stamp, digest))))
    }

    /// Appending to an archive does not change its members.
    fn changed(&self) -> io::Result<Option<Change>> {
        Ok(self.archive.changed()?.filter(|change| *change != Change::Appended))
    }
}

/// The name of another method.
fn method_name(number: u16) -> String {
    let name = match number {
        1 => "shrink",
        2..=5 => "reduce",
        6 | 10 => "implode",
        9 => "deflate64",
        12 => "bzip2",
        14 => "LZMA",
        20 | 93 => "zstd",
        95 => "xz",
        98 => "ppmd",
        other => return format!("method {other}"),
    };
    name.to_owned()
}

/// The error for the member `entry`, which rread does not read, with the command of a program that writes it to standard
/// output.
fn unsupported_error(message: String, program: &str, entry: &Entry, address: &MemberAddress) -> Error {
    let name = String::from_utf8_lossy(&entry.listed.name).into_owned();
    let unpack = |archive| shell(program).then(archive).then(shell(" ")).then(file(name));
    let archive = address.shown_archive();
    let hint = through_copy(&archive, "", unpack);
    Error::new(Kind::Io, message).hint(hint.piped_to_lines("1:20"))
}

/// The CRC-32 of a member, and the sum of its bytes so far.
pub(super) struct Checksum {
    expected: u32,
    size: u64,
    running: Mutex<Running>,
}

#[derive(Default)]
struct Running {
    sum: Hasher,
    /// The bytes before this offset are in the sum.
    at: u64,
}

impl Checksum {
    pub(super) fn new(expected: u32, size: u64) -> Self {
        Checksum { expected, size, running: Mutex::default() }
    }

    /// Adds `bytes` at `offset` to the sum, if they continue it.
    pub(super) fn note(&self, bytes: &[u8], offset: u64) {
        let mut running = lock(&self.running);
        let known = running.at.checked_sub(offset).and_then(|known| usize::try_from(known).ok());
        if let Some(more) = known.and_then(|known| bytes.get(known..)) {
            running.sum.update(more);
            running.at += more.len() as u64;
        }
    }

    /// Whether the sum is right; `None` until all bytes are in it.
    pub(super) fn is_right(&self) -> Option<bool> {
        let running = lock(&self.running);
        (running.at == self.size).then(|| running.sum.clone().finalize() == self.expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_count_once_and_in_order() {
        let text = b"text of a member";
        let sum = |spans: &[(usize, usize)]| {
            let checksum = Checksum::new(crc32fast::hash(text), text.len() as u64);
            spans.iter().for_each(|(start, end)| checksum.note(&text[*start..*end], *start as u64));
            checksum.is_right()
        };
        assert_eq!(sum(&[(0, 16)]), Some(true));
        assert_eq!(sum(&[(0, 4), (0, 3), (2, 9), (9, 9), (9, 16), (0, 16)]), Some(true));
        assert_eq!(sum(&[(0, 4), (5, 16)]), None);
        assert_eq!(sum(&[(8, 16), (0, 8)]), None);
        assert_eq!(Checksum::new(0, 0).is_right(), Some(true));
        let wrong = Checksum::new(1, 3);
        wrong.note(b"abc", 0);
        assert_eq!(wrong.is_right(), Some(false));
    }
}
