//! Media types of binary files, and the command in the hint of each refusal.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use rread_testkit::home::AtHome;
use rread_text::sniff::{Content, mime, sniff};
use tempfile::TempDir;

/// The first bytes, filled up with NULs.
fn file(start: &[u8]) -> Vec<u8> {
    let mut file = start.to_vec();
    file.resize(600, 0);
    file
}

/// A header of Unix V7: a name, numbers in octal and their sum, and no magic number.
fn old_tar() -> Vec<u8> {
    let mut header = vec![0; 1024];
    for (at, field) in [
        (0, "logs/app.log"),
        (100, "000644 "),
        (124, "00000001750 "),
        (136, "14371573055 "),
        (148, "        "),
    ] {
        header[at..at + field.len()].copy_from_slice(field.as_bytes());
    }
    let sum: u32 = header[..512].iter().map(|byte| u32::from(*byte)).sum();
    header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    header
}

/// The local header of a stored entry.
fn zip(name: &str, data: &str) -> Vec<u8> {
    let mut zip = b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec();
    for length in [data.len(), data.len()] {
        zip.extend(u32::try_from(length).unwrap().to_le_bytes());
    }
    zip.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
    zip.extend([0, 0]);
    zip.extend(name.as_bytes());
    zip.extend(data.as_bytes());
    zip
}

