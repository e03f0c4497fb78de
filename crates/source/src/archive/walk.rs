//! Recognises archives, and lists the members of either kind one after another, in constant memory.

use std::path::Path;

use super::entry::{Entry, read};
use super::tar::TarWalk;
use super::tar_header::{HEADER, is_tar};
use super::zip::ZipWalk;
use crate::Source;
use crate::member_address::ArchiveKind;
use rread_text::error::Result;

/// The kind of archive that `source` is, which is the file `path`; `None` if it is not one.
pub fn kind_of(source: &dyn Source, path: &Path) -> Result<Option<ArchiveKind>> {
    let mut head = [0; HEADER];
    let got = read(source, &mut head, 0)?;
    let head = &head[..got];
    if let Some(kind) = kind_of_head(head) {
        return Ok(Some(kind));
    }
    Ok(match ZipWalk::new(source, path) {
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
pub struct Walk<'a>(Members<'a>);

enum Members<'a> {
    Tar(TarWalk<'a>),
    Zip(ZipWalk<'a>),
}

impl<'a> Walk<'a> {
    /// Starts before the first member of the archive `source`, which is the file `path`.
    ///
    /// # Errors
    ///
    /// Those of reading, and [`Kind::Io`](rread_text::error::Kind::Io) for a ZIP archive without a directory.
    pub fn new(source: &'a dyn Source, kind: ArchiveKind, path: &Path) -> Result<Self> {
        Ok(Walk(match kind {
            ArchiveKind::Tar => Members::Tar(TarWalk::new(source)),
            ArchiveKind::Zip => Members::Zip(ZipWalk::new(source, path)?),
        }))
    }

    /// Where the next member has its header: an offset for [`Walk::starting_at`].
    pub(super) fn position(&self) -> u64 {
        match &self.0 {
            Members::Tar(walk) => walk.at,
            Members::Zip(walk) => walk.at,
        }
    }

    /// The same walk from the member at `position` on.
    pub(super) fn starting_at(mut self, position: u64) -> Self {
        match &mut self.0 {
            Members::Tar(walk) => walk.at = position,
            Members::Zip(walk) => walk.at = position,
        }
        self
    }

    /// The next member; `None` at the end.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<Entry>> {
        match &mut self.0 {
            Members::Tar(walk) => walk.next(),
            Members::Zip(walk) => walk.next(),
        }
    }
}
