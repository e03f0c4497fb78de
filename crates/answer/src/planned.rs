//! Located and measured slices, before they are delivered.

use crate::content::{Budget, Segment};
use crate::continuation::PrecedingSlice;
use crate::receipt::SliceResult;
use rread_reader::reader::Reader;
use rread_text::error::Result;

pub struct Planned {
    pub result: SliceResult,
    pub segments: Vec<Segment>,
    /// The input for `next`, if the content is measured only while it is written.
    pub unmeasured: Option<PrecedingSlice<'static>>,
}

impl Planned {
    pub fn is_cut(&self) -> bool {
        self.result.outcome.as_ref().is_ok_and(|returned| returned.stats.cut.is_some())
    }

    /// The number of lines of the file, if the slice begins at a known line and ends with the file.
    pub fn total_lines(&self, reader: &Reader) -> Option<u64> {
        let slice = self.result.outcome.as_ref().ok()?;
        let is_at_end = Some(slice.end) == reader.reported_size();
        // An empty slice after a line without an end stands in that line.
        let shows = is_at_end && (slice.lines? > 0 || slice.end == 0);
        Some(slice.first_line? + slice.lines?).filter(|_| shows).map(|line| line - 1)
    }
}

/// The next part, located after those before it were written, and the rest of the budget then.
type More<'a> = Box<dyn FnMut() -> Result<Option<(Planned, Budget)>> + 'a>;

pub struct Plan<'a> {
    /// The parts that are planned together, in the order asked.
    pub parts: Vec<Planned>,
    pub total_lines: Option<u64>,
    pub left: Budget,
    pub more: More<'a>,
}
