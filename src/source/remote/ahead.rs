//! What to fetch, and what ahead of being asked: few requests for those who read in order, few bytes for the others.

use std::ops::Range;

use crate::source::object::FIRST_FETCH;

/// The least that is fetched at a time: what costs about as much as asking.
pub(super) const BLOCK: u64 = FIRST_FETCH;

/// What is fetched around a place that is asked for: whoever asks often looks a little before and behind it.
const AROUND: u64 = 4 << 10;

/// Read so much in order, and it is worth fetching ahead: whoever looks something up stops before that.
const IN_ORDER: u64 = 4 * BLOCK;

/// The most that is fetched by one request.
pub(super) const LARGEST: u64 = 4 << 20;

/// The most that is fetched before it is asked for.
const FARTHEST: u64 = 16 << 20;

/// A reader's way through an object.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    /// Where the present run from front to back began, and what has been asked for of it.
    run: Range<u64>,
    /// How far it has been read.
    read: u64,
    /// Where the present run from back to front began, and what has been asked for of it.
    back: Range<u64>,
    /// What is about to be read in order, as far as that was said.
    advised: Range<u64>,
}

impl Ahead {
    /// Takes note of what will be read in order.
    pub(super) fn advise(&mut self, range: Range<u64>) {
        self.advised = range;
    }

    /// What to fetch for `wanted` bytes at `offset`, which lie in `gap`: bytes that nobody has asked for. Never empty.
    pub(super) fn miss(&mut self, offset: u64, wanted: u64, gap: &Range<u64>) -> Range<u64> {
        let wanted = wanted.clamp(1, LARGEST);
        let range = if self.advised.contains(&offset) {
            let end = self.advised.end.min(offset.saturating_add(LARGEST));
            self.around(offset, end.max(offset + 1), gap)
        } else if offset == self.run.end && offset > self.run.start {
            offset..offset.saturating_add(self.step(offset).max(BLOCK)).min(gap.end)
        } else if offset.saturating_add(wanted) >= self.back.start
            && self.back.start == gap.end
            && gap.end > 0
        {
            // Backwards, twice as much each time.
            let step = (self.back.end - self.back.start).clamp(BLOCK, LARGEST);
            gap.end.saturating_sub(step).min(offset).max(gap.start)..gap.end
        } else {
            self.around(offset, offset.saturating_add(wanted), gap)
        };
        self.note(offset, &range);
        range
    }

    /// What to fetch now so that it is there when a run that has been read up to `offset` goes on; empty when that is
    /// enough already. `end` is where the object ends, or where what is there already begins.
    pub(super) fn further(&mut self, offset: u64, end: u64) -> Range<u64> {
        let nothing = 0..0;
        if !(self.run.start..=self.run.end).contains(&offset) {
            return nothing;
        }
        self.read = self.read.max(offset);
        let in_advised =
            self.advised.contains(&offset) || self.advised.end == offset && offset > self.advised.start;
        let (far, stop) = if in_advised {
            (FARTHEST, self.advised.end.min(end))
        } else {
            // Nothing is fetched ahead that is not small beside what was read.
            (self.step(self.read).min(FARTHEST), end)
        };
        let next = self.run.end;
        if next >= stop || next - offset >= far || !in_advised && self.read - self.run.start < IN_ORDER {
            return nothing;
        }
        let step = if in_advised { LARGEST } else { self.step(self.read).clamp(BLOCK, LARGEST) };
        let range = next..next.saturating_add(step).min(stop);
        self.run.end = range.end;
        range
    }

    /// Where what has been asked for of the present run ends.
    pub(super) fn end(&self) -> u64 {
        self.run.end
    }

    /// As much again as has been read by now.
    fn step(&self, read: u64) -> u64 {
        read.saturating_sub(self.run.start).min(FARTHEST)
    }

    /// At least a block around `start..end`, within `gap`.
    fn around(&self, start: u64, end: u64, gap: &Range<u64>) -> Range<u64> {
        let from = start.saturating_sub(AROUND).max(gap.start);
        let to = end.saturating_add(AROUND).max(from.saturating_add(BLOCK)).min(gap.end);
        // Where it cannot be had behind, it is had before.
        let from = from.min(to.saturating_sub(BLOCK)).max(gap.start);
        from..to
    }

    fn note(&mut self, offset: u64, range: &Range<u64>) {
        let goes_on = range.start == self.run.end && range.start > 0;
        self.run = if goes_on { self.run.start..range.end } else { range.clone() };
        self.read = if goes_on { self.read.max(offset) } else { offset };
        let goes_back = range.end == self.back.start && range.end > 0;
        self.back = if goes_back { range.start..self.back.end } else { range.clone() };
    }
}
