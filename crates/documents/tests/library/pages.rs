//! Pages of PDF files: which text they show, and where its words end.

use std::fmt::Write as _;

use rread_documents::format::DocumentFormat;
use rread_documents::protocol::Failure;

use super::fixtures::{decoded, pdf, show, stream, text};

/// A page with the font Helvetica.
fn page(more: &str, content: &str) -> String {
    let font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec();
    text(DocumentFormat::Pdf, pdf(&[font], more, content))
}

#[test]
fn text_outside_of_the_page_is_not_on_it() {
    let inside = "BT /F1 12 Tf 20 100 Td (inside) Tj ET ";
    let at = |x: i32, y: i32| format!("BT /F1 12 Tf {x} {y} Td (neighbour) Tj ET ");
    for (boxes, other) in [
        ("/CropBox[0 0 200 200]", at(320, 100)),
        ("/CropBox[0 90 200 200]", at(20, 20)),
        ("/CropBox[0 0 200 120]", at(20, 180)),
        ("/CropBox[10 0 200 200]", at(-200, 100)),
        ("/CropBox[0 0 200 200]/Rotate 90", at(320, 100)),
        ("", at(500, 100)),
        ("", at(20, -40)),
        // A clipping path.
        ("", format!("q 0 50 100 40 re W n {} Q ", at(20, 150))),
        ("", format!("q 0 0 10 10 re W n q 0 0 400 200 re W n {} Q Q ", at(20, 150))),
    ] {
        assert_eq!(page(boxes, &(inside.to_owned() + &other)), "inside\n", "{boxes} {other}");
        assert_eq!(page(boxes, &(other.clone() + inside)), "inside\n", "{boxes} {other}");
    }
}

#[test]
fn a_word_on_the_edge_stays_whole() {
    let content = "BT /F1 12 Tf 160 100 Td (total 1074935 and more) Tj ET";
    assert_eq!(page("/CropBox[0 0 205 200]", content), "total 1074935\n");
    // The clip is over when the state is restored.
    let content = "q 0 0 10 10 re W n Q BT /F1 12 Tf 20 100 Td (shown) Tj ET";
    assert_eq!(page("", content), "shown\n");
    // A page whose boxes have nothing in common has no edges.
    assert_eq!(page("/CropBox[900 900 950 950]", "BT /F1 12 Tf 20 100 Td (shown) Tj ET"), "shown\n");
}

#[test]
fn tight_words_are_words() {
    for (content, expected) in [
        ("[(Hello) -140 (World)] TJ", "Hello World"),
        ("[(Hello) -110 (World)] TJ", "Hello World"),
        ("[(H) 30 (e) -40 (l) 20 (l) -30 (o)] TJ", "Hello"),
        // Letters that are closer than usual, and words too.
        (
            "-0.6 Tc [(Governo) -125 (cede) -120 (e) -130 (anuncia) -125 (tudo)] TJ",
            "Governo cede e anuncia tudo",
        ),
        // Blanks in the document.
        ("(Hello World) Tj", "Hello World"),
        ("[(He) -90 (llo World)] TJ", "Hello World"),
    ] {
        let content = format!("BT /F1 12 Tf 20 100 Td {content} ET");
        assert_eq!(page("", &content), format!("{expected}\n"), "{content}");
    }
}

#[test]
fn raised_digits_do_not_join_a_number() {
    for (content, expected) in [
        ("(10) Tj /F1 7 Tf 5 Ts (6) Tj 0 Ts /F1 12 Tf ( cells) Tj", "10⁶ cells"),
        ("(10) Tj /F1 7 Tf 5 Ts (12) Tj", "10¹²"),
        ("(10) Tj /F1 7 Tf -3 Ts (2) Tj", "10₂"),
        // A mixed number, a mark for a note, and a smaller number beside.
        ("(2) Tj /F1 7 Tf 5 Ts (1) Tj 0 Ts (/2) Tj", "2 1/2"),
        ("([) Tj /F1 7 Tf 5 Ts (12) Tj", "[12"),
        ("(word) Tj /F1 7 Tf 5 Ts (1) Tj", "word1"),
        ("(10 ) Tj /F1 7 Tf (6) Tj", "10 6"),
    ] {
        let content = format!("BT /F1 12 Tf 20 100 Td {content} ET");
        assert_eq!(page("", &content), format!("{expected}\n"), "{content}");
    }
}

