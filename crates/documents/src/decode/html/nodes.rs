//! The nodes of a page: what they are, and new ones that take their places.

use std::cell::RefCell;
use std::ops::Deref;

use html2text::{Element, Handle, RcDom};

pub(super) type Node = <Handle as Deref>::Target;

/// Makes elements with the parser, the only way to make text.
pub(super) struct Make<'a>(pub(super) &'a dyn Fn(&str) -> Option<RcDom>);

impl Make<'_> {
    /// Text that is part of a line.
    pub(super) fn span(&self, text: &str) -> Option<Handle> {
        self.element("span", "", &escape(text))
    }

    /// Text on a line of its own.
    pub(super) fn block(&self, text: &str) -> Option<Handle> {
        self.element("div", "", &escape(text))
    }

    /// An element with the source of its attributes and of its content.
    pub(super) fn element(&self, name: &str, attributes: &str, content: &str) -> Option<Handle> {
        take(&(self.0)(&format!("<{name} {attributes}>{content}</{name}>"))?.document, name)
    }
}

/// The name of an element; empty for other nodes.
pub(super) fn name(node: &Node) -> &str {
    match &node.data {
        Element { name, .. } => &name.local,
        _ => "",
    }
}

/// The value of an attribute of an element.
pub(super) fn attribute(node: &Node, wanted: &str) -> Option<String> {
    let Element { attrs, .. } = &node.data else { return None };
    let attrs = attrs.borrow();
    attrs.iter().find(|found| &*found.name.local == wanted).map(|found| found.value.to_string())
}

/// Changes the value of an attribute that an element has.
pub(super) fn set(node: &Node, wanted: &str, value: &str) {
    let Element { attrs, .. } = &node.data else { return };
    let mut attrs = attrs.borrow_mut();
    attrs
        .iter_mut()
        .filter(|found| &*found.name.local == wanted)
        .for_each(|found| found.value = value.into());
}

/// An element with another name and other children.
pub(super) fn rename(node: &Node, to: &str, children: Vec<Handle>) -> Option<Handle> {
    let Element { name, attrs, .. } = &node.data else { return None };
    let mut name = name.clone();
    name.local = to.into();
    let new = Node::new(Element {
        name,
        attrs: attrs.clone(),
        template_contents: RefCell::new(None),
        mathml_annotation_xml_integration_point: false,
    });
    *new.children.borrow_mut() = children;
    Some(new)
}

pub(super) fn take_children(node: &Node) -> Vec<Handle> {
    std::mem::take(&mut *node.children.borrow_mut())
}

/// The first element `wanted` in `node`, taken out of it: the rest of the page empties what it has when it ends.
fn take(node: &Handle, wanted: &str) -> Option<Handle> {
    let mut open = vec![node.clone()];
    while let Some(node) = open.pop() {
        let mut children = node.children.borrow_mut();
        if let Some(at) = children.iter().position(|child| name(child) == wanted) {
            return Some(children.remove(at));
        }
        open.extend(children.iter().rev().cloned());
    }
    None
}

/// The source of an element, as a program would write it.
pub(super) fn source(node: &Handle) -> String {
    let mut bytes = Vec::new();
    // A vector takes everything.
    let _ = node.serialize(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The text in `source`, without its tags.
pub(super) fn strip_tags(source: &str) -> String {
    let (mut text, mut rest) = (String::new(), source);
    while let Some(start) = rest.find('<') {
        text.push_str(&rest[..start]);
        rest = rest[start..].split_once('>').map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", "\u{A0}").replace("&amp;", "&")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
