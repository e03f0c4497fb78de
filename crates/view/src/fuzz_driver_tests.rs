//! The viewer without a terminal and without threads: random keys, sizes and changes of the file, for tests and fuzzing.

use std::sync::{Arc, Mutex, PoisonError};

use crossterm::event::{Event as Input, KeyCode, KeyEvent, KeyModifiers};

use super::app::frame::JobProgress;
use super::app::{App, Effect, FileFacts, Settings};
use super::glyph::{GlyphKind, Glyphs};
use super::style::Style;
use super::syntax::{ColorRequest, Colored, LineStyles, Outcome, SyntaxLine};
use super::viewed_file::{Opener, ViewRequest, ViewedFile};
use super::worker::{self, Report};
use rread_answer::wording;
use rread_reader::reader::{Reader, Tuning};
use rread_source::{Change, MemorySource};
use rread_text::error::Result;

/// Effects after one key: more would mean that the viewer asks for the same again and again.
const MOST_EFFECTS: usize = 20_000;

/// Keys that a script types, beside the characters of ASCII.
const KEYS: [KeyCode; 10] = [
    KeyCode::Enter,
    KeyCode::Esc,
    KeyCode::Backspace,
    KeyCode::Up,
    KeyCode::Down,
    KeyCode::Left,
    KeyCode::Right,
    KeyCode::PageUp,
    KeyCode::PageDown,
    KeyCode::End,
];

/// Shows `content` and types `script`: a byte is a character, a control character or one of the other keys; the highest
/// ones change the size of the terminal (with the two bytes after them) or the file.
///
/// # Errors
/// If a frame is not one that a terminal can show, or the viewer does not come to rest.
pub fn rehearse(content: &[u8], script: &[u8]) -> std::result::Result<(), String> {
    let content = Arc::new(Mutex::new(content.to_vec()));
    let inside = Arc::clone(&content);
    let now = move || inside.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let opener: Arc<Opener> =
        Arc::new(move || Reader::new(Box::new(MemorySource::new(now())), Tuning::default()));
    let mut stage = Stage::new(opener).map_err(|error| wording::line(&error))?;
    stage.settle("the start")?;
    let mut rest = script;
    while let [first, after @ ..] = rest {
        rest = after;
        let what = format!("byte {first:#04x}");
        let key = match *first {
            byte @ 1..=26 => KeyEvent::new(KeyCode::Char(char::from(byte + b'`')), KeyModifiers::CONTROL),
            byte @ b' '..=b'~' => KeyEvent::new(KeyCode::Char(char::from(byte)), KeyModifiers::NONE),
            byte @ 0x80..0xF0 => KeyEvent::new(KEYS[usize::from(byte) % KEYS.len()], KeyModifiers::NONE),
            0xF0..0xFC => {
                let size = |at: usize| u16::from(rest.get(at).copied().unwrap_or(80) % 100);
                let (columns, lines) = (size(0), size(1) % 30);
                rest = rest.get(2..).unwrap_or_default();
                stage.input(&Input::Resize(columns, lines), &what)?;
                continue;
            }
            byte => {
                let mut content = content.lock().unwrap_or_else(PoisonError::into_inner);
                let len = content.len();
                let change = match byte {
                    0xFC => {
                        content.truncate(len / 2);
                        Change::Truncated
                    }
                    0xFD => {
                        content.clear();
                        Change::Rewritten
                    }
                    _ => {
                        let copy = content[len / 2..].to_vec();
                        content.extend(copy.into_iter().take(100_000));
                        content.extend_from_slice(b"more\n");
                        Change::Appended
                    }
                };
                drop(content);
                stage.app.changed(change);
                stage.settle(&what)?;
                continue;
            }
        };
        stage.input(&Input::Key(key), &what)?;
    }
    Ok(())
}

struct Stage {
    app: App,
    text: Arc<ViewedFile>,
    opener: Arc<Opener>,
    size: (usize, usize),
}

impl Stage {
    fn new(opener: Arc<Opener>) -> Result<Self> {
        let text = ViewedFile::open(ViewRequest { path: "-".into(), ..ViewRequest::default() }, &*opener)?;
        let size = (40, 8);
        let app = App::new(Settings { colors: true, ..Settings::default() }, size);
        let mut stage = Stage { app, text, opener, size };
        stage.opened();
        Ok(stage)
    }

    fn opened(&mut self) {
        let (name, size) = ("a".to_owned(), self.text.size());
        self.app.opened(FileFacts {
            quoted: name.clone(),
            name,
            size,
            is_plain: true,
            ..FileFacts::default()
        });
    }

