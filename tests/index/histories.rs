//! Random histories: files are appended to, cut, rewritten, rotated and backdated between requests, and no answer
//! is wrong.
//!
//! A file of up to 512 blocks (32 MiB) that has grown or was renamed is validated whole, so anything may happen to it.
//! A larger file is sampled: overwriting its middle and then appending, or backdating it under another name, can go
//! unnoticed and is left out here.

use std::fs;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

use rread_reader::index::pages::EXTENSION;
use rread_reader::index::{MAX_BYTES, Outcome, Policy};
use rread_reader::reader::Tuning;
use rread_reader::store::Store;
use rread_testkit::ask::{B, Request, ask};
use rread_testkit::bulk::{STYLES, Style, overwrite, settle, text_of};
use rread_testkit::lab::Lab;
use rread_testkit::naive::Whole;
use rread_testkit::rng::Rng;
use rread_testkit::sample::cases;

use super::world::{ALL, Event, GROWING, REWRITING, World};

/// Bytes of the largest file that is validated whole.
const VERIFIED_WHOLE: usize = 512 * B;

/// How often each outcome of the index occurred.
#[derive(Default)]
struct ContentStats([AtomicUsize; 4]);

impl ContentStats {
    fn add(&self, outcome: Outcome) {
        self.0[outcome as usize].fetch_add(1, Relaxed);
    }

    fn of(&self, outcome: Outcome) -> usize {
        self.0[outcome as usize].load(Relaxed)
    }
}

/// Runs `count` histories, several at a time: they mostly wait for the clock.
fn run(seeds: std::ops::Range<u64>, history: impl Fn(u64) + Sync) {
    let next = AtomicU64::new(seeds.start);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Relaxed);
                    if seed >= seeds.end {
                        return;
                    }
                    history(seed);
                }
            });
        }
    });
}

fn tuning(rng: &mut Rng) -> Tuning {
    let small = rng.pick(&[0, 1 << 20, u64::MAX, u64::MAX]);
    Tuning { block: rng.pick(&[B, 4 * B]), fan_out_after: rng.pick(&[2 * B as u64, 32 << 20]), small }
}

/// Sends one or two requests to one of the files.
fn ask_some(world: &World, rng: &mut Rng, stats: &ContentStats, case: &str) {
    let path = world.any_file(rng);
    let bytes = fs::read(&path).unwrap();
    let whole = Whole::new(&bytes);
    let policy = Policy {
        store: Store::new(world.path("cache"), EXTENSION),
        write: !rng.one_in(10),
        min_size: 1,
        limit: MAX_BYTES,
    };
    for _ in 0..1 + rng.below(2) {
        let request = Request::any(rng, &whole);
        let case = format!("{case}\n asked {}, {} bytes", path.display(), bytes.len());
        stats.add(ask(&path, &whole, Some(&policy), tuning(rng), &request, &case).0);
    }
}

/// One history: one to three events at a time, then a request.
fn history(seed: u64, stats: &ContentStats, world: &World, rng: &mut Rng, events: &[Event]) {
    let mut case = format!("seed {seed}, up to {} bytes", world.max_size);
    let is_sampled = world.max_size > VERIFIED_WHOLE;
    ask_some(world, rng, stats, &case);
    for _ in 0..4 + rng.below(5) {
        for _ in 0..1 + rng.below(3) {
            let event = rng.pick(events);
            let path = world.any_file(rng);
            // A larger file that is backdated must not be renamed as well, and Windows has no other time.
            let may_be_backdated = !is_sampled || cfg!(unix) && events == REWRITING;
            let backdated = rng.one_in(3) && may_be_backdated;
            case += &format!("\n {event:?} {}{}", path.display(), if backdated { ", backdated" } else { "" });
            world.happen(rng, event, &path, backdated);
        }
        ask_some(world, rng, stats, &case);
    }
}

#[test]
fn a_thousand_histories_of_files_that_are_validated_whole_get_no_wrong_answer() {
    let stats = ContentStats::default();
    run(0..cases(1000, 100), |seed| {
        let mut rng = Rng::new(seed);
        // Small files: most errors occur at the edges of blocks.
        let max_size = rng.pick(&[B, 3 * B, 8 * B, 33 * B - 1]);
        let world = World::new(&mut rng, max_size, &STYLES);
        history(seed, &stats, &world, &mut rng, &ALL);
    });
    // Histories that never use an index prove nothing.
    let [hit, built, extended] = [Outcome::Hit, Outcome::Built, Outcome::Extended].map(|o| stats.of(o));
    let few = cases(500, 50);
    assert!(
        hit > few && built > 2 * few && extended > few / 5,
        "{hit} hits, {built} built, {extended} extended"
    );
}

