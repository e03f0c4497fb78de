//! Options that keys change, with the words for the status line.

use super::App;
use super::keyboard::OptionUse;
use super::line_numbers::LineNumbers;
use crate::habits::KeyOption;
use rread_reader::search::pattern::Case;

impl App {
    /// Changes an option, or only shows it.
    pub(super) fn change_option(&mut self, option: KeyOption, usage: OptionUse) {
        let is_set = self.has_option(option);
        let wanted = match usage {
            OptionUse::Toggle => !is_set,
            OptionUse::Show => is_set,
            OptionUse::Reset => false,
            OptionUse::Set => true,
        };
        if wanted != is_set {
            self.set_option(option, wanted);
        }
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
