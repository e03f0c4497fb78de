//! Line starts counted from the end: reads blocks backwards until it has the requested lines.

use super::Reader;
use crate::buffer::Buffer;
use crate::error::Result;

/// The first block from the end; later ones grow fourfold up to the usual size.
const FIRST_BLOCK: usize = 8 << 10;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundBack {
    /// For each requested count, where the last so many lines begin.
    pub offsets: Vec<u64>,
    /// Lines of the file, if the pass reached the start.
    pub total_lines: Option<u64>,
}

impl Reader {
    /// Finds where the last `n` lines begin, for each `n` of `counts`, which ascend. With fewer lines, that is 0.
    pub fn find_lines_back(&self, counts: &[u64]) -> Result<FoundBack> {
        let size = self.size()?;
        let mut offsets: Vec<u64> = counts.iter().take_while(|n| **n == 0).map(|_| size).collect();
        if offsets.len() == counts.len() {
            return Ok(FoundBack { offsets, total_lines: None });
        }
        let unterminated = u64::from(self.is_unterminated(size)?);
        // A trailing newline does not start another line.
        let needed = |lines: u64| lines.saturating_add(1 - unterminated).max(1);
        let mut seen = 0;
        let mut end = size;
        let units = self.units();
        let mut step = FIRST_BLOCK.min(self.block());
        let mut block = Buffer::default();
        while end > 0 && offsets.len() < counts.len() {
            let start = units.floor(end.saturating_sub(step as u64));
            self.read_exact(block.at(start, usize::try_from(end - start).unwrap_or(step)), start)?;
            self.note_scanned(block.len() as u64);
            let within = seen + units.count(&block);
            while let Some(&lines) = counts.get(offsets.len()).filter(|n| needed(**n) <= within) {
                let Some(index) = units.after_nth_back(&block, needed(lines) - seen) else { break };
                offsets.push(start + index as u64);
            }
            seen = within;
            end = start;
            step = (step * 4).min(self.block());
        }
        let total_lines = (offsets.len() < counts.len()).then_some(seen + unterminated);
        offsets.resize(counts.len(), 0);
        Ok(FoundBack { offsets, total_lines })
    }

    /// The last line start after `from` and up to `to`; the source reaches both.
    pub fn last_line_start(&self, from: u64, to: u64) -> Result<Option<u64>> {
        let units = self.units();
        // A newline that begins before `from` ends after it only if `from` lies inside it.
        let (from, mut end) = (units.floor(from), units.floor(to));
        let mut block = Buffer::default();
        while end > from {
            let start = units.floor(end.saturating_sub(self.block() as u64)).max(from);
            self.read_exact(block.at(start, usize::try_from(end - start).unwrap_or(self.block())), start)?;
            self.note_scanned(block.len() as u64);
            if let Some(at) = units.after_last(&block) {
                return Ok(Some(start + at as u64));
            }
            end = start;
        }
        Ok(None)
    }
}
