//! Writes the lines that a search shows, as grep does: `12:a match`, `11-its context`, `--` between groups.

use super::colors;
use crate::content::tokens;
use crate::content::{self, Budget, ContentOptions, ContentStats, CutBy, Segment, Sink};
use rread_reader::reader::Reader;
pub use rread_reader::search::excerpt::{Excerpt, Match, Wanted};
use rread_reader::search::group::ShownLine;
use rread_reader::search::matcher::LineMatcher;
use rread_reader::search::worker::Hit;
use rread_text::error::{Error, Result};
use rread_text::sentence::{Sentence, setting};

/// Stands where a window leaves out a part of a long line.
const ELLIPSIS: &str = "…";

/// The marks around the text of a line.
#[derive(Clone, Debug, Default)]
pub(super) struct LineMarks {
    /// The name of the file, before every line.
    pub(super) path: Option<Vec<u8>>,
    /// A NUL ends the name.
    pub(super) null: bool,
    /// The number of the line.
    pub(super) numbers: bool,
    /// `--` between groups.
    pub(super) separators: bool,
    /// A newline after a last line that has none.
    pub(super) ends_lines: bool,
    /// The most characters of a line.
    pub(super) columns: Option<u64>,
    /// Names, numbers and matches in color.
    pub(super) color: bool,
}

/// Writes lines within a budget, and counts them.
pub(super) struct LineWriter<'a> {
    pub(super) reader: &'a Reader,
    matcher: &'a LineMatcher,
    options: ContentOptions,
    style: LineMarks,
    budget: Budget,
    pub(super) stats: ContentStats,
    scratch: Vec<u8>,
}

impl<'a> LineWriter<'a> {
    pub(super) fn new(
        reader: &'a Reader,
        matcher: &'a LineMatcher,
        options: &ContentOptions,
        style: LineMarks,
        budget: Budget,
    ) -> Self {
        let options = ContentOptions { number: false, color: style.color, max_columns: None, ..*options };
        let token_thirds = options.estimates_tokens.then_some(0);
        let (stats, scratch) = (ContentStats { token_thirds, ..ContentStats::default() }, Vec::new());
        LineWriter { reader, matcher, options, style, budget, stats, scratch }
    }

    /// Whether lines are copied as they are: all that `hits` have in memory.
    pub(super) fn copies(&self) -> bool {
        let ContentOptions { raw, hash, show_controls, invalid, .. } = self.options;
        let is_utf8 = self.reader.encoding() == rread_text::encoding::Encoding::Utf8;
        self.style.columns.is_none()
            && !self.style.color
            && !self.budget.is_limited()
            && hash.is_none()
            && !show_controls
            && invalid != content::InvalidBytes::Error
            && (raw || is_utf8)
    }

    /// Writes hits without context, whose bytes are in `text`; false if they have to be written one by one.
    pub(super) fn copy(&mut self, hits: &[Hit], text: &[u8], sink: &mut dyn Sink) -> Result<bool> {
        let is_held = hits.iter().all(|hit| hit.text.is_some());
        let end = hits.last().and_then(|last| last.text.as_ref()).map_or(0, |range| range.end);
        let text = &text[..end];
        if !is_held || !self.options.raw && simdutf8::basic::from_utf8(text).is_err() {
            return Ok(false);
        }
        if self.style.path.is_none() && !self.style.numbers {
            sink.write(text)?;
            self.end_line(text, sink)?;
            return Ok(true);
        }
        for hit in hits {
            let line = &text[hit.text.clone().unwrap_or_default()];
            self.scratch.clear();
            self.prefix(hit.newlines + 1, b':');
            self.scratch.extend_from_slice(line);
            sink.write(&self.scratch)?;
            self.end_line(line, sink)?;
        }
        Ok(true)
    }

    fn end_line(&self, line: &[u8], sink: &mut dyn Sink) -> Result<()> {
        let is_open = self.style.ends_lines && self.reader.units().width() == 1 && !line.ends_with(b"\n");
        if is_open && !line.is_empty() { sink.write(b"\n") } else { Ok(()) }
    }

    /// Writes a line; false if the budget has no room for it.
    pub(super) fn line(&mut self, line: ShownLine, sink: &mut dyn Sink) -> Result<bool> {
        let wanted = if self.style.color && line.is_hit { Wanted::Marks } else { Wanted::Nothing };
        Ok(self.within_budget(line, wanted, sink)?.is_some())
    }

    /// Writes a line, and returns the matches in what is shown of it; `None` if the budget has no room for it.
    pub(super) fn write_with_matches(
        &mut self,
        line: ShownLine,
        sink: &mut dyn Sink,
    ) -> Result<Option<Vec<Match>>> {
        let wanted = if line.is_hit { Wanted::Matches } else { Wanted::Nothing };
        let excerpt = self.within_budget(line, wanted, sink)?;
        Ok(excerpt.map(|excerpt| excerpt.matches))
    }

