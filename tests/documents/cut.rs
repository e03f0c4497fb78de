//! PDF files that are cut off, as after a broken download, and whole ones that look unusual.

use super::Lab;
use super::pdf::{Pdf, lines};

const PAGES: usize = 20;

/// A document of twenty pages, and the offset at which the content of page 11 begins.
fn twenty() -> (Vec<u8>, usize) {
    let mut pdf = Pdf::new();
    let texts: Vec<String> =
        (1..=PAGES).map(|page| lines(&format!("page {page} first\npage {page} last"))).collect();
    // The pages come before all contents.
    let first = 3 + PAGES;
    (1..=PAGES).for_each(|page| pdf.page_of("", first + page));
    for text in &texts {
        pdf.stream("", text.as_bytes());
    }
    let bytes = pdf.bytes();
    let mark = format!("\n{} 0 obj", first + 11);
    let at = bytes.windows(mark.len()).position(|window| window == mark.as_bytes()).unwrap();
    (bytes, at)
}

#[test]
fn a_cut_pdf_is_read_to_the_cut_and_damaged() {
    let (whole, at) = twenty();
    let lab = Lab::with("half.pdf", &whole[..at + 30]);
    let text: String = (1..=10).map(|page| format!("page {page} first\npage {page} last\n")).collect();
    let said = "its end is missing, and with it pages 11-20 of 20";
    for (call, code, stdout) in [
        ("lines half.pdf -f text", 3, text.as_str()),
        ("lines half.pdf -1 -f text", 3, ""),
        ("lines half.pdf 3:4 -f text", 0, "page 2 first\npage 2 last\n"),
        ("lines half.pdf -1 -f text --salvage", 0, "page 10 last\n"),
        ("lines half.pdf -f text --salvage", 0, text.as_str()),
        ("page half.pdf 10 -f text", 0, "page 10 first\npage 10 last\n"),
        ("page half.pdf 11 -f text", 3, ""),
        ("page half.pdf 20 -f text", 3, ""),
        ("page half.pdf -1 -f text", 3, ""),
        ("page half.pdf 21 -f text", 5, ""),
        ("search last half.pdf -c --raw", 3, "10\n"),
        ("search nothing half.pdf --raw", 3, ""),
    ] {
        let run = lab.run(call);
        assert_eq!((run.code, run.stdout.as_str()), (Some(code), stdout), "{call}: {}", run.stderr);
        assert_eq!(run.stderr.contains(said), code == 3, "{call}: {}", run.stderr);
        if code == 3 {
            let hint = run.stderr.lines().find_map(|line| line.strip_prefix("hint: rread ")).unwrap();
            let again = lab.run(hint);
            let expected = if call.contains("nothing") { 1 } else { 0 };
            assert_eq!(again.code, Some(expected), "{call}: {hint}: {}", again.stderr);
        }
    }
    let metadata = lab.json("lines half.pdf --salvage")["metadata"].clone();
    assert_eq!(metadata["notices"][0], "damaged");
    assert_eq!(metadata["damaged"]["offset"], text.len());
}

#[test]
fn a_pdf_is_damaged_wherever_it_is_cut() {
    let (whole, _) = twenty();
    let lab = Lab::new();
    let lengths = (1..40).map(|step| 20 + (whole.len() - 40) * step / 40);
    for length in lengths.chain([whole.len() - 2, whole.len() - 12]) {
        lab.write("cut.pdf", &whole[..length]);
        let run = lab.run("lines cut.pdf -f text");
        assert_eq!(run.code, Some(3), "{length} of {}: {}", whole.len(), run.stdout);
        assert!(run.stderr.contains("damaged"), "{length}: {}", run.stderr);
        // An update that is cut off has a whole file before it.
        lab.write("cut.pdf", &[&whole[..], b"500 0 obj\n", &whole[..length]].concat());
        assert_eq!(lab.run("lines cut.pdf -f text").code, Some(3), "update {length}");
    }
}

#[test]
fn a_whole_pdf_is_not_damaged() {
    let (whole, _) = twenty();
    let text = String::from_utf8_lossy(&whole).into_owned();
    let expected: String = (1..=PAGES).map(|page| format!("page {page} first\npage {page} last\n")).collect();
    let table = text.find("xref").unwrap();
    let start = text.find("startxref").unwrap();
    let update = format!(
        "500 0 obj\n<<>>\nendobj\nxref\n0 0\ntrailer<</Size 501/Root 1 0 R/Prev {table}>>\nstartxref\n"
    );
    let updated = format!("{update}{}\n%%EOF\n", whole.len() + update.find("xref").unwrap());
    let linearized = b"%PDF-1.7\n1 0 obj\n<</Linearized 1>>\nendobj\nstartxref\n0\n%%EOF\n";
    let lab = Lab::new();
    for (what, bytes) in [
        ("as it is", whole.clone()),
        ("no newline at its end", whole[..whole.len() - 1].to_vec()),
        (
            "bytes after it",
            [&whole[..], b"\n<html>1 0 obj</html>\0\0\0".as_slice()].concat()[..whole.len() + 8].to_vec(),
        ),
        ("zeros after it", [&whole[..], &[0; 5000]].concat()),
        ("bytes before it", [b"junk\r\n\r\n", &whole[..]].concat()),
        ("without startxref", [&whole[..start], b"%%EOF\n"].concat()),
        ("without the mark", whole[..whole.len() - 6].to_vec()),
        ("an update", [&whole[..], updated.as_bytes()].concat()),
        ("a mark in front", [&linearized[..], &whole[9..]].concat()),
    ] {
        lab.write("f.pdf", &bytes);
        let run = lab.run("lines f.pdf -f text");
        assert_eq!(
            (run.code, run.stdout.as_str(), run.stderr.as_str()),
            (Some(0), expected.as_str(), ""),
            "{what}"
        );
    }
}