/// Content, its media type, and a part of the hint.
fn cases() -> Vec<(Vec<u8>, &'static str, &'static str)> {
    let mut damaged_tar = old_tar();
    damaged_tar[3] ^= 1;
    vec![
        (old_tar(), "application/x-tar", "rread stat f --list"),
        (damaged_tar, "application/octet-stream", "rread bytes f 0:256 --encode hexdump"),
        (zip("a.txt", "text"), "application/zip", "rread stat f --list"),
        (zip("META-INF/MANIFEST.MF", ""), "application/java-archive", "rread stat f --list"),
        (
            zip("mimetype", "application/vnd.oasis.opendocument.text"),
            "application/vnd.oasis.opendocument.text",
            "pandoc",
        ),
        (zip("mimetype", "application/epub+zip"), "application/epub+zip", "pandoc -f epub"),
        (b"%PDF-1.7\nplain\n".to_vec(), "application/pdf", "pdftotext f - | rread lines - 1:20"),
        (file(b"SQLite format 3\0"), "application/vnd.sqlite3", "sqlite3 f .dump | rread lines - 1:20"),
        (file(b"PAR1\x15\x04"), "application/vnd.apache.parquet", "read_parquet"),
        (file(b"ARROW1\0\0"), "application/vnd.apache.arrow.file", "read_feather"),
        (file(b"\x7FELF\x02\x01\x01"), "application/x-executable", "strings f | rread lines - 1:20"),
        (file(b"MZ\x90\0\x03"), "application/vnd.microsoft.portable-executable", "strings f"),
        (file(b"\xCF\xFA\xED\xFE\x07\0\0\x01"), "application/x-mach-binary", "strings f"),
        (file(b"\xCA\xFE\xBA\xBE\0\0\0\x02"), "application/x-mach-binary", "strings f"),
        (file(b"\xCA\xFE\xBA\xBE\0\0\0\x41"), "application/java", "javap -v f"),
        (file(b"\0asm\x01\0\0\0"), "application/wasm", "wasm-objdump"),
        (file(b"\xA7\x0D\r\n\0\0\0\0"), "application/x-python-bytecode", "strings f"),
        (file(b"\x30\x82\x03\x9A\x30\x82"), "application/x-x509-ca-cert", "openssl asn1parse"),
        (file(b"\xDE\x12\x04\x95"), "application/x-gettext-translation", "msgunfmt f"),
        (file(b"DIRC\0\0\0\x02"), "application/x-git-index", "GIT_INDEX_FILE=f git ls-files"),
        (file(b"TZif2"), "application/tzif", "--encode hex"),
        (file(b"LPKSHHRH"), "application/x-systemd-journal", "journalctl --file f"),
        (file(b"\x1F\x8B\x08\0"), "application/gzip", "gzip -dc f | rread lines - 1:20"),
        (file(b"7z\xBC\xAF\x27\x1C"), "application/x-7z-compressed", "7z x -so f | rread lines - 1:20"),
        (file(b"Rar!\x1A\x07\x01\0"), "application/vnd.rar", "unrar p -inul f | rread lines - 1:20"),
        (file(b"\x89PNG\r\n\x1A\n"), "image/png", "rread image f"),
        (
            file(b"P6\n8 8\n255\n"),
            "image/x-portable-pixmap",
            "magick f picture.png && rread image picture.png",
        ),
        (file(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"), "image/heif", "heif-convert f picture.png"),
        (file(b"\0\0\0\x1Cftypavif\0\0\0\0avifmif1"), "image/avif", "magick f picture.png"),
        (file(b"\0\0\x01\0\x01\0\x10\x10"), "image/vnd.microsoft.icon", "magick f'[0]' picture.png"),
        (file(b"\x89LZO\0\r\n\x1A\n\x10"), "application/x-lzop", "lzop -dc f | rread lines - 1:20"),
        (file(b"x\x9C\x01\0\xFF"), "application/zlib", "pigz -dc f | rread lines - 1:20"),
        (file(b"RIFF\x24\0\0\0WAVEfmt "), "audio/x-wav", "ffprobe f"),
        (file(b"\0\x02\0\0"), "application/octet-stream", "--encode hex"),
        (file(b"who knows"), "application/octet-stream", "rread bytes f 0:256 --encode hexdump"),
    ]
}

fn run(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rread"));
    command.at_home(dir).args(args).current_dir(dir).output().unwrap()
}

#[test]
fn types_are_named() {
    for (bytes, named, _) in cases() {
        let content = sniff(&bytes, true).content;
        assert_eq!((content, mime(&bytes, content)), (Content::Binary, named));
    }
    assert_eq!(mime(b"", Content::Utf8), "text/plain");
    assert_eq!(mime(b"", Content::Binary), "application/octet-stream");
}

#[test]
fn text_formats_with_a_media_type_are_text() {
    for (text, named) in [
        ("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "image/svg+xml"),
        ("\u{FEFF}<?xml version=\"1.0\"?>\n<!-- <p> --><svg>", "image/svg+xml"),
        ("<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"x\">\n<svg:svg>", "image/svg+xml"),
        ("<!DOCTYPE svg [ <!ENTITY a \"b\"> ]>\n<svg>", "image/svg+xml"),
        ("<?xml version=\"1.0\"?>\n<list><svg/></list>", "text/xml"),
        ("<html><svg/></html>", "text/html"),
        ("<svgs/>", "text/plain"),
        ("<", "text/plain"),
        ("<!--", "text/plain"),
        ("{\\rtf1 hello}", "application/rtf"),
        ("%!PS-Adobe-3.0\n", "application/postscript"),
        ("#!/bin/sh\n", "text/x-shellscript"),
        ("-----BEGIN CERTIFICATE-----\nMII\n", "text/plain"),
    ] {
        let found = sniff(text.as_bytes(), true);
        assert_eq!((found.content, mime(text.as_bytes(), found.content)), (Content::Utf8, named), "{text}");
    }
}

#[test]
fn refusals_name_the_type_and_one_command() {
    let dir = TempDir::new().unwrap();
    for (bytes, named, command) in cases() {
        // What is compressed may well be read, and so may documents.
        let is_document = cfg!(feature = "documents")
            && ["/pdf", "document", "/epub"].iter().any(|part| named.contains(part));
        let is_database = cfg!(feature = "sqlite") && named.contains("sqlite");
        if named == "application/gzip" || is_document || is_database {
            continue;
        }
        fs::write(dir.path().join("f"), &bytes).unwrap();
        let output = run(dir.path(), &["lines", "f", "1"]);
        let told = String::from_utf8(output.stderr).unwrap();
        // The header alone is a damaged archive.
        if told.contains("the archive is damaged") {
            assert_eq!((output.status.code(), output.stdout.len()), (Some(3), 0), "{told}");
            assert!(["tar", "zip", "java-archive"].iter().any(|kind| named.ends_with(kind)), "{told}");
            continue;
        }
        assert_eq!((output.status.code(), output.stdout.len()), (Some(4), 0), "{told}");
        let (message, hint) = told.split_once('\n').unwrap();
        let start = format!("rread: f: Binary files are not supported. File detected as {named}. ");
        assert!(
            message.starts_with(&start) && message.contains("--text") && message.contains("--encode"),
            "{told}"
        );
        assert!(hint.starts_with("hint: ") && hint.contains(command), "{told}");
        assert_eq!(hint.matches('\n').count(), 1, "{told}");

        let output = run(dir.path(), &["stat", "f"]);
        let told = String::from_utf8(output.stdout).unwrap();
        for line in ["kind: binary".to_owned(), format!("mime: {named}"), "binary: true".to_owned()] {
            assert!(told.lines().any(|told| told == line), "{line} is not in {told}");
        }
    }
}
