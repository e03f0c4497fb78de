//! Where the records of a log begin: at lines with a time.

use std::ops::Range;

use super::lines::{Clock, Heads};
use super::log::Log;
use super::options::TimeOptions;
use crate::reader::Reader;
use rread_text::error::Result;

/// Tells lines that begin a record from those that belong to the one before.
pub struct RecordEdges<'a> {
    clock: Clock,
    heads: Heads<'a>,
}

impl<'a> RecordEdges<'a> {
    /// `None` if the file has no times that rread recognises.
    pub fn of(reader: &'a Reader, options: &TimeOptions) -> Result<Option<Self>> {
        let log = Log::open(reader, options)?;
        Ok(log.map(|log| {
            let heads = Heads::new(reader, log.clock.detected.has_members(), 0);
            RecordEdges { clock: log.clock, heads }
        }))
    }

    /// The line at `start`, and whether it has a time; `None` at the end of the file.
    pub fn line(&mut self, start: u64) -> Result<Option<(Range<u64>, bool)>> {
        self.heads.go_to(start);
        let Some((start, next)) = self.heads.next()? else { return Ok(None) };
        let context = self.clock.context(start);
        let mut time = self.clock.detected.time_of(&self.heads.text(), context).is_some();
        if !time {
            time = self
                .heads
                .members()
                .is_some_and(|line| self.clock.detected.time_of(&line, context).is_some());
        }
        Ok(Some((start..next, time)))
    }
}
