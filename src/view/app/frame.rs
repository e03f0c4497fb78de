//! Draws the state: the rows of the screen as texts, and the status line.

use std::sync::atomic::Ordering;

use indicatif::BinaryBytes;

use super::app::{App, Mode};
use super::glyph::{Glyphs, Shown as Glyph};
use super::help;
use super::layout::Ink;
use super::piece::Piece;
use super::style::{DIM, REVERSE, Style};
use super::worker::Role;

/// The rows of a screen, each for a terminal in its default style, and where its cursor is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) rows: Vec<String>,
    pub(crate) cursor: Option<(usize, usize)>,
}

/// What the status line shows while something runs: a turning bar, and the bytes that were read for each role.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Progress {
    pub(crate) turn: usize,
    pub(crate) bytes: [u64; super::worker::ROLES.len()],
}

const BAR: [&str; 4] = ["|", "/", "-", "\\"];

impl App {
    pub(crate) fn frame(&mut self, progress: Progress) -> Frame {
        let mut rows = match self.mode {
            Mode::Help(from) => help::LINES.iter().skip(from).map(|line| plain(line, self.columns)).collect(),
            _ => self.text(),
        };
        let room = self.viewport.rows();
        rows.truncate(room);
        if rows.len() < room {
            let mut rest = String::new();
            Style::flagged(DIM).write(&mut rest);
            rest += "~\x1b[0m";
            let is_empty =
                matches!(self.mode, Mode::Help(_)) || self.passage.pieces.is_empty() && !self.facts.is_live;
            rows.resize(room, if is_empty { String::new() } else { rest });
        }
        let mut cursor = None;
        let is_asking = matches!(self.mode, Mode::Prompt(_));
        if self.lines > 1 || is_asking {
            rows.truncate(self.lines - 1);
            let (status, width) = self.status(progress);
            cursor = is_asking.then_some((width, rows.len()));
            rows.push(status);
        }
        Frame { rows, cursor }
    }

    /// The rows of text.
    fn text(&mut self) -> Vec<String> {
        let Some(shown) = self.viewport.shown(&self.passage) else { return Vec::new() };
        let layout = self.viewport.layout();
        let mut rows = Vec::new();
        let mut number = None;
        for part in shown {
            let starts = self.viewport.starts(&self.passage, part.piece).to_vec();
            let (piece, face) = (&self.passage.pieces[part.piece], self.face(part.piece));
            let current = self.search.as_ref().and_then(|search| search.current);
            let is_current = current.is_some_and(|at| (piece.start..piece.end).contains(&at));
            let (colors, tint, styles) = (self.settings.colors, face.tint, face.styles);
            let ink = Ink { colors, matches: &face.matches, is_current, tint, styles };
            let painted = layout.paint(face.text, &starts, part.rows.clone(), &ink);
            number = match number {
                Some(number) if self.filter.is_none() => Some(number + u64::from(piece.starts_line)),
                _ => self.line_at(piece.start),
            };
            let gutter = self.gutter(piece, number, part.rows.start == 0);
            let blank = " ".repeat(if gutter.is_empty() { 0 } else { self.gutter });
            for (row, text) in painted.into_iter().enumerate() {
                rows.push(format!("{}{text}", if row == 0 { &gutter } else { &blank }));
            }
        }
        rows
    }

    /// The number of a line, before its text.
    fn gutter(&self, piece: &Piece, number: Option<u64>, begins: bool) -> String {
        if !self.has_gutter() {
            return String::new();
        }
        let number = match number {
            _ if !begins => String::new(),
            Some(number) => self.margin.shown(piece, &number.to_string()),
            None => {
                let number = self.estimate(piece.start).map_or("~".to_owned(), |number| format!("~{number}"));
                self.margin.shown(piece, &number)
            }
        };
        let width = self.gutter - 1;
        let shown = if number.len() > width { &number[number.len() - width..] } else { &number };
        let mut out = String::new();
        Style::flagged(DIM).write(&mut out);
        format!("{out}{shown:>width$}\x1b[0m ")
    }

    /// The number of the line at `offset` if lines were as long everywhere as here.
    pub(super) fn estimate(&self, offset: u64) -> Option<u64> {
        let pieces = &self.passage.pieces;
        let (first, last) = (pieces.first()?, pieces.last()?);
        let lines = pieces.iter().filter(|piece| piece.starts_line).count();
        if lines == 0 || self.filter.is_some() {
            return None;
        }
        let bytes = u128::from((last.end - first.start).max(1));
        let number = u128::from(offset) * lines as u128 / bytes;
        Some(u64::try_from(number).unwrap_or(u64::MAX).saturating_add(1))
    }

