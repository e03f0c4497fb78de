//! Splits the words `FILE... [RANGES]` into files and their ranges.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::bytes::given_twice;
use crate::args::file::{is_there, split_ranges, unshielded};
use crate::error::{Error, Result};
use crate::hints;
use crate::range::{Range, Unit, parse_list, parse_mixed};

#[derive(Debug)]
pub(super) struct FileRanges {
    pub(super) path: PathBuf,
    pub(super) ranges: Vec<Range>,
}

/// A range given by options, and the names of these options.
pub(super) struct OptionRange {
    pub(super) range: Range,
    pub(super) names: &'static str,
}

/// Splits the words into files and the ranges of all of them, which come last, in FILE:RANGES or in `from_options`.
pub(super) fn with_ranges(
    first: &Path,
    others: &[&OsString],
    unit: Unit,
    from_options: Option<OptionRange>,
) -> Result<Vec<FileRanges>> {
    let parse = |text: &str| parse_list(text, unit);
    let takes_attached = unit == Unit::Lines;
    let (files, last) = split(unit.command(), first, others, takes_attached, parse)?;
    let one = |path: PathBuf| {
        let (path, attached) = if takes_attached { split_ranges(&path, parse)? } else { (path, None) };
        let ranges = match (&last, attached, &from_options) {
            (Some(_), Some(_), _) => Err(given_twice("FILE:RANGES")),
            (Some(_), _, Some(option)) | (_, Some(_), Some(option)) => Err(given_twice(option.names)),
            (None, Some(attached), None) => Ok(attached),
            (Some(ranges), None, None) => Ok(ranges.clone()),
            (None, None, Some(option)) => Ok(vec![option.range]),
            (None, None, None) => Ok(vec![Range::whole(unit)]),
        };
        Ok(FileRanges { ranges: ranges.map_err(|error| error.about(&path))?, path })
    };
    files.into_iter().map(one).collect()
}

/// Splits the words of `command` into files and a last word that `parse` accepts and that is not a file.
pub(super) fn split<T>(
    command: &str,
    first: &Path,
    others: &[&OsString],
    takes_attached: bool,
    parse: impl Fn(&str) -> Result<T>,
) -> Result<(Vec<PathBuf>, Option<T>)> {
    let Some((last, between)) = others.split_last() else { return Ok((vec![first.to_owned()], None)) };
    let mut files = Vec::with_capacity(others.len() + 1);
    // A lone word is FILE even if it looks like a range.
    if !is_file(first) && first.to_str().is_some_and(|text| parse(text).is_ok()) {
        let (word, file, noun) = (first.display(), unshielded(last), noun(command));
        return Err(Error::usage(format!("'{word}' is a {noun}, and FILE comes first")).hint(hints::again(
            command,
            &file,
            &word.to_string(),
        )));
    }
    files.push(first.to_owned());
    let wrong = |error: Error| error.about(first);
    for word in between {
        match meaning(word, takes_attached, &parse) {
            Meaning::Path(path) => files.push(path),
            Meaning::Range(_) => {
                let (text, noun) = (word.to_string_lossy(), noun(command));
                let text = text.trim();
                return Err(wrong(
                    Error::usage(format!("'{text}' is a {noun}, and only the last argument can be one"))
                        .hint(hints::again(command, first, text)),
                ));
            }
            // A word before the last is a file, unless it is a mistyped range.
            Meaning::Neither(error) if is_rangelike(word) => return Err(wrong(error)),
            Meaning::Neither(_) => files.push(unshielded(word)),
        }
    }
    match meaning(last, takes_attached, &parse) {
        Meaning::Path(path) => files.push(path),
        Meaning::Range(range) => return Ok((files, Some(range))),
        Meaning::Neither(error) => return Err(wrong(error)),
    }
    Ok((files, None))
}

fn noun(command: &str) -> &'static str {
    if command == "page" { "page number" } else { "range" }
}

/// Groups the words of `rread ranges`: `FILE RANGE...`, `FILE:RANGES`, and `FILE FILE... RANGE`.
pub(super) fn grouped(first: &Path, others: &[OsString]) -> Result<Vec<FileRanges>> {
    let mut done = Vec::new();
    let mut group = Group::of(first)?;
    for word in others {
        match meaning(word, true, parse_mixed) {
            Meaning::Range(_) if group.is_attached => {
                return Err(given_twice("FILE:RANGES").about(group.last()));
            }
            Meaning::Range(ranges) => group.ranges.extend(ranges),
            Meaning::Neither(error) => return Err(error.about(group.last())),
            Meaning::Path(path) => {
                let next = Group::of(&path)?;
                // Files without ranges get the next ones.
                if group.ranges.is_empty() && !next.is_attached {
                    group.files.extend(next.files);
                } else {
                    std::mem::replace(&mut group, next).close(&mut done)?;
                }
            }
        }
    }
    group.close(&mut done)?;
    Ok(done)
}

