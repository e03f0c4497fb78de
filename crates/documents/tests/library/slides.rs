//! Slides: their order, titles, tables, charts and notes; and charts of Word documents.

use rread_documents::format::DocumentFormat;
use rread_documents::protocol::Notice;

use super::fixtures::{archive, decoded, relations, text};

fn shape(kind: &str, lines: &[&str]) -> String {
    let lines: String = lines.iter().map(|line| format!("<a:p><a:r><a:t>{line}</a:t></a:r></a:p>")).collect();
    let kind =
        if kind.is_empty() { String::new() } else { format!("<p:nvPr><p:ph type=\"{kind}\"/></p:nvPr>") };
    format!(
        "<p:sp><p:nvSpPr><p:cNvPr id=\"1\" name=\"x\"/>{kind}</p:nvSpPr><p:txBody><a:bodyPr/>{lines}</p:txBody></p:sp>"
    )
}

const CHART: &str = "<c:chartSpace><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title>\
    <c:ser><c:tx><c:strCache><c:pt><c:v>North</c:v></c:pt></c:strCache></c:tx><c:cat><c:pt><c:v>Q1</c:v></c:pt><c:pt><c:v>Q2</c:v></c:pt>\
    </c:cat><c:val><c:f>Sheet1!B2</c:f><c:pt><c:v>4711</c:v></c:pt><c:pt><c:v>8</c:v></c:pt></c:val></c:ser>\
    <c:ser><c:tx><c:pt><c:v>South</c:v></c:pt></c:tx><c:cat><c:pt><c:v>Q1</c:v></c:pt><c:pt><c:v>Q2</c:v></c:pt></c:cat>\
    <c:val><c:pt><c:v>5</c:v></c:pt><c:pt><c:v>6</c:v></c:pt></c:val></c:ser></c:chart></c:chartSpace>";
const CHART_TEXT: &str = "Sales\n\tQ1\tQ2\nNorth\t4711\t8\nSouth\t5\t6\n";

#[test]
fn a_slide_is_a_page_with_its_notes() {
    let cell =
        |text: &str| format!("<a:tc><a:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>");
    let table =
        format!("<p:graphicFrame><a:tbl><a:tr>{}{}</a:tr></a:tbl></p:graphicFrame>", cell("a"), cell("b"));
    let picture =
        "<p:pic><p:nvPicPr><p:cNvPr id=\"4\" name=\"p\" descr=\"A red&#10;bridge\"/></p:nvPicPr></p:pic>";
    let first = [
        shape("title", &["Plan"]),
        shape("", &["one", "two <a:sym/> three"]),
        table.clone(),
        picture.to_owned(),
        shape("sldNum", &["7"]),
    ]
    .concat();
    let chart = "<p:graphicFrame><c:chart r:id=\"c1\"/></p:graphicFrame><p:graphicFrame><dgm:relIds r:dm=\"d1\"/></p:graphicFrame>";
    // A person may add more to a page of notes than its text.
    let notes = [
        shape("sldImg", &[]),
        shape("body", &["say this"]),
        table.clone(),
        shape("", &["box"]),
        shape("sldNum", &["7"]),
    ];
    let notes = notes.concat();
    let slide = |body: &str| format!("<p:sld><p:cSld><p:spTree>{body}</p:spTree></p:cSld></p:sld>");
    let file = archive(&[
        ("_rels/.rels", relations(&[("r", "officeDocument", "ppt/presentation.xml")]).as_bytes()),
        ("ppt/presentation.xml", b"<p:presentation><p:sldIdLst><p:sldId id=\"256\" r:id=\"b\"/><p:sldId r:id=\"a\" id=\"257\"/></p:sldIdLst></p:presentation>"),
        ("ppt/_rels/presentation.xml.rels", relations(&[("a", "slide", "slides/s1.xml"), ("b", "slide", "/ppt/slides/s2.xml")]).as_bytes()),
        ("ppt/slides/s1.xml", slide(chart).as_bytes()),
        ("ppt/slides/_rels/s1.xml.rels", relations(&[("c1", "chart", "../charts/c.xml"), ("d1", "diagramData", "../d.xml")]).as_bytes()),
        ("ppt/charts/c.xml", CHART.as_bytes()),
        ("ppt/d.xml", b"<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>Step one</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>"),
        ("ppt/slides/s2.xml", slide(&first).as_bytes()),
        ("ppt/slides/_rels/s2.xml.rels", relations(&[("n", "notesSlide", "../notesSlides/n.xml")]).as_bytes()),
        ("ppt/notesSlides/n.xml", slide(&notes).as_bytes()),
    ]);
    let decoded = decoded(DocumentFormat::Pptx, file);
    let pages = [
        "# Plan\none\ntwo  three\na\tb\n[A red bridge]\n\nNotes:\nsay this\na\tb\nbox\n".to_owned(),
        format!("{CHART_TEXT}Step one\n"),
    ];
    assert_eq!((decoded.failure, decoded.pages, &decoded.ended[..]), (None, Some(2), &pages[..]));
    assert_eq!(decoded.notices, []);
}

