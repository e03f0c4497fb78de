//! Keys of less that do something else here, or nothing: the status line says what to type instead.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// An option that a key changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyOption {
    Chop,
    Numbers,
    NoNumbers,
    /// Searches ignore case unless the pattern has an upper-case letter.
    SmartCase,
    IgnoreCase,
    Highlight,
    Sequences,
}

/// What follows the letter of an option, or the key of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandEnd {
    /// A line, up to Enter.
    Enter,
    /// So many keys.
    Keys(usize),
}

/// Options of less with a value, which ends with Enter.
const VALUED: &str = "bhjkoOpPtTxyzD\"#";

/// The option of less with this letter.
pub fn option(letter: char) -> Result<KeyOption, String> {
    Ok(match letter {
        'S' => KeyOption::Chop,
        'N' => KeyOption::Numbers,
        'n' => KeyOption::NoNumbers,
        'i' => KeyOption::SmartCase,
        'I' => KeyOption::IgnoreCase,
        'G' | 'g' => KeyOption::Highlight,
        'R' | 'r' | 'U' | 'u' => KeyOption::Sequences,
        _ => {
            return Err(format!(
                "-{letter} is not an option here: S wraps or cuts, N numbers, i ignores case, G hides matches"
            ));
        }
    })
}

/// Whether the option of less with this letter has a value.
pub fn is_valued(letter: char) -> bool {
    VALUED.contains(letter)
}

/// The option of less with this long name.
pub fn long_option(name: &str) -> Result<KeyOption, String> {
    let letter = match name {
        "chop-long-lines" => 'S',
        "LINE-NUMBERS" => 'N',
        "line-numbers" => 'n',
        "ignore-case" => 'i',
        "IGNORE-CASE" => 'I',
        "hilite-search" | "HILITE-SEARCH" => 'G',
        "RAW-CONTROL-CHARS" | "raw-control-chars" | "UNDERLINE-SPECIAL" | "underline-special" => 'R',
        _ => {
            return Err(format!(
                "--{name} is not an option here: S wraps or cuts, N numbers, i ignores case, G hides matches"
            ));
        }
    };
    option(letter)
}

/// What to type instead of a command of less after `:` that has no equivalent.
pub fn colon(text: &str) -> Option<&'static str> {
    let name = text.split([' ', '!']).next().unwrap_or_default();
    Some(match name {
        "n" | "p" | "x" | "e" | "E" | "d" => "rread view shows one file: q, then rread view OTHER",
        "w" | "s" | "o" => "rread view writes nothing: y copies the command that prints the screen",
        "t" => "rread view has no tags: t goes to a time",
        _ => return None,
    })
}

/// What is typed after `key`, which does nothing here but has an operand in less.
pub fn operand(key: &KeyEvent) -> Option<OperandEnd> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let alt = key.modifiers.contains(KeyModifiers::ALT);
    match key.code {
        KeyCode::Char('f' | 'b') if control && alt => Some(OperandEnd::Keys(2)),
        KeyCode::Char('o') if control => Some(OperandEnd::Keys(1)),
        KeyCode::Char('!' | '|' | 's' | '+' | 'E') if is_plain(key) => Some(OperandEnd::Enter),
        _ => None,
    }
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
        KeyCode::Char('{' | '}' | '(' | ')' | '[' | ']') if is_plain(key) => {
            "/ searches for the other bracket"
        }
        KeyCode::Char('a' | 'A' | 'i' | 'I' | 'O' | 'D') if is_plain(key) => "v opens an editor",
        _ => "h lists the keys",
    };
    format!("{name} is not a key: {instead}")
}

fn is_plain(key: &KeyEvent) -> bool {
    !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
}

fn name(key: &KeyEvent) -> String {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let name = match key.code {
        // Terminals send the same bytes for these.
        KeyCode::Char(digit @ '4'..='7') if control => {
            ["\\", "]", "^", "_"][digit as usize - '4' as usize].to_owned()
        }
        KeyCode::Char(c) => c.to_string(),
        KeyCode::F(number) => format!("F{number}"),
        code => format!("{code:?}"),
    };
    let alt = if key.modifiers.contains(KeyModifiers::ALT) { "ESC-" } else { "" };
    if control { format!("{alt}^{}", name.to_uppercase()) } else { format!("{alt}{name}") }
}
