//! Records separated by NULs are binary, with a hint to use --text, and never UTF-16.

use std::process::Command;

use rread_testkit::home::AtHome;
use rread_text::sniff::{Content, sniff};

/// A line of text in scripts whose letters are several bytes of UTF-8.
const LINES: [&str; 6] = [
    "ошибка: нет файла",
    "σφάλμα: δεν υπάρχει",
    "שגיאה: אין קובץ כזה",
    "エラー：ファイルがありません",
    "错误：没有这个文件",
    "오류: 파일이 없습니다",
];

#[test]
fn records_between_nuls_are_binary_and_not_utf_16() {
    for line in LINES {
        let records = [
            format!("{line}\n\0{line}\n\0"),
            format!("{line}\0{line}\0"),
            format!("./{line}\0./a/{line}.txt\0"),
            format!("HOME=/home/{line}\0LANG=ru_RU.UTF-8\0A=\n\0"),
            // The sample may cut a character.
            format!("{line}\0").repeat(400),
        ];
        for text in records {
            for padding in 0..4 {
                let bytes = ["x".repeat(padding).as_bytes(), text.as_bytes()].concat();
                let head = &bytes[..bytes.len().min(8192)];
                assert_eq!(sniff(head, bytes.len() <= 8192).content, Content::Binary, "{padding} {text:.60}");
                // One byte gone wrong changes nothing.
                let damaged = [head, b"\xFF\0"].concat();
                assert_eq!(sniff(&damaged, true).content, Content::Binary, "damaged {text:.60}");
            }
        }
    }
}

#[test]
fn utf_16_without_a_mark_stays_what_it_is() {
    for line in LINES.into_iter().chain(["plain words", "words and 🚀 and 😀", "a 語 in English"]) {
        let text = format!("{line}, 1, 2, 3\r\n{line} again\r\n").repeat(4);
        let units: Vec<u16> = text.encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        assert_eq!(sniff(&little, true).content, Content::Wide("utf-16le"), "{line}");
        assert_eq!(sniff(&big, true).content, Content::Wide("utf-16be"), "{line}");
    }
}

#[test]
fn the_program_refuses_them_and_text_reads_them() {
    let folder = tempfile::tempdir().unwrap();
    let text = "ошибка: нет файла\n\0ошибка: нет доступа\n\0";
    std::fs::write(folder.path().join("f"), text).unwrap();
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rread"));
        command.at_home(folder.path()).current_dir(folder.path()).args(args).output().unwrap()
    };
    let refused = run(&["lines", "f"]);
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(4), "{told}");
    assert!(
        told.contains("Binary files are not supported. File detected as application/octet-stream."),
        "{told}"
    );
    assert!(told.ends_with("hint: rread lines f 1:20 --text\n"), "{told}");
    assert_eq!(run(&["lines", "f", "1:20", "--text", "-f", "text"]).stdout, text.as_bytes());
    // Other binaries are not told to be read as text.
    std::fs::write(folder.path().join("f"), b"\x01\0\x02\0\xFF\xFE\x03").unwrap();
    let told = String::from_utf8_lossy(&run(&["lines", "f"]).stderr).into_owned();
    assert!(told.ends_with("hint: rread bytes f 0:256 --encode hexdump\n"), "{told}");
}

#[test]
#[cfg(target_os = "linux")]
fn an_environment_is_binary() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rread"));
    command.env_clear().env("A", "ошибка").env("B", "нет файла\n").env("C", "x");
    let output = command.args(["lines", "/proc/self/environ"]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(4), 0), "{told}");
}
