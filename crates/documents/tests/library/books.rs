//! Books: which chapters they have, and what is said of those that are not there.

use rread_documents::format::DocumentFormat;
use rread_documents::protocol::Notice;

use super::fixtures::{archive, decoded};

/// A drawing, as programs write one, with a prefix.
const DRAWING: &str = "<?xml version=\"1.0\"?>\n<!DOCTYPE svg:svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"svg11.dtd\">\n\
    <svg:svg xmlns:svg=\"http://www.w3.org/2000/svg\"><svg:title>no</svg:title><svg:style><![CDATA[text {}]]></svg:style>\
    <svg:path d=\"M 0\"/><svg:g><svg:text>Map &amp; <svg:tspan>key</svg:tspan></svg:text></svg:g>\
    <svg:text><![CDATA[a < b]]></svg:text></svg:svg>";

/// A book of two chapters, whose list of files has `items` beside them, and whose reading order is `spine`.
fn book(items: &str, spine: &[&str]) -> Vec<u8> {
    let container = "<container><rootfiles><rootfile full-path=\"o/book.opf\"/></rootfiles></container>";
    let item =
        |id: &str| format!("<item id=\"{id}\" href=\"{id}.xhtml\" media-type=\"application/xhtml+xml\"/>");
    let order: String = spine.iter().map(|id| format!("<itemref idref=\"{id}\"/>")).collect();
    let package = format!(
        "<package><manifest>{}{}{}{items}</manifest><spine>{order}</spine></package>",
        item("one"),
        item("two"),
        item("gone")
    );
    let chapter = |text: &str| format!("<html><body><p>{text}</p></body></html>");
    archive(&[
        ("mimetype", b"application/epub+zip"),
        ("META-INF/container.xml", container.as_bytes()),
        ("o/book.opf", package.as_bytes()),
        ("o/one.xhtml", chapter("first").as_bytes()),
        ("o/two.xhtml", chapter("second").as_bytes()),
        ("o/map.svg", DRAWING.as_bytes()),
        (
            "o/bare.svg",
            b"<?xml version=\"1.0\"?>\n<svg xmlns='http://www.w3.org/2000/svg'><path d='M 0'/></svg>",
        ),
    ])
}

#[test]
fn each_place_in_the_reading_order_is_a_page() {
    let section = "<item id=\"part\" href=\"one.xhtml#part\" media-type=\"application/xhtml+xml\"/>";
    let picture = "<item id=\"cover\" href=\"c.png\" media-type=\"image/png\"/>";
    let other = "<item id=\"other\" href=\"x.dtb\" media-type=\"application/x-dtbook+xml\"/>";
    let drawings = "<item id=\"map\" href=\"map.svg\" media-type=\"image/svg+xml\"/>\
        <item id=\"bare\" href=\"bare.svg\" media-type=\"image/svg+xml\"/>";
    for (items, spine, pages, missing) in [
        ("", &["one", "two"][..], &["first\n\n", "second\n"][..], &[][..]),
        ("", &["one", "two", "one"], &["first\n\n", "second\n\n", "first\n"], &[]),
        ("", &["one", "gone", "two"], &["first\n\n", "", "second\n"], &["o/gone.xhtml"]),
        ("", &["one", "gone", "gone"], &["first\n\n", "", ""], &["o/gone.xhtml"]),
        ("", &["one", "unknown"], &["first\n"], &["unknown"]),
        // A section of a chapter, a picture, and a chapter of another form.
        (section, &["one", "part", "two"], &["first\n\n", "second\n"], &[]),
        (section, &["part", "two"], &["first\n\n", "second\n"], &[]),
        (picture, &["cover", "one"], &["first\n"], &[]),
        (other, &["one", "other"], &["first\n"], &["o/x.dtb"]),
        // Chapters that are drawings.
        (drawings, &["one", "map", "two"], &["first\n\n", "Map & key\na < b\n\n", "second\n"], &[]),
        (drawings, &["bare", "one"], &["", "first\n"], &[]),
    ] {
        let decoded = decoded(DocumentFormat::Epub, book(items, spine));
        assert_eq!(decoded.ended, pages, "{spine:?}");
        let count = u32::try_from(pages.len()).unwrap();
        assert_eq!((decoded.failure, decoded.pages), (None, Some(count)), "{spine:?}");
        let notices: Vec<&str> = decoded.notices.iter().map(|(_, part)| part.as_str()).collect();
        assert_eq!(notices, missing, "{spine:?}");
        assert!(decoded.notices.iter().all(|(notice, _)| *notice == Notice::LeftOut));
    }
}
