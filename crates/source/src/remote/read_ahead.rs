//! Decides which bytes to fetch: few requests for reads in order, few bytes for single reads.

use std::ops::Range;

use crate::object::FIRST_FETCH;

/// The least bytes per request: a smaller request costs about as much.
const BLOCK: u64 = FIRST_FETCH;

/// Extra bytes before and after a read: callers often look a little to both sides.
const AROUND: u64 = 4 << 10;

/// Read-ahead starts after so many bytes in order: a look-up ends earlier.
const IN_ORDER: u64 = 4 * BLOCK;

/// A read so near to the edge of its block gets the extra bytes.
const EDGE: u64 = 64;

const LARGEST_REQUEST: u64 = 4 << 20;

const MOST_AHEAD: u64 = 16 << 20;

#[derive(Debug, Default)]
pub(super) struct ReadAhead {
    /// What has been requested of the current run from front to back.
    run: Range<u64>,
    read: u64,
    /// What has been requested of the current run from back to front.
    back: Range<u64>,
    /// What the reader will read in order.
    advised: Range<u64>,
}

impl ReadAhead {
    pub(super) fn advise(&mut self, range: Range<u64>) {
        self.advised = range;
    }

    /// What to fetch for `wanted` bytes at `offset`, within `gap`, of which nothing was requested. Never empty.
    pub(super) fn miss(&mut self, offset: u64, wanted: u64, gap: &Range<u64>) -> Range<u64> {
        let wanted = wanted.clamp(1, LARGEST_REQUEST);
        let range = if self.advised.contains(&offset) {
            let end = self.advised.end.min(offset.saturating_add(LARGEST_REQUEST));
            self.around(offset, end.max(offset + 1), gap)
        } else if offset == self.run.end && offset > self.run.start {
            offset..offset.saturating_add(self.step(offset).max(BLOCK)).min(gap.end)
        } else if offset.saturating_add(wanted) >= self.back.start
            && self.back.start == gap.end
            && gap.end > 0
        {
            // Backwards, twice as many bytes each time.
            let step = (self.back.end - self.back.start).clamp(BLOCK, LARGEST_REQUEST);
            gap.end.saturating_sub(step).min(offset).max(gap.start)..gap.end
        } else {
            self.around(offset, offset.saturating_add(wanted), gap)
        };
        self.note(offset, &range);
        range
    }

    /// What to read ahead for a run that has been read up to `offset`; empty if that is enough. `end` is the end of the
    /// object, or the start of the next cached span.
    pub(super) fn further(&mut self, offset: u64, end: u64) -> Range<u64> {
        let nothing = 0..0;
        if !(self.run.start..=self.run.end).contains(&offset) {
            return nothing;
        }
        self.read = self.read.max(offset);
        let in_advised =
            self.advised.contains(&offset) || self.advised.end == offset && offset > self.advised.start;
        let (far, stop) = if in_advised {
            (MOST_AHEAD, self.advised.end.min(end))
        } else {
            // At most as much again as was read.
            (self.step(self.read).min(MOST_AHEAD), end)
        };
        let next = self.run.end;
        if next >= stop || next - offset >= far || !in_advised && self.read - self.run.start < IN_ORDER {
            return nothing;
        }
        let step =
            if in_advised { LARGEST_REQUEST } else { self.step(self.read).clamp(BLOCK, LARGEST_REQUEST) };
        let range = next..next.saturating_add(step).min(stop);
        self.run.end = range.end;
        range
    }

    pub(super) fn end(&self) -> u64 {
        self.run.end
    }

    fn step(&self, read: u64) -> u64 {
        read.saturating_sub(self.run.start).min(MOST_AHEAD)
    }

