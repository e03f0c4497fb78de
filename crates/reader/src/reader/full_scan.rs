//! The full scan: lines, line ends, the longest line and invalid sequences of a file.

use std::ops::{ControlFlow, Range};

use super::Reader;
use super::scan::{CountedBlock, ScanPiece, count_blocks};
use rread_text::encoding::MAX_CHARACTER;
use rread_text::{Encoding, Result, Run, TextDecoder};

/// The longest line of a file, and the first of equals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Longest {
    /// Its number, from 1; 0 if the file has no line.
    pub line: u64,
    /// Its length in bytes, without its `\n`.
    pub bytes: u64,
}

/// Invalid sequences, counted as Unicode's maximal subparts.
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
        found.invalid.count += block.invalid.count;
        found.invalid.first_byte = found.invalid.first_byte.or(block.invalid.first_byte);
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
            starts_with_newline: first == Some(units.width()),
            ends_with_return: units.ends_with(block, b'\r'),
            has_returns: first.is_none() && units.has_return(block),
            first: first.map_or(block.len(), |end| end - units.width()) as u64,
            last: last.map_or(0, |last| block.len() - last) as u64,
            longest: longest.map(|(bytes, before)| (bytes, before + u64::from(first.is_some()))),
            invalid,
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
}
