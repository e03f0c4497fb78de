//! The request of a search: the options for all its files, and the files.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::hints::encoding_hint;
use crate::options::TimeReading;
use crate::receipt::LeftOut;
use crate::request::Request;
use crate::wording::worded;
use rread_reader::{Pattern, Reader, UnitKind};
use rread_source::Decoding;
use rread_source::archive::Member;
use rread_source::members::Members;
use rread_text::{Call, Choice, Encoding, Error, Kind, Range, Sentence, address, printable};

/// The part of the result that a search shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shows {
    #[default]
    Lines,
    /// The number of matching lines.
    Count,
    /// The number of matches.
    Matches,
    /// The name of a file with a match.
    Name,
    /// The name of a file without a match.
    NameWithout,
    /// Nothing; the exit code says whether a file has a match.
    Nothing,
    /// Nothing; the exit code says whether a file has no match.
    NothingWithout,
}

/// The part that is shown of a line that matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineParts {
    /// The line.
    #[default]
    Line,
    /// Each match alone.
    Matches,
    /// The line, once for each match.
    LineForEachMatch,
}

/// What a terminal is sent before names, numbers and matches, if they are in color.
#[derive(Clone, Debug)]
pub struct LineColors {
    pub path: Cow<'static, [u8]>,
    pub number: Cow<'static, [u8]>,
    /// Nothing, if columns are not in color.
    pub column: Cow<'static, [u8]>,
    /// Nothing, if matches are not in color.
    pub matched: Cow<'static, [u8]>,
}

impl Default for LineColors {
    fn default() -> Self {
        let codes = ["\x1b[35m", "\x1b[32m", "", "\x1b[1m\x1b[31m"];
        let [path, number, column, matched] = codes.map(|code| Cow::Borrowed(code.as_bytes()));
        LineColors { path, number, column, matched }
    }
}

/// How lines are shown.
#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools)]
pub struct LineOptions {
    pub parts: LineParts,
    /// Without the white space at the beginning.
    pub trims: bool,
    /// Without the number before the line.
    pub no_numbers: bool,
    /// The place of the first match in the line, in bytes from 1.
    pub column: bool,
    /// The offset of the line, or of the match that is shown alone.
    pub byte_offset: bool,
    /// The name of the file, before every line; otherwise if there are several files, in text.
    pub names: Option<bool>,
    /// The name of the file, once before its lines.
    pub heading: bool,
    /// The line between groups, `--` if none is given.
    pub separator: Option<Vec<u8>>,
    pub no_separator: bool,
    /// The separator after names and numbers of lines that match, in place of `:`.
    pub match_field: Option<Vec<u8>>,
    /// The separator after names and numbers of other lines, in place of `-`.
    pub context_field: Option<Vec<u8>>,
    /// The text that replaces matches.
    pub replacement: Option<Arc<[u8]>>,
    pub colors: LineColors,
    /// Lines end with `\r\n`, also those that the file does not end.
    pub crlf: bool,
    /// What stands between the parts of paths, in place of the separator of the system.
    pub path_separator: Option<Vec<u8>>,
}

impl LineOptions {
    /// The end of lines that the file does not end.
    pub(super) fn line_end(&self) -> &'static [u8] {
        if self.crlf { b"\r\n" } else { b"\n" }
    }

    /// The line between groups.
    pub(super) fn separator(&self) -> Option<&[u8]> {
        (!self.no_separator).then(|| self.separator.as_deref().unwrap_or(b"--"))
    }
}

