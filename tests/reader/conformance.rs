//! One suite that every source has to pass: what `Source` says of itself, tried on small and large contents.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::thread;

use rread::reader::{Reader, Tuning};
use rread::source::compressed::Compressed;
use rread::source::file::FileSource;
use rread::source::spool::Spool;
use rread::source::{Source, read_full};

use super::naive::Whole;
use super::sources::{Act, Scripted, Trickle};
use super::text::{self, Rng};

#[allow(dead_code)]
#[path = "../compressed/pack.rs"]
mod pack;

/// Makes a source of given bytes.
type Make<'a> = &'a dyn Fn(&[u8]) -> Box<dyn Source>;

/// Everything that a source has to do.
fn conforms(make: Make) {
    an_empty_source_ends_at_once(make);
    every_read_gives_the_bytes_at_its_offset(make);
    beyond_the_end_there_is_nothing(make);
    the_size_is_right_as_soon_as_it_is_known(make);
    a_full_read_is_short_only_at_the_end(make);
    several_threads_may_read_at_once(make);
    nothing_has_happened_to_it(make);
    the_file_behind_it_has_the_same_bytes(make);
    a_reader_finds_its_lines(make);
}

/// One read, tried again when it was interrupted.
fn read(source: &dyn Source, buffer: &mut [u8], offset: u64) -> usize {
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
            // A stream now knows where it ends, and still has all its bytes.
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
        let stored = source.compressed().map_or(Some(10_000), |text| text.stored().size());
        assert_eq!(Some(version.size()), stored);
        assert_eq!(version.to_string().parse::<rread::source::version::Version>().unwrap(), version);
        // The version is that of the file as it is stored.
        assert_eq!(version.compare(&version, stored_of(&*source)).unwrap(), None);
        let other_version = other.version().unwrap().unwrap();
        assert!(version.compare(&other_version, stored_of(&*other)).unwrap().is_some());
    }
}

fn stored_of(source: &dyn Source) -> &dyn Source {
    source.compressed().map_or(source, Compressed::stored)
}

fn the_file_behind_it_has_the_same_bytes(make: Make) {
    let bytes = sample(5000);
    let source = make(&bytes);
    if let Some((file, base)) = source.as_file() {
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
        let found = reader.find_lines(&counts, false).unwrap().marks;
        assert!(found.iter().zip(&counts).all(|(mark, n)| mark.offset == whole.after(*n)), "seed {seed}");
        let back = reader.find_lines_back(&counts).unwrap().offsets;
        assert!(back.iter().zip(&counts).all(|(at, n)| *at == whole.before_last(*n)), "seed {seed}");
        assert_eq!(reader.census().unwrap(), whole.census(), "seed {seed}");
    }
}

fn file_of(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file
}

#[test]
fn a_file_conforms() {
    conforms(&|bytes| Box::new(FileSource::new(file_of(bytes)).unwrap()));
}

#[test]
fn a_named_file_that_was_opened_for_reading_conforms() {
    let folder = tempfile::tempdir().unwrap();
    conforms(&|bytes| {
        let path = folder.path().join(format!("{}.txt", bytes.len()));
        std::fs::write(&path, bytes).unwrap();
        Box::new(FileSource::new(File::open(&path).unwrap()).unwrap())
    });
}

#[test]
fn a_file_known_to_be_shorter_than_it_says_conforms() {
    conforms(&|bytes| {
        let longer = [bytes, b"not of this file\n"].concat();
        Box::new(FileSource::new(file_of(&longer)).unwrap().with_size(bytes.len() as u64))
    });
}

#[test]
fn the_rest_of_a_file_conforms() {
    for base in [1, 69, 4096, 65_537] {
        conforms(&|bytes| {
            let longer = [&vec![b'\n'; base][..], bytes].concat();
            Box::new(FileSource::new(file_of(&longer)).unwrap().starting_at(base as u64))
        });
        conforms(&|bytes| {
            let longer = [&vec![b'x'; base][..], bytes, b"not of this file\n"].concat();
            let rest = FileSource::new(file_of(&longer)).unwrap().starting_at(base as u64);
            Box::new(rest.with_size(bytes.len() as u64))
        });
    }
}

#[test]
fn behind_the_end_of_a_file_is_an_empty_source() {
    for base in [3, 4, u64::MAX] {
        let source = FileSource::new(file_of(b"abc")).unwrap().starting_at(base);
        assert_eq!((source.size(), read(&source, &mut [0; 9], 0)), (Some(0), 0), "from {base}");
        assert_eq!(source.changed().unwrap(), None, "from {base}");
    }
}

