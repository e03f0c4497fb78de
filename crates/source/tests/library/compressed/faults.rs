//! Short, interrupted and failing reads of the compressed file.

use std::io;

use rread_source::Source;
use rread_source::compressed::Compressed;
use rread_source::compressed::damage::Damage;
use rread_testkit::bulk::{Style, text_of};
use rread_testkit::pack::{self, Pack};
use rread_testkit::rng::Rng;
use rread_testkit::sample::cases;
use rread_testkit::sources::{Act, Scripted};

fn sample() -> Vec<u8> {
    text_of(&mut Rng::new(2), Style::Words, 1_300_000)
}

#[test]
fn short_and_interrupted_reads_change_nothing() {
    let bytes = sample();
    for pack in pack::all() {
        let script =
            |call: usize, _| if call.is_multiple_of(3) { Act::Interrupt } else { Act::Short(1 + call % 900) };
        let source =
            Compressed::new(Box::new(Scripted::new(&pack.of(&bytes), script)), pack.format()).unwrap();
        let mut text: Vec<u8> = Vec::new();
        let mut buffer = [0; 10_000];
        loop {
            match source.read_at(&mut buffer, text.len() as u64).unwrap() {
                0 => break,
                got => text.extend(&buffer[..got]),
            }
        }
        assert!(text == bytes, "{pack:?}");
    }
}

/// The error is not reported as damage, and the next read succeeds.
#[test]
fn after_a_failed_read_the_next_is_right() {
    let bytes = sample();
    for pack in pack::all() {
        let packed = pack.of(&bytes);
        let mut failures = 0;
        for n in (0..packed.len() / 100_000 + 6).step_by(cases(1, 3)) {
            let script = move |call: usize, _| if call == n { Act::Fail } else { Act::Short(100_000) };
            let source = Compressed::new(Box::new(Scripted::new(&packed, script)), pack.format()).unwrap();
            let mut text: Vec<u8> = Vec::new();
            let mut buffer = [0; 50_000];
            let mut failed = 0;
            loop {
                match source.read_at(&mut buffer, text.len() as u64) {
                    Ok(0) => break,
                    Ok(got) => text.extend(&buffer[..got]),
                    Err(cause) => {
                        assert_reported(&cause, &format!("{pack:?}, call {n}"));
                        failed += 1;
                    }
                }
                assert!(failed < 3, "{pack:?}, call {n}");
            }
            assert!(text == bytes, "{pack:?}, call {n}");
            failures += failed;
        }
        // One read may hold a whole short file.
        let is_whole = matches!(pack, Pack::XzStreams | Pack::Xz);
        assert!(failures > 0 || is_whole, "{pack:?}: no read failed");
    }
}

fn assert_reported(cause: &io::Error, case: &str) {
    let damage = cause.get_ref().and_then(|inner| inner.downcast_ref::<Damage>());
    assert!(damage.is_none(), "{case}: a failed read is not damage: {cause}");
    assert!(cause.to_string().contains("bad sector"), "{case}: {cause}");
}
