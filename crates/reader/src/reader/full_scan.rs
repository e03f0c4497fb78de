//! The full scan: lines, line ends, the longest line and invalid sequences of a file.

use std::ops::{ControlFlow, Range};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::Reader;
use crate::index;
use rread_source::limits::processors;
use rread_source::memory::Buffer;
use rread_text::encoding::MAX_CHARACTER;
use rread_text::sniff::is_control;
use rread_text::{Encoding, Error, Kind, Result, Run, TextDecoder, Units};

/// The longest line of a file, and the first of equals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Longest {
    /// Its number, from 1; 0 if the file has no line.
    pub line: u64,
    /// Its length in bytes, without its `\n`.
    pub bytes: u64,
}

/// Invalid sequences, counted as Unicode's maximal subparts, or characters that are odd.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Invalid {
    /// How many there are.
    pub count: u64,
    /// The offset of the first.
    pub first_byte: Option<u64>,
}

impl Invalid {
    /// Counts one at `offset`.
    pub fn add(&mut self, offset: u64) {
        self.count += 1;
        self.first_byte.get_or_insert(offset);
    }

    /// Adds those of a block after the others.
    fn join(&mut self, block: Invalid) {
        self.count += block.count;
        self.first_byte = self.first_byte.or(block.first_byte);
    }

    /// The units of `block` at `at` whose byte is odd.
    fn odd(units: Units, block: &[u8], at: u64, is_odd: impl Fn(u8) -> bool) -> Self {
        // A byte holds the count of a part, so that vector code adds up.
        const PART: usize = 128;
        let in_part = |part: &[u8]| part.iter().map(|byte| u8::from(is_odd(*byte))).sum::<u8>();
        let is_unit = |unit: &[u8]| match units.width {
            1 => unit.iter().all(|byte| is_odd(*byte)),
            _ => units.code(unit).is_some_and(|c| u8::try_from(c).is_ok_and(&is_odd)),
        };
        let count = match units.width {
            1 => block.chunks(PART).map(|part| u64::from(in_part(part))).sum(),
            width => block.chunks(width).filter(|unit| is_unit(unit)).count() as u64,
        };
        let first =
            || block.chunks(units.width).position(is_unit).map(|unit| at + (unit * units.width) as u64);
        Invalid { count, first_byte: if count > 0 { first() } else { None } }
    }
}

/// The counts of a full scan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FullScan {
    /// Lines.
    pub lines: u64,
    /// Newlines without a carriage return.
    pub lf: u64,
    /// Newlines after a carriage return.
    pub crlf: u64,
    /// Whether there are carriage returns, in text without a newline.
    pub has_returns: bool,
    /// The longest line.
    pub longest: Longest,
    /// Bytes that are not text in the encoding.
    pub invalid: Invalid,
    /// NULs, and other control characters that are unusual in text.
    pub odd: [Invalid; 2],
}

/// The share of one block in a full scan, whatever is before it.
struct ScannedBlock {
    bytes: Range<u64>,
    counted: Vec<CountedBlock>,
    newlines: u64,
    crlf: u64,
    starts_with_newline: bool,
    ends_with_return: bool,
    /// Whether there is a carriage return, and no newline.
    has_returns: bool,
    /// The length of what is before the first newline.
    first: u64,
    /// The length of what is after the last newline.
    last: u64,
    /// The longest of the lines that begin in the block, and the number of newlines before it; only if it is longer than
    /// those of the same thread before.
    longest: Option<(u64, u64)>,
    invalid: Invalid,
    odd: [Invalid; 2],
}

impl ScanPiece for ScannedBlock {
    fn bytes(&self) -> Range<u64> {
        self.bytes.clone()
    }
}

/// Adds the blocks of a full scan, in order.
#[derive(Default)]
struct Totals {
    found: FullScan,
    newlines: u64,
    /// The length of the line that the last block has begun.
    carry: u64,
    after_return: bool,
    end: u64,
}

