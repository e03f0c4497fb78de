//! The state of the viewer, which keys and reports change. It does no work by itself but asks for it with effects.

mod commands;
mod copied;
mod facts;
pub(super) mod frame;
mod keyboard;
mod line_numbers;
mod piece_view;
mod reports;
mod screen;
mod search;

use facts::{COUNTING, Following, LOOKING, RELOADING, Tasks};
use keyboard::Keyboard;
use line_numbers::LineNumbers;
use piece_view::PieceView;
use screen::{Marks, Screen, Step};
use search::Search;

use super::chopped::Aim;
use super::layout::Layout;
use super::syntax::Syntax;
use super::viewport::Movement;
use super::worker::{Job, Role, part};
pub(crate) use facts::Effect;
pub(crate) use facts::{FileFacts, MergedFacts};
use rread_answer::options::Highlight;
use rread_reader::Case;

/// How the viewer begins.
#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools)]
pub struct Settings {
    pub numbers: bool,
    pub chop: bool,
    pub follow: bool,
    pub colors: bool,
    pub case: Case,
    pub hides_matches: bool,
    /// Whether escape sequences and overstrikes are shown as text.
    pub controls: bool,
    /// Whether JSON lines are folded.
    pub fold: bool,
    pub highlight: Highlight,
}

/// All of a file, in millionths of a percent.
const WHOLE: u64 = 100_000_000;

/// The lengths of steps that numbers before keys have set, instead of those of the screen.
#[derive(Default)]
struct Strides {
    /// Rows of a screen.
    window: Option<i64>,
    /// Rows of half a screen.
    half: Option<i64>,
    /// Columns.
    sideways: Option<usize>,
}

pub(crate) struct App {
    facts: FileFacts,
    has_colors: bool,
    screen: Screen,
    numbers: LineNumbers,
    search: Search,
    follow: Following,
    marks: Marks,
    strides: Strides,
    syntax: Syntax,
    keyboard: Keyboard,
    /// The text of the status line instead of the name of the file.
    message: Option<String>,
    /// Whether the message is that nothing matches.
    is_without_match: bool,
    /// Whether the text that is opened next is not that of now with more after it.
    is_rewritten: bool,
    tasks: Tasks,
}

impl App {
    pub(crate) fn new(settings: Settings, (columns, lines): (usize, usize)) -> Self {
        let mut app = App {
            facts: FileFacts::default(),
            has_colors: settings.colors,
            screen: Screen::new(settings.chop, !settings.controls, settings.fold),
            numbers: LineNumbers::new(settings.numbers),
            search: Search::new(settings.case, settings.hides_matches, !settings.controls),
            follow: Following { is_on: settings.follow, sought: None },
            marks: Marks::default(),
            strides: Strides::default(),
            syntax: Syntax::new(settings.highlight),
            keyboard: Keyboard::default(),
            message: None,
            is_without_match: false,
            is_rewritten: false,
            tasks: Tasks::default(),
        };
        app.resize(columns, lines);
        app
    }

