//! Keys become actions: commands with their numbers, lines that were typed, letters of marks and options.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::habits::{self, OperandEnd};
use crate::help;
use crate::keys::{KeyCommand, command};
use crate::options::parse_percent;
use crate::prompt::{History, Prompt, PromptStep, TypedLine};

/// Digits of a number before a command.
const MOST_DIGITS: usize = 18;

/// Keys that are kept until the file is open.
const MOST_EARLY: usize = 1000;

/// Characters of an operand that are shown.
const LONGEST_OPERAND: usize = 200;

/// What the next key means.
#[derive(Clone, Debug, Default)]
pub(super) enum Mode {
    #[default]
    Commands,
    Prompt(Prompt),
    /// The letter of an option of less follows.
    Option(OptionUse),
    /// What belongs to a command or an option that rread does not have follows.
    Operand(Operand),
    /// A second `Z` follows.
    Leave,
    /// The letter of a mark to set follows.
    Mark,
    /// The letter of a mark to go to follows.
    ToMark,
    /// The letter of a mark to remove follows.
    Unmark,
    /// `^X^X` is the key of a mark.
    Extended,
    /// The screen shows the help, from this row on.
    Help(usize),
}

/// What the keys before the letter of an option say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum OptionUse {
    /// `-`: changes it.
    #[default]
    Toggle,
    /// `_`: shows it.
    Show,
    /// `-+`: as it is without options.
    Reset,
    /// `-!`: the opposite of that.
    Set,
}

/// An operand as far as it was typed.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    /// Why it leads to nothing, or the beginning of the long name of an option.
    pub(super) words: String,
    pub(super) text: String,
    end: OperandEnd,
    /// The use of the option whose long name is typed.
    option: Option<OptionUse>,
}

impl Operand {
    fn new(words: String, end: OperandEnd) -> Self {
        Operand { words, text: String::new(), end, option: None }
    }

    fn of_option(option: OptionUse, sign: &str) -> Self {
        let words = format!("{sign}NAME of an option; Enter ends it");
        Operand { option: Some(option), ..Operand::new(words, OperandEnd::Enter) }
    }

    /// Takes a key; returns whether it was the last.
    fn press(&mut self, key: &KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match (key.code, &mut self.end) {
            (KeyCode::Esc | KeyCode::Enter, _) => return true,
            (KeyCode::Char('c' | 'g' | 'j' | 'm'), _) if control => return true,
            (_, OperandEnd::Keys(left)) => {
                *left -= 1;
                return *left == 0;
            }
            (KeyCode::Backspace, _) => return self.text.pop().is_none(),
            (KeyCode::Char(c), _) if !control && self.text.len() < LONGEST_OPERAND => self.text.push(c),
            _ => {}
        }
        false
    }
}

/// The number before a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    /// Without its decimals.
    pub(super) whole: u64,
    /// As a percentage, in millionths.
    pub(super) percent: u64,
}

pub(super) enum KeyAction {
    Run(KeyCommand, Option<Number>),
    /// A line was typed at a prompt.
    Submit(TypedLine),
    SetMark(char),
    GoToMark(char),
    RemoveMark(char),
    SetOption(char, OptionUse),
    SetLongOption(String, OptionUse),
    Stop,
    /// The key has no meaning here; these words say what to type.
    Explain(String),
}

#[derive(Default)]
pub(super) struct Keyboard {
    mode: Mode,
    /// The number before a command, as far as it was typed.
    digits: String,
    history: History,
    /// Keys that were typed before the file was open.
    early: Vec<KeyEvent>,
}

impl Keyboard {
    pub(super) fn mode(&self) -> &Mode {
        &self.mode
    }

    pub(super) fn enter(&mut self, mode: Mode) {
        self.mode = mode;
    }

    pub(super) fn digits(&self) -> &str {
        &self.digits
    }

    pub(super) fn clear_digits(&mut self) {
        self.digits.clear();
    }

    /// Keeps a key that needs the file, which is not open yet; returns whether it was kept.
    pub(super) fn keep(&mut self, key: &KeyEvent) -> bool {
        let is_now = matches!(
            command(key),
            Some(KeyCommand::Quit | KeyCommand::Stop | KeyCommand::Suspend | KeyCommand::Redraw)
        );
        let is_kept = !is_now && self.early.len() < MOST_EARLY;
        if is_kept {
            self.early.push(*key);
        }
        is_kept
    }

    pub(super) fn take_kept(&mut self) -> Vec<KeyEvent> {
        std::mem::take(&mut self.early)
    }

