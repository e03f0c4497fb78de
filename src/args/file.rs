//! What FILE means: a path, a capture, an address, or a file with its ranges.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, TypedValueParser};

use crate::address::Address;
use crate::capture::Handle;
use crate::error::Result;
use crate::range::{Range, parse_mixed};
use crate::source::sqlite;

/// Whether there is anything of that name, be it a link that leads nowhere; or it has the form of a capture's handle, or
/// of an address in a database or on a server, where any colon may be of a name.
pub(crate) fn is_there(path: &Path) -> bool {
    let is_elsewhere = sqlite::is_address(path) || Address::of(path).is_some();
    path.symlink_metadata().is_ok() || Handle::from_path(path).is_some() || is_elsewhere
}

/// Whether `word` is FILE: a file of that name, standard input, a capture, an address, or a file with its ranges. A
/// directory is none: it cannot be read.
pub(crate) fn names_file(word: &OsStr) -> bool {
    let path = unshielded(word);
    let has_ranges =
        || split_ranges(&path, parse_mixed).is_ok_and(|(name, ranges)| ranges.is_some() && is_there(&name));
    path == Path::new("-") || if is_there(&path) { !path.is_dir() } else { has_ranges() }
}

/// The parser of FILE: takes off the blank that was put before what looks like a place from the end.
pub(crate) fn file() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(|name| unshielded(&name))
}

/// The name that `word` is, without the blank that was put before what looks like a place from the end.
pub(crate) fn unshielded(word: &OsStr) -> PathBuf {
    match word.to_str().and_then(|text| text.strip_prefix(' ')) {
        Some(plain) if is_place(plain.trim_start()) => PathBuf::from(plain),
        _ => PathBuf::from(word),
    }
}

fn is_place(text: &str) -> bool {
    matches!(text.as_bytes(), [b'-', b'0'..=b'9', ..])
}

/// What `FILE` means: a file of that name if there is one; else `FILE:RANGES`, as grep and stack traces
/// print it, if the part before a colon is a file and `parse` understands the part after it.
///
/// # Errors
/// Those of `parse`, when what stands before the colon is a file and only the ranges are wrong.
pub(crate) fn split_ranges(
    file: &Path,
    parse: impl Fn(&str) -> Result<Vec<Range>>,
) -> Result<(PathBuf, Option<Vec<Range>>)> {
    let plain = || (file.to_owned(), None);
    let colons = at_colons(file);
    if colons.is_empty() || is_there(file) {
        return Ok(plain());
    }
    let handle = file.to_str().and_then(Handle::before_ranges);
    let handle = handle.map(|(name, ranges)| (OsStr::new(name), ranges));
    for (name, ranges) in handle.into_iter().chain(colons.iter().copied()) {
        let name = Path::new(name);
        if name.is_file() || Handle::from_path(name).is_some() {
            let ranges = parse(without_column(ranges)).map_err(|error| error.at(name))?;
            return Ok((name.to_owned(), Some(ranges)));
        }
    }
    // No such file either way: name the one that was most likely meant.
    Ok(colons
        .into_iter()
        .find_map(|(name, ranges)| Some((PathBuf::from(name), Some(parse(without_column(ranges)).ok()?))))
        .filter(|(name, _)| !name.as_os_str().is_empty())
        .unwrap_or_else(plain))
}

/// What stands before and after each colon of `file`. A name need not be UTF-8, ranges are.
#[cfg(unix)]
fn at_colons(file: &Path) -> Vec<(&OsStr, &str)> {
    use std::os::unix::ffi::OsStrExt;
    let bytes = file.as_os_str().as_bytes();
    let after = |colon: usize| std::str::from_utf8(&bytes[colon + 1..]).ok();
    let colons = memchr::memchr_iter(b':', bytes);
    colons.filter_map(|colon| Some((OsStr::from_bytes(&bytes[..colon]), after(colon)?))).collect()
}

/// What stands before and after each colon of `file`.
#[cfg(not(unix))]
fn at_colons(file: &Path) -> Vec<(&OsStr, &str)> {
    let text = file.to_str().unwrap_or_default();
    text.match_indices(':').map(|(colon, _)| (OsStr::new(&text[..colon]), &text[colon + 1..])).collect()
}

/// `5` for `5:10` and `5:10:`, which compilers print after FILE for a line and a column; every other text as it is.
fn without_column(ranges: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match ranges.strip_suffix(':').unwrap_or(ranges).split_once(':') {
        Some((line, column)) if is_number(line) && is_number(column) => line,
        _ => ranges,
    }
}
