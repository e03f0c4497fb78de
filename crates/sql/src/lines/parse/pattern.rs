//! Patterns of literals and names, as those of Loki: `<client> - <_> "<method> <path> <_>" <status>`.

use memchr::memchr;
use memchr::memmem::Finder;

use rread_text::error::{Error, Result};

/// Literals, and names between them.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    /// The text before the first name.
    head: String,
    parts: Vec<Part>,
}

/// A name, and the text after it.
#[derive(Clone, Debug)]
struct Part {
    /// `None` for `<_>`.
    name: Option<String>,
    after: Literal,
}

/// The text after a name.
#[derive(Clone, Debug)]
enum Literal {
    /// None: the name has the rest.
    End,
    Byte(u8),
    Text(Box<Finder<'static>>),
}

impl Literal {
    fn of(text: &str) -> Self {
        match text.as_bytes() {
            [] => Literal::End,
            [byte] => Literal::Byte(*byte),
            bytes => Literal::Text(Box::new(Finder::new(bytes).into_owned())),
        }
    }

    /// The text before the literal, and the text after it.
    fn split<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        let (at, length) = match self {
            Literal::End => return Some((text, "")),
            Literal::Byte(byte) => (memchr(*byte, text.as_bytes())?, 1),
            Literal::Text(finder) => (finder.find(text.as_bytes())?, finder.needle().len()),
        };
        Some((text.get(..at)?, text.get(at + length..)?))
    }
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
        let (mut head, mut parts): (Option<String>, Vec<Part>) = (None, Vec::new());
        let mut rest = text;
        while let Some((before, name, after)) = next_name(rest) {
            match parts.last_mut() {
                None => head = Some(before.to_owned()),
                Some(part) => {
                    if before.is_empty() {
                        let message = format!("nothing is between <{name}> and the name before it");
                        return Err(Error::usage(message).hint("put the text that divides them between them"));
                    }
                    part.after = Literal::of(before);
                }
            }
            if name != "_" && parts.iter().any(|part| part.name.as_deref() == Some(name)) {
                return Err(Error::usage(format!("the name <{name}> comes twice")).hint("<_> drops a value"));
            }
            let name = Some(name.to_owned()).filter(|name| name != "_");
            parts.push(Part { name, after: Literal::End });
            rest = after;
        }
        if let Some(part) = parts.last_mut() {
            part.after = Literal::of(rest);
        }
        Ok(Pattern { head: head.unwrap_or_default(), parts })
    }

    pub fn names(&self) -> Vec<String> {
        self.parts.iter().filter_map(|part| part.name.clone()).collect()
    }

    /// The values of a record, in the order of the names; `None` if it has another form. What follows the last literal is
    /// not looked at.
    pub fn values<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        // Processors with AVX-512 take a hundred cycles to compare nothing with a masked read.
        let mut rest = if self.head.is_empty() { text } else { text.strip_prefix(self.head.as_str())? };
        let mut values = Vec::with_capacity(self.parts.len());
        for Part { name, after } in &self.parts {
            let (value, following) = after.split(rest)?;
            if name.is_some() {
                values.push(value);
            }
            rest = following;
        }
        Some(values)
    }
}
