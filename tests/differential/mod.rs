//! The program against `sed`, `tail`, `head`, `dd`, `awk`, `wc` and Python: random requests to random texts from every
//! source that needs no network.
//!
//! `RREAD_DIFFERENTIAL` is the number of requests, or the first and the last one (`53850:100000`); otherwise there are 1500
//! with `RREAD_THOROUGH`, and 150 without it. `RREAD_CORPUS`, where it is set, names a folder with files to ask about
//! beside those that are made here.
#![cfg(unix)]

mod peers;
pub mod request;
mod sources;
pub mod texts;
mod world;

use std::process::Command;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::{env, thread};

use rread_testkit::sample;

/// Requests that are made of one text.
const REQUESTS_OF_A_WORLD: u64 = 15;

#[test]
fn random_requests_have_the_answers_of_the_tools() {
    let version = Command::new("head").arg("--version").output();
    if !version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("GNU")) {
        return eprintln!("SKIPPED: the tools are not those of GNU, whose counts from the end are needed");
    }
    let (first, last) =
        env::var("RREAD_DIFFERENTIAL").map_or((0, sample::cases(1500, 150)), |it| wanted(&it));
    let corpus = env::var_os("RREAD_CORPUS").map(|folder| texts::corpus(folder.as_ref()));
    let corpus = corpus.unwrap_or_default();
    let next = AtomicU64::new(first / REQUESTS_OF_A_WORLD);
    let (hits, failures) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let worlds = last.div_ceil(REQUESTS_OF_A_WORLD);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                let mut python = peers::Python::start();
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= worlds || failures.load(Ordering::Relaxed) > 20 {
                        return;
                    }
                    let outcome = world::run(seed, &corpus, python.as_mut());
                    hits.fetch_add(outcome.index_hits, Ordering::Relaxed);
                    failures.fetch_add(outcome.failures.len(), Ordering::Relaxed);
                    outcome.failures.iter().for_each(|failure| eprintln!("{failure}\n"));
                }
            });
        }
    });
    assert_eq!(failures.into_inner(), 0, "answers that differ are told above");
    let hits = hits.into_inner() as u64;
    assert!(hits >= (last - first) / 500, "only {hits} answers came from an index");
}

/// `100000`, or `53850:100000` to go on where an earlier run ended.
fn wanted(requests: &str) -> (u64, u64) {
    let (first, last) = requests.split_once(':').unwrap_or(("0", requests));
    (first.parse().unwrap(), last.parse().unwrap())
}
