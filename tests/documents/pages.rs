//! The pages of a document, and its lines.

use rread_testkit::formats::tar_of;
use serde_json::{Value, json};

use super::Lab;
use super::books::Cell::{Number, Text};
use super::books::{self, Sheet};
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

/// The end of the text is not the end of the document, if pages without text follow.
#[test]
fn empty_pages_come_next() {
    for texts in [["", "", ""], ["one", "", ""], ["", "one", ""], ["", "", "one"]] {
        let lab = Lab::with("f.pdf", &Pdf::of(&texts));
        for page in 1..=3 {
            let metadata = lab.json(&format!("page f.pdf {page}"))["metadata"].clone();
            let next = (page < 3).then(|| (page + 1).to_string());
            assert_eq!(metadata["next"]["range"].as_str(), next.as_deref(), "{texts:?} {metadata}");
            assert!(page == 3 || metadata["eof"] == false, "{texts:?} {metadata}");
        }
        let text = lab.run("page f.pdf --all -f text");
        assert_eq!(text.stdout, lab.text("lines f.pdf"), "{texts:?}");
    }
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
    let tar = tar_of(&[("f.pdf", Pdf::of(&THREE))]);
    let run = Lab::with("a.tar", &tar).run("image tar:a.tar/f.pdf");
    let copy = "hint: rread bytes tar:a.tar/f.pdf --raw --text --no-decompress > COPY.pdf && pdftoppm ";
    assert!(run.stderr.contains(copy), "{}", run.stderr);
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

const CITIES: [Sheet<'_>; 2] = [
    Sheet {
        name: "People",
        is_hidden: false,
        cells: &[
            (0, 0, Text("name")),
            (0, 1, Text("age")),
            (1, 0, Text("Ann")),
            (1, 1, Number(31.0)),
            (2, 0, Text("Bob")),
            (2, 1, Number(25.0)),
        ],
    },
    Sheet {
        name: "Cities",
        is_hidden: false,
        cells: &[(0, 0, Text("city")), (0, 1, Text("size")), (1, 0, Text("Annaba")), (1, 1, Number(340.0))],
    },
];

#[test]
fn answers_have_the_sheet_of_their_lines_and_its_header_row() {
    let lab = Lab::with("f.xlsx", &books::xlsx(&CITIES));
    let people = json!({"page": 1, "sheet": "People", "header_row": "name,age"});
    let cities = json!({"page": 2, "sheet": "Cities", "header_row": "city,size"});
    let in_it = |facts: &Value, expected: &Value| {
        for key in ["page", "sheet", "header_row", "on_pages"] {
            assert_eq!(facts[key], expected[key], "{key} of {facts}");
        }
    };
    in_it(&lab.json("search Bob f.xlsx")["segments"][0]["metadata"], &people);
    in_it(&lab.json("search 340 f.xlsx")["segments"][0]["metadata"], &cities);
    in_it(&lab.json("lines f.xlsx 4")["metadata"], &people);
    in_it(&lab.json("where f.xlsx --line 8"), &cities);
    in_it(&lab.json("where f.xlsx --byte -1"), &cities);
    // The lines themselves have the header row, or what comes before it.
    in_it(&lab.json("lines f.xlsx 2:3")["metadata"], &json!({"page": 1, "sheet": "People"}));
    let several = json!([
        {"page": 1, "sheet": "People", "header_row": "name,age", "lines": "3-5"},
        {"page": 2, "sheet": "Cities", "lines": "6-8"},
    ]);
    in_it(&lab.json("lines f.xlsx 3:8")["metadata"], &json!({"on_pages": several}));
    let text = lab.run("search Ann f.xlsx").stdout;
    assert!(text.contains("\non_pages: \"1 People (name,age): 3; 2 Cities (city,size): 8\"\n"), "{text}");
    // A page of the document begins with its header.
    assert_eq!(lab.json("page f.xlsx 2")["metadata"]["sheet"], Value::Null);
}

#[test]
fn a_search_that_finds_nothing_says_that_it_searched_decoded_text() {
    let notebook = r#"{"cells":[{"cell_type":"code","execution_count":17,"metadata":{},"outputs":[],"source":["a = 1"]}],
        "metadata":{},"nbformat":4,"nbformat_minor":5}"#;
    let lab = Lab::with("f.ipynb", notebook.as_bytes());
    lab.write("f.xlsx", &books::xlsx(&CITIES));
    for (line, decoded, hint) in [
        (
            "search execution_count f.ipynb",
            "notebook",
            "rread search execution_count f.ipynb --no-decompress",
        ),
        (
            "search -i SHEET1.XML f.xlsx -f text",
            "xlsx",
            "rread search -i SHEET1.XML f.xlsx --no-decompress --text",
        ),
        ("search zzz f.xlsx --json", "xlsx", "rread search zzz f.xlsx --no-decompress --text"),
    ] {
        let output = lab.command(line).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{line}: {stderr}");
        assert!(stderr.contains(&format!("decoded: {decoded}")) && stderr.contains(hint), "{line}: {stderr}");
    }
    let found = lab.command("search execution_count f.ipynb --no-decompress -c --raw").output().unwrap();
    assert_eq!(found.stdout, b"1\n");
}
