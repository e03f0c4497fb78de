//! Paints content line by line on its way to standard output.

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::time::{Duration, Instant};

use syntect::highlighting::Style;

use super::Highlight;
use super::language::{self, Language};
use super::line::Line;
use super::state::{self, Kept, LONGEST, State};
use super::theme::{Theme, theme};
use crate::content::{self, ContentOptions, ContentStats, Segment, Sink};
use crate::error::Result;
use crate::output::Out;
use crate::reader::Reader;

/// The time that lines may take: so much, and so much more for each of them. Nothing more is coloured after that.
const PATIENCE: Duration = Duration::from_millis(500);
const PATIENCE_PER_LINE: Duration = Duration::from_millis(2);

const PLAIN: &[u8] = b"\x1b[0m";

/// The colours of one file, and what its parser remembers from slice to slice.
pub(crate) struct Colors {
    pub(super) language: Language,
    pub(super) theme: &'static Theme,
    pub(super) kept: RefCell<Option<Kept>>,
    pub(super) spent: Cell<Duration>,
    /// The time that is left for lines.
    left: Cell<Duration>,
}

impl Colors {
    /// The colours of the file at `path`; `None` if it is plain text.
    pub(crate) fn of(highlight: Highlight, reader: &Reader, path: &Path) -> Result<Option<Self>> {
        let language = match highlight {
            Highlight::Never => None,
            Highlight::As(language) => Some(language),
            Highlight::Auto => language::of_file(reader, path)?,
        };
        let Some(language) = language else { return Ok(None) };
        let (theme, left) = (theme()?, Cell::new(PATIENCE));
        Ok(Some(Colors { language, theme, kept: RefCell::default(), spent: Cell::default(), left }))
    }

    /// As [`content::deliver`], in colours. The stats do not count them.
    pub(crate) fn deliver(
        &self,
        reader: &Reader,
        segments: &[Segment],
        options: &ContentOptions,
        out: &mut Out,
    ) -> Result<ContentStats> {
        let line = Line::default();
        let mut painter = Painter { colors: self, reader, out, line, is_long: false, state: None, end: None };
        let delivered = content::deliver(reader, segments, options, &mut painter);
        painter.finish()?;
        let stats = delivered?;
        let state = painter.state.filter(|_| !stats.mid_line);
        *self.kept.borrow_mut() = state.map(|state| Kept { at: stats.end, state });
        Ok(stats)
    }
}

struct Painter<'a> {
    colors: &'a Colors,
    reader: &'a Reader,
    out: &'a mut Out,
    /// The line that has not ended yet.
    line: Line,
    /// Whether the line turned out too long, so that it is written as it comes.
    is_long: bool,
    /// The state before the line; `None` if nothing is coloured any more.
    state: Option<State>,
    /// Where the segment ends that came last.
    end: Option<u64>,
}

impl Sink for Painter<'_> {
    fn begin(&mut self, segment: &Segment) -> Result<()> {
        let goes_on = self.end == Some(segment.start) && self.line.is_empty() && !self.is_long;
        self.end = Some(segment.end);
        if goes_on || self.colors.left.get().is_zero() {
            return Ok(());
        }
        self.finish()?;
        let (state, head) = state::before(self.colors, self.reader, segment.start);
        self.state = Some(state);
        if head.is_empty() { Ok(()) } else { self.replace(head.as_bytes(), b"") }
    }

    fn prefix(&mut self, prefix: &[u8]) -> Result<()> {
        self.out.write(prefix)
    }

    fn replace(&mut self, text: &[u8], shown: &[u8]) -> Result<()> {
        if self.is_long {
            return self.out.write(shown);
        }
        self.line.replace(text, shown);
        self.check_length()
    }

    fn write(&mut self, content: &[u8]) -> Result<()> {
        for piece in content.split_inclusive(|byte| *byte == b'\n') {
            let (text, ends) = piece.strip_suffix(b"\n").map_or((piece, false), |text| (text, true));
            if self.is_long {
                self.out.write(text)?;
            } else {
                self.line.push(text);
                self.check_length()?;
            }
            if ends {
                self.paint()?;
                self.out.write(b"\n")?;
            }
        }
        Ok(())
    }
}

impl Painter<'_> {
    /// Writes a line without colour once it is too long.
    fn check_length(&mut self) -> Result<()> {
        if self.line.len() <= LONGEST {
            return Ok(());
        }
        self.is_long = true;
        let mut shown = Vec::new();
        self.line.show(0..self.line.len(), &mut shown);
        self.line.clear();
        self.out.write(&shown)
    }

    /// Writes what is left of a line that does not end.
    fn finish(&mut self) -> Result<()> {
        if self.line.is_empty() && !self.is_long { Ok(()) } else { self.paint() }
    }

    /// Writes the line, without its newline.
    fn paint(&mut self) -> Result<()> {
        self.is_long = false;
        let parsed = self.line.parsed();
        let (mut shown, mut open, mut at) = (Vec::new(), String::new(), 0);
        for (style, len) in self.styles(&parsed) {
            let end = (at + len).min(parsed.len() - 1);
            let begin = self.colors.theme.begin(style);
            // The newline is never coloured.
            if begin != open && at < end {
                shown.extend_from_slice(if open.is_empty() { b"" } else { PLAIN });
                shown.extend_from_slice(begin.as_bytes());
                open = begin;
            }
            self.line.show(at..end, &mut shown);
            at = end;
        }
        shown.extend_from_slice(if open.is_empty() { b"" } else { PLAIN });
        self.line.show(at..self.line.len(), &mut shown);
        self.line.clear();
        self.out.write(&shown)
    }

    fn styles(&mut self, line: &str) -> Vec<(Style, usize)> {
        let Some(state) = &mut self.state else { return Vec::new() };
        let begun = Instant::now();
        let styles = state.styles(line, self.colors.theme);
        let left = (self.colors.left.get() + PATIENCE_PER_LINE).saturating_sub(begun.elapsed());
        self.colors.left.set(if styles.is_none() { Duration::ZERO } else { left });
        if self.colors.left.get().is_zero() {
            self.state = None;
        }
        styles.unwrap_or_default()
    }
}
