//! The years of records that leave them out, and the days of those that have a time of day alone: a log of the W3C format whose
//! directives say the day.
//!
//! A step back from one record to the next by more than a day is a new year. The file is so cut into parts, each within
//! one year. The last part has the year of the best date known; the years of the others are counted back from it. A part
//! with a 29 February is in a leap year, and so fixes the others.

use std::ops::Range;

use jiff::civil::{Date, DateTime, Time};
use jiff::{SignedDuration, Timestamp};

use super::lines::{Clock, Heads, LogRecord, Records};
use crate::reader::Reader;
use rread_text::Result;
use rread_text::timestamp::{Detected, TimeContext};

/// The largest file that is read as a whole to count its years.
pub(super) const MAX_READ_WHOLE: u64 = 1 << 20;

/// A walk over so many bytes finds a new year.
const WALK_BYTES: u64 = 64 << 10;

/// A year that has all days.
const LEAP: i16 = 2000;

/// Records may be out of order by so much.
const TOLERANCE: SignedDuration = SignedDuration::from_hours(24);

/// A record that comes so much later than the one before is one of the last year, out of order.
const ALL_BUT_A_YEAR: SignedDuration = SignedDuration::from_hours(24 * 363);

/// A part of a file within one year. Times are in the leap year.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// The offset of the first record after it.
    end: u64,
    first: LogRecord,
    last: LogRecord,
    has_leap_day: bool,
    /// The time of the record with a year that follows it.
    before: Option<Timestamp>,
}

/// The years of a file.
pub(super) struct Years {
    pub(super) clock: Clock,
    /// Whether the years of more than twelve months are counted.
    pub(super) is_long: bool,
}

/// The records that years are counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Basis {
    /// All records of the file.
    All,
    /// The known records, and others between them where a year begins or may have a 29 February.
    Between,
    /// The known records.
    Known,
}

/// A counter of years.
pub(super) struct Counter<'a> {
    reader: &'a Reader,
    detected: &'a Detected,
    /// In the leap year.
    pub(super) clock: Clock,
    base: &'a TimeContext,
    size: u64,
}

impl<'a> Counter<'a> {
    /// `base` has the best date known.
    pub(super) fn new(reader: &'a Reader, detected: &'a Detected, base: &'a TimeContext, size: u64) -> Self {
        let clock = Clock::new(detected.clone(), base.clone().assuming_year(LEAP));
        Counter { reader, detected, clock, base, size }
    }

    /// A line as a record of the leap year.
    pub(super) fn record(&self, line: &[u8], span: Range<u64>) -> Option<LogRecord> {
        let found = self.detected.read(line, &self.clock.last)?;
        Some(LogRecord::new(span.start, span.end, found))
    }

    /// The years of the file, of which some records are known in the leap year, in its order.
    pub(super) fn count(&self, known: &[LogRecord], basis: Basis) -> Result<Option<Years>> {
        let Some(leap_day) = self.leap_day() else { return Ok(None) };
        let mut parts = YearParts { parts: Vec::new(), leap_day };
        if basis == Basis::All {
            let mut records = Records::new(self.reader, &self.clock, 0);
            while let Some(record) = records.next(self.size)? {
                parts.add(record);
            }
        } else {
            let mut last: Option<LogRecord> = None;
            for record in known.iter().copied() {
                if last.is_some_and(|last| last.start >= record.start) {
                    continue;
                }
                if let Some(last) = last
                    && basis == Basis::Between
                    && is_new_year(last, record)
                {
                    let (before, after) = self.new_year(last, record)?;
                    parts.add(before);
                    parts.add(after);
                }
                parts.add(record);
                last = Some(record);
            }
            if basis == Basis::Between {
                self.find_leap_days(&mut parts)?;
            }
        }
        Ok(self.assign_years(parts))
    }

    /// The last record before a new year and the first after it, between two records.
    fn new_year(&self, mut low: LogRecord, mut high: LogRecord) -> Result<(LogRecord, LogRecord)> {
        while high.start.saturating_sub(low.next) > WALK_BYTES {
            let middle = low.next + (high.start - low.next) / 2;
            match self.record_from(middle, high.start)? {
                Some(record) if !record.lacks_year || is_new_year(low, record) => high = record,
                Some(record) => low = record,
                None => {
                    let Some(record) = self.record_from(low.next, middle)? else { break };
                    // Half of it has no records: go on in the other half, step by step.
                    if is_new_year(low, record) {
                        high = record;
                    } else {
                        low = record;
                    }
                }
            }
        }
        let mut records = Records::new(self.reader, &self.clock, low.next);
        while let Some(record) = records.next(high.start)? {
            if is_new_year(low, record) {
                return Ok((low, record));
            }
            low = record;
        }
        Ok((low, high))
    }

