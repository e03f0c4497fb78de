//! Text in double quotes, in which a backslash escapes.

/// The text before the first quote without a backslash, and the text after it.
pub(super) fn quoted(text: &str) -> Option<(&str, &str)> {
    let mut from = 0;
    loop {
        let at = from + text.get(from..)?.find(['"', '\\'])?;
        if text[at..].starts_with('"') {
            return Some((&text[..at], &text[at + 1..]));
        }
        from = at + 1 + text[at + 1..].chars().next()?.len_utf8();
    }
}
