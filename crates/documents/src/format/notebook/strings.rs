//! Strings of a notebook, as its text needs them.

use serde_json::Value;

/// A text is one string or a list of them.
pub(super) fn joined(text: &Value) -> Option<String> {
    match text {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => Some(parts.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}

/// Ends `text` with a newline, unless it is empty.
pub(super) fn ended(mut text: String) -> String {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// A name from the file, as part of a line.
pub(super) fn one_line(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(100).collect()
}
