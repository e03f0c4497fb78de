//! A file with times: its format, its first and last record, and the times that users type.

use std::cell::{Cell, RefCell};

use jiff::SignedDuration;

use super::lines::{Clock, LogRecord, Others, Records, SLACK, ShownTimes, TimeOptions, first_heads};
use super::samples::Samples;
use super::years::{self, Counter};
use crate::reader::Reader;
use rread_text::screen::plain;
use rread_text::timestamp::{Detected, TimeContext, Unread, Words, format_of, is_relative, why_unread};
use rread_text::{Error, Kind, Result, Sentence, Timestamp, printable, quoted_word, setting};

/// The bytes at the start of a file in which its first line is looked for.
const SAMPLE: usize = 64 << 10;

/// The first block from the end in which the last record is looked for; later ones grow fourfold.
const LAST_BLOCK: u64 = 16 << 10;
const MAX_LAST_BLOCK: u64 = 4 << 20;

/// `since <= time < until`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    pub since: Option<Timestamp>,
    pub until: Option<Timestamp>,
    /// An end names its zone: it is not what a clock showed, so a record of an hour that a clock shows twice counts with both
    /// times that it can have.
    pub has_zone: bool,
}

/// A file with times.
#[derive(Clone)]
pub struct Log<'a> {
    pub(super) reader: &'a Reader,
    pub(super) clock: Clock,
    pub(super) slack: SignedDuration,
    pub(super) size: u64,
    pub first: LogRecord,
    pub last: LogRecord,
    /// Records of some places of the file, which show disorder and narrow a search.
    pub(super) known: Vec<LogRecord>,
    /// Whether records do not name their year, and there is more than a year of them.
    pub(super) is_long_without_years: bool,
    /// The last record of all files, and what a time that a user typed leaves out.
    last_of_all: Timestamp,
    words: TimeContext,
    /// The facts that the last record leaves out.
    base: TimeContext,
    /// Lines that were met and have no time.
    pub(super) others: RefCell<Others>,
    /// The word in the place of a zone that rread does not know.
    unread_zone: Option<String>,
    /// The first place that the formats do not explain.
    pub(super) contradicted: Cell<Option<u64>>,
}

impl<'a> Log<'a> {
    /// Reads a stream to its end. `None` if the samples of the file have no time that rread recognises.
    pub fn open(reader: &'a Reader, options: &TimeOptions) -> Result<Option<Self>> {
        let size = reader.size()?;
        let samples = Samples::take(reader, size)?;
        let detected = match samples.field_of_time() {
            Some((field, byte)) if options.format.is_none() => Some(Detected::of_clocks(field, byte)),
            _ => samples.detect(reader, options, size)?,
        };
        let Some(detected) = detected else { return Ok(None) };
        Self::with(reader, options, detected, &samples, size)
    }

    fn with(
        reader: &'a Reader,
        options: &TimeOptions,
        detected: Detected,
        samples: &Samples,
        size: u64,
    ) -> Result<Option<Self>> {
        let base = options.base(reader)?;
        let base_clock = match detected.has_days() {
            true => Clock::new(detected, base.clone()),
            false => years::clock_of_days(reader, detected, &base, size)?,
        };
        let Some(last) = last_record(reader, &base_clock, size)? else { return Ok(None) };
        // Every other record without a year is at most a day after the last one.
        let mut clock = match base_clock.detected.has_days() {
            true => Clock::new(base_clock.detected, TimeContext::new(base.zone.clone(), last.time)),
            false => base_clock,
        };
        let mut is_long_without_years = false;
        let lacks_year = |record: &LogRecord| record.lacks_year;
        if lacks_year(&last) || samples.records(&clock).iter().any(lacks_year) {
            let counter = Counter::new(reader, &clock.detected, &base, size);
            let mut known = samples.records(&counter.clock);
            known.extend(last_record(reader, &counter.clock, size)?);
            let basis = if size <= years::MAX_READ_WHOLE { years::Basis::All } else { years::Basis::Between };
            if let Some(years) = counter.count(&known, basis)? {
                (clock, is_long_without_years) = (years.clock, years.is_long);
            }
        }
        let Some(last) = last_record(reader, &clock, size)? else { return Ok(None) };
        let others = RefCell::new(Others::new(clock.detected.clone()));
        let first = Records::new(reader, &clock, 0).with(&others).next(size)?;
        let others_found = others.borrow_mut().finish();
        if let Some(detected) = others_found {
            // The lines before have times of another format.
            return Self::with(reader, options, detected, samples, size);
        }
        let (known, slack, unread_zone) =
            (samples.records(&clock), options.slack.unwrap_or(SLACK), samples.unread_zone(&clock));
        let last_of_all = options.last_of_all.unwrap_or(last.time);
        let words = TimeContext::new(options.zone_of_words()?, last_of_all);
        Ok(first.map(|first| Log {
            reader,
            clock,
            slack,
            size,
            first,
            last,
            known,
            is_long_without_years,
            last_of_all,
            words,
            base,
            others,
            unread_zone,
            contradicted: Cell::new(None),
        }))
    }

