//! Lines as single rows, however long they are: where each begins and ends, and the part of it that is on the screen, which
//! is read in parts from a place where its column is known.

#[cfg(test)]
#[path = "chopped_tests.rs"]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use unicode_width::UnicodeWidthChar;

use super::glyph::{GlyphKind, Glyphs, LONGEST_SEQUENCE, is_dangerous};
use super::layout::Layout;
use super::piece::{self, Cut, PIECE, Passage, Piece, block};
use super::style::{HEAD, Style, level_style};
use rread_reader::Reader;
use rread_text::{Encoding, Result, Run, TextDecoder};

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

/// The known columns of the long lines of a file.
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
        let pieces = piece::passage(self.reader, at, (before, after))?;
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
        let start = self.line_start(at, u64::MAX)?.unwrap_or(at);
        let mut lines = Vec::new();
        let ends_file = self.forwards(start, &mut lines, after)?;
        let count = lines.len();
        let missing = if ends_file { self.chop.rows.saturating_sub(count) } else { 0 };
        let wanted = missing.max(usize::from(self.chop.goes_up));
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
            let width = self.reader.units().width as u64;
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
        let width = units.width as u64;
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

/// Bytes that are measured together.
const PART: usize = 64 << 10;

/// Bytes at the end of a part that are measured with the next one: a sequence or a character with marks may go on there.
const OPEN: usize = LONGEST_SEQUENCE + 64;

/// Bytes of characters outside of ASCII that are looked at together.
const WIDE: usize = 4 << 10;

/// Bytes of a line for which one place with its column is kept, and the places of all lines together.
const APART: u64 = 4 << 20;
const MOST_MARKS: usize = 4096;

/// A place in a line: what is before it has so many columns and sets this style.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Mark {
    offset: u64,
    column: usize,
    style: Style,
}

/// Places of long lines whose columns are known, by their offsets.
#[derive(Debug, Default)]
pub(super) struct Marks {
    places: BTreeMap<u64, Mark>,
    sequences: bool,
}

/// A long line of a file, without its end.
pub(super) struct LongLine<'a> {
    pub(super) reader: &'a Reader,
    pub(super) span: Range<u64>,
    /// Whether escape sequences are understood.
    pub(super) sequences: bool,
    pub(super) marks: &'a mut Marks,
}

impl LongLine<'_> {
    /// The columns before the byte at `offset`.
    pub(super) fn column_at(&mut self, offset: u64) -> Result<usize> {
        let offset = offset.clamp(self.span.start, self.span.end);
        self.advance(usize::MAX, offset).map(|place| place.column)
    }

    /// The text of the columns `shown` and of so many as `margin` before and after them, and where it is.
    pub(super) fn part(&mut self, shown: &Range<usize>, margin: usize) -> Result<(Vec<u8>, Cut)> {
        let wanted = shown.start.saturating_sub(margin)..shown.end.saturating_add(margin);
        let (mut text, mut cut) = self.part_of(&wanted, PART)?;
        // Where much text has no columns, that before the screen is left out.
        if cut.goes_on && cut.columns.end < shown.end {
            (text, cut) = self.part_of(shown, 4 * PART)?;
        }
        let head = self.span.start..self.span.end.min(self.span.start + HEAD as u64);
        let (head, _) = block(self.reader, head.start, head.end)?;
        cut.level = level_style(&self.decoded(&head, self.span.start));
        Ok((text, cut))
    }

    fn part_of(&mut self, wanted: &Range<usize>, most: usize) -> Result<(Vec<u8>, Cut)> {
        let first = self.advance(wanted.start, self.span.end)?;
        let end = self.span.end.min(first.offset + most as u64);
        let (raw, _) = block(self.reader, first.offset, end)?;
        let mut text = self.decoded(&raw, first.offset).into_owned();
        let mut last = first;
        let used = measure(&text, text.len(), &mut last, wanted.end, self.sequences);
        let goes_on = used < text.len() || end < self.span.end;
        text.truncate(used);
        text.shrink_to_fit();
        let (columns, style, level) = (first.column..last.column, first.style, Style::default());
        Ok((text, Cut { start: first.offset, columns, goes_on, style, level }))
    }

    /// The last place that is known or found before this column and this offset.
    fn advance(&mut self, column: usize, offset: u64) -> Result<Mark> {
        let mut here = self.start(column, offset);
        let mut marked = here.offset;
        loop {
            let end = offset.min(here.offset + PART as u64);
            let is_last = end == offset;
            let (raw, _) = block(self.reader, here.offset, end)?;
            if raw.is_empty() {
                return Ok(here);
            }
            let text = self.decoded(&raw, here.offset);
            let mut next = here;
            // What the next part may change is left to it.
            let open = if is_last { text.len() } else { closed(&text) };
            let used = measure(&text, open, &mut next, column, self.sequences);
            next.offset += self.encoded(&raw, here.offset, used) as u64;
            if used < open || is_last || next.offset == here.offset {
                return Ok(next);
            }
            here = next;
            if here.offset - marked >= APART {
                self.marks.keep(here);
                marked = here.offset;
            }
        }
    }

    /// The nearest known place before this column and this offset.
    fn start(&mut self, column: usize, offset: u64) -> Mark {
        if self.marks.sequences != self.sequences {
            *self.marks = Marks { sequences: self.sequences, ..Marks::default() };
        }
        let known = self.marks.places.range(self.span.start..=offset).rev().map(|(_, mark)| *mark);
        let near = known.into_iter().find(|mark| mark.column <= column);
        near.unwrap_or(Mark { offset: self.span.start, ..Mark::default() })
    }

    /// The text of `raw`, which is at `offset`.
    fn decoded<'r>(&self, raw: &'r [u8], offset: u64) -> Cow<'r, [u8]> {
        match self.reader.encoding() {
            Encoding::Utf8 => Cow::Borrowed(raw),
            encoding => Cow::Owned(encoding.decode_lossy(raw, offset, true)),
        }
    }

    /// The bytes of `raw`, which is at `offset`, that so many bytes of its text are.
    fn encoded(&self, raw: &[u8], offset: u64, text: usize) -> usize {
        let encoding = self.reader.encoding();
        if encoding == Encoding::Utf8 {
            return text;
        }
        let mut decoder = TextDecoder::of_whole(encoding);
        let (mut used, mut left) = (0, text);
        while left > 0
            && let Some(run) = decoder.next_run(&raw[used..], offset + used as u64)
        {
            let (utf8, source) = match &run {
                Run::Text(run) => (run.utf8.len(), run.source.len()),
                Run::Invalid(bad) | Run::Cut(bad) => ('\u{FFFD}'.len_utf8(), bad.len()),
            };
            if left < utf8 {
                let Run::Text(run) = run else { break };
                let at = run.split_at(left).1.at;
                return usize::try_from(at - offset).unwrap_or(used);
            }
            (used, left) = (used + source, left - utf8);
        }
        used
    }
}

