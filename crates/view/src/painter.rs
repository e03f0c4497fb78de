//! The thread that colors lines. It gets them from the passage, and reads nothing but the first line of the file.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::style::Style;
use super::syntax::{ColorRequest, Colored, LineStyles, Outcome, SyntaxLine};
use super::viewed_file::{Control, ViewedFile};
use rread_answer::highlight::{LineColors, Origin};
use rread_answer::options::Highlight;
use rread_answer::output::ThemeChoice;
use rread_text::error::{Error, Result};

/// Takes an answer; returns whether anybody listens.
pub(crate) type SendColors = Box<dyn Fn(Colored) -> bool + std::marker::Send>;

/// The near end of the thread.
pub(crate) struct ColorThread(Sender<(Arc<ViewedFile>, ColorRequest)>);

impl ColorThread {
    pub(crate) fn start(path: PathBuf, theme: ThemeChoice, send: SendColors) -> Result<Self> {
        let (orders, inbox) = channel();
        let run = move || paint(&inbox, &path, &theme, &send);
        let started = thread::Builder::new().name("colors".to_owned()).spawn(run);
        started.map(|_| ColorThread(orders)).map_err(|cause| Error::read("cannot start a thread", &cause))
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
        if canvas.as_ref().is_none_or(|(of, _)| *of != version) {
            canvas = None;
        }
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
        let keeps_levels = self.colors.as_ref().is_some_and(LineColors::keeps_levels);
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
