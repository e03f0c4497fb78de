//! The first and the last time of a file, from the bytes at its ends alone.

use super::lines::{Record, Records, heads};
use super::log::{Clock, TimeOptions, modified};
use crate::reader::Reader;
use rread_text::error::Result;
use rread_text::timestamp::{Context, Detected, HEAD, Timestamp, detect_custom, detect_in_most};

/// The bytes before the end in which the last record is looked for.
const LAST_BLOCK: u64 = 16 << 10;

/// The times at the ends of a file.
pub struct Glimpse {
    clock: Clock,
    first: Timestamp,
    last: Option<Timestamp>,
}

impl Glimpse {
    /// The times in `front`, the first bytes of the file, and in the last block of a file of `size` bytes; without a
    /// size, the end is not read. `None` if most lines of `front` have no time in one format at one position.
    ///
    /// A file whose format the user does not name must also have two records, because one line proves little.
    pub fn take(
        reader: &Reader,
        front: &[u8],
        size: Option<u64>,
        options: &TimeOptions,
    ) -> Result<Option<Self>> {
        let zone = options.zone()?;
        let mut lines = heads(reader, front);
        // The last line may end within its time.
        let is_cut = size != Some(front.len() as u64) && !reader.units().ends_with(front, b'\n');
        if is_cut && lines.last().is_some_and(|line| line.len() < HEAD) {
            lines.pop();
        }
        let slices = lines.iter().map(Vec::as_slice);
        let detected = match options.format.as_deref() {
            Some(format) => detect_custom(format, slices.clone())?,
            None => detect_in_most(slices.clone()),
        };
        let Some(detected) = detected else { return Ok(None) };
        let context = Context::new(zone.clone(), modified(reader).unwrap_or_else(Timestamp::now));
        let last = match size {
            Some(size) => last_record(reader, &detected, &context, size)?,
            None => None,
        };
        let context = last.map_or(context, |last| Context::new(zone, last.time));
        let mut times =
            slices.enumerate().filter_map(|(at, line)| Some((at, detected.time_of(line, &context)?)));
        let Some((at, first)) = times.next() else { return Ok(None) };
        let is_last_another = || last.is_some_and(|last| at > 0 || last.start > 0);
        let has_two = times.next().is_some() || (lines.len() < 2 && is_last_another());
        if options.format.is_none() && !has_two {
            return Ok(None);
        }
        let last = last.map(|last| last.time);
        Ok(Some(Glimpse { clock: Clock { detected, context }, first, last }))
    }

    /// The time of the first record.
    pub fn first(&self) -> String {
        self.clock.shown(self.first)
    }

    /// The time of the last record, if the end was read and has one.
    pub fn last(&self) -> Option<String> {
        self.last.map(|time| self.clock.shown(time))
    }

    pub fn format(&self) -> &str {
        self.clock.detected.format()
    }

    pub fn zone(&self) -> String {
        self.clock.zone(self.last.unwrap_or(self.first))
    }
}

/// The last record that begins in the last block.
fn last_record(reader: &Reader, detected: &Detected, context: &Context, size: u64) -> Result<Option<Record>> {
    let mut records = Records::new(reader, detected, context, 0);
    records.seek(reader.units().floor(size.saturating_sub(LAST_BLOCK)), size)?;
    let mut last = None;
    while let Some(record) = records.next(size)? {
        last = Some(record);
    }
    Ok(last)
}
