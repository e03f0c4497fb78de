//! The times of the command line: T of `--since`, `--until` and `--time`.

use jiff::civil::{Date, Time};
use jiff::tz::Offset;
use jiff::{Span, Timestamp, Zoned};

use super::context::{RecordTime, TimeContext};
use super::cursor::Fields;
use super::detect::Detected;
use super::formats::{FORMATS, Format};
use super::pattern;
use crate::error::{Error, Result};
use crate::sentence::{Sentence, setting};

/// Forms that people type and logs do not have: dates alone, and times without seconds.
const SHORT: &str = "%Y/%m/%d%t%h|%F|%Y/%m/%d|%e %b %Y|%b %e %Y|%b %e, %Y|%b %e %h|%e %b %h|%b %e|%e %b";

const CLOCK: [&str; 2] = ["%c", "%h"];

/// The references of the times that a user types.
pub struct Words<'a> {
    /// The zone, and the last record of the log: a time of day is on its date. Without a log, `now`.
    pub context: &'a TimeContext,
    /// The time from which `-15m` counts, and whose date `today` is.
    pub now: Timestamp,
    /// The format of the log, in which a time may be given.
    pub detected: Option<&'a Detected>,
    /// The start of the window, from which `+10m` counts.
    pub since: Option<Timestamp>,
}

impl Words<'_> {
    /// The time that `text` names.
    ///
    /// The forms are tried in this order: the format of the log; `now`, `today`, `yesterday`, the last two also with a time of
    /// day; `-2d 4h`, `2d 4h` and `2 days ago` before now and `+10m` after the start of the window, with days and weeks of
    /// the calendar; `@EPOCH`; any
    /// format of the table; a date, which is its midnight; a time of day.
    ///
    /// # Errors
    ///
    /// [`Kind::Usage`](crate::error::Kind::Usage) if it has none of these forms.
    pub fn parse(&self, text: &str) -> Result<Timestamp> {
        self.read(text).map(|found| found.time)
    }

    /// The same with what the text leaves open: its zone, and which of two times it is if clocks were set then.
    ///
    /// # Errors
    ///
    /// The errors of [`Words::parse`].
    pub fn read(&self, text: &str) -> Result<RecordTime> {
        let word = text.trim();
        let error = || {
            Error::usage(format!("'{text}' is not a time")).hint(
                "a time looks like 2026-11-23T06:01, 2026-11-23, 06:01, yesterday, 'today 06:01', 15m or @1795415164",
            )
        };
        if let Some(time) = self.in_format_of_log(word) {
            return Ok(time);
        }
        if word.starts_with('+') && self.since.is_none() {
            let start = Sentence::from(format!("'{text}' counts from "));
            return Err(Error::usage(start.then(setting("since")).then(", which is not given"))
                .hint(setting("since").then(" 06:01 ").then(setting("until")).then(" +10m")));
        }
        let relative = self.relative(word).map(RecordTime::certain);
        let found = relative.or_else(|| self.day(word)).or_else(|| self.absolute(word));
        found.or_else(|| self.clock(self.context.reference.date(), word)).ok_or_else(error)
    }

    /// The time that `text` names in every log; `None` if its formats or its dates may change the meaning.
    pub fn in_any_log(&self, text: &str) -> Option<Timestamp> {
        let word = text.trim();
        let has_year = word.find(['-', '/']) == Some(4) && word[..4].parse::<u16>().is_ok();
        let found = self.relative(word).or_else(|| Some(self.day(word)?.time));
        found.or_else(|| self.parse(word).ok().filter(|_| has_year || is_time_of_day(word)))
    }

    /// The time on the day of `time` and so many days later, if the text is a time of day alone.
    pub fn clock_near(&self, text: &str, time: Timestamp, days: i64) -> Option<Timestamp> {
        let word = text.trim();
        if self.in_format_of_log(word).is_some() || self.relative(word).is_some() || self.day(word).is_some()
        {
            return None;
        }
        let date = self.zoned(time).date().checked_add(Span::new().days(days)).ok()?;
        if self.absolute(word).is_some() { None } else { Some(self.clock(date, word)?.time) }
    }

    fn in_format_of_log(&self, word: &str) -> Option<RecordTime> {
        let detected = self.detected?;
        if detected.is_since_boot() {
            let seconds = if word.contains('.') { word.to_owned() } else { format!("{word}.0") };
            return self.whole("%u", &seconds);
        }
        detected.time_in(word.as_bytes(), self.context)
    }

    fn relative(&self, word: &str) -> Option<Timestamp> {
        if let Some(number) = word.strip_prefix('@') {
            return since_epoch(number);
        }
        let start = if word.starts_with('+') { self.since? } else { self.now };
        Some(self.zoned(start).checked_add(span(word)?).ok()?.timestamp())
    }

    fn day(&self, word: &str) -> Option<RecordTime> {
        let (day, clock) = word.split_once(' ').unwrap_or((word, ""));
        let today = self.zoned(self.now).date();
        let date = match (day.to_ascii_lowercase().as_str(), clock) {
            ("now", "") => return Some(RecordTime::certain(self.now)),
            ("today", _) => today,
            ("yesterday", _) => today.yesterday().ok()?,
            _ => return None,
        };
        if clock.is_empty() { self.at(date, Time::midnight()) } else { self.clock(date, clock.trim()) }
    }

    fn absolute(&self, word: &str) -> Option<RecordTime> {
        // Times of access logs are copied with their brackets.
        let word = word.strip_prefix('[').and_then(|word| word.strip_suffix(']')).unwrap_or(word);
        let certain = FORMATS.iter().filter(|format| format.order.is_none()).map(|format| format.pattern);
        let found = certain.chain(SHORT.split('|')).find_map(|pattern| self.whole(pattern, word));
        found.or_else(|| self.date_of_numbers(word))
    }

    /// A date of three numbers that only one order makes a date, or that has AM or PM, as in the USA.
    fn date_of_numbers(&self, word: &str) -> Option<RecordTime> {
        let fits = |format: &&Format| format.order.is_some() && fields(format.pattern, word).is_some();
        let mut fitting = FORMATS.iter().filter(fits);
        let first = fitting.next()?;
        let is_certain = first.name == "us" || fitting.next().is_none();
        if is_certain { self.whole(first.pattern, word) } else { None }
    }

    /// Beside a zone, the moment of that day in the zone of the log at which clocks of the other show the time.
    fn clock(&self, date: Date, word: &str) -> Option<RecordTime> {
        let (time, offset) = clock(word)?;
        let Some(offset) = offset else { return self.at(date, time) };
        let days = [date, date.yesterday().ok()?, date.tomorrow().ok()?];
        let mut times = days.into_iter().filter_map(|day| offset.to_timestamp(day.to_datetime(time)).ok());
        times.find(|time| self.zoned(*time).date() == date).map(RecordTime::certain)
    }

    fn whole(&self, pattern: &str, word: &str) -> Option<RecordTime> {
        self.context.record_time(&fields(pattern, word)?)
    }

    fn at(&self, date: Date, time: Time) -> Option<RecordTime> {
        self.context.in_zone(date.to_datetime(time))
    }

    fn zoned(&self, time: Timestamp) -> Zoned {
        time.to_zoned(self.context.zone.clone())
    }
}

