//! Line numbers to offsets and back, from the front: one pass for all numbers, up to the last one.

use std::ops::ControlFlow;

use super::Reader;
use crate::buffer::Buffer;
use crate::error::Result;
use crate::range::Boundary;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundLines {
    /// For each requested count, the boundary after so many lines; past the end, the end with the total.
    pub boundaries: Vec<Boundary>,
    /// Lines of the file, if the pass reached the end.
    pub total_lines: Option<u64>,
}

#[derive(Clone, Copy)]
struct ScanLimits {
    /// Stop after the block that passes this offset.
    limit: Option<u64>,
    /// Go on to the end even if everything is found.
    to_end: bool,
    learns: bool,
    /// So many counts must be found, the others only within so many bytes after these.
    within: Option<(usize, u64)>,
}

struct Pass {
    end: u64,
    newlines: u64,
}

/// Scanning so many bytes takes less time than waiting until an index can be trusted.
const NEAR: u64 = 4 << 20;

/// Whether a pass up to `end` needs no more than these `boundaries`.
fn is_beyond(boundaries: &[Boundary], end: u64, within: Option<(usize, u64)>) -> bool {
    within.is_some_and(|(needed, reach)| {
        let last = needed
            .checked_sub(1)
            .map_or(Some(0), |last| boundaries.get(last).map(|boundary| boundary.offset));
        last.is_some_and(|last| end >= last.saturating_add(reach))
    })
}

impl Reader {
    /// Finds the boundary after each of `counts` lines, which ascend. With `to_end`, counts all lines too.
    pub fn find_lines(&self, counts: &[u64], to_end: bool) -> Result<FoundLines> {
        self.find(counts, to_end, None)
    }

    /// As [`Reader::find_lines`], but finds counts above `needed` only within `reach` bytes after the last needed one.
    /// A boundary further away is the end of the pass, without lines.
    pub fn find_lines_within(&self, counts: &[u64], needed: u64, reach: u64) -> Result<FoundLines> {
        self.find(counts, false, Some((counts.partition_point(|n| *n <= needed), reach)))
    }

    fn find(&self, counts: &[u64], to_end: bool, within: Option<(usize, u64)>) -> Result<FoundLines> {
        let mut boundaries: Vec<Boundary> = Vec::with_capacity(counts.len());
        let zeros = counts.iter().take_while(|n| **n == 0).count();
        boundaries.extend(counts[..zeros].iter().map(|_| Boundary { offset: 0, lines: Some(0) }));
        self.find_indexed(counts, &mut boundaries)?;
        if boundaries.len() == counts.len() {
            let known = self.known_lines();
            if known.is_some() || !to_end {
                let total_lines = known.or_else(|| self.lines_at_end(&boundaries));
                return Ok(FoundLines { boundaries, total_lines });
            }
        }
        let (covered, _) = self.covered();
        if self.is_racy() && !to_end {
            // Nearby lines need no index, and no wait until one can be trusted.
            let mut near = boundaries.clone();
            let scan = ScanLimits { limit: Some(covered + NEAR), to_end: false, learns: false, within };
            let pass = self.find_scanning(counts, &mut near, scan)?;
            if let Some(found) = self.cut_short(counts, &near, &pass, within) {
                return Ok(found);
            }
            if near.len() == counts.len() {
                let total_lines = self.lines_at_end(&near);
                return Ok(FoundLines { boundaries: near, total_lines });
            }
        }
        // Rescan the last lines of a busy log each time instead of waiting for it.
        let is_live =
            covered > 0 && self.known_size().is_some_and(|size| size.saturating_sub(covered) <= NEAR);
        let learns = !(is_live && self.is_racy());
        if learns {
            self.settle();
        }
        let pass = match self.find_scanning(
            counts,
            &mut boundaries,
            ScanLimits { limit: None, to_end, learns, within },
        ) {
            // Every boundary is found; only the total is lost.
            Err(_) if !counts.is_empty() && boundaries.len() == counts.len() => {
                return Ok(FoundLines { boundaries, total_lines: None });
            }
            pass => pass?,
        };
        if let Some(found) = self.cut_short(counts, &boundaries, &pass, within) {
            return Ok(found);
        }
        if boundaries.len() < counts.len() || to_end {
            let unterminated = self.is_unterminated(pass.end)?;
            let total = pass.newlines + u64::from(unterminated);
            if learns {
                self.learn_tail(pass.newlines, unterminated, pass.end);
            }
            boundaries.resize(counts.len(), Boundary { offset: pass.end, lines: Some(total) });
            return Ok(FoundLines { boundaries, total_lines: Some(total) });
        }
        let total_lines = self.lines_at_end(&boundaries);
        Ok(FoundLines { boundaries, total_lines })
    }

