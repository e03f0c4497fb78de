//! OpenDocument text.

use rread_documents::format::DocumentFormat;

use super::fixtures::{archive, text};

const STYLES: &str = "<style:style style:name=\"T1\"><style:text-properties style:text-position=\"super 58%\"/></style:style>\
    <style:style style:name=\"T2\"><style:text-properties style:text-position=\"-33% 58%\"/></style:style>\
    <style:style style:name=\"T3\" style:parent-style-name=\"T1\"/>";

fn odt(body: &str) -> String {
    let content = format!(
        "<office:document-content><office:automatic-styles>{STYLES}</office:automatic-styles>\
         <office:body><office:text>{body}</office:text></office:body></office:document-content>"
    );
    let half = "<?xml version=\"1.0\"?>\n<math><semantics><mfrac><mn>1</mn><mn>2</mn></mfrac><annotation>1 over 2</annotation></semantics></math>";
    let members = [
        ("content.xml", content.as_bytes()),
        ("Object 1/content.xml", half.as_bytes()),
        ("Object 2/content.xml", b"<office:document-content><chart/></office:document-content>"),
    ];
    text(DocumentFormat::Odt, archive(&members))
}

#[test]
fn parts_of_a_paragraph_keep_their_meaning() {
    let span = |style: &str, text: &str| format!("<text:span text:style-name=\"{style}\">{text}</text:span>");
    let object = |number: u8, more: &str| {
        format!("<draw:frame><draw:object xlink:href=\"./Object {number}\"/><draw:image/>{more}</draw:frame>")
    };
    let title = |text: &str| format!("<svg:title>{text}</svg:title>");
    let description = |text: &str| format!("<svg:desc>{text}</svg:desc>");
    for (inner, expected) in [
        ("10".to_owned() + &span("T1", "6") + " cells", "10⁶ cells"),
        ("10".to_owned() + &span("T1", "1") + &span("T3", "2"), "10¹²"),
        ("H".to_owned() + &span("T2", "2") + "O", "H₂O"),
        ("x".to_owned() + &span("T1", &span("other", "n")), "x^{n}"),
        (object(1, &description("formula")) + " cup", "1/2 cup"),
        ("1".to_owned() + &object(1, "") + "3", "1 1/2 3"),
        (object(2, &title("A chart")), "[A chart]"),
        ("<draw:frame><draw:image/>".to_owned() + &title("A red\n bridge") + "</draw:frame>x", "[A red bridge]x"),
        ("<draw:frame><draw:image/>".to_owned() + &description("A boat") + "</draw:frame>", "[A boat]"),
        ("<draw:frame><draw:image/></draw:frame>x".to_owned(), "x"),
        ("a <text:title>field</text:title>".to_owned(), "a field"),
        (
            "<text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>kan</text:ruby-text></text:ruby>字".to_owned(),
            "漢字",
        ),
        ("<draw:object><math:math><math:msqrt><math:mn>2</math:mn></math:msqrt></math:math></draw:object>".to_owned(), "√2"),
    ] {
        assert_eq!(odt(&format!("<text:p>{inner}</text:p>")), format!("{expected}\n"), "{inner}");
    }
}

#[test]
fn a_picture_on_a_page_is_a_line() {
    assert_eq!(
        odt("<draw:frame><svg:title>A map</svg:title></draw:frame><text:p>x</text:p>"),
        "[A map]\nx\n"
    );
}

#[test]
fn workbooks_are_read_whatever_the_names_of_their_members_look_like() {
    let content = "<office:document-content xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" \
        xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\">\
        <office:body><office:spreadsheet><table:table table:name=\"S\"><table:table-row>\
        <table:table-cell office:value-type=\"string\"><text:p>one</text:p></table:table-cell>\
        </table:table-row></table:table></office:spreadsheet></office:body></office:document-content>";
    let (kind, manifest) = ("application/vnd.oasis.opendocument.spreadsheet", "<manifest:manifest/>");
    for names in [
        ["mimetype", "META-INF/manifest.xml", "content.xml"],
        ["/mimetype", "/META-INF/manifest.xml", "/content.xml"],
        ["MIMETYPE", "meta-inf\\MANIFEST.XML", "Content.xml"],
        ["notes.txt", "META-INF\\manifest.xml", "content.xml"],
    ] {
        let contents = [kind, manifest, content].map(str::as_bytes);
        let mut members: Vec<(&str, &[u8])> = names.into_iter().zip(contents).collect();
        assert_eq!(text(DocumentFormat::Ods, archive(&members)), "one\n", "{names:?}");
        members.reverse();
        assert_eq!(text(DocumentFormat::Ods, archive(&members)), "one\n", "{names:?} reversed");
    }
}

