//! The confusion table of the rule on real files. `RREAD_CORPUS` is the folder of the files; a table beside that folder,
//! `MANIFEST.NAME.tsv`, says what each of them is.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use rread_testkit::home::AtHome;
use rread_text::sniff::{BOM, Content, SAMPLE, mime, sniff};

/// Text that is called binary: both hold a NUL in their first 8 KiB, and that makes a file binary.
const MISSES: [&str; 2] = ["tricky/nul_line.log", "utf8/UTF-8-test.txt"];

/// Types by their extension: what every binary file of the corpus is called.
const NAMES: &[(&str, &str)] = &[
    ("parquet", "application/vnd.apache.parquet"),
    ("aiff", "audio/x-aiff"),
    ("wav", "audio/x-wav"),
    ("cpio", "application/x-cpio"),
    ("der", "application/x-x509-ca-cert"),
    ("mobi", "application/x-mobipocket-ebook"),
    ("odt", "application/vnd.oasis.opendocument.text"),
    ("pdf", "application/pdf"),
    ("xls", "application/x-ole-storage"),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("terminfo", "application/x-terminfo"),
    ("bz2", "application/x-bzip2"),
    ("bz3", "application/vnd.bzip3"),
    ("gz", "application/gzip"),
    ("lz4", "application/x-lz4"),
    ("lzma", "application/x-lzma"),
    ("xz", "application/x-xz"),
    ("zst", "application/zstd"),
    ("exr", "image/x-exr"),
    ("jpg", "image/jpeg"),
    ("pgm", "image/x-portable-graymap"),
    ("ppm", "image/x-portable-pixmap"),
    ("sgi", "image/x-sgi"),
    ("webp", "image/webp"),
    ("avif", "image/avif"),
    ("gif", "image/gif"),
    ("png", "image/png"),
    ("tif", "image/tiff"),
    ("jxl", "image/jxl"),
];

/// A file of the corpus.
struct Sample {
    name: String,
    kind: String,
    bytes: Vec<u8>,
}

impl Sample {
    fn content(&self) -> Content {
        sniff(&self.bytes[..self.bytes.len().min(SAMPLE)], self.bytes.len() <= SAMPLE).content
    }

    fn mime(&self) -> &'static str {
        mime(&self.bytes, self.content())
    }

    /// The true kind of the file.
    fn group(&self) -> &'static str {
        let is_marked = [BOM, b"\xFF\xFE", b"\xFE\xFF"].iter().any(|mark| self.bytes.starts_with(mark));
        match self.kind.split_once(':').unwrap_or((&self.kind, "")) {
            ("text", "utf-16le") if is_marked => "UTF-16 with a mark",
            ("text", "utf-16le") => "UTF-16 without a mark",
            ("text", "utf-8" | "ascii" | "ascii-ctl" | "empty") => "UTF-8 text",
            ("text", _) => "text of 8-bit units",
            ("text-with-nul" | "broken" | "binary-or-broken", _) => "damaged text",
            ("image", "svg(text)") => "UTF-8 text",
            ("image", _) => "images",
            ("compressed" | "compressed-bad", _) => "compressed files",
            ("binary", _) => "binaries",
            (other, _) => panic!("{other} is not known: {}", self.name),
        }
    }
}

/// The corpus, unless there is none.
fn corpus() -> Option<Vec<Sample>> {
    let Some(folder) = env::var_os("RREAD_CORPUS").map(PathBuf::from) else {
        eprintln!("skipped: RREAD_CORPUS does not say where the corpus is");
        return None;
    };
    let name = folder.file_name().unwrap().to_str().unwrap();
    let manifest = fs::read_to_string(folder.with_file_name(format!("MANIFEST.{name}.tsv"))).unwrap();
    let mut rows = manifest.lines().map(|row| row.split('\t').collect::<Vec<_>>());
    let header = rows.next().unwrap();
    let column = |name: &str| header.iter().position(|column| *column == name).unwrap();
    let (path, kind) = (column("path"), column("kind"));
    let sample = |row: Vec<&str>| {
        let bytes = fs::read(folder.with_file_name(row[path])).unwrap();
        let name = row[path].strip_prefix("public/").unwrap().to_owned();
        Sample { name, kind: row[kind].to_owned(), bytes }
    };
    Some(rows.map(sample).collect())
}

