//! Indexes of objects: distinguished by tags, trusted after one block, and used to read ahead.

use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

use rread_reader::index::pages::{Identity, object_stem};
use rread_reader::index::{Outcome, Policy};
use rread_reader::reader::{Reader, Tuning};
use rread_source::object::Object;
use rread_source::{Source, SourceInfo};
use rread_testkit::ask::B;
use rread_testkit::bulk::numbered;
use rread_testkit::lab::Lab;

/// An object in memory, and the ranges that the reader advised.
#[derive(Clone)]
struct Remote {
    bytes: Arc<Vec<u8>>,
    object: Object,
    advised: Arc<Mutex<Vec<Range<u64>>>>,
}

impl Remote {
    fn new(bytes: &[u8]) -> Self {
        let object = Object {
            url: "https://example.org/text".into(),
            endpoint: "here".into(),
            etag: Some("\"a1\"".into()),
            modified: Some(UNIX_EPOCH + Duration::from_secs(1_000_000_007)),
            ..Object::default()
        };
        Remote { bytes: Arc::new(bytes.to_vec()), object, advised: Arc::default() }
    }

    fn but(&self, change: impl FnOnce(&mut Object)) -> Self {
        let mut other = self.clone();
        change(&mut other.object);
        other
    }

    fn identity(&self) -> Option<Identity> {
        Identity::of_source(self, Path::new("https://example.org/text"))
    }

    fn reader(&self, policy: &Policy) -> Reader {
        let reader = Reader::new(Box::new(self.clone()), Tuning::default()).unwrap();
        reader.use_index(Path::new("https://example.org/text"), policy);
        reader
    }

    /// Builds an index and returns its outcome.
    fn count(&self, policy: &Policy) -> Outcome {
        let reader = self.reader(policy);
        reader.count_lines().unwrap();
        reader.save_index(true);
        reader.index_outcome()
    }
}

impl Source for Remote {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let start = usize::try_from(offset).unwrap().min(self.bytes.len());
        let len = buffer.len().min(self.bytes.len() - start);
        buffer[..len].copy_from_slice(&self.bytes[start..start + len]);
        Ok(len)
    }

    fn size(&self) -> Option<u64> {
        Some(self.bytes.len() as u64)
    }

    fn advise(&self, range: Range<u64>) {
        self.advised.lock().unwrap().push(range);
    }

    fn info(&self) -> SourceInfo<'_> {
        SourceInfo { object: Some(&self.object), is_sequential: true, ..SourceInfo::default() }
    }
}

#[test]
fn url_endpoint_and_tag_identify_an_object() {
    let remote = Remote::new(b"text\n");
    let identity = remote.identity().unwrap();
    assert!(identity.is_object() && !identity.racy);
    assert_eq!((identity.stamp.size, identity.stamp.modified), (5, 1_000_000_007));
    assert_eq!(identity.file_stem().split('-').next(), Some(&*object_stem(&remote.object.url)));
    for (what, is_same_url, other) in [
        ("url", false, remote.but(|object| object.url.push('2'))),
        ("endpoint", true, remote.but(|object| object.endpoint.push('2'))),
        ("tag", true, remote.but(|object| object.etag = Some("\"a2\"".into()))),
    ] {
        let other = other.identity().unwrap();
        assert!(!identity.is_same_file(&other), "{what}");
        assert_ne!(identity.file_stem(), other.file_stem(), "{what}");
        assert_eq!(identity.stamp.device == other.stamp.device, is_same_url, "{what}");
    }
    // Without a strong tag, nothing distinguishes two objects.
    for tag in [None, Some("W/\"a1\""), Some("\"\"")] {
        assert_eq!(remote.but(|object| object.etag = tag.map(str::to_owned)).identity(), None, "{tag:?}");
    }
    let unverified = remote.but(|object| object.unverified = Some("young"));
    assert!(unverified.identity().unwrap().racy);
    let policy = Lab::new().policy();
    assert_eq!([&remote, &unverified].map(|it| it.reader(&policy).unverified().is_some()), [false, true]);
    // A file is not an object.
    let lab = Lab::with("text", "text\n");
    assert!(!Identity::of(&lab.path("text").metadata().unwrap(), &lab.path("text")).is_object());
}

#[test]
fn an_object_is_indexed_if_a_file_of_sixteen_times_its_size_is() {
    let text = numbered(1..=3000);
    let size = text.len() as u64;
    for (min_size, expected) in [(16 * size, Outcome::Built), (16 * size + 1, Outcome::None)] {
        let lab = Lab::new();
        assert_eq!(Remote::new(&text).count(&Policy { min_size, ..lab.policy() }), expected);
        assert_eq!(lab.cached().len(), usize::from(expected == Outcome::Built));
    }
    for (min_size, expected) in [(size, "built"), (size + 1, "none")] {
        let mut lab = Lab::with("text", &text);
        lab.set("RREAD_INDEX_MIN", min_size.to_string());
        assert_eq!(lab.outcome("stat text --count").0, expected, "a file of {size}, from {min_size} on");
    }
}

