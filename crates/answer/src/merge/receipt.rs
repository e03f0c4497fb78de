//! The receipt of a merge.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::files::{Entry, Set};
use super::mix::Merging;
use super::mix::Walked;
use crate::names::split_ranges;
use crate::options::TimeReading;
use crate::receipt::{ContentInfo, MergedFileInfo, MergedInfo, NextMerge};
use crate::wording::command_line;
use rread_text::address;
use rread_text::range::parse_mixed;
use rread_text::sentence::{Argument, Call, call};

/// The receipt.
pub fn info(set: &Set<'_>, walked: &Walked, merging: &Merging<'_>) -> MergedInfo {
    let out_of_order: u64 = walked.files.iter().map(|file| file.out_of_order).sum();
    MergedInfo {
        merged: true,
        records: Some(walked.files.iter().map(|file| file.records).sum()),
        out_of_order: Some(out_of_order).filter(|count| *count > 0),
        files: files(set, walked),
        content: ContentInfo::from(&walked.stats),
        truncated: walked.stats.cut.is_some() || walked.stats.clipped_lines > 0,
        time: set.time(),
        version: set.version(),
        next: walked.rest.as_ref().and_then(|rest| next(set, rest, merging, call("ranges"))),
        ..MergedInfo::default()
    }
}

/// The facts of each file for the receipt.
fn files(set: &Set<'_>, walked: &Walked) -> Vec<MergedFileInfo> {
    let mut infos: Vec<MergedFileInfo> = set.entries.iter().map(Entry::info).collect();
    for (place, got) in set.places.iter().zip(&walked.files) {
        let (info, entry) = (&mut infos[*place], &set.entries[*place]);
        info.records = Some(got.records);
        info.out_of_order = Some(got.out_of_order).filter(|count| *count > 0);
        if let Some((start, end)) = got.range {
            info.range = Some(format!("{start}-{end}"));
            let lines = got.lines.filter(|_| entry.has_lines);
            info.lines = lines.map(|(first, last)| format!("{first}-{last}"));
        }
    }
    infos
}

/// The `next` call, which merges `rest`, the parts that are left of each file; a search also has the window.
pub fn next(
    set: &Set<'_>,
    rest: &[Vec<Range<u64>>],
    merging: &Merging<'_>,
    mut next: Call,
) -> Option<NextMerge> {
    let before = next.arguments.len();
    for (position, spans) in rest.iter().enumerate() {
        if spans.is_empty() {
            continue;
        }
        let entry = set.entry(position);
        next = at(next, &entry.request.path, &places(spans, entry.size));
    }
    if next.arguments.len() == before {
        return None;
    }
    let left = rest.iter().enumerate().filter(|(_, spans)| !spans.is_empty());
    let left = left.map(|(position, _)| set.entry(position).request.path.as_path());
    let zones = merging.reading.zones_of(left);
    let next = with_reading(next.on("merge"), &zones, merging.reading);
    let encoding = set.entry(0).request.content.read.encoding.as_ref();
    let next = encoding.into_iter().fold(next, |next, label| next.with("encoding", label));
    // A single file goes on as it was.
    let is_bare = merging.is_plain_alone && set.entries.len() == 1 && !merging.searches;
    let next = if is_bare { next.on("no-path") } else { next };
    let next = if merging.searches { with_window(next, set) } else { next };
    Some(NextMerge {
        command: if merging.searches { "search" } else { "ranges" },
        arguments: next.arguments.iter().flat_map(words).collect(),
        line: command_line(&next),
    })
}

/// `b812:`, or `b812:900,b1000:1100` with the ends that are not those of the file.
fn places(spans: &[Range<u64>], size: Option<u64>) -> String {
    let place = |span: &Range<u64>| match Some(span.end) == size {
        true => format!("b{}:", span.start),
        false => format!("b{}:{}", span.start, span.end),
    };
    spans.iter().map(place).collect::<Vec<_>>().join(",")
}

/// Adds a file and its places, in one word where that is read so.
fn at(next: Call, path: &Path, places: &str) -> Call {
    let mut word = path.as_os_str().to_owned();
    word.push(":");
    word.push(places);
    let word = PathBuf::from(word);
    // Standard input, and a name that looks like an option, stand alone.
    let is_plain = !path.as_os_str().as_encoded_bytes().starts_with(b"-");
    match split_ranges(&word, parse_mixed) {
        Ok((name, Some(_))) if is_plain && name == path => next.file(word),
        _ => next.file(path).word(places),
    }
}

/// Adds the options that decide how times are read, without which the order would be another.
fn with_reading(next: Call, zones: &[&str], reading: &TimeReading) -> Call {
    let next = zones.iter().fold(next, |next, zone| next.with("tz", zone));
    let next = reading.time_format.iter().fold(next, |next, format| next.with("time-format", format));
    reading.year.iter().fold(next, |next, year| next.with("year", year))
}

/// Adds the window, with times that mean the same later.
fn with_window(next: Call, set: &Set<'_>) -> Call {
    let Some(time) = set.time() else { return next };
    let next = time.since.iter().fold(next, |next, since| next.with("since", since));
    time.until.iter().fold(next, |next, until| next.with("until", until))
}

fn words(argument: &Argument) -> Vec<String> {
    match argument {
        Argument::Path(path) => vec![address::display(path).into_owned()],
        Argument::Word(word) => vec![word.clone()],
        Argument::Setting(name, value) => {
            let dashes = if name.len() == 1 { "-" } else { "--" };
            std::iter::once(format!("{dashes}{name}")).chain(value.clone()).collect()
        }
    }
}
