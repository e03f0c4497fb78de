//! No more is read than a question needs, and those who watch see it go by.

use std::io;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use rread::hashline::Style;
use rread::reader::hashes::LongLine;
use rread::reader::{Reader, Tuning};
use rread::sniff::SAMPLE;
use rread::source::Source;

use super::sources;

const BLOCK: usize = 64 << 10;

/// Bytes that note which of them are asked for: first and past the last offset of each read.
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

/// What is read of `bytes` for `question`, behind what is read to open them.
fn read_for(bytes: &[u8], is_stream: bool, question: impl FnOnce(&Reader)) -> Vec<(usize, usize)> {
    let notes = Arc::new(Mutex::new(Vec::new()));
    let source = Noting { bytes: bytes.to_vec(), is_stream, notes: Arc::clone(&notes) };
    let tuning = Tuning { small: 0, ..Tuning::default() };
    let reader = Reader::new(Box::new(source), tuning).unwrap();
    notes.lock().unwrap().clear();
    question(&reader);
    drop(reader);
    Arc::into_inner(notes).unwrap().into_inner().unwrap()
}

#[test]
fn a_stream_is_drawn_in_large_pieces_and_to_the_byte() {
    let bytes = b"1234567\n".repeat(100_000);
    for place in [SAMPLE + 1, BLOCK, 500_000, bytes.len() - 1] {
        let reads = read_for(&bytes, true, |reader| {
            assert_eq!(reader.reach(place as u64).unwrap(), place as u64);
            // What has been there once is there.
            assert_eq!(reader.reach(place as u64).unwrap(), place as u64);
            assert_eq!(reader.reach(3).unwrap(), 3);
            assert_eq!(reader.passed().load(Ordering::Relaxed), place as u64);
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
    let line = |start: u64, next: u64| LongLine { start, next, hash: 7, style: Style::Xxh32 };
    reader.remember(line(100, 164));
    assert!(reader.remembered(100, Style::Xxh32).is_none(), "no longer than a block");
    reader.remember(line(100, 165));
    for (offset, is_there) in [(99, false), (100, true), (164, true), (165, false)] {
        let found = reader.remembered(offset, Style::Xxh32).map(|line| (line.start, line.next, line.hash));
        assert_eq!(found, is_there.then_some((100, 165, 7)), "{offset}");
        assert!(reader.remembered(offset, Style::Omp).is_none(), "{offset}");
    }
    reader.remember(line(300, 310));
    assert!(reader.remembered(100, Style::Xxh32).is_some(), "a short line drives out no long one");
}
