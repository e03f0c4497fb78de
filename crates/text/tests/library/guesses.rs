//! Guesses of encodings on real texts.

use std::path::PathBuf;
use std::{env, fs};

use encoding_rs::Encoding as Whatwg;
use rread_text::encoding::guess;

/// Files of the corpus and their encodings; `None` if no decoder exists.
const CORPUS: [(&str, Option<&str>); 17] = [
    ("cjk/big5.txt", Some("big5")),
    ("cjk/euc_jp.txt", Some("euc-jp")),
    ("cjk/euc_kr.txt", Some("euc-kr")),
    ("cjk/gb18030.txt", Some("gb18030")),
    ("cjk/johab.txt", None),
    ("cjk/shift_jis.txt", Some("shift_jis")),
    ("ru.koi8r.txt", Some("koi8-r")),
    ("small/sample-arabic-1.txt", Some("windows-1256")),
    ("small/sample-french-1.txt", Some("windows-1252")),
    ("small/sample-greek.txt", Some("windows-1253")),
    ("small/sample-korean.txt", Some("euc-kr")),
    ("small/sample-turkish.txt", Some("windows-1254")),
    ("tutor.de.txt", Some("windows-1252")),
    ("tutor.ja.sjis.txt", Some("shift_jis")),
    ("tutor.pl.cp1250.txt", Some("windows-1250")),
    ("tutor.ru.cp1251.txt", Some("windows-1251")),
    ("tutor.zh.euc.txt", Some("gb18030")),
];

#[test]
fn real_texts_are_read_right_or_refused() {
    let Some(corpus) = env::var_os("RREAD_CORPUS").map(PathBuf::from) else {
        eprintln!("skipped: RREAD_CORPUS is not set");
        return;
    };
    // Bytes of the file's start, and texts that are then read right, refused, and read wrong.
    let mut table = Vec::new();
    for size in [8192, 1000, 300, 100] {
        let mut row = [0; 3];
        for (name, truth) in CORPUS {
            let bytes = fs::read(corpus.join("encodings").join(name)).unwrap();
            let from = if size < 8192 { bytes.iter().position(|byte| *byte >= 0x80).unwrap() } else { 0 };
            let head = &bytes[from..bytes.len().min(from + size)];
            let guess = guess(head);
            let decoded = |label: &str| {
                Whatwg::for_label(label.as_bytes()).unwrap().decode_without_bom_handling(head).0.into_owned()
            };
            let is_right = truth.is_some_and(|truth| decoded(truth) == decoded(&guess.likeliest.name()));
            let column = match (guess.is_sure, is_right) {
                (true, true) => 0,
                (false, _) => 1,
                (true, false) => 2,
            };
            row[column] += 1;
            eprintln!(
                "{size:5} {name:26} {:13} {}",
                guess.likeliest.name(),
                ["right", "refused", "WRONG"][column]
            );
        }
        table.push((size, row));
    }
    assert_eq!(table[0], (8192, [16, 1, 0]));
    assert!(table.iter().all(|(_, row)| row[2] <= 1), "{table:?}");
}
