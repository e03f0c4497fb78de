//! OpenDocument text.

use super::Lab;
use super::archive::{archive, odt};

const LISTS: &str = "<text:list-style style:name=\"L1\">\
    <text:list-level-style-number text:level=\"1\" style:num-format=\"1\" text:start-value=\"3\"/>\
    <text:list-level-style-bullet text:level=\"2\" text:bullet-char=\"-\"/></text:list-style>\
    <style:style style:name=\"P1\" style:parent-style-name=\"Title\"/>";

fn item(content: &str) -> String {
    format!("<text:list-item>{content}</text:list-item>")
}

fn list(attributes: &str, items: &str) -> String {
    format!("<text:list {attributes}>{items}</text:list>")
}

fn note(class: &str, text: &str) -> String {
    format!(
        "<text:note text:note-class=\"{class}\"><text:note-citation>7</text:note-citation>\
         <text:note-body>{}<text:p>{text}</text:p></text:note-body></text:note>",
        list("", &item("<text:p>a list</text:p>"))
    )
}

pub fn document() -> Vec<u8> {
    let cell = |text: &str| format!("<table:table-cell><text:p>{text}</text:p></table:table-cell>");
    let body = [
        "<text:tracked-changes><text:changed-region><text:p>deleted</text:p></text:changed-region></text:tracked-changes>"
            .to_owned(),
        "<text:p text:style-name=\"P1\">The title</text:p>".to_owned(),
        "<text:h text:outline-level=\"2\">Head &amp; &#x41;</text:h>".to_owned(),
        format!(
            "<text:p>\n  one <text:span> two</text:span><text:s text:c=\"2\"/><text:tab/>three{}<text:line-break/>four{}</text:p>",
            note("endnote", "at the end"),
            note("footnote", "below")
        ),
        "<text:p>with<office:annotation><text:p>a comment</text:p></office:annotation>out\
         <draw:frame><draw:image/><svg:title>picture</svg:title></draw:frame></text:p>"
            .to_owned(),
        list(
            "text:style-name=\"L1\"",
            &[
                item("<text:p>first</text:p><text:p>more</text:p>"),
                item(&format!("<text:p>second</text:p>{}", list("", &item("<text:p>inside</text:p>")))),
            ]
            .concat(),
        ),
        list("text:style-name=\"L1\" text:continue-numbering=\"true\"", &item("<text:p>third</text:p>")),
        list("text:style-name=\"L1\"", &item("<text:p>anew</text:p>")),
        "<text:p/>".to_owned(),
        format!(
            "<table:table><table:table-column/><table:table-row>{}<table:table-cell table:number-columns-spanned=\"2\">\
             <text:p>b</text:p><text:p>c</text:p></table:table-cell><table:covered-table-cell/></table:table-row>\
             <table:table-row>{}<table:table-cell table:number-columns-repeated=\"2\"/></table:table-row></table:table>",
            cell("a"),
            cell("1"),
        ),
    ];
    odt(&body.concat(), LISTS)
}

const DOCUMENT: &str = "# The title\n## Head & A\none two  \tthree[^1]\nfour[^2]\nwithout[picture]\n3. first\nmore\n4. second\n  - inside\n\
    5. third\n3. anew\n\na\tb c\t\n1\t\t\n[^2]: - a list below\n[^1]: - a list at the end\n";

#[test]
fn a_text_is_lines_of_paragraphs_and_rows() {
    let lab = Lab::with("f.odt", &document());
    assert_eq!(lab.text("lines f.odt"), DOCUMENT);
    assert_eq!(lab.text("search second f.odt"), "8:4. second\n");
    let stat = lab.json("stat f.odt --count");
    assert_eq!((&stat["decoded"], &stat["lines"]), (&"odt".into(), &16.into()));
    assert_eq!(stat["mime"], "application/vnd.oasis.opendocument.text");
    // Any name will do.
    lab.write("f", &document());
    assert_eq!(lab.json("lines f")["metadata"]["decoded"], "odt");
}

#[test]
fn an_encrypted_text_needs_its_password() {
    let manifest = b"<manifest:manifest><manifest:file-entry manifest:full-path=\"content.xml\">\
        <manifest:encryption-data/></manifest:file-entry></manifest:manifest>";
    let members = [
        ("mimetype", &b"application/vnd.oasis.opendocument.text"[..]),
        ("META-INF/manifest.xml", manifest),
        ("content.xml", b"\x01\x02"),
    ];
    let lab = Lab::with("f.odt", &archive(&members));
    let run = lab.run("lines f.odt");
    assert!(run.code == Some(3) && run.stderr.contains("opens only with its password"), "{}", run.stderr);
}
