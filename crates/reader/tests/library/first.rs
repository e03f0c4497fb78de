//! What the reader detects from the first bytes of a file.

use std::fs;
use std::path::Path;

use rread_reader::reader::{Reader, Tuning};
use rread_testkit::sources;
use rread_text::sniff::{Content, SAMPLE};

#[test]
fn the_end_of_a_sample_does_not_change_the_kind_of_content() {
    let content =
        |bytes: &[u8]| Reader::new(sources::plain(bytes), Tuning::default()).unwrap().sniffed.content;
    // A character cut by the end of the file is invalid; one cut by the end of the sample continues after it.
    let mut cut = vec![b'a'; SAMPLE - 1];
    cut.push(0xC3);
    assert_eq!(content(&cut), Content::Legacy);
    cut.push(0xA9);
    assert_eq!(content(&cut), Content::Utf8);
}

#[test]
fn an_encoding_is_guessed_for_text_of_unknown_encoding() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("text");
    let guess = |bytes: &[u8], choice: &str| {
        fs::write(&path, bytes).unwrap();
        let mut reader = Reader::open(&path).unwrap();
        reader.read_as(choice.parse().unwrap(), Path::new("text")).unwrap();
        reader.encoding_guess()
    };
    let french = b"Les \xE9l\xE8ves fran\xE7ais ont \xE9t\xE9 tr\xE8s press\xE9s.\n";
    assert_eq!(guess(french, "auto").as_deref(), Some("windows-1252"));
    assert_eq!(guess(french, "latin1"), None, "it was named");
    assert_eq!(guess(b"\0\x01\x02\x03", "auto"), None, "no text");
    assert_eq!(guess(b"text\n", "auto"), None, "it is known");
}
