//! Jumps in long texts, by one thread and by several, from checkpoints of this run and of an earlier one.

use std::thread;

use rread_source::compressed::{Checkpoints, Compressed};
use rread_source::file::FileSource;
use rread_source::{Source, read_full};
use rread_testkit::bulk::{STYLES, text_of};
use rread_testkit::pack::{self, Pack};
use rread_testkit::rng::Rng;
use rread_testkit::sample::cases;
use rread_testkit::sources::plain;

fn compressed(packed: &[u8], pack: Pack) -> Compressed {
    Compressed::new(plain(packed), pack.format()).unwrap()
}

/// A text of several styles, long enough for several checkpoints.
fn long_text(rng: &mut Rng, size: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while bytes.len() < size {
        let style = rng.pick(&STYLES);
        let length = 1 + rng.below(1 << 20);
        bytes.extend(text_of(rng, style, length));
    }
    bytes
}

fn jump(source: &dyn Source, bytes: &[u8], rng: &mut Rng, times: usize, case: &str) {
    for _ in 0..times {
        let at = rng.below(bytes.len() + 2);
        let mut buffer = vec![0; rng.pick(&[1, 100, 70_000, 300_000])];
        let got = read_full(source, &mut buffer, at as u64).unwrap();
        assert_eq!(got, buffer.len().min(bytes.len().saturating_sub(at)), "{case} at {at}");
        assert!(got == 0 || buffer[..got] == bytes[at..at + got], "{case} at {at}");
    }
}

#[test]
fn reads_at_any_offset_return_the_text() {
    for (seed, pack) in pack::all().enumerate() {
        let mut rng = Rng::new(seed as u64);
        let has_checkpoints = matches!(pack, Pack::Gzip | Pack::GzipStored | Pack::GzipMembers | Pack::Bgzf);
        let (size, jumps) = if has_checkpoints { (9 << 20, cases(12, 4)) } else { (3 << 20, cases(6, 2)) };
        let bytes = long_text(&mut rng, size);
        let packed = pack.of(&bytes);
        let source = compressed(&packed, pack);
        jump(&source, &bytes, &mut rng, jumps, &format!("{pack:?}, first run"));
        read_full(&source, &mut [0], u64::MAX - 1).unwrap();
        assert_eq!(source.size(), Some(bytes.len() as u64), "{pack:?}");
        if source.checkpoints().is_table {
            continue;
        }
        let mut file = tempfile::tempfile().unwrap();
        source.checkpoints().write(&mut file).unwrap();
        let kept = Checkpoints::read(FileSource::new(file).unwrap(), 0).unwrap();
        assert!(!has_checkpoints || kept.len() > 5, "{pack:?}: {} checkpoints", kept.len());
        let again = compressed(&packed, pack);
        again.set_checkpoints(kept);
        jump(&again, &bytes, &mut rng, jumps, &format!("{pack:?}, second run"));
    }
}

/// As in a log to which many short runs append.
#[test]
fn members_begin_with_checkpoints() {
    for pack in [Pack::Gzip, Pack::Zstd, Pack::Xz, Pack::Bzip2, Pack::Lz4] {
        let mut rng = Rng::new(3);
        let bytes = long_text(&mut rng, 9 << 20);
        let packed: Vec<u8> = bytes.chunks(300_000).flat_map(|piece| pack.of(piece)).collect();
        let source = compressed(&packed, pack);
        read_full(&source, &mut [0], u64::MAX - 1).unwrap();
        assert!(source.checkpoints().len() >= 6, "{pack:?}: {}", source.checkpoints().len());
        let again = compressed(&packed, pack);
        again.set_checkpoints(source.checkpoints());
        jump(&again, &bytes, &mut rng, cases(40, 10), &format!("{pack:?}"));
    }
}

#[test]
fn several_threads_read_at_once() {
    for pack in [Pack::Gzip, Pack::ZstdFrames, Pack::Bgzf, Pack::Lz4Frames] {
        let bytes = long_text(&mut Rng::new(9), 6 << 20);
        let source = compressed(&pack.of(&bytes), pack);
        thread::scope(|scope| {
            for seed in 0..4 {
                let (source, bytes) = (&source, &bytes);
                scope.spawn(move || jump(source, bytes, &mut Rng::new(seed), 8, &format!("{pack:?}")));
            }
        });
    }
}

#[test]
fn checkpoints_of_another_file_cause_no_wrong_byte() {
    for pack in [Pack::Gzip, Pack::GzipStored, Pack::Bgzf, Pack::Zstd, Pack::XzStreams] {
        let mut rng = Rng::new(5);
        let (bytes, other) = (long_text(&mut rng, 5 << 20), long_text(&mut rng, 5 << 20));
        let other_file = compressed(&pack.of(&other), pack);
        read_full(&other_file, &mut [0], u64::MAX - 1).unwrap();
        let source = compressed(&pack.of(&bytes), pack);
        let mut checkpoints = other_file.checkpoints();
        checkpoints.text_size = None;
        source.set_checkpoints(checkpoints);
        jump(&source, &bytes, &mut rng, cases(20, 6), &format!("{pack:?}"));
    }
}
