//! Scans the source block by block, in order; on all cores once a scan turns out long.

use std::ops::{ControlFlow, Range};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::Reader;
use crate::index;
use rread_source::limits::processors;
use rread_source::memory::Buffer;
use rread_text::{Error, Kind, Result, Units};

#[derive(Clone, Copy, Debug)]
pub(crate) struct CountedBlock {
    pub(crate) offset: u64,
    pub(crate) len: usize,
    pub(crate) newlines: u64,
    /// From [`Units::fingerprint`] if the index learns from this scan; else 0.
    pub(crate) fingerprint: u64,
}

/// A finding of a scan about some bytes of the source.
pub(super) trait ScanPiece: Send {
    fn bytes(&self) -> Range<u64>;
}

impl ScanPiece for CountedBlock {
    fn bytes(&self) -> Range<u64> {
        self.offset..self.offset + self.len as u64
    }
}

/// Adds the pieces of the bytes at an offset. Each thread has its own, and calls it with ascending offsets.
pub(super) type FindPieces<'a, T> = dyn FnMut(&[u8], u64, &mut Vec<T>) -> Result<()> + 'a;

/// Makes a [`FindPieces`] for each thread.
pub(super) type MakeFinder<'a, T> = dyn Fn() -> Box<FindPieces<'a, T>> + Sync + 'a;

type VisitPieces<'a, T> = dyn FnMut(T) -> Result<ControlFlow<()>> + 'a;

/// Reads of one thread per report: with less than 4 MiB, waking threads costs more than it saves.
const STRIPE: u64 = 16;

/// More threads only wait for the same memory.
const MAX_THREADS: usize = 8;

/// The first read is small: the requested line is often among the first.
const FIRST_READ: usize = index::INDEX_BLOCK;

impl Reader {
    /// Counts from `from` to the end of the source, or until the visitor stops.
    pub(super) fn scan(&self, from: u64, visit: &mut VisitPieces<'_, CountedBlock>) -> Result<()> {
        let (units, learns) = (self.units(), self.learns());
        self.scan_with(from, true, visit, &move || {
            Box::new(move |bytes, offset, counted| {
                counted.extend(count_blocks(bytes, offset, units, learns));
                Ok(())
            })
        })
    }

    /// Reads from `from` to the end of the source, or until the visitor stops. It gets the pieces in order, also if several
    /// threads find them, which `may_fan_out` allows.
    pub(super) fn scan_with<T: ScanPiece>(
        &self,
        from: u64,
        may_fan_out: bool,
        visit: &mut VisitPieces<'_, T>,
        finder: &MakeFinder<'_, T>,
    ) -> Result<()> {
        // A sequential source (decoded, or fetched in order) gains nothing from more threads.
        let may_fan_out = may_fan_out && !self.source.info().is_sequential;
        let block = self.block();
        let mut buffer = Buffer::new(block);
        let (mut find, mut pieces) = (finder(), Vec::new());
        let mut at = from;
        loop {
            if may_fan_out
                && at - from >= self.tuning.fan_out_after
                && let Some(size) = self.known_size()
                && size.saturating_sub(at) >= self.tuning.fan_out_after
                && self.scan_on_all_cores(&mut at, size, visit, finder)?
            {
                return Ok(());
            }
            // A short read must not shift all blocks after it.
            let aligned = block - usize::try_from(at % index::INDEX_BLOCK as u64).unwrap_or(0) % block;
            let wanted = if at == from { aligned.min(FIRST_READ) } else { aligned };
            let got = self.read_units(buffer.at(at, wanted), at)?;
            if got == 0 {
                return Ok(());
            }
            find(&buffer[..got], at, &mut pieces)?;
            for piece in pieces.drain(..) {
                self.note_piece(&piece);
                if visit(piece)?.is_break() {
                    return Ok(());
                }
            }
            at += got as u64;
        }
    }

    fn note_piece(&self, piece: &impl ScanPiece) {
        let bytes = piece.bytes();
        self.note_scanned(bytes.end - bytes.start);
    }