    fn record_from(&self, offset: u64, end: u64) -> Result<Option<LogRecord>> {
        let mut records = Records::new(self.reader, &self.clock, 0);
        records.seek(offset, end)?;
        records.next(end)
    }

    /// Looks for a 29 February in each part that has records before and after it.
    fn find_leap_days(&self, parts: &mut YearParts) -> Result<()> {
        let Range { start: from, end: to } = parts.leap_day;
        for part in &mut parts.parts {
            let (mut low, mut high) = (part.first, part.last);
            if part.has_leap_day || low.time >= to || high.time < from {
                continue;
            }
            while high.start.saturating_sub(low.next) > WALK_BYTES {
                let middle = low.next + (high.start - low.next) / 2;
                match self.record_from(middle, high.start)?.filter(|record| record.lacks_year) {
                    Some(record) if record.time < from => low = record,
                    Some(record) => high = record,
                    None => break,
                }
            }
            let mut records = Records::new(self.reader, &self.clock, low.start);
            while let Some(record) = records.next(high.next)? {
                part.has_leap_day |= record.lacks_year && record.time >= from && record.time < to;
            }
        }
        Ok(())
    }

    fn leap_day(&self) -> Option<Range<Timestamp>> {
        let start = Date::new(LEAP, 2, 29).ok()?.at(0, 0, 0, 0);
        let end = Date::new(LEAP, 3, 1).ok()?.at(0, 0, 0, 0);
        let zone = &self.base.zone;
        Some(zone.to_timestamp(start).ok()?..zone.to_timestamp(end).ok()?)
    }

    /// The parts with their years.
    fn assign_years(&self, parts: YearParts) -> Option<Years> {
        let parts = parts.parts;
        let mut years = self.years(&parts, 0)?;
        // Without a date that is sure, a leap day is better evidence than the time of a file.
        let is_sure = self.base.year.is_some() || parts.iter().any(|part| part.before.is_some());
        if !is_sure && parts.iter().any(|part| part.has_leap_day) {
            let fits = |years: &Vec<i16>| {
                parts
                    .iter()
                    .zip(years)
                    .all(|(part, year)| !part.has_leap_day || Date::new(*year, 2, 29).is_ok())
            };
            let shifted = (0..8).filter_map(|shift| self.years(&parts, shift)).find(fits);
            years = shifted.unwrap_or(years);
        }
        let contexts: Vec<TimeContext> =
            parts.iter().zip(&years).filter_map(|(part, year)| self.context(part, *year)).collect();
        if contexts.len() != parts.len() {
            return None;
        }
        let first = self.in_year(parts.first()?.first, *years.first()?)?;
        let last = self.in_year(parts.last()?.last, *years.last()?)?;
        let is_long = last.duration_since(first) > SignedDuration::from_hours(24 * 366);
        let mut ended: Vec<(u64, TimeContext)> = parts.iter().map(|part| part.end).zip(contexts).collect();
        let (_, context) = ended.pop()?;
        Some(Years { clock: Clock::new(self.detected.clone(), context).with_parts(ended), is_long })
    }

    /// The year of each part; that of the last is so much less than its date says.
    fn years(&self, parts: &[Part], shift: i16) -> Option<Vec<i16>> {
        let mut years = Vec::new();
        let mut next: Option<Timestamp> = None;
        for part in parts.iter().rev() {
            let before = part.before.or(next).map(|time| TimeContext::new(self.base.zone.clone(), time));
            let shift = if before.is_none() { shift } else { 0 };
            // A leap day may be of any year here.
            let last = without_leap_day(self.base.zone.to_datetime(part.last.time));
            let year = before.as_ref().unwrap_or(self.base).year_of(last)? - shift;
            next = Some(self.in_year(part.first, year)?);
            years.push(year);
        }
        years.reverse();
        Some(years)
    }

    /// The time of a record of the leap year in another year.
    fn in_year(&self, record: LogRecord, year: i16) -> Option<Timestamp> {
        let date_time = self.base.zone.to_datetime(record.time);
        let same = |date_time: DateTime| date_time.with().year(year).build().ok();
        let date_time = same(date_time).or_else(|| same(without_leap_day(date_time)))?;
        self.base.zone.to_timestamp(date_time).ok()
    }

