//! Keys become movements, orders and changes of the state.

use std::sync::Arc;

use crossterm::event::{Event as Input, KeyCode, KeyEvent, KeyEventKind, MouseEventKind};

use super::app::{App, Effect, LOOKING, Mode, RELOADING, Searched};
use super::keys::{Command, command};
use super::layout::Layout;
use super::prompt::{Kind, Prompt, Typed};
use super::viewport::Movement;
use super::worker::{Job, Role, Tally, highlighter, part};
use super::{habits, help};
use rread_reader::search::pattern::Pattern;
use rread_text::error::Error;
use rread_text::quote::quoted_word;

/// Rows of a turn of the mouse wheel.
const WHEEL: i64 = 3;

/// The first and the last of something on the screen.
type Ends = (u64, u64);

/// The bytes on the screen, and the numbers of the lines if they are known.
type Seen = (Ends, Option<Ends>);

/// Digits of a number before a command.
const MOST_DIGITS: usize = 18;

impl App {
    pub(crate) fn input(&mut self, input: &Input) {
        match input {
            Input::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Input::Resize(columns, lines) => self.resize(usize::from(*columns), usize::from(*lines)),
            Input::Mouse(mouse) => match mouse.kind {
                MouseEventKind::ScrollDown => self.go(Movement::Rows(WHEEL)),
                MouseEventKind::ScrollUp => self.go(Movement::Rows(-WHEEL)),
                _ => {}
            },
            _ => {}
        }
    }

    pub(super) fn key(&mut self, key: &KeyEvent) {
        if self.is_early(key) {
            return self.early.push(*key);
        }
        self.message = None;
        match std::mem::replace(&mut self.mode, Mode::Normal) {
            Mode::Normal => self.normal(key),
            Mode::Prompt(mut prompt) => match prompt.key(key, &mut self.history) {
                Typed::Goes => self.mode = Mode::Prompt(prompt),
                Typed::Given(kind, text) => self.given(kind, &text),
                Typed::Dropped => {}
            },
            Mode::Mark => {
                if let KeyCode::Char(letter) = key.code {
                    self.unset_mark = Some(letter);
                    self.say(format!("mark {letter}"));
                    self.advance();
                }
            }
            Mode::ToMark => self.go_to_mark(key.code),
            Mode::Option => self.option(key.code),
            Mode::Leave if key.code == KeyCode::Char('Z') => self.quit(),
            Mode::Leave => self.normal(key),
            Mode::Help(row) => self.help(key, row),
        }
    }

    fn normal(&mut self, key: &KeyEvent) {
        if let KeyCode::Char(digit @ '0'..='9') = key.code
            && key.modifiers.is_empty()
        {
            if self.digits.len() < MOST_DIGITS {
                self.digits.push(digit);
            }
            return;
        }
        let count = std::mem::take(&mut self.digits).parse::<u64>().ok();
        match command(key) {
            Some(command) => self.run(command, count),
            None if key.code == KeyCode::Esc => self.stop(),
            None => self.say(habits::answer(key)),
        }
    }

    pub(super) fn run(&mut self, command: Command, count: Option<u64>) {
        let times = i64::try_from(count.unwrap_or(1).max(1)).unwrap_or(i64::MAX);
        if matches!(command, Command::Rows(_) | Command::Halves(_) | Command::Start | Command::Percent) {
            self.follow = false;
        }
        match command {
            Command::Rows(by) => self.go(Movement::Rows(by.saturating_mul(times))),
            Command::Halves(by) => {
                let rows = i64::try_from(self.viewport.rows()).unwrap_or(i64::MAX);
                let step = if by.abs() == 1 { (rows + 1) / 2 } else { rows };
                let one = count.map_or(step, |_| 1);
                self.go(Movement::Rows(one.saturating_mul(by.signum()).saturating_mul(times)));
            }
            Command::Sideways(by) => self.sideways(by, count),
            Command::LeftEdge => self.change(|layout| layout.left = 0),
            Command::Start | Command::End if count.is_some() => self.line(count.unwrap_or(1)),
            Command::Start => self.jump(0),
            Command::End => self.go_to_end(),
            Command::Percent => self.percent(count.unwrap_or(0).min(100) * 1000),
            Command::Ask(kind) => self.mode = Mode::Prompt(Prompt::new(kind)),
            Command::Again => self.again(false),
            Command::Back => self.again(true),
            Command::Follow => self.toggle_follow(),
            Command::Numbers => self.next_margin(),
            Command::Wrap => {
                self.change(|layout| layout.wrap = !layout.wrap);
                let wraps = self.viewport.layout().wrap;
                self.say(if wraps { "long lines wrap" } else { "long lines are cut: left and right scroll" });
            }
            Command::Sequences => self.change(|layout| layout.sequences = !layout.sequences),
            Command::Fold => self.toggle_fold(),
            Command::Syntax => self.toggle_syntax(),
            Command::Copy => self.copy(),
            Command::Mark => self.mode = Mode::Mark,
            Command::ToMark => self.mode = Mode::ToMark,
            Command::Status => self.status_asked(),
            Command::Edit => self.edit(),
            Command::Help => self.mode = Mode::Help(0),
            Command::Redraw => self.emit(Effect::Redraw),
            Command::Reload => {
                (self.number, self.total) = (None, None);
                self.numbered.clear();
                self.syntax.forget();
                self.order(Job::Reload, RELOADING);
            }
            Command::Option => self.mode = Mode::Option,
            Command::Leave => self.mode = Mode::Leave,
            Command::Highlight => self.switch_matches(),
            Command::Case => self.switch_case(),
            Command::Stop => self.stop(),
            Command::Suspend => self.emit(Effect::Suspend),
            Command::Quit => self.emit(Effect::Quit),
        }
    }

