//! Elements of a page that `html2text` does not know: blocks end a line, and formulas and indices keep their meaning.

use html2text::{Element, Handle, RcDom};

use super::lists;
use super::nodes::{Make, Node, attribute, name, rename, source, strip_tags, take_children};
use crate::decode::formula::Builder;
use crate::decode::numerals::Script;
use crate::decode::zip_xml::{Part, parse};

/// Elements that browsers show as blocks (HTML, 15.3), beside those that `html2text` knows.
const BLOCKS: [&str; 23] = [
    "address",
    "article",
    "aside",
    "center",
    "details",
    "dialog",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frameset",
    "header",
    "hgroup",
    "legend",
    "main",
    "nav",
    "noframes",
    "search",
    "section",
    "select",
    "summary",
    "textarea",
];
/// Lists of the same form as `ul`.
const LISTS: [&str; 2] = ["dir", "menu"];
/// Blocks with white space as it is.
const VERBATIM: [&str; 3] = ["listing", "plaintext", "xmp"];
/// How a word is read, and suggestions for a field: browsers show them elsewhere or not at all.
const LEFT_OUT: [&str; 4] = ["rt", "rp", "rtc", "datalist"];

/// Namespaces of what rread has the text of.
const READABLE: [&str; 2] = ["http://www.w3.org/1999/xhtml", "http://www.w3.org/1998/Math/MathML"];

/// Elements inside of each other up to this depth are looked at.
const MAX_DEPTH: usize = 4000;
/// Raised and lowered text inside of other up to this depth is told apart.
const MAX_SCRIPT_DEPTH: usize = 100;

/// Unicode's sign between a whole number and a fraction (invisible plus). It stands around formulas until the line is whole.
pub(super) const PLUS: char = '\u{2064}';

/// Makes elements of `page` into those that `html2text` knows.
pub(super) fn rewrite(page: &RcDom, parse: &dyn Fn(&str) -> Option<RcDom>) {
    let make = Make(parse);
    let mut open = vec![(page.document.clone(), 0)];
    while let Some((parent, depth)) = open.pop() {
        let mut children = parent.children.borrow_mut();
        children.retain(|child| !LEFT_OUT.contains(&name(child)));
        if name(&parent).ends_with(":switch") {
            keep_one_case(&mut children);
        }
        if name(&parent) == "table" {
            arrange(&mut children);
        }
        for index in 0..children.len() {
            let (before, rest) = children.split_at_mut(index);
            let Some(child) = rest.first_mut() else { continue };
            if let Some(better) = replace_element(child, before.last(), &make) {
                *child = better;
            }
            if depth < MAX_DEPTH {
                open.push((child.clone(), depth + 1));
            }
        }
    }
}

/// Keeps the first case of a switch of a book (EPUB) that rread can show, or else its default.
fn keep_one_case(children: &mut Vec<Handle>) {
    let is_readable = |child: &Handle| match &child.data {
        Element { name, attrs, .. } if name.local.ends_with(":case") => {
            attrs.borrow().iter().any(|attribute| {
                &*attribute.name.local == "required-namespace" && READABLE.contains(&&*attribute.value)
            })
        }
        _ => false,
    };
    let shown = children.iter().position(is_readable);
    let shown = shown.or_else(|| children.iter().position(|child| name(child).ends_with(":default")));
    *children = shown.map(|at| children.swap_remove(at)).into_iter().collect();
}

/// The element that takes the place of `node`, which stands after `before`.
fn replace_element(node: &Handle, before: Option<&Handle>, make: &Make<'_>) -> Option<Handle> {
    match name(node) {
        // An empty block ends the line.
        "hr" => rename(node, "div", vec![rename(node, "a", Vec::new())?]),
        "math" => make.span(&format!("{PLUS}{}{PLUS}", formula(&source(node))?)),
        // A picture has a text that comes later.
        "sub" | "sup" if !source(node).contains("<img") => {
            // The end of an ordinal is not an exponent.
            let digit = before.and_then(|node| strip_tags(&source(node)).pop()).filter(char::is_ascii_digit);
            let mut line = digit.map(String::from).unwrap_or_default();
            push_flat(&mut line, node, 0);
            make.span(&line[digit.map_or(0, char::len_utf8)..])
        }
        "img" => make.span(&picture(node)?),
        "input" => make.span(&field_text(node)?),
        "optgroup" | "option" => label_choice(node, make),
        "ol" | "dl" => lists::replace_list(node, make),
        "table" => with_caption(node),
        of if BLOCKS.contains(&of) => rename(node, "div", take_children(node)),
        of if LISTS.contains(&of) => rename(node, "ul", take_children(node)),
        of if VERBATIM.contains(&of) => rename(node, "pre", take_children(node)),
        _ => None,
    }
}

