//! The full scan: lines, line ends, the longest line and invalid sequences of a file.

use super::Reader;
use rread_source::buffer::Buffer;
use rread_text::encoding::{LONGEST, Run, TextDecoder};
use rread_text::error::Result;

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

/// What a full scan counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FullScan {
    /// Lines.
    pub lines: u64,
    /// Newlines without a carriage return.
    pub lf: u64,
    /// Newlines after a carriage return.
    pub crlf: u64,
    /// The longest line.
    pub longest: Longest,
    /// Bytes that are not text in the encoding.
    pub invalid: Invalid,
}

impl Reader {
    /// Reads the whole source once.
    pub fn full_scan(&self) -> Result<FullScan> {
        self.settle();
        self.source().advise(0..self.known_size().unwrap_or(u64::MAX));
        let mut full_scan = FullScan::default();
        let mut buffer = Buffer::default();
        let (mut at, mut newlines, mut carry) = (0, 0, 0);
        let mut after_return = false;
        let units = self.units();
        let mut decoder = TextDecoder::new(self.encoding());
        let mut text_from = 0u64;
        loop {
            let got = self.read_units(buffer.at(at, self.block()), at)?;
            if got == 0 {
                break;
            }
            let block = &buffer[..got];
            self.note_scanned(got as u64);
            let starts_with_newline = units.after_first(block) == Some(units.width());
            full_scan.crlf += units.count_crlf(block) + u64::from(after_return && starts_with_newline);
            after_return = units.ends_with(block, b'\r');
            if let Some((bytes, before)) = units.longest(block, carry, full_scan.longest.bytes) {
                full_scan.longest = Longest { line: newlines + before + 1, bytes };
            }
            newlines += self.count_and_learn(block, at);
            carry = match units.after_last(block) {
                Some(last) => (got - last) as u64,
                None => carry + got as u64,
            };
            // The last block has judged the character that its end cut.
            let skip = usize::try_from(text_from.saturating_sub(at)).unwrap_or(0).min(got);
            let judged =
                self.judge(&mut decoder, &block[skip..], at + skip as u64, &mut full_scan.invalid)?;
            text_from = text_from.max(judged);
            at += got as u64;
        }
        self.learn_tail(newlines, carry > 0, at);
        full_scan.lf = newlines - full_scan.crlf;
        full_scan.lines = newlines + u64::from(carry > 0);
        if full_scan.lines > 0 && full_scan.longest.line == 0 {
            full_scan.longest.line = 1;
        }
        Ok(full_scan)
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
        let window = self.read_span(at..self.reach(at.saturating_add(LONGEST as u64))?)?;
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
        invalid.add(at);
        match decoder.next_run(&window, at) {
            Some(Run::Cut(bad)) => Ok(bad.len()),
            _ => Ok(window.len()),
        }
    }
}
