//! Text with headers and held lines, raw, JSON lines, encodings.

use serde_json::Value;

use super::support::{Folder, lines};

#[test]
fn several_files_have_the_headers_of_tail() {
    let folder = Folder::with("a.log", lines(1, 2));
    folder.append("b.log", lines(3, 4));
    let tail = folder.tail("-n 1 -F a.log b.log");
    let rread = folder.rread("-n 1 a.log b.log");
    let both = |text: &str| [&tail, &rread].map(|one| one.shows(text));
    both("line 4\n");
    folder.append("b.log", lines(5, 5));
    both("line 5\n");
    folder.append("a.log", lines(6, 6));
    both("line 6\n");
    folder.append("b.log", lines(7, 7));
    both("line 7\n");
    assert_eq!(rread.text(), tail.text());
}

#[test]
fn a_half_line_is_held_in_text_and_passed_on_in_raw() {
    let folder = Folder::with("app.log", "");
    let text = folder.rread("app.log");
    let raw = folder.rread("app.log --raw");
    let json = folder.rread("app.log --json");
    folder.append("app.log", "hal");
    for one in [&text, &raw, &json] {
        one.shows("hal");
    }
    folder.append("app.log", "f\nwhole\n");
    for one in [&text, &raw] {
        one.shows("whole\n");
        assert_eq!(one.text(), "half\nwhole\n");
    }
    json.shows("whole");
    let ranges: Vec<Value> = json.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        ranges[0]["actual_range"].to_string(),
        r#"{"start_byte":0,"end_byte":3,"start_line":1,"end_line":1}"#
    );
    assert_eq!(
        ranges[1]["actual_range"].to_string(),
        r#"{"start_byte":3,"end_byte":11,"start_line":1,"end_line":2}"#
    );
    assert_eq!(ranges[1]["content"], "f\nwhole\n");
}

#[test]
fn half_characters_are_held_too() {
    let folder = Folder::with("app.log", "");
    let rread = folder.rread("app.log");
    folder.append("app.log", b"caf\xC3");
    rread.shows("caf");
    folder.append("app.log", b"\xA9\n");
    rread.shows("\n");
    assert_eq!(rread.text(), "café\n");
}

#[test]
fn json_lines_have_ranges_versions_and_events() {
    let folder = Folder::with("app.log", lines(1, 20));
    let mut rread = folder.rread("app.log -n 2 --json --until-match 22$");
    rread.shows("line 20");
    folder.rename("app.log", "app.log.1");
    folder.append("app.log", lines(21, 23));
    assert_eq!(rread.code(), 0);
    let records: Vec<Value> = rread.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let schema: Value = serde_json::from_str(rread::SCHEMA).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    records.iter().for_each(|record| assert!(validator.is_valid(record), "{record}"));
    assert_eq!(records[0]["content"], lines(19, 20));
    let text = lines(1, 20);
    assert_eq!(records[0]["actual_range"]["end_byte"], text.len());
    assert_eq!(records[0]["actual_range"]["start_line"], 19);
    assert_eq!(records[0]["actual_range"]["end_line"], 20);
    assert_eq!(records[0]["version"].as_str().unwrap().len(), 16);
    let events: Vec<&str> = records.iter().filter_map(|record| record["event"].as_str()).collect();
    // The name may be seen while it is missing.
    assert!(matches!(events[..], ["rotated", "end"] | ["gone", "rotated", "end"]), "{events:?}");
    assert_eq!(records.last().unwrap()["reason"], "match");
    assert_eq!(records[records.len() - 2]["content"], lines(21, 22));
}

#[test]
fn utf_16_is_decoded_and_matched() {
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let folder = Folder::with("app.log", wide("\u{FEFF}größe 1\ngröße 2\n"));
    let mut rread = folder.rread("app.log -n 1 --until-match größe.4");
    rread.shows("größe 2\n");
    let next = wide("größe 3\ngröße 4\ngröße 5\n");
    folder.append("app.log", &next[..13]);
    folder.append("app.log", &next[13..]);
    assert_eq!((rread.code(), rread.text()), (0, "größe 2\ngröße 3\ngröße 4\n".to_owned()));
}

#[test]
fn characters_of_other_encodings_are_not_cut() {
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    // The first bytes end inside a character: a crab of two units, and あ in Shift_JIS.
    for (options, bytes, cut, text) in [
        ("app.log", wide("\u{FEFF}a🦀b\n"), 6, "a🦀b\n"),
        ("app.log", wide("\u{FEFF}a🦀b\n"), 1, "a🦀b\n"),
        ("app.log -E shift_jis", b"a\x82\xA0b\n".to_vec(), 2, "aあb\n"),
    ] {
        let folder = Folder::with("app.log", "");
        let rread = folder.rread(options);
        folder.append("app.log", &bytes[..cut]);
        std::thread::sleep(std::time::Duration::from_millis(300));
        folder.append("app.log", &bytes[cut..]);
        rread.shows("\n");
        assert_eq!(rread.text(), text, "{options} {cut}");
    }
}
