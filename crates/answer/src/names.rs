//! The meanings of a name: a path, a capture, an address, or a file with its ranges.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::hints::is_ours;
use rread_reader::Handle;
use rread_source::member_address::is_member;
use rread_source::spelling::respell;
use rread_text::range::{pasted_place, without_mark};
use rread_text::{Range, Result};

/// Whether `path` exists, even as a broken link, or has a form of our own, in which any colon may be part of the name.
pub fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok() || is_ours(path)
}

/// A directory does not count, since it cannot be read: `/proc/1` does not keep `1` from being a range.
pub fn is_file(path: &Path) -> bool {
    path == Path::new("-") || is_there(path) && !path.is_dir()
}

/// The file that `word` names, perhaps in another spelling.
pub fn existing(word: &OsStr) -> PathBuf {
    let path = unshield(word);
    if is_there(&path) { path } else { respell(&path).unwrap_or(path) }
}

pub fn unshield(word: &OsStr) -> PathBuf {
    word.to_str().map_or_else(|| word.into(), |text| without_blank(text).into())
}

/// Removes the blank that keeps a parser of options from reading `-20:` as one.
pub fn without_blank(word: &str) -> &str {
    word.strip_prefix(' ').filter(|plain| is_place(plain.as_bytes())).unwrap_or(word)
}

/// Whether `word` begins as a place from the end, such as `-20:`, which parsers take for an option.
pub fn is_place(word: &[u8]) -> bool {
    matches!(word.trim_ascii_start(), [b'-', b'0'..=b'9', ..])
}

pub fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `FILE`, or `FILE:RANGES` as in grep output and stack traces if no file has the whole name.
/// Returns the error of `parse` if the part before the colon is a file.
pub fn split_ranges(
    file: &Path,
    parse: impl Fn(&str) -> Result<Vec<Range>>,
) -> Result<(PathBuf, Option<Vec<Range>>)> {
    let plain = || (file.to_owned(), None);
    let colons = at_colons(file);
    if is_there(file) {
        let ranges = if is_member(file) { ranges_of_member(file, &colons, parse) } else { None };
        return Ok(ranges.unwrap_or_else(plain));
    }
    let handle = file.to_str().and_then(Handle::before_ranges);
    let handle = handle.map(|(name, ranges)| (OsStr::new(name), ranges));
    for (name, ranges) in handle.into_iter().chain(colons.iter().copied()) {
        let name = &*existing(name);
        if name.is_file() || Handle::from_path(name).is_some() {
            let ranges = parse(without_column(ranges)).map_err(|error| error.at(name))?;
            return Ok((name.to_owned(), Some(ranges)));
        }
    }
    if let Some((name, lines)) = file.to_str().and_then(pasted_place)
        && let Some(name) =
            [Some(name), without_mark(name)].into_iter().flatten().find(|name| Path::new(name).is_file())
    {
        return Ok((PathBuf::from(name), Some(parse(&lines)?)));
    }
    // Neither name exists: report the one that was most likely meant.
    Ok(colons
        .into_iter()
        .find_map(|(name, ranges)| Some((PathBuf::from(name), Some(parse(without_column(ranges)).ok()?))))
        .filter(|(name, _)| !name.as_os_str().is_empty())
        .unwrap_or_else(plain))
}

/// `zip:A/MEMBER` and its ranges, if no member has the whole name.
fn ranges_of_member(
    file: &Path,
    colons: &[(&OsStr, &str)],
    parse: impl Fn(&str) -> Result<Vec<Range>>,
) -> Option<(PathBuf, Option<Vec<Range>>)> {
    let parts = colons.iter().filter_map(|(name, ranges)| Some((name, parse(without_column(ranges)).ok()?)));
    let has_member = |path: &Path| rread_source::open(path).is_ok();
    let mut found = parts.filter(|(name, _)| is_member(Path::new(name)) && has_member(Path::new(name)));
    let (name, ranges) = found.next().filter(|_| !has_member(file))?;
    Some((PathBuf::from(name), Some(ranges)))
}

/// The text before and after each colon. Names need not be UTF-8, ranges do.
#[cfg(unix)]
fn at_colons(file: &Path) -> Vec<(&OsStr, &str)> {
    use std::os::unix::ffi::OsStrExt;
    let bytes = file.as_os_str().as_bytes();
    let after = |colon: usize| std::str::from_utf8(&bytes[colon + 1..]).ok();
    let colons = memchr::memchr_iter(b':', bytes);
    colons.filter_map(|colon| Some((OsStr::from_bytes(&bytes[..colon]), after(colon)?))).collect()
}

#[cfg(not(unix))]
fn at_colons(file: &Path) -> Vec<(&OsStr, &str)> {
    let text = file.to_str().unwrap_or_default();
    text.match_indices(':').map(|(colon, _)| (OsStr::new(&text[..colon]), &text[colon + 1..])).collect()
}

/// Compilers print `5:10` and `5:10:` for a line and a column: keep only the line.
fn without_column(ranges: &str) -> &str {
    match ranges.strip_suffix(':').unwrap_or(ranges).split_once(':') {
        Some((line, column)) if is_number(line) && is_number(column) => line,
        _ => ranges,
    }
}
