//! The words `FILE... [RANGES]`, split into files and their ranges.

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::args::input::{existing, is_file, split_ranges};
use rread_answer::ReadOptions;
use rread_source::named_files::{NamedFile, objects_of, open_in_turn};
use rread_text::{Error, Form, Place, Range, Result, Unit, call, parse_list, parse_mixed};

#[derive(Debug)]
pub(super) struct FileRanges {
    pub(super) path: PathBuf,
    pub(super) ranges: Vec<Range>,
}

/// The files that names mean, each with the ranges of its name. Objects are opened in this order.
pub(super) fn found(
    named: impl IntoIterator<Item = FileRanges>,
    read: &mut ReadOptions,
) -> Vec<(NamedFile, Vec<Range>)> {
    let mut files = Vec::new();
    for FileRanges { path, ranges } in named {
        match objects_of(&path, &mut read.source.access, false) {
            Some(found) => files.extend(found.files.into_iter().map(|file| (file, ranges.clone()))),
            None => files.push((path.into(), ranges)),
        }
    }
    open_in_turn(files.iter().map(|(file, _)| &*file.path), &read.source.access);
    files
}

/// The arguments of `bytes` and `lines`, which say in their help what RANGES looks like.
#[derive(Args, Clone, Debug)]
pub(crate) struct FilesArgs {
    /// Files to read; - is standard input
    #[arg(value_name = "FILE", value_parser = crate::args::input::file())]
    file: PathBuf,
    #[arg(value_name = "RANGES")]
    ranges: Option<OsString>,
    /// Further files, and then RANGES.
    #[arg(value_name = "FILE", hide = true)]
    more: Vec<OsString>,
}

impl FilesArgs {
    /// Ranges of `unit` apply to all files if they come last or in the `option` named `flags`; FILE:RANGES applies to one.
    pub(super) fn with_ranges(
        &self,
        unit: Unit,
        option: Result<Option<Range>>,
        flags: &str,
    ) -> Result<Vec<FileRanges>> {
        let option = option.map_err(|error| error.about(&self.file))?;
        let parse = |text: &str| parse_list(text, unit);
        let takes_attached = unit == Unit::Lines;
        let others = self.ranges.iter().chain(&self.more);
        let (files, last) = split(unit.command(), &self.file, others, takes_attached, parse)?;
        let one = |path: PathBuf| {
            let (path, attached) = if takes_attached { split_ranges(&path, parse)? } else { (path, None) };
            let ranges = match (&last, attached, option) {
                (Some(_), Some(_), _) => return Err(given_twice_error("FILE:RANGES").about(&path)),
                (Some(_), _, Some(_)) | (_, Some(_), Some(_)) => {
                    return Err(given_twice_error(flags).about(&path));
                }
                (None, Some(attached), None) => attached,
                (Some(ranges), None, None) => ranges.clone(),
                (None, None, option) => vec![option.unwrap_or(Range::whole(unit))],
            };
            Ok(FileRanges { path, ranges })
        };
        files.into_iter().map(one).collect()
    }
}

pub(super) fn given_twice_error(flags: &str) -> Error {
    Error::usage(format!("ranges were given both as RANGES and as {flags}")).hint("leave out one of them")
}

/// Splits the words of `command` into files and a last word that `parse` accepts and that is not a file.
pub(super) fn split<'a, T>(
    command: &'static str,
    first: &Path,
    others: impl Iterator<Item = &'a OsString>,
    takes_attached: bool,
    parse: impl Fn(&str) -> Result<T>,
) -> Result<(Vec<PathBuf>, Option<T>)> {
    let mut files = vec![first.to_owned()];
    let others: Vec<&OsString> = others.collect();
    let Some((last, between)) = others.split_last() else { return Ok((files, None)) };
    let noun = if command == "page" { "page number" } else { "range" };
    // A lone word is FILE even if it looks like a range.
    if !is_file(first) && first.to_str().is_some_and(|text| parse(text).is_ok()) {
        let word = first.display().to_string();
        let hint = call(command).file(existing(last)).word(&word).again();
        return Err(Error::usage(format!("'{word}' is a {noun}; FILE comes first")).hint(hint));
    }
    let wrong = |error: Error| error.about(first);
    for word in between {
        match meaning(word, takes_attached, &parse) {
            WordMeaning::Path(path) => files.push(path),
            WordMeaning::Range(_) => {
                let text = word.to_string_lossy();
                let text = text.trim();
                let message = format!("'{text}' is a {noun}; only the last argument can be one");
                return Err(wrong(Error::usage(message).hint(call(command).file(first).word(text).again())));
            }
            // A word before the last is a file, unless it is a mistyped range.
            WordMeaning::Neither(error) if is_rangelike(word) => return Err(wrong(error)),
            WordMeaning::Neither(_) => files.push(existing(word)),
        }
    }
    match meaning(last, takes_attached, &parse) {
        WordMeaning::Path(path) => files.push(path),
        WordMeaning::Range(range) => return Ok((files, Some(range))),
        WordMeaning::Neither(error) => return Err(wrong(error)),
    }
    Ok((files, None))
}

