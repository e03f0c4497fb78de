//! What is shown beside the text and how searches match, as keys change it.

use crossterm::event::KeyCode;

use super::app::{App, GUTTER};
use super::gutter::Margin;
use super::habits;
pub use rread_reader::search::pattern::Case;

impl App {
    /// The letter after `-`.
    pub(super) fn option(&mut self, code: KeyCode) {
        match code {
            KeyCode::Char('N' | 'n') => self.set_margin((!self.settings.numbers).then(Margin::default)),
            KeyCode::Char(letter) => match habits::option(letter) {
                Ok(command) => self.run(command, None),
                Err(answer) => self.say(answer),
            },
            _ => {}
        }
    }

    pub(super) fn switch_matches(&mut self) {
        self.hides_matches = !self.hides_matches;
        self.say(if self.hides_matches { "matches are not highlighted" } else { "matches are highlighted" });
    }

    pub(super) fn switch_case(&mut self) {
        let ignores = self.settings.case == Case::Sensitive;
        self.settings.case = if ignores { Case::Smart } else { Case::Sensitive };
        let ignored = "searches ignore case, unless a pattern has an upper-case letter";
        self.say(if ignores { ignored } else { "searches respect case" });
    }

    /// Whether numbers of lines are shown.
    pub(super) fn counts(&self) -> bool {
        self.settings.numbers && self.margin.counts()
    }

    /// The key `#`.
    pub(super) fn next_margin(&mut self) {
        let next = if self.settings.numbers { self.margin.next() } else { Some(Margin::default()) };
        self.set_margin(next);
    }

    /// Shows `margin` before the lines, or nothing.
    pub(super) fn set_margin(&mut self, margin: Option<Margin>) {
        self.settings.numbers = margin.is_some();
        self.margin = margin.unwrap_or_default();
        self.narrow();
        self.say(margin.map_or("no line numbers", Margin::name));
    }

    /// Makes the margin as narrow as at the start.
    fn narrow(&mut self) {
        self.gutter = GUTTER;
        self.lay_out(self.layout());
    }
}
