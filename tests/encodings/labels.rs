//! Every label of the WHATWG Encoding Standard decodes its encoding; iconv, if installed, agrees.

use std::fs;
use std::process::Command;

use rread_testkit::decoded::encoded;
use rread_text::encoding::{Choice, Encoding};

use super::program::Folder;

/// A label or two of each encoding, and a text that it can write.
const TEXTS: [(&[&str], &str); 38] = [
    (&["utf-16", "utf-16le", "ucs-2", "unicode"], "ASCII, é, 漢, 😀"),
    (&["utf-16be", "unicodefffe"], "ASCII, é, 漢, 😀"),
    (&["ibm866", "cp866"], "Привет, мир"),
    (&["iso-8859-2", "latin2"], "Příliš žluťoučký kůň"),
    (&["iso-8859-3", "latin3"], "Ĉu vi parolas Esperanton? ĝ ŭ"),
    (&["iso-8859-4", "latin4"], "Ķēniņš ģībst"),
    (&["iso-8859-5", "cyrillic"], "Привет, мир"),
    (&["iso-8859-6", "arabic"], "مرحبا"),
    (&["iso-8859-7", "greek"], "Καλημέρα"),
    (&["iso-8859-8", "hebrew"], "שלום"),
    (&["iso-8859-8-i", "logical"], "שלום"),
    (&["iso-8859-10", "latin6"], "Ðorðe þing"),
    (&["iso-8859-13"], "Ąžuolas ėjo"),
    (&["iso-8859-14"], "Ŵyŷ Ẁ"),
    (&["iso-8859-15", "l9"], "10 € Œuvre"),
    (&["iso-8859-16"], "Țară și ţ".split_at(10).0),
    (&["koi8-r", "koi8"], "Привет, мир"),
    (&["koi8-u", "koi8-ru"], "Привіт, світе"),
    (&["macintosh", "mac"], "Crème brûlée π"),
    (&["windows-874", "tis-620"], "สวัสดี"),
    (&["windows-1250", "cp1250"], "Příliš žluťoučký kůň"),
    (&["windows-1251", "cp1251"], "Привет, мир"),
    (&["windows-1252", "latin1", "ascii", "iso-8859-1"], "Crème brûlée €"),
    (&["windows-1253", "cp1253"], "Καλημέρα"),
    (&["windows-1254", "latin5"], "İğneli şiş"),
    (&["windows-1255", "cp1255"], "שלום"),
    (&["windows-1256", "cp1256"], "مرحبا"),
    (&["windows-1257", "cp1257"], "Ąžuolas ėjo"),
    (&["windows-1258", "cp1258"], "Vâng ơ ư đ"),
    (&["x-mac-cyrillic", "x-mac-ukrainian"], "Привет, мир"),
    (&["gbk", "gb2312", "chinese"], "你好，世界"),
    (&["gb18030"], "你好，世界 😀"),
    (&["big5", "big5-hkscs", "cn-big5"], "你好，世界"),
    (&["euc-jp", "x-euc-jp"], "こんにちは、世界。ア"),
    (&["iso-2022-jp", "csiso2022jp"], "こんにちは、世界。"),
    (&["shift_jis", "sjis", "ms932", "windows-31j"], "こんにちは、世界。ｱ"),
    (&["euc-kr", "ks_c_5601-1987", "korean"], "안녕하세요"),
    (&["x-user-defined"], "\u{F780}\u{F7FF}"),
];

