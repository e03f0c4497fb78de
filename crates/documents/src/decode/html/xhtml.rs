//! Pages of XML (XHTML) as pages of HTML, where elements with a slash or a prefix mean something else.

use memchr::memmem::find;

use super::blocks::escape;
use super::tags::{COMMENT, DATA, Tags, attribute};

/// Elements that HTML closes itself.
const VOID: [&[u8]; 14] = [
    b"area", b"base", b"br", b"col", b"embed", b"hr", b"img", b"input", b"link", b"meta", b"param",
    b"source", b"track", b"wbr",
];

/// The namespaces that a page of HTML has without a prefix.
const NAMESPACES: [&str; 3] =
    ["http://www.w3.org/1999/xhtml", "http://www.w3.org/1998/Math/MathML", "http://www.w3.org/2000/svg"];

/// The most prefixes that are looked for, and the most bytes of the declaration of one.
const MAX_PREFIXES: usize = 16;
const MAX_DECLARATION: usize = 128;

/// The first bytes, in which a page says that it is XML.
const HEAD: usize = 4096;

/// Whether the page in UTF-8 is XHTML, or a drawing.
pub(super) fn is_xhtml(page: &[u8]) -> bool {
    let head = page[..page.len().min(HEAD)].to_ascii_lowercase();
    let has = |text: &str| find(&head, text.to_ascii_lowercase().as_bytes()).is_some();
    has(NAMESPACES[0]) || has(NAMESPACES[2]) && !has("html")
}

/// The page in UTF-8 as HTML: no element ends where it begins, and those that browsers know have no prefix.
pub(super) fn in_html(page: &[u8]) -> Vec<u8> {
    let prefixes = prefixes(page);
    let (mut html, mut copied) = (Vec::with_capacity(page.len()), 0);
    // The end of the last element that HTML closes itself.
    let mut after_void = None;
    for tag in (Tags { page, at: 0, is_xml: true }) {
        html.extend_from_slice(&page[copied..tag.start]);
        copied = tag.end;
        match tag.name {
            COMMENT => continue,
            DATA => {
                html.extend(escape(&String::from_utf8_lossy(tag.inner)).bytes());
                continue;
            }
            _ => {}
        }
        // A prefix that HTML does not have is not a part of the name.
        let plain = |prefix: &Vec<u8>| tag.name.strip_prefix(prefix.as_slice())?.strip_prefix(b":");
        let name = prefixes.iter().find_map(plain).unwrap_or(tag.name);
        let is_void = VOID.iter().any(|of| of.eq_ignore_ascii_case(name));
        // To HTML, the end of such an element is another one.
        if is_void && tag.is_end && after_void == Some(html.len()) {
            continue;
        }
        let attributes = tag.inner.strip_suffix(b"/").unwrap_or(tag.inner);
        html.extend([if tag.is_end { &b"</"[..] } else { b"<" }, name, attributes, b">"].concat());
        if tag.is_closed() && !is_void {
            html.extend([&b"</"[..], name, b">"].concat());
        }
        after_void = is_void.then_some(html.len());
    }
    html.extend_from_slice(&page[copied..]);
    html
}

/// The prefixes of elements that HTML has without one.
fn prefixes(page: &[u8]) -> Vec<Vec<u8>> {
    let mut prefixes: Vec<Vec<u8>> = Vec::new();
    for at in memchr::memmem::find_iter(page, b"xmlns:") {
        if prefixes.len() == MAX_PREFIXES {
            break;
        }
        let mut declaration = &page[at..page.len().min(at + MAX_DECLARATION)];
        let Some((name, value)) = attribute(&mut declaration) else { continue };
        let prefix = name.strip_prefix(b"xmlns:").unwrap_or_default();
        let is_known = NAMESPACES.iter().any(|of| of.as_bytes() == value);
        if is_known && !prefix.is_empty() && !prefixes.iter().any(|of| of == prefix) {
            prefixes.push(prefix.to_vec());
        }
    }
    prefixes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(page: &str) -> String {
        String::from_utf8(in_html(page.as_bytes())).unwrap()
    }

    #[test]
    fn elements_of_xml_are_those_of_html() {
        for (xml, html) in [
            ("<p>a</p>", "<p>a</p>"),
            ("<p/>b", "<p></p>b"),
            ("<a id='x' />b", "<a id='x' ></a>b"),
            ("<title/><body>x", "<title></title><body>x"),
            ("<script src=\"a.js\"/>x", "<script src=\"a.js\"></script>x"),
            ("a<br/>b<br></br>c<hr />", "a<br>b<br>c<hr >"),
            ("a</br>b", "a</br>b"),
            ("<script>'</b><!--'</script>c<!-- d -->", "<script>'</b><!--'</script>c"),
            // A slash and an angle bracket in a value.
            ("<a b=\"c/>d\">e</a>", "<a b=\"c/>d\">e</a>"),
            ("<a b=\"c'>d\"/>", "<a b=\"c'>d\"></a>"),
            ("a < b <> c </ d", "a < b <> c </ d"),
            ("<p", "<p"),
            ("<p a=\"b", "<p a=\"b"),
            ("a<!-- <p/> --><i>b</i>", "a<i>b</i>"),
            ("a<!-- b", "a"),
            ("<![CDATA[a<b & c]]>d", "a&lt;b &amp; cd"),
            ("<![CDATA[a", "a"),
            ("<script>if (a<b) {}</script>c", "<script>if (a<b) {}</script>c"),
            ("<x:p>a</x:p>", "<x:p>a</x:p>"),
        ] {
            assert_eq!(shown(xml), html, "{xml}");
        }
    }

    #[test]
    fn what_browsers_know_has_no_prefix() {
        for (namespace, expected) in [
            (NAMESPACES[0], "<b><p>x</p><hr></b>"),
            (NAMESPACES[1], "<b><p>x</p><hr></b>"),
            ("http://example.com", "<h:b><h:p>x</h:p><h:hr></h:hr></h:b>"),
            // The start of another name.
            ("http://www.w3.org/1999/xhtml2", "<h:b><h:p>x</h:p><h:hr></h:hr></h:b>"),
        ] {
            for declaration in [format!(" xmlns:h=\"{namespace}\""), format!(" xmlns:h = '{namespace}'")] {
                let page = format!("<h:b{declaration}><h:p>x</h:p><h:hr/></h:b>");
                assert_eq!(shown(&page).replace(&declaration, ""), expected, "{page}");
            }
        }
    }
}
