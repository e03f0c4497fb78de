//! Keys of less that do something else here, or nothing: the status line says what to type instead.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::keys::KeyCommand;

/// What an option of less that is typed after `-` does here.
pub fn option(letter: char) -> Result<KeyCommand, String> {
    match letter {
        'S' => Ok(KeyCommand::Wrap),
        'N' | 'n' => Ok(KeyCommand::Numbers),
        'i' | 'I' => Ok(KeyCommand::Case),
        'G' | 'g' => Ok(KeyCommand::Highlight),
        'R' | 'r' | 'U' | 'u' => Ok(KeyCommand::Sequences),
        _ => Err(format!(
            "-{letter} is not an option here: S wraps or cuts, N numbers, i ignores case, G hides matches"
        )),
    }
}

/// What to type instead of a command of less after `:` that has no equivalent.
pub fn colon(text: &str) -> Option<&'static str> {
    let name = text.split([' ', '!']).next().unwrap_or_default();
    Some(match name {
        "n" | "p" | "x" | "e" | "E" | "d" => "rread view shows one file: q, then rread view OTHER",
        "w" | "s" | "o" => "rread view writes nothing: y copies the command that prints the screen",
        _ => return None,
    })
}

/// What to type instead of `key`, which does nothing here.
pub fn explain(key: &KeyEvent) -> String {
    let name = name(key);
    let instead = match key.code {
        KeyCode::Char('!') if is_plain(key) => "Ctrl-Z goes to the shell",
        KeyCode::Char('|' | 's' | 'S') if is_plain(key) => "y copies the command that prints the screen",
        KeyCode::Char('T' | 'E') if is_plain(key) => "rread view shows one file; t goes to a time",
        KeyCode::Char('+') if is_plain(key) => "type the command itself, such as G or /PATTERN",
        KeyCode::Char('"' | '`') if is_plain(key) => "' goes to a mark",
        KeyCode::Char('a' | 'A' | 'i' | 'I' | 'o' | 'O' | 'x' | 'D') if is_plain(key) => "v opens an editor",
        _ => "h lists the keys",
    };
    format!("{name} is not a key: {instead}")
}

fn is_plain(key: &KeyEvent) -> bool {
    !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
}

fn name(key: &KeyEvent) -> String {
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