    /// As [`Reader::scan_with`] from `at` to `size` with several threads, each on every n-th stripe. Returns false with
    /// `at` unmoved if the system has no threads to spare.
    fn scan_on_all_cores<T: ScanPiece>(
        &self,
        at: &mut u64,
        size: u64,
        visit: &mut VisitPieces<'_, T>,
        finder: &MakeFinder<'_, T>,
    ) -> Result<bool> {
        let stripe = STRIPE * self.block() as u64;
        let start = *at;
        let scan = |lane: usize, lanes: usize, report: &SyncSender<Vec<Result<T>>>| {
            let (mut buffer, mut find) = (Buffer::new(self.block()), finder());
            let numbers = (lane as u64..).step_by(lanes);
            let starts = numbers.map(|n| start.saturating_add(n.saturating_mul(stripe)));
            for from in starts.take_while(|from| *from < size) {
                let to = size.min(from.saturating_add(stripe));
                if report.send(self.scan_stripe(&mut buffer, from, to, &mut *find)).is_err() {
                    return;
                }
            }
        };
        let gathered = fan_out(0, scan, |lanes| {
            for lane in lanes.iter().cycle() {
                if *at >= size {
                    break;
                }
                for piece in receive(lane)? {
                    let piece = piece?;
                    self.note_piece(&piece);
                    *at = piece.bytes().end;
                    if visit(piece)?.is_break() {
                        return Ok(());
                    }
                }
            }
            Ok(())
        })?;
        Ok(gathered.is_some())
    }

    /// The pieces of a stripe; a fault takes the place of the block that it spoils.
    fn scan_stripe<T: ScanPiece>(
        &self,
        buffer: &mut Buffer,
        from: u64,
        to: u64,
        find: &mut FindPieces<'_, T>,
    ) -> Vec<Result<T>> {
        let (mut pieces, mut found) = (Vec::new(), Vec::new());
        let mut offset = from;
        while offset < to {
            let wanted = usize::try_from(to - offset).unwrap_or(usize::MAX).min(self.block());
            let read = self.read_units(buffer.at(offset, wanted), offset);
            let read = read.and_then(|got| {
                self.must_go_on(got, offset)?;
                find(&buffer[..got], offset, &mut found)?;
                Ok(got)
            });
            match read {
                Err(fault) => {
                    pieces.push(Err(fault));
                    break;
                }
                Ok(got) => {
                    pieces.extend(found.drain(..).map(Ok));
                    offset += got as u64;
                }
            }
        }
        pieces
    }
}

/// Runs `work` on several threads, each of which is a lane with a number, and `gather` on this one, which gets the ends of
/// their channels. All lanes together may be `ahead` messages ahead, and each of them one. `None` if there are no threads
/// to spare.
pub(crate) fn fan_out<T: Send, R>(
    ahead: usize,
    work: impl Fn(usize, usize, &SyncSender<T>) + Sync,
    gather: impl FnOnce(Vec<Receiver<T>>) -> Result<R>,
) -> Result<Option<R>> {
    let threads = processors().min(MAX_THREADS);
    if threads < 2 {
        return Ok(None);
    }
    let work = &work;
    thread::scope(|scope| {
        let mut lanes = Vec::with_capacity(threads);
        for lane in 0..threads {
            let (sender, receiver) = sync_channel((ahead / threads).max(1));
            let run = move || work(lane, threads, &sender);
            if thread::Builder::new().spawn_scoped(scope, run).is_err() {
                return Ok(None);
            }
            lanes.push(receiver);
        }
        // The receivers are dropped here, so that lanes that are still ahead stop.
        gather(lanes).map(Some)
    })
}

/// The next message of a lane.
pub(crate) fn receive<T>(lane: &Receiver<T>) -> Result<T> {
    lane.recv().map_err(|_| Error::new(Kind::Io, "a reader thread panicked"))
}

pub(crate) fn count_blocks(
    bytes: &[u8],
    offset: u64,
    units: Units,
    learns: bool,
) -> impl Iterator<Item = CountedBlock> {
    let starts = (0u64..).map(move |n| offset + n * index::INDEX_BLOCK as u64);
    bytes.chunks(index::INDEX_BLOCK).zip(starts).map(move |(block, offset)| {
        let (newlines, fingerprint) = if learns { units.fingerprint(block) } else { (units.count(block), 0) };
        CountedBlock { offset, len: block.len(), newlines, fingerprint }
    })
}