/// Groups the words of `rread ranges`: `FILE RANGE...`, `FILE:RANGES`, and `FILE FILE... RANGE`.
pub(super) fn group(first: &Path, others: &[OsString]) -> Result<Vec<FileRanges>> {
    let mut done = Vec::new();
    let mut group = Group::of(first)?;
    for word in others {
        match meaning(word, true, parse_mixed) {
            WordMeaning::Range(_) if group.is_attached => {
                return Err(given_twice_error("FILE:RANGES").about(group.last()));
            }
            WordMeaning::Range(ranges) => group.ranges.extend(ranges),
            WordMeaning::Neither(error) => return Err(error.about(group.last())),
            WordMeaning::Path(path) => {
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
            let path = &self.files[0];
            let hint = call("ranges").file(path).word("5,100:120").word("b0:512").word("-3:").again();
            return Err(Error::usage("no range was given").hint(hint).at(path));
        }
        let ranges = self.ranges;
        done.extend(self.files.into_iter().map(|path| FileRanges { path, ranges: ranges.clone() }));
        Ok(())
    }
}

enum WordMeaning<T> {
    Path(PathBuf),
    Range(T),
    Neither(Error),
}

fn meaning<T>(word: &OsStr, takes_attached: bool, parse: impl Fn(&str) -> Result<T>) -> WordMeaning<T> {
    let path = existing(word);
    if is_file(&path) {
        return WordMeaning::Path(path);
    }
    let Some(text) = word.to_str() else { return WordMeaning::Path(path) };
    match parse(text) {
        Ok(range) => WordMeaning::Range(range),
        Err(_) if path.is_dir() || looks_like_a_name(&path, takes_attached) => WordMeaning::Path(path),
        Err(error) if !text.is_empty() && !text.contains(|c: char| c.is_ascii_digit()) => {
            let message = error.message.then(", and no file has that name");
            WordMeaning::Neither(Error { message, ..error })
        }
        Err(error) => WordMeaning::Neither(error),
    }
}

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

/// A note on a terminal about ranges that are easily mistaken for others.
pub(super) fn note_neighbours(files: &[FileRanges]) {
    let Some(first) = files.first() else { return };
    if let Some(note) = neighbours(&first.ranges).filter(|_| io::stderr().is_terminal()) {
        rread_source::stdin::warn(&first.path, &note);
    }
}

fn neighbours(ranges: &[Range]) -> Option<String> {
    let forms: Vec<Form> = ranges.iter().take(3).map(|range| range.form).collect();
    // Byte ranges have neither single offsets nor included ends, so they cause no confusion.
    if ranges.iter().take(3).any(|range| range.unit == Unit::Bytes) {
        return None;
    }
    match forms[..] {
        [Form::One(Place::Back(n))] if n > 1 => {
            Some(format!("-{n} is one line; -{n}: is the last {n} lines"))
        }
        [Form::One(Place::Front(a)), Form::One(Place::Front(b))] if a < b => {
            Some(format!("{a},{b} is two lines; {a}:{b} is the lines from {a} to {b}"))
        }
        [Form::Between(Some(start), Some(Place::Back(n)))] => {
            let left = if n == 1 { "the last line".to_owned() } else { format!("the last {n} lines") };
            Some(format!("{start}:-{n} leaves out {left}; {start}: goes to the end"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rread_text::range::{parse_list, parse_mixed};

    #[test]
    fn only_what_is_easily_mistaken_is_noted() {
        let note = |text: &str| neighbours(&parse_list(text, Unit::Lines).unwrap());
        assert_eq!(note("-20").unwrap(), "-20 is one line; -20: is the last 20 lines");
        assert_eq!(note("10,20").unwrap(), "10,20 is two lines; 10:20 is the lines from 10 to 20");
        assert_eq!(note("1:-1").unwrap(), "1:-1 leaves out the last line; 1: goes to the end");
        for plain in ["-1", "-20:", "10:20", "20,10", "1,2,3", "5", ":", "10:+3", "1:-1,5", ":-20"] {
            assert_eq!(note(plain), None, "{plain}");
        }
        assert_eq!(neighbours(&parse_mixed("b1:-1").unwrap()), None, "bytes end before their end");
    }

    #[test]
    fn a_misspelt_range_is_not_the_name_of_a_file() {
        let words = "10..20 10,12p 1,000:+1 4KiB 0:5 b-9:-12 bytes=9-5 abc x5 --raw 1.5";
        for word in words.split(' ').chain([""]) {
            assert!(!looks_like_a_name(Path::new(word), true), "{word}");
        }
        for word in ["nope.log", "logs/nope", "nope:1", "lib:1", "nope.log:1-5", "2026-01-31.log"] {
            assert!(looks_like_a_name(Path::new(word), true), "{word}");
        }
        assert!(!looks_like_a_name(Path::new("nope:1"), false), "bytes takes no FILE:RANGES");
    }
}
