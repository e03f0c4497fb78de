//! What keys do to the state, and the options that they change.

use crossterm::event::{Event as Input, KeyEvent, KeyEventKind, MouseEventKind};

use super::facts::{Effect, LOOKING, RELOADING};
use super::keyboard::{KeyAction, Mode, Number};
use super::{App, WHOLE};
use crate::chopped::Aim;
use crate::find::FindRequest;
use crate::keys::KeyCommand;
use crate::options::parse_percent;
use crate::prompt::{Kind, Modifiers, Prompt, TypedLine};
use crate::viewport::Movement;
use crate::worker::{Job, Role};
use rread_answer::worded;
use rread_reader::Case;

/// The last column that may be the first one on the screen.
const LAST_COLUMN: usize = usize::MAX / 4;

/// Rows of a turn of the mouse wheel.
const WHEEL: i64 = 3;

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
            Some(KeyAction::Submit(line)) => self.submit(&line),
            Some(KeyAction::SetMark(letter)) => {
                self.marks.unset = Some(letter);
                self.say(format!("mark {letter}"));
                self.advance();
            }
            Some(KeyAction::GoToMark(letter)) => self.go_to_mark(letter),
            Some(KeyAction::RemoveMark(letter)) => {
                let was_set = self.marks.remove(letter);
                self.say(if was_set {
                    format!("no mark {letter} any more")
                } else {
                    format!("there is no mark {letter}")
                });
            }
            Some(KeyAction::SetOption(letter)) => match KeyOption::of(letter) {
                Some(option) => self.change_option(option),
                None => self.say(format!(
                    "-{letter} is not an option here: S wraps or cuts, N numbers, i ignores case, G hides matches"
                )),
            },
            Some(KeyAction::Stop) => self.stop(),
            Some(KeyAction::Explain(words)) => self.say(words),
        }
    }

    fn run(&mut self, command: KeyCommand, number: Option<Number>) {
        let count = number.map(|number| number.whole);
        if self.scroll(command, count) {
            return;
        }
        match command {
            KeyCommand::Start | KeyCommand::End if count.is_some() => self.go_to_line(count.unwrap_or(1)),
            KeyCommand::Sideways(by) => self.scroll_sideways(by, count),
            KeyCommand::LeftEdge => self.change_layout(|layout| layout.left = 0),
            KeyCommand::RightEdge => self.scroll_to_right_edge(),
            KeyCommand::Start => self.jump(0),
            KeyCommand::End => self.go_to_end(),
            KeyCommand::Percent => self.go_to_percent(number.map_or(0, |number| number.percent).min(WHOLE)),
            KeyCommand::Byte => self.jump(count.unwrap_or(0)),
            KeyCommand::Ask(kind) => self.keyboard.mode = Mode::Prompt(Prompt::new(kind, count)),
            KeyCommand::Again => self.search_again(false, count),
            KeyCommand::Back => self.search_again(true, count),
            KeyCommand::Follow => self.start_following(),
            KeyCommand::Numbers => {
                let words = self.numbers.next_margin();
                self.lay_out(self.screen.layout());
                self.say(words);
            }
            KeyCommand::Wrap => self.change_option(KeyOption::Chop),
            KeyCommand::Sequences => self.change_option(KeyOption::Sequences),
            KeyCommand::Highlight => self.change_option(KeyOption::Highlight),
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
            KeyCommand::Mark => self.keyboard.mode = Mode::Mark,
            KeyCommand::ToMark => self.keyboard.mode = Mode::ToMark,
            KeyCommand::Unmark => self.keyboard.mode = Mode::Unmark,
            KeyCommand::Status => self.say_status(),
            KeyCommand::Edit => self.edit(),
            KeyCommand::Help => self.keyboard.mode = Mode::Help(0),
            KeyCommand::Redraw => self.tasks.emit(Effect::Redraw),
            KeyCommand::Reload => self.reload(),
            KeyCommand::Option => self.keyboard.mode = Mode::Option,
            KeyCommand::Leave => self.keyboard.mode = Mode::Leave,
            KeyCommand::Stop => self.stop(),
            KeyCommand::Suspend => self.tasks.emit(Effect::Suspend),
            KeyCommand::Quit => self.quit(),
            _ => {}
        }
    }

    /// Scrolls by rows if `command` does that; a number may be the length of later steps too.
    fn scroll(&mut self, command: KeyCommand, count: Option<u64>) -> bool {
        let rows = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let screen = rows(self.screen.rows() as u64);
        let by = match command {
            KeyCommand::Rows(by) => by.saturating_mul(rows(count.unwrap_or(1).max(1))),
            KeyCommand::Screen(by) => by * count.map_or(self.strides.window.unwrap_or(screen), rows),
            KeyCommand::Window => {
                self.strides.window = count.filter(|count| *count > 0).map(rows).or(self.strides.window);
                self.strides.window.unwrap_or(screen)
            }
            KeyCommand::Half(by) => {
                self.strides.half = count.filter(|count| *count > 0).map(rows).or(self.strides.half);
                by * self.strides.half.unwrap_or((screen + 1) / 2)
            }
            _ => return false,
        };
        self.follow.is_on = false;
        self.go(Movement::Rows(by));
        true
    }

    fn reload(&mut self) {
        self.numbers.forget();
        self.numbers.total = None;
        self.syntax.forget();
        self.is_rewritten = true;
        self.tasks.order(Job::Reload, RELOADING);
    }

    fn scroll_sideways(&mut self, by: i64, count: Option<u64>) {
        let half = (self.screen.layout().columns / 2).max(1);
        let wanted =
            count.filter(|count| *count > 0).map(|count| usize::try_from(count).unwrap_or(usize::MAX));
        self.strides.sideways = wanted.or(self.strides.sideways);
        let step = self.strides.sideways.unwrap_or(half);
        let left = self.screen.layout().left;
        self.scroll_to_column(if by < 0 { left.saturating_sub(step) } else { left.saturating_add(step) });
    }

    /// Scrolls to the end of the longest line on the screen.
    fn scroll_to_right_edge(&mut self) {
        let columns = self.screen.layout().columns;
        let wraps = self.screen.layout().wrap;
        // The ends of long lines have not been read, or are in another piece.
        if wraps || self.screen.has_open_line() {
            self.screen.aim = Aim::RightEdge;
            self.scroll_to_column(0);
            if !wraps {
                self.screen.aim = Aim::RightEdge;
                self.fetch_again();
            }
            return;
        }
        let longest = self.screen.longest_line();
        self.scroll_to_column(longest.saturating_sub(columns));
    }

    /// Cuts long lines, and shows them from this column on.
    fn scroll_to_column(&mut self, column: usize) {
        let wraps = self.screen.layout().wrap;
        self.change_layout(|layout| (layout.wrap, layout.left) = (false, column.min(LAST_COLUMN)));
        if wraps {
            self.say("long lines are cut: w wraps them");
        }
    }

    fn submit(&mut self, line: &TypedLine) {
        let TypedLine { kind, text, modifiers, count } = line;
        match kind {
            Kind::Find | Kind::FindBack => self.find(text, *modifiers, *kind == Kind::FindBack, *count),
            Kind::Filter => self.filter(text, *modifiers),
            Kind::Line => self.go_to_place(text.trim()),
            Kind::Time if text.trim().is_empty() => {}
            Kind::Time => self.go_to_time(text.to_owned()),
        }
    }

    /// `:123`, `:50%`, `:$`, `:q`.
    pub(crate) fn go_to_place(&mut self, text: &str) {
        if let Some(percent) = text.strip_suffix('%') {
            return match parse_percent(percent.trim()) {
                Some(percent) => self.go_to_percent(percent),
                None => self.say(format!("'{percent}' is not a percentage: type 50%")),
            };
        }
        match text.replace(['_', ','], "").parse::<u64>() {
            Ok(line) if line > 0 => self.go_to_line(line),
            _ if text.is_empty() => {}
            _ if text == "$" => self.go_to_end(),
            _ if matches!(text, "q" | "Q" | "q!" | "quit") => self.quit(),
            _ if text == "f" => self.say_status(),
            _ => self.say(format!("'{text}' is not a line number: type 123, 50% or $")),
        }
    }

    pub(crate) fn find(&mut self, text: &str, modifiers: Modifiers, goes_back: bool, count: Option<u64>) {
        let started = match text.is_empty() {
            false => Some(self.search.start(text, modifiers, goes_back)),
            true if modifiers == Modifiers::default() => {
                self.search.turn(goes_back);
                return self.search_again(false, count);
            }
            true => self.search.modified(modifiers, goes_back),
        };
        match started {
            None => return self.say("no search yet: / searches"),
            Some(Err(error)) => return self.say(worded(&error.message)),
            Some(Ok(tally)) => self.tasks.order(tally, ""),
        }
        if modifiers.keep_place {
            return self.say("the matches are marked: n goes to the next one");
        }
        let from = match (modifiers.from_end, goes_back) {
            (true, false) => 0,
            (true, true) => u64::MAX,
            (false, false) => self.screen.top(),
            (false, true) => self.screen.bottom(),
        };
        let request = self.search.next(false, count.unwrap_or(1));
        request.into_iter().for_each(|request| self.search_from(request, from));
    }

    fn search_from(&mut self, request: FindRequest, from: u64) {
        self.follow.sought = None;
        let back = request.back;
        let chopped = !self.screen.layout().wrap;
        let job = Job::Find(FindRequest { from, chopped, ..request });
        if back { self.tasks.order(job, "searching") } else { self.seek(job, "searching") }
    }

    /// Finds the next match in the direction of the search, or against it.
    fn search_again(&mut self, against: bool, count: Option<u64>) {
        let Some(request) = self.search.next(against, count.unwrap_or(1)) else {
            return self.say("no search yet: / searches");
        };
        let (top, bottom) = (self.screen.top(), self.screen.bottom());
        let from = self.place_after(self.search.hit(), request.back);
        let from = from.unwrap_or(if request.back { bottom } else { top });
        self.search_from(request, from);
    }

    /// The place where a search goes on after the last hit, or before it, while that is on the screen.
    fn place_after(&mut self, hit: Option<u64>, back: bool) -> Option<u64> {
        let (top, bottom) = (self.screen.top(), self.screen.bottom());
        let passage = &self.screen.passage;
        let piece = &passage.pieces[passage.find(hit?)?];
        let is_shown = piece.end > top && piece.start < bottom;
        is_shown.then_some(if back { piece.start } else { piece.end })
    }

    fn filter(&mut self, text: &str, modifiers: Modifiers) {
        if text.is_empty() {
            self.search.filters.clear();
        } else {
            if let Err(error) = self.search.add_filter(text, modifiers) {
                return self.say(worded(&error.message));
            }
            // Without a search, what the filter matches is marked.
            if self.search.is_empty()
                && !modifiers.invert
                && let Ok(tally) = self.search.start(text, modifiers, false)
            {
                self.tasks.order(tally, "");
            }
        }
        // Matches in lines that are not shown do not count.
        if let Some(tally) = self.search.count_again() {
            self.tasks.order(tally, "");
        }
        self.screen.clear();
        self.numbers.filter(self.search.is_filtered());
        self.go(Movement::To(self.screen.top()));
    }

    fn start_following(&mut self) {
        if self.facts.is_object && !self.facts.is_live {
            return self.refuse_to_follow();
        }
        if self.facts.merged.is_some() {
            return self
                .say("merged files are not followed here: rread follow FILES --merge; R merges again");
        }
        let was_on = std::mem::replace(&mut self.follow.is_on, true);
        self.say(if was_on {
            "already following: any movement ends it"
        } else {
            "following: any movement ends it"
        });
        self.tasks.emit(Effect::Want(u64::MAX));
        self.go(Movement::End);
    }

    /// An object does not grow: shows its end.
    pub(super) fn refuse_to_follow(&mut self) {
        self.follow.is_on = false;
        self.go_to_end();
        self.say("objects are not followed: R reads this one again");
    }

    fn edit(&mut self) {
        if !self.facts.is_plain {
            return self.say("an editor can open only a file of the disk");
        }
        let first = self.screen.first_line();
        let line = first.and_then(|offset| self.numbers.number_at(&self.screen.passage, offset));
        self.tasks.emit(Effect::Edit(line));
    }

    /// `=`: says all that is known of the place, and counts its lines if that is not known.
    fn say_status(&mut self) {
        let text = self.whole_position();
        self.say(if text.is_empty() { format!("{} is empty", self.facts.name) } else { text });
        // The line that is looked for has the same thread.
        if self.tasks.is_running_as(Role::Count, LOOKING) {
            return;
        }
        if !self.count_screen(true) && self.search.is_filtered() {
            self.count_all();
        }
    }

    /// Ends what is being done, if only the opening of the file.
    fn stop(&mut self) {
        if !self.facts.is_open() {
            return self.quit();
        }
        self.follow.is_on = false;
        self.follow.sought = None;
        self.keyboard.digits.clear();
        self.tasks.emit(Effect::Enough);
        self.tasks.stop_all();
        self.screen.abandon();
    }

    pub(super) fn change_option(&mut self, option: KeyOption) {
        match option {
            KeyOption::Chop => self.change_layout(|layout| layout.wrap = !layout.wrap),
            // Without numbers, it stays so: only -N shows them.
            KeyOption::NoNumbers if !self.numbers.is_on => {}
            KeyOption::Numbers | KeyOption::NoNumbers => {
                self.numbers.toggle();
                self.lay_out(self.screen.layout());
            }
            KeyOption::Case(case) if self.search.case == case => self.set_case(Case::Sensitive),
            KeyOption::Case(case) => self.set_case(case),
            KeyOption::Highlight => self.search.hides_matches = !self.search.hides_matches,
            KeyOption::Sequences => {
                let sequences = !self.screen.layout().sequences;
                let counted = self.search.see_screen(sequences);
                counted.into_iter().for_each(|tally| self.tasks.order(tally, ""));
                self.change_layout(|layout| layout.sequences = sequences);
            }
        }
        self.say(self.words_of_option(option));
    }

    fn set_case(&mut self, case: Case) {
        let counted = self.search.set_case(case);
        counted.into_iter().for_each(|tally| self.tasks.order(tally, ""));
    }

    fn words_of_option(&self, option: KeyOption) -> &'static str {
        match option {
            KeyOption::Chop if self.screen.layout().wrap => "long lines wrap",
            KeyOption::Chop => "long lines are cut: left and right scroll",
            KeyOption::Numbers | KeyOption::NoNumbers => self.numbers.name(),
            KeyOption::Case(_) => match self.search.case {
                Case::Smart => "searches ignore case, unless a pattern has an upper-case letter",
                Case::Insensitive => "searches ignore case, also that of the pattern",
                Case::Sensitive => "searches respect case",
            },
            KeyOption::Highlight if self.search.hides_matches => "matches are not highlighted",
            KeyOption::Highlight => "matches are highlighted",
            KeyOption::Sequences if self.screen.layout().sequences => {
                "colours and overstrikes are shown as such"
            }
            KeyOption::Sequences => "escape sequences and overstrikes are shown as text",
        }
    }
}

/// An option that a key changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyOption {
    Chop,
    Numbers,
    NoNumbers,
    /// How searches take case, until the same option is typed again.
    Case(Case),
    Highlight,
    Sequences,
}

impl KeyOption {
    /// The option of less with this letter.
    pub(super) fn of(letter: char) -> Option<Self> {
        Some(match letter {
            'S' => KeyOption::Chop,
            'N' => KeyOption::Numbers,
            'n' => KeyOption::NoNumbers,
            'i' => KeyOption::Case(Case::Smart),
            'I' => KeyOption::Case(Case::Insensitive),
            'G' | 'g' => KeyOption::Highlight,
            'R' | 'r' | 'U' | 'u' => KeyOption::Sequences,
            _ => return None,
        })
    }
}
