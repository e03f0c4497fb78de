//! When an index of another state of the file is trusted, also with clocks coarser than this machine's.

use std::fs::{self, File};
use std::path::Path;

use rread_reader::index::pages::{Identity, Trust, read_header};
use rread_source::version::Stamp;
use rread_testkit::bulk::{numbered, settle};
use rread_testkit::lab::Lab;

fn identity(path: &Path) -> Identity {
    Identity::of(&path.metadata().unwrap(), path)
}

/// The identity of a file that has not changed for some time.
fn settled() -> Identity {
    let lab = Lab::with("text", "some text\n");
    let identity = identity(&lab.path("text"));
    assert!(!identity.racy);
    identity
}

/// The trust in an index after `change`.
fn trust_after(then: Identity, change: impl Fn(&mut Identity)) -> Trust {
    let mut now = then;
    change(&mut now);
    then.trust(&now)
}

#[test]
fn only_an_unchanged_file_is_trusted_at_once() {
    let then = settled();
    assert_eq!(trust_after(then, |_| ()), Trust::Exact);
    assert_eq!(trust_after(then, |now| now.name += 1), Trust::Exact, "another link to it");
    assert_eq!(trust_after(then, |now| now.stamp.modified += 1), Trust::No, "written");
    assert_eq!(trust_after(then, |now| now.changed += 1), Trust::No, "written, and its time set back");
    assert_eq!(trust_after(then, |now| now.stamp.size -= 1), Trust::No, "cut");
}

#[test]
fn a_grown_or_renamed_file_is_sampled() {
    let then = settled();
    let grow = |now: &mut Identity| {
        (now.stamp.size, now.stamp.modified, now.changed) =
            (then.stamp.size + 1, then.stamp.modified + 5, then.changed + 5);
    };
    let rename = |now: &mut Identity| (now.name, now.changed) = (then.name + 1, then.changed + 5);
    assert_eq!(trust_after(then, grow), Trust::Sampled);
    assert_eq!(trust_after(then, rename), Trust::Sampled);
}

#[test]
fn another_file_is_not_trusted_even_if_all_else_is_the_same() {
    let then = settled();
    assert_eq!(trust_after(then, |now| now.stamp.inode += 1), Trust::No);
    assert_eq!(trust_after(then, |now| now.stamp.device += 1), Trust::No);
    assert_eq!(trust_after(then, |now| now.born += 1), Trust::No, "the inode was used again");
}

#[test]
fn an_index_made_within_the_granularity_of_the_clock_is_not_trusted() {
    let then = Identity { racy: true, ..settled() };
    assert_eq!(trust_after(then, |_| ()), Trust::No);
    assert_eq!(trust_after(then, |now| now.racy = false), Trust::No);
    let rename = |now: &mut Identity| (now.name, now.changed) = (then.name + 1, then.changed + 5);
    assert_eq!(trust_after(then, rename), Trust::No);
    assert_eq!(trust_after(then, |now| now.stamp.size += 1), Trust::Sampled);
}

#[test]
fn a_file_is_racy_for_some_milliseconds_after_each_change() {
    let lab = Lab::new();
    let path = lab.path("text");
    // The system may pause between writing and looking, but not every time.
    let just_written = |n: u32| {
        fs::write(&path, format!("text {n}\n")).unwrap();
        identity(&path).racy
    };
    assert!((0..20).any(just_written));
    let racy = identity(&path);
    settle();
    assert!(!identity(&path).racy);
    assert!(!racy.again(&path.metadata().unwrap()).racy);
    // If the file system stores whole seconds, waiting would take too long.
    let coarse = Identity { changed: 1_000_000_000, racy: true, ..racy };
    assert_eq!(coarse.pause(), None);
    let fine = Identity { changed: 1_000_000_001, racy: true, ..racy };
    // Just longer than two changes can have the same timestamp.
    assert!(fine.pause().is_some_and(|pause| (21..=100).contains(&pause.as_millis())));
    assert_eq!(Identity { racy: false, ..fine }.pause(), None);
}

/// Where no time of the inode is known, the modification time has its part.
#[test]
fn without_a_time_of_the_inode_the_modification_time_says_when_a_file_is_settled() {
    let modified = |nanoseconds| {
        let settled = settled();
        let stamp = Stamp { modified: nanoseconds, ..settled.stamp };
        Identity { stamp, changed: 0, racy: true, ..settled }
    };
    assert_eq!(modified(1_000_000_000).pause(), None);
    assert!(modified(1_000_000_100).pause().is_some());
    let then = Identity { racy: false, ..modified(1_000_000_100) };
    assert_eq!(trust_after(then, |now| now.name += 1), Trust::Exact);
    assert_eq!(trust_after(then, |now| now.stamp.modified += 1), Trust::No);
}

#[test]
fn an_index_of_a_just_written_file_is_useful() {
    let lab = Lab::new();
    for n in 1..=5 {
        lab.file("text", numbered(n..=9000));
        assert_eq!(lab.json("index build text")["index"], "built");
        let header = read_header(File::open(lab.index()).unwrap()).unwrap();
        assert!(!header.identity.racy, "it waited until it could be sure");
        assert_eq!(lab.outcome("where text --line 8000").0, "hit");
    }
}
