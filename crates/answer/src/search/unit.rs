//! Writes what is shown of a line: `12:a match`, `11-its context`, `--` between groups, as grep does.

use super::colors::{self, MarkedText};
use super::options::LineOptions;
use crate::content::{ContentOptions, ContentStats, InvalidBytes, Segment, Sink, tokens};
use rread_reader::reader::Reader;
use rread_reader::search::group::ShownLine;
use rread_reader::search::matcher::LineMatcher;
use rread_reader::search::occurrences::{Excerpt, Occurrence, each, leading_space};
use rread_text::encoding::Encoding;
use rread_text::error::Result;

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

/// What is shown of a line at once.
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

    /// The bytes that are shown, if they are at hand.
    fn shown_of_held(&self) -> Option<&'u [u8]> {
        let shown = &self.excerpt.bytes;
        let at = |offset: u64| usize::try_from(offset.checked_sub(self.line.start)?).ok();
        self.held?.get(at(shown.start)?..at(shown.end)?)
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
            colors::within(&mut self.scratch, colors::PATH, self.style.color, &name);
            self.scratch.push(b'\n');
        }
        if let Some(separator) = self.style.options.separator.as_ref().filter(|_| self.style.separators)
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
        let written = self.text(unit, &mut counted)?;
        if excerpt.cut.1 {
            counted.mark(ELLIPSIS.as_bytes())?;
        }
        let is_open =
            counted.last != b'\n' || counted.bytes == 0 || unit.is_match && excerpt_is_empty(excerpt);
        let ends = excerpt.cut.1 || unit.is_match || self.style.ends_lines;
        if is_open && ends && !unit.is_open && self.is_narrow() {
            counted.mark(b"\n")?;
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
        let held = unit.shown_of_held().filter(|held| self.is_verbatim(held));
        let held = held.map(|held| (excerpt.bytes.start, held));
        let mut text = MarkedText::new(self.reader, segment, options, self.matcher.replaces(), held, sink);
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

    /// Whether a newline is the byte `\n` in the output.
    fn is_narrow(&self) -> bool {
        !self.options.raw || self.reader.units().width() == 1
    }

    fn prefix(&mut self, unit: &Unit<'_>) {
        let (line, color) = (unit.line, self.style.color);
        let options = &self.style.options;
        let field = match (line.is_hit, line.is_head) {
            (true, _) => &options.match_field[..],
            // As in `git grep -p`.
            (_, true) => b"=",
            _ => &options.context_field,
        };
        if let Some(path) = &self.style.path {
            colors::within(&mut self.scratch, colors::PATH, color, path);
            if self.style.null { self.scratch.push(0) } else { self.scratch.extend_from_slice(field) }
        }
        if !self.style.has_fields || self.options.hash.is_some() {
            return;
        }
        let column = unit.column.filter(|_| options.column);
        let start = unit.offset.unwrap_or(line.start);
        let numbers = [options.numbers.then_some(line.number), column, options.byte_offset.then_some(start)];
        for (number, color) in numbers.into_iter().zip([color, false, false]) {
            let Some(number) = number else { continue };
            let (mut digits, mut at) = ([0; 20], 20);
            let text = decimal(number, &mut digits, &mut at);
            colors::within(&mut self.scratch, colors::NUMBER, color, text);
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

fn excerpt_is_empty(excerpt: &Excerpt) -> bool {
    excerpt.bytes.is_empty()
}

fn decimal<'d>(number: u64, digits: &'d mut [u8; 20], at: &mut usize) -> &'d [u8] {
    let mut rest = number;
    while *at == digits.len() || rest > 0 {
        *at -= 1;
        digits[*at] = b'0' + u8::try_from(rest % 10).unwrap_or(0);
        rest /= 10;
    }
    &digits[*at..]
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
        self.marks += tokens::thirds(text);
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