    fn within_budget(
        &mut self,
        line: ShownLine,
        wanted: Wanted,
        sink: &mut dyn Sink,
    ) -> Result<Option<Excerpt>> {
        if !self.budget.is_limited() {
            return self.write(line, self.style.columns, wanted, sink).map(Some);
        }
        let is_first = self.stats.newlines == 0;
        if self.budget.lines.is_some_and(|max| self.stats.newlines >= max) {
            self.stats.cut = Some(CutBy::Lines);
            return Ok(None);
        }
        let before = self.stats;
        let room = self.budget.less(&before).characters();
        // A line that is longer than the budget need not be read whole.
        let columns = [self.style.columns, room].into_iter().flatten().min();
        let mut memory = Vec::new();
        let mut excerpt = self.write(line, columns, wanted, &mut memory)?;
        let mut exceeded = self.exceeded_limit_since(&before, memory.len());
        if exceeded.is_some() && is_first {
            // With nothing shown, a caller that follows `next` would get nothing forever.
            let columns = room.map(|room| (room.saturating_sub(40) / 4).max(1));
            self.stats = before;
            memory.clear();
            // Colors need room too.
            let color = std::mem::take(&mut self.style.color);
            let wanted = if wanted == Wanted::Marks { Wanted::Nothing } else { wanted };
            excerpt = self.write(line, columns, wanted, &mut memory)?;
            self.style.color = color;
            exceeded = self.exceeded_limit_since(&before, memory.len());
        }
        if exceeded.is_none() {
            sink.write(&memory)?;
            return Ok(Some(excerpt));
        }
        self.stats = ContentStats { cut: exceeded, ..before };
        Ok(None)
    }

    /// The limit of bytes or tokens that the `bytes` written after `before` exceed.
    fn exceeded_limit_since(&self, before: &ContentStats, bytes: usize) -> Option<CutBy> {
        let thirds = self.stats.token_thirds.unwrap_or(0) - before.token_thirds.unwrap_or(0);
        self.budget.exceeded_limit(before, bytes, usize::try_from(thirds).unwrap_or(usize::MAX))
    }

    /// Fails if a budget cannot ever show anything.
    pub(super) fn check_progress(&self, whole: Budget) -> Result<()> {
        let Some(cut) = self.stats.cut.filter(|_| self.stats.newlines == 0 && self.budget == whole) else {
            return Ok(());
        };
        let hint = Sentence::from("a larger ").then(setting(cut.setting()));
        Err(Error::usage("the budget has no room for the first matching line").hint(hint))
    }

    fn write(
        &mut self,
        line: ShownLine,
        columns: Option<u64>,
        wanted: Wanted,
        sink: &mut dyn Sink,
    ) -> Result<Excerpt> {
        let excerpt = Excerpt::of(self.reader, self.matcher, line, columns, wanted)?;
        self.excerpt(line, &excerpt, sink)?;
        Ok(excerpt)
    }

    /// Writes what is shown of a line.
    fn excerpt(&mut self, line: ShownLine, excerpt: &Excerpt, sink: &mut dyn Sink) -> Result<()> {
        let mut counted = Counted { sink, bytes: 0, last: b'\n', marks: 0 };
        if line.follows_gap && self.style.separators {
            counted.mark(b"--\n")?;
        }
        self.scratch.clear();
        self.prefix(line.number, if line.is_hit { b':' } else { b'-' });
        counted.mark(&self.scratch)?;
        // A hashline begins with its number.
        if excerpt.cut.0 && self.options.hash.is_none() {
            counted.mark(ELLIPSIS.as_bytes())?;
        }
        let segment = Segment { start: excerpt.bytes.start, end: excerpt.bytes.end, line: line.number };
        let options = ContentOptions { color: self.style.color, ..self.options };
        let written = colors::deliver(self.reader, segment, &excerpt.marks, &options, &mut counted)?;
        if excerpt.cut.1 {
            counted.mark(ELLIPSIS.as_bytes())?;
        }
        let is_open = counted.last != b'\n' || counted.bytes == 0;
        let ends = excerpt.cut.1 || self.style.ends_lines;
        if is_open && ends && self.is_narrow() {
            counted.mark(b"\n")?;
        }
        self.stats.content_bytes += counted.bytes;
        let thirds = counted.marks + written.token_thirds.unwrap_or(0);
        self.stats.token_thirds = self.stats.token_thirds.map(|sum| sum + thirds);
        self.stats.newlines += 1;
        self.stats.end = line.next;
        self.stats.invalid.count += written.invalid.count;
        self.stats.invalid.first_byte = self.stats.invalid.first_byte.or(written.invalid.first_byte);
        self.stats.clipped_lines += u64::from(excerpt.cut != (false, false));
        Ok(())
    }

    /// Whether a newline is the byte `\n` in the output.
    fn is_narrow(&self) -> bool {
        !self.options.raw || self.reader.units().width() == 1
    }

    fn prefix(&mut self, number: u64, mark: u8) {
        if let Some(path) = &self.style.path {
            let color = self.style.color;
            colors::within(&mut self.scratch, colors::PATH, color, path);
            self.scratch.push(if self.style.null { 0 } else { mark });
        }
        if self.style.numbers && self.options.hash.is_none() {
            let mut digits = [0; 20];
            let (mut at, mut rest) = (digits.len(), number);
            while at == digits.len() || rest > 0 {
                at -= 1;
                digits[at] = b'0' + u8::try_from(rest % 10).unwrap_or(0);
                rest /= 10;
            }
            colors::within(&mut self.scratch, colors::NUMBER, self.style.color, &digits[at..]);
            self.scratch.push(mark);
        }
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
