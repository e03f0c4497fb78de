//! The program on files in other encodings: pages that join to the whole, pipes, receipts, contradictions.

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use rread_testkit::decoded::{WIDE, encoded, legacy_named};
use rread_testkit::home::AtHome;
use rread_testkit::sample::cases;
use rread_text::encoding::Encoding;
use serde_json::Value;
use tempfile::TempDir;

/// A folder to run the program in.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn file(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rread"));
        command.current_dir(self.0.path()).args(args).timeout(std::time::Duration::from_secs(60));
        command.at_home(self.0.path()).env("RREAD_CACHE_DIR", self.0.path());
        command
    }

    pub fn ok(&self, args: &[&str]) -> Vec<u8> {
        let output = self.command(args).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{args:?}: {stderr}");
        output.stdout
    }

    pub fn json(&self, args: &[&str]) -> Value {
        serde_json::from_slice(&self.ok(&[args, &["--json"]].concat())).unwrap()
    }

    pub fn piped(&self, args: &[&str], input: &[u8]) -> Vec<u8> {
        let output = self.command(args).write_stdin(input).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    pub fn refused(&self, args: &[&str]) -> (i32, String) {
        let output = self.command(args).output().unwrap();
        assert!(output.stdout.is_empty(), "{args:?}");
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    }
}

const TEXT: &str = "Zwölf Boxkämpfer\r\njagen 😀 \u{0A0D}\u{0D0A}\n\nüber den 大きな堤防\nand so on, and so on, without an end";

/// `text` with the mark of its encoding.
fn marked(text: &str, encoding: Encoding) -> Vec<u8> {
    [encoding.mark(), &encoded(text, encoding)].concat()
}

#[test]
fn lines_of_wide_text_are_those_of_the_text() {
    let folder = Folder::new();
    for encoding in WIDE {
        folder.file("f", &marked(TEXT, encoding));
        let lines: Vec<&str> = TEXT.split_inclusive('\n').collect();
        for (line, number) in lines.iter().zip(1..) {
            let answer = folder.json(&["lines", "f", &number.to_string()]);
            assert_eq!(answer["content"], *line, "{number} of {}", encoding.name());
            let metadata = &answer["metadata"];
            assert_eq!((&metadata["encoding"], &metadata["bom"]), (&encoding.name().into(), &true.into()));
            assert_eq!((&metadata["encoding_source"], &metadata["total_lines"]), (&"bom".into(), &5.into()));
        }
        let last = folder.ok(&["lines", "f", "-2:", "-f", "text"]);
        assert_eq!(String::from_utf8(last).unwrap(), lines[3..].concat());
        let header = folder.ok(&["lines", "f", "4", "--header", "1", "-C", "1", "-f", "text"]);
        assert_eq!(String::from_utf8(header).unwrap(), [lines[0], lines[2], lines[3], lines[4]].concat());
        let numbered = folder.ok(&["lines", "f", "4", "-n", "-f", "text"]);
        assert_eq!(String::from_utf8(numbered).unwrap(), format!("     4→{}", lines[3]));
        assert_eq!(folder.ok(&["lines", "f", "--raw"]), marked(TEXT, encoding));
        let both = folder.json(&["ranges", "f", "4", "1"]);
        assert_eq!(
            (&both["segments"][0]["content"], &both["segments"][1]["content"]),
            (&lines[3].into(), &lines[0].into())
        );
        for (piece, name) in [("lines", "lines"), ("stat --count", "stat")] {
            let args: Vec<&str> = piece.split(' ').chain(["-", "--json"]).collect();
            let answer: Value =
                serde_json::from_slice(&folder.piped(&args, &marked(TEXT, encoding))).unwrap();
            if name == "stat" {
                assert_eq!((&answer["lines"], &answer["newline"]), (&5.into(), &"mixed".into()), "{answer}");
                assert_eq!(
                    (&answer["longest_line"]["line"], &answer["invalid_utf8"]["count"]),
                    (&5.into(), &0.into())
                );
            } else {
                assert_eq!(answer["content"], TEXT);
            }
        }
    }
}

