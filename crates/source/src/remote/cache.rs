//! Caches byte spans of an object that came or were requested, so that each is requested once.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use bytes::Bytes;

use super::fetch::Fetcher;
use super::network_errors;
use super::read_ahead::ReadAhead;
use super::transport::runtime;
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
        self.lock().read_ahead.advise(range);
    }

    pub(super) fn read(&self, buffer: &mut [u8], offset: u64) -> Result<usize> {
        let end = self.fetcher.size;
        if buffer.is_empty() || offset >= end {
            return Ok(0);
        }
        match self.find(buffer.len() as u64, offset, end)?.wait() {
            Ok(bytes) => Ok(bytes.copy(buffer, offset)),
            Err(error) => {
                self.lock().failed.get_or_insert_with(|| error.clone());
                Err(error.clone())
            }
        }
    }

    /// The bytes of the span that contains `offset`; requests the span if necessary, and reads ahead.
    fn find(&self, wanted: u64, offset: u64, end: u64) -> Result<Arc<PendingBytes>> {
        let mut state = self.lock();
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
            let gap_end = if from < end && !state.holds(from) { state.gap(from, end).end } else { from };
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

    fn lock(&self) -> MutexGuard<'_, CacheState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CacheState {
    fn holds(&self, offset: u64) -> bool {
        self.spans.iter().any(|span| span.range.contains(&offset))
    }

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
