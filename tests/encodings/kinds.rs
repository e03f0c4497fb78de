//! Kinds of files whose encoding a sample shows wrongly: control characters, joined encodings, late letters, code pages.

use rread_testkit::decoded::{encoded, legacy_named};

use super::program::Folder;

const GERMAN: &str = "Grüße Müller täglich für Übung schön größer Straße Bücher hören";

#[test]
fn control_characters_do_not_make_a_text_binary_or_wide() {
    let folder = Folder::new();
    for separator in ["\u{1}", "\u{2}", "\u{1c}", "\u{1e}", "\u{1f}", "\u{7f}", "\u{10}"] {
        let rows: String =
            (0..500).map(|row| [&row.to_string(), "A", "3", "true", "\\N"].join(separator) + "\n").collect();
        folder.file("f", rows.as_bytes());
        let answer = folder.json(&["lines", "f"]);
        assert_eq!(
            (&answer["content"], answer["metadata"].get("encoding")),
            (&rows.clone().into(), None),
            "{separator:?}"
        );
        assert_eq!(folder.ok(&["search", "-c", "true", "f", "--raw"]), b"500\n");
    }
    // Single bytes beyond UTF-8 change nothing.
    for (text, end) in [
        (GERMAN, "\u{1a}"),
        (GERMAN, "\u{7}"),
        (&GERMAN.replace(' ', "\u{1}"), "\n"),
        (&GERMAN.replace(' ', "\u{1f}"), ""),
    ] {
        let text = format!("{text}\n{end}");
        folder.file("f", &encoded(&text, legacy_named("windows-1252")));
        let answer = folder.json(&["lines", "f"]);
        assert_eq!(
            (&answer["content"], &answer["metadata"]["encoding"]),
            (&text.into(), &"windows-1252".into())
        );
    }
}

#[test]
fn a_guess_holds_for_lines_that_are_not_utf8() {
    let folder = Folder::new();
    for label in ["windows-1252", "iso-8859-15"] {
        let mail = |nth: u32, city: &str| format!("Subject: {nth}\n\n{GERMAN}\nTreffen in {city}.\n\n");
        let old: String = (0..110).map(|nth| mail(nth, "Köln")).collect();
        let new: String = (0..60).map(|nth| mail(nth, "Zürich")).collect();
        for is_old_first in [true, false] {
            let (old_bytes, new_bytes) = (encoded(&old, legacy_named(label)), new.clone().into_bytes());
            let (bytes, text) = match is_old_first {
                true => ([old_bytes, new_bytes].concat(), format!("{old}{new}")),
                false => ([new_bytes, old_bytes].concat(), format!("{new}{old}")),
            };
            folder.file("mixed", &bytes);
            assert_eq!(
                folder.ok(&["search", "-c", "Zürich", "mixed", "--raw"]),
                b"60\n",
                "{label} {is_old_first}"
            );
            assert_eq!(folder.ok(&["search", "-c", "Köln", "mixed", "--raw"]), b"110\n");
            assert_eq!(folder.ok(&["lines", "mixed", "-f", "text"]), text.as_bytes());
            // Places are those of the file, and no character of UTF-8 is cut.
            let at = bytes.windows(3).position(|window| window == b"Z\xC3\xBC").unwrap();
            let cut = folder.json(&["bytes", "mixed", &format!("{at}:+2")]);
            assert_eq!(
                (&cut["content"], &cut["metadata"]["actual_range"]["end_byte"]),
                (&"Zü".into(), &(at + 3).into())
            );
            let umlaut = bytes.windows(3).position(|window| window == b"K\xF6l").unwrap();
            assert_eq!(folder.json(&["bytes", "mixed", &format!("{umlaut}:+2")])["content"], "Kö");
            assert_eq!(
                folder.ok(&["bytes", "mixed", &format!("{at}:+2"), "--raw", "--align", "expand"]),
                "Zü".as_bytes()
            );
        }
    }
    // A last letter without a newline is one of the guess too.
    folder.file("end", &encoded(&format!("{GERMAN}\ncafé"), legacy_named("windows-1252")));
    assert_eq!(folder.ok(&["lines", "end", "-1", "-f", "text"]), "café".as_bytes());
    assert_eq!(folder.ok(&["search", "-c", "é", "end", "--raw"]), b"1\n");
}

