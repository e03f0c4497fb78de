//! Reports of the threads that read, and changes of the file, become changes of the state.

use super::app::{App, Effect, Facts};
use super::piece::Passage;
use super::worker::{Job, Report, Role};
use rread_source::Change;
use rread_text::error::{Error, Kind};

impl App {
    /// The file was opened, again if there was one before.
    pub(crate) fn opened(&mut self, facts: Facts) {
        let was_empty = self.facts.name.is_empty();
        self.facts = facts;
        // A passage of the old text is not waited for any more.
        (self.waiting, self.is_stale) = (None, false);
        self.busy.remove(&Role::Show);
        self.syntax.opened();
        if was_empty && self.follow && self.facts.is_object && !self.facts.is_live {
            self.refuse_to_follow();
        } else if was_empty && self.follow {
            self.emit(Effect::Want(u64::MAX));
        }
        self.refresh();
        for key in std::mem::take(&mut self.early) {
            self.key(&key);
        }
    }

    /// The size may have become known.
    pub(crate) fn sized(&mut self, size: Option<u64>) {
        self.facts.size = size;
    }

    /// More of a stream has come.
    pub(crate) fn grew(&mut self, size: Option<u64>, is_live: bool) {
        (self.facts.size, self.facts.is_live) = (size, is_live);
        self.total = None;
        let is_needed =
            self.follow || self.viewport.is_at_end(&self.passage) || self.passage.pieces.is_empty();
        if is_needed {
            self.refresh();
        } else if self.passage.ends_file {
            // The last line may have been half of one.
            self.passage.pieces.pop();
            self.passage.ends_file = false;
            self.viewport.forget();
        }
        self.seek_again();
        if !is_live {
            self.tally_again();
        }
    }

    pub(crate) fn changed(&mut self, change: Change) {
        self.total = None;
        let note = match change {
            Change::Appended => None,
            Change::Truncated => Some("the file was truncated"),
            Change::Rewritten => Some("the file was rewritten"),
            Change::Replaced if self.follow => Some("the file was replaced; this is the new one"),
            Change::Replaced => {
                self.say("the file was replaced; R shows the new one");
                return;
            }
        };
        if let Some(note) = note {
            self.say(note);
            self.number = None;
            self.numbered.clear();
            self.syntax.forget();
        }
        self.emit(Effect::Order(Job::Reload));
    }

    /// Takes the report of a job that is still wanted.
    pub(crate) fn report(&mut self, role: Role, result: Result<Report, Error>) {
        self.busy.remove(&role);
        match result {
            Ok(report) => self.take(report),
            Err(error) => {
                if role == Role::Show {
                    self.abandon();
                }
                let hint = error.hint.as_deref().filter(|_| role == Role::Seek);
                let hint = hint.map_or(String::new(), |hint| format!(" ({hint})"));
                let is_passing = matches!(error.kind, Kind::Network | Kind::Changed);
                let again = if self.facts.is_object && is_passing { "; R reads it again" } else { "" };
                self.say(format!("{}{again}{hint}", error.message));
            }
        }
    }

    fn take(&mut self, report: Report) {
        match report {
            Report::Passage(passage) => self.show(passage),
            // The loop has taken it.
            Report::Text(_) | Report::Tallied => {}
            Report::Found(place, note) => match (place, note) {
                (place, Some(note)) => {
                    self.message = Some(note).filter(|note| !note.is_empty());
                    place.into_iter().for_each(|place| self.jump(place));
                }
                (Some(place), None) => {
                    if let Some(search) = &mut self.search {
                        (search.current, search.is_new) = (Some(place), true);
                    }
                    self.jump(place);
                }
                (None, None) if self.awaits_more() => {}
                (None, None) => {
                    let back = self.search.as_ref().is_some_and(|search| search.goes_back);
                    self.say(if back { "no match above" } else { "no match below" });
                }
            },
            Report::Line { note: Some(_), .. } if self.awaits_more() => {}
            Report::Line { offset, newlines, note } => {
                self.number = Some((offset, newlines));
                self.message = note;
                self.jump(offset);
            }
            Report::Number(number) => {
                self.number = number.or(self.number);
                // Numbers may have been switched on meanwhile, and then this line is counted to.
                if number.is_some() || self.counts() {
                    self.moved();
                }
            }
            Report::Numbers(numbers) => self.numbered(numbers),
            Report::Lines(lines) => {
                self.total = Some(lines);
                // The screen may have moved while the lines were counted.
                self.moved();
            }
        }
    }

    fn show(&mut self, passage: Passage) {
        self.number = self.rebased(&passage).or(self.number);
        self.passage = passage;
        self.viewport.forget();
        let waited = self.waiting.take();
        let before = self.pending.front().copied();
        self.advance();
        // A file that changes under the viewer must not keep it reading the same again and again.
        if self.waiting == waited && before == self.pending.front().copied() && waited.is_some() {
            self.abandon();
            self.emit(Effect::Stop(Role::Show));
            self.busy.remove(&Role::Show);
        }
        if std::mem::take(&mut self.is_stale) {
            self.refresh();
        }
        self.offer_fold();
    }

    /// The known number as that of a line in `passage`, if it shares one with the old passage.
    fn rebased(&self, passage: &Passage) -> Option<(u64, u64)> {
        let first = passage.pieces.iter().find(|piece| piece.starts_line)?.start;
        let last = passage.pieces.iter().rev().find(|piece| piece.starts_line)?.start;
        let known = |offset: u64| Some((offset, self.line_at(offset)? - 1));
        known(first).or_else(|| known(last))
    }
}
