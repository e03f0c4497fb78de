//! The bytes of a window: a search, then a walk over the records that may be out of order.

use std::ops::Range;

use jiff::SignedDuration;

use super::lines::LogRecord;
use super::log::{Log, Window};
use rread_text::{Error, Result, Sentence, Timestamp, setting};

/// The most separate spans that a scan finds, since they are kept in memory.
const MAX_SPANS: usize = 10_000;

/// A file of this size is read as a whole: that costs no more than a search in it.
const MAX_READ_WHOLE: u64 = 1 << 20;

/// A file of this size is read as a whole if its records are out of order.
const MAX_UNORDERED: u64 = 64 << 20;

/// A record that is so much earlier than the one before it contradicts the formats of the log.
const YEARS: SignedDuration = SignedDuration::from_hours(24 * 366);

/// The longest span that is looked at record by record where clocks were set.
const MAX_SET_SPAN: u64 = 64 << 20;

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
    pub(super) slack: SignedDuration,
    pub(super) probes: Vec<LogRecord>,
    latest: Timestamp,
    is_unordered: bool,
    /// The first record that is years before the one before it.
    fallen: Option<u64>,
}

impl Seen {
    fn new(log: &Log<'_>, slack: SignedDuration) -> Self {
        let probes = log.records_seen().collect();
        Seen { slack, probes, latest: Timestamp::MIN, is_unordered: log.is_long_without_years, fallen: None }
    }

    /// A record of a walk from front to back. An hour that a clock shows twice is in order.
    fn note(&mut self, record: LogRecord) {
        let is_late = |time: Timestamp| time >= before(self.latest, self.slack);
        let time = match record.other {
            Some(other) if !is_late(record.time) => other,
            _ => record.time,
        };
        self.is_unordered |= !is_late(time);
        if !record.lacks_year && self.latest.duration_since(time) > YEARS {
            self.fallen = Some(self.fallen.map_or(record.start, |first| first.min(record.start)));
        }
        self.latest = self.latest.max(time);
    }

    /// Whether the records that were seen contradict their order. Keeps in the log the first that is years before another.
    fn contradicts_order(mut self, log: &Log<'_>) -> bool {
        self.probes.sort_unstable_by_key(|record| record.start);
        self.latest = Timestamp::MIN;
        for probe in std::mem::take(&mut self.probes) {
            self.note(probe);
        }
        log.contradicted.set(self.fallen.into_iter().chain(log.contradicted.get()).min());
        self.is_unordered
    }
}

impl Window {
    /// The later of the times that the record can have.
    fn latest(self, record: LogRecord) -> Timestamp {
        record.other.filter(|_| self.has_zone).map_or(record.time, |other| record.time.max(other))
    }

    /// Whether the record is in the window at one of the times that it can have.
    fn has(self, record: LogRecord) -> bool {
        let is_in = |time: Timestamp| {
            self.since.is_none_or(|since| time >= since) && self.until.is_none_or(|until| time < until)
        };
        is_in(record.time) || record.other.filter(|_| self.has_zone).is_some_and(is_in)
    }
}

