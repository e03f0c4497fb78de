//! Draws the state: the rows of the screen as texts, and the status line.

use std::sync::atomic::Ordering;

use indicatif::BinaryBytes;

use super::App;
use super::keyboard::Mode;
use super::piece_view::PieceView;
use crate::view::glyph::{GlyphKind, Glyphs};
use crate::view::help;
use crate::view::layout::Ink;
use crate::view::style::{DIM, REVERSE, Style};
use crate::view::worker::{ROLES, Role, Worker};

/// The rows of a screen, each for a terminal in its default style, and where its cursor is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ScreenFrame {
    pub(crate) rows: Vec<String>,
    pub(crate) cursor: Option<(usize, usize)>,
}

/// What the status line shows while something runs: a turning bar, and the bytes that were read for each role.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JobProgress {
    turn: usize,
    bytes: [u64; ROLES.len()],
}

const BAR: [&str; 4] = ["|", "/", "-", "\\"];

/// Bytes that a job has read before the status line mentions it.
const WORTH_WORDS: u64 = 8 << 20;

impl JobProgress {
    pub(crate) fn of(turn: usize, workers: &[Option<Worker>]) -> Self {
        let mut progress = JobProgress { turn, ..JobProgress::default() };
        for (bytes, worker) in progress.bytes.iter_mut().zip(workers) {
            *bytes = worker.as_ref().map_or(0, |worker| worker.control.passed.load(Ordering::Relaxed));
        }
        progress
    }

    fn bar(&self) -> &'static str {
        BAR[self.turn % BAR.len()]
    }
}

impl App {
    pub(crate) fn frame(&mut self, progress: JobProgress) -> ScreenFrame {
        let columns = self.screen.columns();
        let mut rows = match self.keyboard.mode() {
            Mode::Help(from) => help::LINES.iter().skip(*from).map(|line| clip(line, columns)).collect(),
            _ => self.text_rows(),
        };
        let room = self.screen.rows();
        rows.truncate(room);
        let is_help = matches!(self.keyboard.mode(), Mode::Help(_));
        let is_empty = self.screen.passage().pieces.is_empty() && !self.facts.is_live;
        rows.resize(
            room,
            if is_help || is_empty { String::new() } else { apply_style(Style::with_flags(DIM), "~") },
        );
        let mut cursor = None;
        let is_asking = matches!(self.keyboard.mode(), Mode::Prompt(_));
        if self.screen.lines() > 1 || is_asking {
            rows.truncate(self.screen.lines() - 1);
            let (status, width) = self.status_line(progress);
            cursor = is_asking.then_some((width, rows.len()));
            rows.push(status);
        }
        ScreenFrame { rows, cursor }
    }

    fn text_rows(&mut self) -> Vec<String> {
        let Some(visible) = self.screen.visible() else { return Vec::new() };
        let layout = self.screen.layout();
        let margin = self.numbers.width(self.screen.columns());
        let mut rows = Vec::new();
        let mut number = None;
        for part in visible {
            let starts = self.screen.row_starts(part.piece).to_vec();
            let piece = self.screen.piece(part.piece);
            let view = PieceView::new(&self.screen, &self.search, &self.syntax, part.piece);
            let is_current = self.search.hit().is_some_and(|at| (piece.start..piece.end).contains(&at));
            let ink = Ink {
                colors: self.has_colors,
                matches: &view.matches,
                is_current,
                tint: view.tint,
                styles: view.styles,
            };
            let painted = layout.paint(view.text, &starts, part.rows.clone(), &ink);
            number = match number {
                Some(number) if self.search.filter.is_none() => Some(number + u64::from(piece.starts_line)),
                _ => self.numbers.number_at(self.screen.passage(), piece.start),
            };
            let label = match part.rows.start {
                0 if margin > 0 => self.numbers.label(self.screen.passage(), piece, number),
                _ => String::new(),
            };
            for (row, text) in painted.into_iter().enumerate() {
                let before = if row == 0 { in_margin(&label, margin) } else { " ".repeat(margin) };
                rows.push(before + &text);
            }
        }
        rows
    }