/// Files with the same ranges.
struct Group {
    files: Vec<PathBuf>,
    ranges: Vec<Range>,
    is_attached: bool,
}

impl Group {
    fn of(file: &Path) -> Result<Self> {
        let (path, attached) = split_ranges(file, parse_mixed)?;
        let is_attached = attached.is_some();
        Ok(Group { files: vec![path], ranges: attached.unwrap_or_default(), is_attached })
    }

    fn last(&self) -> &Path {
        self.files.last().map_or(Path::new(""), PathBuf::as_path)
    }

    fn close(self, done: &mut Vec<FileRanges>) -> Result<()> {
        if self.ranges.is_empty() {
            let path = self.files.first().map_or(Path::new(""), PathBuf::as_path);
            let hint = hints::again("ranges", path, "5,100:120 b0:512 -3:");
            return Err(Error::usage("no range was given").hint(hint).at(path));
        }
        let ranges = self.ranges;
        done.extend(self.files.into_iter().map(|path| FileRanges { path, ranges: ranges.clone() }));
        Ok(())
    }
}

enum Meaning<T> {
    Path(PathBuf),
    Range(T),
    Neither(Error),
}

fn meaning<T>(word: &OsStr, takes_attached: bool, parse: impl Fn(&str) -> Result<T>) -> Meaning<T> {
    let path = unshielded(word);
    if is_file(&path) {
        return Meaning::Path(path);
    }
    let Some(text) = word.to_str() else { return Meaning::Path(path) };
    match parse(text) {
        Ok(range) => Meaning::Range(range),
        Err(_) if path.is_dir() || looks_like_a_name(&path, takes_attached) => Meaning::Path(path),
        Err(error) if !text.is_empty() && !text.contains(|c: char| c.is_ascii_digit()) => {
            let message = format!("{}, and no file has that name", error.message);
            Meaning::Neither(Error { message, ..error })
        }
        Err(error) => Meaning::Neither(error),
    }
}

/// A directory does not count, since it cannot be read: `/proc/1` does not keep `1` from being a range.
fn is_file(path: &Path) -> bool {
    path == Path::new("-") || is_there(path) && !path.is_dir()
}

/// Whether a word that is neither range nor file was probably meant as a file name.
fn looks_like_a_name(path: &Path, takes_attached: bool) -> bool {
    if is_rangelike(path.as_os_str()) || path.to_string_lossy().starts_with("--") {
        return false;
    }
    let is_path = path.to_string_lossy().contains(['.', '/', '\\']);
    let has_ranges = || split_ranges(path, parse_mixed).is_ok_and(|(_, ranges)| ranges.is_some());
    is_path || takes_attached && has_ranges()
}

/// Whether a word has only characters of ranges and of mistyped ranges, such as `10..20` and `10,12p`.
fn is_rangelike(word: &OsStr) -> bool {
    let is_number = |piece: &str| {
        let digits = piece.trim_start_matches(['b', 'l']).trim_start_matches(|c: char| c.is_ascii_digit());
        let has_digits = piece.contains(|c: char| c.is_ascii_digit());
        let is_prefix = matches!(piece, "" | "b" | "l" | "bytes" | "$");
        is_prefix || has_digits && digits.chars().all(|c| "KMGTPEBikp".contains(c))
    };
    word.to_str().is_some_and(|text| text.split([':', '+', '-', '_', ',', '.', '=', ' ']).all(is_number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_range_is_not_the_name_of_a_file() {
        for word in [
            "10..20",
            "10,12p",
            "1,000:+1",
            "4KiB",
            "0:5",
            "b-9:-12",
            "bytes=9-5",
            "",
            "abc",
            "x5",
            "--raw",
            "1.5",
        ] {
            assert!(!looks_like_a_name(Path::new(word), true), "{word}");
        }
        for word in ["nope.log", "logs/nope", "nope:1", "lib:1", "nope.log:1-5", "2026-01-31.log"] {
            assert!(looks_like_a_name(Path::new(word), true), "{word}");
        }
        assert!(!looks_like_a_name(Path::new("nope:1"), false), "bytes takes no FILE:RANGES");
    }
}