    fn change(&mut self, change: impl FnOnce(&mut Layout)) {
        let mut layout = self.viewport.layout();
        change(&mut layout);
        self.lay_out(layout);
    }

    fn sideways(&mut self, by: i64, count: Option<u64>) {
        let half = (self.viewport.layout().columns / 2).max(1);
        let step = count.map_or(half, |count| usize::try_from(count).unwrap_or(usize::MAX));
        let wraps = self.viewport.layout().wrap;
        self.change(|layout| {
            layout.wrap = false;
            layout.left =
                if by < 0 { layout.left.saturating_sub(step) } else { layout.left.saturating_add(step) };
            // No piece has more columns.
            layout.left = layout.left.min(super::piece::PIECE * 16);
        });
        if wraps {
            self.say("long lines are cut: w wraps them");
        }
    }

    fn line(&mut self, line: u64) {
        self.seek(Job::Line(line.max(1)), LOOKING);
    }

    /// Goes to so many thousandths of a percent.
    fn percent(&mut self, thousandths: u64) {
        match self.facts.size.filter(|_| !self.facts.is_live) {
            Some(size) => self.jump(part(size, thousandths)),
            None => self.seek(Job::Percent(thousandths), "reading to the end"),
        }
    }

    fn given(&mut self, kind: Kind, text: &str) {
        match kind {
            Kind::Find | Kind::FindBack => self.find(text, kind == Kind::FindBack),
            Kind::Filter => self.filter(text),
            Kind::Line => self.place(text.trim()),
            Kind::Time if text.trim().is_empty() => {}
            Kind::Time => self.go_to_time(text.to_owned()),
        }
    }

    /// `:123`, `:50%`, `:$`, `:q`.
    pub(crate) fn place(&mut self, text: &str) {
        if let Some(percent) = text.strip_suffix('%') {
            return match percent.trim().parse::<f64>() {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                Ok(percent) if (0.0..=100.0).contains(&percent) => self.percent((percent * 1000.0) as u64),
                _ => self.say(format!("'{percent}' is not a percentage: type 50%")),
            };
        }
        match text.replace(['_', ','], "").parse::<u64>() {
            Ok(line) if line > 0 => self.line(line),
            _ if text.is_empty() => {}
            _ if text == "$" => self.go_to_end(),
            _ if matches!(text, "q" | "Q" | "q!" | "quit") => self.emit(Effect::Quit),
            _ if text == "f" => self.status_asked(),
            _ if habits::colon(text).is_some() => self.say(habits::colon(text).unwrap_or_default()),
            _ => self.say(format!("'{text}' is not a line number: type 123, 50% or $")),
        }
    }

    pub(super) fn compiled(&mut self, text: &str, invert: bool) -> Option<Arc<Pattern>> {
        let pattern = Pattern {
            patterns: vec![text.to_owned()],
            case: self.settings.case,
            invert,
            sequences: self.viewport.layout().sequences,
            ..Pattern::default()
        };
        match pattern.check(false).and_then(|()| pattern.check(true)) {
            Ok(()) => Some(Arc::new(pattern)),
            Err(Error { message, .. }) => {
                self.say(message);
                None
            }
        }
    }

    pub(crate) fn find(&mut self, text: &str, back: bool) {
        if text.is_empty() {
            if let Some(search) = &mut self.search {
                search.back = back;
            }
            return self.again(false);
        }
        let Some(pattern) = self.compiled(text, false) else { return };
        let Ok(matcher) = highlighter(&pattern) else { return };
        let tally = Arc::new(Tally::default());
        let search = Searched {
            pattern: Arc::clone(&pattern),
            matcher,
            back,
            goes_back: back,
            tally: Arc::clone(&tally),
            current: None,
            is_new: false,
        };
        self.search = Some(search);
        self.emit(Effect::Order(Job::Tally(Arc::clone(&pattern), tally)));
        self.busy.insert(Role::Tally, "");
        let from = if back { self.bottom() } else { self.viewport.top().piece };
        self.search_from(pattern, from, back);
    }

    fn search_from(&mut self, pattern: Arc<Pattern>, from: u64, back: bool) {
        self.sought = None;
        let job = Job::Find { pattern, from, back };
        if back { self.order(job, "searching") } else { self.seek(job, "searching") }
    }

    /// The end of the last line on the screen.
    fn bottom(&mut self) -> u64 {
        let shown = self.viewport.shown(&self.passage).unwrap_or_default();
        shown.last().map_or(0, |last| self.passage.pieces[last.piece].end)
    }