#[test]
fn slides_and_charts_that_are_not_there_are_left_out() {
    let file = archive(&[
        ("ppt/presentation.xml", b"<p:presentation><p:sldIdLst><p:sldId r:id=\"a\"/><p:sldId r:id=\"b\"/></p:sldIdLst></p:presentation>"),
        ("ppt/_rels/presentation.xml.rels", relations(&[("b", "slide", "s.xml")]).as_bytes()),
        ("ppt/s.xml", b"<p:sld><c:chart r:id=\"none\"/></p:sld>"),
    ]);
    let decoded = decoded(DocumentFormat::Pptx, file);
    let expected =
        [(Notice::LeftOut, "slide 1".to_owned()), (Notice::LeftOut, "charts and diagrams".to_owned())];
    assert_eq!(
        (&decoded.ended[..], &decoded.notices[..]),
        (&[String::new(), String::new()][..], &expected[..])
    );
}

#[test]
fn charts_of_word_documents_stand_at_their_place() {
    let paragraph = |content: &str| format!("<w:p><w:r>{content}</w:r></w:p>");
    let body = ["<w:t>before</w:t>", "<w:drawing><c:chart r:id=\"c1\"/></w:drawing>", "<w:t>after</w:t>"]
        .map(paragraph)
        .concat();
    let file = |target: &str| {
        archive(&[
            ("word/document.xml", format!("<w:document><w:body>{body}</w:body></w:document>").as_bytes()),
            ("word/_rels/document.xml.rels", relations(&[("c1", "chart", target)]).as_bytes()),
            ("word/charts/c.xml", CHART.as_bytes()),
        ])
    };
    assert_eq!(text(DocumentFormat::Docx, file("charts/c.xml")), format!("before\n{CHART_TEXT}\nafter\n"));
    let decoded = decoded(DocumentFormat::Docx, file("charts/none.xml"));
    assert_eq!(decoded.notices, [(Notice::LeftOut, "charts and diagrams".to_owned())]);
}

#[test]
fn slides_of_opendocument_are_pages_too() {
    let frame = |class: &str, text: &str| {
        format!(
            "<draw:frame presentation:class=\"{class}\"><draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame>"
        )
    };
    let notes = format!("<presentation:notes>{}</presentation:notes>", frame("notes", "say this"));
    let content = format!(
        "<office:document-content><office:body><office:presentation><draw:page>{}{}{}{notes}</draw:page><draw:page>{}</draw:page>\
         </office:presentation></office:body></office:document-content>",
        frame("title", "Plan"),
        frame("outline", "one"),
        frame("page-number", "7"),
        frame("", "two"),
    );
    let decoded = decoded(DocumentFormat::Odp, archive(&[("content.xml", content.as_bytes())]));
    let expected = ["# Plan\none\n\nNotes:\nsay this\n", "two\n"];
    assert_eq!((decoded.failure, decoded.pages), (None, Some(2)));
    assert_eq!(decoded.ended, expected);
}