    pub fn format(&self) -> &str {
        self.clock.detected.format()
    }

    /// Whether the user named the format.
    pub fn is_format_given(&self) -> bool {
        self.clock.detected.is_given()
    }

    /// The first and the last time, their format and zone, as they are shown.
    pub fn shown(&self) -> ShownTimes {
        self.clock.shown(self.first.time, Some(self.last.time), self.unread_zone.clone())
    }

    /// The first place that was met which the formats do not explain: a line that looks like a record, or a record years
    /// before the one that it follows.
    pub fn contradicted(&self) -> Option<u64> {
        let like_record = self.others.borrow().like_record;
        like_record.into_iter().chain(self.contradicted.get()).min()
    }

    /// The name of the zone of records that do not name theirs, or its offset.
    pub fn zone(&self) -> String {
        self.clock.zone(self.last.time)
    }

    /// `time` in the zone of the log; seconds since boot for a log that has these.
    pub fn format_time(&self, time: Timestamp) -> String {
        self.clock.format_time(time)
    }

    /// The window between the times that a user typed.
    pub fn window(&self, since: Option<&str>, until: Option<&str>) -> Result<Window> {
        let typed = self.typed_times();
        for text in [since, until].into_iter().flatten() {
            typed.refuse_time_of_day(text)?;
        }
        let ends = Some((self.first.time, self.last_of_all));
        ordered(&typed.words(None), ends, since, until, |time| self.format_time(time))
    }

    /// The time of the record that the line at `start` belongs to, as it is shown; `None` before the first record.
    pub fn time_at(&self, start: u64) -> Result<Option<String>> {
        let end = start + self.reader.units().width as u64;
        Ok(last_record(self.reader, &self.clock, end)?.map(|record| self.format_time(record.time)))
    }

    /// The time that a user typed; `+10m` counts from `since`.
    pub fn time(&self, text: &str, since: Option<Timestamp>) -> Result<Timestamp> {
        self.typed_times().time_after(text, since)
    }

    /// The meaning of times that a user types, without the file.
    pub fn typed_times(&self) -> TypedTimes {
        let Log { clock, words, last, .. } = self;
        TypedTimes { clock: clock.clone(), words: words.clone(), last: last.time }
    }

    /// Whether a window at a time that a user typed may miss records that can be meant: no clock showed it, or a clock
    /// showed it twice, and either the text or the records have a zone. Without any zone, both passes are in the window.
    pub fn is_ambiguous(&self, text: &str) -> bool {
        let typed = self.typed_times();
        let Ok(found) = typed.words(Some(self.first.time)).read(text) else { return false };
        let zone = &self.clock.last.zone;
        match found.other {
            Some(other) => other < found.time || self.records_seen().any(|record| !record.lacks_zone),
            None => {
                self.lacks_zone() && zone.to_ambiguous_timestamp(zone.to_datetime(found.time)).is_ambiguous()
            }
        }
    }

    /// The records of some places of the file, the first and the last.
    pub(super) fn records_seen(&self) -> impl Iterator<Item = LogRecord> {
        self.known.iter().copied().chain([self.first, self.last])
    }

    /// Whether some records do not name their zone.
    fn lacks_zone(&self) -> bool {
        self.records_seen().any(|record| record.lacks_zone)
    }

    /// How far clocks were set near one of the times, which is how far records without a zone are out of order there.
    pub(super) fn set_near(&self, times: impl IntoIterator<Item = Timestamp>) -> SignedDuration {
        const NEAR: SignedDuration = SignedDuration::from_hours(3);
        let zone = &self.clock.last.zone;
        let change = |time: Timestamp| {
            let before = zone.to_offset(time.checked_sub(NEAR).unwrap_or(time)).seconds();
            let after = zone.to_offset(time.checked_add(NEAR).unwrap_or(time)).seconds();
            SignedDuration::from_secs((i64::from(after) - i64::from(before)).abs())
        };
        if !self.lacks_zone() {
            return SignedDuration::ZERO;
        }
        times.into_iter().map(change).max().unwrap_or_default()
    }

