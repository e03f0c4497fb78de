//! Writes what is shown of a line: `12:a match`, `11-its context`, `--` between groups, as grep does.

use std::borrow::Cow;
use std::ops::Range;

use super::options::LineOptions;
use crate::content::{self, ContentOptions, ContentStats, InvalidBytes, Segment, Sink, push_number};
use rread_reader::search::occurrences::{Excerpt, Occurrence, each, leading_space};
use rread_reader::{LineMatcher, Reader, ShownLine};
use rread_text::{Encoding, Result};

/// Stands where a window leaves out a part of a long line.
const ELLIPSIS: &str = "…";

/// The marks around the text of a line.
#[derive(Clone, Debug, Default)]
pub(super) struct LineMarks {
    /// The name of the file, before every line.
    pub(super) path: Option<Vec<u8>>,
    /// The name of the file, once before its lines.
    pub(super) heading: Option<Vec<u8>>,
    /// A NUL ends the name.
    pub(super) null: bool,
    /// The number of the line, and what else the options put before it.
    pub(super) has_fields: bool,
    /// A line between groups.
    pub(super) separators: bool,
    /// Such a line before the first group, since another file has groups before.
    pub(super) follows_file: bool,
    /// A newline after a last line that has none.
    pub(super) ends_lines: bool,
    /// The most characters of a line.
    pub(super) columns: Option<u64>,
    /// The windows of a line share its columns.
    pub(super) shares_columns: bool,
    /// The most matches of the line, if the bytes that are searched are one line.
    pub(super) most: Option<(u64, Range<u64>)>,
    /// After the first windows of a line, the answer ends; otherwise it goes on with the next line.
    pub(super) stops_in_lines: bool,
    /// Names, numbers and matches in color.
    pub(super) color: bool,
    /// The matches that are shown are collected.
    pub(super) collects: bool,
    pub(super) options: LineOptions,
}

/// The matches in what is shown of a line.
#[derive(Clone, Copy)]
pub(super) enum Marks<'u> {
    None,
    These(&'u [Occurrence]),
    /// All of the line.
    All,
}

/// A part of a line that is shown at once.
pub(super) struct Unit<'u> {
    pub(super) line: ShownLine,
    pub(super) excerpt: Excerpt,
    pub(super) marks: Marks<'u>,
    /// The bytes of the line, if they are at hand.
    pub(super) held: Option<&'u [u8]>,
    /// The offset, if it is shown as that of one of several windows.
    pub(super) window: Option<u64>,
    /// The place of the match in its line.
    pub(super) column: Option<u64>,
    /// The offset of the match, if it is shown in place of that of the line.
    pub(super) offset: Option<u64>,
    /// A match alone, which has a line of its own.
    pub(super) is_match: bool,
    /// The next line goes on where it ends.
    pub(super) is_open: bool,
}

impl<'u> Unit<'u> {
    pub(super) fn new(line: ShownLine, excerpt: Excerpt, marks: Marks<'u>, held: Option<&'u [u8]>) -> Self {
        let (window, column, offset) = (None, None, None);
        Unit { line, excerpt, marks, held, window, column, offset, is_match: false, is_open: false }
    }
}

/// Writes units, and counts what it writes.
pub(super) struct UnitWriter<'a> {
    pub(super) reader: &'a Reader,
    pub(super) matcher: &'a LineMatcher,
    pub(super) options: ContentOptions,
    pub(super) style: LineMarks,
    pub(super) stats: ContentStats,
    pub(super) scratch: Vec<u8>,
    /// The start of the line that goes on where the last one ended.
    pub(super) open_at: Option<u64>,
}

