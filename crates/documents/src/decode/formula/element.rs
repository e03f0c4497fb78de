//! An element of a formula, and the attributes that formulas need.

/// An element of a formula: its name without a prefix, and what is in it.
#[derive(Debug, Default)]
pub(super) struct Element {
    pub(super) name: String,
    attributes: Vec<(String, String)>,
    pub(super) children: Vec<Element>,
    /// The text of an element that has no others in it.
    pub(super) text: String,
}

/// Elements that say how their neighbours look.
const ATTRIBUTES: [&str; 8] =
    ["val", "linethickness", "open", "close", "separators", "accent", "alttext", "display"];

impl Element {
    /// An element `name` with those attributes that formulas need.
    pub(super) fn new(name: &str, attribute: impl Fn(&str) -> Option<String>) -> Self {
        let attributes = ATTRIBUTES.iter().filter_map(|name| Some(((*name).to_owned(), attribute(name)?)));
        Element { name: name.to_owned(), attributes: attributes.collect(), ..Element::default() }
    }

    pub(super) fn push(&mut self, child: Element) {
        self.children.push(child);
    }

    pub(super) fn push_text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(of, _)| of == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }
}