    /// The same with the formats of the lines that were met and have no time; `None` if they have no others.
    pub(super) fn with_others(&self) -> Result<Option<Self>> {
        let Some(detected) = self.others.borrow_mut().finish() else { return Ok(None) };
        self.others.replace(Others::new(self.clock.detected.clone()));
        let mut log = self.clone();
        log.clock = self.clock.with_detected(detected.clone());
        log.others = RefCell::new(Others::new(detected));
        log.contradicted = Cell::new(None);
        if let Some(first) = log.records(0).next(log.size)? {
            log.first = first;
        }
        Ok(Some(log))
    }

    /// The same with the formats and the years of every record, which reads the whole file.
    pub fn with_every_record(self) -> Result<Self> {
        let (mut log, mut lacks_year) = (self, false);
        loop {
            let mut records = log.records(0);
            while let Some(record) = records.next(log.size)? {
                lacks_year |= record.lacks_year;
            }
            drop(records);
            match log.with_others()? {
                Some(more) => log = more,
                None if lacks_year => return log.with_all_years(),
                None => return Ok(log),
            }
        }
    }

    /// The same with the years of every record counted.
    pub(super) fn with_all_years(mut self) -> Result<Self> {
        let counter = Counter::new(self.reader, &self.clock.detected, &self.base, self.size);
        if let Some(years) = counter.count(&[], years::Basis::All)? {
            (self.clock, self.is_long_without_years) = (years.clock, years.is_long);
        }
        self.others = RefCell::new(Others::new(self.clock.detected.clone()));
        Ok(self)
    }

    pub(super) fn records(&self, at: u64) -> Records<'_> {
        Records::new(self.reader, &self.clock, at).with(&self.others)
    }
}

/// The meaning of times that a user types in a log.
#[derive(Clone, Debug)]
pub struct TypedTimes {
    clock: Clock,
    words: TimeContext,
    /// The last record of the log.
    pub last: Timestamp,
}

impl TypedTimes {
    /// The time that a user typed.
    pub fn time(&self, text: &str) -> Result<Timestamp> {
        self.time_after(text, None)
    }

    fn time_after(&self, text: &str, since: Option<Timestamp>) -> Result<Timestamp> {
        self.refuse_time_of_day(text)?;
        self.words(since).parse(text)
    }

    /// `time` in the zone of the log.
    pub fn format_time(&self, time: Timestamp) -> String {
        self.clock.format_time(time)
    }

    fn refuse_time_of_day(&self, text: &str) -> Result<()> {
        let word = text.trim();
        if self.clock.detected.is_since_boot() && !is_relative(word) && word.parse::<f64>().is_err() {
            let sentence = format!("'{text}' is a time of day, and the log has seconds since boot only");
            let hint = "-15m counts back from the last record, and 12345.6 is a time of the log";
            return Err(Error::usage(sentence).hint(hint));
        }
        Ok(())
    }

    fn words(&self, since: Option<Timestamp>) -> Words<'_> {
        let detected = &self.clock.detected;
        // No clock showed the time of the boot, so `-15m` counts from the last record.
        let now = if detected.is_since_boot() { self.last } else { Timestamp::now() };
        Words { context: &self.words, now, detected: Some(detected), since }
    }
}

/// The window between two times; `+10m` of the second counts from the first. `ends` are the first and the last record.
///
/// Two times of day are of one night if the second is earlier. They are of the day of the last record, or of the day before
/// if only that can be in the log.
pub(super) fn ordered(
    words: &Words<'_>,
    ends: Option<(Timestamp, Timestamp)>,
    since: Option<&str>,
    until: Option<&str>,
    shown: impl Fn(Timestamp) -> String,
) -> Result<Window> {
    let start = since.map(|text| words.parse(text)).transpose()?;
    let end = until.map(|text| Words { since: start, ..*words }.parse(text)).transpose()?;
    let names_zone = |text: &str| words.read(text).is_ok_and(|found| !found.lacks_zone);
    let has_zone = since.into_iter().chain(until).any(names_zone);
    let (Some(a), Some(b), Some(since), Some(until)) = (start, end, since, until) else {
        return Ok(Window { since: start, until: end, has_zone });
    };
    let last = ends.map_or(words.now, |(_, last)| last);
    if a > last
        && until.trim().starts_with('+')
        && let (Some(early), Some((first, _))) = (words.clock_near(since, a, -1), ends)
    {
        // The same window of the day before, if only that can be in the log.
        let end = Words { since: Some(early), ..*words }.parse(until)?;
        if end > first {
            return Ok(Window { since: Some(early), until: Some(end), has_zone });
        }
    }
    let (early, late) = (words.clock_near(since, a, -1), words.clock_near(until, b, 1));
    let (a, b) = match (early, late) {
        (Some(_), Some(late)) if a > b && a <= last => (a, late),
        (Some(early), Some(_)) if a > b => (early, b),
        // A window after the last record, which can be in the log a day earlier.
        (Some(early), Some(_)) => match words.clock_near(until, b, -1) {
            Some(before) if a > last && ends.is_some_and(|(first, _)| before > first) => (early, before),
            _ => (a, b),
        },
        (None, Some(_)) if a > b => {
            let near = [0, 1].into_iter().filter_map(|days| words.clock_near(until, a, days));
            (a, near.into_iter().find(|near| *near >= a).unwrap_or(b))
        }
        (Some(_), None) if a > b => {
            let near = [0, -1].into_iter().filter_map(|days| words.clock_near(since, b, days));
            (near.into_iter().find(|near| *near <= b).unwrap_or(a), b)
        }
        _ => (a, b),
    };
    if a > b {
        let (a, b) = (shown(a), shown(b));
        let both =
            |since: String, until: String| setting("since").then(since).then(setting("until")).then(until);
        return Err(Error::invalid_range(both(format!(" is {a}, which is after "), format!(", {b}")))
            .hint(both(format!(" {b} "), format!(" {a}"))));
    }
    Ok(Window { since: Some(a), until: Some(b), has_zone })
}

