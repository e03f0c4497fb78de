//! A line that a search visits, and its part in a unit.

use std::ops::Range;

/// A line that was searched for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hit {
    /// The first byte.
    pub start: u64,
    /// The start of the next line, or the end of the file.
    pub next: u64,
    /// Newlines before it, if wanted.
    pub newlines: u64,
    /// Matches in it, if wanted; 1 for a line without a match that was searched for.
    pub matches: u64,
    /// Its bytes, newline included, in the text of the batch; `None` for a long line, and if they are not wanted.
    pub text: Option<Range<usize>>,
    /// In a long line, and where matches before do not count, the start of the first match in the file.
    pub first_match: Option<u64>,
    /// The ends of matches of several lines, if matches may have several lines.
    pub spanned: Option<Spanned>,
    /// Its part in a unit, if units are more than lines.
    pub part: Option<UnitPart>,
}

impl Hit {
    /// Whether a match that began in a line before it goes on in it.
    pub fn goes_on(&self) -> bool {
        self.spanned.is_some_and(|spanned| spanned.covered_to > self.start)
    }
}

/// Matches of several lines that have a part in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spanned {
    /// The end of the match that began before the line; the start of the line without one.
    pub covered_to: u64,
    /// The end of the last match that begins in the line; the start of the line without one.
    pub matches_end: u64,
}

/// The part that a line has in a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitPart {
    /// The line is one that was searched for.
    Match,
    /// The line belongs to a unit that is shown.
    Rest,
    /// The line encloses the unit.
    Head,
}
