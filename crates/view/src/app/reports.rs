//! What reports of the threads that read, and changes of the file, do to the state.

use super::App;
use super::facts::{Effect, FileFacts, MergedFacts};
use crate::piece::Passage;
use crate::syntax::{ColorRequest, Colored};
use crate::worker::{Job, Report, Role};
use rread_answer::wording::{self, worded};
use rread_source::Change;
use rread_text::error::{Error, Kind};

impl App {
    /// The file was opened, again if there was one before.
    pub(crate) fn opened(&mut self, facts: FileFacts) {
        let was_open = self.facts.is_open();
        self.facts = facts;
        // The awaited passage belongs to the old text.
        self.screen.forget_order();
        self.screen.outdate();
        self.tasks.finish(Role::Show);
        self.syntax.opened();
        self.show_files(was_open);
        let is_longer = !std::mem::take(&mut self.is_rewritten);
        if was_open {
            self.count_matches(is_longer);
        }
        if !was_open && self.follow.is_on {
            if self.facts.is_object && !self.facts.is_live {
                self.refuse_to_follow();
            } else {
                self.tasks.emit(Effect::Want(u64::MAX));
            }
        }
        self.refresh();
        for key in std::mem::take(&mut self.keyboard.early) {
            self.press(&key);
        }
    }

    /// Shows the files before the lines of a text of several, and what there is to say about them.
    fn show_files(&mut self, was_open: bool) {
        let Some(MergedFacts { files, shows_files, notes, .. }) = self.facts.merged.clone() else { return };
        self.numbers.set_files(files, shows_files && !was_open);
        let layout = self.screen.layout();
        self.screen.lay_out(layout, self.numbers.width(self.screen.columns));
        if !notes.is_empty() {
            self.say(notes);
        }
    }

    /// The size may have become known.
    pub(crate) fn set_size(&mut self, size: Option<u64>) {
        self.facts.size = size;
    }

    /// The rest of a stream cannot be read: its end on the screen is not that of the text.
    pub(crate) fn cut_short(&mut self) {
        self.facts.is_cut_short = true;
    }

    /// More of a stream has come, or its end.
    pub(crate) fn grow(&mut self, size: Option<u64>, is_live: bool) {
        self.facts.size = size;
        self.facts.is_live = is_live;
        self.numbers.total = None;
        self.screen.outdate();
        if self.follow.is_on || self.screen.shows_last_line() {
            self.refresh();
        } else {
            self.screen.drop_last_line();
        }
        self.follow.seek_again(&self.facts, &mut self.tasks);
        self.count_matches(true);
    }

    /// Counts the matches of the search in the file as it is now, or only in what was appended.
    fn count_matches(&mut self, is_longer: bool) {
        if is_longer && self.tasks.is_running(Role::Tally) {
            self.search.is_behind = true;
            return;
        }
        if std::mem::take(&mut self.is_without_match) {
            self.message = None;
        }
        let tally = if is_longer { self.search.count_on() } else { self.search.count_again() };
        tally.into_iter().for_each(|tally| self.tasks.order(tally, ""));
    }

    pub(crate) fn changed(&mut self, change: Change) {
        self.numbers.total = None;
        self.is_rewritten |= change != Change::Appended;
        let note = match change {
            Change::Appended => None,
            Change::Truncated => Some("the file was truncated"),
            Change::Rewritten => Some("the file was rewritten"),
            Change::Replaced if self.follow.is_on => Some("the file was replaced; this is the new one"),
            Change::Replaced => return self.say("the file was replaced; R shows the new one"),
        };
        if let Some(note) = note {
            self.say(note);
            self.numbers.forget();
            self.syntax.forget();
        }
        self.tasks.emit(Effect::Order(Job::Reload));
    }

    /// Takes the report of a job that is still wanted.
    pub(crate) fn report(&mut self, role: Role, result: Result<Report, Error>) {
        self.tasks.finish(role);
        match result {
            Ok(report) => self.take(report),
            // The first record may still come.
            Err(error) if role == Role::Seek && error.kind == Kind::InvalidText && self.waits_for_more() => {}
            // The file is opened again, and then its matches are counted again.
            Err(error) if role == Role::Tally && error.kind == Kind::Changed => {}
            Err(error) => {
                if role == Role::Show {
                    self.screen.abandon();
                }
                let hint = wording::hint(&error).filter(|_| role == Role::Seek);
                let hint = hint.map_or(String::new(), |hint| format!(" ({hint})"));
                let is_passing = matches!(error.kind, Kind::Network | Kind::Changed);
                let again = if self.facts.is_object && is_passing { "; R reads it again" } else { "" };
                self.say(format!("{}{again}{hint}", worded(&error.message)));
            }
        }
    }

    fn take(&mut self, report: Report) {
        match report {
            Report::Passage(passage) => self.show(passage),
            // The loop has taken it.
            Report::Text(_) => {}
            Report::Tallied => {
                if self.search.is_behind {
                    self.count_matches(true);
                }
            }
            Report::Found(None, Some(note)) if !note.is_empty() && self.waits_for_more() => {}
            Report::Found(place, Some(note)) => {
                self.message = Some(note).filter(|note| !note.is_empty());
                place.into_iter().for_each(|place| self.jump(place));
            }
            Report::Found(Some(place), None) => {
                self.search.set_hit(place);
                self.jump(place);
            }
            Report::Found(None, None) if self.waits_for_more() => {}
            Report::Found(None, None) => {
                self.say(if self.search.runs_back() { "no match above" } else { "no match below" });
                self.is_without_match = true;
            }
            Report::Line { note: Some(_), .. } if self.waits_for_more() => {}
            Report::Line { offset, newlines, note } => {
                self.numbers.learn(offset, newlines);
                self.message = note;
                self.jump(offset);
            }
            Report::Numbers(numbers) => {
                let is_any_known = !numbers.is_empty();
                self.numbers.learn_all(numbers, &self.screen.passage);
                // Numbers may have been switched on meanwhile, and then these lines are counted to.
                if is_any_known || self.numbers.counts() {
                    self.serve_screen();
                }
            }
            Report::Lines(lines) => {
                self.numbers.total = Some(lines);
                // The screen may have moved while the lines were counted.
                self.serve_screen();
            }
        }
    }

    fn show(&mut self, passage: Passage) {
        self.numbers.carry_over(&self.screen.passage, &passage);
        let awaited = self.screen.awaited();
        let has_grown = self.screen.show(passage);
        self.advance();
        // A file that changes under the viewer must not keep it reading the same again and again.
        if !has_grown && self.screen.is_waiting() && self.screen.awaited() == awaited {
            self.screen.abandon();
            self.tasks.stop(Role::Show);
        }
        // The last movement may wait for another place than the end that is followed.
        if has_grown && (self.follow.is_on || !self.screen.is_waiting()) {
            self.fetch_again();
        }
        if self.screen.has_unfolded_records() && self.message.is_none() {
            self.say("o shows each JSON line as time, level and message");
        }
    }

    /// The lines whose colors the screen needs, to be asked for once it has been drawn.
    pub(crate) fn request_colors(&mut self) -> Option<ColorRequest> {
        if !self.has_colors || self.search.is_filtered() || !self.syntax.is_ready() {
            return None;
        }
        let visible = self.screen.visible()?;
        let span = visible.first()?.piece..visible.last()?.piece + 1;
        self.syntax.request(&self.screen.passage, span, self.screen.rows())
    }

    pub(crate) fn colored(&mut self, colored: Colored) {
        if let Some(message) = self.syntax.take(colored, &self.screen.passage) {
            self.say(message);
        }
    }
}