#[test]
fn a_reference_to_a_note_is_not_part_of_a_word() {
    let note = "<text:note text:id=\"n1\" text:note-class=\"footnote\"><text:note-citation>1</text:note-citation>\
        <text:note-body><text:p>source</text:p></text:note-body></text:note>";
    let again = |name: &str| {
        format!("<text:note-ref text:ref-name=\"{name}\" text:note-class=\"footnote\">1</text:note-ref>")
    };
    for (inner, expected) in [
        (format!("one{note} two{}", again("n1")), "one[^1] two[^1]\n[^1]: source\n"),
        (format!("one{note} <text:span>two{}</text:span>.", again("n1")), "one[^1] two[^1].\n[^1]: source\n"),
        // Nothing is known of the note.
        (format!("two {}", again("n1")), "two 1\n"),
        (
            format!("one{note}<office:annotation>no{}</office:annotation>", again("n1")),
            "one[^1]\n[^1]: source\n",
        ),
    ] {
        assert_eq!(odt(&format!("<text:p>{inner}</text:p>")), expected, "{inner}");
    }
}

#[test]
fn items_without_text_and_headings_count() {
    let styles = "<text:list-style style:name=\"L\"><text:list-level-style-number text:level=\"1\" style:num-format=\"1\"/>\
        <text:list-level-style-bullet text:level=\"2\"/></text:list-style>";
    let item = |inner: &str| format!("<text:list-item>{inner}</text:list-item>");
    let (full, empty) = ("<text:p>x</text:p>", "<text:p/>");
    let heading = "<text:h text:outline-level=\"2\">title</text:h>";
    let inner = format!("<text:list>{}{}</text:list>", item(empty), item(heading));
    for (items, expected) in [
        (item(full) + &item(empty) + &item(full), "1. x\n2.\n3. x\n"),
        (item(heading) + &item(full), "## 1. title\n2. x\n"),
        (item(&(heading.to_owned() + full)), "## 1. title\nx\n"),
        // A bullet without text is not worth a mark.
        (item(&(full.to_owned() + &inner)) + &item(full), "1. x\n\n## title\n2. x\n"),
        // An item that has only another list in it has no number.
        (item(&inner) + &item(full), "\n## title\n1. x\n"),
        (format!("<text:list-header>{full}</text:list-header>") + &item(full), "x\n1. x\n"),
    ] {
        let content = format!(
            "<office:document-content><office:automatic-styles>{styles}</office:automatic-styles><office:body>\
             <office:text><text:list text:style-name=\"L\">{items}</text:list></office:text></office:body>\
             </office:document-content>"
        );
        let found = text(DocumentFormat::Odt, archive(&[("content.xml", content.as_bytes())]));
        assert_eq!(found, expected, "{items}");
    }
    // The numbers of rows in a table.
    let row = format!(
        "<table:table-row><table:table-cell><text:list text:style-name=\"L\" text:continue-numbering=\"true\">{}</text:list>\
         </table:table-cell><table:table-cell><text:p>y</text:p></table:table-cell></table:table-row>",
        item(empty)
    );
    let content = format!(
        "<office:document-content><office:automatic-styles>{styles}</office:automatic-styles><office:body><office:text>\
         <table:table>{row}{row}</table:table></office:text></office:body></office:document-content>"
    );
    let found = text(DocumentFormat::Odt, archive(&[("content.xml", content.as_bytes())]));
    assert_eq!(found, "1.\ty\n2.\ty\n");
}

#[test]
fn items_have_their_numbers() {
    let level = |level: u8, format: &str| {
        format!("<text:list-level-style-number text:level=\"{level}\" style:num-format=\"{format}\"/>")
    };
    let styles = format!(
        "<text:list-style style:name=\"L1\">{}{}{}</text:list-style>",
        level(1, "I"),
        level(2, "a"),
        level(3, "1")
    );
    let item = |inner: &str| format!("<text:list-item><text:p>x</text:p>{inner}</text:list-item>");
    let list = |items: &str| format!("<text:list>{items}</text:list>");
    let inner = list(&(item("") + &item(&list(&item("")))));
    let body =
        list(&(item(&inner) + &item(""))).replacen("<text:list>", "<text:list text:style-name=\"L1\">", 1);
    let content = format!(
        "<office:document-content><office:automatic-styles>{styles}</office:automatic-styles>\
         <office:body><office:text>{body}</office:text></office:body></office:document-content>"
    );
    let found = text(DocumentFormat::Odt, archive(&[("content.xml", content.as_bytes())]));
    assert_eq!(found, "I. x\n  a. x\n  b. x\n    1. x\nII. x\n");
}