impl Totals {
    fn add(&mut self, block: &ScannedBlock) {
        let found = &mut self.found;
        let longest = &mut found.longest;
        let first = self.carry + block.first;
        if first > longest.bytes {
            *longest = Longest { line: self.newlines + 1, bytes: first };
        }
        if let Some((bytes, before)) = block.longest.filter(|(bytes, _)| *bytes > longest.bytes) {
            *longest = Longest { line: self.newlines + before + 1, bytes };
        }
        found.crlf += block.crlf + u64::from(self.after_return && block.starts_with_newline);
        found.invalid.join(block.invalid);
        found.odd.iter_mut().zip(block.odd).for_each(|(odd, more)| odd.join(more));
        self.carry = if block.newlines > 0 { block.last } else { first };
        found.has_returns |= block.has_returns;
        self.after_return = block.ends_with_return;
        self.newlines += block.newlines;
        self.end = block.bytes.end;
    }

    fn full_scan(self) -> FullScan {
        let mut found = self.found;
        found.lf = self.newlines - found.crlf;
        found.has_returns &= self.newlines == 0;
        found.lines = self.newlines + u64::from(self.carry > 0);
        if found.lines > 0 && found.longest.line == 0 {
            found.longest.line = 1;
        }
        found
    }
}

/// Scans the blocks of one thread.
struct BlockScanner<'a> {
    reader: &'a Reader,
    decoder: TextDecoder,
    learns: bool,
    /// The end of the block before, and of the text that was judged with it.
    end: u64,
    judged: u64,
    /// The length of the longest line so far.
    longest: u64,
}

impl<'a> BlockScanner<'a> {
    fn new(reader: &'a Reader) -> Self {
        let (decoder, learns) = (TextDecoder::new(reader.encoding()), reader.learns());
        BlockScanner { reader, decoder, learns, end: 0, judged: 0, longest: 0 }
    }

    fn scan(&mut self, block: &[u8], at: u64) -> Result<ScannedBlock> {
        let units = self.reader.units();
        let counted: Vec<CountedBlock> = count_blocks(block, at, units, self.learns).collect();
        let newlines = counted.iter().map(|counted| counted.newlines).sum();
        let (first, last) = (units.after_first(block), units.after_last(block));
        let begins = first.unwrap_or(block.len());
        let longest = units.longest(&block[begins..], 0, self.longest);
        if let Some((bytes, _)) = longest {
            self.longest = bytes;
        }
        if at != self.end {
            self.judged = self.reader.character_start(&mut self.decoder, block, at)?;
        }
        // The block before has judged the character that its end cut.
        let skip = usize::try_from(self.judged.saturating_sub(at)).unwrap_or(0).min(block.len());
        let mut invalid = Invalid::default();
        let judged = self.reader.judge(&mut self.decoder, &block[skip..], at + skip as u64, &mut invalid)?;
        self.judged = self.judged.max(judged);
        self.end = at + block.len() as u64;
        Ok(ScannedBlock {
            bytes: at..self.end,
            counted,
            newlines,
            crlf: units.count_crlf(block),
            starts_with_newline: first == Some(units.width),
            ends_with_return: units.ends_with(block, b'\r'),
            has_returns: first.is_none() && units.has_return(block),
            first: first.map_or(block.len(), |end| end - units.width) as u64,
            last: last.map_or(0, |last| block.len() - last) as u64,
            longest: longest.map(|(bytes, before)| (bytes, before + u64::from(first.is_some()))),
            invalid,
            odd: match block.iter().fold(false, |found, byte| found | is_control(*byte)) {
                // As in most blocks.
                false => Default::default(),
                true => [
                    Invalid::odd(units, block, at, |byte| byte == 0),
                    Invalid::odd(units, block, at, |byte| (byte != 0) & is_control(byte)),
                ],
            },
        })
    }
}

