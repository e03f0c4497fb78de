//! Names that mean several members of an archive: the archive itself, and patterns of members.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::access::{Access, OpensMember};
use super::archive::{
    Archive, MemberAddress, MemberPattern, NamedMember, asks_for_several, kind_of_head, mime,
};
use super::member_address::{ArchiveKind, is_member};
use super::open::{open_as, open_decompressed};
use super::{Decoding, Source, read_full};
use rread_text::error::Result;
use rread_text::sniff::{Content, SAMPLE};

/// Media types of files whose members are what a reader wants: an office document is a ZIP archive too.
const ARCHIVES: [&str; 3] = ["application/x-tar", "application/zip", "application/java-archive"];

/// Members of an open archive.
#[derive(Clone)]
pub struct Members {
    /// The archive.
    pub archive: Arc<Archive>,
    /// Those that are meant.
    pub pattern: MemberPattern,
}

/// The members that `path` means; `None` if it means one file. `takes_archives`: the name of an archive means its members.
///
/// # Errors
///
/// Those of an address whose archive cannot be opened. Any other file is opened later, and its error comes then.
pub fn of_name(path: &Path, access: &Access, takes_archives: bool) -> Result<Option<Members>> {
    if is_member(path) {
        let Some((kind, rest)) = ArchiveKind::of_address(path) else { return Ok(None) };
        let MemberAddress { archive, member, .. } =
            MemberAddress::parse(kind, rest).map_err(|error| error.at(path))?;
        if !asks_for_several(&member) {
            return Ok(None);
        }
        return of_address(kind, &archive, &member, access).map_err(|error| error.at(path));
    }
    if takes_archives && path.is_file() { of_file(path, access) } else { Ok(None) }
}

/// The archive and the pattern of the members to list that the address `path` has; `None` if it is not an address.
///
/// # Errors
///
/// Those of an address whose archive is not a file, and of a pattern that is not well-formed.
pub fn listed(path: &Path) -> Result<Option<(PathBuf, MemberPattern)>> {
    if !is_member(path) {
        return Ok(None);
    }
    let Some((kind, rest)) = ArchiveKind::of_address(path) else { return Ok(None) };
    let MemberAddress { archive, member, .. } = MemberAddress::parse(kind, rest)?;
    Ok(Some((archive, MemberPattern::of(&member)?)))
}

/// All members below a directory of an archive, if `path` is its address.
///
/// # Errors
///
/// Those of opening the archive.
pub fn below(path: &Path, access: &Access) -> Result<Option<Members>> {
    let Some((kind, rest)) = ArchiveKind::of_address(path) else { return Ok(None) };
    let MemberAddress { archive, member, .. } = MemberAddress::parse(kind, rest)?;
    of_directory(kind, &archive, &member, access).map(Some)
}

/// All members below the directory `member` of the archive `path`.
///
/// # Errors
///
/// Those of opening the archive.
pub fn of_directory(kind: ArchiveKind, path: &Path, member: &[u8], access: &Access) -> Result<Members> {
    let archive = open_archive(kind, path, access)?;
    Ok(Members { archive, pattern: MemberPattern::below(member) })
}

/// The members of the archive `path` that the name `member` asks for; `None` if one has exactly this name.
///
/// # Errors
///
/// Those of opening the archive, and one of usage for a pattern that is not well-formed.
pub fn of_address(kind: ArchiveKind, path: &Path, member: &[u8], access: &Access) -> Result<Option<Members>> {
    // Without a literal member, the name must be a pattern.
    let pattern = MemberPattern::of(member);
    let archive = open_archive(kind, path, access)?;
    if archive.has(member) {
        return Ok(None);
    }
    Ok(Some(Members { archive, pattern: pattern? }))
}

/// The member `member` of the archive `path`.
///
/// # Errors
///
/// Those of opening the archive, and that of a name that no member has.
pub fn one(kind: ArchiveKind, path: &Path, member: &[u8], access: &Access) -> Result<Arc<dyn OpensMember>> {
    let source = open_as(path, &Access { raw: false, sheet: None, ..access.clone() })?;
    let (archive, member) = (path.to_owned(), member.to_owned());
    let address = MemberAddress { kind, archive, member, salvages: access.salvage };
    Ok(Arc::new(NamedMember::find(source.into(), address)?))
}

fn open_archive(kind: ArchiveKind, path: &Path, access: &Access) -> Result<Arc<Archive>> {
    let of_archive = Access { raw: false, sheet: None, ..access.clone() };
    Archive::new(open_as(path, &of_archive)?, kind, path, access.salvage)
}

/// All members of the file `path`, if it is an archive that begins as archives do.
///
/// # Errors
///
/// Those of an archive that is damaged before its first member. A file that cannot be opened is not an error here.
pub fn of_file(path: &Path, access: &Access) -> Result<Option<Members>> {
    if access.raw {
        return Ok(None);
    }
    let Ok(source) = open_decompressed(path, access) else { return Ok(None) };
    let Some(kind) = kind_of_archive(&*source) else { return Ok(None) };
    // A document may be an archive too.
    let Ok(source) = open_as(path, access) else { return Ok(None) };
    if source.info().decoding.and_then(Decoding::document).is_some() {
        return Ok(None);
    }
    match Archive::new(source, kind, path, access.salvage) {
        Ok(archive) => Ok(Some(Members { archive, pattern: MemberPattern::All })),
        Err(error) => Err(error.at(path)),
    }
}

/// The kind of the archive that `source` is by its first bytes.
fn kind_of_archive(source: &dyn Source) -> Option<ArchiveKind> {
    let mut head = [0; SAMPLE];
    // The first 512 bytes decide for most files.
    let got = read_full(source, &mut head[..512], 0).ok()?;
    let kind = kind_of_head(&head[..got])?;
    let got = read_full(source, &mut head, 0).ok()?;
    let is_archive = ARCHIVES.contains(&mime(source, &head[..got], Content::Binary));
    is_archive.then_some(kind)
}
