//! Counting newlines block by block, in order; on all cores once a scan turns out long.

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use super::Reader;
use crate::index;
use rread_source::buffer::Buffer;
use rread_text::error::{Error, Kind, Result};
use rread_text::newline::Units;

#[derive(Clone, Copy, Debug)]
pub(crate) struct CountedBlock {
    pub(crate) offset: u64,
    pub(crate) len: usize,
    pub(crate) newlines: u64,
    /// From [`Units::fingerprint`] if the index learns from this scan; else 0.
    pub(crate) fingerprint: u64,
}

type VisitBlocks<'a> = dyn FnMut(CountedBlock) -> Result<ControlFlow<()>> + 'a;

/// Reads of one thread per report: with less than 4 MiB, waking threads costs more than it saves.
const STRIPE: u64 = 16;

/// Reports that a thread may be ahead of the visitor: bounds the work lost when it stops early.
const AHEAD: usize = 1;

/// More threads only wait for the same memory.
const MAX_THREADS: usize = 8;

/// The first read is small: the requested line is often among the first.
const FIRST_READ: usize = index::BLOCK;

impl Reader {
    /// Counts from `from` to the end of the source, or until the visitor stops.
    pub(super) fn scan(&self, from: u64, visit: &mut VisitBlocks<'_>) -> Result<()> {
        let learns = self.learns();
        let block = self.block();
        let mut buffer = Buffer::new(block);
        let mut at = from;
        loop {
            // A sequential source (decoded, or fetched in order) gains nothing from more threads.
            if at - from >= self.tuning.fan_out_after
                && !self.source.info().is_sequential
                && let Some(size) = self.known_size()
                && size.saturating_sub(at) >= self.tuning.fan_out_after
                && self.scan_on_all_cores(&mut at, size, learns, visit)?
            {
                return Ok(());
            }
            // A short read must not shift all blocks after it.
            let aligned = block - usize::try_from(at % index::BLOCK as u64).unwrap_or(0) % block;
            let wanted = if at == from { aligned.min(FIRST_READ) } else { aligned };
            let got = self.read_units(buffer.at(at, wanted), at)?;
            if got == 0 {
                return Ok(());
            }
            for counted in count_blocks(&buffer[..got], at, self.units(), learns) {
                self.note_scanned(counted.len as u64);
                if visit(counted)?.is_break() {
                    return Ok(());
                }
            }
            at += got as u64;
        }
    }

    /// As [`Reader::scan`] from `at` to `size` with several threads, each on every n-th stripe. Returns false with
    /// `at` unmoved if the system has no threads to spare.
    fn scan_on_all_cores(
        &self,
        at: &mut u64,
        size: u64,
        learns: bool,
        visit: &mut VisitBlocks<'_>,
    ) -> Result<bool> {
        let threads = thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
        if threads < 2 {
            return Ok(false);
        }
        let stripe = STRIPE * self.block() as u64;
        let start = *at;
        thread::scope(|scope| {
            let mut lanes: Vec<Receiver<Vec<Result<CountedBlock>>>> = Vec::with_capacity(threads);
            for lane in 0..threads as u64 {
                let (report, reports) = sync_channel(AHEAD);
                let count_lane = move || {
                    let mut buffer = Buffer::new(self.block());
                    let stripes =
                        (lane..).step_by(threads).map(|n| start.saturating_add(n.saturating_mul(stripe)));
                    for from in stripes.take_while(|from| *from < size) {
                        let to = size.min(from.saturating_add(stripe));
                        let blocks = self.count_stripe(&mut buffer, from, to, learns);
                        if report.send(blocks).is_err() {
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
                let died = |_| Error::new(Kind::Io, "a reader thread panicked");
                for counted in lanes[lane].recv().map_err(died)? {
                    let counted = counted?;
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

    pub(super) fn count_and_learn(&self, bytes: &[u8], offset: u64) -> u64 {
        let learns = self.learns();
        let blocks = count_blocks(bytes, offset, self.units(), learns);
        blocks.inspect(|counted| self.learn(counted)).map(|counted| counted.newlines).sum()
    }

    /// Counts the blocks of a stripe; a fault takes the slot of the block that it spoils.
    fn count_stripe(
        &self,
        buffer: &mut Buffer,
        from: u64,
        to: u64,
        learns: bool,
    ) -> Vec<Result<CountedBlock>> {
        let mut blocks = Vec::new();
        let mut offset = from;
        while offset < to {
            let wanted = usize::try_from(to - offset).unwrap_or(usize::MAX).min(self.block());
            let read = self.read_units(buffer.at(offset, wanted), offset);
            match read.and_then(|got| self.must_go_on(got, offset).map(|()| got)) {
                Err(fault) => {
                    blocks.push(Err(fault));
                    break;
                }
                Ok(got) => {
                    blocks.extend(count_blocks(&buffer[..got], offset, self.units(), learns).map(Ok));
                    offset += got as u64;
                }
            }
        }
        blocks
    }
}

pub(crate) fn count_blocks(
    bytes: &[u8],
    offset: u64,
    units: Units,
    learns: bool,
) -> impl Iterator<Item = CountedBlock> {
    let starts = (0u64..).map(move |n| offset + n * index::BLOCK as u64);
    bytes.chunks(index::BLOCK).zip(starts).map(move |(block, offset)| {
        let (newlines, fingerprint) = if learns { units.fingerprint(block) } else { (units.count(block), 0) };
        CountedBlock { offset, len: block.len(), newlines, fingerprint }
    })
}
