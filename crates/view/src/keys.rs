//! The keys of the viewer: those of less, and some more.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::prompt::Kind;

/// An action that a key asks for. A number that was typed before it goes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyCommand {
    /// Rows down, or up.
    Rows(i64),
    /// A screen down, or up; a number is rows instead.
    Screen(i64),
    /// As that, and the number is the length of a screen from now on.
    Window,
    /// Half a screen down, or up; a number is the rows from now on.
    Half(i64),
    /// Half a screen to the right, or to the left; a number is the columns from now on.
    Sideways(i64),
    LeftEdge,
    RightEdge,
    Start,
    End,
    Percent,
    /// To the line with a byte.
    Byte,
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
    Unmark,
    Status,
    Edit,
    Help,
    Redraw,
    Reload,
    /// The letter of an option of less follows.
    Option,
    /// Hides the matches of the search, or shows them.
    Highlight,
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
        KeyCode::PageDown => C::Screen(1),
        KeyCode::PageUp => C::Screen(-1),
        KeyCode::Home => C::Start,
        KeyCode::End => C::End,
        KeyCode::Right if control => C::RightEdge,
        KeyCode::Left if control => C::LeftEdge,
        KeyCode::Right => C::Sideways(1),
        KeyCode::Left => C::Sideways(-1),
        KeyCode::Char(c) if plain => of_char(c)?,
        // A bracket of two characters follows.
        KeyCode::Char('f' | 'b') if control && key.modifiers.contains(KeyModifiers::ALT) => return None,
        KeyCode::Char(c) if control => match c {
            'e' | 'n' | 'j' | 'm' => C::Rows(1),
            'y' | 'p' | 'k' => C::Rows(-1),
            'f' | 'v' => C::Screen(1),
            'b' => C::Screen(-1),
            'd' => C::Half(1),
            'u' => C::Half(-1),
            'l' | 'r' => C::Redraw,
            'g' => C::Status,
            'c' => C::Stop,
            'z' => C::Suspend,
            _ => return None,
        },
        KeyCode::Char('v') => C::Screen(-1),
        KeyCode::Char('m') => C::Unmark,
        KeyCode::Char('u' | 'U') => C::Highlight,
        KeyCode::Char('(') => C::Sideways(-1),
        KeyCode::Char(')') => C::Sideways(1),
        KeyCode::Char('{') => C::LeftEdge,
        KeyCode::Char('}') => C::RightEdge,
        // These do with Escape before them what they do without it.
        KeyCode::Char(c @ ('b' | ' ' | 'n' | 'N' | 'j' | 'k' | '<' | '>' | 'G')) => of_char(c)?,
        _ => return None,
    })
}

fn of_char(c: char) -> Option<KeyCommand> {
    use KeyCommand as C;
    Some(match c {
        'j' | 'e' | 'J' => C::Rows(1),
        'k' | 'K' => C::Rows(-1),
        'f' | ' ' => C::Screen(1),
        'b' => C::Screen(-1),
        'z' => C::Window,
        'd' => C::Half(1),
        'u' => C::Half(-1),
        'g' | '<' => C::Start,
        'G' | '>' => C::End,
        '%' | 'p' => C::Percent,
        'P' => C::Byte,
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
        'm' | 'M' => C::Mark,
        '\'' => C::ToMark,
        '=' => C::Status,
        'v' => C::Edit,
        'h' | 'H' => C::Help,
        'r' => C::Redraw,
        'R' => C::Reload,
        '-' => C::Option,
        'Z' => C::Leave,
        '^' => C::LeftEdge,
        'q' | 'Q' => C::Quit,
        _ => return None,
    })
}

/// The text of the status line for a key that does nothing.
pub fn explain(key: &KeyEvent) -> String {
    format!("{} is not a key: h lists the keys", name(key))
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

/// The help screen.
pub(crate) const HELP: &[&str] = &[
    "Keys of rread view. N is a number typed before a key; ^X is Ctrl-X. q leaves the help.",
    "",
    "  j  Enter  Down   N lines down              k  Up            N lines up",
    "  f  Space  PgDn   a screen down             b  PgUp          a screen up",
    "  d  ^D            half a screen down        u  ^U            half a screen up",
    "  z                as f; N lines are a screen from now on",
    "  g  Home          to the start              G  End           to the end",
    "  Ng  NG  :N       to line N                 N%  :N%          to N percent, such as 12.5%",
    "  Left  Right      scroll long lines         ^  ^Left  ^Right to their start, to their end",
    "  NP               to byte N",
    "",
    "  /PATTERN         search forwards           ?PATTERN         search backwards",
    "  n                the N-th match from here  N                backwards",
    "  At the start of a pattern: ! lines without it, @ from the start of the file, ^K stay here,",
    "  ^R plain text, ^W go on at the other end.",
    "  &PATTERN         show only lines that match, of those that are shown; &! that do not; & all",
    "  t                to a time: 06:01, 2026-11-23T06:01, -15m",
    "",
    "  F                follow: show what is appended, as it comes",
    "  R                read the file again       ^C  Esc          stop what is running",
    "  mX  'X  ESC-mX   set mark X, go, remove    ''               back from a jump",
    "",
    "  #                line numbers (~ is an estimate), byte offsets, hashes, none: one after another;",
    "                   of merged logs, their files first",
    "  w  -S            wrap or cut long lines    U  -R            show escape sequences, overstrikes",
    "  -i  -I           ignore case, or not       ESC-u            highlight matches, or not",
    "  o                JSON lines as time, level, message, key=value, or as they are",
    "  C                syntax colours on or off (if they are built in)",
    "  =                where this is             y                copy the command that prints it",
    "  v                edit with $VISUAL or $EDITOR",
    "  ^L               draw again                ^Z               to the shell",
    "  h                this help                 q  ZZ  :q        quit",
    "",
    "Patterns are regular expressions, as in rread search. Lines longer than 16 KiB are shown in pieces.",
];
