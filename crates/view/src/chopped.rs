//! Lines as single rows, however long they are: where each begins and ends, and the part of it that the screen shows.

use std::collections::BTreeMap;
use std::ops::Range;

use super::columns::{LongLine, Marks};
use super::layout::Layout;
use super::piece::{PIECE, Passage, Piece};
use super::read::{self, block};
use rread_reader::reader::Reader;
use rread_text::error::Result;

/// A line up to this length is held as a whole.
const WHOLE: u64 = 2 * PIECE as u64;

/// Bytes that are looked through together for the end of a line.
const BLOCK: usize = 256 << 10;

/// A line from this length on is remembered.
const LONG: u64 = 1 << 20;

/// Bytes that are searched together for the start of a line, at most.
const MAX_STEP: u64 = 8 << 20;

/// Lines whose ends are remembered.
const MOST_LINES: usize = 4096;

/// More lines than the screen needs are looked for in so many bytes.
const AROUND: u64 = 4 << 20;

/// How lines are cut at the edges of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chop {
    pub(crate) layout: Layout,
    pub(crate) rows: usize,
    pub(crate) aim: Aim,
    /// Whether the line before the place is needed, too.
    pub(crate) goes_up: bool,
}

/// The columns to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Aim {
    /// Those of the layout.
    #[default]
    Here,
    /// Those with the byte at this offset.
    Byte(u64),
    /// The last of the longest line on the screen.
    RightEdge,
}

/// What is known of the long lines of a file.
#[derive(Debug, Default)]
pub(super) struct LongLines {
    /// By their starts: no newline is before this offset, or the line ends there.
    scanned: BTreeMap<u64, (u64, bool)>,
    marks: Marks,
}

impl LongLines {
    fn remember(&mut self, start: u64, to: u64, has_ended: bool) {
        if to - start < LONG {
            return;
        }
        if self.scanned.len() >= MOST_LINES {
            self.scanned.clear();
        }
        self.scanned.insert(start, (to, has_ended));
    }
}

/// Looks for lines and cuts them.
pub(super) struct Chopper<'a> {
    pub(super) reader: &'a Reader,
    pub(super) chop: Chop,
    pub(super) lines: &'a mut LongLines,
}

