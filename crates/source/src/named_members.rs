//! The members of an archive that a word of a command line means: all that are tables, or those that match a pattern.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::access::{Access, OpensMember};
use crate::archive::{MemberAddress, MemberPattern, asks_for_several};
use crate::compressed::name::ending;
use crate::member_address::{ArchiveKind, is_member};
use crate::members::{self, Members};
use rread_text::error::{Error, Kind, Result};

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
/// Those of the archive, and [`Kind::NotFound`] if there is no such member. An address whose archive is not there is one
/// file, which is opened later.
pub(crate) fn of_word(word: &Path, endings: &[&str], access: &Access) -> Result<Option<Vec<Addressed>>> {
    if !is_member(word) {
        return Ok(None);
    }
    let Some((kind, rest)) = ArchiveKind::of_address(word) else { return Ok(None) };
    let Ok(MemberAddress { archive, member, .. }) = MemberAddress::parse(kind, rest) else { return Ok(None) };
    if !asks_for_several(&member) {
        return Ok(None);
    }
    match members::of_address(kind, &archive, &member, access).map_err(|error| error.at(word))? {
        Some(members) => found(&members, endings).map(Some).map_err(|error| error.at(word)),
        None => Ok(None),
    }
}

fn found(members: &Members, endings: &[&str]) -> Result<Vec<Addressed>> {
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
        let message = match pattern {
            MemberPattern::Glob { text, .. } => {
                format!("no file in the archive matches '{}'", String::from_utf8_lossy(text))
            }
            _ => format!("has no member that ends with {}", endings.join(", ")),
        };
        return Err(Error::new(Kind::NotFound, message).hint(archive.list()));
    }
    found.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(found)
}