impl Log<'_> {
    /// The span from the first record in the window to the last. A record in between may be outside the window if it is
    /// out of order by the slack. With `scan`, exactly the records in the window, as in a small file that is out of order
    /// by more.
    pub fn find(&self, window: Window, scan: bool) -> Result<Found> {
        self.with_all_formats(|log| match scan {
            true => log.scan_all(window, log.slack, MAX_SPANS),
            false if log.is_small() => log.find_in_small(window),
            false => {
                let found = log.find_once(window)?;
                // Only a look at every record of a file that is out of order misses none.
                let reads_all = found.is_unordered && log.size <= MAX_UNORDERED;
                if reads_all { log.find_in_small(window) } else { Ok(found) }
            }
        })
    }

    /// As without a scan in a large file.
    pub fn find_by_bisection(&self, window: Window) -> Result<Found> {
        self.with_all_formats(|log| log.find_once(window))
    }

    /// Whether every record is looked at, though the user does not ask for it.
    fn is_small(&self) -> bool {
        self.size <= MAX_READ_WHOLE
    }

    /// Looks at every record, so the order of the file is not a condition: none is missing.
    fn find_in_small(&self, window: Window) -> Result<Found> {
        self.reader.source().advise(0..self.size);
        let set = self.set_near([window.since, window.until].into_iter().flatten());
        let Found { spans, is_unordered } = self.scan_all(window, self.slack + set, usize::MAX)?;
        // Other records lie between those of the window where a clock shows an hour twice.
        let is_apart = is_unordered || set > self.slack;
        let is_exact = is_apart && spans.len() <= MAX_SPANS;
        let is_unordered = self.is_long_without_years || (is_apart && !is_exact);
        let ends = spans.first().zip(spans.last()).filter(|(first, _)| !is_exact && !first.is_empty());
        let spans = match ends {
            Some((first, last)) => {
                let start = if window.since.is_some() { first.start } else { 0 };
                std::iter::once(start..last.end).collect()
            }
            None => spans,
        };
        Ok(Found { spans, is_unordered })
    }

    /// Whether the records that were seen so far are in order, but for the slack.
    pub fn is_in_order(&self) -> bool {
        !Seen::new(self, self.slack).contradicts_order(self)
    }

    /// Asks again if the lines that were met have times of a format that no sample has.
    fn with_all_formats<T>(&self, ask: impl Fn(&Self) -> Result<T>) -> Result<T> {
        let mut found = ask(self)?;
        let mut log = self.with_others()?;
        while let Some(again) = log {
            found = ask(&again)?;
            log = again.with_others()?;
            // What the first formats did not explain, the others may.
            self.contradicted.set(again.contradicted());
        }
        Ok(found)
    }

    fn find_once(&self, window: Window) -> Result<Found> {
        let set = self.set_near([window.since, window.until].into_iter().flatten());
        let mut seen = Seen::new(self, self.slack + set);
        let start = self.start(window, &mut seen)?;
        let span = match start {
            Ok(start) => start..self.end(window, start, &mut seen)?,
            Err(place) => place..place,
        };
        let is_unordered = seen.contradicts_order(self);
        // Other records lie between those of the window where a clock shows an hour twice.
        if set > self.slack && !span.is_empty() && span.end - span.start <= MAX_SET_SPAN {
            let found = self.scan(window, span, self.slack + set, MAX_SPANS)?;
            return Ok(Found { is_unordered, ..found });
        }
        Ok(Found { spans: vec![span], is_unordered })
    }

    /// The first record at or after `time`, in the order of the file.
    pub fn first_since(&self, time: Timestamp, scan: bool) -> Result<(Option<LogRecord>, bool)> {
        self.with_all_formats(|log| log.first_since_once(time, scan))
    }

    fn first_since_once(&self, time: Timestamp, scan: bool) -> Result<(Option<LogRecord>, bool)> {
        let mut seen = Seen::new(self, self.slack + self.set_near([time]));
        let is_unordered = || self.size <= MAX_UNORDERED && !self.is_in_order();
        let looks_at_all = scan || self.is_small() || is_unordered();
        let low = if looks_at_all { 0 } else { self.bisect(before(time, seen.slack), time, 0, &mut seen)? };
        let mut records = self.records(low);
        seen.latest = Timestamp::MIN;
        let mut found = None;
        while let Some(record) = records.next(self.size)? {
            seen.note(record);
            if record.time >= time {
                found = Some(record);
                break;
            }
        }
        // In a small file, every record before it was looked at.
        let is_long = self.is_long_without_years;
        let is_unordered = if looks_at_all { is_long } else { seen.contradicts_order(self) };
        Ok((found, is_unordered))
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
        let low = self.bisect(before(since, seen.slack), since, 0, seen)?;
        let mut records = self.records(low);
        let mut floor = None;
        seen.latest = Timestamp::MIN;
        while let Some(record) = records.next(self.size)? {
            seen.note(record);
            if window.latest(record) < since {
                continue;
            }
            floor.get_or_insert(record.start);
            seen.probes.push(record);
            if window.has(record) {
                return Ok(Ok(if window.since.is_some() { record.start } else { 0 }));
            }
            if window.until.is_some_and(|until| record.time >= after(until, seen.slack)) {
                break;
            }
        }
        Ok(Err(floor.unwrap_or(self.size)))
    }

    /// The end of the last record in the window, of which the first begins at `start`.
    fn end(&self, window: Window, start: u64, seen: &mut Seen) -> Result<u64> {
        let Some(until) = window.until else {
            if window.has(self.last) {
                return Ok(self.size);
            }
            // The last record is out of order, so what follows the window is short.
            let end = self.end_of_last(window, start..self.size, Timestamp::MAX, seen)?;
            return Ok(end.unwrap_or(self.size));
        };
        let low = self.bisect(before(until, seen.slack), after(until, seen.slack), start, seen)?;
        let stop = after(until, seen.slack);
        if let Some(end) = self.end_of_last(window, low..self.size, stop, seen)? {
            return Ok(end);
        }
        // The last one is before: once the slack after its start is over, every record is in the window.
        let stop = window.since.map_or(Timestamp::MIN, |since| after(since, seen.slack));
        let mut records = self.records(start);
        let mut end = None;
        while let Some(record) = records.next(low)? {
            if record.time >= stop {
                end = None;
                break;
            }
            match window.has(record) {
                true => end = None,
                false => _ = end.get_or_insert(record.start),
            }
        }
        match end {
            Some(end) => Ok(end),
            None => Ok(self.records(low).next(self.size)?.map_or(self.size, |next| next.start)),
        }
    }

    /// The end of the last record in the window that begins in `span`, before a record at or after `stop`.
    fn end_of_last(
        &self,
        window: Window,
        span: Range<u64>,
        stop: Timestamp,
        seen: &mut Seen,
    ) -> Result<Option<u64>> {
        let mut records = self.records(span.start);
        let (mut end, mut is_in) = (None, false);
        seen.latest = Timestamp::MIN;
        while let Some(record) = records.next(span.end)? {
            seen.note(record);
            if window.has(record) {
                (end, is_in) = (None, true);
                continue;
            }
            end.get_or_insert(record.start);
            if record.time >= stop {
                break;
            }
        }
        Ok(is_in.then(|| end.unwrap_or(self.size)))
    }

    /// Exactly the records of the window.
    fn scan_all(&self, window: Window, slack: SignedDuration, most: usize) -> Result<Found> {
        let found = self.scan(window, 0..self.size, slack, most)?;
        if !self.others.borrow().has_new_year {
            return Ok(found);
        }
        let log = self.clone().with_all_years()?;
        log.scan(window, 0..log.size, slack, most)
    }

    /// Exactly the records of the window that begin in `span`, of at most `most` parts; not all if lines have another
    /// format.
    fn scan(&self, window: Window, span: Range<u64>, slack: SignedDuration, most: usize) -> Result<Found> {
        let mut spans: Vec<Range<u64>> = Vec::new();
        let mut records = self.records(span.start);
        let mut seen = Seen::new(self, slack);
        // Lines before the first record are part of a window without a start.
        let mut open = window.since.is_none().then_some(span.start);
        let mut place = None;
        while let Some(record) = records.next(span.end)? {
            if record.lacks_year && self.others.borrow_mut().is_new_year(record.time) {
                break;
            }
            // The walk only learns formats from here on: another one finds the parts.
            if self.others.borrow().found.is_some() {
                continue;
            }
            seen.note(record);
            if window.since.is_none_or(|since| window.latest(record) >= since) {
                place.get_or_insert(record.start);
            }
            match (open, window.has(record)) {
                (None, true) => open = Some(record.start),
                (Some(start), false) => {
                    // If no record follows, the lines are outside the window.
                    if start > span.start || record.start > self.first.start {
                        spans.push(start..record.start);
                    }
                    open = None;
                }
                _ => {}
            }
            if spans.len() > most {
                let why = format!("the window has more than {most} parts, far apart in the file");
                return Err(Error::usage(why).hint(
                    Sentence::from("leave out ")
                        .then(setting("scan"))
                        .then(", and give a larger ")
                        .then(setting("slack")),
                ));
            }
        }
        spans.extend(open.map(|start| start..span.end));
        if spans.is_empty() {
            let place = place.unwrap_or(span.end);
            spans.push(place..place);
        }
        Ok(Found { spans, is_unordered: seen.contradicts_order(self) })
    }

    /// The start of a line at or after `from` before which no record is at or after `target`, if they are in order. A
    /// record at or after it follows soon. Announces the walk from there to a record at or after `far`.
    pub(super) fn bisect(
        &self,
        target: Timestamp,
        far: Timestamp,
        from: u64,
        seen: &mut Seen,
    ) -> Result<u64> {
        let mut bracket = self.bracket(target, from, &seen.probes);
        let mut records = self.records(bracket.low);
        let (mut lean, mut halves) = (0, false);
        while !bracket.is_near(target, seen.slack) {
            let width = bracket.width();
            let middle = if halves { bracket.low + width / 2 } else { guess(&bracket, target, lean) };
            records.seek(middle, bracket.high)?;
            // Lines without a time cost at most one read of the file: the next search ends before them.
            match records.next(bracket.high)? {
                Some(record) => {
                    seen.probes.push(record);
                    if record.time < target {
                        (bracket.low, bracket.low_time) = (records.at(), record.time);
                        lean = 1;
                    } else {
                        (bracket.high, bracket.high_time) = (middle, record.time);
                        lean = -1;
                    }
                }
                None => bracket.high = middle,
            }
            halves = !halves && bracket.width() > width / 2;
        }
        self.announce(&bracket, far);
        Ok(bracket.low)
    }

    /// The narrowest part between the records seen so far.
    fn bracket(&self, target: Timestamp, from: u64, probes: &[LogRecord]) -> Bracket {
        let is_low = |probe: &&LogRecord| probe.time < target && probe.next >= from;
        let low = probes.iter().filter(is_low).max_by_key(|probe| probe.next);
        let (low, low_time) = low.map_or((from, self.first.time.min(target)), |low| (low.next, low.time));
        let is_high = |probe: &&LogRecord| probe.time >= target && probe.start >= low;
        let high = probes.iter().filter(is_high).min_by_key(|probe| probe.start);
        let (high, high_time) = high.map_or((self.size, target), |high| (high.start, high.time));
        Bracket { low, low_time, high, high_time }
    }

    /// Tells a source that is far away what will be read, so that it is one request.
    fn announce(&self, bracket: &Bracket, far: Timestamp) {
        const MAX_FACTOR: f64 = 1024.0;
        let part = fraction(bracket.low_time, far) / fraction(bracket.low_time, bracket.high_time);
        let part = if part.is_finite() { part.clamp(0.0, MAX_FACTOR) } else { 1.0 };
        let whole = share(bracket.width().saturating_mul(1024), part / MAX_FACTOR);
        let end = bracket.low.saturating_add(whole).saturating_add(WALK_BYTES).min(self.size);
        self.reader.source().advise(bracket.low..end);
    }
}