#[test]
fn a_letter_and_its_accent_are_one_letter() {
    for (parts, expected) in [
        // The accent is drawn after its letter, before it, and over a capital letter.
        (r"[(Universit) (e) 444.5 (\302) -111.5 ( de)] TJ", "Université de"),
        (r"[(J) -111.5 (\310) 444.5 (org)] TJ", "Jörg"),
        (r"[(e) 444.5 (\302) -111.5 (t)] TJ 2 Ts [-167 (\302) 500 (E)] TJ", "étÉ"),
        (r"[(Fern) -111.5 (\302) 444.5 (andez)] TJ", "Fernández"),
        (r"[(Franc) 416.5 (\313) -83.5 (ois)] TJ", "François"),
        // An accent that stands alone.
        (r"(e\302 x) Tj", "e´ x"),
    ] {
        assert_eq!(
            page("", &format!("BT /F1 12 Tf 20 100 Td {parts} ET")),
            format!("{expected}\n"),
            "{parts}"
        );
    }
}

#[test]
fn spaced_letters_are_a_word() {
    for (content, expected) in [
        ("2 Tc (CHAPTER ONE) Tj", "CHAPTER ONE"),
        ("1.5 Tc (Contents) Tj", "Contents"),
        // Numbers, and too far apart.
        ("2 Tc (1234567) Tj", "1 2 3 4 5 6 7"),
        ("4 Tc (ABCDEFG) Tj", "A B C D E F G"),
    ] {
        assert_eq!(
            page("", &format!("BT /F1 12 Tf 20 100 Td {content} ET")),
            format!("{expected}\n"),
            "{content}"
        );
    }
}

#[test]
fn values_are_shown_that_the_document_does_not_draw() {
    let font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec();
    let label = "BT /F1 12 Tf 20 104 Td (Name:) Tj ET";
    let drawn = |content: &str| super::fixtures::stream("/Subtype/Form/BBox[0 0 100 20]", content.as_bytes());
    let field = "/Type/Annot/Subtype/Widget/Rect[60 100 160 120]/DA(/Helv 12 Tf 0 g)";
    let note = "/Type/Annot/Subtype/FreeText/Rect[60 100 160 120]/Contents(a note)";
    for (annotation, more, expected) in [
        (format!("{field}/FT/Tx/V(Alice)"), vec![], "Name: Alice"),
        (format!("{field}/FT/Tx/V<FEFF0041006C>"), vec![], "Name: Al"),
        (format!("{field}/FT/Ch/V(red)/AP<</N 7 0 R>>"), vec![drawn("/Tx BMC EMC")], "Name: red"),
        (format!("{field}/Parent 7 0 R"), vec![b"<</FT/Tx/V(Bob)>>".to_vec()], "Name: Bob"),
        (format!("{field}/FT/Tx/V(one\rtwo)/Rect[60 60 160 116]"), vec![], "Name: one\ntwo"),
        (note.to_owned(), vec![], "Name: a note"),
        // Buttons, passwords, hidden fields, and fields with a drawing or without a value have none.
        (format!("{field}/FT/Btn/V/Yes"), vec![], "Name:"),
        (format!("{field}/FT/Tx/Ff 8192/V(secret)"), vec![], "Name:"),
        (format!("{field}/FT/Tx/F 2/V(hidden)"), vec![], "Name:"),
        (format!("{field}/FT/Tx"), vec![], "Name:"),
        (format!("{field}/FT/Tx/Parent 6 0 R"), vec![], "Name:"),
        (format!("{field}/FT/Tx/V(old)/AP<</N 7 0 R>>"), vec![drawn("BT () Tj ET")], "Name:"),
    ] {
        let objects = [vec![font.clone(), format!("<<{annotation}>>").into_bytes()], more].concat();
        let found = text(DocumentFormat::Pdf, pdf(&objects, "/Annots[6 0 R]", label));
        assert_eq!(found, format!("{expected}\n"), "{annotation}");
    }
}

