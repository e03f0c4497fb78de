//! Records in a window of time: found by interpolation over the offsets of any reader, without an index.
//!
//! [`Log::open`] finds the format, the first and the last record. [`Log::find`] then finds the bytes of a window.
//! [`Glimpse::take`] looks at both ends alone. [`Passing`] reads lines that come, and [`LineTimes`] lines that are in
//! memory. [`merge`] puts the records of several files in the order of time.

#![allow(missing_docs)]

mod ends;
mod find;
mod lines;
mod log;
pub mod merge;
mod samples;
mod streaming;
mod years;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::reader::Reader;
use rread_source::member_metadata::Modified;
use rread_text::timestamp::{Detected, TimeContext, Timestamp};

pub use ends::{Glimpse, LineTimes};
pub use find::Found;
pub use lines::LogRecord;
pub use log::{Log, TimeOptions, TypedTimes, Window, no_times};
pub use streaming::{Passed, Passing};

/// How the times of a file are read and shown.
#[derive(Clone, Debug)]
struct Clock {
    detected: Detected,
    /// The facts that records leave out, and the offset up to which they hold; `last` is of the rest.
    contexts: Vec<(u64, TimeContext)>,
    last: TimeContext,
}

impl Clock {
    fn new(detected: Detected, context: TimeContext) -> Self {
        Clock { detected, contexts: Vec::new(), last: context }
    }

    /// The same with other formats.
    fn with_detected(&self, detected: Detected) -> Self {
        Clock { detected, ..self.clone() }
    }

    /// The same with contexts of the parts of the file before.
    fn with_parts(self, contexts: Vec<(u64, TimeContext)>) -> Self {
        Clock { contexts, ..self }
    }

    /// The facts that the record at this offset leaves out.
    #[inline]
    fn context(&self, at: u64) -> &TimeContext {
        self.contexts.get(self.part(at)).map_or(&self.last, |(_, context)| context)
    }

    /// The part of the file that has the facts for an offset.
    #[inline]
    fn part(&self, at: u64) -> usize {
        if self.contexts.is_empty() { 0 } else { self.contexts.partition_point(|(end, _)| *end <= at) }
    }

    /// The facts that the last records leave out.
    fn last_context(&self) -> &TimeContext {
        &self.last
    }

    /// The name of the zone, or its offset at `time`.
    fn zone(&self, time: Timestamp) -> String {
        let zone = self.last.zone();
        match zone.iana_name() {
            Some(name) => name.to_owned(),
            None => zone.to_offset(time).to_string(),
        }
    }

    fn format_time(&self, time: Timestamp) -> String {
        if self.detected.is_since_boot() {
            let nanoseconds = time.as_nanosecond();
            return format!("{}.{:06}", nanoseconds / 1_000_000_000, nanoseconds / 1000 % 1_000_000);
        }
        time.to_zoned(self.last.zone().clone()).strftime("%Y-%m-%dT%H:%M:%S%.f%:z").to_string()
    }
}

/// When the text was written: as the archive of a member says, else the header of a gzip file, else the file or object.
fn modified(reader: &Reader, zone: &TimeZone) -> Option<Timestamp> {
    let recorded = reader.source().info().recorded.map(|recorded| recorded.modified);
    let of_member = match recorded {
        Some(Modified::Utc(seconds, _)) => {
            Timestamp::from_second(seconds).ok().filter(|time| time.as_second() > 0)
        }
        // ZIP has the time of a clock, in an unknown zone.
        Some(dos @ Modified::Dos { .. }) => {
            dos.text().and_then(|text| zone.to_timestamp(text.parse::<DateTime>().ok()?).ok())
        }
        Some(Modified::Unknown) | None => None,
    };
    if of_member.is_some() {
        return of_member;
    }
    let in_header = if recorded.is_none() { in_gzip_header(reader) } else { None };
    in_header.or_else(|| of_file(reader))
}

fn of_file(reader: &Reader) -> Option<Timestamp> {
    let info = reader.stored().info();
    let of_file = info.metadata.and_then(|metadata| metadata.modified().ok());
    let time = of_file.or_else(|| info.object.and_then(|object| object.modified))?;
    Timestamp::try_from(time).ok()
}

/// RFC 1952, section 2.3: four bytes at offset 4, zero if there is no time.
fn in_gzip_header(reader: &Reader) -> Option<Timestamp> {
    if reader.source().info().decoding?.format() != "gzip" {
        return None;
    }
    let mut header = [0; 8];
    let got = rread_source::read_full(reader.stored(), &mut header, 0).ok()?;
    let seconds = u32::from_le_bytes(*header.last_chunk()?);
    let is_time = got == header.len() && header.starts_with(b"\x1f\x8b") && seconds > 0;
    is_time.then(|| Timestamp::from_second(seconds.into()).ok()).flatten()
}
