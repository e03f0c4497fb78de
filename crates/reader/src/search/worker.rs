//! One thread's part of a search: the lines that begin in a stripe of the file.

use std::ops::{ControlFlow, Range};

use super::matcher::{LONG_LINE_BLOCKS, LineMatcher, LinePart};
use super::occurrences;
use super::occurrences::ShownLine;
pub use super::occurrences::{Hit, Spanned};
use crate::reader::Reader;
use crate::reader::full_scan::{CountedBlock, count_blocks};
use rread_source::Decoded;
use rread_text::{Result, Units};

/// Bytes per read after the end of the stripe, where only the end of one line is wanted.
const TAIL_READ: usize = 64 << 10;

/// Hits, and bytes of their lines, after which a batch is passed on.
const MAX_HITS: usize = 2048;
const MAX_TEXT: usize = 128 << 10;

/// The facts that the caller needs of every hit, beside its offsets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wants {
    /// The hits; otherwise only how many there are.
    pub hits: bool,
    /// The bytes of the line.
    pub text: bool,
    /// The number of the line.
    pub numbers: bool,
    /// The number of matches in the line.
    pub matches: bool,
    /// Matches that begin before this offset do not count.
    pub from: u64,
}

/// Hits in the order of the file.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) hits: Vec<Hit>,
    /// Hits that are only counted.
    pub(super) counted: u64,
    /// The bytes of the lines.
    pub(crate) text: Vec<u8>,
    /// The blocks counted since the last batch, for the index.
    pub(super) blocks: Vec<CountedBlock>,
    /// At the end of a stripe, the newlines in it.
    pub(super) stripe_newlines: Option<u64>,
    /// The end of the file, if the stripe met it.
    pub(super) end: Option<u64>,
    /// Whether the last line has no newline.
    pub(super) is_unterminated: bool,
    /// At the end of a stripe that was decoded, what its decoder found.
    pub(super) decoded: Option<Decoded>,
}

/// The outcome of a search that ran to the end of its span.
#[derive(Clone, Copy, Debug, Default)]
pub struct Searched {
    /// Newlines before the end of the searched part.
    pub newlines: u64,
    /// Hits that were only counted.
    pub counted: u64,
    /// The end of the file, if the search met it.
    pub end: Option<u64>,
    /// Whether the last line of the file has no newline.
    pub is_unterminated: bool,
}

/// Takes hits in the order of the file, with the text that their ranges are in.
pub(crate) type VisitHits<'v> = dyn FnMut(Vec<Hit>, &[u8]) -> Result<ControlFlow<()>> + 'v;

/// Who searches the line that begins exactly where a stripe ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    /// The next stripe, which looks at the byte before its first.
    Next,
    /// This stripe: the next one cannot read the byte before its first without decoding this stripe.
    This,
}

/// Takes a batch; returns whether to go on.
pub(super) type Send<'a> = dyn FnMut(Batch) -> bool + 'a;

/// Searches stripes with one thread.
pub(super) struct Lane<'a> {
    reader: &'a Reader,
    matcher: LineMatcher,
    wants: Wants,
    /// The unfinished line, and the block read last.
    window: ByteWindow,
    /// The start of a line that is too long to be held, of which the window has the end.
    long: Option<u64>,
    newlines: Newlines,
    batch: Batch,
}

impl<'a> Lane<'a> {
    pub(super) fn new(reader: &'a Reader, matcher: LineMatcher, wants: Wants) -> Self {
        let (window, newlines, batch) = (ByteWindow::default(), Newlines::default(), Batch::default());
        Lane { reader, matcher, wants, window, long: None, newlines, batch }
    }

