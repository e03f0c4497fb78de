//! The columns of a long line, which is read in parts from its start, or from a place where its column is known.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use unicode_width::UnicodeWidthChar;

use super::glyph::{GlyphKind, Glyphs, LONGEST_SEQUENCE, is_dangerous};
use super::piece::Cut;
use super::read::block;
use super::style::{HEAD, Style, level_style};
use rread_reader::reader::Reader;
use rread_text::encoding::{Encoding, Run, TextDecoder};
use rread_text::error::Result;

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

/// Where measuring stops.
#[derive(Clone, Copy)]
struct Limit {
    column: usize,
    offset: u64,
}

impl LongLine<'_> {
    /// The columns before the byte at `offset`.
    pub(super) fn column_at(&mut self, offset: u64) -> Result<usize> {
        let offset = offset.clamp(self.span.start, self.span.end);
        self.advance(Limit { column: usize::MAX, offset }).map(|place| place.column)
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
        let first = self.advance(Limit { column: wanted.start, offset: self.span.end })?;
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

    /// The last place that is known or found before `limit`.
    fn advance(&mut self, limit: Limit) -> Result<Mark> {
        let mut here = self.start(limit);
        let mut marked = here.offset;
        loop {
            let end = limit.offset.min(here.offset + PART as u64);
            let is_last = end == limit.offset;
            let (raw, _) = block(self.reader, here.offset, end)?;
            if raw.is_empty() {
                return Ok(here);
            }
            let text = self.decoded(&raw, here.offset);
            let mut next = here;
            // What the next part may change is left to it.
            let open = if is_last { text.len() } else { closed(&text) };
            let used = measure(&text, open, &mut next, limit.column, self.sequences);
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

    /// The nearest known place before `limit`.
    fn start(&mut self, limit: Limit) -> Mark {
        if self.marks.sequences != self.sequences {
            *self.marks = Marks { sequences: self.sequences, ..Marks::default() };
        }
        let known = self.marks.places.range(self.span.start..=limit.offset).rev().map(|(_, mark)| *mark);
        let near = known.into_iter().find(|mark| mark.column <= limit.column);
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
