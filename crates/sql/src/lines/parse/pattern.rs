//! Patterns of literals and names, as those of Loki: `<client> - <_> "<method> <path> <_>" <status>`.

use rread_text::error::{Error, Result};

/// Literals, and names between them.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    /// The text before the first name.
    head: String,
    /// The names, each with the text after it; `None` for `<_>`.
    parts: Vec<(Option<String>, String)>,
}

/// Whether a text has a name as patterns have it.
pub(super) fn is_pattern(text: &str) -> bool {
    next_name(text).is_some()
}

/// The first `<name>`: the text before, the name, the text after.
fn next_name(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(start) = text[from..].find('<').map(|at| from + at) {
        let inside = &text[start + 1..];
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let length = inside.find(|c| !is_part(c)).unwrap_or(inside.len());
        let (name, after) = inside.split_at(length);
        let begins_well = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if let Some(after) = after.strip_prefix('>').filter(|_| begins_well) {
            return Some((&text[..start], name, after));
        }
        from = start + 1;
    }
    None
}

impl Pattern {
    pub fn new(text: &str) -> Result<Self> {
        let (mut head, mut parts): (Option<String>, Vec<(Option<String>, String)>) = (None, Vec::new());
        let mut rest = text;
        while let Some((before, name, after)) = next_name(rest) {
            match parts.last_mut() {
                None => head = Some(before.to_owned()),
                Some((_, literal)) => {
                    if before.is_empty() {
                        let message = format!("nothing is between <{name}> and the name before it");
                        return Err(Error::usage(message).hint("put the text that divides them between them"));
                    }
                    before.clone_into(literal);
                }
            }
            if name != "_" && parts.iter().any(|(known, _)| known.as_deref() == Some(name)) {
                return Err(Error::usage(format!("the name <{name}> comes twice")).hint("<_> drops a value"));
            }
            parts.push((Some(name.to_owned()).filter(|name| name != "_"), String::new()));
            rest = after;
        }
        if let Some((_, literal)) = parts.last_mut() {
            rest.clone_into(literal);
        }
        Ok(Pattern { head: head.unwrap_or_default(), parts })
    }

    pub fn names(&self) -> Vec<String> {
        self.parts.iter().filter_map(|(name, _)| name.clone()).collect()
    }

    /// The values of a record, in the order of the names; `None` if it has another form. What follows the last literal is
    /// not looked at.
    pub fn values<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        let mut rest = text.strip_prefix(self.head.as_str())?;
        let mut values = Vec::with_capacity(self.parts.len());
        for (name, literal) in &self.parts {
            let (value, after) = match literal.as_str() {
                "" => (rest, ""),
                literal => {
                    rest.split_at_checked(memchr::memmem::find(rest.as_bytes(), literal.as_bytes())?)?
                }
            };
            if name.is_some() {
                values.push(value);
            }
            rest = after.get(literal.len()..).unwrap_or_default();
        }
        Some(values)
    }
}