    /// Searches the lines that begin in `stripe`, the last one to its end, and passes them to `send` in batches.
    /// `starts_line` says whether the stripe begins with one that is its own.
    pub(super) fn stripe(
        &mut self,
        stripe: &Range<u64>,
        starts_line: bool,
        edge: Edge,
        send: &mut Send<'_>,
    ) -> Result<()> {
        (self.long, self.newlines, self.batch) = (None, Newlines::default(), Batch::default());
        let mut at = stripe.start;
        self.window.clear(at);
        // Until it is set, the bytes belong to a line of the stripe before.
        let mut is_owned = starts_line;
        let lines_end = stripe.end.saturating_add(u64::from(edge == Edge::This));
        while at < stripe.end || is_owned && self.line_start() < lines_end {
            let wanted = self.read_size(at, stripe);
            let got = self.reader.read_units(self.window.extend(at, wanted), at)?;
            self.window.end = self.window.end.min(self.window.block + got);
            if got == 0 {
                self.batch.end = Some(at);
                let is_open = self.line_start() < at;
                self.batch.is_unterminated = is_open;
                if is_owned && is_open && !self.last_line(send)? {
                    return Ok(());
                }
                break;
            }
            let is_past = at >= stripe.end;
            if !is_past {
                self.count_block(at);
            }
            at += got as u64;
            if !is_owned {
                is_owned = self.skip_line();
            }
            if is_owned && !self.block(is_past, send)? {
                return Ok(());
            }
            let before_block = self.newlines.before_block + self.newlines.in_block;
            self.newlines = Newlines { before_block, ..Newlines::default() };
            // The next block of a stream may be long in coming.
            if !self.batch.hits.is_empty()
                && self.reader.known_size().is_none()
                && !send(std::mem::take(&mut self.batch))
            {
                return Ok(());
            }
        }
        let mut batch = std::mem::take(&mut self.batch);
        batch.stripe_newlines = Some(self.newlines.before_block);
        send(batch);
        Ok(())
    }

    /// Up to the next multiple of the block size, so that blocks lie alike whatever the stripe.
    fn read_size(&self, at: u64, stripe: &Range<u64>) -> usize {
        let block = self.reader.block();
        if at >= stripe.end {
            return TAIL_READ.min(block);
        }
        let aligned = block - usize::try_from(at % block as u64).unwrap_or(0);
        usize::try_from(stripe.end - at).unwrap_or(usize::MAX).min(aligned)
    }

    /// The offset of the line at the front of the window.
    fn line_start(&self) -> u64 {
        self.long.unwrap_or(self.window.start)
    }

    fn count_block(&mut self, at: u64) {
        let block = self.window.block();
        let learns = self.reader.learns();
        if learns || self.wants.numbers {
            let counted: Vec<CountedBlock> = count_blocks(block, at, self.matcher.units(), learns).collect();
            self.newlines.in_block = counted.iter().map(|counted| counted.newlines).sum();
            self.batch.blocks.extend(counted);
        } else {
            self.batch.blocks.push(CountedBlock {
                offset: at,
                len: block.len(),
                newlines: 0,
                fingerprint: 0,
            });
        }
    }

    /// Drops the end of a line that began before the stripe; returns whether the next line begins in the window.
    fn skip_line(&mut self) -> bool {
        let end = self.matcher.units().after_first(self.window.block());
        self.window.consume(end.unwrap_or(self.window.len()));
        self.newlines.before_counted += u64::from(end.is_some());
        end.is_some()
    }

    /// Searches the lines that the block ends; only the first of them if the block is past the stripe.
    fn block(&mut self, is_past: bool, send: &mut Send<'_>) -> Result<bool> {
        let units = self.matcher.units();
        if self.long.is_some() {
            let Some(end) = units.after_first(self.window.block()) else {
                self.window.consume(self.window.len());
                return Ok(true);
            };
            self.window.consume(end);
            self.finish_long()?;
            self.newlines.before_counted += 1;
            if is_past {
                return Ok(true);
            }
        }
        let block = self.window.block();
        let front = self.window.len() - block.len();
        let end = if is_past { units.after_first(block) } else { units.after_last(block) };
        if let Some(end) = end {
            if !self.whole_lines(front + end, send)? {
                return Ok(false);
            }
            self.window.consume(front + end);
        } else if self.window.len() > LONG_LINE_BLOCKS * self.reader.block() {
            self.long = Some(self.window.start);
            self.window.consume(self.window.len());
        }
        Ok(true)
    }

