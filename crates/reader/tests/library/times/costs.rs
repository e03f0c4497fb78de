//! What a window costs: in virtual logs of 4 GiB and 1 TiB, and in a compressed log with checkpoints.

use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;
use rread_reader::reader::{Reader, Tuning};
use rread_reader::times::{Log, TimeOptions, glimpse};
use rread_source::compressed::{Compressed, CompressionFormat};
use rread_source::{MemorySource, Source, read_full};
use rread_testkit::pack;

const LINE: u64 = 64;

/// 2025-01-01.
const START: i64 = 1_735_689_600;

/// A log in lines of equal length.
#[derive(Clone, Copy)]
struct Shape {
    size: u64,
    seconds: u64,
    /// Whether most records are in a few busy hours, as in most logs.
    is_uneven: bool,
}

/// Two years apart in size: 16 bytes a microsecond, and 50 KB a second.
const YEAR: Shape = Shape { size: 1 << 40, seconds: 365 * 86_400, is_uneven: false };
const DAY: Shape = Shape { size: 4 << 30, seconds: 86_400, is_uneven: false };
const BUSY_DAY: Shape = Shape { is_uneven: true, ..DAY };

impl Shape {
    fn time_of(self, line: u64) -> Timestamp {
        let lines = u128::from(self.size / LINE);
        let whole = u128::from(self.seconds) * 1_000_000_000;
        let line = u128::from(line);
        let nanosecond = if self.is_uneven {
            // The first 1 % of the lines take half of the day, the next 9 % a quarter.
            let (low, high, from, to) = match line * 100 / lines {
                0 => (0, 1, 0, 50),
                1..10 => (1, 10, 50, 75),
                _ => (10, 100, 75, 100),
            };
            whole * from / 100
                + (line * 100 - low * lines) * whole * (to - from) / (lines * 100 * (high - low))
        } else {
            line * whole / lines
        };
        Timestamp::from_nanosecond(i128::from(START) * 1_000_000_000 + i128::try_from(nanosecond).unwrap())
            .unwrap()
    }

    fn line(self, number: u64) -> String {
        let text = format!("{} line {number}", self.time_of(number).strftime("%Y-%m-%dT%H:%M:%S.%6fZ"));
        format!("{text:<63}\n")
    }
}

/// A log that is made when it is read, and counts what is read.
struct Virtual {
    shape: Shape,
    read: Arc<AtomicU64>,
    reads: Arc<AtomicU64>,
}

impl Source for Virtual {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let end = self.shape.size.min(offset + buffer.len() as u64);
        let mut at = offset;
        while at < end {
            let text = self.shape.line(at / LINE);
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
        Some(self.shape.size)
    }
}

/// Finds windows in a log of this shape; returns the most bytes and reads that one of them took.
fn most(shape: Shape, windows: &[(&str, &str)]) -> (u64, u64) {
    let (read, reads) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let source = Virtual { shape, read: Arc::clone(&read), reads: Arc::clone(&reads) };
    let reader = Reader::new(Box::new(source), Tuning::default()).unwrap();
    let options = TimeOptions { zone: Some("UTC".to_owned()), ..TimeOptions::default() };
    let (mut most_bytes, mut most_reads) = (0, 0);
    for (since, until) in windows {
        read.store(0, Ordering::Relaxed);
        reads.store(0, Ordering::Relaxed);
        let log = Log::open(&reader, &options).unwrap().unwrap();
        let window = log.window(Some(since), Some(until)).unwrap();
        let found = log.find(window, false).unwrap();
        let (bytes, calls) = (read.load(Ordering::Relaxed), reads.load(Ordering::Relaxed));
        (most_bytes, most_reads) = (most_bytes.max(bytes), most_reads.max(calls));
        eprintln!("{} GiB, {since} to {until}: {bytes} bytes, {calls} reads", shape.size >> 30);
        assert!(!found.is_unordered);
        let [span] = &found.spans[..] else { panic!("{found:?}") };
        assert_eq!((span.start % LINE, span.end % LINE), (0, 0));
        let (start, end) = (span.start / LINE, span.end / LINE);
        // The lines of the log have microseconds.
        let is_at = |number: u64, time: Option<Timestamp>| {
            let time = time.unwrap().as_microsecond();
            (number == 0 || shape.time_of(number - 1).as_microsecond() < time)
                && (number == shape.size / LINE || shape.time_of(number).as_microsecond() >= time)
        };
        assert!(is_at(start, window.since) && is_at(end, window.until), "{since}: {span:?}");
    }
    (most_bytes, most_reads)
}

#[test]
fn a_window_in_1_tib_reads_at_most_4_mib() {
    let (bytes, _) = most(
        YEAR,
        &[
            ("2025-11-23T06:01:00Z", "2025-11-23T06:05:00Z"),
            ("2025-01-01", "2025-01-01T00:00:10Z"),
            ("2024-01-01", "2024-02-01"),
            ("2026-01-01", "2026-02-01"),
        ],
    );
    assert!(bytes <= 4 << 20, "{bytes}");
}

