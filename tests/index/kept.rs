//! When the index is saved, and with which identity of the file.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;

use super::world::chmod;
use rread_reader::index::pages::{BlockRecord, Identity, IndexHeader, RecordPages, View, read_header};
use rread_reader::index::{Index, MAX_BYTES, Outcome, Policy, Remainder};
use rread_source::file::FileSource;
use rread_testkit::ask::B;
use rread_testkit::bulk::{modified, numbered, overwrite, set_modified, settle};
use rread_testkit::lab::Lab;
use rread_text::newline::Units;

const VIEW: View = View { decompressed: false, units: Units::BYTES };

fn identity(path: &Path) -> Identity {
    Identity::of(&path.metadata().unwrap(), path)
}

fn source(path: &Path) -> FileSource {
    FileSource::new(File::open(path).unwrap()).unwrap()
}

fn open(path: &Path, identity: Identity, policy: &Policy) -> Index {
    Index::open(&source(path), identity, VIEW, policy).0.unwrap()
}

#[test]
fn an_index_is_saved_if_the_file_is_unchanged_or_has_grown() {
    type Change = fn(&Path);
    let rewrite: Change = |path| fs::write(path, numbered(2..=9000)).unwrap();
    let changes: [(&str, Change, Option<bool>); 6] = [
        ("nothing", |_| (), Some(false)),
        (
            "grown",
            |path| drop(OpenOptions::new().append(true).open(path).unwrap().write_all(b"x")),
            Some(true),
        ),
        ("cut", |path| File::options().write(true).open(path).unwrap().set_len(5).unwrap(), None),
        ("rewritten", rewrite, None),
        ("time", |path| set_modified(path, modified(path) + std::time::Duration::from_secs(1)), None),
        ("mode", |path| chmod(path, 0o600), if cfg!(unix) { None } else { Some(false) }),
    ];
    for (what, change, kept) in changes {
        for racy in [false, true] {
            let lab = Lab::with("text", numbered(1..=9000));
            let path = lab.path("text");
            let mut index = open(&path, Identity { racy, ..identity(&path) }, &lab.policy());
            index.learn(0, 5, 6);
            change(&path);
            index.save(&source(&path), path.metadata().ok().as_ref(), false);
            let outcome = index.outcome();
            drop(index);
            // After another change, the saved identity is racy.
            let reported = (!lab.cached().is_empty())
                .then(|| read_header(File::open(lab.index()).unwrap()).unwrap().identity.racy);
            assert_eq!(reported, kept.map(|changed| changed || racy), "{what}, {racy}");
            let expected = if kept.is_some() { Outcome::Built } else { Outcome::None };
            assert_eq!(outcome, expected, "{what}, {racy}");
        }
    }
}

#[test]
fn nothing_is_saved_that_was_not_learned_or_may_not_be() {
    let lab = Lab::with("text", numbered(1..=9000));
    let path = lab.path("text");
    let metadata = path.metadata().ok();
    let mut index = open(&path, identity(&path), &lab.policy());
    index.save(&source(&path), metadata.as_ref(), true);
    assert!(lab.cached().is_empty(), "nothing was learned");
    // Only the next block, and only if the index may be written.
    index.learn(B as u64, 1, 1);
    assert_eq!(index.covered(), 0);
    index.learn(0, 1, 1);
    assert_eq!(index.covered(), B as u64);
    index.save(&source(&path), None, true);
    drop(index);
    assert!(lab.cached().is_empty(), "the state of the file is unknown now");
    let policy = Policy { write: false, ..lab.policy() };
    let mut index = open(&path, identity(&path), &policy);
    assert!(!index.learns());
    index.learn(0, 1, 1);
    index.learn_tail(Remainder { newlines: 3, unterminated: false });
    assert_eq!((index.covered(), index.total_lines().unwrap()), (0, Some(3)));
    index.save(&source(&path), metadata.as_ref(), true);
    assert!(lab.cached().is_empty(), "it may not be written");
}