    /// Searches the last line, which has no newline.
    fn last_line(&mut self, send: &mut Send<'_>) -> Result<bool> {
        match self.long {
            Some(_) => self.finish_long().map(|()| true),
            None => self.whole_lines(self.window.len(), send),
        }
    }

    /// Passes on the hits in the first `len` bytes of the window, which are whole lines.
    fn whole_lines(&mut self, len: usize, send: &mut Send<'_>) -> Result<bool> {
        let Lane { reader, matcher, wants, window, newlines, batch, .. } = self;
        let offset = window.start;
        let front = window.len() - window.block().len();
        let block_at = offset + front as u64;
        // The pattern does not see the byte order mark.
        let mark = if offset == 0 && reader.decided.bom { reader.encoding().mark().len() } else { 0 };
        let text = &window.text()[mark.min(len)..len];
        let mut go_on = true;
        matcher.lines(text, offset + mark as u64, &mut |line, utf8| {
            let is_marked = mark > 0 && line.start == 0;
            let start = if is_marked { 0 } else { offset + (mark + line.start) as u64 };
            let next = offset + (mark + line.end) as u64;
            let mut later = None;
            if start < wants.from && !matcher.invert {
                let part =
                    LinePart::of(reader.encoding(), text[line.clone()].to_vec(), next - line.len() as u64);
                later = matcher.first_after(&part, wants.from)?;
            }
            if !wants.hits {
                batch.counted += 1;
                return Ok(true);
            }
            let mut hit = Hit { start, next, matches: 1, ..Hit::default() };
            if wants.numbers {
                hit.newlines = match usize::try_from(start.saturating_sub(block_at)) {
                    Ok(within) if start >= block_at => {
                        newlines.before(window.block(), within, matcher.units())
                    }
                    _ => newlines.before_block,
                };
            }
            if let Some((first, matches)) = later {
                (hit.first_match, hit.matches) = (Some(first), matches);
            } else if wants.matches && !matcher.invert {
                hit.matches = 0;
                matcher.matches(utf8, &mut |_| {
                    hit.matches += 1;
                    true
                })?;
            }
            if wants.text && !is_marked {
                let from = batch.text.len();
                batch.text.extend_from_slice(&text[line]);
                hit.text = Some(from..batch.text.len());
            }
            batch.hits.push(hit);
            if batch.hits.len() >= MAX_HITS || batch.text.len() >= MAX_TEXT {
                go_on = send(std::mem::take(batch));
            }
            Ok(go_on)
        })?;
        Ok(go_on)
    }

    /// Searches the long line, which ends where the window begins.
    fn finish_long(&mut self) -> Result<()> {
        let Some(start) = self.long.take() else { return Ok(()) };
        let Lane { reader, matcher, wants, .. } = self;
        let (next, is_inverted) = (self.window.start, matcher.invert);
        // Matches before do not count.
        let first_match = (wants.from > start && !is_inverted).then_some(wants.from);
        let line = ShownLine { start, next, first_match, ..ShownLine::default() };
        let (mut first, mut matches) = (None, 0);
        occurrences::each(reader, matcher, line, None, &mut |found, _| {
            first.get_or_insert(found.bytes.start);
            matches += 1;
            Ok(wants.matches && !is_inverted)
        })?;
        if (matches > 0) == is_inverted {
            return Ok(());
        }
        if !wants.hits {
            self.batch.counted += 1;
            return Ok(());
        }
        let (matches, first_match) = (matches.max(1), first);
        let newlines = self.newlines.before_block;
        self.batch.hits.push(Hit { start, next, newlines, matches, first_match, ..Hit::default() });
        Ok(())
    }
}

