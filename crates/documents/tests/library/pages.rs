//! Pages of PDF files: which text they show, and where its words end.

use rread_documents::format::DocumentFormat;

use super::fixtures::{pdf, text};

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