#[test]
fn a_window_in_4_gib_reads_at_most_4_mib() {
    for shape in [DAY, BUSY_DAY] {
        let (bytes, reads) = most(
            shape,
            &[
                ("2025-01-01T06:01:00Z", "2025-01-01T06:01:10Z"),
                ("2025-01-01T12:00:00Z", "2025-01-01T18:00:00Z"),
                ("2025-01-01T17:59:55.5Z", "2025-01-01T18:00:05Z"),
                ("2025-01-01", "2025-01-01T00:00:10Z"),
                ("2024-01-01", "2024-02-01"),
                ("2025-01-01T23:59:59Z", "2026-02-01"),
                ("2026-01-01", "2026-02-01"),
            ],
        );
        assert!(bytes <= 4 << 20, "{bytes} bytes");
        eprintln!("most: {bytes} bytes, {reads} reads");
    }
}

/// The stored bytes of a compressed log; counts what is read.
struct Stored(MemorySource, Arc<AtomicU64>);

impl Source for Stored {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let got = self.0.read_at(buffer, offset)?;
        self.1.fetch_add(got as u64, Ordering::Relaxed);
        Ok(got)
    }

    fn size(&self) -> Option<u64> {
        self.0.size()
    }
}

#[test]
fn a_window_in_a_compressed_log_decodes_at_most_30_blocks() {
    let shape = Shape { size: 48 << 20, seconds: 86_400, is_uneven: false };
    let (mut text, mut rng) = (Vec::new(), 1u64);
    for number in 0..shape.size / LINE {
        // Random digits, so that the log does not shrink to nothing.
        rng = rng.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let time = shape.time_of(number).strftime("%Y-%m-%dT%H:%M:%S.%6fZ");
        writeln!(text, "{time} {rng:020} {:015}", rng.rotate_left(32) % 1_000_000_000_000_000).unwrap();
    }
    let packed = MemorySource::new(pack::gzip(&text, 1));
    let whole = packed.size().unwrap();
    let open = |read: &Arc<AtomicU64>| {
        Compressed::new(Box::new(Stored(packed.clone(), Arc::clone(read))), CompressionFormat::Gzip).unwrap()
    };
    let first = open(&Arc::default());
    read_full(&first, &mut [0], u64::MAX - 1).unwrap();
    let checkpoints = first.checkpoints();
    let block = whole / checkpoints.len() as u64;
    assert!(checkpoints.len() > 40, "{}", checkpoints.len());
    for (since, until) in [
        ("2025-01-01T06:01:00Z", "2025-01-01T06:01:10Z"),
        ("2025-01-01T06:00:00Z", "2025-01-01T18:00:00Z"),
        ("2025-01-01", "2025-01-01T00:00:10Z"),
        ("2025-01-01T23:59:00Z", "2025-01-03"),
    ] {
        let read = Arc::new(AtomicU64::new(0));
        let source = open(&read);
        source.set_checkpoints(checkpoints.clone());
        let reader = Reader::new(Box::new(source), Tuning::default()).unwrap();
        let options = TimeOptions { zone: Some("UTC".to_owned()), ..TimeOptions::default() };
        let log = Log::open(&reader, &options).unwrap().unwrap();
        let window = log.window(Some(since), Some(until)).unwrap();
        let found = log.find(window, false).unwrap();
        assert!(found.spans[0].start < found.spans[0].end);
        let blocks = read.load(Ordering::Relaxed) / block;
        eprintln!("gzip of {} blocks, {since} to {until}: {blocks} blocks", checkpoints.len());
        assert!(blocks <= 30, "{blocks} blocks for {since}");
    }
}

#[test]
fn both_ends_of_1_tib_cost_two_reads() {
    let (read, reads) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let source = Virtual { shape: YEAR, read: Arc::clone(&read), reads: Arc::clone(&reads) };
    let reader = Reader::new(Box::new(source), Tuning::default()).unwrap();
    let front: String = (0..128).map(|number| YEAR.line(number)).collect();
    let options = TimeOptions { zone: Some("UTC".to_owned()), ..TimeOptions::default() };
    read.store(0, Ordering::Relaxed);
    reads.store(0, Ordering::Relaxed);
    let ends = glimpse(&reader, front.as_bytes(), Some(YEAR.size), &options).unwrap().unwrap();
    assert_eq!(ends.first, "2025-01-01T00:00:00+00:00");
    assert_eq!(ends.last.unwrap(), "2025-12-31T23:59:59.998164+00:00");
    let (bytes, calls) = (read.load(Ordering::Relaxed), reads.load(Ordering::Relaxed));
    assert!(bytes <= 32 << 10 && calls <= 2, "{bytes} bytes, {calls} reads");
}
