//! The line at the bottom in which a pattern, a number or a time is typed.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

rread_text::words! { sign,
    pub enum Kind {
        Find = "/",
        FindBack = "?",
        Filter = "&",
        Line = ":",
        Time = "time: ",
    }
}

impl Kind {
    /// Prompts of one group share what was typed before.
    fn group(self) -> usize {
        match self {
            Kind::Find | Kind::FindBack | Kind::Filter => 0,
            Kind::Line => 1,
            Kind::Time => 2,
        }
    }
}

/// How a pattern is searched for: the keys before its first character, as in less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)]
pub struct Modifiers {
    /// Lines without a match.
    pub invert: bool,
    /// From the first line of the file, or from the last one backwards.
    pub from_end: bool,
    /// Only marks the matches, and stays where the screen is.
    pub keep_place: bool,
    /// The pattern is a string.
    pub literal: bool,
    /// The search goes on at the other end of the file.
    pub wrap: bool,
}

impl Modifiers {
    /// Changes what `key` stands for at the start of a pattern; returns whether it stands for anything.
    fn toggle(&mut self, key: &KeyEvent, kind: Kind) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let KeyCode::Char(c) = key.code else { return false };
        let is_search = matches!(kind, Kind::Find | Kind::FindBack);
        let flag = match (c, control) {
            ('!', false) | ('n', true) if is_search || kind == Kind::Filter => &mut self.invert,
            ('r', true) if is_search || kind == Kind::Filter => &mut self.literal,
            ('@', false) | ('f', true) if is_search => &mut self.from_end,
            ('k', true) if is_search => &mut self.keep_place,
            ('w', true) if is_search => &mut self.wrap,
            // The next file: there is one.
            ('*', false) | ('e', true) if is_search => return true,
            _ => return false,
        };
        *flag = !*flag;
        true
    }

    /// `text` without the modifiers at its start, as in `+/!PATTERN`.
    pub fn split(text: &str, kind: Kind) -> (Self, &str) {
        let mut modifiers = Modifiers::default();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let (typed, held) = match u8::try_from(c) {
                Ok(byte @ 1..=26) => (char::from(byte + b'`'), KeyModifiers::CONTROL),
                _ => (c, KeyModifiers::NONE),
            };
            if !modifiers.toggle(&KeyEvent::new(KeyCode::Char(typed), held), kind) {
                break;
            }
            rest = &rest[c.len_utf8()..];
        }
        (modifiers, rest)
    }

    /// The words before the sign of the prompt.
    pub fn words(self) -> String {
        let words = [
            (self.invert, "no match "),
            (self.from_end, "whole file "),
            (self.keep_place, "stay here "),
            (self.literal, "plain text "),
            (self.wrap, "wrap "),
        ];
        words.into_iter().filter(|(is_set, _)| *is_set).map(|(_, word)| word).collect()
    }
}

/// Lines that were typed before, one list for each group.
#[derive(Clone, Debug, Default)]
pub struct History([Vec<String>; 3]);

/// Lines that are kept of each group.
const KEPT: usize = 100;

/// Characters of a line.
const LONGEST: usize = 1000;

/// A line that was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedLine {
    pub kind: Kind,
    pub text: String,
    pub modifiers: Modifiers,
    /// The number before the key that began it.
    pub count: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    line: TypedLine,
    /// The place of the next character.
    at: usize,
    /// Whether the next key is a character, whatever it does otherwise.
    is_quoting: bool,
    /// How far back in the history the text is.
    back: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PromptStep {
    Typing,
    Submitted(TypedLine),
    Cancelled,
}

impl Prompt {
    pub fn new(kind: Kind, count: Option<u64>) -> Self {
        let line = TypedLine { kind, text: String::new(), modifiers: Modifiers::default(), count };
        Prompt { line, at: 0, is_quoting: false, back: 0 }
    }

    /// The line as the screen shows it.
    pub fn line(&self) -> String {
        self.before_cursor() + &self.line.text[self.at..]
    }

    /// The part of the line before the place for the next character.
    pub fn before_cursor(&self) -> String {
        let TypedLine { kind, text, modifiers, .. } = &self.line;
        format!("{}{}{}", modifiers.words(), kind.sign(), &text[..self.at])
    }

