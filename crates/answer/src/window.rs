//! `--since` and `--until`: the bytes of the window, and what the receipt says of it.

use std::cmp::Reverse;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::SystemTime;

use jiff::Timestamp;

use crate::damage::hides_the_end;
use crate::file_info::contradicted;
use crate::options::{ReadOptions, TimeReading, TimeWindow};
use crate::receipt::{Contradicted, TimeInfo};
use crate::request::{FoundTime, Opened};
use crate::wording::worded;
use rread_reader::times::{ANY_ZONE, ShownTimes};
use rread_reader::{Log, Reader, Slice, no_times};
use rread_source::named_files::{NamedFile, open_in_turn};
use rread_source::stdin::note;
use rread_text::guess::Contradiction;
use rread_text::timestamp::{format_of, is_time_of_day};
use rread_text::{Call, Form, Place, Range as Asked, Result, Unit, call, counted};

impl Opened<'_> {
    /// The spans of the window, if the request has one. Keeps what the receipt says of it.
    /// A file that `is_walked` has no times if its samples have none.
    pub(super) fn spans(&self, is_walked: bool) -> Result<Option<Vec<Range<u64>>>> {
        let Some(time) = self.request.time else { return Ok(None) };
        let reading = TimeReading { samples_only: is_walked, ..time.reading.clone() };
        let time = TimeWindow { reading, ..time.clone() };
        let found = find_window(&self.reader, &time, &self.request.path)?;
        *self.time.borrow_mut() = found.time;
        Ok(Some(found.spans))
    }
}

/// The bytes of a window, and what the receipt says of it.
pub struct FoundWindow {
    /// At least one; the only one is empty if no record is in the window.
    pub spans: Vec<Range<u64>>,
    pub time: FoundTime,
    /// It begins after the last record.
    is_past_end: bool,
}

/// The window of time of several files, and how their times are read.
#[derive(Clone, Debug)]
pub struct TimesOfFiles {
    pub window: Option<TimeWindow>,
    pub reading: TimeReading,
}

impl TimesOfFiles {
    /// Checks the zones of `reading` against `files`; times of day are of one day. Takes the objects out that cannot have
    /// records in the window, and says how many.
    pub fn new<T>(
        window: Option<TimeWindow>,
        reading: TimeReading,
        files: &mut Vec<(NamedFile, T)>,
        options: &ReadOptions,
    ) -> Result<Self> {
        reading.check_zones(files.iter().map(|(file, _)| &*file.path))?;
        let named = files.iter().map(|(file, _)| file).collect();
        let of_one_day = window.as_ref().and_then(|window| of_one_day(window, named, options));
        let window = of_one_day.or(window);
        let reading = window.as_ref().map_or(reading, |window| window.reading.clone());
        let ended = window.as_ref().map_or(0, |window| window.take_ended(files, |(file, _)| file.modified));
        if ended > 0 {
            let objects = counted(ended, "object");
            note(&format!("not read: {objects} that changed last before the window; --scan reads all"));
        }
        open_in_turn(files.iter().map(|(file, _)| &*file.path), &options.source.access);
        Ok(TimesOfFiles { window, reading })
    }
}

impl TimeWindow {
    /// Takes those of `files` out that changed last before the window, so that their records are earlier, but not the newest;
    /// with `--scan`, none. Returns how many.
    pub fn take_ended<T>(&self, files: &mut Vec<T>, modified: impl Fn(&T) -> Option<SystemTime>) -> u64 {
        let since = self.since.as_ref().filter(|_| !self.reading.scan);
        let least = since.and_then(|since| self.reading.options(Path::new("")).least_change(since));
        let Some(least) = least.map(SystemTime::from) else { return 0 };
        let (newest, before) = (files.iter().filter_map(&modified).max(), files.len());
        files.retain(|file| modified(file).is_none_or(|time| time >= least || Some(time) == newest));
        (before - files.len()) as u64
    }
}

/// The same window with the day of the last record of all files, if it has times of day and there are several files.
fn of_one_day(time: &TimeWindow, mut files: Vec<&NamedFile>, input: &ReadOptions) -> Option<TimeWindow> {
    let words = [time.since.as_deref(), time.until.as_deref()];
    if files.len() < 2 || !words.into_iter().flatten().any(is_time_of_day) {
        return None;
    }
    let last = |path: &Path| {
        // A stream can be read once.
        let is_stream = path == Path::new("-") || path.metadata().is_ok_and(|file| !file.is_file());
        let reader =
            if is_stream { None } else { input.open(path).ok().filter(|reader| !reader.is_binary()) }?;
        let log = Log::open(&reader, &time.reading.options(path)).ok()??;
        let shown = log.format_time(log.last.time);
        Some((log.last.time, shown.split_once('T').map_or(shown.clone(), |(day, _)| day.to_owned())))
    };
    files.sort_by_key(|file| file.modified.map(Reverse));
    open_in_turn(files.iter().map(|file| &*file.path), &input.source.access);
    let mut lasts: Vec<(Timestamp, String)> = Vec::new();
    for file in files {
        // No record of this object and of those after it is later.
        let latest =
            file.modified.and_then(|time| Timestamp::try_from(time).ok()?.checked_add(ANY_ZONE).ok());
        if latest.is_some_and(|latest| lasts.iter().any(|(last, _)| *last > latest)) {
            break;
        }
        lasts.extend(last(&file.path));
    }
    let (last_of_all, day) = lasts.iter().max()?.clone();
    if lasts.iter().any(|(_, other)| *other != day) {
        note(&format!("times of day are of {day}, the day of the last record of all files"));
    }
    let last_of_all = Some(last_of_all);
    let reading = TimeReading { last_of_all, ..time.reading.clone() };
    Some(TimeWindow { reading, ..time.clone() })
}

