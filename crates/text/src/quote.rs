//! Quotes names and words for a shell, for hints.

use std::path::Path;

use crate::address;

/// Quotes `path`, without its secrets.
pub fn quoted(path: &Path) -> String {
    #[cfg(unix)]
    if path.to_str().is_none() {
        return in_bytes(std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()));
    }
    let text = address::shown(path);
    // A program would read such a name as an option; `-` is standard input.
    if text != "-" && text.starts_with('-') { quoted_word(&format!("./{text}")) } else { quoted_word(&text) }
}

/// Quotes one word of a command.
pub fn quoted_word(word: &str) -> String {
    // cmd and PowerShell take \ for the part of a name that it is there, and cmd has no single quotes.
    let plain = |c: char| c.is_alphanumeric() || "._-/+,@%=:".contains(c) || cfg!(windows) && c == '\\';
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { in_quotes(word) }
}

/// A name that is not UTF-8, as bash, zsh and ksh read it.
#[cfg(unix)]
fn in_bytes(name: &[u8]) -> String {
    let mut text = String::from(if name.starts_with(b"-") { "$'./" } else { "$'" });
    for byte in name {
        match byte {
            b'\'' | b'\\' => text.extend(['\\', char::from(*byte)]),
            b' '..=b'~' => text.push(char::from(*byte)),
            // Three digits always end: a hexadecimal digit after them is not read as a fourth.
            _ => text += &format!("\\{byte:03o}"),
        }
    }
    text + "'"
}

/// A blank that looks like another, or a character of no width: a reader cannot type it again.
#[cfg(unix)]
fn is_invisible(c: char) -> bool {
    c.is_whitespace() && c != ' ' || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}')
}

fn in_quotes(text: &str) -> String {
    // Messages have one line, so they cannot show these characters as they are.
    #[cfg(unix)]
    if text.chars().any(|c| c.is_control() || is_invisible(c)) {
        return in_bytes(text.as_bytes());
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}
