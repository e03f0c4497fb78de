//! Syntax colours of the pieces on the screen. The text is drawn first; the parser has a thread of its own, which gets the
//! lines from the passage and reads nothing but the first line of the file.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::app::App;
use super::event::Event;
use super::piece::Piece;
use super::style::Style;
use super::text::{Control, Text};
use crate::error::{Error, Kind, Result};
use crate::highlight::{Highlight, LineColors, Origin};

/// Bytes before the screen that the parser reads, as before a slice.
const WINDOW: usize = 64 << 10;

/// Screens before and after the one that is shown, which are coloured with it.
const MARGIN: usize = 2;

/// The style of each part of a line, and where it ends.
type Styles = Box<[(usize, Style)]>;

/// A line for the parser.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// Offsets in the file.
    start: u64,
    end: u64,
    /// Empty for a long line, which counts as an empty one.
    text: Vec<u8>,
}

/// Lines to colour.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// The version of the file that they are from.
    version: u64,
    language: Highlight,
    lines: Vec<Line>,
    /// The first of them whose colours are wanted.
    from: usize,
    starts_file: bool,
}

/// The answer.
#[derive(Clone, Debug)]
pub(crate) struct Coloured {
    version: u64,
    outcome: Result<Outcome>,
}

#[derive(Clone, Debug)]
enum Outcome {
    Lines {
        lines: Vec<(u64, u64, Styles)>,
        keeps_levels: bool,
    },
    /// The file is in no language, or its parser is too slow.
    Plain,
}

/// The colours that are known, and what is waited for.
#[derive(Clone, Debug, Default)]
pub(super) struct Syntax {
    pub(super) language: Highlight,
    is_off: bool,
    is_plain: bool,
    /// Whether that is so because the file could not be read.
    is_unread: bool,
    is_waiting: bool,
    keeps_levels: bool,
    version: u64,
    /// By the start of the line: its end, and its styles.
    lines: BTreeMap<u64, (u64, Styles)>,
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

    pub(super) fn keeps_levels(&self) -> bool {
        self.keeps_levels
    }

    /// The styles of the text of `piece`, if they are known and there are any.
    pub(super) fn styles(&self, piece: &Piece) -> Option<&[(usize, Style)]> {
        let (end, styles) = self.lines.get(&piece.start)?;
        (*end == piece.end && !styles.is_empty() && !self.is_off).then_some(styles)
    }

    fn knows(&self, piece: &Piece) -> bool {
        !is_coloured(piece) || self.lines.get(&piece.start).is_some_and(|(end, _)| *end == piece.end)
    }
}

/// A part of a long line is plain.
fn is_coloured(piece: &Piece) -> bool {
    piece.starts_line && piece.ends_line
}

impl App {
    /// The lines whose colours the screen needs, to be asked for once it has been drawn.
    pub(crate) fn uncoloured(&mut self) -> Option<Wanted> {
        let syntax = &self.syntax;
        let is_off = !cfg!(feature = "highlight") || !self.settings.colours || self.filter.is_some();
        if is_off || syntax.is_off || syntax.is_plain || syntax.is_waiting {
            return None;
        }
        let shown = self.viewport.shown(&self.passage)?;
        let (first, last) = (shown.first()?.piece, shown.last()?.piece);
        let (pieces, syntax) = (&self.passage.pieces, &mut self.syntax);
        if pieces[first..=last].iter().all(|piece| syntax.knows(piece)) {
            return None;
        }
        let margin = MARGIN * self.viewport.rows();
        let wanted = first.saturating_sub(margin)..(last + 1 + margin).min(pieces.len());
        let wanted = unknown(wanted, |index| syntax.knows(&pieces[index]));
        let (mut begin, mut bytes) = (wanted.start, 0);
        while begin > 0 && bytes < WINDOW {
            begin -= 1;
            bytes += pieces[begin].text.len() + 1;
        }
        // Those of which only a part is known follow none.
        let starts_file = begin == 0 && self.passage.starts_file;
        let lines = pieces[begin..wanted.end].iter().map(Line::of).collect();
        syntax.is_waiting = true;
        let (version, language) = (syntax.version, syntax.language);
        Some(Wanted { version, language, lines, from: wanted.start - begin, starts_file })
    }

    pub(crate) fn coloured(&mut self, coloured: Coloured) {
        let syntax = &mut self.syntax;
        syntax.is_waiting = false;
        if coloured.version != syntax.version {
            return;
        }
        match coloured.outcome {
            Ok(Outcome::Lines { lines, keeps_levels }) => {
                syntax.keeps_levels = keeps_levels;
                syntax.lines.extend(lines.into_iter().map(|(start, end, styles)| (start, (end, styles))));
                // Memory is that of one passage.
                if let (Some(first), Some(last)) = (self.passage.pieces.first(), self.passage.pieces.last()) {
                    let span = first.start..=last.start;
                    syntax.lines.retain(|start, _| span.contains(start));
                }
            }
            Ok(Outcome::Plain) => syntax.is_plain = true,
            Err(Error { kind: Kind::Usage, message, .. }) => {
                syntax.is_plain = true;
                self.say(message);
            }
            // The thread that reads the screen says why.
            Err(_) => (syntax.is_plain, syntax.is_unread) = (true, true),
        }
    }

