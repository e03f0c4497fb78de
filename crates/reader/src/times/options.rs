//! How the times of a file are read.

use jiff::SignedDuration;
use jiff::tz::TimeZone;

use super::lines::modified;
use crate::reader::Reader;
use rread_text::error::Result;
use rread_text::timestamp::{Custom, TimeContext, Timestamp, zone};

/// How times are read, and how far they may be out of order.
#[derive(Clone, Debug)]
pub struct TimeOptions {
    /// The zone of records that do not name theirs, and of the times that a user types; `None` is that of the system.
    pub zone: Option<String>,
    /// The zone of the records of this file, if it is another one.
    pub zone_of_file: Option<String>,
    /// A format of strptime.
    pub format: Option<String>,
    /// The year of the last record, if records do not have theirs.
    pub year: Option<i16>,
    /// How much earlier a record may be than one before it.
    pub slack: SignedDuration,
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

    /// The facts that the last record leaves out: the best date known is its year.
    pub(super) fn base(&self, reader: &Reader) -> Result<TimeContext> {
        let zone = self.zone()?;
        let reference = modified(reader, &zone).unwrap_or_else(Timestamp::now);
        let base = TimeContext::new(zone, reference);
        Ok(match self.year {
            Some(year) => base.in_year(year),
            None => base,
        })
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

impl Default for TimeOptions {
    fn default() -> Self {
        TimeOptions {
            zone: None,
            zone_of_file: None,
            format: None,
            year: None,
            slack: SignedDuration::from_secs(10),
            scan: false,
            samples_only: false,
            last_of_all: None,
        }
    }
}
