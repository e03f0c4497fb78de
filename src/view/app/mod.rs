//! The state of the viewer: what is shown, what is waited for, and what follows from keys and reports. It does no work by
//! itself but asks for it with effects.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use crossterm::event::KeyEvent;

use super::gutter::Margin;
use super::layout::Layout;
use super::piece::Passage;
use super::prompt::{History, Prompt};
use super::syntax::Syntax;
use super::viewport::{Moved, Movement, Viewport};
use super::worker::{Job, Role, Tally};
use crate::args::Highlight;
use rread_reader::search::matcher::LineMatcher;
pub use rread_reader::search::pattern::{Case, Pattern};

/// What the loop has to do.
#[derive(Clone, Debug)]
pub(crate) enum Effect {
    Order(Job),
    Stop(Role),
    /// A stream is read up to here.
    Want(u64),
    /// A stream is read no further than it is.
    Enough,
    /// Puts a text on the clipboard.
    Copy(String),
    /// Opens an editor at a line.
    Edit(Option<u64>),
    Suspend,
    Redraw,
    Quit,
}

/// The facts about the file that the state depends on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// For people, and for a shell.
    pub(crate) name: String,
    pub(crate) quoted: String,
    /// Of a stream, what has come.
    pub(crate) size: Option<u64>,
    pub(crate) is_live: bool,
    /// The time at which the view ends.
    pub(crate) until: Option<String>,
    /// Of a store or a web server.
    pub(crate) is_object: bool,
    /// A file that an editor can open.
    pub(crate) is_plain: bool,
}

/// How the viewer begins.
#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools)]
pub(crate) struct Settings {
    pub(crate) numbers: bool,
    pub(crate) chop: bool,
    pub(crate) follow: bool,
    pub(crate) colors: bool,
    pub(crate) case: Case,
    /// Whether JSON lines are folded.
    pub(crate) fold: bool,
    pub(crate) highlight: Highlight,
}

#[derive(Clone, Debug)]
pub(super) enum Mode {
    Normal,
    Prompt(Prompt),
    /// Waits for the letter of an option of less.
    Option,
    /// Waits for a second `Z`.
    Leave,
    /// Waits for the letter of a mark to set.
    Mark,
    ToMark,
    /// The help, from this row on.
    Help(usize),
}

pub(super) struct Searched {
    pub(super) pattern: Arc<Pattern>,
    pub(super) matcher: LineMatcher,
    pub(super) back: bool,
    /// Whether what runs looks backwards: N turns round.
    pub(super) goes_back: bool,
    pub(super) tally: Arc<Tally>,
    /// The place of the last hit.
    pub(super) current: Option<u64>,
    /// Whether it has not been shown yet.
    pub(super) is_new: bool,
}

/// A place that a stream may not have yet.
pub(super) struct Sought {
    pub(super) job: Job,
    pub(super) what: &'static str,
    /// The size of the file when the search began.
    pub(super) size: u64,
    /// Whether it was not there, and the stream goes on.
    pub(super) is_waiting: bool,
}

pub(crate) struct App {
    pub(super) facts: Facts,
    pub(super) settings: Settings,
    /// Of the terminal.
    pub(super) columns: usize,
    pub(super) lines: usize,
    pub(super) viewport: Viewport,
    pub(super) passage: Passage,
    /// Movements that wait for a passage.
    pub(super) pending: VecDeque<Movement>,
    /// The last passage that was ordered, until it comes.
    pub(super) waiting: Option<(u64, Movement)>,
    /// Whether the passage that comes is older than the file.
    pub(super) is_stale: bool,
    /// A place and the newlines before it.
    pub(super) number: Option<(u64, u64)>,
    pub(super) total: Option<u64>,
    /// With a filter: the newlines before lines.
    pub(super) numbered: BTreeMap<u64, u64>,
    pub(super) syntax: Syntax,
    /// Whether the first screen was looked at for JSON lines.
    pub(super) is_offered: bool,
    pub(super) gutter: usize,
    pub(super) margin: Margin,
    /// Whether matches are not highlighted.
    pub(super) hides_matches: bool,
    pub(super) digits: String,
    pub(super) mode: Mode,
    pub(super) message: Option<String>,
    /// Keys that were typed before the file was open.
    pub(super) early: Vec<KeyEvent>,
    pub(super) history: History,
    pub(super) search: Option<Searched>,
    /// What is looked for, while a stream may still bring it.
    pub(super) sought: Option<Sought>,
    pub(super) filter: Option<Arc<Pattern>>,
    pub(super) follow: bool,
    pub(super) marks: BTreeMap<char, u64>,
    /// A mark for the place to which the movements before it lead.
    pub(super) unset_mark: Option<char>,
    /// What is being done, for the status line.
    pub(super) busy: BTreeMap<Role, &'static str>,
    effects: Vec<Effect>,
}

