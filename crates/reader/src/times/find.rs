//! The bytes of a window: a search, then a walk over the records that may be out of order.

use std::ops::Range;

use jiff::SignedDuration;

use super::lines::Record;
use super::log::{Log, Window};
use rread_text::error::{Error, Result};
use rread_text::timestamp::Timestamp;

/// A scan finds so many separate spans at most, since they are kept in memory.
const MOST_SPANS: usize = 10_000;

/// The bytes of a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// In the order of the file; one empty span, where the window would be, if no record is in it.
    pub spans: Vec<Range<u64>>,
    /// Whether records were seen that contradict the order by more than the slack.
    pub is_unordered: bool,
}

/// The records that were seen, for their order.
pub(super) struct Seen {
    slack: SignedDuration,
    pub(super) probes: Vec<Record>,
    latest: Timestamp,
    is_unordered: bool,
}

impl Seen {
    fn new(log: &Log<'_>) -> Self {
        let probes = vec![log.first, log.last];
        Seen { slack: log.slack, probes, latest: Timestamp::MIN, is_unordered: false }
    }

    /// A record of a walk from front to back.
    fn walked(&mut self, record: Record) {
        self.is_unordered |= before(self.latest, self.slack) > record.time;
        self.latest = self.latest.max(record.time);
    }

    fn contradicts_order(mut self) -> bool {
        self.probes.sort_unstable_by_key(|record| record.start);
        self.latest = Timestamp::MIN;
        for probe in std::mem::take(&mut self.probes) {
            self.walked(probe);
        }
        self.is_unordered
    }
}

impl Log<'_> {
    /// The span from the first record in the window to the record from which on all are at or after its end. A record in
    /// between may be outside the window if it is out of order. With `scan`, exactly the records in the window.
    pub fn find(&self, window: Window, scan: bool) -> Result<Found> {
        if scan {
            return self.scan(window);
        }
        let mut seen = Seen::new(self);
        self.sample(&mut seen)?;
        let start = self.start(window, &mut seen)?;
        let span = match start {
            Ok(start) => start..self.end(window, start, &mut seen)?,
            Err(place) => place..place,
        };
        Ok(Found { spans: vec![span], is_unordered: seen.contradicts_order() })
    }

    /// The first record at or after `time`, in the order of the file.
    pub fn first_since(&self, time: Timestamp, scan: bool) -> Result<(Option<Record>, bool)> {
        let mut seen = Seen::new(self);
        if !scan {
            self.sample(&mut seen)?;
        }
        let low = if scan { 0 } else { self.bisect(before(time, self.slack), time, 0, &mut seen)? };
        let mut records = self.records(low);
        seen.latest = Timestamp::MIN;
        while let Some(record) = records.next(self.size)? {
            seen.walked(record);
            if record.time >= time {
                return Ok((Some(record), seen.contradicts_order()));
            }
        }
        Ok((None, seen.contradicts_order()))
    }

    /// The start of the window; if it is empty, the offset where it would be.
    fn start(&self, window: Window, seen: &mut Seen) -> Result<std::result::Result<u64, u64>> {
        // Lines before the first record have no time, so only a window with an end can be empty.
        let since = match (window.since, window.until) {
            (Some(since), _) => since,
            (None, None) => return Ok(Ok(0)),
            (None, Some(_)) => Timestamp::MIN,
        };
        // A record is out of order by at most the slack, so start that much earlier.
        let low = self.bisect(before(since, self.slack), since, 0, seen)?;
        let mut records = self.records(low);
        let mut floor = None;
        seen.latest = Timestamp::MIN;
        while let Some(record) = records.next(self.size)? {
            seen.walked(record);
            if record.time < since {
                continue;
            }
            floor.get_or_insert(record.start);
            seen.probes.push(record);
            let is_before = |offset| window.until.is_none_or(|until| record.time < after(until, offset));
            if is_before(SignedDuration::ZERO) {
                return Ok(Ok(if window.since.is_some() { record.start } else { 0 }));
            }
            if !is_before(self.slack) {
                break;
            }
        }
        Ok(Err(floor.unwrap_or(self.size)))
    }

    /// From here on, all records are at or after the end of the window.
    fn end(&self, window: Window, start: u64, seen: &mut Seen) -> Result<u64> {
        let Some(until) = window.until else { return Ok(self.size) };
        let low = self.bisect(until, after(until, self.slack), start, seen)?;
        let mut records = self.records(low);
        let mut end = None;
        seen.latest = Timestamp::MIN;
        while let Some(record) = records.next(self.size)? {
            seen.walked(record);
            if record.time < until {
                end = None;
                continue;
            }
            end.get_or_insert(record.start);
            if record.time >= after(until, self.slack) {
                break;
            }
        }
        Ok(end.unwrap_or(self.size))
    }

    fn scan(&self, window: Window) -> Result<Found> {
        let mut spans: Vec<Range<u64>> = Vec::new();
        let mut records = self.records(0);
        let mut seen = Seen::new(self);
        // Lines before the first record are part of a window without a start.
        let mut open = window.since.is_none().then_some(0);
        let mut place = None;
        while let Some(record) = records.next(self.size)? {
            seen.walked(record);
            let is_since = window.since.is_none_or(|since| record.time >= since);
            if is_since {
                place.get_or_insert(record.start);
            }
            let is_in = is_since && window.until.is_none_or(|until| record.time < until);
            match (open, is_in) {
                (None, true) => open = Some(record.start),
                (Some(start), false) => {
                    // If no record follows, the lines are outside the window.
                    if start > 0 || record.start > self.first.start {
                        spans.push(start..record.start);
                    }
                    open = None;
                }
                _ => {}
            }
            if spans.len() > MOST_SPANS {
                let why = format!("the window has more than {MOST_SPANS} parts, far apart in the file");
                return Err(Error::usage(why).hint("leave out --scan, and give a larger --slack"));
            }
        }
        spans.extend(open.map(|start| start..self.size));
        if spans.is_empty() {
            let place = place.unwrap_or(self.size);
            spans.push(place..place);
        }
        Ok(Found { spans, is_unordered: seen.contradicts_order() })
    }
}

fn before(time: Timestamp, slack: SignedDuration) -> Timestamp {
    time.checked_sub(slack).unwrap_or(Timestamp::MIN)
}

fn after(time: Timestamp, slack: SignedDuration) -> Timestamp {
    time.checked_add(slack).unwrap_or(Timestamp::MAX)
}
