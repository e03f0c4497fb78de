//! The members of an archive of either kind, one after another, in constant memory.

use super::entry::Entry;
use super::tar::TarWalk;
use super::zip::ZipWalk;
use crate::Source;
use crate::inside::ArchiveKind;
use rread_text::error::Result;

/// The members of an archive, in the order in which it has them.
pub struct Walk<'a>(Members<'a>);

enum Members<'a> {
    Tar(TarWalk<'a>),
    Zip(ZipWalk<'a>),
}

impl<'a> Walk<'a> {
    /// Starts before the first member of the archive `source`.
    ///
    /// # Errors
    ///
    /// Those of reading, and [`Kind::Io`](rread_text::error::Kind::Io) for a ZIP archive without a directory.
    pub fn new(source: &'a dyn Source, kind: ArchiveKind) -> Result<Self> {
        Ok(Walk(match kind {
            ArchiveKind::Tar => Members::Tar(TarWalk::new(source)),
            ArchiveKind::Zip => Members::Zip(ZipWalk::new(source)?),
        }))
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
