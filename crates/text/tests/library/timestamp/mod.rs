//! Times in logs: formats, positions, years, zones, and the words of the command line.

mod custom;
mod formats;
mod guesses;
mod members;
mod orders;
mod page;
mod positions;
mod random;
mod samples;
mod stamps;
mod words;
mod years;
mod zones;

use rread_text::error::Result;
use rread_text::timestamp::{Detected, Rule, TimeContext, Timestamp, detect, detect_as, zone};

/// The reference of most tests: the last record is of this day.
const REFERENCE: &str = "2026-11-23T18:00:00Z";

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn context(name: &str, reference: &str) -> TimeContext {
    TimeContext::new(zone(Some(name)).unwrap(), time(reference))
}

fn utc() -> TimeContext {
    context("UTC", REFERENCE)
}

fn detected(lines: &[&str]) -> Option<Detected> {
    detect(lines.iter().map(|line| line.as_bytes()))
}

fn detect_custom<'a>(format: &str, lines: impl IntoIterator<Item = &'a [u8]>) -> Result<Option<Detected>> {
    detect_as(Some(format), &[lines.into_iter().collect()], Rule::Log, None)
}

/// The format of a log of equal lines, and the time of the line in UTC.
fn read(line: &str, context: &TimeContext) -> Option<(String, String)> {
    let detected = detected(&[line; 3])?;
    let time = detected.time_of(line.as_bytes(), context)?;
    Some((detected.format().to_owned(), time.to_string()))
}
