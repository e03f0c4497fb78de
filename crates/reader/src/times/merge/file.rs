//! A file of a merge before it is merged: how its times are read, its spans, and the time of their first record.

use std::ops::Range;

use crate::reader::Reader;
use crate::times::clock::Clock;
use crate::times::lines::Records;
use crate::times::log::{Log, TypedTimes, last_record};
use rread_text::error::Result;
use rread_text::timestamp::Timestamp;

/// The facts of a file that a merge needs.
#[derive(Clone)]
pub struct MergedFile {
    pub(super) clock: Clock,
    /// The first record of the file.
    pub(super) first: (u64, Timestamp),
    pub(super) spans: Vec<Range<u64>>,
    /// The number of the line at the start of each span.
    pub(super) lines: Vec<u64>,
    head: Option<Timestamp>,
    /// The first span begins inside a line.
    pub(super) is_inside_line: bool,
    typed_times: TypedTimes,
}

impl MergedFile {
    /// The parts `spans` of a log, in ascending order; `line_at` gives the number of the line at the start of each.
    pub fn new(log: &Log<'_>, spans: Vec<Range<u64>>, line_at: impl Fn(u64) -> Result<u64>) -> Result<Self> {
        let spans: Vec<Range<u64>> = spans.into_iter().filter(|span| !span.is_empty()).collect();
        let lines = spans.iter().map(|span| line_at(span.start)).collect::<Result<Vec<_>>>()?;
        let first = (log.first.start, log.first.time);
        let clock = log.clock.clone();
        let start = spans.first().map(|span| span.start);
        let head = start.map(|start| time_at(log.reader, &clock, first, start)).transpose()?;
        let is_inside_line =
            start.is_some_and(|start| start > 0) && !log.reader.starts_line(start.unwrap_or(0))?;
        let typed_times = log.typed_times();
        Ok(MergedFile { clock, first, spans, lines, head, is_inside_line, typed_times })
    }

    /// The meaning of times that a user types in the file.
    pub fn typed_times(&self) -> &TypedTimes {
        &self.typed_times
    }

    /// The parts of the file.
    pub fn spans(&self) -> &[Range<u64>] {
        &self.spans
    }

    /// The time of the first record; `None` without any bytes.
    pub(super) fn head(&self) -> Option<Timestamp> {
        self.head
    }
}

/// The time of the record that has the byte at `start`. Lines before the first record of a file belong to that.
pub(super) fn time_at(
    reader: &Reader,
    clock: &Clock,
    first: (u64, Timestamp),
    start: u64,
) -> Result<Timestamp> {
    if start <= first.0 {
        return Ok(first.1);
    }
    let line = reader.line_start(start)?;
    if let Some(record) = Records::new(reader, clock, line).next(line + 1)? {
        return Ok(record.time);
    }
    Ok(last_record(reader, clock, line)?.map_or(first.1, |record| record.time))
}
