//! Syntax colors: the language of a file, its themes, and a sink that paints lines on their way to a terminal.

mod language;

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use rread_reader::Reader;
use rread_text::Result;

use crate::content::{self, ContentOptions, ContentStats, Segment, Sink};
use crate::output::{Out, ThemeChoice};
use language::{MAX_LINE_BYTES, ParserJob, Styles};

pub use language::{Language, find_language};
pub use language::{LineColors, Origin};
/// The licences of syntaxes and themes, which go along with every release.
pub use two_face::acknowledgement;

/// Bytes before a slice that the parser reads. A slice that starts within them is colored as in the whole file.
const WINDOW: u64 = 64 << 10;

/// The longest time to wait for the parser. What has been waited comes back with the lines that it paints; once nothing is
/// left, the rest is not colored.
const PAINT_TIMEOUT: Duration = Duration::from_millis(300);
const PAINT_TIMEOUT_PER_LINE: Duration = Duration::from_millis(2);

/// Lines that are painted together: to wait for another thread takes longer than to parse a line.
const BATCH: usize = 32;

const PLAIN: &[u8] = b"\x1b[0m";

/// The colors of one file, and what its parser knows from slice to slice.
pub struct Colors {
    /// `None` once it was too slow: the rest is written plain.
    worker: RefCell<Option<LineColors>>,
    /// The offset of the line that the parser would go on with.
    kept: Cell<Option<u64>>,
    /// The time that is left to wait.
    left: Cell<Duration>,
}

impl Colors {
    /// The colors of the file at `path` in `language`, or in its own; `None` if that is plain text.
    pub fn of(
        language: Option<Language>,
        choice: &ThemeChoice,
        reader: &Reader,
        path: &Path,
    ) -> Result<Option<Self>> {
        let own = || language::of_file(reader, path);
        let Some(language) = language.map_or_else(own, |language| Ok(Some(language)))? else {
            return Ok(None);
        };
        let worker = RefCell::new(LineColors::start(language, choice)?);
        Ok(Some(Colors { worker, kept: Cell::default(), left: Cell::new(PAINT_TIMEOUT) }))
    }

    /// As [`content::deliver`], in colors. The stats do not count them.
    pub fn deliver(
        &self,
        reader: &Reader,
        segments: &[Segment],
        options: &ContentOptions,
        out: &mut Out,
    ) -> Result<ContentStats> {
        let mut painter = Painter { colors: self, reader, out, lines: Vec::new(), is_long: false, end: None };
        let delivered = content::deliver(reader, segments, options, None, &mut painter);
        painter.paint()?;
        let stats = delivered?;
        self.kept.set(Some(stats.end).filter(|_| !stats.mid_line));
        Ok(stats)
    }

    /// Takes the parser to `start`; returns the text of its line before it.
    fn go_to(&self, start: u64, reader: &Reader) -> String {
        // The receipt has counted the requests to a server already. Of many slices, the last ones must not wait.
        let is_remote = reader.source().info().traffic.is_some();
        let window = if is_remote || self.left.get() < PAINT_TIMEOUT / 2 { 0 } else { WINDOW };
        let kept = self.kept.take().filter(|kept| *kept <= start && start - kept <= window);
        let from = kept.unwrap_or_else(|| reader.units().floor(start.saturating_sub(window)));
        // Damage before the slice is not an error of the slice.
        let mut text = text(reader, from, start).unwrap_or_default();
        let origin = match kept {
            Some(_) => Origin::Kept,
            None if from == 0 => Origin::Start,
            None => Origin::Middle,
        };
        if matches!(origin, Origin::Middle) {
            text.drain(..text.find('\n').map_or(text.len(), |newline| newline + 1));
        }
        let rest = text.split_off(text.rfind('\n').map_or(0, |newline| newline + 1));
        self.run(ParserJob::Skip(text, origin), 1);
        rest
    }

    /// Gives the parser a job that is worth the time of `lines`; `None` if it is too slow.
    fn run(&self, job: ParserJob, lines: usize) -> Option<Vec<Styles>> {
        let mut worker = self.worker.borrow_mut();
        let more = PAINT_TIMEOUT_PER_LINE * u32::try_from(lines).unwrap_or(0);
        let (begun, patience) = (Instant::now(), self.left.get() + more);
        let styles = worker.as_ref()?.run(job, patience);
        self.left.set(patience.saturating_sub(begun.elapsed()).min(PAINT_TIMEOUT));
        if styles.is_none() {
            *worker = None;
        }
        styles
    }

    /// Appends `line` in `styles` to `out`.
    fn paint(&self, line: &PaintedLine, styles: &Styles, out: &mut Vec<u8>) {
        let (mut open, mut at) = ("", 0);
        out.extend_from_slice(&line.prefix);
        for (length, codes) in styles {
            // Nothing after the text is colored.
            let end = (at + length).min(line.text().len());
            if codes != open && at < end {
                out.extend_from_slice(if open.is_empty() { b"" } else { PLAIN });
                if !codes.is_empty() {
                    out.extend_from_slice(format!("\x1b[{codes}m").as_bytes());
                }
                open = codes;
            }
            line.show(at..end, out);
            at = end;
        }
        out.extend_from_slice(if open.is_empty() { b"" } else { PLAIN });
        line.show(at..line.text.len(), out);
        out.extend_from_slice(if line.has_ended { b"\n" } else { b"" });
    }
}

fn text(reader: &Reader, start: u64, end: u64) -> Result<String> {
    Ok(content::text(reader, start, end)?.replace("\r\n", "\n"))
}