    /// At least a block around `start..end`, if `gap` has one.
    fn around(&self, start: u64, end: u64, gap: &Range<u64>) -> Range<u64> {
        let (from, to) = if end - start < BLOCK {
            // Whole blocks, the unit of the line index.
            let near = |at: u64| if at % BLOCK < EDGE || at % BLOCK > BLOCK - EDGE { AROUND } else { 0 };
            let block = start / BLOCK * BLOCK;
            let whole = end.div_ceil(BLOCK).saturating_mul(BLOCK);
            (block.saturating_sub(near(start)), whole.saturating_add(near(end)))
        } else {
            (start.saturating_sub(AROUND), end.saturating_add(AROUND))
        };
        let (from, to) = (from.max(gap.start), to.min(gap.end));
        // At the end of the gap, the block starts earlier.
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

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;
    const SIZE: u64 = 1 << 30;

    /// Reads `ranges` in order, `step` bytes at a time, with a cache that drops nothing; returns the requests.
    fn fetched(ranges: &[Range<u64>], step: u64, advised: bool) -> Vec<Range<u64>> {
        let mut read_ahead = ReadAhead::default();
        let mut there: Vec<Range<u64>> = Vec::new();
        let gap = |there: &[Range<u64>], at: u64| {
            let start = there.iter().map(|range| range.end).filter(|end| *end <= at).max().unwrap_or(0);
            start..there.iter().map(|range| range.start).filter(|start| *start > at).min().unwrap_or(SIZE)
        };
        for range in ranges {
            if advised {
                read_ahead.advise(range.clone());
            }
            let mut at = range.start;
            while at < range.end {
                let wanted = step.min(range.end - at);
                let held = there.iter().find(|held| held.contains(&at)).cloned();
                let held = held.unwrap_or_else(|| {
                    let gap = gap(&there, at);
                    let missed = read_ahead.miss(at, wanted, &gap);
                    assert!(
                        missed.contains(&at) && gap.start <= missed.start && missed.end <= gap.end,
                        "{missed:?}"
                    );
                    there.push(missed.clone());
                    missed
                });
                let reached = held.end.min(at + wanted);
                loop {
                    let from = read_ahead.end();
                    let is_held = from >= SIZE || there.iter().any(|range| range.contains(&from));
                    let further =
                        read_ahead.further(reached, if is_held { from } else { gap(&there, from).end });
                    if further.is_empty() {
                        break;
                    }
                    there.push(further);
                }
                at = reached;
            }
        }
        there
    }

    fn bytes(ranges: &[Range<u64>]) -> u64 {
        ranges.iter().map(|range| range.end - range.start).sum()
    }

    #[test]
    fn a_look_up_takes_few_bytes() {
        for (at, len) in
            [(500 * MIB + 7, 100), (500 * MIB, 65_536), (SIZE - 10, 10), (0, 1), (SIZE - 65_536, 65_536)]
        {
            let got = fetched(std::slice::from_ref(&(at..at + len)), 8192, false);
            assert!(got.len() <= 2 && bytes(&got) <= 3 * BLOCK, "{at}+{len}: {got:?}");
        }
        let got = fetched(std::slice::from_ref(&(500 * MIB..500 * MIB + 65_536)), 8192, true);
        assert!(got.len() == 1 && bytes(&got) <= 2 * BLOCK, "{got:?}");
    }

    #[test]
    fn reading_in_order_takes_few_requests_and_few_extra_bytes() {
        for len in [MIB, 10 * MIB, 300 * MIB] {
            let got = fetched(std::slice::from_ref(&(50 * MIB..50 * MIB + len)), 256 << 10, false);
            assert!(bytes(&got) <= 2 * len + LARGEST_REQUEST, "{len}: {}", bytes(&got));
            assert!(got.len() as u64 <= 12 + len / MIB, "{len}: {} requests", got.len());
            let got = fetched(std::slice::from_ref(&(50 * MIB..50 * MIB + len)), 256 << 10, true);
            assert!(bytes(&got) <= len + 2 * BLOCK, "{len}: {}", bytes(&got));
            assert!(got.len() as u64 <= 2 + len / LARGEST_REQUEST, "{len}: {} requests", got.len());
        }
    }

    #[test]
    fn reading_backwards_takes_few_requests() {
        let blocks: Vec<_> = (1..=400).map(|n| SIZE - n * 65_536..SIZE - (n - 1) * 65_536).collect();
        let got = fetched(&blocks, 65_536, false);
        assert!(got.len() < 20 && bytes(&got) < 60 * MIB, "{} requests of {} bytes", got.len(), bytes(&got));
    }

    #[test]
    fn requests_never_overlap() {
        let mut seed = 7u64;
        let mut random = move |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..200 {
            let ranges: Vec<_> = (0..20)
                .map(|_| {
                    let start = random(SIZE - 1);
                    start..(start + 1 + random(3 * MIB)).min(SIZE)
                })
                .collect();
            let mut got = fetched(&ranges, 1 + random(400_000), random(2) == 0);
            got.sort_by_key(|range| range.start);
            assert!(got.windows(2).all(|pair| pair[0].end <= pair[1].start), "{got:?}");
        }
    }
}