    /// The status line, and the columns of what is typed.
    fn status(&mut self, progress: Progress) -> (String, usize) {
        if let Mode::Prompt(prompt) = &self.mode {
            let shown = prompt.shown();
            // The end of a long line.
            let skip = shown.chars().count().saturating_sub(self.columns.saturating_sub(1));
            let shown: String = shown.chars().skip(skip).collect();
            return (plain(&shown, self.columns), width(&shown).min(self.columns - 1));
        }
        let left = match (&self.mode, &self.message) {
            (Mode::Option, _) => "-: type S, N, i or G, as in less".to_owned(),
            (Mode::Leave, _) => "Z: ZZ quits, as q does".to_owned(),
            (Mode::Mark, _) => "mark: type a letter".to_owned(),
            (Mode::ToMark, _) => "go to mark: type its letter, or ' for where the last jump began".to_owned(),
            (Mode::Help(_), _) => "help: q leaves it".to_owned(),
            (_, Some(message)) => message.clone(),
            _ if !self.digits.is_empty() => format!(":{}", self.digits),
            _ if self.facts.name.is_empty() => {
                format!("{} opening: q or Ctrl-C ends it", BAR[progress.turn % BAR.len()])
            }
            _ => self.facts.name.clone(),
        };
        // A message needs the room more than what is always there.
        let left = clipped(&left, self.columns);
        let mut right = self.right(progress);
        let room = self.columns.saturating_sub(width(&left) + 1);
        if width(&right) > room {
            right = self.busy_words(progress);
        }
        let right = clipped(&right, room);
        let blanks = self.columns.saturating_sub(width(&left) + width(&right));
        let mut out = String::new();
        Style::flagged(REVERSE).write(&mut out);
        (format!("{out}{left}{}{right}\x1b[0m", " ".repeat(blanks)), 0)
    }

    /// What is running.
    fn busy_words(&self, progress: Progress) -> String {
        let mut parts: Vec<String> = Vec::new();
        for (role, what) in self.busy.iter().filter(|(_, what)| !what.is_empty()) {
            let bytes = progress.bytes[*role as usize];
            // What takes a moment is not worth a word.
            if bytes > 8 << 20 || progress.turn > 1 {
                let of =
                    self.facts.size.filter(|size| *size > 0 && *role != Role::Show && !self.facts.is_live);
                let done = of.map_or_else(
                    || if bytes == 0 { String::new() } else { BinaryBytes(bytes).to_string() },
                    |size| format!("{}%", (u128::from(bytes) * 100 / u128::from(size)).min(100)),
                );
                parts.push(format!("{} {what} {done}", BAR[progress.turn % BAR.len()]).trim_end().to_owned());
            }
        }
        parts.join("  ")
    }

    /// Where this is, and what is running.
    fn right(&mut self, progress: Progress) -> String {
        let mut parts = vec![self.busy_words(progress)];
        if let Some(search) = &self.search {
            let at = search.current.unwrap_or_else(|| self.viewport.top().piece);
            parts.push(search.tally.shown(at));
        }
        if self.filter.is_some() {
            parts.push("filtered".to_owned());
        }
        if self.follow {
            parts.push("following".to_owned());
        }
        parts.push(self.whereabouts(false));
        parts.retain(|part| !part.is_empty());
        parts.join("  ")
    }

    /// `lines 1-40 of 5000  12%`, with the bytes if `whole`.
    fn whereabouts(&mut self, whole: bool) -> String {
        let Some(((start, end), lines)) = self.seen() else { return String::new() };
        let total = self.total.map_or(String::new(), |total| format!(" of {total}"));
        let about = match (lines, self.estimate(start)) {
            (Some((first, last)), _) => format!("lines {first}-{last}{total}"),
            (None, Some(line)) => format!("line ~{line}{total}"),
            (None, None) => format!("byte {start}"),
        };
        let is_live = self.facts.is_live;
        let place = match self.facts.size {
            _ if !is_live && self.viewport.is_at_end(&self.passage) => match &self.facts.until {
                Some(until) => format!("(END at {until})"),
                None => "(END)".to_owned(),
            },
            Some(_) if is_live => "and more comes".to_owned(),
            Some(size) => format!("{}%", u128::from(end) * 100 / u128::from(size.max(1))),
            None => BinaryBytes(end).to_string(),
        };
        if !whole {
            return format!("{about}  {place}");
        }
        let size = self.facts.size.map_or(String::new(), |size| format!(" of {size}"));
        format!("{}: {about}, bytes {start}-{end}{size}  {place}", self.facts.name)
    }

    /// `=`: all that is known of the place; counts lines if they are not.
    pub(super) fn status_asked(&mut self) {
        let text = self.whereabouts(true);
        self.say(if text.is_empty() { format!("{} is empty", self.facts.name) } else { text });
        if self.filter.is_some() {
            return self.number_filtered(true);
        }
        if let Some(offset) = self.first_line()
            && self.line_at(offset).is_none()
        {
            self.order(super::worker::Job::Number { offset, must: true }, "counting lines");
        }
    }
}

/// The columns of a text without control characters.
fn width(text: &str) -> usize {
    Glyphs::new(text.as_bytes(), false).map(|glyph| glyph.shown.width(0)).sum()
}

/// As many columns of `text` as there is room for, with every control character shown as a code.
fn clipped(text: &str, room: usize) -> String {
    let (mut out, mut column) = (String::new(), 0);
    for glyph in Glyphs::new(text.as_bytes(), false) {
        column += glyph.shown.width(column);
        if column > room {
            break;
        }
        match glyph.shown {
            Glyph::Char(text, _) => out += text,
            Glyph::Code(name) => out += &name,
            _ => out.push(' '),
        }
    }
    out
}

fn plain(text: &str, columns: usize) -> String {
    clipped(text, columns)
}

/// The bytes that each role has read.
pub(crate) fn progress(turn: usize, workers: &[Option<super::worker::Worker>]) -> Progress {
    let mut progress = Progress { turn, ..Progress::default() };
    for (bytes, worker) in progress.bytes.iter_mut().zip(workers) {
        *bytes = worker.as_ref().map_or(0, |worker| worker.control.passed.load(Ordering::Relaxed));
    }
    progress
}
