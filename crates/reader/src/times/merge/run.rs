//! Runs of records of one file, and the pieces in which their lines are read.

use rread_text::timestamp::Timestamp;

/// A time, and the file that has it.
pub(super) type Key = (Timestamp, usize);

/// Records of one file that follow one another in the merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The position of the file.
    pub file: usize,
    /// The first byte.
    pub start: u64,
    /// Past the last byte.
    pub end: u64,
    /// The number of the first line, if the first one of the file was given.
    pub line: u64,
    /// The number of the last line.
    pub last_line: u64,
    /// Records that begin in it.
    pub records: u64,
    /// How many of them are earlier than a record before them in their file.
    pub out_of_order: u64,
    /// The latest time of its file before it.
    pub(super) latest: Timestamp,
    /// Whether it begins inside a line.
    pub(super) is_inside_line: bool,
    /// Whether its last line has no newline, and the file or the part of it ends there.
    pub is_unterminated: bool,
}

/// Whole lines of a run.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'b> {
    /// The position of the file.
    pub file: usize,
    /// The first byte.
    pub start: u64,
    /// Past the last byte.
    pub end: u64,
    /// The number of the first line.
    pub line: u64,
    /// The lines, unless they are one that is too long to be held.
    pub bytes: Option<&'b [u8]>,
    /// The records that begin in it, if they were asked for.
    pub records: &'b [RecordStart],
}

/// The beginning of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordStart {
    /// Its offset in the file.
    pub start: u64,
    /// The number of its line, if the number of the first line of the file was given.
    pub line: u64,
    /// Its time; that of the latest record before it in its file, if that is later.
    pub time: Timestamp,
}
