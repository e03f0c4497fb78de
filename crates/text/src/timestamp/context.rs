//! The facts that a record leaves out: its zone and its year.

use jiff::civil::{Date, DateTime, Time, Weekday};
use jiff::tz::{AmbiguousOffset, Offset, TimeZone};
use jiff::{Span, Timestamp};

use super::clock::{Meaning, meaning};
use super::cursor::Fields;
use super::pattern;
use crate::error::{Error, Result};

/// The time of a record, and what its text leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordTime {
    /// The time. Of two that it can be, this is what RFC 5545 (section 3.3.5) says.
    pub time: Timestamp,
    /// The other time that it can be, if clocks were set then.
    pub other: Option<Timestamp>,
    /// Whether the record does not name its zone.
    pub lacks_zone: bool,
    /// Whether the record does not name its year.
    pub lacks_year: bool,
}

impl RecordTime {
    pub(super) fn certain(time: Timestamp) -> Self {
        RecordTime { time, other: None, lacks_zone: false, lacks_year: false }
    }
}

/// The zone and the year of records that leave them out.
///
/// A record without a year has the latest one in which it is at most a day after the *reference*. For the last record
/// of a file this is the time of its last modification. For all others it is the time of a later record: that of the
/// last one, or in a file that spans more than a year that of the record before which one walks backwards.
#[derive(Clone, Debug)]
pub struct TimeContext {
    /// The zone of records that name none.
    pub zone: TimeZone,
    pub(super) reference: DateTime,
    /// A day after the reference.
    pub(super) latest: DateTime,
    /// The year of all records without one.
    pub year: Option<i16>,
    /// The day of records that have a time of day alone.
    day: Option<Date>,
    /// Whether the year holds until a better one is known.
    is_assumed: bool,
}

impl TimeContext {
    /// The facts of records in `zone`; `reference` is described above.
    pub fn new(zone: TimeZone, reference: Timestamp) -> Self {
        let reference = zone.to_datetime(reference);
        let latest = reference.saturating_add(Span::new().days(1));
        TimeContext { zone, reference, latest, year: None, day: None, is_assumed: false }
    }

    /// Sets the year of records without one, whatever the reference is.
    pub fn in_year(self, year: i16) -> Self {
        TimeContext { year: Some(year), ..self }
    }

    /// Sets the day of records that have a time of day alone.
    pub fn on(self, day: Date) -> Self {
        TimeContext { day: Some(day), ..self }
    }

    /// The same, but a record that names its weekday has the year which that says.
    pub fn assuming_year(self, year: i16) -> Self {
        let is_assumed = self.year.is_none();
        TimeContext { year: Some(year), is_assumed, ..self }
    }

    /// The latest year in which the date has the day of the week that stands before it.
    fn year_of_weekday(&self, fields: &Fields<'_>, time: Time) -> Option<i16> {
        let weekday = Weekday::from_monday_one_offset(fields.weekday?).ok()?;
        if self.year.is_some() && !self.is_assumed {
            return None;
        }
        let fits = |year: &i16| {
            let date = date(*year, fields.month, fields.day);
            date.is_some_and(|date| date.weekday() == weekday && date.to_datetime(time) <= self.latest)
        };
        // The days of the week repeat after 28 years.
        (0..28).map(|years| self.latest.year() - years).find(fits)
    }

    /// The year of a record without one.
    pub fn year_of(&self, date_time: DateTime) -> Option<i16> {
        let date = date_time.date();
        self.year.or_else(|| resolve_year(date.month(), date.day(), date_time.time(), self.latest))
    }

    pub(super) fn record_time(&self, fields: &Fields<'_>) -> Option<RecordTime> {
        // No log names the time of its boot: seconds since boot count from 1970.
        if let Some(count) = fields.count {
            return Timestamp::from_nanosecond(count.into()).ok().map(RecordTime::certain);
        }
        let time = Time::new(fields.hour, fields.minute, fields.second, fields.nanosecond).ok()?;
        if fields.month == 0 {
            return self.in_zone(self.day?.to_datetime(time));
        }
        let (month, day) = (fields.month, fields.day);
        let named = fields.year.or_else(|| self.year_of_weekday(fields, time));
        let year = named.or(self.year).or_else(|| resolve_year(month, day, time, self.latest))?;
        let date_time = date(year, month, day)?.to_datetime(time);
        let mut found = match (fields.offset, fields.zone) {
            (Some(offset), _) => {
                RecordTime::certain(Offset::from_seconds(offset).ok()?.to_timestamp(date_time).ok()?)
            }
            (None, Some(name)) => RecordTime::certain(self.in_named_zone(date_time, name)?),
            (None, None) => self.in_zone(date_time)?,
        };
        found.lacks_year = named.is_none();
        Some(found)
    }

