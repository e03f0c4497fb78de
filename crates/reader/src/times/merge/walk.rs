//! Walks over parts of one file: the times that its lines have in a merge, and the records of a part of a run.

use super::cursor::Cursor;
use super::file::MergedFile;
use super::run::Run;
use crate::reader::Reader;
use rread_text::error::Result;
use rread_text::timestamp::Timestamp;

/// The bytes of a block.
const BLOCK: usize = 64 << 10;

/// A walk over a file for the times of some of its lines, in ascending order.
pub struct TimeWalk {
    cursor: Cursor,
    first: Timestamp,
}

impl TimeWalk {
    /// Begins with the first part of a file.
    pub fn new(file: &MergedFile) -> Self {
        TimeWalk { cursor: Cursor::new(file, BLOCK), first: file.first.1 }
    }

    /// The time of the record that has the line that ends at `end`; of a record that is earlier than one before it, that of
    /// the latest.
    pub fn time_of(&mut self, reader: &Reader, end: u64) -> Result<Timestamp> {
        Ok(self.cursor.latest_before(reader, end)?.unwrap_or(self.first))
    }
}

/// The part of a run of `file` before `end`.
pub fn part_of(file: &MergedFile, reader: &Reader, run: &Run, end: u64) -> Result<Run> {
    let run = Run { end, ..*run };
    if end <= run.start {
        return Ok(Run { records: 0, out_of_order: 0, ..run });
    }
    let head = (Timestamp::MIN, run.file);
    let part = Cursor::part(file, &run).run(reader, head, None, &mut |_| Ok(()))?;
    Ok(Run { is_unterminated: false, ..part })
}
