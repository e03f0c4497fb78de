//! `--since` and `--until`: the bytes of the window, and what the receipt says of it.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::Ordering;

use super::request::{FoundTime, Opened};
use crate::args::{TimeArgs, TimeReadingArgs};
use crate::hints::again;
use crate::receipt::TimeInfo;
use rread_reader::reader::Reader;
use rread_reader::selection::Slice;
use rread_reader::times::{Log, no_times};
use rread_text::error::Result;
use rread_text::quote::quoted;
use rread_text::range::{Form, Place, Range as Asked, Unit};

impl Opened<'_> {
    /// The spans of the window, if the request has one. Keeps what the receipt says of it.
    pub(super) fn spans(&self) -> Result<Option<Vec<Range<u64>>>> {
        let Some(time) = self.request.time else { return Ok(None) };
        let found = find_window(&self.reader, time, "lines", &self.request.path)?;
        *self.time.borrow_mut() = FoundTime { info: Some(found.info), is_unordered: found.is_unordered };
        Ok(Some(found.spans))
    }
}

/// The bytes of a window, and what the receipt says of it.
pub(crate) struct FoundWindow {
    /// At least one; the only one is empty if no record is in the window.
    pub(crate) spans: Vec<Range<u64>>,
    pub(crate) info: TimeInfo,
    pub(crate) is_unordered: bool,
}

/// `command` and `path` are for hints.
pub(crate) fn find_window(
    reader: &Reader,
    time: &TimeArgs,
    command: &str,
    path: &Path,
) -> Result<FoundWindow> {
    let before = reader.bytes_read().load(Ordering::Relaxed);
    let log = open_log(reader, &time.reading, &format!("{command} {} --since", quoted(path)))?;
    let window = log.window(time.since.as_deref(), time.until.as_deref())?;
    let found = log.find(window, time.reading.scan)?;
    reader.note_scanned(reader.bytes_read().load(Ordering::Relaxed) - before);
    let is_past_end = window.since.is_some_and(|since| since > log.last().time);
    let info = TimeInfo {
        hint: is_past_end.then(|| again("lines", path, "-20:")),
        since: window.since.map(|time| log.shown(time)),
        until: window.until.map(|time| log.shown(time)),
        ..time_info(&log)
    };
    let is_unordered = found.is_unordered && !time.reading.scan;
    Ok(FoundWindow { spans: found.spans, info, is_unordered })
}

/// The log, or the error that no time was recognised; `command` is for the hint, up to the time.
pub(crate) fn open_log<'r>(reader: &'r Reader, time: &TimeReadingArgs, command: &str) -> Result<Log<'r>> {
    let format = time.time_format.as_deref();
    Log::open(reader, &time.options())?.ok_or_else(|| {
        no_times(reader, format).hint(format!(
            "rread {command} 06:00 --time-format '%d.%m.%y %H:%M:%S', with the format of its times"
        ))
    })
}

pub(crate) fn time_info(log: &Log<'_>) -> TimeInfo {
    TimeInfo {
        first: log.shown(log.first().time),
        last: Some(log.shown(log.last().time)),
        since: None,
        until: None,
        hint: None,
        format: log.format().to_owned(),
        zone: log.zone(),
    }
}

/// A span as a range of bytes and its slice.
pub(super) fn as_range(span: &Range<u64>) -> (Asked, Slice) {
    let form = Form::Between(Some(Place::Front(span.start)), Some(Place::Front(span.end)));
    let slice = Slice { start: span.start, end: span.end, first_line: None, exact: true, short: false };
    (Asked { unit: Unit::Bytes, form }, slice)
}
