//! The request of a search: the options for all its files, and the files.

use crate::answer::request::Request;
use rread_reader::search::pattern::Pattern;
use rread_source::members::Members;
use rread_text::range::Range;
use rread_text::sentence::Call;

/// The part of the result that a search shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Shows {
    #[default]
    Lines,
    /// The number of matching lines.
    Count,
    /// The name of a file with a match.
    Name,
}

/// The options of a search, for all its files.
#[derive(Clone, Debug)]
pub(crate) struct SearchOptions {
    pub(crate) pattern: Pattern,
    pub(crate) shows: Shows,
    /// A NUL ends the name of a file in raw and text, in place of a newline or a colon.
    pub(crate) null: bool,
    /// Stop after so many matching lines in each file.
    pub(crate) max_count: Option<u64>,
    /// Only the last matching lines.
    pub(crate) last: Option<u64>,
    /// Whether the members of archives below directories are searched.
    pub(crate) takes_archives: bool,
    /// The parts of the file to search; everything if empty.
    pub(crate) within: Vec<Range>,
    /// The call without files, for `next` and hints.
    pub(crate) call: Call,
}

/// A file to search.
pub(crate) struct SearchedFile<'a> {
    pub(crate) request: Request<'a>,
    /// Found by walking a directory or an archive: left out if it is binary, cannot be read or has no match.
    pub(crate) is_walked: bool,
    /// The members of an archive that the path means, in its place.
    pub(crate) members: Option<Members>,
}
