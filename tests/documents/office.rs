//! Word documents, workbooks and books.

use super::Lab;
use super::archive::{archive, docx, epub, ods, xlsx};

fn paragraph(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

fn styled(style: &str, text: &str) -> String {
    format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
}

fn item(list: u8, level: u8, text: &str) -> String {
    format!(
        "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{list}\"/></w:numPr></w:pPr>\
         <w:r><w:t>{text}</w:t></w:r></w:p>"
    )
}

const STYLES: &str =
    "<w:styles><w:style w:styleId=\"berschrift2\"><w:name w:val=\"heading 2\"/></w:style></w:styles>";
const NUMBERING: &str = "<w:numbering><w:abstractNum w:abstractNumId=\"5\">\
    <w:lvl w:ilvl=\"0\"><w:start w:val=\"3\"/><w:numFmt w:val=\"decimal\"/></w:lvl>\
    <w:lvl w:ilvl=\"1\"><w:start w:val=\"1\"/><w:numFmt w:val=\"bullet\"/></w:lvl></w:abstractNum>\
    <w:num w:numId=\"1\"><w:abstractNumId w:val=\"5\"/></w:num></w:numbering>";
const NOTES: &str =
    "<w:footnotes><w:footnote w:id=\"2\"><w:p><w:r><w:t>a note</w:t></w:r></w:p></w:footnote></w:footnotes>";

pub fn document() -> Vec<u8> {
    let cell = |text: &str| format!("<w:tc>{}</w:tc>", paragraph(text));
    let body = [
        styled("berschrift2", "Head &amp; &#x41;"),
        "<w:p><w:pPr><w:tabs><w:tab w:val=\"left\"/></w:tabs></w:pPr><w:r><w:t xml:space=\"preserve\">one </w:t><w:tab/>\
         <w:t>two</w:t><w:br/><w:t>three</w:t><w:footnoteReference w:id=\"2\"/></w:r></w:p>"
            .to_owned(),
        "<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins>\
         <w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom></w:p>"
            .to_owned(),
        item(1, 0, "first"),
        item(1, 1, "inside"),
        item(1, 0, "second"),
        format!(
            "<w:tbl><w:tr>{}<w:tc><w:tcPr><w:gridSpan w:val=\"2\"/></w:tcPr>{}{}</w:tc></w:tr><w:tr>{}{}{}</w:tr></w:tbl>",
            cell("a"),
            paragraph("b"),
            paragraph("c"),
            cell("1"),
            cell(""),
            cell("3")
        ),
    ];
    let more =
        [("word/styles.xml", STYLES), ("word/numbering.xml", NUMBERING), ("word/footnotes.xml", NOTES)];
    docx(&body.concat(), &more)
}

const DOCUMENT: &str = "## Head & A\none \ttwo\nthree[^1]\nnew\n3. first\n  - inside\n4. second\na\tb c\t\n1\t\t3\n[^1]: a note\n";

#[test]
fn a_document_is_lines_of_paragraphs_and_rows() {
    let lab = Lab::with("f.docx", &document());
    assert_eq!(lab.text("lines f.docx"), DOCUMENT);
    assert_eq!(lab.text("search second f.docx"), "7:4. second\n");
    assert_eq!(lab.text("bytes f.docx 0:7"), "## Head");
    // It has no pages of its own.
    assert_eq!(lab.text("page f.docx 1"), DOCUMENT);
    let stat = lab.json("stat f.docx --count");
    assert_eq!(
        (&stat["decoded"], &stat["pages"], &stat["lines"]),
        (&"docx".into(), &serde_json::Value::Null, &10.into())
    );
    let cut = lab.json("lines f.docx --max-bytes 20");
    assert_eq!(cut["metadata"]["next"]["range"], "2:");
    // Any name will do.
    lab.write("f", &document());
    assert_eq!(lab.json("lines f")["metadata"]["decoded"], "docx");
    let refused = lab.run("lines f.docx --no-decompress");
    assert_eq!(refused.code, Some(4));
    assert!(refused.stderr.contains("hint: rread lines f.docx 1:20\n"), "{}", refused.stderr);
}

fn cell(place: &str, value: &str) -> String {
    format!("<c r=\"{place}\"><v>{value}</v></c>")
}

fn text(place: &str, value: &str) -> String {
    format!("<c r=\"{place}\" t=\"inlineStr\"><is><t>{value}</t></is></c>")
}

pub fn workbook() -> Vec<u8> {
    let first = [
        format!("<row r=\"1\">{}{}{}</row>", text("A1", "name"), text("B1", "a,\"b\""), text("C1", "day")),
        format!(
            "<row r=\"2\">{}<c r=\"C2\" s=\"1\"><v>45000</v></c></row>",
            cell("A2", "0.30000000000000004")
        ),
        "<row r=\"5\"><c r=\"B5\"><f>1+1</f><v>2</v></c><c r=\"C5\" t=\"b\"><v>1</v></c></row>".to_owned(),
        "<row r=\"1048576\"><c r=\"A1048576\" s=\"1\"/></row>".to_owned(),
    ];
    xlsx(&[
        ("Data", &first.concat()),
        ("Empty", ""),
        ("Last", &format!("<row r=\"2\">{}</row>", cell("B2", "7"))),
    ])
}

const FIRST: &str = "name,\"a,\"\"b\"\"\",day\n0.3,,2023-03-15\n\n\n,2,true\n";

#[test]
fn sheets_are_csv() {
    let lab = Lab::with("f.xlsx", &workbook());
    assert_eq!(lab.text("lines f.xlsx"), format!("# Data\n{FIRST}\n# Empty\n\n# Last\n\n,7\n"));
    // The pages of a workbook are its sheets.
    assert_eq!(lab.text("page f.xlsx 3"), "# Last\n\n,7\n");
    assert_eq!(lab.text("search day f.xlsx"), "2:name,\"a,\"\"b\"\"\",day\n");
    let stat = lab.json("stat f.xlsx");
    assert_eq!((&stat["decoded"], &stat["pages"]), (&"xlsx".into(), &3.into()));
}

#[test]
fn one_sheet_alone_is_plain_csv() {
    let row = format!("<row r=\"1\">{}{}</row>", cell("A1", "1"), cell("B1", "2"));
    let lab = Lab::with("f.xlsx", &xlsx(&[("Sheet1", &row)]));
    assert_eq!(lab.text("lines f.xlsx"), "1,2\n");
}

#[test]
fn a_sheet_of_a_million_rows_is_short_lines() {
    let sheet = |last: &str| {
        let rows = [(1, cell("A1", "1")), (1 << 20, cell(&format!("{last}1048576"), "2"))];
        let rows = rows.map(|(row, cell)| format!("<row r=\"{row}\">{cell}</row>")).concat();
        xlsx(&[("Sheet1", &rows)])
    };
    let lab = Lab::with("f.xlsx", &sheet("ZZ"));
    assert_eq!(lab.json("stat f.xlsx --count")["lines"], 1 << 20);
    // `stat` would also ask SQL for an example of each column.
    lab.write("widest.xlsx", &sheet("XFD"));
    assert_eq!(lab.text("lines widest.xlsx 1048576"), format!("{}2\n", ",".repeat((1 << 14) - 1)));
    assert_eq!(lab.text("search ^1 widest.xlsx -c"), "1\n");
    let past = xlsx(&[("Sheet1", &cell("A4294967295", "1"))]);
    lab.write("past.xlsx", &past);
    assert_eq!(lab.run("lines past.xlsx").code, Some(3));
}

pub fn open_document() -> Vec<u8> {
    let value =
        |value: &str| format!("<table:table-cell office:value-type=\"float\" office:value=\"{value}\"/>");
    let day = "<table:table-cell office:value-type=\"date\" office:date-value=\"2024-02-29\"><text:p>x</text:p></table:table-cell>";
    let rows = format!(
        "<table:table-row>{}{day}</table:table-row>\
         <table:table-row table:number-rows-repeated=\"2\"><table:table-cell/></table:table-row>\
         <table:table-row>{}</table:table-row>\
         <table:table-row table:number-rows-repeated=\"1048500\"><table:table-cell table:number-columns-repeated=\"16384\"/></table:table-row>",
        value("1.5"),
        value("2")
    );
    ods(&format!("<table:table table:name=\"One\">{rows}</table:table>"))
}

#[test]
fn open_document_workbooks_are_csv() {
    let lab = Lab::with("f.ods", &open_document());
    assert_eq!(lab.text("lines f.ods"), "1.5,2024-02-29\n\n\n2,\n");
    assert_eq!(lab.json("lines f.ods")["metadata"]["decoded"], "ods");
}

pub fn book() -> Vec<u8> {
    epub(&[
        ("One", "<h1>One</h1><p>first words</p>"),
        ("The second", "<p>more <i>words</i></p>"),
        ("", "<p>end</p>"),
    ])
}

#[test]
fn a_book_is_its_chapters_in_order() {
    let lab = Lab::with("f.epub", &book());
    let text = "# One\n\nfirst words\n\n# The second\n\nmore words\n\nend\n";
    assert_eq!(lab.text("lines f.epub"), text);
    assert_eq!(lab.text("page f.epub 3"), "end\n");
    assert_eq!(lab.text("search words f.epub"), "3:first words\n7:more words\n");
    lab.write("b", &book());
    assert_eq!(lab.json("lines b")["metadata"]["decoded"], "epub");
}

#[test]
fn standard_input_is_recognised_by_content() {
    let files =
        [("f.docx", document()), ("f.xlsx", workbook()), ("f.ods", open_document()), ("f.epub", book())];
    for (name, bytes) in files {
        let lab = Lab::with(name, &bytes);
        let file = std::fs::File::open(lab.path(name)).unwrap();
        let output = lab.command("lines - -f text").stdin(file).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), lab.text(&format!("lines {name}")), "{name}");
    }
}

