//! The reader reads a stream no further than it needs: an endless one ends, and one that stays open does not block.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rread_answer::content::{ContentOptions, Segment};
use rread_reader::reader::encoding::Align;
use rread_reader::reader::{Reader, Tuning};
use rread_reader::selection::{Context, Selection};
use rread_source::spool::Spool;
use rread_testkit::sources::Trickle;
use rread_text::range::{Unit, parse_list};
use rread_text::sniff::Content;

use super::content::deliver;

/// Longer than any answer takes on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// The texts of the slices of a list, and how many bytes of it were found.
fn answer(reader: &Reader, list: &str, unit: Unit) -> Vec<String> {
    let ranges = parse_list(list, unit).unwrap();
    let selection = Selection { ranges: &ranges, context: Context::default(), header: 0, numbers: false };
    let slices = selection.locate(reader).unwrap().slices;
    let text = |slice: rread_text::error::Result<rread_reader::selection::Slice>| {
        let slice = slice.unwrap();
        let (start, end) = match unit {
            Unit::Bytes => reader.align(slice.start, slice.end, Align::Expand).unwrap(),
            Unit::Lines => (slice.start, slice.end),
        };
        let segment = Segment { start, end, line: 1 };
        String::from_utf8(deliver(reader, &[segment], &ContentOptions::default()).unwrap().0).unwrap()
    };
    slices.into_iter().map(text).collect()
}

/// What `work` returns; fails instead of hanging if it waits forever.
fn in_time<T: Send + 'static>(what: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, result) = mpsc::channel();
    let worker = thread::spawn(move || {
        let _ = done.send(work());
    });
    match result.recv_timeout(PATIENCE) {
        Ok(result) => result,
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("{what}: still waiting after {PATIENCE:?}"),
        Err(mpsc::RecvTimeoutError::Disconnected) => match worker.join() {
            Err(cause) => std::panic::resume_unwind(cause),
            Ok(()) => unreachable!("the result is sent before the thread ends"),
        },
    }
}

/// Writes the same line forever and counts the bytes read.
struct Yes {
    line: &'static [u8],
    drawn: Arc<AtomicUsize>,
}

impl Read for Yes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let from = self.drawn.fetch_add(buffer.len(), Ordering::SeqCst);
        for (index, byte) in buffer.iter_mut().enumerate() {
            *byte = self.line[(from + index) % self.line.len()];
        }
        assert!(from < 64 << 20, "drawn without end");
        Ok(buffer.len())
    }
}

fn endless(line: &'static [u8], tuning: Tuning) -> (Reader, Arc<AtomicUsize>) {
    let drawn = Arc::new(AtomicUsize::new(0));
    let stream = Yes { line, drawn: Arc::clone(&drawn) };
    (Reader::new(Box::new(Spool::new(Box::new(stream))), tuning).unwrap(), drawn)
}

#[test]
fn the_first_lines_of_an_endless_stream_are_answered_after_reading_little() {
    for tuning in [Tuning::default(), Tuning { block: 16, fan_out_after: 32, small: u64::MAX }] {
        let (reader, drawn) = endless(b"yes\n", tuning);
        assert_eq!(answer(&reader, "1:3", Unit::Lines), ["yes\nyes\nyes\n"]);
        assert_eq!(answer(&reader, "7,2:+2", Unit::Lines), ["yes\n", "yes\nyes\n"]);
        assert_eq!(answer(&reader, "0:6", Unit::Bytes), ["yes\nye"]);
        assert_eq!(reader.newlines_before(41).unwrap(), 10);
        assert_eq!(reader.known_size(), None);
        let drawn = drawn.load(Ordering::SeqCst);
        assert!(drawn <= 512 << 10, "{drawn} bytes for a few lines");
    }
}

#[test]
fn a_line_deep_in_an_endless_stream_costs_no_more_than_the_way_there() {
    let (reader, drawn) = endless("漢字\n".as_bytes(), Tuning::default());
    assert_eq!(answer(&reader, "1000000:+1", Unit::Lines), ["漢字\n"]);
    assert_eq!(answer(&reader, "7000001:+2", Unit::Bytes), ["漢"]);
    let drawn = drawn.load(Ordering::SeqCst);
    assert!(drawn <= 8 << 20, "{drawn} bytes for 7 MB");
}

/// Reads a pipe whose writer has written `text` and stays open, silent.
fn from_silent_pipe(text: &'static str, list: &'static str, unit: Unit) -> Vec<String> {
    let (pipe, mut writer) = io::pipe().unwrap();
    writer.write_all(text.as_bytes()).unwrap();
    // The writer outlives the answer: the stream never ends.
    let answered = in_time(&format!("{list} of {text:?}"), move || {
        let reader = Reader::new(Box::new(Spool::new(Box::new(pipe))), Tuning::default()).unwrap();
        answer(&reader, list, unit)
    });
    drop(writer);
    answered
}

#[test]
fn lines_that_have_arrived_are_answered_while_the_writer_stays_open() {
    assert_eq!(from_silent_pipe("one\ntwo\nthree\n", "1:2", Unit::Lines), ["one\ntwo\n"]);
    assert_eq!(from_silent_pipe("one\ntwo\nthree\n", "1:3", Unit::Lines), ["one\ntwo\nthree\n"]);
    assert_eq!(from_silent_pipe("one\ntwo\nthr", "2", Unit::Lines), ["two\n"]);
    assert_eq!(from_silent_pipe("one\r\ntwo\r\n", "2,1", Unit::Lines), ["two\r\n", "one\r\n"]);
    assert_eq!(from_silent_pipe("one\n\n", "2:+1", Unit::Lines), ["\n"]);
}

