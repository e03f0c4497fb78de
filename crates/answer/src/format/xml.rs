//! XML: the keys of frontmatter as attributes, the content as text; well-formed whatever it holds.

use std::borrow::Cow;

use serde_json::Value;

use super::escape::{XmlText, xml_attribute};
use super::renderer::{Essential, Frame, Part, Renderer, Section, Tail};
use crate::output::Out;
use crate::receipt::{Markup, Members, error_facts};
use crate::wording::worded;
use rread_text::{Error, Result, printable};

#[derive(Default)]
pub(super) struct Xml {
    list: Option<&'static str>,
    essential: Essential,
}

impl Renderer for Xml {
    fn begin(&mut self, out: &mut Out, frame: &Frame) -> Result<()> {
        self.list = frame.list.map(|list| list.element);
        self.essential = Essential::new(frame);
        self.list.map_or(Ok(()), |element| out.write(tag(element, pairs(&frame.facts), ">\n").as_bytes()))
    }

    fn part(&mut self, out: &mut Out, part: Part<'_, '_>) -> Result<()> {
        let name = part.envelope.element(part.file);
        let facts = self.essential.people(part.envelope, part.file, Markup::Xml, false)?;
        let children = children(&facts);
        let is_error = part.envelope.error().is_some();
        let mut sections: Vec<Section<'_>> = part.sections.into_iter().filter(|_| !is_error).collect();
        if sections.is_empty() && children.is_empty() {
            return out.write(tag(name, pairs(&facts), "/>\n").as_bytes());
        }
        out.write(tag(name, pairs(&facts), ">").as_bytes())?;
        match &mut sections[..] {
            // Text alone needs no element of its own.
            [Section { element: None, body, .. }] if children.is_empty() => body.write(&mut XmlText(out))?,
            sections => {
                out.write(format!("\n{children}").as_bytes())?;
                sections.iter_mut().try_for_each(|section| write_section(out, section))?;
            }
        }
        out.write(format!("</{name}>\n").as_bytes())
    }

    fn finish(&mut self, out: &mut Out, _: Tail<'_>) -> Result<()> {
        self.list.map_or(Ok(()), |element| out.write(format!("</{element}>\n").as_bytes()))
    }
}

fn write_section(out: &mut Out, section: &mut Section<'_>) -> Result<()> {
    let name = section.element.unwrap_or("content");
    let facts = section.receipt.iter().flat_map(|(_, facts)| pairs(facts));
    out.write(tag(name, facts, ">").as_bytes())?;
    section.body.write(&mut XmlText(out))?;
    out.write(format!("</{name}>\n").as_bytes())
}

/// The elements of a fact that is too much for an attribute.
enum Child {
    /// One element with the text.
    Text,
    /// An element for each record, with its members as attributes.
    Records(&'static str),
    /// An element for each pair, and the attributes for its name and its value.
    Pairs([&'static str; 3]),
}

fn child(key: &str, value: &Value) -> Option<Child> {
    Some(match key {
        "message" => Child::Text,
        // `select` has their number under this name.
        "files" if value.is_array() => Child::Records("file"),
        "mismatches" => Child::Records("mismatch"),
        "affected_ranges" => Child::Records("affected_range"),
        "new_ranges" => Child::Records("new_range"),
        "columns" => Child::Records("column"),
        "problems" => Child::Records("problem"),
        "directories" => Child::Records("directory"),
        "urls" => Child::Records("url"),
        "remaps" => Child::Pairs(["remap", "from", "to"]),
        "metadata" => Child::Pairs(["metadata", "name", "value"]),
        _ => return None,
    })
}

/// The tag `name` with `facts` as attributes; `close` ends it.
fn tag<'f>(name: &str, facts: impl Iterator<Item = (&'f str, &'f Value)>, close: &str) -> String {
    let mut tag = String::with_capacity(256);
    tag.extend(["<", name]);
    for (key, value) in facts.filter(|(key, value)| child(key, value).is_none()) {
        match value {
            // `invalid_utf8: {count, first_byte}` becomes `invalid_utf8_count` and `invalid_utf8_first_byte`.
            Value::Object(members) => {
                for (member, value) in members {
                    attribute(&mut tag, &format!("{key}_{member}"), value);
                }
            }
            value => attribute(&mut tag, key, value),
        }
    }
    tag + close
}

fn pairs(facts: &Members) -> impl Iterator<Item = (&str, &Value)> {
    facts.iter().map(|(key, value)| (key.as_str(), value))
}

fn attribute(tag: &mut String, name: &str, value: &Value) {
    let text = match value {
        Value::Null => return,
        Value::Array(words) => words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ").into(),
        value => plain(value),
    };
    tag.extend([" ", name, "=\"", &xml_attribute(&text), "\""]);
}

/// A value without the quotes of JSON.
fn plain(value: &Value) -> Cow<'_, str> {
    value.as_str().map_or_else(|| value.to_string().into(), Cow::Borrowed)
}

/// The facts that are too much for an attribute, as elements.
fn children(facts: &Members) -> String {
    let mut elements = String::new();
    for (key, value) in pairs(facts) {
        match (child(key, value), value) {
            (Some(Child::Text), value) => {
                elements += &format!("<{key}>{}</{key}>\n", xml_attribute(&plain(value)));
            }
            (Some(Child::Records(name)), Value::Array(records)) => {
                for record in records.iter().filter_map(Value::as_object) {
                    elements += &tag(name, pairs(record), "/>\n");
                }
            }
            (Some(Child::Pairs([name, from, to])), Value::Object(pairs)) => {
                for (first, second) in pairs {
                    let first = Value::from(first.as_str());
                    elements += &tag(name, [(from, &first), (to, second)].into_iter(), "/>\n");
                }
            }
            _ => {}
        }
    }
    elements
}

/// A failure to do with the capture `fd`, as one XML element for standard error.
pub fn capture_error(fd: &str, error: &Error) -> String {
    // On one line, so that the form of attributes serves.
    let message = xml_attribute(&printable(&worded(&error.message))).into_owned();
    tag("fd_error", pairs(&error_facts(fd, error)), ">") + &message + "</fd_error>\n"
}
