//! Stretches of an object that have come or are on their way, each asked for once: some megabytes, the latest used.

use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use bytes::Bytes;

use super::fetch::Fetcher;
use super::read_ahead::ReadAhead;
use super::refusal;
use super::transport::runtime;
use crate::error::{Error, Result};

/// Bytes that are kept.
const ROOM: u64 = 32 << 20;

/// Bytes of which it is certain that they are still there after they have been read once, in order.
pub(super) const HELD: u64 = ROOM / 2;

/// What is held of an object.
#[derive(Debug)]
pub(super) struct Cache {
    fetcher: Arc<Fetcher>,
    state: Mutex<CacheState>,
}

#[derive(Debug, Default)]
struct CacheState {
    spans: Vec<CachedSpan>,
    read_ahead: ReadAhead,
    /// Why nothing more is asked for: whoever reads on would wait as long again for nothing.
    failed: Option<Error>,
    /// Counts reads, to tell what was used last.
    clock: u64,
}

/// A span that was asked for.
#[derive(Debug)]
struct CachedSpan {
    range: Range<u64>,
    bytes: Arc<PendingBytes>,
    /// When it was last read; nothing was of what was only fetched ahead.
    used: Option<u64>,
}

/// Where the bytes of a span come to.
#[derive(Debug, Default)]
struct PendingBytes {
    content: Mutex<Option<Result<SpanBytes>>>,
    came: Condvar,
}

/// Bytes as they came, each piece with the offset that it ends before.
#[derive(Clone, Debug)]
struct SpanBytes(Arc<Vec<(u64, Bytes)>>);

impl SpanBytes {
    fn new(start: u64, chunks: Vec<Bytes>) -> Self {
        let mut at = start;
        let chunks = chunks.into_iter().map(|chunk| {
            at += chunk.len() as u64;
            (at, chunk)
        });
        SpanBytes(Arc::new(chunks.collect()))
    }

    /// Copies what there is from `offset` on, which lies in the span.
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

/// That something is put into a bytes.
struct SettleOnDrop(Arc<PendingBytes>);

impl Drop for SettleOnDrop {
    fn drop(&mut self) {
        if !self.0.is_settled() {
            self.0.put(Err(refusal::network("the request was given up")));
        }
    }
}

impl PendingBytes {
    fn wait(&self) -> Result<SpanBytes> {
        let mut content = self.content.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match &*content {
                Some(result) => return result.clone(),
                None => content = self.came.wait(content).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    fn put(&self, result: Result<SpanBytes>) {
        *self.content.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        self.came.notify_all();
    }

    fn is_settled(&self) -> bool {
        self.content.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

impl Cache {
    /// A cache in which the bytes of `range` are already, behind which fetching `failed`, if it did.
    pub(super) fn new(
        fetcher: Arc<Fetcher>,
        range: Range<u64>,
        chunks: Vec<Bytes>,
        failed: Option<Error>,
    ) -> Self {
        let mut state = CacheState { failed, ..CacheState::default() };
        if range.start < range.end {
            let bytes = Arc::new(PendingBytes::default());
            bytes.put(Ok(SpanBytes::new(range.start, chunks)));
            state.spans.push(CachedSpan { range, bytes, used: None });
        }
        Cache { fetcher, state: Mutex::new(state) }
    }

    /// Says what will be read in order.
    pub(super) fn advise(&self, range: Range<u64>) {
        self.lock().read_ahead.advise(range);
    }

    /// Copies what is there of the object at `offset`, once it is there; 0 at its end.
    pub(super) fn read(&self, buffer: &mut [u8], offset: u64) -> Result<usize> {
        let end = self.fetcher.size;
        if buffer.is_empty() || offset >= end {
            return Ok(0);
        }
        let bytes = self.find(buffer.len() as u64, offset, end)?;
        let result = bytes.wait();
        if let Err(error) = &result {
            self.lock().failed.get_or_insert_with(|| error.clone());
        }
        Ok(result?.copy(buffer, offset))
    }

    /// The bytes of the span that holds `offset`, asked for if need be, and what is worth it behind that.
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

    /// Sets out to fetch `range`.
    fn start(&self, state: &mut CacheState, range: Range<u64>) -> Result<Arc<PendingBytes>> {
        let bytes = Arc::new(PendingBytes::default());
        state.spans.push(CachedSpan { range: range.clone(), bytes: Arc::clone(&bytes), used: None });
        let (fetcher, there) = (Arc::clone(&self.fetcher), Arc::clone(&bytes));
        runtime()?.spawn(async move {
            // Nobody waits for ever, whatever becomes of this.
            let promise = SettleOnDrop(there);
            let start = range.start;
            promise.0.put(fetcher.fetch(range).await.map(|chunks| SpanBytes::new(start, chunks)));
        });
        Ok(bytes)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, CacheState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CacheState {
    fn holds(&self, offset: u64) -> bool {
        self.spans.iter().any(|span| span.range.contains(&offset))
    }

    /// What nobody has asked for around `offset`, in an object that ends at `end`.
    fn gap(&self, offset: u64, end: u64) -> Range<u64> {
        let ends = self.spans.iter().map(|span| span.range.end);
        let starts = self.spans.iter().map(|span| span.range.start);
        let start = ends.filter(|end| *end <= offset).max().unwrap_or(0);
        start..starts.filter(|start| *start > offset).min().unwrap_or(end)
    }

    /// Drops what was read longest ago, but nothing that is still to be read, and not what is wanted now.
    fn make_room(&mut self, wanted: &Arc<PendingBytes>) {
        let mut held: u64 = self.spans.iter().map(|span| span.range.end - span.range.start).sum();
        while held > ROOM {
            let settled = self
                .spans
                .iter()
                .enumerate()
                .filter(|(_, span)| !Arc::ptr_eq(&span.bytes, wanted) && span.bytes.is_settled());
            // What was fetched ahead for a reader who went elsewhere goes last.
            let oldest = settled.min_by_key(|(_, span)| span.used.unwrap_or(u64::MAX));
            let Some((oldest, _)) = oldest else { return };
            let dropped = self.spans.swap_remove(oldest);
            held -= dropped.range.end - dropped.range.start;
        }
    }
}
