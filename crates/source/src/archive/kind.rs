//! Recognises archives by their content.

use super::entry::read;
use super::header::{HEADER, is_tar};
use super::zip::ZipWalk;
use crate::Source;
use crate::inside::ArchiveKind;
use rread_text::error::Result;

/// The kind of archive that `source` is; `None` if it is not one.
pub fn kind_of(source: &dyn Source) -> Result<Option<ArchiveKind>> {
    let mut head = [0; HEADER];
    let got = read(source, &mut head, 0)?;
    let head = &head[..got];
    Ok(match head {
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(ArchiveKind::Zip),
        _ if is_tar(head) => Some(ArchiveKind::Tar),
        // A program that extracts itself has its archive at its end.
        _ if ZipWalk::new(source).is_ok() => Some(ArchiveKind::Zip),
        _ => None,
    })
}
