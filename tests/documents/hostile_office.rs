//! Hostile and damaged notebooks, pages and office files: text or one sentence, within the limits.

use std::time::{Duration, Instant};

use rread_testkit::rng::Rng;

use super::archive::{archive, docx, epub};
use super::hostile::refused;
use super::{Lab, books, html, notebook, odt, office, workbooks};

fn samples() -> [(&'static str, Vec<u8>); 9] {
    [
        ("f.ipynb", notebook::sample()),
        ("f.html", html::PAGE.as_bytes().to_vec()),
        ("f.docx", office::document()),
        ("f.xlsx", office::workbook()),
        ("f.xls", books::xls(&workbooks::SHEETS)),
        ("f.xlsb", books::xlsb(&workbooks::SHEETS)),
        ("f.ods", office::open_document()),
        ("f.odt", odt::document()),
        ("f.epub", office::book()),
    ]
}

/// Checks that reading `file` ends in text or in one sentence, soon and without a word of the decoder.
fn check(lab: &Lab, file: &str, bytes: &[u8], what: &str) {
    lab.write(file, bytes);
    let began = Instant::now();
    let run = lab.run(&format!("lines {file} --timeout 5s -f text --max-bytes 1M"));
    assert!(began.elapsed() < Duration::from_secs(15), "{file}, {what}: {:?}", began.elapsed());
    match run.code {
        Some(0 | 4) => {}
        // The text that there is, and the part that may be wrong.
        Some(3) if run.stderr.contains("the checksum of its part") => {}
        Some(3) => refused(&run, file, ""),
        code => panic!("{file}, {what}: {code:?} {} {}", run.stdout, run.stderr),
    }
    let stderr = &run.stderr;
    assert!(!stderr.contains("panic") && !stderr.contains("internal error"), "{file}, {what}: {stderr}");
}

#[test]
fn files_that_end_early_are_read_or_refused() {
    let lab = Lab::new();
    for (file, bytes) in samples() {
        for step in 0..12 {
            let length = bytes.len() * step / 12;
            check(&lab, file, &bytes[..length], &format!("{length} bytes"));
        }
    }
}

/// Members without compression: changed bytes reach the parsers.
fn stored(bytes: &[u8]) -> Vec<u8> {
    use std::io::{Cursor, Read, Write};
    let mut from = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut to = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..from.len() {
        let mut member = from.by_index(index).unwrap();
        let options =
            zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        to.start_file(member.name().unwrap().into_owned(), options).unwrap();
        let mut content = Vec::new();
        member.read_to_end(&mut content).unwrap();
        to.write_all(&content).unwrap();
    }
    to.finish().unwrap().into_inner()
}

fn mutated(whole: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    for _ in 0..=rng.below(8) {
        let at = rng.below(bytes.len());
        match rng.below(4) {
            0 => bytes[at] = u8::try_from(rng.below(256)).unwrap(),
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, b"0123456789<>[]{}\"&;/"[rng.below(20)]),
            _ => {
                let from = rng.below(bytes.len());
                let length = rng.below(40).min(bytes.len() - from.max(at));
                bytes.copy_within(from..from + length, at);
            }
        }
    }
    bytes
}

#[test]
fn damage_at_random_places_is_read_or_refused() {
    let (lab, mut rng) = (Lab::new(), Rng::new(21));
    let count = if std::env::var_os("RREAD_THOROUGH").is_some() { 600 } else { 100 };
    for (file, whole) in samples() {
        let whole = if whole.starts_with(b"PK") { stored(&whole) } else { whole };
        for round in 0..count {
            let mut bytes = mutated(&whole, &mut rng);
            // Changed members would end at their checksums.
            if bytes.starts_with(b"PK") && round % 2 == 0 {
                bytes = member_damaged(&whole, &mut rng);
            }
            check(&lab, file, &bytes, &format!("round {round}"));
        }
    }
}

/// An archive whose members are damaged and whose checksums are right.
fn member_damaged(whole: &[u8], rng: &mut Rng) -> Vec<u8> {
    use std::io::{Cursor, Read};
    let mut from = zip::ZipArchive::new(Cursor::new(whole)).unwrap();
    let members: Vec<(String, Vec<u8>)> = (0..from.len())
        .map(|index| {
            let mut member = from.by_index(index).unwrap();
            let mut content = Vec::new();
            member.read_to_end(&mut content).unwrap();
            let is_hit = !content.is_empty() && rng.below(2) == 0;
            (member.name().unwrap().into_owned(), if is_hit { mutated(&content, rng) } else { content })
        })
        .collect();
    archive(&members.iter().map(|(name, content)| (name.as_str(), content.as_slice())).collect::<Vec<_>>())
}

/// `bytes` with a wrong checksum of the member `name` in both of its headers.
fn with_wrong_checksum(bytes: &[u8], name: &str) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for (mark, checksum, start) in [(b"PK\x03\x04", 14, 30), (b"PK\x01\x02", 16, 46)] {
        let is_header =
            |at: &usize| bytes[*at..].starts_with(mark) && bytes[at + start..].starts_with(name.as_bytes());
        let at = (0..bytes.len()).find(is_header).unwrap();
        bytes[at + checksum] ^= 1;
    }
    bytes
}

