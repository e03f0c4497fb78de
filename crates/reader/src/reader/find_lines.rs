//! Line numbers to offsets and back: one pass for all numbers, from the front up to the last one, or from the end.

use std::ops::ControlFlow;

use super::Reader;
use rread_source::memory::Buffer;
use rread_text::Result;
use rread_text::range::Boundary;

/// The findings of a pass from the front.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundLines {
    /// For each requested count, the boundary after so many lines; past the end, the end with the total.
    pub boundaries: Vec<Boundary>,
    /// Lines of the file, if the pass reached the end.
    pub total_lines: Option<u64>,
}

/// The findings of a pass from the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundBack {
    /// For each requested count, the offset where so many last lines begin; 0 if the file has fewer.
    pub offsets: Vec<u64>,
    /// Lines of the file, if the pass reached the start.
    pub total_lines: Option<u64>,
}

/// The first block from the end; later ones grow fourfold up to the usual size.
const FIRST_BLOCK: usize = 8 << 10;

#[derive(Clone, Copy)]
struct ScanLimits {
    /// Stop after the block that passes this offset.
    limit: Option<u64>,
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
    let Some((needed, reach)) = within else { return false };
    let last = match needed.checked_sub(1) {
        Some(last) => boundaries.get(last).map(|boundary| boundary.offset),
        None => Some(0),
    };
    last.is_some_and(|last| end >= last.saturating_add(reach))
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
                let found = self.with_total(boundaries);
                return Ok(FoundLines { total_lines: known.or(found.total_lines), ..found });
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
                return Ok(self.with_total(near));
            }
        }
        // Rescan the last lines of a busy log each time instead of waiting for it.
        let is_live =
            covered > 0 && self.known_size().is_some_and(|size| size.saturating_sub(covered) <= NEAR);
        let learns = !(is_live && self.is_racy());
        if learns {
            self.settle();
        }
        let scan = ScanLimits { limit: None, to_end, learns, within };
        let pass = match self.find_scanning(counts, &mut boundaries, scan) {
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
        Ok(self.with_total(boundaries))
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
                        return Err(self.rewritten_error());
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

    /// Takes the total from the last boundary if that happens to be the end.
    fn with_total(&self, boundaries: Vec<Boundary>) -> FoundLines {
        let last = boundaries.last().filter(|boundary| Some(boundary.offset) == self.known_size());
        let total_lines = last.and_then(|boundary| boundary.lines);
        FoundLines { boundaries, total_lines }
    }

    /// The number of lines. The last one need not end with a newline.
    pub fn count_lines(&self) -> Result<u64> {
        Ok(self.find_lines(&[], true)?.total_lines.unwrap_or(0))
    }

    /// The offset where the line that has the byte at `offset` starts.
    pub fn line_start(&self, offset: u64) -> Result<u64> {
        // Most lines are short: looking back reads less than a block of the index.
        let units = self.units();
        let offset = units.floor(offset);
        let near = units.floor(offset.saturating_sub(512));
        let before = self.read_span(near..offset)?;
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

    /// Whether a line begins at `offset`.
    pub fn starts_line(&self, offset: u64) -> Result<bool> {
        Ok(offset == 0 || !self.is_unterminated(offset)?)
    }

    /// The number of newlines before `offset`.
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
    pub fn is_unterminated(&self, end: u64) -> Result<bool> {
        let units = self.units();
        let last = self.read_span(units.floor(end.saturating_sub(1))..end)?;
        Ok(end > 0 && !units.ends_with(&last, b'\n'))
    }

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