/// A duration before now: `-15m`, or as users of docker, kubectl, journalctl and Grafana type it `15m`, `15 minutes ago`
/// and `now-15m`; after a `+`, a duration after another time.
fn span(word: &str) -> Option<Span> {
    let word = word.strip_prefix("now").filter(|rest| rest.starts_with(['+', '-'])).unwrap_or(word);
    // jiff takes `06:01:30` for a duration.
    let is_span = !word.contains(':') && word.bytes().any(|byte| byte.is_ascii_alphabetic());
    let span: Span = if is_span { word.parse().ok()? } else { return None };
    Some(if word.starts_with('+') { span } else { -span.abs() })
}

/// Whether a time that a user typed counts from now or from another time.
pub fn is_relative(text: &str) -> bool {
    span(text.trim()).is_some()
}

/// Seconds since 1970 with or without a fraction; longer numbers are milli-, micro- or nanoseconds, as in logs.
fn since_epoch(number: &str) -> Option<Timestamp> {
    let (seconds, fraction) = number.split_once('.').unwrap_or((number, ""));
    let is_number = !fraction.starts_with(['+', '-']) && fraction.len() <= 9;
    if let Some(count) = fields("%s", number).and_then(|fields| fields.count) {
        return Timestamp::from_nanosecond(count.into()).ok();
    }
    let nanoseconds = format!("{fraction:0<9}").parse().ok().filter(|_| is_number)?;
    Timestamp::new(seconds.parse().ok()?, nanoseconds).ok()
}

/// Whether a time that a user typed is a time of day alone.
pub fn is_time_of_day(text: &str) -> bool {
    clock(text.trim()).is_some()
}

/// A time of day, and the offset of its zone if it has one.
fn clock(word: &str) -> Option<(Time, Option<Offset>)> {
    let fields =
        CLOCK.iter().find_map(|pattern| fields(pattern, word)).filter(|fields| fields.zone.is_none())?;
    let time = Time::new(fields.hour, fields.minute, fields.second, fields.nanosecond).ok()?;
    Some((time, fields.offset.and_then(|seconds| Offset::from_seconds(seconds).ok())))
}

/// The fields of a pattern that is the whole word.
fn fields<'a>(pattern: &str, word: &'a str) -> Option<Fields<'a>> {
    pattern::parse(pattern, word.as_bytes())
        .filter(|(_, length)| *length == word.len())
        .map(|(fields, _)| fields)
}
