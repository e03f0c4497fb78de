//! The facts that a record leaves out: its zone, its year, the time of the last boot.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{Offset, TimeZone};
use jiff::{Span, Timestamp};

use super::pattern::{self, Count, Fields};
use crate::error::{Error, Result};

/// The zone, the year and the boot of records that leave them out.
///
/// A record without a year has the latest one in which it is at most a day after the *reference*. For the last record
/// of a file this is the time of its last modification. For all others it is the time of a later record: that of the
/// last one, or in a file that spans more than a year that of the record before which one walks backwards.
#[derive(Clone, Debug)]
pub struct Context {
    zone: TimeZone,
    reference: DateTime,
    /// A day after the reference.
    latest: DateTime,
    boot: Timestamp,
}

impl Context {
    /// The facts of records in `zone`; `reference` is described above.
    pub fn new(zone: TimeZone, reference: Timestamp) -> Self {
        let reference = zone.to_datetime(reference);
        let latest = reference.saturating_add(Span::new().days(1));
        Context { zone, reference, latest, boot: Timestamp::UNIX_EPOCH }
    }

    /// Sets the time of the boot. Without it, seconds since boot count from 1970.
    pub fn booted(self, boot: Timestamp) -> Self {
        Context { boot, ..self }
    }

    /// The zone of records that name none.
    pub fn zone(&self) -> &TimeZone {
        &self.zone
    }

    pub(super) fn reference(&self) -> DateTime {
        self.reference
    }

    pub(super) fn latest(&self) -> DateTime {
        self.latest
    }

    pub(super) fn timestamp(&self, fields: &Fields) -> Option<Timestamp> {
        match fields.count {
            Some(Count::SinceEpoch(count)) => return Timestamp::from_nanosecond(count.into()).ok(),
            Some(Count::SinceBoot(count)) => {
                return Timestamp::from_nanosecond(self.boot.as_nanosecond() + i128::from(count)).ok();
            }
            None => {}
        }
        let time = Time::new(fields.hour, fields.minute, fields.second, fields.nanosecond).ok()?;
        let (month, day) = (fields.month, fields.day);
        let year = fields.year.or_else(|| resolve_year(month, day, time, self.latest))?;
        let date_time = date(year, month, day)?.to_datetime(time);
        match fields.offset {
            Some(offset) => Offset::from_seconds(offset).ok()?.to_timestamp(date_time).ok(),
            None => self.in_zone(date_time),
        }
    }

    /// Daylight saving: in a gap, use the offset before it; of two instants, take the earlier.
    pub(super) fn in_zone(&self, date_time: DateTime) -> Option<Timestamp> {
        self.zone.to_timestamp(date_time).ok()
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

/// The zone with this name, such as `Europe/Berlin` or `+02:00`; without a name, that of the system.
///
/// # Errors
///
/// [`Kind::Usage`](crate::error::Kind::Usage) if the time zone database does not have the name.
pub fn zone(name: Option<&str>) -> Result<TimeZone> {
    let Some(name) = name else { return Ok(TimeZone::system()) };
    let offset = pattern::parse("%z", name.as_bytes()).filter(|(_, length)| *length == name.len());
    if let Some(offset) = offset.and_then(|(fields, _)| Offset::from_seconds(fields.offset?).ok()) {
        return Ok(offset.to_time_zone());
    }
    TimeZone::get(name).map_err(|_| {
        Error::usage(format!("'{name}' is not a time zone"))
            .hint("a zone looks like Europe/Berlin, UTC or +02:00")
    })
}