    /// Takes a key, on a screen with so many rows for text.
    pub(super) fn press(&mut self, key: &KeyEvent, rows: usize) -> Option<KeyAction> {
        match std::mem::take(&mut self.mode) {
            Mode::Commands => self.press_command(key),
            Mode::Prompt(mut prompt) => match prompt.key(key, &mut self.history) {
                PromptStep::Typing => {
                    self.mode = Mode::Prompt(prompt);
                    None
                }
                PromptStep::Submitted(line) => Some(KeyAction::Submit(line)),
                PromptStep::Cancelled => None,
            },
            Mode::Mark => letter(key).map(KeyAction::SetMark),
            Mode::ToMark => letter(key).map(KeyAction::GoToMark),
            Mode::Unmark => letter(key).map(KeyAction::RemoveMark),
            Mode::Option(usage) => self.press_option(key, usage),
            Mode::Operand(operand) => self.press_operand(key, operand),
            Mode::Extended => self.press_extended(key),
            Mode::Leave if key.code == KeyCode::Char('Z') => Some(KeyAction::Run(KeyCommand::Quit, None)),
            Mode::Leave => self.press_command(key),
            Mode::Help(row) => self.scroll_help(key, row, rows),
        }
    }

    fn press_command(&mut self, key: &KeyEvent) -> Option<KeyAction> {
        if let KeyCode::Char(digit @ ('0'..='9' | '.')) = key.code
            && key.modifiers.is_empty()
            && (digit != '.' || !self.digits.contains('.'))
        {
            if self.digits.len() < MOST_DIGITS {
                self.digits.push(digit);
            }
            return None;
        }
        let digits = std::mem::take(&mut self.digits);
        // `.5` is a number.
        let whole = digits.split('.').next().filter(|_| digits.contains(|c: char| c.is_ascii_digit()));
        let whole =
            whole.and_then(|whole| if whole.is_empty() { Some(0) } else { whole.parse::<u64>().ok() });
        let count = whole.map(|whole| Number { whole, percent: parse_percent(&digits).unwrap_or(u64::MAX) });
        let Some(command) = command(key) else {
            if key.code == KeyCode::Esc {
                return Some(KeyAction::Stop);
            }
            let words = habits::explain(key);
            if let Some(end) = habits::operand(key) {
                self.mode = Mode::Operand(Operand::new(words, end));
                return None;
            }
            return Some(KeyAction::Explain(words));
        };
        Some(KeyAction::Run(command, count))
    }

    fn press_option(&mut self, key: &KeyEvent, usage: OptionUse) -> Option<KeyAction> {
        let letter = letter(key)?;
        match (letter, usage) {
            ('+', OptionUse::Toggle) => self.mode = Mode::Option(OptionUse::Reset),
            ('!', OptionUse::Toggle) => self.mode = Mode::Option(OptionUse::Set),
            ('-', OptionUse::Toggle | OptionUse::Reset | OptionUse::Set) => {
                self.mode = Mode::Operand(Operand::of_option(usage, "--"));
            }
            ('_', OptionUse::Show) => self.mode = Mode::Operand(Operand::of_option(usage, "__")),
            _ if habits::is_valued(letter) && usage == OptionUse::Toggle => {
                let words = habits::option(letter).err().unwrap_or_default();
                self.mode = Mode::Operand(Operand::new(words, OperandEnd::Enter));
            }
            _ => return Some(KeyAction::SetOption(letter, usage)),
        }
        None
    }

    fn press_operand(&mut self, key: &KeyEvent, mut operand: Operand) -> Option<KeyAction> {
        if !operand.press(key) {
            self.mode = Mode::Operand(operand);
            return None;
        }
        let usage = operand.option.filter(|_| key.code == KeyCode::Enter)?;
        let name = operand.text.split([' ', '=']).next().unwrap_or_default().to_owned();
        (!name.is_empty()).then_some(KeyAction::SetLongOption(name, usage))
    }

    fn press_extended(&mut self, key: &KeyEvent) -> Option<KeyAction> {
        match key.code {
            KeyCode::Char('x') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                self.mode = Mode::ToMark;
                None
            }
            KeyCode::Char('v') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                let words = "^X^V is not a key: rread view shows one file".to_owned();
                self.mode = Mode::Operand(Operand::new(words, OperandEnd::Enter));
                None
            }
            _ => Some(KeyAction::Explain("^X is not a key by itself: ^X^X goes to a mark".to_owned())),
        }
    }

    /// A key that does not scroll the help leaves it.
    fn scroll_help(&mut self, key: &KeyEvent, row: usize, rows: usize) -> Option<KeyAction> {
        let row = match command(key) {
            Some(KeyCommand::Rows(by)) if by > 0 => row + 1,
            Some(KeyCommand::Rows(_)) => row.saturating_sub(1),
            Some(KeyCommand::Screen(by) | KeyCommand::Half(by)) if by > 0 => row + rows,
            Some(KeyCommand::Screen(_) | KeyCommand::Half(_)) => row.saturating_sub(rows),
            Some(KeyCommand::Suspend) => return Some(KeyAction::Run(KeyCommand::Suspend, None)),
            _ => return None,
        };
        let last = help::LINES.len().saturating_sub(rows);
        self.mode = Mode::Help(row.min(last));
        None
    }
}

fn letter(key: &KeyEvent) -> Option<char> {
    match key.code {
        KeyCode::Char(letter) if !key.modifiers.contains(KeyModifiers::CONTROL) => Some(letter),
        _ => None,
    }
}
