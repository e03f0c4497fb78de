//! Syntax colors of the pieces on the screen, which is drawn without them first, and the thread that finds them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};

use super::piece::{Passage, Piece};
use super::style::Style;
use super::viewed_file::{Control, ViewedFile};
use rread_answer::highlight::{LineColors, Origin};
use rread_answer::options::Highlight;
use rread_answer::output::ThemeChoice;
use rread_answer::worded;
use rread_source::start_thread;
use rread_text::{Error, Kind, Result};

/// Bytes before the screen that the parser reads, as before a slice.
const WINDOW: usize = 64 << 10;

/// Screens before and after the one that is shown, which are colored with it.
const MARGIN: usize = 2;

/// The style of each part of a line, and where it ends.
pub(crate) type LineStyles = Box<[(usize, Style)]>;

/// A line for the parser.
#[derive(Clone, Debug)]
pub(crate) struct SyntaxLine {
    /// Offsets in the file.
    pub(super) start: u64,
    pub(super) end: u64,
    /// Empty for a long line, which counts as an empty one.
    pub(super) text: Vec<u8>,
}

/// Lines to color.
#[derive(Clone, Debug)]
pub(crate) struct ColorRequest {
    /// The version of the file that they are from.
    pub(super) version: u64,
    pub(super) language: Highlight,
    pub(super) lines: Vec<SyntaxLine>,
    /// The first of them whose colors are wanted.
    pub(super) from: usize,
    pub(super) starts_file: bool,
}

/// The answer.
#[derive(Clone, Debug)]
pub(crate) struct Colored {
    pub(super) version: u64,
    pub(super) outcome: Result<Outcome>,
}

#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    Lines {
        lines: Vec<(u64, u64, LineStyles)>,
        keeps_levels: bool,
    },
    /// The file is in no language, or its parser is too slow.
    Plain,
}

/// Colors received so far, and the request in flight.
#[derive(Clone, Debug, Default)]
pub(crate) struct Syntax {
    language: Highlight,
    is_off: bool,
    /// Whether the file has no colors.
    is_plain: bool,
    /// Whether the file is plain because it could not be read.
    is_unread: bool,
    is_waiting: bool,
    /// Whether lines keep the colors of their levels.
    pub(super) keeps_levels: bool,
    version: u64,
    /// By the start of the line: its end, and its styles.
    lines: BTreeMap<u64, (u64, LineStyles)>,
}

impl Syntax {
    pub(super) fn new(language: Highlight) -> Self {
        Syntax { language, is_off: matches!(language, Highlight::Never), ..Syntax::default() }
    }

    /// The file has other content now, or may be in another language.
    pub(super) fn forget(&mut self) {
        *self = Syntax {
            language: self.language,
            is_off: self.is_off,
            is_waiting: self.is_waiting,
            version: self.version + 1,
            ..Syntax::default()
        };
    }

    /// The file was opened again.
    pub(super) fn opened(&mut self) {
        if self.is_unread {
            self.forget();
        }
    }

    /// The styles of the text of `piece`, if they are known and there are any.
    pub(super) fn styles(&self, piece: &Piece) -> Option<&[(usize, Style)]> {
        let (end, styles) = self.lines.get(&piece.start)?;
        (*end == piece.end && !styles.is_empty() && !self.is_off).then_some(styles)
    }

    /// Whether the parser can take a request.
    pub(super) fn is_ready(&self) -> bool {
        cfg!(feature = "highlight") && !self.is_off && !self.is_plain && !self.is_waiting
    }

