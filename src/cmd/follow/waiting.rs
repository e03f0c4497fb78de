//! The records of a followed file that wait for earlier ones of other files.

use std::collections::VecDeque;
use std::time::Instant;

use jiff::Timestamp;

/// A file may keep so many bytes waiting.
const MOST: usize = 16 << 20;

/// The records of one file that wait, as the first bytes that it holds.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    records: VecDeque<Record>,
    /// The bytes of all of them.
    bytes: usize,
    /// The latest time so far.
    latest: Option<Timestamp>,
}

/// Lines that are printed together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    /// Unknown before the first time of a file.
    pub(super) time: Option<Timestamp>,
    bytes: usize,
    pub(super) since: Instant,
}

impl Waiting {
    /// Adds a line of so many bytes, which begins a record if it has a time.
    pub(super) fn add(&mut self, bytes: usize, time: Option<Timestamp>) {
        self.bytes += bytes;
        // A record that is earlier than one before it counts as that one's time.
        let begun = time.map(|time| self.latest.map_or(time, |latest| latest.max(time)));
        self.latest = begun.or(self.latest);
        match (self.records.back_mut(), begun) {
            (Some(last), None) => last.bytes += bytes,
            // Lines before the first time belong to the first record.
            (Some(last @ Record { time: None, .. }), Some(_)) => {
                (last.time, last.bytes) = (begun, last.bytes + bytes);
            }
            (_, time) => {
                let time = time.or(self.latest);
                self.records.push_back(Record { time, bytes, since: Instant::now() });
            }
        }
    }

    /// Whether the file keeps too much waiting.
    pub(super) fn is_full(&self) -> bool {
        self.bytes > MOST
    }

    /// The record that is printed next.
    pub(super) fn first(&self) -> Option<Record> {
        self.records.front().copied()
    }

    /// Takes the next record; returns its bytes.
    pub(super) fn take(&mut self) -> usize {
        let taken = self.records.pop_front().map_or(0, |record| record.bytes);
        self.bytes -= taken;
        taken
    }
}