    /// The facts that the records of a part leave out.
    fn context(&self, part: &Part, year: i16) -> Option<TimeContext> {
        let of = |time| TimeContext::new(self.base.zone.clone(), time);
        if part.last.time.duration_since(part.first.time) < ALL_BUT_A_YEAR {
            return Some(of(self.in_year(part.last, year)?));
        }
        // 1 January comes less than a day after 31 December, but is of the same year here.
        let end = Date::new(year, 12, 30).ok()?.at(23, 59, 59, 999_999_999);
        Some(of(self.base.zone.to_timestamp(end).ok()?))
    }
}

/// A date that every year has.
fn without_leap_day(date_time: DateTime) -> DateTime {
    let is_leap_day = (date_time.month(), date_time.day()) == (2, 29);
    if is_leap_day { date_time.with().day(28).build().unwrap_or(date_time) } else { date_time }
}

/// Whether the second of two records is of the next year.
fn is_new_year(before: LogRecord, after: LogRecord) -> bool {
    before.lacks_year && after.lacks_year && before.time.duration_since(after.time) > TOLERANCE
}

/// The parts of a file, record by record.
struct YearParts {
    parts: Vec<Part>,
    /// The first moment of 29 February and the first after it.
    leap_day: Range<Timestamp>,
}

impl YearParts {
    fn add(&mut self, record: LogRecord) {
        if !record.lacks_year {
            if let Some(part) = self.parts.last_mut() {
                part.before = part.before.or(Some(record.time));
            }
            return;
        }
        let is_leap_day = self.leap_day.contains(&record.time);
        match self.parts.last_mut().filter(|part| !is_new_year(part.last, record)) {
            Some(part) => {
                part.before = None;
                let is_later = record.time >= part.last.time;
                if is_later && record.time.duration_since(part.last.time) < ALL_BUT_A_YEAR {
                    part.last = record;
                }
                part.has_leap_day |= is_leap_day;
            }
            None => {
                if let Some(part) = self.parts.last_mut() {
                    part.end = record.start;
                }
                let (first, last, has_leap_day) = (record, record, is_leap_day);
                self.parts.push(Part { end: u64::MAX, first, last, has_leap_day, before: None });
            }
        }
    }
}

/// A part begins at each directive and at each midnight; no log has more.
const MAX_PARTS: usize = 100_000;

/// Lines of one day are not further out of order.
const MAX_DISORDER: SignedDuration = SignedDuration::from_hours(1);

/// The number of the field with the time, if the directives name no date, and the byte that divides the fields of the first line.
pub(super) fn field_of_time<'l>(mut lines: impl Iterator<Item = &'l [u8]>) -> Option<(usize, u8)> {
    let fields = lines.find_map(|line| line.strip_prefix(b"#Fields:"))?;
    let mut names = fields.split(u8::is_ascii_whitespace).filter(|name| !name.is_empty());
    let place = names.clone().position(|name| name == b"time")?;
    let row = lines.find(|line| !line.starts_with(b"#")).unwrap_or_default();
    let byte = if row.contains(&b'\t') { b'\t' } else { b' ' };
    (!names.any(|name| name == b"date")).then_some((place, byte))
}

/// The clock of such a log: walks over it for its directives and midnights.
pub(super) fn clock_of_days(
    reader: &Reader,
    detected: Detected,
    base: &TimeContext,
    size: u64,
) -> Result<Clock> {
    let mut heads = Heads::new(reader, false, 0);
    let mut parts: Vec<(u64, TimeContext)> = Vec::new();
    let (mut day, mut last): (Option<Date>, Option<Time>) = (None, None);
    while heads.at < size && parts.len() < MAX_PARTS {
        let Some((start, _)) = heads.next()? else { break };
        let text = heads.text();
        if let Some(date) = text.strip_prefix(b"#Date:") {
            let date = std::str::from_utf8(date).unwrap_or_default().trim();
            if let Some(next) = date.get(..10).and_then(|date| date.parse().ok()) {
                parts.extend(day.map(|day| (start, base.clone().on(day))));
                (day, last) = (Some(next), None);
            }
        } else if let Some(time) = detected.clock_of(&text) {
            // Without a directive, a clock that falls by more than disorder has passed midnight.
            if last.is_some_and(|last| time.duration_until(last) > MAX_DISORDER) {
                parts.extend(day.map(|day| (start, base.clone().on(day))));
                day = day.and_then(|day| day.tomorrow().ok());
            }
            last = Some(time);
        }
    }
    let last = day.map_or_else(|| base.clone(), |day| base.clone().on(day));
    Ok(Clock::new(detected, last).with_parts(parts))
}
