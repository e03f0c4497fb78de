//! A member of an archive as a source: a part of the archive, or the pieces of a sparse file.

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crc32fast::Hasher;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::address::MemberAddress;
use super::entry::{Data, Entry, Found, Piece, ZipData, damage_error, read_error};
use super::zip;
use crate::compressed::damage::Damage;
use crate::compressed::{Compressed, CompressionFormat};
use crate::member_metadata::Recorded;
use crate::version::{Change, FileVersion, Stamp, Version};
use crate::{Contained, ContainerMethod, Decoding, Source, SourceInfo, read_full};
use rread_text::error::{Error, Kind, Result};
use rread_text::sentence::{call, file, shell};

/// The longest target of a symbolic link.
const MAX_LINK: usize = 4096;

pub(super) struct MemberSource {
    archive: Arc<dyn Source>,
    layout: Layout,
    size: u64,
    contained: Option<Contained>,
    recorded: Recorded,
    has_duplicates: bool,
    /// The checksum of a stored member of a ZIP archive.
    checksum: Option<Checksum>,
    /// Whether the user accepts damage.
    salvages: bool,
    /// Whether the compressed archive has a checksum around the member that was not compared.
    has_unread_checksum: bool,
    /// A hash of the name, which distinguishes the member from others of the archive.
    name: u64,
}

enum Layout {
    Span { start: u64 },
    Sparse(Vec<Piece>),
}

impl Layout {
    /// The part of the archive from the first to the last byte of a member of `size` bytes.
    fn span(&self, size: u64) -> Range<u64> {
        match self {
            Layout::Span { start } => *start..start.saturating_add(size),
            Layout::Sparse(pieces) => {
                let start = pieces.iter().map(|piece| piece.start).min().unwrap_or(0);
                start..pieces.iter().map(|piece| piece.start + piece.length).max().unwrap_or(start)
            }
        }
    }
}

impl MemberSource {
    pub(super) fn new(
        archive: Arc<dyn Source>,
        found: Found,
        address: &MemberAddress,
        salvages: bool,
    ) -> Result<Self> {
        let mut member = MemberSource::with_layout(archive, found, address, salvages, false)?;
        let unread = |decoding: &dyn Decoding| !decoding.check_span(member.span());
        member.has_unread_checksum = member.archive.info().decoding.is_some_and(unread);
        Ok(member)
    }

    /// Makes the source for a caller that knows whether the checksums around the archive were compared.
    pub(super) fn with_layout(
        archive: Arc<dyn Source>,
        found: Found,
        address: &MemberAddress,
        salvages: bool,
        has_unread_checksum: bool,
    ) -> Result<Self> {
        let Found { entry, has_duplicates } = found;
        let name = xxh3_64(entry.header_name());
        let (mut contained, mut checksum) = (None, None);
        let (layout, size) = match entry.data {
            Data::Span { start } => (Layout::Span { start }, entry.size),
            Data::Sparse(pieces) => (Layout::Sparse(pieces), entry.size),
            Data::Zip(data) => {
                let start;
                (start, contained) = zip_data(&*archive, &entry, &data, address)?;
                // The decoder of a compressed member compares the CRC-32.
                checksum = contained.is_none().then(|| Checksum::new(data.crc, entry.size));
                (Layout::Span { start }, data.stored_size)
            }
        };
        Ok(MemberSource {
            archive,
            layout,
            size,
            contained,
            recorded: entry.recorded,
            has_duplicates,
            checksum,
            salvages,
            has_unread_checksum,
            name,
        })
    }

    /// The part of the archive from the first to the last byte.
    pub(super) fn span(&self) -> Range<u64> {
        self.layout.span(self.size)
    }

    /// Refuses a member that is known not to agree with its checksum, or with that of the compressed archive around it.
    pub(super) fn refuse_damage(&self, address: &MemberAddress) -> Result<()> {
        let span = self.span();
        let is_hit = |damage: &Damage| span.end > damage.unsound && span.start < damage.text;
        let damage = match self.checksum.as_ref().and_then(Checksum::is_right) {
            // No read meets the checksum of an empty member.
            Some(false) => Some(self.damage()),
            _ => self.archive.info().decoding.and_then(Decoding::damage).filter(is_hit),
        };
        match damage.filter(|_| !self.salvages) {
            None => Ok(()),
            Some(damage) => {
                let hint = call("lines").file(address.path(&address.member)).word("1:20").on("salvage");
                Err(Error::new(Kind::Io, damage.to_string()).hint(hint))
            }
        }
    }

    /// The damage of a stored member with another checksum than that of its bytes.
    fn damage(&self) -> Damage {
        Damage {
            format: "ZIP",
            input: self.span().end,
            text: self.size,
            unsound: 0,
            what: "the checksum of the member is wrong".to_owned(),
        }
    }
}

/// The start of the data of the member `entry`, and its compression.
fn zip_data(
    archive: &dyn Source,
    entry: &Entry,
    data: &ZipData,
    address: &MemberAddress,
) -> Result<(u64, Option<Contained>)> {
    if data.is_encrypted {
        return Err(Error::new(Kind::Io, "is encrypted in the archive, and rread does not decrypt"));
    }
    let start = zip::data_start(archive, entry.header_name(), data)?;
    match Method::of(data.method) {
        Method::Stored if data.stored_size == entry.size => Ok((start, None)),
        Method::Stored => Err(damage_error("the member is stored, but its sizes differ")),
        Method::Contained(method) => {
            Ok((start, Some(Contained { text_size: entry.size, crc: Some(data.crc), method })))
        }
        Method::Other(name) => {
            Err(unsupported_error(&name, entry, address, archive.info().decoding.is_none()))
        }
    }
}

