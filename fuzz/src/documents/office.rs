//! Word documents, workbooks, slides and books: a package built around the bytes, or the bytes as the file.
//!
//! An input for a package is text: the format, and then members, each after a line `== NAME`. Members that the format
//! needs and that the input does not have are added.

use rread_source::document::DocumentFormat;

use super::judged::decoded;
use super::sheets;
use crate::zip::{Member, zip};

/// Names and contents of members.
type Members = [(&'static str, &'static str)];

const FORMATS: [(&str, DocumentFormat, &Members); 8] = [
    ("docx", DocumentFormat::Docx, &[("_rels/.rels", "<r/>")]),
    ("odt", DocumentFormat::Odt, &[("META-INF/manifest.xml", "<manifest:manifest/>")]),
    ("xlsx", DocumentFormat::Xlsx, XLSX),
    ("xlsb", DocumentFormat::Xlsb, XLSB),
    ("ods", DocumentFormat::Ods, ODS),
    ("epub", DocumentFormat::Epub, EPUB),
    ("pptx", DocumentFormat::Pptx, PPTX),
    ("odp", DocumentFormat::Odp, &[("META-INF/manifest.xml", "<manifest:manifest/>")]),
];

const PPTX: &Members = &[
    (
        "_rels/.rels",
        "<Relationships><Relationship Id=\"a\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"ppt/presentation.xml\"/></Relationships>",
    ),
    (
        "ppt/presentation.xml",
        "<p:presentation xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><p:sldIdLst><p:sldId id=\"256\" r:id=\"r1\"/></p:sldIdLst></p:presentation>",
    ),
    (
        "ppt/_rels/presentation.xml.rels",
        "<Relationships><Relationship Id=\"r1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/slide\" Target=\"slides/slide1.xml\"/></Relationships>",
    ),
];

const XLSX: &Members = &[
    (
        "_rels/.rels",
        "<Relationships><Relationship Id=\"a\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>",
    ),
    (
        "xl/workbook.xml",
        "<workbook xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><sheets><sheet name=\"a\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>",
    ),
    (
        "xl/_rels/workbook.xml.rels",
        "<Relationships><Relationship Id=\"r1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/sheet1.xml\"/></Relationships>",
    ),
];

const XLSB: &Members = &[(
    "xl/_rels/workbook.bin.rels",
    "<Relationships><Relationship Id=\"r1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/sheet1.bin\"/></Relationships>",
)];

const ODS: &Members = &[
    ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
    ("META-INF/manifest.xml", "<manifest:manifest/>"),
];

const EPUB: &Members = &[
    ("META-INF/container.xml", "<container><rootfile full-path=\"book.opf\"/></container>"),
    (
        "book.opf",
        "<package><item id=\"a\" href=\"a.xhtml\"/><item id=\"n\" href=\"nav.xhtml\" properties=\"nav\"/><itemref idref=\"a\"/></package>",
    ),
];

pub fn run(data: &[u8]) {
    let named = FORMATS.iter().find_map(|(name, format, needed)| {
        let rest = data.strip_prefix(name.as_bytes())?;
        rest.starts_with(b"\n").then(|| (*format, package(rest, needed)))
    });
    match named {
        Some((format, bytes)) => check(format, &bytes),
        None if data.starts_with(b"PK") => FORMATS.iter().for_each(|(_, format, _)| check(*format, data)),
        None => {}
    }
}

/// Workbooks of older programs, which are no packages.
pub fn older(data: &[u8]) {
    check(DocumentFormat::Xls, data);
}

/// The archive of the members that `text` has, and of those that are `needed`.
fn package(text: &[u8], needed: &Members) -> Vec<u8> {
    let mut members: Vec<Member<'_>> = Vec::new();
    let mut starts = find(text, b"\n== ").chain([text.len()]).peekable();
    while let (Some(start), Some(end)) = (starts.next(), starts.peek()) {
        let member = &text[start + 4..(*end).max(start + 4)];
        let name_end = member.iter().position(|byte| *byte == b'\n').unwrap_or(member.len());
        let (name, content) = (&member[..name_end], member.get(name_end + 1..).unwrap_or_default());
        members.push(Member { name, content, is_deflated: content.len() > 500 });
    }
    for (name, content) in needed {
        let (name, content) = (name.as_bytes(), content.as_bytes());
        if members.iter().all(|member| member.name != name) {
            members.push(Member { name, content, is_deflated: false });
        }
    }
    members.retain(|member| member.name.len() < 1000);
    members.truncate(100);
    zip(&members)
}

fn find<'a>(text: &'a [u8], wanted: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    text.windows(wanted.len()).enumerate().filter(move |(_, window)| *window == wanted).map(|(at, _)| at)
}

fn check(format: DocumentFormat, bytes: &[u8]) {
    let Some(decoded) = decoded(format, None, bytes) else { return };
    let count = decoded.announced.map(|count| usize::try_from(count).unwrap());
    if !format.has_pages() {
        assert!(decoded.announced.is_none() && decoded.pages.iter().all(|page| !page.is_ended));
        assert!(decoded.pages.iter().all(|page| page.text.ends_with('\n')));
    } else if decoded.is_whole {
        assert_eq!(count, Some(decoded.pages.len()));
        assert!(decoded.pages.iter().all(|page| page.is_ended));
    }
    if decoded.is_whole && format.is_workbook() {
        sheets::check(format, bytes, &decoded);
    }
}
