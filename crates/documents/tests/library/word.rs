//! Word documents.

use rread_documents::format::DocumentFormat;

use super::fixtures::{archive, decoded, relations, text};

fn package(body: &str, more: &[(&str, &[u8])]) -> Vec<u8> {
    let document = format!("<w:document><w:body>{body}</w:body></w:document>");
    let top = relations(&[("r1", "relationships/officeDocument", "word/document.xml")]);
    let mut members = vec![("_rels/.rels", top.as_bytes()), ("word/document.xml", document.as_bytes())];
    members.extend_from_slice(more);
    archive(&members)
}

fn word(body: &str) -> String {
    text(DocumentFormat::Docx, package(body, &[]))
}

fn paragraph(runs: &str) -> String {
    format!("<w:p>{runs}</w:p>")
}

fn run(properties: &str, text: &str) -> String {
    format!("<w:r><w:rPr>{properties}</w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

const RAISED: &str = "<w:vertAlign w:val=\"superscript\"/>";
const LOWERED: &str = "<w:vertAlign w:val=\"subscript\"/>";

#[test]
fn numbers_keep_their_exponents_and_fractions() {
    let half = "<m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>";
    let root = "<m:oMath><m:rad><m:deg/><m:e><m:r><m:t>2</m:t></m:r></m:e></m:rad></m:oMath>";
    for (runs, expected) in [
        (half.to_owned() + &run("", " cup, 10") + &run(RAISED, "6") + &run("", " cells, ") + root, "1/2 cup, 10⁶ cells, √2"),
        // A mixed number, and a number after a fraction.
        (run("", "1") + half + &run("", "3"), "1 1/2 3"),
        (run("", "H") + &run(LOWERED, "2") + &run("", "O"), "H₂O"),
        // The exponent is in several runs.
        (run("", "10") + &run(RAISED, "1") + &run(RAISED, "2") + &run("", "."), "10¹²."),
        (run("", "x") + &run(RAISED, "n+1"), "x^{n+1}"),
        (run("", "1") + &run(RAISED, "st") + &run("", " day"), "1st day"),
        (run("", "10") + &run("<w:position w:val=\"6\"/>", "6"), "10⁶"),
        (run("", "10") + &run("<w:position w:val=\"1\"/>", "6"), "106"),
        (run("", "10") + &run("<w:rStyle w:val=\"Up\"/>", "6"), "10⁶"),
        (run("", "10") + &run("<w:vertAlign w:val=\"baseline\"/>", "6"), "106"),
        // One of two properties raises the text, whichever is first.
        (run("", "10") + &run(&format!("<w:position w:val=\"0\"/>{RAISED}"), "6"), "10⁶"),
        (run("", "10") + &run(&format!("{RAISED}<w:position w:val=\"0\"/>"), "6"), "10⁶"),
        (run("", "10") + &run("<w:position w:val=\"8\"/><w:vertAlign w:val=\"baseline\"/>", "6"), "10⁶"),
        (run("", "10") + &run("<w:rStyle w:val=\"Up\"/><w:position w:val=\"0\"/>", "6"), "106"),
        (run("", "10") + &format!("<w:r><w:rPr>{RAISED}</w:rPr><w:noBreakHyphen/><w:t>6</w:t></w:r>"), "10⁻⁶"),
        // A formula with text of other runs inside, and one in a paragraph of its own.
        ("<m:oMathPara><m:oMath><m:sSup><m:e><m:r><w:rPr/><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></m:oMathPara>".to_owned(), "x²"),
    ] {
        let styles = "<w:styles><w:style w:styleId=\"Base\"><w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr></w:style>\
            <w:style w:styleId=\"Up\"><w:basedOn w:val=\"Base\"/></w:style></w:styles>";
        let bytes = package(&paragraph(&runs), &[("word/styles.xml", styles.as_bytes())]);
        assert_eq!(text(DocumentFormat::Docx, bytes), format!("{expected}\n"), "{runs}");
    }
}

#[test]
fn form_fields_have_their_states() {
    let field = |data: &str| {
        format!(
            "<w:r><w:fldChar w:fldCharType=\"begin\"><w:ffData><w:name w:val=\"x\"/>{data}</w:ffData></w:fldChar></w:r>\
             <w:r><w:instrText>FORM</w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r>"
        )
    };
    let check = |state: &str| field(&format!("<w:checkBox>{state}</w:checkBox>"));
    let list = |state: &str| {
        field(&format!(
            "<w:ddList>{state}<w:listEntry w:val=\"red\"/><w:listEntry w:val=\"blue\"/></w:ddList>"
        ))
    };
    let symbol = |code: &str| format!("<w:r><w:sym w:font=\"Wingdings\" w:char=\"{code}\"/></w:r>");
    for (field, expected) in [
        (check("<w:checked/>"), "☒"),
        (check("<w:default w:val=\"0\"/><w:checked w:val=\"1\"/>"), "☒"),
        (check("<w:default w:val=\"1\"/>"), "☒"),
        (check("<w:default w:val=\"1\"/><w:checked w:val=\"0\"/>"), "☐"),
        (check(""), "☐"),
        (list("<w:result w:val=\"1\"/>"), "blue"),
        (list(""), "red"),
        (symbol("F0FE"), "☑"),
        (symbol("F0A8"), "☐"),
        ("<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val=\"1\"/></w14:checkbox></w:sdtPr><w:sdtContent>".to_owned()
            + &run("", "☒")
            + "</w:sdtContent></w:sdt>", "☒"),
        ("<w:r><w:rPr><w:rFonts w:ascii=\"Wingdings\"/></w:rPr><w:t>&#xF0FE;</w:t></w:r>".to_owned(), "☑"),
        ("<w:r><w:sym w:font=\"Symbol\" w:char=\"F061\"/></w:r>".to_owned(), "α"),
    ] {
        assert_eq!(word(&paragraph(&(field.clone() + &run("", " agreed")))), format!("{expected} agreed\n"), "{field}");
    }
}

#[test]
fn readings_are_left_out_and_pictures_have_their_text() {
    let ruby = |reading: &str, base: &str| {
        format!(
            "<w:r><w:ruby><w:rt>{}</w:rt><w:rubyBase>{}</w:rubyBase></w:ruby></w:r>",
            run("", reading),
            run("", base)
        )
    };
    let drawing = |inner: &str| format!("<w:r><w:drawing><wp:inline>{inner}</wp:inline></w:drawing></w:r>");
    let bridge = "<wp:docPr id=\"1\" name=\"P\" descr=\"A red\nbridge\"/>";
    for (runs, expected) in [
        (ruby("kan", "漢") + &ruby("ji", "字"), "漢字"),
        (drawing(bridge) + &run("", "Figure 1"), "[A red bridge]Figure 1"),
        // The picture in the drawing has the same text, or another one.
        (drawing(&format!("{bridge}<pic:cNvPr descr=\"A red bridge\"/>")), "[A red bridge]"),
        (drawing(&format!("{bridge}<pic:cNvPr descr=\"A boat\"/>")), "[A red bridge][A boat]"),
        (drawing("<wp:docPr id=\"1\" name=\"P\" title=\"T\"/>"), "[T]"),
        (drawing("<wp:docPr id=\"1\" name=\"P\"/>") + &run("", "x"), "x"),
        (
            "<w:r><w:pict><v:shape alt=\"old\"><v:imagedata title=\"old\"/></v:shape></w:pict></w:r>"
                .to_owned(),
            "[old]",
        ),
        (
            "<w:r><w:pict><v:shapetype><v:textpath on=\"t\"/></v:shapetype><v:shape><v:textpath string=\"DO\nNOT &quot;COPY&quot;\"/>\
             </v:shape></w:pict></w:r>"
                .to_owned()
                + &run("", "x"),
            "DO NOT \"COPY\"\nx",
        ),
    ] {
        assert_eq!(word(&paragraph(&runs)), format!("{expected}\n"), "{runs}");
    }
}

#[test]
fn parts_without_text_are_noted() {
    let body = paragraph(
        "<w:r><w:object><w:control r:id=\"a\"/><o:OLEObject ProgID=\"Equation.3\"/></w:object></w:r>\
         <w:r><w:instrText> EQ \\f(1,</w:instrText></w:r><w:r><w:instrText>2) </w:instrText></w:r>",
    ) + "<w:altChunk r:id=\"c1\"/>";
    let decoded = decoded(DocumentFormat::Docx, package(&body, &[]));
    let parts: Vec<&str> = decoded.notices.iter().map(|(_, part)| part.as_str()).collect();
    let expected = [
        "controls",
        "documents inside of it",
        "formulas in EQ fields",
        "formulas of the older equation editor",
    ];
    assert_eq!(parts, expected);
}

#[test]
fn a_refusal_names_the_part() {
    let decoded =
        decoded(DocumentFormat::Docx, archive(&[("word/document.xml", b"<w:document><w:body></w:p>")]));
    assert_eq!(decoded.cause.as_deref(), Some("word/document.xml"));
    assert!(decoded.failure.is_some());
}

#[test]
fn items_have_their_numbers() {
    let level = |level: u8, format: &str, start: u8| {
        format!(
            "<w:lvl w:ilvl=\"{level}\"><w:start w:val=\"{start}\"/><w:numFmt w:val=\"{format}\"/></w:lvl>"
        )
    };
    let list = |number: u8, more: &str| {
        format!("<w:num w:numId=\"{number}\"><w:abstractNumId w:val=\"1\"/>{more}</w:num>")
    };
    let anew = "<w:lvlOverride w:ilvl=\"0\"><w:startOverride w:val=\"4\"/></w:lvlOverride>";
    let other = format!("<w:lvlOverride w:ilvl=\"0\">{}</w:lvlOverride>", level(0, "upperRoman", 1));
    let levels = level(0, "decimal", 1) + &level(1, "lowerLetter", 2) + &level(2, "bullet", 1);
    let numbering = format!(
        "<w:numbering><w:abstractNum w:abstractNumId=\"1\">{levels}</w:abstractNum>{}{}{}{}</w:numbering>",
        list(1, ""),
        list(2, ""),
        list(3, anew),
        list(4, &other)
    );
    let place = |(list, level): &(u8, u8)| {
        format!("<w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{list}\"/></w:numPr>")
    };
    let item = |item: &(u8, u8)| format!("<w:p><w:pPr>{}</w:pPr><w:r><w:t>x</w:t></w:r></w:p>", place(item));
    for (items, expected) in [
        (
            &[(1, 0), (1, 1), (1, 1), (1, 0), (1, 1), (1, 2)][..],
            "1. x\n  b. x\n  c. x\n2. x\n  b. x\n    - x\n",
        ),
        // Lists of a definition count on, and one that starts anew does for itself.
        (&[(1, 0), (2, 0), (3, 0), (3, 0), (1, 0)], "1. x\n2. x\n4. x\n5. x\n3. x\n"),
        (&[(4, 0), (4, 0), (4, 1), (1, 0)], "I. x\nII. x\n  b. x\n1. x\n"),
    ] {
        let body: String = items.iter().map(item).collect();
        let bytes = package(&body, &[("word/numbering.xml", numbering.as_bytes())]);
        assert_eq!(text(DocumentFormat::Docx, bytes), expected, "{items:?}");
    }
    // An item without text has its number, unless the item was deleted.
    for (properties, content, expected) in [
        ("", "", "1. x\n2.\n3. x\n"),
        ("<w:rPr><w:del w:id=\"1\"/></w:rPr>", "", "1. x\n2. x\n"),
        (
            "<w:rPr><w:moveFrom w:id=\"1\"/></w:rPr>",
            "<w:moveFrom><w:r><w:t>y</w:t></w:r></w:moveFrom>",
            "1. x\n2. x\n",
        ),
        ("<w:rPr><w:del w:id=\"1\"/></w:rPr>", "<w:r><w:t>y</w:t></w:r>", "1. x\n2. yx\n"),
        ("", "<w:del><w:r><w:delText>y</w:delText></w:r></w:del>", "1. x\n2.\n3. x\n"),
    ] {
        let middle = format!("<w:p><w:pPr>{}{properties}</w:pPr>{content}</w:p>", place(&(1, 0)));
        let body = item(&(1, 0)) + &middle + &item(&(1, 0));
        let bytes = package(&body, &[("word/numbering.xml", numbering.as_bytes())]);
        assert_eq!(text(DocumentFormat::Docx, bytes), expected, "{middle}");
    }
}

#[test]
fn a_large_first_letter_is_part_of_its_word() {
    let large = |kind: &str, text: &str| {
        format!("<w:p><w:pPr><w:framePr w:dropCap=\"{kind}\"/></w:pPr>{}</w:p>", run("", text))
    };
    let rest = paragraph(&run("", "rop cap"));
    for (body, expected) in [
        (large("drop", "D") + &rest, "Drop cap\n"),
        (large("margin", "D") + &rest + &rest, "Drop cap\nrop cap\n"),
        (large("none", "A frame") + &rest, "A frame\nrop cap\n"),
        // No paragraph follows.
        (rest.clone() + &large("drop", "D"), "rop cap\nD\n"),
        (
            format!("<w:tbl><w:tr><w:tc>{}</w:tc><w:tc>{rest}</w:tc></w:tr></w:tbl>", large("drop", "D")),
            "D\trop cap\n",
        ),
    ] {
        assert_eq!(word(&body), expected, "{body}");
    }
}

#[test]
fn a_line_end_in_the_file_is_a_blank() {
    for (runs, expected) in [
        (run("", "one\ntwo"), "one two"),
        (run("", "one&#10;two"), "one two"),
        ("<w:r><w:t>one</w:t><w:br/><w:t>two</w:t></w:r>".to_owned(), "one\ntwo"),
    ] {
        assert_eq!(word(&paragraph(&runs)), format!("{expected}\n"), "{runs}");
    }
}

#[test]
fn a_deleted_end_joins_its_paragraph_with_the_next_one() {
    let before = |mark: &str, text: &str| {
        format!("<w:p><w:pPr><w:rPr><w:{mark} w:id=\"1\"/></w:rPr></w:pPr>{}</w:p>", run("", text))
    };
    let deleted = |text: &str| before("del", text);
    let plain = |text: &str| paragraph(&run("", text));
    let table = |cell: &str| format!("<w:tbl><w:tr><w:tc>{cell}</w:tc></w:tr></w:tbl>");
    let boxed = |inner: &str| {
        paragraph(&(run("", "out") + &format!("<w:r><w:txbxContent>{inner}</w:txbxContent></w:r>")))
    };
    let earlier =
        "<w:p><w:pPr><w:rPr><w:rPrChange><w:rPr><w:del/></w:rPr></w:rPrChange></w:rPr></w:pPr></w:p>";
    for (body, expected) in [
        (deleted("one ") + &plain("two"), "one two\n"),
        (before("moveFrom", "one ") + &plain("two"), "one two\n"),
        (before("ins", "one") + &plain("two"), "one\ntwo\n"),
        (deleted("one ") + &deleted("two ") + &plain("three") + &plain("four"), "one two three\nfour\n"),
        (plain("one") + &deleted("") + &plain("two"), "one\ntwo\n"),
        (plain("one") + &deleted(""), "one\n"),
        (earlier.to_owned() + &plain("two"), "\ntwo\n"),
        // Nothing follows that the text could be part of.
        (deleted("one"), "one\n"),
        (deleted("one") + &table(&plain("two")), "one\ntwo\n"),
        (table(&deleted("one")) + &plain("two"), "one\ntwo\n"),
        (boxed(&deleted("in")) + &plain("two"), "in\nout\ntwo\n"),
        // A text box in the paragraph that goes on.
        (deleted("one ") + &boxed(&plain("in")), "in\none out\n"),
    ] {
        assert_eq!(word(&body), expected, "{body}");
    }
    let footnotes =
        format!("<w:footnotes><w:footnote w:id=\"2\">{}</w:footnote></w:footnotes>", deleted("note"));
    let body = paragraph("<w:r><w:t>x</w:t><w:footnoteReference w:id=\"2\"/></w:r>");
    let bytes = package(&body, &[("word/footnotes.xml", footnotes.as_bytes())]);
    assert_eq!(text(DocumentFormat::Docx, bytes), "x[^1]\n[^1]: note\n");
}

#[test]
fn a_deleted_row_has_no_line() {
    let row = |properties: &str, text: &str| {
        format!(
            "<w:tr><w:trPr>{properties}</w:trPr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr>",
            paragraph(text),
            paragraph("")
        )
    };
    let gone = "<w:del><w:r><w:delText>b</w:delText></w:r></w:del>";
    for (properties, expected) in [
        ("<w:del w:id=\"1\"/>", "a\t\nc\t\n"),
        ("<w:ins w:id=\"1\"/>", "a\t\n\t\nc\t\n"),
        ("<w:trPrChange><w:trPr><w:del/></w:trPr></w:trPrChange>", "a\t\n\t\nc\t\n"),
    ] {
        let rows = row("", &run("", "a")) + &row(properties, gone) + &row("", &run("", "c"));
        assert_eq!(word(&format!("<w:tbl>{rows}</w:tbl>")), expected, "{properties}");
    }
}

#[test]
fn a_row_may_begin_at_a_later_column() {
    let cell = |text: &str| format!("<w:tc>{}</w:tc>", paragraph(&run("", text)));
    for (before, expected) in [("<w:gridBefore w:val=\"2\"/>", "\t\ttotal\t90\n"), ("", "total\t90\n")] {
        let row = format!("<w:tr><w:trPr>{before}</w:trPr>{}{}</w:tr>", cell("total"), cell("90"));
        let first = format!("<w:tr>{}{}</w:tr>", cell("item"), cell("unit"));
        assert_eq!(
            word(&format!("<w:tbl>{first}{row}</w:tbl>")),
            format!("item\tunit\n{expected}"),
            "{before}"
        );
    }
}
