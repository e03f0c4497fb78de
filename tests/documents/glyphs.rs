//! From the glyphs of a PDF to text: right-to-left scripts, marks over letters, text in place of what is drawn.

use std::fmt::Write as _;

use miniz_oxide::deflate::compress_to_vec_zlib;

use super::Lab;
use super::pdf::Pdf;

/// A font of squares.
struct Font {
    /// What each glyph means: its place is its code.
    glyphs: Vec<&'static str>,
    /// Whether the map to these meanings is stored with DEFLATE.
    is_deflated: bool,
}

/// The widths of glyphs, in a font of 10 points.
const WIDTH: i32 = 5;

impl Font {
    fn new(glyphs: &[&'static str]) -> Self {
        Font { glyphs: glyphs.to_vec(), is_deflated: true }
    }

    /// A document with one page, on which this font is F1.
    fn page(&self, resources: &str, content: &str) -> Vec<u8> {
        let mut pdf = Pdf::new();
        let square = pdf.stream("", b"5 0 d0 0 0 4 4 re f");
        let codes: Vec<usize> = (0..self.glyphs.len()).collect();
        let names = codes.iter().fold(String::new(), |names, code| format!("{names}/g{code}"));
        let drawings =
            codes.iter().fold(String::new(), |drawings, code| format!("{drawings}/g{code} {square} 0 R"));
        let mut meanings =
            format!("1 begincodespacerange<00><FF>endcodespacerange {} beginbfchar", codes.len());
        for (code, glyph) in self.glyphs.iter().enumerate() {
            let _ = write!(meanings, "<{code:02X}><{}>", hex(glyph));
        }
        let meanings = format!(
            "/CIDInit/ProcSet findresource begin 12 dict begin begincmap {meanings}endbfchar endcmap end end"
        );
        let meanings = if self.is_deflated {
            pdf.stream("/Filter/FlateDecode", &compress_to_vec_zlib(meanings.as_bytes(), 6))
        } else {
            pdf.stream("", meanings.as_bytes())
        };
        // A mark is drawn over its letter and takes no room.
        let width = |glyph: &&str| if glyph.starts_with('\u{5BC}') { 0 } else { WIDTH };
        let widths: Vec<String> = self.glyphs.iter().map(|glyph| width(glyph).to_string()).collect();
        let (last, widths) = (codes.len() - 1, widths.join(" "));
        pdf.font = pdf.object(format!(
            "<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[.1 0 0 .1 0 0]/CharProcs<<{drawings}>>\
             /Encoding<</Differences[0{names}]>>/FirstChar 0/LastChar {last}/Widths[{widths}]/ToUnicode {meanings} 0 R>>"
        ));
        pdf.page_with(resources, content);
        pdf.bytes()
    }

    fn codes(&self, glyphs: &[&str]) -> String {
        let code = |glyph: &&str| self.glyphs.iter().position(|other| other == glyph).unwrap();
        glyphs.iter().fold(String::new(), |codes, glyph| format!("{codes}{:02X}", code(glyph)))
    }

    /// Shows the glyphs of `text` from left to right, each character a glyph.
    fn show(&self, text: &str, x: i32, y: i32) -> String {
        let glyphs: Vec<String> = text.chars().map(String::from).collect();
        let codes = self.codes(&glyphs.iter().map(String::as_str).collect::<Vec<_>>());
        format!("BT /F1 10 Tf {x} {y} Td <{codes}> Tj ET ")
    }
}

/// In UTF-16, big-endian.
fn hex(text: &str) -> String {
    text.encode_utf16().fold(String::new(), |hex, unit| format!("{hex}{unit:04X}"))
}

fn text_of(pdf: &[u8]) -> String {
    Lab::with("f.pdf", pdf).text("lines f.pdf")
}

fn hebrew() -> Font {
    Font::new(&["ש", "ל", "ו", "ם", "ע", "1", "2", ".", "5", " ", "(", ")", "r", "e", "a", "d"])
}

/// `hello world 12.5 (read)`, as it stands on the page.
const PAGE: &str = ")read( 12.5 םלוע םולש";
const READING: &str = "שלום עולם 12.5 (read)\n";

#[test]
fn right_to_left_text_comes_as_it_is_read() {
    let font = hebrew();
    let page = font.page("", &font.show(PAGE, 72, 700));
    let lab = Lab::with("f.pdf", &page);
    assert_eq!(lab.text("lines f.pdf"), READING);
    assert_eq!(lab.text("search עולם f.pdf"), format!("1:{READING}"));
    // The document names the brackets as they look.
    let looks = PAGE.replace(')', "[").replace('(', ")").replace('[', "(");
    assert_eq!(text_of(&font.page("", &font.show(&looks, 72, 700))), READING);
}

#[test]
fn right_to_left_text_may_be_drawn_in_the_order_of_reading() {
    let font = hebrew();
    let width = i32::try_from(PAGE.chars().count()).unwrap() * WIDTH;
    let drawn = |step: usize| {
        let glyphs: Vec<char> = PAGE.chars().collect();
        let mut content = String::new();
        let mut x = 72 + width;
        for part in glyphs.rchunks(step) {
            x -= i32::try_from(part.len()).unwrap() * WIDTH;
            content += &font.show(&part.iter().collect::<String>(), x, 700);
        }
        content + &font.show("םולש", 72, 680)
    };
    for step in [1, 2, 3, 5] {
        let text = text_of(&font.page("", &drawn(step)));
        assert_eq!(text, format!("{READING}שלום\n"), "{step} glyphs at a time");
    }
}

#[test]
fn other_text_around_keeps_its_order() {
    let font = hebrew();
    assert_eq!(text_of(&font.page("", &font.show("read (12 םולש) read", 72, 700))), "read (12 שלום) read\n");
    assert_eq!(text_of(&font.page("", &font.show("read (12) read", 72, 700))), "read (12) read\n");
}

#[test]
fn a_ligature_of_two_letters_keeps_their_order() {
    let font = Font::new(&["لا", "ا", "ه"]);
    let content = format!("BT /F1 10 Tf 72 700 Td <{}> Tj ET", font.codes(&["ه", "لا", "ا"]));
    assert_eq!(text_of(&font.page("", &content)), "الاه\n");
}

#[test]
fn marks_take_no_room_and_stay_with_their_letter() {
    let font = Font::new(&["ב", "\u{5BC}", "א"]);
    // The mark comes before its letter, and stands apart from the one before.
    for gap in [0, 2] {
        let content = format!(
            "BT /F1 10 Tf 72 700 Td <{}> Tj {gap} 0 Td 5 0 Td <{}> Tj -{gap} 0 Td <{}> Tj ET",
            font.codes(&["א"]),
            font.codes(&["\u{5BC}"]),
            font.codes(&["ב", "א"]),
        );
        assert_eq!(text_of(&font.page("", &content)), "אב\u{5BC}א\n", "{gap}");
    }
}

#[test]
fn a_document_may_give_text_in_place_of_what_it_draws() {
    let font = Font::new(&["a", "b", " ", "-"]);
    let part = |properties: &str, inner: &str| format!("/Span {properties} BDC {inner} EMC ");
    let actual = |text: &str| format!("<</ActualText<FEFF{}>>>", hex(text));
    let (a, b) = (font.show("a", 72, 700), font.show("b", 87, 700));
    for (content, expected) in [
        (part(&actual("xyz"), &font.show("aab", 72, 700)) + &b, "xyzb\n"),
        (part(&actual("x\n y"), &a) + &b, "x y b\n"),
        (part("<</ActualText(x)>>", &a), "x\n"),
        (part("/P1", &a), "named\n"),
        (a.clone() + &part(&actual(""), &font.show("-", 77, 700)) + &b, "a b\n"),
        // The outer text counts, and what comes after it is as it is drawn.
        (part(&actual("x"), &part(&actual("y"), &a)) + &b, "x b\n"),
        (part("<</MCID 0>>", &(part(&actual("x"), &a) + &b)), "x b\n"),
        // Nothing is drawn in its place.
        (part(&actual("x"), "") + &b, "b\n"),
    ] {
        let resources = format!("/Properties<</P1{}>>", actual("named"));
        assert_eq!(text_of(&font.page(&resources, &content)), expected, "{content}");
    }
}

#[test]
fn glyphs_without_a_text_of_their_own_are_part_of_another() {
    for is_deflated in [false, true] {
        let font = Font { is_deflated, ..Font::new(&["ab", "", "c", " ", "d"]) };
        let content = |glyphs: &[&str]| format!("BT /F1 10 Tf 72 700 Td <{}> Tj ET", font.codes(glyphs));
        let whole = font.page("", &content(&["ab", "", "c", " ", "", "", "d"]));
        assert_eq!(text_of(&whole), "abc d\n", "{is_deflated}");
        assert_eq!(text_of(&font.page("", &content(&["", "c"]))), "c\n");
    }
}

#[test]
fn pages_before_a_repair_are_sent_once() {
    let mut pdf = Pdf::new();
    let map =
        b"1 begincodespacerange<00><FF>endcodespacerange 3 beginbfchar<81><0058><82><0059><83> <>endbfchar";
    let map = pdf.stream("", &[&b"begincmap "[..], map, b" endcmap"].concat());
    let square = pdf.stream("", b"5 0 d0 0 0 4 4 re f");
    let font = pdf.object(format!(
        "<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[.1 0 0 .1 0 0]/CharProcs<</g1 {square} 0 R>>\
         /Encoding<</Differences[1/g1 129/g1/g1/g1]>>/FirstChar 1/LastChar 131/Widths[{}]/ToUnicode {map} 0 R>>",
        "5 ".repeat(131)
    ));
    pdf.page("BT /F1 10 Tf 72 700 Td (first) Tj ET");
    pdf.font = font;
    for text in ["81", "8182", "01"] {
        pdf.page(&format!("BT /F1 10 Tf 72 700 Td <{text}> Tj ET"));
    }
    let lab = Lab::with("f.pdf", &pdf.bytes());
    assert_eq!(lab.text("lines f.pdf"), "first\nX\nXY\n\u{FFFD}\n");
    assert_eq!(lab.text("page f.pdf 3"), "XY\n");
    assert_eq!(lab.json("stat f.pdf")["pages"], 4);
}

#[test]
fn text_that_is_painted_twice_is_one_text() {
    let cases = [
        ("(Bold) Tj 0.3 0 Td (Bold) Tj", "Bold", "a word, moved"),
        ("(Bo) Tj 11.67 0 Td (ld) Tj -11.5 0.2 Td (Bold) Tj", "Bold", "in other parts"),
        ("(B) Tj 0.3 0 Td (B) Tj 6.37 0 Td (o) Tj 0.3 0 Td (o) Tj", "Bo", "letter by letter"),
        ("[(B) 640 (B) 27 (o)] TJ", "Bo", "in one operation"),
        ("2 Tr (Bold) Tj 0 Tr 0 0 Td (Bold) Tj", "Bold", "its outline too"),
        ("(Bold) Tj 97 Tz 0.4 0 Td (Bold) Tj", "Bold", "a bit narrower"),
        ("(ill) Tj", "ill", "narrow letters"),
    ];
    for (content, text, case) in cases {
        let mut pdf = Pdf::new();
        pdf.page(&format!("BT /F1 10 Tf 50 700 Td {content} ET"));
        assert_eq!(text_of(&pdf.bytes()), format!("{text}\n"), "{case}");
    }
}

/// The label of a button, and its appearance over it, which is narrower and a bit to the right.
#[test]
fn no_part_of_a_word_is_lost_that_touches_another_one() {
    let mut pdf = Pdf::new();
    pdf.page("BT /F1 10 Tf 50 700 Td (Submit) Tj 97 Tz 1.1 0.9 Td (Submit) Tj ET");
    let text = text_of(&pdf.bytes());
    for letter in "Submit".chars() {
        assert_eq!(text.matches(letter).count(), 2, "{text}");
    }
}
