//! Names that mean several members of an archive: the archive itself, and patterns of members, also as tables.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::compressed::recognition::ending;
use crate::Decoding;
use crate::access::{Access, OpensMember, Plain};
use crate::archive::{Archive, MemberAddress, MemberPattern, Reading, asks_for_several, kind_of_archive};
use crate::member_address::{ArchiveKind, is_member};
pub use crate::open::open_member;
use crate::open::{open_as, open_decompressed};
use rread_text::sentence::Sentence;
use rread_text::{Error, Kind, Result};

/// Members of an open archive.
#[derive(Clone)]
pub struct Members {
    /// The archive.
    pub archive: Arc<Archive>,
    /// The pattern that its members match.
    pub pattern: MemberPattern,
}

impl Members {
    /// The error if nothing matches the pattern; `None` without one.
    pub fn none_matches(&self) -> Option<Error> {
        let MemberPattern::Glob { text, .. } = &self.pattern else { return None };
        let pattern = String::from_utf8_lossy(text);
        let error = Error::new(Kind::NotFound, format!("no file in the archive matches '{pattern}'"));
        let deep = format!("'**/{pattern}' looks in all folders; ");
        let list = self.archive.list();
        Some(error.hint(if pattern.contains("**") { list } else { Sentence::from(deep).then(list) }))
    }
}

/// The members that `path` means; `None` if it means one file. `takes_archives`: the name of an archive means its members.
///
/// # Errors
///
/// The archive of an address cannot be opened. Any other file is opened later, and its error comes then.
pub fn of_name(path: &Path, access: &Access, takes_archives: bool) -> Result<Option<Members>> {
    if let Some(MemberAddress { kind, archive, member, .. }) =
        MemberAddress::of(path).map_err(|error| error.at(path))?
    {
        if !asks_for_several(&member) {
            return Ok(None);
        }
        return of_address(kind, &archive, &member, access).map_err(|error| error.at(path));
    }
    if takes_archives && path.is_file() { of_file(path, access) } else { Ok(None) }
}

/// The archive and the members to list that the address `path` means; `None` if it is not an address.
///
/// # Errors
///
/// The archive of the address cannot be opened, or the pattern is not well-formed.
pub fn to_list(path: &Path, access: &Access) -> Result<Option<Members>> {
    let Some(MemberAddress { kind, archive, member, .. }) = MemberAddress::of(path)? else { return Ok(None) };
    let (archive, member) = open_archive(kind, &archive, access)?.innermost(&member)?;
    Ok(Some(Members { archive, pattern: MemberPattern::of(&member)? }))
}

/// The members of the archive that the binary file `path` is, which may be a `member` of an open archive itself; `None` if it
/// is not an archive.
///
/// # Errors
///
/// The file cannot be read, or it is in too many archives.
pub fn inside(
    path: &Path,
    member: Option<&Arc<dyn OpensMember>>,
    access: &Access,
) -> Result<Option<Members>> {
    let named = match member {
        Some(member) => Arc::clone(member),
        None if access.raw || access.opener.is_some() => return Ok(None),
        None if !is_member(path) => return of_file(path, access),
        None => match MemberAddress::of(path)? {
            Some(MemberAddress { kind, archive, member, .. }) => {
                open_member(kind, &archive, &member, access)?
            }
            None => return Ok(None),
        },
    };
    let archive = Archive::of_member(&*named, Reading::of(access)).map_err(|error| error.about(path))?;
    Ok(archive.map(|archive| Members { archive, pattern: MemberPattern::All }))
}

/// All members below a directory of an archive, if `path` is its address.
///
/// # Errors
///
/// The archive cannot be opened.
pub fn below(path: &Path, access: &Access) -> Result<Option<Members>> {
    let Some((kind, rest)) = ArchiveKind::of_address(path) else { return Ok(None) };
    let MemberAddress { archive, member, .. } = MemberAddress::parse(kind, rest)?;
    of_directory(kind, &archive, &member, access).map(Some)
}

