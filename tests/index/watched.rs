//! Long counts are made in steps, between which somebody is told how far they are and what was learned is kept.

use std::fs::File;

use rread::index::identity::{Identity, View};
use rread::index::pages::{Header, Pages, Place, Record};
use rread::index::{LIMIT, Outcome, Policy};
use rread::newline::Units;
use rread::reader::{Reader, Tuning};
use rread::source::open::open;

use crate::support::{B, Lab, settle};

/// Bytes of a step, in blocks.
const STEP: u64 = (1 << 30) / B as u64;

/// Counts a file of so many empty blocks, of which the index knows some, and says what the watcher was told.
fn watched(blocks: u64, known: u64, write: bool) -> (Vec<u64>, Outcome) {
    let lab = Lab::new();
    let (policy, path) = (Policy { write, ..lab.policy() }, lab.path("text"));
    File::create(&path).unwrap().set_len(blocks * B as u64).unwrap();
    settle();
    if known > 0 {
        let record = Record::of(&[0; B], 0, Units::BYTES);
        let mut pages = Pages::default();
        (0..known).for_each(|_| pages.push(record, &policy.store).unwrap());
        let identity = Identity::of(&path.metadata().unwrap(), &path);
        let name = identity.file_name(View { decompressed: false, units: Units::BYTES });
        let header = Header { identity, tail: None, blocks: known };
        pages.save(&header, None, &Place { store: &policy.store, name: &name, limit: LIMIT }).unwrap();
    }
    let reader = Reader::new(open(&path).unwrap(), Tuning::default()).unwrap();
    reader.use_index(&path, &policy);
    let mut told = Vec::new();
    let lines = reader.count_lines_watched(&mut |at| {
        assert_eq!(at % B as u64, 0);
        told.push(at / B as u64);
        assert!(told.len() < 5, "it goes on for ever");
        // What was told before has been kept.
        assert_eq!(told.len() > 1, reader.index_outcome() == Outcome::Extended);
    });
    assert_eq!(lines.unwrap(), 1);
    (told, reader.index_outcome())
}

#[test]
fn a_long_count_is_made_in_steps() {
    assert_eq!(watched(STEP + 5, 5, true), (vec![5], Outcome::Hit));
    assert_eq!(watched(STEP + 6, 5, true), (vec![5, STEP + 5], Outcome::Extended));
}

#[test]
fn a_count_that_cannot_be_kept_is_made_at_once() {
    assert_eq!(watched(STEP + 1, 0, false), (vec![0], Outcome::None));
}
