//! Guessed encodings: receipts and hints.

use rread_testkit::decoded::{encoded, legacy_named};

use super::program::Folder;

const POLISH: &str = "Zażółć gęślą jaźń, powiedział mąż do żony. Świętość jest w środku.\n";
const KOREAN: &str = "파일을 찾을 수 없습니다. ㅠㅠ ㅋㅋㅋㅋ 다시 하세요. 한국어 텍스트의 둘째 줄입니다. 서버가 다시 시작되었습니다.\n";

#[test]
fn a_guess_comes_with_the_option_to_type() {
    let folder = Folder::new();
    // A few words are named only; more of them are read.
    folder.file("f", &encoded("Kraków, Łódź.\n", legacy_named("windows-1250")));
    let receipt = String::from_utf8(folder.ok(&["lines", "f"])).unwrap();
    assert!(receipt.contains("encoding_guess: windows-1250\nencoding_hint: -E windows-1250\n"), "{receipt}");
    assert!(receipt.contains('\u{FFFD}'), "{receipt}");
    // Text without a receipt has a note, once, if it has such characters.
    for (args, notes) in [
        (&["lines", "f", "1,1", "-f", "text"][..], 1),
        (&["search", "w", "f", "-f", "text"], 1),
        (&["bytes", "f", "0:4", "-f", "text"], 0),
        (&["lines", "f", "--raw"], 0),
    ] {
        let output = folder.command(args).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        let note = "not all of it is UTF-8; -E windows-1250 may read it";
        assert_eq!(stderr.matches(note).count(), notes, "{args:?}: {stderr}");
    }
    folder.file("f", &encoded(POLISH, legacy_named("windows-1250")));
    assert_eq!(folder.json(&["lines", "f"])["content"], POLISH);
    for args in [&["lines", "f"][..], &["bytes", "f", "0:20"], &["page", "f"]] {
        assert_eq!(folder.json(args)["metadata"]["encoding_hint"], "-E windows-1250", "{args:?}");
    }
    assert_eq!(folder.json(&["ranges", "f", "1", "1"])["metadata"]["encoding_hint"], "-E windows-1250");
    assert_eq!(folder.json(&["stat", "f"])["encoding_hint"], "-E windows-1250");
    let xml = String::from_utf8(folder.ok(&["lines", "f", "--xml"])).unwrap();
    assert!(xml.contains("encoding_hint=\"-E windows-1250\""), "{xml}");
    // With the option there is nothing left to guess.
    let read = folder.json(&["lines", "f", "-E", "windows-1250"]);
    assert_eq!((&read["content"], &read["metadata"]["encoding_hint"]), (&POLISH.into(), &().into()));
    folder.file("f", POLISH.as_bytes());
    assert_eq!(folder.json(&["lines", "f"])["metadata"].get("encoding_hint"), None);
}

#[test]
fn korean_does_not_become_chinese() {
    let folder = Folder::new();
    folder.file("f", &encoded(KOREAN, legacy_named("euc-kr")));
    assert_eq!(folder.json(&["lines", "f"])["content"], KOREAN);
}

#[test]
fn escape_sequences_lead_to_a_guess() {
    let folder = Folder::new();
    let japanese = "日本語のテキスト\nand ASCII\n";
    folder.file("f", &encoded(japanese, legacy_named("iso-2022-jp")));
    let metadata = &folder.json(&["lines", "f"])["metadata"];
    assert_eq!(
        (&metadata["encoding"], &metadata["encoding_guess"]),
        (&"unknown-8bit".into(), &"iso-2022-jp".into())
    );
    assert_eq!(metadata["encoding_hint"], "-E iso-2022-jp");
    assert_eq!(folder.json(&["lines", "f", "-E", "iso-2022-jp"])["content"], japanese);
    // There is no decoder for these: another program converts them.
    for (label, bytes, converter) in [
        (
            "iso-2022-kr",
            &b"\x1B$)C\n\x0EGQ1[\x0F and ASCII\n"[..],
            "iconv -f ISO-2022-KR -t UTF-8 < f | rread lines -",
        ),
        ("iso-2022-cn", b"\x1B$)A\x0E=;;;\x0F\n", "iconv -f ISO-2022-CN -t UTF-8 < f | rread lines -"),
        ("hz-gb-2312", b"~{VPND~} in ASCII\n", "decode('hz'), end='')\" < f | rread lines -"),
    ] {
        folder.file("f", bytes);
        let answer = folder.json(&["lines", "f"]);
        assert_eq!(answer["metadata"]["encoding_guess"], label);
        let hint = answer["metadata"]["encoding_hint"].as_str().unwrap();
        assert!(hint.ends_with(converter), "{hint}");
        let stat = folder.json(&["stat", "f"]);
        assert_eq!((&stat["binary"], &stat["encoding_hint"]), (&false.into(), &hint.into()));
        let piped = String::from_utf8(folder.piped(&["lines", "-"], bytes)).unwrap();
        assert!(
            piped.contains("encoding_hint: COMMAND | ") || piped.contains("COMMAND | python3"),
            "{piped}"
        );
    }
}
