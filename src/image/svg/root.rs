//! The start tag of an XML document's root element, after the prolog (XML 1.0, section 2.8).

pub(super) enum RootTag<'a> {
    Root(Root<'a>),
    /// An SVG root element whose tag does not end.
    Cut,
    Other,
}

pub(super) struct Root<'a> {
    attributes: Vec<(&'a str, &'a str)>,
}

impl<'a> Root<'a> {
    /// The raw value. Entities are not expanded, so that they cannot grow.
    pub(super) fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attributes.iter().find(|(own, _)| *own == name).map(|(_, value)| *value)
    }
}

pub(super) fn find(text: &str) -> RootTag<'_> {
    let mut rest = text.trim_start_matches('\u{FEFF}').trim_start();
    let tag = loop {
        let after = if rest.starts_with("<?") {
            after(rest, "?>")
        } else if let Some(comment) = rest.strip_prefix("<!--") {
            after(comment, "-->")
        } else if let Some(doctype) = rest.strip_prefix("<!") {
            after_doctype(doctype)
        } else {
            match rest.strip_prefix('<') {
                Some(tag) => break tag,
                None => return RootTag::Other,
            }
        };
        match after {
            Some(after) => rest = after.trim_start(),
            None => return RootTag::Other,
        }
    };
    let is_of_name = |c: char| c.is_alphanumeric() || "_:-.".contains(c);
    let (name, attributes) = tag.split_at(tag.find(|c| !is_of_name(c)).unwrap_or(tag.len()));
    let local = name.rsplit_once(':').map_or(name, |(_, local)| local);
    if local != "svg" {
        return RootTag::Other;
    }
    match parse(attributes) {
        Some(attributes) => RootTag::Root(Root { attributes }),
        None => RootTag::Cut,
    }
}

fn after<'a>(text: &'a str, end: &str) -> Option<&'a str> {
    text.split_once(end).map(|(_, after)| after)
}

/// The text after a document type, whose brackets may hold entity declarations with quotes and comments.
fn after_doctype(mut rest: &str) -> Option<&str> {
    let mut inside = false;
    loop {
        let at = rest.find(|c: char| "\"'[]<>".contains(c))?;
        let (here, next) = (&rest[at..], &rest[at + 1..]);
        if let Some(comment) = here.strip_prefix("<!--") {
            rest = after(comment, "-->")?;
            continue;
        }
        if here.starts_with("<?") {
            rest = after(here, "?>")?;
            continue;
        }
        rest = match here.as_bytes()[0] {
            b'"' => after(next, "\"")?,
            b'\'' => after(next, "'")?,
            b'>' if !inside => return Some(next),
            bracket => {
                inside = bracket == b'[' || inside && bracket != b']';
                next
            }
        };
    }
}

/// The attributes up to the end of the tag; `None` if the tag does not end.
fn parse(mut rest: &str) -> Option<Vec<(&str, &str)>> {
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start();
        if rest.starts_with('>') || rest.starts_with("/>") {
            return Some(attributes);
        }
        let (name, value) = rest.split_once('=')?;
        let value = value.trim_start();
        let quote = value.chars().next().filter(|c| *c == '"' || *c == '\'')?;
        let (value, after) = value[1..].split_once(quote)?;
        attributes.push((name.trim_end(), value));
        rest = after;
    }
}
