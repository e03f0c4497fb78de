//! The suite that every source must pass: the contract of `Source`, on small and large contents.

use std::io;
use std::thread;

use rread_reader::reader::{Reader, Tuning};
use rread_source::file::FileSource;
use rread_source::{Source, read_full};

use crate::naive::Whole;
use crate::rng::Rng;
use crate::text;

/// Makes a source of given bytes.
pub type Make<'a> = &'a dyn Fn(&[u8]) -> Box<dyn Source>;

/// Checks everything that a source must do.
pub fn conforms(make: Make) {
    an_empty_source_ends_at_once(make);
    every_read_gives_the_bytes_at_its_offset(make);
    beyond_the_end_there_is_nothing(make);
    the_size_is_right_as_soon_as_it_is_known(make);
    a_full_read_is_short_only_at_the_end(make);
    several_threads_may_read_at_once(make);
    nothing_has_happened_to_it(make);
    the_file_under_it_has_the_same_bytes(make);
    a_reader_finds_its_lines(make);
}

/// One read, retried if interrupted.
pub fn read(source: &dyn Source, buffer: &mut [u8], offset: u64) -> usize {
    for _ in 0..1000 {
        match source.read_at(buffer, offset) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            result => return result.unwrap(),
        }
    }
    panic!("interrupted for ever at {offset}");
}

fn sample(size: usize) -> Vec<u8> {
    let mut rng = Rng::new(size as u64);
    (0..size).map(|_| u8::try_from(rng.below(256)).unwrap()).collect()
}

fn an_empty_source_ends_at_once(make: Make) {
    let source = make(b"");
    assert_eq!(read(&*source, &mut [0; 9], 0), 0);
    assert_eq!(source.size(), Some(0));
    assert_eq!(read(&*source, &mut [0; 9], 1), 0);
}

fn every_read_gives_the_bytes_at_its_offset(make: Make) {
    let bytes = sample(70);
    let source = make(&bytes);
    // Backwards first: a source is not a stream.
    for offset in (0..bytes.len()).rev().chain(0..bytes.len()) {
        for wanted in [0, 1, 2, 3, 16, 69, 70, 71, 200] {
            let mut buffer = vec![0xEE; wanted];
            let got = read(&*source, &mut buffer, offset as u64);
            assert_eq!(got == 0, wanted == 0, "{wanted} at {offset}");
            assert_eq!(buffer[..got], bytes[offset..offset + got], "{wanted} at {offset}");
        }
    }
}

fn beyond_the_end_there_is_nothing(make: Make) {
    for size in [0, 1, 5, 70_000] {
        let bytes = sample(size);
        for offset in [size as u64, size as u64 + 1, 1 << 40, u64::MAX - 1, u64::MAX] {
            let source = make(&bytes);
            assert_eq!(read(&*source, &mut [0; 10], offset), 0, "at {offset} of {size}");
            // A stream now knows its end and still has all its bytes.
            assert_eq!(source.size(), Some(size as u64));
            let mut all = vec![0; size + 1];
            assert_eq!(read_full(&*source, &mut all, 0).unwrap(), size);
            assert_eq!(all[..size], bytes);
        }
    }
}

fn the_size_is_right_as_soon_as_it_is_known(make: Make) {
    let bytes = sample(300);
    let source = make(&bytes);
    let mut known = false;
    let mut at = 0;
    loop {
        let size = source.size();
        assert!(size.is_none_or(|size| size == 300), "{size:?}");
        assert!(size.is_some() || !known, "it was known already");
        known = size.is_some();
        match read(&*source, &mut [0; 7], at) {
            0 => break,
            got => at += got as u64,
        }
    }
    assert_eq!((at, source.size()), (300, Some(300)));
}

fn a_full_read_is_short_only_at_the_end(make: Make) {
    let bytes = sample(200_000);
    let source = make(&bytes);
    let mut rng = Rng::new(5);
    for wanted in [0, 1, 1000, 65_535, 65_536, 65_537, 131_072, 200_000, 200_001] {
        let offset = rng.below(bytes.len() + 5);
        let mut buffer = vec![0; wanted];
        let got = read_full(&*source, &mut buffer, offset as u64).unwrap();
        assert_eq!(got, wanted.min(bytes.len().saturating_sub(offset)), "{wanted} at {offset}");
        assert!(got == 0 || buffer[..got] == bytes[offset..offset + got], "{wanted} at {offset}");
    }
}

fn several_threads_may_read_at_once(make: Make) {
    let bytes = sample(100_000);
    let source = make(&bytes);
    thread::scope(|scope| {
        for seed in 0..4 {
            let (source, bytes) = (&*source, &bytes);
            scope.spawn(move || {
                let mut rng = Rng::new(seed);
                for _ in 0..200 {
                    let offset = rng.below(bytes.len());
                    let mut buffer = vec![0; 1 + rng.below(3000)];
                    let got = read(source, &mut buffer, offset as u64);
                    assert!(got > 0 && buffer[..got] == bytes[offset..offset + got], "at {offset}");
                }
            });
        }
    });
}

fn nothing_has_happened_to_it(make: Make) {
    let bytes = sample(10_000);
    let (source, other) = (make(&bytes), make(&bytes[1..]));
    assert_eq!(source.changed().unwrap(), None);
    let version = source.version().unwrap();
    read(&*source, &mut [0; 100], 9_990);
    assert_eq!(source.changed().unwrap(), None);
    assert_eq!(source.version().unwrap(), version);
    if let Some(version) = version {
        let stored = source.info().decoding.map_or(Some(10_000), |decoding| decoding.input().size());
        assert!(version.size().is_none_or(|size| Some(size) == stored));
        assert_eq!(version.to_string().parse::<rread_source::version::Version>().unwrap(), version);
        // The version is that of the raw file.
        assert_eq!(
            version.compare(&version, |size| rread_source::file::sample(source.stored(), size)).unwrap(),
            None
        );
        let other_version = other.version().unwrap().unwrap();
        assert!(
            version
                .compare(&other_version, |size| rread_source::file::sample(other.stored(), size))
                .unwrap()
                .is_some()
        );
    }
}

fn the_file_under_it_has_the_same_bytes(make: Make) {
    let bytes = sample(5000);
    let source = make(&bytes);
    if let Some((file, base)) = source.info().file {
        let again = FileSource::new(file.try_clone().unwrap()).unwrap().starting_at(base);
        let mut buffer = vec![0; 5000];
        assert_eq!(read_full(&again, &mut buffer, 0).unwrap(), 5000);
        assert_eq!(buffer, bytes);
    }
}

fn a_reader_finds_its_lines(make: Make) {
    for seed in 0..30 {
        let mut rng = Rng::new(seed);
        let bytes = text::any(&mut rng, 64);
        let whole = Whole::new(&bytes);
        let tuning = Tuning { block: 64, fan_out_after: 100, small: 0 };
        let reader = Reader::new(make(&bytes), tuning).unwrap();
        let counts: Vec<u64> = (0..=whole.lines() + 1).collect();
        let found = reader.find_lines(&counts, false).unwrap().boundaries;
        assert!(found.iter().zip(&counts).all(|(mark, n)| mark.offset == whole.after(*n)), "seed {seed}");
        let back = reader.find_lines_back(&counts).unwrap().offsets;
        assert!(back.iter().zip(&counts).all(|(at, n)| *at == whole.before_last(*n)), "seed {seed}");
        assert_eq!(reader.full_scan().unwrap(), whole.full_scan(), "seed {seed}");
    }
}