impl Chopper<'_> {
    /// The lines around the one with the byte at `at`, with so many before and after it if the file has them nearby; as
    /// many as the screen needs in any case.
    pub(super) fn passage(&mut self, at: u64, (before, after): (usize, usize)) -> Result<Passage> {
        let pieces = read::passage(self.reader, at, (before, after))?;
        let Some(index) = pieces.find(at) else { return Ok(pieces) };
        let all = &pieces.pieces;
        let first = all[..index].iter().rposition(|piece| !piece.is_whole()).map_or(0, |last| last + 1);
        let end =
            all[index..].iter().position(|piece| !piece.is_whole()).map_or(all.len(), |more| index + more);
        let is_near = |count: usize, wanted: usize, is_edge: bool| count >= wanted || is_edge;
        if is_near(index - first, before, first == 0)
            && is_near(end.saturating_sub(index), after + 1, end == all.len())
            && index < end
            && self.chop.aim == Aim::Here
        {
            return Ok(part_of(pieces, first..end));
        }
        let at = pieces.pieces[index].start;
        drop(pieces);
        let start = match self.line_start(at, u64::MAX)? {
            Some(start) => start,
            None => at,
        };
        let mut lines = Vec::new();
        let ends_file = self.forwards(start, &mut lines, after)?;
        let wanted = match ends_file {
            true => self.chop.rows.saturating_sub(lines.len()).max(usize::from(self.chop.goes_up)),
            false => usize::from(self.chop.goes_up),
        };
        let count = lines.len();
        let starts_file = self.back(&mut lines, wanted, before)?;
        let first = lines.len() - count;
        let (pieces, left) = self.cut(&lines, first)?;
        Ok(Passage { pieces, starts_file, ends_file, left, ..Passage::default() })
    }

    /// Adds the lines from `start` on; returns whether the last one is the last of the file.
    fn forwards(&mut self, start: u64, lines: &mut Vec<Range<u64>>, after: usize) -> Result<bool> {
        let mut at = start;
        loop {
            let is_needed = lines.len() <= self.chop.rows;
            let room = (start + AROUND).saturating_sub(at);
            if lines.len() > after || !is_needed && room == 0 {
                return Ok(self.reader.known_size() == Some(at));
            }
            let reach = if is_needed { u64::MAX } else { room };
            match self.next_line(at, reach)? {
                Some(next) if next == at => return Ok(true),
                Some(next) => {
                    lines.push(at..next);
                    at = next;
                }
                None => return Ok(false),
            }
        }
    }

    /// Adds `wanted` lines before the first one, and some more if they are near; returns whether the first one is the first
    /// of the file.
    fn back(&mut self, lines: &mut Vec<Range<u64>>, wanted: usize, before: usize) -> Result<bool> {
        let from = lines.first().map_or(0, |line| line.start);
        let mut found: Vec<Range<u64>> = Vec::new();
        let mut at = from;
        while at > 0 && found.len() < before.max(wanted) {
            let is_needed = found.len() < wanted;
            let reach = if is_needed { u64::MAX } else { AROUND.saturating_sub(from - at) };
            let width = self.reader.units().width() as u64;
            let Some(start) = self.line_start(at - width, reach)? else { break };
            found.push(start..at);
            at = start;
        }
        found.reverse();
        lines.splice(0..0, found);
        Ok(at == 0)
    }

    /// The start of the line after the one that begins at `start`, and the end of the file after the last line; `None` if
    /// that is further than `reach`.
    fn next_line(&mut self, start: u64, reach: u64) -> Result<Option<u64>> {
        let (mut at, has_ended) = self.lines.scanned.get(&start).copied().unwrap_or((start, false));
        if has_ended {
            return Ok(Some(at));
        }
        let units = self.reader.units();
        let mut buffer = vec![0; 16 << 10];
        loop {
            let got = self.reader.read_at_least(buffer.len(), &mut buffer, at)?;
            let end = units.after_first(&buffer[..got]).map(|end| at + end as u64);
            if let Some(end) = end {
                self.lines.remember(start, end, true);
                return Ok(Some(end));
            }
            at += got as u64;
            self.lines.remember(start, units.floor(at), false);
            if got < buffer.len() {
                return Ok(Some(at));
            }
            if at - start > reach {
                return Ok(None);
            }
            buffer.resize(BLOCK, 0);
        }
    }

    /// The start of the line with the byte at `offset`; `None` if that is further than `reach`.
    fn line_start(&mut self, offset: u64, reach: u64) -> Result<Option<u64>> {
        let known = self.lines.scanned.range(..=offset).next_back();
        if let Some((start, _)) = known.filter(|(_, (end, _))| *end > offset) {
            return Ok(Some(*start));
        }
        let offset = self.reader.units().floor(offset);
        let (mut end, mut step) = (offset, 16 << 10);
        loop {
            let from = end.saturating_sub(step);
            if let Some(start) = self.reader.last_line_start(from, end)? {
                return Ok(Some(start));
            }
            if from == 0 {
                return Ok(Some(0));
            }
            if offset - from > reach {
                return Ok(None);
            }
            (end, step) = (from, (step * 4).min(MAX_STEP));
        }
    }

    /// The lines as pieces, and the column that the aim comes to; the line at `first` is the first of the screen.
    pub(super) fn cut(&mut self, lines: &[Range<u64>], first: usize) -> Result<(Vec<Piece>, Option<usize>)> {
        let Layout { columns, left, .. } = self.chop.layout;
        let aimed = match self.chop.aim {
            Aim::Here => None,
            Aim::Byte(offset) => match lines.iter().find(|line| line.contains(&offset)) {
                Some(line) => {
                    let column = self.long_line(line)?.column_at(offset)?;
                    Some(self.chop.layout.left_for(&(column..column + 1)))
                }
                None => None,
            },
            Aim::RightEdge => {
                let mut longest = 0;
                for line in lines.iter().skip(first).take(self.chop.rows) {
                    longest = self.long_line(line)?.column_at(line.end)?.max(longest);
                }
                Some(longest.saturating_sub(columns))
            }
        };
        let left = aimed.unwrap_or(left);
        // Some steps sideways need no other text.
        let margin = (4 * columns).clamp(256, 2048);
        let shown = left..left.saturating_add(columns);
        let pieces = lines.iter().map(|line| self.piece(line, &shown, margin)).collect::<Result<_>>()?;
        Ok((pieces, aimed))
    }

    fn piece(&mut self, line: &Range<u64>, shown: &Range<usize>, margin: usize) -> Result<Piece> {
        if line.end - line.start <= WHOLE {
            let (bytes, _) = block(self.reader, line.start, line.end)?;
            return Ok(Piece::of_line(&bytes, line.start, self.reader.encoding()));
        }
        let (text, cut) = self.long_line(line)?.part(shown, margin)?;
        let cut = Some(Box::new(cut));
        let (starts_line, ends_line) = (true, true);
        Ok(Piece { start: line.start, end: line.end, text, starts_line, ends_line, hash: None, cut })
    }

    /// The line without a byte order mark and its end.
    fn long_line(&mut self, line: &Range<u64>) -> Result<LongLine<'_>> {
        let (encoding, units) = (self.reader.encoding(), self.reader.units());
        let mark = if line.start == 0 { encoding.mark() } else { b"" };
        let (head, _) = block(self.reader, line.start, line.end.min(line.start + mark.len() as u64))?;
        let start = if head == mark { line.start + mark.len() as u64 } else { line.start };
        let width = units.width() as u64;
        let mut end = line.end;
        for ending in [b'\n', b'\r'] {
            let from = units.floor(end.saturating_sub(width)).max(start);
            let (last, _) = block(self.reader, from, end)?;
            if !units.ends_with(&last, ending) {
                break;
            }
            end = from;
        }
        let (reader, sequences) = (self.reader, self.chop.layout.sequences);
        Ok(LongLine { reader, span: start..end.max(start), sequences, marks: &mut self.lines.marks })
    }
}

/// The pieces `near` of `passage`.
fn part_of(passage: Passage, near: Range<usize>) -> Passage {
    let Passage { mut pieces, starts_file, ends_file, .. } = passage;
    let is_last = near.end == pieces.len();
    pieces.truncate(near.end);
    pieces.drain(..near.start);
    let (starts_file, ends_file) = (starts_file && near.start == 0, ends_file && is_last);
    Passage { pieces, starts_file, ends_file, ..Passage::default() }
}

#[cfg(test)]
#[path = "chopped_tests.rs"]
mod tests;