/// A form of labels and fields at places; a field is its kind, its place and its value.
fn form(labels: &[(i32, i32, &str)], fields: &[(&str, i32, i32, &str)]) -> String {
    let mut objects = vec![
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec(),
        b"<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>".to_vec(),
    ];
    let mut annotations = String::new();
    for (kind, x, y, value) in fields {
        let drawing = "/Subtype/Form/BBox[0 0 120 16]/Resources<</Font<</F1 5 0 R/Z 6 0 R>>>>";
        let number = objects.len() + 5;
        let field = match *kind {
            "drawn" => {
                objects.push(stream(drawing, format!("BT /F1 12 Tf 2 3 Td ({value}) Tj ET").as_bytes()));
                format!("/FT/Tx/V({value})/AP<</N {number} 0 R>>")
            }
            "tick" => {
                objects.push(stream(drawing, b"q BT /Z 10 Tf 1 2 Td (4) Tj ET Q"));
                format!("/FT/Btn/AS/Yes/AP<</N<</Yes {number} 0 R>>>>")
            }
            "path" => {
                objects.push(stream(drawing, b"q 1 0 0 RG 1 1 m 9 9 l S Q"));
                format!("/FT/Btn/AS/{value}/AP<</N<</Yes {number} 0 R>>>>")
            }
            "push" => "/FT/Btn/Ff 65536".to_owned(),
            _ => format!("/FT/Tx/V({value})/DA(/F1 12 Tf 0 g)"),
        };
        let _ = write!(annotations, "{} 0 R ", objects.len() + 5);
        let is_box = matches!(*kind, "tick" | "path");
        let (right, top) = (x + if is_box { 12 } else { 120 }, y + if is_box { 12 } else { 16 });
        objects
            .push(format!("<</Type/Annot/Subtype/Widget/Rect[{x} {y} {right} {top}]{field}>>").into_bytes());
    }
    let place = |(x, y, label): &(i32, i32, &str)| format!("1 0 0 1 {x} {y} Tm ({label}) Tj ");
    let labels: String = labels.iter().map(place).collect();
    let page = format!("/Annots[{annotations}]");
    text(DocumentFormat::Pdf, pdf(&objects, &page, &format!("BT /F1 12 Tf {labels} ET")))
}

#[test]
fn fields_stand_beside_their_labels() {
    let labels = [(20, 150, "Name:"), (20, 120, "City:"), (20, 90, "Country:")];
    for kind in ["drawn", "viewer"] {
        let fields = [(kind, 80, 146, "Jane Doe"), (kind, 80, 116, "Lyon"), (kind, 80, 86, "France")];
        let backwards: Vec<_> = fields.iter().rev().copied().collect();
        let expected = "Name: Jane Doe\nCity: Lyon\nCountry: France\n";
        assert_eq!(form(&labels, &fields), expected, "{kind}");
        assert_eq!(form(&labels, &backwards), expected, "{kind}");
        // Two columns, whose labels are drawn by column, by row, and with a value of one alone.
        let [a, b, c, d] = [(20, 150, "First:"), (20, 120, "Age:"), (210, 150, "Last:"), (210, 120, "Town:")];
        let fields = [
            (kind, 60, 146, "Ann"),
            (kind, 260, 146, "Lee"),
            (kind, 60, 116, "41"),
            (kind, 260, 116, "Bonn"),
        ];
        let rows = form(&[a, c, b, d], &fields);
        assert_eq!(rows, "First: Ann Last: Lee\nAge: 41 Town: Bonn\n", "{kind}");
        assert_eq!(form(&[a, b, c, d], &fields), "First: Ann\nAge: 41\n\nLast: Lee\nTown: Bonn\n", "{kind}");
        assert_eq!(form(&[a, c, b, d], &fields[1..2]), "First: Last: Lee\nAge: Town:\n", "{kind}");
    }
}

#[test]
fn ticks_stand_before_or_after_their_labels() {
    let labels = [(40, 150, "Yes"), (40, 130, "No"), (40, 110, "Maybe")];
    let ticks = [("tick", 20, 148, ""), ("tick", 20, 108, "")];
    assert_eq!(form(&labels, &ticks), "✔ Yes\nNo\n✔ Maybe\n");
    assert_eq!(form(&labels, &[("tick", 90, 128, "")]), "Yes\nNo ✔\nMaybe\n");
    // Drawn as lines, and not drawn.
    let paths = [("path", 20, 148, "Yes"), ("path", 20, 128, "Off"), ("push", 20, 108, "")];
    assert_eq!(form(&labels, &paths), "✔ Yes\nNo\nMaybe\n");
    // The text of a button over the same text of the page divides no word.
    assert_eq!(form(&[(40, 150, "Submit")], &[("drawn", 40, 147, "Submit")]), "Submit\nSubmit\n");
    assert_eq!(form(&[(40, 150, "Submit")], &[("drawn", 38, 147, "Sende x")]), "Submit\nSende x\n");
    let row = [(40, 150, "red"), (90, 150, "blue"), (140, 150, "green")];
    assert_eq!(form(&row, &[("tick", 76, 148, "")]), "red ✔ blue green\n");
    // The edge of a field separates words, however near they are.
    for (label, button, expected) in [
        (20, 39, "Yes Submit\n"),
        (20, 38, "Yes Submit\n"),
        (20, 41, "Yes Submit\n"),
        (80, 40, "Submit Yes\n"),
        (79, 40, "Submit Yes\n"),
    ] {
        let form = form(&[(label, 150, "Yes")], &[("drawn", button, 147, "Submit")]);
        assert_eq!(form, expected, "{label} {button}");
    }
}

