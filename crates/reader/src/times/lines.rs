//! Walks the lines of a reader for their times, with the clock that reads and prints them. Only the beginning of a line is
//! kept.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;

use jiff::SignedDuration;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::reader::Reader;
use crate::reader::encoding::decode_line;
use crate::reader::find_lines::LineWalk;
use rread_source::member_metadata::Modified;
use rread_text::timestamp::{
    Custom, Detected, HEAD, RecordTime, TimeContext, UnreadLine, Words, is_time_of_day, time_members, zone,
};
use rread_text::{Encoding, Result, Timestamp};

/// So much of a JSON line is kept; of a longer one, its members that may hold the time.
pub(super) const MEMBER_HEAD: usize = 64 << 10;

/// The time of a JSON line is within so many characters.
const MAX_MEMBERS: usize = 4 << 20;

/// A line with a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogRecord {
    pub start: u64,
    /// The start of the next line, which may belong to this record.
    pub next: u64,
    pub time: Timestamp,
    /// The other time that it can be, if clocks were set then.
    pub other: Option<Timestamp>,
    /// Whether it does not name its zone.
    pub lacks_zone: bool,
    /// Whether it does not name its year.
    pub lacks_year: bool,
}

impl LogRecord {
    pub(super) fn new(start: u64, next: u64, found: RecordTime) -> Self {
        let RecordTime { time, other, lacks_zone, lacks_year } = found;
        LogRecord { start, next, time, other, lacks_zone, lacks_year }
    }
}

/// The lines from an offset on, as far as they are needed for their times.
pub(super) struct Heads<'a> {
    reader: &'a Reader,
    walk: LineWalk<'a>,
    /// The start of the next line.
    pub(super) at: u64,
    start: u64,
    head: Vec<u8>,
    most: usize,
}

impl<'a> Heads<'a> {
    /// `at` begins a line. With `has_members`, the time may be any member of a JSON line.
    pub(super) fn new(reader: &'a Reader, has_members: bool, at: u64) -> Self {
        let most = if has_members { MAX_MEMBERS } else { HEAD } * reader.units().width;
        Heads { reader, walk: LineWalk::new(reader), at, start: at, head: Vec::new(), most }
    }

    /// Goes to the first line that begins at `offset` or after it, or to `end` if none begins before that.
    pub(super) fn seek(&mut self, offset: u64, end: u64) -> Result<()> {
        let units = self.reader.units();
        let Some(before) = units.floor(offset).checked_sub(units.width as u64) else {
            self.at = 0;
            return Ok(());
        };
        self.at = self.walk.next_line(before, end)?.unwrap_or(end);
        Ok(())
    }

    /// Goes to the line that begins at `start`.
    pub(super) fn go_to(&mut self, start: u64) {
        self.at = start;
    }

    /// Reads the line at [`Heads::at`]: its start and the start of the next one; `None` at the end of the file.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<(u64, u64)>> {
        self.start = self.at;
        let (head, most) = (&mut self.head, self.most);
        head.clear();
        let walked = self.walk.line(self.start, &mut |part| {
            head.extend_from_slice(&part[..part.len().min(most - head.len())]);
        })?;
        self.at = walked.next;
        Ok((walked.next > self.start).then_some((self.start, walked.next)))
    }

    /// The beginning of the line, as UTF-8 if the file is UTF-16 or UTF-32.
    #[inline]
    pub(super) fn text(&self) -> Cow<'_, [u8]> {
        line_text(self.reader.encoding(), &self.head, self.start)
            .map_or(Cow::Borrowed(&self.head), Cow::Owned)
    }

    /// As much of the text as may hold the time.
    pub(super) fn sample(&self) -> Vec<u8> {
        sample(self.text())
    }
}

/// The text, or of a long line the members that may hold the time.
fn sample(text: Cow<'_, [u8]>) -> Vec<u8> {
    match text.len() {
        ..=MEMBER_HEAD => text.into_owned(),
        _ => time_members(&text).unwrap_or_else(|| text[..MEMBER_HEAD].to_vec()),
    }
}

/// The records from an offset on.
pub(super) struct Records<'a> {
    clock: &'a Clock,
    heads: Heads<'a>,
    /// Takes the lines that no format reads.
    others: Option<&'a RefCell<Others>>,
}

impl<'a> Records<'a> {
    /// `at` begins a line.
    pub(super) fn new(reader: &'a Reader, clock: &'a Clock, at: u64) -> Self {
        Records { clock, heads: Heads::new(reader, clock.detected.has_members(), at), others: None }
    }

