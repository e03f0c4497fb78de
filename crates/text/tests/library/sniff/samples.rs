//! 8-bit text that resembles other formats, and the reverse.

use rread_text::sniff::{Content, SAMPLE, mime, sniff};

fn content(bytes: &[u8]) -> Content {
    sniff(bytes, bytes.len() <= SAMPLE).content
}

#[test]
fn text_that_begins_like_a_format_is_text() {
    for start in [
        "BMW",
        "BM",
        "MZ",
        "GIF89a",
        "GIF87a",
        "ID3",
        "%PDF is a format",
        "%PDF",
        "PK",
        "PK text",
        "{\\rtf1",
        "%!PS",
        "BZh9",
        "FWS",
        "CWS",
        "8BPS",
        "!<arch>",
        "OggS",
        "fLaC",
        "LZIP",
        "Cr24",
        "OTTO",
        "RIFF",
        "PAR1",
        "TZif",
        "bplist00",
        "ARROW1",
        "DIRC",
        "PACK",
        "Obj",
        "ustar",
        "P5\n",
        "070701",
        "-----BEGIN CERTIFICATE-----",
        "0\n",
        "BMW arrived",
        "MZ says hi",
        "GIF89a is a format",
        "ID3 tags",
        "RIFF raff",
        "PK fire",
        "BZh",
    ] {
        let text = format!("{start}\nand more text\n");
        assert_eq!(content(text.as_bytes()), Content::Utf8, "{start}");
        assert_eq!(content(start.as_bytes()), Content::Utf8, "{start}");
        assert!(!mime(text.as_bytes(), Content::Utf8).starts_with("image/"), "{start}");
    }
}

#[test]
fn binaries_are_binary_and_named() {
    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01";
    assert_eq!((content(PNG), mime(PNG, Content::Binary)), (Content::Binary, "image/png"));
    assert_eq!(content(b"ab\0cd\0\0\0\x01"), Content::Binary);
    assert_eq!(mime(b"%PDF-1.7\nplain\n", content(b"%PDF-1.7\nplain\n")), "application/pdf");
    assert_eq!(content(b"%PDF is a format\n"), Content::Utf8);
}

#[test]
fn wide_and_legacy_text_are_distinguished() {
    assert_eq!(content(b"h\0i\0 \0y\0o\0u\0"), Content::Wide("utf-16le"));
    assert_eq!(content(b"\0h\0i\0 \0y\0o\0u"), Content::Wide("utf-16be"));
    assert_eq!(content(b"\xFF\xFEh\0i\0"), Content::Wide("utf-16le"));
    assert_eq!(content(b"caf\xE9 au lait, s'il vous pla\xEEt\n"), Content::Legacy);
    assert_eq!(content("café \u{2192} \u{FFFD}".as_bytes()), Content::Utf8);
    assert_eq!(content(b"caf\xC3\xA9 and one byte \xFF gone wrong\n"), Content::Utf8);
    assert_eq!(content(b""), Content::Utf8);
}

#[test]
fn bytes_after_the_sample_do_not_count() {
    for (at, expected) in
        [(SAMPLE - 1, Content::Binary), (SAMPLE, Content::Utf8), (SAMPLE + 900, Content::Utf8)]
    {
        let mut text = b"a line of text\n".repeat(700);
        text[at] = 0;
        assert_eq!(content(&text), expected, "{at}");
    }
}

#[test]
fn a_character_that_the_sample_cuts_is_a_character() {
    for c in ["é", "漢", "😀"] {
        for short in 0..=c.len() {
            let text = format!("{}{c} and so on\n", "a".repeat(SAMPLE - short));
            assert_eq!(content(text.as_bytes()), Content::Utf8, "{c} {short}");
            assert_eq!(sniff(&text.as_bytes()[..SAMPLE], false).content, Content::Utf8, "{c} {short}");
        }
    }
    // At the end of the file the same bytes are a mistake, and few of those are still damaged UTF-8.
    assert_eq!(sniff("naïve 漢字".as_bytes().split_last().unwrap().1, true).content, Content::Utf8);
}

#[test]
fn control_characters_do_not_make_utf8_binary() {
    for control in (1..0x20).chain([0x7F]) {
        assert_eq!(content(&[&b"x"[..], &[control; 999]].concat()), Content::Utf8, "{control}");
    }
    let recording = "\x1b[2J\x1b[1;1H\x1b[31mred\x1b[0m\x07 50%\r 60%\r\x08\x08done\r\n".repeat(90);
    assert_eq!(content(recording.as_bytes()), Content::Utf8);
}

#[test]
fn text_of_other_encodings_is_legacy_text() {
    let cases: [(&str, &[u8]); 6] = [
        ("Latin-1", b"caf\xE9 au lait, s'il vous pla\xEEt\n"),
        ("windows-1252", b"\x93Gr\xFC\xDFe\x94 \x96 100 \x80\n"),
        (
            "Shift_JIS",
            b"\x83\x65\x83\x4C\x83\x58\x83\x67\x82\xCD\x93\xFA\x96\x7B\x8C\xEA\x82\xC5\x82\xB7\x81\x42\n",
        ),
        ("KOI8-R", b"\xF0\xD2\xC9\xD7\xC5\xD4, \xCD\xC9\xD2! \xEB\xC1\xCB \xC4\xC5\xCC\xC1?\n"),
        ("GBK", b"\xC4\xE3\xBA\xC3\xA3\xAC\xCA\xC0\xBD\xE7\xA1\xA3\xD6\xD0\xCE\xC4\xCE\xC4\xB1\xBE\n"),
        // Records of fixed length, as EBCDIC has them: no control characters.
        ("EBCDIC", b"\xC8\x85\x93\x93\x96\x6B\x40\xA6\x96\x99\x93\x84\x4B\x40\x40\x40"),
    ];
    for (name, line) in cases {
        for text in [line.to_vec(), line.repeat(900)] {
            assert_eq!(content(&text), Content::Legacy, "{name}");
        }
    }
    // Lines that end with NEL (0x15) have a control character each.
    assert_eq!(
        content(&b"\xC8\x85\x93\x93\x96\x6B\x40\xA6\x96\x99\x93\x84\x4B\x15".repeat(9)),
        Content::Binary
    );
}

#[test]
fn damaged_utf8_is_utf8() {
    for text in [
        &b"caf\xC3\xA9 and one byte \xFF gone wrong\n"[..],
        b"\xE6\xBC\xA2\xE5\xAD\x97 \xE6\xBC \xE6\xBC\xA2\n",
        b"na\xC3\xAFve \xC3\xA9t\xC3\xA9 \xED\xA0\x80\n",
    ] {
        assert_eq!(content(text), Content::Utf8, "{text:?}");
    }
    let mut torn = "Zwölf Boxkämpfer jagen Виктора\n".repeat(200).into_bytes();
    for at in (500..torn.len()).step_by(500) {
        torn[at] = 0xFF;
    }
    assert_eq!(content(&torn), Content::Utf8);
}
