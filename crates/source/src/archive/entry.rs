//! A member of an archive, as its header describes it.

use crate::member_metadata::{EntryKind, Listed, Recorded};
use crate::{Source, read_full};
use rread_text::error::{Error, Kind, Result};

/// A member of an archive.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name, in UTF-8 if the archive says its encoding.
    pub name: Vec<u8>,
    /// The bytes of the name in the header, if they are others.
    pub other_name: Option<Vec<u8>>,
    /// What the member is.
    pub kind: EntryKind,
    /// Bytes of the content; 0 for a directory or a link.
    pub size: u64,
    /// The time and the permissions.
    pub recorded: Recorded,
    pub(super) data: Data,
}

impl Entry {
    /// The bytes of the name in the header.
    pub(super) fn header_name(&self) -> &[u8] {
        self.other_name.as_deref().unwrap_or(&self.name)
    }

    /// What a list shows of the member.
    pub fn into_listed(self) -> Listed {
        let is_encrypted = matches!(self.data, Data::Zip(ZipData { is_encrypted: true, .. }));
        Listed {
            name: self.name,
            other_name: self.other_name,
            kind: self.kind,
            size: self.size,
            recorded: self.recorded,
            is_encrypted,
        }
    }
}

/// Where the content is.
#[derive(Clone, Debug)]
pub(super) enum Data {
    /// These bytes of the archive.
    Span {
        start: u64,
    },
    /// Pieces of a sparse file.
    Sparse(Vec<Piece>),
    Zip(ZipData),
}

/// The most pieces of a file.
pub(super) const MOST_PIECES: usize = 1 << 20;

/// A part of a sparse file that has data; the rest are zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// Its offset in the file.
    pub(super) offset: u64,
    /// Its offset in the archive.
    pub(super) start: u64,
    pub(super) length: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ZipData {
    /// The offset of the header before the data.
    pub(super) header: u64,
    pub(super) stored_size: u64,
    pub(super) method: u16,
    pub(super) crc: u32,
    pub(super) is_encrypted: bool,
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
