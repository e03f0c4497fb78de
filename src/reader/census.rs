//! Everything about a file that takes a whole scan: lines, line ends, the longest line, invalid UTF-8.

use memchr::memrchr;

use super::Reader;
use crate::error::Result;
use crate::newline;
use crate::utf8::{self, Run};

/// The longest line of a file; of several, the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Longest {
    /// Its number, from 1; 0 when the file has no line.
    pub line: u64,
    /// Its length in bytes, without its `\n`.
    pub bytes: u64,
}

/// Invalid sequences, counted as Unicode's maximal subparts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Invalid {
    /// How many.
    pub count: u64,
    /// The offset of the first in the file.
    pub first_byte: Option<u64>,
}

impl Invalid {
    /// Counts one more, at `offset`.
    pub fn add(&mut self, offset: u64) {
        self.count += 1;
        self.first_byte.get_or_insert(offset);
    }
}

/// What a whole scan tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Lines, a last one without newline included.
    pub lines: u64,
    /// Newlines that no carriage return precedes.
    pub lf: u64,
    /// Newlines with a carriage return before them.
    pub crlf: u64,
    /// The longest line.
    pub longest: Longest,
    /// Invalid UTF-8.
    pub invalid: Invalid,
}

impl Reader {
    /// Scans the whole source, once.
    ///
    /// # Errors
    /// Those of reading.
    pub fn census(&self) -> Result<Census> {
        self.settle();
        let mut census = Census::default();
        let mut buffer = vec![0; self.block()];
        let (mut at, mut newlines, mut carry) = (0, 0, 0);
        let mut after_return = false;
        let mut text_from = 0u64;
        loop {
            let got = self.read(&mut buffer, at)?;
            if got == 0 {
                break;
            }
            let block = &buffer[..got];
            self.note_scanned(got as u64);
            self.learn_blocks(block, at);
            census.crlf += count_crlf(block) + u64::from(after_return && block[0] == b'\n');
            after_return = block[got - 1] == b'\r';
            if let Some((bytes, before)) = newline::longest(block, carry, census.longest.bytes) {
                census.longest = Longest { line: newlines + before + 1, bytes };
            }
            newlines += newline::count(block);
            carry = match memrchr(b'\n', block) {
                Some(last) => (got - last - 1) as u64,
                None => carry + got as u64,
            };
            // A character that the block's end cut was judged together with the next block's start.
            let skip = usize::try_from(text_from.saturating_sub(at)).unwrap_or(0).min(got);
            let judged = self.judge(&block[skip..], at + skip as u64, &mut census.invalid)?;
            text_from = text_from.max(judged);
            at += got as u64;
        }
        self.learn_tail(newlines, carry > 0, at);
        census.lf = newlines - census.crlf;
        census.lines = newlines + u64::from(carry > 0);
        if census.lines > 0 && census.longest.line == 0 {
            census.longest.line = 1;
        }
        Ok(census)
    }

    /// Counts the invalid sequences that begin in `block`; returns the offset up to which all is judged.
    fn judge(&self, block: &[u8], offset: u64, invalid: &mut Invalid) -> Result<u64> {
        let mut rest = block;
        let mut at = offset;
        while let Some((run, left)) = utf8::next_run(rest) {
            match run {
                Run::Text(text) => at += text.len() as u64,
                Run::Invalid(bad) => {
                    invalid.add(at);
                    at += bad.len() as u64;
                }
                Run::Cut(_) => {
                    let mut whole = [0; utf8::MAX_CHAR];
                    let end = self.reach(at.saturating_add(whole.len() as u64))?;
                    let got = usize::try_from(end - at).unwrap_or(0);
                    self.read_exact(&mut whole[..got], at)?;
                    let width = match utf8::next_run(&whole[..got]) {
                        Some((Run::Text(_), _)) => std::str::from_utf8(&whole[..got])
                            .ok()
                            .or_else(|| whole[..got].utf8_chunks().next().map(|chunk| chunk.valid()))
                            .and_then(|text| text.chars().next())
                            .map_or(1, char::len_utf8),
                        Some((Run::Invalid(bad) | Run::Cut(bad), _)) => {
                            invalid.add(at);
                            bad.len()
                        }
                        None => 0,
                    };
                    at += width as u64;
                }
            }
            rest = left;
        }
        Ok(at)
    }
}

/// Carriage returns that a newline follows, in a form that the compiler makes vector code of.
fn count_crlf(block: &[u8]) -> u64 {
    if memchr::memchr(b'\r', block).is_none() {
        return 0;
    }
    let mut total = 0u64;
    for stretch in block.chunks(128) {
        let pairs = stretch.iter().zip(&stretch[1..]);
        let here: u8 = pairs.map(|(a, b)| u8::from(*a == b'\r') & u8::from(*b == b'\n')).sum();
        total += u64::from(here);
    }
    // The pairs that the stretches themselves cut.
    let edges = (128..block.len()).step_by(128);
    total + edges.map(|at| u64::from(block[at - 1] == b'\r' && block[at] == b'\n')).sum::<u64>()
}
