//! Quotes names and words for a shell, for hints.

use std::path::Path;

use crate::address;

/// Quotes `path`, without its secrets.
pub fn quoted(path: &Path) -> String {
    #[cfg(unix)]
    if path.to_str().is_none() {
        let name = std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str());
        return if name.starts_with(b"-") { printed(&[b"./", name].concat()) } else { printed(name) };
    }
    let text = address::display(path);
    // A program would read such a name as an option; `-` is standard input.
    if text != "-" && text.starts_with('-') { quoted_word(&format!("./{text}")) } else { quoted_word(&text) }
}

/// Quotes one word of a command.
pub fn quoted_word(word: &str) -> String {
    // cmd and PowerShell take \ for the part of a name that it is there, and cmd has no single quotes.
    let plain = |c: char| c.is_alphanumeric() || "._-/+,@%=:".contains(c) || cfg!(windows) && c == '\\';
    // zsh replaces `=ls` by the path of ls.
    let is_plain = !word.is_empty() && !word.starts_with('=') && word.chars().all(plain);
    if is_plain { word.to_owned() } else { in_quotes(word) }
}

/// `json`, the same value, in which a shell finds no command either: all texts of JSON stand between double quotes.
pub fn inert(json: &str) -> String {
    json.replace('$', r"\u0024").replace('`', r"\u0060")
}

/// Quotes bytes that one line of UTF-8 cannot show. `$'…'` would be shorter, but dash does not know it: for dash, a `\'` in it
/// ends the quotes, and it runs the rest of the name. Here only letters, digits and octal numbers stand between the quotes.
#[cfg(unix)]
fn printed(name: &[u8]) -> String {
    let end = name.iter().rposition(|byte| *byte != b'\n').map_or(0, |last| last + 1);
    let mut text = String::from("\"$(printf '");
    for (at, byte) in name[..end].iter().enumerate() {
        // printf reads a first `-` as an option.
        let is_plain =
            byte.is_ascii_alphanumeric() || b" ._/-:=@,+".contains(byte) && (at, *byte) != (0, b'-');
        // Three digits always end: a digit after them is not read as a fourth.
        text += &if is_plain { char::from(*byte).to_string() } else { format!("\\{byte:03o}") };
    }
    // `$(…)` takes the newlines at its end away; IFS ends with one in every shell.
    text + "')" + &"${IFS#??}".repeat(name.len() - end) + "\""
}

/// Whether `c` is a blank that looks like another, has no width or turns the direction of the text: a reader cannot type it again.
#[cfg(unix)]
fn is_invisible(c: char) -> bool {
    c.is_whitespace() && c != ' '
        || matches!(c, '\u{AD}' | '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}

fn in_quotes(text: &str) -> String {
    // Messages have one line, so they cannot show these characters as they are.
    #[cfg(unix)]
    if text.chars().any(|c| c.is_control() || is_invisible(c)) {
        return printed(text.as_bytes());
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}
