//! Caches byte spans of an object, so that each is requested once, and decides what to read ahead.

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock};

use bytes::Bytes;

use super::fetch::Fetcher;
use super::network_errors;
use super::transport::runtime;
use crate::lock;
use crate::object::FIRST_FETCH;
use rread_text::error::{Error, Result};

const CACHE_SIZE: u64 = 32 << 20;

/// Bytes that are certainly still in the cache after one read in order.
pub(super) const HELD: u64 = CACHE_SIZE / 2;

#[derive(Debug)]
pub(super) struct Cache {
    pub(super) fetcher: Arc<Fetcher>,
    state: Mutex<CacheState>,
}

#[derive(Debug, Default)]
struct CacheState {
    spans: Vec<CachedSpan>,
    read_ahead: ReadAhead,
    /// The first failure, which ends all requests: the next would wait as long and fail too.
    failed: Option<Error>,
    clock: u64,
}

#[derive(Debug)]
struct CachedSpan {
    range: Range<u64>,
    bytes: Arc<PendingBytes>,
    /// The clock at the last read; none if the span was only read ahead.
    used: Option<u64>,
}

type PendingBytes = OnceLock<Result<SpanBytes>>;

/// Chunks as they came, each with the offset of its end.
#[derive(Debug)]
struct SpanBytes(Vec<(u64, Bytes)>);

impl SpanBytes {
    fn new(start: u64, chunks: Vec<Bytes>) -> Self {
        let mut at = start;
        let chunks = chunks.into_iter().map(|chunk| {
            at += chunk.len() as u64;
            (at, chunk)
        });
        SpanBytes(chunks.collect())
    }

    fn copy(&self, buffer: &mut [u8], offset: u64) -> usize {
        let first = self.0.partition_point(|(end, _)| *end <= offset);
        let mut filled = 0;
        for (end, chunk) in &self.0[first..] {
            let start = *end - chunk.len() as u64;
            let skipped = usize::try_from((offset + filled as u64) - start).unwrap_or(chunk.len());
            let there = &chunk[skipped..];
            let taken = there.len().min(buffer.len() - filled);
            buffer[filled..filled + taken].copy_from_slice(&there[..taken]);
            filled += taken;
            if filled == buffer.len() {
                break;
            }
        }
        filled
    }
}

/// Settles a span whose task ended early, so that nobody waits forever.
struct SettleOnDrop(Arc<PendingBytes>);

impl Drop for SettleOnDrop {
    fn drop(&mut self) {
        let _ = self.0.set(Err(network_errors::network("the request was cancelled")));
    }
}

impl Cache {
    /// A cache with the first bytes of the object; `failed` is the failure after them, if any.
    pub(super) fn new(fetcher: Fetcher, chunks: Vec<Bytes>, failed: Option<Error>) -> Self {
        let mut state = CacheState { failed, ..CacheState::default() };
        let bytes = SpanBytes::new(0, chunks);
        if let Some((end, _)) = bytes.0.last() {
            let range = 0..*end;
            state.spans.push(CachedSpan { range, bytes: Arc::new(OnceLock::from(Ok(bytes))), used: None });
        }
        Cache { fetcher: Arc::new(fetcher), state: Mutex::new(state) }
    }

    pub(super) fn advise(&self, range: Range<u64>) {
        lock(&self.state).read_ahead.advise(range);
    }

    pub(super) fn read(&self, buffer: &mut [u8], offset: u64) -> Result<usize> {
        let end = self.fetcher.size;
        if buffer.is_empty() || offset >= end {
            return Ok(0);
        }
        match self.find(buffer.len() as u64, offset, end)?.wait() {
            Ok(bytes) => Ok(bytes.copy(buffer, offset)),
            Err(error) => {
                lock(&self.state).failed.get_or_insert_with(|| error.clone());
                Err(error.clone())
            }
        }
    }

