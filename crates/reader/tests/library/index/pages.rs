//! The records of an index on disk: saved and found again by number and by newlines, with few page reads.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use tempfile::{NamedTempFile, TempDir};

use rread_reader::index::pages::{BlockRecord, EXTENSION, Identity, IndexHeader, RecordPages};
use rread_reader::index::{MAX_BYTES, Remainder};
use rread_reader::store::Store;
use rread_testkit::rng::Rng;

/// Bytes of a page, and the records in it.
const PAGE: u64 = 4096;
const PER_PAGE: u64 = 255;

const NAME: &str = "records.idx";

/// A store with an index of one record for each of `newlines`.
fn stored(newlines: &[u64]) -> (TempDir, Store) {
    let dir = TempDir::new().unwrap();
    let store = Store::new(dir.path().join("cache"), EXTENSION);
    let mut pages = RecordPages::default();
    for (index, newlines) in newlines.iter().enumerate() {
        pages.push(record(index as u64, *newlines), &store).unwrap();
        assert_eq!((pages.len(), pages.is_empty()), (index as u64 + 1, false));
    }
    save(&mut pages, &store, newlines.len() as u64);
    (dir, store)
}

fn record(index: u64, newlines: u64) -> BlockRecord {
    BlockRecord { newlines, fingerprint: index.wrapping_mul(0x9E37_79B9_7F4A_7C15) }
}

fn save(pages: &mut RecordPages, store: &Store, blocks: u64) {
    let file = NamedTempFile::new().unwrap();
    let identity = Identity::of(&file.as_file().metadata().unwrap(), Path::new("text"));
    let header = IndexHeader { identity, tail: Some(Remainder { newlines: 7, unterminated: true }), blocks };
    pages.save(&header, None, store, OsStr::new(NAME), MAX_BYTES).unwrap();
    assert_eq!(
        RecordPages::open(store, OsStr::new(NAME)).unwrap().0,
        header,
        "what is written is read again"
    );
}

fn open(store: &Store) -> io::Result<RecordPages> {
    RecordPages::open(store, OsStr::new(NAME)).map(|(_, pages)| pages)
}

/// Sums of newlines: even lines, none for a long time, few first and many last, and the reverse.
fn sums(records: u64) -> [Vec<u64>; 4] {
    let mut rng = Rng::new(records);
    let mut plateaus = Vec::new();
    let mut sum = 0;
    for _ in 0..records {
        sum += if rng.one_in(90) { rng.below(1000) as u64 } else { 0 };
        plateaus.push(sum);
    }
    let steep = |n: u64| 1u64 << (n * 60 / records.max(1));
    [
        (1..=records).map(|n| n * 1000).collect(),
        plateaus,
        (0..records).map(steep).collect(),
        (0..records).map(|n| (1 << 60) - steep(records - n)).collect(),
    ]
}

#[test]
fn records_are_found_by_number_and_by_newlines() {
    for records in [0, 1, 254, 255, 256, 509, 510, 511, 5000] {
        for sums in sums(records) {
            let (_dir, store) = stored(&sums);
            let mut pages = open(&store).unwrap();
            assert_eq!((pages.len(), pages.is_empty()), (records, records == 0));
            for (index, sum) in (0..).zip(&sums) {
                assert_eq!(pages.get(index).unwrap(), record(index, *sum), "{index} of {records}");
            }
            assert!(pages.get(records).is_err());
            let edges = (0..records).step_by(61).chain([0, 254, 255, 256]).filter_map(|at| {
                let sum = *sums.get(usize::try_from(at).unwrap())?;
                Some([sum.saturating_sub(1), sum, sum + 1])
            });
            for n in edges.flatten().chain([1, u64::MAX]) {
                let first = sums.partition_point(|sum| *sum < n) as u64;
                let expected = (first < records).then_some(first);
                assert_eq!(pages.find(n).unwrap(), expected, "newline {n} of {records} records");
            }
        }
    }
}

#[test]
fn records_are_added_to_the_saved_ones() {
    let [sums, ..] = sums(1100);
    for cut in [0, 1, 254, 255, 256, 600] {
        let (_dir, store) = stored(&sums[..cut]);
        let mut pages = open(&store).unwrap();
        for (index, sum) in sums.iter().enumerate().skip(cut) {
            pages.push(record(index as u64, *sum), &store).unwrap();
            // Unsaved records can be read too.
            let some = index as u64 / 2;
            assert_eq!(pages.get(some).unwrap(), record(some, sums[index / 2]), "{some} after {cut}");
        }
        save(&mut pages, &store, sums.len() as u64);
        for mut pages in [pages, open(&store).unwrap()] {
            for (index, sum) in (0..).zip(&sums) {
                assert_eq!(pages.get(index).unwrap(), record(index, *sum), "{index} after {cut}");
            }
        }
    }
}

/// The pages that finding newline `n` reads: those without which it fails.
fn pages_read(store: &Store, n: u64) -> usize {
    let index = File::options().read(true).write(true).open(store.dir.join(NAME)).unwrap();
    let expected = open(store).unwrap().find(n).unwrap();
    let flip = |page: u64| {
        let (mut file, mut byte) = (&index, [0]);
        file.seek(SeekFrom::Start(page * PAGE)).unwrap();
        file.read_exact(&mut byte).unwrap();
        file.seek(SeekFrom::Start(page * PAGE)).unwrap();
        file.write_all(&[byte[0] ^ 1]).unwrap();
    };
    let needs = |page: &u64| {
        flip(*page);
        let found = open(store).and_then(|mut pages| pages.find(n));
        flip(*page);
        assert!(found.as_ref().is_ok_and(|found| *found == expected) || found.is_err(), "page {page}");
        found.is_err()
    };
    (1..index.metadata().unwrap().len() / PAGE).filter(needs).count()
}

#[test]
fn few_pages_are_read_to_find_a_line() {
    let records = 40 * PER_PAGE + 9;
    let [even, plateaus, steep, level] = sums(records);
    // Even lines: the guess hits the page. The last page is always read, for the total.
    let (_dir, store) = stored(&even);
    for n in (1..records * 1000).step_by(777_777) {
        assert!(pages_read(&store, n) <= 2, "newline {n}");
    }
    // Else as by halves, with a guess between: the 6 that 40 pages take, twice.
    for sums in [plateaus, steep, level] {
        let (_dir, store) = stored(&sums);
        for sum in sums.iter().step_by(997) {
            let read = pages_read(&store, *sum);
            assert!(read <= 13, "{read} pages for newline {sum}");
        }
    }
}

/// Sums that fall instead of rise, in intact pages.
#[test]
fn a_search_ends_for_any_sums() {
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let records = 1 + rng.below(3000);
        let limit = rng.pick(&[2, 1000, usize::MAX]);
        let sums: Vec<u64> = (0..records).map(|_| rng.below(limit) as u64).collect();
        let (_dir, store) = stored(&sums);
        let mut pages = open(&store).unwrap();
        for n in (0..200).map(|_| rng.below(limit) as u64).chain([0, 1, u64::MAX]) {
            if let Ok(Some(found)) = pages.find(n) {
                assert!(found < records as u64, "seed {seed}: {n}");
            }
        }
    }
}
