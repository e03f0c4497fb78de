//! Several builders at once, a killed one, and a file that grows all the time: an index in the cache is whole or
//! not trusted.

use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use rread_reader::reader::{Reader, Tuning};
use rread_source::open::open;
use rread_testkit::ask::{B, Request, ask};
use rread_testkit::bulk::{STYLES, number_line, numbered};
use rread_testkit::home::AtHome;
use rread_testkit::lab::Lab;
use rread_testkit::naive::Whole;
use rread_testkit::rng::Rng;
use rread_testkit::sample::cases;
use rread_text::error::Kind;

use super::world::{Event, World};

const PROGRAM: &str = env!("CARGO_BIN_EXE_rread");

#[test]
fn twelve_builders_and_as_many_readers_do_not_disturb_each_other() {
    let lines: u64 = cases(400_000, 150_000);
    let lab = Lab::with("text", numbered(1..=lines));
    thread::scope(|scope| {
        for n in 0..12 {
            let lab = &lab;
            scope.spawn(move || {
                for round in 0..3 {
                    let built = lab.json("index build text");
                    assert_eq!(built["total_lines"], lines, "builder {n}, round {round}");
                    if round == 1 {
                        lab.line("index clear text").ok();
                    }
                }
            });
            scope.spawn(move || {
                for round in 0..6 {
                    let line = 1 + (n * 77_777 + round * 33_333) % lines;
                    let run = lab.line(&format!("lines text {line} --raw")).ok();
                    assert!(run.stdout == number_line(line), "line {line}: {run}");
                    assert_eq!(lab.json(&format!("where text --line -{line}"))["line"], lines + 1 - line);
                }
            });
        }
    });
    lab.line("index build text").ok();
    assert_eq!(lab.outcome("where text --line 100000").0, "hit");
    let left = lab.cached();
    assert_eq!(left.len(), 1, "only the index is left: {left:?}");
}

/// Lines at the start of the large file.
const HEAD: u64 = 3000;

/// Where the other lines are, each after one endless line of zeros.
const STEP: u64 = 256 << 20;

fn marks() -> u64 {
    cases(9, 4)
}

/// A sparse file of more than a GiB; with `RREAD_THOROUGH`, of more than two.
fn large_file(path: &Path) {
    let mut file = File::create(path).unwrap();
    file.write_all(&numbered(1..=HEAD)).unwrap();
    for mark in 1..=marks() {
        file.seek(SeekFrom::Start(mark * STEP)).unwrap();
        write!(file, "\nmark {mark}\n").unwrap();
    }
}

fn marks_are_right(lab: &Lab, marks: impl Iterator<Item = u64>) {
    for mark in marks {
        let run = lab.line(&format!("lines text {} --raw", HEAD + 2 * mark)).ok();
        assert_eq!(String::from_utf8_lossy(&run.stdout), format!("mark {mark}\n"));
        let place = lab.json(&format!("where text --byte {}", mark * STEP + 3));
        assert_eq!((&place["line"], &place["column"]), (&(HEAD + 2 * mark).into(), &3.into()));
    }
}

