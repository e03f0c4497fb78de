//! Keys of less that do something else here, or nothing: the status line says what to type instead.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::app::App;
use super::keys::{Command, command};

/// Keys that are kept until the file is open.
const MOST_EARLY: usize = 1000;

/// What an option of less that is typed after `-` does here.
pub fn option(letter: char) -> Result<Command, String> {
    match letter {
        'S' => Ok(Command::Wrap),
        'N' | 'n' => Ok(Command::Numbers),
        'i' | 'I' => Ok(Command::Case),
        'G' | 'g' => Ok(Command::Highlight),
        'R' | 'r' | 'U' | 'u' => Ok(Command::Sequences),
        _ => Err(format!(
            "-{letter} is not an option here: S wraps or cuts, N numbers, i ignores case, G hides matches"
        )),
    }
}

/// The answer to a command of less after `:` that has no equivalent.
pub fn colon(text: &str) -> Option<&'static str> {
    let name = text.split([' ', '!']).next().unwrap_or_default();
    Some(match name {
        "n" | "p" | "x" | "e" | "E" | "d" => "rread view shows one file: q, then rread view OTHER",
        "w" | "s" | "o" => "rread view writes nothing: y copies the command that prints the screen",
        _ => return None,
    })
}

/// The answer to any other key.
pub fn answer(key: &KeyEvent) -> String {
    let shown = shown(key);
    let instead = match key.code {
        KeyCode::Char('!') if is_plain(key) => "Ctrl-Z goes to the shell",
        KeyCode::Char('|' | 's' | 'S') if is_plain(key) => "y copies the command that prints the screen",
        KeyCode::Char('T' | 'E') if is_plain(key) => "rread view shows one file; t goes to a time",
        KeyCode::Char('+') if is_plain(key) => "type the command itself, such as G or /PATTERN",
        KeyCode::Char('"' | '`') if is_plain(key) => "' goes to a mark",
        KeyCode::Char('a' | 'A' | 'i' | 'I' | 'o' | 'O' | 'x' | 'D') if is_plain(key) => "v opens an editor",
        _ => "h lists the keys",
    };
    format!("{shown} is not a key: {instead}")
}

fn is_plain(key: &KeyEvent) -> bool {
    !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
}

fn shown(key: &KeyEvent) -> String {
    let name = match key.code {
        KeyCode::Char(c) => c.to_string(),
        KeyCode::F(number) => format!("F{number}"),
        code => format!("{code:?}"),
    };
    match (key.modifiers.contains(KeyModifiers::CONTROL), key.modifiers.contains(KeyModifiers::ALT)) {
        (true, _) => format!("^{}", name.to_uppercase()),
        (_, true) => format!("ESC-{name}"),
        _ => name,
    }
}

impl App {
    /// Whether `key` waits until the file is open.
    pub(super) fn is_early(&self, key: &KeyEvent) -> bool {
        let is_now =
            matches!(command(key), Some(Command::Quit | Command::Stop | Command::Suspend | Command::Redraw));
        self.facts.name.is_empty() && !is_now && self.early.len() < MOST_EARLY
    }

    /// An object does not grow: only its end is shown.
    pub(super) fn refuse_to_follow(&mut self) {
        self.follow = false;
        self.go_to_end();
        self.say("objects are not followed: R reads this one again");
    }
}
