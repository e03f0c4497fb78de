//! What keys do to the state.

use std::sync::Arc;

use crossterm::event::{Event as Input, KeyEvent, KeyEventKind, MouseEventKind};

use super::App;
use super::keyboard::{KeyAction, Mode};
use super::line_numbers::LineNumbers;
use super::tasks::{Effect, LOOKING, RELOADING};
use crate::view::habits;
use crate::view::keys::KeyCommand;
use crate::view::piece::PIECE;
use crate::view::prompt::{Kind, Prompt};
use crate::view::viewport::Movement;
use crate::view::worker::{Job, Role};
use rread_reader::search::pattern::Pattern;
use rread_text::error::Error;
use rread_text::quote::quoted_word;

/// Rows of a turn of the mouse wheel.
const WHEEL: i64 = 3;

/// The first and the last of something on the screen.
type Ends = (u64, u64);

impl App {
    pub(crate) fn input(&mut self, input: &Input) {
        match input {
            Input::Key(key) if key.kind != KeyEventKind::Release => self.press(key),
            Input::Resize(columns, lines) => self.resize(usize::from(*columns), usize::from(*lines)),
            Input::Mouse(mouse) => match mouse.kind {
                MouseEventKind::ScrollDown => self.go(Movement::Rows(WHEEL)),
                MouseEventKind::ScrollUp => self.go(Movement::Rows(-WHEEL)),
                _ => {}
            },
            _ => {}
        }
    }

    pub(super) fn press(&mut self, key: &KeyEvent) {
        if !self.facts.is_open() && self.keyboard.keep(key) {
            return;
        }
        self.message = None;
        match self.keyboard.press(key, self.screen.rows()) {
            None => {}
            Some(KeyAction::Run(command, count)) => self.run(command, count),
            Some(KeyAction::Submit(kind, text)) => self.submit(kind, &text),
            Some(KeyAction::SetMark(letter)) => {
                self.marks.set_after_movements(letter);
                self.say(format!("mark {letter}"));
                self.advance();
            }
            Some(KeyAction::GoToMark(letter)) => self.go_to_mark(letter),
            Some(KeyAction::SetOption('N' | 'n')) => self.change_numbers(LineNumbers::toggle),
            Some(KeyAction::SetOption(letter)) => match habits::option(letter) {
                Ok(command) => self.run(command, None),
                Err(words) => self.say(words),
            },
            Some(KeyAction::Stop) => self.stop(),
            Some(KeyAction::Explain(words)) => self.say(words),
        }
    }

    fn run(&mut self, command: KeyCommand, count: Option<u64>) {
        let times = i64::try_from(count.unwrap_or(1).max(1)).unwrap_or(i64::MAX);
        if matches!(
            command,
            KeyCommand::Rows(_) | KeyCommand::Halves(_) | KeyCommand::Start | KeyCommand::Percent
        ) {
            self.follow.is_on = false;
        }
        match command {
            KeyCommand::Rows(by) => self.go(Movement::Rows(by.saturating_mul(times))),
            KeyCommand::Halves(by) => {
                let rows = i64::try_from(self.screen.rows()).unwrap_or(i64::MAX);
                let step = if by.abs() == 1 { (rows + 1) / 2 } else { rows };
                let one = count.map_or(step, |_| 1);
                self.go(Movement::Rows(one.saturating_mul(by.signum()).saturating_mul(times)));
            }
            KeyCommand::Sideways(by) => self.scroll_sideways(by, count),
            KeyCommand::LeftEdge => self.change_layout(|layout| layout.left = 0),
            KeyCommand::Start | KeyCommand::End if count.is_some() => self.go_to_line(count.unwrap_or(1)),
            KeyCommand::Start => self.jump(0),
            KeyCommand::End => self.go_to_end(),
            KeyCommand::Percent => self.go_to_percent(count.unwrap_or(0).min(100) * 1000),
            KeyCommand::Ask(kind) => self.keyboard.enter(Mode::Prompt(Prompt::new(kind))),
            KeyCommand::Again => self.search_again(false),
            KeyCommand::Back => self.search_again(true),
            KeyCommand::Follow => self.start_following(),
            KeyCommand::Numbers => self.change_numbers(LineNumbers::next_margin),
            KeyCommand::Wrap => self.toggle_wrap(),
            KeyCommand::Sequences => self.change_layout(|layout| layout.sequences = !layout.sequences),
            KeyCommand::Fold => {
                let words = self.screen.toggle_fold();
                self.lay_out(self.screen.layout());
                self.say(words);
            }
            KeyCommand::Syntax => {
                let words = self.syntax.toggle(self.has_colors);
                self.say(words);
            }
            KeyCommand::Copy => self.copy(),
            KeyCommand::Mark => self.keyboard.enter(Mode::Mark),
            KeyCommand::ToMark => self.keyboard.enter(Mode::ToMark),
            KeyCommand::Status => self.say_status(),
            KeyCommand::Edit => self.edit(),
            KeyCommand::Help => self.keyboard.enter(Mode::Help(0)),
            KeyCommand::Redraw => self.tasks.emit(Effect::Redraw),
            KeyCommand::Reload => {
                self.numbers.forget();
                self.numbers.total = None;
                self.syntax.forget();
                self.follow.missing = None;
                self.tasks.emit(Effect::Unfollow);
                self.tasks.order(Job::Reload, RELOADING);
            }
            KeyCommand::Option => self.keyboard.enter(Mode::Option),
            KeyCommand::Leave => self.keyboard.enter(Mode::Leave),
            KeyCommand::Highlight => {
                let words = self.search.toggle_matches();
                self.say(words);
            }
            KeyCommand::Case => {
                let words = self.search.toggle_case();
                self.say(words);
            }
            KeyCommand::Stop => self.stop(),
            KeyCommand::Suspend => self.tasks.emit(Effect::Suspend),
            KeyCommand::Quit => self.quit(),
        }
    }