    /// The bytes of the span that contains `offset`; requests the span if necessary, and reads ahead.
    fn find(&self, wanted: u64, offset: u64, end: u64) -> Result<Arc<PendingBytes>> {
        let mut state = lock(&self.state);
        state.clock += 1;
        let clock = state.clock;
        let there = state.spans.iter_mut().find(|span| span.range.contains(&offset));
        let (bytes, reached) = match there {
            Some(span) => {
                span.used = Some(clock);
                (Arc::clone(&span.bytes), span.range.end.min(offset.saturating_add(wanted)))
            }
            None => {
                if let Some(error) = &state.failed {
                    return Err(error.clone());
                }
                let gap = state.gap(offset, end);
                let range = state.read_ahead.miss(offset, wanted, &gap);
                let reached = range.end.min(offset.saturating_add(wanted));
                let bytes = self.start(&mut state, range)?;
                if let Some(span) = state.spans.last_mut() {
                    span.used = Some(clock);
                }
                (bytes, reached)
            }
        };
        while state.failed.is_none() {
            let from = state.read_ahead.end();
            let is_held = state.spans.iter().any(|span| span.range.contains(&from));
            let gap_end = if from < end && !is_held { state.gap(from, end).end } else { from };
            let range = state.read_ahead.further(reached, gap_end);
            if range.is_empty() {
                break;
            }
            self.start(&mut state, range)?;
        }
        state.make_room(&bytes);
        Ok(bytes)
    }

    fn start(&self, state: &mut CacheState, range: Range<u64>) -> Result<Arc<PendingBytes>> {
        let runtime = runtime()?;
        let bytes = Arc::new(PendingBytes::new());
        state.spans.push(CachedSpan { range: range.clone(), bytes: Arc::clone(&bytes), used: None });
        let (fetcher, pending) = (Arc::clone(&self.fetcher), SettleOnDrop(Arc::clone(&bytes)));
        runtime.spawn(async move {
            let (start, mut chunks) = (range.start, Vec::new());
            let fetched = fetcher.fetch(range, &mut chunks, None).await;
            let _ = pending.0.set(fetched.map(|()| SpanBytes::new(start, chunks)));
        });
        Ok(bytes)
    }
}

impl CacheState {
    fn gap(&self, offset: u64, end: u64) -> Range<u64> {
        let ends = self.spans.iter().map(|span| span.range.end);
        let starts = self.spans.iter().map(|span| span.range.start);
        let start = ends.filter(|end| *end <= offset).max().unwrap_or(0);
        start..starts.filter(|start| *start > offset).min().unwrap_or(end)
    }

    /// Drops the least recently read spans, but not `wanted` and none that is still on its way.
    fn make_room(&mut self, wanted: &Arc<PendingBytes>) {
        let mut held: u64 = self.spans.iter().map(|span| span.range.end - span.range.start).sum();
        while held > CACHE_SIZE {
            let settled = self
                .spans
                .iter()
                .enumerate()
                .filter(|(_, span)| !Arc::ptr_eq(&span.bytes, wanted) && span.bytes.get().is_some());
            // Spans that were only read ahead go last: most of them are still to be read.
            let oldest = settled.min_by_key(|(_, span)| span.used.unwrap_or(u64::MAX));
            let Some((oldest, _)) = oldest else { return };
            let dropped = self.spans.swap_remove(oldest);
            held -= dropped.range.end - dropped.range.start;
        }
    }
}

/// The least bytes per request: a smaller request costs about as much.
const CACHE_BLOCK: u64 = FIRST_FETCH;

/// Extra bytes before and after a read: callers often look a little to both sides.
const AROUND: u64 = 4 << 10;

/// Read-ahead starts after so many bytes in order: a look-up ends earlier.
const IN_ORDER: u64 = 4 * CACHE_BLOCK;

/// A read so near to the edge of its block gets the extra bytes.
const EDGE: u64 = 64;

const MAX_REQUEST: u64 = 4 << 20;

const MAX_AHEAD: u64 = 16 << 20;

#[derive(Debug, Default)]
pub(super) struct ReadAhead {
    /// The part of the current run that was requested from front to back.
    run: Range<u64>,
    read: u64,
    /// The part of the current run that was requested from back to front.
    back: Range<u64>,
    /// The part that the reader will read in order.
    advised: Range<u64>,
}

impl ReadAhead {
    pub(super) fn advise(&mut self, range: Range<u64>) {
        self.advised = range;
    }

