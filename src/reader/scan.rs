//! Counting newlines block by block, in order, at memory speed; on all cores once a scan turns out long.

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use super::Reader;
use crate::error::{Error, Kind, Result};
use crate::newline;

/// A block that has been counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counted {
    pub(super) offset: u64,
    pub(super) len: usize,
    pub(super) newlines: u64,
}

/// What is done with each block, in the order of the file; it decides whether the scan goes on.
type Visit<'a> = dyn FnMut(Counted) -> Result<ControlFlow<()>> + 'a;

/// Blocks that one thread counts before it reports.
const STRIPE: u64 = 4;

/// Reports that one thread may be ahead of the visitor: bounds the work wasted by stopping early.
const AHEAD: usize = 4;

/// More threads than this only wait for the same memory.
const MAX_THREADS: usize = 8;

/// The first block is small: the line asked for is often among the first.
const FIRST_BLOCK: usize = 32 << 10;

impl Reader {
    /// Counts from `from` to the end of the source, or until the visitor has seen enough.
    pub(super) fn scan(&self, from: u64, visit: &mut Visit<'_>) -> Result<()> {
        let mut buffer = vec![0; self.tuning.block];
        let mut at = from;
        loop {
            if at - from >= self.tuning.fan_out_after
                && let Some(size) = self.known_size()
                && size.saturating_sub(at) >= self.tuning.fan_out_after
                && self.scan_on_all_cores(&mut at, size, visit)?
            {
                return Ok(());
            }
            let wanted = if at == from { buffer.len().min(FIRST_BLOCK) } else { buffer.len() };
            let got = self.read(&mut buffer[..wanted], at)?;
            if got == 0 {
                return Ok(());
            }
            let counted = Counted { offset: at, len: got, newlines: newline::count(&buffer[..got]) };
            self.note_scanned(got as u64);
            if visit(counted)?.is_break() {
                return Ok(());
            }
            at += got as u64;
        }
    }

    /// The same from `at` to `size` with several threads, each with every n-th stripe. Returns false,
    /// with `at` where it is, when the system gives no threads.
    fn scan_on_all_cores(&self, at: &mut u64, size: u64, visit: &mut Visit<'_>) -> Result<bool> {
        let threads = thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
        if threads < 2 {
            return Ok(false);
        }
        let stripe = STRIPE * self.tuning.block as u64;
        let start = *at;
        thread::scope(|scope| {
            let mut lanes: Vec<Receiver<Result<Vec<Counted>>>> = Vec::with_capacity(threads);
            for lane in 0..threads as u64 {
                let (report, reports) = sync_channel(AHEAD);
                let count_lane = move || {
                    let mut buffer = vec![0; self.tuning.block];
                    let stripes =
                        (lane..).step_by(threads).map(|n| start.saturating_add(n.saturating_mul(stripe)));
                    for from in stripes.take_while(|from| *from < size) {
                        let counted =
                            self.count_stripe(&mut buffer, from, size.min(from.saturating_add(stripe)));
                        // The visitor has gone once it has seen enough.
                        if report.send(counted).is_err() {
                            return;
                        }
                    }
                };
                if thread::Builder::new().spawn_scoped(scope, count_lane).is_err() {
                    return Ok(false);
                }
                lanes.push(reports);
            }
            for lane in (0..threads).cycle() {
                if *at >= size {
                    break;
                }
                let blocks =
                    lanes[lane].recv().map_err(|_| Error::new(Kind::Io, "a reading thread died"))??;
                for counted in blocks {
                    self.note_scanned(counted.len as u64);
                    *at = counted.offset + counted.len as u64;
                    if visit(counted)?.is_break() {
                        return Ok(true);
                    }
                }
            }
            Ok(true)
        })
    }

    fn count_stripe(&self, buffer: &mut [u8], from: u64, to: u64) -> Result<Vec<Counted>> {
        let mut blocks = Vec::with_capacity(buffer.len().min(8));
        let mut offset = from;
        while offset < to {
            let wanted = usize::try_from(to - offset).unwrap_or(usize::MAX).min(buffer.len());
            let len = self.read(&mut buffer[..wanted], offset)?;
            if len == 0 {
                break;
            }
            blocks.push(Counted { offset, len, newlines: newline::count(&buffer[..len]) });
            offset += len as u64;
        }
        Ok(blocks)
    }
}
