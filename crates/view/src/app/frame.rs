//! Draws the state: the rows of the screen as texts, and the status line.

use std::sync::atomic::Ordering;

use indicatif::BinaryBytes;

use super::App;
use super::keyboard::Mode;
use super::piece_view::PieceView;
use crate::glyph::{GlyphKind, Glyphs, width};
use crate::keys::HELP;
use crate::layout::{Ink, Layout};
use crate::style::{DIM, REVERSE, Style};
use crate::worker::{ROLES, Role, Worker};

/// The rows of a screen, each for a terminal in its default style, and where its cursor is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ScreenFrame {
    pub(crate) rows: Vec<String>,
    pub(crate) cursor: Option<(usize, usize)>,
}

/// The text of the status line while something runs: a turning bar, and the bytes that were read for each role.
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
        let columns = self.screen.columns;
        let mut rows = match &self.keyboard.mode {
            Mode::Help(from) => HELP.iter().skip(*from).map(|line| clip(line, columns)).collect(),
            _ => self.paint(self.screen.layout(), false),
        };
        let room = self.screen.rows();
        rows.truncate(room);
        let is_help = matches!(self.keyboard.mode, Mode::Help(_));
        let is_empty = self.screen.passage.pieces.is_empty() && !self.facts.is_live;
        rows.resize(
            room,
            if is_help || is_empty { String::new() } else { apply_style(Style::with_flags(DIM), "~") },
        );
        let mut cursor = None;
        let is_asking = matches!(self.keyboard.mode, Mode::Prompt(_));
        if self.screen.lines > 1 || is_asking {
            rows.truncate(self.screen.lines - 1);
            let (status, width) = self.status_line(progress);
            cursor = is_asking.then_some((width, rows.len()));
            rows.push(status);
        }
        ScreenFrame { rows, cursor }
    }

    /// Whether one screen shows all of the file; `None` if that is not known yet.
    pub(crate) fn fits_on_screen(&mut self) -> Option<bool> {
        if self.message.is_some() {
            return Some(false);
        }
        if !self.facts.is_open() || self.screen.is_waiting() {
            return None;
        }
        let passage = &self.screen.passage;
        let (starts_file, ends_file) = (passage.starts_file, passage.ends_file);
        let is_all = self.screen.top() == 0 && starts_file && self.screen.is_at_end();
        match is_all {
            // Nothing has been read yet.
            false if !starts_file && !ends_file && self.screen.passage.pieces.is_empty() => None,
            false => Some(false),
            true => (!self.facts.is_live).then_some(true),
        }
    }

    /// The lines on the screen as a shell would print them: in one row each, if long lines wrap.
    pub(crate) fn printed(&mut self) -> Vec<String> {
        let layout = self.screen.layout();
        let layout =
            if layout.wrap { Layout { columns: usize::MAX / 4, wrap: false, ..layout } } else { layout };
        self.paint(layout, true)
    }

    /// The text on the screen, in rows of `layout`, or in one row for each `whole` line.
    fn paint(&mut self, layout: Layout, whole: bool) -> Vec<String> {
        let Some(visible) = self.screen.visible() else { return Vec::new() };
        let margin = self.numbers.width(self.screen.columns);
        let mut rows = Vec::new();
        let mut number = None;
        for part in visible {
            let starts = self.screen.row_starts(part.piece);
            let starts = if whole { vec![0] } else { starts.to_vec() };
            let shown = if whole { 0..1 } else { part.rows.clone() };
            let piece = self.screen.piece(part.piece);
            let view = PieceView::new(&self.screen, &self.search, &self.syntax, part.piece);
            let is_current = self.search.hit().is_some_and(|at| (piece.start..piece.end).contains(&at));
            let ink = Ink {
                colors: self.has_colors,
                matches: &view.matches,
                is_current,
                tint: view.tint,
                styles: view.styles,
                cut: view.cut,
            };
            let painted = layout.paint(view.text, &starts, shown, &ink);
            number = match number {
                Some(number) if !self.search.is_filtered() => Some(number + u64::from(piece.starts_line)),
                _ => self.numbers.number_at(&self.screen.passage, piece.start),
            };
            let label = match part.rows.start {
                0 if margin > 0 => self.numbers.label(&self.screen.passage, piece, number),
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
        let columns = self.screen.columns;
        if let Mode::Prompt(prompt) = &self.keyboard.mode {
            let (line, before) = (prompt.line(), prompt.before_cursor());
            // The part of a long line around the cursor.
            let mut skip = 0;
            while width(&before[skip..]) >= columns.max(2) {
                skip += before[skip..].chars().next().map_or(1, char::len_utf8);
            }
            return (clip(&line[skip..], columns), width(&before[skip..]).min(columns - 1));
        }
        let facts = self.status_facts(progress);
        let fitting =
            |room: usize| facts.iter().find(|facts| width(facts) <= room).cloned().unwrap_or_default();
        let message = self.status_words(progress).map(|words| clip(&words, columns));
        // The place comes before the beginning of a long name, but not before a message.
        let right = fitting(message.as_ref().map_or(columns, |left| columns.saturating_sub(width(left) + 1)));
        let room = columns.saturating_sub(width(&right) + 1);
        let left = message.unwrap_or_else(|| clip_start(&self.facts.name, room));
        let blanks = columns.saturating_sub(width(&left) + width(&right));
        (apply_style(Style::with_flags(REVERSE), &format!("{left}{}{right}", " ".repeat(blanks))), 0)
    }

    /// The left part of the status line instead of the name of the file: what to type, or a message.
    fn status_words(&self, progress: JobProgress) -> Option<String> {
        Some(match (&self.keyboard.mode, &self.message) {
            (Mode::Option, _) => "-: type S, N, i or G, as in less".to_owned(),
            (Mode::Unmark, _) => "remove mark: type its letter".to_owned(),
            (Mode::Leave, _) => "Z: ZZ quits, as q does".to_owned(),
            (Mode::Mark, _) => "mark: type a letter".to_owned(),
            (Mode::ToMark, _) => "go to mark: type its letter, or ' for where the last jump began".to_owned(),
            (Mode::Help(_), _) => "help: q leaves it".to_owned(),
            (_, Some(message)) => message.clone(),
            _ if !self.keyboard.digits.is_empty() => format!(":{}", self.keyboard.digits),
            _ if !self.facts.is_open() => format!("{} opening: q or Ctrl-C ends it", progress.bar()),
            _ => return None,
        })
    }

    /// The right part of the status line, with less and less: running jobs, the search and the position.
    fn status_facts(&mut self, progress: JobProgress) -> Vec<String> {
        let jobs = self.job_words(progress);
        let search = self.search.position(self.screen.top()).unwrap_or_default();
        let filtered = if self.search.is_filtered() { "filtered" } else { "" }.to_owned();
        // The end of merged files moves while they are merged; they are not followed.
        let is_following = self.follow.is_on && self.facts.merged.is_none();
        let follow = if is_following { "following" } else { "" }.to_owned();
        let position = self.position().unwrap_or_default();
        let Position { about, total, lines, place, origin, .. } = position;
        let whole = format!("{about}{total}");
        let choices: [&[&String]; 9] = [
            &[&jobs, &search, &filtered, &follow, &origin, &whole, &place],
            &[&jobs, &search, &filtered, &follow, &origin, &about, &place],
            &[&jobs, &search, &filtered, &follow, &origin, &lines, &place],
            &[&jobs, &search, &follow, &origin, &place],
            &[&search, &follow, &place],
            &[&jobs, &search],
            &[&jobs, &place],
            &[&jobs],
            &[&place],
        ];
        let joined = choices.iter().map(|parts| {
            let parts = parts.iter().map(|part| part.as_str()).filter(|part| !part.is_empty());
            parts.collect::<Vec<_>>().join("  ")
        });
        joined.collect()
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

    fn position(&mut self) -> Option<Position> {
        let (bytes, lines) = self.span_on_screen()?;
        let (start, end) = bytes;
        let (about, numbers) = match (lines, self.numbers.estimate(&self.screen.passage, start)) {
            (Some((first, last)), _) => (format!("lines {first}-{last}"), format!("{first}-{last}")),
            (None, Some(line)) => (format!("line ~{line}"), format!("~{line}")),
            (None, None) => (format!("byte {start}"), String::new()),
        };
        let is_live = self.facts.is_live;
        let place = match self.facts.size {
            _ if self.facts.is_cut_short && self.screen.is_at_end() => "(CUT SHORT)".to_owned(),
            _ if !is_live && self.screen.is_at_end() => match &self.facts.until {
                Some(until) => format!("(END at {until})"),
                None => "(END)".to_owned(),
            },
            Some(_) if is_live => "and more comes".to_owned(),
            Some(size) => format!("{}%", u128::from(end) * 100 / u128::from(size.max(1))),
            None => BinaryBytes(end).to_string(),
        };
        let total = self.numbers.total.map_or(String::new(), |total| format!(" of {total}"));
        let origin = self.numbers.origin(&self.screen.passage, start).unwrap_or_default();
        Some(Position { about, total, lines: numbers, place, origin, bytes })
    }

    /// The position with the name and the bytes; empty if nothing is shown.
    pub(super) fn whole_position(&mut self) -> String {
        let Some(Position { about, total, place, origin, bytes: (start, end), .. }) = self.position() else {
            return String::new();
        };
        let size = self.facts.size.map_or(String::new(), |size| format!(" of {size}"));
        let origin = if origin.is_empty() { origin } else { format!("{origin}, ") };
        format!("{}: {origin}{about}{total}, bytes {start}-{end}{size}  {place}", self.facts.name)
    }
}

/// The place of the screen in the file, in words.
#[derive(Default)]
struct Position {
    /// `lines 1-40`
    about: String,
    /// ` of 5000`
    total: String,
    /// `1-40`
    lines: String,
    /// `12%`
    place: String,
    /// `api.log:812`, in a text of several files.
    origin: String,
    bytes: (u64, u64),
}

/// `label` in a margin of so many columns.
fn in_margin(label: &str, columns: usize) -> String {
    let Some(room) = columns.checked_sub(1) else { return String::new() };
    // The end of a long name tells more than its beginning.
    let label = clip_start(label, room);
    let blanks = " ".repeat(room.saturating_sub(width(&label)));
    apply_style(Style::with_flags(DIM), &format!("{blanks}{label}")) + " "
}

fn apply_style(style: Style, text: &str) -> String {
    let mut out = String::new();
    style.write(&mut out);
    format!("{out}{text}\x1b[0m")
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

/// As [`clip`], of the end of `text`, with a mark for what is left out before it.
fn clip_start(text: &str, room: usize) -> String {
    if width(text) <= room {
        return clip(text, room);
    }
    let starts = text.char_indices().map(|(at, _)| at);
    let fits = |at: &usize| width(&text[*at..]) < room;
    starts.skip(1).find(fits).map_or(String::new(), |at| format!("<{}", clip(&text[at..], room - 1)))
}
