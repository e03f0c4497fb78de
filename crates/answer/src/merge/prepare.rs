//! Looks at each file of a merge once: its times, the part of it that was asked for, and the time of its first record.

use std::ops::Range;

use super::files::{Entry, Set};
use super::options::Merging;
use crate::format::Format;
use crate::notes;
use crate::request::{Opened, Request};
use crate::window::time_info;
use rread_reader::reader::Reader;
use rread_reader::reader::align::Align;
use rread_reader::selection::Selection;
use rread_reader::times::merge::MergedFile;
use rread_reader::times::{Log, no_times};
use rread_text::address;
use rread_text::error::{Error, Kind, Result, printable};
use rread_text::range::Unit;
use rread_text::sentence::call;

/// Looks at every file; one that cannot be merged has its error in its place.
pub fn prepare<'r>(
    requests: &[&'r Request<'r>],
    refused: Vec<Option<Error>>,
    merging: &Merging<'_>,
    (format, to_terminal): (Format, bool),
    (names, counts): (bool, bool),
) -> Result<Set<'r>> {
    merging.reading.check_zones(requests.iter().map(|request| request.path.as_path()))?;
    let mut set = Set::new(format, to_terminal, requests.len());
    for (index, (request, refused)) in requests.iter().copied().zip(refused).enumerate() {
        let mut entry = Entry::new(request, index);
        if names {
            entry.label = label(request);
        }
        let opened = match refused {
            Some(error) => Err(error),
            None => request.open(set.format, set.to_terminal),
        };
        let looked = opened.and_then(|opened| {
            let merged = look(&mut entry, &opened, merging, counts)?;
            Ok((merged, opened))
        });
        match looked {
            Ok((merged, opened)) => {
                notes::say_wide(&opened, set.to_terminal);
                notes::say_guess(&request.path, opened.guessed_encoding().as_deref(), set.format);
                set.add(entry, merged, Some(opened));
            }
            Err(error) if request.is_walked && error.kind == Kind::Binary => set.binary += 1,
            Err(error) if matches!(error.kind, Kind::Usage | Kind::Write | Kind::BrokenPipe) => {
                return Err(error.about(&request.path));
            }
            Err(error) => {
                entry.failure = Some(error.about(&request.path));
                set.add(entry, None, None);
            }
        }
    }
    match &set.failures()[..] {
        [only] if requests.len() == 1 => Err(only.clone()),
        _ => Ok(set),
    }
}

/// The name of the file before its lines, on one line and without secrets.
fn label(request: &Request<'_>) -> Vec<u8> {
    let mut label = printable(&address::display(&request.path)).into_bytes();
    label.push(b':');
    label
}

/// The part to merge; `None` if the file has no text.
fn look(
    entry: &mut Entry<'_>,
    opened: &Opened<'_>,
    merging: &Merging<'_>,
    counts: bool,
) -> Result<Option<MergedFile>> {
    let (request, reader) = (opened.request, &opened.reader);
    reader.end_at_damage();
    entry.version = reader.version()?;
    let size = reader.size()?;
    entry.size = Some(size);
    let mark = if reader.decided().bom { reader.encoding().mark().len() } else { 0 };
    if size <= mark as u64 {
        return Ok(None);
    }
    let format = merging.reading.time_format.as_deref();
    let log = Log::open(reader, &merging.reading.options(&request.path))?
        .ok_or_else(|| no_times(reader, format, Some(call("lines").file(&request.path).on("merge"))))?;
    let log = if merging.reading.scan { log.with_every_record()? } else { log };
    let mut info = time_info(&log);
    let spans = match merging.window {
        Some(time) => {
            let window = log.window(time.since.as_deref(), time.until.as_deref())?;
            let found = log.find(window, time.reading.scan)?;
            info.since = window.since.map(|time| log.format_time(time));
            info.until = window.until.map(|time| log.format_time(time));
            entry.is_unordered = found.is_unordered && !time.reading.scan;
            let words = [time.since.as_deref(), time.until.as_deref()];
            entry.is_ambiguous = words.into_iter().flatten().any(|word| log.is_ambiguous(word));
            found.spans
        }
        // A search has to know the times of all records before a match.
        None if merging.searches => std::iter::once(0..size).collect(),
        None => spans_of(request, reader, opened.options.raw)?,
    };
    entry.times = Some(((log.first().time, log.last().time), info));
    let is_known = |start| start == 0 || counts || reader.is_cheap_to_count_before(start);
    entry.has_lines = spans.iter().all(|span| is_known(span.start));
    let line_at = |start| {
        if is_known(start) { reader.newlines_before(start).map(|newlines| newlines + 1) } else { Ok(1) }
    };
    MergedFile::new(&log, spans, line_at).map(Some)
}

/// The bytes of the ranges that were asked for, in the order of the file and each once.
pub fn spans_of(request: &Request<'_>, reader: &Reader, raw: bool) -> Result<Vec<Range<u64>>> {
    let (ranges, context) = (&request.ranges[..], request.context);
    let located = Selection { ranges, context, header: 0, numbers: false }.locate(reader)?;
    let align = if raw { Align::None } else { Align::Expand };
    let mut spans = Vec::with_capacity(ranges.len());
    for (range, slice) in ranges.iter().zip(located.slices) {
        let slice = slice?;
        let end = reader.reach(slice.end)?;
        spans.push(match range.unit {
            Unit::Bytes => {
                let (start, end) = reader.align(slice.start, end, align)?;
                start..end
            }
            Unit::Lines => slice.start..end,
        });
    }
    spans.sort_unstable_by_key(|span| span.start);
    let mut merged: Vec<Range<u64>> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut().filter(|last| span.start <= last.end) {
            Some(last) => last.end = last.end.max(span.end),
            None => merged.push(span),
        }
    }
    Ok(merged)
}