    /// The same, and passes lines without a time to `others`.
    pub(super) fn with(self, others: &'a RefCell<Others>) -> Self {
        Records { others: Some(others), ..self }
    }

    /// Goes to the first line that begins at `offset` or after it, or to `end` if none begins before that.
    pub(super) fn seek(&mut self, offset: u64, end: u64) -> Result<()> {
        if let Some(others) = self.others {
            others.borrow_mut().jump();
        }
        self.heads.seek(offset, end)
    }

    pub(super) fn at(&self) -> u64 {
        self.heads.at
    }

    /// The next record that begins before `end`.
    #[inline]
    pub(super) fn next(&mut self, end: u64) -> Result<Option<LogRecord>> {
        while self.heads.at < end {
            let Some((start, next)) = self.heads.next()? else { break };
            if let Some(found) = self.clock.read(&self.heads) {
                if let Some(others) = self.others {
                    others.borrow_mut().pass_record(found.time);
                }
                return Ok(Some(LogRecord::new(start, next, found)));
            }
            if let Some(others) = self.others {
                others.borrow_mut().add(start, &self.heads.text());
            }
        }
        Ok(None)
    }
}

/// The beginnings of the lines within the first `sample` bytes, as UTF-8 if the file is UTF-16 or UTF-32.
pub(super) fn first_heads(reader: &Reader, sample: usize) -> Result<Vec<Vec<u8>>> {
    let mut bytes = vec![0; sample];
    let mut got = reader.read_front(&mut bytes)?;
    // A stream returns what has arrived.
    if got > 0 {
        got += reader.read_at_least(sample - got, &mut bytes[got..], got as u64)?;
    }
    Ok(placed_heads(reader, &bytes[..got]).into_iter().map(|(_, text)| text).collect())
}

/// The lines of the first bytes, as UTF-8 if the file is UTF-16 or UTF-32, with their places.
pub(super) fn placed_heads(reader: &Reader, bytes: &[u8]) -> Vec<(Range<u64>, Vec<u8>)> {
    let (mut rest, mut at, mut heads) = (bytes, 0, Vec::new());
    while !rest.is_empty() {
        let end = reader.units().after_first(rest).unwrap_or(rest.len());
        let line = &rest[..end];
        let next = at + end as u64;
        heads.push((at..next, line_text(reader.encoding(), line, at).unwrap_or_else(|| line.to_vec())));
        (rest, at) = (&rest[end..], next);
    }
    heads
}

/// The text of a line at `at`; `None` if it is `line` itself. Times are ASCII, which encodings of single bytes keep.
pub(super) fn line_text(encoding: Encoding, line: &[u8], at: u64) -> Option<Vec<u8>> {
    if encoding.units().width > 1 {
        return Some(decode_line(encoding, line, at));
    }
    let mark = encoding.mark();
    (at == 0 && !mark.is_empty()).then(|| line.strip_prefix(mark).map(<[u8]>::to_vec)).flatten()
}

/// How the times of a file are read and shown.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    pub(super) detected: Detected,
    /// The facts that records leave out, and the offset up to which they hold; `last` is of the rest.
    contexts: Vec<(u64, TimeContext)>,
    pub(super) last: TimeContext,
}

impl Clock {
    pub(super) fn new(detected: Detected, context: TimeContext) -> Self {
        Clock { detected, contexts: Vec::new(), last: context }
    }

    /// The time of the line that `heads` read last.
    #[inline]
    pub(super) fn read(&self, heads: &Heads<'_>) -> Option<RecordTime> {
        self.detected.read(&heads.text(), self.context(heads.start))
    }

    /// The same with other formats.
    pub(super) fn with_detected(&self, detected: Detected) -> Self {
        Clock { detected, ..self.clone() }
    }

    /// The same with contexts of the parts of the file before.
    pub(super) fn with_parts(self, contexts: Vec<(u64, TimeContext)>) -> Self {
        Clock { contexts, ..self }
    }

    /// The facts that the record at this offset leaves out.
    #[inline]
    pub(super) fn context(&self, at: u64) -> &TimeContext {
        let part = self.contexts.partition_point(|(end, _)| *end <= at);
        self.contexts.get(part).map_or(&self.last, |(_, context)| context)
    }