    fn change_numbers(&mut self, change: impl FnOnce(&mut LineNumbers) -> &'static str) {
        let words = change(&mut self.numbers);
        self.lay_out(self.screen.layout());
        self.say(words);
    }

    fn toggle_wrap(&mut self) {
        self.change_layout(|layout| layout.wrap = !layout.wrap);
        let wraps = self.screen.layout().wrap;
        self.say(if wraps { "long lines wrap" } else { "long lines are cut: left and right scroll" });
    }

    fn scroll_sideways(&mut self, by: i64, count: Option<u64>) {
        let half = (self.screen.layout().columns / 2).max(1);
        let step = count.map_or(half, |count| usize::try_from(count).unwrap_or(usize::MAX));
        let wraps = self.screen.layout().wrap;
        self.change_layout(|layout| {
            layout.wrap = false;
            layout.left =
                if by < 0 { layout.left.saturating_sub(step) } else { layout.left.saturating_add(step) };
            // No piece has more columns.
            layout.left = layout.left.min(PIECE * 16);
        });
        if wraps {
            self.say("long lines are cut: w wraps them");
        }
    }

    fn submit(&mut self, kind: Kind, text: &str) {
        match kind {
            Kind::Find | Kind::FindBack => self.find(text, kind == Kind::FindBack),
            Kind::Filter => self.filter(text),
            Kind::Line => self.go_to_place(text.trim()),
            Kind::Time if text.trim().is_empty() => {}
            Kind::Time => self.go_to_time(text.to_owned()),
        }
    }

    /// `:123`, `:50%`, `:$`, `:q`.
    pub(crate) fn go_to_place(&mut self, text: &str) {
        if let Some(percent) = text.strip_suffix('%') {
            return match percent.trim().parse::<f64>() {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                Ok(percent) if (0.0..=100.0).contains(&percent) => {
                    self.go_to_percent((percent * 1000.0) as u64);
                }
                _ => self.say(format!("'{percent}' is not a percentage: type 50%")),
            };
        }
        match text.replace(['_', ','], "").parse::<u64>() {
            Ok(line) if line > 0 => self.go_to_line(line),
            _ if text.is_empty() => {}
            _ if text == "$" => self.go_to_end(),
            _ if matches!(text, "q" | "Q" | "q!" | "quit") => self.quit(),
            _ if text == "f" => self.say_status(),
            _ => match habits::colon(text) {
                Some(words) => self.say(words),
                None => self.say(format!("'{text}' is not a line number: type 123, 50% or $")),
            },
        }
    }

    fn compile(&mut self, text: &str, invert: bool) -> Option<Arc<Pattern>> {
        match self.search.compile(text, invert, self.screen.layout().sequences) {
            Ok(pattern) => Some(pattern),
            Err(Error { message, .. }) => {
                self.say(message);
                None
            }
        }
    }

    pub(crate) fn find(&mut self, text: &str, goes_back: bool) {
        if text.is_empty() {
            self.search.turn(goes_back);
            return self.search_again(false);
        }
        let Some(pattern) = self.compile(text, false) else { return };
        let Some(tally) = self.search.start(&pattern, goes_back) else { return };
        self.tasks.order(tally, "");
        let from = if goes_back { self.screen.bottom() } else { self.screen.top() };
        self.search_from(pattern, from, goes_back);
    }

    fn search_from(&mut self, pattern: Arc<Pattern>, from: u64, back: bool) {
        self.follow.forget_place();
        let job = Job::Find { pattern, from, back };
        if back { self.tasks.order(job, "searching") } else { self.seek(job, "searching") }
    }

