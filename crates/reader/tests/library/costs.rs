//! The reader reads no more than a request needs, and counts it for progress.

use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use rread_reader::reader::LongLine;
use rread_reader::reader::encoding::Align;
use rread_reader::reader::{Reader, Tuning};
use rread_source::Source;
use rread_testkit::sources;
use rread_text::hashline::HashStyle;
use rread_text::sniff::SAMPLE;

const BLOCK: usize = 64 << 10;

/// Bytes that record the first and past-the-last offset of each read.
struct Noting {
    bytes: Vec<u8>,
    is_stream: bool,
    notes: Arc<Mutex<Vec<(usize, usize)>>>,
}

impl Source for Noting {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(self.bytes.len());
        let len = buffer.len().min(self.bytes.len() - start);
        buffer[..len].copy_from_slice(&self.bytes[start..start + len]);
        self.notes.lock().unwrap().push((start, start.saturating_add(buffer.len())));
        Ok(len)
    }

    fn size(&self) -> Option<u64> {
        (!self.is_stream).then_some(self.bytes.len() as u64)
    }
}

/// The bytes that `request` reads after opening.
fn read_for(
    bytes: &[u8],
    is_stream: bool,
    encoding: &str,
    request: impl FnOnce(&Reader),
) -> Vec<(usize, usize)> {
    let notes = Arc::new(Mutex::new(Vec::new()));
    let source = Noting { bytes: bytes.to_vec(), is_stream, notes: Arc::clone(&notes) };
    let tuning = Tuning { small: 0, ..Tuning::default() };
    let mut reader = Reader::new(Box::new(source), tuning).unwrap();
    reader.read_as(encoding.parse().unwrap(), Path::new("text")).unwrap();
    notes.lock().unwrap().clear();
    request(&reader);
    drop(reader);
    Arc::into_inner(notes).unwrap().into_inner().unwrap()
}

#[test]
fn lines_before_places_that_follow_each_other_are_counted_once() {
    let bytes = b"1234567\n".repeat(50_000);
    for step in [8, 100, 3000, 70_000] {
        let read = read_for(&bytes, false, "utf-8", |reader| {
            for offset in (0..bytes.len() as u64).step_by(step) {
                assert_eq!(reader.newlines_before(offset).unwrap(), offset / 8);
            }
            assert_eq!(reader.newlines_before(24).unwrap(), 3);
            assert_eq!(reader.newlines_before(u64::MAX).unwrap(), 50_000);
        });
        let read: usize = read.iter().map(|(start, end)| (*end).min(bytes.len()) - start).sum();
        assert!(read < 5 * bytes.len(), "{step}: {read}");
    }
}

#[test]
fn a_stream_is_read_in_large_pieces_and_to_the_byte() {
    let bytes = b"1234567\n".repeat(100_000);
    for place in [SAMPLE + 1, BLOCK, 500_000, bytes.len() - 1] {
        let reads = read_for(&bytes, true, "utf-8", |reader| {
            let before = reader.bytes_read().load(Ordering::Relaxed);
            assert_eq!(reader.reach(place as u64).unwrap(), place as u64);
            // Bytes that have arrived are not read again.
            assert_eq!(reader.reach(place as u64).unwrap(), place as u64);
            assert_eq!(reader.reach(3).unwrap(), 3);
            let passed = reader.bytes_read().load(Ordering::Relaxed) - before;
            assert_eq!(passed, (place - SAMPLE) as u64);
        });
        let drawn: usize = reads.iter().map(|(from, to)| to - from).sum();
        assert_eq!(drawn, place - SAMPLE, "to byte {place}: {reads:?}");
        assert_eq!(reads.len(), drawn.div_ceil(BLOCK), "to byte {place}: {reads:?}");
    }
}

#[test]
fn only_long_lines_are_remembered_and_only_for_their_bytes() {
    let tuning = Tuning { block: 64, ..Tuning::default() };
    let reader = Reader::new(sources::plain(b"text\n"), tuning).unwrap();
    let line = |start: u64, next: u64| LongLine { start, next, hash: 7, style: HashStyle::Xxh32 };
    reader.remember(line(100, 164));
    assert!(reader.long_line_at(100, HashStyle::Xxh32).is_none(), "no longer than a block");
    reader.remember(line(100, 165));
    for (offset, is_there) in [(99, false), (100, true), (164, true), (165, false)] {
        let found =
            reader.long_line_at(offset, HashStyle::Xxh32).map(|line| (line.start, line.next, line.hash));
        assert_eq!(found, is_there.then_some((100, 165, 7)), "{offset}");
        assert!(reader.long_line_at(offset, HashStyle::Omp).is_none(), "{offset}");
    }
    reader.remember(line(300, 310));
    assert!(reader.long_line_at(100, HashStyle::Xxh32).is_some(), "a short line drives out no long one");
}

#[test]
fn lines_from_the_end_are_read_in_growing_pieces() {
    let bytes = b"1234567\n".repeat(100_000);
    let reads = read_for(&bytes, false, "utf-8", |reader| {
        assert_eq!(reader.find_lines_back(&[50_000]).unwrap().offsets, [400_000]);
    });
    // The last byte first, then backwards.
    let lengths: Vec<usize> = reads[1..].iter().map(|(from, to)| to - from).collect();
    assert_eq!(lengths, [8 << 10, 32 << 10, 128 << 10, 256 << 10]);
}

#[test]
fn a_cut_reads_only_nearby_bytes() {
    let words = b"word ".repeat(100_000);
    let letters = "漢".repeat(100_000);
    let (letters, ..) = encoding_rs::SHIFT_JIS.encode(&letters);
    let cost = |bytes: &[u8], encoding: &str, start: u64, end: u64, expected: (u64, u64)| -> usize {
        let reads = read_for(bytes, false, encoding, |reader| {
            for align in [Align::Expand, Align::Shrink] {
                let aligned = reader.align(start, end, align).unwrap();
                let is_other = align == Align::Shrink && ["shift_jis", "gb18030"].contains(&encoding);
                assert!(is_other || aligned == expected, "{encoding} {align:?}: {aligned:?}");
            }
        });
        reads.len()
    };
    // Every byte is a character.
    assert_eq!(cost(&words, "latin1", 250_001, 250_003, (250_001, 250_003)), 0);
    // From the last blank, or without one from the first byte, in growing pieces.
    assert!(cost(&words, "shift_jis", 250_001, 250_003, (250_001, 250_003)) <= 8);
    assert!(cost(&letters, "shift_jis", 150_001, 150_003, (150_000, 150_004)) <= 60);
    // Digits are part of characters; blanks are not.
    assert!(cost(b"\x81\x30\x89\x38", "gb18030", 2, 3, (0, 4)) <= 12);
    let words = "漢字 ".repeat(1000);
    let (words, ..) = encoding_rs::SHIFT_JIS.encode(&words);
    assert!(cost(&words, "shift_jis", 2501, 2503, (2500, 2504)) <= 30);
    // A whole line, even with `shrink`: no smaller range would ever hold it.
    let line = "字".repeat(20_000);
    for end in ["", "\n", "\nmore"] {
        let text = format!("{line}{end}");
        let (text, ..) = encoding_rs::ISO_2022_JP.encode(&text);
        let newline = text.iter().position(|byte| *byte == b'\n');
        let to = newline.map_or(text.len(), |at| at + 1) as u64;
        for (cut, expected) in [(6, to), (to, to), (text.len() as u64, text.len() as u64)] {
            cost(&text, "iso-2022-jp", 3, cut, (0, expected));
        }
    }
}
