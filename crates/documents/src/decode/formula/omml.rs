//! Formulas of Office Open XML (ECMA-376, 22.1).

use super::element::Element;
use super::line::{add_accent, fraction, join, large, matrix, root, scripts, stack};
use crate::decode::numerals::Script;

/// The text of an element, whatever it is.
pub(super) fn text(element: &Element) -> String {
    let part = |name: &str| element.child(name).map(text).unwrap_or_default();
    let property = |name: &str| property(element, name);
    match element.name.as_str() {
        "t" => element.text.clone(),
        "br" => "\n".to_owned(),
        "f" => match property("type") {
            Some("noBar") => stack(&part("num"), &part("den")),
            _ => fraction(&part("num"), &part("den")),
        },
        "rad" => root(&part("deg"), &part("e")),
        "sSup" => scripts(&part("e"), "", &part("sup")),
        "sSub" => scripts(&part("e"), &part("sub"), ""),
        "sSubSup" => scripts(&part("e"), &part("sub"), &part("sup")),
        "sPre" => {
            let of = |script: Script, name: &str| match part(name).trim() {
                "" => String::new(),
                text => script.of(text),
            };
            of(Script::Lowered, "sub") + &of(Script::Raised, "sup") + &part("e")
        }
        "nary" => large(property("chr").unwrap_or("∫"), &part("sub"), &part("sup"), &part("e")),
        "limLow" => scripts(&part("e"), &part("lim"), ""),
        "limUpp" => scripts(&part("e"), "", &part("lim")),
        "func" => {
            let (name, of) = (part("fName"), part("e"));
            let separator = if of.is_empty() || of.starts_with(['(', '[', '{', '|']) { "" } else { " " };
            name + separator + &of
        }
        "d" => {
            let parts: Vec<String> =
                element.children.iter().filter(|child| child.name == "e").map(text).collect();
            let (begin, end) = (property("begChr").unwrap_or("("), property("endChr").unwrap_or(")"));
            format!("{begin}{}{end}", parts.join(property("sepChr").unwrap_or("|")))
        }
        "m" => matrix(&rows(element)),
        "eqArr" => {
            element.children.iter().filter(|child| child.name == "e").map(text).collect::<Vec<_>>().join("; ")
        }
        "acc" => add_accent(&part("e"), property("chr").unwrap_or("\u{302}")),
        "bar" => add_accent(&part("e"), if property("pos") == Some("top") { "\u{305}" } else { "\u{332}" }),
        "phant" if matches!(property("show"), Some("0" | "false" | "off")) => String::new(),
        // The lines of a paragraph of formulas.
        "oMathPara" => {
            element.children.iter().map(text).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
        }
        // Properties have no text; an unknown element has that of its parts.
        name if name.ends_with("Pr") => String::new(),
        _ => join(element.children.iter().map(text)),
    }
}

/// The value of a property in the list of them, such as `chr` in `naryPr`.
fn property<'e>(element: &'e Element, name: &str) -> Option<&'e str> {
    let list = element.children.iter().find(|child| child.name.ends_with("Pr") && child.name != "ctrlPr")?;
    let property = list.child(name)?;
    // A character without a value is none, and a switch without one is on.
    Some(property.attribute("val").unwrap_or(if name.ends_with("hr") { "" } else { "1" }))
}

fn rows(element: &Element) -> Vec<Vec<String>> {
    let rows = element.children.iter().filter(|child| child.name == "mr");
    rows.map(|row| row.children.iter().filter(|child| child.name == "e").map(text).collect()).collect()
}
