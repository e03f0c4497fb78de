//! Elements of a page that `html2text` does not know: blocks end a line, items of lists have numbers, and formulas and indices
//! keep their meaning.

use std::cell::RefCell;
use std::ops::Deref;

use html2text::{Comment, Element, Handle, RcDom};

use crate::decode::formula;
use crate::decode::lines::words;
use crate::decode::numerals::{NumberFormat, Script};

/// Elements that browsers show as blocks (HTML, 15.3), beside those that `html2text` knows.
const BLOCKS: &str = "address article aside center details dialog fieldset figcaption figure footer form frameset \
    header hgroup legend main nav noframes search section select summary textarea";
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
        match name(&parent) {
            "table" => arrange(&mut children),
            name if name.ends_with(":switch") => keep_one_case(&mut children),
            _ => {}
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
    let is_readable = |child: &Handle| {
        let namespace = attribute(child, "required-namespace").unwrap_or_default();
        name(child).ends_with(":case") && READABLE.contains(&namespace.as_str())
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
        "math" => make.span(&format!(
            "{PLUS}{}{PLUS}",
            formula::read(source(node).replace("&nbsp;", "\u{A0}").as_bytes())?
        )),
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
        "ol" | "dl" => replace_list(node, make),
        "table" => large_table(node, make).or_else(|| with_caption(node)),
        "tr" => keep_row(node),
        "svg" => drawn_text(node, make),
        of if BLOCKS.split(' ').any(|name| name == of) => rename(node, "div", take_children(node)),
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

/// Ends the cells of a row that all go on in the next one: `html2text` has no row without an end of a cell.
fn keep_row(row: &Node) -> Option<Handle> {
    let cells = row.children.borrow();
    let spans = |cell: &&Handle| attribute(cell, "rowspan").is_some_and(|rows| rows.trim() != "1");
    if cells.iter().filter(|cell| matches!(name(cell), "td" | "th")).all(|cell| spans(&cell)) {
        cells.iter().for_each(|cell| set(cell, "rowspan", "1"));
    }
    None
}

/// The most rows of a table with columns: `html2text` needs far more memory for a cell than for its text.
const MAX_ROWS: usize = 5000;

/// The rows of a large `table` as lines.
fn large_table(table: &Handle, make: &Make<'_>) -> Option<Handle> {
    let rows: usize = table.children.borrow().iter().map(|part| part.children.borrow().len()).sum();
    let (mut open, mut text) = (vec![table.clone()], String::new());
    while let Some(node) = open.pop().filter(|_| rows > MAX_ROWS) {
        match name(&node) {
            "td" | "th" | "caption" => {
                // A line or a block in a cell is another word.
                let breaks = ["<br", "<p", "<div", "<li", "<h"].into_iter();
                let cell = breaks.fold(source(&node), |cell, tag| cell.replace(tag, &format!(" {tag}")));
                text += &(words(&strip_tags(&cell)) + "  ");
            }
            of => {
                text.push_str(if of == "tr" { "\n" } else { "" });
                open.extend(node.children.borrow().iter().rev().cloned());
            }
        }
    }
    if text.is_empty() { None } else { make.element("pre", "", &escape(&text)) }
}

/// The texts of a drawing, each on a line of its own.
fn drawn_text(drawing: &Handle, make: &Make<'_>) -> Option<Handle> {
    let (mut open, mut lines) = (vec![drawing.clone()], Vec::new());
    while let Some(node) = open.pop() {
        match name(&node) {
            "defs" | "title" | "desc" | "metadata" | "style" => {}
            "text" | "foreignObject" => {
                // A part with a place of its own is another word.
                let text = strip_tags(
                    &source(&node).replace("<tspan x=", " <tspan x=").replace("<tspan dy=", " <tspan dy="),
                );
                lines.extend(Some(words(&text)).filter(|line| !line.is_empty()));
            }
            _ => open.extend(node.children.borrow().iter().rev().cloned()),
        }
    }
    let lines: Vec<Handle> = lines.iter().filter_map(|line| make.block(line)).collect();
    if lines.is_empty() { None } else { rename(drawing, "div", lines) }
}

/// The mark of a picture without an address, such as one that a script loads later. `html2text` has the others.
pub(super) fn picture(node: &Node) -> Option<String> {
    let has_address = attribute(node, "src").is_some_and(|source| !source.is_empty());
    alternative(node).filter(|_| !has_address)
}

fn alternative(node: &Node) -> Option<String> {
    let text = words(&attribute(node, "alt")?);
    (!text.is_empty()).then(|| format!("[{text}]"))
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
    for found in attrs.borrow_mut().iter_mut().filter(|found| &*found.name.local == wanted) {
        found.value = value.into();
    }
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

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// Elements around items, beside those of authors, whose names have a hyphen.
const WRAPPERS: [&str; 4] = ["div", "form", "section", "span"];
/// Wrappers inside of each other up to this depth are looked into.
const MAX_WRAPPERS: usize = 8;

/// The ways to write numbers, by the values of the attribute `type`.
const FORMATS: [&str; 5] = ["1", "a", "A", "i", "I"];
/// How far the number of an item is from that of a list in the next format. Numbers in a page have 32 bits.
const STEP: i64 = 1 << 40;

/// The text of a number as `html2text` knows it, which has one sort of numbers.
pub(super) fn format_number(number: i64) -> String {
    let Some((index, value)) = split_number(number) else { return number.to_string() };
    u64::try_from(value)
        .map_or(value.to_string(), |value| NumberFormat::from_name(FORMATS[index]).show(value))
}

/// The index of the format of a number for `html2text`, and the number itself.
fn split_number(number: i64) -> Option<(usize, i64)> {
    let index = number.checked_add(STEP / 2)?.div_euclid(STEP);
    let found = usize::try_from(index).ok().filter(|index| *index < FORMATS.len())?;
    Some((found, number - index * STEP))
}

/// The list `node`, or what takes its place: several lists, as numbers jump in it, with what stands before the first item.
pub(super) fn replace_list(node: &Handle, make: &Make<'_>) -> Option<Handle> {
    let is_numbered = name(node) == "ol";
    let (mut before, items) = group_items(node, if is_numbered { &["li"] } else { &["dt", "dd"] });
    let lists = if is_numbered { split_at_jumps(node, items) } else { vec![(1, items)] };
    let start = attribute(node, "start").and_then(|start| start.parse().ok()).unwrap_or(1);
    if before.is_empty()
        && let [(first, _)] = lists[..]
        && (first == start || !is_numbered)
    {
        *node.children.borrow_mut() = lists.into_iter().flat_map(|(_, items)| items).collect();
        return None;
    }
    let model = make.element(name(node), "start", "")?;
    for (start, items) in lists {
        let list = rename(&model, name(node), items)?;
        set(&list, "start", &start.to_string());
        before.push(list);
    }
    rename(node, "span", before)
}

/// The nodes before the first item of a list, and its items, each with the nodes after it.
fn group_items(list: &Handle, items: &[&str]) -> (Vec<Handle>, Vec<Handle>) {
    let mut children = Vec::new();
    take_children(list).into_iter().for_each(|child| unwrap(child, items, 0, &mut children));
    let (mut before, mut kept) = (Vec::new(), Vec::<Handle>::new());
    let is_item = |node: &Handle| items.contains(&name(node));
    for run in children.chunk_by(|a, b| is_item(a) == is_item(b)) {
        if run.iter().all(is_item) {
            kept.extend_from_slice(run);
        } else if !run.iter().all(is_blank) {
            let strays = rename(list, "div", run.to_vec());
            match kept.last() {
                Some(item) => item.children.borrow_mut().extend(strays),
                None => before.extend(strays),
            }
        }
    }
    (before, kept)
}

fn is_blank(node: &Handle) -> bool {
    let is_text = || name(node).is_empty() && strip_tags(&source(node)).trim().is_empty();
    matches!(node.data, Comment { .. }) || is_text()
}

/// Adds `child` to `children`, or the items in it.
fn unwrap(child: Handle, items: &[&str], depth: usize, children: &mut Vec<Handle>) {
    if has_items(&child, items, depth) {
        take_children(&child).into_iter().for_each(|inner| unwrap(inner, items, depth + 1, children));
    } else {
        children.push(child);
    }
}

/// Whether `node` is around items of the list that it is in.
fn has_items(node: &Node, items: &[&str], depth: usize) -> bool {
    let is_wrapper = WRAPPERS.contains(&name(node)) || name(node).contains('-');
    let is_item = |inner: &Handle| items.contains(&name(inner)) || has_items(inner, items, depth + 1);
    is_wrapper && depth < MAX_WRAPPERS && node.children.borrow().iter().any(is_item)
}

/// The items of the list `node` in lists with the number of their first, in which no number jumps.
fn split_at_jumps(node: &Node, items: Vec<Handle>) -> Vec<(i64, Vec<Handle>)> {
    let is_reversed = attribute(node, "reversed").is_some();
    let start = attribute(node, "start").unwrap_or_default();
    // This function made the list.
    let made = start.parse().ok().and_then(split_number).filter(|(index, _)| *index > 0);
    let of_type = attribute(node, "type").and_then(|of| FORMATS.iter().position(|format| *format == of));
    let format = of_type.or(made.map(|(index, _)| index)).unwrap_or(0);
    let format = i64::try_from(format).unwrap_or(0) * STEP;
    let first = if is_reversed { i64::try_from(items.len()).unwrap_or(1) } else { 1 };
    let mut next = made.map(|(_, value)| value).or(integer(&start)).unwrap_or(first);
    let (mut lists, mut expected) = (Vec::<(i64, Vec<Handle>)>::new(), None);
    for item in items {
        let number = attribute(&item, "value").and_then(|value| integer(&value)).unwrap_or(next);
        match lists.last_mut().filter(|_| expected == Some(number)) {
            Some((_, list)) => list.push(item),
            None => lists.push((number + format, vec![item])),
        }
        expected = Some(number + 1);
        next = if is_reversed { number - 1 } else { number + 1 };
    }
    lists
}

/// The number at the start of `text`, as HTML reads one.
fn integer(text: &str) -> Option<i64> {
    let text = text.trim_ascii_start();
    let signs = usize::from(text.starts_with(['-', '+']));
    let digits = text[signs..].bytes().take_while(u8::is_ascii_digit).count();
    text[..signs + digits].parse::<i32>().ok().map(i64::from)
}