impl UnitWriter<'_> {
    pub(super) fn write(&mut self, unit: &Unit<'_>, sink: &mut dyn Sink) -> Result<()> {
        let (line, excerpt) = (unit.line, &unit.excerpt);
        let is_joined = self.open_at == Some(line.start);
        self.close(Some(line.start), sink)?;
        let mut counted = Counted { sink, bytes: 0, last: b'\n', marks: 0 };
        self.scratch.clear();
        if let Some(name) = self.style.heading.take() {
            paint(&mut self.scratch, &self.style.options.colors.path, self.style.color, &name);
            self.scratch.push(b'\n');
        }
        if let Some(separator) = self.style.options.separator().filter(|_| self.style.separators)
            && (line.follows_gap && !line.follows_head || self.style.follows_file)
        {
            self.scratch.extend_from_slice(separator);
            self.scratch.push(b'\n');
        }
        self.style.follows_file = false;
        if !is_joined {
            self.prefix(unit);
        }
        // A hashline begins with its number.
        if excerpt.cut.0 && self.options.hash.is_none() {
            self.scratch.extend_from_slice(ELLIPSIS.as_bytes());
        }
        counted.mark(&self.scratch)?;
        let written = match self.matcher.replaces() && (unit.is_match || line.spanned.is_some()) {
            true => self.numbered(unit, &mut counted)?,
            false => self.text(unit, &mut counted)?,
        };
        if excerpt.cut.1 {
            counted.mark(ELLIPSIS.as_bytes())?;
        }
        let is_open =
            counted.last != b'\n' || counted.bytes == 0 || unit.is_match && excerpt.bytes.is_empty();
        let ends = excerpt.cut.1 || unit.is_match || self.style.ends_lines;
        let is_narrow = !self.options.raw || self.reader.units().width == 1;
        if is_open && ends && !unit.is_open && is_narrow {
            counted.mark(self.style.options.line_end())?;
        }
        self.open_at = unit.is_open.then_some(line.next);
        self.stats.content_bytes += counted.bytes;
        let thirds = counted.marks + written.token_thirds.unwrap_or(0);
        self.stats.token_thirds = self.stats.token_thirds.map(|sum| sum + thirds);
        self.stats.newlines += 1;
        self.stats.end = line.next;
        self.stats.invalid.count += written.invalid.count;
        self.stats.invalid.first_byte = self.stats.invalid.first_byte.or(written.invalid.first_byte);
        Ok(())
    }

    /// Ends a line whose newline is replaced, unless the line at `next` goes on in it.
    pub(super) fn close(&mut self, next: Option<u64>, sink: &mut dyn Sink) -> Result<()> {
        if self.open_at.take().is_some_and(|open| Some(open) != next) {
            sink.write(b"\n")?;
            self.stats.content_bytes += 1;
            self.stats.count_tokens(b"\n");
        }
        Ok(())
    }

    fn first_match(&self, unit: &Unit<'_>) -> Result<Option<u64>> {
        let mut first = None;
        match unit.marks {
            Marks::None => {}
            Marks::These(marks) => first = marks.first().map(|one| one.bytes.start),
            Marks::All => each(self.reader, self.matcher, unit.line, unit.held, &mut |one, _| {
                first = Some(one.bytes.start);
                Ok(false)
            })?,
        }
        Ok(first)
    }

    /// Text with replaced matches: each of its lines has the number that the line has in the file.
    fn numbered(&mut self, unit: &Unit<'_>, counted: &mut Counted<'_>) -> Result<ContentStats> {
        let mut text = Vec::new();
        let written = self.text(unit, &mut text)?;
        for (nth, line) in (0..).zip(text.split_inclusive(|byte| *byte == b'\n')) {
            if nth > 0 {
                let line = ShownLine { number: unit.line.number + nth, ..unit.line };
                let column = unit.column.map(|_| 1);
                self.scratch.clear();
                self.prefix(&Unit { column, ..Unit::new(line, unit.excerpt.clone(), Marks::None, None) });
                counted.mark(&self.scratch)?;
            }
            counted.write(line)?;
        }
        Ok(written)
    }

    fn text(&self, unit: &Unit<'_>, sink: &mut dyn Sink) -> Result<ContentStats> {
        let (line, excerpt) = (unit.line, &unit.excerpt);
        let mut start = excerpt.bytes.start;
        if self.style.options.trims && !excerpt.cut.0 {
            let mut space = excerpt.bytes.clone();
            if self.matcher.replaces() {
                // The text in place of a match is not trimmed.
                space.end = self.first_match(unit)?.map_or(space.end, |first| first.min(space.end));
            }
            start += leading_space(self.reader, &space)?;
        }
        let segment = Segment { start, end: excerpt.bytes.end, line: line.number };
        let options = ContentOptions { color: self.style.color, ..self.options };
        // Text that would be written as it is need not be read again. A line may have as many matches as bytes, so only what
        // is shown of it is looked at.
        let at = |offset: u64| usize::try_from(offset.checked_sub(unit.line.start)?).ok();
        let held = unit.held.and_then(|held| held.get(at(excerpt.bytes.start)?..at(excerpt.bytes.end)?));
        let held = held.filter(|held| self.is_verbatim(held)).map(|held| (excerpt.bytes.start, held));
        let mut text = MarkedText::new(self.reader, segment, options, self.matcher.replaces(), held, sink);
        text.nuls = &excerpt.nuls;
        text.color = &self.style.options.colors.matched;
        match unit.marks {
            Marks::None => {}
            Marks::These(marks) => marks.iter().try_for_each(|one| text.add(one))?,
            Marks::All => each(self.reader, self.matcher, line, unit.held, &mut |one, _| {
                text.add(&one)?;
                Ok(true)
            })?,
        }
        text.finish()
    }

    /// Whether the bytes of a line are written as they are.
    fn is_verbatim(&self, line: &[u8]) -> bool {
        let ContentOptions { raw, hash, show_controls, invalid, estimates_tokens, plain, .. } = self.options;
        let is_plain = hash.is_none() && !show_controls && !plain && invalid != InvalidBytes::Error;
        // Tokens are those of the text, in which invalid bytes are U+FFFD.
        is_plain
            && self.reader.encoding() == Encoding::Utf8
            && (raw && !estimates_tokens || simdutf8::basic::from_utf8(line).is_ok())
    }

    fn prefix(&mut self, unit: &Unit<'_>) {
        let (line, color) = (unit.line, self.style.color);
        let options = &self.style.options;
        let field = match (line.is_hit, line.is_head && options.context_field.is_none()) {
            (true, _) => options.match_field.as_deref().unwrap_or(b":"),
            // As in `git grep -p`.
            (_, true) => b"=",
            _ => options.context_field.as_deref().unwrap_or(b"-"),
        };
        if let Some(path) = &self.style.path {
            paint(&mut self.scratch, &options.colors.path, color, path);
            if self.style.null { self.scratch.push(0) } else { self.scratch.extend_from_slice(field) }
        }
        if !self.style.has_fields || self.options.hash.is_some() {
            return;
        }
        let column = unit.column.filter(|_| options.column);
        let start = unit.offset.unwrap_or(line.start);
        let numbers =
            [(!options.no_numbers).then_some(line.number), column, options.byte_offset.then_some(start)];
        let colors = [&options.colors.number, &options.colors.column, &Cow::Borrowed(&b""[..])];
        for (number, begin) in numbers.into_iter().zip(colors) {
            let Some(number) = number else { continue };
            let (begin, end) = marks(begin, color);
            self.scratch.extend_from_slice(begin);
            push_number(&mut self.scratch, number, 1);
            self.scratch.extend_from_slice(end);
            self.scratch.extend_from_slice(field);
        }
        if let Some(offset) = unit.window {
            self.scratch.extend_from_slice(format!("b{offset}").as_bytes());
            self.scratch.extend_from_slice(field);
        }
    }

    /// Writes what stands before a line that is copied.
    pub(super) fn prefix_line(&mut self, line: ShownLine) {
        self.prefix(&Unit::new(line, Excerpt::whole(line), Marks::None, None));
    }
}

