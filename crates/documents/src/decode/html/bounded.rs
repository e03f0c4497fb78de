//! Pages that take a parser quadratic time: elements with very many attributes, and elements very deep in each other.

use std::borrow::Cow;

use super::tags::{COMMENT, Tag, Tags, attribute};

/// Attributes of one element. A parser compares each with all before it.
const MAX_ATTRIBUTES: usize = 500;

/// Elements in each other, as in Chrome. A parser looks at all of them for each element.
const MAX_DEPTH: usize = 512;

/// Elements that have no end tag, or end without one: many of them are no deeper than one.
#[rustfmt::skip]
const FLAT: [&str; 38] = [
    "area", "base", "body", "br", "caption", "col", "colgroup", "dd", "dt", "embed", "frame", "head", "hr", "html",
    "image", "img", "input", "keygen", "li", "link", "meta", "optgroup", "option", "p", "param", "rb", "rp", "rt",
    "rtc", "source", "tbody", "td", "tfoot", "th", "thead", "tr", "track", "wbr",
];

/// The page without attributes that are too many, and without the tags of elements that are too deep; text stays.
pub(super) fn bounded(page: &[u8]) -> Cow<'_, [u8]> {
    let (mut kept, mut copied) = (Vec::new(), 0);
    let (mut depth, mut foreign) = (0usize, 0usize);
    for tag in (Tags { page, at: 0, is_xml: false }).filter(|tag| tag.name != COMMENT) {
        let name = String::from_utf8_lossy(tag.name).to_ascii_lowercase();
        let is_foreign = matches!(&*name, "svg" | "math");
        let is_flat =
            FLAT.contains(&&*name) || tag.is_raw() || tag.is_closed() && (foreign > 0 || is_foreign);
        if !is_flat && !tag.is_end {
            (depth, foreign) = (depth + 1, foreign + usize::from(is_foreign));
        }
        let is_deep = depth > MAX_DEPTH && !is_flat;
        if let Some((from, to)) = if is_deep { Some((tag.start, tag.end)) } else { surplus(&tag) } {
            kept.extend(&page[copied..from]);
            copied = to;
        }
        if !is_flat && tag.is_end {
            (depth, foreign) = (depth.saturating_sub(1), foreign.saturating_sub(usize::from(is_foreign)));
        }
    }
    if copied == 0 {
        return page.into();
    }
    kept.extend(&page[copied..]);
    kept.into()
}

/// The start and the end of the attributes of `tag` that are too many.
fn surplus(tag: &Tag<'_>) -> Option<(usize, usize)> {
    let mut rest = tag.inner;
    let has_many = rest.len() > MAX_ATTRIBUTES && (0..MAX_ATTRIBUTES).all(|_| attribute(&mut rest).is_some());
    let end = tag.end - 1;
    let start = end - rest.len();
    (has_many && attribute(&mut rest).is_some()).then_some((start, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(page: &str) -> String {
        String::from_utf8(bounded(page.as_bytes()).into_owned()).unwrap()
    }

    #[test]
    fn ordinary_pages_stay() {
        let many = "<p>a<li>b<br>".repeat(5000);
        let script = format!("<script>{}</script><!-- {} -->", "'<div>'".repeat(5000), "<div>".repeat(5000));
        let icons = format!("<svg>{}</svg>", "<path d='a > b'/>".repeat(5000));
        let pairs = "<div class=\"a>b\" hidden>x</div>".repeat(5000);
        for page in [
            &many,
            &script,
            &icons,
            &pairs,
            "a < b <3 </> <",
            "<div",
            "<div a='",
            "<div a",
            "<!--",
            "<script>",
        ] {
            assert_eq!(shown(page), *page);
        }
    }

    #[test]
    fn too_many_attributes_and_too_deep_elements_are_left_out() {
        let tag = |count: usize| {
            format!("<a{}>x</a>", (0..count).map(|n| format!(" b{n}='>'")).collect::<String>())
        };
        assert_eq!(shown(&tag(MAX_ATTRIBUTES)), tag(MAX_ATTRIBUTES));
        assert_eq!(shown(&tag(3000)), tag(MAX_ATTRIBUTES));
        let deep = |count: usize| format!("{}x{}", "<div a=1>".repeat(count), "</DIV >".repeat(count));
        assert_eq!(shown(&deep(MAX_DEPTH)), deep(MAX_DEPTH));
        assert_eq!(shown(&(deep(9000) + &deep(2))), deep(MAX_DEPTH) + &deep(2));
    }
}