    /// The next match in the direction of the search, or in the other one.
    fn again(&mut self, other: bool) {
        let Some(Searched { pattern, back, goes_back, current, .. }) = &mut self.search else {
            return self.say("no search yet: / searches");
        };
        *goes_back = *back != other;
        let (pattern, back, current) = (Arc::clone(pattern), *goes_back, *current);
        let (top, bottom) = (self.viewport.top().piece, self.bottom());
        // From the last match while it is on the screen.
        let current = current.and_then(|at| Some(&self.passage.pieces[self.passage.find(at)?]));
        let current = current.filter(|piece| piece.end > top && piece.start < bottom);
        let from = match (current, back) {
            (Some(piece), false) => piece.end,
            (Some(piece), true) => piece.start,
            (None, false) => top,
            (None, true) => bottom,
        };
        self.search_from(pattern, from, back);
    }

    fn filter(&mut self, text: &str) {
        self.filter = if text.is_empty() {
            None
        } else {
            let (text, invert) = text.strip_prefix('!').map_or((text, false), |text| (text, true));
            let Some(pattern) = self.compiled(text, invert) else { return };
            if !invert && let Ok(matcher) = highlighter(&pattern) {
                let (tally, current) = (Arc::new(Tally::default()), None);
                let (job, back) = (Job::Tally(Arc::clone(&pattern), Arc::clone(&tally)), false);
                let pattern = Arc::clone(&pattern);
                self.search =
                    Some(Searched { pattern, matcher, back, goes_back: back, tally, current, is_new: false });
                self.emit(Effect::Order(job));
            }
            Some(pattern)
        };
        self.pending.clear();
        self.passage = super::piece::Passage::default();
        self.viewport.forget();
        self.number = None;
        self.numbered.clear();
        self.go(Movement::To(self.viewport.top().piece));
    }

    fn toggle_follow(&mut self) {
        if self.facts.is_object && !self.facts.is_live {
            return self.refuse_to_follow();
        }
        self.follow = !self.follow;
        if self.follow {
            self.say("following: any movement ends it");
            self.emit(Effect::Want(u64::MAX));
            self.go(Movement::End);
        }
    }

    fn go_to_mark(&mut self, code: KeyCode) {
        match code {
            KeyCode::Char('^') => self.jump(0),
            KeyCode::Char('$') => self.go_to_end(),
            KeyCode::Char(letter) => match self.marks.get(&letter).copied() {
                Some(offset) => self.jump(offset),
                None => self.say(format!("there is no mark {letter}: m sets one")),
            },
            _ => {}
        }
    }

    fn help(&mut self, key: &KeyEvent, row: usize) {
        let last = help::LINES.len().saturating_sub(self.viewport.rows());
        let row = match command(key) {
            Some(Command::Rows(by)) if by > 0 => row + 1,
            Some(Command::Rows(_)) => row.saturating_sub(1),
            Some(Command::Halves(by)) if by > 0 => row + self.viewport.rows(),
            Some(Command::Halves(_)) => row.saturating_sub(self.viewport.rows()),
            Some(Command::Suspend) => return self.emit(Effect::Suspend),
            _ => return,
        };
        self.mode = Mode::Help(row.min(last));
    }

    pub(super) fn seen(&mut self) -> Option<Seen> {
        let shown = self.viewport.shown(&self.passage)?;
        let first = &self.passage.pieces[shown.first()?.piece];
        let last = &self.passage.pieces[shown.last()?.piece];
        let lines = self.line_at(first.start).zip(self.line_at(last.start));
        Some(((first.start, last.end), lines))
    }

    /// Copies the command that prints what is on the screen.
    fn copy(&mut self) {
        let Some(((start, end), lines)) = self.seen() else { return self.say("nothing is shown") };
        let file = &self.facts.quoted;
        let command = match (&self.filter, lines) {
            (Some(pattern), _) => {
                let invert = if pattern.invert { "-v " } else { "" };
                let pattern = quoted_word(&pattern.patterns[0]);
                format!("rread search {invert}-e {pattern} {file} --in b{start}:{end}")
            }
            (None, Some((first, last))) => format!("rread lines {file} {first}:{last}"),
            (None, None) => format!("rread bytes {file} {start}:{end}"),
        };
        self.say(command.clone());
        self.emit(Effect::Copy(command));
    }

    fn edit(&mut self) {
        if !self.facts.is_plain {
            return self.say("an editor can open only a file of the disk");
        }
        let line = self.first_line().and_then(|offset| self.line_at(offset));
        self.emit(Effect::Edit(line));
    }

    /// Ends what is being done, if only the opening of the file.
    fn stop(&mut self) {
        if self.facts.name.is_empty() {
            return self.quit();
        }
        if self.follow {
            self.follow = false;
        }
        self.digits.clear();
        self.sought = None;
        self.emit(Effect::Enough);
        for role in super::worker::ROLES {
            if self.busy.remove(&role).is_some() {
                self.emit(Effect::Stop(role));
            }
        }
        self.abandon();
    }
}