    /// The lines to color for a screen of so many rows that shows the pieces `visible`; none if it has its colors.
    pub(super) fn request(
        &mut self,
        passage: &Passage,
        visible: Range<usize>,
        rows: usize,
    ) -> Option<ColorRequest> {
        let pieces = &passage.pieces;
        if pieces[visible.clone()].iter().all(|piece| self.knows(piece)) {
            return None;
        }
        let margin = MARGIN * rows;
        let around = visible.start.saturating_sub(margin)..(visible.end + margin).min(pieces.len());
        let unknown = trim_known(around, |index| self.knows(&pieces[index]));
        let mut begin = unknown.start;
        let mut bytes = 0;
        while begin > 0 && bytes < WINDOW {
            begin -= 1;
            bytes += pieces[begin].text.len() + 1;
        }
        self.is_waiting = true;
        Some(ColorRequest {
            version: self.version,
            language: self.language,
            lines: pieces[begin..unknown.end].iter().map(SyntaxLine::of).collect(),
            from: unknown.start - begin,
            starts_file: begin == 0 && passage.starts_file,
        })
    }

    /// Takes an answer, of which the lines in `passage` are kept; returns what is wrong with the language.
    pub(super) fn take(&mut self, colored: Colored, passage: &Passage) -> Option<String> {
        self.is_waiting = false;
        if colored.version != self.version {
            return None;
        }
        match colored.outcome {
            Ok(Outcome::Lines { lines, keeps_levels }) => {
                self.keeps_levels = keeps_levels;
                self.lines.extend(lines.into_iter().map(|(start, end, styles)| (start, (end, styles))));
                if let (Some(first), Some(last)) = (passage.pieces.first(), passage.pieces.last()) {
                    let span = first.start..=last.start;
                    self.lines.retain(|start, _| span.contains(start));
                }
            }
            Ok(Outcome::Plain) => self.is_plain = true,
            Err(Error { kind: Kind::Usage, message, .. }) => {
                self.is_plain = true;
                return Some(worded(&message));
            }
            // The thread that reads the screen reports why.
            Err(_) => {
                self.is_plain = true;
                self.is_unread = true;
            }
        }
        None
    }

    /// Shows syntax colors, or not; returns the words for it.
    pub(super) fn toggle(&mut self, has_colors: bool) -> &'static str {
        if !cfg!(feature = "highlight") {
            return "this rread was built without syntax colours";
        }
        if !has_colors {
            return "there are no colours: NO_COLOR is set, or this terminal has none";
        }
        self.is_off = !self.is_off;
        if matches!(self.language, Highlight::Never) {
            self.language = Highlight::Auto;
        }
        if self.is_off { "no syntax colours" } else { "syntax colours" }
    }

    fn knows(&self, piece: &Piece) -> bool {
        // A part of a long line is plain.
        !piece.is_whole() || self.lines.get(&piece.start).is_some_and(|(end, _)| *end == piece.end)
    }
}

/// `pieces` without those at its ends that are known.
fn trim_known(pieces: Range<usize>, is_known: impl Fn(usize) -> bool) -> Range<usize> {
    let start = pieces.clone().find(|index| !is_known(*index)).unwrap_or(pieces.end);
    let end = (start..pieces.end).rev().find(|index| !is_known(*index)).map_or(start, |last| last + 1);
    start..end
}

impl SyntaxLine {
    pub(super) fn of(piece: &Piece) -> Self {
        let text = if piece.is_whole() { piece.text.clone() } else { Vec::new() };
        SyntaxLine { start: piece.start, end: piece.end, text }
    }

    /// As the parser reads it: valid text with as many bytes, and a newline.
    pub(super) fn parser_text(&self) -> String {
        let mut text = String::with_capacity(self.text.len() + 1);
        for chunk in self.text.utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(std::iter::repeat_n('?', chunk.invalid().len()));
        }
        text.push('\n');
        text
    }
}

/// Takes an answer; returns whether anybody listens.
pub(crate) type SendColors = Box<dyn Fn(Colored) -> bool + std::marker::Send>;

/// The near end of the thread.
pub(crate) struct ColorThread(Sender<(Arc<ViewedFile>, ColorRequest)>);

impl ColorThread {
    pub(crate) fn start(path: PathBuf, theme: ThemeChoice, send: SendColors) -> Result<Self> {
        let (orders, inbox) = channel();
        start_thread("colors", move || paint(&inbox, &path, &theme, &send))?;
        Ok(ColorThread(orders))
    }

