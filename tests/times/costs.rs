//! What a window costs in a file of 1 TiB.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;
use rread::internals::reader::{Reader, Tuning};
use rread::internals::source::Source;
use rread::internals::times::{Glimpse, Log, TimeOptions};

const LINE: u64 = 64;
const SIZE: u64 = 1 << 40;

/// A year in lines of equal length, made when they are read.
struct Year {
    read: Arc<AtomicU64>,
    reads: Arc<AtomicU64>,
}

const START: i64 = 1_735_689_600;

fn time_of(line: u64) -> Timestamp {
    // 2^34 lines in 365 days.
    let nanosecond = i128::from(line) * 31_536_000_000_000_000 / i128::from(SIZE / LINE);
    Timestamp::from_nanosecond(i128::from(START) * 1_000_000_000 + nanosecond).unwrap()
}

fn line(number: u64) -> String {
    let text = format!("{} line {number}", time_of(number).strftime("%Y-%m-%dT%H:%M:%S.%6fZ"));
    format!("{text:<63}\n")
}

impl Source for Year {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let end = SIZE.min(offset + buffer.len() as u64);
        let mut at = offset;
        while at < end {
            let text = line(at / LINE);
            let rest = &text.as_bytes()[usize::try_from(at % LINE).unwrap()..];
            let to = usize::try_from(at - offset).unwrap();
            let length = rest.len().min(buffer.len() - to);
            buffer[to..to + length].copy_from_slice(&rest[..length]);
            at += length as u64;
        }
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.read.fetch_add(end - offset.min(end), Ordering::Relaxed);
        Ok(usize::try_from(end - offset.min(end)).unwrap())
    }

    fn size(&self) -> Option<u64> {
        Some(SIZE)
    }
}

#[test]
fn a_window_in_1_tib_reads_at_most_4_mib() {
    let (read, reads) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let source = Year { read: Arc::clone(&read), reads: Arc::clone(&reads) };
    let reader = Reader::new(Box::new(source), Tuning::default()).unwrap();
    let options = TimeOptions { zone: Some("UTC".to_owned()), ..TimeOptions::default() };
    let log = Log::open(&reader, &options).unwrap().unwrap();
    for (since, until) in [
        ("2025-11-23T06:01:00Z", "2025-11-23T06:05:00Z"),
        ("2025-01-01", "2025-01-01T00:00:10Z"),
        ("2024-01-01", "2024-02-01"),
        ("2026-01-01", "2026-02-01"),
    ] {
        read.store(0, Ordering::Relaxed);
        reads.store(0, Ordering::Relaxed);
        let window = log.window(Some(since), Some(until)).unwrap();
        let found = log.find(window, false).unwrap();
        let (bytes, calls) = (read.load(Ordering::Relaxed), reads.load(Ordering::Relaxed));
        eprintln!("{since} to {until}: {bytes} bytes, {calls} reads");
        assert!(bytes <= 4 << 20, "{bytes} bytes for {since}");
        assert!(!found.is_unordered);
        let [span] = &found.spans[..] else { panic!("{found:?}") };
        assert_eq!((span.start % LINE, span.end % LINE), (0, 0));
        let (start, end) = (span.start / LINE, span.end / LINE);
        // The lines of the log have microseconds.
        let is_at = |number: u64, time: Option<Timestamp>| {
            let time = time.unwrap().as_microsecond();
            (number == 0 || time_of(number - 1).as_microsecond() < time)
                && (number == SIZE / LINE || time_of(number).as_microsecond() >= time)
        };
        assert!(is_at(start, window.since) && is_at(end, window.until), "{since}: {span:?}");
    }
}

#[test]
fn both_ends_of_1_tib_cost_two_reads() {
    let (read, reads) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let source = Year { read: Arc::clone(&read), reads: Arc::clone(&reads) };
    let reader = Reader::new(Box::new(source), Tuning::default()).unwrap();
    let front: String = (0..128).map(line).collect();
    let options = TimeOptions { zone: Some("UTC".to_owned()), ..TimeOptions::default() };
    read.store(0, Ordering::Relaxed);
    reads.store(0, Ordering::Relaxed);
    let ends = Glimpse::take(&reader, front.as_bytes(), Some(SIZE), &options).unwrap().unwrap();
    assert_eq!(ends.first(), "2025-01-01T00:00:00+00:00");
    assert_eq!(ends.last().unwrap(), "2025-12-31T23:59:59.998164+00:00");
    let (bytes, calls) = (read.load(Ordering::Relaxed), reads.load(Ordering::Relaxed));
    assert!(bytes <= 32 << 10 && calls <= 2, "{bytes} bytes, {calls} reads");
}
