//! What the first bytes of a file say of it.

use std::fs;
use std::path::Path;

use rread::internals::reader::{Reader, Tuning};
use rread::internals::sniff::{Content, SAMPLE};

use super::sources;

#[test]
fn where_a_sample_ends_says_nothing_of_the_text() {
    let content =
        |bytes: &[u8]| Reader::new(sources::plain(bytes), Tuning::default()).unwrap().sniffed().content;
    // A character that the end of the file cuts is none; one that the end of the sample cuts goes on behind it.
    let mut cut = vec![b'a'; SAMPLE - 1];
    cut.push(0xC3);
    assert_eq!(content(&cut), Content::Legacy);
    cut.push(0xA9);
    assert_eq!(content(&cut), Content::Utf8);
}

#[test]
fn an_encoding_is_guessed_for_text_of_which_it_is_not_known() {
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
