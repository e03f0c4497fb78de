//! Addresses of what is inside a file: members of archives, and values of databases.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Source, retried};

rread_text::words! { name,
    /// The kind of an archive.
    pub enum ArchiveKind {
        /// tar: old, ustar, pax and GNU.
        Tar = "tar",
        /// ZIP, also with 64-bit sizes.
        Zip = "ZIP",
    }
}

impl ArchiveKind {
    /// The kind and the rest of an address.
    pub(super) fn of_address(path: &Path) -> Option<(Self, &[u8])> {
        let name = path.as_os_str().as_encoded_bytes();
        let rest = |kind: ArchiveKind| Some((kind, name.strip_prefix(kind.prefix().as_bytes())?));
        rest(ArchiveKind::Tar).or_else(|| rest(ArchiveKind::Zip))
    }

    /// The beginning of addresses of its members.
    pub fn prefix(self) -> &'static str {
        match self {
            ArchiveKind::Tar => "tar:",
            ArchiveKind::Zip => "zip:",
        }
    }
}

/// The archives around a member.
#[derive(Clone, Debug)]
pub struct Nesting {
    /// The kind of the outermost one, which begins addresses.
    pub(crate) outermost: ArchiveKind,
    /// How many there are.
    pub(crate) depth: u32,
    /// How much text the members of inner archives may still have together.
    pub(crate) left: Arc<AtomicU64>,
}

/// The text of the members of inner archives: so many bytes, and so many for each byte of the file around them.
pub(crate) const MAX_INNER_TEXT: u64 = 1 << 30;
pub(crate) const MAX_INNER_RATIO: u64 = 200;

impl Nesting {
    /// An archive that is a file of `size` bytes.
    pub(crate) fn of_file(kind: ArchiveKind, size: Option<u64>) -> Self {
        let most = size.unwrap_or(0).saturating_mul(MAX_INNER_RATIO).saturating_add(MAX_INNER_TEXT);
        Nesting { outermost: kind, depth: 1, left: Arc::new(AtomicU64::new(most)) }
    }

    /// Takes `size` bytes of the text that members of inner archives may have together; false if there is not so much.
    pub(crate) fn takes(&self, size: u64) -> bool {
        let less = |left: u64| left.checked_sub(size);
        self.depth == 1 || self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
    }
}

/// Whether `path` is the address of a member, and not a file of that literal name. `./tar:x` is always a file.
pub fn is_member(path: &Path) -> bool {
    let Some((kind, rest)) = ArchiveKind::of_address(path) else { return false };
    // Lines of the files `tar` and `zip`: `zip:5`.
    let is_range = !rest.contains(&b'/') && Path::new(kind.prefix().trim_end_matches(':')).is_file();
    !is_range && path.symlink_metadata().is_err()
}

/// Whether `path` names a value of a database or a member of an archive.
pub fn is_inside_file(path: &Path) -> bool {
    database_address(path).is_some() || is_member(path)
}

/// The address of a value without its prefix, unless a file has that literal name. `./sqlite:x` is always a file.
pub(super) fn database_address(path: &Path) -> Option<&[u8]> {
    let address = path.as_os_str().as_encoded_bytes().strip_prefix(b"sqlite:")?;
    path.symlink_metadata().is_err().then_some(address)
}

/// Whether `source` begins as SQLite databases do.
pub fn is_database(source: &dyn Source) -> bool {
    const MAGIC: &[u8] = b"SQLite format 3\0";
    let (mut head, mut got) = ([0; MAGIC.len()], 0);
    // The next bytes of a stream may come much later: only those of a database are waited for.
    while got < head.len() && MAGIC.starts_with(&head[..got]) {
        match retried(|| source.read_at(&mut head[got..], got as u64)) {
            Ok(0) | Err(_) => return false,
            Ok(more) => got += more,
        }
    }
    head == MAGIC
}

/// The paths that may be the file of `address`, the shortest first, each with the rest: they end before a `/` or before
/// one of `ends`.
pub(super) fn prefixes<'a>(
    address: &'a [u8],
    ends: &'a [u8],
) -> impl DoubleEndedIterator<Item = (&'a Path, &'a [u8])> {
    let is_end = move |byte: &u8| ends.contains(byte) || std::path::is_separator(char::from(*byte));
    (1..=address.len())
        .filter(move |end| address.get(*end).is_none_or(is_end))
        .filter_map(|end| Some((as_path(&address[..end])?, &address[end..])))
}

#[cfg(unix)]
pub(super) fn as_path(bytes: &[u8]) -> Option<&Path> {
    use std::os::unix::ffi::OsStrExt;
    Some(Path::new(OsStr::from_bytes(bytes)))
}

/// Only text: on this platform, paths are not bytes.
#[cfg(not(unix))]
pub(super) fn as_path(bytes: &[u8]) -> Option<&Path> {
    std::str::from_utf8(bytes).ok().map(OsStr::new).map(Path::new)
}