#[test]
fn every_label_decodes_its_own_encoding() {
    let folder = Folder::new();
    for (labels, text) in TEXTS {
        let whole = format!("first line\n{text}\r\nand {text} again\n{text}");
        let choice: Choice = labels[0].parse().unwrap();
        let Choice::Label { encoding, .. } = choice else { panic!("{choice:?}") };
        let bytes = match encoding {
            Encoding::Legacy(whatwg) if whatwg.name() == "x-user-defined" => whole
                .replace(text, "\u{80}\u{FF}")
                .chars()
                .map(|c| u8::try_from(u32::from(c)).unwrap())
                .collect(),
            encoding => encoded(&whole, encoding),
        };
        if let Encoding::Legacy(whatwg) = encoding
            && whatwg.name() != "x-user-defined"
        {
            assert!(!whatwg.encode(&whole).2, "{labels:?} cannot write {text}");
        }
        folder.file("f", &bytes);
        for label in labels {
            let answer = folder.ok(&["lines", "f", "2", "-E", label, "-f", "text"]);
            assert_eq!(String::from_utf8(answer).unwrap(), format!("{text}\r\n"), "{label}");
            let answer = folder.json(&["lines", "f", "-E", label]);
            assert_eq!(answer["content"], whole.as_str(), "{label}");
            let metadata = &answer["metadata"];
            assert_eq!(metadata["encoding"], encoding.name().as_str(), "{label}");
            assert_eq!(
                (&metadata["encoding_source"], &metadata["total_lines"]),
                (&"option".into(), &4.into())
            );
            assert!(metadata.get("invalid_utf8").is_none(), "{label}: {metadata}");
        }
    }
}

#[test]
fn iconv_gives_the_same_text() {
    let folder = Folder::new();
    let names = [
        "UTF-16LE",
        "UTF-16BE",
        "UTF-32LE",
        "UTF-32BE",
        "SHIFT_JIS",
        "EUC-JP",
        "GB18030",
        "ISO-2022-JP",
        "BIG5",
    ];
    for name in names {
        let text = "line one\n日本 and 本日\r\nlast 日";
        fs::write(folder.path("text"), text).unwrap();
        let iconv = Command::new("iconv").args(["-f", "utf-8", "-t", name]).arg(folder.path("text")).output();
        let Ok(output) = iconv else {
            eprintln!("skipped: there is no iconv to compare with");
            return;
        };
        if !output.status.success() {
            eprintln!("skipped: iconv does not know {name}");
            continue;
        }
        folder.file("f", &output.stdout);
        let answer = folder.ok(&["lines", "f", "-E", name, "-f", "text"]);
        assert_eq!(String::from_utf8(answer).unwrap(), text, "{name}");
    }
}

#[test]
fn labels_that_cannot_be_read_are_usage_errors() {
    let folder = Folder::new();
    folder.file("f", b"text\n");
    for (label, hint) in [("utf-61", "utf-16"), ("shift-jjis", "shift_jis"), ("nonsense", "auto")] {
        let (code, stderr) = folder.refused(&["lines", "f", "-E", label]);
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains(&format!("hint: rread lines f -E {hint}")), "{stderr}");
    }
    let (code, stderr) = folder.refused(&["stat", "f", "f", "-E", "iso-2022-kr"]);
    assert!(code == 2 && stderr.contains("rread does not decode"), "{stderr}");
}

/// Spellings that people type: each is read, or has a command that runs, or none.
#[test]
fn the_hint_for_a_label_is_a_command_that_runs() {
    let folder = Folder::new();
    folder.file("f", b"text\n");
    for label in ["1252", "1250", "8859-15", "932", "GB18030-2022", "win-1251"] {
        assert_eq!(folder.ok(&["lines", "f", "-E", label, "-f", "text"]), b"text\n", "{label}");
    }
    for label in
        ["CESU-8", "CP1131", "1125", "273", "SHIFT_JIS_2004", "iso2022_jp_2", "cp1140", "mac_greek", "koi8-t"]
    {
        let (code, stderr) = folder.refused(&["lines", "f", "-E", label]);
        assert_eq!(code, 2, "{stderr}");
        let hint = stderr.split_once("hint: ").map_or("", |(_, hint)| hint.trim_end());
        let Some((command, _)) = hint.split_once(" | rread ") else { continue };
        let program = command.split(' ').next().unwrap();
        let run = Command::new("sh").args(["-c", command]).current_dir(folder.path(".")).output().unwrap();
        let is_there = Command::new(program).arg("--version").output().is_ok();
        assert!(!is_there || run.status.success(), "{label}: {command}: {run:?}");
    }
}
