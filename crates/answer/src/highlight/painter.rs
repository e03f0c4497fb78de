//! Paints content on its way to standard output.

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::time::{Duration, Instant};

use super::language::{self, Language};
use super::line::PaintedLine;
use super::theme::{Theme, theme};
use super::worker::{LONGEST, Origin, ParserJob, ParserThread, Styles};
use crate::content::{self, ContentOptions, ContentStats, Segment, Sink};
use crate::output::{Out, ThemeChoice};
use rread_reader::reader::Reader;
use rread_text::error::Result;

/// Bytes before a slice that the parser reads. A slice that starts within them is colored as in the whole file.
const WINDOW: u64 = 64 << 10;

/// The longest time to wait for the parser. What has been waited comes back with the lines that it paints; once nothing is
/// left, the rest is not colored.
const PATIENCE: Duration = Duration::from_millis(300);
const PATIENCE_PER_LINE: Duration = Duration::from_millis(2);

/// Lines that are painted together: to wait for another thread takes longer than to parse a line.
const BATCH: usize = 32;

const PLAIN: &[u8] = b"\x1b[0m";

/// The colors of one file, and what its parser knows from slice to slice.
pub struct Colors {
    theme: &'static Theme,
    /// `None` once it was too slow: the rest is written plain.
    worker: RefCell<Option<ParserThread>>,
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
        let theme = theme(choice)?;
        let worker = RefCell::new(ParserThread::start(language, theme));
        Ok(Some(Colors { theme, worker, kept: Cell::default(), left: Cell::new(PATIENCE) }))
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
        let delivered = content::deliver(reader, segments, options, &mut painter);
        painter.paint()?;
        let stats = delivered?;
        self.kept.set(Some(stats.end).filter(|_| !stats.mid_line));
        Ok(stats)
    }

    /// Takes the parser to `start`; returns the text of its line before it.
    fn go_to(&self, start: u64, reader: &Reader) -> String {
        // The receipt has counted the requests to a server already. Of many slices, the last ones must not wait.
        let is_remote = reader.source().info().traffic.is_some();
        let window = if is_remote || self.left.get() < PATIENCE / 2 { 0 } else { WINDOW };
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
        let more = PATIENCE_PER_LINE * u32::try_from(lines).unwrap_or(0);
        let (begun, patience) = (Instant::now(), self.left.get() + more);
        let styles = worker.as_ref()?.run(job, patience);
        self.left.set(patience.saturating_sub(begun.elapsed()).min(PATIENCE));
        if styles.is_none() {
            *worker = None;
        }
        styles
    }

    /// Appends `line` in `styles` to `out`.
    fn paint(&self, line: &PaintedLine, styles: &Styles, out: &mut Vec<u8>) {
        let (mut open, mut at) = (String::new(), 0);
        out.extend_from_slice(line.prefix());
        for (style, length) in styles {
            // Nothing after the text is colored.
            let end = (at + length).min(line.text().len());
            let begin = self.theme.begin(*style);
            if begin != open && at < end {
                out.extend_from_slice(if open.is_empty() { b"" } else { PLAIN });
                out.extend_from_slice(begin.as_bytes());
                open = begin;
            }
            line.show(at..end, out);
            at = end;
        }
        out.extend_from_slice(if open.is_empty() { b"" } else { PLAIN });
        line.show(at..line.len(), out);
        out.extend_from_slice(line.newline());
    }
}

fn text(reader: &Reader, start: u64, end: u64) -> Result<String> {
    let options = ContentOptions { skip_bom: reader.decided().bom, ..ContentOptions::default() };
    let mut text = Vec::new();
    content::deliver(reader, &[Segment { start, end, line: 1 }], &options, &mut text)?;
    Ok(String::from_utf8_lossy(&text).replace("\r\n", "\n"))
}

struct Painter<'a> {
    colors: &'a Colors,
    reader: &'a Reader,
    out: &'a mut Out,
    /// Lines that are not painted yet. The last may go on.
    lines: Vec<PaintedLine>,
    /// Whether the last line is too long to be kept, so that it is written as it comes.
    is_long: bool,
    /// Where the segment ends that came last.
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
        self.last().set_prefix(prefix);
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
                self.last().end();
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
        if self.lines.last().is_none_or(PaintedLine::has_ended) {
            self.lines.push(PaintedLine::default());
        }
        let last = self.lines.len() - 1;
        &mut self.lines[last]
    }

    /// Writes a line that turned out too long. An empty one remains in its place.
    fn check_length(&mut self) -> Result<()> {
        if self.last().len() <= LONGEST {
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