/// The error for a file without times that rread recognises: it shows the first line, and the option that reads it.
pub fn no_times(reader: &Reader, format: Option<&str>) -> Error {
    const SHOWN: usize = 100;
    let heads = first_heads(reader, SAMPLE).unwrap_or_default();
    let mut lines = heads.iter().filter(|line| !line.trim_ascii().is_empty()).map(Vec::as_slice);
    let first = lines.next().unwrap_or_default();
    // A line that shows a format helps more than the first one.
    let shown = std::iter::once(first).chain(lines).find_map(|line| Some((line, format_of(line)?)));
    let begins =
        if shown.as_ref().is_some_and(|(line, _)| *line != first) { "has the line" } else { "begins with" };
    let (first, made) = match shown {
        Some((line, made)) => (line, Some(made)),
        None => (first, None),
    };
    let text: String = String::from_utf8_lossy(first.trim_ascii_end()).chars().take(SHOWN).collect();
    // The words are first, so that the rest is the end of a command to type.
    let given = |name, value: &str, what: &str| {
        Sentence::from(format!("{what}: ")).then(setting(name)).then(format!(" {}", quoted_word(value)))
    };
    let unread = if format.is_none() { why_unread(heads.iter().map(Vec::as_slice)) } else { None };
    let (sentence, hint) = match (text.is_empty(), format, unread) {
        (true, ..) => return Error::new(Kind::InvalidText, "has no times: it has no text"),
        (_, Some(format), _) => {
            let sentence =
                format!("has no times of the format '{format}'; it {begins} '{}'", printable(&text));
            (sentence, None)
        }
        (_, _, Some(Unread::Order { time, days, format })) => {
            let (time, days) = (printable(&time), days.join(" or "));
            let sentence =
                format!("has times such as '{time}', and no line shows which number is the day: {days}");
            (sentence, Some(given("time-format", &format, "give the order of its dates")))
        }
        (_, _, Some(Unread::Zone(zone))) => {
            let sentence = format!("has times of the zone {zone}, which is in several parts of the world");
            (sentence, Some(given("tz", "America/Chicago", "give the place of the log")))
        }
        _ => {
            let text = printable(&text);
            // Colours may be inside a time.
            let hint = match plain(first) {
                Some(_) => Some(setting("plain").then(" leaves out the colours of its times")),
                None => made.map(|made| given("time-format", &made, "give the format of its times")),
            };
            (format!("has no times that rread recognises; it {begins} '{text}'"), hint)
        }
    };
    let hint = hint.unwrap_or_else(name_format);
    Error::new(Kind::InvalidText, sentence).hint(hint)
}

pub(super) fn name_format() -> Sentence {
    setting("time-format").then(" names the format, as in strptime: %Y-%m-%d, %d.%m.%y, %H:%M:%S.%f, %s")
}

/// Walks back from the end, block after block, until one has a line with a time.
pub(super) fn last_record(reader: &Reader, clock: &Clock, size: u64) -> Result<Option<LogRecord>> {
    let (mut end, mut step) = (size, LAST_BLOCK);
    while end > 0 {
        let start = reader.units().floor(end.saturating_sub(step));
        let mut records = Records::new(reader, clock, 0);
        records.seek(start, end)?;
        let mut last = None;
        while let Some(record) = records.next(end)? {
            last = Some(record);
        }
        if last.is_some() {
            return Ok(last);
        }
        (end, step) = (start, (step * 4).min(MAX_LAST_BLOCK));
    }
    Ok(None)
}