#[test]
fn lists_show_their_lines() {
    let font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec();
    let list = "/Type/Annot/Subtype/Widget/FT/Ch/Rect[120 30 260 112]/DA(/F1 12 Tf 0 g)";
    for (more, expected) in [
        ("/Opt[(Olives)(Capers)]/V[(Capers)]/I[1]", "shop: Olives\nCapers\n"),
        ("/Opt[[(a)(Olives)][(b)(Capers)]]", "shop: Olives\nCapers\n"),
        ("/Opt[(Olives)(Capers)]/TI 1", "shop: Capers\n"),
        // One that shows a line, and one with lines outside of its box.
        ("/Ff 131072/Opt[[(a)(Olives)][(b)(Capers)]]/V(b)/Rect[120 96 260 112]", "shop: Capers\n"),
        ("/Ff 131072/Opt[(Olives)(Capers)]", "shop:\n"),
        ("/Opt[(Olives)(Capers)(Onions)]/Rect[120 82 260 112]", "shop: Olives\nCapers\n"),
    ] {
        let objects = [font.clone(), format!("<<{list}{more}>>").into_bytes()];
        let page = pdf(&objects, "/Annots[6 0 R]", &show("(shop:) Tj"));
        assert_eq!(text(DocumentFormat::Pdf, page), expected, "{more}");
    }
}

#[test]
fn a_page_that_the_tree_names_twice_is_two_pages() {
    let font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec();
    let other =
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 200]/Contents 7 0 R/Resources<</Font<</F1 5 0 R>>>>>>";
    let objects = [
        font,
        other.to_vec(),
        stream("", show("(part) Tj").as_bytes()),
        b"<</Type/Pages/Kids[3 0 R 6 0 R 2 0 R]>>".to_vec(),
    ];
    let whole = String::from_utf8(pdf(&objects, "", &show("(divider) Tj"))).unwrap();
    for (kids, expected) in [
        ("3 0 R 6 0 R 3 0 R 6 0 R", &["divider", "part", "divider", "part"][..]),
        ("3 0 R 3 0 R", &["divider", "divider"]),
        ("8 0 R 6 0 R 8 0 R", &["divider", "part", "part", "divider", "part"]),
        // A page that is not there, in a file that is whole.
        ("3 0 R 99 0 R 6 0 R", &["divider", "part"]),
    ] {
        let file = whole.replace("Kids[3 0 R]/Count 1", &format!("Kids[{kids}]/Count 1"));
        let decoded = decoded(DocumentFormat::Pdf, file.into_bytes());
        let found: Vec<&str> = decoded.ended.iter().map(|page| page.trim_end()).collect();
        assert_eq!(
            (decoded.pages, &found[..], decoded.damage),
            (u32::try_from(expected.len()).ok(), expected, None),
            "{kids}"
        );
    }
}

#[test]
fn a_soft_hyphen_divides_no_word() {
    let font = |map: &str| {
        let map = stream("", format!("beginbfchar {map} endbfchar").as_bytes());
        vec![
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 6 0 R>>"
                .to_vec(),
            map,
        ]
    };
    let map = "<2d> <00AD> <61> <0061> <62> <0062> <31> <0031>";
    for (content, expected) in
        [("(a-b) Tj", "ab"), ("(1-1) Tj", "1-1"), ("(a-) Tj", "a-"), ("(a-) Tj 0 -14 Td (b) Tj", "ab")]
    {
        let page = pdf(&font(map), "", &show(content));
        assert_eq!(text(DocumentFormat::Pdf, page), format!("{expected}\n"), "{content}");
    }
}

