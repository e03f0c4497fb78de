//! The line at the bottom in which a pattern, a number or a time is typed.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Find,
    FindBack,
    Filter,
    Line,
    Time,
}

impl Kind {
    pub fn sign(self) -> &'static str {
        match self {
            Kind::Find => "/",
            Kind::FindBack => "?",
            Kind::Filter => "&",
            Kind::Line => ":",
            Kind::Time => "time: ",
        }
    }

    /// Prompts of one group share what was typed before.
    fn group(self) -> usize {
        match self {
            Kind::Find | Kind::FindBack | Kind::Filter => 0,
            Kind::Line => 1,
            Kind::Time => 2,
        }
    }
}

/// Lines that were typed before, one list for each group.
#[derive(Clone, Debug, Default)]
pub struct History([Vec<String>; 3]);

/// Lines that are kept of each group.
const KEPT: usize = 100;

/// Characters of a line.
const LONGEST: usize = 1000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    pub kind: Kind,
    pub text: String,
    /// How far back in the history the text is.
    back: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PromptStep {
    Typing,
    Submitted(Kind, String),
    Cancelled,
}

impl Prompt {
    pub fn new(kind: Kind) -> Self {
        Prompt { kind, text: String::new(), back: 0 }
    }

    /// The line as the screen shows it.
    pub fn line(&self) -> String {
        format!("{}{}", self.kind.sign(), self.text)
    }

    pub fn key(&mut self, key: &KeyEvent, history: &mut History) -> PromptStep {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Esc => return PromptStep::Cancelled,
            KeyCode::Char('c' | 'g') if control => return PromptStep::Cancelled,
            KeyCode::Enter => return self.submit(history),
            KeyCode::Char('j' | 'm') if control => return self.submit(history),
            KeyCode::Backspace if self.text.pop().is_none() => return PromptStep::Cancelled,
            KeyCode::Char('h') if control && self.text.pop().is_none() => return PromptStep::Cancelled,
            KeyCode::Char('u') if control => self.text.clear(),
            KeyCode::Char('w') if control => {
                let kept = self.text.trim_end().rfind(' ').map_or(0, |at| at + 1);
                self.text.truncate(kept);
            }
            KeyCode::Up => self.recall(history, self.back + 1),
            KeyCode::Down => self.recall(history, self.back.saturating_sub(1)),
            KeyCode::Char(c) if !control && !c.is_control() && self.text.len() < LONGEST => self.text.push(c),
            _ => {}
        }
        PromptStep::Typing
    }

    fn submit(&mut self, history: &mut History) -> PromptStep {
        let text = std::mem::take(&mut self.text);
        let lines = &mut history.0[self.kind.group()];
        if !text.is_empty() && lines.last() != Some(&text) {
            lines.push(text.clone());
            lines.drain(..lines.len().saturating_sub(KEPT));
        }
        PromptStep::Submitted(self.kind, text)
    }

    fn recall(&mut self, history: &History, back: usize) {
        let lines = &history.0[self.kind.group()];
        let text = match back.checked_sub(1) {
            None => Some(String::new()),
            Some(back) => lines.iter().rev().nth(back).cloned(),
        };
        if let Some(text) = text {
            (self.text, self.back) = (text, back);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(prompt: &mut Prompt, history: &mut History, keys: &[KeyCode]) -> PromptStep {
        let mut last = PromptStep::Typing;
        for code in keys {
            last = prompt.key(&KeyEvent::new(*code, KeyModifiers::NONE), history);
        }
        last
    }

    #[test]
    fn a_line_is_typed_and_recalled() {
        let mut history = History::default();
        let (a, b, up, down) = (KeyCode::Char('a'), KeyCode::Char('b'), KeyCode::Up, KeyCode::Down);
        let mut prompt = Prompt::new(Kind::Find);
        let given = typed(&mut prompt, &mut history, &[a, b, KeyCode::Backspace, KeyCode::Enter]);
        assert_eq!(given, PromptStep::Submitted(Kind::Find, "a".to_owned()));
        let mut prompt = Prompt::new(Kind::FindBack);
        typed(&mut prompt, &mut history, &[up]);
        assert_eq!(prompt.line(), "?a");
        typed(&mut prompt, &mut history, &[up, down]);
        assert_eq!(prompt.line(), "?");
        assert_eq!(typed(&mut prompt, &mut history, &[KeyCode::Backspace]), PromptStep::Cancelled);
        let mut prompt = Prompt::new(Kind::Line);
        typed(&mut prompt, &mut history, &[up, b]);
        assert_eq!(prompt.line(), ":b");
        assert_eq!(typed(&mut prompt, &mut history, &[KeyCode::Esc]), PromptStep::Cancelled);
    }
}