    pub fn key(&mut self, key: &KeyEvent, history: &mut History) -> PromptStep {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let plain = !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        if std::mem::take(&mut self.is_quoting) {
            if let KeyCode::Char(c) = key.code {
                self.insert(if control { char::from(u8::try_from(c).unwrap_or(b'?') & 0x1F) } else { c });
            }
            return PromptStep::Typing;
        }
        let is_empty = self.line.text.is_empty();
        match (key.code, control) {
            (KeyCode::Esc, _) | (KeyCode::Char('c' | 'g'), true) => return PromptStep::Cancelled,
            (KeyCode::Enter, _) | (KeyCode::Char('j' | 'm'), true) => return self.submit(history),
            (KeyCode::Backspace, _) | (KeyCode::Char('h'), true) if is_empty => return PromptStep::Cancelled,
            _ if is_empty && self.line.modifiers.toggle(key, self.line.kind) => {}
            (KeyCode::Char(c), _) if plain && !c.is_control() => self.insert(c),
            _ => self.edit(key, history),
        }
        PromptStep::Typing
    }

    fn edit(&mut self, key: &KeyEvent, history: &History) {
        use KeyCode::{Backspace, Char, Delete, Down, End, Home, Left, Right, Up};
        const ALT: KeyModifiers = KeyModifiers::ALT;
        const CONTROL: KeyModifiers = KeyModifiers::CONTROL;
        let held = if key.modifiers.contains(ALT) { ALT } else { key.modifiers & CONTROL };
        let (at, end) = (self.at, self.line.text.len());
        match (key.code, held) {
            (Left, ALT | CONTROL) | (Char('b'), ALT) => self.at = self.word_before(),
            (Right, ALT | CONTROL) | (Char('w'), ALT) => self.at = self.word_after(),
            (Left, _) | (Char('h'), ALT) | (Char('b'), CONTROL) => self.at = self.before(),
            (Right, _) | (Char('l'), ALT) | (Char('f'), CONTROL) => self.at = self.after(),
            (Home, _) | (Char('0'), ALT) | (Char('a'), CONTROL) => self.at = 0,
            (End, _) | (Char('$'), ALT) | (Char('e'), CONTROL) => self.at = end,
            (Backspace, ALT | CONTROL) | (Char('w'), CONTROL) => self.remove(self.word_before(), at),
            (Delete, ALT | CONTROL) | (Char('X'), ALT) => self.remove(at, self.word_after()),
            (Backspace, _) | (Char('h'), CONTROL) => self.remove(self.before(), at),
            (Delete, _) | (Char('x'), ALT) | (Char('d'), CONTROL) => self.remove(at, self.after()),
            (Char('k'), CONTROL) => self.remove(at, end),
            (Char('u'), CONTROL) => self.remove(0, end),
            (Up, _) | (Char('k'), ALT) | (Char('p'), CONTROL) => self.recall(history, self.back + 1),
            (Down, _) | (Char('j'), ALT) | (Char('n'), CONTROL) => {
                self.recall(history, self.back.saturating_sub(1));
            }
            (Char('v'), CONTROL) => self.is_quoting = true,
            _ => {}
        }
    }

    fn remove(&mut self, from: usize, to: usize) {
        self.line.text.drain(from..to);
        self.at = from;
    }

    fn insert(&mut self, c: char) {
        if self.line.text.len() < LONGEST {
            self.line.text.insert(self.at, c);
            self.at += c.len_utf8();
        }
    }

    fn before(&self) -> usize {
        self.line.text[..self.at].char_indices().next_back().map_or(0, |(at, _)| at)
    }

    fn after(&self) -> usize {
        self.at + self.line.text[self.at..].chars().next().map_or(0, char::len_utf8)
    }

    fn word_before(&self) -> usize {
        let text = self.line.text[..self.at].trim_end_matches(' ');
        text.rfind(' ').map_or(0, |at| at + 1)
    }

    fn word_after(&self) -> usize {
        let text = &self.line.text[self.at..];
        let word = text.find(' ').unwrap_or(text.len());
        let blanks = text[word..].len() - text[word..].trim_start_matches(' ').len();
        self.at + word + blanks
    }

    fn submit(&mut self, history: &mut History) -> PromptStep {
        let line = self.line.clone();
        let lines = &mut history.0[line.kind.group()];
        if !line.text.is_empty() && lines.last() != Some(&line.text) {
            lines.push(line.text.clone());
            lines.drain(..lines.len().saturating_sub(KEPT));
        }
        PromptStep::Submitted(line)
    }