/// Counts what goes to a sink.
struct Counted<'s> {
    sink: &'s mut dyn Sink,
    bytes: u64,
    last: u8,
    /// Thirds of the tokens of what surrounds the text of a line.
    marks: u64,
}

impl Counted<'_> {
    fn mark(&mut self, text: &[u8]) -> Result<()> {
        self.marks += content::thirds(text);
        self.write(text)
    }
}

impl Sink for Counted<'_> {
    fn write(&mut self, content: &[u8]) -> Result<()> {
        self.bytes += content.len() as u64;
        self.last = content.last().copied().unwrap_or(self.last);
        self.sink.write(content)
    }

    fn is_read(&self) -> bool {
        self.sink.is_read()
    }
}

/// Appends `text` to `to`, between `color` and its end if colors are on.
pub(super) fn paint(to: &mut Vec<u8>, color: &[u8], is_on: bool, text: &[u8]) {
    let (begin, end) = marks(color, is_on);
    [begin, text, end].into_iter().for_each(|part| to.extend_from_slice(part));
}

/// What stands before and after a text in `color`, if colors are on.
fn marks(color: &[u8], is_on: bool) -> (&[u8], &'static [u8]) {
    if is_on && !color.is_empty() { (color, b"\x1b[0m") } else { (b"", b"") }
}

/// Writes a part of a line, match after match.
pub(super) struct MarkedText<'a> {
    reader: &'a Reader,
    segment: Segment,
    options: ContentOptions,
    /// Matches are replaced.
    replaces: bool,
    /// Bytes that are written as they are, and the offset of the first.
    held: Option<(u64, &'a [u8])>,
    /// Runs of NULs, which are said in words.
    nuls: &'a [Range<u64>],
    /// What begins the color of a match.
    color: &'a [u8],
    sink: &'a mut dyn Sink,
    stats: ContentStats,
    /// Up to here, everything is written.
    at: u64,
}

