//! Keys become actions: commands with their numbers, lines that were typed, letters of marks and options.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::keys::{HELP, KeyCommand, command, explain};
use crate::options::parse_percent;
use crate::prompt::{History, Prompt, PromptStep, TypedLine};

/// Digits of a number before a command.
const MOST_DIGITS: usize = 18;

/// Keys that are kept until the file is open.
const MOST_EARLY: usize = 1000;

/// The meaning of the next key.
#[derive(Clone, Debug, Default)]
pub(super) enum Mode {
    #[default]
    Commands,
    Prompt(Prompt),
    /// The letter of an option of less follows.
    Option,
    /// A second `Z` follows.
    Leave,
    /// The letter of a mark to set follows.
    Mark,
    /// The letter of a mark to go to follows.
    ToMark,
    /// The letter of a mark to remove follows.
    Unmark,
    /// The screen shows the help, from this row on.
    Help(usize),
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
    SetOption(char),
    Stop,
    /// The key has no meaning here; these words say what to type.
    Explain(String),
}

#[derive(Default)]
pub(super) struct Keyboard {
    pub(super) mode: Mode,
    /// The number before a command, as far as it was typed.
    pub(super) digits: String,
    history: History,
    /// Keys that were typed before the file was open.
    pub(super) early: Vec<KeyEvent>,
}

impl Keyboard {
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
            Mode::Option => letter(key).map(KeyAction::SetOption),
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
        Some(match command(key) {
            Some(command) => KeyAction::Run(command, count),
            None if key.code == KeyCode::Esc => KeyAction::Stop,
            None => KeyAction::Explain(explain(key)),
        })
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
        let last = HELP.len().saturating_sub(rows);
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