    fn input(&mut self, input: &Input, what: &str) -> std::result::Result<(), String> {
        if let Input::Resize(columns, lines) = input {
            self.size = (usize::from(*columns).max(1), usize::from(*lines).max(1));
        }
        self.app.input(input);
        self.settle(what)
    }

    /// Does at once what the state asks for, then looks at the frame.
    fn settle(&mut self, what: &str) -> std::result::Result<(), String> {
        let mut count = 0;
        loop {
            let effects = self.app.take_effects();
            if effects.is_empty() {
                break;
            }
            count += effects.len();
            if count > MOST_EFFECTS {
                return Err(format!("after {what}, it does not come to rest"));
            }
            for effect in effects {
                let Effect::Order(job) = effect else { continue };
                let (role, result) = (job.role(), worker::at_once(&self.text, &self.opener, job));
                if let Ok(Report::Text(text)) = &result {
                    self.text = Arc::clone(text);
                    self.opened();
                }
                self.app.set_size(self.text.size());
                self.app.report(role, result);
            }
        }
        self.check(what)?;
        if let Some(wanted) = self.app.request_colors() {
            self.app.colored(stripe(&wanted));
            self.check(what)?;
        }
        Ok(())
    }

    fn check(&mut self, what: &str) -> std::result::Result<(), String> {
        let (columns, lines) = self.size;
        let frame = self.app.frame(JobProgress::default());
        if frame.rows.len() != lines {
            return Err(format!("after {what}, {} rows of {lines}", frame.rows.len()));
        }
        for row in &frame.rows {
            let mut column = 0;
            for glyph in Glyphs::new(row.as_bytes(), true) {
                if !matches!(glyph.kind, GlyphKind::Char(..) | GlyphKind::Style(_)) {
                    return Err(format!("after {what}, the terminal gets {row:?}"));
                }
                column += glyph.kind.width(column);
            }
            if column > columns {
                return Err(format!("after {what}, {column} columns of {columns}: {row:?}"));
            }
        }
        match frame.cursor {
            Some((column, row)) if column >= columns || row >= lines => {
                Err(format!("after {what}, the cursor is outside"))
            }
            _ => Ok(()),
        }
    }
}

/// Colors half of each line red.
fn stripe(wanted: &ColorRequest) -> Colored {
    let of = |line: &SyntaxLine| {
        let length = line.text.len();
        let styles = [(length / 2, Style::colored(1)), (length + 1, Style::default())];
        (line.start, line.end, LineStyles::from(styles))
    };
    let lines = wanted.lines[wanted.from.min(wanted.lines.len())..].iter().map(of).collect();
    Colored { version: wanted.version, outcome: Ok(Outcome::Lines { lines, keeps_levels: true }) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn contents() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            6 => Just(b"line of text\n".to_vec()),
            2 => Just(b"\n".to_vec()),
            2 => Just("日本 e\u{301}\t\x1b[31mred\x1b[m \x1b]0;x\x07\n".as_bytes().to_vec()),
            1 => Just(b"\xff\x00\x9b\r\n".to_vec()),
            1 => Just(b"ERROR needle ".to_vec()),
            3 => Just(b"{\"ts\":1,\"level\":\"error\",\"msg\":\"a \\u001b[31mneedle\\n\",\"k\":\"x y\"}\n".to_vec()),
            1 => (0usize..40_000).prop_map(|len| vec![b'x'; len]),
            1 => (0usize..9_000).prop_map(|len| "x日needle\t\u{1b}[32m".repeat(len).into_bytes()),
        ];
        prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
    }

    fn scripts() -> impl Strategy<Value = Vec<u8>> {
        let keys =
            || prop::sample::select(b"jkfbduGgnN#wFRooCU=y^ h'ma50%".to_vec()).prop_map(|key| vec![key]);
        let piece = prop_oneof![
            10 => keys(),
            1 => prop::sample::select(vec!["/needle\r", "?x\r", "&e\r", "&\r", ":9\r", ":50%\r", "t06:00\r", "/[\r", "-S", "-S9/needle\r"])
                .prop_map(|typed| typed.as_bytes().to_vec()),
            2 => any::<u8>().prop_map(|byte| vec![byte]),
            1 => (0xF0u8..0xFC, any::<u8>(), any::<u8>()).prop_map(|(a, b, c)| vec![a, b, c]),
            1 => (0xFCu8..=0xFF).prop_map(|byte| vec![byte]),
        ];
        prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_keys_leave_a_screen_that_a_terminal_can_show(content in contents(), script in scripts()) {
            if let Err(wrong) = rehearse(&content, &script) {
                prop_assert!(false, "{}", wrong);
            }
        }
    }
}
