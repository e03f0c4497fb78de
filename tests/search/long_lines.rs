//! Long lines are shown as a window around the match, and searched in constant memory.

use rread_testkit::sandbox::Sandbox;

use super::number;

#[test]
fn a_long_line_is_a_window_around_the_match() {
    let sandbox = Sandbox::with("t", format!("{} needle {}\nshort\n", "é".repeat(5000), "b".repeat(5000)));
    let document = sandbox.line("search needle t").ok().document();
    let content = document.content.clone();
    assert!(
        content.starts_with("1:…é") && content.contains(" needle b") && content.ends_with("b…\n"),
        "{content}"
    );
    assert_eq!(content.trim_end().chars().count(), 300 + 4);
    assert_eq!(number(&document, "clipped_lines"), 1);
    let content = sandbox.line("search needle t --max-columns 20 -f text").text().to_owned();
    assert_eq!(content, "1:…ééééé needle bbbbbbb…\n");
    let whole = sandbox.line("search needle t --raw").ok();
    assert_eq!(whole.text().chars().count(), 10_009);
    let json = sandbox.line("search needle t --json").ok().json();
    let found = &json["segments"][0]["metadata"]["matches"][0];
    assert_eq!((found["start_byte"].as_u64(), found["column"].as_u64()), (Some(10_001), Some(5002)));
    // The first bytes of the line are as good as any if all of it matches.
    let content = sandbox.line("search -v zzz t --max-columns 5 -f text").text().to_owned();
    assert_eq!(content, "1:ééééé…\n2:short\n");
}

#[test]
fn a_line_that_is_not_held_is_searched_in_windows() {
    let mut text = vec![b'x'; 9 << 20];
    for at in [0, 1 << 20, (1 << 20) - 3, 5_000_000, (9 << 20) - 7] {
        text[at..at + 6].copy_from_slice(b"needle");
    }
    text.splice(0..0, b"first\n".iter().copied());
    text.extend(b"\nlast needle\n");
    let sandbox = Sandbox::with("t", &text);
    let document = sandbox.line("search needle t").ok().document();
    // One place overwrote the beginning of another.
    assert_eq!((number(&document, "matches"), number(&document, "matched_lines")), (5, 2));
    let content = document.content.clone();
    assert!(content.starts_with("2:needlexxx"), "{}", &content[..40]);
    assert!(content.ends_with("3:last needle\n"));
    assert_eq!(sandbox.line("search -v needle t -f text").ok().text(), "1:first\n");
    assert_eq!(sandbox.line("search needle t --raw").ok().stdout.len(), (9 << 20) + 1 + 12);
    let run = sandbox.line("search xneedle t --in 2 --max-columns 30 -f text");
    assert!(run.text().contains("xneedle"), "{run}");
}

#[test]
fn the_edge_of_a_window_is_not_the_end_of_a_line() {
    let sandbox = Sandbox::with("t", format!("{}b\n", "a".repeat(3 << 20)));
    for pattern in ["^a+$", "a$", "a+\\b", "^b"] {
        let run = sandbox.run(["search", pattern, "t", "-f", "text"]);
        assert_eq!((run.code, run.text()), (1, ""), "{pattern}");
    }
    assert_eq!(sandbox.line("search -x a+ t -f text").code, 1);
    // Nothing after a match decides about these.
    for pattern in ["^a+", "a.*", "ab"] {
        assert_eq!(sandbox.run(["search", "-c", pattern, "t", "--raw"]).text(), "1\n", "{pattern}");
    }
    let sandbox = Sandbox::with("t", "a".repeat(3 << 20) + "\n");
    let json = sandbox.run(["search", "a$", "t", "--json"]).ok().json();
    let found = &json["segments"][0]["metadata"]["matches"][0];
    assert_eq!(
        (found["start_byte"].as_u64(), found["end_byte"].as_u64()),
        (Some((3 << 20) - 1), Some(3 << 20))
    );
}

#[test]
fn the_matches_of_a_long_line_are_shown_in_every_encoding() {
    let text = format!("{}é needle {}needle\n", "é".repeat(2 << 20), "é".repeat(1 << 20));
    let utf16: Vec<u8> =
        "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let sandbox = Sandbox::with("utf-8", &text);
    sandbox.file("utf-16", utf16);
    for name in ["utf-8", "utf-16"] {
        let run = sandbox.line(&format!("search needle {name} --max-columns 20 -f text"));
        let (first, second) = if name == "utf-8" { (4_194_296, 6_291_438) } else { (4_194_298, 6_291_448) };
        let expected = format!("1:b{first}:…ééééé needle ééééééé…\n1:b{second}:…ééééééééééééééneedle\n");
        assert_eq!(run.text(), expected, "{name}");
    }
}

#[test]
fn matches_in_text_with_escape_sequences_are_where_they_are() {
    let sandbox = Sandbox::new();
    // Two characters of JIS X 0208 between escape sequences, many times.
    let kanji = b"\x1b$BF|K\\\x1b(B ".repeat(200);
    sandbox.file("jis", [&kanji[..], b"needle", &kanji, b"\n"].concat());
    let answer = sandbox.line("search needle jis -E iso-2022-jp --json").ok().json();
    let group = &answer["segments"][0];
    assert_eq!(group["content"].as_str().unwrap().chars().count(), 600 + 6 + 600 + 1, "{group}");
    let found = &group["metadata"]["matches"][0];
    assert_eq!((found["start_byte"].as_u64(), found["column"].as_u64()), (Some(2200), Some(601)), "{found}");
    let end = found["end_byte"].as_u64().unwrap();
    assert!((2206..=2209).contains(&end), "an escape sequence may belong to it: {found}");
}

#[test]
fn a_match_of_two_byte_characters_begins_at_one() {
    let sandbox = Sandbox::with("jis", b"a \x1b$BF|K\\\x1b(B b\n");
    for (pattern, starts, ends) in [("日本", 2..=5, 9..=12), ("本", 7..=7, 9..=12), ("日", 2..=5, 7..=7)]
    {
        let answer = sandbox.line(&format!("search {pattern} jis -E iso-2022-jp --json")).ok().json();
        let found = &answer["segments"][0]["metadata"]["matches"][0];
        let place = |key: &str| found[key].as_u64().unwrap();
        assert!(
            starts.contains(&place("start_byte")) && ends.contains(&place("end_byte")),
            "{pattern}: {found}"
        );
    }
}