/// What lies before the source is not its business; what lies behind its end is an append.
#[test]
fn changes_of_the_rest_of_a_file_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let open = || {
        std::fs::write(&path, "0123456789").unwrap();
        let source = FileSource::new(File::open(&path).unwrap()).unwrap().starting_at(4);
        assert_eq!(source.version().unwrap().unwrap().size(), 6);
        source
    };
    let source = open();
    OpenOptions::new().append(true).open(&path).unwrap().write_all(b"ab").unwrap();
    assert_eq!(source.changed().unwrap(), Some(rread::source::Change::Appended));
    let source = open();
    // Still longer than the source, but no longer than where it ends.
    OpenOptions::new().write(true).open(&path).unwrap().set_len(9).unwrap();
    assert_eq!(source.changed().unwrap(), Some(rread::source::Change::Truncated));
    let source = open();
    std::fs::write(&path, "0123456789ABCDEF").unwrap();
    assert_eq!(source.changed().unwrap(), Some(rread::source::Change::Appended));
    let source = open();
    std::fs::write(&path, "0123X56789ABCDEF").unwrap();
    assert_eq!(source.changed().unwrap(), Some(rread::source::Change::Rewritten));
}

/// What is appended after opening does not belong to the source; that it happened is told.
#[test]
fn a_file_that_grows_keeps_the_size_it_had() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    std::fs::write(&path, "1\n2\n").unwrap();
    let source = FileSource::new(File::open(&path).unwrap()).unwrap();
    let mut end = OpenOptions::new().append(true).open(&path).unwrap();
    end.write_all(b"3\n").unwrap();
    assert_eq!(source.size(), Some(4));
    let mut buffer = [0; 10];
    assert_eq!(read_full(&source, &mut buffer, 0).unwrap(), 4);
    assert_eq!(source.read_at(&mut buffer, 4).unwrap(), 0);
    assert_eq!(source.changed().unwrap(), Some(rread::source::Change::Appended));
}

fn spool(bytes: &[u8], most: usize, memory: usize) -> Box<dyn Source> {
    Box::new(Spool::with_memory(Box::new(Trickle::new(bytes, most)), memory))
}

#[test]
fn a_spool_in_memory_conforms() {
    conforms(&|bytes| Box::new(Spool::new(Box::new(Trickle::new(bytes, usize::MAX)))));
}

#[test]
fn a_spool_that_spills_into_a_file_conforms() {
    for memory in [0, 1, 69, 70, 71, 65_536] {
        conforms(&|bytes| spool(bytes, usize::MAX, memory));
        conforms(&|bytes| spool(bytes, 4096, memory));
    }
}

#[test]
fn a_spool_over_a_stream_of_single_bytes_conforms() {
    conforms(&|bytes| spool(bytes, 1, usize::MAX));
    conforms(&|bytes| spool(bytes, 1, 100));
}

#[test]
fn a_spool_over_a_stream_that_stumbles_conforms() {
    let stumbling = |kind: io::ErrorKind, most: usize| {
        move |bytes: &[u8]| -> Box<dyn Source> {
            Box::new(Spool::with_memory(Box::new(Trickle::new(bytes, most).stumbling(kind)), 50))
        }
    };
    conforms(&stumbling(io::ErrorKind::Interrupted, 700));
    conforms(&stumbling(io::ErrorKind::WouldBlock, 7000));
}

#[test]
fn a_spool_over_a_stream_of_limited_patience_conforms() {
    conforms(&|bytes| super::timed::timed(bytes, usize::MAX));
    conforms(&|bytes| super::timed::timed(bytes, 4096));
}

#[test]
fn the_text_of_a_compressed_file_conforms() {
    for pack in pack::PACKS {
        conforms(&|bytes| {
            let file = FileSource::new(file_of(&pack.of(bytes))).unwrap();
            Box::new(Compressed::new(Box::new(file), pack.format()).unwrap())
        });
    }
}

#[test]
fn the_text_of_a_compressed_stream_conforms() {
    for pack in pack::PACKS {
        for (most, memory) in [(usize::MAX, usize::MAX), (1000, 70), (1, 1 << 20)] {
            conforms(&|bytes| {
                let stream = spool(&pack.of(bytes), most, memory);
                Box::new(Compressed::new(stream, pack.format()).unwrap())
            });
        }
    }
}

/// The suite itself, on sources that do no more than they must.
#[test]
fn sources_with_short_and_interrupted_reads_conform() {
    for most in (1..=20).chain([63, 64, 65, usize::MAX]) {
        conforms(&|bytes| Box::new(Scripted::new(bytes, move |_, _| Act::Short(most))));
    }
    let script = |call: usize, _| if call.is_multiple_of(2) { Act::Interrupt } else { Act::Short(900) };
    conforms(&|bytes| Box::new(Scripted::new(bytes, script)));
    conforms(&|bytes| Box::new(Scripted::new(bytes, script).without_size()));
}