impl<'a> MarkedText<'a> {
    pub(super) fn new(
        reader: &'a Reader,
        segment: Segment,
        options: ContentOptions,
        replaces: bool,
        held: Option<(u64, &'a [u8])>,
        sink: &'a mut dyn Sink,
    ) -> Self {
        let token_thirds = options.estimates_tokens.then_some(0);
        let stats = ContentStats { token_thirds, ..ContentStats::default() };
        let (at, nuls, color) = (segment.start, &[][..], &b""[..]);
        MarkedText { reader, at, segment, options, replaces, held, nuls, color, sink, stats }
    }

    /// Writes what comes before the match, and the match.
    pub(super) fn add(&mut self, one: &Occurrence) -> Result<()> {
        let range = if self.replaces { &one.bytes } else { &one.mark };
        let (start, end) = (range.start.max(self.at), range.end.min(self.segment.end));
        if self.replaces {
            if range.start < self.at || range.start > self.segment.end {
                return Ok(());
            }
            self.piece(start)?;
            self.colored(&one.replacement)?;
            self.at = range.end.max(self.at);
            return Ok(());
        }
        if !self.options.color || start >= end {
            return Ok(());
        }
        if self.piece(start)? > 0 {
            self.options.hash = None;
        }
        if self.at >= end {
            return Ok(());
        }
        if let Some(text) = self.held_until(end) {
            self.at = end;
            self.stats.count_tokens(text);
            return self.colored(text);
        }
        let mut text = Vec::new();
        let written = content::deliver(self.reader, &[self.until(end)], &self.options, None, &mut text)?;
        self.count(&written);
        self.at = end;
        // A hashline begins with its number and hash, which hold no separator.
        let separator = self.options.hash.take().map(|form| form.separator());
        let front = separator.and_then(|byte| text.iter().position(|b| *b == byte)).map_or(0, |end| end + 1);
        self.sink.write(&text[..front])?;
        self.colored(&text[front..])
    }

    /// Writes the rest of the part; returns what was written of the file.
    pub(super) fn finish(mut self) -> Result<ContentStats> {
        let end = self.segment.end;
        if self.at < end || self.at == self.segment.start {
            self.piece(end)?;
        }
        Ok(self.stats)
    }

    fn colored(&mut self, text: &[u8]) -> Result<()> {
        let (begin, end) = marks(self.color, self.options.color);
        for (part, counts) in [(begin, true), (text, self.replaces), (end, true)] {
            self.sink.write(part)?;
            if counts {
                self.stats.count_tokens(part);
            }
        }
        Ok(())
    }

    fn until(&self, end: u64) -> Segment {
        Segment { start: self.at, end, ..self.segment }
    }

    /// The bytes up to `end`, if they are at hand.
    fn held_until(&self, end: u64) -> Option<&'a [u8]> {
        let (start, held) = self.held?;
        let from = usize::try_from(self.at.checked_sub(start)?).ok()?;
        held.get(from..usize::try_from(end - start).ok()?)
    }

    fn piece(&mut self, end: u64) -> Result<u64> {
        while let Some((nuls, rest)) = self.nuls.split_first().filter(|(nuls, _)| nuls.start < end) {
            self.nuls = &[];
            self.piece(nuls.start)?;
            let words = format!("[{} NUL bytes at {}]", nuls.end - nuls.start, nuls.start);
            self.stats.count_tokens(words.as_bytes());
            self.sink.write(words.as_bytes())?;
            (self.at, self.nuls) = (nuls.end, rest);
            if nuls.end >= end {
                return Ok(words.len() as u64);
            }
        }
        if let Some(text) = self.held_until(end) {
            self.at = end;
            self.stats.count_tokens(text);
            return self.sink.write(text).map(|()| text.len() as u64);
        }
        let written = content::deliver(self.reader, &[self.until(end)], &self.options, None, self.sink)?;
        self.count(&written);
        self.at = end;
        Ok(written.content_bytes)
    }

    fn count(&mut self, written: &ContentStats) {
        self.stats.invalid.count += written.invalid.count;
        self.stats.invalid.first_byte = self.stats.invalid.first_byte.or(written.invalid.first_byte);
        let thirds = written.token_thirds.unwrap_or(0);
        self.stats.token_thirds = self.stats.token_thirds.map(|sum| sum + thirds);
    }
}