/// A file too small for an index keeps a requested one as it is.
#[test]
fn an_index_of_a_small_file_is_used_and_not_extended() {
    let lab = Lab::with("text", numbered(1..=9000));
    lab.line("index build text").ok();
    let path = lab.path("text");
    OpenOptions::new().append(true).open(&path).unwrap().write_all(&numbered(1..=9000)).unwrap();
    settle();
    let small = Policy { min_size: 1 << 30, ..lab.policy() };
    let index = open(&path, identity(&path), &small);
    assert_eq!((index.learns(), index.outcome()), (false, Outcome::Hit));
    lab.file("other", "never indexed\n");
    settle();
    let other = lab.path("other");
    assert!(Index::open(&source(&other), identity(&other), VIEW, &small).0.is_none());
    // By default, that is most files.
    let mut lab = lab;
    lab.set("RREAD_INDEX_MIN", "");
    assert_eq!(lab.outcome("stat other --count").0, "none");
}

#[test]
fn a_state_is_no_longer_racy_if_it_is_the_same_after_a_pause() {
    let lab = Lab::with("text", numbered(1..=9000));
    let path = lab.path("text");
    let racy = Identity { racy: true, ..identity(&path) };
    let after = |change: &dyn Fn(&mut Identity)| {
        let mut index = open(&path, racy, &lab.policy());
        let mut now = Identity { racy: false, ..racy };
        change(&mut now);
        index.settle(&now);
        index.is_racy()
    };
    assert!(!after(&|_| ()));
    assert!(after(&|now| now.racy = true));
    assert!(after(&|now| now.changed += 1));
    assert!(after(&|now| now.stamp.modified += 1));
    assert!(after(&|now| now.stamp.size += 1));
}

/// As on Windows: a program can set back each time that the identity has.
#[test]
fn without_a_time_of_the_inode_a_rewrite_that_sets_back_its_time_is_noticed() {
    let bytes = numbered(1..=9000);
    let blocks = bytes.chunks_exact(B);
    for rewritten in (0..blocks.len()).map(Some).chain([None]) {
        let lab = Lab::with("text", &bytes);
        let (policy, path) = (lab.policy(), lab.path("text"));
        let state = || Identity { changed: 0, ..identity(&path) };
        let mut pages = RecordPages::default();
        let mut newlines = 0;
        for block in blocks.clone() {
            let record = BlockRecord::of(block, newlines, Units::BYTES);
            newlines = record.newlines;
            pages.push(record, &policy.store).unwrap();
        }
        let header = IndexHeader { identity: state(), tail: None, blocks: blocks.len() as u64 };
        pages.save(&header, None, &policy.store, &state().file_name(VIEW), MAX_BYTES).unwrap();
        if let Some(block) = rewritten {
            let before = modified(&path);
            overwrite(&path, (block * B + 5) as u64, b"\n");
            set_modified(&path, before);
        }
        let outcome = open(&path, state(), &policy).outcome();
        assert_eq!(outcome, if rewritten.is_some() { Outcome::None } else { Outcome::Hit }, "{rewritten:?}");
    }
}

#[test]
fn a_large_index_is_written_again_only_for_a_64th_more() {
    let lab = Lab::new();
    let (policy, path) = (lab.policy(), lab.path("text"));
    File::create(&path).unwrap().set_len(70_000 * B as u64).unwrap();
    settle();
    let identity = identity(&path);
    let metadata = path.metadata().ok();
    let name = identity.file_name(VIEW);
    let record = BlockRecord::of(&[0; B], 0, Units::BYTES);
    for (found, more, always, expected) in [
        (65_534, 1, false, Outcome::Extended),
        (65_534, 2, false, Outcome::Hit),
        (65_536, 1039, false, Outcome::Hit),
        (65_536, 1040, false, Outcome::Extended),
        (65_536, 1, true, Outcome::Extended),
    ] {
        let mut pages = RecordPages::default();
        for _ in 0..found {
            pages.push(record, &policy.store).unwrap();
        }
        let header = IndexHeader { identity, tail: None, blocks: found };
        pages.save(&header, None, &policy.store, &name, MAX_BYTES).unwrap();
        drop(pages);
        let mut index = open(&path, identity, &policy);
        assert_eq!((index.covered(), index.outcome()), (found * B as u64, Outcome::Hit));
        for block in found..found + more {
            index.learn(block * B as u64, record.newlines, record.fingerprint);
        }
        index.save(&source(&path), metadata.as_ref(), always);
        assert_eq!(index.outcome(), expected, "{more} blocks more than {found}, {always}");
        drop(index);
        let kept = read_header(File::open(lab.index()).unwrap()).unwrap().blocks;
        assert_eq!(kept, if expected == Outcome::Hit { found } else { found + more });
    }
}
