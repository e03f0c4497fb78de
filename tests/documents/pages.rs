//! The pages of a document, and its lines.

use super::Lab;
use super::pdf::{Pdf, lines};

const THREE: [&str; 3] = ["one first\none second", "two", "three first\nthree second\nthree third"];

/// The text of `THREE`.
const TEXT: &str = "one first\none second\ntwo\nthree first\nthree second\nthree third\n";

#[test]
fn a_page_is_that_of_the_document() {
    let lab = Lab::with("f.pdf", &Pdf::of(&THREE));
    assert_eq!(lab.text("lines f.pdf"), TEXT);
    for (number, page) in (1..).zip(THREE) {
        for place in [number.to_string(), format!("-{}", 4 - number)] {
            assert_eq!(lab.text(&format!("page f.pdf {place}")), format!("{page}\n"), "page {place}");
        }
        let json = lab.json(&format!("page f.pdf {number}"));
        let metadata = &json["metadata"];
        assert_eq!((metadata["page"].as_u64(), metadata["pages"].as_u64()), (Some(number), Some(3)));
        assert_eq!(metadata["decoded"], "pdf");
        let next = (number < 3).then(|| format!("{}", number + 1));
        assert_eq!(metadata["next"]["range"].as_str(), next.as_deref(), "{metadata}");
    }
    let all = lab.run("page f.pdf --all -f text");
    assert_eq!(all.stdout, TEXT);
    let beyond = lab.run("page f.pdf 4");
    assert_eq!((beyond.code, beyond.stdout.as_str()), (Some(5), ""));
    assert!(beyond.stderr.contains("page 4 is beyond the end of the file (3 pages)"), "{}", beyond.stderr);
    for several in ["2:3", "2:", "-2:-1", "2:99"] {
        assert_eq!(
            lab.run(&format!("page f.pdf {several} -f text")).stdout,
            "two\nthree first\nthree second\nthree third\n"
        );
    }
    let backwards = lab.run("page f.pdf 3:2");
    assert_eq!(backwards.code, Some(2));
    assert!(backwards.stderr.contains("page 3 comes after page 2"), "{}", backwards.stderr);
    // Pages of a size are those of the text.
    assert_eq!(lab.text("page f.pdf 1 --page-size 12"), "one first\n");
    assert_eq!(lab.json("stat f.pdf")["pages"], 3);
}

#[test]
fn pages_without_text_are_pages_too() {
    let mut pdf = Pdf::new();
    let dict = "/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8";
    let picture = pdf.stream(dict, b"\x80");
    let resources = format!("/XObject<</I {picture} 0 R>>");
    let scanned = "q 612 0 0 792 0 0 cm /I Do Q";
    pdf.page_with(&resources, scanned);
    pdf.page(&lines("middle"));
    pdf.page("");
    pdf.page_with(&resources, &format!("{scanned} {}", lines("caption")));
    let lab = Lab::with("f.pdf", &pdf.bytes());
    let page = |page: u32| lab.run(&format!("page f.pdf {page} -f text"));
    let pages: Vec<String> = (1..=4).map(|number| page(number).stdout).collect();
    assert_eq!(pages, ["", "middle\n", "", "caption\n"]);
    let note = "rread: f.pdf: note: pages without text, pictures alone: 1 of 4; ocrmypdf f.pdf COPY.pdf adds their text\n";
    assert_eq!(page(4).stderr, note);
    let metadata = &lab.json("lines f.pdf")["metadata"];
    assert_eq!((&metadata["picture_pages"], &metadata["notices"]), (&1.into(), &["pictures"][..].into()));
}

#[test]
fn the_last_of_five_thousand_pages_is_right() {
    let texts: Vec<String> = (1..=5000).map(|page| format!("This is page {page}.")).collect();
    let lab = Lab::with("f.pdf", &Pdf::of(&texts.iter().map(String::as_str).collect::<Vec<_>>()));
    assert_eq!(lab.text("page f.pdf 17"), "This is page 17.\n");
    assert_eq!(lab.text("page f.pdf -1"), "This is page 5000.\n");
    assert_eq!(lab.text("lines f.pdf 4999"), "This is page 4999.\n");
    assert_eq!(lab.json("stat f.pdf --count")["lines"], 5000);
}

#[test]
fn a_page_is_not_a_picture() {
    let lab = Lab::with("f.pdf", &Pdf::of(&THREE));
    let run = lab.run("image f.pdf");
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    let hint = |page: u32| {
        format!("hint: pdftoppm -png -singlefile -f {page} -l {page} f.pdf page && rread image page.png\n")
    };
    assert!(
        run.stderr.contains("is application/pdf, not an image: rread makes no pictures of its pages"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.ends_with(&hint(1)), "{}", run.stderr);
    let run = lab.run("image f.pdf --page 2");
    assert!(run.code == Some(2) && run.stderr.ends_with(&hint(2)), "{}", run.stderr);
    for command in ["lines", "search two"] {
        let run = lab.run(&format!("{command} f.pdf --page 2:3"));
        assert!(
            run.code == Some(2) && run.stderr.ends_with("hint: rread page f.pdf 2:3\n"),
            "{}",
            run.stderr
        );
    }
}