    /// Finds the next match in the direction of the search, or against it.
    fn search_again(&mut self, against: bool) {
        let Some((pattern, back)) = self.search.next(against) else {
            return self.say("no search yet: / searches");
        };
        let top = self.screen.top();
        let bottom = self.screen.bottom();
        // From the last match while it is on the screen.
        let passage = self.screen.passage();
        let hit = self.search.hit().and_then(|at| Some(&passage.pieces[passage.find(at)?]));
        let hit = hit.filter(|piece| piece.end > top && piece.start < bottom);
        let from = match (hit, back) {
            (Some(piece), false) => piece.end,
            (Some(piece), true) => piece.start,
            (None, false) => top,
            (None, true) => bottom,
        };
        self.search_from(pattern, from, back);
    }

    fn filter(&mut self, text: &str) {
        self.search.filter = if text.is_empty() {
            None
        } else {
            let inverted = text.strip_prefix('!');
            let Some(pattern) = self.compile(inverted.unwrap_or(text), inverted.is_some()) else { return };
            if inverted.is_none()
                && let Some(tally) = self.search.start(&pattern, false)
            {
                self.tasks.emit(Effect::Order(tally));
            }
            Some(pattern)
        };
        self.screen.clear();
        self.numbers.filter(self.search.filter.is_some());
        self.go(Movement::To(self.screen.top()));
    }

    fn start_following(&mut self) {
        if self.facts.is_object && !self.facts.is_live {
            return self.refuse_to_follow();
        }
        let was_on = std::mem::replace(&mut self.follow.is_on, true);
        self.say(if was_on {
            "already following: any movement ends it"
        } else {
            "following: any movement ends it"
        });
        self.tasks.emit(Effect::Follow);
        self.tasks.emit(Effect::Want(u64::MAX));
        self.go(Movement::End);
    }

    /// An object does not grow: shows its end.
    pub(super) fn refuse_to_follow(&mut self) {
        self.follow.is_on = false;
        self.go_to_end();
        self.say("objects are not followed: R reads this one again");
    }

    /// The bytes on the screen, and the numbers of its lines if they are known.
    pub(super) fn span_on_screen(&mut self) -> Option<(Ends, Option<Ends>)> {
        let visible = self.screen.visible()?;
        let first = self.screen.piece(visible.first()?.piece);
        let last = self.screen.piece(visible.last()?.piece);
        let number = |offset| self.numbers.number_at(self.screen.passage(), offset);
        Some(((first.start, last.end), number(first.start).zip(number(last.start))))
    }

    /// Copies the command that prints what is on the screen.
    fn copy(&mut self) {
        let Some(((start, end), lines)) = self.span_on_screen() else { return self.say("nothing is shown") };
        if self.facts.is_joined {
            return self.say("the text is that of several files: R shows the last one alone");
        }
        let file = &self.facts.quoted;
        let command = match (&self.search.filter, lines) {
            (Some(pattern), _) => {
                let invert = if pattern.invert { "-v " } else { "" };
                let pattern = quoted_word(&pattern.patterns[0]);
                format!("rread search {invert}-e {pattern} {file} --in b{start}:{end}")
            }
            (None, Some((first, last))) => format!("rread lines {file} {first}:{last}"),
            (None, None) => format!("rread bytes {file} {start}:{end}"),
        };
        self.say(command.clone());
        self.tasks.emit(Effect::Copy(command));
    }

    fn edit(&mut self) {
        if !self.facts.is_plain {
            return self.say("an editor can open only a file of the disk");
        }
        let first = self.screen.first_line().filter(|_| !self.facts.is_joined);
        let line = first.and_then(|offset| self.numbers.number_at(self.screen.passage(), offset));
        self.tasks.emit(Effect::Edit(line));
    }

    /// `=`: says all that is known of the place, and counts its lines if that is not known.
    fn say_status(&mut self) {
        let text = self.position(true);
        self.say(if text.is_empty() { format!("{} is empty", self.facts.name) } else { text });
        // The line that is looked for has the same thread.
        if self.tasks.is_running_as(Role::Count, LOOKING) {
            return;
        }
        if !self.count_screen(true) && self.search.filter.is_some() {
            self.count_all();
        }
    }

    /// Ends what is being done, if only the opening of the file.
    fn stop(&mut self) {
        if !self.facts.is_open() {
            return self.quit();
        }
        self.follow.is_on = false;
        self.follow.forget_place();
        self.keyboard.clear_digits();
        self.tasks.emit(Effect::Enough);
        self.tasks.stop_all();
        self.screen.abandon();
    }
}