impl Marks {
    fn keep(&mut self, mark: Mark) {
        if self.places.len() >= MOST_MARKS {
            self.places.clear();
        }
        self.places.insert(mark.offset, mark);
    }
}

/// The bytes of `text` whose columns do not depend on what follows.
fn closed(text: &[u8]) -> usize {
    let from = text.len().saturating_sub(OPEN);
    if plain(&text[from..]) == text.len() - from { text.len() - 1 } else { from }
}

/// Measures the characters of `text` that begin before `open`, from the column of `place` on, up to the last one that ends
/// in the column `limit` or before it; returns their bytes.
fn measure(text: &[u8], open: usize, place: &mut Mark, limit: usize, sequences: bool) -> usize {
    let mut at = 0;
    while at < open {
        // A character may be printed over the last plain one, or a mark combine with it.
        let run = plain(&text[at..]);
        let run = if at + run == open && open == text.len() { run } else { run.saturating_sub(1) };
        let taken = run.min(limit.saturating_sub(place.column));
        (at, place.column) = (at + taken, place.column + taken);
        if taken < run {
            return at;
        }
        let (bytes, columns) = wide(&text[at..], limit.saturating_sub(place.column));
        (at, place.column) = (at + bytes, place.column + columns);
        if bytes > 0 {
            continue;
        }
        let Some(glyph) = Glyphs::new(&text[at..], sequences).next() else { break };
        let width = glyph.kind.width(place.column);
        if place.column + width > limit {
            return at;
        }
        if let GlyphKind::Style(params) = glyph.kind {
            place.style.apply(params);
        }
        (at, place.column) = (at + glyph.next, place.column + width);
    }
    at
}

/// The bytes and the columns of the characters at the start of `text` that are not ASCII and take at most `room` columns,
/// without the last one, with which a mark may combine.
fn wide(text: &[u8], room: usize) -> (usize, usize) {
    if text.first().is_none_or(u8::is_ascii) {
        return (0, 0);
    }
    let valid = text[..text.len().min(WIDE)].utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let (mut done, mut next) = ((0, 0), (0, 0));
    for c in valid.chars() {
        match c.width() {
            Some(width) if width > 0 && !c.is_ascii() && !is_dangerous(c) && next.1 + width <= room => {
                (done, next) = (next, (next.0 + c.len_utf8(), next.1 + width));
            }
            _ => break,
        }
    }
    done
}

/// The bytes at the start of `text` that are characters of one column each, whatever follows but marks and overstrikes.
fn plain(text: &[u8]) -> usize {
    let is_plain = |byte: &u8| byte.wrapping_sub(b' ') < 0x5f;
    let whole = |block: &&[u8]| block.iter().fold(true, |all, byte| all & is_plain(byte));
    let blocks = text.chunks_exact(64).take_while(whole).count() * 64;
    blocks + text[blocks..].iter().take_while(|byte| is_plain(byte)).count()
}
