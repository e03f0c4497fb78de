//! Prints the records of several followed files in the order of time.

use std::time::{Duration, Instant};

use super::print::{EndReason, Feed, Printer};
use rread_text::error::Result;

/// When the record that waits longest is printed in any case.
pub(super) fn deadline(feeds: &[Feed], hold: Duration) -> Option<Instant> {
    feeds.iter().filter_map(|feed| feed.waiting.first()).map(|record| record.since + hold).min()
}

/// Prints the records that no other file can have an earlier one for: each other file has a later one, or the time is over.
/// With `all`, prints every record.
pub(super) fn release(
    feeds: &mut [Feed],
    printer: &mut Printer,
    hold: Duration,
    all: bool,
) -> Result<Option<EndReason>> {
    let now = Instant::now();
    loop {
        let first =
            |(index, feed): (usize, &Feed)| feed.waiting.first().map(|record| (record.time, index, record));
        let Some((_, index, record)) =
            feeds.iter().enumerate().filter_map(first).min_by_key(|(time, index, _)| (*time, *index))
        else {
            return Ok(None);
        };
        let is_silent = |(other, feed): (usize, &Feed)| {
            other != index && feed.waiting.first().is_none() && !feed.is_over()
        };
        let waits = feeds.iter().enumerate().any(is_silent) || record.time.is_none();
        // A record that has waited long enough lets all earlier ones pass.
        let is_due = feeds.iter().any(|feed| {
            feed.waiting.is_full() || feed.waiting.first().is_some_and(|first| first.since + hold <= now)
        });
        if waits && !is_due && !all {
            return Ok(None);
        }
        if let Some(reason) = take(index, &mut feeds[index], printer)? {
            return Ok(Some(reason));
        }
    }
}

/// Prints all records of one file.
pub(super) fn drain(index: usize, feed: &mut Feed, printer: &mut Printer) -> Result<Option<EndReason>> {
    while feed.waiting.first().is_some() {
        if let Some(reason) = take(index, feed, printer)? {
            return Ok(Some(reason));
        }
    }
    Ok(None)
}

fn take(index: usize, feed: &mut Feed, printer: &mut Printer) -> Result<Option<EndReason>> {
    let before = feed.held.bytes.len();
    let end = feed.held.shown + feed.waiting.take();
    let reason = printer.release(index, feed, end, end)?;
    feed.timed = feed.timed.saturating_sub(before - feed.held.bytes.len());
    Ok(reason)
}