    /// The name of the zone, or its offset at `time`.
    pub(super) fn zone(&self, time: Timestamp) -> String {
        let zone = &self.last.zone;
        match zone.iana_name() {
            Some(name) => name.to_owned(),
            None => zone.to_offset(time).to_string(),
        }
    }

    /// The times as they are shown, of a log between `first` and `last`.
    pub(super) fn shown(
        &self,
        first: Timestamp,
        last: Option<Timestamp>,
        unread_zone: Option<String>,
    ) -> ShownTimes {
        ShownTimes {
            first: self.format_time(first),
            last: last.map(|last| self.format_time(last)),
            format: self.detected.format().to_owned(),
            is_format_given: self.detected.is_given(),
            zone: self.zone(last.unwrap_or(first)),
            unread_zone,
        }
    }

    pub(super) fn format_time(&self, time: Timestamp) -> String {
        if self.detected.is_since_boot() {
            let nanoseconds = time.as_nanosecond();
            return format!("{}.{:06}", nanoseconds / 1_000_000_000, nanoseconds / 1000 % 1_000_000);
        }
        time.to_zoned(self.last.zone.clone()).strftime("%Y-%m-%dT%H:%M:%S%.f%:z").to_string()
    }
}

/// The times of a log, as they are shown.
#[derive(Clone, Debug)]
pub struct ShownTimes {
    pub first: String,
    /// Unknown if the end was not read or has no record.
    pub last: Option<String>,
    pub format: String,
    /// Whether the user named the format.
    pub is_format_given: bool,
    pub zone: String,
    /// The word in the place of a zone that all records have, if rread does not know it.
    pub unread_zone: Option<String>,
}

/// When the text was written: as the archive of a member says, else the header of a gzip file, else the file or object.
pub(super) fn modified(reader: &Reader, zone: &TimeZone) -> Option<Timestamp> {
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

/// The number of lines that are looked at together.
const BATCH: usize = 64;

/// After so many batches without a format, every second one is looked at, then every fourth, and so on.
const FRUITLESS: u32 = 16;

/// A step back by so much is a new year, if records do not have their years.
const YEAR: SignedDuration = SignedDuration::from_hours(24 * 180);

/// A line that no format reads, with the records around it.
#[derive(Clone)]
struct Unread {
    at: u64,
    line: Vec<u8>,
    before: Option<Timestamp>,
    after: Option<Timestamp>,
}

impl Unread {
    fn around(&self) -> UnreadLine<'_> {
        UnreadLine { line: &self.line, before: self.before, after: self.after }
    }
}

/// Lines that no format of a log reads, and steps back in time.
#[derive(Clone, Default)]
pub(super) struct Others {
    known: Detected,
    lines: Vec<Unread>,
    /// The time of the last record.
    record: Option<Timestamp>,
    /// Records between these lines.
    records: usize,
    pub(super) found: Option<Detected>,
    /// The first line that looks like a record.
    pub(super) like_record: Option<u64>,
    batches: u64,
    fruitless: u32,
    last: Option<Timestamp>,
    pub(super) has_new_year: bool,
}

impl Others {
    pub(super) fn new(known: Detected) -> Self {
        Others { known, ..Others::default() }
    }

    /// Whether a record without a year is of another year than the one before it.
    #[inline]
    pub(super) fn is_new_year(&mut self, time: Timestamp) -> bool {
        let last = self.last.replace(time);
        self.has_new_year = last.is_some_and(|last| last.duration_since(time) > YEAR);
        self.has_new_year
    }

    /// A record is after the lines.
    #[inline]
    pub(super) fn pass_record(&mut self, time: Timestamp) {
        self.records += usize::from(!self.lines.is_empty());
        self.record = Some(time);
        let waiting = self.lines.iter_mut().rev().take_while(|line| line.after.is_none());
        waiting.for_each(|line| line.after = Some(time));
    }

    /// The walk goes on elsewhere.
    pub(super) fn jump(&mut self) {
        self.record = None;
    }

    #[inline]
    pub(super) fn add(&mut self, at: u64, line: &[u8]) {
        // A walk learns all other formats, so that one more is enough.
        if !self.known.may_have_time(line) || self.found.is_some() && self.known.matches(line) {
            return;
        }
        let line = sample(Cow::Borrowed(self.known.head(line)));
        self.lines.push(Unread { at, line, before: self.record, after: None });
        if self.lines.len() == BATCH {
            self.look();
        }
    }

    /// The formats of the log with those that were found; `None` if there are no others.
    pub(super) fn finish(&mut self) -> Option<Detected> {
        self.look();
        self.found.take()
    }

