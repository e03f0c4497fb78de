//! The charset of a page: what the user names, its byte order mark, the server, its own declaration, else a guess.

use std::borrow::Cow;

use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use serde::{Deserialize, Serialize};

use super::tags::{Tags, attribute};

/// Attributes of one element `meta` that are looked at. Each is compared with all before it.
const MAX_ATTRIBUTES: usize = 100;

/// Labels of the charset of a page that do not stand in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Charset {
    /// The user names it; nothing contradicts it.
    pub named: String,
    /// The server states it.
    pub stated: String,
    /// The bytes of a page that declares none look like it.
    pub guessed: String,
}

/// `page` in UTF-8, and the label that its bytes contradict.
pub(super) fn in_utf8<'a>(page: &'a [u8], charset: &Charset) -> (Cow<'a, [u8]>, Option<String>) {
    let (encoding, contradicted) = choose(page, charset);
    let text = match encoding.decode(page).0 {
        Cow::Borrowed(text) => text.as_bytes().into(),
        Cow::Owned(text) => text.into_bytes().into(),
    };
    (text, contradicted)
}

fn choose(page: &[u8], charset: &Charset) -> (&'static Encoding, Option<String>) {
    if let Some(named) = Encoding::for_label(charset.named.as_bytes()) {
        return (named, None);
    }
    if let Some((marked, _)) = Encoding::for_bom(page) {
        return (marked, None);
    }
    let is_utf8 = simdutf8::basic::from_utf8(page).is_ok();
    let labelled = Encoding::for_label(charset.stated.as_bytes()).or_else(|| declared(page));
    let contradicted = labelled.filter(|encoding| is_contradicted(encoding, page, is_utf8));
    let found = match labelled.filter(|_| contradicted.is_none()) {
        Some(encoding) => encoding,
        None if is_utf8 && charset.guessed.is_empty() => UTF_8,
        None => Encoding::for_label(charset.guessed.as_bytes()).unwrap_or(WINDOWS_1252),
    };
    (found, contradicted.map(|encoding| encoding.name().to_ascii_lowercase()))
}

/// Whether `page` cannot be in the charset of its label: it is UTF-8 beyond ASCII, or has sequences that the charset lacks, more
/// than damage makes.
fn is_contradicted(encoding: &'static Encoding, page: &[u8], is_utf8: bool) -> bool {
    if is_utf8 {
        return encoding != UTF_8 && encoding != ISO_2022_JP && !page.is_ascii();
    }
    let (text, had_errors) = encoding.decode_without_bom_handling(page);
    let bad = text.chars().filter(|c| *c == '\u{FFFD}').count();
    had_errors && bad * 2 > text.chars().filter(|c| !c.is_ascii()).count()
}

/// The charset that `page` declares: by the HTML standard, "prescan a byte stream to determine its encoding". Browsers look at
/// 1024 bytes, and meet later elements `meta` of the head while they parse.
fn declared(page: &[u8]) -> Option<&'static Encoding> {
    let starts = Tags { page, at: 0, is_xml: false }.filter(|tag| !tag.is_end);
    let of_head = starts.take_while(|tag| !tag.is(b"body")).filter(|tag| tag.is(b"meta"));
    let labelled = || of_head.into_iter().find_map(|tag| of_meta(tag.inner));
    // A page whose declaration can be read as ASCII is not in UTF-16.
    xml_encoding(page).or_else(labelled).map(|encoding| match encoding {
        _ if encoding == UTF_16LE || encoding == UTF_16BE => UTF_8,
        _ if encoding == X_USER_DEFINED => WINDOWS_1252,
        _ => encoding,
    })
}

/// The encoding of an XML declaration.
fn xml_encoding(page: &[u8]) -> Option<&'static Encoding> {
    let mut rest = page.strip_prefix(b"<?xml")?;
    let mut attributes = std::iter::from_fn(|| attribute(&mut rest));
    Encoding::for_label(attributes.find(|(name, _)| *name == b"encoding")?.1)
}

