//! Where the members of an archive are, by a hash of their names: finds later members of the same name and targets of links.

use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::entry::plain_name;
use super::walk::Walk;
use crate::Source;
use crate::member_address::ArchiveKind;
use rread_text::error::Result;

/// The most members that are noted: with more, memory would grow with the archive.
const MOST: usize = 1 << 20;

/// The members of an archive as far as they are known.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// The hash of each name and the position of its header, in this order.
    members: Vec<(u64, u64)>,
    /// Whether these are all members.
    pub(super) is_complete: bool,
    /// After the last member.
    pub(super) end: u64,
}

impl Contents {
    /// Walks over the archive `source`, the file `path`, unless it has members after `limit` or too many.
    ///
    /// # Errors
    ///
    /// That of the first member: the file is not such an archive. A walk that finds damage later ends there.
    pub(super) fn list(source: &dyn Source, kind: ArchiveKind, path: &Path, limit: u64) -> Result<Self> {
        let mut walk = Walk::new(source, kind, path)?;
        let mut members = Vec::new();
        let is_complete = loop {
            let position = walk.position();
            match walk.next() {
                Ok(Some(entry)) => members.push((xxh3_64(plain_name(&entry.name)), position)),
                Ok(None) => break true,
                Err(error) if members.is_empty() => return Err(error),
                Err(_) => break false,
            }
            if members.len() > MOST || walk.position() > limit {
                return Ok(Contents::default());
            }
        };
        members.sort_unstable();
        Ok(Contents { members, is_complete, end: walk.position() })
    }

    fn named(&self, hash: u64) -> &[(u64, u64)] {
        let start = self.members.partition_point(|member| member.0 < hash);
        let count = self.members[start..].partition_point(|member| member.0 == hash);
        &self.members[start..start + count]
    }

    /// The position of the last member of the name with this hash.
    pub(super) fn last(&self, hash: u64) -> Option<u64> {
        self.named(hash).last().map(|member| member.1)
    }

    /// The position of the last member of this name before `position`.
    pub(super) fn last_before(&self, hash: u64, position: u64) -> Option<u64> {
        let named = self.named(hash);
        let count = named.partition_point(|member| member.1 < position);
        named[..count].last().map(|member| member.1)
    }

    /// Whether the archive was too long to note its members.
    pub(super) fn is_unknown(&self) -> bool {
        !self.is_complete && self.members.is_empty()
    }

    pub(super) fn has_several(&self, hash: u64) -> bool {
        self.named(hash).len() > 1
    }
}