fn start_building(lab: &Lab) -> Child {
    let mut command = Command::new(PROGRAM);
    command
        .at_home(&lab.path(".home"))
        .args(["index", "build"])
        .arg(lab.path("text"))
        .env("RREAD_CACHE_DIR", lab.cache());
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn a_killed_builder_leaves_a_useful_index_or_none() {
    let lab = Lab::new();
    large_file(&lab.path("text"));
    let is_indexed = || lab.cached().iter().any(|name| name.ends_with(".idx"));
    // Early, before the first save, and just after it.
    for wait in [Some(5), Some(60), None] {
        // Remove what other requests have saved meanwhile.
        let _ = fs::remove_dir_all(lab.cache());
        let mut child = start_building(&lab);
        let start = Instant::now();
        let time_is_up = || match wait {
            Some(wait) => start.elapsed() > Duration::from_millis(wait),
            None => is_indexed() || start.elapsed() > Duration::from_secs(60),
        };
        while !time_is_up() && child.try_wait().unwrap().is_none() {
            sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let shown = lab.json("index show text");
        assert!(shown["state"] == "absent" || shown["state"] == "fresh", "{shown}");
        if wait.is_none() {
            assert!(shown["covered"].as_u64().unwrap() >= 256 << 20, "{shown}");
            assert_eq!(shown["complete"], false, "it was killed: {shown}");
        }
        marks_are_right(&lab, [1, 3].into_iter());
    }
    let built = lab.json("index build text");
    assert_eq!((&built["index"], &built["total_lines"]), (&"extended".into(), &(HEAD + 2 * marks()).into()));
    assert!(built["bytes_scanned"].as_u64().unwrap() < (marks() * STEP) - (256 << 20) + (1 << 20), "{built}");
    assert_eq!(lab.json("index show text")["complete"], true);
    marks_are_right(&lab, 1..=marks());
    assert_eq!(lab.outcome(&format!("where text --line {}", HEAD + 8)).0, "hit");
}

/// Stops the writer when it goes out of scope, also after a failed assertion.
struct StopWriter<'a>(&'a AtomicBool);

impl Drop for StopWriter<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

#[test]
fn a_file_may_grow_while_it_is_indexed() {
    let lab = Lab::with("text", numbered(1..=60_000));
    let (written, stop) = (AtomicU64::new(60_000), AtomicBool::new(false));
    thread::scope(|scope| {
        let _stop = StopWriter(&stop);
        scope.spawn(|| {
            let mut file = OpenOptions::new().append(true).open(lab.path("text")).unwrap();
            while !stop.load(Relaxed) && written.load(Relaxed) < 5_000_000 {
                let from = written.load(Relaxed) + 1;
                // Half a line at a time: reads may end inside a line.
                let text = numbered(from..=from + 200);
                let (first, rest) = text.split_at(text.len() / 2);
                file.write_all(first).unwrap();
                sleep(Duration::from_micros(300));
                file.write_all(rest).unwrap();
                written.store(from + 200, Relaxed);
            }
        });
        for round in 0..cases(40, 20) {
            let line = [1, 59_999, 30_000, written.load(Relaxed)][round % 4];
            if round % 5 == 0 {
                let built = lab.line("index build text --json").ok().json();
                assert!(built["total_lines"].as_u64().unwrap() >= line, "{built}");
            }
            // A notice that the file has grown is fine.
            let run = lab.line(&format!("lines text {line} --raw"));
            assert!(run.code == Some(0) && run.stdout == number_line(line), "line {line}: {run}");
            let place = lab.json(&format!("where text --line {line}"));
            assert_eq!(place["line"], line);
        }
    });
    let lines = written.load(Relaxed);
    assert_eq!(lab.line(&format!("lines text {lines} --raw")).ok().stdout, number_line(lines));
    let built = lab.json("index build text");
    assert_eq!(built["total_lines"], lines);
    assert_eq!(lab.json("stat text")["lines"], lines);
    assert_eq!(lab.outcome(&format!("where text --line {}", lines / 2)).0, "hit");
}

/// Uses and saves the index of a file that another thread may be changing; a refusal is fine.
fn learn(lab: &Lab, path: &Path, seed: u64) {
    let Ok(source) = open(path) else { return };
    let Ok(reader) = Reader::new(source, Tuning::default()) else { return };
    reader.use_index(path, &lab.policy());
    let asked = match seed % 3 {
        0 => reader.count_lines().map(drop),
        1 => reader.newlines_before(seed % 500_000).map(drop),
        _ => reader.full_scan().map(drop),
    };
    let refused = asked.err().map(|error| error.kind);
    assert!(matches!(refused, None | Some(Kind::Changed)), "{refused:?}");
    reader.save_index(false);
}

#[test]
fn an_index_learned_while_the_file_changed_is_not_trusted_later() {
    const EVENTS: [Event; 8] = [
        Event::Append,
        Event::Append,
        Event::Overwrite,
        Event::Overwrite,
        Event::ReverseAll,
        Event::ReverseBlock,
        Event::OverwriteTail,
        Event::OverwriteAndAppend,
    ];
    let history = |seed: u64| {
        let (lab, mut rng) = (Lab::new(), Rng::new(seed));
        let world = World::new(&mut rng, 16 * B, &STYLES);
        for round in 0..6 {
            thread::scope(|scope| {
                let readers = rng.below(1000) as u64;
                scope.spawn({
                    let (lab, log) = (&lab, world.log());
                    move || (readers..readers + 3).for_each(|seed| learn(lab, &log, seed))
                });
                // At once, a little after the reader has begun, or while it waits.
                for _ in 0..1 + rng.below(3) {
                    sleep(Duration::from_micros(rng.below(2500) as u64));
                    let event = rng.pick(&EVENTS);
                    world.happen(&mut rng, event, &world.log(), false);
                }
            });
            let bytes = fs::read(world.log()).unwrap();
            let whole = Whole::new(&bytes);
            for _ in 0..2 {
                let request = Request::any(&mut rng, &whole);
                let case = format!("seed {seed}, round {round}, {} bytes", bytes.len());
                ask(&world.log(), &whole, Some(&lab.policy()), Tuning::default(), &request, &case);
            }
        }
    };
    thread::scope(|scope| {
        for worker in 0..8 {
            let history = &history;
            scope.spawn(move || (worker * 20..worker * 20 + cases(20, 3)).for_each(history));
        }
    });
}
