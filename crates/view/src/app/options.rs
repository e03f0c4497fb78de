//! Options that keys change, with the words for the status line.

use super::App;
use super::line_numbers::LineNumbers;
use rread_reader::search::pattern::Case;

/// An option that a key changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyOption {
    Chop,
    Numbers,
    NoNumbers,
    /// Searches ignore case unless the pattern has an upper-case letter.
    SmartCase,
    IgnoreCase,
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
            'i' => KeyOption::SmartCase,
            'I' => KeyOption::IgnoreCase,
            'G' | 'g' => KeyOption::Highlight,
            'R' | 'r' | 'U' | 'u' => KeyOption::Sequences,
            _ => return None,
        })
    }
}

impl App {
    pub(super) fn change_option(&mut self, option: KeyOption) {
        self.set_option(option, !self.has_option(option));
        let words = self.words_of_option(option);
        self.say(words);
    }

    fn has_option(&self, option: KeyOption) -> bool {
        match option {
            KeyOption::Chop => !self.screen.layout().wrap,
            KeyOption::Numbers => self.numbers.is_on(),
            KeyOption::NoNumbers => !self.numbers.is_on(),
            KeyOption::SmartCase => self.search.case() == Case::Smart,
            KeyOption::IgnoreCase => self.search.case() == Case::Insensitive,
            KeyOption::Highlight => self.search.hides_matches(),
            KeyOption::Sequences => !self.screen.layout().sequences,
        }
    }

    fn set_option(&mut self, option: KeyOption, is_set: bool) {
        match option {
            KeyOption::Chop => self.change_layout(|layout| layout.wrap = !is_set),
            KeyOption::Numbers => {
                self.numbers.toggle();
                self.lay_out(self.screen.layout());
            }
            // Without numbers, it stays so: only -N shows them.
            KeyOption::NoNumbers if is_set => self.set_option(KeyOption::Numbers, false),
            KeyOption::NoNumbers => {}
            KeyOption::SmartCase => self.set_case(if is_set { Case::Smart } else { Case::Sensitive }),
            KeyOption::IgnoreCase => self.set_case(if is_set { Case::Insensitive } else { Case::Sensitive }),
            KeyOption::Highlight => self.search.hide_matches(is_set),
            KeyOption::Sequences => {
                let counted = self.search.see_screen(!is_set);
                counted.into_iter().for_each(|tally| self.tasks.order(tally, ""));
                self.change_layout(|layout| layout.sequences = !is_set);
            }
        }
    }

    fn set_case(&mut self, case: Case) {
        let counted = self.search.set_case(case);
        counted.into_iter().for_each(|tally| self.tasks.order(tally, ""));
    }

    fn words_of_option(&self, option: KeyOption) -> &'static str {
        match option {
            KeyOption::Chop if self.screen.layout().wrap => "long lines wrap",
            KeyOption::Chop => "long lines are cut: left and right scroll",
            KeyOption::Numbers | KeyOption::NoNumbers => LineNumbers::name(&self.numbers),
            KeyOption::SmartCase | KeyOption::IgnoreCase => match self.search.case() {
                Case::Smart => "searches ignore case, unless a pattern has an upper-case letter",
                Case::Insensitive => "searches ignore case, also that of the pattern",
                Case::Sensitive => "searches respect case",
            },
            KeyOption::Highlight if self.search.hides_matches() => "matches are not highlighted",
            KeyOption::Highlight => "matches are highlighted",
            KeyOption::Sequences if self.screen.layout().sequences => {
                "colours and overstrikes are shown as such"
            }
            KeyOption::Sequences => "escape sequences and overstrikes are shown as text",
        }
    }
}