/// Adds the text of `node` to `line`: raised and lowered text may be inside of other.
fn push_flat(line: &mut String, node: &Handle, depth: usize) {
    let children = node.children.borrow();
    if children.is_empty() || depth > MAX_SCRIPT_DEPTH {
        return line.push_str(&if name(node) == "br" { " ".to_owned() } else { strip_tags(&source(node)) });
    }
    let script = match name(node) {
        "sup" => Some(Script::Raised),
        "sub" => Some(Script::Lowered),
        _ => None,
    };
    let mut inner = String::new();
    children.iter().for_each(|child| push_flat(&mut inner, child, depth + 1));
    match script {
        Some(script) => script.push(line, &inner),
        None => line.push_str(&inner),
    }
}

/// The text of a formula in MathML.
fn formula(source: &str) -> Option<String> {
    let (mut builder, mut text) = (Builder::default(), None);
    let source = source.replace("&nbsp;", "\u{A0}");
    let result = parse(source.as_bytes(), |part| {
        match part {
            Part::Start(name, attributes) => builder.start(name, |name| attributes.get(name)),
            Part::Text(part) => builder.text(part),
            Part::End(_) => text = builder.end().or(text.take()),
        }
        Ok(())
    });
    result.ok().and(text)
}

/// The mark of a picture without an address, such as one that a script loads later. `html2text` has the others.
pub(super) fn picture(node: &Node) -> Option<String> {
    let has_address = attribute(node, "src").is_some_and(|source| !source.is_empty());
    alternative(node).filter(|_| !has_address)
}

fn alternative(node: &Node) -> Option<String> {
    let text = attribute(node, "alt")?;
    let words: Vec<&str> = text.split_whitespace().collect();
    (!words.is_empty()).then(|| format!("[{}]", words.join(" ")))
}

/// The text of an `input`: the sign of a check box or of a button of several, or a value that browsers show as text.
fn field_text(node: &Node) -> Option<String> {
    let is_checked = attribute(node, "checked").is_some();
    let sign = |yes: &str, no: &str| Some(if is_checked { yes } else { no }.to_owned());
    match attribute(node, "type").unwrap_or_default().to_ascii_lowercase().as_str() {
        "checkbox" => sign("☒ ", "☐ "),
        "radio" => sign("◉ ", "○ "),
        "image" => alternative(node),
        "color" | "file" | "hidden" | "password" | "range" => None,
        // A field has an edge, which separates its text from what is around it.
        _ => attribute(node, "value")
            .filter(|value| !value.trim().is_empty())
            .map(|value| format!(" {value} ")),
    }
}

/// A choice, or several with the line of their label before them.
pub(super) fn label_choice(node: &Handle, make: &Make<'_>) -> Option<Handle> {
    let label = attribute(node, "label").filter(|label| !label.trim().is_empty());
    let is_hidden = name(node) == "option" && !strip_tags(&source(node)).trim().is_empty();
    let label = label.filter(|_| !is_hidden).and_then(|label| make.block(&label));
    rename(node, "div", label.into_iter().chain(take_children(node)).collect())
}

/// Puts the rows of a table, which are its `children`, in the order of browsers: the first head, the bodies, the first foot.
pub(super) fn arrange(children: &mut [Handle]) {
    let at = |children: &[Handle], part: &str| children.iter().position(|child| name(child) == part);
    if let Some(head) = at(children, "thead") {
        children[..=head].rotate_right(1);
    }
    if let Some(foot) = at(children, "tfoot") {
        children[foot..].rotate_left(1);
    }
    for child in children.iter_mut().filter(|child| name(child) == "tfoot") {
        if let Some(body) = rename(child, "tbody", take_children(child)) {
            *child = body;
        }
    }
}

/// The `table` after a line of its caption, if it has one.
pub(super) fn with_caption(table: &Handle) -> Option<Handle> {
    let is_caption = |child: &Handle| name(child) == "caption";
    let (captions, others): (Vec<_>, Vec<_>) = take_children(table).into_iter().partition(is_caption);
    *table.children.borrow_mut() = others;
    if captions.is_empty() {
        return None;
    }
    let lines = captions.iter().filter_map(|caption| rename(caption, "div", take_children(caption)));
    rename(table, "div", lines.chain([table.clone()]).collect())
}
