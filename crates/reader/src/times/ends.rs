//! The first and the last time of a file, from the bytes at its ends alone; and the times of its lines, for other code.

use std::borrow::Cow;
use std::ops::Range;

use super::lines::{
    Clock, Heads, LogRecord, Others, ShownTimes, TimeOptions, first_heads, line_text, placed_heads,
};
use super::log::Log;
use super::years::{self, Counter};
use crate::reader::Reader;
use rread_text::timestamp::{Detected, HEAD, Rule, TimeContext, UnreadLine, detect_as, detect_sparse};
use rread_text::{Encoding, Result, Timestamp};

/// The bytes before the end in which the last record is looked for.
const LAST_BLOCK: u64 = 16 << 10;

/// A line and its place.
type PlacedLine = (Range<u64>, Vec<u8>);

/// The times in `front`, the first bytes of the file, and in the last block of a file of `size` bytes; without a
/// size, the end is not read. `None` if most lines of `front` have no time in one format at one position.
///
/// A file whose format the user does not name must also have two records, because one line proves little.
pub fn glimpse(
    reader: &Reader,
    front: &[u8],
    size: Option<u64>,
    options: &TimeOptions,
) -> Result<Option<ShownTimes>> {
    let mut lines = placed_heads(reader, front);
    // The last line may end within its time.
    let is_cut = size != Some(front.len() as u64) && !reader.units().ends_with(front, b'\n');
    if is_cut && lines.last().is_some_and(|(_, line)| line.len() < HEAD) {
        lines.pop();
    }
    let written = options.written(reader)?;
    let detect =
        |samples: &[Vec<&[u8]>]| detect_as(options.format.as_deref(), samples, Rule::Unnamed, written);
    let slices = lines.iter().map(|(_, text)| text.as_slice());
    if detect(&[slices.clone().collect()])?.is_none() {
        return Ok(None);
    }
    // The end may have another format.
    let ends = size.map(|size| last_lines(reader, size)).transpose()?.unwrap_or_default();
    // They come from the last to the first, and numbers must rise.
    let last = ends.iter().take(LAST_LINES).rev().map(|(_, text)| text.as_slice());
    let samples = [slices.collect(), last.collect()];
    let Some(detected) = detect(&samples)? else { return Ok(None) };
    let clock = clock_of(reader, detected, &options.base(reader)?, (&lines, &ends), size)?;
    let time_of = |(place, text): &PlacedLine| {
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
    let unread_zone = clock.detected.unread_zone(&samples.concat(), &clock.last);
    Ok(Some(clock.shown(first, last, unread_zone)))
}

/// How times are read: as by those who look at the whole file, also if records leave out their years.
fn clock_of(
    reader: &Reader,
    detected: Detected,
    base: &TimeContext,
    (front, ends): (&[PlacedLine], &[PlacedLine]),
    size: Option<u64>,
) -> Result<Clock> {
    let counter = Counter::new(reader, &detected, base, size.unwrap_or_default());
    let known: Vec<LogRecord> = front
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
    let context = last.map_or_else(|| base.clone(), |last| TimeContext::new(base.zone.clone(), last));
    Ok(Clock::new(detected, context))
}

/// The most lines of the end in which formats are looked for.
const LAST_LINES: usize = 64;

/// The lines that begin in the last block, from the last on.
fn last_lines(reader: &Reader, size: u64) -> Result<Vec<PlacedLine>> {
    let mut heads = Heads::new(reader, true, 0);
    heads.seek(reader.units().floor(size.saturating_sub(LAST_BLOCK)), size)?;
    let mut lines = Vec::new();
    while heads.at < size {
        let Some((start, next)) = heads.next()? else { break };
        lines.push((start..next, heads.sample()));
    }
    lines.reverse();
    Ok(lines)
}

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
        let format = options.format.as_deref();
        let written = options.written(reader)?;
        let sparse = || format.is_none().then(|| detect_sparse(&samples, 0, true, written)).flatten();
        let detected = detect_as(format, &samples, Rule::Log, written)?.or_else(sparse);
        let Some(detected) = detected else { return Ok(None) };
        let clock = Clock::new(detected, options.base(reader)?);
        let found = heads.iter().filter_map(|line| clock.detected.read(line, &clock.last));
        let found: Vec<_> = found.collect();
        let is_complete = !found.iter().any(|found| found.lacks_year);
        let first = found.first().filter(|_| is_complete).map(|found| found.time);
        Ok(first.map(|first| (LineTimes { clock, encoding: reader.encoding() }, first)))
    }

    /// The text of a line at `at` as far as its time may reach: without a byte order mark, and in UTF-8 if the file is
    /// UTF-16 or UTF-32.
    #[inline]
    pub fn text<'l>(&self, line: &'l [u8], at: u64) -> Cow<'l, [u8]> {
        let width = self.encoding.units().width;
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
        let (detected, context) = (&self.clock.detected, &self.clock.last);
        let (mut lines, mut before) = (Vec::new(), None);
        for line in texts.iter().map(AsRef::as_ref) {
            match detected.time_of(line, context) {
                None if detected.may_have_time(line) => lines.push(UnreadLine { line, before, after: None }),
                found => before = found.or(before),
            }
        }
        let detected = (!lines.is_empty()).then(|| self.clock.detected.with_more(&lines, false)).flatten()?;
        Some(LineTimes { clock: self.clock.with_detected(detected), ..self.clone() })
    }

    /// The names of the formats.
    pub fn format(&self) -> &str {
        self.clock.detected.format()
    }

    /// `time` in the zone of the log.
    pub fn format_time(&self, time: Timestamp) -> String {
        self.clock.format_time(time)
    }

    /// The zone of records that do not name theirs.
    pub fn zone(&self, time: Timestamp) -> String {
        self.clock.zone(time)
    }
}

/// Tells lines that begin a record from those that belong to the one before.
pub struct RecordEdges<'a> {
    clock: Clock,
    heads: Heads<'a>,
    /// Takes the lines that no format reads.
    others: Others,
}

impl<'a> RecordEdges<'a> {
    /// `None` if the file has no times that rread recognises.
    pub fn of(reader: &'a Reader, options: &TimeOptions) -> Result<Option<Self>> {
        let Some(clock) = Log::open(reader, options)?.map(|log| log.clock) else { return Ok(None) };
        let others = Others::new(clock.detected.clone());
        Ok(Some(RecordEdges { clock, heads: Heads::new(reader, true, 0), others }))
    }

    /// The line at `start`, and whether it has a time; `None` at the end of the file.
    pub fn line(&mut self, start: u64) -> Result<Option<(Range<u64>, bool)>> {
        self.heads.go_to(start);
        let Some((start, next)) = self.heads.next()? else { return Ok(None) };
        let found = self.clock.read(&self.heads);
        match found {
            Some(found) => self.others.pass_record(found.time),
            None => self.others.add(start, &self.heads.text()),
        }
        Ok(Some((start..next, found.is_some())))
    }

    /// Whether lines that were met have times of other formats, which are read from now on.
    pub fn learn(&mut self) -> bool {
        let found = self.others.finish();
        if let Some(detected) = &found {
            (self.clock, self.others) =
                (self.clock.with_detected(detected.clone()), Others::new(detected.clone()));
        }
        found.is_some()
    }
}
