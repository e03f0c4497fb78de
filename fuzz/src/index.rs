//! Damaged indexes: whatever stands in the place of one, answers are those without. Forged ones, whose checksums are
//! right, may lie about numbers, but do no other harm.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::thread::sleep;
use std::time::Duration;

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::input::Input;
use crate::program::Folder;
use rread_reader::index::pages::EXTENSION;
use rread_reader::index::{INDEX_BLOCK, MAX_BYTES, Policy};
use rread_reader::reader::{Reader, Tuning};
use rread_reader::store::Store;
use rread_source::open::open;
use rread_testkit::ask::{Request, ask};
use rread_testkit::naive::Whole;
use rread_testkit::pack;
use rread_testkit::rng::Rng;

/// Bytes of a page of an index.
const PAGE: usize = 4096;

/// A file with a whole index.
struct Case {
    path: PathBuf,
    whole: Whole<'static>,
    store: Store,
    /// Where the index is put, and its bytes as they should be.
    name: PathBuf,
    index: Vec<u8>,
}

struct Lab {
    _folder: Folder,
    cases: Vec<Case>,
}

static LAB: LazyLock<Lab> = LazyLock::new(|| {
    let folder = Folder::new();
    let small = words(3 * INDEX_BLOCK + 500);
    let large = words(5 * INDEX_BLOCK / 2 + (1 << 20));
    let files = [
        ("text", small.clone(), small),
        ("text.gz", pack::gzip(&large, 1), large.clone()),
        ("text.zst", pack::zstd(&large, 1), large),
    ];
    let paths: Vec<_> = files.iter().map(|(name, stored, _)| folder.file(name, stored)).collect();
    // So that the indexes are not of files that were changed a moment ago.
    sleep(Duration::from_millis(25));
    let cases = paths.into_iter().zip(files).map(|(path, (name, _, text))| {
        let cache = folder.path(format!("cache of {name}"));
        let store = Store::new(cache.clone(), EXTENSION);
        let reader = Reader::new(open(&path).unwrap(), Tuning::default()).unwrap();
        reader.use_index(&path, &Policy { store: store.clone(), write: true, min_size: 1, limit: MAX_BYTES });
        reader.count_lines().unwrap();
        reader.save_index(true);
        let name = fs::read_dir(cache).unwrap().next().unwrap().unwrap().path();
        let index = fs::read(&name).unwrap();
        Case { path, whole: Whole::new(text.leak()), store, name, index }
    });
    let cases = cases.collect();
    Lab { _folder: folder, cases }
});

/// Lines of words, always the same.
fn words(length: usize) -> Vec<u8> {
    let mut rng = Rng::new(8);
    let mut text = Vec::with_capacity(length + 32);
    while text.len() < length {
        text.extend(rng.pick(&[&b"a"[..], b"word ", b"longer words ", b"1234567 ", b"\n", "é漢".as_bytes()]));
    }
    text.truncate(length);
    text
}

pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let case = &LAB.cases[[0, 0, 0, 1, 2][input.below(5)]];
    let is_forged = input.one_in(2);
    let mut rng = input.rng();
    let index = damaged(&mut input, &case.index, is_forged);
    // A directory or a link in its place has a test of its own.
    fs::write(&case.name, &index).unwrap();
    let policy = Policy { store: case.store.clone(), write: false, min_size: 1, limit: MAX_BYTES };
    for _ in 0..2 {
        let request = Request::any(&mut rng, &case.whole);
        if is_forged {
            bear(case, &policy, &request);
        } else {
            let told = format!("{:?}", case.path);
            ask(&case.path, &case.whole, Some(&policy), Tuning::default(), &request, &told);
        }
    }
}

/// Asks for nothing but an end in time; the text, where it is given, is that of the file.
fn bear(case: &Case, policy: &Policy, request: &Request) {
    let reader = Reader::new(open(&case.path).unwrap(), Tuning::default()).unwrap();
    reader.use_index(&case.path, policy);
    let _ = reader.known_lines();
    match request {
        Request::Front(counts) => drop(reader.find_lines(counts, true)),
        Request::Back(counts) => drop(reader.find_lines_back(counts)),
        Request::Before(offset) => drop((reader.newlines_before(*offset), reader.line_start(*offset))),
        _ => drop(reader.count_lines()),
    }
    if reader.source().info().decoding.is_none() {
        let mut bytes = [0; 100];
        let got = reader.read(&mut bytes, 70_000).unwrap();
        assert_eq!(bytes[..got], case.whole.bytes[70_000..70_000 + got]);
    }
    reader.save_index(false);
}

/// `index` with wrong bytes, or cut, filled, doubled.
fn damaged(input: &mut Input, index: &[u8], is_forged: bool) -> Vec<u8> {
    let mut bytes = index.to_vec();
    for _ in 0..1 + input.below(4) {
        // The words of the header, of the first records and of the places are the most interesting ones.
        let at = match input.below(4) {
            0 => 8 * input.below(14),
            1 => PAGE + 8 * input.below(8),
            2 => 2 * PAGE + 8 * input.below(24),
            _ => input.below(bytes.len() + 1),
        };
        let Some(there) = bytes.get_mut(at..) else { continue };
        match input.below(7) {
            0 if !there.is_empty() => there[0] ^= 1 << input.below(8),
            1 if there.len() >= 8 => there[..8].copy_from_slice(&input.edgy().to_le_bytes()),
            2 => bytes.truncate(at),
            3 => drop(bytes.splice(at..at, input.bytes(40).iter().copied())),
            4 => there.iter_mut().take(PAGE).for_each(|byte| *byte = 0),
            5 => there.iter_mut().zip(input.bytes(40)).for_each(|(byte, new)| *byte = *new),
            _ => bytes.extend(index),
        }
    }
    if is_forged {
        forge(&mut bytes);
    }
    bytes
}

/// Makes the checksums of the header, of every page and of the places right.
fn forge(bytes: &mut [u8]) {
    let word = |bytes: &[u8], at: usize| {
        bytes.get(at..at + 8).map_or(0, |word| u64::from_le_bytes(word.try_into().unwrap()))
    };
    let (salt, blocks) = (word(bytes, 80), word(bytes, 88));
    for (page, number) in bytes.chunks_exact_mut(PAGE).zip(0u64..) {
        let sum = match number {
            0 => xxh3_64(&page[..PAGE - 8]),
            _ if number <= blocks.div_ceil(255) => xxh3_64_with_seed(&page[..PAGE - 8], salt ^ (number - 1)),
            _ => break,
        };
        page[PAGE - 8..].copy_from_slice(&sum.to_le_bytes());
    }
    let places = usize::try_from(blocks.div_ceil(255)).map_or(usize::MAX, |pages| pages.saturating_add(1));
    let Some(places) = places.checked_mul(PAGE).and_then(|at| bytes.get_mut(at..)) else { return };
    let count = usize::try_from(word(places, 0)).unwrap_or(usize::MAX);
    let end = count.saturating_mul(7).saturating_add(4).saturating_mul(8);
    if end.checked_add(8).is_some_and(|whole| whole <= places.len()) {
        let sum = xxh3_64(&places[..end]);
        places[end..end + 8].copy_from_slice(&sum.to_le_bytes());
    }
}