    fn find_scanning(
        &self,
        counts: &[u64],
        boundaries: &mut Vec<Boundary>,
        scan: ScanLimits,
    ) -> Result<Pass> {
        let (from, newlines) = self.covered();
        let mut pass = Pass { end: from, newlines };
        let mut block = Buffer::default();
        self.scan(from, &mut |counted| {
            pass.end = counted.offset + counted.len as u64;
            if scan.learns {
                self.learn(&counted);
            }
            let within = pass.newlines + counted.newlines;
            if counts.get(boundaries.len()).is_some_and(|n| *n <= within) {
                self.read_exact(block.at(counted.offset, counted.len), counted.offset)?;
                while let Some(&wanted) = counts.get(boundaries.len()).filter(|n| **n <= within) {
                    let Some(index) = self.units().after_nth(&block, wanted - pass.newlines) else {
                        return Err(self.rewritten());
                    };
                    boundaries.push(Boundary { offset: counted.offset + index as u64, lines: Some(wanted) });
                }
            }
            pass.newlines = within;
            let done = boundaries.len() == counts.len() && !scan.to_end;
            let enough = done
                || scan.limit.is_some_and(|limit| pass.end >= limit)
                || is_beyond(boundaries, pass.end, scan.within);
            Ok(if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        Ok(pass)
    }

    /// The result of a pass that `within` ended before the end of the source.
    fn cut_short(
        &self,
        counts: &[u64],
        boundaries: &[Boundary],
        pass: &Pass,
        within: Option<(usize, u64)>,
    ) -> Option<FoundLines> {
        let is_cut = boundaries.len() < counts.len() && self.known_size() != Some(pass.end);
        (is_cut && is_beyond(boundaries, pass.end, within)).then(|| {
            let mut boundaries = boundaries.to_vec();
            boundaries.resize(counts.len(), Boundary { offset: pass.end, lines: None });
            FoundLines { boundaries, total_lines: None }
        })
    }

    fn lines_at_end(&self, boundaries: &[Boundary]) -> Option<u64> {
        let last = boundaries.last().filter(|boundary| Some(boundary.offset) == self.known_size());
        last.and_then(|boundary| boundary.lines)
    }

    pub fn count_lines(&self) -> Result<u64> {
        Ok(self.find_lines(&[], true)?.total_lines.unwrap_or(0))
    }

    /// The start of the line that holds the byte at `offset`.
    pub fn line_start(&self, offset: u64) -> Result<u64> {
        // Most lines are short: looking back reads less than a block of the index.
        let units = self.units();
        let offset = units.floor(offset);
        let near = units.floor(offset.saturating_sub(512));
        let mut before = vec![0; usize::try_from(offset - near).unwrap_or(0)];
        self.read_exact(&mut before, near)?;
        self.note_scanned(before.len() as u64);
        if let Some(at) = units.after_last(&before) {
            return Ok(near + at as u64);
        }
        match self.indexed_newlines_before(offset)? {
            Some(0) => return Ok(0),
            Some(newlines) => {
                let mut found = Vec::new();
                self.find_indexed(&[newlines], &mut found)?;
                if let Some(boundary) = found.first() {
                    return Ok(boundary.offset);
                }
            }
            None => {}
        }
        Ok(self.last_line_start(0, near)?.unwrap_or(0))
    }

    pub fn newlines_before(&self, offset: u64) -> Result<u64> {
        if let Some(newlines) = self.indexed_newlines_before(offset)? {
            return Ok(newlines);
        }
        let (from, mut newlines) = self.covered();
        if offset == from {
            return Ok(newlines);
        }
        self.settle();
        let mut block = Buffer::default();
        self.scan(from, &mut |counted| {
            self.learn(&counted);
            let end = counted.offset + counted.len as u64;
            if end <= offset {
                newlines += counted.newlines;
                return Ok(if end == offset { ControlFlow::Break(()) } else { ControlFlow::Continue(()) });
            }
            let wanted = usize::try_from(offset - counted.offset).unwrap_or(counted.len);
            self.read_exact(block.at(counted.offset, wanted), counted.offset)?;
            newlines += self.units().count(&block);
            Ok(ControlFlow::Break(()))
        })?;
        Ok(newlines)
    }

    /// Whether there are bytes before `end` and the last is not a newline.
    pub(crate) fn is_unterminated(&self, end: u64) -> Result<bool> {
        let units = self.units();
        let start = units.floor(end.saturating_sub(1));
        let mut last = vec![0; usize::try_from(end - start).unwrap_or(0)];
        self.read_exact(&mut last, start)?;
        Ok(end > 0 && !units.ends_with(&last, b'\n'))
    }
}