#[test]
fn documents_are_recognised_by_their_members() {
    let word = docx(&paragraph("one"), &[("word/a.txt", "")]);
    let lab = Lab::with("a", &word);
    lab.write("a.xlsx", &word);
    lab.write("a.docx", &[b"#!/bin/sh\nexit\n", &word[..]].concat());
    lab.write("table", &ods("<table:table table:name=\"S\"/>"));
    for file in ["a", "a.xlsx", "a.docx"] {
        assert_eq!(lab.text(&format!("lines {file}")), "one\n", "{file}");
    }
    assert_eq!(lab.json("lines a")["metadata"]["decoded"], "docx");
    assert_eq!(lab.json("lines table")["metadata"]["decoded"], "ods");
}

/// What a field is made of is no text, and nothing after it is hidden, even if its end is missing.
#[test]
fn the_instructions_of_a_field_are_no_text() {
    let mark = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let run = |text: &str| format!("<w:r><w:t>{text}</w:t></w:r>");
    let [begin, middle, end] = ["begin", "separate", "end"].map(mark);
    let inner = format!("{begin}{middle}{}{end}", run("female"));
    let whole = format!("{}{begin}{inner}{middle}{}{end}{}", run("Dear "), run("Ms"), run(" Smith"));
    let open = format!("{}{begin}{}", run("a "), run("b"));
    let body = format!("<w:p>{whole}</w:p><w:p>{open}</w:p><w:p>{}</w:p>", run("after"));
    let lab = Lab::with("a.docx", &docx(&body, &[]));
    assert_eq!(lab.run("lines a.docx --raw").stdout, "Dear Ms Smith\na \nafter\n");
}