    pub(crate) fn order(&self, text: Arc<ViewedFile>, wanted: ColorRequest) {
        let _ = self.0.send((text, wanted));
    }
}

fn paint(
    orders: &Receiver<(Arc<ViewedFile>, ColorRequest)>,
    path: &Path,
    theme: &ThemeChoice,
    send: &SendColors,
) {
    let mut canvas: Option<(u64, Canvas)> = None;
    for (text, wanted) in orders {
        let version = wanted.version;
        canvas.take_if(|(of, _)| *of != version);
        let outcome = match &mut canvas {
            Some((_, canvas)) => Ok(canvas.paint(&wanted)),
            None => Canvas::of(&text, &wanted, (path, theme))
                .map(|new| canvas.insert((version, new)).1.paint(&wanted)),
        };
        if !send(Colored { version, outcome }) {
            return;
        }
    }
}

/// The parser of one version of a file.
#[derive(Default)]
struct Canvas {
    /// `None` if the file is in no language, or once it was too slow.
    colors: Option<LineColors>,
    /// Offset of the next line that the parser expects.
    kept: Option<u64>,
}

impl Canvas {
    fn of(
        text: &Arc<ViewedFile>,
        wanted: &ColorRequest,
        (path, theme): (&Path, &ThemeChoice),
    ) -> Result<Self> {
        let language = match wanted.language {
            Highlight::As(language) => Some(language),
            _ => None,
        };
        let control = Arc::new(Control::default());
        control.running.store(1, Ordering::Relaxed);
        let colors = LineColors::of(language, theme, &text.snapshot(&control, false), path)?;
        Ok(Canvas { colors, kept: None })
    }

    fn paint(&mut self, wanted: &ColorRequest) -> Outcome {
        let Some(lines) = self.lines(wanted) else {
            self.colors = None;
            return Outcome::Plain;
        };
        let keeps_levels = self.colors.as_ref().is_some_and(|colors| colors.keeps_levels());
        Outcome::Lines { lines, keeps_levels }
    }

    fn lines(&mut self, wanted: &ColorRequest) -> Option<Vec<(u64, u64, LineStyles)>> {
        let colors = self.colors.as_ref()?;
        let (before, lines) = wanted.lines.split_at_checked(wanted.from)?;
        let kept = self.kept.take();
        let goes_on = wanted.lines[..=before.len().min(wanted.lines.len().checked_sub(1)?)]
            .iter()
            .position(|line| Some(line.start) == kept);
        let (from, origin) = match goes_on {
            Some(index) => (index, Origin::Kept),
            None if wanted.starts_file => (0, Origin::Start),
            None => (0, Origin::Middle),
        };
        colors.skip(before[from..].iter().map(SyntaxLine::parser_text).collect(), origin)?;
        let styles = colors.styles(&lines.iter().map(SyntaxLine::parser_text).collect::<Vec<_>>())?;
        self.kept = lines.last().map(|last| last.end);
        let of_line = |(line, styles): (&SyntaxLine, Vec<(usize, String)>)| {
            let mut end = 0;
            let styles = styles.into_iter().map(|(length, params)| {
                let mut style = Style::default();
                style.apply(params.as_bytes());
                end += length;
                (end, style)
            });
            (line.start, line.end, styles.collect())
        };
        Some(lines.iter().zip(styles).map(of_line).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_pieces_at_the_ends_are_not_requested() {
        for (known, expected) in
            [(&[][..], 2..8), (&[2, 3], 4..8), (&[7], 2..7), (&[4, 5], 2..8), (&[2, 3, 4, 6, 7], 5..6)]
        {
            assert_eq!(trim_known(2..8, |index| known.contains(&index)), expected, "{known:?}");
        }
    }

    #[test]
    fn the_parser_reads_as_many_bytes() {
        let line = SyntaxLine { start: 0, end: 5, text: b"a\xff\xe6\x97b".to_vec() };
        assert_eq!(line.parser_text(), "a???b\n");
    }
}
