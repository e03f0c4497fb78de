//! Quotes names and words for a shell, for hints.

use std::path::Path;

use crate::address;

/// Quotes `path`, without its secrets.
pub(crate) fn quoted(path: &Path) -> String {
    let text = address::shown(path);
    // Quotes make a name that looks like an option stand out; `-` is standard input.
    if text != "-" && text.starts_with('-') { in_quotes(&text) } else { quoted_word(&text) }
}

/// Quotes one word of a command.
pub(crate) fn quoted_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "._-/+,@%=:".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { in_quotes(word) }
}

/// Pipes `path` through the command `filter` into rread. Other programs read only plain files; `options` are those of
/// rread for the others.
pub(crate) fn filtered(path: &Path, filter: &str, is_plain: bool, options: &str) -> String {
    let input = match (path == Path::new("-"), is_plain) {
        (true, _) => format!("COMMAND | {filter}"),
        (false, true) => format!("{filter} < {}", quoted(path)),
        (false, false) => format!("rread bytes {} {options} | {filter}", quoted(path)),
    };
    format!("{input} | rread lines -")
}

fn in_quotes(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
