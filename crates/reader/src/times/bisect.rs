//! Where a time is in a file in order: interpolation between the records seen so far, and halving where that fails.

use jiff::SignedDuration;

use super::find::Seen;
use super::lines::Record;
use super::log::Log;
use rread_text::error::Result;
use rread_text::timestamp::Timestamp;

/// The search ends with so many bytes, which it costs as much to walk as to look into once more.
const BLOCK: u64 = 64 << 10;

/// The most bytes to walk where the records in between seem to lie evenly.
const EVEN: u64 = 8 * BLOCK;

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

    /// Where `target` would be if the records between lay evenly.
    fn point(&self, target: Timestamp) -> u64 {
        let part = fraction(self.low_time, target) / fraction(self.low_time, self.high_time);
        self.low + share(self.width(), part)
    }

    /// Whether a walk from `low` is short.
    fn is_near(&self, target: Timestamp, slack: SignedDuration) -> bool {
        let is_even = || self.width() <= EVEN && self.point(target) - self.low <= BLOCK;
        // The walk goes on for as long as the slack anyway.
        self.width() <= BLOCK || target.duration_since(self.low_time) <= slack / 4 || is_even()
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

impl Log<'_> {
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
    fn bracket(&self, target: Timestamp, from: u64, probes: &[Record]) -> Bracket {
        let is_low = |probe: &&Record| probe.time < target && probe.next >= from;
        let low = probes.iter().filter(is_low).max_by_key(|probe| probe.next);
        let (low, low_time) = low.map_or((from, self.first.time.min(target)), |low| (low.next, low.time));
        let is_high = |probe: &&Record| probe.time >= target && probe.start >= low;
        let high = probes.iter().filter(is_high).min_by_key(|probe| probe.start);
        let (high, high_time) = high.map_or((self.size, target), |high| (high.start, high.time));
        Bracket { low, low_time, high, high_time }
    }

    /// Tells a source that is far away what will be read, so that it is one request.
    fn announce(&self, bracket: &Bracket, far: Timestamp) {
        const MOST: f64 = 1024.0;
        let part = fraction(bracket.low_time, far) / fraction(bracket.low_time, bracket.high_time);
        let part = if part.is_finite() { part.clamp(0.0, MOST) } else { 1.0 };
        let whole = share(bracket.width().saturating_mul(1024), part / MOST);
        let end = bracket.low.saturating_add(whole).saturating_add(BLOCK).min(self.size);
        self.reader.source().advise(bracket.low..end);
    }
}

/// The next offset to look at: beyond the point by a little, so that the part shrinks from both sides.
fn guess(bracket: &Bracket, target: Timestamp, lean: i8) -> u64 {
    let point = bracket.point(target);
    let middle = match lean {
        0 => point.saturating_sub(BLOCK / 2),
        1.. => point + (point - bracket.low) / 8 + BLOCK / 2,
        _ => point.saturating_sub((bracket.high - point) / 8 + BLOCK / 2),
    };
    let edge = (BLOCK / 4).min(bracket.width() / 4);
    middle.clamp(bracket.low + edge, bracket.high - edge)
}
