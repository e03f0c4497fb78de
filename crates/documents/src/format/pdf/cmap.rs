//! Maps from glyphs to characters (`ToUnicode`, ISO 32000-2, 9.10.3) that are refused whole because of one entry.
//!
//! A glyph without a text of its own, such as a mark that another one includes, has an empty text in the map:
//! `<0012> <>`. Some programs write that, WeasyPrint for one, and hayro 0.9 then reads no character of the font.

use std::borrow::Cow;
use std::collections::HashSet;

use hayro_interpret::hayro_syntax::object::dict::keys::TO_UNICODE;
use hayro_interpret::hayro_syntax::object::{Dict, Stream};
use hayro_interpret::hayro_syntax::{Filter, Pdf};
use memchr::memmem::find;
use miniz_oxide::deflate::compress_to_vec_zlib;

/// The level with the smallest result: the map must have room where it was.
const SMALLEST: u8 = 10;

/// [`SILENT`](super::glyph::SILENT) as a text, not longer than a blank and an empty text: a missing digit is 0
/// (ISO 32000-2, 7.3.4.3).
const FILLING: &[u8] = b"<1>";

/// Keywords that open the map, after words for PostScript, and that enclose a list of entries for single glyphs.
const START: &[u8] = b"begincmap";
const BEGIN: &[u8] = b"beginbfchar";
const END: &[u8] = b"endbfchar";

/// The document with [`SILENT`](super::glyph::SILENT) for empty texts in the maps of its pages' fonts, if it has any.
pub(super) fn repaired(pdf: &Pdf) -> Option<Vec<u8>> {
    let data: &[u8] = pdf.data().as_ref();
    let (mut repaired, mut seen) = (None, HashSet::new());
    for page in pdf.pages().iter() {
        let fonts = &page.resources().fonts;
        for name in fonts.keys() {
            let map = fonts.get::<Dict<'_>>(name).and_then(|font| font.get::<Stream<'_>>(TO_UNICODE));
            // A decrypted map is a copy, so it has no offset in the document to patch.
            if let Some(map) = map
                && let Cow::Borrowed(stored) = map.raw_data()
                && let Some(start) = stored.first().and_then(|first| data.element_offset(first))
                && seen.insert(start)
                && let Some(mut better) = without_empty_texts(&map)
                && better.len() <= stored.len()
                && let Some(old) =
                    repaired.get_or_insert_with(|| data.to_vec()).get_mut(start..start + stored.len())
            {
                better.resize(stored.len(), b' ');
                old.copy_from_slice(&better);
            }
        }
    }
    repaired
}

/// The map as it is stored, without empty texts; `None` if it has none.
fn without_empty_texts(map: &Stream<'_>) -> Option<Vec<u8>> {
    let text = filled(&map.decoded_data().ok()?)?;
    match map.filters().as_slice() {
        [] => Some(text),
        [Filter::FlateDecode] => Some(compress_to_vec_zlib(&text, SMALLEST)),
        _ => None,
    }
}

/// The map `text` with [`SILENT`](super::glyph::SILENT) for empty texts of single glyphs; `None` if it has none.
fn filled(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let (mut at, mut has_changed) = (find(text, START).unwrap_or(0), false);
    while let Some(begin) = find(&text[at..], BEGIN) {
        let begin = at + begin + BEGIN.len();
        let end = find(&text[begin..], END).map_or(text.len(), |end| begin + end);
        out.extend(&text[at..begin]);
        at = begin;
        while let Some((code, length)) = entry(&text[at..end]) {
            if text[at + code..at + length].iter().any(u8::is_ascii_hexdigit) {
                out.extend(&text[at..at + length]);
            } else {
                has_changed = true;
                out.extend(&text[at..at + code]);
                out.extend(FILLING);
            }
            at += length;
        }
    }
    out.extend(&text[at..]);
    has_changed.then_some(out)
}

/// The lengths up to the end of the next code, and to the end of its text.
fn entry(list: &[u8]) -> Option<(usize, usize)> {
    let string = |from: usize| {
        let open = from + memchr::memchr(b'<', &list[from..])?;
        Some(open + memchr::memchr(b'>', &list[open..])? + 1)
    };
    let code = string(0)?;
    Some((code, string(code)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_texts_are_filled() {
        let map = |list: &str| {
            format!("begincmap <> 9 beginbfchar{list}endbfchar 1 beginbfrange <01> <02> <> endbfrange")
        };
        for (list, expected) in [
            ("\n<01> <0041>\n<02> <>\n<03> <0043>\n", Some("\n<01> <0041>\n<02><1>\n<03> <0043>\n")),
            ("<01><><02>< \n>", Some("<01><1><02><1>")),
            ("<01><0041>", None),
            ("<01>", None),
            ("", None),
        ] {
            let found = filled(format!("%!PS {}", map(list)).as_bytes());
            assert_eq!(found.map(|map| String::from_utf8(map).unwrap()), expected.map(map), "{list}");
        }
        // Two lists, the second without an end.
        let found = filled(b"beginbfchar<1><5>endbfchar beginbfchar<2>  <><3><0043><4").unwrap();
        let expected = "beginbfchar<1><5>endbfchar beginbfchar<2><1><3><0043><4";
        assert_eq!(String::from_utf8(found).unwrap(), expected);
    }
}