/// The newlines of a stripe, as far as they have been counted.
#[derive(Debug, Default)]
struct Newlines {
    /// Before the block.
    before_block: u64,
    /// In the block.
    in_block: u64,
    /// In the first `counted` bytes of the block.
    before_counted: u64,
    counted: usize,
}

impl Newlines {
    /// The newlines before `within` of what is left of the `block`; must not go back.
    fn before(&mut self, block: &[u8], within: usize, units: Units) -> u64 {
        self.before_counted += units.count(&block[self.counted..within]);
        self.counted = within;
        self.before_block + self.before_counted
    }
}

/// A block lies as far into a page as its offset does in the file, so that the kernel's copy into it is fast.
const PAGE: usize = 4096;

/// Bytes for an unfinished line, at first.
const FRONT: usize = 16 * PAGE;

/// Consecutive bytes of a file.
#[derive(Debug, Default)]
pub(super) struct ByteWindow {
    memory: Vec<u8>,
    first: usize,
    block: usize,
    end: usize,
    /// The offset of the first byte in the file.
    pub(super) start: u64,
}

impl ByteWindow {
    /// Forgets everything; the next bytes are those at `start`.
    pub(super) fn clear(&mut self, start: u64) {
        (self.first, self.block, self.end, self.start) = (0, 0, 0, start);
    }

    pub(super) fn text(&self) -> &[u8] {
        &self.memory[self.first..self.end]
    }

    /// The rest of the block that was read last.
    pub(super) fn block(&self) -> &[u8] {
        &self.memory[self.block.max(self.first)..self.end]
    }

    pub(super) fn len(&self) -> usize {
        self.end - self.first
    }

    /// Room for a block of `len` bytes that follow the others, at `offset` of the file.
    pub(super) fn extend(&mut self, offset: u64, len: usize) -> &mut [u8] {
        let kept = self.len();
        // Small files are many, and clearing memory is most of the time that one takes.
        let least = FRONT.min(len.next_multiple_of(PAGE));
        let needed = kept.next_multiple_of(PAGE).max(least) + len + 2 * PAGE;
        if self.memory.len() < needed {
            // Not `resize`, which would write the zeroes.
            let mut memory = vec![0; needed];
            memory[..kept].copy_from_slice(self.text());
            (self.memory, self.first) = (memory, 0);
        }
        let aligned = self.memory.as_ptr().align_offset(PAGE).min(PAGE);
        let within = usize::try_from(offset % PAGE as u64).unwrap_or(0);
        let front = kept.saturating_sub(within).next_multiple_of(PAGE);
        self.block = aligned + front + within;
        self.memory.copy_within(self.first..self.first + kept, self.block - kept);
        (self.first, self.end) = (self.block - kept, self.block + len);
        &mut self.memory[self.block..self.end]
    }

    /// Drops `len` bytes at the front.
    pub(super) fn consume(&mut self, len: usize) {
        self.first += len;
        self.start += len as u64;
    }
}

#[cfg(test)]
mod window_tests {
    use super::*;

    #[test]
    fn bytes_stay_together_whatever_is_consumed() {
        let file: Vec<u8> = (0..200_000u32).map(|n| n.to_le_bytes()[0] ^ n.to_le_bytes()[1]).collect();
        for (block, consumed) in [(1, 1), (4096, 1), (5000, 4999), (70_000, 10), (65_536, 65_000), (999, 0)] {
            let mut window = ByteWindow::default();
            window.clear(0);
            let (mut at, mut steps) = (0, 0);
            while at < file.len() && steps < 300 {
                let len = block.min(file.len() - at);
                let room = window.extend(at as u64, len);
                assert_eq!(room.as_ptr().addr() % PAGE, at % PAGE);
                room.copy_from_slice(&file[at..at + len]);
                at += len;
                let start = usize::try_from(window.start).unwrap();
                assert_eq!(window.text(), &file[start..at]);
                assert_eq!(window.block(), &file[at - len..at]);
                window.consume(consumed.min(window.len()));
                steps += 1;
            }
        }
    }
}
