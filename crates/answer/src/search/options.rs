//! The request of a search: the options for all its files, and the files.

use std::path::PathBuf;
use std::sync::Arc;

use crate::options::TimeReading;
use crate::receipt::LeftOut;
use crate::request::Request;
use rread_reader::{Pattern, UnitKind};
use rread_source::archive::Member;
use rread_source::members::Members;
use rread_text::{Call, Range};

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

/// How lines are shown.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools)]
pub struct LineOptions {
    pub parts: LineParts,
    /// Without the white space at the beginning.
    pub trims: bool,
    /// The number of the line, before it.
    pub numbers: bool,
    /// The place of the first match in the line, in bytes from 1.
    pub column: bool,
    /// The offset of the line, or of the match that is shown alone.
    pub byte_offset: bool,
    /// The name of the file, before every line; otherwise if there are several files, in text.
    pub names: Option<bool>,
    /// The name of the file, once before its lines.
    pub heading: bool,
    /// The line between groups.
    pub separator: Option<Vec<u8>>,
    /// The separator after names and numbers of lines that match.
    pub match_field: Vec<u8>,
    /// The separator after names and numbers of other lines.
    pub context_field: Vec<u8>,
    /// The text that replaces matches.
    pub replacement: Option<Arc<[u8]>>,
}

impl Default for LineOptions {
    fn default() -> Self {
        LineOptions {
            parts: LineParts::Line,
            trims: false,
            numbers: true,
            column: false,
            byte_offset: false,
            names: None,
            heading: false,
            separator: Some(b"--".to_vec()),
            match_field: b":".to_vec(),
            context_field: b"-".to_vec(),
            replacement: None,
        }
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
