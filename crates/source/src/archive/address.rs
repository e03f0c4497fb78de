//! Parses the address of a member: the kind of archive, its path, and the name or the pattern inside it.

use std::fs;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

use super::entry::{Reading, plain_name};
use crate::Source;
use crate::access::Access;
use crate::compressed::CompressionFormat;
use crate::compressed::recognition::has_ending;
use crate::member_address::{ArchiveKind, Nesting, as_path, is_member, prefixes};
use crate::spelling::near_miss;
use rread_text::sentence::{Sentence, call, did_you_mean, file, shell};
use rread_text::{Address, Error, Kind, Result};

/// The endings of archives that are not compressed as a whole, and their kinds.
const ENDINGS: [(&str, ArchiveKind); 5] = [
    ("tar", ArchiveKind::Tar),
    ("zip", ArchiveKind::Zip),
    ("jar", ArchiveKind::Zip),
    ("whl", ArchiveKind::Zip),
    ("apk", ArchiveKind::Zip),
];

/// The kind of archive that a file of this name should be.
pub fn kind_by_name(name: &str) -> Option<ArchiveKind> {
    let plain = ENDINGS.iter().find(|(ending, _)| has_ending(name, ending));
    let is_packed = || CompressionFormat::ALL.iter().any(|format| format.is_archive_ending_of(name));
    plain.map(|(_, kind)| *kind).or_else(|| is_packed().then_some(ArchiveKind::Tar))
}

#[derive(Clone, Debug)]
pub(crate) struct MemberAddress {
    pub(crate) kind: ArchiveKind,
    pub(crate) archive: PathBuf,
    /// The name after the `/`; empty if only the archive is named.
    pub(crate) member: Vec<u8>,
    pub(crate) reading: Reading,
    pub(crate) nesting: Nesting,
}

impl MemberAddress {
    pub(crate) fn new(kind: ArchiveKind, archive: &Path, member: Vec<u8>) -> Self {
        let (reading, nesting) = (Reading::default(), Nesting::of_file(kind, None));
        MemberAddress { kind, archive: archive.to_owned(), member, reading, nesting }
    }

    /// The address of a member of the archive `source`, with the limits that its size sets.
    pub(crate) fn within(self, source: &dyn Source, access: &Access) -> Self {
        let nesting = Nesting::of_file(self.kind, source.stored().size());
        MemberAddress { reading: Reading::of(access), nesting, ..self }
    }

    /// The address `path`; `None` if it is not one, or a file has that literal name.
    pub(crate) fn of(path: &Path) -> Result<Option<Self>> {
        let address = ArchiveKind::of_address(path).filter(|_| is_member(path));
        address.map(|(kind, rest)| MemberAddress::parse(kind, rest)).transpose()
    }

    /// Parses `rest`, the address after `tar:` or `zip:`. The archive is the longest prefix that is a file.
    pub(crate) fn parse(kind: ArchiveKind, rest: &[u8]) -> Result<Self> {
        let is_file = |path: &Path| path.is_file() || path == Path::new("-");
        let found = prefixes(rest, b"").rev().find(|(archive, _)| is_file(archive));
        let Some((archive, member)) = found else { return Err(no_archive(kind, rest)) };
        let member = member.get(1..).unwrap_or_default().to_owned();
        Ok(MemberAddress::new(kind, archive, member))
    }

    /// The name as it is compared with those in the archive.
    pub(crate) fn plain_member(&self) -> &[u8] {
        plain_name(&self.member)
    }

    /// The address of the member `name`.
    pub(super) fn path(&self, name: &[u8]) -> String {
        self.member_path(name).to_string_lossy().into_owned()
    }

    /// The address of the member `name`, with the bytes of its name.
    pub(super) fn member_path(&self, name: &[u8]) -> PathBuf {
        let prefix = self.nesting.outermost.prefix().as_bytes();
        to_path(&[prefix, self.place(name).0.as_os_str().as_encoded_bytes()].concat())
    }

    /// The call that lists the members.
    pub fn list(&self) -> Sentence {
        call("stat").file(self.shown_archive()).on("list").again()
    }

    /// The archive, as it can be typed.
    pub(crate) fn shown_archive(&self) -> PathBuf {
        match self.nesting.depth {
            1 => self.archive.clone(),
            _ => format!("{}{}", self.nesting.outermost.prefix(), self.archive.display()).into(),
        }
    }

    /// The place of the member `name`, for an archive that it may be.
    pub(super) fn place(&self, name: &[u8]) -> (PathBuf, Nesting) {
        let path = [self.archive.as_os_str().as_encoded_bytes(), b"/", name].concat();
        (to_path(&path), self.nesting.clone())
    }
}

