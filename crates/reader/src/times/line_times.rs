//! The times of lines that are in memory, in any order.

use std::borrow::Cow;
use std::ops::Range;

use super::clock::Clock;
use super::lines::{first_heads, line_text};
use super::log::{Log, TimeOptions};
use super::others::may_have_time;
use crate::reader::Reader;
use rread_text::encoding::Encoding;
use rread_text::error::Result;
use rread_text::timestamp::{HEAD, Rule, Timestamp, detect_custom_in, detect_in, detect_sparse};

/// The first bytes of a file that are enough to find the formats of its times.
const FRONT: usize = 64 << 10;

/// Reads the times of the lines of a log, which other code has in memory.
#[derive(Clone, Debug)]
pub struct LineTimes {
    clock: Clock,
    encoding: Encoding,
}

impl Log<'_> {
    /// The reader of the times of its lines.
    pub fn line_times(&self) -> LineTimes {
        LineTimes { clock: self.clock.clone(), encoding: self.reader.encoding() }
    }
}

impl LineTimes {
    /// The times of a file whose end is not read, and that of its first record. `None` if its first bytes have no times, or
    /// if records leave out their year, which the last one decides.
    pub fn of_front(reader: &Reader, options: &TimeOptions) -> Result<Option<(Self, Timestamp)>> {
        let heads = first_heads(reader, FRONT)?;
        let samples = [heads.iter().map(Vec::as_slice).collect()];
        let detected = match options.format.as_deref() {
            Some(format) => detect_custom_in(format, &samples)?,
            None => detect_in(&samples, Rule::Log).or_else(|| detect_sparse(&samples, 0, true)),
        };
        let Some(detected) = detected else { return Ok(None) };
        let clock = Clock::new(detected, options.base(reader)?);
        let found = heads.iter().filter_map(|line| clock.detected.read(line, clock.last_context()));
        let found: Vec<_> = found.collect();
        let is_complete = !found.iter().any(|found| found.lacks_year);
        let first = found.first().filter(|_| is_complete).map(|found| found.time);
        Ok(first.map(|first| (LineTimes { clock, encoding: reader.encoding() }, first)))
    }

    /// The text of a line at `at` as far as its time may reach: without a byte order mark, and in UTF-8 if the file is
    /// UTF-16 or UTF-32.
    #[inline]
    pub fn text<'l>(&self, line: &'l [u8], at: u64) -> Cow<'l, [u8]> {
        let width = self.encoding.units().width();
        let most = if self.clock.detected.has_members() { usize::MAX } else { HEAD * width };
        let head = &line[..line.len().min(most)];
        if width == 1 && at > 0 {
            return Cow::Borrowed(head);
        }
        line_text(self.encoding, head, at).map_or(Cow::Borrowed(head), Cow::Owned)
    }

    /// The time of a line of which `text` is the [text](LineTimes::text), and its place there; the place is empty if a
    /// member of a JSON object has the time.
    #[inline]
    pub fn read(&self, text: &[u8], at: u64) -> Option<(Timestamp, Range<usize>)> {
        let (found, place) = self.clock.detected.read_at(text, self.clock.context(at))?;
        Some((found.time, place))
    }

    /// Whether a line begins a record.
    #[inline]
    pub fn begins_record(&self, line: &[u8], at: u64) -> bool {
        self.read(&self.text(line, at), at).is_some()
    }

    /// The same with the formats of lines of which `texts` are the texts; `None` if they have no others.
    pub fn with_more(&self, texts: &[Cow<'_, [u8]>]) -> Option<Self> {
        let context = self.clock.last_context();
        let is_unread =
            |text: &&[u8]| may_have_time(text) && self.clock.detected.read(text, context).is_none();
        let lines: Vec<&[u8]> = texts.iter().map(AsRef::as_ref).filter(is_unread).collect();
        if lines.is_empty() {
            return None;
        }
        let detected = self.clock.detected.with_more(&lines, false)?;
        Some(LineTimes { clock: self.clock.with_detected(detected), ..self.clone() })
    }

    /// The names of the formats.
    pub fn format(&self) -> &str {
        self.clock.detected.format()
    }

    /// `time` in the zone of the log.
    pub fn shown(&self, time: Timestamp) -> String {
        self.clock.shown(time)
    }

    /// The zone of records that do not name theirs.
    pub fn zone(&self, time: Timestamp) -> String {
        self.clock.zone(time)
    }
}
