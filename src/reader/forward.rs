//! Line numbers to offsets, from the front: one pass for all of them, ending with the last one needed.

use std::ops::ControlFlow;

use super::{Mark, Reader};
use crate::error::Result;
use crate::newline;

/// What a pass from the front found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// For each number asked, the boundary after so many lines; past the end, the end itself with
    /// the number of lines that there are.
    pub marks: Vec<Mark>,
    /// The number of lines, if the pass came to the end.
    pub total_lines: Option<u64>,
}

impl Reader {
    /// Finds the boundary after each of `counts` lines; they are in ascending order.
    /// With `to_end` the pass goes on to count all lines.
    ///
    /// # Errors
    /// Those of reading.
    pub fn find_lines(&self, counts: &[u64], to_end: bool) -> Result<Found> {
        let mut marks: Vec<Mark> = Vec::with_capacity(counts.len());
        let zeros = counts.iter().take_while(|n| **n == 0).count();
        marks.extend(counts[..zeros].iter().map(|_| Mark { offset: 0, lines: Some(0) }));
        if marks.len() == counts.len() && !to_end {
            return Ok(Found { marks, total_lines: None });
        }
        let mut seen = 0;
        let mut end = 0;
        let mut block = Vec::new();
        self.scan(0, &mut |counted| {
            end = counted.offset + counted.len as u64;
            let within = seen + counted.newlines;
            if counts.get(marks.len()).is_some_and(|n| *n <= within) {
                block.resize(counted.len, 0);
                self.read_exact(&mut block, counted.offset)?;
                while let Some(&wanted) = counts.get(marks.len()).filter(|n| **n <= within) {
                    let Some(index) = newline::after_nth(&block, wanted - seen) else { break };
                    marks.push(Mark { offset: counted.offset + index as u64, lines: Some(wanted) });
                }
            }
            seen = within;
            let done = marks.len() == counts.len() && !to_end;
            Ok(if done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        if marks.len() < counts.len() || to_end {
            let total = seen + u64::from(self.is_unterminated(end)?);
            marks.resize(counts.len(), Mark { offset: end, lines: Some(total) });
            return Ok(Found { marks, total_lines: Some(total) });
        }
        let at_end = marks.last().filter(|mark| Some(mark.offset) == self.known_size());
        let total_lines = at_end.and_then(|mark| mark.lines);
        Ok(Found { marks, total_lines })
    }

    /// How many lines there are.
    ///
    /// # Errors
    /// Those of reading.
    pub fn count_lines(&self) -> Result<u64> {
        Ok(self.find_lines(&[], true)?.total_lines.unwrap_or(0))
    }

    /// How many newlines stand before `offset`.
    ///
    /// # Errors
    /// Those of reading.
    pub fn newlines_before(&self, offset: u64) -> Result<u64> {
        let mut newlines = 0;
        if offset == 0 {
            return Ok(0);
        }
        let mut block = Vec::new();
        self.scan(0, &mut |counted| {
            let end = counted.offset + counted.len as u64;
            if end <= offset {
                newlines += counted.newlines;
                return Ok(if end == offset { ControlFlow::Break(()) } else { ControlFlow::Continue(()) });
            }
            block.resize(usize::try_from(offset - counted.offset).unwrap_or(counted.len), 0);
            self.read_exact(&mut block, counted.offset)?;
            newlines += newline::count(&block);
            Ok(ControlFlow::Break(()))
        })?;
        Ok(newlines)
    }

    /// Whether the bytes before `end` are there and do not end with a newline.
    pub(super) fn is_unterminated(&self, end: u64) -> Result<bool> {
        let Some(last) = end.checked_sub(1) else { return Ok(false) };
        let mut byte = [0];
        self.read_exact(&mut byte, last)?;
        Ok(byte != *b"\n")
    }
}