    pub(super) fn toggle_syntax(&mut self) {
        if !cfg!(feature = "highlight") {
            return self.say("this rread was built without syntax colours");
        }
        if !self.settings.colours {
            return self.say("there are no colours: NO_COLOR is set, or this terminal has none");
        }
        self.syntax.is_off = !self.syntax.is_off;
        if matches!(self.syntax.language, Highlight::Never) {
            self.syntax.language = Highlight::Auto;
        }
        self.say(if self.syntax.is_off { "no syntax colours" } else { "syntax colours" });
    }
}

/// `wanted` without what is known at its ends.
fn unknown(wanted: Range<usize>, knows: impl Fn(usize) -> bool) -> Range<usize> {
    let start = wanted.clone().find(|index| !knows(*index)).unwrap_or(wanted.end);
    let end = (start..wanted.end).rev().find(|index| !knows(*index)).map_or(start, |last| last + 1);
    start..end
}

impl Line {
    fn of(piece: &Piece) -> Self {
        let text = if is_coloured(piece) { piece.text.clone() } else { Vec::new() };
        Line { start: piece.start, end: piece.end, text }
    }

    /// As the parser reads it: valid text with as many bytes, and a newline.
    fn parsed(&self) -> String {
        let mut text = String::with_capacity(self.text.len() + 1);
        for chunk in self.text.utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(std::iter::repeat_n('?', chunk.invalid().len()));
        }
        text.push('\n');
        text
    }
}

impl Wanted {
    /// An answer without a parser, for rehearsals: half of each line is red.
    pub(super) fn striped(self) -> Coloured {
        let of = |line: &Line| {
            let length = line.text.len();
            let styles = [(length / 2, Style::coloured(1)), (length + 1, Style::default())];
            (line.start, line.end, Box::from(styles) as Styles)
        };
        let lines = self.lines[self.from.min(self.lines.len())..].iter().map(of).collect();
        Coloured { version: self.version, outcome: Ok(Outcome::Lines { lines, keeps_levels: true }) }
    }
}

/// The near end of the thread.
pub(crate) struct Painter(Sender<(Arc<Text>, Wanted)>);

impl Painter {
    pub(crate) fn start(path: PathBuf, events: Sender<Event>) -> Result<Self> {
        let (orders, inbox) = channel();
        let run = move || paint(&inbox, &path, &events);
        let started = thread::Builder::new().name("colours".to_owned()).spawn(run);
        started.map(|_| Painter(orders)).map_err(|cause| Error::read("cannot start a thread", &cause))
    }

    pub(crate) fn order(&self, text: Arc<Text>, wanted: Wanted) {
        let _ = self.0.send((text, wanted));
    }
}

fn paint(orders: &Receiver<(Arc<Text>, Wanted)>, path: &std::path::Path, events: &Sender<Event>) {
    let mut canvas: Option<(u64, Canvas)> = None;
    for (text, wanted) in orders {
        let version = wanted.version;
        if canvas.as_ref().is_none_or(|(of, _)| *of != version) {
            canvas = None;
        }
        let outcome = match &mut canvas {
            Some((_, canvas)) => Ok(canvas.paint(&wanted)),
            None => {
                Canvas::of(&text, &wanted, path).map(|new| canvas.insert((version, new)).1.paint(&wanted))
            }
        };
        if events.send(Event::Coloured(Coloured { version, outcome })).is_err() {
            return;
        }
    }
}

/// The parser of one version of a file.
#[derive(Default)]
struct Canvas {
    /// `None` if the file is in no language, or once it was too slow.
    colors: Option<LineColors>,
    /// The offset of the line with which the parser would go on.
    kept: Option<u64>,
}

impl Canvas {
    fn of(text: &Arc<Text>, wanted: &Wanted, path: &std::path::Path) -> Result<Self> {
        let language = match wanted.language {
            Highlight::As(language) => Some(language),
            _ => None,
        };
        let control = Arc::new(Control::default());
        control.running.store(1, Ordering::Relaxed);
        let colors = LineColors::of(language, &text.snapshot(&control, false), path)?;
        Ok(Canvas { colors, kept: None })
    }

    fn paint(&mut self, wanted: &Wanted) -> Outcome {
        let Some(lines) = self.lines(wanted) else {
            self.colors = None;
            return Outcome::Plain;
        };
        let keeps_levels = self.colors.as_ref().is_some_and(LineColors::keeps_levels);
        Outcome::Lines { lines, keeps_levels }
    }

    fn lines(&mut self, wanted: &Wanted) -> Option<Vec<(u64, u64, Styles)>> {
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
        colors.skip(before[from..].iter().map(Line::parsed).collect(), origin)?;
        let styles = colors.styles(lines.iter().map(Line::parsed).collect())?;
        self.kept = lines.last().map(|last| last.end);
        let of_line = |(line, styles): (&Line, Vec<(usize, String)>)| {
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
    fn what_is_known_at_the_ends_is_not_asked_for() {
        for (known, expected) in
            [(&[][..], 2..8), (&[2, 3], 4..8), (&[7], 2..7), (&[4, 5], 2..8), (&[2, 3, 4, 6, 7], 5..6)]
        {
            assert_eq!(unknown(2..8, |index| known.contains(&index)), expected, "{known:?}");
        }
    }

    #[test]
    fn the_parser_reads_as_many_bytes() {
        let line = Line { start: 0, end: 5, text: b"a\xff\xe6\x97b".to_vec() };
        assert_eq!(line.parsed(), "a???b\n");
    }
}
