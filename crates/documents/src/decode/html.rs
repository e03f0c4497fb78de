//! Web pages: the text that a browser shows, without its layout.

mod blocks;
mod bounded;
mod charset;
mod tags;
mod xhtml;

use std::borrow::Cow;

use html2text::render::TextDecorator;

use super::formula;
use crate::decode::recognition::{BOM, FirstBytes, Verdict};
pub use charset::Charset;

use crate::protocol::{Failure, Notice, Output};

/// Columns that no line has: paragraphs are not divided.
const WIDTH: usize = 1 << 24;

/// Blanks that only a cell far wider than its text has.
const GAP: usize = 100;

const STARTS: [&[u8]; 2] = [b"<!doctype html", b"<html"];

/// By name, if it is a whole page: parts of pages and templates stay plain.
pub(super) fn recognise(head: &FirstBytes<'_>) -> Verdict {
    if !head.is_named {
        return Verdict::Not;
    }
    // UTF-16 has a NUL beside each letter of a tag.
    let plain: Vec<u8> = match head.bytes {
        [0xFE, 0xFF, rest @ ..] | [0xFF, 0xFE, rest @ ..] => {
            rest.iter().copied().filter(|byte| *byte != 0).collect()
        }
        bytes => bytes.strip_prefix(BOM).unwrap_or(bytes).to_vec(),
    };
    let mut rest = plain.trim_ascii_start();
    loop {
        let end: &[u8] = match rest {
            [b'<', b'?', ..] => b"?>",
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            _ => break,
        };
        let Some(at) = memchr::memmem::find(rest, end) else { return Verdict::Open };
        rest = rest[at + end.len()..].trim_ascii_start();
    }
    let may_start =
        |start: &&&[u8]| rest.iter().zip(**start).all(|(byte, wanted)| byte.eq_ignore_ascii_case(wanted));
    match STARTS.iter().find(may_start) {
        Some(start) if rest.len() >= start.len() => Verdict::Is,
        None if !b"<!--".starts_with(rest) => Verdict::Not,
        _ => Verdict::Open,
    }
}

/// Decodes a page, of whose charset something is known. A label that the bytes contradict is a notice.
pub(super) fn decode(bytes: &[u8], charset: &Charset, out: &mut Output<'_>) -> Result<(), Failure> {
    let (page, contradicted) = charset::in_utf8(bytes, charset);
    if let Some(label) = contradicted {
        out.notice(Notice::Contradicted, &format!("charset {label}"))?;
    }
    out.text(&text(&page)?)?;
    Ok(())
}

/// The text of a page in UTF-8.
pub(super) fn text(page: &[u8]) -> Result<String, Failure> {
    let config = html2text::config::with_decorator(PlainDecorator).link_footnotes(false).no_table_borders();
    let config = config.no_link_wrapping().allow_width_overflow().unicode_strikeout(false);
    let page: Cow<'_, [u8]> = if xhtml::is_xhtml(page) { xhtml::in_html(page).into() } else { page.into() };
    let dom = config.parse_html(&*bounded::bounded(&page))?;
    blocks::rewrite(&dom, &|source| config.parse_html(source.as_bytes()).ok());
    let tree = config.dom_to_render_tree(&dom)?;
    // A large page does not fit in memory twice.
    drop(dom);
    let text = config.render_to_string(tree, WIDTH)?;
    let lines: String =
        text.lines().map(|line| separate_formulas(&collapse_gaps(line.trim_end())) + "\n").collect();
    // No blank lines around the text, which may be empty. Soft hyphens are not shown.
    let text = lines.trim_matches(['\n', '\u{AD}']);
    Ok(if text.is_empty() { String::new() } else { format!("{text}\n") })
}

/// `line` with a blank between a number and a formula that would become another number with it: 2 ½ is not 21/2.
fn separate_formulas(line: &str) -> String {
    let mut parts = line.split(blocks::PLUS);
    let mut apart = parts.next().unwrap_or_default().to_owned();
    parts.for_each(|part| formula::push(&mut apart, part));
    apart
}

/// Cells of a table are as wide as their column. A text of pages in one cell would set the others far apart.
fn collapse_gaps(line: &str) -> String {
    let gap = " ".repeat(GAP);
    let (start, rest) = line.split_once(&gap).unwrap_or((line, ""));
    let parts = rest.split(&gap).map(|part| part.trim_start_matches(' ')).filter(|part| !part.is_empty());
    parts.fold(start.to_owned(), |narrow, part| narrow + "  " + part)
}