/// The options of a search, for all its files.
#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools)]
pub struct SearchOptions {
    pub pattern: Pattern,
    pub shows: Shows,
    pub lines: LineOptions,
    /// All lines are shown; those without a match as context.
    pub passes_through: bool,
    /// Counts of files without a match are shown too.
    pub with_zero: bool,
    /// Raw and text end with the sums over all files.
    pub with_sums: bool,
    /// A NUL ends the name of a file in raw and text, in place of a newline or a colon.
    pub null: bool,
    /// Files below a directory that cannot be read are not reported.
    pub is_silent: bool,
    /// Stop after so many matching lines in each file.
    pub max_count: Option<u64>,
    /// Only the last matching lines.
    pub last: Option<u64>,
    /// Stop at the first line without a match after one with a match.
    pub stops_on_nonmatch: bool,
    /// Whether the members of archives below directories are searched.
    pub takes_archives: bool,
    /// The parts of the file to search; everything if empty.
    pub within: Vec<Range>,
    /// The unit that is matched, counted and shown at once.
    pub unit: UnitKind,
    /// Above each match, the lines that enclose it.
    pub enclosing: bool,
    /// How the times of records are read.
    pub times: TimeReading,
    /// The files that walks of directories left out.
    pub left_out: LeftOut,
    /// The directories that could not be listed, with the reason.
    pub unreadable: Vec<(PathBuf, String)>,
    /// The call without files, for `next` and hints.
    pub call: Call,
}

impl SearchOptions {
    /// A search for all lines that match `pattern`.
    pub fn new(pattern: Pattern, call: Call) -> Self {
        SearchOptions { pattern, call, ..SearchOptions::default() }
    }

    /// Whether files without a match are in the answer, or in its sums.
    pub(super) fn needs_every_file(&self) -> bool {
        let is_about_others = self.is_without() || self.with_zero || self.has_units() && self.pattern.invert;
        is_about_others || self.passes_through || self.with_sums
    }

    /// Whether a file below a directory with so many `matched_lines` is in the answer.
    pub(super) fn shows_walked(&self, matched_lines: u64) -> bool {
        match self.shows {
            Shows::NameWithout => matched_lines == 0,
            Shows::Count | Shows::Matches if self.with_zero => true,
            Shows::Lines if self.passes_through => true,
            _ => matched_lines > 0,
        }
    }

    /// Whether a file with so many `matched_lines` is what the search looks for.
    pub(super) fn is_found(&self, matched_lines: u64) -> bool {
        self.is_without() == (matched_lines == 0)
    }

    fn is_without(&self) -> bool {
        matches!(self.shows, Shows::NameWithout | Shows::NothingWithout)
    }

    /// Whether the exit code is the answer.
    pub(super) fn is_silent_answer(&self) -> bool {
        matches!(self.shows, Shows::Nothing | Shows::NothingWithout)
    }
}

impl<'a> SearchedFile<'a> {
    /// The same search in `member` of the archive.
    pub(super) fn of_member(&self, member: Member) -> Self {
        SearchedFile { request: self.request.of_found_member(member), is_walked: true, members: None }
    }
}

/// A file to search.
pub struct SearchedFile<'a> {
    pub request: Request<'a>,
    /// Found by walking a directory or an archive: left out if it is binary, cannot be read or has no match.
    pub is_walked: bool,
    /// The members of an archive that the path means, in its place.
    pub members: Option<Members>,
}