#[test]
fn drawn_fonts_have_blanks_at_each_size() {
    let draw = |size: i32, x: i32, y: i32, text: &str| {
        format!("q 1 0 0 1 {x} {y} cm BT /F1 {size} Tf 0 0 Td ({text}) Tj ET Q ")
    };
    let procs = ["a", "b", "one", "two"];
    let mut font = "<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 32/LastChar 98/CharProcs<<".to_owned();
    for (at, name) in procs.iter().enumerate() {
        let _ = write!(font, "/{name} {} 0 R", 6 + at);
    }
    let widths: String = (32..=98).map(|code| if code == 32 { "278 " } else { "556 " }).collect();
    let _ = write!(font, ">>/Encoding<</Differences[49/one 50/two 97/a 98/b]>>/Widths[{widths}]>>");
    let glyph = stream("", b"556 0 0 0 500 700 d1 50 0 400 700 re f");
    let objects = [vec![font.into_bytes()], vec![glyph; procs.len()]].concat();
    for heading in [0, 9, 12, 18, 40] {
        let labels: String = [(20, "11"), (32, "12"), (44, "21")]
            .into_iter()
            .map(|(x, label)| draw(9, x, 60, label))
            .collect();
        let heading = if heading > 0 { draw(heading, 20, 120, "ab") } else { String::new() };
        let found = text(DocumentFormat::Pdf, pdf(&objects, "", &format!("{heading}{labels}")));
        assert!(found.ends_with("11 12 21\n"), "{heading}: {found}");
    }
}

#[test]
fn a_password_of_attachments_is_not_one_of_the_text() {
    let font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec();
    for (filters, is_read) in [
        ("/StmF/Identity/StrF/Identity/EFF/StdCF", true),
        ("/EFF/StdCF", true),
        ("/StmF/StdCF/StrF/Identity", false),
        ("/StmF/StdCF/StrF/StdCF", false),
    ] {
        let encryption = format!(
            "<</Filter/Standard/V 4/R 4/Length 128/P -4/CF<</StdCF<</CFM/AESV2/Length 16>>>>{filters}/O<{0}>/U<{0}>>>",
            "00".repeat(32)
        );
        let file = pdf(&[font.clone(), encryption.into_bytes()], "", &show("(cover) Tj"));
        let file =
            String::from_utf8(file).unwrap().replace("/Root 1 0 R", "/Root 1 0 R/Encrypt 6 0 R/ID[<00><00>]");
        let decoded = decoded(DocumentFormat::Pdf, file.into_bytes());
        let expected = if is_read { ("cover\n", None) } else { ("", Some(Failure::Password)) };
        assert_eq!((decoded.text.as_str(), decoded.failure), expected, "{filters}");
    }
}

#[test]
fn a_password_is_asked_for_whatever_the_table_is() {
    let font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec();
    let encryption =
        format!("<</Filter/Standard/V 2/R 3/Length 128/P -4/O<{0}>/U<{0}>>>", "00".repeat(32)).into_bytes();
    let file = pdf(&[font.clone(), encryption], "", &show("(secret)"));
    let text = String::from_utf8(file).unwrap();
    let (start, _) = text.split_once("xref\n").unwrap();
    let key = "/Encrypt 6 0 R/ID[<00><00>]/Size";
    let whole = text.replace("trailer", "trailer\n").replace("/Size", key);
    let direct =
        whole.replace("6 0 R", &start[start.find("<</Filter").unwrap()..start.rfind("\nendobj").unwrap()]);
    let broken = |text: &str| text.replace("startxref\n", "startxref\n9");
    for file in [
        whole.clone(),
        broken(&whole),
        broken(&whole.replace("/Size", "/Prev 99999/XRefStm 7/Size")),
        broken(&direct),
        // The end is missing, but for a trailer before it.
        format!("{start}trailer\n<<{key} 6/Root 1 0 R>>\n"),
        // A stream of references.
        format!(
            "{start}9 0 obj\n<</Type/XRef/Root 1 0 R{key} 6/W[1 1 1]/Length 0>>stream\nendstream\nendobj\nstartxref\n7\n%%EOF"
        ),
        // Other ends of lines, and the first object.
        broken(&whole).replace('\n', "\r"),
    ] {
        let decoded = decoded(DocumentFormat::Pdf, file.clone().into_bytes());
        assert_eq!((decoded.failure, decoded.damage), (Some(Failure::Password), None), "{file}");
    }
    // Other damage is damage.
    for file in [
        "%PDF-1.5\n/Encrypt",
        "%PDF-1.5\nobj<</Encrypt",
        "%PDF-1.5\ntrailer<</Encrypt 1 0 R>>",
        "%PDF-1.5\ntrailer<</Encrypt 99999999999999999999 0 R>>",
    ] {
        assert_eq!(decoded(DocumentFormat::Pdf, file.into()).failure, Some(Failure::Damaged), "{file}");
    }
}