/// `bytes` of a part of a mail with the `label` of their charset (empty if it has none) in UTF-8, and the label if they
/// contradict it; `None` if the label is not known.
pub(super) fn in_utf8_of(label: &str, bytes: &[u8]) -> Option<(String, Option<String>)> {
    if !label.is_empty() && encoding_rs::Encoding::for_label(label.as_bytes()).is_none() {
        return None;
    }
    // Letters in an encoding that nothing names are replaced, unless they are UTF-8.
    let charset = Charset { stated: label.to_owned(), guessed: "utf-8".to_owned(), ..Charset::default() };
    let (text, contradicted) = charset::in_utf8(bytes, &charset);
    Some((String::from_utf8_lossy(&text).into_owned(), contradicted))
}

/// `bytes` of a page inside of another document in UTF-8.
pub(super) fn in_utf8(bytes: &[u8]) -> Cow<'_, [u8]> {
    charset::in_utf8(bytes, &Charset::default()).0
}

pub(super) struct PlainDecorator;

/// The methods for elements that plain text has no marks for.
macro_rules! unmarked {
    ($($start:ident, $end:ident;)*) => {
        $(fn $start(&self) -> (String, ()) {
            (String::new(), ())
        }

        fn $end(&self) -> String {
            String::new()
        })*
    };
}

impl TextDecorator for PlainDecorator {
    type Annotation = ();

    fn decorate_link_start(&mut self, _: &str) -> (String, ()) {
        (String::new(), ())
    }

    fn decorate_link_end(&mut self) -> String {
        String::new()
    }

    unmarked! {
        decorate_em_start, decorate_em_end;
        decorate_strong_start, decorate_strong_end;
        decorate_strikeout_start, decorate_strikeout_end;
        decorate_code_start, decorate_code_end;
    }

    fn decorate_preformat_first(&self) {}

    fn decorate_preformat_cont(&self) {}

    fn decorate_image(&mut self, _: &str, title: &str) -> (String, ()) {
        (format!("[{title}]"), ())
    }

    fn header_prefix(&self, level: usize) -> String {
        "#".repeat(level) + " "
    }

    fn quote_prefix(&self) -> String {
        "> ".to_owned()
    }

    fn unordered_item_prefix(&self) -> String {
        "- ".to_owned()
    }

    fn ordered_item_prefix(&self, number: i64) -> String {
        format!("{}. ", blocks::format_number(number))
    }