/// A workbook was read as if it were whole, and other documents were refused.
#[test]
fn a_part_with_a_wrong_checksum_is_text_and_damaged() {
    for (file, whole) in samples().into_iter().filter(|(_, bytes)| bytes.starts_with(b"PK")) {
        let lab = Lab::with(file, &whole);
        let text = lab.text(&format!("lines {file}"));
        let archive = zip::ZipArchive::new(std::io::Cursor::new(&whole)).unwrap();
        let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
        let all = names.iter().fold(whole.clone(), |bytes, name| with_wrong_checksum(&bytes, name));
        lab.write(file, &all);
        let run = lab.run(&format!("lines {file} -f text"));
        assert_eq!((run.code, &run.stdout), (Some(3), &text), "{file}: {}", run.stderr);
        let sentence = format!("the checksum of its part {} is wrong", names.join(" and of "));
        assert!(run.stderr.contains(&sentence), "{file}: {}", run.stderr);
        for name in names {
            for whole in [&whole, &stored(&whole)] {
                lab.write(file, &with_wrong_checksum(whole, &name));
                let run = lab.run(&format!("lines {file} -f text"));
                assert_eq!((run.code, &run.stdout), (Some(3), &text), "{file} {name}: {}", run.stderr);
                let sentence = format!(": the checksum of its part {name} is wrong;");
                assert!(run.stderr.contains(&sentence), "{file} {name}: {}", run.stderr);
            }
            let salvaged = lab.json(&format!("lines {file} --salvage"));
            assert_eq!(salvaged["content"], text, "{file} {name}");
            assert_eq!(salvaged["metadata"]["notices"][0], "damaged", "{file} {name}");
            assert_eq!(lab.run(&format!("search -c zzz {file} -f text")).code, Some(3), "{file} {name}");
        }
    }
}

#[test]
fn bombs_meet_the_limits() {
    let lab = Lab::new();
    // One text of 700 MB, and a member of a book of that size.
    let blanks = " ".repeat(700 << 20);
    lab.write("text.docx", &docx(&format!("<w:p><w:r><w:t>{blanks}</w:t></w:r></w:p>"), &[]));
    lab.write("page.epub", &epub(&[("", &blanks)]));
    drop(blanks);
    for file in ["text.docx", "page.epub"] {
        assert!(lab.path(file).metadata().unwrap().len() < 2 << 20);
        refused(
            &lab.run(&format!("lines {file} 1:3")),
            file,
            "needs more memory to decode than the limit of 512 MiB",
        );
    }
    let rows = "<c r=\"A1048576\"><v>1</v></c><c r=\"XFD1048576\"><v>1</v></c>";
    lab.write("rows.xlsx", &super::archive::xlsx(&[("a", rows)]));
    assert_eq!(lab.run("lines rows.xlsx 1:3").code, Some(0));
}

#[test]
fn deep_nesting_ends_in_a_sentence() {
    let lab = Lab::new();
    check(&lab, "deep.html", format!("<html>{}", "<div><table><tr><td>".repeat(50_000)).as_bytes(), "deep");
    check(&lab, "deep.docx", &docx(&"<w:tbl><w:tr><w:tc><w:p>".repeat(50_000), &[]), "deep");
    let nested = "<text:list><text:list-item><text:p><text:note><table:table-cell>".repeat(20_000);
    check(&lab, "deep.odt", &super::archive::odt(&nested, ""), "deep");
    check(&lab, "deep.ipynb", format!("{{\"cells\":{}", "[".repeat(100_000)).as_bytes(), "deep");
}

#[test]
fn encrypted_files_ask_for_a_password() {
    let name: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let container = [b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec(), vec![0; 1000], name].concat();
    let lab = Lab::new();
    for (file, title) in [("a.docx", "Word document"), ("b.xlsx", "workbook (xlsx)")] {
        lab.write(file, &container);
        let run = lab.run(&format!("lines {file}"));
        refused(&run, file, &format!("is an encrypted {title} that opens only with its password"));
        assert!(run.stderr.contains("msoffcrypto-tool -p PASSWORD"), "{}", run.stderr);
    }
    let book = archive(&[
        ("mimetype", b"application/epub+zip"),
        ("META-INF/container.xml", b"<c><rootfile full-path=\"b.opf\"/></c>"),
        ("META-INF/encryption.xml", b"<e><CipherReference URI=\"a%20b.xhtml\"/></e>"),
        ("b.opf", b"<p><item id=\"a\" href=\"a%20b.xhtml\"/><itemref idref=\"a\"/></p>"),
    ]);
    lab.write("f.epub", &book);
    refused(&lab.run("lines f.epub"), "f.epub", "with an encryption that rread does not know");
}