    fn look(&mut self) {
        if self.lines.is_empty() {
            return;
        }
        self.batches += 1;
        let rest = (self.fruitless / FRUITLESS).min(20);
        if self.batches.is_multiple_of(1 << rest) {
            let lines: Vec<UnreadLine<'_>> = self.lines.iter().map(Unread::around).collect();
            // Dates in lines between records are often part of those.
            let are_between = self.records * BATCH / 2 > lines.len();
            let more = self.known.with_more(&lines, are_between);
            self.fruitless += u32::from(more.is_none());
            if let Some(more) = more {
                self.known = more.clone();
                self.found = Some(more);
            } else if self.like_record.is_none() {
                let like = self.lines.iter().find(|line| self.known.is_like_record(line.around()));
                self.like_record = like.map(|line| line.at);
            }
        }
        self.lines.clear();
        self.records = 0;
    }
}

/// How much earlier a record may be than one before it.
pub(super) const SLACK: SignedDuration = SignedDuration::from_secs(10);

/// Between the zone that is furthest to the east and the one that is furthest to the west.
pub const ANY_ZONE: SignedDuration = SignedDuration::from_hours(26);

/// How times are read, and how far they may be out of order.
#[derive(Clone, Debug, Default)]
pub struct TimeOptions {
    /// The zone of records that do not name theirs, and of the times that a user types; `None` is that of the system.
    pub zone: Option<String>,
    /// The zone of the records of this file, if it is another one.
    pub zone_of_file: Option<String>,
    /// A format of strptime.
    pub format: Option<String>,
    /// The year of the last record, if records do not have theirs.
    pub year: Option<i16>,
    /// How much earlier a record may be than one before it; 10 seconds if `None`.
    pub slack: Option<SignedDuration>,
    /// Whether every record is looked at.
    pub scan: bool,
    /// Whether the samples decide that a file has no times, because it is one of many and only skipped then.
    pub samples_only: bool,
    /// The last record of several files: times of day are on its day in all of them.
    pub last_of_all: Option<Timestamp>,
}

impl TimeOptions {
    /// The zone of records that do not name theirs.
    pub(super) fn zone(&self) -> Result<TimeZone> {
        zone(self.zone_of_file.as_deref().or(self.zone.as_deref()))
    }

    /// The zone of times that a user types.
    pub(super) fn zone_of_words(&self) -> Result<TimeZone> {
        zone(self.zone.as_deref())
    }

    /// A file that changed last before this time has no record since the time that a user typed; `None` if that time depends on
    /// the file. The zone of a record may be read wrong, by up to [`ANY_ZONE`].
    pub fn least_change(&self, since: &str) -> Option<Timestamp> {
        let is_clock = is_time_of_day(since);
        let reference = if is_clock { self.last_of_all? } else { Timestamp::now() };
        let context = TimeContext::new(self.zone_of_words().ok()?, reference);
        let words = Words { context: &context, now: Timestamp::now(), detected: None, since: None };
        // A window over midnight begins on the day before.
        let margin = ANY_ZONE + SignedDuration::from_hours(24 * i64::from(is_clock));
        words.in_any_log(since)?.checked_sub(margin).ok()
    }

    /// The facts that the last record leaves out: the best date known is its year.
    pub(super) fn base(&self, reader: &Reader) -> Result<TimeContext> {
        let zone = self.zone()?;
        let reference = modified(reader, &zone).unwrap_or_else(Timestamp::now);
        let base = TimeContext::new(zone, reference);
        Ok(self.year.into_iter().fold(base, TimeContext::in_year))
    }

    /// When the file was written, if that is known.
    pub(super) fn written(&self, reader: &Reader) -> Result<Option<Timestamp>> {
        Ok(modified(reader, &self.zone()?).or(Some(Timestamp::now())))
    }

    /// The same for another machine, whose zone may be another one; `None` if the zone of this system has no name.
    pub fn for_other_system(&self) -> Option<Self> {
        let zone = match &self.zone {
            Some(zone) => zone.clone(),
            None => TimeZone::system().iana_name()?.to_owned(),
        };
        Some(TimeOptions { zone: Some(zone), ..self.clone() })
    }

    /// Refuses a zone and a format that are not valid, also for a file without times.
    pub fn check(&self) -> Result<()> {
        self.format.as_deref().map(Custom::new).transpose()?;
        self.zone().map(drop)
    }
}
