//! The first and the last time of a file, from the bytes at its ends alone.

use std::ops::Range;

use super::clock::Clock;
use super::lines::{Heads, Record, placed_heads};
use super::log::TimeOptions;
use super::years::{self, Counter};
use crate::reader::Reader;
use rread_text::error::Result;
use rread_text::timestamp::{Context, Detected, HEAD, Rule, Timestamp, detect_custom_in, detect_in};

/// The bytes before the end in which the last record is looked for.
const LAST_BLOCK: u64 = 16 << 10;

/// A line and its place.
type Line = (Range<u64>, Vec<u8>);

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
        let mut lines = placed_heads(reader, front);
        // The last line may end within its time.
        let is_cut = size != Some(front.len() as u64) && !reader.units().ends_with(front, b'\n');
        if is_cut && lines.last().is_some_and(|(_, line)| line.len() < HEAD) {
            lines.pop();
        }
        let detect = |samples: &[Vec<&[u8]>]| match options.format.as_deref() {
            Some(format) => detect_custom_in(format, samples),
            None => Ok(detect_in(samples, Rule::Unnamed)),
        };
        let slices = lines.iter().map(|(_, text)| text.as_slice());
        if detect(&[slices.clone().collect()])?.is_none() {
            return Ok(None);
        }
        // The end may have another format.
        let ends = size.map(|size| last_lines(reader, size)).transpose()?.unwrap_or_default();
        let samples = [slices.collect(), ends.iter().map(|(_, text)| text.as_slice()).collect()];
        let Some(detected) = detect(&samples)? else { return Ok(None) };
        let clock = clock_of(reader, detected, &options.base(reader)?, (&lines, &ends), size)?;
        let time_of = |(place, text): &Line| {
            let time = clock.detected.time_of(text, clock.context(place.start))?;
            Some((place.start, time))
        };
        let last = ends.iter().find_map(time_of);
        let mut times = lines.iter().filter_map(time_of);
        let Some((at, first)) = times.next() else { return Ok(None) };
        let is_last_another = || last.is_some_and(|(start, _)| at > 0 || start > 0);
        let has_two = times.next().is_some() || (lines.len() < 2 && is_last_another());
        if options.format.is_none() && !has_two {
            return Ok(None);
        }
        let last = last.map(|(_, time)| time);
        Ok(Some(Glimpse { clock, first, last }))
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

/// How times are read: as by those who look at the whole file, also if records leave out their years.
fn clock_of(
    reader: &Reader,
    detected: Detected,
    base: &Context,
    (front, ends): (&[Line], &[Line]),
    size: Option<u64>,
) -> Result<Clock> {
    let counter = Counter::new(reader, &detected, base, size.unwrap_or_default());
    let known: Vec<Record> = front
        .iter()
        .chain(ends.iter().rev())
        .filter_map(|(place, text)| counter.record(text, place.clone()))
        .collect();
    if known.iter().any(|record| record.lacks_year) {
        // Without the end, only the first bytes are read.
        let basis = if size.is_some() { years::Basis::Between } else { years::Basis::Known };
        if let Some(years) = counter.count(&known, basis)? {
            return Ok(years.clock);
        }
    }
    let last = ends.iter().find_map(|(_, text)| detected.time_of(text, base));
    let context = last.map_or_else(|| base.clone(), |last| Context::new(base.zone().clone(), last));
    Ok(Clock::new(detected, context))
}

/// The lines that begin in the last block, from the last on.
fn last_lines(reader: &Reader, size: u64) -> Result<Vec<Line>> {
    let mut heads = Heads::new(reader, true, 0);
    heads.seek(reader.units().floor(size.saturating_sub(LAST_BLOCK)), size)?;
    let mut lines = Vec::new();
    while heads.at() < size {
        let Some((start, next)) = heads.next()? else { break };
        lines.push((start..next, heads.members().unwrap_or_else(|| heads.text().into_owned())));
    }
    lines.reverse();
    Ok(lines)
}
