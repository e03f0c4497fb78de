//! Two programs, one before a change and one after it, must give the same answers byte for byte.
//!
//! Build the program before the change, then name it: `RREAD_BEFORE=/tmp/before cargo test --test all frozen::`. Without
//! `RREAD_BEFORE` the program is compared with itself on every tenth call with `RREAD_THOROUGH`, on every fortieth without it, which shows that its answers do not vary.
//! `RREAD_FROZEN_REPORT` names a file for all the differences; the test prints the first of them.
#![cfg(unix)]

mod list;
mod world;

use std::path::{Path, PathBuf};
use std::{env, fs, thread};

use rread_testkit::sample;

use list::Call;
use world::World;

/// Differences that the test prints; a change of one word may differ in thousands of answers.
const PRINTED: usize = 12;

#[test]
fn the_answers_are_those_of_the_program_before() {
    let now = PathBuf::from(env!("CARGO_BIN_EXE_rread"));
    let before = env::var_os("RREAD_BEFORE").map(PathBuf::from);
    let step = if before.is_some() { 1 } else { sample::cases(10, 40) };
    let before = before.unwrap_or_else(|| now.clone());
    let groups: Vec<Vec<Call>> = list::groups(step);
    let count: usize = groups.iter().map(Vec::len).sum();
    let differences: Vec<String> = thread::scope(|scope| {
        let run = |group: &Vec<Call>| compare(&before, &now, group);
        let threads: Vec<_> = groups.iter().map(|group| scope.spawn(move || run(group))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    if let Some(report) = env::var_os("RREAD_FROZEN_REPORT") {
        fs::write(report, differences.join("\n\n")).unwrap();
    }
    let shown = differences.iter().take(PRINTED).cloned().collect::<Vec<_>>().join("\n\n");
    assert!(differences.is_empty(), "{} of {count} answers differ:\n{shown}", differences.len());
}

/// Makes all calls of `group` with one program and then with the other, on the same files.
fn compare(before: &Path, now: &Path, group: &[Call]) -> Vec<String> {
    let world = World::new(group);
    let old: Vec<String> = world.run_all(before, group);
    let new: Vec<String> = world.run_all(now, group);
    let pairs = group.iter().zip(old.iter().zip(&new));
    pairs.filter(|(_, (old, new))| old != new).map(|(call, (old, new))| call.difference(old, new)).collect()
}
