//! Pages that take a parser quadratic time: elements with very many attributes, and elements very deep in each other.

use std::borrow::Cow;

use memchr::{memchr, memmem};

/// Attributes of one element. A parser compares each with all before it.
const MAX_ATTRIBUTES: usize = 500;

/// Elements in each other, as in Chrome. A parser looks at all of them for each element.
const MAX_DEPTH: usize = 512;

/// Elements whose content is no markup.
const RAW: [&str; 8] = ["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"];

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
    let (mut at, mut depth, mut foreign) = (0, 0usize, 0usize);
    while let Some(found) = memchr(b'<', &page[at..]) {
        let start = at + found;
        let after = &page[start + 1..];
        if after.starts_with(b"!--") {
            at = memmem::find(&after[3..], b"-->").map_or(page.len(), |end| start + 4 + end);
            continue;
        }
        let is_end = after.starts_with(b"/");
        let after = &after[usize::from(is_end)..];
        let is_letter = |byte: &u8| !byte.is_ascii_whitespace() && !matches!(byte, b'/' | b'>');
        let letters = after.iter().position(|byte| !is_letter(byte)).unwrap_or(after.len());
        if !after.first().is_some_and(u8::is_ascii_alphabetic) {
            at = start + 1;
            continue;
        }
        let name = String::from_utf8_lossy(&after[..letters]).to_ascii_lowercase();
        let (end, cut, is_closed) = tag(page, page.len() - after.len() + letters);
        at = end;
        let is_foreign = matches!(&*name, "svg" | "math");
        let is_flat =
            FLAT.contains(&&*name) || RAW.contains(&&*name) || is_closed && (foreign > 0 || is_foreign);
        if !is_flat && !is_end {
            (depth, foreign) = (depth + 1, foreign + usize::from(is_foreign));
        }
        let left_out =
            if depth > MAX_DEPTH && !is_flat { Some((start, end)) } else { cut.map(|cut| (cut, end - 1)) };
        if let Some((from, to)) = left_out {
            kept.extend(&page[copied..from]);
            copied = to;
        }
        if !is_flat && is_end {
            (depth, foreign) = (depth.saturating_sub(1), foreign.saturating_sub(usize::from(is_foreign)));
        }
        if !is_end && RAW.contains(&&*name) {
            let ends = |at: &usize| {
                let close = page.get(at + 2..at + 2 + name.len());
                close.is_some_and(|close| close.eq_ignore_ascii_case(name.as_bytes()))
            };
            let mut closes = memmem::find_iter(&page[at..], b"</").map(|found| at + found);
            at = closes.find(ends).unwrap_or(page.len());
        }
    }
    if copied == 0 {
        return page.into();
    }
    kept.extend(&page[copied..]);
    kept.into()
}

/// A part of a tag.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Between,
    Name,
    Equals,
    Value,
    Quoted(u8),
}

/// The end of the tag whose name ends at `start`; where its first attribute begins that is one too many; and whether it ends
/// with `/>`.
fn tag(page: &[u8], start: usize) -> (usize, Option<usize>, bool) {
    let (mut part, mut attributes, mut cut) = (Part::Between, 0, None);
    for (at, byte) in page.iter().enumerate().skip(start) {
        let is_blank = byte.is_ascii_whitespace();
        part = match (part, byte) {
            (Part::Quoted(quote), byte) if *byte == quote => Part::Between,
            (Part::Quoted(_), _) => part,
            (_, b'>') => return (at + 1, cut, page[at - 1] == b'/'),
            (Part::Equals, b'"' | b'\'') => Part::Quoted(*byte),
            (Part::Equals, _) if is_blank => part,
            (Part::Equals | Part::Value, _) if !is_blank => Part::Value,
            (Part::Between | Part::Name, b'=') if attributes > 0 => Part::Equals,
            (_, b'/') => Part::Between,
            (_, _) if is_blank => Part::Between,
            (Part::Between, _) => {
                attributes += 1;
                if attributes == MAX_ATTRIBUTES + 1 {
                    cut = Some(at);
                }
                Part::Name
            }
            _ => part,
        };
    }
    (page.len(), None, false)
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
        assert_eq!(shown(&tag(3000)), tag(MAX_ATTRIBUTES).replace(">x</a>", " >x</a>"));
        let deep = |count: usize| format!("{}x{}", "<div a=1>".repeat(count), "</DIV >".repeat(count));
        assert_eq!(shown(&deep(MAX_DEPTH)), deep(MAX_DEPTH));
        assert_eq!(shown(&(deep(9000) + &deep(2))), deep(MAX_DEPTH) + &deep(2));
    }
}