/// The error that no line matches.
pub(super) fn no_match(
    files: &[SearchedFile<'_>],
    options: &SearchOptions,
    other: Option<(PathBuf, OtherReading)>,
    left_out: &LeftOut,
    searched: u64,
) -> Error {
    let pattern = options.pattern.patterns.join("', '");
    let kind = if options.pattern.invert { "every line matches" } else { "no line matches" };
    let mut message = format!("{kind} '{pattern}'");
    if left_out.has_gaps() || searched == 0 && !left_out.is_empty() {
        let gaps = left_out.words(searched == 0);
        message = match searched {
            0 => format!("no file was searched for '{pattern}': the files are {gaps}"),
            _ => format!("{message}; not searched: {gaps}"),
        };
    }
    let is_one = files.len() == 1 && !left_out.has_gaps();
    let other = other.filter(|_| !options.pattern.invert);
    // As grep writes what | is elsewhere.
    let plain = pattern.replace(r"\|", "|");
    let is_of_grep = plain != pattern && !options.pattern.fixed && !options.pattern.invert;
    let hint = is_of_grep.then(|| Sentence::from(format!("| without a backslash means or: '{plain}'")));
    let error = |read_as: String| Error {
        hint: hint.clone(),
        ..Error::new(Kind::NoMatch, message.clone() + &read_as)
    };
    match (files, other) {
        ([file], Some((_, OtherReading { read_as, search, .. }))) => {
            Error { hint: search, ..error(read_as) }.at(&file.request.path)
        }
        ([file], None) if is_one => error(String::new()).at(&file.request.path),
        (_, Some((path, OtherReading { read_as, search, .. }))) => {
            let path = address::display(&path).into_owned();
            Error { hint: search, ..error(format!("; {} was searched{read_as}", printable(&path))) }
        }
        (_, None) => error(String::new()),
    }
}

/// How the file was read, and the search that reads it in another way.
#[derive(Clone, Debug)]
pub struct OtherReading {
    /// Words after `no line matches 'x'`.
    pub(super) read_as: String,
    pub(super) search: Option<Sentence>,
    /// Whether rread may have read the text in a wrong encoding.
    pub(super) is_doubtful: bool,
}

/// The encoding in which a match may be hidden: nobody named one, and the pattern depends on it.
pub(super) fn other_encoding(reader: &Reader, pattern: &Pattern) -> Option<String> {
    // Only other characters than those of ASCII differ between these encodings.
    let is_ascii = pattern.patterns.iter().all(|pattern| pattern.is_ascii());
    if is_ascii {
        return None;
    }
    if reader.decided.unknown { reader.encoding_guess() } else { reader.late_guess() }
}

impl OtherReading {
    /// `None` if the searched bytes are those of the file, and text in UTF-8.
    pub(super) fn of(path: &Path, reader: &Reader, search: &Call, pattern: &Pattern) -> Option<Self> {
        if let Some(decoding) = reader.decoding().filter(|decoding| decoding.document().is_some()) {
            let format = decoding.format();
            let stored = search.clone().on("no-decompress");
            let is_text = is_stored_as_text(decoding);
            let stored = if is_text { stored } else { stored.on("text") };
            let stored = (!search.has("salvage")).then_some(stored);
            return Some(OtherReading {
                read_as: format!(" in the text of the document (decoded: {format})"),
                search: stored.map(Sentence::from),
                is_doubtful: false,
            });
        }
        let decided = reader.decided;
        if let Some(guess) = other_encoding(reader, pattern) {
            return Some(OtherReading {
                is_doubtful: true,
                read_as: format!(" in the text read as UTF-8, but the file may be {guess}"),
                search: Some(match guess.parse::<Choice>() {
                    Ok(_) => search.clone().with("E", guess).into(),
                    // Another program has to decode it.
                    Err(_) => encoding_hint(path, reader, &guess),
                }),
            });
        }
        let is_foreign = decided.encoding != Encoding::Utf8 && !decided.unknown;
        is_foreign.then(|| OtherReading {
            read_as: format!(" in the text read as {}", decided.name()),
            search: None,
            is_doubtful: false,
        })
    }

    /// The note about a file without a match, whose text rread may have read in a wrong encoding.
    pub(super) fn doubt(&self) -> String {
        let search = self.search.as_ref().map_or(String::new(), |search| format!("; {}", worded(search)));
        format!(" may be in another encoding than UTF-8, so matches may be missing{search}")
    }
}

/// Whether the bytes of the document are text too, such as those of a notebook or a web page.
fn is_stored_as_text(decoding: &dyn Decoding) -> bool {
    decoding
        .document()
        .is_some_and(|document| matches!(document.mime(), "application/x-ipynb+json" | "text/html"))
}

/// Files of which a note says one thing: the first, what is said of it, and how many there are.
#[derive(Default)]
pub(super) struct FilesWithNote {
    first: Option<(PathBuf, String)>,
    count: u64,
}

impl FilesWithNote {
    pub(super) fn add(&mut self, path: &Path, said: impl FnOnce() -> String) {
        self.first.get_or_insert_with(|| (path.to_owned(), said()));
        self.count += 1;
    }

    /// `a.txt and 3 more`, and what is said of the first; `None` if there is no file.
    pub(super) fn note(self) -> Option<String> {
        let (first, said) = self.first?;
        let others = match self.count - 1 {
            0 => String::new(),
            others => format!(" and {others} more"),
        };
        Some(printable(&address::display(&first)) + &others + &said)
    }
}
