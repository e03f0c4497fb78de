//! The keys of the viewer: those of less, and some more.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::prompt::Kind;

/// What a key asks for. A number that was typed before it goes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyCommand {
    /// Rows down, or up.
    Rows(i64),
    /// Screens down, or up, in halves.
    Halves(i64),
    /// Half screens to the right, or to the left.
    Sideways(i64),
    LeftEdge,
    Start,
    End,
    Percent,
    Ask(Kind),
    Again,
    Back,
    Follow,
    Numbers,
    Wrap,
    Sequences,
    /// JSON lines: time, level and message first.
    Fold,
    /// Syntax colors.
    Syntax,
    Copy,
    Mark,
    ToMark,
    Status,
    Edit,
    Help,
    Redraw,
    Reload,
    /// An option of less follows.
    Option,
    /// Hides the matches of the search, or shows them.
    Highlight,
    /// Searches ignore case, or not.
    Case,
    /// `ZZ` quits.
    Leave,
    Stop,
    Suspend,
    Quit,
}

/// The command of `key`; digits are not commands.
pub fn command(key: &KeyEvent) -> Option<KeyCommand> {
    use KeyCommand as C;
    let plain = !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(match key.code {
        KeyCode::Down | KeyCode::Enter => C::Rows(1),
        KeyCode::Up => C::Rows(-1),
        KeyCode::PageDown => C::Halves(2),
        KeyCode::PageUp => C::Halves(-2),
        KeyCode::Home => C::Start,
        KeyCode::End => C::End,
        KeyCode::Right => C::Sideways(1),
        KeyCode::Left => C::Sideways(-1),
        KeyCode::Char(c) if plain => of_char(c)?,
        KeyCode::Char(c) if control => match c {
            'e' | 'n' | 'j' | 'm' => C::Rows(1),
            'y' | 'p' | 'k' => C::Rows(-1),
            'f' | 'v' => C::Halves(2),
            'b' => C::Halves(-2),
            'd' => C::Halves(1),
            'u' => C::Halves(-1),
            'l' | 'r' => C::Redraw,
            'g' => C::Status,
            'c' => C::Stop,
            'z' => C::Suspend,
            _ => return None,
        },
        KeyCode::Char('v' | 'b') => C::Halves(-2),
        KeyCode::Char(' ') => C::Halves(2),
        KeyCode::Char('u' | 'U') => C::Highlight,
        KeyCode::Char('n') => C::Again,
        KeyCode::Char('N') => C::Back,
        KeyCode::Char('(') => C::Sideways(-1),
        KeyCode::Char(')') => C::Sideways(1),
        KeyCode::Char('{') => C::LeftEdge,
        KeyCode::Char('j') => C::Rows(1),
        KeyCode::Char('k') => C::Rows(-1),
        KeyCode::Char('<') => C::Start,
        KeyCode::Char('>') => C::End,
        _ => return None,
    })
}

fn of_char(c: char) -> Option<KeyCommand> {
    use KeyCommand as C;
    Some(match c {
        'j' | 'e' | 'J' => C::Rows(1),
        'k' | 'K' => C::Rows(-1),
        'f' | ' ' | 'z' => C::Halves(2),
        'b' => C::Halves(-2),
        'd' => C::Halves(1),
        'u' => C::Halves(-1),
        'g' | '<' => C::Start,
        'G' | '>' => C::End,
        '%' | 'p' => C::Percent,
        '/' => C::Ask(Kind::Find),
        '?' => C::Ask(Kind::FindBack),
        '&' => C::Ask(Kind::Filter),
        ':' => C::Ask(Kind::Line),
        't' => C::Ask(Kind::Time),
        'n' => C::Again,
        'N' => C::Back,
        'F' => C::Follow,
        '#' => C::Numbers,
        'w' => C::Wrap,
        'U' => C::Sequences,
        'o' => C::Fold,
        'C' => C::Syntax,
        'y' => C::Copy,
        'm' => C::Mark,
        '\'' => C::ToMark,
        '=' => C::Status,
        'v' => C::Edit,
        'h' | 'H' => C::Help,
        'r' => C::Redraw,
        'R' => C::Reload,
        '-' | '_' => C::Option,
        'Z' => C::Leave,
        '^' => C::LeftEdge,
        'q' | 'Q' => C::Quit,
        _ => return None,
    })
}
