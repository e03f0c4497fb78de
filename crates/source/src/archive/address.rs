//! Parses the address of a member: the kind of archive, its path, and the name inside it.

use std::fs;
use std::path::{Path, PathBuf};

use super::entry::plain_name;
use crate::compressed::CompressionFormat;
use crate::compressed::name::has_ending;
use crate::member_address::{ArchiveKind, as_path, prefixes};
use crate::near_miss::near_miss;
use rread_text::address::Address;
use rread_text::error::{Error, Kind, Result};
use rread_text::sentence::{Sentence, call, did_you_mean, file, shell};

/// The endings of archives that are not compressed as a whole, and their kinds.
const ENDINGS: [(&str, ArchiveKind); 5] = [
    ("tar", ArchiveKind::Tar),
    ("zip", ArchiveKind::Zip),
    ("jar", ArchiveKind::Zip),
    ("whl", ArchiveKind::Zip),
    ("apk", ArchiveKind::Zip),
];

/// The kind of archive that a file of this name should be.
pub(crate) fn kind_by_name(name: &str) -> Option<ArchiveKind> {
    let plain = ENDINGS.iter().find(|(ending, _)| has_ending(name, ending));
    let is_packed = || CompressionFormat::ALL.iter().any(|format| format.is_archive_ending_of(name));
    plain.map(|(_, kind)| *kind).or_else(|| is_packed().then_some(ArchiveKind::Tar))
}

#[derive(Debug)]
pub(crate) struct MemberAddress {
    pub(crate) kind: ArchiveKind,
    pub(crate) archive: PathBuf,
    /// The name after the `/`; empty if only the archive is named.
    pub(crate) member: Vec<u8>,
    /// Whether the archive may be damaged after the member.
    pub(crate) salvages: bool,
}

impl MemberAddress {
    /// Parses `rest`, the address after `tar:` or `zip:`. The archive is the longest prefix that is a file.
    pub(crate) fn parse(kind: ArchiveKind, rest: &[u8]) -> Result<Self> {
        let is_file = |path: &Path| path.is_file() || path == Path::new("-");
        let found = prefixes(rest, b"").rev().find(|(archive, _)| is_file(archive));
        let Some((archive, member)) = found else { return Err(no_archive(kind, rest)) };
        let member = member.get(1..).unwrap_or_default().to_owned();
        Ok(MemberAddress { kind, archive: archive.to_owned(), member, salvages: false })
    }

    /// The name as it is compared with those in the archive.
    pub(crate) fn plain_member(&self) -> &[u8] {
        plain_name(&self.member)
    }

    /// The address of the member `name`.
    pub(super) fn path(&self, name: &[u8]) -> String {
        format!("{}{}/{}", self.kind.prefix(), self.archive.display(), String::from_utf8_lossy(name))
    }

    /// The address of the member `name`, with the bytes of its name.
    pub(super) fn member_path(&self, name: &[u8]) -> PathBuf {
        let start =
            [self.kind.prefix().as_bytes(), self.archive.as_os_str().as_encoded_bytes(), b"/"].concat();
        let address = [&start[..], name].concat();
        as_path(&address).map_or_else(|| PathBuf::from(self.path(name)), Path::to_owned)
    }

    /// The call that lists the members.
    pub fn list(&self) -> Sentence {
        call("stat").file(&self.archive).on("list").again()
    }
}

fn no_archive(kind: ArchiveKind, rest: &[u8]) -> Error {
    let prefix = kind.prefix();
    if rest.is_empty() {
        let example = if kind == ArchiveKind::Tar { "logs.tar.gz" } else { "bundle.zip" };
        return Error::usage("does not name an archive")
            .hint(call("lines").file(format!("{prefix}{example}/path/in/it")).word("1:20"));
    }
    if let Some(url) = as_path(rest).filter(|path| Address::of(path).is_some()) {
        return at_url(url);
    }
    for (archive, _) in prefixes(rest, b"") {
        if let Err(cause) = fs::metadata(archive) {
            let error = Error::read(&format!("cannot open the archive {}", archive.display()), &cause);
            let hint = near_miss(archive).map(|near| did_you_mean(format!("{prefix}{}", near.display())));
            return Error { hint, ..error };
        }
    }
    let path = String::from_utf8_lossy(rest);
    Error::new(Kind::NotFound, format!("does not name an archive: {path} is not a regular file"))
        .hint(shell("ls -l ").then(file(&*path)))
}

/// The error for an archive at `url`, with the command that copies it.
fn at_url(url: &Path) -> Error {
    let error = Error::usage("is in an archive at a URL, and rread reads members only of archives in files");
    let url = url.to_string_lossy();
    let is_end = |end: &usize| kind_by_name(&url[..*end]).is_some();
    let ends = url.match_indices('/').map(|(at, _)| at).chain([url.len()]);
    let Some(archive) = ends.filter(is_end).map(|end| &url[..end]).next() else { return error };
    let copy = archive.rsplit('/').next().unwrap_or_default();
    let read = call("bytes").file(archive).on("raw").on("no-decompress");
    error.hint(Sentence::from(read).then(shell(" > ")).then(file(copy)))
}