    /// A time without a zone. Daylight saving: in a gap, use the offset before it; of two instants, take the earlier.
    pub(super) fn in_zone(&self, date_time: DateTime) -> Option<RecordTime> {
        let (offset, other) = self.offsets(date_time);
        let time = offset.to_timestamp(date_time).ok()?;
        let other = other.and_then(|other| other.to_timestamp(date_time).ok());
        Some(RecordTime { time, other, lacks_zone: true, lacks_year: false })
    }

    /// The offset of a date and time, and the other one that it can have if clocks were set then.
    fn offsets(&self, date_time: DateTime) -> (Offset, Option<Offset>) {
        match self.zone.to_ambiguous_timestamp(date_time).offset() {
            AmbiguousOffset::Unambiguous { offset } => (offset, None),
            AmbiguousOffset::Gap { before, after } | AmbiguousOffset::Fold { before, after } => {
                (before, Some(after))
            }
        }
    }

    /// A time with an abbreviation: that of the zone of the context, else the one that all zones mean by it; or with
    /// the name of a zone. `None` if the abbreviation means several zones.
    fn in_named_zone(&self, date_time: DateTime, name: &[u8]) -> Option<Timestamp> {
        if name.contains(&b'/') {
            let zone = TimeZone::get(std::str::from_utf8(name).ok()?).ok()?;
            return zone.to_timestamp(date_time).ok();
        }
        let (before, after) = self.offsets(date_time);
        // Some machines keep their standard time in summer.
        let seasons = [1, 7].into_iter().filter_map(|month| {
            self.zone.to_timestamp(date(date_time.year(), month, 1)?.to_datetime(Time::midnight())).ok()
        });
        let here =
            std::iter::once(before).chain(after).filter_map(|offset| offset.to_timestamp(date_time).ok());
        for time in here.chain(seasons) {
            let info = self.zone.to_offset_info(time);
            if info.abbreviation().as_bytes().eq_ignore_ascii_case(name) {
                return info.offset().to_timestamp(date_time).ok();
            }
        }
        match meaning(name)? {
            Meaning::Offset(offset) => Offset::from_seconds(offset).ok()?.to_timestamp(date_time).ok(),
            Meaning::Several => None,
        }
    }
}

/// The date, if there is one. An error of jiff would allocate.
fn date(year: i16, month: i8, day: i8) -> Option<Date> {
    let is_leap_year = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let days = match month {
        2 if is_leap_year => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    if day > days { None } else { Date::new(year, month, day).ok() }
}

/// The latest year in which the time is not after `latest`: a day after the modification time of the file, or after a
/// later record.
///
/// 29 February is in a leap year. A log of more than a year has equal dates: each record then needs a later record as
/// its reference that is less than a year away.
pub fn resolve_year(month: i8, day: i8, time: Time, latest: DateTime) -> Option<i16> {
    // Between 1896 and 1904 there was no leap year.
    (0..=8)
        .map(|years| latest.year() - years)
        .find(|year| date(*year, month, day).is_some_and(|date| date.to_datetime(time) <= latest))
}

/// Microseconds of a moment in UTC whose clock in the zone `name` shows what `micros` is in UTC.
pub fn in_zone(micros: i64, name: Option<&str>) -> Option<i64> {
    let clock = Offset::UTC.to_datetime(Timestamp::from_microsecond(micros).ok()?);
    Some(zone(name).ok()?.to_timestamp(clock).ok()?.as_microsecond())
}

/// The zone with this name, such as `Europe/Berlin` or `+02:00`; without a name, that of the system.
///
/// # Errors
///
/// [`Kind::Usage`](crate::error::Kind::Usage) if the time zone database does not have the name.
pub fn zone(name: Option<&str>) -> Result<TimeZone> {
    let Some(name) = name else { return Ok(TimeZone::system()) };
    let is_offset = name.len() > 2 && name.starts_with(['+', '-']) || name == "Z";
    let offset = is_offset.then(|| pattern::parse("%z", name.as_bytes())).flatten();
    let offset = offset.filter(|(_, length)| *length == name.len());
    if let Some(offset) = offset.and_then(|(fields, _)| Offset::from_seconds(fields.offset?).ok()) {
        return Ok(offset.to_time_zone());
    }
    TimeZone::get(name).map_err(|_| {
        Error::usage(format!("'{name}' is not a time zone"))
            .hint("a zone looks like Europe/Berlin, UTC or +02:00")
    })
}