    fn make_subblock_decorator(&self) -> Self {
        PlainDecorator
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(body: &str) -> String {
        text(format!("<!DOCTYPE html><html><body>{body}</body></html>").as_bytes()).unwrap()
    }

    #[test]
    fn no_blank_lines_are_around_the_text() {
        assert_eq!(shown("<p>&shy;&shy;</p><p>a&shy;b</p><p>&shy;</p>"), "a\u{AD}b\n");
    }

    #[test]
    fn every_block_ends_a_line() {
        for block in [
            "address",
            "article",
            "aside",
            "blockquote",
            "center",
            "details",
            "dialog",
            "div",
            "fieldset",
            "figcaption",
            "figure",
            "footer",
            "form",
            "header",
            "hgroup",
            "legend",
            "listing",
            "main",
            "nav",
            "p",
            "pre",
            "search",
            "section",
            "summary",
            "h1",
            "h6",
        ] {
            let page = shown(&format!("before<{block}>inside</{block}>after"));
            let lines: Vec<&str> = page.lines().filter(|line| !line.is_empty()).collect();
            let inside = lines[1].trim_start_matches(['#', '>', ' ']);
            assert_eq!(
                [lines[0], inside, lines[2], &lines.len().to_string()],
                ["before", "inside", "after", "3"],
                "{block}"
            );
        }
        assert_eq!(
            shown("<details><summary>Build steps</summary>run make</details>"),
            "Build steps\nrun make\n"
        );
        assert_eq!(shown("a<hr>b"), "a\nb\n");
        assert_eq!(shown("<p>a</p><hr><p>b</p>"), "a\n\nb\n");
        assert_eq!(shown("<menu><li>a<li>b</menu>"), "- a\n- b\n");
        assert_eq!(shown("<select><option>one<option>two</select>"), "one\ntwo\n");
        // Elements inside of a line do not end it.
        for inline in
            ["span", "em", "b", "a", "q", "label", "button", "cite", "mark", "abbr", "time", "u", "small"]
        {
            assert_eq!(shown(&format!("be<{inline}>tw</{inline}>een")), "between\n", "{inline}");
        }
    }

    #[test]
    fn nothing_in_a_list_is_lost() {
        assert_eq!(shown("<dl><div><dt>a</dt><dd>b</dd></div></dl>"), shown("<dl><dt>a</dt><dd>b</dd></dl>"));
        for inner in ["<ol><li>b</ol>", "<p>b</p>", "<div>b</div>"] {
            let page = shown(&format!("<ol><li>a</li>{inner}</ol>"));
            assert!(page.contains("1. a") && page.contains('b'), "{page}");
        }
        for (list, expected) in [
            ("<ol>first<li>a</li>of <b>a</b><!--x--> and<li>b</ol>", "first\n1. a\n   of a and\n2. b"),
            ("<ol><p>first</p><li>a</ol>", "first\n1. a"),
            ("<ol>text</ol>", "text"),
            ("<ol><div><li>a</li></div><x-item><li>b</li>of b</x-item></ol>", "1. a\n2. b\n   of b"),
            ("<dl>first<dt>a</dt>of a<dd>b</dd>of b</dl>", "first\n\na\nof a\n  b\n  of b"),
            ("<dl><div>x<dt>a</dt>of a<dd>b</dd></div></dl>", "x\n\na\nof a\n  b"),
            ("<dl><dt>a</dt><div>one</div><div>two</div></dl>", "a\none\ntwo"),
            ("<dl>text</dl>", "text"),
        ] {
            assert_eq!(shown(list), format!("{expected}\n"), "{list}");
        }
    }

    #[test]
    fn pages_of_xml_have_the_text_that_xml_means() {
        let page = |head: &str, body: &str| {
            let page = format!(
                "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head>{head}</head><body>{body}</body></html>"
            );
            text(page.as_bytes()).unwrap()
        };
        let math = "xmlns:m=\"http://www.w3.org/1998/Math/MathML\"";
        let case = |namespace: &str| {
            format!(
                "<epub:switch><epub:case required-namespace=\"{namespace}\"><p>case</p></epub:case>\
                 <epub:default><p>default</p></epub:default></epub:switch>"
            )
        };
        for (head, body, expected) in [
            ("<title/>", "<p>a</p>", "a"),
            ("<script src=\"a.js\"/><style/>", "<p>a</p>", "a"),
            ("", "<p><i/>a</p><div/><p>b<textarea/>c</p>", "a\n\nbc"),
            (
                "",
                &format!("<m:math {math}><m:msup><m:mi>x</m:mi><m:mn>2</m:mn></m:msup><m:mspace/></m:math>b"),
                "x²b",
            ),
            ("", &case("http://www.w3.org/1998/Math/MathML"), "case"),
            ("", &case("http://www.example.com/other"), "default"),
            ("", "<epub:switch><epub:case required-namespace=\"x\">a</epub:case></epub:switch>b", "b"),
        ] {
            assert_eq!(page(head, body), format!("{expected}\n"), "{head} {body}");
        }
        // In HTML, a title ends at its end.
        assert_eq!(text(b"<html><head><title/></head><body>a</body></html>").unwrap(), "");
    }

    #[test]
    fn formulas_and_indices_do_not_become_other_numbers() {
        for (body, expected) in [
            ("10<sup>6</sup>", "10⁶"),
            ("10<sub>2</sub>", "10₂"),
            ("10<sup>-6</sup>", "10⁻⁶"),
            ("1<sup>st</sup> 2<sup>n</sup> x<sup>th</sup>", "1st 2^{n} x^{th}"),
            ("x<sup></sup><sub> </sub>y", "x y"),
            ("a<sub>10<sup>6</sup></sub>", "a_{10⁶}"),
            ("x<sup>y<sub>2</sub></sup>", "x^{y₂}"),
            ("x<sup><a href=\"#a\"><b>1</b>2</a></sup>", "x¹²"),
            ("x<sub>1<br>2</sub>", "x_{1 2}"),
            ("2<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math> cups", "2 1/2 cups"),
            ("<b>2</b><span><i><math><mfrac><mn>1</mn><mn>2</mn></mfrac></math></i></span>5", "2 1/2 5"),
            ("<math><msqrt><mn>2</mn></msqrt></math>5", "√2 5"),
            ("5<math><mn>2</mn></math>", "52"),
            ("x<sub><i>max</i></sub>", "x_{max}"),
            ("a<sub>&lt;3</sub>", "a_{<3}"),
            ("<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math> cup", "1/2 cup"),
            ("<math><msup><mi>x</mi><mn>2</mn></msup></math>", "x²"),
            ("<math><msqrt><mn>2</mn></msqrt></math>", "√2"),
            ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rt>ji</rt></ruby>", "漢字"),
            ("<input type=checkbox checked>done", "☒ done"),
            ("<input type=checkbox>open", "☐ open"),
        ] {
            assert_eq!(shown(body), format!("{expected}\n"), "{body}");
        }
    }
}
