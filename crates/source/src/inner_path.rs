//! Splits an address into the path of a file and the name of something inside it.

use std::ffi::OsStr;
use std::path::Path;

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