/// What the thread that counts lines does if the screen goes to the line that it looks for.
pub(super) const LOOKING: &str = "looking for the line";

/// What the thread that reads does while it opens the file again, on request.
pub(super) const RELOADING: &str = "reading again";

/// Columns of a line number and of the blank after it.
pub(super) const GUTTER: usize = 8;

/// A screen with fewer columns has no room for numbers.
const NARROW: usize = 20;

impl App {
    pub(crate) fn new(settings: Settings, (columns, lines): (usize, usize)) -> Self {
        let layout = Layout { columns: columns.max(1), wrap: !settings.chop, left: 0, sequences: true };
        let (syntax, folds) = (Syntax::new(settings.highlight), settings.fold);
        let mut app = App {
            facts: Facts::default(),
            follow: settings.follow,
            settings,
            columns,
            lines,
            viewport: Viewport::new(layout, 1),
            passage: Passage::default(),
            pending: VecDeque::new(),
            waiting: None,
            is_stale: false,
            number: None,
            total: None,
            numbered: BTreeMap::new(),
            syntax,
            is_offered: false,
            gutter: GUTTER,
            margin: Margin::default(),
            hides_matches: false,
            digits: String::new(),
            mode: Mode::Normal,
            message: None,
            early: Vec::new(),
            history: History::default(),
            search: None,
            sought: None,
            filter: None,
            marks: BTreeMap::new(),
            unset_mark: None,
            busy: BTreeMap::new(),
            effects: Vec::new(),
        };
        app.viewport.fold(&Passage::default(), folds);
        app.resize(columns, lines);
        app
    }

    /// What is to be done, in order.
    pub(crate) fn effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    pub(super) fn emit(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    pub(super) fn order(&mut self, job: Job, what: &'static str) {
        self.busy.insert(job.role(), what);
        self.emit(Effect::Order(job));
    }

    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.message = Some(text.into());
    }

    /// Says what went wrong outside.
    pub(crate) fn note(&mut self, text: String) {
        self.say(text);
    }

    pub(crate) fn quit(&mut self) {
        self.emit(Effect::Quit);
    }

    pub(crate) fn go_to_time(&mut self, time: String) {
        self.order(Job::Time(time), "looking for the time");
    }

    /// Whether something is waited for that the status line shows.
    pub(crate) fn is_busy(&self) -> bool {
        !self.busy.is_empty() || self.facts.is_live || self.facts.name.is_empty()
    }

    pub(super) fn layout(&self) -> Layout {
        let gutter = if self.has_gutter() { self.gutter } else { 0 };
        Layout { columns: self.columns.saturating_sub(gutter).max(1), ..self.viewport.layout() }
    }

    pub(super) fn has_gutter(&self) -> bool {
        self.settings.numbers && self.columns >= NARROW
    }

    pub(crate) fn resize(&mut self, columns: usize, lines: usize) {
        (self.columns, self.lines) = (columns.max(1), lines.max(1));
        self.lay_out(self.layout());
    }

    /// The rows for text: all but the status line.
    pub(super) fn lay_out(&mut self, layout: Layout) {
        self.viewport.resize(layout, self.lines.saturating_sub(1).max(1));
        let columns = self.layout().columns;
        self.viewport.resize(Layout { columns, ..layout }, self.lines.saturating_sub(1).max(1));
        self.go(Movement::Rows(0));
    }

    /// Moves, now or when the passage for it has come.
    pub(super) fn go(&mut self, movement: Movement) {
        if let Movement::Rows(by) = movement {
            if let Some(Movement::Rows(last)) = self.pending.back_mut() {
                *last = last.saturating_add(by);
            } else {
                self.pending.push_back(movement);
            }
        } else {
            self.pending.clear();
            self.waiting = None;
            self.pending.push_back(movement);
        }
        self.advance();
    }

