//! A file with times: its format, its first and last record, and the times that users type.

use jiff::SignedDuration;
use jiff::tz::TimeZone;

use super::lines::{Record, Records, first_heads};
use crate::reader::Reader;
use rread_text::error::{Error, Kind, Result, printable};
use rread_text::timestamp::{Context, Custom, Detected, Timestamp, Words, detect, detect_custom, zone};

/// The bytes at the start of a file in which the format is looked for.
const SAMPLE: usize = 64 << 10;

/// The first block from the end in which the last record is looked for; later ones grow fourfold.
const LAST_BLOCK: u64 = 16 << 10;
const LARGEST_LAST_BLOCK: u64 = 4 << 20;

/// How times are read, and how far they may be out of order.
#[derive(Clone, Debug)]
pub struct TimeOptions {
    /// The zone of records that do not name theirs; `None` is that of the system.
    pub zone: Option<String>,
    /// A format of strptime.
    pub format: Option<String>,
    /// How much earlier a record may be than one before it.
    pub slack: SignedDuration,
}

impl TimeOptions {
    pub(super) fn zone(&self) -> Result<TimeZone> {
        zone(self.zone.as_deref())
    }

    /// Refuses a zone and a format that are not valid, also for a file without times.
    pub fn check(&self) -> Result<()> {
        self.format.as_deref().map(Custom::new).transpose()?;
        self.zone().map(drop)
    }
}

impl Default for TimeOptions {
    fn default() -> Self {
        TimeOptions { zone: None, format: None, slack: SignedDuration::from_secs(10) }
    }
}

/// `since <= time < until`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    pub since: Option<Timestamp>,
    pub until: Option<Timestamp>,
}

/// How the times of a file are read and shown.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    pub(super) detected: Detected,
    pub(super) context: Context,
}

impl Clock {
    /// The name of the zone, or its offset at `time`.
    pub(super) fn zone(&self, time: Timestamp) -> String {
        let zone = self.context.zone();
        match zone.iana_name() {
            Some(name) => name.to_owned(),
            None => zone.to_offset(time).to_string(),
        }
    }

    pub(super) fn shown(&self, time: Timestamp) -> String {
        if self.detected.is_since_boot() {
            let nanoseconds = time.as_nanosecond();
            return format!("{}.{:06}", nanoseconds / 1_000_000_000, nanoseconds / 1000 % 1_000_000);
        }
        time.to_zoned(self.context.zone().clone()).strftime("%Y-%m-%dT%H:%M:%S%.f%:z").to_string()
    }
}

/// A file with times.
pub struct Log<'a> {
    pub(super) reader: &'a Reader,
    clock: Clock,
    pub(super) slack: SignedDuration,
    pub(super) size: u64,
    pub(super) first: Record,
    pub(super) last: Record,
}

impl<'a> Log<'a> {
    /// Reads a stream to its end. `None` if the first lines have no time that rread recognises.
    pub fn open(reader: &'a Reader, options: &TimeOptions) -> Result<Option<Self>> {
        let zone = options.zone()?;
        let Some(detected) = detected(reader, options.format.as_deref(), SAMPLE)? else { return Ok(None) };
        let size = reader.size()?;
        // The last record has the year of the modification, and every other record that of the last one.
        let context = Context::new(zone.clone(), modified(reader).unwrap_or_else(Timestamp::now));
        let Some(last) = last_record(reader, &detected, &context, size)? else { return Ok(None) };
        let context = Context::new(zone, last.time);
        let first = Records::new(reader, &detected, &context, 0).next(size)?;
        let slack = options.slack;
        Ok(first.map(|first| Log { reader, clock: Clock { detected, context }, slack, size, first, last }))
    }

    pub fn first(&self) -> Record {
        self.first
    }

    pub fn last(&self) -> Record {
        self.last
    }

    pub fn format(&self) -> &str {
        self.clock.detected.format()
    }

    /// The name of the zone of records that do not name theirs, or its offset.
    pub fn zone(&self) -> String {
        self.clock.zone(self.last.time)
    }

    /// `time` in the zone of the log; seconds since boot for a log that has these.
    pub fn shown(&self, time: Timestamp) -> String {
        self.clock.shown(time)
    }

    /// The window between the times that a user typed.
    pub fn window(&self, since: Option<&str>, until: Option<&str>) -> Result<Window> {
        ordered(|text, since| self.time(text, since), since, until, |time| self.shown(time))
    }