    /// The status line, and the columns of what is typed.
    fn status_line(&mut self, progress: JobProgress) -> (String, usize) {
        let columns = self.screen.columns();
        if let Mode::Prompt(prompt) = self.keyboard.mode() {
            let line = prompt.line();
            // The end of a long line.
            let skip = line.chars().count().saturating_sub(columns.saturating_sub(1));
            let line: String = line.chars().skip(skip).collect();
            return (clip(&line, columns), width(&line).min(columns - 1));
        }
        // A message needs the room more than what is always there.
        let left = clip(&self.status_words(progress), columns);
        let room = columns.saturating_sub(width(&left) + 1);
        let mut right = self.status_facts(progress);
        if width(&right) > room {
            right = self.job_words(progress);
        }
        let right = clip(&right, room);
        let blanks = columns.saturating_sub(width(&left) + width(&right));
        (apply_style(Style::with_flags(REVERSE), &format!("{left}{}{right}", " ".repeat(blanks))), 0)
    }

    /// The left part of the status line: what to type, a message, or the name of the file.
    fn status_words(&self, progress: JobProgress) -> String {
        match (self.keyboard.mode(), &self.message) {
            (Mode::Option, _) => "-: type S, N, i or G, as in less".to_owned(),
            (Mode::Leave, _) => "Z: ZZ quits, as q does".to_owned(),
            (Mode::Mark, _) => "mark: type a letter".to_owned(),
            (Mode::ToMark, _) => "go to mark: type its letter, or ' for where the last jump began".to_owned(),
            (Mode::Help(_), _) => "help: q leaves it".to_owned(),
            (_, Some(message)) => message.clone(),
            _ if !self.keyboard.digits().is_empty() => format!(":{}", self.keyboard.digits()),
            _ if !self.facts.is_open() => format!("{} opening: q or Ctrl-C ends it", progress.bar()),
            _ => self.facts.name.clone(),
        }
    }

    /// The right part of the status line: running jobs, the search and the position.
    fn status_facts(&mut self, progress: JobProgress) -> String {
        let mut parts = vec![self.job_words(progress)];
        parts.extend(self.search.position(self.screen.top()));
        if self.search.filter.is_some() {
            parts.push("filtered".to_owned());
        }
        parts.extend(self.follow.words());
        parts.push(self.position(false));
        parts.retain(|part| !part.is_empty());
        parts.join("  ")
    }

    fn job_words(&self, progress: JobProgress) -> String {
        let mut parts: Vec<String> = Vec::new();
        for (role, words) in self.tasks.mentioned() {
            let bytes = progress.bytes[role as usize];
            if bytes <= WORTH_WORDS && progress.turn <= 1 {
                continue;
            }
            let size = self.facts.size.filter(|size| *size > 0 && role != Role::Show && !self.facts.is_live);
            let done = match size {
                Some(size) => format!("{}%", (u128::from(bytes) * 100 / u128::from(size)).min(100)),
                None if bytes == 0 => String::new(),
                None => BinaryBytes(bytes).to_string(),
            };
            parts.push(format!("{} {words} {done}", progress.bar()).trim_end().to_owned());
        }
        parts.join("  ")
    }

    /// `lines 1-40 of 5000  12%`, with the name and the bytes if `whole`.
    pub(super) fn position(&mut self, whole: bool) -> String {
        let Some(((start, end), lines)) = self.span_on_screen() else { return String::new() };
        let total = self.numbers.total.map_or(String::new(), |total| format!(" of {total}"));
        let about = match (lines, self.numbers.estimate(self.screen.passage(), start)) {
            (Some((first, last)), _) => format!("lines {first}-{last}{total}"),
            (None, Some(line)) => format!("line ~{line}{total}"),
            (None, None) => format!("byte {start}"),
        };
        let is_live = self.facts.is_live;
        let place = match self.facts.size {
            _ if !is_live && self.screen.is_at_end() => match &self.facts.until {
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
}

/// `label` in a margin of so many columns.
fn in_margin(label: &str, columns: usize) -> String {
    match columns.checked_sub(1) {
        Some(width) => apply_style(Style::with_flags(DIM), &format!("{label:>width$}")) + " ",
        None => String::new(),
    }
}

fn apply_style(style: Style, text: &str) -> String {
    let mut out = String::new();
    style.write(&mut out);
    format!("{out}{text}\x1b[0m")
}

/// The columns of a text without control characters.
fn width(text: &str) -> usize {
    Glyphs::new(text.as_bytes(), false).map(|glyph| glyph.kind.width(0)).sum()
}

/// As many columns of `text` as there is room for, with every control character shown as a code.
fn clip(text: &str, room: usize) -> String {
    let mut out = String::new();
    let mut column = 0;
    for glyph in Glyphs::new(text.as_bytes(), false) {
        column += glyph.kind.width(column);
        if column > room {
            break;
        }
        match glyph.kind {
            GlyphKind::Char(text, _) => out += text,
            GlyphKind::Code(name) => out += &name,
            _ => out.push(' '),
        }
    }
    out
}