#[test]
fn an_index_of_an_object_is_trusted_after_one_block() {
    let text = numbered(1..=9000);
    for text in [&text[..], &text[..B], &text[..100]] {
        let lab = Lab::new();
        let remote = Remote::new(text);
        assert_eq!(remote.count(&lab.policy()), Outcome::Built);
        let lines = text.split_inclusive(|byte| *byte == b'\n').count() as u64;
        let reader = remote.reader(&lab.policy());
        // The first block, if any: it came with the first response.
        assert_eq!(reader.scanned(), (text.len() / B).min(1) as u64 * B as u64);
        assert_eq!((reader.known_lines(), reader.index_outcome()), (Some(lines), Outcome::Hit));
        assert!(reader.scanned() <= B as u64, "nothing more was fetched");
        assert_eq!(remote.count(&lab.policy()), Outcome::Hit);
        // Another object, or one that may have changed.
        let other = remote.but(|object| object.etag = Some("\"a2\"".into()));
        assert_eq!(other.reader(&lab.policy()).known_lines(), None);
        let unverified = Lab::new();
        let changing = remote.but(|object| object.unverified = Some("young"));
        assert_eq!(changing.count(&unverified.policy()), Outcome::Built);
        assert_eq!(changing.reader(&unverified.policy()).known_lines(), None);
    }
}

/// A server with other bytes under the same tag.
#[test]
fn an_index_of_other_bytes_of_an_object_is_dropped() {
    let lab = Lab::new();
    let remote = Remote::new(&numbered(1..=9000));
    remote.count(&lab.policy());
    let mut bytes = remote.bytes.to_vec();
    bytes[3] = b'\n';
    let other = Remote { bytes: Arc::new(bytes), ..remote.clone() };
    let reader = other.reader(&lab.policy());
    assert_eq!((reader.known_lines(), reader.index_outcome()), (None, Outcome::None));
    assert_eq!(reader.count_lines().unwrap(), 9001);
}

#[test]
fn the_blocks_of_nearby_lines_are_read_ahead() {
    // Blocks of 256 lines.
    let line = [&[b'x'; 255][..], b"\n"].concat();
    let remote = Remote::new(&line.repeat(256 * 40));
    let lab = Lab::new();
    remote.count(&lab.policy());
    let advised = |counts: &[u64]| {
        let reader = remote.reader(&lab.policy());
        remote.advised.lock().unwrap().clear();
        let found = reader.find_lines(counts, false).unwrap();
        let offsets: Vec<u64> = found.boundaries.iter().map(|mark| mark.offset).collect();
        assert_eq!(offsets, counts.iter().map(|n| n * 256).collect::<Vec<_>>());
        remote.advised.lock().unwrap().clone()
    };
    let block = B as u64;
    let blocks = |from: u64, to: u64| from * block..to * block;
    assert_eq!(advised(&[256 * 5]), [blocks(4, 5)], "the last line of a block");
    assert_eq!(advised(&[256 * 5 + 1]), [blocks(5, 6)], "the first of the next");
    assert_eq!(advised(&[257, 600, 256 * 17]), [blocks(1, 17)], "16 blocks");
    assert_eq!(advised(&[257, 256 * 17 + 1]), [], "17 blocks");
    assert_eq!(advised(&[]), []);
}

/// An object that could change unnoticed teaches the index only if the answer is far away.
#[test]
fn nearby_lines_of_a_racy_object_teach_nothing() {
    // 4 MiB are near: 16,384 lines, from the start or from the end of an earlier index.
    let line = [&[b'x'; 255][..], b"\n"].concat();
    let remote = Remote::new(&line.repeat(6 << 12));
    let doubtful = remote.but(|object| object.unverified = Some("young"));
    let asked = |indexed: u64, counts: &[u64], to_end: bool| {
        let lab = Lab::new();
        if indexed > 0 {
            let reader = remote.reader(&lab.policy());
            reader.find_lines(&[indexed], false).unwrap();
            reader.save_index(true);
        }
        let reader = doubtful.reader(&lab.policy());
        let found = reader.find_lines(counts, to_end).unwrap();
        let offsets: Vec<u64> = found.boundaries.iter().map(|mark| mark.offset).collect();
        assert_eq!(offsets, counts.iter().map(|n| n * 256).collect::<Vec<_>>());
        assert_eq!(found.total_lines, (to_end || offsets == [6 << 20]).then_some(6 << 12));
        reader.save_index(true);
        reader.index_outcome()
    };
    assert_eq!(asked(0, &[1], false), Outcome::None);
    assert_eq!(asked(0, &[12_000], false), Outcome::None);
    assert_eq!(asked(0, &[16_384], false), Outcome::None);
    assert_eq!(asked(0, &[16_385], false), Outcome::Built);
    assert_eq!(asked(0, &[1, 12_000], true), Outcome::Built);
    assert_eq!(asked(0, &[], true), Outcome::Built);
    assert_eq!(asked(7_000, &[20_000], false), Outcome::Hit);
    // First all of the rest is near, then one block more.
    assert_eq!(asked(8_192, &[24_576], false), Outcome::Hit);
    assert_eq!(asked(8_192, &[], true), Outcome::Hit);
    assert_eq!(asked(8_192 - 256, &[], true), Outcome::Extended);
    assert_eq!(asked(8_192 - 256, &[24_576], false), Outcome::Extended);
}