#[test]
fn a_position_is_in_bytes_of_the_file() {
    let folder = Folder::new();
    for encoding in WIDE {
        folder.file("f", &marked("ab\ncd\n", encoding));
        let width = encoding.units().width as u64;
        // The mark, `ab`, the newline, `c`: the second byte of `d`.
        let offset = 5 * width + 1;
        let answer = folder.json(&["where", "f", "--byte", &offset.to_string()]);
        assert_eq!((&answer["line"], &answer["column"]), (&2.into(), &(width + 2).into()), "{answer}");
        assert_eq!(answer["line_start"], 4 * width);
        let answer = folder.json(&["where", "f", "--line", "2"]);
        assert_eq!(answer["range"], format!("{}-{}", 4 * width, 7 * width));
    }
}

/// All encodings that the whole of a text in Japanese can be written in.
fn japanese() -> (Vec<Encoding>, &'static str) {
    let legacy = ["shift_jis", "euc-jp", "gb18030", "iso-2022-jp"].map(legacy_named);
    (
        WIDE.into_iter().chain(legacy).collect(),
        "日本語のtext\r\n\nカタカナ と ひらがな が 長い line です\nend\n本日",
    )
}

#[test]
fn pages_join_to_the_whole() {
    let folder = Folder::new();
    let (encodings, text) = japanese();
    for (n, encoding) in encodings.into_iter().enumerate() {
        folder.file("f", &encoded(text, encoding));
        let name = encoding.name();
        // A line of ISO-2022-JP cannot be cut.
        let sizes: &[&str] = if encoding.has_state() { &["64", "80"] } else { &["4", "5", "7", "13", "40"] };
        // In a sample, every encoding has one of the sizes.
        for size in sizes.iter().skip(cases(0, n % sizes.len())).step_by(cases(1, sizes.len())) {
            for (command, range) in [("lines", "1:"), ("bytes", "0:")] {
                let joined = follow(&folder, command, range, &["-E", &name, "--max-bytes", size]);
                assert_eq!(joined, text, "{command} of {name} by {size}");
            }
        }
        let small = if encoding.has_state() { "0:+60" } else { "0:+3" };
        let joined = follow(&folder, "bytes", small, &["-E", &name]);
        assert_eq!(joined, text, "bytes {small} of {name}");
        let joined = follow(&folder, "lines", "1:", &["-E", &name, "--max-lines", "1"]);
        assert_eq!(joined, text, "lines of {name} one by one");
    }
}

/// The content of a slice and of all that `next` names after it.
fn follow(folder: &Folder, command: &str, range: &str, options: &[&str]) -> String {
    let (mut command, mut range) = (command.to_owned(), range.to_owned());
    let mut joined = String::new();
    for _ in 0..200 {
        let answer = folder.json(&[&[command.as_str(), "f", &range], options].concat());
        joined += answer["content"].as_str().unwrap();
        let next = &answer["metadata"]["next"];
        let Some(named) = next["range"].as_str() else { return joined };
        // The rest of a long line is a range of bytes; after it, lines go on where it ends.
        (command, range) = (next["command"].as_str().unwrap().to_owned(), named.to_owned());
        assert!(joined.len() < 10_000, "{command} {range} does not end");
    }
    panic!("{command} {range} does not end");
}

#[test]
fn an_encoding_that_a_mark_contradicts_is_refused() {
    let folder = Folder::new();
    folder.file("marked", &marked("text\n", WIDE[1]));
    for (file, label, found) in [("marked", "utf-16le", "utf-16be"), ("marked", "latin1", "utf-16be")] {
        let (code, stderr) = folder.refused(&["lines", file, "-E", label]);
        assert_eq!(code, 6, "{stderr}");
        assert!(stderr.contains(found), "{stderr}");
        assert!(stderr.contains(&format!("hint: rread lines {file} 1:20 --encoding {found}")), "{stderr}");
    }
    assert_eq!(folder.ok(&["lines", "marked", "-E", "utf-16", "-f", "text"]), b"text\n");
}

