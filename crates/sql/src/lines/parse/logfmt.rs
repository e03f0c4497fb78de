//! Keys and values as logfmt writes them: `level=info msg="a text" n=1`.

use std::borrow::Cow;

use super::quotes::quoted;

/// Passes the keys of a line that have a value, with it; returns whether there is one. A word without `=` is not a key.
pub(super) fn pairs<'t>(line: &'t str, take: &mut dyn FnMut(&'t str, Cow<'t, str>)) -> bool {
    let (mut rest, mut found) = (line, false);
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace());
        let Some(end) = rest.find(|c: char| c.is_ascii_whitespace() || matches!(c, '=' | '"')) else {
            return found;
        };
        let (key, after) = rest.split_at(end);
        let value = after.strip_prefix('=').filter(|_| is_key(key));
        let Some(value) = value else {
            // The rest of the word is no key, and neither is anything in quotes.
            rest = match after.strip_prefix('"') {
                Some(inside) => quoted(inside).map_or("", |(_, rest)| rest),
                None => after.trim_start_matches(|c: char| !c.is_ascii_whitespace() && c != '"'),
            };
            continue;
        };
        found = true;
        match value.strip_prefix('"').and_then(quoted) {
            Some((text, after)) => {
                take(key, unescaped(text));
                rest = after;
            }
            None => {
                let end = value.find(|c: char| c.is_ascii_whitespace()).unwrap_or(value.len());
                take(key, Cow::Borrowed(&value[..end]));
                rest = &value[end..];
            }
        }
    }
}

fn is_key(key: &str) -> bool {
    let is_first = |c: char| c.is_alphabetic() || matches!(c, '_' | '@');
    let is_next = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '.' | '-' | '/' | '#' | ':');
    key.starts_with(is_first) && key.chars().all(is_next)
}

fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let (mut out, mut characters) = (String::with_capacity(text.len()), text.chars());
    while let Some(c) = characters.next() {
        match (c, c == '\\') {
            (_, false) => out.push(c),
            (_, true) => match characters.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('r') => out.push('\r'),
                Some(other) => {
                    if !matches!(other, '"' | '\\') {
                        out.push('\\');
                    }
                    out.push(other);
                }
                None => out.push('\\'),
            },
        }
    }
    Cow::Owned(out)
}
