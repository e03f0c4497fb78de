//! Office files and books among ZIP archives, with their members in every order.

use rread_source::{MemorySource, archive};
use rread_text::sniff::{Content, SAMPLE};

use super::zips::{Member, member, zip};

const WORD: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const SHEET: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const BINARY: &str = "application/vnd.ms-excel.sheet.binary.macroenabled.12";
const SLIDES: &str = "application/vnd.openxmlformats-officedocument.presentationml.presentation";
const TEXT: &str = "application/vnd.oasis.opendocument.text";
const TABLES: &str = "application/vnd.oasis.opendocument.spreadsheet";
const BOOK: &str = "application/epub+zip";

type Members = &'static [(&'static str, &'static str)];

/// Members by name and content, and the media type.
const PACKAGES: &[(&str, Members)] = &[
    (
        WORD,
        &[
            ("[Content_Types].xml", "<Types/>"),
            ("_rels/.rels", ""),
            ("word/document.xml", ""),
            ("docProps/app.xml", ""),
        ],
    ),
    (WORD, &[("_rels/.rels", ""), ("word/document2.xml", ""), ("xl/embedded.xlsx", "")]),
    (
        WORD,
        &[
            (
                "[Content_Types].xml",
                "<Override ContentType=\"application/vnd.ms-word.wordprocessingml.document.main+xml\"/>",
            ),
            ("a.xml", ""),
        ],
    ),
    (WORD, &[("/[CONTENT_TYPES].XML", ""), ("\\word\\document.xml", "")]),
    (SHEET, &[("[Content_Types].xml", ""), ("xl/workbook.xml", ""), ("xl/worksheets/sheet1.xml", "")]),
    (
        SHEET,
        &[
            (
                "[Content_Types].xml",
                "<Override ContentType='application/vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml'/>",
            ),
            ("b/c.xml", ""),
        ],
    ),
    (BINARY, &[("[Content_Types].xml", ""), ("xl/workbook.bin", ""), ("xl/styles.bin", "")]),
    (
        SLIDES,
        &[
            ("[Content_Types].xml", ""),
            ("_rels/.rels", ""),
            ("ppt/presentation.xml", ""),
            ("ppt/embeddings/x.xlsx", ""),
        ],
    ),
    (
        TEXT,
        &[
            ("mimetype", "application/vnd.oasis.opendocument.text"),
            ("content.xml", ""),
            ("META-INF/manifest.xml", ""),
        ],
    ),
    (TEXT, &[("mimetype", "application/vnd.oasis.opendocument.text-template\n"), ("content.xml", "")]),
    (
        TABLES,
        &[
            ("content.xml", ""),
            ("META-INF/manifest.xml", "<a media-type=\"application/vnd.oasis.opendocument.spreadsheet\"/>"),
        ],
    ),
    (BOOK, &[("mimetype", "application/epub+zip"), ("META-INF/container.xml", ""), ("OEBPS/a.xhtml", "")]),
    (BOOK, &[("META-INF/container.xml", ""), ("OEBPS/a.xhtml", "")]),
    ("application/zip", &[("word/notes.txt", ""), ("a.txt", "")]),
    ("application/zip", &[("docs/word/document.xml", ""), ("docs/_rels/.rels", "")]),
    ("application/zip", &[("xl/workbook.xml", ""), ("a.txt", "")]),
    ("application/zip", &[("mimetype", "application/x-other"), ("stack.xml", "")]),
];

fn mime(bytes: &[u8]) -> &'static str {
    archive::mime(&MemorySource::new(bytes), &bytes[..bytes.len().min(SAMPLE)], Content::Binary)
}

fn stored(name: &'static str, text: &'static str) -> Member<'static> {
    member(name.as_bytes(), text.as_bytes())
}

fn deflated(name: &'static str, text: &'static str) -> Member<'static> {
    let data = miniz_oxide::deflate::compress_to_vec(text.as_bytes(), 6);
    let mut member = stored(name, text);
    (member.data, member.method) = (data, 8);
    member
}

/// The members in each rotation, forwards and backwards.
fn orders<T: Clone>(members: &[T]) -> impl Iterator<Item = Vec<T>> {
    (0..2 * members.len()).map(|turn| {
        let mut turned = members.to_vec();
        turned.rotate_left(turn / 2);
        if turn % 2 == 1 {
            turned.reverse();
        }
        turned
    })
}

#[test]
fn packages_are_recognised_in_every_order_of_their_members() {
    let picture = [0xA5; 3 * SAMPLE];
    for (expected, names) in PACKAGES {
        for make in [stored, deflated] {
            let members: Vec<Member<'_>> = names.iter().map(|(name, text)| make(name, text)).collect();
            for turned in orders(&members) {
                assert_eq!(mime(&zip(&turned)), *expected, "{names:?}");
                let late = [&[member(b"media/picture.bin", &picture)][..], &turned].concat();
                assert_eq!(mime(&zip(&late)), *expected, "after a picture");
            }
        }
    }
}

#[test]
fn other_bytes_may_be_before_and_after_a_package() {
    let members = [member(b"_rels/.rels", b""), member(b"word/document.xml", b"")];
    for (before, after) in [(&b"#!/bin/sh\n"[..], &b""[..]), (&[7; 20_000], b"\n"), (b"", b"\0\0\0")] {
        let bytes = [before, &zip(&members), after].concat();
        assert_eq!(archive::package_mime(&MemorySource::new(bytes)), Some(WORD));
    }
    let marked = [b"PK\x07\x08", &zip(&members)[..]].concat();
    assert_eq!(mime(&marked), WORD);
    let cut = &zip(&members)[..60];
    assert_eq!((archive::package_mime(&MemorySource::new(cut)), mime(cut)), (None, "application/zip"));
}