    fn recall(&mut self, history: &History, back: usize) {
        let lines = &history.0[self.line.kind.group()];
        let text = match back.checked_sub(1) {
            None => Some(String::new()),
            Some(back) => lines.iter().rev().nth(back).cloned(),
        };
        if let Some(text) = text {
            self.at = text.len();
            (self.line.text, self.back) = (text, back);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key of a byte as a terminal sends it.
    fn key(byte: u8) -> KeyEvent {
        match byte {
            b'\r' => KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE),
            0x7F => KeyEvent::new(KeyCode::Backspace, KeyModifiers::NONE),
            1..=26 => KeyEvent::new(KeyCode::Char(char::from(byte + b'`')), KeyModifiers::CONTROL),
            byte => KeyEvent::new(KeyCode::Char(char::from(byte)), KeyModifiers::NONE),
        }
    }

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
        let mut prompt = Prompt::new(Kind::Find, Some(3));
        let given = typed(&mut prompt, &mut history, &[a, b, KeyCode::Backspace, KeyCode::Enter]);
        let PromptStep::Submitted(line) = given else { panic!("{given:?}") };
        assert_eq!((line.kind, line.text.as_str(), line.count), (Kind::Find, "a", Some(3)));
        let mut prompt = Prompt::new(Kind::FindBack, None);
        typed(&mut prompt, &mut history, &[up]);
        assert_eq!(prompt.line(), "?a");
        typed(&mut prompt, &mut history, &[up, down]);
        assert_eq!(prompt.line(), "?");
        assert_eq!(typed(&mut prompt, &mut history, &[KeyCode::Backspace]), PromptStep::Cancelled);
        let mut prompt = Prompt::new(Kind::Line, None);
        typed(&mut prompt, &mut history, &[up, b]);
        assert_eq!(prompt.line(), ":b");
        assert_eq!(typed(&mut prompt, &mut history, &[KeyCode::Esc]), PromptStep::Cancelled);
    }

    #[test]
    fn keys_edit_the_text() {
        use KeyCode::{Delete, End, Home, Left, Right};
        for (keys, expected) in [
            (&[Left, Left, KeyCode::Char('x')][..], "one twox é"),
            (&[Home, KeyCode::Char('x')], "xone two é"),
            (&[Home, Right, Delete, Delete], "o two é"),
            (&[Home, End, KeyCode::Backspace, KeyCode::Backspace], "one two"),
        ] {
            let (mut history, mut prompt) = (History::default(), Prompt::new(Kind::Find, None));
            let text: Vec<KeyCode> = "one two é".chars().map(KeyCode::Char).collect();
            typed(&mut prompt, &mut history, &text);
            typed(&mut prompt, &mut history, keys);
            assert_eq!(prompt.line(), format!("/{expected}"), "{keys:?}");
        }
        for (keys, expected) in [
            (&b"\x01x"[..], "xone two"),
            (b"\x01\x06\x0b", "o"),
            (b"\x17x", "one x"),
            (b"\x15x", "x"),
            (b"\x02\x02\x04", "one to"),
            (b"\x01\x05x", "one twox"),
            (b"\x16\x0e", "one two\x0e"),
        ] {
            let (mut history, mut prompt) = (History::default(), Prompt::new(Kind::Find, None));
            for byte in b"one two".iter().chain(keys) {
                prompt.key(&key(*byte), &mut history);
            }
            assert_eq!(prompt.line(), format!("/{expected}"), "{keys:?}");
        }
    }

    #[test]
    fn modifiers_come_first() {
        for (typed, kind, words, text) in [
            (&b"!a"[..], Kind::Find, "no match ", "a"),
            (b"\x0ea", Kind::FindBack, "no match ", "a"),
            (b"a!", Kind::Find, "", "a!"),
            (b"\x12(", Kind::Find, "plain text ", "("),
            (b"\x0b\x17a\x17b", Kind::Find, "stay here wrap ", "b"),
            (b"@*\x05a", Kind::Find, "whole file ", "a"),
            (b"\x06a", Kind::Find, "whole file ", "a"),
            (b"!!a", Kind::Find, "", "a"),
            (b"\x16!a", Kind::Find, "", "!a"),
            (b"!\x12*", Kind::Filter, "no match plain text ", "*"),
            (b"@\x17a", Kind::Filter, "", "a"),
            (b"!5", Kind::Line, "", "!5"),
        ] {
            let (mut history, mut prompt) = (History::default(), Prompt::new(kind, None));
            for byte in typed {
                prompt.key(&key(*byte), &mut history);
            }
            assert_eq!(prompt.line(), format!("{words}{}{text}", kind.sign()), "{typed:?}");
        }
        let (modifiers, rest) = Modifiers::split("!@\x12a!", Kind::Find);
        assert_eq!((modifiers.words().as_str(), rest), ("no match whole file plain text ", "a!"));
        assert_eq!(Modifiers::split("", Kind::Find), (Modifiers::default(), ""));
    }
}