#[test]
fn wide_text_has_an_index_of_its_own() {
    let folder = Folder::new();
    let text: String = (0..40_000).map(|n| format!("{n} \u{0A0D}\u{0D0A} und so weiter 😀\n")).collect();
    for encoding in WIDE {
        folder.file("f", &marked(&text, encoding));
        let built = folder.json(&["index", "build", "f"]);
        assert_eq!((&built["index"], &built["total_lines"]), (&"built".into(), &40_000.into()), "{built}");
        for line in [1, 777, 20_000, 39_999, 40_000] {
            let answer = folder.json(&["lines", "f", &line.to_string()]);
            let expected = text.split_inclusive('\n').nth(line - 1).unwrap();
            assert_eq!(answer["content"], expected, "{line} of {}", encoding.name());
            assert_eq!(answer["metadata"]["index"], "hit");
            assert!(answer["metadata"]["bytes_scanned"].as_u64().unwrap() <= 200_000, "{answer}");
        }
        // Read as bytes, a file without a mark has other lines, and another index.
        folder.file("g", &encoded(&text, encoding));
        let name = encoding.name();
        for (label, right) in [(&name[..], true), ("latin1", false)] {
            let built = folder.json(&["index", "build", "g", "-E", label]);
            assert_eq!(built["total_lines"] == 40_000, right, "{built}");
        }
        let last = folder.json(&["lines", "g", "-1", "-E", &name]);
        assert_eq!(last["metadata"]["actual_range"]["start_line"], 40_000);
    }
}

#[test]
fn a_label_makes_text_of_what_looks_binary() {
    let folder = Folder::new();
    folder.file("f", b"a\0\x01\x02\xFFb\n");
    assert_eq!(folder.refused(&["lines", "f"]).0, 4);
    let answer = folder.ok(&["lines", "f", "-E", "latin1", "-f", "text"]);
    assert_eq!(String::from_utf8(answer).unwrap(), "a\0\u{1}\u{2}ÿb\n");
    assert_eq!(folder.json(&["stat", "f", "-E", "latin1"])["binary"], false);
}

#[test]
fn invalid_sequences_are_counted_shown_and_refused() {
    let folder = Folder::new();
    folder.file("f", b"\xFF\xFEa\0\x3D\xD8b\0\n\0c");
    let answer = folder.json(&["lines", "f"]);
    assert_eq!(answer["content"], "a\u{FFFD}b\n\u{FFFD}");
    let invalid = &answer["metadata"]["invalid_utf8"];
    assert_eq!((&invalid["count"], &invalid["first_byte"]), (&2.into(), &4.into()));
    let escaped = folder.ok(&["lines", "f", "--invalid", "escape", "-f", "text"]);
    assert_eq!(escaped, b"a\\x3d\\xd8b\n\\x63");
    let (code, stderr) = folder.refused(&["lines", "f", "--invalid", "error"]);
    assert!(code == 6 && stderr.contains("invalid UTF-16LE at byte 4"), "{stderr}");
}

#[test]
fn raw_keeps_the_bytes_also_within_a_budget() {
    let folder = Folder::new();
    for encoding in WIDE {
        let bytes = marked("ab\n😀漢\nlast", encoding);
        folder.file("f", &bytes);
        let width = encoding.units().width;
        // The mark and the first line fit, and part of the second does not make up for it.
        let output = folder
            .command(&["lines", "f", "--raw", "--max-bytes", &(4 * width + 3).to_string()])
            .output()
            .unwrap();
        assert_eq!(output.stdout, &bytes[..4 * width], "{}", encoding.name());
        let (code, stderr) = folder.refused(&["lines", "f", "--raw", "-n"]);
        assert!(code == 2 && stderr.contains("--format text"), "{stderr}");
        let hex = folder.ok(&["lines", "f", "1", "--encode", "hex", "-f", "text"]);
        let expected: String = bytes[..4 * width].iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(String::from_utf8(hex).unwrap(), expected);
        let receipt = folder.json(&["lines", "f", "--encode", "base64", "--max-lines", "2"]);
        assert_eq!(receipt["metadata"]["actual_range"]["end_line"], 2, "{receipt}");
    }
}

#[test]
fn a_line_that_cannot_be_cut_is_reported() {
    let folder = Folder::new();
    folder.file("f", &encoded("日本語の長い長い長い行\n", legacy_named("iso-2022-jp")));
    let (code, stderr) = folder.refused(&["lines", "f", "-E", "iso-2022-jp", "--max-bytes", "9"]);
    assert!(code == 2 && stderr.contains("cut only where lines end"), "{stderr}");
    let answer = folder.json(&["bytes", "f", "8:12", "-E", "iso-2022-jp"]);
    assert_eq!(answer["content"], "日本語の長い長い長い行\n");
    let reason = &answer["metadata"]["boundary_adjustments"]["end_adjustment_reason"];
    assert_eq!(reason, "iso-2022-jp line boundary alignment");
}
