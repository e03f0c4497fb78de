//! The text of a page that is in attributes: values of fields, labels of choices, pictures.

use html2text::Handle;

use super::nodes::{Make, Node, attribute, name, plain, renamed, source, taken};

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
pub(super) fn shown(node: &Node) -> Option<String> {
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
pub(super) fn labelled(node: &Handle, make: &Make<'_>) -> Option<Handle> {
    let label = attribute(node, "label").filter(|label| !label.trim().is_empty());
    let is_hidden = name(node) == "option" && !plain(&source(node)).trim().is_empty();
    let label = label.filter(|_| !is_hidden).and_then(|label| make.block(&label));
    renamed(node, "div", label.into_iter().chain(taken(node)).collect())
}