/// The encoding that the `attributes` of an element `meta` name.
fn of_meta(mut attributes: &[u8]) -> Option<&'static Encoding> {
    let (mut is_pragma, mut by_charset, mut by_content) = (false, None, None);
    let mut seen: Vec<Vec<u8>> = Vec::new();
    while let Some((name, value)) = attribute(&mut attributes) {
        let (name, value) = (name.to_ascii_lowercase(), value.to_ascii_lowercase());
        if seen.len() >= MAX_ATTRIBUTES || seen.contains(&name) {
            continue;
        }
        match &*name {
            b"http-equiv" => is_pragma |= value == b"content-type",
            b"content" => by_content = in_content(&value),
            b"charset" => by_charset = Some(Encoding::for_label(&value)),
            _ => {}
        }
        seen.push(name);
    }
    by_charset.unwrap_or(by_content.filter(|_| is_pragma))
}

/// The encoding in the value of `content`: `text/html; charset=…`.
fn in_content(value: &[u8]) -> Option<&'static Encoding> {
    let label = |at: usize| {
        let (name, label) = attribute(&mut &value[at..])?;
        (name == b"charset" && !label.is_empty()).then_some(label)
    };
    let label = memchr::memmem::find_iter(value, b"charset").find_map(label)?;
    Encoding::for_label(label.split(|byte| *byte == b';').next()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_is_found_as_browsers_find_it() {
        let gbk = Some(encoding_rs::GBK);
        for (head, expected) in [
            ("<meta charset=gbk>", gbk),
            ("<META CHARSET = 'gb2312' >", gbk),
            ("<meta/charset=\"gbk\"/>", gbk),
            ("<meta name=a content=b charset=gbk>", gbk),
            ("<meta http-equiv=Content-Type content=\"text/html; charset=gbk\">", gbk),
            ("<meta content=\"text/html; charset='gbk' x\" http-equiv=content-type>", gbk),
            ("<meta content=\"text/html; charset=gbk\">", None),
            ("<!-- <meta charset=big5> --><meta charset=gbk>", gbk),
            ("<!--><meta charset=gbk>", gbk),
            ("<!-- > <meta charset=gbk>", None),
            ("<a title='<meta charset=big5>'><meta charset=gbk>", gbk),
            ("<script>'<meta charset=big5>'</script><meta charset=gbk>", gbk),
            ("<title><meta charset=big5></title><meta charset=gbk>", gbk),
            ("<metadata charset=big5><meta charset=gbk>", gbk),
            ("<meta charset=nonsense><meta charset=gbk>", gbk),
            ("<meta charset=gbk charset=big5>", gbk),
            ("<body><meta charset=gbk>", None),
            ("<?xml version='1.0' encoding='gbk'?>", gbk),
            ("<meta charset=utf-16>", Some(UTF_8)),
            ("<meta charset=x-user-defined>", Some(WINDOWS_1252)),
            ("<meta charset", None),
        ] {
            assert_eq!(declared(head.as_bytes()), expected, "{head}");
        }
        let far = format!("<html><head><style>{}</style><meta charset=gbk>", "p { }\n".repeat(9000));
        assert_eq!(declared(far.as_bytes()), gbk);
    }

    #[test]
    fn bytes_contradict_a_label_and_nothing_contradicts_the_user() {
        let of = |page: &str, charset: &Charset, label: &str| {
            let bytes = Encoding::for_label(label.as_bytes()).unwrap().encode(page).0.into_owned();
            let (text, contradicted) = in_utf8(&bytes, charset);
            (String::from_utf8_lossy(&text).into_owned() == page, contradicted)
        };
        let stated = |label: &str| Charset { stated: label.to_owned(), ..Charset::default() };
        let russian = "<meta charset=windows-1251>Ещё немного русского текста";
        assert_eq!(of(russian, &Charset::default(), "windows-1251"), (true, None));
        assert_eq!(of(russian, &Charset::default(), "utf-8"), (true, Some("windows-1251".to_owned())));
        assert_eq!(of(russian, &stated("koi8-r"), "koi8-r"), (true, None));
        assert_eq!(of("Grüße", &stated("utf-8"), "windows-1252"), (true, Some("utf-8".to_owned())));
        assert_eq!(of("Grüße", &stated("utf-8"), "utf-8"), (true, None));
        let named = Charset { named: "koi8-r".to_owned(), ..stated("utf-8") };
        assert_eq!(of("Ещё", &named, "koi8-r"), (true, None));
        let guessed = Charset { guessed: "koi8-r".to_owned(), ..Charset::default() };
        assert_eq!(of("Ещё", &guessed, "koi8-r"), (true, None));
    }
}
