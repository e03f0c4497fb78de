//! Walks over the members of an archive of either kind, and notes where they are.

use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::address::MemberAddress;
use super::entry::{Entry, Reading, plain_name, read};
use super::tar::{HEADER, TarWalk, is_tar};
use super::zip::{ZipWalk, content};
use crate::Source;
use crate::member_address::ArchiveKind;
use crate::member_metadata::{EntryKind, Listed};
use rread_text::error::Result;

/// The most members that are noted: with more, memory would grow with the archive.
const MAX_MEMBERS: usize = 1 << 20;

/// The longest target of a link in a list: no system has longer ones.
const MAX_LINK: usize = 4096;

/// The members of an archive as far as they are known.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// The hash of each name and the position of its header, in this order.
    members: Vec<(u64, u64)>,
    /// Whether these are all members.
    pub(super) is_complete: bool,
    /// The position after the last member.
    pub(super) end: u64,
}

impl Contents {
    /// Walks over the archive `source` with the `address`, unless it has members after `limit` or too many.
    ///
    /// # Errors
    ///
    /// The first member cannot be read: the file is not such an archive. A walk that finds damage later ends there.
    pub(super) fn list(source: &dyn Source, address: &MemberAddress, limit: u64) -> Result<Self> {
        let mut walk = Walk::new(source, address.kind, &address.shown_archive(), address.reading)?;
        let mut members = Vec::new();
        let is_complete = loop {
            let position = walk.position();
            match walk.next() {
                Ok(Some(entry)) => members.push((xxh3_64(plain_name(&entry.listed.name)), position)),
                Ok(None) => break true,
                Err(error) if members.is_empty() => return Err(error),
                Err(_) => break false,
            }
            if members.len() > MAX_MEMBERS || walk.position() > limit {
                return Ok(Contents::default());
            }
        };
        members.sort_unstable();
        Ok(Contents { members, is_complete, end: walk.position() })
    }

    fn positions_of(&self, hash: u64) -> &[(u64, u64)] {
        let start = self.members.partition_point(|member| member.0 < hash);
        let count = self.members[start..].partition_point(|member| member.0 == hash);
        &self.members[start..start + count]
    }

    /// The position of the last member of the name with this hash.
    pub(super) fn last(&self, hash: u64) -> Option<u64> {
        self.positions_of(hash).last().map(|member| member.1)
    }

    /// The position of the last member of this name before `position`.
    pub(super) fn last_before(&self, hash: u64, position: u64) -> Option<u64> {
        let named = self.positions_of(hash);
        let count = named.partition_point(|member| member.1 < position);
        named[..count].last().map(|member| member.1)
    }

    /// Whether the archive was too long to note its members.
    pub(super) fn is_unknown(&self) -> bool {
        !self.is_complete && self.members.is_empty()
    }

    pub(super) fn has_several(&self, hash: u64) -> bool {
        self.positions_of(hash).len() > 1
    }
}

/// The kind of archive that `source` is, which is the file `path`; `None` if it is not one.
pub fn kind_of(source: &dyn Source, path: &Path) -> Result<Option<ArchiveKind>> {
    let mut head = [0; HEADER];
    let got = read(source, &mut head, 0)?;
    let head = &head[..got];
    if let Some(kind) = kind_of_head(head) {
        return Ok(Some(kind));
    }
    Ok(match ZipWalk::new(source, path, Reading::default()) {
        // A program that extracts itself has its archive at its end.
        Ok(_) => Some(ArchiveKind::Zip),
        // Only a part of a split archive has a command that makes an archive of it.
        Err(error) if error.hint.is_some() => Some(ArchiveKind::Zip),
        Err(_) => None,
    })
}

/// The kind of an archive that begins with `head`, its first 512 bytes; `None` for one with other bytes before it.
pub fn kind_of_head(head: &[u8]) -> Option<ArchiveKind> {
    match head {
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] | [b'P', b'K', 7, 8, b'P', b'K', 3, 4, ..] => {
            Some(ArchiveKind::Zip)
        }
        _ if is_tar(head) => Some(ArchiveKind::Tar),
        _ => None,
    }
}

/// The members of an archive, in the order in which it has them.
pub struct Walk<'a>(FormatWalk<'a>);

enum FormatWalk<'a> {
    Tar(TarWalk<'a>),
    Zip(ZipWalk<'a>),
}

impl<'a> Walk<'a> {
    /// Starts before the first member of the archive `source`, which is the file `path`.
    ///
    /// # Errors
    ///
    /// The archive cannot be read, or a ZIP archive has no directory.
    pub fn new(source: &'a dyn Source, kind: ArchiveKind, path: &Path, reading: Reading) -> Result<Self> {
        Ok(Walk(match kind {
            ArchiveKind::Tar => FormatWalk::Tar(TarWalk::new(source)),
            ArchiveKind::Zip => FormatWalk::Zip(ZipWalk::new(source, path, reading)?),
        }))
    }

    /// Whether the archive has lost the list of its members.
    pub(super) fn lacks_directory(&self) -> bool {
        matches!(&self.0, FormatWalk::Zip(walk) if walk.is_local)
    }

    /// The position of the next member's header: an offset for [`Walk::starting_at`].
    pub(super) fn position(&self) -> u64 {
        match &self.0 {
            FormatWalk::Tar(walk) => walk.at,
            FormatWalk::Zip(walk) => walk.at,
        }
    }

    /// The same walk from the member at `position` on.
    pub(super) fn starting_at(mut self, position: u64) -> Self {
        match &mut self.0 {
            FormatWalk::Tar(walk) => walk.at = position,
            FormatWalk::Zip(walk) => walk.at = position,
        }
        self
    }

    /// The next member; `None` at the end.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<Entry>> {
        match &mut self.0 {
            FormatWalk::Tar(walk) => walk.next(),
            FormatWalk::Zip(walk) => walk.next(),
        }
    }

    /// The next member for a list, with the target of a symbolic link.
    pub fn next_listed(&mut self) -> Result<Option<Listed>> {
        let Some(mut entry) = self.next()? else { return Ok(None) };
        if let (FormatWalk::Zip(walk), EntryKind::SymbolicLink(None)) = (&self.0, &entry.listed.kind) {
            let target = content(walk.blocks.source, &entry).filter(|target| target.len() <= MAX_LINK);
            entry.listed.kind = EntryKind::SymbolicLink(target);
        }
        Ok(Some(entry.listed))
    }
}