impl Reader {
    /// Reads the whole source once.
    pub fn full_scan(&self) -> Result<FullScan> {
        self.settle();
        self.source().advise(0..self.known_size().unwrap_or(u64::MAX));
        let mut totals = Totals::default();
        // A thread that begins in the middle finds characters only where each shows where it begins.
        let may_fan_out = self.encoding() == Encoding::Utf8;
        let mut add = |block: ScannedBlock| {
            block.counted.iter().for_each(|counted| self.learn(counted));
            totals.add(&block);
            Ok(ControlFlow::Continue(()))
        };
        self.scan_with(0, may_fan_out, &mut add, &|| {
            let mut scanner = BlockScanner::new(self);
            Box::new(move |block, at, found| {
                found.push(scanner.scan(block, at)?);
                Ok(())
            })
        })?;
        self.learn_tail(totals.newlines, totals.carry > 0, totals.end);
        Ok(totals.full_scan())
    }

    /// The first offset from `at` on where a character of UTF-8 or an invalid sequence begins. `block` begins at `at`.
    fn character_start(&self, decoder: &mut TextDecoder, block: &[u8], at: u64) -> Result<u64> {
        /// A character has so many bytes after its first.
        const REST: u64 = 3;
        let is_rest = |byte: &u8| *byte & 0xC0 == 0x80;
        if !block.first().is_some_and(is_rest) {
            return Ok(at);
        }
        let before = at.saturating_sub(REST);
        let window = self.read_span(before..self.reach(at.saturating_add(MAX_CHARACTER as u64))?)?;
        let length = usize::try_from(at - before).unwrap_or(0).min(window.len());
        // Nothing else begins a character, and none goes on so far.
        let Some(start) = window[..length].iter().rposition(|byte| !is_rest(byte)) else { return Ok(at) };
        let start = before + start as u64;
        let window = &window[usize::try_from(start - before).unwrap_or(0)..];
        let mut from = 0;
        while start + (from as u64) < at {
            from += match decoder.next_run(&window[from..], start + from as u64) {
                Some(Run::Text(text)) => {
                    let text = std::str::from_utf8(text.source).unwrap_or_default();
                    text.chars().next().map_or(1, char::len_utf8)
                }
                Some(Run::Invalid(bad) | Run::Cut(bad)) => bad.len(),
                None => break,
            };
        }
        Ok(start + from as u64)
    }

    /// Counts the invalid sequences that begin in `block`; returns the first offset that is not judged.
    fn judge(
        &self,
        decoder: &mut TextDecoder,
        block: &[u8],
        offset: u64,
        invalid: &mut Invalid,
    ) -> Result<u64> {
        let mut at = offset;
        let end = offset + block.len() as u64;
        while at < end {
            let rest = &block[usize::try_from(at - offset).unwrap_or(block.len())..];
            match decoder.next_run(rest, at) {
                Some(Run::Text(text)) => at = text.end(),
                Some(Run::Invalid(bad)) => {
                    invalid.add(at);
                    at += bad.len() as u64;
                }
                Some(Run::Cut(_)) => at += self.judge_one(decoder, at, invalid)? as u64,
                None => break,
            }
        }
        Ok(at)
    }

    /// Judges the character or invalid sequence at `at` that the block cuts; returns its length.
    fn judge_one(&self, decoder: &mut TextDecoder, at: u64, invalid: &mut Invalid) -> Result<usize> {
        let window = self.read_span(at..self.reach(at.saturating_add(MAX_CHARACTER as u64))?)?;
        // The shortest prefix that is not cut is one character.
        for len in 1..=window.len() {
            match decoder.next_run(&window[..len], at) {
                Some(Run::Text(text)) => return Ok(text.source.len()),
                Some(Run::Invalid(bad)) => {
                    invalid.add(at);
                    return Ok(bad.len());
                }
                Some(Run::Cut(_)) | None => {}
            }
        }
        decoder.ends(true);
        let length = match decoder.next_run(&window, at) {
            Some(Run::Text(text)) => return Ok(text.source.len()),
            Some(Run::Cut(bad)) => bad.len(),
            _ => window.len(),
        };
        invalid.add(at);
        Ok(length)
    }

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
        let (mut buffer, mut find, mut pieces) = (Buffer::default(), finder(), Vec::new());
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
