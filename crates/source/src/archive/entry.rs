//! A member of an archive as its header describes it, and reads of headers.

use crate::access::Access;
use crate::member_metadata::Listed;
use crate::{Source, read_full};
use rread_text::{Choice, Encoding, Error, Kind, Result};

/// A member of an archive.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The member, as a list shows it.
    pub listed: Listed,
    pub(super) data: Data,
}

impl Entry {
    /// The bytes of the name in the header.
    pub(super) fn header_name(&self) -> &[u8] {
        self.listed.other_name.as_deref().unwrap_or(&self.listed.name)
    }
}

/// The methods of members that rread reads (APPNOTE.TXT 6.3.10, 4.4.5).
pub(super) const STORED: u16 = 0;
pub(super) const DEFLATE: u16 = 8;

/// The first bytes of the header of a member in the directory of a ZIP archive, and before the member.
pub(super) const CENTRAL: &[u8; 4] = b"PK\x01\x02";
pub(super) const LOCAL: &[u8; 4] = b"PK\x03\x04";

/// The length of the header of a member in the directory, without its name.
pub(super) const CENTRAL_LENGTH: usize = 46;

/// How an archive is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading {
    /// Whether its members are read as far as they are there, although it is damaged.
    pub(crate) salvages: bool,
    /// The encoding of names of which a ZIP archive says none.
    pub(crate) names: Option<Encoding>,
}

impl Reading {
    /// How `access` says.
    pub fn of(access: &Access) -> Self {
        let label = access.encoding.as_deref().and_then(|label| label.parse().ok());
        let names = match label {
            Some(Choice::Label { encoding: encoding @ Encoding::Legacy(_), .. }) => Some(encoding),
            _ => None,
        };
        Reading { salvages: access.salvage, names }
    }
}

/// The place of the content.
#[derive(Clone, Debug)]
pub(super) enum Data {
    /// These bytes of the archive.
    Span {
        start: u64,
    },
    /// The pieces of a sparse file, which rread does not read.
    Sparse,
    Zip(ZipData),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ZipData {
    /// The offset of the header before the data.
    pub(super) header: u64,
    pub(super) stored_size: u64,
    pub(super) method: u16,
    pub(super) crc: u32,
}

/// The member that a name was found to mean.
#[derive(Clone)]
pub(super) struct Found {
    pub(super) entry: Entry,
    /// Whether other members have the same name.
    pub(super) has_duplicates: bool,
}

/// `name` without `./` before it and `/` after it, as archives and users add them.
pub(super) fn plain_name(mut name: &[u8]) -> &[u8] {
    while let [b'.', b'/', rest @ ..] = name {
        name = rest;
    }
    while let [rest @ .., b'/'] = name {
        name = rest;
    }
    name
}

pub(super) fn damage_error(what: impl std::fmt::Display) -> Error {
    Error::new(Kind::Io, format!("the archive is damaged: {what}"))
}

pub(super) fn read_error(cause: &std::io::Error) -> Error {
    Error::read("cannot read the archive", cause)
}

/// Reads at `offset` until `buffer` is full or the archive ends. A failure after some bytes is an error too.
pub(super) fn read(source: &dyn Source, buffer: &mut [u8], offset: u64) -> Result<usize> {
    let got = read_full(source, buffer, offset).map_err(|cause| read_error(&cause))?;
    if got > 0 && got < buffer.len() {
        read_full(source, &mut [0], offset.saturating_add(got as u64)).map_err(|cause| read_error(&cause))?;
    }
    Ok(got)
}

/// The sum of offsets and sizes, which a damaged header makes too large.
pub(super) fn sum(a: u64, b: u64) -> Result<u64> {
    a.checked_add(b).ok_or_else(|| damage_error("a size is impossible"))
}

/// Bytes that are read at once, more than any header.
const READ_BLOCK: u64 = 256 << 10;

/// One block of an archive, which moves to each requested offset.
pub(super) struct Blocks<'a> {
    pub(super) source: &'a dyn Source,
    start: u64,
    block: Vec<u8>,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(source: &'a dyn Source) -> Self {
        Blocks { source, start: 0, block: Vec::new() }
    }

    /// The size; reads a stream to its end.
    pub(super) fn size(&self) -> Result<u64> {
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
    pub(super) fn bytes(&mut self, at: u64, length: u64) -> Result<&[u8]> {
        let is_there = at >= self.start && at.saturating_add(length) <= self.start + self.block.len() as u64;
        if !is_there {
            let left = self.size()?.saturating_sub(at);
            let wanted = length.max(READ_BLOCK).min(left);
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

pub(super) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    bytes[at..].first_chunk().map_or(0, |bytes| u16::from_le_bytes(*bytes))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes[at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}