    /// The time that a user typed; `+10m` counts from `since`.
    pub fn time(&self, text: &str, since: Option<Timestamp>) -> Result<Timestamp> {
        let word = text.trim();
        let is_relative = word.starts_with(['-', '+']);
        let is_number = word.parse::<f64>().is_ok();
        if self.clock.detected.is_since_boot() && !is_relative && !is_number {
            let sentence = format!("'{text}' is a time of day, and the log has seconds since boot only");
            let hint = "-15m counts back from the last record, and 12345.6 is a time of the log";
            return Err(Error::usage(sentence).hint(hint));
        }
        // No clock showed the time of the boot, so `-15m` counts from the last record.
        let now = if self.clock.detected.is_since_boot() { self.last.time } else { Timestamp::now() };
        Words { context: &self.clock.context, now, detected: Some(&self.clock.detected), since }.parse(text)
    }

    pub(super) fn into_clock(self) -> Clock {
        self.clock
    }

    pub(super) fn records(&self, at: u64) -> Records<'_> {
        Records::new(self.reader, &self.clock.detected, &self.clock.context, at)
    }
}

/// The window between two times, `parse`d in their order; `+10m` of the second counts from the first.
pub(super) fn ordered(
    parse: impl Fn(&str, Option<Timestamp>) -> Result<Timestamp>,
    since: Option<&str>,
    until: Option<&str>,
    shown: impl Fn(Timestamp) -> String,
) -> Result<Window> {
    let start = since.map(|text| parse(text, None)).transpose()?;
    let end = until.map(|text| parse(text, start)).transpose()?;
    if let (Some(a), Some(b)) = (start, end)
        && a > b
    {
        let (a, b) = (shown(a), shown(b));
        let sentence = format!("--since is {a}, which is after --until, {b}");
        return Err(Error::invalid_range(sentence).hint(format!("--since {b} --until {a}")));
    }
    Ok(Window { since: start, until: end })
}

/// The error for a file without times that rread recognises: it shows the first line.
pub fn no_times(reader: &Reader, format: Option<&str>) -> Error {
    const SHOWN: usize = 100;
    let heads = first_heads(reader, SAMPLE).unwrap_or_default();
    let first = heads.into_iter().find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
    let text: String = String::from_utf8_lossy(first.trim_ascii_end()).chars().take(SHOWN).collect();
    let sentence = match (text.is_empty(), format) {
        (true, _) => "has no times: it has no text".to_owned(),
        (false, None) => format!("has no times that rread recognises; it begins with '{}'", printable(&text)),
        (false, Some(format)) => {
            format!("has no times of the format '{format}'; it begins with '{}'", printable(&text))
        }
    };
    let hint = "--time-format '%d.%m.%y %H:%M:%S' names the format of the times, as strptime does";
    Error::new(Kind::InvalidText, sentence).hint(hint)
}

/// The format and the place of the times, from the first `sample` bytes.
fn detected(reader: &Reader, format: Option<&str>, sample: usize) -> Result<Option<Detected>> {
    let heads = first_heads(reader, sample)?;
    let heads = heads.iter().map(Vec::as_slice);
    match format {
        Some(format) => detect_custom(format, heads),
        None => Ok(detect(heads)),
    }
}

pub(super) fn modified(reader: &Reader) -> Option<Timestamp> {
    let info = reader.stored().info();
    let of_file = info.metadata.and_then(|metadata| metadata.modified().ok());
    let time = of_file.or_else(|| info.object.and_then(|object| object.modified))?;
    Timestamp::try_from(time).ok()
}

/// Walks back from the end, block after block, until one has a line with a time.
fn last_record(reader: &Reader, detected: &Detected, context: &Context, size: u64) -> Result<Option<Record>> {
    let (mut end, mut step) = (size, LAST_BLOCK);
    while end > 0 {
        let start = reader.units().floor(end.saturating_sub(step));
        let mut records = Records::new(reader, detected, context, 0);
        records.seek(start, end)?;
        let mut last = None;
        while let Some(record) = records.next(end)? {
            last = Some(record);
        }
        if last.is_some() {
            return Ok(last);
        }
        (end, step) = (start, (step * 4).min(LARGEST_LAST_BLOCK));
    }
    Ok(None)
}