struct Painter<'a> {
    colors: &'a Colors,
    reader: &'a Reader,
    out: &'a mut Out,
    /// Lines that are not painted yet. The last may go on.
    lines: Vec<PaintedLine>,
    /// Whether the last line is too long to be kept, so that it is written as it comes.
    is_long: bool,
    /// The end of the segment that came last.
    end: Option<u64>,
}

impl Sink for Painter<'_> {
    fn begin(&mut self, segment: &Segment) -> Result<()> {
        let goes_on = self.end == Some(segment.start) && self.last().is_empty() && !self.is_long;
        self.end = Some(segment.end);
        if goes_on {
            return Ok(());
        }
        self.paint()?;
        self.is_long = false;
        let head = self.colors.go_to(segment.start, self.reader);
        if head.is_empty() { Ok(()) } else { self.replace(head.as_bytes(), b"") }
    }

    fn prefix(&mut self, prefix: &[u8]) -> Result<()> {
        if self.is_long {
            return self.out.write(prefix);
        }
        prefix.clone_into(&mut self.last().prefix);
        Ok(())
    }

    fn replace(&mut self, text: &[u8], shown: &[u8]) -> Result<()> {
        if self.is_long {
            return self.out.write(shown);
        }
        self.last().replace(text, shown);
        self.check_length()
    }

    fn write(&mut self, content: &[u8]) -> Result<()> {
        for piece in content.split_inclusive(|byte| *byte == b'\n') {
            let (text, ends) = piece.strip_suffix(b"\n").map_or((piece, false), |text| (text, true));
            if self.is_long {
                self.out.write(text)?;
            } else {
                self.last().push(text);
                self.check_length()?;
            }
            if ends {
                self.is_long = false;
                self.last().has_ended = true;
            }
            if self.lines.len() >= BATCH && ends {
                self.paint()?;
            }
        }
        Ok(())
    }
}

impl Painter<'_> {
    fn last(&mut self) -> &mut PaintedLine {
        if self.lines.last().is_none_or(|line| line.has_ended) {
            self.lines.push(PaintedLine::default());
        }
        let last = self.lines.len() - 1;
        &mut self.lines[last]
    }

    /// Writes a line that turned out too long. An empty one remains in its place.
    fn check_length(&mut self) -> Result<()> {
        if self.last().text.len() <= MAX_LINE_BYTES {
            return Ok(());
        }
        let long = std::mem::take(self.last());
        self.paint()?;
        self.is_long = true;
        let mut shown = Vec::new();
        self.colors.paint(&long, &Styles::new(), &mut shown);
        self.out.write(&shown)
    }

    /// Writes the lines that are kept.
    fn paint(&mut self) -> Result<()> {
        let lines = std::mem::take(&mut self.lines);
        let lines =
            lines.split_last().filter(|(last, _)| last.is_empty()).map_or(&lines[..], |(_, lines)| lines);
        if lines.is_empty() {
            return Ok(());
        }
        let parsed = lines.iter().map(|line| format!("{}\n", line.text())).collect();
        let styles = self.colors.run(ParserJob::Paint(parsed), lines.len());
        let mut styles = styles.unwrap_or_default().into_iter();
        let mut shown = Vec::new();
        for line in lines {
            self.colors.paint(line, &styles.next().unwrap_or_default(), &mut shown);
        }
        self.out.write(&shown)
    }
}

/// Text of the line that is shown as other text, or not at all.
struct Replaced {
    span: Range<usize>,
    shown: Vec<u8>,
}

#[derive(Default)]
struct PaintedLine {
    /// Its number, and its hash.
    prefix: Vec<u8>,
    text: String,
    replaced: Vec<Replaced>,
    /// A newline follows the line.
    has_ended: bool,
}

impl PaintedLine {
    fn push(&mut self, text: &[u8]) {
        // Content is UTF-8 that ends between characters, so nothing is lost.
        self.text.push_str(&String::from_utf8_lossy(text));
    }

    fn replace(&mut self, text: &[u8], shown: &[u8]) {
        let start = self.text.len();
        self.push(text);
        self.replaced.push(Replaced { span: start..self.text.len(), shown: shown.to_owned() });
    }

    /// Whether nothing of the line has come yet.
    fn is_empty(&self) -> bool {
        self.text.is_empty() && self.prefix.is_empty() && !self.has_ended
    }

    /// The text as the parser reads it, without the carriage return of a line that ends with both.
    fn text(&self) -> &str {
        self.text.trim_end_matches('\r')
    }

    /// Appends to `out` what is shown of `span` of the text. A replacement is shown with its first byte.
    fn show(&self, span: Range<usize>, out: &mut Vec<u8>) {
        let mut at = span.start;
        let touches = |replaced: &&Replaced| replaced.span.end > span.start && replaced.span.start < span.end;
        for Replaced { span: hidden, shown } in self.replaced.iter().filter(touches) {
            if hidden.start >= span.start {
                out.extend_from_slice(&self.text.as_bytes()[at..hidden.start]);
                out.extend_from_slice(shown);
            }
            at = hidden.end;
        }
        if at < span.end {
            out.extend_from_slice(&self.text.as_bytes()[at..span.end]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_show_everything_once_wherever_they_are_cut() {
        let mut line = PaintedLine::default();
        line.push(b"let a");
        line.replace(b"\x1b", b"\\x1b");
        line.push(b"[2J");
        line.replace("\u{9b}".as_bytes(), b"\\u{9b}");
        line.replace(b"clipped", b"");
        let len = line.text.len();
        for first in 0..=len {
            for second in first..=len {
                let mut shown = Vec::new();
                [0..first, first..second, second..len]
                    .into_iter()
                    .for_each(|span| line.show(span, &mut shown));
                assert_eq!(String::from_utf8_lossy(&shown), "let a\\x1b[2J\\u{9b}", "{first} {second}");
            }
        }
    }
}