    /// The effects to run, in order.
    pub(crate) fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.tasks.effects)
    }

    pub(crate) fn say(&mut self, text: impl Into<String>) {
        self.message = Some(text.into());
        self.is_without_match = false;
    }

    pub(crate) fn quit(&mut self) {
        self.tasks.emit(Effect::Quit);
    }

    /// Whether the status line shows that something is awaited.
    pub(crate) fn is_busy(&self) -> bool {
        !self.tasks.running.is_empty() || self.facts.is_live || !self.facts.is_open()
    }

    /// Whether the screen is about to move: keys that were typed after the one that moves it mean the next screen.
    pub(crate) fn is_moving(&self) -> bool {
        let is_looking = self.tasks.is_running(Role::Seek) || self.tasks.is_running_as(Role::Count, LOOKING);
        is_looking || self.screen.is_waiting()
    }

    pub(crate) fn resize(&mut self, columns: usize, lines: usize) {
        self.screen.resize(columns, lines);
        self.lay_out(self.screen.layout());
    }

    fn lay_out(&mut self, layout: Layout) {
        let old = self.screen.layout();
        self.screen.lay_out(layout, self.numbers.width(self.screen.columns));
        if self.facts.is_open() && !self.screen.has_text_for_layout(old) {
            self.fetch_again();
        }
        self.go(Movement::Rows(0));
    }

    /// Orders the text of the screen again: what comes is cut in another way.
    fn fetch_again(&mut self) {
        self.screen.forget_order();
        self.refresh();
    }

    fn change_layout(&mut self, change: impl FnOnce(&mut Layout)) {
        let mut layout = self.screen.layout();
        change(&mut layout);
        self.lay_out(layout);
    }

    /// Moves, now or when the passage for it has come.
    fn go(&mut self, movement: Movement) {
        self.screen.add(movement);
        self.advance();
    }

    fn advance(&mut self) {
        if self.screen.is_waiting() || !self.facts.is_open() || self.is_reloading() {
            return;
        }
        match self.screen.advance() {
            Step::Done => {
                self.marks.arrive(self.screen.top());
                self.serve_screen();
            }
            Step::Needs(at, movement) => self.fetch(at, movement),
            Step::NeedsMore => self.refresh(),
        }
    }

    /// Reads again what the screen shows.
    fn refresh(&mut self) {
        if self.screen.is_waiting() || self.is_reloading() {
            self.screen.mark_stale();
            return;
        }
        let (at, movement) = self.screen.reread(self.follow.is_on);
        self.fetch(at, movement);
    }

    /// Movements wait for the new text.
    fn is_reloading(&self) -> bool {
        self.tasks.is_running_as(Role::Show, RELOADING)
    }

    fn fetch(&mut self, at: u64, movement: Movement) {
        self.screen.wait_for(at, movement);
        self.tasks.emit(Effect::Want(at));
        let reach = self.screen.viewport.reach();
        let chop = self.screen.chop(movement);
        self.tasks.order(Job::Show { at, reach, filters: self.search.filters.to_vec(), chop }, "reading");
    }

    /// Orders what the screen and the next movement need: numbers of lines, and more of the stream.
    fn serve_screen(&mut self) {
        if self.numbers.widen(&self.screen.passage) {
            self.screen.lay_out(self.screen.layout(), self.numbers.width(self.screen.columns));
            self.go(Movement::Rows(0));
        }
        self.reveal_hit();
        let end = self.screen.passage.pieces.last().map_or(0, |piece| piece.end);
        self.tasks.emit(Effect::Want(end));
        if !self.tasks.is_running(Role::Count) && !self.count_screen(self.numbers.counts()) {
            self.count_all();
        }
    }

    /// Scrolls a cut line sideways to the match that was found.
    fn reveal_hit(&mut self) {
        let Some(hit) = self.search.take_new_hit() else { return };
        let layout = self.screen.layout();
        let Some(piece) = self.screen.passage.find(hit).filter(|_| !layout.wrap) else { return };
        self.screen.row_starts(piece);
        let view = PieceView::new(&self.screen, &self.search, &self.syntax, piece);
        // Of a long line, the text around the match may not have come yet.
        let from =
            view.cut.map_or(0, |cut| usize::try_from(hit.saturating_sub(cut.start)).unwrap_or(usize::MAX));
        let is_here = view.cut.is_none_or(|cut| cut.start <= hit && from < view.text.len());
        if !is_here {
            self.screen.aim = Aim::Byte(hit);
            self.search.keep_new_hit();
            return self.fetch_again();
        }
        let found = view.matches.iter().find(|found| found.end > from);
        let place = found.map_or(from..from, Clone::clone);
        let column = |at| layout.column(view.cut.map_or(0, |cut| cut.columns.start), view.text, at);
        let left = layout.left_for(&(column(place.start)..column(place.end)));
        if left != layout.left {
            self.change_layout(|layout| layout.left = left);
        }
    }

    /// Orders the numbers of lines on the screen, if that is quick or they `must` be known; returns whether any is unknown.
    fn count_screen(&mut self, must: bool) -> bool {
        let words = if must { COUNTING } else { "" };
        let visible = self.screen.visible().unwrap_or_default();
        let passage = &self.screen.passage;
        let is_unknown = |start: &u64| self.numbers.number_at(passage, *start).is_none();
        let offsets: Vec<u64> = if self.search.is_filtered() {
            let starts = visible.iter().map(|part| passage.pieces[part.piece].start);
            starts.filter(is_unknown).collect()
        } else {
            self.screen.first_line().filter(is_unknown).into_iter().collect()
        };
        let is_any_unknown = !offsets.is_empty();
        if is_any_unknown {
            self.tasks.order(Job::Numbers { offsets, must }, words);
        }
        is_any_unknown
    }

    fn count_all(&mut self) {
        if self.numbers.counts() && self.numbers.total.is_none() && !self.facts.is_live {
            self.tasks.order(Job::Lines, COUNTING);
        }
    }

    /// Goes to a place from which `''` returns.
    pub(crate) fn jump(&mut self, offset: u64) {
        self.leave();
        self.follow.is_on = false;
        self.go(Movement::To(offset));
    }

    /// Goes to the end; that of a stream moves, and so does the screen until the next movement.
    pub(crate) fn go_to_end(&mut self) {
        self.leave();
        self.follow.is_on |= self.facts.is_live;
        self.tasks.emit(Effect::Want(u64::MAX));
        self.go(Movement::End);
    }

    /// Stops what would lead to another place than the next one.
    fn leave(&mut self) {
        self.follow.sought = None;
        self.tasks.stop_seeking();
        self.marks.leave(self.screen.top());
    }

    pub(crate) fn go_to_time(&mut self, time: String) {
        self.seek(Job::Time(time), "looking for the time");
    }

    fn go_to_line(&mut self, line: u64) {
        self.seek(Job::Line(line.max(1)), LOOKING);
    }

    /// Goes to a position in millionths of a percent of the file.
    fn go_to_percent(&mut self, millionths: u64) {
        match self.facts.size.filter(|_| !self.facts.is_live) {
            Some(size) => self.jump(part(size, millionths)),
            None => self.seek(Job::Percent(millionths), "reading to the end"),
        }
    }

    fn seek(&mut self, job: Job, words: &'static str) {
        self.follow.seek(job, words, &self.facts, &mut self.tasks);
    }

    fn waits_for_more(&mut self) -> bool {
        self.follow.waits_for_more(&self.facts, &mut self.tasks)
    }

    fn go_to_mark(&mut self, letter: char) {
        match letter {
            '^' => self.jump(0),
            '$' => self.go_to_end(),
            letter => match self.marks.get(letter) {
                Some(offset) => self.jump(offset),
                None => self.say(format!("there is no mark {letter}: m sets one")),
            },
        }
    }
}