fn before(time: Timestamp, slack: SignedDuration) -> Timestamp {
    time.checked_sub(slack).unwrap_or(Timestamp::MIN)
}

fn after(time: Timestamp, slack: SignedDuration) -> Timestamp {
    time.checked_add(slack).unwrap_or(Timestamp::MAX)
}

/// The search ends with so many bytes, which it costs as much to walk as to look into once more.
const WALK_BYTES: u64 = 64 << 10;

/// The most bytes to walk where the records in between seem to lie evenly.
const MAX_EVEN_WALK: u64 = 8 * WALK_BYTES;

/// A part of the file in which a time must be.
struct Bracket {
    /// The records before `low` are earlier, the last of them by so much as its time says.
    low: u64,
    low_time: Timestamp,
    /// From `high` on they are not.
    high: u64,
    high_time: Timestamp,
}

impl Bracket {
    fn width(&self) -> u64 {
        self.high.saturating_sub(self.low)
    }

    /// The offset of `target` if the records between lay evenly.
    fn point(&self, target: Timestamp) -> u64 {
        let part = fraction(self.low_time, target) / fraction(self.low_time, self.high_time);
        self.low + share(self.width(), part)
    }

    /// Whether a walk from `low` is short.
    fn is_near(&self, target: Timestamp, slack: SignedDuration) -> bool {
        let is_even = || self.width() <= MAX_EVEN_WALK && self.point(target) - self.low <= WALK_BYTES;
        // The walk goes on for as long as the slack anyway.
        self.width() <= WALK_BYTES || target.duration_since(self.low_time) <= slack / 4 || is_even()
    }
}

/// The seconds from `a` to `b`.
fn fraction(a: Timestamp, b: Timestamp) -> f64 {
    b.duration_since(a).as_secs_f64()
}

#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn share(width: u64, part: f64) -> u64 {
    if part.is_finite() { ((width as f64 * part.clamp(0.0, 1.0)) as u64).min(width) } else { width / 2 }
}

/// The next offset to look at: beyond the point by a little, so that the part shrinks from both sides.
fn guess(bracket: &Bracket, target: Timestamp, lean: i8) -> u64 {
    let point = bracket.point(target);
    let middle = match lean {
        0 => point.saturating_sub(WALK_BYTES / 2),
        1.. => point + (point - bracket.low) / 8 + WALK_BYTES / 2,
        _ => point.saturating_sub((bracket.high - point) / 8 + WALK_BYTES / 2),
    };
    let edge = (WALK_BYTES / 4).min(bracket.width() / 4);
    middle.clamp(bracket.low + edge, bracket.high - edge)
}