    /// Reads again what the screen shows.
    pub(super) fn refresh(&mut self) {
        if self.waiting.is_some() || self.is_reloading() {
            self.is_stale = true;
            return;
        }
        let movement = if self.follow { Movement::End } else { Movement::Rows(0) };
        if !self.pending.contains(&movement) {
            self.pending.push_front(movement);
        }
        let at = if self.follow { u64::MAX } else { self.viewport.top().piece };
        self.fetch(at, movement);
    }

    /// Movements wait for the new text.
    fn is_reloading(&self) -> bool {
        self.busy.get(&Role::Show) == Some(&RELOADING)
    }

    fn fetch(&mut self, at: u64, movement: Movement) {
        self.waiting = Some((at, movement));
        self.emit(Effect::Want(at));
        let job = Job::Show { at, reach: self.viewport.reach(), filter: self.filter.clone() };
        self.order(job, "reading");
    }

    pub(super) fn advance(&mut self) {
        if self.waiting.is_some() || self.facts.name.is_empty() || self.is_reloading() {
            return;
        }
        while let Some(movement) = self.pending.pop_front() {
            if let Moved::Needs(at, rest) = self.viewport.go(&self.passage, movement) {
                self.pending.push_front(rest);
                self.fetch(at, rest);
                return;
            }
        }
        if self.viewport.shown(&self.passage).is_none() {
            self.refresh();
            return;
        }
        if let Some(letter) = self.unset_mark.take() {
            self.marks.insert(letter, self.viewport.top().piece);
        }
        self.moved();
    }

    /// After a movement: the numbers of lines, and the stream that must be there for the next one.
    pub(super) fn moved(&mut self) {
        self.widen();
        self.reveal();
        let ahead = self.passage.pieces.last().map_or(0, |piece| piece.end);
        self.emit(Effect::Want(ahead));
        if self.busy.contains_key(&Role::Count) {
            return;
        }
        if self.filter.is_some() {
            return self.number_filtered(self.counts());
        }
        if let Some(offset) = self.first_line()
            && self.line_at(offset).is_none()
        {
            let must = self.counts();
            self.order(Job::Number { offset, must }, if must { "counting lines" } else { "" });
        } else if self.counts() && self.total.is_none() && !self.facts.is_live {
            self.order(Job::Lines, "counting lines");
        }
    }

    /// Scrolls a cut line sideways to the match that was found.
    fn reveal(&mut self) {
        let layout = self.viewport.layout();
        let Some(search) = self.search.as_mut().filter(|search| search.is_new) else { return };
        search.is_new = false;
        let piece = search.current.and_then(|at| self.passage.find(at)).filter(|_| !layout.wrap);
        let Some(piece) = piece.filter(|piece| *piece < self.passage.pieces.len()) else { return };
        self.viewport.starts(&self.passage, piece);
        let face = self.face(piece);
        let column = layout.column(face.text, face.matches.first().map_or(0, |found| found.start));
        let left = if (layout.left..layout.left + layout.columns).contains(&column) {
            layout.left
        } else {
            column.saturating_sub(layout.columns / 2)
        };
        let rows = self.viewport.rows();
        self.viewport.resize(Layout { left, ..layout }, rows);
    }

    /// Makes room for longer numbers of lines.
    fn widen(&mut self) {
        let last = self.passage.pieces.last().map_or(0, |piece| piece.start);
        let filtered = self.numbered.values().max().map(|newlines| newlines + 1);
        let number = self.line_at(last).or_else(|| self.estimate(last)).or(filtered).unwrap_or(0);
        let needed = self.margin.columns(number, last) + 1;
        if needed > self.gutter {
            self.gutter = needed;
            let (layout, rows) = (self.layout(), self.viewport.rows());
            self.viewport.resize(layout, rows);
            self.pending.push_back(Movement::Rows(0));
            self.advance();
        }
    }

    /// The start of the first line that begins on the screen or after it.
    pub(super) fn first_line(&self) -> Option<u64> {
        let from = self.passage.find(self.viewport.top().piece)?;
        self.passage.pieces[from..].iter().find(|piece| piece.starts_line).map(|piece| piece.start)
    }

    /// The number of the line of the piece at `offset`, if it is known.
    pub(super) fn line_at(&self, offset: u64) -> Option<u64> {
        if self.filter.is_some() {
            return self.numbered.get(&offset).map(|newlines| newlines + 1);
        }
        let index = self.passage.pieces.iter().position(|piece| piece.start == offset)?;
        self.passage.number(index, self.number?)
    }
}
