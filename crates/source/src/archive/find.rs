//! Finds a member by its name, or reports what is there instead: links, directories, similar names, another archive.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::address::MemberAddress;
use super::entry::{Entry, Found, damage_error, plain_name};
use super::inner::inner;
use super::member::MemberSource;
use super::names::of_code_page;
use super::walk::{Walk, kind_of};
use super::zip::content;
use crate::Source;
use crate::access::OpensMember;
use crate::compressed::recognition::foreign_decompression;
use crate::member_address::Nesting;
use crate::member_metadata::EntryKind;
use crate::spelling::nearest;
use rread_text::{Error, Kind, Result, Sentence, call, did_you_mean, shell};

/// The most names to compare with a misspelled one, and its most bytes: a comparison takes the square of its length.
const MAX_COMPARED: usize = 2_000;
const MAX_COMPARED_LENGTH: usize = 256;

/// The most bytes that a similar name is longer or shorter.
const APART: usize = 12;

/// The most hard links that lead to one file.
const MAX_LINKS: usize = 8;

/// The regular file `address` names. The last of several members with its name counts, as when they are unpacked.
/// If there is none, `around` is the last file that the name goes on below.
fn find(source: &Arc<dyn Source>, address: &MemberAddress, around: &mut Option<Found>) -> Result<Found> {
    let named = search(source, address, &address.member, None, around)?;
    let found = follow_links(named, |target, before| {
        let last = |before| search(source, address, target, before, &mut None);
        // Unpacking makes a link of the file that has the name by then; one that comes later is better than none.
        let linked = match last(Some(before)) {
            Err(error) if error.kind == Kind::NotFound => last(None),
            linked => linked,
        };
        linked.map_err(|error| {
            let target = String::from_utf8_lossy(target);
            let start = Sentence::from(format!("is a hard link to {target}, and "));
            Error { message: start.then(error.message), ..error }
        })
    })?;
    match &found.entry.listed.kind {
        EntryKind::File => Ok(found),
        EntryKind::Directory => Err(directory(address)),
        EntryKind::SymbolicLink(target) => {
            // In a ZIP archive, it is the content.
            let target = target.clone().or_else(|| content(&**source, &found.entry));
            let target = target.ok_or_else(|| damage_error("a link has no target"))?;
            Err(symbolic_link(source, address, &found.entry.listed.name, &target))
        }
        kind => {
            let what = match kind {
                EntryKind::Other => "special member",
                kind => kind.name(),
            };
            let message = format!("is a {what} of the archive, not a file");
            Err(Error::new(Kind::SpecialFile, message).hint(address.list()))
        }
    }
}

/// The file that a member at a position is or, for a hard link, another name of. `linked` finds the member of a name that
/// counts at a position.
pub(super) fn follow_links(
    (mut found, mut position): (Found, u64),
    linked: impl Fn(&[u8], u64) -> Result<(Found, u64)>,
) -> Result<Found> {
    for _ in 0..=MAX_LINKS {
        let EntryKind::HardLink(target) = &found.entry.listed.kind else { return Ok(found) };
        let (next, at) = linked(plain_name(target), position)?;
        if at == position {
            break;
        }
        let has_duplicates = found.has_duplicates || next.has_duplicates;
        (found, position) = (Found { has_duplicates, ..next }, at);
    }
    Err(leads_nowhere())
}

/// The last member of the name `wanted`, of those `before` a position if one is given, and its own position.
fn search(
    source: &Arc<dyn Source>,
    address: &MemberAddress,
    wanted: &[u8],
    before: Option<u64>,
    around: &mut Option<Found>,
) -> Result<(Found, u64)> {
    let wanted = plain_name(wanted);
    let mut walk = Walk::new(&**source, address.kind, &address.shown_archive(), address.reading)?;
    let (mut found, mut other, mut near) = (None::<(Found, u64)>, None::<(Found, u64)>, Near::new(wanted));
    loop {
        let position = walk.position();
        if before.is_some_and(|before| position >= before) {
            break;
        }
        let entry = match walk.next() {
            Ok(Some(entry)) => entry,
            Ok(None) => break,
            // The members before the damage are what the user wants.
            Err(_) if address.reading.salvages && (found.is_some() || other.is_some()) => break,
            Err(error) => return Err(error),
        };
        let name = plain_name(&entry.listed.name);
        if name == wanted && !wanted.is_empty() {
            found = Some((Found { has_duplicates: found.is_some(), entry }, position));
        } else if is_other_name(&entry, wanted) {
            other = Some((Found { has_duplicates: other.is_some(), entry }, position));
        } else if found.is_none() {
            near.note(name);
            let is_around = wanted.strip_prefix(name).is_some_and(|rest| rest.starts_with(b"/"));
            if is_around && entry.listed.kind == EntryKind::File {
                *around = Some(Found { entry, has_duplicates: false });
            }
        }
    }
    found.or(other).ok_or_else(|| near.error(address))
}

/// Whether `wanted` is another spelling of the name: its bytes, or that of the code page where an option names an encoding.
fn is_other_name(entry: &Entry, wanted: &[u8]) -> bool {
    let header = entry.header_name();
    entry.listed.other_name.is_some()
        && [header, of_code_page(header).as_bytes()].map(plain_name).contains(&wanted)
}

/// Names that the user may have meant.
struct Near<'a> {
    wanted: &'a [u8],
    names: Vec<String>,
    /// A member in another directory with the same last part of its name.
    elsewhere: Option<Vec<u8>>,
    is_directory: bool,
}