    /// The part to fetch for `wanted` bytes at `offset`, within `gap`, of which nothing was requested. Never empty.
    pub(super) fn miss(&mut self, offset: u64, wanted: u64, gap: &Range<u64>) -> Range<u64> {
        let wanted = wanted.clamp(1, MAX_REQUEST);
        let range = if self.advised.contains(&offset) {
            let end = self.advised.end.min(offset.saturating_add(MAX_REQUEST));
            self.around(offset, end.max(offset + 1), gap)
        } else if offset == self.run.end && offset > self.run.start {
            offset..offset.saturating_add(self.step(offset).max(CACHE_BLOCK)).min(gap.end)
        } else if offset.saturating_add(wanted) >= self.back.start
            && self.back.start == gap.end
            && gap.end > 0
        {
            // Backwards, twice as many bytes each time.
            let step = (self.back.end - self.back.start).clamp(CACHE_BLOCK, MAX_REQUEST);
            gap.end.saturating_sub(step).min(offset).max(gap.start)..gap.end
        } else {
            self.around(offset, offset.saturating_add(wanted), gap)
        };
        self.note(offset, &range);
        range
    }

    /// The part to read ahead for a run that has been read up to `offset`; empty if that is enough. `end` is the end of the
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
            (MAX_AHEAD, self.advised.end.min(end))
        } else {
            // At most as much again as was read.
            (self.step(self.read).min(MAX_AHEAD), end)
        };
        let next = self.run.end;
        if next >= stop || next - offset >= far || !in_advised && self.read - self.run.start < IN_ORDER {
            return nothing;
        }
        let step =
            if in_advised { MAX_REQUEST } else { self.step(self.read).clamp(CACHE_BLOCK, MAX_REQUEST) };
        let range = next..next.saturating_add(step).min(stop);
        self.run.end = range.end;
        range
    }

    pub(super) fn end(&self) -> u64 {
        self.run.end
    }

    fn step(&self, read: u64) -> u64 {
        read.saturating_sub(self.run.start).min(MAX_AHEAD)
    }

    /// At least a block around `start..end`, if `gap` has one.
    fn around(&self, start: u64, end: u64, gap: &Range<u64>) -> Range<u64> {
        let (from, to) = if end - start < CACHE_BLOCK {
            // Whole blocks, the unit of the line index.
            let near = |at: u64| {
                if at % CACHE_BLOCK < EDGE || at % CACHE_BLOCK > CACHE_BLOCK - EDGE { AROUND } else { 0 }
            };
            let block = start / CACHE_BLOCK * CACHE_BLOCK;
            let whole = end.div_ceil(CACHE_BLOCK).saturating_mul(CACHE_BLOCK);
            (block.saturating_sub(near(start)), whole.saturating_add(near(end)))
        } else {
            (start.saturating_sub(AROUND), end.saturating_add(AROUND))
        };
        let (from, to) = (from.max(gap.start), to.min(gap.end));
        // At the end of the gap, the block starts earlier.
        let from = from.min(to.saturating_sub(CACHE_BLOCK)).max(gap.start);
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
            assert!(got.len() <= 2 && bytes(&got) <= 3 * CACHE_BLOCK, "{at}+{len}: {got:?}");
        }
        let got = fetched(std::slice::from_ref(&(500 * MIB..500 * MIB + 65_536)), 8192, true);
        assert!(got.len() == 1 && bytes(&got) <= 2 * CACHE_BLOCK, "{got:?}");
    }

    #[test]
    fn reading_in_order_takes_few_requests_and_few_extra_bytes() {
        for len in [MIB, 10 * MIB, 300 * MIB] {
            let got = fetched(std::slice::from_ref(&(50 * MIB..50 * MIB + len)), 256 << 10, false);
            assert!(bytes(&got) <= 2 * len + MAX_REQUEST, "{len}: {}", bytes(&got));
            assert!(got.len() as u64 <= 12 + len / MIB, "{len}: {} requests", got.len());
            let got = fetched(std::slice::from_ref(&(50 * MIB..50 * MIB + len)), 256 << 10, true);
            assert!(bytes(&got) <= len + 2 * CACHE_BLOCK, "{len}: {}", bytes(&got));
            assert!(got.len() as u64 <= 2 + len / MAX_REQUEST, "{len}: {} requests", got.len());
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