#[test]
fn the_confusion_table() {
    let Some(corpus) = corpus() else { return };
    // Read as: UTF-8, 8-bit units, UTF-16 or UTF-32, binary.
    let mut table: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    let mut misses = Vec::new();
    for sample in &corpus {
        let (group, content) = (sample.group(), sample.content());
        let column = match content {
            Content::Utf8 => 0,
            Content::Legacy | Content::Escaped(_) => 1,
            Content::Wide(_) => 2,
            Content::Binary => 3,
        };
        table.entry(group).or_default()[column] += 1;
        let is_binary = ["binaries", "images", "compressed files"].contains(&group);
        if is_binary != (content == Content::Binary) {
            misses.push(sample.name.as_str());
        }
    }
    for (group, row) in &table {
        eprintln!("{group:22} {row:?}");
    }
    let expected = BTreeMap::from([
        ("UTF-8 text", [51, 0, 0, 0]),
        ("text of 8-bit units", [0, 17, 0, 0]),
        ("UTF-16 with a mark", [0, 0, 2, 0]),
        ("UTF-16 without a mark", [0, 0, 1, 0]),
        ("damaged text", [1, 1, 0, 2]),
        ("binaries", [0, 0, 0, 15]),
        ("images", [0, 0, 0, 11]),
        ("compressed files", [0, 0, 0, 21]),
    ]);
    assert_eq!(misses, MISSES);
    assert_eq!(table, expected);
}

#[test]
fn every_binary_has_its_media_type() {
    let Some(corpus) = corpus() else { return };
    let binaries = corpus.iter().filter(|sample| sample.content() == Content::Binary);
    for sample in binaries.filter(|sample| !MISSES.contains(&sample.name.as_str())) {
        let extension = sample.name.rsplit('.').next().unwrap();
        let expected = NAMES.iter().find(|(of, _)| *of == extension).map(|(_, named)| *named);
        assert_eq!(Some(sample.mime()), expected, "{}", sample.name);
    }
    let vector = corpus.iter().find(|sample| sample.name == "images/noncharacters.svg").unwrap();
    assert_eq!((vector.content(), vector.mime()), (Content::Utf8, "image/svg+xml"));
}

#[test]
fn the_program_reads_and_refuses_what_the_rule_says() {
    let Some(corpus) = corpus() else { return };
    let folder = PathBuf::from(env::var_os("RREAD_CORPUS").unwrap());
    // Compressed files are judged by their decompressed content.
    let compressed = ["compressed files"];
    let plain = corpus.iter().filter(|s| !compressed.contains(&s.group()) && !s.name.ends_with(".zst"));
    for sample in plain {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rread"));
        let home = tempfile::TempDir::new().unwrap();
        command.at_home(home.path());
        let output =
            command.args(["bytes", "--max-bytes", "100"]).arg(folder.join(&sample.name)).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        match sample.content() {
            Content::Binary => {
                assert_eq!(output.status.code(), Some(4), "{told}");
                assert!(told.contains(&format!("File detected as {}.", sample.mime())), "{told}");
                assert_eq!(told.lines().filter(|line| line.starts_with("hint: ")).count(), 1, "{told}");
            }
            // How these are decoded is a matter of its own.
            Content::Wide(_) => assert_ne!(output.status.code(), Some(4), "{told}"),
            Content::Utf8 | Content::Legacy | Content::Escaped(_) => {
                assert_eq!(output.status.code(), Some(0), "{told}")
            }
        }
    }
}
