//! Streams with a timeout: the bytes that come in time, and a failure that lasts.

use std::fs::File;
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

use rread_source::spool::Spool;
use rread_source::spool::TimedStream;
use rread_source::{Source, read_full};
use rread_testkit::sources::Trickle;
use rread_text::error::{Error, Kind};

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(50);

pub fn timed(bytes: &[u8], most: usize) -> Box<dyn Source> {
    let stream = Trickle::new(bytes, most);
    Box::new(Spool::with_memory(Box::new(TimedStream::start(move || Ok(stream), LONG).unwrap()), 3000))
}

#[test]
fn everything_that_comes_in_time_is_read() {
    let bytes: Vec<u8> = (0..200_000u32).map(|n| n.to_le_bytes()[0]).collect();
    for most in [7_001, usize::MAX] {
        let stream = Trickle::new(&bytes, most).stumbling(io::ErrorKind::Interrupted);
        let mut all = Vec::new();
        TimedStream::start(move || Ok(stream), LONG).unwrap().read_to_end(&mut all).unwrap();
        assert!(all == bytes, "at most {most}");
    }
}

#[test]
fn a_failure_of_the_stream_is_not_a_timeout() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the cable was pulled"))
        }
    }
    let mut stream = TimedStream::start(|| Ok(io::Cursor::new(b"abc").chain(Broken)), LONG).unwrap();
    let mut all = Vec::new();
    assert_eq!(stream.read_to_end(&mut all).unwrap_err().to_string(), "the cable was pulled");
    assert_eq!(all, b"abc");
    let closed = || -> io::Result<File> { Err(io::ErrorKind::PermissionDenied.into()) };
    let error = TimedStream::start(closed, LONG).err().unwrap();
    assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
}

#[test]
fn a_timeout_lasts_and_earlier_bytes_stay() {
    let (pipe, mut writer) = io::pipe().unwrap();
    writer.write_all(b"one\ntwo\nthr").unwrap();
    let stream = TimedStream::start(move || Ok(pipe), SHORT).unwrap();
    let spool = Spool::new(Box::new(stream));
    let mut buffer = [0; 20];
    assert_eq!(read_full(&spool, &mut buffer, 0).unwrap(), 11);
    let failure = || Error::read("cannot read", &spool.read_at(&mut [0; 20], 11).unwrap_err());
    let error = failure();
    assert_eq!(error.kind, Kind::Io);
    assert!(error.message.plain().contains("no data for 50ms, after 11 bytes"), "{error}");
    // Bytes that come too late are not taken as the next ones, and nobody waits again.
    writer.write_all(b"ee\n").unwrap();
    std::thread::sleep(SHORT);
    let since = Instant::now();
    for _ in 0..1000 {
        assert_eq!(failure().message, error.message);
    }
    assert!(since.elapsed() < SHORT * 500);
    assert_eq!(read_full(&spool, &mut buffer, 4).unwrap(), 7);
    assert_eq!(&buffer[..7], b"two\nthr");
}

/// A stream that failed once is not read again: its next bytes would lie after the lost ones.
#[test]
fn nothing_is_read_after_a_failure() {
    struct Once(u8);
    impl Read for Once {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0 += 1;
            if self.0 == 2 {
                return Err(io::Error::other("a packet was lost"));
            }
            buffer[..4].copy_from_slice(b"abc\n");
            Ok(if self.0 > 3 { 0 } else { 4 })
        }
    }
    let spool = Spool::new(Box::new(Once(0)));
    let mut buffer = [0; 10];
    assert_eq!(spool.read_at(&mut buffer, 0).unwrap(), 4);
    for _ in 0..3 {
        assert_eq!(spool.read_at(&mut buffer, 4).unwrap_err().to_string(), "a packet was lost");
        assert_eq!(spool.size(), None);
    }
    assert_eq!(spool.read_at(&mut buffer, 1).unwrap(), 3);
}