#[test]
fn few_lines_of_another_encoding_are_read_and_do_not_change_the_others() {
    let folder = Folder::new();
    // The lines that are not UTF-8 are all in the first bytes, and fewer than the others.
    let mail = |city: &str| format!("Subject: a\n\n{GERMAN}\nTreffen in {city}.\n\n");
    let (new, old) = (mail("Zürich").repeat(40), mail("Zürich").repeat(20));
    folder.file("mails", &[new.as_bytes(), &encoded(&old, legacy_named("windows-1252"))].concat());
    assert_eq!(folder.ok(&["search", "-c", "Zürich", "mails", "--raw"]), b"60\n");
    assert_eq!(folder.ok(&["lines", "mails", "-f", "text"]), [new, old].concat().as_bytes());
    // Characters of several bytes are those of all lines, so few such lines are damage.
    let chinese = "系统管理员请输入密码，然后登录。这是一个用户的文件，我们不能删除。\n";
    let gbk = encoded(chinese, legacy_named("gbk"));
    for (before, after) in [(3000, 0), (0, 3000), (2, 0)] {
        let (before, after) = (chinese.repeat(before), chinese.repeat(after));
        folder.file("mixed", &[before.as_bytes(), &gbk.repeat(3), after.as_bytes()].concat());
        for range in if before.is_empty() { ["4", "-1"] } else { ["1", "2"] } {
            let line = folder.json(&["lines", "mixed", range]);
            assert_eq!(line["content"], chinese, "{} {}", before.len(), after.len());
            assert_ne!(line["metadata"]["encoding_source"], "guess", "{} {}", before.len(), after.len());
        }
    }
    folder.file("alone", &gbk.repeat(300));
    assert_eq!(folder.json(&["lines", "alone", "-1"])["content"], chinese);
}

#[test]
fn letters_after_the_first_bytes_are_seen() {
    let folder = Folder::new();
    let ascii: String = (0..3000).map(|nth| format!("{nth};customer;Berlin\n")).collect();
    let late = |text: &str| {
        [ascii.as_bytes(), &encoded(text, legacy_named("windows-1252")), ascii.as_bytes()].concat()
    };
    folder
        .file("end", &[ascii.as_bytes(), &encoded("x;Müller;Köln\n", legacy_named("windows-1252"))].concat());
    assert_eq!(folder.json(&["lines", "end", "-1"])["metadata"]["encoding_hint"], "-E windows-1252");
    // The samples miss it, but a search that finds nothing does not.
    for name in ["end", "between"] {
        folder.file("between", &[&late("x;Müller;Köln\n")[..], ascii.as_bytes()].concat());
        let (code, stderr) = folder.refused(&["search", "Köln", name, "-f", "text"]);
        assert!(code == 1 && stderr.contains("-E windows-1252"), "{name}: {stderr}");
    }
    folder.file("evident", &late(&format!("{GERMAN}\n").repeat(300)));
    assert_eq!(folder.json(&["stat", "evident"])["encoding"], "windows-1252");
}

#[test]
fn code_pages_are_named_with_what_reads_them() {
    let folder = Folder::new();
    let dos = b"Gr\x94\xe1e: 5 m\nM\x81ller kauft \x8epfel f\x81r 3 Mark\n\x9abergabe erfolgt t\x84glich, au\xe1er sonntags\n";
    folder.file("dos", dos);
    assert_eq!(
        folder.json(&["stat", "dos"])["encoding_hint"],
        "iconv -f CP850 -t UTF-8 < dos | rread lines -"
    );
    folder.file(
        "mac",
        b"Pr\x8enom,Ville\nZo\x8e,Besan\x8don\nRen\x8e,Orl\x8eans\nAgn\x8fs,Ch\x89lons\nBeno\x94t,M\x89con\n",
    );
    assert_eq!(folder.json(&["stat", "mac"])["encoding_hint"], "-E macintosh");
    folder.file("ebcdic", b"\xC1\xC3\xC3\xD6\xE4\xD5\xE3@\xF0\xF0\xF1\xF2@\xD5\xC1\xD4\xC5@\xE2\xD4\xC9\xE3\xC8@\xC2\xC1\xD3\xC1\xD5\xC3\xC5@\xF1\xF2\x25");
    let stat = folder.json(&["stat", "ebcdic"]);
    assert_eq!((&stat["encoding"], &stat["encoding_guess"]), (&"unknown-8bit".into(), &"ibm037".into()));
}