/// All members below the directory `member` of the archive `path`.
///
/// # Errors
///
/// The archive cannot be opened.
pub fn of_directory(kind: ArchiveKind, path: &Path, member: &[u8], access: &Access) -> Result<Members> {
    let (archive, member) = open_archive(kind, path, access)?.innermost(member)?;
    Ok(Members { archive, pattern: MemberPattern::below(&member) })
}

/// The members of the archive `path` that the name `member` means; `None` if one has exactly this name.
///
/// # Errors
///
/// The archive cannot be opened, or the pattern is not well-formed.
pub fn of_address(kind: ArchiveKind, path: &Path, member: &[u8], access: &Access) -> Result<Option<Members>> {
    let (archive, rest) = open_archive(kind, path, access)?.innermost(member)?;
    if archive.has(&rest) {
        return Ok(None);
    }
    // Without a literal member, the name must be a pattern.
    Ok(Some(Members { archive, pattern: MemberPattern::of(&rest)? }))
}

fn open_archive(kind: ArchiveKind, path: &Path, access: &Access) -> Result<Arc<Archive>> {
    Archive::new(open_as(path, &access.of_archive())?, kind, path, access)
}

/// All members of the file `path`, if it is an archive that begins as archives do.
///
/// # Errors
///
/// The archive is damaged before its first member. A file that cannot be opened is not an error here.
pub fn of_file(path: &Path, access: &Access) -> Result<Option<Members>> {
    if access.raw {
        return Ok(None);
    }
    let Ok(source) = open_decompressed(path, access) else { return Ok(None) };
    let Some(kind) = kind_of_archive(&*source) else { return Ok(None) };
    // A document may be an archive too.
    let whole = Access { plain: Plain::Never, ..access.clone() };
    let Ok(source) = open_as(path, &whole) else { return Ok(None) };
    if source.info().decoding.and_then(Decoding::document).is_some() {
        return Ok(None);
    }
    let archive = Archive::new(source, kind, path, access).map_err(|error| error.at(path))?;
    Ok(Some(Members { archive, pattern: MemberPattern::All }))
}

/// Members that words mean, by their addresses: the archive of each stays open for all of its members. As paths, the members
/// `/a` and `a` would have equal addresses.
pub type NamedMembers = HashMap<OsString, Arc<dyn OpensMember>>;

/// A member and its address.
type Addressed = (PathBuf, Arc<dyn OpensMember>);

/// The addresses of the members that `word` means, by name; `None` if it is not an address of several. The archive alone
/// means the members with one of these endings.
///
/// # Errors
///
/// The archive cannot be read; [`Kind::NotFound`] if there is no such member. An address whose archive is not there is one
/// file, which is opened later.
pub(crate) fn of_word(word: &Path, endings: &[&str], access: &Access) -> Result<Option<Vec<Addressed>>> {
    let Ok(Some(MemberAddress { kind, archive, member, .. })) = MemberAddress::of(word) else {
        return Ok(None);
    };
    if !asks_for_several(&member) {
        return Ok(None);
    }
    let members = of_address(kind, &archive, &member, access);
    let found = members.and_then(|members| members.map(|members| collect(&members, endings)).transpose());
    found.map_err(|error| error.at(word))
}

fn collect(members: &Members, endings: &[&str]) -> Result<Vec<Addressed>> {
    let Members { archive, pattern } = members;
    let is_all = matches!(pattern, MemberPattern::All);
    let mut found: Vec<Addressed> = Vec::new();
    let walked = archive.each(pattern, &mut |member| {
        let path = member.path();
        let is_hidden = |part: &[u8]| matches!(part, [b'.' | b'_', ..]);
        let is_table = || {
            endings.contains(&&*ending(&path)) && !member.name().split(|byte| *byte == b'/').any(is_hidden)
        };
        if !is_all || is_table() {
            found.push((path, Arc::new(member)));
        }
        Ok(true)
    })?;
    if let Some(error) = walked.error {
        return Err(error);
    }
    if found.is_empty() {
        return Err(members.none_matches().unwrap_or_else(|| {
            let message = format!("has no member that ends with {}", endings.join(", "));
            Error::new(Kind::NotFound, message).hint(archive.list())
        }));
    }
    found.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(found)
}