#[test]
fn parts_may_be_in_utf_16() {
    let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><w:document xmlns:w=\"w\"><w:body><w:p><w:r><w:t>caf\u{E9}</w:t></w:r></w:p></w:body></w:document>";
    let types = "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>";
    for big_endian in [false, true] {
        let unit = |unit: u16| if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() };
        let wide: Vec<u8> = "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(unit).collect();
        let bytes = archive(&[("[Content_Types].xml", types.as_bytes()), ("word/document.xml", &wide)]);
        let lab = Lab::with("a.docx", &bytes);
        assert_eq!(lab.run("lines a.docx --raw").stdout, "caf\u{E9}\n");
    }
}

/// Other formats have a container, too.
#[test]
fn an_archive_that_names_another_type_is_no_book() {
    let container =
        "<container><rootfiles><rootfile full-path=\"Contents/content.hpf\"/></rootfiles></container>";
    let members: [(&str, &[u8]); 3] = [
        ("mimetype", b"application/hwp+zip"),
        ("META-INF/container.xml", container.as_bytes()),
        ("Preview/PrvText.txt", b"preview\n"),
    ];
    let lab = Lab::with("a.hwpx", &archive(&members));
    assert_eq!(lab.run("lines zip:a.hwpx/Preview/PrvText.txt --raw").stdout, "preview\n");
}
