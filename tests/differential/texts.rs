//! Texts for requests: made here, with sizes at the edges of buffers, and those of a corpus.

use std::fs;
use std::path::Path;
use std::process::Command;

use rread_testkit::home::{AtHome, binary};
use rread_testkit::rng::Rng;
use rread_testkit::text;

pub struct Text {
    pub name: String,
    pub bytes: Vec<u8>,
    pub lines: u64,
    pub size: u64,
    /// Python's name of the encoding, of text in two-byte units.
    pub wide: Option<&'static str>,
}

/// Sizes of buffers and blocks of the program and the system.
const EDGES: [usize; 7] = [1, 4096, 8192, 64 << 10, 128 << 10, 256 << 10, 1 << 20];

impl Text {
    fn new(name: String, bytes: Vec<u8>, wide: Option<&'static str>) -> Self {
        let size = bytes.len() as u64;
        let lines = match wide {
            None => bytes.split_inclusive(|byte| *byte == b'\n').count(),
            Some(_) => {
                let newline = |unit: &[u8]| unit == b"\n\0" || unit == b"\0\n";
                let unfinished = bytes.len() >= 2 && !newline(&bytes[bytes.len() - 2..]);
                bytes.chunks(2).filter(|unit| newline(unit)).count() + usize::from(unfinished)
            }
        };
        Text { name, bytes, lines: lines as u64, size, wide }
    }

    /// A random text, or one of the corpus.
    pub fn any(rng: &mut Rng, corpus: &[(String, Vec<u8>)]) -> Self {
        if !corpus.is_empty() && rng.one_in(3) {
            let (name, bytes) = &corpus[rng.below(corpus.len())];
            return Text::new(name.clone(), bytes.clone(), None);
        }
        let length = match rng.below(8) {
            0 => rng.below(20),
            1 | 2 => rng.below(400),
            3 => rng.below(40_000),
            _ => {
                let edge = EDGES[rng.below(EDGES.len())];
                let times = if edge < 64 << 10 { 1 + rng.below(3) } else { 1 };
                (edge * times + rng.below(3)).saturating_sub(1)
            }
        };
        match rng.below(8) {
            0 => Text::wide(rng, length),
            1 | 2 => Text::new(format!("log of {length} bytes"), log(rng, length), None),
            _ => Text::new(format!("{length} bytes"), text::of_length(rng, length), None),
        }
    }

    fn wide(rng: &mut Rng, length: usize) -> Self {
        let pieces = ["\n", "\r\n", "a", "words and ", "漢", "é", "😀", "\u{a0a}", "\u{d0d}", "tail\n"];
        let mut text = String::from("\u{feff}");
        while text.len() < length {
            text.push_str(rng.pick(&pieces));
        }
        if rng.one_in(2) {
            let bytes = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            return Text::new(format!("UTF-16LE, about {length}"), bytes, Some("utf-16-le"));
        }
        let bytes = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        Text::new(format!("UTF-16BE, about {length}"), bytes, Some("utf-16-be"))
    }

    pub fn is_utf8(&self) -> bool {
        std::str::from_utf8(&self.bytes).is_ok()
    }

    /// Options without which the program refuses the text or reads another encoding.
    pub fn options(&self, rng: &mut Rng) -> &'static [&'static str] {
        let is_control = |byte: &u8| *byte < b' ' && !b"\t\n\r".contains(byte) || *byte == 0x7f;
        if self.wide.is_some() || (self.is_utf8() && !self.bytes.iter().any(is_control)) {
            &[]
        } else if !self.bytes.contains(&0) && rng.one_in(2) {
            &["--text"]
        } else {
            &["-E", "utf-8"]
        }
    }

    pub fn ends_with_newline(&self) -> bool {
        self.bytes.ends_with(b"\n")
    }
}

fn log(rng: &mut Rng, length: usize) -> Vec<u8> {
    let mut text = Vec::with_capacity(length + 100);
    while text.len() < length {
        let number = rng.next();
        let words = "request served in time by münchen ".repeat(rng.below(4));
        text.extend(format!("2024-03-11T06:{:02} INFO {number} {words}\n", number % 60).into_bytes());
    }
    text.truncate(length);
    text
}

/// Whether the program reads `path` as a document, as wide text or in an encoding that it guesses; the tools read bytes.
fn is_decoded(path: &Path) -> bool {
    let home = tempfile::tempdir().unwrap();
    let output =
        Command::new(binary()).at_home(home.path()).arg("stat").arg(path).arg("--json").output().unwrap();
    let answer = String::from_utf8_lossy(&output.stdout);
    let signs =
        [r#""decoded":""#, r#""encoding":"utf-16"#, r#""encoding":"utf-32"#, r#""encoding_source":"guess""#];
    signs.iter().any(|fact| answer.contains(fact))
}

/// Plain files below `folder` that are small enough for many requests.
pub fn corpus(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.is_file() && path.metadata().unwrap().len() <= 1 << 20 && !is_decoded(&path) {
                found.push((path.display().to_string(), fs::read(&path).unwrap()));
            }
        }
    }
    // The program decodes compressed and wide text; the tools do not.
    let marks: [&[u8]; 9] = [
        b"\x1F\x8B",
        b"\x28\xB5\x2F\xFD",
        b"\xFD7zXZ",
        b"BZh",
        b"\x04\x22\x4D\x18",
        b"\x02\x21\x4C\x18",
        b"\x5D\0\0",
        b"\xFF\xFE",
        b"\xFE\xFF",
    ];
    let is_plain = |bytes: &[u8]| {
        let is_skippable = bytes.len() > 4 && bytes[0] & 0xF0 == 0x50 && bytes[1..4] == *b"\x2A\x4D\x18";
        !is_skippable && !marks.iter().any(|mark| bytes.starts_with(mark))
    };
    found.retain(|(_, bytes)| is_plain(bytes));
    found.sort();
    found
}