#[test]
fn bytes_that_have_arrived_are_answered_while_the_writer_stays_open() {
    assert_eq!(from_silent_pipe("one\ntwo\nthree\n", "0:5", Unit::Bytes), ["one\nt"]);
    assert_eq!(from_silent_pipe("né漢字", "0:2", Unit::Bytes), ["né"]);
    // Later bytes cannot change these answers.
    assert_eq!(from_silent_pipe("one\ntwo", "0:7", Unit::Bytes), ["one\ntwo"]);
    assert_eq!(from_silent_pipe("né漢", "0:6", Unit::Bytes), ["né漢"]);
    assert_eq!(from_silent_pipe("n😀", "0:2", Unit::Bytes), ["n😀"]);
}

#[test]
fn the_reader_waits_for_a_slow_writer() {
    let (pipe, mut writer) = io::pipe().unwrap();
    let text = "één\r\ntwee\r\ndrie 😀\r\nvier\r\n";
    let typist = thread::spawn(move || {
        for byte in text.bytes() {
            writer.write_all(&[byte]).unwrap();
            thread::sleep(Duration::from_millis(2));
        }
    });
    let answered = in_time("a slow writer", move || {
        let reader = Reader::new(Box::new(Spool::new(Box::new(pipe))), Tuning::default()).unwrap();
        (answer(&reader, "2,1:3,-1", Unit::Lines), reader.full_scan().unwrap(), reader.known_size())
    });
    typist.join().unwrap();
    let expected = ["twee\r\n", "één\r\ntwee\r\ndrie 😀\r\n", "vier\r\n"].map(str::to_owned);
    assert_eq!(answered.0, expected);
    assert_eq!(answered.1, rread_testkit::naive::Whole::new(text.as_bytes()).full_scan());
    assert_eq!(answered.2, Some(text.len() as u64));
}

/// The first piece alone does not look like text: the reader waits for the rest of the sample.
#[test]
fn text_that_comes_in_pieces_is_text() {
    let text = b"\x01ab\n0123456789 0123456789 0123456789\n";
    let read = |most| {
        let stream = Spool::new(Box::new(Trickle::new(text, most)));
        Reader::new(Box::new(stream), Tuning::default()).unwrap().sniffed
    };
    for most in 1..=text.len() {
        assert_eq!(read(most).content, Content::Utf8, "in pieces of {most}");
    }
    // The reader does not wait any longer for a stream that is not text.
    let (reader, drawn) = endless(b"\0\x01\x02\x03", Tuning::default());
    assert!(reader.is_binary() && drawn.load(Ordering::SeqCst) <= 64 << 10);
}

/// Bytes before the failure of a stream stay readable; reading further reports the failure.
#[test]
fn a_stream_that_fails_returns_the_bytes_before() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the cable was pulled"))
        }
    }
    let stream = io::Cursor::new(b"one\ntwo\nthr").chain(Broken);
    let reader = Reader::new(Box::new(Spool::new(Box::new(stream))), Tuning::default()).unwrap();
    assert_eq!(answer(&reader, "1:2", Unit::Lines), ["one\ntwo\n"]);
    let error = reader.count_lines().unwrap_err();
    assert!(error.message.plain().contains("the cable was pulled"), "{error}");
    assert_eq!(answer(&reader, "2", Unit::Lines), ["two\n"]);
    // A failure of the stream fails the whole request.
    let ranges = parse_list("20:", Unit::Bytes).unwrap();
    let selection = Selection { ranges: &ranges, context: Context::default(), header: 0, numbers: false };
    assert!(selection.locate(&reader).unwrap_err().message.plain().contains("the cable was pulled"));
}

/// Lines from the end of a stream take one pass there, and back only as far as needed.
#[test]
fn the_front_of_a_stream_read_to_its_end_is_not_read_again() {
    let text: String = (0..20_000).map(|n| format!("line {n}\n")).collect();
    for (list, extra) in [("-5:", 1), ("3,-5:-2", 1), ("-1,-7:+2", 1), ("-20000:", 2)] {
        let stream = io::Cursor::new(text.clone().into_bytes());
        let tuning = Tuning { small: 0, ..Tuning::default() };
        let reader = Reader::new(Box::new(Spool::new(Box::new(stream))), tuning).unwrap();
        let ranges = parse_list(list, Unit::Lines).unwrap();
        let selection = Selection { ranges: &ranges, context: Context::default(), header: 0, numbers: false };
        let located = selection.locate(&reader).unwrap();
        assert_eq!(located.total_lines, Some(20_000), "{list}");
        for slice in located.slices {
            let slice = slice.unwrap();
            let line = text[..usize::try_from(slice.start).unwrap()].matches('\n').count() as u64 + 1;
            assert_eq!(slice.first_line, Some(line), "{list}");
        }
        // The blocks on the way back grow from 8 KiB.
        let most = if extra == 1 { text.len() + (16 << 10) } else { 2 * text.len() };
        assert!(reader.scanned() <= most as u64, "{list}: {} of {}", reader.scanned(), text.len());
    }
}
