//! Guesses of encodings on real texts.

use std::path::PathBuf;
use std::{env, fs};

use encoding_rs::Encoding as Whatwg;
use rread_text::encoding::judge;
use rread_text::guess::Verdict;

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
fn real_texts_are_read_right_or_not_at_all() {
    let Some(corpus) = env::var_os("RREAD_CORPUS").map(PathBuf::from) else {
        eprintln!("skipped: RREAD_CORPUS is not set");
        return;
    };
    // Bytes of the file's start, and texts that are then read right, not evident, and read wrong.
    let mut table = Vec::new();
    for size in [8192, 1000, 300, 100] {
        let mut row = [0; 3];
        for (name, truth) in CORPUS {
            let bytes = fs::read(corpus.join("encodings").join(name)).unwrap();
            let from = if size < 8192 { bytes.iter().position(|byte| *byte >= 0x80).unwrap() } else { 0 };
            let head = &bytes[from..bytes.len().min(from + size)];
            let verdict = judge(head);
            let decoded = |label: &str| {
                Whatwg::for_label(label.as_bytes()).unwrap().decode_without_bom_handling(head).0.into_owned()
            };
            let column = match &verdict {
                Verdict::Evident(label) if truth.is_some_and(|truth| decoded(truth) == decoded(label)) => 0,
                Verdict::Evident(_) => 2,
                _ => 1,
            };
            row[column] += 1;
            eprintln!("{size:5} {name:26} {verdict:?} {}", ["right", "not evident", "WRONG"][column]);
        }
        table.push((size, row));
    }
    assert_eq!(table[0], (8192, [16, 1, 0]));
    assert!(table.iter().all(|(_, row)| row[2] <= 1), "{table:?}");
}

/// Words of a language, the encodings that write it, and the one whose guess is right where several give the same text.
const LANGUAGES: &[(&str, &[&str])] = &[
    (
        "für über schön größer Straße Bücher hören täglich können müssen nächste",
        &["windows-1252", "macintosh"],
    ),
    ("été déjà où ça élève forêt Noël âge même après français garçon très", &["windows-1252", "macintosh"]),
    (
        "Prix: 12 €, œuvre, à côté, élève, forêt, Noël, ça coûte",
        &["windows-1252", "iso-8859-15", "macintosh"],
    ),
    ("año niño español mañana también está más días después corazón José", &["windows-1252", "macintosh"]),
    (
        "dagført gjár ongan lut hesi skránni væl aftur tí tað gekk Føroyar hvør",
        &["windows-1252", "iso-8859-10"],
    ),
    (
        "það ég við er þú hafa verið góður þetta hún fyrir maður Ísland þegar",
        &["windows-1252", "iso-8859-10"],
    ),
    ("på æble også får når større måske første bøger sådan", &["windows-1252", "iso-8859-4", "macintosh"]),
    (
        "zażółć gęślą jaźń błąd można otworzyć wciśnij być się żeby też już",
        &["windows-1250", "iso-8859-2", "windows-1257", "iso-8859-13", "iso-8859-16"],
    ),
    ("příliš žluťoučký kůň úpěl ďábelské ódy můžete být něco děti řekl", &["windows-1250", "iso-8859-2"]),
    ("árvíztűrő tükörfúrógép kérem több fájl előtt között győző sűrű", &["windows-1250", "iso-8859-2"]),
    (
        "Doğuda Gürcistan ve İran, batıda komşu olan ülkenin nüfusu kalabalıktır güneş şehir",
        &["windows-1254", "iso-8859-3"],
    ),
    (
        "ąžuolas čia ėjo įsakymas šalis ūkis žmogus kuriuos jūsų visų žemė",
        &["windows-1257", "iso-8859-4", "iso-8859-13"],
    ),
    (
        "пример текста на русском языке новости статьи другие разделы сайта ошибка файл не найден",
        &["windows-1251", "koi8-r", "iso-8859-5", "ibm866", "x-mac-cyrillic"],
    ),
    (
        "σφάλμα αρχείο δεν βρέθηκε προσπαθήστε ξανά είναι για από στην που αυτό",
        &["windows-1253", "iso-8859-7"],
    ),
    (
        "佐藤太郎 鈴木花子 高橋一郎 田中株式会社 渡辺健 伊藤美恵 山本名古屋 中村大阪府 小林東京都 加藤福岡",
        &["euc-jp", "shift_jis"],
    ),
    ("这是一个用来测试编码的中文文本，里面有许多常用的汉字。文件不存在，请重新输入。", &["gbk"]),
    ("這是一個用來測試編碼的中文文字，裡面有許多常用的漢字。檔案不存在，請重新輸入。", &["big5"]),
    ("파이썬은 배우기 쉽고 강력한 프로그래밍 언어입니다. 파일을 찾을 수 없습니다.", &["euc-kr"]),
];

#[test]
fn a_guess_is_evident_only_where_its_letters_fit_a_language() {
    let (mut evident, mut all, mut wrong) = (0, 0, Vec::new());
    for (words, labels) in LANGUAGES {
        for label in *labels {
            for size in [1, 4, 40] {
                let text = format!("{words}\n").repeat(size);
                let (bytes, whatwg, is_lossy) = Whatwg::for_label(label.as_bytes()).unwrap().encode(&text);
                if is_lossy || bytes.is_ascii() {
                    continue;
                }
                all += 1;
                let Verdict::Evident(found) = judge(&bytes) else { continue };
                let (read, ..) = Whatwg::for_label(found.as_bytes()).unwrap().decode(&bytes);
                let (truth, ..) = whatwg.decode(&bytes);
                evident += 1;
                if read != truth {
                    wrong.push((label, found, read.chars().take(60).collect::<String>()));
                }
            }
        }
    }
    println!("{evident} of {all} evident");
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(evident * 10 >= all * 8, "{evident} of {all}");
}

/// A byte that an encoding lacks, in one line, does not make the others evident in another one.
#[test]
fn a_bad_line_does_not_change_the_guess() {
    let hebrew = "זהו טקסט בעברית לבדיקה. שלום עולם, מה שלומך היום? ירושלים היא עיר הבירה.\n";
    let greek = "Σφάλμα: το αρχείο δεν βρέθηκε. Προσπαθήστε ξανά, είναι για από στην που αυτό.\n";
    for (text, label) in [(hebrew, "windows-1255"), (greek, "windows-1253")] {
        let (bytes, ..) = Whatwg::for_label(label.as_bytes()).unwrap().encode(text);
        for bad in [&b"bad \xFF byte\n"[..], b"bad \xD9 byte\n", b"bad \x81 byte\n", b"\x9F\xFE\n"] {
            for lines in [10, 200] {
                let text = [bytes.repeat(lines / 2), bad.to_vec(), bytes.repeat(lines / 2)].concat();
                let candidates = judge(&text).candidates();
                assert_eq!(candidates.first(), Some(&label), "{bad:?} in {lines} lines: {candidates:?}");
            }
        }
    }
}
