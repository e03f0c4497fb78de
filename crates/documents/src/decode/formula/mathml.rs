//! Formulas of MathML, in OpenDocument and in web pages.

use super::element::Element;
use super::line::{add_accent, fraction, join, matrix, root, scripts, stack};
use crate::decode::numerals::Script;

/// Operators that have limits and stand before what they are of.
const LARGE: [char; 12] = ['∑', '∏', '∐', '∫', '∬', '∭', '∮', '⋂', '⋃', '⋀', '⋁', '⨁'];

/// The text of an element, whatever it is.
pub(super) fn text(element: &Element) -> String {
    let children = &element.children;
    let part = |index: usize| children.get(index).map(text).unwrap_or_default();
    match element.name.as_str() {
        "mi" | "mn" | "ms" | "mtext" | "mo" if children.is_empty() => token(element),
        "mfrac" => {
            let is_stacked = element
                .attribute("linethickness")
                .is_some_and(|width| width.trim_start_matches(['0', '.']).chars().all(char::is_alphabetic));
            if is_stacked { stack(&part(0), &part(1)) } else { fraction(&part(0), &part(1)) }
        }
        "msqrt" => root("", &row(children)),
        "mroot" => root(&part(1), &part(0)),
        "msup" => scripts(&part(0), "", &part(1)),
        "msub" => scripts(&part(0), &part(1), ""),
        "msubsup" | "munderover" => scripts(&part(0), &part(1), &part(2)),
        // A brace only shows how far its neighbour goes.
        "mover" | "munder" if is_brace(&part(1)) => part(0),
        "mover" => add_accent(&part(0), &part(1)),
        "munder" => match part(1).as_str() {
            "_" | "¯" | "‾" | "\u{332}" => add_accent(&part(0), "\u{332}"),
            below => scripts(&part(0), below, ""),
        },
        "mmultiscripts" => multiscripts(children),
        "mfenced" => fenced(element),
        "mtable" => {
            let rows = children.iter().map(|row| row.children.iter().map(text).collect());
            let rows: Vec<Vec<String>> = rows.collect();
            matrix(&rows)
        }
        // Rows of a sum or a division in columns, whose numbers would become one.
        "mstack" | "mlongdiv" | "msgroup" => join_with(children, "; "),
        "mscarries" => join_with(children, " "),
        "mphantom" | "annotation" | "annotation-xml" | "none" | "mprescripts" => String::new(),
        "semantics" | "maction" => part(0),
        "mspace" => " ".to_owned(),
        _ if children.is_empty() => token(element),
        _ => row(children),
    }
}

fn join_with(children: &[Element], separator: &str) -> String {
    let parts: Vec<String> = children.iter().map(text).filter(|part| !part.is_empty()).collect();
    parts.join(separator)
}

fn is_brace(text: &str) -> bool {
    let mut signs = text.chars();
    signs.next().is_some_and(|sign| matches!(sign, '⏞' | '⏟' | '⏜' | '⏝' | '⎴' | '⎵'))
        && signs.next().is_none()
}

/// The text of a token, with one blank for white space in it, and without operators that nobody sees.
fn token(element: &Element) -> String {
    let is_visible = |c: &char| !matches!(c, '\u{2061}'..='\u{2064}');
    let words: Vec<&str> = element.text.split_whitespace().collect();
    words.join(" ").chars().filter(is_visible).collect()
}

fn row(children: &[Element]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut rest = children.iter().peekable();
    while let Some(child) = rest.next() {
        let part = text(child);
        // A sum with limits stands apart from what it is of.
        let is_large = part.starts_with(LARGE) && part.chars().count() > 1 && rest.peek().is_some();
        // The name of a function stands apart from its argument.
        let is_name = child.name == "mi"
            && part.chars().count() > 1
            && rest
                .peek()
                .is_some_and(|next| matches!(next.name.as_str(), "mi" | "mn" | "msup" | "msub" | "mfrac"));
        parts.push(part);
        if is_large || is_name {
            parts.push(" ".to_owned());
        }
    }
    join(parts)
}

fn fenced(element: &Element) -> String {
    let separators: Vec<char> =
        element.attribute("separators").unwrap_or(",").chars().filter(|c| !c.is_whitespace()).collect();
    let mut inner = String::new();
    for (index, child) in element.children.iter().enumerate() {
        if index > 0
            && let Some(separator) = separators.get(index - 1).or(separators.last())
        {
            inner.push(*separator);
        }
        inner.push_str(&text(child));
    }
    format!(
        "{}{inner}{}",
        element.attribute("open").unwrap_or("("),
        element.attribute("close").unwrap_or(")")
    )
}

/// A base with pairs of an index and an exponent after it, and after `mprescripts` before it.
fn multiscripts(children: &[Element]) -> String {
    let Some((base, rest)) = children.split_first() else { return String::new() };
    let at = rest.iter().position(|child| child.name == "mprescripts").unwrap_or(rest.len());
    let (after, before) = (&rest[..at], rest.get(at + 1..).unwrap_or_default());
    let pairs = |list: &[Element]| -> String {
        let of =
            |script: Script, element: Option<&Element>| match element.map(text).unwrap_or_default().trim() {
                "" => String::new(),
                text => script.of(text),
            };
        list.chunks(2)
            .map(|pair| of(Script::Lowered, pair.first()) + &of(Script::Raised, pair.get(1)))
            .collect()
    };
    pairs(before) + &text(base) + &pairs(after)
}