fn to_path(bytes: &[u8]) -> PathBuf {
    as_path(bytes).map_or_else(|| String::from_utf8_lossy(bytes).into_owned().into(), Path::to_owned)
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
    let read = call("bytes").file(archive).on("raw").on("text").on("no-decompress");
    error.hint(Sentence::from(read).then(shell(" > ")).then(file(copy)))
}

/// The characters that make a name a pattern.
const SPECIAL: &[u8] = b"*?[{";

/// Whether the name `member` of an address means several members.
pub fn asks_for_several(member: &[u8]) -> bool {
    plain_name(member).is_empty() || member.iter().any(|byte| SPECIAL.contains(byte))
}

/// The members that a name means.
#[derive(Clone, Debug)]
pub enum MemberPattern {
    /// All.
    All,
    /// The members below the directory.
    Below(Vec<u8>),
    /// The members that match, and the one that has exactly this name.
    Glob {
        /// The pattern as it was typed.
        text: Vec<u8>,
        /// As in a shell, `*` and `?` match no `/`, and `**` does.
        matcher: GlobMatcher,
    },
}

impl MemberPattern {
    /// The pattern that the name `member` of an address is.
    ///
    /// # Errors
    ///
    /// One of usage for a pattern that is not well-formed.
    pub fn of(member: &[u8]) -> Result<Self> {
        let member = plain_name(member);
        if member.is_empty() {
            return Ok(MemberPattern::All);
        }
        let text = String::from_utf8_lossy(member).into_owned();
        let glob = GlobBuilder::new(&text).literal_separator(true).backslash_escape(true).build();
        let glob = glob.map_err(|cause| {
            Error::usage(format!("'{text}' is not a pattern of members: {}", cause.kind()))
                .hint("* matches no /, ** does; \\[ is a plain [")
        })?;
        Ok(MemberPattern::Glob { text: member.to_owned(), matcher: glob.compile_matcher() })
    }

    /// All members below `directory`.
    pub fn below(directory: &[u8]) -> Self {
        match plain_name(directory) {
            b"" => MemberPattern::All,
            name => MemberPattern::Below(name.to_owned()),
        }
    }

    /// Whether a list for the pattern has the member `name`: also those below a directory of exactly this name.
    pub fn lists(&self, name: &[u8]) -> bool {
        let name = plain_name(name);
        match self {
            MemberPattern::Glob { text, .. } => {
                self.matches(name) || MemberPattern::Below(text.clone()).matches(name)
            }
            _ => self.matches(name),
        }
    }

    pub(super) fn matches(&self, name: &[u8]) -> bool {
        match self {
            MemberPattern::All => true,
            MemberPattern::Below(directory) => {
                name.strip_prefix(&directory[..]).is_some_and(|rest| rest.starts_with(b"/"))
            }
            MemberPattern::Glob { text, matcher } => {
                name == text || as_path(name).is_some_and(|path| matcher.is_match(path))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_a_shell() {
        for (pattern, matched, others) in [
            ("*.log", &["a.log", ".log"][..], &["a/b.log", "a.log.gz", "alog"][..]),
            ("**/run.log", &["run.log", "a/run.log", "a/b/run.log"], &["a/xrun.log", "run.log/x"]),
            ("var/**", &["var/a", "var/a/b"], &["var", "variable/a", "x/var/a"]),
            ("a?c", &["abc"], &["a/c", "ac"]),
            ("{a,b}/[0-9].txt", &["a/1.txt", "b/9.txt"], &["c/1.txt", "a/10.txt"]),
            ("[id].tsx", &["i.tsx", "[id].tsx"], &["id.tsx"]),
            ("\\[id].tsx", &["[id].tsx"], &["i.tsx"]),
            ("./*.log", &["a.log"], &["b/a.log"]),
            ("", &["a", "a/b"], &[]),
            ("./", &["a", "a/b"], &[]),
        ] {
            assert!(asks_for_several(pattern.as_bytes()), "{pattern}");
            let found = MemberPattern::of(pattern.as_bytes()).unwrap();
            for name in matched {
                assert!(found.matches(name.as_bytes()), "{pattern} {name}");
            }
            for name in others {
                assert!(!found.matches(name.as_bytes()), "{pattern} {name}");
            }
        }
        for name in ["a", "a/b.log", "../x", "a b"] {
            assert!(!asks_for_several(name.as_bytes()), "{name}");
        }
        let below = MemberPattern::Below(b"var/log".to_vec());
        assert!(below.matches(b"var/log/a") && !below.matches(b"var/log") && !below.matches(b"var/logs/a"));
    }

    #[test]
    fn an_unfinished_pattern_is_an_error() {
        for pattern in ["[a", "{a,b", "a[z-a]"] {
            assert!(MemberPattern::of(pattern.as_bytes()).is_err(), "{pattern}");
        }
    }
}
