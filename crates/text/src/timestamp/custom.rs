//! `--time-format`: a format in the strptime of jiff.

use jiff::fmt::strtime::BrokenDownTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp};

use super::context::{Context, RecordTime};
use crate::error::{Error, Result};
use crate::sentence::setting;

/// A custom time is no longer.
const LONGEST: usize = 256;

/// The time that checks a format: no two of its fields are equal. 2026-11-23T18:26:04.123456789Z
const SAMPLE: i128 = 1_795_458_364_123_456_789;

/// A format in the strptime of jiff.
#[derive(Clone, Debug)]
pub struct Custom {
    format: String,
}

impl Custom {
    /// Checks that the format can be parsed, and that it has a time of day.
    ///
    /// # Errors
    ///
    /// [`Kind::Usage`](crate::error::Kind::Usage) if not.
    pub fn new(format: &str) -> Result<Self> {
        let error = |what: String| {
            Error::usage(setting("time-format").then(format!(" '{format}' {what}")))
                .hint("a format looks like '%Y-%m-%d %H:%M:%S%.f %z'; %b is Nov, %y is 26, %s is seconds since 1970")
        };
        let sample = Timestamp::from_nanosecond(SAMPLE).map_err(|cause| error(format!("fails: {cause}")))?;
        let context = Context::new(TimeZone::UTC, sample);
        let written = BrokenDownTime::from(&sample.to_zoned(TimeZone::UTC)).to_string(format);
        let written = written.map_err(|cause| error(format!("is not valid: {cause}")))?;
        let (parts, _) = BrokenDownTime::parse_prefix(format, &written)
            .map_err(|cause| error(format!("cannot be read back: {cause}")))?;
        if parts.hour().is_none() && parts.timestamp().is_none() {
            return Err(error("has no hour".to_owned()));
        }
        if Self::resolve(parts, &context).is_none() {
            return Err(error("has no complete date or time of day".to_owned()));
        }
        Ok(Custom { format: format.to_owned() })
    }

    pub(super) fn name(&self) -> &str {
        &self.format
    }

    pub(super) fn matches(&self, text: &[u8]) -> bool {
        BrokenDownTime::parse_prefix(&self.format, head(text)).is_ok()
    }

    /// The time at the beginning of `text`, and its length.
    pub(super) fn parse(&self, text: &[u8], context: &Context) -> Option<(RecordTime, usize)> {
        let (parts, length) = BrokenDownTime::parse_prefix(&self.format, head(text)).ok()?;
        Some((Self::resolve(parts, context)?, length))
    }

    fn resolve(mut parts: BrokenDownTime, context: &Context) -> Option<RecordTime> {
        if let Some(seconds) = parts.timestamp() {
            // jiff leaves the fraction out.
            let fraction = SignedDuration::from_nanos(parts.subsec_nanosecond().unwrap_or(0).into());
            return seconds.checked_add(fraction).ok().map(RecordTime::certain);
        }
        if parts.iana_time_zone().is_some() {
            return parts.to_zoned().ok().map(|zoned| RecordTime::certain(zoned.timestamp()));
        }
        let lacks_year = has_date(&parts) && parts.year().is_none();
        if parts.to_date().is_err() {
            Self::complete(&mut parts, context)?;
        }
        let date_time = parts.to_datetime().ok()?;
        let found = match parts.offset() {
            Some(offset) => RecordTime::certain(offset.to_timestamp(date_time).ok()?),
            None => context.in_zone(date_time)?,
        };
        Some(RecordTime { lacks_year, ..found })
    }

    /// Adds the latest year, or the latest day if there is no date at all, that is not after the reference of the
    /// context. A year may be exceeded by a day, a day by an hour.
    fn complete(parts: &mut BrokenDownTime, context: &Context) -> Option<()> {
        if !has_date(parts) {
            let latest = context.reference().saturating_add(Span::new().hours(1));
            let today = latest.date();
            let date = if parts.to_time().ok()? > latest.time() { today.yesterday().ok()? } else { today };
            parts.set_year(Some(date.year())).ok()?;
            parts.set_month(Some(date.month())).ok()?;
            return parts.set_day(Some(date.day())).ok();
        }
        if parts.year().is_some() {
            return None;
        }
        if context.year().is_some() {
            return parts.set_year(context.year()).ok();
        }
        let latest = context.latest();
        (0..=8).map(|years| latest.year() - years).find_map(|year| {
            parts.set_year(Some(year)).ok()?;
            (parts.to_datetime().ok()? <= latest).then_some(())
        })
    }
}

fn has_date(parts: &BrokenDownTime) -> bool {
    let numbers = [parts.month(), parts.day(), parts.iso_week()];
    let years = [parts.year(), parts.day_of_year()];
    numbers.iter().any(Option::is_some) || years.iter().any(Option::is_some) || parts.weekday().is_some()
}

fn head(text: &[u8]) -> &[u8] {
    &text[..text.len().min(LONGEST)]
}