impl<'a> Near<'a> {
    fn new(wanted: &'a [u8]) -> Self {
        Near { wanted, names: Vec::new(), elsewhere: None, is_directory: wanted.is_empty() }
    }

    fn note(&mut self, name: &[u8]) {
        self.is_directory |= name.strip_prefix(self.wanted).is_some_and(|rest| rest.starts_with(b"/"));
        let last = |name: &[u8]| name.rsplit(|byte| *byte == b'/').next().map(<[u8]>::to_owned);
        if self.elsewhere.is_none() && last(name) == last(self.wanted) {
            self.elsewhere = Some(name.to_owned());
        }
        let may_be_near =
            self.wanted.len() <= MAX_COMPARED_LENGTH && name.len().abs_diff(self.wanted.len()) <= APART;
        if may_be_near
            && self.names.len() < MAX_COMPARED
            && let Ok(name) = std::str::from_utf8(name)
        {
            self.names.push(name.to_owned());
        }
    }

    fn error(self, address: &MemberAddress) -> Error {
        if self.is_directory {
            let whole = || Error::usage("is an archive; name a file in it").hint(address.list());
            return if self.wanted.is_empty() { whole() } else { directory(address) };
        }
        let text = String::from_utf8_lossy(self.wanted);
        let near = nearest(&text, self.names.into_iter()).map(String::into_bytes).or(self.elsewhere);
        let meant = near.map(|near| did_you_mean(address.path(&near)).then(" ")).unwrap_or_default();
        Error::new(Kind::NotFound, format!("there is no {text} in the archive"))
            .hint(meant.then(address.list()))
    }
}

/// The error for a hard link that other links lead back to.
pub(super) fn leads_nowhere() -> Error {
    Error::new(Kind::SpecialFile, "is a hard link that leads to no file")
}

fn directory(address: &MemberAddress) -> Error {
    Error::new(Kind::IsDirectory, "is a directory of the archive").hint(address.list())
}

/// Links are not followed: they may lead out of the archive.
fn symbolic_link(source: &Arc<dyn Source>, address: &MemberAddress, name: &[u8], target: &[u8]) -> Error {
    let text = String::from_utf8_lossy(target);
    let error = Error::new(Kind::SpecialFile, format!("is a symbolic link to {text}, which is not followed"));
    let hint = resolve(name, target).filter(|name| search(source, address, name, None, &mut None).is_ok());
    let hint = hint.map_or_else(|| address.list(), |name| call("stat").file(address.path(&name)).into());
    error.hint(hint)
}

/// The target of the link `name`, unless it lies outside the archive.
fn resolve(name: &[u8], target: &[u8]) -> Option<Vec<u8>> {
    let mut parts: Vec<&[u8]> = plain_name(name).split(|byte| *byte == b'/').collect();
    parts.pop();
    for part in target.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    (!target.starts_with(b"/")).then(|| parts.join(&b'/'))
}

/// The error for an archive of the other kind.
pub(super) fn wrong_kind(error: Error, archive: &dyn Source, address: &MemberAddress) -> Error {
    match kind_of(archive, &address.archive) {
        Ok(Some(kind)) if kind != address.kind => {
            let other = MemberAddress::new(kind, &address.archive, Vec::new());
            let message = format!("is a {} archive, not a {} archive", kind.name(), address.kind.name());
            Error::usage(message).hint(call("lines").file(other.path(&address.member)))
        }
        Ok(None) => match foreign_decompression(archive, &address.shown_archive()) {
            Ok(Some(command)) => {
                let piped = MemberAddress::new(address.kind, Path::new("-"), Vec::new());
                let lines = call("lines").file(piped.path(&address.member)).word("1:20");
                error.hint(command.then(shell(" | ")).then(lines))
            }
            _ => error,
        },
        _ => error,
    }
}

/// A member, where it was found.
pub(crate) struct NamedMember {
    archive: Arc<dyn Source>,
    found: Found,
    address: MemberAddress,
}

impl NamedMember {
    /// The member that `address` names: of `archive`, or of an archive in it.
    pub(crate) fn find(archive: Arc<dyn Source>, address: MemberAddress) -> Result<Self> {
        let mut around = None;
        let error = match find(&archive, &address, &mut around) {
            Ok(found) => return Ok(NamedMember { archive, found, address }),
            Err(error) => error,
        };
        let (Kind::NotFound, Some(found)) = (error.kind, around) else {
            return Err(wrong_kind(error, &*archive, &address));
        };
        let name = plain_name(&found.entry.listed.name).to_owned();
        let rest = address.plain_member()[name.len() + 1..].to_owned();
        let reading = address.reading;
        let member = NamedMember { archive, found, address: MemberAddress { member: name, ..address } };
        match inner(&member, reading)? {
            Some((source, address)) => {
                NamedMember::find(source.into(), MemberAddress { member: rest, ..address })
            }
            None => Err(error),
        }
    }
}

impl OpensMember for NamedMember {
    fn open(&self) -> Result<Box<dyn Source>> {
        let (archive, found) = (Arc::clone(&self.archive), self.found.clone());
        let member = MemberSource::new(archive, found, &self.address)?;
        member.refuse_damage(&self.address)?;
        Ok(Box::new(member))
    }

    fn place(&self) -> (PathBuf, Nesting) {
        self.address.place(self.address.plain_member())
    }
}

impl std::fmt::Debug for NamedMember {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.address.path(&self.address.member))
    }
}
