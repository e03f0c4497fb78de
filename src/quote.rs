//! Names and words as a shell takes them, for hints.

use std::path::Path;

use crate::address;

/// `path` as a shell takes it.
pub(crate) fn quoted(path: &Path) -> String {
    let text = address::shown(path);
    // Standard input needs no quotes, a name that looks like an option gets some to stand out.
    if text != "-" && text.starts_with('-') { in_quotes(&text) } else { quoted_word(&text) }
}

/// One word of a command as a shell takes it.
pub(crate) fn quoted_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "._-/+,@%=:".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { in_quotes(word) }
}

fn in_quotes(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