/// `path` is for hints.
pub fn find_window(reader: &Reader, time: &TimeWindow, path: &Path) -> Result<FoundWindow> {
    let before = reader.bytes_read().load(Ordering::Relaxed);
    let log = open_log(reader, &time.reading, path)?;
    let mut found = window_of(&log, time)?;
    reader.note_scanned(reader.bytes_read().load(Ordering::Relaxed) - before);
    let is_past_end = found.is_past_end && !hides_the_end(reader);
    if let Some(info) = found.time.info.as_mut().filter(|_| is_past_end) {
        info.hint = Some(worded(&call("lines").file(path).word("-20:").again()));
    }
    found.time.contradicted = contradiction(&log, reader, path, time)?;
    Ok(found)
}

/// The window in a log that is open.
pub fn window_of(log: &Log<'_>, time: &TimeWindow) -> Result<FoundWindow> {
    let words = [time.since.as_deref(), time.until.as_deref()];
    let window = log.window(words[0], words[1])?;
    let found = log.find(window, time.reading.scan)?;
    let info = TimeInfo {
        since: window.since.map(|time| log.format_time(time)),
        until: window.until.map(|time| log.format_time(time)),
        ..time_info(log.shown())
    };
    let time = FoundTime {
        info: Some(info),
        is_unordered: found.is_unordered && !time.reading.scan,
        is_ambiguous: words.into_iter().flatten().any(|word| log.is_ambiguous(word)),
        reaches_end: window.until.is_none_or(|until| until > log.last.time),
        contradicted: None,
    };
    // Records out of order may be later than the last one.
    let is_past_end = window.since.is_some_and(|since| since > log.last.time)
        && found.spans.iter().all(|span| span.is_empty());
    Ok(FoundWindow { spans: found.spans, time, is_past_end })
}

/// The first place that the formats of a log do not explain, with the same window by the format of that place alone: no
/// command if the first record has that one, nothing if the user named one.
fn contradiction(
    log: &Log<'_>,
    reader: &Reader,
    path: &Path,
    time: &TimeWindow,
) -> Result<Option<Contradicted>> {
    let Some(byte) = log.contradicted().filter(|_| !log.is_format_given()) else { return Ok(None) };
    let format_at = |byte: u64| -> Result<Option<String>> {
        let mut line = [0; 256];
        let got = reader.read_at_least(1, &mut line, byte)?;
        Ok(line[..got].split(|byte| *byte == b'\n').next().and_then(format_of))
    };
    let read = with_window(call("lines").file(path), &time.since, &time.until);
    let read = with_reading(read, &time.reading.zones_of(std::iter::once(path)), &time.reading);
    let otherwise = match format_at(byte)? {
        Some(here) if format_at(log.first.start)?.is_some_and(|first| here == first) => None,
        Some(here) => Some(read.with("time-format", &here).again()),
        None => Some(read.on("scan").again()),
    };
    let guess = format!("format of times {}", log.format());
    Ok(Some(contradicted(Contradiction { guess, line: None, byte: Some(byte), otherwise })))
}

/// Adds the options that decide how times are read, without which the order would be another.
pub(crate) fn with_reading(next: Call, zones: &[&str], reading: &TimeReading) -> Call {
    let next = zones.iter().fold(next, |next, zone| next.with("tz", zone));
    let next = reading.time_format.iter().fold(next, |next, format| next.with("time-format", format));
    reading.year.iter().fold(next, |next, year| next.with("year", year))
}

/// Adds the window, with times that mean the same later.
pub(crate) fn with_window(next: Call, since: &Option<String>, until: &Option<String>) -> Call {
    let next = since.iter().fold(next, |next, since| next.with("since", since));
    until.iter().fold(next, |next, until| next.with("until", until))
}

/// The log, or the error that no time was recognised.
pub fn open_log<'r>(reader: &'r Reader, time: &TimeReading, path: &Path) -> Result<Log<'r>> {
    Log::open(reader, &time.options(path))?.ok_or_else(|| no_times(reader, time.time_format.as_deref()))
}

/// Whether the user named the formats of the times, or rread guessed them.
pub fn source(is_given: bool) -> &'static str {
    if is_given { "given" } else { "guess" }
}

pub fn time_info(times: ShownTimes) -> TimeInfo {
    TimeInfo {
        first: times.first,
        last: times.last,
        since: None,
        until: None,
        hint: None,
        format: times.format,
        source: source(times.is_format_given),
        zone: times.zone,
        zone_unread: times.unread_zone,
    }
}

/// A span as a range of bytes and its slice.
pub(super) fn as_range(span: &Range<u64>) -> (Asked, Slice) {
    let form = Form::Between(Some(Place::Front(span.start)), Some(Place::Front(span.end)));
    let slice = Slice { start: span.start, end: span.end, first_line: None, exact: true, short: false };
    (Asked { unit: Unit::Bytes, form }, slice)
}
