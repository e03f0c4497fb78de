//! The tags of a page as its bytes have them, before a parser sees it.

use memchr::{memchr, memmem};

/// Elements whose content is no markup.
const RAW: [&[u8]; 8] =
    [b"script", b"style", b"textarea", b"title", b"xmp", b"iframe", b"noembed", b"noframes"];

/// The names of comments, and of text in XML that is no markup.
pub(super) const COMMENT: &[u8] = b"!--";
pub(super) const DATA: &[u8] = b"![CDATA[";

/// How both end, and the first byte after `<` that may belong to the end: the dashes of a comment's start may be those of
/// its end.
const SPECIAL: [(&[u8], &[u8], usize); 2] = [(COMMENT, b"-->", 1), (DATA, b"]]>", DATA.len())];

/// The start or the end of an element, a comment, or text in XML that is no markup.
pub(super) struct Tag<'a> {
    /// The offset in the page, and that of what comes after it.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) name: &'a [u8],
    /// The text after the name.
    pub(super) inner: &'a [u8],
    /// The end of an element, as `</a>`.
    pub(super) is_end: bool,
}

impl Tag<'_> {
    pub(super) fn is(&self, name: &[u8]) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    pub(super) fn is_raw(&self) -> bool {
        RAW.iter().any(|name| self.is(name))
    }

    /// Whether there is a slash at its end.
    pub(super) fn is_closed(&self) -> bool {
        self.inner.ends_with(b"/")
    }
}

/// The tags of a page. A tag without an end is not among them.
pub(super) struct Tags<'a> {
    pub(super) page: &'a [u8],
    pub(super) at: usize,
    pub(super) is_xml: bool,
}

impl<'a> Iterator for Tags<'a> {
    type Item = Tag<'a>;

    fn next(&mut self) -> Option<Tag<'a>> {
        let page = self.page;
        loop {
            let start = self.at + memchr(b'<', &page[self.at..])?;
            let is_end = page[start + 1..].starts_with(b"/");
            let text = &page[start + 1 + usize::from(is_end)..];
            let is_special =
                |name: &[u8]| !is_end && text.starts_with(name) && (self.is_xml || name == COMMENT);
            if let Some((name, mark, skipped)) = SPECIAL.into_iter().find(|(name, ..)| is_special(name)) {
                let inner = &text[skipped..];
                let length = memmem::find(inner, mark).unwrap_or(inner.len());
                self.at = (start + 1 + skipped + length + mark.len()).min(page.len());
                return Some(Tag { start, end: self.at, name, inner: &inner[..length], is_end });
            }
            self.at = start + 1;
            if !text.first().is_some_and(u8::is_ascii_alphabetic) {
                continue;
            }
            let is_name = |byte: &u8| !byte.is_ascii_whitespace() && !matches!(byte, b'/' | b'>');
            let (name, inner) = text.split_at(text.iter().take_while(|byte| is_name(byte)).count());
            let mut rest = inner;
            while attribute(&mut rest).is_some() {}
            let inner = &inner[..inner.len() - rest.len()];
            self.at = page.len() - rest.len();
            let inner = inner.strip_suffix(b">")?;
            let tag = Tag { start, end: self.at, name, inner, is_end };
            if tag.is_raw() && !is_end && !(self.is_xml && tag.is_closed()) {
                self.at = end_of_raw(page, tag.end, name);
            }
            return Some(tag);
        }
    }
}

/// The offset of the tag that ends the element `name`, whose content begins at `start`.
fn end_of_raw(page: &[u8], start: usize, name: &[u8]) -> usize {
    let is_its = |at: &usize| {
        page.get(at + 2..at + 2 + name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name))
    };
    memmem::find_iter(&page[start..], b"</").map(|at| start + at).find(is_its).unwrap_or(page.len())
}

/// The name and the value of the next attribute of a tag; `None` at its end, which `rest` is after then.
pub(super) fn attribute<'a>(rest: &mut &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace();
    skip(rest, |byte| is_blank(byte) || *byte == b'/');
    let start = *rest;
    let (first, after) = rest.split_first()?;
    *rest = after;
    if *first == b'>' {
        return None;
    }
    // An equals sign at its start is a part of the name.
    skip(rest, |byte| !is_blank(byte) && !b"=/>".contains(byte));
    let name = &start[..start.len() - rest.len()];
    skip(rest, is_blank);
    let Some(value) = rest.strip_prefix(b"=") else { return Some((name, b"")) };
    *rest = value;
    skip(rest, is_blank);
    let value = match rest.first() {
        Some(quote @ (b'"' | b'\'')) => {
            *rest = &rest[1..];
            let value = skip(rest, |byte| byte != quote);
            *rest = rest.get(1..).unwrap_or_default();
            value
        }
        _ => skip(rest, |byte| !is_blank(byte) && *byte != b'>'),
    };
    Some((name, value))
}

/// Takes the bytes at the start of `rest` for which `is_skipped` is true.
fn skip<'a>(rest: &mut &'a [u8], is_skipped: impl Fn(&u8) -> bool) -> &'a [u8] {
    let length = rest.iter().position(|byte| !is_skipped(byte)).unwrap_or(rest.len());
    rest.split_off(..length).unwrap_or_default()
}