/// The target of a symbolic link in a ZIP archive, which is its content.
pub(super) fn link_target(
    archive: &Arc<dyn Source>,
    entry: &Entry,
    address: &MemberAddress,
) -> Result<Vec<u8>> {
    let found = Found { entry: entry.clone(), has_duplicates: false };
    let member = MemberSource::new(Arc::clone(archive), found, address, true)?;
    let read = |source: &dyn Source| {
        let mut target = vec![0; MAX_LINK];
        let got = read_full(source, &mut target, 0)?;
        target.truncate(got);
        Ok(target)
    };
    let target = match member.contained.map(|contained| CompressionFormat::of_method(contained.method)) {
        None => read(&member),
        Some(format) => {
            Compressed::open(Box::new(member), format, Path::new(""), false).and_then(|text| read(&text))
        }
    };
    target.map_err(|cause| read_error(&cause))
}

impl Source for MemberSource {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let left = usize::try_from(self.size.saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        let buffer = &mut buffer[..wanted];
        if buffer.is_empty() {
            return Ok(0);
        }
        let got = match &self.layout {
            Layout::Span { start } => self.archive.read_at(buffer, start.saturating_add(offset))?,
            Layout::Sparse(pieces) => self.read_sparse(pieces, buffer, offset)?,
        };
        if got == 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the archive ends inside the member"));
        }
        if let Some(checksum) = &self.checksum {
            checksum.note(&buffer[..got], offset);
            let reaches_end = offset + got as u64 == self.size;
            if reaches_end && !self.salvages && checksum.is_right() == Some(false) {
                return Err(self.damage().into());
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
        if let Layout::Span { start } = self.layout {
            self.archive
                .advise(start.saturating_add(range.start)..start.saturating_add(range.end.min(self.size)));
        }
    }

    fn info(&self) -> SourceInfo<'_> {
        let archive = self.archive.info();
        let is_right = self.checksum.as_ref().is_none_or(|checksum| checksum.is_right() == Some(true));
        // The kernel does not compare checksums.
        let file = match (archive.file.filter(|_| is_right), &self.layout) {
            (Some((file, base)), Layout::Span { start }) => Some((file, base + start)),
            _ => None,
        };
        SourceInfo {
            file,
            is_sequential: archive.is_sequential,
            contained: self.contained,
            recorded: Some(self.recorded),
            has_duplicates: self.has_duplicates,
            has_unread_checksum: self.has_unread_checksum || !is_right,
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

impl MemberSource {
    /// Bytes of one piece, or zeros up to the next.
    fn read_sparse(&self, pieces: &[Piece], buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let next = pieces.partition_point(|piece| piece.offset + piece.length <= offset);
        let length = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX).min(buffer.len());
        match pieces.get(next) {
            Some(piece) if piece.offset <= offset => {
                let within = offset - piece.offset;
                let wanted = length(piece.length - within);
                self.archive.read_at(&mut buffer[..wanted], piece.start + within)
            }
            piece => {
                let zeros = length(piece.map_or(u64::MAX, |piece| piece.offset - offset));
                buffer[..zeros].fill(0);
                Ok(zeros)
            }
        }
    }
}

/// Methods that rread does not decompress.
const OTHERS: &[(u16, &str)] = &[
    (1, "shrink"),
    (2, "reduce"),
    (3, "reduce"),
    (4, "reduce"),
    (5, "reduce"),
    (6, "implode"),
    (9, "deflate64"),
    (10, "PKWARE implode"),
    (94, "mp3"),
    (96, "jpeg"),
    (97, "wavpack"),
    (98, "ppmd"),
];

/// How the data of a member is compressed.
pub(super) enum Method {
    Stored,
    Contained(ContainerMethod),
    Other(Cow<'static, str>),
}

impl Method {
    /// The method with this number (APPNOTE.TXT 6.3.10, 4.4.5).
    pub(super) fn of(number: u16) -> Self {
        Method::Contained(match number {
            0 => return Method::Stored,
            8 => ContainerMethod::Deflate,
            12 => ContainerMethod::Bzip2,
            14 => ContainerMethod::Lzma,
            20 | 93 => ContainerMethod::Zstd,
            95 => ContainerMethod::Xz,
            _ => {
                let known = OTHERS.iter().find(|(other, _)| *other == number);
                let name =
                    known.map_or_else(|| format!("method {number}").into(), |(_, name)| (*name).into());
                return Method::Other(name);
            }
        })
    }
}

/// The error for the member `entry`, which is compressed with `method`, with the command of a program that reads most of
/// them, unless the archive is compressed itself.
pub(super) fn unsupported_error(
    method: &str,
    entry: &Entry,
    address: &MemberAddress,
    is_plain: bool,
) -> Error {
    let message = format!("is compressed with {method} in the archive, which rread does not decompress");
    let error = Error::new(Kind::Io, message);
    if !is_plain || address.archive == Path::new("-") {
        return error;
    }
    let name = String::from_utf8_lossy(&entry.name).into_owned();
    let unpack = shell("7z x -so -- ").then(file(&address.archive)).then(shell(" ")).then(file(name));
    error.hint(unpack.piped_to_lines("1:20"))
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
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let known = running.at.checked_sub(offset).and_then(|known| usize::try_from(known).ok());
        if let Some(more) = known.and_then(|known| bytes.get(known..)) {
            running.sum.update(more);
            running.at += more.len() as u64;
        }
    }

    /// Whether the sum is right; `None` until all bytes are in it.
    pub(super) fn is_right(&self) -> Option<bool> {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
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
