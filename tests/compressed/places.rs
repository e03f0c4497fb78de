//! Jumps in long texts, forwards and backwards, by one thread and by several, from places learned and kept.

use std::thread;

use rread::internals::source::compressed::Compressed;
use rread::internals::source::compressed::restart::Restarts;
use rread::internals::source::file::FileSource;
use rread::internals::source::{Source, read_full};

use crate::pack::{PACKS, Pack};
use crate::sample::cases;
use crate::sources::plain;
use crate::support::{STYLES, text_of};
use crate::text::Rng;

/// The text of `pack`, all in memory.
fn compressed(packed: &[u8], pack: Pack) -> Compressed {
    Compressed::new(plain(packed), pack.format()).unwrap()
}

/// A text with several places: words first, then others, so that it is not all of one kind.
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
fn any_place_can_be_jumped_to() {
    for (seed, pack) in PACKS.into_iter().enumerate() {
        let mut rng = Rng::new(seed as u64);
        let has_places = matches!(pack, Pack::Gzip | Pack::GzipStored | Pack::GzipMembers | Pack::Bgzf);
        let (size, jumps) = if has_places { (9 << 20, cases(12, 4)) } else { (3 << 20, cases(6, 2)) };
        let bytes = long_text(&mut rng, size);
        let packed = pack.of(&bytes);
        let source = compressed(&packed, pack);
        jump(&source, &bytes, &mut rng, jumps, &format!("{pack:?} learning"));
        read_full(&source, &mut [0], u64::MAX - 1).unwrap();
        assert_eq!(source.size(), Some(bytes.len() as u64), "{pack:?}");
        if source.restarts().is_table() {
            continue;
        }
        let mut file = tempfile::tempfile().unwrap();
        source.restarts().write(&mut file).unwrap();
        let kept = Restarts::read(FileSource::new(file).unwrap(), 0).unwrap();
        assert!(!has_places || kept.len() > 5, "{pack:?}: {} places", kept.len());
        let again = compressed(&packed, pack);
        again.set_restarts(kept);
        jump(&again, &bytes, &mut rng, jumps, &format!("{pack:?} from kept places"));
    }
}

/// As in a log that is appended to by many short runs.
#[test]
fn members_that_begin_are_places() {
    for pack in [Pack::Gzip, Pack::Zstd, Pack::Xz, Pack::Bzip2, Pack::Lz4] {
        let mut rng = Rng::new(3);
        let bytes = long_text(&mut rng, 9 << 20);
        let packed: Vec<u8> = bytes.chunks(300_000).flat_map(|piece| pack.of(piece)).collect();
        let source = compressed(&packed, pack);
        read_full(&source, &mut [0], u64::MAX - 1).unwrap();
        assert!(source.restarts().len() >= 6, "{pack:?}: {}", source.restarts().len());
        let again = compressed(&packed, pack);
        again.set_restarts(source.restarts());
        jump(&again, &bytes, &mut rng, cases(40, 10), &format!("{pack:?}"));
    }
}

#[test]
fn several_threads_may_jump_at_once() {
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

/// Whatever was kept of another file, or made up, the bytes are those of this one, or there is an error.
#[test]
fn places_of_another_file_are_noticed() {
    for pack in [Pack::Gzip, Pack::GzipStored, Pack::Bgzf, Pack::Zstd, Pack::XzStreams] {
        let mut rng = Rng::new(5);
        let (bytes, other) = (long_text(&mut rng, 5 << 20), long_text(&mut rng, 5 << 20));
        let learned = compressed(&pack.of(&other), pack);
        read_full(&learned, &mut [0], u64::MAX - 1).unwrap();
        let source = compressed(&pack.of(&bytes), pack);
        let mut places = learned.restarts();
        places.text_size = None;
        source.set_restarts(places);
        jump(&source, &bytes, &mut rng, cases(20, 6), &format!("{pack:?}"));
    }
}
