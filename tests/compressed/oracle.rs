//! The reader answers for compressed text what the naive oracle answers for plain text, with and without an index.

use std::fs;

use rread_reader::index::Outcome;
use rread_reader::reader::{Reader, Tuning};
use rread_source::compressed::{Compressed, CompressionFormat};
use rread_source::spool::Spool;
use rread_testkit::ask::{B, Request, ask, check};
use rread_testkit::bulk::{STYLES, settle, text_of};
use rread_testkit::lab::Lab;
use rread_testkit::naive::Whole;
use rread_testkit::pack::{self, PACKS, Pack};
use rread_testkit::rng::Rng;
use rread_testkit::sample::cases;
use rread_testkit::sources::Trickle;
use rread_testkit::{naive, text};

#[test]
fn every_format_is_recognised() {
    for pack in PACKS {
        for text in ["", "\n", "a", "some text\nof two lines\n"] {
            let source = rread_testkit::sources::plain(&pack.of(text.as_bytes()));
            assert_eq!(CompressionFormat::of(&*source).unwrap(), Some(pack.format()), "{pack:?} {text:?}");
        }
    }
}

/// Makes `count` requests of a file without an index, with one that is made by the request, and with the one that it left.
fn in_every_state(lab: &Lab, bytes: &[u8], pack: Pack, rng: &mut Rng, count: usize, case: &str) -> usize {
    let (whole, path) = (Whole::new(bytes), lab.path("packed"));
    fs::write(&path, pack.of(bytes)).unwrap();
    settle();
    let mut hits = 0;
    for _ in 0..count {
        let request = Request::any(rng, &whole);
        let tuning = Tuning { small: rng.pick(&[0, 1 << 20]), ..Tuning::default() };
        ask(&path, &whole, None, tuning, &request, &format!("{case}, no index"));
        for state in ["first", "second"] {
            let case = format!("{case}, {state}");
            let (outcome, _) = ask(&path, &whole, Some(&lab.policy()), tuning, &request, &case);
            hits += usize::from(matches!(outcome, Outcome::Hit | Outcome::Extended));
        }
    }
    hits
}

#[test]
fn random_requests_have_the_answers_of_the_plain_text() {
    let mut hits = 0;
    let seeds = cases(8, 3);
    for seed in 0..seeds {
        for pack in PACKS {
            let mut rng = Rng::new(seed);
            let style = rng.pick(&STYLES);
            let length = match rng.below(4) {
                0 => B * (1 + rng.below(12)) + rng.below(3) - 1,
                1 => rng.below(B),
                2 => rng.below(300),
                _ => rng.below(2 << 20),
            };
            let bytes = if rng.one_in(3) {
                text::of_length(&mut rng, length)
            } else {
                text_of(&mut rng, style, length)
            };
            let case = format!("seed {seed}, {pack:?}, {style:?}, {length} bytes");
            hits += in_every_state(&Lab::new(), &bytes, pack, &mut rng, 3, &case);
        }
    }
    assert!(hits > 20 * usize::try_from(seeds).unwrap(), "only {hits} answers came from an index");
}

#[test]
fn long_texts_have_the_answers_of_the_plain_ones() {
    let long = |seed: usize| {
        let (pack, mut rng) = (PACKS[seed], Rng::new(seed as u64));
        let style = STYLES[seed % 3];
        let length = (5 << 19) + rng.below(1 << 20);
        let bytes = text_of(&mut rng, style, length);
        in_every_state(&Lab::new(), &bytes, pack, &mut rng, cases(3, 1), &format!("{pack:?}, {style:?}"));
    };
    // This is the longest test, so it runs on two threads.
    std::thread::scope(|threads| {
        threads.spawn(|| (0..PACKS.len()).step_by(2).for_each(long));
        (1..PACKS.len()).step_by(2).for_each(long);
    });
}

#[test]
fn streams_have_the_answers_of_the_plain_text() {
    for seed in 0..cases(150, 40) {
        for pack in pack::all() {
            let mut rng = Rng::new(seed);
            let bytes = text::any(&mut rng, 64);
            let whole = Whole::new(&bytes);
            let trickle = Trickle::new(&pack.of(&bytes), rng.pick(&[1, 7, 4096]));
            let spool = Spool::with_memory(Box::new(trickle), rng.pick(&[0, 100, 1 << 20]));
            let source = Compressed::new(Box::new(spool), pack.format()).unwrap();
            let reader = Reader::new(Box::new(source), naive::tuning(&mut rng)).unwrap();
            for _ in 0..3 {
                let request = Request::any(&mut rng, &whole);
                check(&reader, &whole, &request, &format!("seed {seed}, {pack:?}"));
            }
        }
    }
}
