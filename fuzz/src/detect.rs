//! Text or binary, and in which encoding: the same for the same bytes however they are read, and text is never refused.

use rread_reader::reader::{Reader, Tuning};
use rread_source::spool::Spool;
use rread_text::encoding::{Choice, Evidence, judge};
use rread_text::sniff::{Content, SAMPLE, Sniffed, mime, sniff};

use rread_testkit::sources::{Act, Scripted, Trickle};

const LABELS: [&str; 8] =
    ["auto", "utf-8", "utf-16", "utf-16be", "utf-32", "utf-32be", "windows-1252", "shift_jis"];

pub fn run(data: &[u8]) {
    let found = sniff(data, data.len() <= SAMPLE);
    promises(data, found);
    for most in [1, 3, 4095, usize::MAX] {
        let source = Scripted::new(data, move |_, _| Act::Short(most));
        let reader = Reader::new(Box::new(source), Tuning::default()).unwrap();
        assert_eq!(reader.sniffed, found, "at most {most} bytes at a time of {data:02x?}");
        assert!(!reader.mime().unwrap().is_empty());
    }
    let head = &data[..data.len().min(SAMPLE)];
    for label in LABELS {
        let choice = label.parse::<Choice>().unwrap();
        if let Ok(decided) = choice.decide(head, found, &Evidence::default()) {
            assert!(decided.name().is_ascii(), "{label}: {data:02x?}");
            assert!(!decided.bom || head.starts_with(decided.encoding.mark()), "{label}: {data:02x?}");
        }
    }
    assert_ne!(judge(head).evident(), Some("replacement"), "{data:02x?}");
    streams(data, found);
}

/// What anybody would call text is text.
fn promises(data: &[u8], found: Sniffed) {
    let head = &data[..data.len().min(SAMPLE)];
    let is_pdf = head.starts_with(b"%PDF-");
    let valid = head.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let is_cut = data.len() > SAMPLE && head.len() - valid.len() < 4;
    let is_plain = !valid.chars().any(|c| c.is_ascii_control() && !"\t\n\r\x0B\x0C".contains(c));
    // HZ has no control characters.
    if is_plain && !is_pdf && valid.len() == head.len() {
        assert!(matches!(found.content, Content::Utf8 | Content::Escaped("hz-gb-2312")), "{data:02x?}");
    } else if is_plain && !is_pdf && is_cut && data.is_char_boundary_like(valid.len()) {
        assert_eq!(found.content, Content::Utf8, "{data:02x?}");
    }
    if found.content == Content::Utf8 {
        assert!(!mime(head, found.content).starts_with("image/") || head.contains(&b'<'), "{data:02x?}");
    }
}

/// Whether a character begins at a place and is whole.
trait Characters {
    fn is_char_boundary_like(&self, at: usize) -> bool;
}

impl Characters for [u8] {
    fn is_char_boundary_like(&self, at: usize) -> bool {
        self[at..].utf8_chunks().next().is_some_and(|chunk| !chunk.valid().is_empty())
    }
}

/// A stream that comes at once is what a file is; of one that comes in pieces, text is text too.
fn streams(data: &[u8], found: Sniffed) {
    for most in [usize::MAX, 1000, 5] {
        let stream = Spool::new(Box::new(Trickle::new(data, most)));
        let reader = Reader::new(Box::new(stream), Tuning::default()).unwrap();
        let is_text = found.content == Content::Utf8;
        assert!(!is_text || !reader.is_binary(), "in pieces of {most}: {data:02x?}");
        // A stream is not known to have ended before its end was asked for.
        let whole = reader.known_size().is_some();
        if most > data.len() && data.len() < SAMPLE && !whole {
            assert_eq!(reader.sniffed, sniff(data, false), "a stream of {data:02x?}");
        }
    }
}