#[test]
fn histories_of_larger_files_get_no_wrong_answer() {
    let stats = ContentStats::default();
    run(0..cases(60, 6), |seed| {
        let mut rng = Rng::new(1_000_000 + seed);
        let world = World::new(&mut rng, 120 * B, &STYLES);
        history(seed, &stats, &world, &mut rng, &ALL);
    });
    assert!(stats.of(Outcome::Hit) + stats.of(Outcome::Extended) > cases(30, 3));
}

#[test]
fn histories_of_files_that_are_sampled_get_no_wrong_answer() {
    let stats = ContentStats::default();
    // Seed 8 finds an index that trusts blocks without a comparison.
    run(cases(0, 8)..10, |seed| {
        let mut rng = Rng::new(3_000_000 + seed);
        // All different, so that nothing that was cut off returns by chance.
        let world = World::new(&mut rng, VERIFIED_WHOLE + 60 * B, &[Style::Words, Style::Crlf]);
        world.append_up_to(&mut rng, VERIFIED_WHOLE + B + 100);
        let events: &[Event] = if seed % 2 == 0 { &GROWING } else { &REWRITING };
        history(seed, &stats, &world, &mut rng, events);
    });
    assert!(stats.of(Outcome::Hit) + stats.of(Outcome::Extended) > cases(5, 1));
}

#[test]
fn a_block_overwritten_unnoticed_is_noticed_when_an_answer_depends_on_it() {
    let mut rng = Rng::new(4_000_000);
    let world = World::new(&mut rng, B, &[Style::Words]);
    world.append_up_to(&mut rng, VERIFIED_WHOLE + 20 * B);
    let log = world.log();
    let policy = Policy {
        store: Store::new(world.path("cache"), EXTENSION),
        write: true,
        min_size: 1,
        limit: MAX_BYTES,
    };
    for round in 0..cases(8, 3) {
        let block = 100 + rng.below(300);
        settle();
        let bytes = fs::read(&log).unwrap();
        let whole = Whole::new(&bytes);
        ask(&log, &whole, Some(&policy), Tuning::default(), &Request::Count, &round);
        // The index looks for such a line in the second of two blocks.
        let line = whole.newlines_before(((block + 1) * B) as u64) + 500;
        // Both blocks get more lines, and the file one more at its end: most samples do not show it.
        overwrite(&log, (block * B) as u64, &text_of(&mut rng, Style::Crlf, 2 * B));
        overwrite(&log, bytes.len() as u64, b"more\n");
        let bytes = fs::read(&log).unwrap();
        let (whole, request) = (Whole::new(&bytes), Request::Front(vec![line]));
        ask(
            &log,
            &whole,
            Some(&policy),
            Tuning::default(),
            &request,
            &format!("round {round}, block {block}"),
        );
        // Restore the words for the next round.
        overwrite(&log, (block * B) as u64, &text_of(&mut rng, Style::Words, 2 * B));
    }
}

#[test]
fn histories_run_with_the_program_get_no_wrong_answer() {
    run(0..cases(24, 8), |seed| {
        let mut rng = Rng::new(2_000_000 + seed);
        let world = World::new(&mut rng, 12 * B, &STYLES);
        let mut lab = Lab::new();
        lab.set("RREAD_CACHE_DIR", world.path("cache"));
        let mut case = format!("seed {seed}");
        for _ in 0..8 {
            let (event, path) = (rng.pick(&ALL), world.any_file(&mut rng));
            let backdated = rng.one_in(3);
            case += &format!("\n {event:?} {}, backdated: {backdated}", path.display());
            world.happen(&mut rng, event, &path, backdated);
            let path = world.any_file(&mut rng);
            let bytes = fs::read(&path).unwrap();
            let whole = Whole::new(&bytes);
            if whole.lines() == 0 {
                continue;
            }
            let line = 1 + rng.below(usize::try_from(whole.lines()).unwrap()) as u64;
            program_is_right(&lab, &path.display().to_string(), &whole, line, &case);
        }
    });
}

fn program_is_right(lab: &Lab, path: &str, whole: &Whole, line: u64, case: &str) {
    let range = format!("{}-{}", whole.after(line - 1), whole.after(line));
    let facts = lab.json(&format!("where {path} --line {line}"));
    assert_eq!(facts["range"], range, "line {line} of {}: {facts}: {case}", whole.lines());
    let back = lab.json(&format!("where {path} --line -{}", whole.lines() + 1 - line));
    assert_eq!((&back["line"], &back["range"]), (&line.into(), &range.into()), "{back}: {case}");
    let byte = (whole.after(line) + whole.after(line - 1)) / 2;
    let byte = byte.min(whole.size() - 1);
    let facts = lab.json(&format!("where {path} --byte {byte}"));
    assert_eq!(facts["line"], whole.newlines_before(byte) + 1, "byte {byte}: {facts}: {case}");
    let reported = &lab.json(&format!("stat {path}"))["lines"];
    assert!(
        reported.is_null() || *reported == whole.lines(),
        "{reported}, not {} lines: {case}",
        whole.lines()
    );
}
