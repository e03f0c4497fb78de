//! Finds out whether two names are names of the same file.

use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::path::Path;

use crate::archive::MemberAddress;
use crate::member_address::{ArchiveKind, is_member};
use rread_text::address::Address;

/// The identity of a file, whatever its name: equal for `a.csv`, `./a.csv`, an absolute path and a symbolic link to it.
///
/// Two hard links are two files: programs that save space make such links of files that have equal content by chance.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FileIdentity {
    /// Device and inode of a file that has only one name in its file system.
    Inode(u64, u64),
    /// The path without links, or the name of what is not a regular file. As text: `s3://b//a` is not `s3://b/a`.
    Name(OsString),
    /// A member of an archive.
    Member(Box<FileIdentity>, Vec<u8>),
}

impl FileIdentity {
    pub(crate) fn of(path: &Path) -> Self {
        let named = || FileIdentity::Name(path.as_os_str().to_owned());
        if Address::of(path).is_some() {
            return named();
        }
        if is_member(path) {
            let address = ArchiveKind::of_address(path).map(|(kind, rest)| MemberAddress::parse(kind, rest));
            let Some(Ok(address)) = address else { return named() };
            let archive = Box::new(FileIdentity::of(&address.archive));
            return FileIdentity::Member(archive, address.plain_member().to_owned());
        }
        let Some(metadata) = fs::metadata(path).ok().filter(Metadata::is_file) else { return named() };
        if let Some((device, inode)) = only_inode(&metadata) {
            return FileIdentity::Inode(device, inode);
        }
        fs::canonicalize(path).map_or_else(|_| named(), |real| FileIdentity::Name(real.into_os_string()))
    }
}

/// Device and inode, unless the file has several hard links.
#[cfg(unix)]
fn only_inode(metadata: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    (metadata.nlink() == 1).then(|| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn only_inode(_: &Metadata) -> Option<(u64, u64)> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn names_of_one_file_have_one_identity() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        fs::create_dir(path("d")).unwrap();
        for name in ["a", "b", "hard"] {
            fs::write(path(name), "x\n").unwrap();
        }
        fs::hard_link(path("hard"), path("hard2")).unwrap();
        symlink(path("a"), path("d/link")).unwrap();
        symlink(path("hard"), path("d/hard")).unwrap();
        symlink(dir.path(), path("d/up")).unwrap();
        let of = |name: &str| FileIdentity::of(&path(name));
        for (one, other) in [
            ("a", "./a"),
            ("a", "d/../a"),
            ("a", "d/link"),
            ("a", "d/up/a"),
            ("hard", "d/hard"),
            ("hard", "d/up/hard"),
        ] {
            assert_eq!(of(one), of(other), "{one} {other}");
        }
        for (one, other) in [("a", "b"), ("hard", "hard2"), ("none", "./no"), ("d", "a")] {
            assert_ne!(of(one), of(other), "{one} {other}");
        }
        let member = |name: &str, rest: &str| {
            let address = format!("tar:{}{rest}", path(name).display());
            FileIdentity::of(Path::new(&address))
        };
        assert_eq!(member("a", "/x/y.csv"), member("d/link", "/./x/y.csv"));
        assert_ne!(member("a", "/x/y.csv"), member("b", "/x/y.csv"));
        assert_ne!(member("a", "/x/y.csv"), member("a", "/y.csv"));
        let url = |url: &str| FileIdentity::of(Path::new(url));
        assert_ne!(url("s3://b/a"), url("s3://b/./a"));
    }
}
