//! Pages of XML (XHTML) as pages of HTML, where elements with a slash or a prefix mean something else.

use memchr::memmem::find;

/// Elements that HTML closes itself.
const VOID: [&[u8]; 14] = [
    b"area", b"base", b"br", b"col", b"embed", b"hr", b"img", b"input", b"link", b"meta", b"param",
    b"source", b"track", b"wbr",
];

/// Elements whose content is not parsed.
const RAW: [&[u8]; 2] = [b"script", b"style"];

/// The namespaces that a page of HTML has without a prefix.
const NAMESPACES: [&str; 3] =
    ["http://www.w3.org/1999/xhtml", "http://www.w3.org/1998/Math/MathML", "http://www.w3.org/2000/svg"];

/// The most prefixes that are looked for.
const MAX_PREFIXES: usize = 16;

/// The first bytes, in which a page says that it is XML.
const HEAD: usize = 4096;

/// Whether the page in UTF-8 is XHTML.
pub(super) fn is_xhtml(page: &[u8]) -> bool {
    find(&page[..page.len().min(HEAD)], NAMESPACES[0].as_bytes()).is_some()
}

/// The page in UTF-8 as HTML: no element ends where it begins, and those that browsers know have no prefix.
pub(super) fn in_html(page: &[u8]) -> Vec<u8> {
    let prefixes = prefixes(page);
    let (mut html, mut rest) = (Vec::with_capacity(page.len()), page);
    // The end of the last element that HTML closes itself.
    let mut after_void = None;
    while let Some(at) = memchr::memchr(b'<', rest) {
        html.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        if let Some(text) = rest.strip_prefix(b"<![CDATA[") {
            let end = find(text, b"]]>").unwrap_or(text.len());
            push_escaped(&mut html, &text[..end]);
            rest = text.get(end + 3..).unwrap_or_default();
            continue;
        }
        if rest.starts_with(b"<!--") {
            let end = find(rest, b"-->").map_or(rest.len(), |at| at + 3);
            rest = &rest[end..];
            continue;
        }
        let name = &rest[if rest.starts_with(b"</") { 2 } else { 1 }..];
        if !name.first().is_some_and(u8::is_ascii_alphabetic) {
            html.push(b'<');
            rest = &rest[1..];
            continue;
        }
        // A tag without an end is the last.
        let Some(tag) = Tag::read(rest) else { break };
        rest = &rest[tag.length..];
        let name = tag.plain_name(&prefixes);
        let is_void = VOID.iter().any(|of| of.eq_ignore_ascii_case(name));
        // To HTML, the end of such an element is another one.
        if is_void && tag.is_end && after_void == Some(html.len()) {
            continue;
        }
        tag.write(name, is_void, &mut html);
        after_void = is_void.then_some(html.len());
        if !tag.is_end && !tag.is_empty && RAW.iter().any(|name| name.eq_ignore_ascii_case(tag.name)) {
            let is_end = |at: &usize| {
                let name = rest.get(at + 2..at + 2 + tag.name.len());
                name.is_some_and(|name| name.eq_ignore_ascii_case(tag.name))
            };
            let end = memchr::memmem::find_iter(rest, b"</").find(is_end).unwrap_or(rest.len());
            html.extend_from_slice(&rest[..end]);
            rest = &rest[end..];
        }
    }
    html.extend_from_slice(rest);
    html
}

/// The start or the end of an element.
struct Tag<'a> {
    name: &'a [u8],
    /// The text after the name, without a slash at the end.
    attributes: &'a [u8],
    is_end: bool,
    is_empty: bool,
    length: usize,
}

impl<'a> Tag<'a> {
    /// The tag at the start of `text`; `None` if it has no end.
    fn read(text: &'a [u8]) -> Option<Self> {
        let start = if text.starts_with(b"</") { 2 } else { 1 };
        let name = text.get(start..)?;
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'-' | b'_' | b'.');
        let name = &name[..name.iter().take_while(|byte| is_name(byte)).count()];
        let mut quote = None;
        let end = text.iter().position(|byte| {
            match (quote, byte) {
                (None, b'>') => return true,
                (None, b'"' | b'\'') => quote = Some(*byte),
                (Some(open), byte) if open == *byte => quote = None,
                _ => {}
            }
            false
        })?;
        let inner = &text[start + name.len()..end];
        let attributes = inner.strip_suffix(b"/").unwrap_or(inner);
        let (is_end, is_empty) = (start == 2, attributes.len() < inner.len());
        Some(Tag { name, attributes, is_end, is_empty, length: end + 1 })
    }

    /// The name, without a prefix that HTML does not have.
    fn plain_name(&self, prefixes: &[Vec<u8>]) -> &'a [u8] {
        let plain = |prefix: &Vec<u8>| self.name.strip_prefix(prefix.as_slice())?.strip_prefix(b":");
        prefixes.iter().find_map(plain).unwrap_or(self.name)
    }

    fn write(&self, name: &[u8], is_void: bool, html: &mut Vec<u8>) {
        html.extend_from_slice(if self.is_end { b"</" } else { b"<" });
        html.extend_from_slice(name);
        html.extend_from_slice(self.attributes);
        html.push(b'>');
        if self.is_empty && !is_void {
            html.extend_from_slice(b"</");
            html.extend_from_slice(name);
            html.push(b'>');
        }
    }
}

/// The prefixes of elements that HTML has without one.
fn prefixes(page: &[u8]) -> Vec<Vec<u8>> {
    let mut prefixes: Vec<Vec<u8>> = Vec::new();
    for at in memchr::memmem::find_iter(page, b"xmlns:") {
        if prefixes.len() == MAX_PREFIXES {
            break;
        }
        let declaration = &page[at + b"xmlns:".len()..];
        let Some(equals) = declaration.iter().take(32).position(|byte| *byte == b'=') else { continue };
        let prefix = declaration[..equals].trim_ascii();
        let value = declaration[equals + 1..].trim_ascii_start();
        let value = value.strip_prefix(b"\"").or_else(|| value.strip_prefix(b"'")).unwrap_or_default();
        let is_known = NAMESPACES.iter().any(|of| {
            value.strip_prefix(of.as_bytes()).is_some_and(|rest| matches!(rest.first(), Some(b'"' | b'\'')))
        });
        if is_known && !prefix.is_empty() && !prefixes.iter().any(|of| of == prefix) {
            prefixes.push(prefix.to_vec());
        }
    }
    prefixes
}

fn push_escaped(html: &mut Vec<u8>, text: &[u8]) {
    for byte in text {
        match byte {
            b'<' => html.extend_from_slice(b"&lt;"),
            b'&' => html.extend_from_slice(b"&amp;"),
            byte => html.push(*byte),
        }
    }
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
